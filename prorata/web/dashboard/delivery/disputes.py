"""Disputes in the dashboard: opening them on a tenant's behalf, and ending them."""

from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.delivery import dispute_ends, dispute_files, disputes
from prorata.actions.delivery.dispute_files import BroughtFile
from prorata.actions.delivery.disputes import Opening
from prorata.actions.invoices import invoices
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.printing import printed_invoices
from prorata.domain.delivery.disputes import NOTHING_SENT, may_be_disputed
from prorata.domain.limits import LONGEST_QUESTION, MOST_DISPUTE_FILES
from prorata.domain.money import CENTS, in_figures
from prorata.domain.printing.charge_rendering import WrittenCharge
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.rendering import write
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import ChargeRow
from prorata.web.dashboard.invoices.invoice import invoice_page
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.forms import agree
from prorata.web.dashboard.kernel.pages import Ask, Download, GoTo, Outside, Shown, page
from prorata.web.http.fields import Number, number, text as words
from prorata.web.http.limits import LARGEST_MONEY, MOST_CUT_FORM_BYTES, MOST_DISPUTE_FORM_BYTES

_TYPED = 64 * 1024
"""The maximum number of characters read from a text, which is above the allowed length.

A text that is too long can thus be shown again instead of being lost.
"""
_MEDIA = {"pdf": "application/pdf", "jpeg": "image/jpeg", "png": "image/png"}
_OPENED = say("The charge is disputed. No reminders are sent for the disputed amount until the dispute ends.")
_RESOLVED = say("The dispute was ended with a reason.")
_CORRECTED = say("The dispute was ended with the correction.")
_TOO_LARGE = say("The files can be at most {most} MB in total.", most=MOST_DISPUTE_FORM_BYTES >> 20)
_WITHDRAWN = say("The dispute is withdrawn.")
_MAILED = say("The tenant is told by e-mail, and can see it on their page.")
_SAVED = say("The tenant can see it on their page. {why} Tell the tenant that it’s there.")
_ON_PAGE = say("The tenant can see it on their page. No e-mail is sent: tell the tenant that it’s there.")


class DisputeForm(Struct, kw_only=True):
    """The disputed amount of a charge, and the reason."""

    text: Annotated[str, words(_TYPED, least=0)] = ""
    amount: Annotated[Number, number(0, LARGEST_MONEY, places=2, noun="an amount")]


class EndForm(Struct, kw_only=True):
    """The reason for ending a dispute; `dispute` identifies the dispute that the page showed."""

    dispute: Annotated[str, words(64, least=0)] = ""
    reason: Annotated[str, words(_TYPED, least=0)] = ""


_FORM = "/invoices/{invoice}/charges/{charge}/dispute"


@page("GET", _FORM, may="write")
def dispute_form(ask: Ask[Any, None]) -> Shown:
    """Show the form for disputing a charge."""
    invoice = invoices.find(ask.tx, ask.caller, ask.path["invoice"])
    charge, written = _charge(ask.tx, ask.caller, ask.outside, invoice, ask.path["charge"])
    if not may_be_disputed(invoice.summary.status):
        raise Conflict(NOTHING_SENT)
    values = {
        "row": invoice.summary, "charge": charge, "written": written, "most_files": MOST_DISPUTE_FILES,
        "longest": LONGEST_QUESTION, "megabytes": MOST_DISPUTE_FORM_BYTES >> 20,
    }  # fmt: skip
    amount = ask.write.typed(Number(in_figures(abs(charge.amount))), 2)
    return Shown("dispute_form.html", values, {"amount": amount})


