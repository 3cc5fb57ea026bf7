"""Lists as rows for a spreadsheet: bills, invoices, charges, with the filters, words and order of their lists.

Which records there are is read at once; what they say, some hundred at a time, so that neither memory nor a transaction
grows with the list. A record that is deleted meanwhile is left out. Days are those of the account's time zone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import partial
from typing import NamedTuple, TypeVar

from prorata.actions import accounts as account_actions
from prorata.actions import bill_lists, invoice_lists
from prorata.domain.clockwork import day_in
from prorata.domain.names import same
from prorata.domain.spreadsheet_cells import Value, amount, amounts
from prorata.errors import Conflict
from prorata.store import bill_searches, invoices, properties
from prorata.store.audit import Caller
from prorata.store.bills import BillRow, LineRow
from prorata.store.engine import Database, Tx
from prorata.store.invoices import ChargeRow, InvoiceSummary

MOST_RECORDS = 500_000
"""Records of one file; a longer list is refused, not cut."""
RECORDS_AT_ONCE = 500
BILL_COLUMNS = (
    "property", "issuerName", "utilityType", "totalAmountDue", "amounts", "billDate", "dueDate", "billingMonth",
    "paymentStatus", "accountNumber", "billNumber", "servicePeriodStart", "servicePeriodEnd", "notes",
)  # fmt: skip
"""As the bills import reads them (decisions section 9)."""
INVOICE_COLUMNS = (
    "invoiceNumber", "property", "unit", "month", "status", "tenantName", "tenantEmail", "currency", "totalAmount",
    "paidAmount", "balance", "paymentStatus", "invoiceDate", "dueDate", "paidOn", "emailStatus", "emailSentOn",
)  # fmt: skip
CHARGE_COLUMNS = (
    "invoiceNumber", "property", "unit", "month", "status", "tenantName", "utilityType", "currency", "amount",
    "description",
)  # fmt: skip

Record = TypeVar("Record")
Read = Callable[[Tx, list[str]], list[Record]]


class Spreadsheet(NamedTuple):
    """A header, and the rows below it as they are read."""

    header: tuple[str, ...]
    rows: Iterator[tuple[Value, ...]]


def of_invoices(database: Database, caller: Caller, wish: invoice_lists.Wish, most: int = MOST_RECORDS) -> Spreadsheet:
    """The invoices that a list shows, a row for each. Raises `Conflict` for too many."""
    ids, timezone = database.snapshot(partial(_begin, caller, wish, most))
    read = partial(_summaries, caller.account_id)
    return Spreadsheet(INVOICE_COLUMNS, (_invoice(row, timezone) for row in _in_pieces(database, ids, read)))


def of_charges(database: Database, caller: Caller, wish: invoice_lists.Wish, most: int = MOST_RECORDS) -> Spreadsheet:
    """The charges of the invoices that a list shows, a row for each charge. Raises as `of_invoices`."""
    ids, _ = database.snapshot(partial(_begin, caller, wish, most))
    read = partial(_with_charges, caller.account_id)
    pieces = _in_pieces(database, ids, read)
    return Spreadsheet(CHARGE_COLUMNS, (_charge(row, charge) for row, its in pieces for charge in its))


def of_bills(database: Database, caller: Caller, wish: bill_lists.Wish, most: int = MOST_RECORDS) -> Spreadsheet:
    """The bills that a list shows, a row for each: the file reads back as the same bills. Raises as
    `of_invoices`.
    """

    def begin(tx: Tx) -> tuple[list[str], dict[str, str]]:
        rows = properties.all_of(tx, caller.account_id)
        alike = Counter(same(row.name) for row in rows)
        names = {row.id: row.name if alike[same(row.name)] == 1 else row.id for row in rows}
        return _no_more(bill_lists.ids_of(tx, caller, wish, most=most + 1), most), names

    ids, names = database.snapshot(begin)
    read = partial(_with_lines, caller.account_id)
    pieces = _in_pieces(database, ids, read)
    return Spreadsheet(
        BILL_COLUMNS, (_bill(row, lines, names.get(row.property_id, row.property_id)) for row, lines in pieces)
    )


def _begin(caller: Caller, wish: invoice_lists.Wish, most: int, tx: Tx) -> tuple[list[str], str]:
    """Which invoices there are, and the time zone of the account."""
    ids = _no_more(invoice_lists.ids_of(tx, caller, wish, most=most + 1), most)
    return ids, account_actions.the_account(tx, caller).timezone


def _no_more(ids: list[str], most: int) -> list[str]:
    if len(ids) > most:
        raise Conflict(f"One file holds {most:,} records, and these are more. Choose fewer with the filters.")
    return ids


def _in_pieces(database: Database, ids: Sequence[str], read: Read[Record]) -> Iterator[Record]:
    for start in range(0, len(ids), RECORDS_AT_ONCE):
        some = list(ids[start : start + RECORDS_AT_ONCE])
        yield from database.snapshot(partial(read, some=some))  # type: ignore[call-arg]


def _summaries(account_id: str, tx: Tx, some: list[str]) -> list[InvoiceSummary]:
    return invoices.summaries(tx, account_id, some)


def _with_charges(account_id: str, tx: Tx, some: list[str]) -> list[tuple[InvoiceSummary, list[ChargeRow]]]:
    charges: dict[str, list[ChargeRow]] = defaultdict(list)
    for charge in invoices.charges(tx, account_id, some):
        charges[charge.invoice_id].append(charge)
    return [(row, charges[row.id]) for row in invoices.summaries(tx, account_id, some)]


def _with_lines(account_id: str, tx: Tx, some: list[str]) -> list[tuple[BillRow, list[LineRow]]]:
    return bill_searches.with_lines(tx, account_id, some)


def _invoice(row: InvoiceSummary, timezone: str) -> tuple[Value, ...]:
    return (
        row.number, row.property_name, row.unit_label, row.month, row.status, row.tenant_name, row.tenant_email,
        row.currency, amount(row.total), amount(row.paid_amount), amount(row.total - row.paid_amount),
        row.payment_status, _day(row.invoice_date), _day(row.due_date), _day_of(row.paid_at, timezone),
        row.email_status, _day_of(row.email_sent_at, timezone),
    )  # fmt: skip


def _charge(row: InvoiceSummary, charge: ChargeRow) -> tuple[Value, ...]:
    return (
        row.number, row.property_name, row.unit_label, row.month, row.status, row.tenant_name, charge.utility_type,
        row.currency, amount(charge.amount), charge.description,
    )  # fmt: skip


def _bill(row: BillRow, lines: Sequence[LineRow], named: str) -> tuple[Value, ...]:
    sums: dict[str, int] = defaultdict(int)
    for line in lines:
        sums[line.utility_type or line.not_billed or ""] += line.amount
    is_plain = row.guessed or (len(sums) == 1 and not any(line.not_billed for line in lines))
    return (
        named, row.issuer_name, row.utility_types, amount(row.total), None if is_plain else amounts(list(sums.items())),
        _day(row.bill_date), _day(row.due_date), row.chosen_month, row.payment_status, row.account_number,
        row.bill_number, _day(row.service_start), _day(row.service_end), row.notes,
    )  # fmt: skip


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _day_of(moment: str | None, timezone: str) -> date | None:
    return day_in(datetime.fromisoformat(moment), timezone) if moment else None
