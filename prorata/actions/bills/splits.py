"""The split of a bill among units; in closed months, the shares are as sent."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.bills import bills as bill_actions, lines as bill_lines
from prorata.actions.recalculation.loaded_months import LoadedMonth, basis, with_facts
from prorata.domain.bills.bills import charged_to, may_be_spread
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting import correction_sentences
from prorata.domain.splitting.division_layout import LaidOut, Share, lay_out
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.stays import of_month
from prorata.domain.texts import say
from prorata.domain.utility_names import within_a_sentence
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills, lookups as bill_lookups
from prorata.store.bills.bills import BillRow, BillSummary, LineRow
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months, corrections
from prorata.store.recalculation.corrections import CorrectionRow

LineState = Literal["charged", "corrected", "owner", "waiting", "history", "held"]
"""The state of a line in a bill's split.

It is charged; charged as corrections, because the bill came after the invoices of its month; not billed, and so the
owner’s; waiting for a closed month to open; from before billing starts; or held.
"""


class BilledShare(NamedTuple):
    """A unit's share of a line, with the invoice that charges the share.

    `charged` is 0 if the invoice is cancelled, because the owner then bears the share. `sent` is the amount on
    sent invoices. `tenant_name` is set only for a tenant who was unknown when the month was closed.
    """

    share: Share
    charged: int
    invoice: ReviewedInvoice | None
    sent: int
    tenant_name: str = ""


class LineSplit(NamedTuple):
    """The split of one bill line; amounts in cents.

    `charged` and `owner` sum to the line if it is billed; `vacant` is the part of `charged` that falls on vacant
    units. `corrected` contains the corrections that tenants get for the line. If other units pay for vacant ones,
    `neighbors_pay` is a sentence that says so.
    """

    line: LineRow
    state: LineState
    shares: tuple[BilledShare, ...]
    charged: int
    owner: int
    why_owner: tuple[str, ...]
    corrected: tuple[CorrectionRow, ...] = ()
    vacant: int = 0
    neighbors_pay: str = ""

    @property
    def to_tenants(self) -> int:
        """The amount in cents that tenants should be charged according to today's facts."""
        return self.charged - self.vacant

    @property
    def left(self) -> int:
        """The part of tenants' corrections that was left to the owner, in cents."""
        return sum(row.left_amount for row in self.corrected)

    @property
    def sent(self) -> int:
        """The amount in cents charged to tenants, without corrections that are on no sent invoice."""
        if self.state == "corrected":
            return sum(row.issued_amount for row in self.corrected)
        return self.to_tenants - sum(row.right_amount - row.issued_amount for row in self.corrected)


class CorrectedMonth(NamedTuple):
    """A bill's corrections in a month: pending amounts, and amounts on later invoices."""

    month: str
    waiting: int
    to_charge: int
    has_waiting: bool


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
                sum(row.to_charge_amount for row in rows),
                any(row.waiting_amount for row in rows),
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
        splits = _with_newcomers(tx, of_property, _splits(tx, of_property, lines, loaded, write))
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
    """Compute the splits of bill lines of a property from the lines' `loaded` months."""
    account_id, named = of_property.account_id, sorted({line.month for line in lines})
    invoices = month_reviews.invoices_of_months(tx, account_id, [of_property.id], sorted(loaded))
    facts = {month: basis(one).facts for month, one in loaded.items()}
    tx.catch_up()
    rows_of = grouped(
        ((row.bill_id, row.month, row.line), row)
        for row in corrections.of_months(tx, account_id, [of_property.id], named)
        if row.unit_id
    )
    return tuple(
        _corrected(
            _split(line, loaded.get(line.month), facts.get(line.month), invoices[of_property.id, line.month], write),
            rows_of.get((line.bill_id, line.month, line.number), ()),
            write,
        )
        for line in lines
    )


