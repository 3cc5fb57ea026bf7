"""Flags of bills are found by comparison with the stored bills.

They are accepted with a reason, and flagged bills are held if the account's settings say so.
"""

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.bills import (
    bills,
    entries as bill_entries,
    flags as bill_flags,
    lists as bill_lists,
    splits as bill_splits,
)
from prorata.actions.bills.flags import Decision
from prorata.actions.bills.lists import Wish
from prorata.actions.months import reviews as month_reviews
from prorata.actions.overview import overview
from prorata.actions.properties import properties
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.errors import InvalidRequest, NotFound
from prorata.store.bills import flags as stored, searches as bill_searches
from tests.landlord import Landlord

HEADER = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate", "accountNumber", "billNumber")
PERIODS = (
    ("2026-01-05", "2025-12-01", "2025-12-31"), ("2026-02-05", "2026-01-01", "2026-01-31"),
    ("2026-03-05", "2026-02-01", "2026-02-28"),
)  # fmt: skip


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def form(of, total="90.00", on="2026-02-20", **more):
    return BillForm(of.id, "Aqua Water Co.", total, on, more.pop("lines", (FormLine("WATER"),)), **more)


def enter(landlord, of, *arguments, reasons=(), **more):
    """Enter a bill, and accept its flags for the given reasons.

    The other flags stay open.
    """
    filled = form(of, *arguments, **more)
    entered = landlord.do(bill_entries.enter, filled)
    if entered.bill is None:
        decision = Decision(shown_as(entered.flags), tuple(reasons), later=True)
        entered = landlord.do(bill_entries.enter, filled, decision=decision)
    return entered.bill


def over(landlord, of, at, **more):
    """Enter the bill for one of the periods."""
    on, first, last = PERIODS[at]
    numbers = {"account_number": "A-1", "service_start": first, "service_end": last} | more
    return enter(landlord, of, numbers.pop("total", f"{90 + at}.00"), on, **numbers)


def hold(landlord, hold_flagged=True):
    landlord.do(accounts.change_settings, Wishes(hold_flagged=hold_flagged))


def kinds(landlord, bill):
    """The kinds of a bill's open flags, and of its accepted flags."""
    shown = landlord.see(bill_flags.of_bill, bill.id)
    return (
        [one.row.kind for one in shown if not one.row.accepted_at],
        [one.row.kind for one in shown if one.row.reason],
    )


def accept(landlord, bill, number, reason):
    """Accept a flag of a bill as it is shown at this moment."""
    (flag,) = [one for one in landlord.see(bill_flags.of_bill, bill.id) if one.row.number == number]
    return landlord.do(bill_flags.accept, bill.id, number, reason, flag.mark)


def found(landlord, bill):
    return landlord.see(bills.find, bill.id)


def test_a_flag_left_open_is_shown_with_the_bills_it_is_about_and_the_bill_counts(landlord, maple):
    first, second = enter(landlord, maple), enter(landlord, maple)
    assert landlord.totals(maple) == {"1": 90_00, "2": 90_00}
    (flag,) = landlord.see(bill_flags.of_bill, second.id)
    assert (flag.row.kind, [one.id for one in flag.bills], flag.row.accepted_at) == ("duplicate", [first.id], None)
    assert (second.flagged, second.held, found(landlord, first).flagged) == (1, 0, 0)
    assert [one.id for one in landlord.see(bill_lists.page, Wish({"flagged": "flagged"}), limit=9).rows] == [second.id]


def test_a_flag_is_accepted_once_with_who_when_and_why(landlord, maple):
    enter(landlord, maple)
    bill = enter(landlord, maple)
    with pytest.raises(InvalidRequest) as refusal:
        accept(landlord, bill, 1, " ")
    assert [problem.field for problem in refusal.value.problems] == ["reason"]
    landlord.clock.forward(minutes=5)
    assert accept(landlord, bill, 1, " a second meter ") is False
    accept(landlord, bill, 1, "something else")
    (row,) = landlord.read(stored.of_bill, bill.id)
    assert (row.reason, row.accepted_by) == ("a second meter", landlord.caller.actor)
    assert row.accepted_at.startswith("2026-03-10T18:05")
    (event,) = [one for one in landlord.see(activity.page) if one.verb == "accept flag of bill"]
    assert (event.record_id, event.after["reason"]) == (bill.id, "a second meter")
    assert kinds(landlord, bill) == ([], ["duplicate"])
    for missing in ((bill.id, 2), ("bill_nothing", 1)):
        with pytest.raises(NotFound):
            landlord.do(bill_flags.accept, *missing, "why", "")


