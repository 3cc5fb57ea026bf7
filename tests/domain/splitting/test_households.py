"""Households pay for the days on which they were there.

The tests work through cases from practice, and compare the program with a second computation by hand.
"""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.billing_calendar import Month
from prorata.domain.money import in_figures
from prorata.domain.splitting.month_facts import (
    Line,
    MonthFacts,
    TenantRecord,
    UnitRecord,
    from_json,
    to_json,
    units_known,
    units_taking_part,
)
from prorata.domain.splitting.planned_invoices import plan_month
from prorata.domain.splitting.rights import rights
from prorata.domain.splitting.share_rules import Component, Rule, problems_of_rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import LineDays, Stay, households, of_month
from tests.conftest import SOAK
from tests.domain.splitting import by_hand, test_planned_charges

MARCH = Month("2026-03")
LINE = ("bill_1", 1)
BEFORE = "2026-01-01T00:00:00.000Z"


def march(day):
    return date(2026, 3, day)


def tenant(name, move_in=None, move_out=None, *, occupants=1, email=None, added=BEFORE):
    return TenantRecord(name, name.title(), email, move_in, move_out, occupants, added)


def flat(label, *tenants, sqft=500, since=None, until=None, added=BEFORE):
    return UnitRecord(f"u{label}", label, Fraction(sqft), 1, since, until, added, tenants)


def month_of(units, amount, method="SQFT", *, vacant=0, service=None, month=MARCH, first_closed=None, **rule):
    line = Line(*LINE, amount, "WATER", "Aqua Water Co.", march(14), amount, service=service)
    rules = {"WATER": Rule("WATER", method, rule.get("weights", {}), Fraction(rule.get("owner", 0)), Fraction(vacant))}
    return MonthFacts(month, "USD", (line,), rules, units_taking_part(month, [line], units_known(units, first_closed)))


def shares(facts):
    """Return the amounts that households, empty units and the owner bear.

    Households are named by their tenants, and empty units by their labels.
    """
    found = rights(facts)
    mine = {"+".join(key): in_figures(lines[LINE]) for (_, key), lines in found.of_households.items()}
    unlived = {unit_id: in_figures(lines[LINE]) for unit_id, lines in found.unlived.items()}
    return mine | unlived | {"owner": in_figures(found.owner[LINE])}


# --- the cases that came out wrong ---------------------------------------------------------------------------------------

TO_16 = flat("1", tenant("ann", None, march(14)), tenant("bo", march(16)), sqft=850)
ON_15 = flat("1", tenant("ann", None, march(15)), tenant("bo", march(15)), sqft=850)
BESIDE = flat("2", tenant("cy"), sqft=620)
FROM_21 = flat("1", tenant("new", march(21)))
LEFT_ON_14 = flat("1", tenant("leaver", None, march(14)), tenant("newcomer", march(17)))
ON_1 = flat("1", tenant("leaver", None, date(2026, 2, 28)), tenant("newcomer", march(1)))
NEIGHBOUR = flat("2", tenant("neighbour"))
PARTED = [
    flat("1", tenant("before"), sqft=1000, until=march(15)),
    flat("1a", tenant("one"), since=march(16)),
    flat("1b", tenant("other"), since=march(16)),
    flat("2", tenant("beside"), sqft=1000),
]


@pytest.mark.parametrize(
    ("facts", "right"),
    [
        (month_of([TO_16, BESIDE], 147_00), {"ann": "38.39", "bo": "43.87", "cy": "62.00", "owner": "2.74"}),
        (month_of([ON_15, BESIDE], 147_00), {"ann": "39.84", "bo": "45.16", "cy": "62.00", "owner": "0.00"}),
        (month_of([FROM_21, NEIGHBOUR], 620_00), {"new": "110.00", "neighbour": "310.00", "owner": "200.00"}),
        (
            month_of([FROM_21, NEIGHBOUR], 620_00, "OCCUPANTS", vacant=1),
            {"new": "110.00", "neighbour": "310.00", "owner": "200.00"},
        ),
        (
            month_of([LEFT_ON_14, NEIGHBOUR], 100_00, "OCCUPANTS",
                     service=LineDays(date(2026, 2, 15), march(16))),
            {"leaver": "48.28", "neighbour": "51.72", "owner": "0.00"},
        ),
        (
            month_of([ON_1, NEIGHBOUR], 901_00, service=LineDays(date(2026, 1, 1), march(31))),
            {"leaver": "295.33", "newcomer": "155.17", "neighbour": "450.50", "owner": "0.00"},
        ),
        (
            month_of(PARTED, 310_00),
            {"beside": "155.00", "before": "75.00", "one": "40.00", "other": "40.00", "owner": "0.00"},
        ),
        (
            month_of([flat("1", tenant("family", occupants=4)), flat("2", tenant("single"))], 100_00, "OCCUPANTS"),
            {"family": "80.00", "single": "20.00", "owner": "0.00"},
        ),
    ],
)  # fmt: skip
def test_the_right_person_pays_for_the_right_days(facts, right):
    assert shares(facts) == right


