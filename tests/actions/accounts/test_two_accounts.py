"""Another account's records are treated exactly like records that don't exist.

Nobody can see or change them.
"""

from decimal import Decimal

import pytest

from prorata.actions.bills import bills
from prorata.actions.invoices import invoices
from prorata.actions.lists.walks import Window
from prorata.actions.properties import properties, tenants, units
from prorata.actions.splitting import previews as split_previews, share_rules, split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.errors import InvalidRequest, NotFound
from prorata.ids import IdSource
from tests.landlord import Landlord

UNKNOWN = IdSource()


@pytest.fixture
def mine(landlord: Landlord):
    """The ids of one record of each kind that a landlord can have."""
    maple = landlord.property_()
    one = landlord.unit(maple, "1")
    ann = landlord.tenant(one, "Ann")
    bill = landlord.bill(maple, 90_00)
    return {
        "prop": maple.id,
        "unit": one.id,
        "tenant": ann.id,
        "bill": bill.id,
        "inv": landlord.invoices(maple)["1"].summary.id,
        "rule": landlord.rules(maple)["WATER"].id,
        "split": landlord.blend("Half", EQUAL=50, SQFT=50),
    }


BLEND = NewBlend("Other", [("EQUAL", Decimal(100))])
TERMS = share_rules.Terms("EQUAL", None, True, None, Decimal(0), Decimal(0))
DOORS = [
    ("prop", properties.change, [{"name": "Mine"}]),
    ("prop", properties.remove, [None]),
    ("prop", units.create, [{"label": "9"}]),
    ("prop", lambda tx, caller, one: units.of_property(tx, caller, one, Window(9), inactive=True), []),
    ("prop", share_rules.of_property, []),
    ("prop", share_rules.create, ["WATER", TERMS]),
    ("prop", split_previews.preview, ["WATER", TERMS]),
    ("unit", units.find, []),
    ("unit", units.change, [{"label": "9"}]),
    ("unit", units.remove, []),
    ("unit", tenants.of_unit, []),
    ("unit", tenants.create, [{"name": "Bo"}]),
    ("tenant", tenants.change, [{"name": "Bo"}]),
    ("tenant", tenants.remove, []),
    ("bill", bills.find, []),
    ("bill", bills.move, ["2026-03"]),
    ("bill", bills.remove, []),
    ("inv", invoices.find, []),
    ("inv", invoices.set_status, ["SENT"]),
    ("inv", invoices.add_custom_charge, ["Key", 1]),
    ("inv", invoices.remove_custom_charge, ["cchg_1"]),
    ("rule", share_rules.find, []),
    ("rule", share_rules.change, [{"is_active": False}]),
    ("rule", share_rules.replace, [{"split_method": "EQUAL"}]),
    ("rule", share_rules.remove, []),
    ("split", split_methods.replace, [BLEND]),
    ("split", split_methods.remove, []),
]


def test_every_door_answers_a_stranger_as_if_nothing_were_there(landlord, mine, clock):
    stranger = Landlord(landlord.database, clock, name="stranger")
    for kind, action, arguments in DOORS:
        answers = []
        for one in (mine[kind], UNKNOWN(kind, 1), f"{kind}_malformed", mine["prop" if kind != "prop" else "unit"]):
            with pytest.raises(NotFound) as refusal:
                stranger.do(action, one, *arguments)
            answers.append((refusal.value.code, refusal.value.message))
        assert len(set(answers)) == 1, (kind, action, answers)
    stranger.sound()


def test_a_stranger_sees_empty_lists_and_counts_of_nothing(landlord, mine, clock):
    stranger = Landlord(landlord.database, clock, name="stranger")
    assert stranger.see(properties.page, limit=9, offset=0) == ([], 0)
    assert stranger.see(bills.page, limit=9, offset=0) == ([], 0)
    assert stranger.see(split_methods.all_own) == []
    for filters in ({}, {"property": mine["prop"]}, {"unit": mine["unit"]}, {"month": "2026-02"}):
        assert stranger.see(invoices.page, filters, limit=9, offset=0, details=True) == ([], 0)


def test_a_rule_cannot_name_anothers_split_method(landlord, mine, clock):
    stranger = Landlord(landlord.database, clock, name="stranger")
    own = stranger.property_()
    with pytest.raises(InvalidRequest) as strange:
        stranger.rule(own, "WATER", blend=mine["split"])
    with pytest.raises(InvalidRequest) as unknown:
        stranger.rule(own, "WATER", blend=UNKNOWN("split", 1))
    assert strange.value.problems == unknown.value.problems


def test_two_accounts_may_have_the_same_names_codes_and_bills(landlord, mine, clock):
    stranger = Landlord(landlord.database, clock, name="stranger")
    maple = stranger.property_()
    stranger.unit(maple, "1")
    stranger.bill(maple, 90_00)
    stranger.blend("Half", EQUAL=50, SQFT=50)
    assert stranger.invoices(maple)["1"].summary.number == "MAPLECOURT-1-2026-02"
    stranger.sound()
