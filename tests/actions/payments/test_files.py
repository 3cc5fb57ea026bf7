"""Bank statements are kept and recorded once.

Their rows are matched to invoices, and a person chooses where a match is uncertain.
"""

import json
from datetime import date

import pytest

from prorata.actions.payments import (
    files as payment_files,
    lists as payment_lists,
    payments,
    recording as payment_recording,
)
from prorata.actions.payments.picks import Picks, mark_of
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import Sheet
from prorata.errors import Conflict, InvalidRequest, NotFound
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.overview import activity
from tests.landlord import Landlord

HEADER = ("Date", "Amount", "Payer", "Description")


def three_flats(landlord: Landlord):
    """Three units with tenants whose invoices for $90.00 of water were sent."""
    maple = landlord.property_()
    for label, name in (("1", "Ann Lee"), ("2", "Bo Chen"), ("3", "Cy Diaz")):
        landlord.tenant(landlord.unit(maple, label), name, email=f"{label}@example.org")
    landlord.bill(maple, 90_00)
    for label in "123":
        landlord.set_status(maple, label, "SENT")
    return maple


@pytest.fixture
def maple(landlord: Landlord):
    return three_flats(landlord)


def bring(landlord, *rows, header=HEADER, name="march.csv", content=None):
    sheet = Sheet(header, tuple((at + 2, row) for at, row in enumerate(rows)))
    return landlord.do(payment_files.keep, name, content or repr(rows).encode(), sheet)


def look(landlord, kept):
    return landlord.see(lambda tx, caller: payment_files.look_at(tx, caller, payment_files.find(tx, caller, kept)))


def record(landlord, kept, chosen, numbers):
    return landlord.do(payment_recording.record, landlord.see(payment_recording.decide, kept, Picks(chosen, numbers)))


def record_matched(landlord, kept):
    return landlord.do(payment_recording.record, landlord.see(payment_recording.looked_at_and_matched, kept)[1])


def stored(landlord, maple, label):
    return landlord.read(stored_invoices.find, landlord.invoices(maple)[label].summary.id)


PLAIN = ("2026-03-05", "30.00", "ANN LEE", "MAPLECOURT-1-2026-02")
BY_NAME = ("2026-03-10", "30.00", "Chen Bo", "water")
ONLY_AMOUNT = ("2026-03-07", "30.00", "J. Smith", "thanks")
STRANGE = ("2026-03-07", "7.77", "J. Smith", "rent")
OUT = ("2026-03-08", "-9.90", "Bank", "fee")
BROKEN = ("soon", "30.00", "", "")


def test_rows_are_plain_proposed_or_unmatched_and_what_is_plain_is_recorded_once(landlord, maple):
    kept = bring(landlord, PLAIN, BY_NAME, ONLY_AMOUNT, STRANGE, OUT, BROKEN)
    looked = look(landlord, kept)
    assert [one.verdict for one in looked.waiting] == ["matched", "matched", "proposed", "unmatched"]
    assert (looked.left_out, [one.line for one in looked.problems]) == (1, [7])
    done = record_matched(landlord, kept)
    assert (done.rows, done.cents) == (2, 60_00)
    one = stored(landlord, maple, "1")
    assert (one.status, one.paid_amount, one.paid_at) == ("PAID", 30_00, "2026-03-05T12:00:00.000Z")
    entry = landlord.see(payments.ledger, one.id).entries[0]
    assert (entry.method, entry.note, entry.day) == ("TRANSFER", "ANN LEE MAPLECOURT-1-2026-02", "2026-03-05")
    again = look(landlord, kept)
    assert (again.recorded, len(again.waiting)) == ((2, 3), 2)
    assert record_matched(landlord, kept).rows == 0


def test_the_same_file_and_a_later_one_with_the_same_rows_add_nothing(landlord, maple):
    kept = bring(landlord, PLAIN)
    assert bring(landlord, PLAIN, name="again.csv") == kept
    record_matched(landlord, kept)
    later = bring(landlord, BY_NAME, PLAIN, content=b"april")
    assert look(landlord, later).recorded == (3,)
    record_matched(landlord, later)
    assert stored(landlord, maple, "1").paid_amount == 30_00
    assert len(landlord.see(payment_lists.page, limit=9).rows) == 2


