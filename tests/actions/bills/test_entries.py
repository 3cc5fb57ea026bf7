"""Tests of bills that people enter by hand.

They pass the same checks as imported bills, every field can be changed, and late bills are settled.
"""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from threading import Event
from time import sleep

import pytest

from prorata.actions.bills import bills, entries as bill_entries, late_bills, splits as bill_splits
from prorata.actions.bills.flags import Decision
from prorata.actions.properties import properties
from prorata.actions.recalculation import correction_decisions
from prorata.domain.accounts.settings import BY_ITSELF
from prorata.domain.bills.flags import shown_as
from prorata.domain.bills.forms import BillForm, FormLine
from prorata.errors import Conflict, InvalidRequest, NotFound
from tests.actions.bills.test_bills import SET_LATE_BILLS
from tests.landlord import Landlord


@pytest.fixture
def maple(landlord: Landlord):
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def form(of, total="90.00", on="2026-02-20", **more):
    return BillForm(of.id, "Aqua Water Co.", total, on, more.pop("lines", (FormLine("WATER"),)), **more)


def enter(landlord, *arguments, **more):
    why, later = more.pop("why", ""), more.pop("later", False)
    filled = form(*arguments, **more)
    entered = landlord.do(bill_entries.enter, filled)
    if entered.bill is not None or not (why or later):
        return entered
    decision = Decision(shown_as(entered.flags), (why,) * len(entered.flags), later=later)
    return landlord.do(bill_entries.enter, filled, decision=decision)


def change(landlord, bill, **wishes):
    before = landlord.see(bill_entries.form_of, bill.id)
    return landlord.do(bill_entries.change, bill.id, before._replace(**wishes))


def test_a_bill_entered_by_hand_is_billed_at_once(landlord, maple):
    entered = enter(landlord, maple, "$90.00", "2/20/2026")
    assert (entered.bill.total, entered.bill.billing_month, entered.flags) == (90_00, "2026-02", ())
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}


def test_a_bill_with_problems_is_not_entered_and_all_are_told(landlord, maple):
    with pytest.raises(InvalidRequest) as refusal:
        enter(landlord, maple, "a lot", "", lines=())
    assert [problem.field for problem in refusal.value.problems] == ["totalAmountDue", "lines", "billDate"]
    assert landlord.stored_bills(maple) == []


def test_a_bill_that_looks_like_another_is_added_only_when_a_person_says_why(landlord, maple):
    first = enter(landlord, maple).bill
    for repeated in ({}, {"bill_number": "A1"}):
        again = enter(landlord, maple, **repeated)
        assert (again.bill, list(again.about)) == (None, [first.id])
        assert [(flag.kind, flag.bills) for flag in again.flags] == [("duplicate", (first.id,))]
        assert "2026-02-20 for $90.00" in again.flags[0].message
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    assert enter(landlord, maple, why="a second meter").bill is not None
    assert landlord.totals(maple) == {"1": 90_00, "2": 90_00}
    assert [row.repetition for row in landlord.stored_bills(maple)] == [1, 2]


def test_the_number_of_another_bill_asks_whether_this_one_replaces_it(landlord, maple):
    enter(landlord, maple, bill_number="A1")
    (flag,) = enter(landlord, maple, "80.00", "2026-03-01", bill_number=" a1 ").flags
    assert "remove that one first" in flag.advice
    assert enter(landlord, maple, "80.00", "2026-03-01", bill_number="A2").bill is not None


def test_a_form_shown_and_saved_as_it_is_changes_nothing(landlord, maple):
    two = (FormLine("WATER"), FormLine("SEWER"))
    given = (FormLine("WATER", "80"), FormLine("SEWER", "5"), FormLine("LATE_FEE", "5"))
    for at, lines in enumerate((two, given)):
        bill = enter(landlord, maple, lines=lines, on=f"2026-02-{at + 1:02d}", service_start="2026-01-05",
                     service_end="2026-02-01", notes="by hand", why="a second meter").bill  # fmt: skip
        before, lines_before = landlord.stored_bills(maple), landlord.lines(bill)
        landlord.clock.forward(minutes=1)
        assert change(landlord, bill) == bill
        assert landlord.stored_bills(maple) == before
        assert landlord.lines(bill) == lines_before


