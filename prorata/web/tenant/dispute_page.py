"""The page on which a tenant disputes a charge, and the withdrawal of the dispute.

The form takes a reason, an amount, and photos or PDFs.
"""

from datetime import date
from decimal import Decimal
from typing import Annotated

from msgspec import Struct

from prorata.actions.delivery import dispute_files, tenant_disputes, tenant_pages
from prorata.actions.delivery.dispute_files import BroughtFile
from prorata.actions.delivery.disputes import Opening
from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.delivery.dispute_words import DISPUTE_WORDS, DisputePageWords
from prorata.domain.delivery.disputes import OPEN_ALREADY
from prorata.domain.delivery.questions import as_asked
from prorata.domain.delivery.tenant_page_words import PAGE_WORDS
from prorata.domain.invoices.tenant_links import PATH
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION, MOST_DISPUTE_FILES, MOST_DOCUMENT_BYTES
from prorata.domain.number_parsing import in_one_form, readings
from prorata.domain.printing.charge_rendering import WrittenCharge
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.rendering import write
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest, NotFound, RateLimited
from prorata.ports import Forms
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo, Shown
from prorata.web.http.fields import text as words
from prorata.web.http.limits import MOST_DISPUTE_FORM_BYTES
from prorata.web.tenant.invoice_page import admit, admit_question, link_of, nothing

_TYPED = 64 * 1024


class DisputeForm(Struct, kw_only=True):
    """A tenant's objection to a charge.

    Problems are described in the tenant's language.
    """

    text: Annotated[str, words(_TYPED, least=0)] = ""
    amount: Annotated[str, words(_TYPED, least=0)] = ""


class _Charge:
    """A charge that the tenant of an invoice is about to dispute.

    The tenant's page must show the charge; otherwise `NotFound` is raised.
    """

    def __init__(self, steps: Steps, page: TenantPage) -> None:
        self.id = steps.path["charge"]
        if self.id not in page.charge_ids:
            raise NotFound("charge")
        place, locale = page.charge_ids.index(self.id), page.printed.copy.locale
        amount = page.printed.charges[place].amount
        self.page, self.cents, self.is_credit = page, abs(amount), amount < 0
        self.language, self.forms = language_of(locale), steps.outside.forms(locale)
        self.written: WrittenCharge = write(page.printed, texts_for(locale), self.forms).charges[place]
        self.words: DisputePageWords = DISPUTE_WORDS[self.language]

    @property
    def most(self) -> str:
        """The largest amount that can be disputed: all of the charge."""
        return self.forms.money(self.cents, self.page.printed.copy.currency)


async def dispute_page(steps: Steps) -> Answered:
    """Show the form to dispute a charge, together with the charge and its amount."""
    try:
        charge = await _charge(steps)
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    words, biller = charge.words, charge.page.printed.copy.biller.name
    values = {
        "language": charge.language,
        "words": words,
        "biller": biller,
        "charge": charge.written,
        "here": f"{PATH}{steps.path['token']}",
        "charge_id": charge.id,
        "goes": words.goes.format(biller=biller),
        "what_then": words.while_open if charge.page.printed.balance > 0 else words.once_paid,
        "would_be_due": words.would_be_due.format(day=charge.forms.day(charge.page.answer_by)),
        "amount_hint": (words.credit_hint if charge.is_credit else words.amount_hint).format(most=charge.most),
        "files_hint": words.files_hint.format(number=MOST_DISPUTE_FILES, megabytes=MOST_DISPUTE_FORM_BYTES >> 20),
        "most": LONGEST_QUESTION,
        "color": charge.page.printed.letterhead.color,
    }
    return Shown("tenant_dispute.html", values, {"amount": charge.forms.typed(Decimal(charge.cents) / 100, 2)})


async def why_not(steps: Steps) -> Answered | None:
    """Refuse a request that can't succeed, before its files are read.

    The request is refused if the tenant's link has ended or the rate limit is exceeded. Return None for any other
    request.
    """
    try:
        await _charge(steps)
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    return None