def test_a_person_chooses_among_what_is_proposed_and_names_what_was_not_found(landlord, maple):
    kept = bring(landlord, ONLY_AMOUNT, STRANGE)
    proposed, _unmatched = look(landlord, kept).waiting
    assert len(proposed.candidates) == 3
    third = next(one for one in proposed.candidates if one[0].invoice.unit_label == "3")
    chosen = {2: mark_of(third)}
    done = record(landlord, kept, chosen, {3: " maplecourt-3-2026-02 "})
    assert (done.rows, done.refused) == (2, ())
    row = stored(landlord, maple, "3")
    assert (row.status, row.paid_amount) == ("PAID", 37_77)
    assert look(landlord, kept).waiting == ()


def test_a_number_that_no_invoice_has_is_said_by_its_line_and_nothing_is_recorded(landlord, maple):
    kept = bring(landlord, PLAIN, STRANGE)
    (plain, _) = look(landlord, kept).waiting
    with pytest.raises(InvalidRequest) as refused:
        record(landlord, kept, {2: mark_of(plain.candidates[0])}, {3: "MAPLE-9"})
    assert refused.value.problems[0].field == "number-3"
    assert stored(landlord, maple, "1").paid_amount == 0


def test_what_was_paid_meanwhile_is_not_recorded_as_it_was_shown(landlord, maple):
    kept = bring(landlord, PLAIN)
    (plain,) = look(landlord, kept).waiting
    one = stored(landlord, maple, "1")
    landlord.do(payments.receive, one.id, payments.Received(10_00, date(2026, 3, 9)))
    done = record(landlord, kept, {2: mark_of(plain.candidates[0])}, {})
    assert (done.rows, done.refused) == (0, (2,))
    assert stored(landlord, maple, "1").paid_amount == 10_00


def test_what_changes_between_the_decision_and_its_entry_is_not_recorded(landlord, maple):
    kept = bring(landlord, PLAIN, BY_NAME, header=HEADER)
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    one = stored(landlord, maple, "1")
    landlord.do(payments.receive, one.id, payments.Received(10_00, date(2026, 3, 9)))
    done = landlord.do(payment_recording.record, decided)
    assert (done.rows, done.refused) == (1, (2,))
    assert (stored(landlord, maple, "1").paid_amount, stored(landlord, maple, "2").paid_amount) == (10_00, 30_00)
    again = landlord.do(payment_recording.record, decided)
    assert (again.rows, again.refused) == (0, (2, 3)), "what was recorded meanwhile is not recorded twice"
    landlord.sound()


def test_what_is_said_of_the_columns_meanwhile_records_nothing_of_what_was_decided(landlord, maple):
    kept = bring(landlord, PLAIN)
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    landlord.do(payment_files.choose, kept, 1, ColumnMapping({"date": "date", "amount": "amount"}))
    done = landlord.do(payment_recording.record, decided)
    assert (done.rows, done.refused) == (0, (2,))
    assert stored(landlord, maple, "1").paid_amount == 0


def test_with_more_invoices_than_are_looked_at_only_a_number_as_it_is_printed_is_plain(landlord, maple):
    loosely = ("2026-03-05", "30.00", "", "maplecourt 3 2026 02")
    kept = bring(landlord, PLAIN, BY_NAME, loosely)
    file = landlord.see(payment_files.find, kept)
    for most, verdicts in ((9, ["matched"] * 3), (3, ["matched", "proposed", "proposed"])):
        looked = landlord.see(payment_files.look_at, file, most=most)
        assert [one.verdict for one in looked.waiting] == verdicts
        assert looked.is_cut == (most == 3)
    printed = bring(landlord, ("2026-03-05", "30.00", "", "maplecourt-3-2026-02"))
    least = landlord.see(payment_files.look_at, landlord.see(payment_files.find, printed), most=1)
    assert [one.verdict for one in least.waiting] == ["matched"], "though only the first invoice was looked at"


REFERENCED = (*HEADER, "Reference")
PENDING = ("2026-03-05", "10.00", "LEE A", "PENDING MAPLECOURT-1-2026-02", "TX 4711")
BOOKED = ("2026-03-05", "10.00", "ANN LEE", "Booked: MAPLECOURT-1-2026-02", "TX 4711")


