"""The split of one bill line, with its corrections after its month was closed."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from prorata.actions.recalculation import correction_decisions
from prorata.domain.groups import added_up, grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.locale_forms import Forms
from prorata.domain.splitting import correction_sentences
from prorata.domain.splitting.division_layout import Share
from prorata.domain.texts import joined
from prorata.store.audit.audit import Caller
from prorata.store.bills.bills import LineRow
from prorata.store.database.engine import Tx
from prorata.store.months import reviews as month_reviews
from prorata.store.months.reviews import ReviewedInvoice
from prorata.store.properties import units
from prorata.store.recalculation.corrections import CorrectionRow

LineState = Literal["charged", "corrected", "owner", "waiting", "history", "held"]
"""The state of a line in a bill's split.

It is charged; charged as corrections, because the bill came after the invoices of its month; not billed, and so the
owner’s; waiting for a closed month to open; from before billing starts; or held.
"""


class ShareCharge(NamedTuple):
    """An invoice that charges a share, with its amount in cents."""

    invoice: ReviewedInvoice
    amount: int


class BilledShare(NamedTuple):
    """A unit's share of a line, with the invoices that charge it.

    `charged` is 0 if the invoice is cancelled, because the owner then bears the share. `own` are the charges on the
    month's invoices, and `later` are the corrections on other months' sent invoices. `tenant_name` is set only for a
    tenant who was unknown when the month was closed.
    """

    share: Share
    charged: int
    own: tuple[ShareCharge, ...]
    later: tuple[ShareCharge, ...] = ()
    tenant_name: str = ""

    @property
    def invoice(self) -> ReviewedInvoice | None:
        """The first of the month's invoices that charge the share, if any."""
        return self.own[0].invoice if self.own else None

    @property
    def charges(self) -> tuple[ShareCharge, ...]:
        """Each invoice that charges the share, with its own amount."""
        return self.own + self.later

    @property
    def sent(self) -> int:
        """The amount in cents on the month's invoices and on the later ones."""
        return sum(charge.amount for charge in self.charges)


