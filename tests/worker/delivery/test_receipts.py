"""Tests of the receipts that tenants get by e-mail, in the language of the invoice.

Every online payment gets one; another payment gets one if a member asks for it.
"""

from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bulk import bulk
from prorata.actions.delivery import mail_previews
from prorata.actions.delivery.receipts import Paid, on_paper, queue
from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.adapters.delivery.mail_writer import letter_of
from prorata.domain.mail.message_body import as_plain_text
from prorata.domain.online_payments.payment_links import REFUNDED, STRIPE
from prorata.domain.online_payments.providers import PROVIDERS
from tests.pdf_pages import pdf_text
from tests.worker.mailing import House, pdf_in, tenant_links
from tests.worker.trade import VAULT, paid


@pytest.fixture
def online(house: House) -> House:
    """A house whose invoice is sent and can be paid online."""
    begin(house)
    return house


def begin(house: House) -> None:
    house.landlord.do(payment_providers.use, PROVIDERS[0], "sk_test_1", "whsec_1", VAULT)
    house.set_status("SENT")
    house.work()


def latest(house: House) -> str:
    """The text of the latest message, on one line."""
    body = house.outbox()[-1].get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def pay(house: House, event: str = "evt_1") -> str:
    """Pay the invoice by a new link, as the provider reports it.

    Return what became of the provider's message.
    """
    invoice_id, account_id = house.invoice.id, house.landlord.account.id
    step = house.landlord.database.write(lambda tx: payment_links.next_step(tx, account_id, invoice_id))
    assert step is not None
    house.landlord.run(lambda tx: payment_links.note_made(tx, step.link, f"link of {event}", "https://pay.example/1"))
    told = paid(f"link of {event}", step.link.amount, event=event, payment=f"pi of {event}")
    return house.landlord.database.write(lambda tx: provider_events.take(tx, account_id, STRIPE, told))


def receipts(house: House) -> list[str]:
    return [row.state for row in house.messages() if row.kind == "receipt"]


def test_a_payment_that_came_online_is_confirmed_by_an_e_mail_with_the_receipt(online: House) -> None:
    assert pay(online) == "counted"
    assert receipts(online) == ["queued"]
    online.work(minutes=10)
    assert receipts(online) == ["written"]
    message = online.outbox()[-1]
    assert message["Subject"] == "Your utility invoice for February 2026: payment received"
    text = latest(online)
    assert "We have received your payment of $120.50 by card on March 10, 2026 for your utility invoice" in text
    assert "This invoice is paid in full." in text
    assert "https://prorata.example/i/" in text
    assert "The receipt is attached as a PDF." in text
    assert "reference" not in text, "the provider's id tells a tenant nothing"
    receipt = pdf_text(pdf_in(message))
    assert "payment of $120.50 by card on March 10, 2026" in receipt
    assert "attached" not in receipt
    assert online.invoice.delivery == "written", "the invoice shows what became of its own message"


def test_a_check_s_number_is_in_the_mail_and_in_the_receipt_that_it_brings(house: House) -> None:
    house.set_status("SENT")
    house.work()
    landlord, day = house.landlord, date(2026, 3, 9)
    paid_by = Received(20_00, day, "CHEQUE", reference="No. 1042")
    entry = landlord.do(payments.receive, house.invoice.id, paid_by)
    landlord.run(lambda tx: queue(tx, landlord.account.id, [Paid(house.invoice.id, entry)]))
    house.work(minutes=10)
    message = house.outbox()[-1]
    assert "Payment reference: No. 1042" in latest(house)
    assert "Payment reference No. 1042" in pdf_text(pdf_in(message))
    assert "by check on March 9, 2026" in pdf_text(pdf_in(message))


def test_a_receipt_names_another_open_invoice_only_once_that_has_left(online: House) -> None:
    landlord = online.landlord
    landlord.bill(online.maple, 90_00, on=date(2026, 3, 5))
    pay(online)
    online.wishes(hold=60)
    march = landlord.set_status(online.maple, "1", "SENT", month="2026-03").summary
    online.work(minutes=10)
    assert receipts(online) == ["written"]
    assert "payment received" in online.outbox()[-1]["Subject"]
    assert march.number not in latest(online)
    online.work(minutes=60)
    assert "March 2026" in online.outbox()[-1]["Subject"]
    preview = landlord.see(mail_previews.preview, online.invoice.id, tenant_links())
    assert [other.number for other in preview.invoice.elsewhere] == [march.number]