def test_a_row_that_the_bank_words_otherwise_later_is_asked_about_and_not_recorded_by_itself(landlord, maple):
    record_matched(landlord, bring(landlord, PENDING, header=REFERENCED))
    later = bring(landlord, BOOKED, (*BY_NAME, "TX 4712"), header=REFERENCED, content=b"booked")
    asked, plain = look(landlord, later).waiting
    assert (asked.verdict, plain.verdict) == ("proposed", "matched")
    assert "reference as a payment that was recorded for MAPLECOURT-1-2026-02" in asked.reason
    record_matched(landlord, later)
    assert stored(landlord, maple, "1").paid_amount == 10_00
    (asked,) = look(landlord, later).waiting
    record(landlord, later, {2: mark_of(asked.candidates[0])}, {})
    assert stored(landlord, maple, "1").paid_amount == 20_00, "somebody has said that it is another payment"


def call_same(landlord, kept, line):
    landlord.do(payment_recording.call_same, landlord.see(payment_recording.asked_about, kept, line))


def test_a_row_that_is_said_to_be_a_payment_recorded_before_waits_no_more_and_that_is_written_down(landlord, maple):
    record_matched(landlord, bring(landlord, PENDING, header=REFERENCED))
    later = bring(landlord, BOOKED, (*BY_NAME, "TX 4712"), header=REFERENCED, content=b"booked")
    call_same(landlord, later, 2)
    found = look(landlord, later)
    assert ([one.row.line for one in found.waiting], found.recorded) == ([3], (2,))
    row = stored(landlord, maple, "1")
    (entry,) = landlord.see(payments.ledger, row.id).entries
    (noted, *_) = landlord.read(activity.page, record=row.id, limit=1)
    assert (noted.verb, noted.actor) == ("call row the same", landlord.caller.actor)
    kept = json.loads(noted.after)
    assert (kept["line"], kept["amount"], kept["entry_id"], kept["file_id"]) == (2, 10_00, entry.id, later)
    with pytest.raises(Conflict, match="no longer a question about this row"):
        call_same(landlord, later, 2)
    with pytest.raises(Conflict, match="no longer a question about this row"):
        call_same(landlord, later, 3)
    landlord.do(payment_files.choose, later, 1, ColumnMapping())
    assert look(landlord, later).recorded == (2,), "whatever is said of the columns afterwards"
    assert stored(landlord, maple, "1").paid_amount == 10_00


def test_what_is_said_of_a_file_meanwhile_lets_no_row_be_called_the_same(landlord, maple):
    record_matched(landlord, bring(landlord, PENDING, header=REFERENCED))
    later = bring(landlord, BOOKED, header=REFERENCED, content=b"booked")
    asked = landlord.see(payment_recording.asked_about, later, 2)
    landlord.do(payment_files.choose, later, 1, ColumnMapping())
    with pytest.raises(Conflict, match="in the meantime"):
        landlord.do(payment_recording.call_same, asked)


@pytest.mark.parametrize(
    "other",
    [
        ("2026-03-06", *BOOKED[1:]),
        ("2026-03-05", "10.01", *BOOKED[2:]),
        (*BOOKED[:3], "MAPLECOURT-2-2026-02", "TX 4713"),
        (*BOOKED[:3], "MAPLECOURT-2-2026-02", ""),
    ],
)
def test_another_day_or_amount_or_another_tenants_invoice_without_its_reference_is_another_payment(
    landlord, maple, other
):
    record_matched(landlord, bring(landlord, (*PENDING[:2], "", *PENDING[3:]), header=REFERENCED))
    later = bring(landlord, (*other[:2], "", *other[3:]), header=REFERENCED, content=b"booked")
    assert [one.verdict for one in look(landlord, later).waiting] == ["matched"]


@pytest.mark.parametrize("reference", ["TX 4713", "NOTPROVIDED", ""])
def test_the_same_day_amount_and_invoice_with_another_reference_is_asked_about(landlord, maple, reference):
    record_matched(landlord, bring(landlord, PENDING, header=REFERENCED))
    later = bring(landlord, (*BOOKED[:4], reference), header=REFERENCED, content=b"booked")
    assert [one.verdict for one in look(landlord, later).waiting] == ["proposed"]
    assert record_matched(landlord, later).rows == 0


OTHERWISE = ColumnMapping({"payer": "text", "description": "reference"})


