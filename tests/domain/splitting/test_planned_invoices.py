"""Each household has an invoice.

The tests check its sequence, its addressee, and what becomes of it later.
"""

import re
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from prorata.domain.splitting.invoice_sequences import StoredInvoice, addressee, addressee_now, is_of
from prorata.domain.splitting.month_facts import CarriedCorrection
from prorata.domain.splitting.planned_invoices import plan_month
from prorata.domain.splitting.stays import NOBODY, Household, LineDays, Stay
from tests.conftest import SOAK
from tests.domain.splitting.test_households import (
    LINE,
    MARCH,
    amounts,
    facts_of,
    flat,
    houses,
    march,
    month_of,
    periods,
    rules,
    tenant as someone,
)
from tests.domain.test_what_is_said_is_charged import CENTS, NUMBER, number, rounded

ANN, BO, CY = someone("ann", None, march(10)), someone("bo", march(11), march(20)), someone("cy", march(21))
GONE = someone("gone", None, date(2026, 2, 20))


def plan(*tenants, stored=(), emails=(), **more):
    """The tenant and the total of each invoice, by sequence."""
    drafts = plan_month(month_of([flat("1", *tenants)], 310_00, **more), {"u1": stored}, emails).drafts
    return {at: (one.tenant_id, sum(charge.amount for charge in one.charges)) for (_, at), one in drafts.items()}


def draft(sequence, tenant_id, **more):
    return StoredInvoice(sequence, "DRAFT", tenant_id, **more)


def sent(sequence, tenant_id, amount):
    return StoredInvoice(sequence, "SENT", tenant_id, was_issued=True, charged={LINE: amount})


def test_the_last_household_of_the_month_has_the_units_invoice_and_the_others_follow_by_first_day():
    assert plan(CY, BO, ANN) == {0: ("cy", 110_00), 1: ("ann", 100_00), 2: ("bo", 100_00)}


def test_a_household_without_a_charge_has_no_invoice_but_the_units_own():
    assert plan(GONE, CY) == {0: ("cy", 110_00)}
    assert plan(GONE) == {0: (None, 310_00)}, "nobody lived there, and nobody has the invoice"
    assert plan(GONE, service=LineDays(date(2026, 2, 20), date(2026, 2, 21))) == {
        0: (None, 0),
        1: ("gone", 155_00),
    }


def test_what_falls_on_days_before_the_tenant_came_is_the_owners():
    facts = month_of([flat("1", CY)], 310_00, service=LineDays(date(2026, 2, 20), march(16)))
    planned = plan_month(facts, {})
    assert [charge.amount for charge in planned.drafts["u1", 0].charges] == [0]
    assert planned.owner == {LINE: 310_00}


def test_who_comes_for_days_after_the_month_has_an_invoice_of_its_own():
    later = someone("later", date(2026, 4, 1))
    period = LineDays(march(11), date(2026, 4, 9))
    assert plan(someone("ann", None, march(31)), later, service=period) == {0: ("ann", 217_00), 1: ("later", 93_00)}


def test_sequences_that_are_there_stay_and_new_ones_take_what_is_free():
    assert plan(CY, BO, ANN, stored=[draft(0, "cy"), draft(1, "bo")]) == {
        0: ("cy", 110_00),
        1: ("bo", 100_00),
        2: ("ann", 100_00),
    }
    stored = [draft(0, "cy"), draft(1, "nobody"), draft(2, "bo")]
    assert plan(CY, BO, ANN, stored=stored)[1] == ("ann", 100_00), "of one never issued that goes it is free again"
    held = [draft(0, "cy"), draft(1, "nobody", is_held=True), draft(2, "bo")]
    assert plan(CY, BO, ANN, stored=held) == {
        0: ("cy", 110_00),
        1: ("nobody", 0),
        2: ("bo", 100_00),
        3: ("ann", 100_00),
    }


@pytest.mark.parametrize("more", [{"was_issued": True}, {"is_held": True}])
def test_a_units_invoice_that_was_issued_or_is_held_keeps_its_household(more):
    assert plan(CY, ANN, stored=[draft(0, "ann", **more)]) == {0: ("ann", 100_00), 1: ("cy", 110_00)}
    assert plan(CY, ANN, stored=[draft(0, "ann")]) == {0: ("cy", 110_00), 1: ("ann", 100_00)}


def test_a_held_invoice_of_nobody_who_ever_lived_there_follows_the_unit():
    assert plan(someone("new"), stored=[draft(0, None, is_held=True)]) == {0: ("new", 310_00)}
    assert plan(someone("new"), stored=[draft(0, "removed", is_held=True)]) == {0: ("new", 310_00)}
    assert plan(CY, stored=[draft(0, None, was_issued=True)]) == {0: (None, 0), 1: ("cy", 110_00)}


