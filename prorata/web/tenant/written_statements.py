"""A tenant's statement, worded in the tenant's language."""

from datetime import date
from typing import NamedTuple

from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, StatementWords, said
from prorata.domain.invoices.statements import Posting
from prorata.ports import Forms


class WrittenRow(NamedTuple):
    """A statement's row in the tenant's language; fields that don't apply are empty.

    `receipt` is the end of the address of the payment's receipt.
    """

    day: str
    what: str
    number: str
    charged: str
    paid: str
    balance: str
    receipt: str


class WrittenStatement(NamedTuple):
    """A statement in the tenant's language, from the opening to the closing balance."""

    words: StatementWords
    since: str
    opening: str
    rows: tuple[WrittenRow, ...]
    closing: str


def written_statement(page: TenantPage, language: str, forms: Forms) -> WrittenStatement:
    """Format the statement of an open invoice's page."""
    assert page.statement is not None, "an open invoice's page has one"
    assert page.since is not None, "an open invoice's page has one"
    words, currency = STATEMENT_WORDS[language], page.printed.copy.currency

    def row(entry: Posting, balance: int) -> WrittenRow:
        charged, paid = ("" if cents is None else forms.money(cents, currency) for cents in (entry.charged, entry.paid))
        number = entry.number if entry.charged is None else ""
        day = forms.day(date.fromisoformat(entry.day))
        receipt = f"{entry.invoice_id}/{entry.receipt}" if entry.receipt else ""
        return WrittenRow(day, said(entry, words), number, charged, paid, forms.money(balance, currency), receipt)

    statement = page.statement
    return WrittenStatement(
        words,
        words.opening.format(day=forms.day(page.since)),
        forms.money(statement.opening, currency),
        tuple(row(posting, balance) for posting, balance in statement.rows),
        forms.money(statement.closing, currency),
    )
