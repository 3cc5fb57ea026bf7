"""Invoices that an earlier version of Prorata gave to another tenant.

The former tenant's payments, questions and messages remain the former tenant's, and are not shown as those of the
tenant whom the invoice is for now.
"""

import pytest

from prorata.actions.delivery import deliveries, disputes, question_replies, tenant_pages, tenant_questions
from prorata.actions.invoices import tenant_links
from prorata.actions.online_payments import payments_under_way
from prorata.actions.payments import files as payment_files, recording as payment_recording
from prorata.actions.properties import tenants
from prorata.domain.files.sheets import Sheet
from prorata.domain.online_payments.payment_links import FAILED, REFUNDED, UNDER_WAY, ProviderEvent
from prorata.errors import Conflict
from prorata.store.invoices import invoices as stored_invoices
from prorata.store.invoices.disputed_amounts import disputed
from prorata.store.overview import activity
from tests.former_programs import hand_back
from tests.worker.mailing import House
from tests.worker.online_payments.test_messages_to_look_at import shown, told
from tests.worker.trade import AT, Trade, paid


def stored(trade):
    return trade.landlord.read(stored_invoices.find, trade.invoice().id)


def moved_in(landlord, of, name, email):
    """Give the invoice of unit 1 to a tenant who moves in with its month.

    The tenant to whom it was sent had moved out before the month.
    """
    landlord.set_status(of, "1", "CANCELLED")
    landlord.do(hand_back, landlord.invoices(of)["1"].summary.id)
    (unit,) = landlord.stored_units(of)
    (former,) = landlord.see(tenants.of_unit, unit.id)
    landlord.do(tenants.change, former.id, {"move_out": "2026-01-31"})
    landlord.tenant(unit, name, email=email, move_in="2026-02-01")


def to_bob(trade: Trade, *, send: bool = False) -> None:
    moved_in(trade.landlord, trade.maple, "Bob", "bob@example.org")
    assert trade.invoice().tenant_name == "Bob"
    if send:
        trade.send()


def to_bob_of(house: House) -> None:
    moved_in(house.landlord, house.maple, "Bob", "bob@example.org")


# --- money ------------------------------------------------------------------------------------------------------------


def test_a_payment_of_the_person_before_that_is_under_way_says_nothing_of_the_one_of_now(trade):
    link = trade.link()
    under_way = paid(link)._replace(happening=UNDER_WAY, id="evt_way", payment="pi_way")
    assert trade.hear(under_way) == "waits"
    assert len(trade.landlord.read(payments_under_way.of_invoices, [trade.invoice().id])) == 1
    to_bob(trade, send=True)
    assert trade.landlord.read(payments_under_way.of_invoices, [trade.invoice().id]) == []
    assert trade.hear(under_way._replace(id="evt_later", payment="pi_later")) == "passed"
    assert trade.landlord.read(payments_under_way.of_invoices, [trade.invoice().id]) == []


@pytest.mark.parametrize("is_sent", [False, True])
def test_money_by_the_link_of_the_person_before_is_for_a_person_to_see_to(trade, is_sent):
    link = trade.link()
    to_bob(trade, send=is_sent)
    assert trade.hear(paid(link)) == "to check"
    (row,) = shown(trade)
    assert row.says.startswith(f"It was paid through the link that Ann had for invoice {trade.invoice().number}")
    assert "which is now for Bob" in row.says
    assert (trade.invoice().paid_amount, stored(trade).entries) == (0, 0)
    assert trade.hear(told(REFUNDED, cents=90_00)) == "to check"
    assert trade.invoice().paid_amount == 0
    trade.landlord.sound()


def test_that_the_payment_of_the_person_before_failed_is_not_said_of_the_invoice(trade):
    link = trade.link()
    to_bob(trade, send=True)
    assert trade.hear(ProviderEvent("evt_f", FAILED, "pi_f", 90_00, "USD", AT, link)) == "passed"
    assert trade.invoice().payment_status == "pending"
    verbs = [row.verb for row in trade.landlord.read(activity.page, record=trade.invoice().id, limit=50)]
    assert "note failed payment" not in verbs


