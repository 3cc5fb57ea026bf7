"""A month's review finds unusual amounts, missing bills and vacant units."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from prorata.domain.billing_calendar import Month, days_there, last_day, months_apart, months_back
from prorata.domain.months.findings import (
    PastLine,
    listed,
    of_facts,
)
from prorata.domain.months.tenant_findings import Draft, of_vacancies, without_address
from prorata.domain.months.unusual_amounts import Asked, service_days, twice_the_median, unusual_amounts
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.share_rules import Component, Rule
from tests.domain.splitting.houses import unit_with

JULY = Month("2026-07")


def came(*months, issuer="Prairie Gas", kind="GAS", amount=50_00, account="1", days=None):
    """A line in each month, for its last `days` if they are given."""
    return [
        PastLine(f"{issuer}{month}{days}", Month(month), kind, amount, issuer, account, days and ending(month, days))
        for month in months
    ]


def ending(month, days):
    return last_day(Month(month)) - timedelta(days=days - 1), last_day(Month(month))


@pytest.mark.parametrize(
    ("before", "amount", "word"),
    [
        ((50_00, 50_00, 50_00), 100_01, "more than twice"),
        ((50_00, 50_00, 50_00), 100_00, None),
        ((50_00, 50_00, 50_00), 25_00, None),
        ((50_00, 50_00, 50_00), 24_99, "less than half"),
        ((50_00, 50_00), 500_00, None),
        ((-50_00, -50_00, 10_00), 500_00, None),
        ((1_00, 90_00, 100_00), 95_00, None),
        ((500_00, 10_00, 10_00, 10_00, 10_00, 10_00, 10_00), 20_01, "more than twice"),
    ],
)
def test_an_amount_is_unusual_beyond_twice_or_below_half_of_the_median(before, amount, word):
    months = [months_back(JULY, number) for number in range(len(before), 0, -1)]
    lines = [line for month, each in zip(months, before, strict=True) for line in came(month, amount=each)]
    found = list(unusual_amounts(JULY, lines + came(JULY, amount=amount), "USD"))
    assert [word in finding.message for finding in found] == ([True] if word else [])


def test_amounts_for_other_numbers_of_days_are_compared_per_day_where_none_are_for_as_many():
    quarter = came("2025-07", amount=150_00, days=92)
    assert list(unusual_amounts(JULY, [*quarter, *came(JULY, days=31)], "USD")) == []
    (found,) = unusual_amounts(JULY, [*quarter, *came(JULY, amount=500_00, days=31)], "USD")
    assert "more than twice the $50.54 for 31 days in July 2025." in found.message
    (found,) = unusual_amounts(JULY, [*quarter, *came(JULY, days=90)], "USD")
    assert "less than half the $150.00 in July 2025" in found.message
    (found,) = unusual_amounts(JULY, [*quarter, *came("2024-07", amount=10_00, days=31), *came(JULY, days=30)], "USD")
    assert "more than twice the $10.00 in July 2024" in found.message
    assert len(list(unusual_amounts(JULY, [*quarter, *came(JULY)], "USD"))) == 1, "its days are not known"


YEAR = [f"2026-{number:02}" for number in range(1, 13)]


@pytest.mark.parametrize(
    ("amount", "said"),
    [(100_00, None), (220_00, "more than twice the usual $100.00"), (49_00, "less than half the usual $100.00")],
)
def test_a_few_days_of_a_year_before_are_not_converted_to_a_month(amount, said):
    """A base fee does not grow with the number of days."""
    lines = [*came("2025-07", amount=30_00, days=4), *came("2025-08", amount=100_00, days=31)]
    lines += came(*YEAR[:6], amount=100_00, days=30) + came(JULY, amount=amount, days=31)
    found = [finding.message.partition("gas: ")[2] for finding in unusual_amounts(JULY, lines, "USD")]
    assert found == ([f"{said}."] if said else [])


@pytest.mark.parametrize(("days", "word"), [(11, "$90.00 for 33 days in July 2025"), (10, "the usual $100.00")])
def test_a_year_before_counts_for_at_least_a_third_of_the_days(days, word):
    lines = [*came("2025-07", amount=30_00, days=days), *came(*YEAR[:6], amount=100_00, days=30)]
    (found,) = unusual_amounts(JULY, lines + came(JULY, amount=500_00, days=33), "USD")
    assert word in found.message


def test_two_winter_months_of_a_year_before_are_compared_rather_than_the_summer():
    lines = [*came("2025-01", amount=200_00, days=61), *came("2025-09", "2025-10", "2025-11", amount=10_00, days=30)]
    january = Month("2026-01")
    assert list(unusual_amounts(january, lines + came(january, amount=100_00, days=31), "USD")) == []
    (found,) = unusual_amounts(january, lines + came(january, amount=20_00, days=31), "USD")
    assert "less than half the $101.64 for 31 days in January 2025." in found.message


MONTHS_BEFORE = came("2026-03", "2026-04", "2026-05", "2026-06", days=30)


@pytest.mark.parametrize(
    ("its", "said"),
    [
        (came(JULY, amount=100_00, days=61), None),
        (came(JULY, amount=1_000_00, days=61), "more than twice the usual $101.67 for 61 days."),
        (came(JULY, amount=10_00, days=61), "less than half the usual $101.67 for 61 days."),
        ([*came(JULY, days=31), *came(JULY, amount=100_00, days=61)], None),
        (
            [*came(JULY, amount=500_00, days=31), *came("2026-06", amount=100_00, days=61)],
            "more than twice the usual $50.00.",
        ),
    ],
)
def test_a_tenfold_amount_for_two_months_is_unusual_and_twice_the_amount_is_not(its, said):
    found = [finding.message.partition("gas: ")[2] for finding in unusual_amounts(JULY, MONTHS_BEFORE + its, "USD")]
    assert found == ([said] if said else [])


@pytest.mark.parametrize(("amount", "is_unusual"), [(50_00, False), (500_00, True)])
def test_the_days_of_two_bills_of_a_month_are_added_up_and_days_on_both_count_once(amount, is_unusual):
    june, july = ending("2026-06", 30), ending(JULY, 31)
    two = [*came(JULY, days=61), *came(JULY, amount=amount, days=31)]
    after_each_other = [two[0]._replace(service=june), two[1]._replace(service=july)]
    two_months = came("2026-03", "2026-04", "2026-05", amount=100_00, days=61)
    assert bool(list(unusual_amounts(JULY, two_months + after_each_other, "USD"))) is is_unusual
    at_once = [one._replace(service=july) for one in two]
    meters = came("2026-04", "2026-05", "2026-06", amount=100_00, days=30)
    assert bool(list(unusual_amounts(JULY, meters + at_once, "USD"))) is is_unusual


@given(st.dates(date(2025, 11, 20), date(2026, 4, 10)), st.integers(0, 120))
def test_the_parts_of_a_spread_bill_are_for_all_of_its_days_wherever_they_are_billed(first, length):
    last = first + timedelta(days=length)
    parts = [(of, days_there(of, first, last)) for of in map(Month, ("2025-11", "2025-12", *YEAR))]
    lines = [PastLine("b1", of, "GAS", days, "Gas", "", (first, last), days) for of, days in parts if days]
    assert service_days(lines) == length + 1
    assert service_days([line._replace(month=lines[-1].month) for line in lines]) == length + 1, "billed late, together"
    assert [service_days([line]) for line in lines] == [line.days for line in lines]


GAS = (100, 90, 75, 45, 25, 12, 10, 10, 14, 35, 65, 90)


@pytest.mark.parametrize("together", [(), (2,), (4, 7), (6, 9, 12)])
def test_a_year_of_usual_bills_of_every_season_is_not_unusual(together):
    """The months in `together` are billed with the month before."""
    bills = [PastLine(f"b{of}", Month(f"2025{of[4:]}"), "GAS", cents * 100, "Gas", "", ending(f"2025{of[4:]}", 30))
             for of, cents in zip(YEAR, GAS, strict=True)]  # fmt: skip
    for number, of in enumerate(YEAR, start=1):
        both = number in together
        if number + 1 not in together:
            cents = GAS[number - 1] * 110 + both * GAS[number - 2] * 110
            bills.append(PastLine(f"b{of}", Month(of), "GAS", cents, "Gas", "", ending(of, 61 if both else 30)))
        assert list(unusual_amounts(Month(of), bills, "USD")) == [], of
        tenfold = [*bills[:-1], bills[-1]._replace(amount=bills[-1].amount * 10)]
        found = [finding.message for finding in unusual_amounts(bills[-1].month, tenfold, "USD")]
        assert ["more than twice" in message for message in found] == [True], of


@pytest.mark.parametrize(
    ("of_years", "amount", "said"),
    [
        ({"2025-07": 60_00}, 31_00, None),
        ({"2025-07": 60_00}, 120_01, "more than twice the $60.00 in July 2025"),
        ({"2025-07": 60_00}, 29_99, "less than half the $60.00 in July 2025"),
        ({"2024-07": 10_00}, 60_00, "more than twice the $10.00 in July 2024"),
        ({"2025-07": 60_00, "2024-07": 1_00}, 60_00, None),
        ({"2025-07": -60_00}, 300_00, "more than twice the usual $100.00"),
        ({"2022-07": 1_00}, 60_00, None),
    ],
)
def test_an_amount_is_compared_with_the_same_month_of_a_year_before_where_there_is_one(of_years, amount, said):
    lines = [line for month, each in of_years.items() for line in came(month, amount=each)]
    lines += came("2026-03", "2026-04", "2026-05", "2026-06", amount=100_00) + came(JULY, amount=amount)
    found = [finding.message for finding in unusual_amounts(JULY, lines, "USD")]
    assert [message.partition("gas: ")[2] for message in found] == ([f"{said}."] if said else [])


def test_the_bills_of_one_month_are_compared_together_and_each_utility_by_itself():
    lines = came("2026-04", "2026-05", "2026-06", JULY) + came(JULY, account="2", amount=60_00)
    lines += came("2026-04", "2026-05", "2026-06", kind="WATER") + came(JULY, kind="WATER", amount=10_00)
    gas, water = unusual_amounts(JULY, lines, "USD")
    assert gas.message == "Prairie Gas charges $110.00 for gas: more than twice the usual $50.00."
    assert water.message == "Prairie Gas charges $10.00 for water: less than half the usual $50.00."


def test_what_is_asked_at_its_bills_is_not_asked_again_of_its_month():
    second = PastLine("second", JULY, "GAS", 300_00, "Prairie Gas", "2")
    lines = [*came("2026-04", "2026-05", "2026-06", JULY, amount=50_00), second]
    flag = Asked("The bill charges $900.00 for gas: more than twice the usual $50.00.", of_bill=True)
    one, both = {"second": [flag]}, {"second": [flag], f"Prairie Gas{JULY}None": [flag]}
    assert list(unusual_amounts(JULY, lines, "USD", asked=both)) == []
    assert len(list(unusual_amounts(JULY, lines, "USD", asked=one))) == 1, "the other bill is not flagged"
    water = {bill: [flag._replace(message="The bill charges $9.00 for water")] for bill in both}
    assert len(list(unusual_amounts(JULY, lines, "USD", asked=water))) == 1
    check = {bill: [Asked("Prairie Gas charges $340.00 for gas", of_bill=False)] for bill in both}
    assert len(list(unusual_amounts(JULY, lines, "USD", asked=check))) == 1, "their sum is another one now"


def test_half_a_cent_of_a_median_is_compared_exactly():
    assert twice_the_median([3, 4]) == 7
    assert list(unusual_amounts(JULY, [*came("2026-03", "2026-04", amount=3), *came("2026-05", "2026-06", amount=4), *came(JULY, amount=7)],
                                "USD")) == []  # fmt: skip


# --- what the facts show ----------------------------------------------------------------------------------------------


def unit(label, *, sqft=None, bedrooms=None, days=31):
    return unit_with(f"unit_{label}", label, None if sqft is None else Fraction(sqft), bedrooms, days)


def facts(units, *rules, kinds=("WATER",), guessed=False):
    lines = [
        Line("bill_1", number, 100_00, kind, "City", date(2026, 7, 1), 300_00, guessed)
        for number, kind in enumerate(kinds, start=1)
    ]
    return MonthFacts(JULY, "USD", tuple(lines), {rule.utility_type: rule for rule in rules}, tuple(units))


def rule(method, kind="WATER", weights=None, blend=()):
    components = tuple(Component(name, Fraction(percent)) for name, percent in blend)
    given = {name: Fraction(weight) for name, weight in (weights or {}).items()}
    return Rule(kind, method, given, Fraction(0), Fraction(0), components)


def said(of):
    return {finding.kind: finding.message for finding in (*of_facts(of), *of_vacancies(of))}


def test_a_month_with_nothing_to_look_at_finds_nothing():
    assert said(facts([unit("1"), unit("2")], rule("EQUAL"))) == {}


def test_measures_nobody_entered_are_named_once_for_all_utilities_they_divide():
    units = [unit("1", sqft=500), unit("2"), unit("3")]
    both = facts(units, rule("SQFT"), rule("SQFT", "GAS"), kinds=("WATER", "GAS"))
    assert said(both) == {
        "missingFacts": "Units 2 and 3 have no floor area, which is needed to divide water and gas: they count as 0, "
        "and the others pay more."
    }
    blend = facts([unit("1", bedrooms=1), unit("2")], rule("CUSTOM", blend=(("EQUAL", 50), ("BEDROOMS", 50))))
    assert said(blend)["missingFacts"].startswith(
        "Unit 2 has no bedrooms, which is needed to divide water: it counts as 0"
    )
    weighed = facts([unit("1"), unit("2")], rule("CUSTOM", weights={"unit_1": 3}))
    assert said(weighed)["missingFacts"].startswith("Unit 2 has no weight")


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("SQFT", "Enter the missing floor areas. The invoices are then updated"),
        ("BEDROOMS", "Enter the missing bedrooms, 0 for a studio. The invoices are then updated"),
        ("CUSTOM", "Enter the missing weights in the rule. The invoices are then updated"),
    ],
)
def test_what_to_do_about_a_measure_is_said(method, says):
    known = unit("1", sqft=500, bedrooms=1)
    (found,) = of_facts(facts([known, unit("2")], rule(method, weights={"unit_1": 1})))
    assert found.advice.startswith(says)


def test_what_only_the_owner_bears_is_said_with_its_amount():
    assert said(facts([unit("1")])) == {
        "ownerBears": "No rule for water is switched on, so all of it is the owner’s. That is $100.00."
    }
    beds = said(facts([unit("1", bedrooms=0)], rule("BEDROOMS")))["ownerBears"]
    assert beds == "It is divided by bedrooms, and no unit has bedrooms: all of it is the owner’s. That is $100.00."
    assert "No unit takes part" in said(facts([], rule("EQUAL")))["ownerBears"]


def test_guesses_and_vacant_units_are_said():
    found = said(facts([unit("1"), unit("2", days=0)], rule("EQUAL"), guessed=True))
    assert found["vacant"] == "Unit 2 was vacant in July 2026: the owner bears the cost of vacant units."
    assert found["guessed"].startswith("1 bill from City gives no amount for each utility")


def test_of_a_vacant_unit_in_which_the_rule_counts_nobody_it_is_said_that_the_tenants_pay():
    found = said(facts([unit("1"), unit("2", days=0)], rule("OCCUPANTS")))
    assert found["vacant"] == (
        "Unit 2 was vacant in July 2026. The rules for water count people, and nobody there, so the tenants pay for "
        "vacant units too."
    )


def test_of_a_blend_the_tenants_pay_only_the_part_by_people_for_a_vacant_unit():
    blend = rule("CUSTOM", blend=[("SQFT", 50), ("OCCUPANTS", 50)])
    house = facts([unit("1", sqft=500), unit("2", sqft=500, days=0)], blend)
    assert said(house)["vacant"] == (
        "Unit 2 was vacant in July 2026. The rules for water divide a part by people, and count nobody there, so the "
        "tenants pay that part for vacant units too. The owner bears the rest of the cost."
    )
    assert said(facts(house.units, blend, rule("OCCUPANTS", "GAS"), kinds=("WATER", "GAS")))["vacant"] == (
        "Unit 2 was vacant in July 2026. The rules for gas count people, and nobody there, so the tenants pay for "
        "vacant units too. The rules for water divide a part by people, and count nobody there, so the tenants pay "
        "that part for vacant units too. The owner bears the rest of the cost."
    )


def test_tenants_without_an_address_are_named_and_vacant_units_are_not():
    drafts = [
        Draft("inv_1", "1", "Ann", None, 1),
        Draft("inv_2", "2", None, None, 1),
        Draft("inv_3", "3", "Bo", "b@x", 1),
    ]
    (found,) = without_address(drafts)
    assert found.message == "Ann (unit 1) has no e-mail address, so the invoice must be handed over."
    assert list(without_address(drafts[1:])) == []


def test_a_sentence_names_a_few_and_counts_the_rest():
    assert listed([str(number) for number in range(1, 7)]) == "1, 2, 3, 4, 5 and 6"
    assert listed([str(number) for number in range(1, 2001)]).endswith("5 and 1,995 more")


def test_months_are_counted_over_the_turn_of_the_year():
    assert months_back(Month("2026-01"), 1) == "2025-12"
    assert months_apart(Month("2024-12"), Month("2026-01")) == 13
