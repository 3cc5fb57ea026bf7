"""Tests of one month's corrections, from its facts and charges.

They check which amounts wait, which are charged, and the effect of each decision.
"""

from collections import defaultdict
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.billing_calendar import Month
from prorata.domain.splitting.corrections import Charged, Correction, Kind, settle
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.stays import Stay, UnitFacts
from tests.conftest import SOAK

MARCH = Month("2026-03")
ANN, EVE = Stay("ann", None, date(2026, 3, 14)), Stay("eve", date(2026, 3, 15), None)
WATER = ("bill_1", 1)
RIGHT = {"ann": 14_00, "eve": 17_00, "bo": 31_00}
"""The amounts that each person bears of the water bill of $93.00.

The third flat, in which nobody lives, has $31.00.
"""


def unit(label, *stays):
    return UnitFacts(f"unit_{label}", label, None, None, None, None, stays)


FLATS = (unit("1", ANN, EVE), unit("2", Stay("bo", None, None)), unit("3"))


def facts(amount=93_00, units=FLATS):
    water = Line(*WATER, amount, "WATER", "Aqua Water Co.", date(2026, 3, 20), amount)
    return MonthFacts(MARCH, "USD", (water,), {"WATER": Rule("WATER", "EQUAL", {}, Fraction(0), Fraction(0))}, units)


def charged(who, amount, *, cancelled=False):
    """A charge to a tenant, or to the vacant unit."""
    unit_id = {"bo": "unit_2", None: "unit_3"}.get(who, "unit_1")
    return Charged(unit_id, who, cancelled, *WATER, amount)


SENT = [charged("ann", 14_00), charged("eve", 17_00), charged("bo", 31_00), charged(None, 31_00)]


def invoices(charges):
    """The invoices of a month with these charges.

    Each tenant has one, and another one for cancelled charges.
    """
    found = defaultdict(dict)
    for one in charges:
        its = found[one.unit_id].setdefault((one.tenant_id, one.is_cancelled), defaultdict(int))
        its[one.bill_id, one.line] += one.amount
    return {
        unit_id: [
            StoredInvoice(at, "CANCELLED" if is_cancelled else "SENT", who, not is_cancelled, charged=charged)
            for at, ((who, is_cancelled), charged) in enumerate(of_unit.items())
        ]
        for unit_id, of_unit in found.items()
    }


def settled(now, own=SENT, elsewhere=(), kept=(), late=(), *, kind=Kind.CLOSED, automatic=False, has_month=True):
    own = own if isinstance(own, dict) else invoices(own)
    return settle(now, kind, own, elsewhere, kept, late, automatic=automatic, has_month=has_month)


def by_tenant(found):
    return {one.tenant_id: one for one in found.corrections}


def sums(found):
    return {who: (one.waiting, one.to_charge) for who, one in by_tenant(found).items()}


# --- laws, whatever was charged and decided -----------------------------------------------------------------------------

people = st.sampled_from(["ann", "eve", "bo", None])
cents = st.integers(-20_00, 20_00)
charges = st.lists(
    st.builds(lambda who, amount, gone: charged(who, amount, cancelled=gone), people, cents, st.booleans())
)


@settings(max_examples=5_000 if SOAK else 150)
@given(charges, charges, st.integers(-200_00, 200_00), st.booleans(), st.booleans(), st.data())
def test_each_decision_does_what_it_says_and_settling_again_changes_nothing(
    own, elsewhere, amount, automatic, is_late, data
):
    now, late = facts(amount), {WATER} if is_late else ()
    placed = [was_placed(who, elsewhere) for who in {one.tenant_id for one in elsewhere}]
    found = settled(now, own, elsewhere, placed, late, automatic=automatic)
    for _ in range(data.draw(st.integers(0, 3))):
        kept = [decided(one, data) for one in found.corrections]
        found = settled(now, own, elsewhere, kept, late, automatic=automatic)
        for one in kept:
            after = next((each for each in found.corrections if each[:5] == one[:5]), None)
            waits, to_charge = (after.waiting, after.to_charge) if after else (0, 0)
            assert (waits, to_charge) == (one.waiting, one.to_charge) or not one.tenant_id or automatic
    again = settled(now, own, elsewhere, found.corrections, late, automatic=automatic)
    assert again == found
    issued = defaultdict(int)
    for one in (*own, *elsewhere):
        issued[one.tenant_id] += 0 if one.is_cancelled else one.amount
    for one in found.corrections:
        assert one.right == one.own + one.elsewhere + one.to_charge + one.waiting + one.left
        assert one.issued == issued[one.tenant_id or None] or not one.unit_id
        assert not automatic or one.waiting * one.to_charge >= 0, "nothing waits while its opposite is charged"
    assert found.needed[WATER] + found.own[WATER] == sum(one.right - one.left for one in found.corrections) + sum(
        amount for who, amount in issued_of_others(found, own, elsewhere, amount).items()
    )


