"""Credits are carried between the invoices of one household.

A credit pays what the household owes. It is taken back if the invoice that gave it has no such credit any more.
"""

from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.audit import activity
from prorata.actions.invoices import carries, invoices
from prorata.actions.payments import lists, payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.invoices.ledger import CARRY, REFUND, REVERSAL
from prorata.errors import Conflict, InvalidRequest
from prorata.store.invoices import invoices as stored_invoices
from tests.landlord import Landlord

TODAY = date(2026, 3, 10)


@pytest.fixture
def maple(landlord: Landlord):
    """Two units with a tenant each, and $90.00 of water for January, February and March."""
    maple = landlord.property_()
    for label, name in (("1", "Ann"), ("2", "Bo")):
        landlord.tenant(landlord.unit(maple, label), name, email=f"{name.lower()}@example.org")
    for month in (1, 2, 3):
        landlord.bill(maple, 90_00, on=date(2026, month, 5))
    return maple


def send(landlord, maple, label, month):
    return landlord.set_status(maple, label, "SENT", month=month).summary


def receive(landlord, invoice, amount, **more):
    return landlord.do(payments.receive, invoice.id, Received(amount, more.pop("day", TODAY), **more))


def stands(landlord, invoice):
    row = landlord.read(stored_invoices.find, invoice.id)
    return row.status, row.paid_amount


def test_what_is_too_much_meets_the_next_invoice_when_that_is_sent(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    assert stands(landlord, january) == ("PAID", 65_00)
    february = send(landlord, maple, "1", "2026-02")
    assert stands(landlord, january) == ("PAID", 45_00)
    assert stands(landlord, february) == ("SENT", 20_00)
    (given,) = [row for row in landlord.see(payments.ledger, january.id).entries if row.kind == CARRY]
    (taken,) = landlord.see(payments.ledger, february.id).entries
    assert (given.id, given.amount, given.reference) == (taken.id, -20_00, february.number)
    assert (taken.amount, taken.reference, taken.day) == (20_00, january.number, "2026-03-10")
    assert [landlord.month(maple, month).received for month in ("2026-01", "2026-02")] == [45_00, 20_00]


def test_a_draft_tells_what_it_takes_when_it_is_sent(landlord, maple):
    def takes(month):
        row = landlord.read(stored_invoices.find, landlord.invoices(maple, month)["1"].summary.id)
        account = landlord.see(accounts.the_account)
        return sum(landlord.database.read(lambda tx: carries.moved_by(tx, account, row)).values())

    assert takes("2026-02") == 0
    receive(landlord, send(landlord, maple, "1", "2026-01"), 65_00)
    assert (takes("2026-02"), takes("2026-03")) == (20_00, 20_00)
    landlord.do(accounts.change_settings, Wishes(carry_credits=False))
    assert takes("2026-02") == 0
    landlord.do(accounts.change_settings, Wishes(carry_credits=True))
    receive(landlord, send(landlord, maple, "1", "2026-02"), 95_00)
    assert takes("2026-03") == 45_00, "no more than it asks for"


def test_a_draft_with_nothing_due_names_the_credit_of_its_household_alone(landlord, maple):
    def kept(label):
        row = landlord.read(stored_invoices.find, landlord.invoices(maple, "2026-02")[label].summary.id)
        account = landlord.see(accounts.the_account)
        return [its.id for its in landlord.database.read(lambda tx: carries.credits_kept(tx, account, row))]

    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    for label in ("1", "2"):
        draft = landlord.invoices(maple, "2026-02")[label].summary.id
        assert kept(label) == [], "it asks for payment"
        landlord.do(invoices.add_custom_charge, draft, "Credit", -50_00)
    assert (kept("1"), kept("2")) == ([january.id], [])
    landlord.do(accounts.change_settings, Wishes(carry_credits=False))
    assert kept("1") == []


def test_a_credit_meets_arrears_first_oldest_first_and_then_what_is_sent(landlord, maple):
    january, february = (send(landlord, maple, "1", month) for month in ("2026-01", "2026-02"))
    march = send(landlord, maple, "1", "2026-03")
    receive(landlord, march, 100_00)
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("SENT", 10_00), ("PAID", 45_00),
    ]  # fmt: skip
    receive(landlord, february, 35_00)
    assert stands(landlord, february) == ("PAID", 45_00)


