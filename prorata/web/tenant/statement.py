"""The downloads of a tenant's statement, and of the receipts for its payments."""

from collections.abc import Iterator
from datetime import date
from functools import partial

from prorata.actions.delivery import tenant_pages
from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.accounts.login_throttling import MINUTES, PAPERS_OF_AN_INVOICE
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, said
from prorata.domain.files.spreadsheet_cells import Value, amount
from prorata.domain.languages import language_of
from prorata.domain.printing.languages import texts_for
from prorata.domain.texts import say
from prorata.errors import NotFound, RateLimited
from prorata.ports import Forms
from prorata.web.dashboard.invoices.receipts import printed_receipt
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Download
from prorata.web.dashboard.kernel.translations import in_word
from prorata.web.tenant.invoice_page import admit, link_of, nothing

CSV = "text/csv; charset=utf-8"


async def statement_as_file(steps: Steps) -> Answered:
    """Download the tenant's statement as CSV, in the language of the tenant's page."""
    try:
        await admit(steps)
        page = await steps.read(lambda tx: tenant_pages.with_statement(tx, link_of(steps)))
        await steps.throttle(f"paper of {page.row.id}", PAPERS_OF_AN_INVOICE, MINUTES)
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    write, as_csv = steps.outside.forms(page.printed.copy.locale), steps.outside.spreadsheets["csv"]
    content = b"".join(as_csv(_header(page), _rows(page, write), has_decimal_comma=write.has_decimal_comma))
    name = in_word(say("statement"), page.printed.copy.locale)
    return Download(f"{name}.csv", CSV, content)


async def receipt_of_payment(steps: Steps) -> Answered:
    """Show the receipt of a payment in the tenant's statement, as PDF."""
    link, invoice_id, payment = link_of(steps), steps.path["invoice"], steps.path["payment"]
    try:
        await admit(steps)
        page, mail = await steps.read(lambda tx: tenant_pages.receipt(tx, link, invoice_id, payment))
        await steps.throttle(f"paper of {page.row.id}", PAPERS_OF_AN_INVOICE, MINUTES)
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    return await printed_receipt(steps, mail)


def _header(page: TenantPage) -> tuple[str, ...]:
    locale = page.printed.copy.locale
    words = STATEMENT_WORDS[language_of(locale)]
    return words.day, words.what, texts_for(locale).number, words.charged, words.paid, words.balance


def _rows(page: TenantPage, write: Forms) -> Iterator[tuple[Value, ...]]:
    assert page.statement is not None, "it was asked for"
    assert page.since is not None, "it was asked for"
    words, statement = STATEMENT_WORDS[language_of(page.printed.copy.locale)], page.statement
    money = partial(write.money, currency=page.printed.copy.currency)
    before = words.opening.format(day=write.day(page.since))
    yield page.since, before, None, None, None, amount(statement.opening)
    for posting, balance in statement.rows:
        charged, paid = (None if cents is None else amount(cents) for cents in (posting.charged, posting.paid))
        what = said(posting, words, money)
        yield date.fromisoformat(posting.day), what, posting.number, charged, paid, amount(balance)
    yield None, words.closing, None, None, None, amount(statement.closing)