def test_what_is_said_of_the_columns_after_a_part_was_recorded_records_it_no_second_time(landlord, maple):
    part = ("2026-03-05", "10.00", "ANN LEE", "MAPLECOURT-1-2026-02")
    kept = bring(landlord, part, part)
    assert record_matched(landlord, kept).rows == 2, "two rows that are the same are two payments"
    landlord.do(payment_files.choose, kept, 1, OTHERWISE, remember=True)
    assert look(landlord, kept).recorded == (2, 3)
    later = bring(landlord, BY_NAME, part, part, part, content=b"overlapping")
    assert landlord.see(payment_files.find, later).is_remembered
    assert look(landlord, later).recorded == (3, 4)
    assert [one.verdict for one in look(landlord, later).waiting] == ["matched", "matched"]
    landlord.sound()


def recorded_before(landlord, kept):
    """Record the matched rows of a file under the marks that rows had formerly."""
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    rows = tuple((row._replace(source=row.former), candidate) for row, candidate in decided.rows)
    return landlord.do(payment_recording.record, decided._replace(rows=rows))


def test_a_row_that_was_recorded_by_its_former_mark_stays_known_and_is_asked_about_once_read_otherwise(landlord, maple):
    part = ("2026-03-05", "10.00", "ANN LEE", "MAPLECOURT-1-2026-02")
    kept = bring(landlord, part)
    decided = landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    assert recorded_before(landlord, kept).rows == 1
    assert look(landlord, kept).recorded == (2,)
    assert landlord.do(payment_recording.record, decided).refused == (2,)
    landlord.do(payment_files.choose, kept, 1, OTHERWISE)
    (asked,) = look(landlord, kept).waiting
    assert asked.verdict == "proposed"
    assert "a payment from a file that was recorded for MAPLECOURT-1-2026-02" in asked.reason
    assert record_matched(landlord, kept).rows == 0
    assert record(landlord, kept, {2: mark_of(asked.candidates[0])}, {}).rows == 1, "a person has said it is another"
    assert stored(landlord, maple, "1").paid_amount == 20_00


def test_a_payment_of_february_is_not_taken_for_that_of_march_once_its_number_is_not_read(landlord, maple):
    record_matched(landlord, bring(landlord, PLAIN))
    landlord.bill(maple, 90_00, on=date(2026, 3, 9))
    landlord.set_status(maple, "1", "SENT", month="2026-03")
    other = bring(landlord, (*PLAIN, "145.00"), header=(*HEADER, "Balance"), content=b"with its balance")
    landlord.do(payment_files.choose, other, 1, ColumnMapping({"description": ""}))
    (asked,) = look(landlord, other).waiting
    assert [part.invoice.month for part in asked.candidates[0]] == ["2026-03"]
    assert (asked.verdict, record_matched(landlord, other).rows) == ("proposed", 0)


def test_two_rows_of_one_file_are_two_payments_though_they_have_one_reference(landlord, maple):
    kept = bring(landlord, PENDING, BOOKED, header=REFERENCED)
    assert record_matched(landlord, kept).rows == 2
    later = bring(landlord, PENDING, BOOKED, header=REFERENCED, content=b"the same rows in another file")
    assert look(landlord, later).waiting == ()


def test_a_payment_of_several_invoices_is_known_by_its_whole_amount_and_one_entered_by_hand_too(landlord, maple):
    both = ("2026-03-05", "60.00", "", "MAPLECOURT-1-2026-02 MAPLECOURT-2-2026-02", "TX 1")
    record_matched(landlord, bring(landlord, both, header=REFERENCED))
    third = stored(landlord, maple, "3").id
    by_hand = payments.Received(10_00, date(2026, 3, 6), "TRANSFER", reference="TX 2")
    landlord.do(payments.receive, third, by_hand)
    rows = [
        ("2026-03-05", "60.00", "", "for 1 and 2", "TX 1"),
        ("2026-03-06", "10.00", "", "MAPLECOURT-3-2026-02", "TX 2"),
        ("2026-03-05", "30.00", "", "MAPLECOURT-3-2026-02", "TX 1"),
    ]
    whole, entered, part = look(landlord, bring(landlord, *rows, header=REFERENCED, content=b"later")).waiting
    assert whole.verdict == "unmatched"
    assert "recorded for MAPLECOURT-1-2026-02, MAPLECOURT-2-2026-02" in whole.reason
    assert "recorded for MAPLECOURT-3-2026-02" in entered.reason
    assert "recorded for" not in part.reason


