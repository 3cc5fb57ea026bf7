"""Bulk changes of invoices: confirming, starting, watching, stopping and undoing them."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.accounts import accounts
from prorata.actions.bulk import bulk, bulk_questions, hand_overs, prints, reminders
from prorata.actions.invoices.lists import Wish
from prorata.actions.invoices.papers import Paper
from prorata.actions.limits import MOST_PRINTED_TOGETHER
from prorata.actions.months import sending
from prorata.actions.overview import bulk_lists
from prorata.domain.accounts.permissions import may
from prorata.domain.bulk.bulk import Question
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.texts import joined, say, say_n
from prorata.web.dashboard.invoices.invoice import PDF
from prorata.web.dashboard.invoices.invoices import InvoicesPage, invoices_page, wish_of
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, Download, GoTo, Shown, page
from prorata.web.dashboard.kernel.rendering import query_of
from prorata.web.http.fields import DateText, text

LATEST = 20
_CONFLICT = 409


class ChosenInvoices(InvoicesPage, kw_only=True):
    """The ticked invoices, or all invoices that the list's filters find.

    The fields of the list's query say which page of the list to show again. If `reminds` is set, the invoices are
    printed as reminders.
    """

    chosen: list[str] = msgspec.field(default_factory=list)
    all: bool = False
    reminds: bool = False

    def wanted(self) -> list[str] | Wish:
        """Return the ids of the ticked invoices or, if `all` is set, the list's search."""
        return wish_of(self) if self.all else self.chosen


class ChosenForm(ChosenInvoices, kw_only=True):
    """The action to do on the chosen invoices.

    `receipts` means that tenants get receipts if the action marks the invoices as paid. `seen` identifies the
    effect that the person was asked to confirm.
    """

    seen: Annotated[str, text(64, least=0)] = ""
    receipts: bool = False
    verb: Literal["send", "send again", "remind", "hand over", "mark paid", "cancel", "reopen"]


class ChangesQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """Filters and cursor of the list of bulk changes."""

    by: Annotated[str, text(64, least=0)] = ""
    day: DateText | UnsetType = UNSET
    before: Annotated[str, text(64, least=0)] = ""


@page("POST", "/invoices/chosen", may="write", form=ChosenForm, again=invoices_page, only_reads=True)
def ask_about_chosen(ask: Ask[None, ChosenForm]) -> Shown:
    """Ask to confirm a bulk change, and describe its effect."""
    form, held = ask.form, ask.outside.mail_held
    return _question(ask, form, bulk_questions.preview(ask.tx, ask.caller, form.verb, form.wanted(), ask.write, held))


@page("POST", "/invoices/changes", may="write", form=ChosenForm, again=invoices_page)
def change_chosen(ask: Ask[None, ChosenForm]) -> GoTo | Shown:
    """Start a bulk change of the chosen invoices; a small one is completed at once.

    If its effect has changed since the person was asked to confirm it, ask again.
    """
    form = ask.form
    begun = bulk_questions.begin_as_asked(
        ask.tx, ask.caller, form.verb, form.wanted(), ask.write,
        seen=form.seen or None, mail_held=ask.outside.mail_held, receipts=form.receipts,
    )  # fmt: skip
    if isinstance(begun, Question):
        return _question(ask, form, begun)._replace(status=_CONFLICT)
    return GoTo(f"/invoices/changes/{begun.id}")


@page("POST", "/invoices/pdf", may="read", form=ChosenInvoices, again=invoices_page, only_reads=True)
async def print_chosen(steps: Steps) -> Download:
    """Print the chosen invoices as one PDF, each starting on a new page."""
    caller, form = steps.caller, steps.form
    papers = await steps.read(lambda tx: prints.chosen(tx, caller, form.wanted()))
    if form.reminds:
        today = await steps.read(lambda tx: accounts.today(tx, caller))
        papers = [paper.reminding(today) for paper in papers]
    return await _printed(steps, papers)


async def _printed(steps: Steps, papers: Sequence[Paper]) -> Download:
    outside, person = steps.outside, steps.person
    may_write = person is not None and may(person.role, "write")
    printed = [paper.shown_to(may_write=may_write).at(outside.tenant_links) for paper in papers]
    content = await steps.pools.export(
        lambda: outside.join([outside.printer(printed_invoice) for printed_invoice in printed])
    )
    name = printed[0].number if len(printed) == 1 else f"{printed[0].number} – {printed[-1].number}"
    return Download(f"{name}.pdf", PDF, content, to_look_at=True)


@page("POST", "/invoices/reminded", may="write", form=ChosenInvoices, again=invoices_page)
def note_reminded_on_paper(ask: Ask[None, ChosenInvoices]) -> GoTo:
    """Record that the tenants of the chosen invoices were reminded on paper."""
    ids = bulk.ids_of(ask.tx, ask.caller, ask.form.wanted())
    number = reminders.note_on_paper(ask.tx, ask.caller, ids)
    n, there = ask.write.count(number), f"/invoices/{ids[0]}" if len(ids) == 1 else "/invoices"
    return GoTo(there, say_n("{n} reminder on paper is noted.", "{n} reminders on paper are noted.", number, n=n))


