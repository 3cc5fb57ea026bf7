"""What is right of a closed month, what was issued of it, and what waits: written from docs/decisions.md#corrections. It
imports nothing of the program.
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
        """Whether the household was charged a line, or would have been, on invoices of the month that are CANCELLED. One
        that has corrections alone is of other months.
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
        """Whether what falls on a unit alone is on an invoice that names nobody, or would be."""
        of_unit = self.units[unit_id]
        first = of_unit.invoices.get(0)
        is_charged = first and (*line, None) in first["charges"]
        group = of_unit.group_of(first["tenant"]) if is_charged else of_unit.whose_first()
        return not any(tenant in of_unit.tenants for tenant in group or ())

    def right(self, shares: Facts, late: set[Line]) -> dict[Whose, int]:
        """What each household bears; and nobody, on the invoice of a unit that has no tenant."""
        found = {}
        for line, of_line in shares.items():
            for key, part in of_line.items():
                if key in ("owner", "divided") or (key[1] is None and not self.is_nobodys(key[0], line)):
                    continue
                whose = (*key, line)
                found[whose] = 0 if self.is_cancelled(whose, is_late=line in late) else part
        return found

    def issued(self) -> dict[Whose, int]:
        """What charges of the month's lines come to, on invoices that were issued or stand in a closed month."""
        found: dict[Whose, int] = defaultdict(int)
        for (unit_id, month, _), one in self.invoices.items():
            if one["status"] == "CANCELLED" or (one["status"] == "DRAFT" and month not in self.closed):
                continue
            for (*line, corrects), (part, *_) in one["charges"].items():
                if (corrects or month) == self.month:
                    found[unit_id, self.group_of(unit_id, one["tenant"]), tuple(line)] += part
        return found

    def waiting(self, right: dict[Whose, int]) -> dict[Whose, int]:
        """What is right less what was issued, without what is nothing."""
        issued = self.issued()
        differences = {whose: right.get(whose, 0) - issued.get(whose, 0) for whose in right.keys() | issued.keys()}
        return {whose: part for whose, part in differences.items() if part}
