"""A month's explanation states who bears which amounts.

A change made to it afterwards is found.
"""

import json
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.splitting.explained_invoices import IssuedCharge, IssuedInvoice, explained_invoice
from prorata.domain.splitting.explained_months import ExplainedMonth
from prorata.domain.splitting.month_facts import CarriedCorrection
from prorata.domain.splitting.planned_invoices import plan_month
from prorata.domain.splitting.rights import rights
from prorata.domain.splitting.sealed_json import canonical, sealed
from prorata.domain.splitting.verification import Unverifiable, verify
from tests.conftest import SOAK
from tests.domain.splitting import replayed, test_households as random_houses, test_planned_charges as random_months
from tests.domain.splitting.edited import amounts_in, edited

THOUSANDS = settings(max_examples=5_000 if SOAK else 150, deadline=None)
LINE = random_houses.LINE


def explained(facts, reasons=()):
    return sealed(ExplainedMonth(facts, "prop_1").content(dict(reasons)))


def borne_by(facts):
    found = rights(facts)
    mine = {(*line, unit, key): cents for (unit, key), lines in found.of_households.items()
            for line, cents in lines.items()}  # fmt: skip
    return mine | {(*line, unit, ()): cents for unit, lines in found.unlived.items() for line, cents in lines.items()}


@THOUSANDS
@given(random_houses.houses, random_houses.rules, random_houses.amounts, random_houses.periods)
def test_every_share_of_a_random_house_is_replayed_from_the_explanation_alone(house, rule, amount, period):
    facts = random_houses.facts_of(house, rule, amount, period)
    text = explained(facts)
    shares, owner = replayed.charges_of(replayed.read(text))
    assert (shares, owner) == (borne_by(facts), dict(rights(facts).owner))
    assert verify(text).differences == ()


@THOUSANDS
@given(random_months.drawn_lines, random_months.drawn_rules, random_houses.houses)
def test_every_share_of_a_random_month_is_replayed_from_the_explanation_alone(lines, rules, house):
    of_house = random_houses.facts_of(house, None, 0, (None, None, False))
    facts = random_months.facts(*lines, rules=rules, units=of_house.units)
    text = explained(facts, {("bill_1", one.number): "OWNER" for one in lines if one.utility_type is None})
    shares, owner = replayed.charges_of(replayed.read(text))
    assert (shares, owner) == (borne_by(facts), dict(rights(facts).owner))
    assert verify(text).differences == ()


CORRECTION = CarriedCorrection("2026-02", "u0", "u0_t0", "bill_0", 1, "WATER", -12_34, "Correction of February 2026: …")


@THOUSANDS
@given(random_houses.houses, random_houses.rules, random_houses.amounts, random_houses.periods, st.data())
def test_an_amount_that_was_changed_is_found_though_its_hash_was_made_anew(house, rule, amount, period, data):
    facts = random_houses.facts_of(house, rule, amount, period)._replace(corrections=(CORRECTION,))
    content = json.loads(explained(facts))
    path = data.draw(st.sampled_from(sorted(amounts_in(content))))
    changed = edited(content, path, data.draw(st.sampled_from(["0.01", "-0.01", "7.00"])))
    assert verify(canonical(changed)).differences[0].startswith("sha256: ")
    found = verify(sealed(changed)).differences
    assert found, path
    assert not any(one.startswith("sha256") for one in found)


@settings(max_examples=2_000 if SOAK else 60, deadline=None)
@given(random_houses.houses, random_houses.rules, random_houses.amounts, random_houses.periods, st.data())
def test_every_charge_of_a_random_house_is_explained_to_its_tenant_and_an_edited_amount_is_found(
    house, rule, amount, period, data
):
    facts = random_houses.facts_of(house, rule, amount, period)
    month = ExplainedMonth(facts, "prop_1")
    for (unit, sequence), draft in plan_month(facts, {}).drafts.items():
        invoice = IssuedInvoice("inv_1", "A-1", unit, "1", sequence, draft.tenant_id)
        charges = [IssuedCharge(*one[:5], None) for one in draft.charges]
        content = explained_invoice(month, invoice, charges, {})
        assert {one["kind"] for one in content["charges"]} <= {"share"}
        assert verify(sealed(content)).differences == ()
        path = data.draw(st.sampled_from(sorted(amounts_in(content))))
        changed = edited(content, path, data.draw(st.sampled_from(["0.01", "-0.01", "7.00"])))
        assert verify(sealed(changed)).differences, path


def a_month():
    facts = random_houses.month_of([random_houses.TO_16, random_houses.BESIDE], 147_00)
    return facts._replace(rules={"WATER": facts.rules["WATER"]._replace(since="2026-02")})


def test_the_explanation_of_a_line_says_its_rule_weights_shares_and_cents():
    content = json.loads(explained(a_month()))
    (rule,), (line,) = content["rules"], content["lines"]
    assert (rule["splitMethod"], rule["since"]) == ("SQFT", "2026-02")
    (step,) = line["steps"]
    one, two = step["units"]
    assert (one["weight"], step["weights"], one["share"], one["part"]) == ("850", "1470", "850/1470", "85.00")
    assert [(home["tenantIds"], home["share"], home["part"]) for home in one["households"]] == [
        (["ann"], "14/31", "38.39"),
        (["bo"], "16/31", "43.87"),
    ]
    assert (one["empty"]["days"], one["empty"]["part"], one["cents"]) == (1, "2.74", ["ann"])
    assert (two["part"], step["cents"], line["owner"]["part"]) == ("62.00", [], "2.74")
    assert line["service"] == {"from": "2026-03-01", "to": "2026-03-31", "days": 31}
    assert (content["owner"], content["total"]) == ("2.74", "147.00")