def test_an_unusual_amount_is_asked_about_at_its_bill_and_not_by_its_month_too(landlord, maple):
    for month in range(8, 13):
        enter(landlord, maple, on=f"2025-{month:02d}-05", account_number="A-1")
    bill = enter(landlord, maple, "190.00", account_number="A-1")

    def checks():
        return {one.kind for one in landlord.see(month_reviews.review, maple.id, "2026-02").findings}

    assert kinds(landlord, bill) == (["unusualAmount"], [])
    assert ("flagged" in checks(), "unusualAmount" in checks()) == (True, False)
    accept(landlord, bill, 1, "A burst pipe")
    assert {"flagged", "unusualAmount"}.isdisjoint(checks())


def test_flags_are_decided_about_as_they_were_shown(landlord, maple):
    enter(landlord, maple)
    filled = form(maple, due_date="2026-01-01")
    flags = landlord.do(bill_entries.enter, filled).flags
    assert [flag.kind for flag in flags] == ["duplicate", "dueBeforeBilled"]
    shown = shown_as(flags)
    for decision, wrong in (
        (Decision(), []),
        (Decision("of others", ("a", "b")), []),
        (Decision(shown, ("a",)), ["reason2"]),
        (Decision(shown, ("a\nb", "x" * 201), later=True), ["reason1", "reason2"]),
    ):
        entered = landlord.do(bill_entries.enter, filled, decision=decision)
        assert (entered.bill, [problem.field for problem in entered.problems]) == (None, wrong)
    bill = landlord.do(bill_entries.enter, filled, decision=Decision(shown, ("", "so it says"), later=True)).bill
    assert kinds(landlord, bill) == (["duplicate"], ["dueBeforeBilled"])


def test_a_bill_of_before_billing_starts_is_flagged_only_where_it_is_there_twice(landlord, maple):
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    enter(landlord, maple)
    due_early = form(maple, total="12.00", due_date="2026-02-01")
    assert landlord.do(bill_entries.enter, due_early).bill is not None
    entered = landlord.do(bill_entries.enter, form(maple))
    assert [flag.kind for flag in entered.flags] == ["duplicate"]


def test_the_same_number_at_another_property_is_flagged_and_another_account_of_anothers_is_not(landlord, maple):
    elm = landlord.property_("Elm")
    first = enter(landlord, elm, bill_number="88")
    assert kinds(landlord, enter(landlord, maple, "12.00", bill_number="88")) == (["duplicate"], [])
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    theirs = stranger.property_()
    assert kinds(stranger, enter(stranger, theirs, bill_number="88")) == ([], [])
    with pytest.raises(NotFound):
        stranger.do(bill_flags.accept, first.id, 1, "mine", "")


def test_what_is_missed_in_between_is_no_longer_flagged_once_it_is_there(landlord, maple):
    over(landlord, maple, 0)
    late = over(landlord, maple, 2)
    assert kinds(landlord, late) == (["gap"], [])
    between = over(landlord, maple, 1)
    assert kinds(landlord, late) == ([], [])
    landlord.remove_bill(between)
    assert not found(landlord, late).flagged, "nothing is flagged by what others do"


def test_a_flag_is_stored_in_one_form_whoever_reads_it(landlord, maple):
    over(landlord, maple, 0)
    on, first, last = PERIODS[0]
    added = []
    for total in ("20.00", "30.00"):
        filled = form(maple, total, on, account_number="A-1", service_start=first, service_end=last)
        decision = Decision(shown_as(landlord.do(bill_entries.enter, filled).flags), (), later=True)
        added.append(landlord.do(bill_entries.enter, filled, decision=decision).bill)
    (overlap,) = [one.row for one in landlord.see(bill_flags.of_bill, added[0].id) if one.row.kind == "overlap"]
    assert f"{first} to {last}" in overlap.message


