"""The household and addressee of each invoice of a unit and month.

An invoice is identified within its unit and month by its sequence, which never changes. The unit's own invoice has
sequence 0.
"""

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.invoice_states import CANCELLED, DRAFT
from prorata.domain.splitting.planned_charges import CorrectionKey, LineKey
from prorata.domain.splitting.stays import NOBODY, Household, Stay, UnitFacts, households, of_month


class StoredInvoice(NamedTuple):
    """A stored invoice of a unit and month.

    `is_held` is set if the invoice has payments or custom charges. `charged` are the cents that the invoice
    charges by line, and `corrected` the cents that it charges by correction. When a month is planned, both are
    empty for a draft, and `corrected` is empty for every invoice of an open month. When a closed month's
    corrections are computed, drafts have both too.
    """

    sequence: int
    status: str
    tenant_id: str | None
    was_issued: bool = False
    is_held: bool = False
    charged: Mapping[LineKey, int] = {}
    corrected: Mapping[CorrectionKey, int] = {}

    @property
    def is_issued(self) -> bool:
        """True if the invoice is issued now, so that its charges are fixed."""
        return self.status not in (DRAFT, CANCELLED)


def arrange(
    month: Month,
    unit: UnitFacts,
    of_unit: Sequence[Household],
    wanted: Callable[[Household], bool],
    stored: Sequence[StoredInvoice],
    with_email: Container[str] = (),
    corrected: Collection[Household] = (),
) -> dict[int, Household | None]:
    """Assign a household to each draft of a unit and month, by sequence.

    The unit's own invoice, sequence 0, goes to the household that has the unit at the end of the month
    (`whose_first`), or to nobody if no stay overlaps the month. The invoice keeps its household if it was issued,
    or if it is held and the household still exists. Other issued or held invoices keep their households too. The
    other households that need an invoice (`wanted`) take the next free sequences in order of their first days. A
    household whose only invoice is cancelled gets no draft, unless it is in `corrected`: the households with
    corrections of earlier months.
    """
    by_sequence = {invoice.sequence: invoice for invoice in stored}
    first = by_sequence.get(0)
    if unit.former is not None:
        return {} if first is not None and first.status != DRAFT else {0: NOBODY}
    whose = {invoice.sequence: _of(invoice.tenant_id, of_unit) for invoice in stored}
    kept = {invoice.sequence for invoice in stored if _keeps(invoice, whose[invoice.sequence], unit)}
    places: dict[int, Household | None] = {}
    holder = whose[0] = whose_first(month, unit, of_unit, stored, with_email)
    if 0 not in kept or by_sequence[0].status == DRAFT:
        places[0] = holder
    placed = [holder] if 0 in places and holder is not None else []
    for sequence in sorted(by_sequence, key=lambda at: (at not in kept, at)):
        household = whose[sequence]
        if not sequence or by_sequence[sequence].status != DRAFT or household is None or household in placed:
            continue
        if sequence in kept or wanted(household):
            places[sequence] = household
            placed.append(household)
    issued = {whose[invoice.sequence] for invoice in stored if invoice.is_issued}
    cancelled = {whose[invoice.sequence] for invoice in stored if invoice.status == CANCELLED} - issued
    taken = kept | places.keys() | {0}
    for household in sorted(of_unit, key=lambda household_living: household_living.order):
        if household not in placed and (household not in cancelled or household in corrected) and wanted(household):
            sequence = next(at for at in range(1, len(taken) + 1) if at not in taken)
            places[sequence] = household
            taken.add(sequence)
    return places


def whose_first(
    month: Month,
    unit: UnitFacts,
    of_unit: Sequence[Household],
    stored: Sequence[StoredInvoice],
    with_email: Container[str] = (),
) -> Household | None:
    """Find the household of a unit's own invoice of a month, existing or not.

    If the invoice keeps its household, return that household. Otherwise, return the household that has the whole
    unit at the end of the month (`_of_whole_unit`), without regard to households that keep other invoices.
    """
    whose = {invoice.sequence: _of(invoice.tenant_id, of_unit) for invoice in stored}
    kept = {invoice.sequence: invoice for invoice in stored if _keeps(invoice, whose[invoice.sequence], unit)}
    if 0 in kept and not stands_for_the_unit(kept[0], unit):
        return whose[0]
    elsewhere = [household for at in kept if at and (household := whose[at]) is not None]
    return _of_whole_unit(month, unit.stays, of_unit, elsewhere, with_email)


def is_free(invoice: StoredInvoice) -> bool:
    """True if a stored invoice is a draft that may go to another household."""
    return invoice.status == DRAFT and not invoice.was_issued and not invoice.is_held