@page(
    "POST", _FORM, may="write", form=DisputeForm, again=dispute_form, most_bytes=MOST_DISPUTE_FORM_BYTES,
    cut_bytes=MOST_CUT_FORM_BYTES,
)  # fmt: skip
async def dispute_charge(steps: Steps) -> GoTo:
    """Dispute a charge on the tenant's behalf."""
    if steps.is_cut:
        raise InvalidRequest.because([Problem("files", _TOO_LARGE)])
    invoice_id, form, caller = steps.path["invoice"], steps.form, steps.caller
    invoice = await steps.read(lambda tx: invoices.find(tx, caller, invoice_id))
    charge_id, outside = steps.path["charge"], steps.outside
    _, written = await steps.read(lambda tx: _charge(tx, caller, outside, invoice, charge_id))
    agree(invoice.summary.currency, amount=form.amount)
    files = [BroughtFile(file.name, file.content) for file in steps.uploads.get("files", ())]
    opening = Opening(charge_id, int(form.amount * 10**CENTS), form.text, written.as_asked, files)
    await steps.write(lambda tx: disputes.open_one(tx, caller, invoice_id, opening, steps.forms))
    return GoTo(f"/invoices/{invoice_id}", _OPENED)


def _charge(
    tx: Tx, caller: Caller, outside: Outside, invoice: ShownInvoice, charge_id: str
) -> tuple[ChargeRow, WrittenCharge]:
    """Find a charge of an invoice, and write it as the invoice does.

    Raises `NotFound` if there is no such charge.
    """
    printed = printed_invoices.find(tx, caller, invoice.summary.id)
    locale = printed.copy.locale
    written = write(printed, texts_for(locale), outside.forms(locale)).charges
    its = zip(invoice.charges or (), written, strict=True)
    found = next((pair for pair in its if pair[0].id == charge_id), None)
    if found is None:
        raise NotFound("charge")
    return found


@page("POST", "/invoices/{invoice}/resolve", may="write", form=EndForm, again=invoice_page)
def resolve_dispute(ask: Ask[None, EndForm]) -> GoTo:
    """End a dispute about the invoice, and tell the tenant the reason."""
    is_mailed = dispute_ends.resolve(ask.tx, ask.caller, ask.form.dispute, ask.form.reason)
    return _ended(ask, ask.path["invoice"], _RESOLVED, is_mailed=is_mailed)


@page("POST", "/disputes/{dispute}/corrected", may="write")
def end_with_correction(ask: Ask[None, None]) -> GoTo:
    """End a dispute because its charge was corrected."""
    is_mailed = dispute_ends.resolve_by_correction(ask.tx, ask.caller, ask.path["dispute"])
    return _ended(ask, _invoice_of(ask), _CORRECTED, is_mailed=is_mailed)


@page("POST", "/disputes/{dispute}/withdrawn", may="write")
def note_withdrawn(ask: Ask[None, None]) -> GoTo:
    """End a dispute that the tenant has withdrawn or no longer pursues."""
    is_mailed = dispute_ends.withdraw(ask.tx, ask.caller, ask.path["dispute"])
    return _ended(ask, _invoice_of(ask), _WITHDRAWN, is_mailed=is_mailed)


def _invoice_of(ask: Ask[None, None]) -> str:
    return disputes.find(ask.tx, ask.caller, ask.path["dispute"]).row.invoice_id


def _ended(ask: Ask[Any, Any], invoice_id: str, said: str, *, is_mailed: bool) -> GoTo:
    """Go to the disputed invoice, and say how its tenant learns of the end."""
    held = ask.outside.mail_held
    told = _ON_PAGE if not is_mailed else _MAILED if held is None else _SAVED.format(why=held)
    return GoTo(f"/invoices/{invoice_id}", joined([said, told]))


@page("GET", "/disputes/{dispute}/files/{number}", may="read")
def dispute_file(ask: Ask[None, None]) -> Download:
    """Download a file that belongs to a dispute.

    The file comes from a stranger, so it is never opened in the browser.
    """
    file = dispute_files.find(ask.tx, ask.caller, ask.path["dispute"], ask.path["number"])
    return Download(file.name, _MEDIA[file.kind], file.content)
