"""A property-month as invoices: one per unit, and one per other household with charges.

An invoice's sequence, which never changes, identifies it among a unit's invoices of a month.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from prorata.domain.invoice_states import CANCELLED
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import in_words
from prorata.domain.splitting.divided_months import DividedLine, Entry, HouseholdKey, divided_month, share_in_words
from prorata.domain.splitting.invoice_sequences import (
    StoredInvoice,
    addressee,
    arrange,
    is_free,
    is_of,
    with_those_gone,
)
from prorata.domain.splitting.month_facts import CarriedCorrection, MonthFacts
from prorata.domain.splitting.planned_charges import CorrectionKey, LineKey, PlannedCharge
from prorata.domain.splitting.stays import Household, UnitFacts, of_month


class PlannedInvoice(NamedTuple):
    """A draft's addressee and charges.

    `household` are the tenants to whom the invoice may be addressed, or None if the invoice must have no
    addressee. The household is empty if the facts are from an older snapshot; the invoice then keeps its
    addressee.
    """

    tenant_id: str | None
    charges: tuple[PlannedCharge, ...]
    household: HouseholdKey | None = ()

    def is_for(self, tenant_id: str | None) -> bool:
        """True if an invoice with this addressee, or without any, belongs to the draft's household."""
        return tenant_id is None if self.household is None else not self.household or tenant_id in self.household


class PlannedMonth(NamedTuple):
    """A month's drafts by unit and sequence, the owner's parts, and missing facts.

    `missing` contains (unit id, utility type) for each measure that a rule needs and nobody has entered.
    """

    drafts: Mapping[tuple[str, int], PlannedInvoice]
    owner: Mapping[LineKey, int]
    missing: frozenset[tuple[str, str]]


def plan_month(
    facts: MonthFacts,
    stored: Mapping[str, Sequence[StoredInvoice]],
    with_email: Container[str] = (),
    write: Forms = PLAIN,
) -> PlannedMonth:
    """Plan a month's drafts, given the invoices `stored` for it.

    `stored` are the month's invoices by unit id. `with_email` are the tenants who have an e-mail address. For
    every line, the charges of drafts and issued invoices and the owner's part sum to the line. Corrections of
    earlier months are separate.
    """
    divided = divided_month(facts, write)
    owner = {(line.bill_id, line.number): line.amount for line in facts.lines}
    drafts: dict[tuple[str, int], PlannedInvoice] = {}
    gone = stored.keys() - divided.units.keys()
    left = sorted(unit_id for unit_id in gone if any(stored_invoice.is_issued for stored_invoice in stored[unit_id]))
    corrections: dict[str, list[CarriedCorrection]] = {}
    for correction in facts.corrections:
        corrections.setdefault(correction.unit_id, []).append(correction)
    known = {unit.unit_id: unit for unit in facts.units} if corrections else divided.units
    for unit_id in dict.fromkeys((*divided.units, *left, *corrections)):
        unit = known.get(unit_id) or UnitFacts(unit_id, "", None, None, None, None)
        mine = divided.households.get(unit_id, ()), divided.entries.get(unit_id, ()), stored.get(unit_id, ())
        of_unit = _Unit(facts, unit, *mine, divided.lines, with_email, corrections.get(unit_id, ()))
        for key, part in of_unit.issued():
            if key in owner:
                owner[key] -= part
        for sequence, invoice in of_unit.drafts(write).items():
            if not mine[1] and not invoice.charges:
                continue  # a unit without lines needs a draft only to correct sent invoices
            drafts[unit_id, sequence] = invoice
            for charge in invoice.charges:
                if charge.corrects_month is None:
                    owner[charge.bill_id, charge.line] -= charge.amount
    return PlannedMonth(drafts, owner, divided.missing)