@page("GET", "/invoices/changes", may="read", query=ChangesQuery)
def latest_changes(ask: Ask[ChangesQuery, None]) -> Shown:
    """Show the latest bulk changes of invoices."""
    query = ask.query
    day = date.fromisoformat(query.day) if query.day is not UNSET else None
    bulk_list = bulk_lists.page(
        ask.tx, ask.caller, by=query.by, day=day, before=query.before, limit=LATEST, write=ask.write
    )
    values = {"found": bulk_list, "query": query, "day": day, "parameters": msgspec.to_builtins(query)}
    return Shown("bulk_changes.html", values)


@page("GET", "/invoices/changes/{change}", may="read")
def change_page(ask: Ask[None, None]) -> Shown:
    """Show a bulk change's progress, and the invoices that it could not change, with reasons."""
    bulk_review = bulk_questions.review(ask.tx, ask.caller, ask.path["change"], ask.write, ask.outside.mail_held)
    return Shown("bulk.html", bulk_review._asdict() | {"most_printed": MOST_PRINTED_TOGETHER})


@page("POST", "/invoices/changes/{change}/pdf", may="read", again=change_page, only_reads=True)
async def print_changed(steps: Steps) -> Download:
    """Print the invoices of a bulk change as one PDF.

    Each invoice starts on a new page.
    """
    return await _printed(steps, await steps.read(lambda tx: prints.changed(tx, steps.caller, steps.path["change"])))


@page("POST", "/invoices/changes/{change}/hand-over", may="write", again=change_page, only_reads=True)
def ask_to_hand_over_changed(ask: Ask[None, None]) -> Shown:
    """Ask to confirm that a bulk change's invoices were handed over."""
    ids, asked = hand_overs.preview_of_change(ask.tx, ask.caller, ask.path["change"], ask.write)
    hidden = [("verb", BulkVerb.HAND_OVER.value), *(("chosen", invoice_id) for invoice_id in ids)]
    return question_page(ask, asked, hidden, "/invoices/changes", _at(ask))


@page("POST", "/invoices/changes/{change}/stop", may="write", again=change_page)
def stop_change(ask: Ask[None, None]) -> GoTo:
    """Stop the bulk change; the remaining invoices stay as they are."""
    bulk.stop(ask.tx, ask.caller, ask.path["change"])
    return GoTo(_at(ask), say("The change was stopped."))


@page("POST", "/invoices/changes/{change}/go-on", may="write", again=change_page)
def go_on_with_change(ask: Ask[None, None]) -> GoTo:
    """Resume the bulk change."""
    bulk.resume(ask.tx, ask.caller, ask.path["change"])
    return GoTo(_at(ask), say("The change is in progress again."))


@page("GET", "/invoices/changes/{change}/undo", may="write")
def ask_to_undo_change(ask: Ask[None, None]) -> Shown:
    """Ask to confirm undoing a bulk change, for browsers without dialogs."""
    asked = bulk_questions.question_of_undo(ask.tx, ask.caller, ask.path["change"], ask.write)
    question = {"title": asked.title, "lost": joined(asked.says), "does": asked.does}
    return Shown("confirm.html", {**question, "back": _at(ask)})


@page("POST", "/invoices/changes/{change}/undo", may="write", again=change_page)
def undo_change(ask: Ask[None, None]) -> GoTo:
    """Undo a bulk change by a new bulk change, and redirect to the new one."""
    return GoTo(f"/invoices/changes/{bulk.undo(ask.tx, ask.caller, ask.path['change']).id}")


def _at(ask: Ask[Any, Any]) -> str:
    return f"/invoices/changes/{ask.path['change']}"


def _question(ask: Ask[Any, Any], form: ChosenForm, asked: Question) -> Shown:
    """Ask to confirm a bulk change on a page whose form contains the person's choices.

    The choices are in hidden fields; they are sent again when the person confirms.
    """
    values = msgspec.to_builtins(form)
    fields = {
        name: value for name, value in values.items() if value and name not in {"chosen", "all", "seen", "receipts"}
    }
    ticked = {"all": "true" if form.all else "", "ticked": ",".join(form.chosen)}
    back = f"/invoices{query_of(fields, verb=None, **ticked)}"
    hidden = [
        *fields.items(),
        *([("all", "true")] if form.all else [("chosen", invoice_id) for invoice_id in form.chosen]),
    ]
    return question_page(ask, asked, hidden, "/invoices/changes", back)


def question_page(ask: Ask[Any, Any], asked: Question, hidden: list[tuple[str, str]], action: str, back: str) -> Shown:
    """Show a question about several invoices, with the checks of their months.

    The form on the page sends the `hidden` fields to the address `action`; `back` is the address of the list.
    """
    look = sending.look_first(ask.tx, ask.caller, asked.drafts, ask.write) if asked.drafts else None
    return Shown("bulk_question.html", {"asked": asked, "look": look, "hidden": hidden, "action": action, "back": back})
