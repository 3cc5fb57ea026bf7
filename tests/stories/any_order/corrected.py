"""Compute the right, issued and pending amounts of a closed month.

The module is written from docs/decisions.md#corrections and imports nothing of the program.
"""

from collections import defaultdict

from tests.stories.any_order.days import Facts, Group, UnitMonth

Line = tuple[str, int]
Whose = tuple[str, Group | None, Line]
"""The unit, the household or nobody, and the line."""


class Reckoning:
    """One month of a property by the facts of now: `invoices` are all of the property's, in whatever month."""

    def __init__(self, month: str, units: dict[str, UnitMonth], invoices: Facts, closed: set[str]) -> None:
        self.month, self.units, self.invoices, self.closed = month, units, invoices, closed

    def group_of(self, unit_id: str, tenant: str | None) -> Group | None:
        """A tenant without a stay is a household alone; who was removed as if never there is nobody."""
        of_unit = self.units[unit_id]
        return of_unit.group_of(tenant if tenant in of_unit.tenants else None)

    def is_cancelled(self, whose: Whose, *, is_late: bool) -> bool:
        """True if the household's charge of a line is on CANCELLED invoices of the month.

        It is also true if the charge would be on them. An invoice that has only corrections belongs to other months.
        """
        unit_id, group, line = whose
        of_unit = self.units[unit_id]
        free = of_unit.whose_first() if of_unit.is_free() else ()  # it names nobody of the unit, and stands for it
        mine = [
            one
            for at, one in of_unit.invoices.items()
            if self.group_of(unit_id, one["tenant"]) == group or (not at and free == group)
        ]
        mine = [one for one in mine if not one["charges"] or any(not corrects for *_, corrects in one["charges"])]
        charging = [one for one in mine if (*line, None) in one["charges"]]
        its = charging if charging or is_late else mine
        return {one["status"] for one in its} == {"CANCELLED"}

    def is_nobodys(self, unit_id: str, line: Line) -> bool:
        """True if a unit's own part is on an invoice without a name.

        It is also true if the part would be on such an invoice.
        """
        of_unit = self.units[unit_id]
        first = of_unit.invoices.get(0)
        is_charged = first and (*line, None) in first["charges"]
        group = of_unit.group_of(first["tenant"]) if is_charged else of_unit.whose_first()
        return not any(tenant in of_unit.tenants for tenant in group or ())

    def right(self, shares: Facts, late: set[Line]) -> dict[Whose, int]:
        """Return the right amount of each household.

        The result includes the part of nobody, which is on the invoice of a unit without a tenant.
        """
        found = {}
        for line, of_line in shares.items():
            for key, part in of_line.items():
                if key in ("owner", "divided") or (key[1] is None and not self.is_nobodys(key[0], line)):
                    continue
                whose = (*key, line)
                found[whose] = 0 if self.is_cancelled(whose, is_late=line in late) else part
        return found

    def issued(self) -> dict[Whose, int]:
        """Sum the charges of the month's lines on issued invoices and invoices of closed months."""
        found: dict[Whose, int] = defaultdict(int)
        for (unit_id, month, _), one in self.invoices.items():
            if one["status"] == "CANCELLED" or (one["status"] == "DRAFT" and month not in self.closed):
                continue
            for (*line, corrects), (part, *_) in one["charges"].items():
                if (corrects or month) == self.month:
                    found[unit_id, self.group_of(unit_id, one["tenant"]), tuple(line)] += part
        return found

    def waiting(self, right: dict[Whose, int]) -> dict[Whose, int]:
        """Return the right amounts less the issued ones, without zeros."""
        issued = self.issued()
        differences = {whose: right.get(whose, 0) - issued.get(whose, 0) for whose in right.keys() | issued.keys()}
        return {whose: part for whose, part in differences.items() if part}
