"""The sentence and printed sums of a charge lead to its amount.

A reader recomputes it without the program.
"""

import re
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.locale_forms import LocaleForms
from prorata.domain.locale_forms import FORMER
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.printing.printed_invoices import PrintedCharge
from prorata.domain.printing.rendering import write
from prorata.domain.splitting import planned_invoices
from prorata.domain.splitting.explanations import explain
from prorata.domain.splitting.month_facts import in_tie_order
from prorata.domain.splitting.planned_charges import compare
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.splitting.stays import Stay, UnitFacts
from tests.domain.printing.test_rendering import invoice
from tests.domain.splitting.houses import plan_month, unit_with
from tests.domain.splitting.test_explanations import HOUSE, water
from tests.domain.splitting.test_planned_charges import facts, line

MONEY = re.compile(r"-?\$[0-9,]+\.[0-9]{2}")
NUMBER = r"([0-9][0-9,]*(?:\.[0-9]+)?)"
OF = re.compile(rf"(?:weight )?{NUMBER} of {NUMBER}(?: units| sq ft| person-days| bedrooms)?")
CENTS = re.compile(r", and (one cent|([0-9]+) cents) (more|less), so that all shares add up to the bill$")
PERCENTS = [Fraction(0), Fraction(10), Fraction("33.333"), Fraction("12.0625")]

decimals = st.integers(0, 999_999).map(lambda thousandths: Fraction(thousandths, 1000))
units = st.lists(
    st.tuples(st.none() | decimals, st.none() | st.integers(0, 5), st.integers(0, 62)), min_size=1, max_size=6
).map(lambda drawn: in_tie_order([unit_with(f"u{at}", str(at), *of, 31) for at, of in enumerate(drawn)]))
weights = st.dictionaries(
    st.sampled_from([f"u{at}" for at in range(6)]), st.integers(0, 16_666_666).map(lambda one: Fraction(one, 10**6))
)
blends = st.sampled_from(
    [(), (), (("SQFT", "33.333"), ("OCCUPANTS", "66.667")), (("EQUAL", 50), ("SQFT", 25), ("BEDROOMS", 25))]
).map(lambda parts: tuple(Component(method, Fraction(percent)) for method, percent in parts))
rules = st.builds(
    Rule, st.just("WATER"), st.sampled_from(METHODS), weights, st.sampled_from(PERCENTS),
    st.sampled_from([Fraction(0), Fraction("1.125")]), blends,
)  # fmt: skip
amounts = st.integers(-500_00, 5_000_00) | st.integers(-9, 9)


