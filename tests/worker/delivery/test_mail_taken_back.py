"""An invoice whose repeated message is withdrawn still shows the message that has left.

If money is owed again, the message is sent.
"""

import pytest

from prorata.actions.bulk import bulk, bulk_questions
from prorata.actions.delivery import deliveries, hand_delivery, invoice_reviews
from prorata.actions.invoices import invoices as invoice_actions
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.properties import tenants
from prorata.domain.invoices.ledger import REFUND
from prorata.domain.locale_forms import PLAIN
from prorata.store.invoices import invoices
from tests.worker.mailing import House


def shown(house):
    row = house.invoice
    return row.status, row.delivery, row.email_status


def states(house):
    return [(row.kind, row.state) for row in house.messages()]


def receive(house: House, cents: int, kind: str = "PAYMENT") -> None:
    house.landlord.do(payments.receive, house.invoice.id, Received(cents, house.clock().date(), kind=kind))


@pytest.fixture
def mailed(house: House) -> House:
    """A house whose tenant has received the invoice by e-mail."""
    house.set_status("SENT")
    (row,) = house.messages()
    house.landlord.run(lambda tx: deliveries.note_taken(tx, row.account_id, row.id, "250 ok"))
    assert shown(house) == ("SENT", "sent", "sent")
    return house


def test_a_payment_before_it_leaves_again_leaves_what_arrived_before(mailed):
    sent_at = mailed.invoice.email_sent_at
    mailed.clock.forward(hours=1)
    mailed.landlord.do(deliveries.send_again, mailed.invoice.id)
    assert shown(mailed) == ("SENT", "queued", None)
    receive(mailed, mailed.invoice.total)
    assert states(mailed) == [("invoice", "sent"), ("again", "withdrawn")]
    assert shown(mailed) == ("PAID", "sent", "sent")
    assert mailed.invoice.email_sent_at == sent_at
    mailed.landlord.sound()
    mailed.report(mailed.messages()[0].id, "failed")
    assert shown(mailed) == ("PAID", "bounced", "bounced")
    mailed.landlord.sound()


def test_taken_back_twice_what_arrived_is_shown_still(mailed):
    for _ in range(2):
        mailed.landlord.do(deliveries.send_again, mailed.invoice.id)
        mailed.landlord.run(lambda tx: deliveries.call_off(tx, mailed.landlord.account.id, mailed.messages()[-1].id))
        assert shown(mailed) == ("SENT", "sent", "sent")
    assert [state for _, state in states(mailed)] == ["sent", "withdrawn", "withdrawn"]
    mailed.landlord.sound()


def test_one_of_another_sending_is_not_what_arrived_before(mailed):
    """The invoice was a draft in between, and may charge something else by now."""
    mailed.set_status("DRAFT")
    mailed.set_status("SENT")
    receive(mailed, mailed.invoice.total)
    assert states(mailed) == [("invoice", "sent"), ("invoice", "withdrawn")]
    assert shown(mailed) == ("PAID", None, None)
    mailed.landlord.sound()


def test_a_refund_does_not_take_back_what_waits_to_be_sent_once_more(mailed):
    receive(mailed, mailed.invoice.total)
    mailed.landlord.do(deliveries.send_again, mailed.invoice.id)
    receive(mailed, 5_00, REFUND)
    assert shown(mailed) == ("SENT", "queued", None)
    mailed.landlord.sound()


@pytest.mark.parametrize("status", ["SENT", "OVERDUE"])
def test_nor_does_a_person_who_sets_what_was_paid_to_be_owed(mailed, status):
    mailed.set_status("PAID")
    mailed.landlord.do(deliveries.send_again, mailed.invoice.id)
    mailed.set_status(status)
    assert shown(mailed) == (status, "queued", None)


def test_a_covered_draft_that_is_sent_is_mailed_though_something_is_given_back_at_once(house):
    house.set_status("SENT")
    house.set_status("DRAFT")
    receive(house, house.invoice.total)
    house.landlord.do(bulk.begin, "send", [house.invoice.id])
    assert shown(house) == ("PAID", "queued", None)
    receive(house, 5_00, REFUND)
    assert shown(house) == ("SENT", "queued", None)
    house.work()
    assert shown(house) == ("SENT", "written", None)
    house.landlord.sound()