def test_every_field_of_a_bill_can_be_changed_and_its_invoices_follow(landlord, maple):
    bill = enter(landlord, maple).bill
    mark = landlord.stored_bills(maple)[0].fingerprint
    lines = (FormLine("WATER", "60"), FormLine("GAS", "30"), FormLine("PREVIOUS_BALANCE", "10"))
    after = change(
        landlord, bill, issuer_name="City", total="100", bill_date="2026-03-02", lines=lines, due_date="2026-03-20",
        payment_status="PAID", account_number="77", bill_number="9", notes="mended",
    )  # fmt: skip
    assert (after.issuer_name, after.utility_types, after.billing_month) == ("City", "WATER;GAS", "2026-03")
    assert landlord.totals(maple) == {}
    assert landlord.totals(maple, "2026-03") == {"1": 45_00, "2": 45_00}
    assert landlord.month(maple, "2026-03").owner_amount == 10_00
    (row,) = landlord.stored_bills(maple)
    assert (row.fingerprint, row.repetition, row.account_number) == (mark, 1, "77")


def test_a_bill_moves_to_another_property_and_leaves_nothing_behind(landlord, maple):
    elm = landlord.property_("Elm")
    landlord.unit(elm, "9")
    bill = enter(landlord, maple).bill
    change(landlord, bill, property_id=elm.id)
    assert landlord.totals(maple) == {}
    assert landlord.totals(elm) == {"9": 90_00}


def test_the_month_stays_as_long_as_nothing_that_says_it_is_changed(landlord, maple):
    bill = enter(landlord, maple).bill
    landlord.do(bills.move, bill.id, "2026-01")
    assert change(landlord, bill, total="80.00").billing_month == "2026-01"
    assert change(landlord, bill, billing_month="").billing_month == "2026-02"
    assert change(landlord, bill, service_start="2025-12-01", service_end="2025-12-31").billing_month == "2025-12"


@pytest.mark.parametrize(
    "wishes",
    [
        {"total": "91.00"}, {"issuer_name": "City"}, {"bill_date": "2026-02-21"}, {"billing_month": "2026-03"},
        {"lines": (FormLine("GAS"),)}, {"lines": (FormLine("WATER", "80"), FormLine("OWNER", "10"))},
    ],
)  # fmt: skip
def test_a_bill_that_has_charged_a_closed_month_keeps_what_it_charges(landlord, maple, wishes):
    bill = enter(landlord, maple).bill
    landlord.set_status(maple, "1", "SENT")
    with pytest.raises(Conflict, match=r"February 2026.*back to draft"):
        change(landlord, bill, **wishes)
    after = change(landlord, bill, notes="paid by card", payment_status="PAID", due_date="2026-03-09", bill_number="7")
    assert (after.notes, after.payment_status) == ("paid by card", "PAID")
    assert landlord.totals(maple) == {"1": 45_00, "2": 45_00}
    landlord.set_status(maple, "1", "DRAFT")
    change(landlord, bill, **wishes)


def test_a_bill_that_waits_can_be_changed_in_everything(landlord, maple):
    enter(landlord, maple)
    landlord.set_status(maple, "1", "SENT")
    late = enter(landlord, maple, "10.00", lines=(FormLine("GAS"),)).bill
    assert late.waiting
    assert change(landlord, late, total="12.00").waiting
    assert not change(landlord, late, billing_month="2026-03").waiting
    assert landlord.totals(maple, "2026-03") == {"1": 6_00, "2": 6_00}


def test_a_late_bill_is_settled_in_the_next_open_month_or_the_one_named(landlord, maple):
    for on in (date(2026, 2, 20), date(2026, 3, 20)):
        landlord.bill(maple, 90_00, on=on)
        landlord.set_status(maple, "1", "SENT", f"{on:%Y-%m}")
    one, two = landlord.bill(maple, 10_00, "GAS"), landlord.bill(maple, 20_00, "SEWER")
    for month in ("2026-03", "March"):
        with pytest.raises(InvalidRequest) as refusal:
            landlord.do(late_bills.settle, one.id, month)
        assert refusal.value.problems[0].field == "billingMonth"
    assert landlord.do(late_bills.settle, one.id).billing_month == "2026-04"
    assert landlord.do(late_bills.settle, two.id, "2026-05").billing_month == "2026-05"
    assert landlord.totals(maple, "2026-04") == {"1": 5_00, "2": 5_00}
    with pytest.raises(Conflict, match="isn’t waiting for an open month"):
        landlord.do(late_bills.settle, one.id)