def test_what_was_marked_as_paid_is_said_with_its_day_and_counts_once(landlord, maple):
    landlord.set_status(maple, "1", "PAID")
    kept = bring(landlord, PLAIN)
    (proposed,) = look(landlord, kept).waiting
    assert proposed.verdict == "proposed"
    record(landlord, kept, {2: mark_of(proposed.candidates[0])}, {})
    row = stored(landlord, maple, "1")
    assert (row.paid_amount, row.paid_by_status, row.entries) == (30_00, 0, 1)
    kept = [one for one in landlord.read(activity.page, record=row.id, limit=20) if one.verb == "record payment"]
    ((noted, who),) = [(json.loads(one.after), one.actor) for one in kept]
    assert (noted["in_place_of_noted"], noted["day"], who) == (30_00, "2026-03-05", landlord.caller.actor)


def test_one_payment_of_several_invoices_is_divided_and_counts_once(landlord, maple):
    both = ("2026-03-05", "60.00", "", "MAPLECOURT-1-2026-02 MAPLECOURT-2-2026-02")
    kept = bring(landlord, both)
    assert record_matched(landlord, kept).rows == 1
    assert landlord.month(maple).paid == 2
    assert look(landlord, kept).recorded == (2,)


def test_what_columns_mean_is_said_once_and_remembered(landlord, maple):
    header = ("Dag", "Bedrag", "Wie", "Wat")
    kept = bring(landlord, PLAIN, header=header)
    assert landlord.see(payment_files.find, kept).understood.missing == ("date", "amount")
    with pytest.raises(Conflict, match="First choose"):
        look(landlord, kept)
    mapping = ColumnMapping({"dag": "date", "bedrag": "amount", "wie": "name", "wat": "text"})
    landlord.do(payment_files.choose, kept, 1, mapping, remember=True)
    assert look(landlord, kept).waiting[0].verdict == "matched"
    later = bring(landlord, BY_NAME, header=header, content=b"april")
    assert landlord.see(payment_files.find, later).is_remembered
    assert look(landlord, later).waiting[0].verdict == "matched"


def test_a_file_that_somebody_is_done_with_records_nothing_until_it_is_opened_again(landlord, maple):
    kept = bring(landlord, PLAIN)
    landlord.do(payment_files.set_state, kept, "closed")
    with pytest.raises(Conflict, match="marked as done"):
        record_matched(landlord, kept)
    landlord.do(payment_files.set_state, kept, "open")
    assert record_matched(landlord, kept).rows == 1


def test_nobody_reaches_a_file_of_another_account(landlord, maple, database, clock):
    kept = bring(landlord, PLAIN)
    stranger = Landlord(database, clock, name="stranger")
    with pytest.raises(NotFound):
        stranger.see(payment_files.find, kept)
    with pytest.raises(NotFound):
        stranger.see(payment_files.as_it_came, kept)
    with pytest.raises(NotFound):
        record_matched(stranger, kept)


@pytest.mark.parametrize(
    ("header", "more"), [((*HEADER, "Currency"), ("EUR",)), (("Date", "Amount (EUR)", "Payer", "Description"), ())]
)
def test_a_file_in_the_currency_of_another_house_is_matched_with_its_invoices_and_no_others(
    landlord, maple, header, more
):
    berlin = landlord.property_("Berlin", currency="EUR")
    landlord.tenant(landlord.unit(berlin, "1"), "Uwe Klein", email="uwe@example.org")
    landlord.bill(berlin, 30_00)
    landlord.set_status(berlin, "1", "SENT")
    ours = ("2026-03-05", "30.00", "U. Klein", "BERLIN-1-2026-02", *more)
    kept = bring(landlord, ours, (*PLAIN, *more), header=header)
    looked = look(landlord, kept)
    assert (looked.currency, looked.problems) == ("EUR", ())
    assert [one.verdict for one in looked.waiting] == ["matched", "unmatched"]
    record_matched(landlord, kept)
    assert stored(landlord, berlin, "1").status == "PAID"
    assert stored(landlord, maple, "1").paid_amount == 0


def test_a_file_in_two_currencies_is_read_in_the_accounts_and_one_that_no_house_has_is_not_read(landlord, maple):
    landlord.property_("Berlin", currency="EUR")
    header = (*HEADER, "Currency")
    both = look(landlord, bring(landlord, (*PLAIN, "USD"), (*BY_NAME, "EUR"), header=header))
    assert [[one.row.line for one in both.waiting], [one.line for one in both.problems]] == [[2], [3]]
    other = look(landlord, bring(landlord, (*PLAIN, "GBP"), header=header))
    assert (other.waiting, [one.line for one in other.problems]) == ((), [2])
