from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.billing_calendar import Month
from prorata.domain.limits import LARGEST_USAGE, MOST_USAGE_DECIMALS
from prorata.domain.splitting.invoice_sequences import addressee_now
from prorata.domain.splitting.month_facts import (
    Line,
    MonthFacts,
    TenantRecord,
    UnitRecord,
    from_json,
    stays_of,
    to_json,
    units_as_before,
    units_known,
    units_taking_part,
)
from prorata.domain.splitting.planned_invoices import plan_month
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import FormerDays, LineDays, Stay, UnitFacts
from prorata.domain.usage import UNITS, Usage
from tests.conftest import SOAK

MARCH = Month("2026-03")
CLOSED = "2026-04-02T10:00:00.000Z"


def unit(*stays, since=None, until=None, added="2026-01-01T00:00:00.000Z", label="1"):
    return UnitRecord(f"unit_{label}", label, None, None, since, until, added, stays)


def stay(name, move_in=None, move_out=None, email=None):
    return TenantRecord(f"tenant_{name}", name, email, move_in, move_out)


# --- who takes part ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "until", "takes"),
    [
        (None, None, True),
        (date(2026, 3, 31), None, True),
        (date(2026, 4, 1), None, False),
        (None, date(2026, 3, 1), True),
        (None, date(2026, 2, 28), False),
        (date(2026, 3, 10), date(2026, 3, 10), True),
        (date(2026, 3, 20), date(2026, 3, 10), False),  # deactivated before it began
    ],
)
def test_a_unit_takes_part_when_its_active_time_touches_the_month(since, until, takes):
    assert bool(units_taking_part(MARCH, [], units_known([unit(since=since, until=until)], None))) is takes


@pytest.mark.parametrize(
    ("added", "since", "takes"),
    [
        ("2026-04-01T00:00:00.000Z", None, True),
        (CLOSED, None, True),
        ("2026-04-03T00:00:00.000Z", None, False),
        ("2026-04-03T00:00:00.000Z", date(2026, 3, 15), True),
        ("2026-04-03T00:00:00.000Z", date(2026, 4, 1), False),
    ],
)
def test_a_unit_added_after_the_month_was_closed_takes_part_only_if_its_active_from_says_so(added, since, takes):
    assert bool(units_taking_part(MARCH, [], units_known([unit(added=added, since=since)], CLOSED))) is takes


def test_units_stand_in_natural_order_with_the_facts_of_the_month():
    flats = [
        unit(label="10"),
        unit(stay("Ann"), label="2", since=date(2026, 3, 30)),
        unit(label="3", until=date(2026, 1, 1)),
    ]
    two, ten = units_taking_part(MARCH, [], units_known(flats, None))
    assert (two.label, [stay.first for stay in two.stays]) == ("2", [date(2026, 3, 30)])
    assert (ten.label, ten.stays) == ("10", ())
    before = units_as_before(MARCH, flats, None)
    assert [(one.label, *one.former) for one in before] == [("2", 2, 2), ("10", 0, 31)]


# --- person-days, as snapshots of before have them ---------------------------------------------------------------------


def person_days(flat):
    return sum(one.former.person_days for one in units_as_before(MARCH, [flat], None))


@pytest.mark.parametrize(
    ("stays", "days"),
    [
        ([], 0),
        ([stay("a")], 31),
        ([stay("a"), stay("b")], 62),
        ([stay("a", move_in=date(2026, 3, 31))], 1),
        ([stay("a", move_out=date(2026, 3, 1))], 1),
        ([stay("a", move_out=date(2026, 3, 15)), stay("b", move_in=date(2026, 3, 16))], 31),
        ([stay("a", date(2026, 4, 1)), stay("b", None, date(2026, 2, 28))], 0),
        ([stay("a", date(2026, 3, 20), date(2026, 3, 5))], 0),
    ],
)
def test_person_days_are_the_days_of_each_tenant(stays, days):
    assert person_days(unit(*stays)) == days


def test_a_day_counts_only_while_the_unit_itself_is_active():
    assert person_days(unit(stay("a"), since=date(2026, 3, 22))) == 10


days = st.none() | st.dates(date(2026, 2, 1), date(2026, 4, 30))


@settings(max_examples=5_000 if SOAK else 200)
@given(st.lists(st.tuples(days, days), max_size=4), days, days)
def test_person_days_are_counted_day_by_day(stays, since, until):
    def holds(start, end, day):
        return (start is None or start <= day) and (end is None or day <= end)

    flat = unit(*(stay(str(at), *times) for at, times in enumerate(stays)), since=since, until=until)
    march = [date(2026, 3, 1) + timedelta(days=number) for number in range(31)]
    counted = sum(holds(*times, day) and holds(since, until, day) for times in stays for day in march)
    assert person_days(flat) == counted * bool(units_as_before(MARCH, [flat], None))


