"""The command `prorata check` finds nothing in sound data.

It names each record that was changed other than by the program.
"""

from datetime import date

import pytest
from sqlalchemy import text

from prorata.actions.bills import bills, flags as bill_flags
from prorata.actions.bills.flags import Noted
from prorata.actions.invoices import invoices
from prorata.actions.overview.consistency_checks import check, check_account, pieces
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.domain.bills.bills import NewBill
from prorata.domain.bills.flags import Flag
from prorata.domain.invoices.ledger import PAYMENT, REFUND
from prorata.store.database.statements import changes
from prorata.store.properties import properties, search_words
from tests.landlord import Landlord

TODAY = date(2026, 3, 10)


@pytest.fixture
def landlord(database, clock):
    """Return a landlord whose records are not checked at the end.

    The records that the test breaks stay broken.
    """
    return Landlord(database, clock)


@pytest.fixture
def known(landlord, clock):
    """The ids of a property with an open month, a closed one and history.

    Also returns the ids of its records.
    """
    maple = landlord.property_(billing_starts_month="2026-01")
    one, two = landlord.units(maple, "1", "2", sqft=500)
    ann = landlord.tenant(one, "Ann", email="ann@example.org")
    landlord.rule(maple, "GAS", "CUSTOM", weights='{"1": 1, "2": 2}')
    blend = landlord.blend("Half", EQUAL=50, SQFT=50)
    landlord.rule(maple, "SEWER", blend=blend)
    closed = landlord.bill(maple, 90_00, on=clock().date().replace(month=1))
    landlord.set_status(maple, "1", "SENT", "2026-01")
    landlord.set_status(maple, "2", "PAID", "2026-01")
    opened = landlord.bill(maple, 60_00, "GAS;SEWER")
    old = landlord.bill(maple, 5_00, on=clock().date().replace(year=2025))
    elm = landlord.property_("Elm")
    received, refunded = (
        landlord.do(
            payments.receive, landlord.invoices(maple, "2026-01")["1"].summary.id, Received(amount, TODAY, kind=kind)
        )
        for amount, kind in ((20_00, PAYMENT), (5_00, REFUND))
    )
    new = NewBill(maple.id, "City", ("WATER",), 7_00, clock().date())
    (held,) = landlord.do(bills.add, [new], held=[0]).bills
    landlord.do(bill_flags.note, [Noted(held, [Flag("dueBeforeBilled", "It is due too early.")])])
    elm_one = landlord.unit(elm, "A")
    landlord.tenant(elm_one, "Cy")
    landlord.bill(elm, 30_00, on=clock().date().replace(month=1))
    covered = landlord.invoices(elm, "2026-01")["A"].summary.id
    landlord.do(payments.receive, covered, Received(30_00, TODAY))
    january, february = landlord.invoices(maple, "2026-01"), landlord.invoices(maple)
    found = {
        "maple": maple.id, "elm": elm.id, "one": one.id, "two": two.id, "ann": ann.id, "blend": blend,
        "closed": closed.id, "open": opened.id, "old": old.id, "held": held.id, "sent": january["1"].summary.id,
        "paid": january["2"].summary.id, "draft": february["1"].summary.id, "other": february["2"].summary.id,
        "charge": february["1"].charges[0].id, "rule": landlord.rules(maple)["GAS"].id,
        "covered": covered, "frozen": january["1"].charges[0].id, "received": received, "refunded": refunded,
    }  # fmt: skip
    landlord.sound()
    return found