def stands_for_the_unit(first: StoredInvoice, unit: UnitFacts) -> bool:
    """True if a cancelled invoice now counts for the household that has the unit.

    This is so for the unit's own invoice if it was cancelled as a draft and its addressee has no stay in the unit.
    """
    lives = any(stay.tenant_id == first.tenant_id for stay in unit.stays)
    return first.status == CANCELLED and not first.was_issued and not first.sequence and not lives


def _keeps(invoice: StoredInvoice, household: Household | None, unit: UnitFacts) -> bool:
    """True if a stored invoice keeps its sequence and household regardless of the unit's changes."""
    if invoice.status != DRAFT or invoice.was_issued:
        return True
    return invoice.is_held and (invoice.sequence > 0 or _lives(household, unit))


def _lives(household: Household | None, unit: UnitFacts) -> bool:
    return household is not None and household.stays[0] in unit.stays


def _of_whole_unit(
    month: Month,
    stays: Sequence[Stay],
    of_unit: Sequence[Household],
    elsewhere: Collection[Household],
    with_email: Container[str],
) -> Household | None:
    """Find the household that has the whole unit at the end of a month.

    The unit's own invoice goes to this household. Households with invoices `elsewhere` are ignored.

    Of the stays that overlap the month, those that include the month's last day are considered; if there are none,
    those that ended last. The earliest of these stays whose tenant has an e-mail address decides, or else the
    earliest of all. Return None if no stay overlaps the month.
    """
    days = of_month(month)
    others = [stay for stay in stays if not any(stay in household.stays for household in elsewhere)]
    touching = [stay for stay in others if days.within(stay.first, stay.last)]
    chosen = _choice(touching, days.last, with_email)
    return None if chosen is None else _of(chosen.tenant_id, of_unit)


def addressee(month: Month, household: Household, with_email: Container[str]) -> str | None:
    """Return the tenant to whom a household's invoice is addressed.

    The tenants considered are those who were there on the household's last day in the month. If the household came only
    after the month, they are those who were there on its first day. Of these, the addressee is the first to move in who
    has an e-mail address, or otherwise the first to move in.
    """
    if len(household.stays) == 1:
        return household.stays[0].tenant_id
    until = max(min(household.last, of_month(month).last), household.first) if household.stays else date.max
    chosen = _choice([stay for stay in household.stays if stay.begin <= until], until, with_email)
    return None if chosen is None else chosen.tenant_id


def addressee_now(
    month: Month,
    stays: Sequence[Stay],
    sequence: int,
    tenant_id: str | None,
    with_email: Container[str],
    beside: Collection[str] = (),
) -> str | None:
    """Find the present addressee of an unsent draft that was addressed to `tenant_id`.

    `stays` are those in the unit. If the household of `tenant_id` still exists, the addressee is one of its
    tenants. If the household is gone, the unit's own invoice goes to the household that has the unit now, and any
    other invoice keeps its addressee. `beside` are tenants with other invoices of the unit; the unit's own invoice
    doesn't go to their households.
    """
    of_unit = households(stays) if stays else ()
    household = _of(tenant_id, of_unit) if tenant_id else None
    if household is None and not sequence:
        elsewhere = [
            household_elsewhere
            for household_elsewhere in of_unit
            if any(is_of(household_elsewhere, tenant) for tenant in beside)
        ]
        household = _of_whole_unit(month, stays, of_unit, elsewhere, with_email)
    return addressee(month, household, with_email) if household else tenant_id if sequence else None


def _choice(stays: Sequence[Stay], until: date, with_email: Container[str]) -> Stay | None:
    if not stays:
        return None
    leaves = max(min(stay.end, until) for stay in stays)
    last = [stay for stay in stays if min(stay.end, until) == leaves]
    return min(last, key=lambda stay: (stay.tenant_id not in with_email, stay.begin, stay.tenant_id))


def is_of(household: Household, tenant_id: str | None) -> bool:
    """True if a household includes a tenant.

    It is also true for the household of an older snapshot, which has no stays.
    """
    return household == NOBODY or tenant_id in household.tenant_ids


def _of(tenant_id: str | None, of_unit: Iterable[Household]) -> Household | None:
    return next((household for household in of_unit if is_of(household, tenant_id)), None)


def with_those_gone(
    unit: UnitFacts, of_unit: Sequence[Household], tenant_ids: Iterable[str | None]
) -> Sequence[Household]:
    """Return a unit's households, and one for each tenant without a stay there.

    `tenant_ids` may also contain tenants with a stay, who belong to a household already.
    """
    gone = {tenant_id for tenant_id in tenant_ids if tenant_id} - {stay.tenant_id for stay in unit.stays}
    return (*of_unit, *map(_without_a_stay, sorted(gone))) if gone and not unit.former else of_unit


def _without_a_stay(tenant_id: str) -> Household:
    """Build the household of a tenant without a stay, for whom only issued amounts remain."""
    return Household((Stay(tenant_id, date.max, date.min),))
