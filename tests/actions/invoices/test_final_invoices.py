"""Tests of the final invoice to a household that is moving out.

They check what it contains, who gets it, and what becomes of the unit's own invoice and of later charges.
"""

from datetime import date

import pytest

from prorata.actions.invoices import final_invoices, invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.printing import printed_invoices
from prorata.actions.properties import tenants
from prorata.errors import Conflict, NotFound
from prorata.store.mail import messages
from prorata.store.overview import activity
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with $112.00 of water for February.

    Ann and Bo live there, and have no move-in date.
    """
    maple = landlord.property_()
    one, two = landlord.units(maple, "1", "2")
    landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.tenant(two, "Bo")
    landlord.bill(maple, 112_00)
    return maple


def unit_of(landlord, maple, label="1"):
    return next(flat for flat in landlord.stored_units(maple) if flat.label == label)


def ann_leaves(landlord, maple, day="2026-02-14", **more):
    (ann,) = [one for one in landlord.see(tenants.of_unit, unit_of(landlord, maple).id) if one.name == "Ann"]
    return landlord.do(tenants.change, ann.id, {"move_out": day} | more)


def send(landlord, tenant):
    return landlord.do(final_invoices.send, tenant.id)


def standing(landlord, maple, month="2026-02"):
    found = landlord.invoices(maple, month)
    return {at: (one.summary.status, one.summary.tenant_name, one.summary.total) for at, one in found.items()}


def refusal(landlord, tenant, *, of=final_invoices.look):
    with pytest.raises(Conflict) as refused:
        landlord.see(of, tenant.id) if of is final_invoices.look else landlord.do(of, tenant.id)
    return refused.value.message


def test_who_has_the_units_own_gets_the_next_sequence_and_the_units_own_follows_the_unit(landlord, maple):
    ann = ann_leaves(landlord, maple, forwarding_email="ann@new.example", forwarding_address="9 Oak St\nReno")
    assert standing(landlord, maple) == {"1": ("DRAFT", "Ann", 28_00), "2": ("DRAFT", "Bo", 56_00)}
    looked = landlord.see(final_invoices.look, ann.id)
    assert (looked.number, looked.sequence, looked.total) == ("MAPLECOURT-1.1-2026-02", 1, 28_00)

    shown = send(landlord, ann).summary

    assert (shown.number, shown.status, shown.total) == (looked.number, "SENT", looked.total)
    assert (shown.tenant_id, shown.tenant_email) == (ann.id, "ann@new.example")
    assert standing(landlord, maple) == {
        "1": ("DRAFT", None, 0), "1.1": ("SENT", "Ann", 28_00), "2": ("DRAFT", "Bo", 56_00),
    }  # fmt: skip
    assert not landlord.month(maple).is_closed
    (mail,) = landlord.read(messages.of_invoice, shown.id)
    assert (mail.kind, mail.to_address) == ("invoice", "ann@new.example")
    assert landlord.see(printed_invoices.find, shown.id).copy.forwarding_address == "9 Oak St\nReno"
    landlord.sound()


def test_a_name_typed_above_the_forwarding_address_is_printed_once(landlord, maple):
    ann = ann_leaves(landlord, maple, forwarding_address=" ann \r\n9 Oak St\r\nReno")
    shown = send(landlord, ann).summary
    assert landlord.see(printed_invoices.find, shown.id).copy.forwarding_address.split() == ["9", "Oak", "St", "Reno"]


def test_it_says_that_it_is_the_final_one_also_when_it_is_sent_again(landlord, maple):
    ann = ann_leaves(landlord, maple)
    sent = send(landlord, ann).summary.id
    landlord.set_status(maple, "2", "SENT")

    def is_final(invoice_id):
        return landlord.see(printed_invoices.find, invoice_id).copy.is_final

    assert is_final(sent)
    assert not is_final(landlord.invoices(maple)["2"].summary.id)
    landlord.set_status(maple, "1.1", "DRAFT")
    assert is_final(sent)
    landlord.do(invoices.set_status, sent, "SENT")
    assert is_final(sent)
    landlord.sound()


def test_the_next_tenant_has_the_units_own(landlord, maple):
    ann = ann_leaves(landlord, maple)
    send(landlord, ann)
    landlord.tenant(unit_of(landlord, maple), "Cy", move_in="2026-02-15")
    assert standing(landlord, maple)["1"] == ("DRAFT", "Cy", 28_00)
    landlord.set_status(maple, "1", "SENT")
    assert landlord.month(maple).is_closed
    landlord.sound()


def test_one_who_was_followed_already_has_a_draft_of_their_own_which_goes_as_it_is(landlord, maple):
    ann = ann_leaves(landlord, maple)
    landlord.tenant(unit_of(landlord, maple), "Cy", move_in="2026-02-15")
    draft = landlord.invoices(maple)["1.1"].summary
    landlord.do(invoices.add_custom_charge, draft.id, "Key", 10_00)
    shown = send(landlord, ann).summary
    assert (shown.id, shown.number, shown.total) == (draft.id, "MAPLECOURT-1.1-2026-02", 38_00)
    assert standing(landlord, maple)["1"] == ("DRAFT", "Cy", 28_00)
    landlord.sound()


def test_the_earlier_household_takes_the_units_own_where_the_later_one_is_sent(landlord, maple):
    ann = ann_leaves(landlord, maple, "2026-02-28")
    landlord.tenant(unit_of(landlord, maple), "Cy", move_out="2026-02-14")
    landlord.do(tenants.change, ann.id, {"move_in": "2026-02-15"})
    assert standing(landlord, maple)["1"] == ("DRAFT", "Ann", 28_00)
    send(landlord, ann)
    shown = standing(landlord, maple)
    assert ("SENT", "Ann", 28_00) in shown.values()
    assert shown["1"] == ("DRAFT", "Cy", 28_00)
    landlord.sound()


def test_what_comes_later_stands_on_a_new_draft(landlord, maple):
    ann = ann_leaves(landlord, maple)
    send(landlord, ann)
    landlord.bill(maple, 56_00, "GAS", date(2026, 2, 25))
    assert standing(landlord, maple)["1.2"] == ("DRAFT", "Ann", 14_00)
    again = send(landlord, ann).summary
    assert (again.number, again.total) == ("MAPLECOURT-1.2-2026-02", 14_00)
    landlord.sound()
    ann_leaves(landlord, maple, "2026-02-07")
    shown = standing(landlord, maple)
    assert sum(total for _, who, total in shown.values() if who == "Ann") == 21_00, "a credit for what was too much"
    credit = send(landlord, ann).summary
    assert credit.total == -21_00
    landlord.sound()


def test_what_was_added_by_hand_goes_along(landlord, maple):
    ann = ann_leaves(landlord, maple)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1"].summary.id, "Cleaning", 40_00)
    shown = send(landlord, ann)
    assert (shown.summary.total, {one.description for one in shown.charges} >= {"Cleaning"}) == (68_00, True)
    assert standing(landlord, maple)["1"] == ("DRAFT", None, 0)
    landlord.sound()


def test_it_may_be_one_of_nothing_but_what_was_added(landlord, maple):
    ann = ann_leaves(landlord, maple, "2026-03-10")
    landlord.bill(maple, 10_00, on=date(2026, 3, 2))
    rule = landlord.rules(maple)["WATER"]
    landlord.change_rule(rule.id, is_active=False)
    draft = landlord.invoices(maple, "2026-03").get("1")
    landlord.do(invoices.add_custom_charge, draft.summary.id, "Cleaning", 40_00)
    assert send(landlord, ann).summary.total == 40_00
    landlord.sound()


def test_in_a_closed_month_what_the_draft_holds_is_sent_and_the_month_stays_closed(landlord, maple):
    ann = ann_leaves(landlord, maple)
    landlord.set_status(maple, "2", "SENT")
    shown = send(landlord, ann).summary
    assert (shown.status, shown.total, landlord.month(maple).is_closed) == ("SENT", 28_00, True)
    landlord.sound()


def test_one_that_is_taken_back_is_sent_again_in_its_place(landlord, maple):
    ann = ann_leaves(landlord, maple)
    sent = send(landlord, ann).summary
    landlord.do(invoices.set_status, sent.id, "DRAFT")
    landlord.bill(maple, 28_00, on=date(2026, 2, 26))
    assert landlord.see(final_invoices.look, ann.id).number == "MAPLECOURT-1.1R1-2026-02"
    again = send(landlord, ann).summary
    assert (again.id, again.number, again.total) == (sent.id, "MAPLECOURT-1.1R1-2026-02", 35_00)
    landlord.sound()


def test_roommates_who_leave_together_have_one(landlord, maple):
    landlord.tenant(unit_of(landlord, maple), "Al", move_out="2026-02-14")
    ann = ann_leaves(landlord, maple)
    assert send(landlord, ann).summary.total == 28_00
    assert standing(landlord, maple)["1"] == ("DRAFT", None, 0)
    landlord.sound()


def test_roommates_whose_last_day_was_entered_after_the_month_was_sent_have_left(landlord, maple):
    landlord.tenant(unit_of(landlord, maple), "Cleo")
    for label in ("1", "2"):
        landlord.set_status(maple, label, "SENT")
    landlord.tenant(unit_of(landlord, maple), "Eve", move_in="2026-02-25")
    for one in landlord.see(tenants.of_unit, unit_of(landlord, maple).id):
        if one.name != "Eve":
            landlord.do(tenants.change, one.id, {"move_out": "2026-02-20"})

    for one in landlord.see(tenants.of_unit, unit_of(landlord, maple).id):
        if one.name != "Eve":
            said = refusal(landlord, one)
            assert "apart from MAPLECOURT-1-2026-02" in said
            assert "shares the unit" not in said


def test_it_is_refused_with_a_sentence_and_nothing_is_changed(landlord, maple, clock):
    one = unit_of(landlord, maple)
    (ann,) = landlord.see(tenants.of_unit, one.id)
    before = standing(landlord, maple)
    for of in (final_invoices.look, final_invoices.send):
        assert refusal(landlord, ann, of=of) == (
            "No last day (move-out date) has been entered for Ann, so there is no final invoice yet. Enter it first."
        )
    al = landlord.tenant(one, "Al", move_out="2026-02-14")
    assert refusal(landlord, al) == (
        "Al shares the unit and its invoices with Ann, who stays on after February 2026. Send the month’s invoice, "
        "or enter when everyone moves out."
    )
    landlord.remove_tenant(al)
    with pytest.raises(NotFound):
        send(landlord, al)
    assert standing(landlord, maple) == before

    later = ann_leaves(landlord, maple, "2026-03-31")
    assert refusal(landlord, later) == (
        "There is nothing to invoice Ann for in March 2026, the month of the last day: no bill for that month "
        "applies to them yet."
    )
    ann = ann_leaves(landlord, maple)
    draft = landlord.invoices(maple)["1"].summary
    landlord.do(payments.receive, draft.id, Received(10_00, clock().date(), "CASH"))
    assert refusal(landlord, ann, of=final_invoices.send).startswith(f"Draft {draft.number} has payments")
    assert standing(landlord, maple)["1"] == ("DRAFT", "Ann", 28_00)


def test_what_was_sent_before_is_sent_again_and_not_moved(landlord, maple):
    ann = ann_leaves(landlord, maple)
    landlord.set_status(maple, "1", "SENT")
    assert refusal(landlord, ann).endswith(
        "the month of the last day, apart from MAPLECOURT-1-2026-02. Anything later appears on a separate draft."
    )
    landlord.set_status(maple, "1", "DRAFT")
    assert refusal(landlord, ann).startswith("MAPLECOURT-1-2026-02 was already sent to Ann and is a draft again.")


def test_what_comes_to_nothing_is_refused(landlord, maple):
    ann = ann_leaves(landlord, maple)
    landlord.do(invoices.add_custom_charge, landlord.invoices(maple)["1"].summary.id, "Settled", -28_00)
    assert refusal(landlord, ann).endswith("its drafts add up to zero.")


def test_it_is_written_down_of_the_tenant(landlord, maple):
    ann = ann_leaves(landlord, maple)
    send(landlord, ann)
    verbs = [one.verb for one in landlord.read(activity.page, record=ann.id, limit=9)]
    assert verbs[0] == "send final invoice"