BROKEN = [
    # (what is changed, which record the sentence names)
    ("account SET property_count = 7", "account"),
    ("account SET bill_count = 0", "account"),
    ("tally SET draft = draft + 1 WHERE property_id = '' AND month = ''", "account"),
    ("tally SET paid = 0, draft = 9 WHERE property_id = '{maple}'", "maple"),
    ("tally SET sent = 5 WHERE month = '2026-01'", "account"),
    ("bill SET total = total + 1 WHERE id = '{open}'", "open"),
    ("bill SET chosen_month = '2026-05' WHERE id = '{open}'", "open"),
    ("bill_line SET amount = amount + 1 WHERE bill_id = '{open}' AND number = 1", "open"),
    ("bill_line SET owner_amount = 1 WHERE bill_id = '{open}' AND number = 1", "open"),
    ("bill_line SET charged = false WHERE bill_id = '{open}' AND number = 1", "open"),
    ("bill_line SET month = '2026-07' WHERE bill_id = '{open}' AND number = 1", "open"),
    ("bill_line SET property_id = '{elm}' WHERE bill_id = '{open}' AND number = 1", "open"),
    ("bill_line SET amount = amount + 1 WHERE bill_id = '{closed}'", "closed"),
    ("bill_line SET charged = true WHERE bill_id = '{old}'", "old"),
    ("bill_line SET owner_amount = 1 WHERE bill_id = '{old}'", "old"),
    ("bill_line SET utility_type = 'WATER' WHERE bill_id = '{open}' AND number = 1", "draft"),
    ("held_line SET amount = amount + 1 WHERE bill_id = '{held}'", "held"),
    ("held_line SET property_id = '{elm}' WHERE bill_id = '{held}'", "held"),
    ("bill_line SET bill_id = '{held}', number = 9 WHERE bill_id = '{open}' AND number = 1", "held"),
    ("bill_flag SET property_id = '{elm}' WHERE bill_id = '{held}'", "held"),
    ("bill_flag SET accepted_at = found_at, accepted_by = 'x', reason = 'y' WHERE bill_id = '{held}'", "held"),
    ("charge SET amount = amount + 1 WHERE id = '{charge}'", "draft"),
    ("charge SET description = 'because' WHERE id = '{charge}'", "charge"),
    ("charge SET utility_type = 'WATER' WHERE id = '{charge}'", "charge"),
    ("charge SET amount = amount + 1 WHERE id = '{frozen}'", "sent"),
    ("charge SET line = 2 WHERE id = '{frozen}'", "frozen"),
    ("charge SET bill_id = '{old}' WHERE id = '{frozen}'", "frozen"),
    ("invoice SET total = total + 1 WHERE id = '{draft}'", "draft"),
    ("invoice SET number = 'MAPLE-9-2026-02' WHERE id = '{draft}'", "draft"),
    ("invoice SET number_key = 'x' WHERE id = '{draft}'", "draft"),
    ("invoice SET tenant_name = 'Bo' WHERE id = '{draft}'", "draft"),
    ("invoice SET tenant_id = null, tenant_name = null WHERE id = '{draft}'", "draft"),
    ("invoice SET tenant_name = 'Bo' WHERE id = '{sent}'", "sent"),
    ("invoice SET tenant_name = 'Bo' WHERE id = '{paid}'", "paid"),
    ("invoice SET status = 'SENT' WHERE id = '{draft}'", "maple"),
    ("invoice SET status = 'DRAFT' WHERE id = '{sent}'", "maple"),
    ("invoice SET status = 'CANCELLED' WHERE id = '{draft}'", "draft"),
    ("invoice SET issued = false WHERE id = '{sent}'", "sent"),
    ("invoice SET due_date = null WHERE id = '{sent}'", "sent"),
    ("invoice SET printed = null WHERE id = '{paid}'", "paid"),
    ("invoice SET paid_amount = 0 WHERE id = '{paid}'", "paid"),
    ("invoice SET paid_at = null WHERE id = '{paid}'", "paid"),
    ("invoice SET paid_at = '2026-03-10T12:00:00.000Z' WHERE id = '{sent}'", "sent"),
    ("invoice SET paid_at = '2026-03-10T12:00:00.000Z' WHERE id = '{covered}'", "covered"),
    ("invoice SET paid_at = null WHERE id = '{covered}'", "covered"),
    ("invoice SET payment_status = 'paid' WHERE id = '{draft}'", "draft"),
    ("invoice SET payment_status = 'cancelled' WHERE id = '{sent}'", "sent"),
    ("invoice SET paid_by_status = 1 WHERE id = '{sent}'", "sent"),
    ("invoice SET paid_amount = paid_amount + 1 WHERE id = '{sent}'", "sent"),
    ("invoice SET entries = 0 WHERE id = '{sent}'", "sent"),
    ("payment SET amount = amount + 1 WHERE id = '{received}'", "sent"),
    ("payment SET amount = 2001 WHERE id = '{refunded}'", "sent"),
    ("payment SET kind = 'REVERSAL', reverses = '{received}' WHERE id = '{refunded}'", "refunded"),
    ("payment SET kind = 'REVERSAL', reverses = 'pay_gone' WHERE id = '{refunded}'", "refunded"),
    ("billing_month SET draft = draft + 1 WHERE month = '2026-02'", "maple"),
    ("billing_month SET billed = billed + 1 WHERE month = '2026-01'", "maple"),
    ("billing_month SET received = 0 WHERE month = '2026-01'", "maple"),
    ("billing_month SET owner_amount = 1 WHERE month = '2026-02'", "maple"),
    ("billing_month SET line_count = 9 WHERE month = '2026-02'", "maple"),
    ("billing_month SET missing_count = 1 WHERE month = '2026-02'", "maple"),
    ("billing_month SET pending = true WHERE month = '2026-01'", "maple"),
    ("billing_month SET pending = true WHERE month = '2026-02'", "maple"),
    ("billing_month SET first_closed_at = null WHERE month = '2026-01'", "maple"),
    ("billing_month SET snapshot = replace(snapshot, '9000', '9100') WHERE month = '2026-01'", "closed"),
    ("unit SET sqft = '999' WHERE id = '{one}'", "draft"),
    ("unit SET active_to = '2026-01-31' WHERE id = '{one}'", "draft"),
    ("unit SET label_key = 'x' WHERE id = '{one}'", "one"),
    ("unit SET code = '77' WHERE id = '{one}'", "one"),
    ("property SET code = 'low' WHERE id = '{elm}'", "elm"),
    ("property SET billing_starts_month = '2026-03' WHERE id = '{maple}'", "maple"),
    ("property SET billing_starts_month = null WHERE id = '{maple}'", "old"),
    ("tenant SET property_id = '{elm}' WHERE id = '{ann}'", "ann"),
    ("tenant SET move_out = '2026-01-31' WHERE id = '{ann}'", "draft"),
    ("share_rule SET weights = '{{\"unit_gone\": \"1\"}}' WHERE id = '{rule}'", "rule"),
    ("share_rule SET weights = '{{\"{one}\": \"-1\"}}' WHERE id = '{rule}'", "rule"),
    ("share_rule SET split_method = 'EQUAL' WHERE split_method_id is not null", "rule_"),
    ("share_rule SET is_active = false WHERE id = '{rule}'", "draft"),
    ("split_method SET components = '[[\"EQUAL\", \"60\"]]' WHERE id = '{blend}'", "blend"),
]  # fmt: skip


