"""The same events in any order give the same sums, if corrections are automatic.

The sums are those of every household and of the owner. The events include late and corrected bills, a move that becomes
known later, a dated rule, and a month that is sent again.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import corrections as bill_corrections
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants, units
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules
from prorata.store.database.engine import Database
from prorata.store.properties import units as stored_units
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord, MovableClock, opened
from tests.stories.any_order.days import CLOSING, groups_of

FEBRUARY, MARCH, APRIL, MAY = "2026-02", "2026-03", "2026-04", "2026-05"
MONTHS = (FEBRUARY, MARCH, APRIL, MAY)
NOW = datetime(2026, 5, 12, 9, tzinfo=UTC)
Event = tuple[str, tuple[Any, ...]]
Sums = dict[str, tuple[int, int]]


class House:
    """A house with three units, of which two have tenants.

    Both tenants have received invoices for the water of February and March.
    """

    def __init__(self, database: Database, clock: MovableClock) -> None:
        clock.moment = NOW
        self.landlord = landlord = Landlord(database, clock)
        self.of: PropertyRow = landlord.property_()
        for label, sqft in (("1", "600"), ("2", "410"), ("3", "333")):
            landlord.unit(self.of, label, sqft=sqft)
        self.come("1", "Ann", date(2026, 1, 1))
        self.come("2", "Bo", date(2026, 1, 1))
        landlord.rule(self.of, "WATER", "SQFT")
        landlord.do(correction_decisions.change_settings, Wishes(corrections="automatic"))
        self.bill("Aqua", 320_10, FEBRUARY)
        self.bill("Brook", 161_07, MARCH)
        self.send(FEBRUARY)
        self.send(MARCH)
        clock.forward(days=1)

    def happen(self, event: Event) -> None:
        name, values = event
        getattr(self, name)(*values)
        self.landlord.clock.forward(minutes=1)

    # --- events

    def bill(self, issuer: str, cents: int, month: str, kind: str = "WATER") -> None:
        self.landlord.bill(self.of, cents, kind, date.fromisoformat(f"{month}-20"), issuer=issuer)

    def correct(self, issuer: str, cents: int) -> None:
        bill = next(one for one in self.landlord.stored_bills(self.of) if one.issuer_name == issuer)
        self.landlord.do(bill_corrections.correct, bill.id, cents)

    def come(self, label: str, name: str, since: date) -> None:
        self.landlord.tenant(self.unit(label), name, move_in=since.isoformat())

    def leave(self, name: str, until: date) -> None:
        self.landlord.do(tenants.change, self.tenant(name).id, {"move_out": until.isoformat()})

    def measure(self, label: str, sqft: int) -> None:
        self.landlord.do(units.change, self.unit(label).id, {"sqft": Decimal(sqft)})

    def divide(self, method: str, since: str) -> None:
        rule = self.landlord.rules(self.of)["WATER"]
        self.landlord.do(share_rules.change, rule.id, {"split_method": method}, since=since)

    def send(self, month: str) -> None:
        """Send all drafts of a month."""
        for label, status in self.landlord.statuses(self.of, month).items():
            if status == "DRAFT":
                self.landlord.set_status(self.of, label, "SENT", month)

    def send_again(self, month: str) -> None:
        """Set a sent month back to drafts, and send it again."""
        for label, status in self.landlord.statuses(self.of, month).items():
            if status in CLOSING:
                self.landlord.set_status(self.of, label, "DRAFT", month)
        self.send(month)

    def pay(self, label: str, month: str, cents: int) -> None:
        invoice = self.landlord.invoices(self.of, month)[label].summary.id
        self.landlord.do(payments.receive, invoice, Received(cents, date(2026, 5, 12)))

    # --- what came of them

    def unit(self, label: str) -> stored_units.UnitRow:
        return next(one for one in self.landlord.stored_units(self.of) if one.label == label)

    def tenant(self, name: str) -> stored_units.TenantRow:
        there = self.landlord.read(stored_units.tenants_of_properties, [self.of.id])
        return next(one for one in there if one.name == name)

    def sums(self) -> Sums:
        """Return the amounts that each household bears and has paid, and the owner's part.

        A household's amounts are charged or pending.
        """
        whose = self.households()
        borne: dict[str, int] = defaultdict(int)
        paid: dict[str, int] = defaultdict(int)
        on_drafts = 0
        for month in MONTHS:
            for one in self.landlord.invoices(self.of, month).values():
                is_sent = one.summary.status in CLOSING
                for charge in one.charges or ():
                    borne[whose[one.summary.tenant_id]] += charge.amount
                    on_drafts += charge.amount if charge.corrects_month and not is_sent else 0
                paid[whose[one.summary.tenant_id]] += one.summary.paid_amount
        for correction in self.landlord.see(correction_decisions.of_property, self.of.id):
            row = correction.row
            stands = row.carrier is not None
            borne[whose[row.tenant_id or None]] += row.waiting_amount + (0 if stands else row.to_charge_amount)
        for bill in self.landlord.stored_bills(self.of):
            borne["owner"] += sum(line.owner_amount for line in self.landlord.lines(bill))
        names = borne.keys() | paid.keys()
        return {name: (borne[name], paid[name]) for name in names if borne[name] or paid[name]}

    def households(self) -> dict[str | None, str]:
        """The names of each tenant's household, as it is known in the end.

        Nobody's amounts are the owner's.
        """
        found: dict[str | None, str] = {None: "owner"}
        there = self.landlord.read(stored_units.tenants_of_properties, [self.of.id])
        for unit in self.landlord.stored_units(self.of):
            mine = {
                one.id: {"in": day(one.move_in), "out": day(one.move_out)} for one in there if one.unit_id == unit.id
            }
            names = {one.id: one.name for one in there}
            for group in groups_of({"from": None, "to": None, "tenants": mine}):
                found |= dict.fromkeys(group, " and ".join(sorted(names[one] for one in group)))
        return found


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


spring = st.dates(date(2026, 1, 15), date(2026, 5, 10))
cents = st.integers(-5_000, 40_000)
late = st.sampled_from(MONTHS)
EVENTS: dict[str, st.SearchStrategy[Event]] = {
    "Aqua is corrected": st.tuples(st.just("correct"), st.tuples(st.just("Aqua"), cents)),
    "Brook is corrected": st.tuples(st.just("correct"), st.tuples(st.just("Brook"), cents)),
    "Creek comes": st.tuples(st.just("bill"), st.tuples(st.just("Creek"), cents, late)),
    "Dale comes": st.tuples(st.just("bill"), st.tuples(st.just("Dale"), cents, late, st.just("GAS"))),
    "April comes": st.tuples(st.just("bill"), st.tuples(st.just("East"), cents, st.just(APRIL))),
    "May comes": st.tuples(st.just("bill"), st.tuples(st.just("Fell"), cents, st.just(MAY))),
    "Ann leaves": st.tuples(st.just("leave"), st.tuples(st.just("Ann"), spring)),
    "Bo leaves": st.tuples(st.just("leave"), st.tuples(st.just("Bo"), spring)),
    "Eve comes": st.tuples(st.just("come"), st.tuples(st.just("1"), st.just("Eve"), spring)),
    "Gil comes": st.tuples(st.just("come"), st.tuples(st.sampled_from(["2", "3"]), st.just("Gil"), spring)),
    "1 is measured": st.tuples(st.just("measure"), st.tuples(st.just("1"), st.integers(100, 900))),
    "3 is measured": st.tuples(st.just("measure"), st.tuples(st.just("3"), st.integers(100, 900))),
    "a rule": st.tuples(st.just("divide"), st.tuples(st.sampled_from(["EQUAL", "OCCUPANTS"]), late)),
    "April is sent": st.just(("send", (APRIL,))),
    "May is sent": st.just(("send", (MAY,))),
    "February again": st.just(("send_again", (FEBRUARY,))),
    "March again": st.just(("send_again", (MARCH,))),
    "Ann pays": st.tuples(
        st.just("pay"), st.tuples(st.just("1"), late.filter(lambda m: m < APRIL), st.integers(1, 40_000))
    ),
    "Bo pays": st.tuples(st.just("pay"), st.tuples(st.just("2"), st.just(MARCH), st.integers(1, 40_000))),
}


@st.composite
def orders(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[list[Event], list[Event]]:
    """Some of the events, in two orders."""
    names = draw(st.lists(st.sampled_from(sorted(EVENTS)), min_size=2, max_size=8, unique=True))
    events = [draw(EVENTS[name]) for name in names]
    return events, draw(st.permutations(events))


def come_to(database: Database, clock: MovableClock, events: Sequence[Event]) -> Sums:
    """The sums after these events, in their order."""
    house = House(database, clock)
    for event in events:
        house.happen(event)
    house.landlord.sound()
    return house.sums()


def drive(url: str, examples: int) -> None:
    """Compare the sums of random events in two orders.

    All examples share one database, and each order has a fresh account.
    """
    clock = MovableClock(NOW)
    with opened(url, clock) as database:

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        @given(orders())
        def in_two_orders(both: tuple[list[Event], list[Event]]) -> None:
            one, other = both
            assert come_to(database, clock, one) == come_to(database, clock, other)

        in_two_orders()


@pytest.mark.sample
def test_the_same_events_in_any_order_give_everybody_the_same_sums(migrated_url):
    drive(migrated_url, 30)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_the_same_events_give_everybody_the_same_sums_for_a_long_time(migrated_url):
    drive(migrated_url, 4_000)