def test_a_newcomer_who_was_there_on_no_service_day_has_the_units_invoice_and_pays_nothing():
    facts = month_of([LEFT_ON_14, NEIGHBOUR], 100_00, "OCCUPANTS", service=LineDays(date(2026, 2, 15), march(16)))
    drafts = plan_month(facts, {}).drafts
    assert {key: (one.tenant_id, [charge.amount for charge in one.charges]) for key, one in drafts.items()} == {
        ("u1", 0): ("newcomer", [0]),
        ("u1", 1): ("leaver", [48_28]),
        ("u2", 0): ("neighbour", [51_72]),
    }
    (charge,) = drafts["u1", 0].charges
    assert charge.description.endswith(": 0 of 58 person-days")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (month_of([TO_16, BESIDE], 147_00), "850 of 1,470 sq ft, 14 of 31 days"),
        (month_of([ON_15, BESIDE], 147_00), "850 of 1,470 sq ft, 15 of 32 days (a day of moving counts for both)"),
        (month_of(PARTED, 310_00), "15,000 of 62,000 sq ft-days (1,000 × 15 days)"),
        (month_of(PARTED, 310_00, "EQUAL"), "15 of 78 unit-days"),
        (
            month_of([TO_16, BESIDE], 147_00, "PERCENTAGE", weights={"u1": Fraction("12.5")}, owner=10),
            "12.5% of this amount, 14 of 31 days, after the owner's 10%",
        ),
        (
            month_of(PARTED, 310_00, "PERCENTAGE", weights={"u1": Fraction(50)}),
            "50% of this amount for 15 of 31 days",
        ),
        (month_of([TO_16, BESIDE], 60_00, "OCCUPANTS"), "14 of 61 person-days"),
    ],
)
def test_a_charge_says_the_days(facts, said):
    drafts = plan_month(facts, {}).drafts
    (charge,) = (
        charge
        for (unit_id, _), one in drafts.items()
        if unit_id == "u1" and one.tenant_id in ("ann", "before")
        for charge in one.charges
    )
    assert charge.description.partition(": ")[2].partition(", and one cent")[0] == said


# --- stays, households, service days -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stays", "expected"),
    [
        ([("a", 1, 10), ("b", 11, 20)], ["a", "b"]),
        ([("a", 1, 10), ("b", 10, 20)], ["a", "b"]),
        ([("a", 1, 11), ("b", 10, 20)], ["ab"]),
        ([("a", 1, 10), ("b", 10, 20), ("c", 5, 15)], ["acb"]),
        ([("a", 1, 20), ("b", 20, 20)], ["a", "b"]),
        ([("a", 1, 20), ("b", 10, 10)], ["ab"]),
        ([("b", 5, 5), ("a", 5, 5)], ["a", "b"]),
        ([("a", 5, 5), ("b", 5, 9)], ["a", "b"]),
        ([("a", 1, 10), ("b", 5, 15), ("c", 12, 20), ("d", 20, 25)], ["abc", "d"]),
    ],
)
def test_stays_that_overlap_in_a_chain_are_one_household(stays, expected):
    found = households([Stay(name, march(first), march(last)) for name, first, last in stays])
    assert ["".join(one.tenant_ids) for one in found] == expected