def test_what_a_household_was_issued_stays_and_the_difference_stands_on_a_new_draft():
    stored = [draft(0, "cy"), sent(1, "ann", 90_00)]
    facts = month_of([flat("1", ANN, CY)], 310_00)
    planned = plan_month(facts, {"u1": stored})
    assert {key[1]: one.tenant_id for key, one in planned.drafts.items()} == {0: "cy", 2: "ann"}
    (charge,) = planned.drafts["u1", 2].charges
    assert charge.amount == 10_00
    assert charge.description.endswith("500 of 500 sq ft, 10 of 31 days, less $90.00 that was invoiced before")
    assert planned.owner[LINE] == 100_00
    assert plan(ANN, CY, stored=[draft(0, "cy"), sent(1, "ann", 100_00)]) == {0: ("cy", 110_00)}
    assert plan(CY, stored=[draft(0, "cy"), sent(1, "ann", 100_00)]) == {0: ("cy", 110_00), 2: ("ann", -100_00)}


def test_a_line_that_came_after_an_invoice_was_sent_stands_whole_on_a_new_draft():
    facts = month_of([flat("1", ANN, CY)], 310_00)
    facts = facts._replace(lines=(*facts.lines, facts.lines[0]._replace(bill_id="bill_2", amount=31_00)))
    drafts = plan_month(facts, {"u1": [draft(0, "cy"), sent(1, "ann", 100_00)]}).drafts
    assert {at: [charge.amount for charge in one.charges] for (_, at), one in drafts.items()} == {
        0: [110_00, 11_00],
        2: [10_00],
    }
    assert drafts["u1", 2].charges[0].bill_id == "bill_2"
    assert "invoiced before" not in drafts["u1", 2].charges[0].description


def test_the_units_invoice_follows_the_unit_without_a_household_that_has_its_own():
    assert plan(ANN, stored=[sent(1, "ann", 100_00)]) == {0: (None, 0)}


def test_the_part_of_a_household_whose_invoice_is_cancelled_is_the_owners():
    cancelled = [draft(0, "cy"), StoredInvoice(1, "CANCELLED", "ann", was_issued=True)]
    assert plan(ANN, CY, stored=cancelled) == {0: ("cy", 110_00)}
    assert plan(ANN, CY, stored=[StoredInvoice(0, "CANCELLED", "ann")]) == {1: ("cy", 110_00)}
    assert plan(CY, stored=[StoredInvoice(0, "CANCELLED", None)]) == {}, "it stands for the unit"


def test_who_gets_a_correction_pays_for_the_month_though_anothers_invoice_is_cancelled():
    earlier = CarriedCorrection("2026-02", "u1", "ann", "bill_0", 1, "WATER", -5_00, "…")
    facts = month_of([flat("1", ANN, CY)], 310_00)._replace(corrections=(earlier,))
    drafts = plan_month(facts, {"u1": [StoredInvoice(0, "CANCELLED", "cy", was_issued=True)]}).drafts
    assert {at: [charge.amount for charge in one.charges] for (_, at), one in drafts.items()} == {1: [100_00, -5_00]}


def test_an_invoice_is_addressed_within_its_household_as_of_its_last_day_up_to_the_months_end():
    stays = (
        Stay("first", None, march(10)),
        Stay("mail", march(2), march(12)),
        Stay("last", march(3), march(12)),
        Stay("after", march(12), date(2026, 4, 5)),
    )
    assert addressee(MARCH, Household(stays[:3]), {"first", "last"}) == "last"
    assert addressee(MARCH, Household(stays[:3]), {"first"}) == "mail"
    assert addressee(MARCH, Household((*stays, Stay("april", date(2026, 4, 2), None))), {"april"}) == "after"
    assert addressee(MARCH, Household((Stay("may", date(2026, 5, 1), None),)), ()) == "may"


def test_a_draft_is_for_its_household_by_now_or_whom_the_unit_follows_where_that_is_gone():
    def now(sequence, tenant_id, *stays, beside=()):
        return addressee_now(MARCH, stays, sequence, tenant_id, {"bo", "ann"}, beside)

    ann, cy, bo = Stay("ann", None, march(10)), Stay("cy", march(21), None), Stay("bo", march(25), None)
    assert now(0, "ann", ann, cy) == now(1, "ann", ann, cy) == "ann"
    assert now(0, "cy", ann, cy, bo) == "bo", "who has an address, of the same household"
    assert now(0, None, ann, cy) == now(0, "gone", ann, cy) == "cy"
    assert now(1, "gone", ann, cy) == "gone"
    assert now(1, None, ann, cy) is now(0, "gone") is now(0, None) is None
    assert now(0, "gone", ann, cy, beside=["cy"]) == "ann", "the others have invoices of their own"
    assert now(0, "gone", ann, cy, beside=["cy", "ann"]) is None


def test_what_was_addressed_to_anybody_is_of_a_unit_whose_stays_were_never_told():
    household = Household((Stay("ann", None, None),))
    assert is_of(NOBODY, "ann") is is_of(NOBODY, None) is is_of(household, "ann") is True
    assert is_of(household, "bo") is is_of(household, None) is False


# --- whatever happens ----------------------------------------------------------------------------------------------------