def test_the_same_message_of_the_provider_makes_no_second_receipt(online: House) -> None:
    pay(online)
    told = paid("link of evt_1", 120_50, event="evt_2", payment="pi of evt_1")
    online.landlord.run(lambda tx: provider_events.take(tx, online.landlord.account.id, STRIPE, told))
    assert receipts(online) == ["queued"]


def test_a_receipt_says_what_is_too_much_as_things_stand_when_it_leaves(online: House) -> None:
    pay(online)
    online.landlord.do(payments.receive, online.invoice.id, Received(5_00, online.clock().date(), "CASH"))
    online.work(minutes=10)
    text = latest(online)
    assert "payment of $120.50" in text
    assert "You have paid $5.00 more than this invoice comes to. $5.00 will be taken off your next invoice." in text
    assert "In all, you owe nothing at the moment." in text
    assert receipts(online) == ["written"]


def test_the_receipt_of_a_second_payment_says_that_the_invoice_had_been_paid(house: House) -> None:
    house.set_status("SENT")
    house.work()
    landlord, already = house.landlord, "The invoice had already been paid in full."
    for reference in ("first", "second"):
        once = Received(120_50, house.clock().date(), reference=reference)
        entry = landlord.do(payments.receive, house.invoice.id, once)
        landlord.run(lambda tx, paid=entry: queue(tx, landlord.account.id, [Paid(house.invoice.id, paid)]))
    house.work(minutes=10)
    texts = [" ".join(pdf_text(pdf_in(message)).split()) for message in house.outbox()[-2:]]
    first, second = sorted(texts, key=lambda text: "reference second" in text)
    assert already not in first
    assert f"Thank you. {already} You have paid $120.50 more than this invoice comes to." in second
    assert "$120.50 will be taken off your next invoice." in second


@pytest.mark.parametrize("marks", [False, True])
def test_the_receipt_of_a_first_part_says_what_was_open_after_it_though_the_rest_came_since(
    house: House, marks: bool
) -> None:
    house.set_status("SENT")
    house.work()
    landlord, day = house.landlord, house.clock().date()
    entry = landlord.do(payments.receive, house.invoice.id, Received(60_00, day))
    landlord.run(lambda tx: queue(tx, landlord.account.id, [Paid(house.invoice.id, entry)]))
    if marks:
        house.set_status("PAID")
    else:
        landlord.do(payments.receive, house.invoice.id, Received(60_50, day))
    house.work(minutes=10)
    text, printed = latest(house), " ".join(pdf_text(pdf_in(house.outbox()[-1])).split())
    then = "Thank you. After this payment, $60.50 was still to be paid; more has come in since."
    assert (then in text, then in printed) == (True, True)
    assert "paid in full" not in text + printed


def test_the_receipt_of_a_second_payment_says_that_it_was_refunded_and_not_twice_that_all_is_paid(house: House) -> None:
    house.set_status("SENT")
    house.work()
    landlord, day = house.landlord, house.clock().date()
    first = landlord.do(payments.receive, house.invoice.id, Received(120_50, day))
    entry = landlord.do(payments.receive, house.invoice.id, Received(120_50, day))
    landlord.run(lambda tx: queue(tx, landlord.account.id, [Paid(house.invoice.id, entry)]))
    landlord.do(payments.receive, house.invoice.id, Received(120_50, day, kind="REFUND"))
    assert "paid back" not in as_plain_text(letter_of(landlord.see(on_paper, house.invoice.id, first)))
    house.work(minutes=10)
    back = "Thank you. The invoice had already been paid in full. $120.50 was paid back on "
    assert back in latest(house)
    assert "This invoice is paid in full." not in latest(house)


