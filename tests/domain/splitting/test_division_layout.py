"""A division is laid out for a page.

It shows the cents that are charged, and the exact shares from which they were rounded.
"""

from fractions import Fraction

from hypothesis import given

from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.correction_sentences import reason_in_words
from prorata.domain.splitting.division_layout import lay_out
from prorata.domain.splitting.previews import preview
from prorata.domain.splitting.share_rules import Component, Rule, divides_by_people
from prorata.domain.splitting.stays import Stay, UnitFacts, of_month
from tests.domain.splitting.houses import DAYS, divide
from tests.domain.splitting.test_division import TEN_AMOUNTS, THOUSANDS, rule, rules, unit, units_of_a_house


@THOUSANDS
@given(TEN_AMOUNTS, rules, units_of_a_house)
def test_what_is_laid_out_is_what_is_divided_and_sums_exactly(amounts, the_rule, units):
    for amount in amounts:
        division = divide(amount, the_rule, units)
        shown = lay_out(amount, the_rule, DAYS, units, "water")
        assert (tuple(share.cents for share in shown.shares), shown.owner) == (division.parts, division.owner)
        if not divides_by_people(the_rule):  # those are said as invoices say them, not as they are kept
            assert tuple(share.weight for share in shown.shares) == division.reasons
        assert sum((share.exact for share in shown.shares), shown.owner_exact) == amount
        most = 1 + len(the_rule.blend)
        assert all(abs(share.exact - share.cents) < most for share in shown.shares), "a cent at most for each step"
        assert not amount or bool(shown.why_owner) == bool(shown.owner_exact), "what the owner bears has a reason"


@THOUSANDS
@given(TEN_AMOUNTS, rules, rules, units_of_a_house)
def test_the_differences_of_a_preview_cancel_out(amounts, terms, today, units):
    for amount in amounts:
        shown = preview(amount, terms, today, DAYS, units, "water")
        assert sum(one.difference for one in shown.shares) + shown.owner_difference == 0
        assert len(shown.shares) == len(units)


def test_a_vacant_unit_and_an_unknown_measure_are_marked():
    shown = lay_out(100_00, rule("SQFT"), DAYS, [unit("1", sqft=500, days=31), unit("2", days=0)], "water")
    assert [(share.is_vacant, share.is_unknown) for share in shown.shares] == [(False, False), (True, True)]
    assert shown.shares[0].exact == Fraction(100_00)


def test_people_are_counted_in_the_words_of_the_invoice():
    two = UnitFacts("u1", "1", None, None, None, None, (Stay("ann", None, None, 2),))
    one = UnitFacts("u2", "2", None, None, None, None, (Stay("bo", None, None, 1),))
    march = of_month(Month("2026-03"))
    rule = Rule("WATER", "OCCUPANTS", {}, Fraction(), Fraction())
    shown = lay_out(93_00, rule, march, [two, one], "water")
    assert [share.weight for share in shown.shares] == [
        "2 people × 31 days = 62 of 93 person-days", "1 person × 31 days = 31 of 93 person-days"
    ]  # fmt: skip
    assumed = lay_out(93_00, rule._replace(vacant_occupants=Fraction(1)), march, [two, one._replace(stays=())], "water")
    left_out = lay_out(93_00, rule, march, [two, one._replace(stays=())], "water")
    told = "1 unit was vacant for some or all days. The rule counts nobody there, so the other units pay its part."
    assert (left_out.neighbors_pay, assumed.neighbors_pay, shown.neighbors_pay) == (told, "", "")
    blend = rule._replace(blend=(Component("EQUAL", Fraction(60)), Component("OCCUPANTS", Fraction(40))))
    assert lay_out(93_00, blend, march, [two, one._replace(stays=())], "water").neighbors_pay == (
        "1 unit was vacant for some or all days. For these days, the other units pay its part of the 40% divided by "
        "people, because the rule counts nobody there; the owner pays its part of the rest."
    )
    assert assumed.shares[1].weight == "31 of 93 person-days", "nobody is named who was not there"
    assert reason_in_words("62 of 93 person-days", "USD") == "62 of 93 person-days"
