"""Lists of payments: of the whole account, searched, from the latest or from the first; and money to be given back."""

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
    """A page of payments and refunds. `further` is the id behind which there is more to look at, None at the end; where
    a text is looked for and fewer than asked for are here, not all before it fits. Where `is_cut`, its words begin so
    many that some may be missing.
    """

    rows: list[ListedPayment]
    further: str | None = None
    is_cut: bool = False


class Entered(NamedTuple):
    """An entry of an invoice's ledger, and whether it was taken back."""

    row: PaymentRow
    is_void: bool

    @property
    def key(self) -> str:
        """What tells it from every other: a carried credit is two of one id, one in the ledger of each invoice."""
        return f"{self.row.id} {self.row.invoice_id}"


class Noted(NamedTuple):
    """What PAID noted of invoices, in cents by currency: of the latest that are paid. Where these are cut (`is_cut`),
    there may be more.
    """

    sums: Mapping[str, int]
    is_cut: bool


def listed(tx: Tx, caller: Caller, filters: Mapping[str, str], window: Window) -> Listed[Entered]:
    """Some entries of all of the caller's ledgers, in the order in which they were made."""

    def page() -> tuple[list[Entered], int]:
        rows, total = payment_lists.entries(
            tx, caller.account_id, filters, limit=window.limit, offset=window.offset
        )  # fmt: skip
        return _entered(tx, caller, rows), total

    def found(keys: list[str]) -> list[Entered]:
        ids = sorted({key.partition(" ")[0] for key in keys})
        return _entered(tx, caller, payment_lists.entries_by_id(tx, caller.account_id, ids))

    return walks.listed(
        tx, caller, payment_lists.PAYMENTS, filters, window, page=page, found=found, id_of=lambda one: one.key
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
    """The caller's payments and refunds in the order in which they were entered, the latest first or the oldest, behind
    an entry. Words of `text` begin one in the invoice's property, unit or tenant; it may name an amount, and a month.
    What is looked for is looked for among `most` entries at once, so that a rare one costs no more than others.
    """
    after = behind if is_id(behind, "pay") else None
    sought, is_cut, end = Sought(), False, None
    if text.strip():
        wanted = searches.read(text)
        found = searches.for_invoices(tx, caller, wanted.words)
        if wanted.is_nothing or (wanted.words and found.is_nothing):
            return Payments([], is_cut=found.is_cut)
        places = (found.properties, found.units, found.tenants) if wanted.words else None
        sought, is_cut = Sought(wanted.amount, wanted.month, places), found.is_cut
        end = payment_lists.so_far(tx, caller.account_id, behind=after, places=most, oldest_first=oldest_first)
    rows = payment_lists.page(
        tx, caller.account_id, sought, behind=after, end=end, oldest_first=oldest_first, limit=limit + 1
    )
    return Payments(rows[:limit], rows[limit - 1].id if len(rows) > limit else end, is_cut)


def refunds_due(tx: Tx, caller: Caller, limit: int) -> tuple[list[RefundRow], int]:
    """Money to be given back, of cancelled invoices and of households that have left: the first `limit`, and how many
    there are.
    """
    today = account_actions.today(tx, caller).isoformat()
    rows = open_money.refunds(tx, caller.account_id, today, limit)
    if len(rows) < limit:
        return rows, len(rows)
    return rows, invoice_searches.number_needing(tx, caller.account_id, REFUNDS, {}, today=today)


def noted(tx: Tx, caller: Caller, most: int = MOST_PAID_LOOKED_AT) -> Noted:
    """What was marked as paid of the caller's invoices without a payment recorded, among the latest `most`."""
    rows = payment_lists.noted(tx, caller.account_id, most)
    return Noted(
        {row.currency: row.cents for row in rows if row.cents},
        sum(row.paid for row in rows) == most,
    )
