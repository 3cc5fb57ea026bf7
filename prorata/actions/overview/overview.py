"""The overview of a month: sums over all properties, tasks for people, and utility costs."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.overview.attention import Attention, OpenFigures, attention
from prorata.domain.billing_calendar import Month, month_of, months_back, read_month
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED, CLOSING, DRAFT, OVERDUE, SENT
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.store.accounts import open_money
from prorata.store.accounts.accounts import Counts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices import open_money as open_invoices
from prorata.store.invoices.open_money import LeftRow
from prorata.store.overview import overview
from prorata.store.overview.overview import CorrectedVacancy, MonthSums, StatusSum

MONTHS_OF_COSTS = 12


class MonthFigures(NamedTuple):
    """The sums, in cents, of a month's invoices in one currency.

    `billed` sums the tenants' invoices that are not cancelled. It consists of `drafts`, still to be sent; `sent`,
    owed and not yet due; `overdue`, owed and past due; and `paid`; less `credit`, the invoices that are below zero.
    `awaiting` is the number of invoices in `sent`, and `credit_number` of those in `credit`;
    `credit_open` is the part of `credit` that was neither used for other invoices nor paid back, and `credit_paid` what
    tenants paid on these invoices beyond that.

    `owner` is the owner's part of the bills. `vacant` is the amount on the invoices of vacant units, and
    `vacant_drafts` the number of drafts among them. `counts` are the numbers of tenants' invoices by status.
    """

    currency: str
    properties: int
    counts: Counts
    billed: int
    drafts: int
    sent: int
    awaiting: int
    overdue: int
    paid: int
    credit: int
    credit_open: int
    credit_paid: int
    credit_number: int
    owner: int
    vacant: int
    vacant_drafts: int


class UtilityCosts(NamedTuple):
    """The costs of one utility type in each of `Overview.months`, in cents.

    If the type is None, they are the sums of unbilled lines that name no utility type.
    """

    currency: str
    utility_type: str | None
    amounts: tuple[int, ...]


class Overview(NamedTuple):
    """The sums of a month by currency, open amounts, tasks, and twelve months' costs.

    The open amounts are those of all months. The costs are listed by currency and utility type.
    """

    month: str
    open: tuple[OpenFigures, ...]
    figures: tuple[MonthFigures, ...]
    attention: tuple[Attention, ...]
    months: tuple[str, ...]
    costs: tuple[UtilityCosts, ...]


def of_month(tx: Tx, caller: Caller, month: str | None = None, write: Forms = PLAIN) -> Overview:
    """Compute the overview of a month, by default the account's current one.

    Sums never mix currencies. This takes about fifteen SQL statements, none of which reads a charge. Raises
    `InvalidRequest` if the month is invalid.
    """
    named = month_of(account_actions.today(tx, caller)) if month is None else read_month(month)
    if named is None:
        raise InvalidRequest.because([Problem("month", say("Enter the month as YYYY-MM, such as 2026-03."))])
    months = tuple(months_back(named, number) for number in range(MONTHS_OF_COSTS - 1, -1, -1))
    opened = open_figures(tx, caller)
    needed = tuple(attention(tx, caller, named, opened, write))
    return Overview(named, opened, _figures(tx, caller, named), needed, months, _costs(tx, caller, months))


def open_figures(tx: Tx, caller: Caller) -> tuple[OpenFigures, ...]:
    """Compute the open amounts over all months, in each currency that has any.

    This takes two SQL statements, which read stored sums and the invoices of households that moved out.
    """
    kept = [row for row in open_money.of_account(tx, caller.account_id) if any(row.money)]
    if not any(row.credit_number for row in kept):
        return tuple(OpenFigures(row.currency, row.money) for row in kept)
    today = account_actions.today(tx, caller).isoformat()
    left = {row.currency: row for row in open_invoices.left(tx, caller.account_id, today)}
    return tuple(OpenFigures(row.currency, _without_left(row.money, left.get(row.currency))) for row in kept)


def _without_left(money: OpenMoney, left: LeftRow | None) -> OpenMoney:
    if left is None:
        return money
    return money._replace(
        credit_number=money.credit_number - left.number,
        credit=money.credit - left.credit,
        refund_number=money.refund_number + left.number,
        refund=money.refund + left.credit,
    )


def _figures(tx: Tx, caller: Caller, month: Month) -> tuple[MonthFigures, ...]:
    by_currency = grouped((row.currency, row) for row in overview.status_sums(tx, caller.account_id, month))
    sums = overview.sums(tx, caller.account_id, month)
    tx.catch_up()
    corrected = {row.currency: row for row in overview.corrected_vacancy(tx, caller.account_id, month)}
    return tuple(_figure(row, by_currency[row.currency], corrected.get(row.currency)) for row in sums)


def _figure(row: MonthSums, sums: Sequence[StatusSum], corrected: CorrectedVacancy | None) -> MonthFigures:
    billed = {status_sum.status: status_sum for status_sum in sums if not status_sum.is_vacant}
    vacant = sum(status_sum.total for status_sum in sums if status_sum.is_vacant and status_sum.status != CANCELLED)
    differs, borne = (corrected.differs, corrected.borne) if corrected else (0, 0)
    numbers = {status.lower(): status_sum.number for status, status_sum in billed.items()}

    sent, overdue = (billed[status].owed if status in billed else 0 for status in (SENT, OVERDUE))
    issued = [billed[status] for status in CLOSING if status in billed]
    credit = sum(status_sum.credit for status_sum in issued)
    return MonthFigures(
        currency=row.currency,
        properties=row.properties,
        counts=Counts(**numbers),
        billed=row.billed - vacant,
        drafts=billed[DRAFT].total if DRAFT in billed else 0,
        sent=sent,
        awaiting=billed[SENT].owing if SENT in billed else 0,
        overdue=overdue,
        paid=sum(status_sum.total for status_sum in issued) + credit - sent - overdue,
        credit=credit,
        credit_open=sum(status_sum.credit_open for status_sum in issued),
        credit_paid=sum(status_sum.credit_paid for status_sum in issued),
        credit_number=sum(status_sum.credits for status_sum in issued),
        owner=row.owner_amount - borne + vacant + differs,
        vacant=vacant + differs,
        vacant_drafts=sum(
            status_sum.number - status_sum.lived_in
            for status_sum in sums
            if status_sum.is_vacant and status_sum.status == DRAFT
        ),
    )


def _costs(tx: Tx, caller: Caller, months: tuple[str, ...]) -> tuple[UtilityCosts, ...]:
    costs: dict[tuple[str, str | None], dict[str, int]] = defaultdict(dict)
    for row in overview.costs(tx, caller.account_id, months[0], months[-1]):
        costs[row.currency, row.utility_type][row.month] = row.amount
    return tuple(
        UtilityCosts(currency, kind, tuple(by_month.get(month, 0) for month in months))
        for (currency, kind), by_month in sorted(costs.items(), key=lambda item: (item[0][0], item[0][1] or "~"))
    )