def was_placed(who, elsewhere):
    """Return the corrections that were placed for a tenant.

    They are on invoices that were sent or cancelled.
    """
    amount = sum(one.amount for one in elsewhere if one.tenant_id == who)
    unit_id = charged(who, 0).unit_id
    return Correction(
        MARCH, unit_id, who or "", *WATER, "WATER", 0, 0, 0, 0, amount, 0, 0, household=(who,) if who else ()
    )


def issued_of_others(found, own, elsewhere, amount):
    """Return the charges of the tenants who need no correction.

    All of them are charged the right amounts.
    """
    there = {one.tenant_id or None for one in found.corrections if one.unit_id}
    others = defaultdict(int)
    for one in own:
        if one.tenant_id not in there and not one.is_cancelled:
            others[one.tenant_id] += one.amount
    return others


def decided(one: Correction, data) -> Correction:
    what = data.draw(st.sampled_from(["place", "leave", "revoke", "nothing"]))
    if what == "nothing":
        return one
    after = getattr(one, what)()
    if what == "revoke":
        assert (after.left, after.to_charge, after.waiting) == (0, 0, one.right - one.issued)
    else:
        assert (after.waiting, after.right, after.issued) == (0, one.right, one.issued)
    if what == "leave" or not one.tenant_id:
        assert after.to_charge == one.to_charge
    return after


# --- cases ---------------------------------------------------------------------------------------------------------------


def test_what_was_charged_as_it_is_right_has_no_correction():
    assert settled(facts()).corrections == []


def test_a_difference_waits_and_says_why():
    found = settled(facts(62_00))
    assert sums(found) == {"ann": (-4_67, 0), "eve": (-5_66, 0), "bo": (-10_33, 0), "": (-10_34, 0)}
    assert by_tenant(found)["ann"].description == (
        "Correction of March 2026: Aqua Water Co., bill of 2026-03-20: $14.00 was charged; $9.33 is right: 1 of 3 "
        "units, 14 of 31 days"
    )
    assert found.begun() == set()
    assert found.waiting() == {WATER}


def test_what_is_left_to_the_owner_and_what_is_not_decided_is_said():
    left = [one.leave() for one in settled(facts(62_00)).corrections]
    found = settled(facts(62_00), kept=left)
    assert sums(found) == {"ann": (0, 0), "eve": (0, 0), "bo": (0, 0), "": (0, 0)}
    assert by_tenant(found)["bo"].description.endswith("$20.67 is right: 1 of 3 units; -$10.33 is left to the owner")
    assert found.begun() == {WATER}
    placed = [one.place() for one in settled(facts(62_00)).corrections]
    later = settled(facts(69_00), kept=placed)
    assert sums(later)["bo"] == (2_33, -10_33)
    assert by_tenant(later)["bo"].description.endswith("1 of 3 units; $2.33 of the difference is not decided")
    assert " is not decided" not in by_tenant(settled(facts(69_00)))["bo"].description


def test_of_a_late_line_what_nobody_bears_waits_for_the_owner():
    one_flat = facts(90_00, (unit("1", ANN),))
    found = settled(one_flat, [], late={WATER})
    assert {who: (one.waiting, one.unit_id) for who, one in by_tenant(found).items()} == {
        "ann": (40_65, "unit_1"), "": (49_35, ""),
    }  # fmt: skip
    assert by_tenant(found)[""].description.endswith("what no tenant bears is the owner's")
    kept = [one.place() for one in found.corrections]
    after = settled(one_flat, [], kept=kept, late={WATER})
    assert (sums(after), by_tenant(after)[""].left) == ({"ann": (0, 40_65), "": (0, 0)}, 49_35)
    assert sums(settled(one_flat, [], late={WATER}, automatic=True)) == {"ann": (0, 40_65), "": (0, 0)}


@pytest.mark.parametrize("amount", [62_00, 124_00])
def test_what_falls_on_an_empty_flat_is_the_owners_by_itself_where_nobody_is_asked(amount):
    found = settled(facts(amount), automatic=True)
    empty = by_tenant(found)[""]
    assert (empty.waiting, empty.to_charge) == (0, 0)
    assert empty.left == empty.right - 31_00 != 0


def test_a_household_whose_only_invoice_is_cancelled_bears_nothing_and_its_neighbours_what_they_did():
    own = [charged("ann", 14_00, cancelled=True), *SENT[1:]]
    assert settled(facts(), own).corrections == []
    found = settled(facts(62_00), own)
    assert sums(found) == {"eve": (-5_66, 0), "bo": (-10_33, 0), "": (-10_34, 0)}
    assert "ann" not in sums(settled(facts(62_00), own, late={WATER})), "its invoice was for this line"
    has_another = [charged("ann", 14_00, cancelled=True), *SENT]
    assert settled(facts(), has_another).corrections == []
    sewer = facts().lines[0]._replace(number=2, amount=9_30)
    both = facts()._replace(lines=(*facts().lines, sewer))
    assert {one.tenant_id for one in settled(both, has_another).corrections} == {"ann", "eve", "bo", ""}
    assert {one.tenant_id for one in settled(both, own).corrections} == {"eve", "bo", ""}