def test_a_bill_that_is_corrected_is_looked_at_anew_and_what_was_accepted_is_not_asked_again(landlord, maple):
    enter(landlord, maple)
    bill = enter(landlord, maple, due_date="2026-01-01", reasons=("a second meter",))
    assert kinds(landlord, bill) == (["dueBeforeBilled"], ["duplicate"])
    before = landlord.see(bill_entries.form_of, bill.id)
    landlord.do(bill_entries.change, bill.id, before._replace(due_date="2026-03-20"))
    assert kinds(landlord, bill) == ([], ["duplicate"])
    landlord.do(bill_entries.change, bill.id, before._replace(due_date="2026-02-01"))
    assert kinds(landlord, bill) == (["dueBeforeBilled"], ["duplicate"])
    landlord.do(bill_entries.change, bill.id, before._replace(due_date="", notes="only this"))
    assert kinds(landlord, bill) == ([], ["duplicate"])


# --- held -------------------------------------------------------------------------------------------------------------


def test_a_held_bill_is_kept_and_charges_nobody_before_its_last_flag_is_accepted(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    bill = enter(landlord, maple, due_date="2026-01-01")
    assert (bill.held, bill.flagged, bill.billing_month, bill.waiting) == (1, 1, "2026-02", 0)
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert landlord.lines(bill) == []
    landlord.sound()
    assert accept(landlord, bill, 1, "a second meter") is False
    assert found(landlord, bill).held
    assert accept(landlord, bill, 2, "so it says") is True
    assert landlord.totals(maple) == {"1": 90_00, "2": 90_00}
    after = found(landlord, bill)
    assert (after.held, after.flagged) == (0, 0)


def test_one_with_all_its_flags_accepted_as_it_is_entered_is_not_held(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    assert not enter(landlord, maple, reasons=("a second meter",)).held
    assert landlord.totals(maple) == {"1": 90_00, "2": 90_00}


def test_a_held_bill_that_is_corrected_counts_and_one_that_still_is_flagged_stays_held(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    bill = enter(landlord, maple)
    two = (FormLine("WATER", "80"), FormLine("SEWER", "10"))
    before = landlord.see(bill_entries.form_of, bill.id)
    landlord.do(bill_entries.change, bill.id, before._replace(lines=two, notes="two parts"))
    assert found(landlord, bill).held
    assert landlord.see(bill_entries.form_of, bill.id).lines == (FormLine("WATER", "80.00"), FormLine("SEWER", "10.00"))
    landlord.do(bill_entries.change, bill.id, before._replace(total="30.00"))
    assert not found(landlord, bill).held
    assert landlord.totals(maple) == {"1": 60_00, "2": 60_00}


def test_a_held_bill_counts_once_the_one_it_repeats_is_removed(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    bill = enter(landlord, maple)
    landlord.remove_bill(landlord.stored_bills(maple)[0])
    assert not found(landlord, bill).held
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_a_held_bill_is_moved_and_removed_and_leaves_nothing_behind(landlord, maple):
    hold(landlord)
    elm = landlord.property_("Elm")
    landlord.unit(elm, "9")
    enter(landlord, maple, due_date="2026-01-01", reasons=("so it says",))
    bill = enter(landlord, maple, due_date="2026-01-01")
    landlord.do(bills.move, bill.id, "2026-04")
    assert found(landlord, bill).billing_month == "2026-04"
    landlord.sound()
    before = landlord.see(bill_entries.form_of, bill.id)
    landlord.do(bill_entries.change, bill.id, before._replace(property_id=elm.id))
    assert (found(landlord, bill).held, kinds(landlord, bill)[0]) == (1, ["dueBeforeBilled"])
    landlord.sound()
    assert landlord.totals(elm, "2026-04") == {}
    landlord.remove_bill(bill)
    assert landlord.read(stored.open_flags) is None


def test_a_held_bill_that_is_accepted_after_its_month_was_sent_waits(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    bill = enter(landlord, maple)
    landlord.set_status(maple, "1", "SENT")
    accept(landlord, bill, 1, "a second meter")
    assert (found(landlord, bill).waiting, landlord.totals(maple)) == (1, {"1": 45_00, "2": 45_00})


def test_a_held_bill_is_shown_listed_and_handed_out_with_its_lines(landlord, maple):
    hold(landlord)
    enter(landlord, maple)
    bill = enter(landlord, maple)
    split = landlord.see(bill_splits.of_bill, bill.id)
    assert [(line.line.amount, line.state) for line in split.lines] == [(90_00, "held")]
    assert (split.charged, split.owner, split.unbilled) == (0, 0, 90_00)
    said = landlord.see(lambda tx, caller: bill_splits.outcome(tx, caller, found(landlord, bill)))
    assert said == "It’s held: nobody is charged until its flags are accepted."
    assert bill.id in [one.id for one in landlord.see(bill_lists.page, Wish({"month": "2026-02"}), limit=9).rows]
    ((_, lines),) = landlord.read(bill_searches.with_lines, [bill.id])
    assert [line.amount for line in lines] == [90_00]
    document = landlord.archive
    landlord.do(properties.remove, maple.id, document)
    (text,) = document.kept.values()
    assert '"heldLines": [' in text
    assert '"kind": "duplicate"' in text


def test_a_late_setting_holds_nothing_that_counts_and_lets_nothing_go(landlord, maple):
    enter(landlord, maple)
    counts = enter(landlord, maple)
    hold(landlord)
    held = enter(landlord, maple)
    hold(landlord, hold_flagged=False)
    assert (found(landlord, counts).held, found(landlord, held).held) == (0, 1)


# --- where they are seen ----------------------------------------------------------------------------------------------


def finding(landlord, of, kind, month="2026-02"):
    review = landlord.see(month_reviews.review, of.id, month)
    return next((one for one in review.findings if one.kind == kind), None), review.is_to_wait


def test_the_review_of_a_month_names_what_is_flagged_and_waits_for_what_is_held(landlord, maple):
    enter(landlord, maple)
    flagged = enter(landlord, maple)
    one, waits = finding(landlord, maple, "flagged")
    assert (one.records, one.to_check, waits) == ((flagged.id,), True, True)
    hold(landlord)
    held = enter(landlord, maple)
    one, waits = finding(landlord, maple, "held")
    assert (one.records, waits) == ((held.id,), True)
    assert one.message == "1 bill totaling $90.00 is flagged and held: it is not on any invoice."
    assert finding(landlord, maple, "held", "2026-03")[0] is None


def test_a_bill_that_is_held_has_come(landlord, maple):
    for at, on in enumerate(("2025-11-20", "2025-12-20", "2026-01-20")):
        enter(landlord, maple, f"{80 + at}.00", on)
    assert finding(landlord, maple, "missingBill")[0] is not None
    hold(landlord)
    assert enter(landlord, maple, "83.00", "2026-02-20", due_date="2026-01-01").held
    assert finding(landlord, maple, "missingBill")[0] is None


def test_the_overview_counts_what_is_flagged(landlord, maple):
    def said():
        return [one.message for one in landlord.see(overview.of_month).attention if one.kind == "flagged"]

    enter(landlord, maple)
    assert said() == []
    enter(landlord, maple)
    assert said() == ["1 bill is flagged: compare it with the original."]
    hold(landlord)
    enter(landlord, maple)
    assert said() == [
        "2 bills are flagged: compare them with the originals. 1 of them is held: nobody is charged until you accept it."
    ]


def test_nobody_is_asked_about_a_bill_that_became_history_unless_it_may_be_there_twice(landlord, maple):
    def flagged():
        return [row.id for row in landlord.see(bill_lists.page, Wish({"flagged": "flagged"}), limit=9).rows]

    enter(landlord, maple)
    low, twice = enter(landlord, maple, "9.00", due_date="2026-01-01"), enter(landlord, maple)
    assert (found(landlord, low).flagged, found(landlord, twice).flagged) == (1, 1)
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-06"})
    assert (found(landlord, low).flagged, found(landlord, twice).flagged) == (0, 1)
    assert flagged() == [twice.id]
    assert landlord.read(stored.open_flags).flagged == 1
    landlord.do(properties.change, maple.id, {"billing_starts_month": None})
    assert len(flagged()) == 2, "it is asked again once somebody would be charged"