def test_who_it_is_for_now_pays_by_a_link_of_their_own_though_the_amount_is_the_same(trade):
    former = trade.link()
    to_bob(trade, send=True)
    trade.keep()
    assert trade.provider.closed == [former]
    assert trade.invoice().payment_link_id == trade.link() != former
    assert trade.hear(paid(trade.link())) == "counted"
    assert (trade.invoice().status, trade.invoice().paid_amount) == ("PAID", 90_00)
    assert shown(trade) == []


def test_it_is_counted_again_once_it_is_for_whom_the_link_was(trade):
    link = trade.link()
    to_bob(trade)
    landlord = trade.landlord
    (unit,) = landlord.stored_units(trade.maple)
    ann, bob = landlord.see(tenants.of_unit, unit.id)
    landlord.do(tenants.change, bob.id, {"move_in": "2026-03-01"})
    landlord.do(tenants.change, ann.id, {"move_out": "2026-02-28"})
    assert trade.invoice().tenant_name == "Ann"
    assert trade.hear(paid(link)) == "counted"


def test_a_row_of_a_bank_that_names_its_number_is_not_counted_without_a_person(trade):
    to_bob(trade, send=True)
    number, header = trade.invoice().number, ("Date", "Amount", "Payer", "Description")
    rows = (2, ("2026-03-10", "90.00", "Ann Lee", number)), (3, ("2026-03-10", "30.00", "Bob", number))
    kept = trade.landlord.do(payment_files.keep, "march.csv", b"rows", Sheet(header, rows))
    done = trade.landlord.do(
        payment_recording.record, trade.landlord.see(payment_recording.looked_at_and_matched, kept)[1]
    )
    assert (done.rows, done.cents) == (1, 30_00)
    file = trade.landlord.see(payment_files.find, kept)
    (waits,) = trade.landlord.see(payment_files.look_at, file).waiting
    assert (waits.verdict, "this payment doesn’t name Bob: check who paid" in waits.reason) == ("proposed", True)


# --- questions --------------------------------------------------------------------------------------------------------


def ask(house: House, text: str = "Why so much?") -> None:
    row = house.landlord.read(stored_invoices.find, house.invoice.id)
    link = house.landlord.database.read(lambda tx: tenant_links.link_to(tx, row))
    house.landlord.run(lambda tx: tenant_questions.ask(tx, link, text))


def test_a_question_stays_that_of_who_asked_and_is_answered_to_them(house):
    house.set_status("SENT")
    ask(house)
    to_bob_of(house)
    (row,) = house.landlord.see(tenant_questions.waiting)
    assert row.tenant_name == "Zoë Ωmega"
    house.work()
    (message,) = (one for one in house.outbox() if str(one["Subject"]).startswith("Question"))
    assert message["Reply-To"] == "zoe@example.org"
    body = message.get_body(("plain",)).get_content()
    assert "Zoë Ωmega asks about invoice" in body
    assert "Bob" not in body


def test_the_same_question_of_whom_it_is_for_now_is_another(house):
    house.set_status("SENT")
    ask(house)
    to_bob_of(house)
    house.set_status("SENT")
    ask(house)
    ask(house)
    assert [row.tenant_name for row in house.landlord.see(tenant_questions.waiting)] == ["Zoë Ωmega", "Bob"]


def test_a_reply_goes_to_who_asked_and_is_not_shown_to_whom_the_invoice_is_for_now(house):
    house.set_status("SENT")
    ask(house)
    (row,) = house.landlord.see(tenant_questions.waiting)
    to_bob_of(house)
    house.set_status("SENT")
    assert house.landlord.do(question_replies.reply, row.id, "A pipe burst.", "Olga") is True
    house.work(minutes=10)
    (message,) = (one for one in house.outbox() if str(one["Subject"]).startswith("Reply"))
    assert "zoe@example.org" in message["To"]
    body = " ".join(message.get_body(("plain",)).get_content().split())
    assert "A pipe burst. You asked: Why so much?" in body
    assert "https://" not in body, "the page is another's by now"
    assert "Bob" not in body
    assert "Olga" not in message.as_string()
    bobs = house.landlord.read(stored_invoices.find, house.invoice.id)
    link = house.landlord.database.read(lambda tx: tenant_links.link_to(tx, bobs))
    page = house.landlord.database.snapshot(lambda tx: tenant_pages.look(tx, link))
    assert page.thread == []


