"""The split of a bill among units; in closed months, the shares are as sent."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.bills import bills as bill_actions, line_splits, lines as bill_lines
from prorata.actions.bills.line_splits import BilledShare, LineSplit, ShareCharge
from prorata.actions.recalculation.loaded_months import LoadedMonth, basis, with_facts
from prorata.domain.bills.bills import charged_to, may_be_spread
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.division_layout import LaidOut, Share, lay_out
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.stays import of_month
from prorata.domain.texts import Text, say
from prorata.domain.utility_names import within_a_sentence
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, lookups as bill_lookups
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months, corrections


class CorrectedMonth(NamedTuple):
    """A bill's corrections in a month: pending amounts, and amounts to be charged.

    The amounts are in cents, each with the number of households that it concerns.
    """

    month: str
    waiting: int
    waiting_households: int
    to_charge: int
    to_charge_households: int


class BillSplit(NamedTuple):
    """A bill's split with its lines.

    `charged`, `owner` and `unbilled` (waiting, history or held) sum to the bill's total; `vacant` is the part of
    `charged` that falls on vacant units, which the owner bears too. `closed` contains the months that were closed
    with the bill; the bill's charges in them are as they were at closing.
    """

    bill: BillSummary
    currency: str
    lines: tuple[LineSplit, ...]
    guessed: bool
    closed: tuple[str, ...]
    charged: int
    vacant: int
    owner: int
    unbilled: int
    row: BillRow
    country: str

    @property
    def to_tenants(self) -> int:
        """The amount in cents that tenants should be charged according to today's facts."""
        return sum(line.to_tenants for line in self.lines)

    @property
    def sent(self) -> int:
        """The amount in cents charged to tenants, without corrections that are on no sent invoice."""
        return sum(line.sent for line in self.lines)

    @property
    def sent_with(self) -> list[str]:
        """List the closed months whose own invoices were sent with the bill."""
        return sorted({line.line.month for line in self.lines if line.state != "corrected"}.intersection(self.closed))

    @property
    def charged_in(self) -> list[str]:
        """List the months whose invoices charge the bill to tenants, its corrections included."""
        own = {line.line.month for line in self.lines if line.shares}
        return sorted(own.union(*(line.later for line in self.lines)))

    @property
    def sent_later(self) -> int:
        """The part of `sent` that is on invoices of other months, in cents."""
        return sum(row.elsewhere_amount for line in self.lines for row in line.corrected)

    @property
    def left(self) -> int:
        """The part of tenants' corrections that was left to the owner, in cents."""
        return sum(line.left for line in self.lines)

    @property
    def corrected(self) -> list[CorrectedMonth]:
        """List the months in which tenants get corrections of this bill, with the amounts."""
        return [
            CorrectedMonth(
                month,
                sum(row.waiting_amount for row in rows),
                len({row.tenant_id for row in rows if row.waiting_amount}),
                sum(row.to_charge_amount for row in rows),
                len({row.tenant_id for row in rows if row.to_charge_amount}),
            )
            for month, rows in sorted(
                grouped((row.month, row) for line in self.lines for row in line.corrected).items()
            )
        ]

    @property
    def may_be_spread(self) -> bool:
        """True if the service period is long enough for the bill to be spread."""
        bill = bill_lines.as_new(self.row)
        return may_be_spread(bill.service_start, bill.service_end)


