"""The form of a rule shows how unsaved terms would split the last bill.

It shows the share of each unit, and saves nothing.
"""

from datetime import date
from decimal import Decimal

import pytest

from prorata.actions.splitting import previews as split_previews, share_rules
from prorata.errors import InvalidRequest, NotFound
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    one, two = landlord.unit(maple, "1", sqft=500), landlord.unit(maple, "2", sqft=1500)
    landlord.unit(maple, "10")
    landlord.tenant(one, "Ann")
    landlord.tenant(two, "Bo")
    return maple


def seen(landlord, of, terms, kind="WATER"):
    return landlord.see(split_previews.preview, of.id, kind, terms)


def test_the_last_bill_is_split_by_terms_that_are_not_saved(landlord, maple):
    landlord.bill(maple, 50_00, on=date(2026, 1, 20))
    last = landlord.bill(maple, 100_00)
    before = landlord.totals(maple)
    shown = seen(landlord, maple, landlord.terms("SQFT", owner=10))
    assert (shown.line.bill_id, shown.amount, shown.is_example, shown.month) == (last.id, 100_00, False, "2026-02")
    assert [(one.share.label, one.share.cents, one.today, one.difference) for one in shown.preview.shares] == [
        ("1", 22_50, 33_34, -10_84),
        ("2", 67_50, 33_33, 34_17),
        ("10", 0, 33_33, -33_33),
    ]
    assert [one.share.is_unknown for one in shown.preview.shares] == [False, False, True]
    assert [one.share.is_vacant for one in shown.preview.shares] == [False, False, True]
    assert shown.preview.shares[0].share.weight == "500 of 2,000 sq ft, after the owner's 10%"
    assert (shown.preview.laid_out.owner, shown.preview.owner_today) == (10_00, 0)
    assert shown.preview.laid_out.why_owner == ("10% of the amount is the owner’s before the rest is divided.",)
    assert landlord.totals(maple) == before
    assert landlord.rules(maple)["WATER"].split_method == "EQUAL"


def test_a_preview_is_what_saving_the_terms_then_gives(landlord, maple):
    landlord.bill(maple, 100_01)
    blend = landlord.blend("Half", EQUAL=50, SQFT=50)
    for terms in (
        landlord.terms("SQFT", owner=Decimal("12.5")),
        landlord.terms("CUSTOM", weights='{"1": 0.3, "2": 0.7}'),
        landlord.terms("PERCENTAGE", weights='{"1": 30, "10": 20}', owner=5),
        landlord.terms("OCCUPANTS", vacant=1),
        landlord.terms("CUSTOM", blend=blend),
    ):
        shown = seen(landlord, maple, terms)
        landlord.do(share_rules.create, maple.id, "WATER", terms)
        assert {one.share.label: one.share.cents for one in shown.preview.shares} == landlord.totals(maple)
        assert landlord.month(maple).owner_amount == shown.preview.laid_out.owner
        again = seen(landlord, maple, terms)
        assert all(one.difference == 0 for one in again.preview.shares)
        exact = sum(one.share.exact for one in shown.preview.shares) + shown.preview.laid_out.owner_exact
        assert exact == 100_01
        assert all(abs(one.share.exact - one.share.cents) < 1 for one in shown.preview.shares)


def test_without_a_bill_an_example_of_100_is_split(landlord, maple):
    shown = seen(landlord, maple, landlord.terms(), "GAS")
    assert (shown.is_example, shown.amount, shown.month) == (True, 100_00, "2026-03")
    assert [one.share.cents for one in shown.preview.shares] == [33_34, 33_33, 33_33]


def test_what_the_owner_bears_has_its_reasons(landlord, maple):
    landlord.bill(maple, 100_00)
    off = seen(landlord, maple, landlord.terms(active=False)).preview
    assert (off.laid_out.owner, [one.difference for one in off.shares]) == (100_00, [-33_34, -33_33, -33_33])
    assert off.laid_out.why_owner == ("No rule for water is switched on, so all of it is the owner’s.",)
    beds = seen(landlord, maple, landlord.terms("BEDROOMS")).preview
    assert beds.laid_out.why_owner == (
        "It is divided by bedrooms, and no unit has bedrooms: all of it is the owner’s.",
    )
    part = seen(landlord, maple, landlord.terms("PERCENTAGE", weights='{"1": 40}')).preview
    assert part.laid_out.why_owner == ("60% is given to no unit, and is the owner’s.",)
    half = landlord.blend("Half", EQUAL=50, BEDROOMS=50)
    assert seen(landlord, maple, landlord.terms("CUSTOM", blend=half)).preview.laid_out.why_owner == (
        "50% is divided by bedrooms, and no unit has bedrooms: that part is the owner’s.",
    )


def test_terms_that_are_wrong_are_named_by_field_and_split_nothing(landlord, maple):
    landlord.bill(maple, 100_00)
    terms = landlord.terms("CUSTOM", weights='{"9": 1}', owner=101, vacant=-1)
    shown = seen(landlord, maple, terms)
    assert shown.preview is None
    assert [problem.field for problem in shown.problems] == ["customWeightsJson", "ownerPercent", "vacantOccupants"]
    assert [one.field for one in seen(landlord, maple, landlord.terms("NONE")).problems] == ["splitMethod"]
    assert [one.field for one in seen(landlord, maple, landlord.terms(blend="split_1")).problems] == ["splitMethodId"]
    with pytest.raises(InvalidRequest):
        seen(landlord, maple, landlord.terms(), "HEAT")


def test_a_stranger_sees_no_preview_of_anothers_property(landlord, maple, clock):
    stranger = Landlord(landlord.database, clock, name="stranger")
    with pytest.raises(NotFound):
        seen(stranger, maple, stranger.terms())