def test_a_tenant_entered_without_a_date_after_the_month_was_first_closed_has_no_stay_in_it():
    units = [flat("1", tenant("old"), tenant("late", added="2026-04-03T00:00:00.000Z")), flat("2", added="2026-04-03")]
    closed = "2026-04-02T00:00:00.000Z"
    assert shares(month_of(units, 10_00, "EQUAL", first_closed=closed)) == {"old": "10.00", "owner": "0.00"}
    assert shares(month_of(units, 10_00, "EQUAL")) == {"late+old": "5.00", "u2": "5.00", "owner": "0.00"}
    dated = [flat("1", tenant("old"), tenant("late", march(1), added="2026-04-03T00:00:00.000Z"))]
    assert shares(month_of(dated, 10_00, "EQUAL", first_closed=closed)) == {"late+old": "10.00", "owner": "0.00"}


def test_a_unit_of_a_hundred_percent_leaves_the_owner_the_days_before_it_began():
    units = [flat("1", tenant("ann"), since=march(16))]
    assert shares(month_of(units, 31_00, "PERCENTAGE", weights={"u1": Fraction(100)})) == {
        "ann": "16.00",
        "owner": "15.00",
    }


def test_of_equal_fractions_the_earlier_household_gets_the_cent_then_the_lowest_tenant_id_and_the_owner_last():
    assert shares(month_of([flat("1", tenant("zed", None, march(15)), tenant("ann", march(16), march(30)))], 1)) == {
        "zed": "0.01",
        "owner": "0.00",
    }
    on_one_day = [flat("1", tenant("zed", march(5), march(5)), tenant("ann", march(5), march(5)))]
    assert shares(month_of(on_one_day, 1, service=LineDays(march(5), march(5)))) == {
        "ann": "0.01",
        "owner": "0.00",
    }
    half = month_of([flat("1", tenant("ann", march(30)))], 1, service=LineDays(march(28), march(31)))
    assert shares(half) == {"ann": "0.01", "owner": "0.00"}


def test_percentages_may_sum_to_a_hundred_on_each_day():
    weights = {"u1": "100", "u2": "60", "u3": "40"}
    times = {"u1": (None, march(15)), "u2": (march(16), None), "u3": (march(16), None)}
    assert not problems_of_rule("PERCENTAGE", weights, blended=False, times=times)
    assert problems_of_rule("PERCENTAGE", weights, blended=False, times=times | {"u3": (march(15), None)})
    assert problems_of_rule("PERCENTAGE", weights, blended=False)


# --- a second opinion ----------------------------------------------------------------------------------------------------

FIRST, LAST = date(2026, 1, 20), date(2026, 5, 10)
days = st.none() | st.dates(FIRST, LAST) | st.sampled_from([march(1), march(14), march(15), march(16), march(31)])
numbers = st.none() | st.integers(0, 5_000).map(lambda tenth: Fraction(tenth, 10))
percents = st.sampled_from([Fraction(0), Fraction(0), Fraction(10), Fraction("33.3"), Fraction(100)])
tenants = st.lists(st.tuples(days, days, st.integers(0, 5)), max_size=4)
houses = st.lists(
    st.tuples(st.sampled_from(["1", "2", "2b", "10"]), numbers, st.none() | st.integers(0, 3), days, days, tenants),
    min_size=1, max_size=4,
)  # fmt: skip
blends = st.sampled_from(
    [(), (), (), (("EQUAL", 50), ("SQFT", 50)), (("OCCUPANTS", "33.3"), ("BEDROOMS", "66.7")),
     (("SQFT", 25), ("EQUAL", 20), ("BEDROOMS", 30), ("OCCUPANTS", 25))]
).map(lambda parts: tuple(Component(method, Fraction(percent)) for method, percent in parts))  # fmt: skip
weights = st.dictionaries(
    st.sampled_from(["u0", "u1", "u2", "u3"]), st.integers(0, 250).map(lambda tenth: Fraction(tenth, 10))
)
rules = st.none() | st.builds(
    Rule, st.just("WATER"), st.sampled_from(METHODS), weights, percents,
    st.sampled_from([Fraction(0), Fraction(1), Fraction("1.5")]), blends,
)  # fmt: skip
amounts = st.integers(-500_00, 5_000_00) | st.integers(-40, 40)
periods = st.tuples(st.none() | st.dates(FIRST, LAST), st.none() | st.dates(FIRST, LAST), st.booleans())


