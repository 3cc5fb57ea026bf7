"""Spreadsheet rows of bills, invoices, charges and statements, with the columns of their lists.

Rows are read a few hundred at a time, as they are needed, in the transaction that was open when the file began. So
they show one state of the database, and memory use does not grow with the list. Days are those of the account's
time zone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.bills import lists as bill_lists
from prorata.actions.bills.lines import amounts_of, is_spread
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.statements import TenantStatement
from prorata.actions.limits import MOST_SPREADSHEET_RECORDS
from prorata.domain.billing_calendar import day_of
from prorata.domain.countries import in_area_unit
from prorata.domain.due_times import day_in
from prorata.domain.files.spreadsheet_cells import Figures, Value, amount, amounts
from prorata.domain.groups import grouped
from prorata.domain.invoices.statements import Posting
from prorata.domain.labels import same
from prorata.domain.texts import Count, say
from prorata.errors import Conflict
from prorata.store.audit.audit import Caller
from prorata.store.bills import searches as bill_searches
from prorata.store.bills.bills import BillRow, LineRow
from prorata.store.database.engine import Tx
from prorata.store.database.statements import Asked, counts
from prorata.store.invoices import invoices
from prorata.store.invoices.invoices import ChargeRow, InvoiceSummary
from prorata.store.properties import properties

RECORDS_AT_ONCE = 500
BILL_COLUMNS = (
    "property", "issuerName", "utilityType", "totalAmountDue", "amounts", "billDate", "dueDate", "billingMonth",
    "paymentStatus", "accountNumber", "billNumber", "servicePeriodStart", "servicePeriodEnd", "spread",
    "usageAndPrice", "names", "notes",
)  # fmt: skip
"""The columns of a bills export, as the bills import reads them (docs/decisions.md#bills-file)."""
INVOICE_COLUMNS = (
    "invoiceNumber", "property", "unit", "month", "status", "tenantName", "tenantEmail", "currency", "totalAmount",
    "paidAmount", "balance", "paymentStatus", "invoiceDate", "dueDate", "paidOn", "emailStatus", "emailSentOn",
)  # fmt: skip
CHARGE_COLUMNS = (
    "invoiceNumber", "property", "unit", "month", "status", "tenantName", "utilityType", "currency", "amount",
    "description",
)  # fmt: skip

STATEMENT_COLUMNS = (
    "property", "unit", "tenantName", "date", "kind", "invoiceNumber", "otherInvoiceNumber", "currency", "charged",
    "paid", "balance", "open",
)  # fmt: skip

Describe = Callable[[str, str, str], str]
"""A function that writes a charge's stored sentence, for a currency and a country."""


class Spreadsheet(NamedTuple):
    """The header and rows of a spreadsheet; the rows are read only when needed."""

    header: tuple[str, ...]
    rows: Iterator[tuple[Value, ...]]


def of_invoices(tx: Tx, caller: Caller, wish: invoice_lists.Wish, most: int = MOST_SPREADSHEET_RECORDS) -> Spreadsheet:
    """Build a spreadsheet of the invoices that match a list's filters, one row each.

    Raises `Conflict` if there are too many invoices.
    """
    pieces = _of_list(tx, caller, wish, most)
    timezone = account_actions.the_account(tx, caller).timezone
    summaries = (row for ids in pieces for row in invoices.summaries(tx, caller.account_id, ids))
    return Spreadsheet(INVOICE_COLUMNS, (_invoice(row, timezone) for row in summaries))


def of_charges(
    tx: Tx,
    caller: Caller,
    wish: invoice_lists.Wish,
    most: int = MOST_SPREADSHEET_RECORDS,
    describe: Describe = lambda reason, _currency, country: in_area_unit(reason, country),
) -> Spreadsheet:
    """Build a spreadsheet of the charges of a list's matching invoices, one row each.

    `describe` writes the sentences of the charges of bills. Raises everything that `of_invoices` raises.
    """
    pieces = _of_list(tx, caller, wish, most)
    countries = {row.id: row.country for row in properties.all_of(tx, caller.account_id)}
    return Spreadsheet(
        CHARGE_COLUMNS, (row for ids in pieces for row in _charges(tx, caller, ids, countries, describe))
    )


def of_bills(tx: Tx, caller: Caller, wish: bill_lists.Wish, most: int = MOST_SPREADSHEET_RECORDS) -> Spreadsheet:
    """Build a spreadsheet of the bills that match a list's filters, one row each.

    Importing the spreadsheet yields the same bills. Raises `Conflict` if there are too many bills.
    """
    pieces = _found(tx, bill_lists.asking(tx, caller, wish, most=most + 1), most)
    rows = properties.all_of(tx, caller.account_id)
    alike = Counter(same(row.name) for row in rows)
    names = {row.id: row.name if alike[same(row.name)] == 1 else row.id for row in rows}
    bills = (
        bill_with_lines for ids in pieces for bill_with_lines in bill_searches.with_lines(tx, caller.account_id, ids)
    )
    return Spreadsheet(BILL_COLUMNS, (_bill(row, lines, names[row.property_id]) for row, lines in bills))


def of_statement(made: TenantStatement, name: Callable[[Posting], str] = lambda posting: posting.kind) -> Spreadsheet:
    """Build a spreadsheet of a statement: the opening balance, each entry, and the closing balance.

    An invoice's row also contains what is open of the invoice today. `name` names the kind of an entry.
    """
    its = (made.property.name, made.unit.label, made.tenant.name)

    def rows() -> Iterator[tuple[Value, ...]]:
        currency, statement = made.property.currency, made.found
        yield (*its, day_of(made.first), "OPENING", None, None, currency, None, None, amount(statement.opening), None)
        for posting, balance in statement.rows:
            charged, paid = (None if cents is None else amount(cents) for cents in (posting.charged, posting.paid))
            numbers = (posting.number, posting.other or None)
            left = None if posting.charged is None else amount(posting.open)
            yield (*its, day_of(posting.day), name(posting), *numbers, currency, charged, paid, amount(balance), left)
        yield (*its, day_of(made.last), "CLOSING", None, None, currency, None, None, amount(statement.closing), None)

    return Spreadsheet(STATEMENT_COLUMNS, rows())


def _of_list(tx: Tx, caller: Caller, wish: invoice_lists.Wish, most: int) -> Iterator[list[str]]:
    """Yield the ids of a list's matching invoices, a few hundred at a time.

    All ids are found first, because one list may take several SQL statements; 96,000 ids take 8 MB.
    """
    ids = invoice_lists.ids_of(tx, caller, wish, most=most + 1)
    _refuse_more(len(ids), most)
    return (ids[at : at + RECORDS_AT_ONCE] for at in range(0, len(ids), RECORDS_AT_ONCE))


def _found(tx: Tx, asked: Asked[str], most: int) -> Iterator[list[str]]:
    """Yield the ids that a query finds, a few hundred at a time.

    Too many matches are detected by counting, before the file contains anything. They raise `Conflict`.
    """
    _refuse_more(tx.one(counts(asked.statement), **asked.values) or 0, most)
    return tx.pieces(asked, RECORDS_AT_ONCE)


def _refuse_more(number: int, most: int) -> None:
    if number > most:
        raise Conflict(
            say(
                "A file can contain at most {f} records, but you have selected more. Use the filters to select fewer.",
                f=Count(most),
            )
        )


def _charges(
    tx: Tx, caller: Caller, ids: list[str], countries: Mapping[str, str], describe: Describe
) -> Iterator[tuple[Value, ...]]:
    charges = grouped((charge.invoice_id, charge) for charge in invoices.charges(tx, caller.account_id, ids))
    for row in invoices.summaries(tx, caller.account_id, ids):
        yield from (_charge(row, charge, countries[row.property_id], describe) for charge in charges[row.id])


def _invoice(row: InvoiceSummary, timezone: str) -> tuple[Value, ...]:
    return (
        row.number, row.property_name, row.unit_label, row.month, row.status, row.tenant_name, row.tenant_email,
        row.currency, amount(row.total), amount(row.paid_amount), amount(row.total - row.paid_amount),
        row.payment_status, day_of(row.invoice_date), day_of(row.due_date), _day_of(row.paid_at, timezone),
        row.email_status, _day_of(row.email_sent_at, timezone),
    )  # fmt: skip


def _charge(row: InvoiceSummary, charge: ChargeRow, country: str, describe: Describe) -> tuple[Value, ...]:
    description = describe(charge.description, row.currency, country) if charge.bill_id else charge.description
    return (
        row.number, row.property_name, row.unit_label, row.month, row.status, row.tenant_name, charge.utility_type,
        row.currency, amount(charge.amount), description,
    )  # fmt: skip


def _bill(row: BillRow, lines: Sequence[LineRow], named: str) -> tuple[Value, ...]:
    sums = amounts_of(lines)
    is_plain = row.guessed or (len(sums) == 1 and not any(line.not_billed for line in lines))
    return (
        named, row.issuer_name, row.utility_types, amount(row.total), None if is_plain else amounts(list(sums.items())),
        day_of(row.bill_date), day_of(row.due_date), row.chosen_month, row.payment_status, row.account_number,
        row.bill_number, day_of(row.service_start), day_of(row.service_end),
        "yes" if is_spread(lines) and not row.chosen_month else None, Figures(row.usage) if row.usage else None,
        row.line_names, row.notes,
    )  # fmt: skip


def _day_of(moment: str | None, timezone: str) -> date | None:
    return day_in(datetime.fromisoformat(moment), timezone) if moment else None