async def open_dispute(steps: Steps) -> Answered:
    """Open the dispute, and confirm on the invoice's page that it was opened."""
    try:
        charge = _Charge(steps, await steps.read(lambda tx: tenant_pages.opened(tx, link_of(steps))))
    except NotFound as refused:
        return nothing(steps, refused)
    opening = _opening(steps, charge)
    await admit_question(steps, charge.page, PAGE_WORDS[charge.language])
    try:
        day = await steps.write(lambda tx: tenant_disputes.open_one(tx, link_of(steps), opening, charge.forms))
    except (NotFound, Conflict) as refused:  # withdrawn, or its link stopped, in the meantime
        if refused.message == OPEN_ALREADY:
            raise Conflict(charge.words.open_already) from None
        return GoTo(f"{PATH}{steps.path['token']}", charge.words.not_sent, warns=True)
    biller, until = charge.page.printed.copy.biller.name, charge.forms.day(date.fromisoformat(day))
    message = charge.words.opened.format(biller=biller, day=until)
    return GoTo(f"{PATH}{steps.path['token']}", message)


async def withdraw_dispute(steps: Steps) -> Answered:
    """Withdraw the tenant's own dispute."""
    try:
        await admit(steps)
        page = await steps.read(lambda tx: tenant_pages.opened(tx, link_of(steps)))
        is_withdrawn = await steps.write(lambda tx: tenant_disputes.withdraw(tx, link_of(steps), steps.path["dispute"]))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    words = DISPUTE_WORDS[language_of(page.printed.copy.locale)]
    message = words.withdrawn_now if is_withdrawn else words.ended_before
    return GoTo(f"{PATH}{steps.path['token']}", message, warns=not is_withdrawn)


async def _charge(steps: Steps) -> _Charge:
    await admit(steps)
    page = await steps.read(lambda tx: tenant_pages.opened(tx, link_of(steps)))
    return _Charge(steps, page)


def _opening(steps: Steps, charge: _Charge) -> Opening:
    """Build the dispute to open from the submitted form.

    Raises `InvalidRequest` with every problem, in the tenant's language.
    """
    words, text = charge.words, as_asked(steps.form.text)
    cents = _cents(steps.form.amount, charge.forms)
    files = [BroughtFile(file.name, file.content) for file in steps.uploads.get("files", ())]
    too_long = PAGE_WORDS[charge.language].too_long.format(most=charge.forms.count(LONGEST_QUESTION))
    problems = list[Problem]()
    if wrong := words.empty if not text else too_long if len(text) > LONGEST_QUESTION else "":
        problems.append(Problem("text", wrong))
    if cents is None or not 0 < cents <= charge.cents:
        problems.append(Problem("amount", words.wrong_amount.format(most=charge.most)))
    if steps.is_cut or any(len(file.content) > MOST_DOCUMENT_BYTES for file in files):
        most = {"each": MOST_DOCUMENT_BYTES // 1_000_000, "megabytes": MOST_DISPUTE_FORM_BYTES >> 20}
        problems.append(Problem("files", words.too_large_files.format_map(most)))
    elif empty := next((file.name for file in files if not file.content), ""):
        problems.append(Problem("files", words.empty_file.format(name=empty)))
    elif any(dispute_files.problems(files)):
        problems.append(Problem("files", words.wrong_files.format(number=MOST_DISPUTE_FILES)))
    if problems:
        raise InvalidRequest.because(problems)
    assert cents is not None, "else it is a problem"
    return Opening(charge.id, cents, text, charge.written.as_asked, files)


def _cents(typed: str, forms: Forms) -> int | None:
    """Parse an amount in the page's format to cents.

    Return None if the amount is invalid or ambiguous.
    """
    figures = "".join(letter for letter in in_one_form(typed) if letter.isdigit() or letter in ".,' -")
    amounts = readings(figures.strip(), has_decimal_comma=forms.has_decimal_comma)
    cents = amounts[0] * 100 if len(amounts) == 1 else None
    return int(cents) if cents is not None and cents == int(cents) else None
