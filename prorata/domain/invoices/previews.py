"""Previews of changes: amounts before and after, by month, invoice, unit, household and more."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from prorata.domain.groups import added_up, grouped
from prorata.domain.invoice_states import CANCELLED

Place = tuple[str, str, str, int]
"""The place of an invoice: its property, month, unit, and its sequence there."""
MonthKey = tuple[str, str]
"""The key of a month: its property and the month."""
Row = TypeVar("Row")
Key = TypeVar("Key")


class Moved(NamedTuple):
    """An amount before and after a change, in cents."""

    before: int
    after: int

    @property
    def difference(self) -> int:
        """The increase in cents, negative for a decrease."""
        return self.after - self.before


class SeenCharge(NamedTuple):
    """A charge on an invoice; for a custom charge, `own` is the charge's id."""

    own: str | None
    bill_id: str | None
    line: int | None
    corrects_month: str | None
    corrects_tenant: str | None
    utility_type: str | None
    amount: int
    description: str

    @property
    def key(self) -> tuple[str, int, str, str, str]:
        """The key of the charge on its invoice; a line's key includes its utility type."""
        line, utility = self.line or 0, self.utility_type or ""
        return self.bill_id or self.own or "", line, self.corrects_month or "", self.corrects_tenant or "", utility


class SeenInvoice(NamedTuple):
    """An invoice before or after a change, with its amounts in cents."""

    id: str
    property_id: str
    month: str
    unit_id: str
    sequence: int
    number: str
    replaces_number: str | None
    status: str
    invoice_date: str
    due_date: str | None
    payment_status: str
    tenant_id: str | None
    tenant_name: str | None
    total: int
    paid_amount: int
    charges: tuple[SeenCharge, ...] = ()

    @property
    def place(self) -> Place:
        """The key of the invoice: property, month, unit and sequence."""
        return self.property_id, self.month, self.unit_id, self.sequence


class SeenMonth(NamedTuple):
    """A property's month, with the owner's part of the month's bill lines in cents."""

    property_id: str
    month: str
    is_closed: bool
    is_pending: bool
    owner: int

    @property
    def key(self) -> MonthKey:
        """The key of the month: the property's id, and the month."""
        return self.property_id, self.month


class SeenCorrection(NamedTuple):
    """A correction of a line of a month for a household, in cents."""

    property_id: str
    month: str
    unit_id: str
    tenant_id: str
    bill_id: str
    line: int
    utility_type: str | None
    right: int
    issued: int
    waiting: int
    placed: int
    left_to_owner: int
    carrier: str | None
    description: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """The key of the correction: its property, month, household and bill line."""
        return self[:6]


class Seen(NamedTuple):
    """The months that a change affects, as they are before or after the change.

    This includes their invoices and corrections. `units` maps the ids of the properties' units to labels, and
    `tenants` the ids of all tenants to names. `bills` are the ids of the bills of charges and corrections.
    """

    months: Mapping[MonthKey, SeenMonth]
    invoices: Mapping[Place, SeenInvoice]
    corrections: Mapping[tuple[str, str, str, str, str, int], SeenCorrection]
    units: Mapping[str, str]
    tenants: Mapping[str, str]
    bills: frozenset[str] = frozenset()


class ChangedCharge(NamedTuple):
    """A charge before and after a change; None where the charge doesn't exist."""

    before: SeenCharge | None
    after: SeenCharge | None

    @property
    def shown(self) -> SeenCharge:
        """The new charge, or the old one if the charge is removed."""
        return _there(self.after or self.before)

    @property
    def amount(self) -> Moved:
        """The amount charged, in cents, before and after."""
        return Moved(self.before.amount if self.before else 0, self.after.amount if self.after else 0)


class ChangedInvoice(NamedTuple):
    """An invoice before and after a change, with all its charges; None where missing."""

    before: SeenInvoice | None
    after: SeenInvoice | None
    charges: tuple[ChangedCharge, ...]

    @property
    def shown(self) -> SeenInvoice:
        """The new invoice, or the old one if the invoice is removed."""
        return _there(self.after or self.before)

    @property
    def total(self) -> Moved:
        """The cents that the invoice requests, before and after; zero if it is cancelled."""
        return Moved(_asked(self.before), _asked(self.after))