def _with_newcomers(tx: Tx, of_property: PropertyRow, splits: Sequence[LineSplit]) -> tuple[LineSplit, ...]:
    """Complete shares that no invoice of the month charges: set tenant names and later invoices."""
    account_id, new = of_property.account_id, [one for split in splits for one in split.shares if not one.invoice]
    ids = sorted({who for one in new for who in one.share.tenant_ids or ()})
    if not ids:
        return tuple(splits)
    names = {one.id: one.name for one in units.tenants_of_past(tx, account_id, ids)}
    carried = corrections.carried_in(tx, account_id, sorted({split.line.bill_id for split in splits}))
    carriers = {(one.bill_id, one.line, one.month, one.tenant_id): one.carrier for one in carried}
    found = month_reviews.invoices_of_months(tx, account_id, [of_property.id], sorted(set(carriers.values())))

    def named(line: LineRow, one: BilledShare) -> BilledShare:
        if one.invoice or not (its := one.share.tenant_ids):
            return one
        in_month = found.get((of_property.id, carriers.get((line.bill_id, line.number, line.month, its[0]), "")), ())
        later = next((row for row in in_month if row.tenant_id in its), None)
        return one._replace(tenant_name=names.get(its[0], ""), invoice=later)

    return tuple(split._replace(shares=tuple(named(split.line, one) for one in split.shares)) for split in splits)


def _corrected(split: LineSplit, rows: Sequence[CorrectionRow], write: Forms) -> LineSplit:
    """Apply tenants' corrections to the split of a line; a waiting line is left unchanged."""
    if split.state == "waiting":
        return split
    empty, rows = [row for row in rows if not row.tenant_id], [row for row in rows if row.tenant_id]
    if split.state == "corrected":  # it has no shares to show what falls on vacant units
        borne = sum(row.left_amount for row in empty)
        vacant = sum(row.right_amount for row in empty)
        split = split._replace(charged=split.charged + borne, owner=split.owner - borne, vacant=vacant)
    if split.state == "charged" and (empty or rows):
        split = _put_right(split, [*rows, *empty], write)
    return split._replace(corrected=tuple(rows))


def _put_right(split: LineSplit, rows: Sequence[CorrectionRow], write: Forms) -> LineSplit:
    """Apply corrections to each unit's share of a line.

    If a tenant or vacant days were unknown when the month was closed, a share is added for them. If a unit turned
    out not to be vacant, its vacant share is removed.
    """
    of_unit, shares = grouped((row.unit_id, row) for row in rows), list[BilledShare]()
    labels = {one.share.unit_id: one for one in split.shares}
    for one in split.shares:
        its = [row for row in of_unit.get(one.share.unit_id, ()) if _is_of(one.share, row)]
        of_unit[one.share.unit_id] = [row for row in of_unit.get(one.share.unit_id, ()) if row not in its]
        is_void = one.invoice is not None and one.invoice.status == CANCELLED
        if not its or is_void:
            shares.append(one)
        elif not one.share.is_vacant or any(row.right_amount for row in its):
            shares.append(_as_corrected(one, its))
    further = [
        _unforeseen(labels[unit_id], row, write)
        for unit_id, left in of_unit.items()
        if unit_id in labels
        for row in left
        if row.right_amount or row.issued_amount
    ]
    shares = sorted([*shares, *further], key=lambda one: list(labels).index(one.share.unit_id))
    charged = sum(one.charged for one in shares)
    vacant = sum(one.charged for one in shares if one.share.is_vacant)
    return split._replace(
        shares=tuple(shares), charged=charged, owner=split.owner + split.charged - charged, vacant=vacant
    )


def _is_of(share: Share, row: CorrectionRow) -> bool:
    """True if a correction for the share's unit applies to this share.

    A correction without a tenant applies to a vacant share. A share that is not vacant and has no known tenants
    takes every correction.
    """
    if share.tenant_ids is None:
        return not share.is_vacant or not row.tenant_id
    return row.tenant_id in share.tenant_ids


def _as_corrected(one: BilledShare, its: Sequence[CorrectionRow]) -> BilledShare:
    """Apply corrections to a share; it keeps its weight if the amount is unchanged."""
    right, sent = sum(row.right_amount for row in its), sum(row.issued_amount for row in its)
    weight = one.share.weight if right == one.share.cents else ""
    return one._replace(share=one.share._replace(cents=right, weight=weight), charged=right, sent=sent)