class Undone(Exception):
    """Raised to roll back what a test broke."""


class Within:
    """A database that shows what one open transaction sees."""

    def __init__(self, tx):
        self.snapshot = self.read = lambda work: work(tx)


def found_after(landlord, statement):
    """Return the check's findings after a statement, which is then undone."""
    found = []

    def break_and_look(tx):
        assert tx.run(changes(text(statement.replace(":", "\\:")))), "something is changed"
        found.extend(check(Within(tx)))
        raise Undone

    with pytest.raises(Undone):
        landlord.run(break_and_look)
    return found


def test_what_is_changed_behind_the_programs_back_is_found_and_named(landlord, known):
    for change, named in BROKEN:
        own = f"{'id' if change.startswith('account ') else 'account_id'} = '{landlord.account.id}'"
        head, where, tail = change.format(**known).partition(" WHERE ")
        found = found_after(landlord, f"UPDATE {head} WHERE {own}" + (f" AND {tail}" if where else ""))
        record = landlord.account.id if named == "account" else known.get(named, named)
        assert any(record in sentence for sentence in found), (change, found)
        assert all(sentence.endswith(".") and "\n" not in sentence for sentence in found)


REMOVED = [
    ("charge WHERE id = '{charge}'", "draft"),
    ("charge WHERE id = '{frozen}'", "sent"),
    ("payment WHERE id = '{received}'", "sent"),
    ("invoice WHERE id = '{other}'", "two"),
    ("bill WHERE id = '{open}'", "draft"),
    ("bill WHERE id = '{closed}'", "closed"),
    ("billing_month WHERE month = '2026-02'", "open"),
    ("tally WHERE month = ''", "account"),
    ("used_code WHERE scope = ''", "maple"),
    ("tenant WHERE id = '{ann}'", "draft"),
]


def test_what_is_removed_behind_the_programs_back_is_found_and_named(landlord, known):
    for what, named in REMOVED:
        found = found_after(landlord, f"DELETE FROM {what.format(**known)}")
        record = landlord.account.id if named == "account" else known[named]
        assert any(record in sentence for sentence in found), (what, found)


def test_only_the_account_whose_data_is_broken_is_named(landlord, known, clock):
    neighbour = Landlord(landlord.database, clock, name="neighbour")
    neighbour.bill(neighbour.property_(), 10_00)
    landlord.run(lambda tx: tx.run(changes(text(f"UPDATE invoice SET total = 1 WHERE id = '{known['draft']}'"))))
    assert list(check_account(landlord.database, neighbour.account.id)) == []
    assert list(check(landlord.database)) == list(check_account(landlord.database, landlord.account.id)) != []


def test_a_large_account_is_looked_at_in_pieces_and_nothing_is_left_out(landlord, known):
    for at in range(6):
        house = landlord.property_(f"House {at}")
        landlord.units(house, "1", "2", "3")
        for month in range(1, 7):
            landlord.bill(house, 10_00, on=landlord.clock().date().replace(month=month))
    ids = {row.id for row in landlord.read(properties.all_of)}
    numbers = []
    for most in (1, 5, 9, 40, 1000):
        found = landlord.read(lambda tx, account, most=most: list(pieces(tx, account, most)))
        firsts = [one for piece in found if piece.first for one in piece.property_ids]
        assert (len(firsts), set(firsts)) == (8, ids)
        for house in ids:
            named = [month for piece in found if house in piece.property_ids for month in piece.months or ()]
            assert len(named) == len(set(named))
        numbers.append(len(found))
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] == 1
    assert numbers[0] > 30


def test_a_check_is_of_one_state_while_others_write(landlord, known):
    running = check(landlord.database)
    assert list(running) == []
    landlord.do(invoices.set_status, known["draft"], "SENT")
    assert list(check(landlord.database)) == []


def test_a_record_that_is_not_found_by_its_name_is_named(landlord):
    maple = landlord.property_()
    landlord.run(lambda tx: search_words.forget(tx, maple))

    assert list(check_account(landlord.database, landlord.account.id)) == [
        f"Record {maple.id} can't be found by one of its words."
    ]