def test_a_credit_covers_an_invoice_at_once_whose_message_goes_all_the_same(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 95_00)
    february = send(landlord, maple, "1", "2026-02")
    row = landlord.read(stored_invoices.find, february.id)
    assert (row.status, row.paid_amount, row.payment_status, row.delivery) == ("PAID", 45_00, "paid", "queued")
    assert landlord.month(maple, "2026-02").paid == 1
    assert stands(landlord, january) == ("PAID", 50_00)


def test_a_neighbour_and_whoever_came_later_get_nothing(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    neighbour = send(landlord, maple, "2", "2026-02")
    assert stands(landlord, neighbour) == ("SENT", 0)
    unit = next(one for one in landlord.stored_units(maple) if one.label == "1")
    ann = landlord.invoices(maple, "2026-01")["1"].summary.tenant_id
    landlord.do(tenants.change, ann, {"move_out": "2026-01-31"})
    landlord.tenant(unit, "Eve", move_in="2026-02-01")
    march = send(landlord, maple, "1", "2026-03")
    assert march.tenant_name == "Eve"
    assert stands(landlord, march) == ("SENT", 0)
    assert stands(landlord, january) == ("PAID", 65_00)


def test_roommates_are_one_household(landlord):
    elm = landlord.property_("Elm")
    unit = landlord.unit(elm, "1")
    landlord.tenant(unit, "Ann", move_out="2026-02-10", email="ann@example.org")
    landlord.tenant(unit, "Bo", move_in="2026-01-05", email="bo@example.org")
    for month in (1, 3):
        landlord.bill(elm, 90_00, on=date(2026, month, 5))
    january = send(landlord, elm, "1", "2026-01")
    receive(landlord, january, 100_00)
    march = send(landlord, elm, "1", "2026-03")
    assert (january.tenant_name, march.tenant_name) == ("Ann", "Bo")
    assert stands(landlord, march) == ("SENT", 10_00)


def test_what_was_carried_is_taken_back_when_the_one_that_got_it_is_a_draft_again_and_meets_another(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    march = send(landlord, maple, "1", "2026-03")
    landlord.set_status(maple, "1", "DRAFT", month="2026-02")
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("DRAFT", 0), ("SENT", 20_00),
    ]  # fmt: skip
    entries = landlord.see(payments.ledger, february.id).entries
    assert [(row.kind, row.amount) for row in entries] == [(CARRY, 20_00), (REVERSAL, 20_00)]
    assert landlord.month(maple, "2026-02").received == 0


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_what_was_carried_is_taken_back_when_the_one_that_gave_it_is_not_issued_any_more(landlord, maple, status):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 95_00)
    february = send(landlord, maple, "1", "2026-02")
    assert stands(landlord, february) == ("PAID", 45_00)
    landlord.set_status(maple, "1", status, month="2026-01")
    assert stands(landlord, january) == (status, 95_00)
    assert stands(landlord, february) == ("SENT", 0)


def test_a_refund_of_what_was_carried_takes_it_back_first(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    receive(landlord, january, 12_00, kind=REFUND)
    assert stands(landlord, january) == ("PAID", 45_00)
    assert stands(landlord, february) == ("SENT", 8_00)
    kinds = [row.kind for row in landlord.see(payments.ledger, january.id).entries]
    assert kinds == ["PAYMENT", CARRY, REFUND, REVERSAL, CARRY]
    with pytest.raises(InvalidRequest):
        receive(landlord, february, 1_00, kind=REFUND)
    receive(landlord, january, 53_00, kind=REFUND)
    assert [stands(landlord, one) for one in (january, february)] == [("SENT", 0), ("SENT", 0)]


def test_a_cheque_that_came_back_takes_back_all_that_was_carried_on(landlord, maple):
    january, february = (send(landlord, maple, "1", month) for month in ("2026-01", "2026-02"))
    receive(landlord, february, 40_00)
    cheque = receive(landlord, january, 60_00)
    march = send(landlord, maple, "1", "2026-03")
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("PAID", 45_00), ("SENT", 10_00),
    ]  # fmt: skip
    landlord.do(payments.take_back, january.id, cheque)
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("SENT", 0), ("SENT", 40_00), ("SENT", 0),
    ]  # fmt: skip