def _unforeseen(of_unit: BilledShare, row: CorrectionRow, write: Forms) -> BilledShare:
    """Build the share of a tenant, or of vacant days, unknown at the month's closing."""
    tenants, said = (row.tenant_id,) if row.tenant_id else None, correction_sentences.read(row.description)
    why = correction_sentences.reason_in_words(said.why, write) if said else ""
    share = of_unit.share._replace(tenant_ids=tenants, is_vacant=not row.tenant_id, weight=why, cents=row.right_amount)
    return _as_corrected(of_unit._replace(share=share, invoice=None), [row])


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
    if (number := len({line.month for line in lines})) > 1:
        return say("It’s spread over {number} months by service days.", number=number)
    counted = bill_lookups.charged_units(tx, caller.account_id, bill.property_id, lines[0].month, bill.id)
    return charged_to(counted.units - counted.vacant, counted.vacant, write)


def _split(
    line: LineRow,
    month: LoadedMonth | None,
    facts: MonthFacts | None,
    invoices: Sequence[ReviewedInvoice],
    write: Forms,
) -> LineSplit:
    if month is None or facts is None or not line.charged:
        waits = month is not None and month.row.is_closed
        return LineSplit(line, "waiting" if waits else "history", (), 0, 0, ())
    key = line.bill_id, line.number
    if month.row.is_closed and key not in {(one.bill_id, one.number) for one in facts.lines}:
        return LineSplit(line, "corrected", (), line.amount - line.owner_amount, line.owner_amount, ())
    if line.utility_type is None:
        return LineSplit(line, "owner", (), 0, line.amount, (_NOT_BILLED[line.not_billed or ""],))
    rule, what = facts.rules.get(line.utility_type), within_a_sentence(line.utility_type)
    days = next(one.service for one in facts.lines if (one.bill_id, one.number) == key)
    laid_out = lay_out(line.amount, rule, days or of_month(facts.month), facts.units, what, write)
    return _with_invoices(line, laid_out, invoices)


def _with_invoices(line: LineRow, laid_out: LaidOut, invoices: Sequence[ReviewedInvoice]) -> LineSplit:
    of_unit = grouped((row.unit_id, row) for row in invoices)
    shares, why, owner = [], list(laid_out.why_owner), laid_out.owner
    for share in laid_out.shares:
        invoice = _invoice_of(share, of_unit[share.unit_id])
        is_charged = invoice is not None and invoice.status != CANCELLED
        charged = share.cents if is_charged else 0
        shares.append(BilledShare(share, charged, invoice, charged))
        if not is_charged and share.cents:
            owner += share.cents
            why.append(
                say("Nobody lived in unit {label} on these days, so the owner pays its share.", label=share.label)
                if invoice is None
                else say("The invoice for unit {label} is cancelled, so the owner pays its share.", label=share.label)
            )
    total = sum(share.charged for share in shares)
    assert total + owner == line.amount, "no cent is lost or made"
    vacant = sum(one.charged for one in shares if one.share.is_vacant)
    return LineSplit(line, "charged", tuple(shares), total, owner, tuple(why), (), vacant, laid_out.neighbors_pay)


def _invoice_of(share: Share, of_unit: Sequence[ReviewedInvoice]) -> ReviewedInvoice | None:
    """Return the invoice that charges a household, preferably one that is not cancelled.

    The share of a vacant unit is on the unit's invoice that has no tenant.
    """
    if share.tenant_ids is not None:
        its = [row for row in of_unit if row.tenant_id in share.tenant_ids]
    elif share.is_vacant:
        its = [row for row in of_unit if row.tenant_id is None]
    else:
        its = list(of_unit)
    return min(its, key=lambda row: row.status == CANCELLED, default=None)


_NOT_BILLED = {
    "PREVIOUS_BALANCE": say("A previous balance isn’t billed again; the owner pays it."),
    "LATE_FEE": say("A late fee isn’t billed to tenants; the owner pays it."),
    "DEPOSIT": say("A deposit isn’t billed to tenants; the owner pays it."),
    "OWNER": say("The owner pays this part, as entered with the bill."),
}