def test_the_lines_of_a_file_keep_their_order_when_the_form_has_another(landlord, maple):
    guessed = landlord.bill(maple, 100_01, "SEWER;WATER")
    given = landlord.bill(maple, 50_00, "SEWER;GAS", amounts=(("LATE_FEE", 1_00), ("SEWER", 9_00), ("GAS", 40_00)))
    for bill in (guessed, given):
        before = landlord.lines(bill)
        shown = landlord.see(bill_entries.form_of, bill.id)
        turned = sorted(shown.lines, key=lambda line: line.kind)
        landlord.do(bill_entries.change, bill.id, shown._replace(lines=tuple(turned), notes="looked at"))
        assert landlord.lines(bill) == before
    landlord.set_status(maple, "1", "SENT")
    assert change(landlord, guessed, lines=(FormLine("WATER"), FormLine("SEWER")), notes="still").notes == "still"


def test_the_next_open_month_is_never_one_of_before_billing_starts(landlord, maple):
    landlord.bill(maple, 90_00, on=date(2026, 1, 20))
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    late = landlord.bill(maple, 10_00, "GAS", on=date(2026, 1, 21))
    assert landlord.see(late_bills.next_open_month, late.id) == "2026-03"
    assert landlord.do(late_bills.settle, late.id).billing_month == "2026-03"
    assert landlord.totals(maple, "2026-03") == {"1": 5_00, "2": 5_00}
    landlord.run(lambda tx: tx.run(SET_LATE_BILLS, account=landlord.account.id, late=BY_ITSELF))
    later = landlord.bill(maple, 20_00, "SEWER", on=date(2026, 1, 22))
    assert landlord.see(bills.find, later.id).billing_month == "2026-03"
    old = landlord.bill(maple, 20_00, "SEWER", on=date(2026, 2, 22))
    assert landlord.see(bills.find, old.id).billing_month == "2026-02", "what is history stays where it is"


def test_a_bill_is_marked_as_paid_while_somebody_corrects_it_and_the_correction_stays(landlord, maple):
    bill = enter(landlord, maple).bill
    begun, shown = Event(), landlord.see(bill_entries.form_of, bill.id)

    def correct(tx):
        bill_entries.change(tx, landlord.caller, bill.id, shown._replace(total="120.00"))
        begun.set()
        sleep(0.5)  # so long the other one, who has begun, waits for the property

    with ThreadPoolExecutor(1) as threads:
        correction = threads.submit(landlord.database.write, correct)
        assert begun.wait(5)
        landlord.do(bill_entries.mark, bill.id, "PAID")
        correction.result()
    after = landlord.see(bills.find, bill.id)
    assert (after.total, after.payment_status) == (120_00, "PAID")
    assert landlord.totals(maple) == {"1": 60_00, "2": 60_00}
    with pytest.raises(InvalidRequest, match="payment status"):
        landlord.do(bill_entries.mark, bill.id, "SOON")


def test_strangers_and_unknown_records_are_not_found(landlord, maple, clock):
    bill = enter(landlord, maple).bill
    stranger = Landlord(landlord.database, clock, name="stranger")
    own = stranger.property_()
    for action, arguments in (
        (bill_entries.form_of, [bill.id]),
        (bill_entries.change, [bill.id, form(own)]),
        (late_bills.settle, [bill.id]),
        (bill_entries.enter, [form(maple)]),
    ):
        with pytest.raises(NotFound):
            stranger.do(action, *arguments)
    with pytest.raises(NotFound):
        change(landlord, bill, property_id=own.id)


def test_lines_that_do_not_sum_are_flagged_and_the_difference_becomes_what_somebody_says_it_is(landlord, maple):
    lines = (FormLine("WATER", "80"), FormLine("SEWER", "30"))
    filled = form(maple, "120.00", lines=lines)
    entered = landlord.do(bill_entries.enter, filled)
    assert entered.bill is None
    assert [flag.kind for flag in entered.flags] == ["doesNotSum"]
    assert (
        entered.flags[0].message == "Its lines add up to $110.00, but its total is $120.00: the lines are $10.00 less."
    )
    shown = shown_as(entered.flags)
    for kind in ("", "GAS", "nothing"):
        refused = landlord.do(bill_entries.enter, filled, decision=Decision(shown, ("so it says",), difference=kind))
        assert (refused.bill, [one.field for one in refused.problems]) == (None, ["difference"])
    assert landlord.stored_bills(maple) == []
    own = landlord.do(bill_entries.enter, filled, decision=Decision(shown, ("so it says",), difference="OWNER")).bill
    assert [(line.utility_type, line.not_billed, line.amount) for line in landlord.lines(own)] == [
        ("WATER", None, 80_00), ("SEWER", None, 30_00), (None, "OWNER", 10_00),
    ]  # fmt: skip
    assert landlord.totals(maple) == {"1": 55_00, "2": 55_00}
    other = form(maple, "120.00", "2026-02-27", lines=lines)
    billed = landlord.do(bill_entries.enter, other, decision=Decision(shown, ("so it says",), difference="SEWER")).bill
    assert [line.amount for line in landlord.lines(billed)] == [80_00, 40_00]
    landlord.sound()