class ChangedMonth(NamedTuple):
    """A changed month of a property, with the month's changed invoices.

    `waiting` are the pending corrections of late bills that belong to no unit, and that the owner will bear.
    """

    before: SeenMonth | None
    after: SeenMonth | None
    invoices: tuple[ChangedInvoice, ...]
    waiting: Moved

    @property
    def shown(self) -> SeenMonth:
        """The new month, or the old one if the month is removed."""
        return _there(self.after or self.before)

    @property
    def owner(self) -> Moved:
        """The owner's part of the month's bill lines, before and after the change."""
        return Moved(self.before.owner if self.before else 0, self.after.owner if self.after else 0)

    @property
    def owner_in_all(self) -> Moved:
        """The owner's part of the month's bill lines, with the pending part of late ones."""
        return _sum((self.owner, self.waiting))

    @property
    def total(self) -> Moved:
        """The sum that the month's changed invoices request, before and after."""
        return _sum(invoice.total for invoice in self.invoices)


class ChangedCorrection(NamedTuple):
    """A correction before and after a change; None where the correction doesn't exist."""

    before: SeenCorrection | None
    after: SeenCorrection | None

    @property
    def shown(self) -> SeenCorrection:
        """The new correction, or the old one if the correction is removed."""
        return _there(self.after or self.before)

    @property
    def moves(self) -> bool:
        """True if any amount of the correction changes, rather than only its other contents."""
        was, now = (one and one._replace(carrier=None, description="") for one in (self.before, self.after))
        return was != now

    @property
    def waiting(self) -> Moved:
        """The amount of the pending correction in cents, before and after the change."""
        return Moved(self.before.waiting if self.before else 0, self.after.waiting if self.after else 0)


class Sum(NamedTuple):
    """The amounts charged to a unit or tenant in the changed months, before and after.

    `asked` is the amount on invoices, and `waiting` the amount of pending corrections. If there is no tenant, the
    invoices have no addressee. If there is no unit, these are the owner's part of the months and the pending
    amounts that belong to no unit.
    """

    property_id: str
    unit_id: str
    tenant_id: str | None
    asked: Moved
    waiting: Moved

    @property
    def borne(self) -> Moved:
        """The sum of the requested and the pending amounts, before and after."""
        return _sum((self.asked, self.waiting))


class Preview(NamedTuple):
    """The effects of changes: changed months, earliest first, with sums and corrections.

    The sums cover the changed months: `units` per unit, `households` per household, and `owners` per property, for
    the owner's part. `known` are the ids and invoice numbers that existed before the changes.
    """

    months: tuple[ChangedMonth, ...]
    units: tuple[Sum, ...]
    households: tuple[Sum, ...]
    owners: Mapping[str, Sum]
    corrections: tuple[ChangedCorrection, ...]
    labels: Mapping[str, str]
    names: Mapping[str, str]
    known: frozenset[str]

    @property
    def tenants(self) -> tuple[Sum, ...]:
        """The sums of the households that have a tenant."""
        return tuple(household for household in self.households if household.tenant_id)

    @property
    def owners_in_all(self) -> Mapping[str, Moved]:
        """The amount that the owner bears for each property, including its vacant units."""
        empty = grouped((one.property_id, one.borne) for one in self.households if not one.tenant_id)
        return {of: _sum((owner_sum.borne, *empty[of])) for of, owner_sum in self.owners.items()}

    @property
    def month_names(self) -> frozenset[str]:
        """The changed months of all properties."""
        return frozenset(month.shown.month for month in self.months)

    @property
    def houses(self) -> frozenset[str]:
        """The ids of the properties with changed months."""
        return frozenset(month.shown.property_id for month in self.months)

    @property
    def moved(self) -> tuple[ChangedCorrection, ...]:
        """The corrections whose amounts changed."""
        return tuple(correction for correction in self.corrections if correction.moves)

    @property
    def corrected(self) -> int:
        """The number of households whose corrections changed."""
        shown = (correction.shown for correction in self.moved)
        return len({(one.property_id, one.unit_id, one.tenant_id) for one in shown if one.tenant_id})