def test_cents_are_handed_out_by_the_largest_remainder_and_the_explanation_says_to_whom():
    flats = [random_houses.flat(label, random_houses.tenant(f"t{label}")) for label in "123"]
    content = json.loads(explained(random_houses.month_of(flats, 100_01, "EQUAL")))
    (step,) = content["lines"][0]["steps"]
    assert ([unit["part"] for unit in step["units"]], step["cents"]) == (["33.34", "33.34", "33.33"], ["u1", "u2"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a complete JSON object"),
        ("[]", "a complete JSON object"),
        ('{"of":"month","of":"month"}', "a complete JSON object"),
        (explained(a_month())[:-20], "cut off"),
        ("{}", "no “format”"),
        ('{"format":"prorata-explanation/2","of":"month"}', "isn’t in the format"),
        ('{"format":"prorata-explanation/1","of":"bill"}', "isn’t in the format"),
        ('{"format":"prorata-explanation/1","of":"month","month":"\\ud800"}', "contains text"),
        ("[" * 100_000, "a complete JSON object"),
    ],
)
def test_what_is_no_explanation_is_refused_in_a_sentence(text, said):
    with pytest.raises(Unverifiable, match=said):
        verify(text)


def test_a_field_that_is_missing_or_of_another_kind_is_named():
    content = json.loads(explained(a_month()))
    for path, value, said in (
        (("lines", 0, "amount"), 147, "lines[0].amount"),
        (("lines", 0, "service", "from"), "2026-02-30", "lines[0].service.from"),
        (("lines", 0, "service", "from"), "2026-04-30", "lines[0].service.to"),
        (("units", 0, "sqft"), "1e999999999", "units[0].sqft"),
        (("units", 0, "sqft"), "1/0", "units[0].sqft"),
        (("rules", 0, "ownerPercent"), "101", "rules[0].ownerPercent"),
        (("rules", 0, "splitMethod"), "DICE", "rules[0].splitMethod"),
        (("units", 0, "stays"), {}, "units[0].stays"),
        (("units", 0, "stays", 0, "occupants"), True, "units[0].stays[0].occupants"),
        (("month",), "March", "month"),
    ):
        (found,) = verify(sealed(edited(content, path, value))).differences
        assert found.startswith(f"{said}: missing, or not as"), found
    del content["lines"]
    assert verify(sealed(content)).differences == ("lines: missing, or not as prorata-explanation/1 has it",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "u1", "1.00", "0/0", "9999-12-31"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "part"]), inner, max_size=2),
    max_leaves=4,
)


@THOUSANDS
@given(st.data())
def test_whatever_is_put_in_the_place_of_a_field_verify_says_where_it_differs(data):
    content = json.loads(explained(a_month()))
    path = data.draw(st.sampled_from(sorted(amounts_in(content, amounts=False), key=str)))
    value = data.draw(JSON)
    changed = edited(content, path, value)
    is_always = value in ("0001-01-01", "9999-12-31")  # as null is
    if changed != content and path[-1] not in FREE and not is_always:
        assert verify(sealed(changed)).differences or path[-1] in {"since", "vacantOccupants"}


FREE = {"format", "of", "propertyId", "currency", "id", "label", "occupants", "bedrooms"}
"""The fields from which nothing else in a month by floor area follows."""


def test_numbers_are_written_with_all_their_digits():
    house = [random_houses.flat("1", random_houses.tenant("ann"), sqft="61.335"), random_houses.flat("2", sqft="1/3")]
    content = json.loads(explained(random_houses.month_of(house, 100_00)))
    assert [unit["sqft"] for unit in content["units"]] == ["61.335", "1/3"]
    weight = Fraction(content["lines"][0]["steps"][0]["weights"])
    assert weight == Fraction("61.335") + Fraction(1, 3)


def test_a_line_that_is_not_billed_is_the_owner_s_and_says_why():
    facts = a_month()
    fee = facts.lines[0]._replace(number=2, amount=5_00, utility_type=None, bill_date=date(2026, 3, 14))
    content = json.loads(explained(facts._replace(lines=(*facts.lines, fee)), {("bill_1", 2): "LATE_FEE"}))
    line = content["lines"][1]
    assert (line["notBilled"], line["owner"]["part"], line["steps"]) == ("LATE_FEE", "5.00", [])
    assert line["about"].endswith("of which late fee $5.00")
    assert content["owner"] == "7.74"


def test_a_correction_with_a_day_that_no_calendar_has_is_taken_as_it_says():
    said = "Correction of March 2026: Aqua, bill of 2026-13-45: $9.00 was charged; $5.00 is right: equal parts"
    charge = IssuedCharge("bill_0", 1, "WATER", -4_00, said, "2026-03")
    invoice = IssuedInvoice("inv_1", "A-1", "u0", "1", 0, None)
    found = verify(sealed(explained_invoice(ExplainedMonth(a_month(), "prop_1"), invoice, [charge], {})))
    assert (found.differences, found.computed, found.taken) == ((), 0, 1)