def test_a_change_to_paid_that_is_taken_back_sends_what_waited_to_be_sent_once_more(mailed):
    mailed.landlord.do(deliveries.send_again, mailed.invoice.id)
    done = mailed.landlord.do(bulk.begin, "mark paid", [mailed.invoice.id])
    assert shown(mailed) == ("PAID", "sent", "sent")
    mailed.landlord.do(bulk.undo, done.id)
    assert shown(mailed)[:2] == ("SENT", "queued")
    mailed.landlord.sound()


def test_what_is_a_file_in_the_outbox_folder_can_be_handed_over_and_that_taken_back(house):
    house.set_status("SENT")
    house.work()
    assert shown(house) == ("SENT", "written", None)
    house.landlord.do(hand_delivery.note, house.invoice.id)
    assert shown(house) == ("SENT", "handedOver", None)
    house.landlord.sound()
    rows = house.landlord.read(invoices.find_many, [house.invoice.id])
    house.landlord.run(lambda tx: hand_delivery.write_back(tx, house.landlord.caller, rows))
    assert shown(house) == ("SENT", "handOver", None)
    house.landlord.sound()


def test_who_has_the_unchanged_invoice_and_has_paid_it_does_not_get_it_again(mailed):
    sent_at = mailed.invoice.email_sent_at
    receive(mailed, mailed.invoice.total)
    mailed.clock.forward(hours=1)
    mailed.set_status("DRAFT")
    charge, *_ = mailed.landlord.do(invoice_actions.add_custom_charge, mailed.invoice.id, "Key", 5_00).charges
    assert _said(mailed)[1]
    mailed.landlord.do(invoice_actions.remove_custom_charge, mailed.invoice.id, charge.id)
    assert _said(mailed) == ("It is unchanged and paid, so it isn’t e-mailed again.", False)
    (asked, change) = _sent_with_many(mailed)
    assert ("1 is unchanged and paid, so it isn’t e-mailed again." in asked.says, asked.mails) == (True, False)
    assert [name for name, _ in asked.facts] == ["Invoices", "Total", "Due", "Locked then"]
    assert states(mailed) == [("invoice", "sent")]
    assert shown(mailed) == ("PAID", "sent", "sent")
    assert mailed.invoice.email_sent_at == sent_at
    assert change.of_mail == ("1 was not e-mailed again, because it is unchanged and paid.",)
    mailed.landlord.sound()


def _said(house):
    _, step = house.landlord.see(invoice_reviews.question, house.invoice.id, "send", PLAIN)
    return step.says[0], step.mails


def _sent_with_many(house):
    asked = house.landlord.see(bulk_questions.preview, "send", [house.invoice.id], PLAIN)
    done = house.landlord.do(bulk.begin, "send", [house.invoice.id])
    return asked, house.landlord.see(bulk_questions.review, done.id)


@pytest.mark.parametrize("what", ["unpaid", "other charges", "another address", "bounced", "cancelled"])
def test_who_does_not_gets_it_again(mailed, what):
    if what != "unpaid":
        receive(mailed, mailed.invoice.total)
    if what == "bounced":
        mailed.report(mailed.messages()[0].id, "failed")
    mailed.set_status("CANCELLED" if what == "cancelled" else "DRAFT")
    if what == "other charges":
        for cents in (-5_00, 5_00):
            mailed.landlord.do(invoice_actions.add_custom_charge, mailed.invoice.id, "Key", cents)
    if what == "another address":
        mailed.landlord.do(tenants.change, mailed.tenant.id, {"email": "new@example.org"})
    if what != "cancelled":
        assert _said(mailed)[1]
    (asked, change) = _sent_with_many(mailed)
    assert dict(asked.facts)["By e-mail"].startswith("1.")
    assert len(mailed.messages()) == 2
    assert mailed.invoice.delivery == "queued"
    assert change.of_mail[0] == "1 e-mail has not been sent yet."


def test_nor_is_one_that_was_handed_over_and_paid_handed_over_again(house):
    house.set_status("SENT")
    house.work()
    house.landlord.do(hand_delivery.note, house.invoice.id)
    receive(house, house.invoice.total)
    house.set_status("DRAFT")
    house.landlord.sound()
    asked, _ = _sent_with_many(house)
    assert "1 is unchanged and paid, so it isn’t e-mailed again." in asked.says
    assert shown(house) == ("PAID", "handedOver", None)
    assert len(house.messages()) == 1
    house.landlord.sound()