class _Unit:
    """One unit's invoices of a month."""

    def __init__(
        self,
        facts: MonthFacts,
        unit: UnitFacts,
        of_unit: Sequence[Household],
        entries: Sequence[Entry],
        stored: Sequence[StoredInvoice],
        lines: Sequence[DividedLine],
        with_email: Container[str],
        corrections: Sequence[CarriedCorrection],
    ) -> None:
        self.month = facts.month
        self.currency = facts.currency
        self.unit = unit
        self.entries = entries
        self.stored = stored
        self.lines = lines
        self.with_email = with_email
        self.has_issued = any(invoice.is_issued for invoice in stored)
        self.households = with_those_gone(
            unit,
            of_unit,
            (*(invoice.tenant_id for invoice in stored), *(correction.tenant_id for correction in corrections)),
        )
        self.corrections = list(self._not_issued(corrections))

    def _not_issued(self, corrections: Iterable[CarriedCorrection]) -> Iterator[tuple[Household, CarriedCorrection]]:
        """Yield the corrections that the month's invoices don't charge yet, each with its household.

        The amounts of corrections with the same key are added up. The words are those of the correction with
        exactly the amount that is still to be charged or, if there is none, those of the newest correction.
        """
        carried: dict[CorrectionKey, list[CarriedCorrection]] = {}
        for correction in corrections:
            carried.setdefault(correction.place, []).append(correction)
        for key, those in carried.items():
            left = sum(carried_correction.amount for carried_correction in those) - sum(
                its.corrected.get(key, 0) for its in self.stored
            )
            if left:
                carried_correction = next(
                    (carried_correction for carried_correction in those if carried_correction.amount == left), those[0]
                )
                household = next(whose for whose in self.households if is_of(whose, carried_correction.tenant_id))
                yield household, carried_correction._replace(amount=left)

    def issued(self) -> Iterable[tuple[LineKey, int]]:
        """Return pairs of a line and the cents that an issued invoice charges for it."""
        return (charge for invoice in self.stored if invoice.is_issued for charge in invoice.charged.items())

    def drafts(self, write: Forms) -> dict[int, PlannedInvoice]:
        """Plan every draft by sequence.

        Each draft has the amounts of its household, less those that issued invoices already charge the household.
        """
        if self._is_plain():
            return {0: self._draft(0, self.households[0], write)}
        corrected = [household for household, _ in self.corrections]
        places = arrange(
            self.month, self.unit, self.households, self._is_open, self.stored, self.with_email, corrected
        )  # fmt: skip
        return {sequence: self._draft(sequence, household, write) for sequence, household in places.items()}

    def _is_plain(self) -> bool:
        """True if the unit needs only one draft: for a single household, without other invoices.

        Nearly all units need only one, and can be planned in a faster way.
        """
        if len(self.households) != 1 or len(self.stored) > 1 or self.unit.former is not None:
            return False
        if self.stored and not (self.stored[0].sequence == 0 and is_free(self.stored[0])):
            return False
        days = of_month(self.month)
        return days.within(self.households[0].first, self.households[0].last) > 0

    def _is_open(self, household: Household) -> bool:
        """True if a household still needs a draft.

        It needs one if an amount of any line is not issued to it, or if it has a correction to charge.
        """
        if any(its_household is household for its_household, _ in self.corrections):
            return True
        return bool(self._taken_back(household)) or any(
            line.found(at, household)[1] != self._issued_to(household, line.key)
            for line, at in self.entries
            if line.shares.units and not self._is_given_up(household, line.key)
        )

    def _is_given_up(self, household: Household | None, key: LineKey) -> bool:
        """True if only cancelled invoices charge a household for a line.

        While that is so, the owner bears the household's part of the line.
        """
        if household is None or not self.has_issued:
            return False
        its = [invoice for invoice in self.stored if key in invoice.charged and is_of(household, invoice.tenant_id)]
        return bool(its) and all(invoice.status == CANCELLED for invoice in its)

    def _issued_to(self, household: Household | None, key: LineKey) -> int:
        if household is None or not self.has_issued:
            return 0
        return sum(
            invoice.charged.get(key, 0)
            for invoice in self.stored
            if invoice.is_issued and is_of(household, invoice.tenant_id)
        )

    def _draft(self, sequence: int, household: Household | None, write: Forms) -> PlannedInvoice:
        tenant_id = None if household is None else addressee(self.month, household, self.with_email)
        charges = []
        for line, at in () if self._is_cancelled(household, sequence) else self.entries:
            if not line.shares.units or (sequence and self._is_given_up(household, line.key)):
                continue
            if not self.has_issued and (whole := line.whole_of(at, household)):
                if whole.amount or not sequence:
                    charges.append(whole)
                continue
            who, part = line.found(at, household)
            issued = self._issued_to(household, line.key) if self.has_issued else 0
            if part != issued or not sequence:
                sentence = share_in_words(line.shares, at, line.units[at], who, part, write)
                if issued:
                    sentence = f"{sentence}, less {in_words(issued, self.currency)} that was invoiced before"
                charges.append(PlannedCharge(*line.key, line.kind, part - issued, f"{line.about}: {sentence}"))
        charges += self._taken_back(household)
        charges += self._corrections_of(household)
        return PlannedInvoice(tenant_id, tuple(charges), None if household is None else household.tenant_ids)

    def _corrections_of(self, household: Household | None) -> list[PlannedCharge]:
        return [
            PlannedCharge(
                carried_correction.bill_id,
                carried_correction.line,
                carried_correction.utility_type,
                carried_correction.amount,
                carried_correction.description,
                carried_correction.month,
                carried_correction.tenant_id,
            )
            for whose, carried_correction in self.corrections
            if whose is household
        ]

    def _is_cancelled(self, household: Household | None, sequence: int) -> bool:
        """True if a household has only cancelled invoices, besides a draft with corrections."""
        if (
            household is None
            or not sequence
            or not any(its_household is household for its_household, _ in self.corrections)
        ):
            return False
        its = [
            invoice for invoice in self.stored if invoice.sequence != sequence and is_of(household, invoice.tenant_id)
        ]
        return any(invoice.status == CANCELLED for invoice in its) and not any(invoice.is_issued for invoice in its)

    def _taken_back(self, household: Household | None) -> list[PlannedCharge]:
        """List charges that take back amounts for lines that a household no longer shares.

        No rule divides these lines any more, or the unit was not in use on their days.
        """
        if household is None or not self.has_issued:
            return []
        shared = {line.key for line, _ in self.entries if line.shares.units}
        return [
            PlannedCharge(
                *line.key,
                line.kind,
                -issued,
                f"{line.about}: {'the unit takes no part' if line.shares.units else 'no rule divides it'}, "
                f"less {in_words(issued, self.currency)} that was invoiced before",
            )
            for line in self.lines
            if line.key not in shared and (issued := self._issued_to(household, line.key))
        ]
