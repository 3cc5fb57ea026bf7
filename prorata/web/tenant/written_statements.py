"""A tenant's statement, worded in the tenant's language."""

from datetime import date
from functools import partial
from typing import NamedTuple

from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, StatementWords, said
from prorata.domain.invoices.statements import ShownRow, shown_rows
from prorata.domain.printing.open_invoices import open_in_words
from prorata.ports import Forms


class WrittenRow(NamedTuple):
    """A statement's row in the tenant's language; fields that don't apply are empty.

    `open` says what is left to pay of an invoice, and by when. `receipt` is the end of the address of the payment's
    receipt.
    """

    day: str
    what: str
    number: str
    charged: str
    paid: str
    balance: str
    open: str
    receipt: str


class WrittenStatement(NamedTuple):
    """A statement in the tenant's language, from the opening to the closing balance.

    `others` says where an e-mailed tenant finds the statement's other invoices; it is empty if there are none.
    `receipt` is the end of the address of the page's invoice's latest receipt, or empty. `differs` says by how much the
    closing balance differs from what the tenant has to pay now, or is empty.
    """

    words: StatementWords
    since: str
    opening: str
    rows: tuple[WrittenRow, ...]
    closing: str
    others: str
    receipt: str
    differs: str


def written_statement(page: TenantPage, language: str, forms: Forms) -> WrittenStatement:
    """Format the statement of an open invoice's page."""
    assert page.statement is not None, "an open invoice's page has one"
    assert page.since is not None, "an open invoice's page has one"
    words, currency = STATEMENT_WORDS[language], page.printed.copy.currency
    still_open = open_in_words(page.printed, forms)

    money = partial(forms.money, currency=currency)

    def row(shown: ShownRow) -> WrittenRow:
        entry = shown.posting
        amounts = (None, None) if shown.taker else (entry.charged, entry.paid)
        charged, paid = ("" if cents is None else money(cents) for cents in amounts)
        number = entry.number if entry.charged is None and not shown.taker else ""
        day = forms.day(date.fromisoformat(entry.day))
        receipt = f"{entry.invoice_id}/{entry.receipt}" if entry.receipt else ""
        what = said(entry, words, money, taker=shown.taker)
        its_open = "" if entry.charged is None else still_open.get(entry.number, "")
        return WrittenRow(day, what, number, charged, paid, money(shown.balance), its_open, receipt)

    statement = page.statement
    rows = tuple(map(row, shown_rows(statement.rows)))
    more = max(statement.closing, 0) - page.printed.owed_in_all
    differs = (words.not_asked if more > 0 else words.also_asked).format(amount=money(abs(more))) if more else ""
    has_others = any(its.posting.invoice_id != page.row.id for its in statement.rows)
    return WrittenStatement(
        words,
        words.opening.format(day=forms.day(page.since)),
        money(statement.opening),
        rows,
        money(statement.closing),
        words.others if has_others and page.row.tenant_email else "",
        next((its.receipt for its in reversed(rows) if its.receipt.startswith(f"{page.row.id}/")), ""),
        differs,
    )