def test_a_carry_is_not_taken_back_by_hand(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    (entry,) = landlord.see(payments.ledger, february.id).entries
    with pytest.raises(Conflict, match="was carried over automatically"):
        landlord.do(payments.take_back, february.id, entry.id)


def test_what_was_noted_by_marking_as_paid_stays_where_a_credit_goes(landlord, maple):
    january = landlord.set_status(maple, "1", "PAID", month="2026-01").summary
    february = send(landlord, maple, "1", "2026-02")
    paid = receive(landlord, january, 45_00)
    assert [stands(landlord, one) for one in (january, february)] == [("PAID", 45_00), ("PAID", 45_00)]
    landlord.do(payments.count_once, january.id, paid)
    assert [stands(landlord, one) for one in (january, february)] == [("PAID", 45_00), ("SENT", 0)]


def test_setting_a_marked_invoice_back_takes_back_what_it_gave(landlord, maple):
    january = landlord.set_status(maple, "1", "PAID", month="2026-01").summary
    receive(landlord, january, 45_00)
    february = send(landlord, maple, "1", "2026-02")
    landlord.set_status(maple, "1", "SENT", month="2026-01")
    assert [stands(landlord, one) for one in (january, february)] == [("SENT", 45_00), ("SENT", 0)]


def test_a_total_below_zero_that_was_sent_is_a_credit(landlord, maple):
    landlord.bill(maple, -130_00, "GAS", on=date(2026, 1, 6))
    january = send(landlord, maple, "1", "2026-01")
    assert january.total == -20_00
    february = send(landlord, maple, "1", "2026-02")
    assert [stands(landlord, one) for one in (january, february)] == [("SENT", -20_00), ("SENT", 20_00)]
    landlord.set_status(maple, "1", "PAID", month="2026-01")
    assert [stands(landlord, one) for one in (january, february)] == [("PAID", -20_00), ("SENT", 20_00)]


def test_an_account_may_leave_credits_where_they_are(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    landlord.do(accounts.change_settings, Wishes(carry_credits=False))
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    assert [stands(landlord, one) for one in (january, february)] == [("PAID", 65_00), ("SENT", 0)]
    landlord.do(accounts.change_settings, Wishes(carry_credits=True))
    march = send(landlord, maple, "1", "2026-03")
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("SENT", 20_00), ("SENT", 0),
    ]  # fmt: skip


def test_credits_of_many_households_are_settled_in_as_many_statements_as_those_of_one(landlord):
    elm = landlord.property_("Elm")
    for unit in landlord.units(elm, *(str(number) for number in range(1, 13))):
        landlord.tenant(unit, f"Tenant {unit.label}")
    for month in (1, 2):
        landlord.bill(elm, 120_00, on=date(2026, month, 5))
    send(landlord, elm, "1", "2026-01")
    send(landlord, elm, "1", "2026-02")
    changed = []
    for label, shown in landlord.invoices(elm, "2026-01").items():
        row = landlord.read(stored_invoices.find, shown.summary.id)
        owed = landlord.read(stored_invoices.find, landlord.invoices(elm, "2026-02")[label].summary.id)
        changed.append((row, row._replace(status="PAID", paid_amount=15_00)))
        changed.append((owed, owed._replace(status="SENT")))

    def statements(pairs):
        seen = []
        found = landlord.database.read(lambda tx: carries.settled(Counting(tx, seen), landlord.caller, pairs))
        return len(found.entries), len(seen)

    (one, few), (all_of_them, many) = statements(changed[:2]), statements(changed)
    assert (one, all_of_them) == (2, 24)
    assert few == many <= 7


class Counting:
    """A transaction that records the statements of its queries."""

    def __init__(self, tx, seen):
        self._tx, self._seen = tx, seen

    def __getattr__(self, name):
        return getattr(self._tx, name)

    def all(self, statement, **values):
        self._seen.append(statement)
        return self._tx.all(statement, **values)

    def one(self, statement, **values):
        self._seen.append(statement)
        return self._tx.one(statement, **values)


@pytest.mark.parametrize(("entries", "carried"), [(899, [-20_00, 20_00]), (900, [])])
def test_a_full_ledger_carries_nothing(landlord, maple, entries, carried):
    january = send(landlord, maple, "1", "2026-01")
    send(landlord, maple, "1", "2026-02")
    row = landlord.read(stored_invoices.find, january.id)
    overpaid = row._replace(status="PAID", paid_amount=65_00, entries=entries)
    found = landlord.see(carries.settled, [(row, overpaid)])
    assert sorted(entry.amount for entry in found.entries) == carried


def test_a_carry_stands_in_the_histories_of_both_invoices_and_in_neither_list_of_payments(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    for one, amount in ((january, -20_00), (february, 20_00)):
        (told,) = [row for row in landlord.see(activity.page, record=one.id, limit=50) if "a credit" in row.says]
        assert [one.became for one in told.changes if one.written == "money"] == [amount]
    assert [row.kind for row in landlord.see(lists.page, limit=50).rows] == ["PAYMENT"]


def test_a_credit_meets_an_invoice_that_a_taken_back_carry_had_paid(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 90_00)
    february = send(landlord, maple, "1", "2026-02")
    march = send(landlord, maple, "1", "2026-03")
    receive(landlord, march, 90_00)
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("PAID", 45_00), ("PAID", 90_00),
    ]  # fmt: skip
    receive(landlord, january, 30_00, kind=REFUND)
    assert [stands(landlord, one) for one in (january, february, march)] == [
        ("PAID", 45_00), ("PAID", 45_00), ("PAID", 60_00),
    ]  # fmt: skip


def test_what_marking_as_paid_noted_is_kept_where_a_carry_is_taken_back(landlord, maple, clock):
    january = send(landlord, maple, "1", "2026-01")
    receive(landlord, january, 65_00)
    february = send(landlord, maple, "1", "2026-02")
    landlord.set_status(maple, "1", "PAID", month="2026-02")
    clock.forward(days=2)
    receive(landlord, january, 20_00, kind=REFUND)
    assert [stands(landlord, one) for one in (january, february)] == [("PAID", 45_00), ("SENT", 25_00)]
    entries = landlord.see(payments.ledger, february.id).entries
    assert [(row.kind, row.amount, row.day) for row in entries] == [
        (CARRY, 20_00, "2026-03-10"), (REVERSAL, 20_00, "2026-03-12"), ("PAYMENT", 25_00, "2026-03-10"),
    ]  # fmt: skip
    landlord.sound()


def test_a_credit_by_a_total_below_zero_is_refunded_once(landlord, maple):
    landlord.bill(maple, -130_00, "GAS", on=date(2026, 1, 6))
    january = send(landlord, maple, "1", "2026-01")
    february = send(landlord, maple, "1", "2026-02")
    assert stands(landlord, february) == ("SENT", 20_00)
    with pytest.raises(InvalidRequest, match="You can't refund more"):
        receive(landlord, january, 20_01, kind=REFUND)
    receive(landlord, january, 20_00, kind=REFUND)
    assert [stands(landlord, one) for one in (january, february)] == [("SENT", -20_00), ("SENT", 0)]
    with pytest.raises(InvalidRequest, match="You can't refund more"):
        receive(landlord, january, 1, kind=REFUND)
    landlord.sound()


def test_what_is_too_much_is_kept_for_the_next_invoice_while_its_household_lives_there(landlord, maple):
    january = send(landlord, maple, "1", "2026-01")
    row = landlord.read(stored_invoices.find, january.id)

    def has_left(of):
        return landlord.run(lambda tx: carries.has_left(tx, of, TODAY))

    assert not has_left(row)
    assert not has_left(row._replace(tenant_id=None)), "nobody has a next one, and none is owed anything"
    landlord.do(tenants.change, row.tenant_id, {"move_out": "2026-02-28"})
    assert has_left(row)
    assert not has_left(row._replace(tenant_id=None))
