"""Carried credits: a household's overpayment settles its other invoices, oldest first.

See docs/decisions.md#a-tenants-balance. Amounts are in cents. Arrears never move: they stay on their invoice.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, month_of
from prorata.domain.groups import grouped
from prorata.domain.splitting.stays import Stay, households, of_month


class Holding(NamedTuple):
    """An invoice with its total and the amount paid on the invoice, in cents.

    `household` are the tenants of the invoice's household, according to the stays known for the invoice's month.
    Sorting invoices by `order` puts the oldest first. `is_issued` is set while the invoice is sent, paid or
    overdue. `has_room` is set if the invoice's ledger can take more entries.
    """

    id: str
    unit_id: str
    tenant_id: str | None
    household: frozenset[str]
    order: tuple[str, int, str]
    is_issued: bool
    total: int
    paid: int
    has_room: bool = True

    def is_of_household(self, other: "Holding") -> bool:
        """True if two invoices of a unit belong to one household.

        The tenant of each invoice must be in the household of the other invoice.
        """
        return other.tenant_id in self.household and self.tenant_id in other.household


class Carry(NamedTuple):
    """A positive credit carried between two invoices; `id` is empty until it is stored."""

    id: str
    giver: str
    taker: str
    amount: int


class Settled(NamedTuple):
    """The invalid carries to take back, and the new carries to make after that."""

    taken_back: tuple[Carry, ...] = ()
    made: tuple[Carry, ...] = ()


def household_of(tenant_id: str | None, stays: Sequence[Stay]) -> frozenset[str]:
    """Return the tenants of a tenant's household in a unit, including that tenant.

    `stays` are the unit's known stays. In the example, each stay has a tenant, a move-in date and a move-out date.

    >>> stays = [Stay("ann", None, date(2026, 3, 31)), Stay("bo", date(2026, 3, 1), None)]
    >>> sorted(household_of("ann", stays)), sorted(household_of("eve", stays))
    (['ann', 'bo'], ['eve'])
    """
    if tenant_id is None:
        return frozenset()
    its = (household.tenant_ids for household in households(stays) if tenant_id in household.tenant_ids)
    return frozenset(next(its, (tenant_id,)))


def roommates(tenant_id: str, stays: Sequence[Stay], month: Month) -> frozenset[str]:
    """Return the other tenants who share the tenant's invoice for a month.

    >>> stays = [Stay("ann", None, date(2026, 3, 31)), Stay("bo", date(2026, 3, 1), None)]
    >>> [sorted(roommates("ann", stays, Month(month))) for month in ("2026-02", "2026-03", "2026-04")]
    [[], ['bo'], []]

    Once all of the household have left, those who lived there in its last month share its later invoices:

    >>> sorted(roommates("ann", [stays[0], stays[1]._replace(last=date(2026, 3, 20))], Month("2026-04")))
    ['bo']
    """
    its = household_of(tenant_id, stays)
    last = max((stay.end for stay in stays if stay.tenant_id in its), default=date.max)
    days = of_month(min(month, month_of(last)))
    there = {stay.tenant_id for stay in stays if stay.tenant_id in its and days.within(stay.first, stay.last)}
    return frozenset(there - {tenant_id}) if tenant_id in there else frozenset()


def has_left(tenant_id: str, stays: Sequence[Stay], today: date) -> bool:
    """True if nobody from a tenant's household still lives in the unit.

    >>> stays = [Stay("ann", None, date(2026, 3, 31)), Stay("bo", date(2026, 3, 1), None)]
    >>> has_left("ann", stays, date(2026, 5, 1)), has_left("ann", stays[:1], date(2026, 5, 1))
    (False, True)
    """
    its = household_of(tenant_id, stays)
    return all(stay.end < today for stay in stays if stay.tenant_id in its)


def settle(holdings: Iterable[Holding], carries: Iterable[Carry], *, makes: bool = True) -> Settled:
    """Settle credits: take back invalid carries, then make new ones.

    A carry is taken back if one of its two invoices is not issued, or if the overpayment of the giving invoice no
    longer covers all carries from it; the newest carries are then taken back first. Then, if the account `makes`
    carries, overpayments settle debts. `holdings` must include every invoice of the units that has a carry, or on
    which too much or too little is paid.

    The March invoice of $100.00 received $150.00, and the April invoice asks for $80.00:

    >>> march = Holding("march", "u1", "ann", frozenset(["ann"]), ("2026-03", 0, ""), True, 100_00, 150_00)
    >>> april = Holding("april", "u1", "ann", frozenset(["ann"]), ("2026-04", 0, ""), True, 80_00, 0)
    >>> settle([march, april], []).made
    (Carry(id='', giver='march', taker='april', amount=5000),)
    """
    known = {holding.id: holding for holding in holdings}
    paid = {holding.id: holding.paid for holding in known.values()}
    taken_back = _take_back(known, paid, carries)
    return Settled(tuple(taken_back), tuple(_make(known, paid)) if makes else ())


def _take_back(known: dict[str, Holding], paid: dict[str, int], carries: Iterable[Carry]) -> list[Carry]:
    given = grouped(
        (carry_given.giver, carry_given) for carry_given in sorted(carries, key=lambda carry: carry.id, reverse=True)
    )
    taken_back, waiting = list[Carry](), list(given)
    while waiting:
        giver = known[waiting.pop()]
        for carry_back in tuple(given[giver.id]):
            are_issued = giver.is_issued and known[carry_back.taker].is_issued
            if are_issued and paid[giver.id] >= giver.total:
                continue
            given[giver.id].remove(carry_back)
            paid[giver.id] += carry_back.amount
            paid[carry_back.taker] -= carry_back.amount
            taken_back.append(carry_back)
            if carry_back.taker in given:  # a credit carried on from there may no longer be covered
                waiting.append(carry_back.taker)
    return taken_back


def _make(known: dict[str, Holding], paid: dict[str, int]) -> Iterable[Carry]:
    in_order = sorted(known.values(), key=lambda holding: holding.order)
    takers = grouped(
        (its_taker.unit_id, its_taker) for its_taker in in_order if its_taker.is_issued and its_taker.has_room
    )
    for giver in in_order:
        if not (giver.is_issued and giver.has_room):
            continue
        for taker in takers[giver.unit_id]:
            amount = min(paid[giver.id] - giver.total, taker.total - paid[taker.id])
            if amount > 0 and giver.is_of_household(taker):
                paid[giver.id] -= amount
                paid[taker.id] += amount
                yield Carry("", giver.id, taker.id, amount)