def test_a_cancelled_invoice_of_nobody_gives_up_whoever_lives_there_and_has_no_other():
    now = facts(93_00, (unit("1", ANN, EVE), unit("2", Stay("bo", None, None)), unit("3", Stay("cy", None, None))))
    gone = charged(None, 31_00, cancelled=True)
    assert sums(settled(now, [*SENT[:3], gone])) == {}
    assert sums(settled(now, [*SENT[:3], gone, Charged("unit_3", "cy", False, *WATER, 30_00)])) == {"cy": (1_00, 0)}
    assert sums(settled(now, SENT[:3])) == {"cy": (31_00, 0)}


def test_an_open_month_takes_back_what_was_issued_elsewhere():
    elsewhere = [charged("ann", 5_00), charged("bo", 3_00, cancelled=True)]
    found = settled(facts(), [], elsewhere, kind=Kind.OPEN)
    assert sums(found) == {"ann": (0, -5_00), "bo": (0, 0)}
    assert by_tenant(found)["ann"].description.endswith("$5.00 was charged, which March 2026 charges itself again")
    closed = settled(facts(), elsewhere=elsewhere[1:], kept=found.corrections)
    assert sums(closed) == {"bo": (0, 0)}, "what it took back of a cancelled invoice is waiting no more"


def test_history_takes_no_corrections():
    found = settled(facts(62_00), elsewhere=[charged("ann", 5_00)], kind=Kind.HISTORY)
    assert all((one.waiting, one.to_charge) == (0, 0) for one in found.corrections)


def test_those_who_were_one_household_are_asked_about_anew_but_for_what_is_issued():
    together = Stay("ann", None, date(2026, 3, 20))
    as_one = facts(62_00, (unit("1", together, EVE), *facts().units[1:]))
    placed = [one.place() for one in settled(as_one).corrections]
    assert {one.household for one in placed} == {("ann", "eve"), ("bo",), ()}
    issued = [charged("ann", -10_33), charged("eve", -1_00, cancelled=True)]
    was = settled(as_one, elsewhere=issued, kept=placed).corrections
    found = settled(facts(62_00), elsewhere=issued, kept=was)
    assert sums(found) == {"ann": (5_66, 0), "eve": (-5_66, 0), "bo": (0, -10_33), "": (0, 0)}
    assert settled(facts(62_00), elsewhere=issued, kept=found.corrections) == found
    back = [issued[0], issued[1]._replace(is_cancelled=False)]
    assert sums(settled(facts(62_00), elsewhere=back, kept=found.corrections))["eve"] == (-4_66, 0)


def test_a_line_that_is_gone_keeps_its_words():
    placed = [one.place() for one in settled(facts(62_00)).corrections]
    gone = settled(facts(62_00)._replace(lines=()), [], [charged("bo", -10_33)], kept=placed)
    bo = by_tenant(gone)["bo"]
    assert (bo.utility_type, bo.description) == (
        "WATER",
        next(one.description for one in placed if one.tenant_id == "bo"),
    )


def test_what_is_left_to_the_owner_while_an_invoice_is_cancelled_is_so_until_it_comes_back():
    gone, elsewhere = [charged("ann", 14_00, cancelled=True), *SENT[1:]], [charged("ann", -4_67)]
    kept = [was_placed("ann", elsewhere)]
    found = settled(facts(), gone, elsewhere, kept)
    assert sums(found) == {"ann": (4_67, 0)}, "what was issued for it comes back"
    left = [one.leave() for one in found.corrections]
    found = settled(facts(), gone, elsewhere, left)
    assert sums(found) == {"ann": (0, 0)}
    back = settled(facts(62_00), SENT, elsewhere, found.corrections)
    assert (sums(back)["ann"], by_tenant(back)["ann"].left) == ((0, 0), 0), "its credit is right again"


@given(charges, charges, st.integers(-200_00, 200_00), st.data())
def test_without_a_month_to_carry_it_nothing_waits_against_what_is_placed_by_itself(own, elsewhere, amount, data):
    placed = [was_placed(who, elsewhere) for who in {one.tenant_id for one in elsewhere}]
    before = settled(facts(), own, elsewhere, placed, automatic=True)
    given_back = [one._replace(is_cancelled=data.draw(st.booleans())) for one in elsewhere]
    found = settled(facts(amount), own, given_back, before.corrections, automatic=True, has_month=False)
    assert all(one.waiting * one.to_charge >= 0 for one in found.corrections)
    assert all(one.waiting + one.to_charge == one.needed - one.elsewhere for one in found.corrections)