def of_bill(tx: Tx, caller: Caller, bill_id: str, write: Forms = PLAIN) -> BillSplit:
    """Recompute a bill's split from the facts on which its charges are based.

    Raises `NotFound` if there is no such bill.
    """
    shown = bill_actions.find(tx, caller, bill_id)
    (of_property,) = properties.find_many(tx, caller.account_id, [shown.property_id])
    row = bills.find(tx, caller.account_id, bill_id)
    assert row is not None, "a bill that is shown is stored"
    lines, are_held = bill_lines.stored(tx, caller, bill_id)
    named = sorted({line.month for line in lines})
    rows = months.find_many(tx, caller.account_id, [of_property.id], named)
    loaded = {month.row.month: month for month in with_facts(tx, caller.account_id, [of_property], rows)}
    if are_held:
        splits = tuple(LineSplit(line, "held", (), 0, 0, ()) for line in lines)
    else:
        splits = _splits(tx, of_property, lines, loaded, write)
        splits = line_splits.with_later(tx, caller, of_property.id, splits)
    closed = {month for month, one in loaded.items() if one.row.is_closed}
    charged, owner = sum(split.charged for split in splits), sum(split.owner for split in splits)
    return BillSplit(
        shown,
        of_property.currency,
        splits,
        bool(row.guessed),
        tuple(sorted({line.month for line in lines if line.charged} & closed)),
        charged,
        sum(split.vacant for split in splits),
        owner,
        shown.total - charged - owner,
        row,
        of_property.country,
    )


def lines_of_month(tx: Tx, caller: Caller, property_id: str, month: str, write: Forms = PLAIN) -> tuple[LineSplit, ...]:
    """List the splits of all lines of a property's month, except those of held bills.

    Raises `NotFound` if there is no such property.
    """
    of_property = access.property_(tx, caller, property_id)
    rows = months.find_many(tx, caller.account_id, [of_property.id], [month])
    loaded = {month.row.month: month for month in with_facts(tx, caller.account_id, [of_property], rows)}
    bill_ids = sorted({line.bill_id for one in loaded.values() for line in one.lines})
    lines = [line for line in bills.lines_of_bills(tx, caller.account_id, bill_ids) if line.month == month]
    return _splits(tx, of_property, lines, loaded, write)


def _splits(
    tx: Tx, of_property: PropertyRow, lines: Sequence[LineRow], loaded: Mapping[str, LoadedMonth], write: Forms
) -> tuple[LineSplit, ...]:
    """Compute the splits of bill lines of a property from the lines' `loaded` months.

    Only closed months have corrections to apply: the invoices of an open month charge the right amounts themselves.
    """
    account_id = of_property.account_id
    closed = sorted(month for month, one in loaded.items() if one.row.is_closed)
    invoices = month_reviews.invoices_of_months(tx, account_id, [of_property.id], sorted(loaded))
    facts = {month: basis(one).facts for month, one in loaded.items()}
    rows_of = grouped(
        ((row.bill_id, row.month, row.line), row)
        for row in corrections.of_months(tx, account_id, [of_property.id], closed)
        if row.unit_id
    )
    ids = sorted(row.id for its in invoices.values() for row in its)
    charges = bill_lookups.charged_on(tx, account_id, ids, sorted({line.bill_id for line in lines}))
    amounts = grouped(((one.bill_id, one.line), (one.invoice_id, one.amount)) for one in charges)
    return tuple(
        line_splits.corrected(
            _split(
                line,
                loaded.get(line.month),
                facts.get(line.month),
                invoices[of_property.id, line.month],
                dict(amounts[line.bill_id, line.number]),
                write,
            ),
            rows_of.get((line.bill_id, line.month, line.number), ()),
            of_property.currency,
            write,
        )
        for line in lines
    )


def outcome(tx: Tx, caller: Caller, bill: BillSummary, write: Forms = PLAIN) -> str:
    """Describe in one sentence whom a bill charges, from its stored charges."""
    if bill.held:
        return say("It’s held: nobody is charged until its flags are accepted.")
    if bill.waiting:
        if bill.billing_month != bill.last_month:
            return say("Part of it is waiting: the invoices for that part’s month were sent before the bill arrived.")
        return say("It’s waiting: the invoices for its month were sent before it arrived.")
    lines = bills.lines(tx, caller.account_id, bill.id)
    if not any(line.charged for line in lines):
        return say("It’s kept as history: nobody is charged.")
    named = {line.month for line in lines}
    if len(named) > 1:
        return say("It’s spread over {number} months by service days.", number=len(named))
    (month,) = named
    counted = bill_lookups.charged_units(tx, caller.account_id, bill.property_id, month, bill.id)
    return charged_to(counted.units - counted.vacant, counted.vacant, write)