statuses = st.sampled_from(["DRAFT", "DRAFT", "DRAFT", "SENT", "CANCELLED"])
storeds = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), statuses, st.booleans(), st.booleans(), amounts), max_size=6
)


def stored_of(drawn):
    """Invoices as they may be stored.

    Since the month is open, a sent invoice has a sequence other than 0.
    """
    found = {}
    for unit, who, status, issued, held, amount in drawn:
        of_unit = found.setdefault(f"u{unit}", [])
        sequence = len(of_unit)
        is_sent = status == "SENT" and sequence > 0
        of_unit.append(
            StoredInvoice(
                sequence,
                "DRAFT" if status == "SENT" and not is_sent else status,
                None if who == 4 else f"t{unit}{who}",
                is_sent or issued,
                held,
                {LINE: amount} if is_sent else {},
            )
        )
    return found


@settings(max_examples=10_000 if SOAK else 250, deadline=None)
@given(houses, rules, amounts, periods, storeds)
def test_drafts_and_what_was_issued_and_the_owner_sum_to_the_line_and_settling_twice_is_settling_once(
    house, rule, amount, period, drawn
):
    facts, stored = facts_of(house, rule, amount, period), stored_of(drawn)
    stored = {unit.unit_id: stored.get(unit.unit_id, []) for unit in facts.units}
    planned = plan_month(facts, stored)
    charged = [charge.amount for one in planned.drafts.values() for charge in one.charges]
    issued = [cents for of_unit in stored.values() for one in of_unit for cents in one.charged.values()]
    assert sum(charged) + sum(issued) + planned.owner[LINE] == amount
    for unit_id, of_unit in stored.items():
        fixed = {one.sequence for one in of_unit if one.status != "DRAFT"}
        mine = {at: one for (of, at), one in planned.drafts.items() if of == unit_id}
        assert not fixed & mine.keys(), "what is issued or cancelled stays as it is"
        assert 0 in fixed | mine.keys()
        assert all(charge.amount for at, one in mine.items() if at for charge in one.charges)
        after = [one for one in of_unit if one.status != "DRAFT"]
        after += [
            was._replace(tenant_id=was.tenant_id if was.was_issued else mine[was.sequence].tenant_id)
            for was in of_unit
            if was.sequence in mine
        ]
        after += [StoredInvoice(at, "DRAFT", one.tenant_id) for at, one in mine.items()
                  if at not in {was.sequence for was in of_unit}]  # fmt: skip
        stored[unit_id] = after
    assert plan_month(facts, stored) == planned


def test_an_owner_who_bears_all_leaves_the_units_a_charge_of_nothing():
    assert plan(CY, BO, owner=Fraction(100)) == {0: ("cy", 0)}


# --- what is said is charged ---------------------------------------------------------------------------------------------

DAYS = re.compile(rf",? (?:for )?{NUMBER} of {NUMBER} days?(?: \(a day of moving counts for both\))?$")
TIMES = re.compile(rf" \({NUMBER} × {NUMBER} days?\)")
WHOLE = re.compile(rf"(?:weight )?{NUMBER} of {NUMBER} [a-z-]+(?: ft)?(?:-days)?|weight {NUMBER} of {NUMBER}")


def share_said(said):
    """The share that a reader computes by hand from the words about one method."""
    share = Fraction(1)
    while found := DAYS.search(said):
        share *= number(found[1]) / number(found[2])
        said = said[: found.start()]
    if times := TIMES.search(said):
        said = said[: times.start()] + said[times.end() :]
        assert number(said.removeprefix("weight ").partition(" ")[0]) == number(times[1]) * number(times[2])
    if percent := re.fullmatch(rf"{NUMBER}% of this amount", said):
        return share * number(percent[1]) / 100
    whole = WHOLE.fullmatch(said)
    assert whole is not None, said
    part, of = (group for group in whole.groups() if group is not None)
    return share * number(part) / number(of)


@settings(max_examples=10_000 if SOAK else 250, deadline=None)
@given(houses, rules, amounts, periods)
def test_multiplying_what_a_sentence_says_gives_the_charge_but_for_cents_that_it_names(house, rule, amount, period):
    for one in plan_month(facts_of(house, rule, amount, period), {}).drafts.values():
        for charge in one.charges:
            reason, beside, left = charge.description.split(": ", 1)[1], 0, Fraction(1)
            if named := CENTS.search(reason):
                reason = reason[: named.start()]
                beside = int(named[2] or 1) * (1 if named[3] == "more" else -1)
            if owner := re.search(rf", after the owner's {NUMBER}%$", reason):
                reason, left = reason[: owner.start()], 1 - number(owner[1]) / 100
            share = Fraction()
            for part in reason.split("; "):
                percent = re.match(rf"{NUMBER}% by ", part)
                said = part[percent.end() :] if percent else part
                of_all = number(percent[1]) / 100 if percent else Fraction(1)
                share += of_all * share_said(said.partition(": ")[2] or said)
            assert rounded(amount * left * share) + beside == charge.amount, charge.description
