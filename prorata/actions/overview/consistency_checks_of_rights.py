"""What `prorata check` verifies of who bears what: an open month asks of each household what is right, in sum."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from prorata.actions.overview.consistency_checks_of_months import StoredMonth
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.money import in_figures
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.planned_invoices import HouseholdKey, rights

_Whose = tuple[str, HouseholdKey]
"""A unit and a household of it; nobody's has no tenant."""


def of_rights(month: StoredMonth) -> Iterator[str]:
    """A sentence for every household whose invoices of an open month, sent or not, don't sum to what it bears.

    One whose invoice is cancelled bears nothing while that lasts, and is left out.
    """
    if month.loaded.row.is_closed:
        return
    right = rights(month.facts)
    wanted: dict[_Whose, Mapping[LineKey, int]] = {**right.of_households}
    wanted |= {(unit_id, ()): lines for unit_id, lines in right.unlived.items()}
    households = defaultdict[str, list[HouseholdKey]](list)
    for unit_id, household in right.of_households:
        households[unit_id].append(household)
    asked = defaultdict[_Whose, dict[LineKey, int]](lambda: defaultdict(int))
    cancelled = set[_Whose]()
    for invoice in month.invoices:
        own: HouseholdKey = (invoice.tenant_id,) if invoice.tenant_id else ()
        key = next((one for one in households[invoice.unit_id] if set(own) & set(one)), own)
        if invoice.status == CANCELLED:
            cancelled.add((invoice.unit_id, key))
            continue
        for charge in month.charges[invoice.id]:
            if charge.bill_id is not None:
                asked[invoice.unit_id, key][charge.bill_id, charge.line or 0] += charge.amount
    for unit_id, household in wanted.keys() | asked.keys():
        if (unit_id, household) in cancelled or (not household and (unit_id, ()) not in asked):
            continue  # what falls on a unit in which nobody lived is the owner's where its invoice is somebody's
        is_right = {key: cents for key, cents in wanted.get((unit_id, household), {}).items() if cents}
        is_asked = {key: cents for key, cents in asked.get((unit_id, household), {}).items() if cents}
        if is_right != is_asked:
            yield (
                f"In {month.name}, unit {unit_id}, the household of {', '.join(household) or 'nobody'} is asked "
                f"{in_figures(sum(is_asked.values()))} in all, and {in_figures(sum(is_right.values()))} is right."
            )
