"""The households to which a closed month's invoices belong according to current facts.

The owner bears cancelled invoices and invoices without an addressee.
"""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence

from prorata.domain.invoice_states import CANCELLED
from prorata.domain.splitting.divided_months import HouseholdKey
from prorata.domain.splitting.invoice_sequences import (
    StoredInvoice,
    is_of,
    stands_for_the_unit,
    whose_first,
    with_those_gone,
)
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.stays import Household, UnitFacts, households_of

NOBODYS: HouseholdKey = ()


class OwnInvoices:
    """The stored invoices of a month by unit.

    `with_email` are the tenants who have an e-mail address.
    """

    def __init__(
        self, facts: MonthFacts, of_units: Mapping[str, Sequence[StoredInvoice]], with_email: Container[str]
    ) -> None:
        self._month = facts.month
        self._units = {unit.unit_id: unit for unit in facts.units}
        self._of_units = of_units
        self._with_email = with_email

    def is_nobodys(self, unit_id: str, line: LineKey) -> bool:
        """True if a unit's part of a line is on an invoice without an addressee.

        If the part is not charged yet, the result tells whether its invoice would have no addressee.
        """
        stored = self._of_units.get(unit_id, ())
        first = next((invoice for invoice in stored if not invoice.sequence), None)
        if first is not None and line in first.charged:
            return first.tenant_id is None
        return not self._whose_first(unit_id, stored, self._households(unit_id, stored))

    def cancelled(self) -> tuple[set[tuple[str, HouseholdKey, LineKey]], set[tuple[str, HouseholdKey]]]:
        """Return the charges of cancelled invoices, and the households with no other invoices.

        The first set has a unit, household and line for each charge of a cancelled invoice. In the second set, an
        invoice with only corrections doesn't count as another invoice, because its charges belong to other months.
        """
        charged, alone = set[tuple[str, HouseholdKey, LineKey]](), set[tuple[str, HouseholdKey]]()
        for unit_id, stored in self._of_units.items():
            if not any(invoice.status == CANCELLED for invoice in stored):
                continue
            statuses: dict[HouseholdKey, set[str]] = defaultdict(set)
            for invoice, household in self._by_household(unit_id, stored):
                if invoice.status == CANCELLED:
                    charged.update((unit_id, household, line) for line in invoice.charged)
                if invoice.charged or not invoice.corrected:
                    statuses[household].add(invoice.status)
            alone.update((unit_id, household) for household, those in statuses.items() if those == {CANCELLED})
        return charged, alone

    def _by_household(
        self, unit_id: str, stored: Sequence[StoredInvoice]
    ) -> Iterator[tuple[StoredInvoice, HouseholdKey]]:
        """Yield each invoice with the household of its addressee.

        If the addressee of a cancelled invoice has no stay in the unit, the invoice may count for the household
        that has the unit (`stands_for_the_unit`). The invoice is then yielded again, with that household.
        """
        of_unit = self._households(unit_id, stored)
        for invoice in stored:
            yield invoice, next((_key(its) for its in of_unit if is_of(its, invoice.tenant_id)), NOBODYS)
            if stands_for_the_unit(invoice, self._unit(unit_id)):
                yield invoice, self._whose_first(unit_id, stored, of_unit)

    def _whose_first(self, unit_id: str, stored: Sequence[StoredInvoice], of_unit: Sequence[Household]) -> HouseholdKey:
        household = whose_first(self._month, self._unit(unit_id), of_unit, stored, self._with_email)
        return NOBODYS if household is None else _key(household)

    def _households(self, unit_id: str, stored: Sequence[StoredInvoice]) -> Sequence[Household]:
        unit = self._unit(unit_id)
        return with_those_gone(unit, households_of(unit), (invoice.tenant_id for invoice in stored))

    def _unit(self, unit_id: str) -> UnitFacts:
        """Find a unit among those that take part in the month.

        If the unit takes no part any more, the result is a unit without stays.
        """
        return self._units.get(unit_id) or UnitFacts(unit_id, "", None, None, None, None)


def _key(household: Household) -> HouseholdKey:
    return tuple(sorted(household.tenant_ids))