def units_of(house):
    return [
        UnitRecord(
            f"u{at}", label, sqft, bedrooms, since, until, BEFORE,
            tuple(TenantRecord(f"t{at}{number}", "", None, *of) for number, of in enumerate(tenants)),
        )
        for at, (label, sqft, bedrooms, since, until, tenants) in enumerate(house)
    ]  # fmt: skip


def line_of(amount, period):
    start, end, is_spread = period
    if start is not None and end is not None and start > end:
        start, end = end, start
    spread = is_spread and start is not None and end is not None and start <= march(31) and end >= march(1)
    served = of_month(MARCH) if start is None or end is None else LineDays(start, end)
    if spread:
        served = LineDays(max(start, march(1)), min(end, march(31)))
    by_hands = {"amount": amount, "month": MARCH, "from": start, "to": end, "part": MARCH if spread else None}
    return served, by_hands


def kept_by_hand(house):
    return [
        {"id": f"u{at}", "label": label, "sqft": sqft, "bedrooms": bedrooms, "from": since, "to": until,
         "tenants": {f"t{at}{number}": {"in": of[0], "out": of[1], "occupants": of[2]}
                     for number, of in enumerate(tenants)}}
        for at, (label, sqft, bedrooms, since, until, tenants) in enumerate(house)
    ]  # fmt: skip


def facts_of(house, rule, amount, period):
    served, _ = line_of(amount, period)
    line = Line(*LINE, amount, "WATER", "Aqua Water Co.", march(14), amount, service=served)
    units = units_taking_part(MARCH, [line], units_known(units_of(house), None))
    return MonthFacts(MARCH, "USD", (line,), {} if rule is None else {"WATER": rule}, units)


THOUSANDS = settings(max_examples=20_000 if SOAK else 250, deadline=None)


@THOUSANDS
@given(houses, rules, amounts, periods)
def test_a_second_way_day_by_day_gives_everybody_the_same_cents(house, rule, amount, period):
    facts = facts_of(house, rule, amount, period)
    found = rights(facts)
    ours = {(unit_id, tuple(sorted(key))): lines[LINE] for (unit_id, key), lines in found.of_households.items()}
    ours |= {(unit_id, None): lines[LINE] for unit_id, lines in found.unlived.items()}
    in_hand = rule and {"method": rule.split_method, "weights": rule.weights, "owner": rule.owner_percent,
                        "vacant": rule.vacant_occupants, "blend": rule.blend}  # fmt: skip
    assert ours | {"owner": found.owner[LINE]} == by_hand.divide(
        line_of(amount, period)[1], in_hand, kept_by_hand(house)
    )
    assert sum(ours.values()) + found.owner[LINE] == amount
    credit = rights(facts._replace(lines=(facts.lines[0]._replace(amount=-amount),)))
    assert credit.owner[LINE] == -found.owner[LINE], "a credit is the mirror image"
    assert from_json(to_json(facts)) == facts


# --- without dates -----------------------------------------------------------------------------------------------------


@settings(max_examples=5_000 if SOAK else 150)
@given(test_planned_charges.drawn_lines, test_planned_charges.drawn_rules, rules, houses)
def test_without_dates_every_unit_has_one_invoice_and_nothing_is_lost(lines, rules, of_water, house):
    rules = [one for one in rules if one.utility_type != "WATER"] + [of_water] * (of_water is not None)
    always = [(*one[:3], None, None, [(None, None, 1) for _ in one[5]]) for one in house]
    units = units_taking_part(MARCH, lines, units_known(units_of(always), None))
    planned = plan_month(test_planned_charges.facts(*lines, rules=rules, units=units), {})
    billed = any(line.utility_type for line in lines)
    assert planned.drafts.keys() == ({(unit.unit_id, 0) for unit in units} if billed else set())
    charged = [charge for draft in planned.drafts.values() for charge in draft.charges]
    for line in lines:
        its = sum(charge.amount for charge in charged if charge.line == line.number)
        assert its + planned.owner[line.bill_id, line.number] == line.amount
