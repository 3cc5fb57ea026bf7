"""The check of `prorata check` that open months charge each household the right amount."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prorata.actions.overview.consistency_checks_of_months import StoredMonth
from prorata.domain.groups import grouped
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.money import in_figures
from prorata.domain.splitting.divided_months import HouseholdKey
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.rights import Rights, rights

_Whose = tuple[str, HouseholdKey]
"""A unit and a household in it; without a tenant, the unit is vacant."""


class _Asked(NamedTuple):
    """The amounts that a month's invoices charge each household.

    It also contains the households and units to leave out because one of their invoices is cancelled.
    """

    sums: Mapping[_Whose, Mapping[LineKey, int]]
    without: frozenset[_Whose]
    without_units: frozenset[str]


def of_rights(month: StoredMonth) -> Iterator[str]:
    """Yield a sentence for each household whose invoices don't sum to its shares.

    Only an open month is checked, with all of its invoices, sent or not. A household with a cancelled invoice is left
    out, because the owner bears that invoice. A unit with a cancelled invoice to a tenant who does not live there is
    also left out, because that invoice stands in for the household that lives there.
    """
    if month.loaded.row.is_closed:
        return
    right = rights(month.facts)
    wanted: dict[_Whose, Mapping[LineKey, int]] = {**right.of_households}
    wanted |= {(unit_id, ()): lines for unit_id, lines in right.unlived.items()}
    asked = _asked(month, right)
    for whose in sorted(wanted.keys() | asked.sums.keys()):
        unit_id, household = whose
        if whose in asked.without or unit_id in asked.without_units or not (household or whose in asked.sums):
            continue  # a vacant unit's share is the owner's if its invoice is a tenant's
        is_right, is_asked = (
            {key: cents for key, cents in of.get(whose, {}).items() if cents} for of in (wanted, asked.sums)
        )
        if is_right != is_asked:
            yield (
                f"In {month.name}, unit {unit_id}, the household of {', '.join(household) or 'nobody'} is charged "
                f"{in_figures(sum(is_asked.values()))} in total, but {in_figures(sum(is_right.values()))} would "
                "be right."
            )


def _asked(month: StoredMonth, right: Rights) -> _Asked:
    households = grouped(right.of_households)
    sums = defaultdict[_Whose, dict[LineKey, int]](lambda: defaultdict(int))
    without, without_units = set[_Whose](), set[str]()
    for invoice in month.invoices:
        own: HouseholdKey = (invoice.tenant_id,) if invoice.tenant_id else ()
        key = next((household for household in households[invoice.unit_id] if set(own) & set(household)), own)
        if invoice.status == CANCELLED:
            without.add((invoice.unit_id, key))
            if key not in households[invoice.unit_id]:
                without_units.add(invoice.unit_id)
            continue
        for charge in month.charges[invoice.id]:
            if charge.bill_id is not None and charge.corrects_month is None:
                sums[invoice.unit_id, key][charge.bill_id, charge.line or 0] += charge.amount
    return _Asked(sums, frozenset(without), frozenset(without_units))
