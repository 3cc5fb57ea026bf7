"""A tenant's statement, worded in the tenant's language."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from prorata.actions.delivery.tenant_pages import TenantPage
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, StatementWords
from prorata.domain.invoices.statements import Posting, ShownRow, shown_rows
from prorata.ports import Forms
from prorata.web.dashboard.invoices.statements import row_in_words


class WrittenRow(NamedTuple):
    """A statement's row in the tenant's language; fields that don't apply are empty.

    `what` and `number` may be links. `receipt` is the end of the address of the payment's receipt.
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


def written_statement(page: TenantPage, language: str, forms: Forms, pages: Mapping[str, str]) -> WrittenStatement:
    """Format the statement of an open invoice's page.

    `pages` maps invoices to the addresses of their own pages, to which the statement links.
    """
    assert page.statement is not None, "an open invoice's page has one"
    assert page.since is not None, "an open invoice's page has one"
    words, currency = STATEMENT_WORDS[language], page.printed.copy.currency

    money = partial(forms.money, currency=currency)

    def linked(entry: Posting, text: str) -> str:
        to = pages.get(entry.invoice_id)
        return Markup('<a class="link" href="{to}">{text}</a>').format(to=to, text=text) if to else text

    def numbered(entry: Posting) -> str:
        return linked(entry, entry.number)

    def row(shown: ShownRow) -> WrittenRow:
        entry = shown.posting
        amounts = (None, None) if shown.taker else (entry.charged, entry.paid)
        charged, paid = ("" if cents is None else money(cents) for cents in amounts)
        number = numbered(entry) if entry.charged is None and not shown.taker else ""
        day = forms.day(date.fromisoformat(entry.day))
        receipt = f"{entry.invoice_id}/{entry.receipt}" if entry.receipt else ""
        what = row_in_words(shown, words, money, numbered)
        what = what if entry.charged is None else linked(entry, what)
        return WrittenRow(day, what, number, charged, paid, money(shown.balance), receipt)

    statement = page.statement
    return WrittenStatement(
        words,
        words.opening.format(day=forms.day(page.since)),
        money(statement.opening),
        tuple(map(row, shown_rows(statement.rows))),
        money(statement.closing),
    )
