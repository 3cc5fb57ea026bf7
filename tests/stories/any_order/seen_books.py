"""Books of corrections, which take their invoices from the program.

The books work out the right amounts by hand, and record what was placed and left when it is done. The module is written
from docs/decisions.md#corrections and imports nothing from the program.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from tests.stories.any_order.books import NOT_THERE, Books, Key
from tests.stories.any_order.corrected import Line, Reckoning, Whose
from tests.stories.any_order.days import CLOSING, Facts, Group, shares_of

Month = tuple[str, str]
"""The property and the month."""
OfUnit = tuple[str, str, str, Line]
"""The property, the month that is corrected, the unit and the line."""


class Shown(NamedTuple):
    """A correction as the program shows it, in cents.

    Nobody's correction has no tenant, and the owner's has no unit.
    """

    month: str
    unit: str
    tenant: str
    line: Line
    waiting: int
    to_charge: int
    left: int


class Account(NamedTuple):
    """A household's account of a line in one month.

    It has the right amount, the charges on invoices of all months, and the program's view of the difference. Cancelled
    invoices charge `void` in the month itself and `cancelled` in other months. `on_drafts` is the part of the amount to
    be charged that is on drafts.
    """

    right: int
    own: int
    elsewhere: int
    void: int
    cancelled: int
    on_drafts: int
    waiting: int
    to_charge: int
    left: int


class SeenBooks(Books):
    """Books that read their invoices from the program and check them by calculation."""

    def __init__(self) -> None:
        super().__init__()
        self.automatic = False
        self.shown: dict[str, list[Shown]] = {}
        self.known: dict[Month, tuple[Reckoning, dict[Whose, int]]] = {}
        """The reckonings since invoices were last read, by month."""
        self.divided: dict[Month, tuple[Facts, Facts]] = {}
        """The facts from which each month was last divided, and the result."""
        self.left: dict[OfUnit, int] = defaultdict(int)
        self.unsure: set[str] = set()
        """Units of which a tenant was removed as if never there: what was left of theirs is nobody's."""

    def settle(self, of: str) -> None:
        """Do nothing: the program updates the invoices, and `see` takes them."""

    def see(
        self, invoices: dict[Key, Facts], charged: dict[Line, tuple[bool, int]], shown: dict[str, list[Shown]]
    ) -> None:
        """Take the state of the program after a step.

        A month that the step closed keeps the facts with which it was closed.
        """
        for key, one in invoices.items():
            one["issued"] = one["status"] in CLOSING or self.invoices.get(key, {}).get("issued", False)
        self.invoices, self.shown, self.known = invoices, shown, {}
        for bill_id, bill in self.bills.items():
            for number, line in bill["lines"].items():
                line["charged"], line["owner"] = charged[bill_id, number]
        closed = {(one["property"], key[1]) for key, one in invoices.items() if not key[2] and one["status"] in CLOSING}
        for of, month in closed - self.frozen.keys():
            self.frozen[of, month] = self.facts(of, month)
            self.first_closed.setdefault((of, month), self.now)
        for opened in self.frozen.keys() - closed:
            del self.frozen[opened]
            self.forget({opened})

    # --- decisions, as they were made

    def waiting_of(self, of: str, month: str) -> dict[tuple[str, Line], int]:
        """Return the pending amounts of each unit's tenants, by line."""
        found: dict[tuple[str, Line], int] = defaultdict(int)
        for (unit, group, line), account in self.accounts(of, month).items():
            found[unit, line] += account.waiting if group else 0
        return found

    def leave(self, of: str, month: str, waited: dict[tuple[str, Line], int]) -> None:
        """Leave the pending amounts of a month to the owner."""
        for (unit, line), cents in waited.items():
            self.left[of, month, unit, line] += cents

    def forget(self, months: Iterable[Month]) -> None:
        """Forget which amounts of these months were left to the owner.

        A person revoked the decision, or the months are open again.
        """
        for key in [key for key in self.left if key[:2] in months]:
            del self.left[key]

    def remove_tenant(self, tenant_id: str) -> bool:
        unit = self.tenants[tenant_id]["unit"]
        keeps = super().remove_tenant(tenant_id)
        self.unsure |= set() if keeps else {unit}
        return keeps

    # --- what is right, and what there is

    def months(self, of: str) -> set[str]:
        """The months that have lines, corrections or invoices."""
        named = {line["month"] for line in self.lines(of).values()} | {one.month for one in self.shown.get(of, ())}
        return named | {month for (_, month, _), one in self.invoices.items() if one["property"] == of}

    def carrier(self, of: str, month: str) -> str | None:
        """The first open month after the given month that has invoices."""
        there = {key[1] for key, one in self.invoices.items() if one["property"] == of}
        return min((one for one in there if one > month and not self.is_closed(of, one)), default=None)

    def accounts(self, of: str, month: str) -> dict[Whose, Account]:
        """The account of each household, and of nobody, for each line of a month."""
        reckoning, right = self.reckoned(of, month)
        sums: dict[Whose, dict[str, int]] = defaultdict(lambda: dict.fromkeys(Account._fields, 0))
        for whose, cents in right.items():
            sums[whose]["right"] += cents
        for (unit, of_month, _), one in self.invoices.items():
            if one["property"] != of:
                continue
            for line, corrects, whom, cents in one["parts"]:
                if (corrects or of_month) == month:
                    its = sums[unit, reckoning.group_of(unit, whom), line]
                    counts_as = self.counts_as(of, of_month, one, corrects)
                    its[counts_as] += cents
        for shown in self.shown.get(of, ()):
            if shown.month == month and shown.unit:
                its = sums[shown.unit, reckoning.group_of(shown.unit, shown.tenant or None), shown.line]
                for name in ("waiting", "to_charge", "left"):
                    its[name] += getattr(shown, name)
        return {whose: Account(**its) for whose, its in sums.items()}

    def counts_as(self, of: str, month: str, one: Facts, corrects: str | None) -> str:
        """Return the field of `Account` that a charge counts towards."""
        if one["status"] == "CANCELLED":
            return "cancelled" if corrects else "void"
        if one["status"] == "DRAFT" and not self.is_closed(of, month):
            return "on_drafts" if corrects else "own"
        return "elsewhere" if corrects else "own"

    def households(self, of: str, month: str) -> dict[str, list[Group]]:
        """The households of each unit."""
        return {unit: of_unit.groups for unit, of_unit in self.reckoned(of, month)[0].units.items()}

    def reckoned(self, of: str, month: str) -> tuple[Reckoning, dict[Whose, int]]:
        """Return the right amounts of a month, from the invoices as last read."""
        if (of, month) not in self.known:
            self.known[of, month] = self.reckon(of, month)
        return self.known[of, month]

    def reckon(self, of: str, month: str) -> tuple[Reckoning, dict[Whose, int]]:
        facts = self.facts(of, month)
        mine = {key: one for key, one in self.invoices.items() if one["property"] == of}
        there = {unit["id"]: unit for unit in facts["units"]}
        ids = (
            there.keys() | {unit_id for unit_id, *_ in mine} | {one.unit for one in self.shown.get(of, ()) if one.unit}
        )
        units = {unit_id: self.unit_month(there.get(unit_id, {"id": unit_id} | NOT_THERE), month) for unit_id in ids}
        reckoning = Reckoning(month, units, mine, {named for by, named in self.frozen if by == of})
        kept = self.frozen.get((of, month), facts)["lines"]
        return reckoning, reckoning.right(self.shares(of, month, facts), facts["lines"].keys() - kept.keys())

    def shares(self, of: str, month: str, facts: Facts) -> Facts:
        """Divide the lines of a month.

        They are divided again only if the facts have changed.
        """
        if self.divided.get((of, month), ({}, {}))[0] != facts:
            self.divided[of, month] = facts, shares_of(facts)
        return self.divided[of, month][1]