# --- whose invoice -----------------------------------------------------------------------------------------------------

BEFORE, MID = date(2026, 2, 28), date(2026, 3, 15)


@pytest.mark.parametrize(
    ("stays", "whose"),
    [
        ([], None),
        ([stay("gone", move_out=BEFORE), stay("to come", move_in=date(2026, 4, 1))], None),
        ([stay("left", move_out=MID, email="l@x.org"), stay("stays", move_in=MID)], "stays"),
        ([stay("early", move_out=date(2026, 3, 5)), stay("late", move_out=MID)], "late"),
        ([stay("one"), stay("two", email="two@x.org")], "two"),
        ([stay("new", date(2026, 3, 2), email="n@x.org"), stay("old", date(2020, 1, 1), email="o@x.org")], "old"),
        ([stay("dated", date(2020, 1, 1), email="d@x.org"), stay("always", email="a@x.org")], "always"),
        ([stay("second"), stay("first")], "first"),  # the same time: who was entered first has the smaller id
        ([stay("empty", email=""), stay("real", date(2026, 3, 1), email="r@x.org")], "real"),
        ([stay("to the end", move_out=date(2026, 3, 31)), stay("beyond", date(2026, 3, 2), email="b@x.org")], "beyond"),
    ],
)
def test_an_invoice_is_addressed_to_who_was_there_last_with_an_address_longest(stays, whose):
    with_email = {one.tenant_id for one in stays if one.email}
    found = addressee_now(MARCH, stays_of(unit(*stays), None), 0, None, with_email)
    assert found == (whose and f"tenant_{whose}")


# --- kept as text ------------------------------------------------------------------------------------------------------

fractions = st.builds(Fraction, st.integers(0, 10**9), st.integers(1, 10**6))
texts = st.text(max_size=8)
spread = st.none() | st.integers(0, 31)
numbers = st.decimals(0, LARGEST_USAGE, places=MOST_USAGE_DECIMALS)
usages = st.builds(Usage, numbers, st.sampled_from([*UNITS, "bins"]), st.none() | numbers)
facts = st.builds(
    MonthFacts,
    st.just(MARCH),
    st.sampled_from(["USD", "EUR"]),
    st.lists(
        st.builds(Line, texts, st.integers(1, 9), st.integers(-(10**12), 10**12), st.none() | texts, texts, st.dates(),
                  st.integers(-(10**12), 10**12), st.booleans(), spread, spread,
                  st.none() | st.builds(LineDays, st.dates(), st.dates()), st.none() | usages), max_size=3,
    ).map(tuple),
    st.lists(
        st.builds(Rule, texts, st.sampled_from(METHODS), st.dictionaries(texts, fractions, max_size=3), fractions,
                  fractions, st.lists(st.builds(Component, texts, fractions), max_size=2).map(tuple)), max_size=3,
    ).map(lambda drawn: {one.utility_type: one for one in drawn}),
    st.lists(
        st.builds(UnitFacts, texts, texts, st.none() | fractions, st.none() | st.integers(0, 9), days, days,
                  st.lists(st.builds(Stay, texts, days, days, st.integers(0, 50)), max_size=2).map(tuple),
                  st.none() | st.builds(FormerDays, st.integers(0, 99), st.integers(0, 31))), max_size=3,
    ).map(tuple),
)  # fmt: skip


@settings(max_examples=5_000 if SOAK else 50)
@given(facts)
def test_facts_read_back_from_their_text_exactly(the_facts):
    again = from_json(to_json(the_facts))
    assert again == the_facts
    assert to_json(again) == to_json(the_facts)
    assert all(isinstance(one.sqft, Fraction | None) for one in again.units)


def test_a_snapshot_of_before_there_were_stays_reads_as_one_household_for_each_unit():
    kept = """{"month":"2026-03","currency":"USD","lines":[["bill_1",1,32010,"WATER","Aqua Water Co.","2026-03-14",32010,
        false]],"rules":[{"utility_type":"WATER","split_method":"OCCUPANTS","weights":{},"owner_percent":"0",
        "vacant_occupants":"1","blend":[]}],"participants":[["u1","1","850",2,45,31],["u2","2",null,null,0,31]]}"""
    facts = from_json(kept)
    assert [(unit.sqft, unit.former) for unit in facts.units] == [(850, FormerDays(45, 31)), (None, FormerDays(0, 31))]
    drafts = plan_month(facts, {}).drafts
    assert {key: [one.amount for one in draft.charges] for key, draft in drafts.items()} == {
        ("u1", 0): [189_53],
        ("u2", 0): [130_57],
    }
    assert drafts["u1", 0].charges[0].description.endswith("$320.10: 45 of 76 person-days")
    assert from_json(to_json(facts)) == facts