def number(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def cents(money: str) -> int:
    exact = 100 * number(money.replace("$", ""))
    assert exact.denominator == 1
    return int(exact)


def rounded(exact: Fraction) -> int:
    """Round to whole cents, half a cent away from zero."""
    size = int(abs(exact) + Fraction(1, 2))
    return size if exact >= 0 else -size


def reckoned(sentence: str) -> int:
    """The cents that a reader computes by hand from a charge's sentence."""
    *_, last = MONEY.finditer(sentence)
    reason = sentence[last.end() :].partition(": ")[2]
    beside = 0
    if named := CENTS.search(reason):
        reason = reason[: named.start()]
        beside = int(named[2] or 1) * (1 if named[3] == "more" else -1)
    left = Fraction(1)
    if owner := re.search(rf", after the owner's {NUMBER}%$", reason):
        reason, left = reason[: owner.start()], 1 - number(owner[1]) / 100
    share = Fraction()
    for part in reason.split("; "):
        percent = re.match(rf"{NUMBER}% by ", part)
        said = part[percent.end() :] if percent else part
        said = said.partition(": ")[2] or said
        if of_this := re.fullmatch(rf"{NUMBER}% of this amount", said):
            weight = number(of_this[1]) / 100
        else:
            of = OF.fullmatch(said)
            assert of is not None, said
            weight = number(of[1]) / number(of[2])
        share += weight * (number(percent[1]) / 100 if percent else 1)
    return rounded(cents(last[0]) * left * share) + beside


def value(said: str) -> Fraction:
    """The value of a term in a printed sum.

    The term is an amount, whose value is in cents, a percentage, or a number.
    """
    if "$" in said:
        return Fraction(cents(said))
    return number(said[:-1]) / 100 if said.endswith("%") else number(said)


def holds(equation: str, more: str, less: str) -> int:
    """Check a printed sum, and return the cents on its right."""
    left, _, right = equation.partition(" = ")
    first, *others = re.split(r" ([×÷+]) ", left)
    exact = value(first)
    for sign, term in zip(others[::2], others[1::2], strict=True):
        exact = {"×": exact.__mul__, "÷": exact.__truediv__, "+": exact.__add__}[sign](value(term))
    assert MONEY.match(right)
    figures = MONEY.findall(right)
    assert cents(figures[0]) == rounded(exact), equation
    if len(figures) > 1:
        rounded_share, cent, charged = figures
        template = more if cents(charged) == cents(rounded_share) + 1 else less
        assert abs(cents(charged) - cents(rounded_share)) == 1 == cents(cent)
        assert right == template.format(rounded=rounded_share, cent=cent, amount=charged)
    return cents(figures[-1])


@given(amounts, rules, units)
def test_multiplying_what_a_sentence_says_gives_the_charge_but_for_a_cent_that_it_names(amount, rule, house):
    for charges in plan_month(facts(line(amount), rules=[rule], units=house)).charges.values():
        for charge in charges:
            assert reckoned(charge.description) == charge.amount, charge.description


@given(amounts, rules, units, st.sampled_from(sorted(LANGUAGES)))
def test_every_printed_sum_is_true_and_the_last_is_the_charge(amount, rule, house, language):
    month, texts = facts(line(amount), rules=[rule], units=house), LANGUAGES[language]
    for unit, charges in plan_month(month).charges.items():
        printed = tuple(
            PrintedCharge("WATER", one.amount, one.description, explain(month, unit, one)) for one in charges
        )
        for charge, shown in zip(
            charges, write(invoice(charges=printed), texts, LocaleForms("en-US")).charges, strict=True
        ):
            sums = [one.text for one in shown.lines if one.is_sum]
            right = [holds(one, texts.cent_more, texts.cent_less) for said in sums for one in said.split(";  ")]
            assert right[-1] == charge.amount


PEOPLE = re.compile(r"((?:\d+ (?:person|people) × \d+ days?(?: \+ )?)+) = (\d+)(?:, |[.]$|[.] )")


@given(st.lists(st.tuples(st.integers(0, 31), st.integers(1, 31), st.integers(0, 4)), min_size=1, max_size=3), rules)
def test_the_people_and_days_that_are_printed_make_the_number_that_the_sum_has(stays, rule):
    there = [
        Stay(f"t{at}", date(2026, 3, max(1, min(first, last))), date(2026, 3, max(first, last)), people)
        for at, (first, last, people) in enumerate(stays)
    ]
    rule = rule._replace(split_method="OCCUPANTS", blend=())
    unit = UnitFacts("u1", "1", None, None, None, None, tuple(there))
    month = facts(line(90_01), rules=[rule], units=(unit, unit_with("u2", "2", None, None, 31, 31)))
    drafts = planned_invoices.plan_month(month, {}, ()).drafts
    mine = [one for (unit, _), draft in drafts.items() if unit == "u1" for one in draft.charges]
    printed = tuple(PrintedCharge("WATER", one.amount, one.description, explain(month, "u1", one)) for one in mine)
    assert printed
    for charge in write(invoice(charges=printed), LANGUAGES["en"], LocaleForms("en-US")).charges:
        said = " ".join(one.text for one in charge.lines)
        found = PEOPLE.findall(said)
        assert found or LANGUAGES["en"].no_days_here in said
        for products, days in found:
            factors = [[int(one) for one in re.findall(r"\d+", product)] for product in products.split(" + ")]
            assert sum(people * on for people, on in factors) == int(days)
            assert f" × {days} ÷ " in said


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"u1": "0.125", "u2": "0.875"}, "weight 0.125 of 1"),
        ({"u1": "61.335", "u2": "100"}, "weight 61.335 of 161.335"),
    ],
)
def test_a_weight_is_said_with_all_its_digits(weights, said):
    rule = water("CUSTOM", weights={unit: Fraction(one) for unit, one in weights.items()})
    (charge,) = plan_month(facts(line(1_000_00), rules=[rule], units=HOUSE)).charges["u1"]
    assert charge.description == f"Aqua Water Co., bill of 2026-03-14, $1,000.00: {said}"


def test_a_charge_in_the_words_of_before_is_explained_and_kept_where_a_month_is_closed():
    rule = water("CUSTOM", weights={"u1": Fraction("0.125"), "u2": Fraction("0.875")})
    month = facts(line(90_01), rules=[rule], units=HOUSE)
    (now,), (before,) = plan_month(month).charges["u1"], plan_month(month, (), FORMER).charges["u1"]
    assert before.description.endswith(": weight 0.13 of 1")
    assert before._replace(description=now.description) == now
    assert explain(month, "u1", before) == explain(month, "u1", now)
    assert not compare([("chg_1", before)], [now], keeps_words=True)
    assert compare([("chg_1", before)], [now]).change == (("chg_1", now),)
    assert compare([("chg_1", before._replace(amount=1))], [now], keeps_words=True).change == (("chg_1", now),)
