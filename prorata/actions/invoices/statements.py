"""A tenant's statement for a period: sent invoices, payments and carried credits."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import MOST_OPEN_INVOICES_SEARCHED
from prorata.actions.recalculation.month_loader import as_unit
from prorata.domain.billing_calendar import FIRST_DATE
from prorata.domain.due_times import day_in, end_of_day
from prorata.domain.groups import grouped
from prorata.domain.invoices.carries import has_left
from prorata.domain.invoices.statements import MARKED_PAID, Posting, Statement, last_year, statement
from prorata.domain.problems import Problem
from prorata.domain.splitting.month_facts import stays_of
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.accounts import open_money as open_sums
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.invoices import open_money, statements
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.invoices.open_money import OwedRow
from prorata.store.invoices.statements import Days
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow

_EVER = Days("", "9", "", "9")
"""A range that contains every day as text."""


class TenantStatement(NamedTuple):
    """A tenant's statement for the period from `first` to `last`.

    If `first` or `last` is None, the period has no limit at that end. `balance` is the amount in cents that the tenant
    owes today for all invoices.
    """

    tenant: TenantRow
    unit: UnitRow
    property: PropertyRow
    first: str | None
    last: str | None
    found: Statement
    balance: int


def of_tenant(
    tx: Tx, caller: Caller, tenant_id: str, *, first: str | None = None, last: str | None = None
) -> TenantStatement:
    """Build a tenant's statement from the invoices addressed to the tenant.

    Raises `NotFound` if there is no such tenant, and `InvalidRequest` if the period ends before it begins.
    """
    tenant = access.tenant(tx, caller, tenant_id)
    check_days(first, last)
    unit = access.unit(tx, caller, tenant.unit_id)
    of_property = access.property_(tx, caller, unit.property_id)
    account = account_actions.the_account(tx, caller)
    its_statement, balance = _read(tx, account, unit.id, tenant.id, _days(first, last, account.timezone))
    return TenantStatement(tenant, unit, of_property, first, last, its_statement, balance)


def check_days(first: str | None, last: str | None) -> None:
    """Raise `InvalidRequest` for a period that ends before it begins."""
    if first is not None and last is not None and last < first:
        raise InvalidRequest.because([Problem("to", say("The last day must not be before the first day."))])


def for_tenant(tx: Tx, account: AccountRow, invoice: InvoiceRow) -> tuple[date, Statement]:
    """Build the past year's statement for an invoice's tenant; also return its first day.

    The tenant reads it on the invoice's page. It leaves out other invoices that have not left yet.
    """
    assert invoice.tenant_id is not None, "who sees it has an invoice"
    first = last_year(account_actions.today_in(account, tx))
    days = _days(first.isoformat(), None, account.timezone)
    its_statement, _ = _read(tx, account, invoice.unit_id, invoice.tenant_id, days, seen_from=invoice.id)
    return first, its_statement


def is_gone(tx: Tx, caller: Caller, made: TenantStatement) -> bool:
    """True if nobody of a tenant's household lives in the unit any more.

    In that case, no later invoice can take a credit.
    """
    people = units.tenants_of_unit(tx, caller.account_id, made.unit.id)
    stays = stays_of(as_unit(made.unit, people), None)
    return has_left(made.tenant.id, stays, account_actions.today(tx, caller))


def _read(
    tx: Tx, account: AccountRow, unit_id: str, tenant_id: str, days: Days, *, seen_from: str | None = None
) -> tuple[Statement, int]:
    sums = statements.sums(tx, account.id, unit_id, tenant_id, days, seen_from=seen_from)
    postings = statements.postings(tx, account.id, unit_id, tenant_id, days, seen_from=seen_from)
    return statement(sums.before, [_on_its_day(posting, account.timezone) for posting in postings]), sums.at_all


def _days(first: str | None, last: str | None, timezone: str) -> Days:
    days = _EVER
    if first is not None and first > FIRST_DATE.isoformat():  # there was nothing before
        before = date.fromisoformat(first) - timedelta(days=1)
        days = days._replace(first=first, begins=timestamp(end_of_day(before, timezone)))
    if last is not None:
        days = days._replace(last=last, ends=timestamp(end_of_day(date.fromisoformat(last), timezone)))
    return days


def _on_its_day(posting: Posting, timezone: str) -> Posting:
    if posting.kind != MARKED_PAID:
        return posting
    return posting._replace(day=day_in(datetime.fromisoformat(posting.day), timezone).isoformat())


def has_one(tx: Tx, caller: Caller, tenant_id: str | None) -> bool:
    """True if a tenant of the account has a statement; a removed tenant has none."""
    return tenant_id is not None and units.find_tenant(tx, caller.account_id, tenant_id) is not None


def first_shown(tx: Tx, caller: Caller) -> str:
    """Return the first day of a statement if no period was chosen: a year ago."""
    return last_year(account_actions.today(tx, caller)).isoformat()


class FormerDebts(NamedTuple):
    """The tenants who have moved out and owe something.

    `sums` is what they owe in each currency, in cents. `is_cut` is set if the account has more open invoices than were
    searched.
    """

    tenants: list[str]
    sums: list[tuple[str, int]]
    is_cut: bool


def owed_by_former(tx: Tx, caller: Caller, most: int = MOST_OPEN_INVOICES_SEARCHED) -> FormerDebts:
    """Sum what tenants who have moved out still owe.

    Only tenants of the `most` oldest open invoices are included.
    """
    today = account_actions.today(tx, caller).isoformat()
    former = open_money.of_former(tx, caller.account_id, today, most=most)
    owed = owed_by(tx, caller, (row.unit_id for row in former))
    found = [row for it in former for row in owed.get(it.id, ())]
    sums = grouped((row.currency, row.amount) for row in found)
    number = sum(row.money.owed_number for row in open_sums.of_account(tx, caller.account_id))
    return FormerDebts(
        [row.tenant_id for row in found],
        [(currency, sum(sums[currency])) for currency in sorted(sums)],
        is_cut=number > most,
    )


def owed_by(tx: Tx, caller: Caller, unit_ids: Iterable[str]) -> Mapping[str, list[OwedRow]]:
    """Map the tenants of units to the open amounts of their sent invoices."""
    rows = open_money.of_tenants(tx, caller.account_id, sorted(set(unit_ids)))
    return grouped((row.tenant_id, row) for row in rows)