def _split(
    line: LineRow,
    month: LoadedMonth | None,
    facts: MonthFacts | None,
    invoices: Sequence[ReviewedInvoice],
    amounts: Mapping[str, int],
    write: Forms,
) -> LineSplit:
    if not line.charged:
        waits = month is not None and month.row.is_closed
        return LineSplit(line, "waiting" if waits else "history", (), 0, 0, ())
    assert month is not None, "what is charged has a month"
    assert facts is not None, "a month has facts"
    known = next((one for one in facts.lines if (one.bill_id, one.number) == (line.bill_id, line.number)), None)
    if known is None:  # it came after its month was closed
        return LineSplit(line, "corrected", (), line.amount - line.owner_amount, line.owner_amount, ())
    if line.utility_type is None:
        return LineSplit(line, "owner", (), 0, line.amount, (_NOT_BILLED[line.not_billed],))
    rule, what = facts.rules.get(line.utility_type), within_a_sentence(line.utility_type)
    laid_out = lay_out(line.amount, rule, known.service or of_month(facts.month), facts.units, what, write)
    split = _with_invoices(line, laid_out, invoices, amounts)
    return split._replace(shares=tuple(_without_removed(one, month.property.tenants) for one in split.shares))


def _with_invoices(
    line: LineRow, laid_out: LaidOut, invoices: Sequence[ReviewedInvoice], amounts: Mapping[str, int]
) -> LineSplit:
    """Complete a line's shares with the invoices that charge them.

    A share is what these charge: in a closed month, the bill's amount may have been corrected since.
    """
    of_unit = grouped((row.unit_id, row) for row in invoices)
    shares, why, owner = [], list(laid_out.why_owner), laid_out.owner
    for share in laid_out.shares:
        own = _charges_of(share, of_unit[share.unit_id], amounts)
        charged = sum(charge.amount for charge in own)
        owner += share.cents - charged
        is_charged = bool(own) and own[0].invoice.status != CANCELLED
        shares.append(BilledShare(share._replace(cents=charged) if is_charged else share, charged, own))
        if not is_charged and share.cents:
            why.append(
                say("The invoice for unit {label} is cancelled, so the owner pays its share.", label=share.label)
                if own
                else say("Nobody lived in unit {label} on these days, so the owner pays its share.", label=share.label)
            )
    total = sum(share.charged for share in shares)
    assert total + owner == line.amount, "no cent is lost or made"
    return LineSplit(line, "charged", tuple(shares), total, owner, tuple(why), neighbors_pay=laid_out.neighbors_pay)


def _without_removed(one: BilledShare, known: Container[str]) -> BilledShare:
    """Leave out the tenants of a share who were removed without trace, as recalculation does."""
    if one.share.tenant_ids is None:
        return one
    return one._replace(share=one.share._replace(tenant_ids=tuple(filter(known.__contains__, one.share.tenant_ids))))


def _charges_of(
    share: Share, of_unit: Sequence[ReviewedInvoice], amounts: Mapping[str, int]
) -> tuple[ShareCharge, ...]:
    """List a share's charges on its unit's invoices of the month.

    `amounts` are the line's charges by invoice. If no invoice charges anything, or only cancelled ones do, the result
    is the first of them with 0. The share of a vacant unit is on the unit's invoice that has no tenant.
    """
    is_whole = share.tenant_ids is None and not share.is_vacant
    its = [row for row in of_unit if is_whole or row.tenant_id in (share.tenant_ids or (None,))]
    charging = [row for row in its if row.id in amounts] or its
    valid = [row for row in charging if row.id in amounts and row.status != CANCELLED]
    return tuple(ShareCharge(row, amounts[row.id]) for row in valid) or tuple(
        ShareCharge(row, 0) for row in charging[:1]
    )


_NOT_BILLED: Mapping[str | None, Text] = {
    "PREVIOUS_BALANCE": say("A previous balance isn’t billed again; the owner pays it."),
    "LATE_FEE": say("A late fee isn’t billed to tenants; the owner pays it."),
    "DEPOSIT": say("A deposit isn’t billed to tenants; the owner pays it."),
    "OWNER": say("The owner pays this part, as entered with the bill."),
}