class LineSplit(NamedTuple):
    """The split of one bill line; amounts in cents.

    `charged` and `owner` sum to the line if it is billed; `vacant` is the part of `charged` that falls on vacant
    units. `corrected` contains the corrections that tenants get for the line. If other units pay for vacant ones,
    `neighbors_pay` is a sentence that says so. `later` are the months whose invoices charge its corrections.
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
    later: frozenset[str] = frozenset()

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
        return self.to_tenants - sum(row.right_amount - row.issued_amount for row in self.corrected)


def with_later(tx: Tx, caller: Caller, property_id: str, splits: Sequence[LineSplit]) -> tuple[LineSplit, ...]:
    """Add to each share the later invoices that correct it.

    A share that no invoice of the month charges also gets its tenant's name. This takes at most three SQL statements.
    """
    names = _names_of_newcomers(tx, caller.account_id, splits)
    rows = [row for split in splits for row in split.corrected]
    charges = correction_decisions.charged_on(tx, caller, rows)
    of_rows = {row.key: its for row, its in zip(rows, charges, strict=True)}
    carriers = sorted({one.carrier for its in charges for one in its})
    of_months = month_reviews.invoices_of_months(tx, caller.account_id, [property_id], carriers) if carriers else {}
    invoices = {one.id: one for its in of_months.values() for one in its}

    def complete(one: BilledShare, of_unit: Sequence[CorrectionRow]) -> BilledShare:
        its = [charge for row in of_unit if is_of(one.share, row) for charge in of_rows[row.key]]
        amounts = added_up((charge.invoice_id, charge.amount) for charge in its)
        later = tuple(ShareCharge(invoices[of], cents) for of, cents in amounts.items())
        name = "" if one.invoice else names.get((one.share.tenant_ids or ("",))[0], "")
        return one._replace(later=later, tenant_name=name)

    def completed(split: LineSplit) -> LineSplit:
        of_units = grouped((row.unit_id, row) for row in split.corrected)
        shares = tuple(complete(one, of_units.get(one.share.unit_id, ())) for one in split.shares)
        return split._replace(
            shares=shares, later=frozenset(one.carrier for row in split.corrected for one in of_rows[row.key])
        )

    return tuple(completed(split) for split in splits)


def _names_of_newcomers(tx: Tx, account_id: str, splits: Iterable[LineSplit]) -> dict[str, str]:
    """Map the tenants of shares that no invoice of the month charges to their names."""
    new = [one for split in splits for one in split.shares if not one.invoice]
    ids = sorted({who for one in new for who in one.share.tenant_ids or ()})
    return {one.id: one.name for one in units.tenants_of_past(tx, account_id, ids)} if ids else {}


def corrected(split: LineSplit, rows: Sequence[CorrectionRow], currency: str, write: Forms) -> LineSplit:
    """Apply corrections to a line's split, and add up what falls on vacant units.

    A waiting line is left unchanged.
    """
    if split.state == "waiting":
        return split
    empty, rows = [row for row in rows if not row.tenant_id], [row for row in rows if row.tenant_id]
    if split.state == "corrected":  # it has no shares to show what falls on vacant units
        borne = sum(row.left_amount for row in [*empty, *rows])
        vacant = sum(row.right_amount for row in empty)
        split = split._replace(charged=split.charged + borne, owner=split.owner - borne, vacant=vacant)
    if split.state == "charged":
        split = _put_right(split, [*rows, *empty], currency, write)
    return split._replace(corrected=tuple(rows))


def _put_right(split: LineSplit, rows: Sequence[CorrectionRow], currency: str, write: Forms) -> LineSplit:
    """Apply corrections to each unit's share of a line.

    If a tenant or vacant days were unknown when the month was closed, a share is added for them. If a unit turned
    out not to be vacant, its vacant share is removed. If several shares take the same corrections, the first has them.
    """
    of_unit, shares, taken = grouped((row.unit_id, row) for row in rows), list[BilledShare](), set[CorrectionRow]()
    labels = {one.share.unit_id: one for one in split.shares}
    for one in split.shares:
        of_share = [row for row in of_unit.get(one.share.unit_id, ()) if is_of(one.share, row)]
        its = [row for row in of_share if row not in taken]
        taken.update(its)
        is_void = one.invoice is not None and one.invoice.status == CANCELLED
        if not of_share or is_void:
            shares.append(one)
        elif not one.share.is_vacant or any(row.right_amount for row in its):
            shares.append(_as_corrected(one, its, currency, write))
    further = [
        _unforeseen(labels[row.unit_id], row, currency, write)
        for row in rows
        if row.unit_id in labels and row not in taken and (row.right_amount or row.issued_amount)
    ]
    shares = sorted([*shares, *further], key=lambda one: list(labels).index(one.share.unit_id))
    charged = sum(one.charged for one in shares)
    vacant = sum(one.charged for one in shares if one.share.is_vacant)
    return split._replace(
        shares=tuple(shares), charged=charged, owner=split.owner + split.charged - charged, vacant=vacant
    )


def is_of(share: Share, row: CorrectionRow) -> bool:
    """True if a correction for the share's unit applies to this share.

    A correction without a tenant applies to a vacant share, and to one whose tenants were all removed. A correction of
    a household applies to the share of any of its tenants, who may have been regrouped since. A share that is not
    vacant and has no known tenants (None) takes every correction.
    """
    if share.tenant_ids is None and not share.is_vacant:
        return True
    return not {row.tenant_id, *row.household.split()}.isdisjoint(share.tenant_ids or ("",))


def _as_corrected(one: BilledShare, its: Sequence[CorrectionRow], currency: str, write: Forms) -> BilledShare:
    """Apply corrections to a share; its weight becomes the reason of the corrected amount.

    If the tenants were all removed, the unit turned out to be vacant.
    """
    right = sum(row.right_amount for row in its)
    said = filter(None, (correction_sentences.read(row.description) for row in its))
    reasons = dict.fromkeys(correction_sentences.reason_in_words(one.reason, currency, write) for one in said)
    is_vacant = one.share.is_vacant or one.share.tenant_ids == ()
    share = one.share._replace(cents=right, weight=joined(reasons, "; "), is_vacant=is_vacant)
    return one._replace(share=share, charged=right)


def _unforeseen(of_unit: BilledShare, row: CorrectionRow, currency: str, write: Forms) -> BilledShare:
    """Build the share of a tenant, or of vacant days, unknown at the month's closing."""
    tenants = (row.tenant_id,) if row.tenant_id else None
    share = of_unit.share._replace(tenant_ids=tenants, is_vacant=not row.tenant_id)
    return _as_corrected(of_unit._replace(share=share, own=()), [row], currency, write)
