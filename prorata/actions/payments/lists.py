"""Lists of an account's payments and of the refunds that it owes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.limits import MOST_PAID_LOOKED_AT, MOST_PAYMENTS_LOOKED_AT
from prorata.actions.lists import searches, walks
from prorata.actions.lists.walks import Listed, Window
from prorata.domain.invoices.open_money import REFUNDS
from prorata.ids import is_id
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import open_money, searches as invoice_searches
from prorata.store.invoices.open_money import RefundRow
from prorata.store.payments import lists as payment_lists
from prorata.store.payments.lists import ListedPayment, Sought
from prorata.store.payments.payments import PaymentRow


class Payments(NamedTuple):
    """A page of payments and refunds.

    `further` is the id of the ledger entry after which the next page begins, or None at the end. With a search text,
    a page may contain fewer entries than requested, because only a limited number is examined. `is_cut` is set if so
    many records match the words that some entries may be missing.
    """

    rows: list[ListedPayment]
    further: str | None = None
    is_cut: bool = False


class Entered(NamedTuple):
    """A ledger entry; `is_void` is set if the entry was reversed."""

    row: PaymentRow
    is_void: bool

    @property
    def key(self) -> str:
        """The ledger entry's unique key.

        A carried credit is two entries with the same id, one in the ledger of each invoice.
        """
        return f"{self.row.id} {self.row.invoice_id}"


class Noted(NamedTuple):
    """The amounts with which invoices were marked as paid, in cents by currency.

    Only the latest paid invoices are counted; `is_cut` is set if there may be more.
    """

    sums: Mapping[str, int]
    is_cut: bool


def listed(tx: Tx, caller: Caller, filters: Mapping[str, str], window: Window) -> Listed[Entered]:
    """List a window of the entries of all the account's ledgers, in order of creation."""

    def page() -> tuple[list[Entered], int]:
        rows, total = payment_lists.entries(
            tx, caller.account_id, filters, limit=window.limit, offset=window.offset
        )  # fmt: skip
        return _entered(tx, caller, rows), total

    def found(keys: list[str]) -> list[Entered]:
        ids = sorted({key.partition(" ")[0] for key in keys})
        return _entered(tx, caller, payment_lists.entries_by_id(tx, caller.account_id, ids))

    return walks.listed(
        tx, caller, payment_lists.PAYMENTS, filters, window, page=page, found=found, id_of=lambda entered: entered.key
    )


def _entered(tx: Tx, caller: Caller, rows: Sequence[PaymentRow]) -> list[Entered]:
    void = payment_lists.void_among(tx, caller.account_id, [row.id for row in rows])
    return [Entered(row, row.id in void) for row in rows]


def page(
    tx: Tx,
    caller: Caller,
    text: str = "",
    *,
    behind: str = "",
    oldest_first: bool = False,
    limit: int,
    most: int = MOST_PAYMENTS_LOOKED_AT,
) -> Payments:
    """List one page of the account's payments and refunds, latest or oldest first.

    The page begins after the entry `behind`. Each word of `text` is an amount, a month, or the beginning of a word of
    the invoice's property, unit or tenant. A search examines at most `most` ledger entries, so that it stays fast
    even if few of them match.
    """
    after = behind if is_id(behind, "pay") else None
    sought, is_cut, end = Sought(), False, None
    if text.strip():
        wanted = searches.read(text)
        matches = searches.for_invoices(tx, caller, wanted.words)
        if wanted.is_nothing or (wanted.words and matches.is_nothing):
            return Payments([], is_cut=matches.is_cut)
        places = (matches.properties, matches.units, matches.tenants) if wanted.words else None
        sought, is_cut = Sought(wanted.amount, wanted.month, places), matches.is_cut
        end = payment_lists.so_far(tx, caller.account_id, behind=after, places=most, oldest_first=oldest_first)
    rows = payment_lists.page(
        tx, caller.account_id, sought, behind=after, end=end, oldest_first=oldest_first, limit=limit + 1
    )
    return Payments(rows[:limit], rows[limit - 1].id if len(rows) > limit else end, is_cut)


def refunds_due(tx: Tx, caller: Caller, limit: int) -> tuple[list[RefundRow], int]:
    """List the first `limit` refunds that are due, and count all of them.

    Refunds are due for cancelled invoices, and to households that moved out.
    """
    today = account_actions.today(tx, caller).isoformat()
    rows = open_money.refunds(tx, caller.account_id, today, limit)
    if len(rows) < limit:
        return rows, len(rows)
    return rows, invoice_searches.number_needing(tx, caller.account_id, REFUNDS, {}, today=today)


def noted(tx: Tx, caller: Caller, most: int = MOST_PAID_LOOKED_AT) -> Noted:
    """Sum the amounts with which the `most` latest paid invoices were marked as paid."""
    rows = payment_lists.noted(tx, caller.account_id, most)
    return Noted(
        {row.currency: row.cents for row in rows if row.cents},
        sum(row.paid for row in rows) == most,
    )