def test_a_reply_leads_to_the_page_and_is_still_sent_when_the_invoice_is_set_back_to_draft(house):
    house.set_status("SENT")
    for text in ("Why so much?", "And the gas?"):
        ask(house, text)
    first, second = house.landlord.see(tenant_questions.waiting)
    house.landlord.do(question_replies.reply, first.id, "A pipe burst.", "Olga")
    house.work(minutes=10)
    (message,) = (one for one in house.outbox() if str(one["Subject"]).startswith("Reply"))
    assert "https://prorata.example/i/" in message.get_body(("plain",)).get_content()
    house.landlord.do(question_replies.reply, second.id, "You are right: we correct it.", "Olga")
    house.set_status("DRAFT")
    house.work(minutes=10)
    replies = [one for one in house.outbox() if str(one["Subject"]).startswith("Reply")]
    assert len(replies) == 2


def test_no_reply_is_mailed_by_an_account_that_sends_no_mail(house):
    house.set_status("SENT")
    ask(house)
    house.wishes(on=False)
    (row,) = house.landlord.see(tenant_questions.waiting)
    assert house.landlord.do(question_replies.reply, row.id, "A pipe burst.", "Olga") is False


def test_what_the_person_before_disputed_keeps_nothing_back_of_whom_it_is_for_now(house):
    house.set_status("SENT")
    (charge,) = house.landlord.read(stored_invoices.charges, [house.invoice.id])
    opening = disputes.Opening(charge.id, 20_00, "Why?")
    house.landlord.do(disputes.open_one, house.invoice.id, opening)
    assert house.landlord.read(disputed, [house.invoice.id]) == {house.invoice.id: 20_00}
    to_bob_of(house)
    house.set_status("SENT")
    assert house.landlord.read(disputed, [house.invoice.id]) == {}
    (charge,) = house.landlord.read(stored_invoices.charges, [house.invoice.id])
    house.landlord.do(disputes.open_one, house.invoice.id, opening._replace(charge_id=charge.id, amount=5_00))
    assert house.landlord.read(disputed, [house.invoice.id]) == {house.invoice.id: 5_00}
    assert len(house.landlord.see(disputes.of_invoice, house.invoice.id)) == 2


# --- messages ---------------------------------------------------------------------------------------------------------


def mail_of(house):
    row = house.invoice
    return row.delivery, row.email_status, row.email_sent_at


def taken(house: House, mail_id: str) -> None:
    house.landlord.run(lambda tx: deliveries.note_taken(tx, house.landlord.account.id, mail_id, "250 ok"))


def test_a_message_to_the_person_before_says_nothing_of_the_invoice(house):
    """Neither the message's earlier state nor a later report is shown at the invoice."""
    house.set_status("SENT")
    (first,) = house.messages()
    taken(house, first.id)
    assert house.invoice.email_status == "sent"
    to_bob_of(house)
    assert mail_of(house) == (None, None, None)
    house.report(first.id, "failed")
    assert mail_of(house) == (None, None, None)
    assert [row.state for row in house.messages()] == ["bounced"]
    house.landlord.sound()
    house.set_status("SENT")
    assert mail_of(house) == ("queued", None, None)
    with pytest.raises(Conflict, match="no stored PDF"):
        house.landlord.see(deliveries.pdf_as_sent, house.invoice.id)
    house.landlord.sound()


def test_a_message_that_a_server_was_taking_meanwhile_is_not_shown_for_somebody_else(house):
    house.set_status("SENT")
    (first,) = house.messages()
    to_bob_of(house)
    taken(house, first.id)
    assert mail_of(house) == (None, None, None)
    house.landlord.sound()


def test_the_first_message_to_whom_it_is_for_now_is_none_once_more(house):
    house.set_status("SENT")
    taken(house, house.messages()[0].id)
    to_bob_of(house)
    house.set_status("SENT")
    house.landlord.run(lambda tx: deliveries.call_off(tx, house.landlord.account.id, house.messages()[-1].id))
    assert mail_of(house) == ("handOver", None, None)
    house.landlord.do(deliveries.send_again, house.invoice.id)
    assert [row.kind for row in house.messages()] == ["invoice"] * 3
