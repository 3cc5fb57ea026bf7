"""A landlord's actions on properties, units and tenants.

Each step is done in the program and in the books at once.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.properties import properties, tenants, units
from prorata.actions.properties.properties import NewProperty
from prorata.domain.labels import same
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import Refusal
from prorata.store.database.engine import Database
from tests.landlord import Landlord, MovableClock
from tests.stories.any_order.books import ZONE, Books, Refused
from tests.stories.any_order.versions import new_terms

START = datetime(2026, 3, 10, 4, 30, tzinfo=UTC)  # still the 9th in Los Angeles
MONTHS = ("2026-01", "2026-02", "2026-03", "2026-04")
LABELS = ("1", "2", "2b", "3", "10", "11")

which = st.integers(0, 999)
a_day = st.dates(date(2026, 1, 1), date(2026, 4, 30))
days = st.none() | a_day
months = st.sampled_from(MONTHS)
tenths = st.integers(0, 20_000).map(lambda tenth: Decimal(tenth) / 10)
percents = st.sampled_from([0, 0, 0, 10, 100]).map(Decimal) | st.integers(0, 1000).map(
    lambda tenth: Decimal(tenth) / 10
)
kinds = st.sampled_from(UTILITY_TYPES) | st.just("WATER")
measures = {"sqft": st.none() | tenths, "bedrooms": st.none() | st.integers(0, 4)}
unit_values = st.fixed_dictionaries({"label": st.sampled_from(LABELS)}, optional=measures | {"active_from": days})
unit_changes = st.fixed_dictionaries(
    {}, optional={"label": st.sampled_from(LABELS), **measures, "active_from": days, "active_to": days}
)
head_counts = st.sampled_from([1, 1, 1, 2, 4]) | st.integers(0, 50)
stays = st.fixed_dictionaries(
    {},
    optional={
        "email": st.none() | st.just("a@example.org"),
        "move_in": days,
        "move_out": days,
        "occupants": head_counts,
    },
)


def day(text: date | None) -> str | None:
    return None if text is None else text.isoformat()


class HouseSteps(RuleBasedStateMachine):
    """One account, which has nothing at first.

    All examples share the database.
    """

    def __init__(self, database: Database, clock: MovableClock) -> None:
        super().__init__()
        self.clock = clock
        clock.moment = START
        self.landlord = Landlord(database, clock, timezone=ZONE.key)
        self.landlord.do(accounts.change_settings, Wishes(carry_credits=False))
        self.books = Books()
        self.names = 0
        self.tick()

    def tick(self, **by: float) -> None:
        self.clock.forward(minutes=1, **by)
        self.books.now = self.clock()

    def name(self) -> str:
        self.names += 1
        return f"name {self.names}"

    def pick(self, of: dict[Any, Any], at: int) -> Any:
        return list(of)[at % len(of)]

    def both(self, in_books: Callable[[], Any], action: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Do an action in the books and in the program.

        If the books refuse the action, the program must refuse it with the same status.
        """
        self.tick()
        status, expected = None, None
        try:
            expected = in_books()
        except Refused as refused:
            status = refused.status
        if status is not None:
            with pytest.raises(Refusal) as refusal:
                self.landlord.do(action, *arguments, **named)
            assert refusal.value.status == status
            return None
        done = self.landlord.do(action, *arguments, **named)
        assert expected is None or done == expected
        return done

    def do(self, action: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Do an action in the program, which must not refuse it."""
        self.tick()
        return self.landlord.do(action, *arguments, **named)

    # --- properties, units and tenants

    def begin_with_a_house(self, at: int) -> None:
        self.add_property(None)
        for values in ({"label": "1", "sqft": Decimal(700)}, {"label": "2", "bedrooms": 2}):
            self.add_unit(0, values)
        self.add_tenant(at, {"email": "b@example.org"})

    @precondition(lambda self: len(self.books.properties) < 2)
    @rule(starts=st.none() | months)
    def add_property(self, starts: str | None) -> None:
        new = NewProperty("Maple Court", "1", "Elm", "Reno", "NV", "1", "US", billing_starts_month=starts)
        row = self.do(properties.create, new)
        self.books.properties[row.id] = {"starts": starts}
        for kind, stored in self.landlord.rules(row).items():
            self.books.put_rule(row.id, kind, stored.id, None, new_terms())

    @precondition(lambda self: self.books.properties)
    @rule(at=which, starts=st.none() | st.none() | st.none() | months)
    def change_where_billing_starts(self, at: int, starts: str | None) -> None:
        of = self.pick(self.books.properties, at)
        # a bill that is moved to a sent month which is history waits till somebody moves it on: no books know that
        if any(by == of and month < (starts or "") for by, month in self.books.frozen):
            return
        self.do(properties.change, of, {"billing_starts_month": starts})
        self.books.properties[of]["starts"] = starts
        self.books.settle(of)

    @precondition(lambda self: len(self.books.properties) > 1)
    @rule(at=which)
    def remove_property(self, at: int) -> None:
        of = self.pick(self.books.properties, at)
        self.do(properties.remove, of, self.landlord.archive)
        self.books.remove_property(of)

    def refuse_backwards(self, since: date | None, until: date | None, given: Any = True) -> None:
        """Refuse a period that ends before it begins.

        If a removal made a period end before it begins, the period stays until somebody changes it.
        """
        if given and since and until and since > until:
            raise Refused(400)

    def refuse_unit(self, of: str, values: dict[str, Any], but: str | None = None) -> None:
        taken = {same(u["label"]) for i, u in self.books.units.items() if u["property"] == of and i != but}
        if same(values["label"]) in taken:
            raise Refused(409)

    @precondition(lambda self: self.books.properties)
    @rule(at=which, values=unit_values)
    def add_unit(self, at: int, values: dict[str, Any]) -> None:
        of = self.pick(self.books.properties, at)
        stored = values | {"active_from": day(values.get("active_from"))}
        row = self.both(lambda: self.refuse_unit(of, values), units.create, of, stored)
        if row:
            unit = {"property": of, "from": values.get("active_from"), "to": None, "added": self.books.now}
            kept = {name: values.get(name) for name in ("label", "sqft", "bedrooms")}
            self.books.units[row.id] = unit | kept | {"sqft": kept["sqft"] and Fraction(kept["sqft"])}
            self.books.settle(of)

    @precondition(lambda self: self.books.units)
    @rule(at=which, given=unit_changes)
    def change_unit(self, at: int, given: dict[str, Any]) -> None:
        unit_id = self.pick(self.books.units, at)
        unit = self.books.units[unit_id]
        renamed = {"active_from": "from", "active_to": "to"}
        after = unit | {renamed.get(name, name): value for name, value in given.items()}
        after["sqft"] = after["sqft"] and Fraction(after["sqft"])
        stored = {name: day(value) if name in renamed else value for name, value in given.items()}

        def change() -> None:
            if after == unit:
                return
            self.refuse_backwards(after["from"], after["to"], given.keys() & renamed.keys())
            self.refuse_unit(unit["property"], after, unit_id)
            unit.update(after)
            self.books.settle(unit["property"])

        self.both(change, units.change, unit_id, stored)

    @precondition(lambda self: self.books.units)
    @rule(at=which)
    def remove_unit(self, at: int) -> None:
        unit_id = self.pick(self.books.units, at)
        self.both(lambda: self.books.remove_unit(unit_id), units.remove, unit_id)

    @precondition(lambda self: self.books.units)
    @rule(at=which, values=stays)
    def add_tenant(self, at: int, values: dict[str, Any]) -> None:
        unit_id, name = self.pick(self.books.units, at), self.name()
        since, until = values.get("move_in"), values.get("move_out")
        stored = values | {"name": name, "move_in": day(since), "move_out": day(until)}
        row = self.both(lambda: self.refuse_backwards(since, until), tenants.create, unit_id, stored)
        if row:
            tenant = {"unit": unit_id, "name": name, "email": values.get("email"), "in": since, "out": until}
            tenant |= {"occupants": values.get("occupants", 1), "added": self.books.now, "ended": False}
            self.books.tenants[row.id] = tenant
            self.books.settle(self.books.units[unit_id]["property"])

    def there(self) -> dict[str, Any]:
        return {key: one for key, one in self.books.tenants.items() if not one["ended"]}

    @precondition(lambda self: self.there())
    @rule(at=which, move_in=a_day)
    def add_roommate(self, at: int, move_in: date) -> None:
        """Add a tenant to a unit that already has one.

        Often, the two are one household, which stays the same household for those who were there before.
        """
        unit_id = self.books.tenants[self.pick(self.there(), at)]["unit"]
        self.add_tenant(list(self.books.units).index(unit_id), {"move_in": move_in})

    @precondition(lambda self: self.there())
    @rule(at=which, given=stays)
    def change_tenant(self, at: int, given: dict[str, Any]) -> None:
        tenant_id = self.pick(self.there(), at)
        tenant, name = self.books.tenants[tenant_id], self.name()
        renamed = {"move_in": "in", "move_out": "out"}
        after = tenant | {renamed.get(key, key): value for key, value in given.items()} | {"name": name}

        def change() -> None:
            self.refuse_backwards(after["in"], after["out"], given.keys() & renamed.keys())
            tenant.update(after)
            self.books.settle(self.books.units[tenant["unit"]]["property"])

        stored = {key: day(value) if key in renamed else value for key, value in given.items()}
        self.both(change, tenants.change, tenant_id, stored | {"name": name})

    @precondition(lambda self: self.there())
    @rule(at=which)
    def remove_tenant(self, at: int) -> None:
        tenant_id = self.pick(self.there(), at)
        self.both(lambda: self.books.remove_tenant(tenant_id), tenants.remove, tenant_id)