def compared(before: Seen, after: Seen) -> Preview:
    """Compare the affected months as they are before and after a change.

    >>> ann = SeenInvoice("inv_1", "p", "2026-03", "u", 0, "N-1", None, "DRAFT", "2026-03-01", None, "PENDING", "t",
    ...                   "Ann", 50_00, 0, (SeenCharge(None, "bill_1", 1, None, None, "WATER", 50_00, "half"),))
    >>> less = ann._replace(total=40_00, charges=(ann.charges[0]._replace(amount=40_00),))
    >>> march = SeenMonth("p", "2026-03", False, False, 0)
    >>> was = Seen({march.key: march}, {ann.place: ann}, {}, {"u": "1A"}, {"t": "Ann"})
    >>> shown = compared(was, was._replace(months={march.key: march._replace(owner=10_00)}, invoices={ann.place: less}))
    >>> [(one.asked, one.asked.difference) for one in shown.households], shown.owners["p"].asked.difference
    ([(Moved(before=5000, after=4000), -1000)], 1000)
    """
    invoices = [_changed(*pair) for pair in _pairs(before.invoices, after.invoices)]
    corrections = tuple(ChangedCorrection(*pair) for pair in _pairs(before.corrections, after.corrections))
    months = tuple(_months(before, after, invoices, corrections))
    in_months = {month.shown.key for month in months}
    owners = {
        of: Sum(of, "", None, _sum(month.owner for month in some), _sum(month.waiting for month in some))
        for of, some in grouped((month.shown.property_id, month) for month in months).items()
    }
    there = before.invoices.values()
    known = {name for invoice in there for name in (invoice.id, invoice.number, invoice.replaces_number) if name}
    changed = [*_sides(invoices), *_sides(correction for correction in corrections if correction.moves)]
    return Preview(
        months,
        _sums(before, after, in_months, changed, by_tenant=False),
        _sums(before, after, in_months, changed, by_tenant=True),
        owners,
        corrections,
        {**before.units, **after.units},
        {**before.tenants, **after.tenants},
        frozenset(known | before.units.keys() | before.tenants.keys() | before.bills),
    )


def _months(
    before: Seen, after: Seen, invoices: Sequence[ChangedInvoice], corrections: Sequence[ChangedCorrection]
) -> Iterator[ChangedMonth]:
    by_month = grouped((invoice.shown.place[:2], invoice) for invoice in invoices)
    waited, waits = (
        added_up((one.key[:2], one.waiting) for one in side.corrections.values() if not one.unit_id)
        for side in (before, after)
    )
    changed = {_there(now or was).key for was, now in _pairs(before.months, after.months)}
    changed.update(correction.shown.key[:2] for correction in corrections if correction.moves)
    for key in sorted(changed | by_month.keys(), key=lambda month_key: (month_key[1], month_key[0])):
        of_month = sorted(by_month[key], key=lambda changed_invoice: changed_invoice.shown.place)
        waiting = Moved(waited[key], waits[key])
        yield ChangedMonth(before.months.get(key), after.months.get(key), tuple(of_month), waiting)


def _changed(before: SeenInvoice | None, after: SeenInvoice | None) -> ChangedInvoice:
    was, now = ({charge.key: charge for charge in invoice.charges} if invoice else {} for invoice in (before, after))
    charges = (ChangedCharge(was.get(key), now.get(key)) for key in dict.fromkeys([*was, *now]))
    return ChangedInvoice(before, after, tuple(charges))


def _pairs(before: Mapping[Key, Row], after: Mapping[Key, Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Yield each pair of differing records, before and after; None for a missing one."""
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        if was != now:
            yield was, now


def _sides(changed: Iterable[ChangedInvoice] | Iterable[ChangedCorrection]) -> Iterator[SeenInvoice | SeenCorrection]:
    """Yield the old and the new record of each change, leaving out missing ones."""
    return (side for pair in changed for side in (pair.before, pair.after) if side)


def _sums(
    before: Seen, after: Seen, months: Container[MonthKey], changed: Iterable[SeenInvoice | SeenCorrection], *,
    by_tenant: bool,
) -> tuple[Sum, ...]:  # fmt: skip
    """Sum the requested and pending amounts of the changed months, by unit or by tenant.

    Only the units and tenants to which a changed invoice or correction is addressed are listed.
    """

    def whose(side: SeenInvoice | SeenCorrection) -> tuple[str, str, str]:
        return side.property_id, side.unit_id, (side.tenant_id or "") if by_tenant else ""

    sides = (before, after)
    was, now = (
        added_up((whose(invoice), _asked(invoice)) for invoice in side.invoices.values() if invoice.place[:2] in months)
        for side in sides
    )
    waited, waits = (
        added_up(
            (whose(correction), correction.waiting)
            for correction in side.corrections.values()
            if correction.key[:2] in months
        )
        for side in sides
    )
    return tuple(
        Sum(key[0], key[1], key[2] or None, Moved(was[key], now[key]), Moved(waited[key], waits[key]))
        for key in sorted({whose(its_side) for its_side in changed if its_side.unit_id})
    )


def _asked(invoice: SeenInvoice | None) -> int:
    return 0 if invoice is None or invoice.status == CANCELLED else invoice.total


def _sum(moved: Iterable[Moved]) -> Moved:
    all_of = list(moved)
    return Moved(sum(one.before for one in all_of), sum(one.after for one in all_of))


def _there(row: Row | None) -> Row:
    assert row is not None, "what changes was there, or will be"
    return row