def test_a_credit_that_no_line_names_is_for_a_person_to_place(landlord, maple):
    filled = form(maple, "100.00", lines=(FormLine("WATER", "110"),))
    entered = landlord.do(bill_entries.enter, filled)
    assert (entered.difference, entered.difference_for[0], entered.difference_for[-1]) == (-10_00, "OWNER", "WATER")
    decision = Decision(shown_as(entered.flags), ("a credit",), difference="WATER")
    bill = landlord.do(bill_entries.enter, filled, decision=decision).bill
    assert [line.amount for line in landlord.lines(bill)] == [100_00]
    assert landlord.totals(maple) == {"1": 50_00, "2": 50_00}


def test_a_bill_of_before_billing_starts_has_to_sum(landlord, maple):
    landlord.do(properties.change, maple.id, {"billing_starts_month": "2026-03"})
    with pytest.raises(InvalidRequest) as refusal:
        landlord.do(bill_entries.enter, form(maple, "120.00", lines=(FormLine("WATER", "80"),)))
    assert [problem.field for problem in refusal.value.problems] == ["totalAmountDue"]


@pytest.fixture
def sent_march(landlord, clock):
    """A property with two units whose March was sent.

    Ann left the first unit on March 31, and Eve moved in on the next day.
    """
    clock.moment = datetime(2026, 4, 10, 9, tzinfo=UTC)
    of = landlord.property_()
    one, two = landlord.units(of, "1", "2")
    landlord.tenant(one, "Ann", move_in="2026-02-20", move_out="2026-03-31")
    landlord.tenant(one, "Eve", move_in="2026-04-01")
    landlord.tenant(two, "Bo", move_in="2026-01-01")
    landlord.bill(of, 62_00, on=date(2026, 3, 20), service_start=date(2026, 3, 1), service_end=date(2026, 3, 31))
    landlord.set_status(of, "1", "SENT", "2026-03")
    return of


def test_the_service_period_of_what_has_charged_a_sent_month_stays(landlord, sent_march):
    (water,) = landlord.stored_bills(sent_march)
    shown = landlord.see(bill_entries.form_of, water.id)
    for changed in ({"service_start": "2026-02-15"}, {"service_start": "", "service_end": ""}):
        with pytest.raises(Conflict, match="This bill was charged in March 2026") as refused:
            landlord.do(bill_entries.change, water.id, shown._replace(**changed))
        assert {problem.field for problem in refused.value.problems} <= {"servicePeriodStart", "servicePeriodEnd"}
    landlord.sound()


def test_the_service_period_of_what_has_charged_an_open_month_divides_it_anew(landlord, sent_march):
    bill = landlord.bill(sent_march, 60_00, on=date(2026, 4, 5))
    shown = landlord.see(bill_entries.form_of, bill.id)
    landlord.do(bill_entries.change, bill.id, shown._replace(service_start="2026-03-22", service_end="2026-04-10"))
    april = {one.summary.tenant_name: one.summary.total for one in landlord.invoices(sent_march, "2026-04").values()}
    assert april == {"Ann": 15_00, "Eve": 15_00, "Bo": 30_00}
    landlord.sound()


def test_a_late_bill_that_is_moved_by_its_form_stays_for_the_days_of_its_own_month(landlord, sent_march):
    late = landlord.bill(sent_march, 80_00, on=date(2026, 3, 28))
    shown = landlord.see(bill_entries.form_of, late.id)
    landlord.do(bill_entries.change, late.id, shown._replace(billing_month="2026-04"))
    april = {one.summary.tenant_name: one.summary.total for one in landlord.invoices(sent_march, "2026-04").values()}
    assert april == {"Ann": 40_00, "Eve": 0, "Bo": 40_00}
    assert landlord.stored_bills(sent_march)[-1].service_end == "2026-03-31"


def test_the_page_of_a_late_bill_that_was_placed_says_so(landlord, sent_march):
    late = landlord.bill(sent_march, 80_00, on=date(2026, 3, 28))
    landlord.bill(sent_march, 10_00, on=date(2026, 4, 2))
    landlord.do(correction_decisions.decide, sent_march.id, ["2026-03"], "next")
    split = landlord.see(bill_splits.of_bill, late.id)
    assert [(line.state, line.charged, line.owner) for line in split.lines] == [("corrected", 80_00, 0)]
