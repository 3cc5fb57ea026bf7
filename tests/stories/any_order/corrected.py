"""Compute the right, issued and pending amounts of a closed month.

The module is written from docs/decisions.md#corrections and imports nothing from the program.
"""

from collections import defaultdict

from tests.stories.any_order.days import Facts, Group, UnitMonth

Line = tuple[str, int]
Whose = tuple[str, Group | None, Line]
"""The unit, the household or nobody, and the line."""


class Reckoning:
    """One month of a property, calculated from the current facts.

    `invoices` are all invoices of the property, for any month.
    """

    def __init__(self, month: str, units: dict[str, UnitMonth], invoices: Facts, closed: set[str]) -> None:
        self.month, self.units, self.invoices, self.closed = month, units, invoices, closed

    def group_of(self, unit_id: str, tenant: str | None) -> Group | None:
        """The household of a tenant in a unit.

        A tenant without a stay is a household alone. A tenant who was removed as if never there has no household.
        """
        of_unit = self.units[unit_id]
        return of_unit.group_of(tenant if tenant in of_unit.tenants else None)

    def is_cancelled(self, whose: Whose, *, is_late: bool) -> bool:
        """Check whether a household's charge of a line is on CANCELLED invoices only.

        If no invoice of the month charges the line, and the line is not late, the invoices that would charge it count.
        Invoices that have only corrections do not count, because they belong to other months.
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
        """Check whether a unit's own part of a line is nobody's.

        This is so if the invoice that charges the part, or would charge it, names no tenant of the unit.
        """
        of_unit = self.units[unit_id]
        first = of_unit.invoices.get(0)
        is_charged = first and (*line, None) in first["charges"]
        group = of_unit.group_of(first["tenant"]) if is_charged else of_unit.whose_first()
        return not any(tenant in of_unit.tenants for tenant in group or ())

    def right(self, shares: Facts, late: set[Line]) -> dict[Whose, int]:
        """Return the amount of each line that each household should bear.

        The result includes nobody's parts, which are on the invoices of units without a tenant.
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