def test_a_receipt_says_what_was_refunded_after_its_payment_and_when(online: House) -> None:
    landlord, invoice_id = online.landlord, online.invoice.id
    before = Received(15_00, date(2026, 3, 8), "CASH"), Received(15_00, date(2026, 3, 9), "CASH", kind="REFUND")
    for earlier in before:
        landlord.do(payments.receive, invoice_id, earlier)
    pay(online)
    online.clock.forward(days=2)
    online.work()
    entries = landlord.see(payments.ledger, invoice_id).entries
    (entry,) = (one.id for one in entries if one.provider)

    def printed() -> str:
        letter = letter_of(landlord.see(on_paper, invoice_id, entry))
        return " ".join(as_plain_text(letter).split())

    thanks = "We have received your payment of $120.50 by card on March 10, 2026 for your utility invoice for February"
    assert f"{thanks} 2026. Thank you. This invoice is paid in full." in printed(), "the refund before it is not of it"
    today = online.clock().date()
    for cents in (100_00, 20_50):
        landlord.do(payments.receive, invoice_id, Received(cents, today, "CARD", kind="REFUND"))
    refunds = "Thank you. $100.00 was paid back on March 12, 2026. $20.50 was paid back on March 12, 2026. $120.50 is"
    assert f"{thanks} 2026. {refunds} still to be paid." in printed()


def test_a_receipt_of_an_invoice_that_was_marked_as_paid_says_what_that_noted(house: House) -> None:
    house.set_status("SENT")
    house.work()
    house.landlord.do(bulk.begin, "confirm paid", [house.invoice.id])
    assert receipts(house) == ["queued"]
    house.work(minutes=10)
    assert "We have received your payment of $120.50" in latest(house)


def test_a_mark_that_is_taken_back_takes_its_receipt_along(house: House) -> None:
    house.set_status("SENT")
    house.work()
    done = house.landlord.do(bulk.begin, "confirm paid", [house.invoice.id])
    house.landlord.do(bulk.undo, done.id)
    house.work(minutes=10)
    assert house.invoice.status == "SENT"
    assert receipts(house) == ["withdrawn"]


def test_a_draft_that_is_marked_as_paid_has_no_receipt_as_its_tenant_has_no_invoice(house: House) -> None:
    house.landlord.do(bulk.begin, "confirm paid", [house.invoice.id])
    assert receipts(house) == []


def test_money_that_is_entered_by_hand_is_not_confirmed(online: House) -> None:
    online.landlord.do(payments.receive, online.invoice.id, Received(120_50, online.clock().date(), "CASH"))
    assert receipts(online) == []


def test_a_receipt_of_a_payment_that_was_taken_back_before_it_left_is_not_sent(online: House) -> None:
    pay(online)
    (entry,) = online.landlord.see(payments.ledger, online.invoice.id).entries
    online.landlord.do(payments.take_back, online.invoice.id, entry.id)
    online.work(minutes=10)
    assert receipts(online) == ["withdrawn"]


def test_what_is_given_back_later_leaves_the_receipt_as_it_is(online: House) -> None:
    pay(online)
    back = paid("link of evt_1", 20_00, event="evt_2", payment="pi of evt_1")._replace(
        happening=REFUNDED, reference="re_1"
    )
    online.landlord.run(lambda tx: provider_events.take(tx, online.landlord.account.id, STRIPE, back))
    online.work(minutes=10)
    assert receipts(online) == ["written"]
    assert "payment of $120.50" in latest(online)


def test_an_account_that_sends_no_mail_sends_no_receipt(online: House) -> None:
    online.wishes(on=False)
    assert pay(online) == "counted"
    assert receipts(online) == []


def test_a_receipt_is_in_the_language_of_the_invoice(house: House) -> None:
    house.landlord.do(accounts.change_settings, Wishes(locale="de-DE"))
    begin(house)
    pay(house)
    house.work(minutes=10)
    subject = house.outbox()[-1]["Subject"]
    assert subject == "Ihre Zahlung ist eingegangen: Nebenkostenrechnung für Februar 2026"
    assert "Von dieser Rechnung ist nichts mehr offen." in latest(house)
