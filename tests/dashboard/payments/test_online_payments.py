"""Tests of online payments in the dashboard.

They cover the webhook that Stripe calls, and the payment page of the sandbox provider.
"""

import hmac
import json
import re
from hashlib import sha256

import pytest

from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import payments
from prorata.adapters.online_payments.sandbox import SandboxPayments
from prorata.domain.limits import MOST_PROVIDER_EVENT_BYTES
from prorata.domain.online_payments.provider_reasons import Reason
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.ports.payments import LinkAsked
from prorata.store.online_payments import payment_links as stored_links, provider_events, providers as stored_providers
from prorata.store.online_payments.provider_events import EventRow
from tests.dashboard.billed import billed, set_status
from tests.dashboard.conftest import ORIGIN, build_office
from tests.stripe_declared import Older
from tests.stripe_server import DECLARED, KEY

KEYS = {"key": "sk_test_1234567890", "secret": "whsec_1234567890"}


@pytest.fixture
def trying(migrated_sqlite_url):
    """An office with the sandbox payment provider, which takes no money."""
    built = build_office(migrated_sqlite_url, PRORATA_PAYMENTS="sandbox")
    with built.live():
        yield built


def provider_of(office):
    return office.database.read(lambda tx: stored_providers.find(tx, office.account_id))


def sent_invoice(office):
    (one,) = billed(office, "1")
    set_status(office, one.id, "SENT")
    return one


def make_link(office, invoice_id):
    """The path of a new payment link, created as the worker does."""
    step = office.database.write(lambda tx: payment_links.next_step(tx, office.account_id, invoice_id))
    asked = LinkAsked(step.link.id, office.account_id, step.link.amount, step.link.currency, step.link.number)
    made = SandboxPayments(ORIGIN).make("", asked)
    office.database.write(lambda tx: payment_links.note_made(tx, step.link, made.id, made.url))
    return made.url.removeprefix(ORIGIN)


def test_the_address_for_stripe_is_there_before_the_secret_that_stripe_gives_for_it(office):
    owner = office.browser("owner")
    assert PROVIDERS[0].hook not in owner.get("/settings/payments").text
    assert owner.post("/settings/payments/address", {}).status_code == 303

    address = ORIGIN + PROVIDERS[0].hook + provider_of(office).token
    shown = owner.get("/settings/payments").text
    assert address in shown
    assert f"choose the API version {DECLARED}" in shown
    assert "Invoices show the other ways to pay, and you record payments yourself" in shown
    assert not provider_of(office).takes_payments
    assert owner.post("/settings/payments/address", {}).status_code == 303
    assert owner.post("/settings/payments/stripe", {"key": KEYS["key"], "secret": ""}).status_code == 400
    assert owner.post("/settings/payments/stripe", KEYS).status_code == 303
    assert address in owner.get("/settings/payments").text
    assert provider_of(office).takes_payments


def test_an_owner_enters_keys_that_are_never_shown_again_and_stops(office):
    owner = office.browser("owner")
    assert owner.post("/settings/payments/stripe", KEYS).status_code == 303
    shown = owner.get("/settings/payments").text
    assert "ends in <code>7890</code>" in shown
    assert ORIGIN + PROVIDERS[0].hook + provider_of(office).token in shown
    assert KEYS["key"] not in shown
    assert KEYS["secret"] not in shown
    row = provider_of(office)
    assert "1234" not in f"{row.sealed_key} {row.sealed_secret}"
    assert owner.post("/settings/payments/stripe", {"key": "", "secret": "whsec_another"}).status_code == 303
    assert provider_of(office).sealed_key == row.sealed_key
    assert owner.post("/settings/payments/stop", {}).status_code == 303
    assert provider_of(office) is None


def test_links_that_are_still_open_are_named_while_the_key_before_is_kept(office):
    owner = office.browser("owner")
    owner.post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body, token = paid_at_stripe(office, invoice), provider_of(office).token
    owner.post("/settings/payments/stop", {})
    shown = owner.get("/settings/payments").text
    assert "Online payments are being stopped" in shown
    assert "<code>plink_1</code>" in shown
    assert invoice.number in shown
    assert owner.post("/settings/payments/close-again", {}).status_code == 303
    assert stripe_says(office, token, body).status_code == 200, "what is paid meanwhile is heard of"
    assert "Forget it" in owner.get("/settings/payments/forget-key").text
    assert office.browser("manager").post("/settings/payments/forget-key", {}).status_code == 403
    assert owner.post("/settings/payments/forget-key", {}).status_code == 303
    assert provider_of(office) is None
    assert stripe_says(office, token, body).status_code == 404


def test_what_was_paid_before_online_payments_were_stopped_can_still_be_refunded_at_stripe(office):
    owner = office.browser("owner")
    owner.post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body, token = paid_at_stripe(office, invoice), provider_of(office).token
    stripe_says(office, token, body)
    assert owner.post("/settings/payments/stop", {}).status_code == 303
    refund = {"id": "re_1", "status": "succeeded", "amount": 100, "currency": "usd", "payment_intent": "pi_1"}
    told = {"id": "evt_2", "type": "refund.created", "created": 1773154800, "data": {"object": refund}}
    assert stripe_says(office, token, json.dumps(told).encode(), "whsec_forged").status_code == 400
    assert stripe_says(office, token, json.dumps(told).encode()).status_code == 200
    found = office.database.read(lambda tx: payments.ledger(tx, office.caller, invoice.id))
    assert (found.invoice.status, found.invoice.paid_amount) == ("SENT", invoice.total - 100)
    shown = owner.get("/settings/payments").text
    assert "Invoices show the other ways to pay, and you record payments yourself." in shown
    assert "Earlier payments" in shown
    assert ORIGIN + PROVIDERS[0].hook + token in shown
    assert "Forget earlier payments?" in owner.get("/settings/payments/forget-key").text
    assert owner.post("/settings/payments/forget-key", {}).status_code == 303
    assert "Earlier payments" not in owner.get("/settings/payments").text
    assert stripe_says(office, token, json.dumps(told).encode()).status_code == 404


def test_wrong_keys_are_said_beside_their_fields_and_only_owners_may(office):
    shown = office.browser("owner").post("/settings/payments/stripe", {"key": "pk_test_1", "secret": "x"})
    assert shown.status_code == 400
    assert "it begins with sk_ or rk_" in shown.text
    assert "it begins with whsec_" in shown.text
    assert office.browser("manager").get("/settings/payments").status_code == 403
    assert office.browser("owner").post("/settings/payments/sandbox", {}).status_code == 409


def stripe_says(office, token, body, secret=KEYS["secret"]):
    at = str(int(office.clock().timestamp()))
    signature = hmac.new(secret.encode(), at.encode() + b"." + body, sha256).hexdigest()
    client = office.browser().client
    return client.post(PROVIDERS[0].hook + token, content=body, headers={"Stripe-Signature": f"t={at},v1={signature}"})


def paid_at_stripe(office, invoice):
    """Stripe's message that the payment link of an invoice was paid."""
    step = office.database.write(lambda tx: payment_links.next_step(tx, office.account_id, invoice.id))
    office.database.write(lambda tx: payment_links.note_made(tx, step.link, "plink_1", "https://buy.stripe.com/1"))
    session = {
        "payment_link": "plink_1", "payment_intent": "pi_1", "amount_total": step.link.amount, "currency": "usd",
        "payment_status": "paid",
    }  # fmt: skip
    said = {"id": "evt_1", "type": "checkout.session.completed", "created": 1773154800, "data": {"object": session}}
    return json.dumps(said).encode()


def test_what_was_marked_as_paid_and_comes_online_is_asked_about_at_the_invoice(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body = paid_at_stripe(office, invoice)
    set_status(office, invoice.id, "PAID")
    assert stripe_says(office, provider_of(office).token, body).status_code == 200
    manager, here = office.browser("manager"), f"/invoices/{invoice.id}"
    assert "1 payment message needs checking" in manager.get("/").text
    shown = manager.get(here).text
    assert "Is this the same payment?" in shown
    assert "Same payment: count it once" in shown
    assert "Refund the payment" not in shown, "not before it is known whether it is a credit"
    assert "count it once" not in office.browser("viewer").get(here).text
    told = {"provider": "stripe", "event": "evt_1", "is_same": "true"}
    for other in ("inv_00000000000000000000000000", "anything"):
        assert manager.post(f"/invoices/{other}/payments/told", told).status_code == 404
    assert "Is this the same payment?" in manager.get(here).text
    assert manager.post(f"{here}/payments/told", told).headers["location"] == here
    shown = manager.get(here).text
    assert "Is this the same payment?" not in shown
    assert "said that what came or went back online is the same as what was noted before" in shown
    assert "a credit" not in shown
    assert manager.post(f"{here}/payments/told", told).status_code == 404


def test_a_secret_that_was_replaced_is_believed_about_earlier_links_alone(office):
    owner = office.browser("owner")
    owner.post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body = paid_at_stripe(office, invoice)
    owner.post("/settings/payments/stripe", {"key": "", "secret": "whsec_another"})
    token, since = provider_of(office).token, body.replace(b"plink_1", b"plink_2")
    assert stripe_says(office, token, since).status_code == 400
    assert stripe_says(office, token, body).status_code == 200
    assert stripe_says(office, token, since, "whsec_another").status_code == 200


def test_an_invoice_says_why_it_has_no_link_and_leads_to_the_one_it_has(office):
    owner, (one, other) = office.browser("owner"), billed(office, "1", "2")
    here = f"/invoices/{one.id}"
    assert "pay it online" not in owner.get(here).text, "nothing is to be paid, and nobody wants it"
    set_status(office, other.id, "SENT")
    assert "Online payments are not set up. An owner can set them up" in owner.get(f"/invoices/{other.id}").text
    owner.post("/settings/payments/stripe", KEYS)
    assert "It was sent before online payments were set up." in owner.get(f"/invoices/{other.id}").text
    assert "It gets a payment link once it is sent." in owner.get(here).text
    set_status(office, one.id, "SENT")
    assert "The payment link is being created. Reload" in owner.get(here).text
    make_link(office, one.id)
    assert 'rel="noreferrer">pay it online</a>' in owner.get(here).text
    set_status(office, one.id, "PAID")
    assert "No link to pay it online. There is nothing to pay." in owner.get(here).text
    set_status(office, one.id, "SENT")
    record = {"kind": "PAYMENT", "amount": "44.80", "date": "2026-03-01", "method": "CASH"}
    owner.post(f"{here}/payments", record)
    assert "The amount left to pay is less than Stripe accepts." in owner.get(here).text


def test_an_invoice_says_what_stripe_refused(office, stripe):
    stripe.made_of = Older
    owner = office.browser("owner")
    owner.post("/settings/payments/stripe", KEYS | {"key": KEY})
    invoice = sent_invoice(office)
    stripe.serve(office.database)
    assert (
        "No link to pay it online. The payment link could not be created. See Background tasks. Stripe refused "
        "the request: Received unknown parameter: line_items[0][price_data]"
    ) in owner.get(f"/invoices/{invoice.id}").text


def test_the_ledger_calls_the_provider_by_its_name(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    stripe_says(office, provider_of(office).token, paid_at_stripe(office, invoice))
    assert "Card · Stripe · pi_1" in office.browser("viewer").get(f"/invoices/{invoice.id}").text.replace(
        '<span class="wrap">', ""
    )
    assert "Card, Stripe" in office.browser("viewer").get("/payments").text


def test_stripe_tells_of_a_payment_and_the_invoice_is_paid_once(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body, token = paid_at_stripe(office, invoice), provider_of(office).token
    assert stripe_says(office, token, body, "whsec_forged").status_code == 400
    assert stripe_says(office, "0" * 40, body).status_code == 404
    assert stripe_says(office, token, b"x" * (MOST_PROVIDER_EVENT_BYTES + 1)).status_code == 413
    for _ in range(2):
        assert stripe_says(office, token, body).json() == {"received": True}
    found = office.database.read(lambda tx: payments.ledger(tx, office.caller, invoice.id))
    assert (found.invoice.status, len(found.entries)) == ("PAID", 1)
    assert office.browser().client.get(PROVIDERS[0].hook + token).status_code == 405


def test_a_payment_by_a_link_from_before_a_backup_was_restored_is_shown_on_the_overview(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    said = json.loads(paid_at_stripe(office, invoice))
    marks = {
        "prorata_link": "plink_lost",
        "prorata_account": office.account_id,
        "prorata_invoice_number": invoice.number,
    }
    said["data"]["object"] |= {"payment_link": "plink_of_then", "metadata": marks}
    assert stripe_says(office, provider_of(office).token, json.dumps(said).encode()).status_code == 200
    owner = office.browser("owner")
    assert "1 payment message needs checking" in owner.get("/").text
    for page in ("/settings/payments", f"/invoices/{invoice.id}"):
        assert f"for invoice {invoice.number}: enter the payment by hand" in owner.get(page).text


def test_a_refund_at_stripe_that_was_entered_by_hand_too_is_asked_about_at_the_invoice(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body, token = paid_at_stripe(office, invoice), provider_of(office).token
    stripe_says(office, token, body)
    manager, here = office.browser("manager"), f"/invoices/{invoice.id}"
    day = office.clock().date().isoformat()
    entered = {"kind": "REFUND", "amount": "1.00", "date": day, "method": "CARD"}
    assert manager.post(f"{here}/payments", entered).status_code == 303
    refund = {"id": "re_1", "status": "succeeded", "amount": 100, "currency": "usd", "payment_intent": "pi_1"}
    told = {"id": "evt_2", "type": "refund.created", "created": 1773154800, "data": {"object": refund}}
    assert stripe_says(office, token, json.dumps(told).encode()).status_code == 200
    shown = manager.get(here).text
    assert "Is this the same refund?" in shown
    assert "Two refunds" in shown
    same = {"provider": "stripe", "event": "evt_2", "is_same": "true"}
    assert manager.post(f"{here}/payments/told", same).headers["location"] == here
    assert "Is this the same refund?" not in manager.get(here).text
    found = office.database.read(lambda tx: payments.ledger(tx, office.caller, invoice.id))
    assert found.invoice.paid_amount - found.noted == invoice.total - 100


def test_a_payment_by_hand_that_comes_online_too_is_asked_about_at_the_invoice(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body = paid_at_stripe(office, invoice)
    manager, here = office.browser("manager"), f"/invoices/{invoice.id}"
    amount, day = f"{invoice.total / 100:.2f}", office.clock().date().isoformat()
    entered = {"kind": "PAYMENT", "amount": amount, "date": day, "method": "CARD"}
    assert manager.post(f"{here}/payments", entered).status_code == 303
    assert stripe_says(office, provider_of(office).token, body).status_code == 200
    shown = manager.get(here).text
    assert "Is this the same payment?" in shown
    assert "a payment of the same amount was entered by hand" in shown
    same = {"provider": "stripe", "event": "evt_1", "is_same": "true"}
    stale = manager.post(f"{here}/payments/told", {**same, "asked": Reason.MARKED_AS_PAID})
    assert (
        stale.status_code,
        "The question about this payment has changed in the meantime. Check the invoice again." in stale.text,
    ) == (
        409,
        True,
    )
    (asked,) = set(re.findall(r'name="asked" value="([^"]+)"', shown))
    assert manager.post(f"{here}/payments/told", {**same, "asked": asked}).headers["location"] == here
    shown = manager.get(here).text
    assert "Is this the same payment?" not in shown
    assert "a credit" not in shown


def test_a_payment_that_failed_is_said_at_the_invoice(office):
    office.browser("owner").post("/settings/payments/stripe", KEYS)
    invoice = sent_invoice(office)
    body = paid_at_stripe(office, invoice).replace(b"session.completed", b"session.async_payment_failed")
    body = body.replace(b'"payment_status": "paid"', b'"payment_status": "unpaid"')
    assert stripe_says(office, provider_of(office).token, body).status_code == 200
    shown = office.browser("viewer").get(f"/invoices/{invoice.id}").text
    assert "The latest online payment failed; nothing was paid." in shown
    assert "said that an online payment of" in shown


def test_a_trial_payment_is_played_to_its_end_without_money(trying):
    owner = trying.browser("owner")
    assert "Try it with test payments" in owner.get("/settings/payments").text
    owner.post("/settings/payments/sandbox", {})
    invoice = sent_invoice(trying)
    path = make_link(trying, invoice.id)
    tenant = trying.browser()
    shown = tenant.get(path)
    assert shown.status_code == 200
    assert "no money moves" in shown.text
    token = shown.text.split('name="form_token" value="')[1].split('"')[0]
    play = lambda happening: tenant.post(path, {"happening": happening}, token=token)  # noqa: E731
    assert play("failed").status_code == 303
    assert "can no longer be used" in tenant.get(path).text
    path = make_link(trying, invoice.id)
    assert play("paid").status_code == 303
    assert play("paid").status_code == 409
    ledger = lambda: trying.database.read(lambda tx: payments.ledger(tx, trying.caller, invoice.id))  # noqa: E731
    assert ledger().invoice.status == "PAID"
    assert [one.reference for one in ledger().entries] == [path.rpartition("/")[2]], "a payment is called no refund"
    assert "Paid." in tenant.get(path).text
    assert play("refunded").status_code == 303
    assert ledger().invoice.paid_amount == 0


def test_a_trial_page_is_in_the_tenants_language_in_any_browser(migrated_sqlite_url):
    office = build_office(migrated_sqlite_url, locale="de-DE", PRORATA_PAYMENTS="sandbox")
    with office.live():
        office.database.write(lambda tx: payment_providers.use_sandbox(tx, office.caller, is_on=True))
        path, english, tenant = make_link(office, sent_invoice(office).id), {"Accept-Language": "en"}, office.browser()
        shown = tenant.get(path, **english).text
        token = shown.split('name="form_token" value="')[1].split('"')[0]
        refused = tenant.post(path, {"happening": "refunded"}, token=token, **english).text
        tenant.post(path, {"happening": "paid"}, token=token, **english)
        paid = tenant.get(path, **english).text
    assert all('<html lang="de"' in page for page in (shown, refused, paid))
    assert "90,00\xa0$ zahlen" in shown
    assert "Es gibt nichts zurückzugeben." in refused
    assert "Bezahlt." in paid


def test_without_the_setting_there_is_no_trial_page(office):
    assert office.browser().get("/sandbox/pay/acct_1/plink_1").status_code == 404


def test_a_trial_link_of_another_account_is_not_there(trying):
    trying.database.write(lambda tx: payment_providers.use_sandbox(tx, trying.caller, is_on=True))
    path = make_link(trying, sent_invoice(trying).id)
    assert trying.browser().get(path.replace(trying.account_id, trying.stranger_id)).status_code == 404
    link_id = path.rsplit("/", 1)[1]
    assert trying.database.read(lambda tx: stored_links.find(tx, trying.account_id, link_id)) is not None


def test_a_payment_that_is_under_way_is_said_at_its_invoice(office):
    one = sent_invoice(office)
    row = EventRow(
        office.account_id, "stripe", "evt_1", "under way", "pi_1", None, None, 30_00, "USD",
        office.database.read(lambda tx: tx.now), "waits", None, one.id, "2026-03-10T18:00:00.000Z",
    )  # fmt: skip
    office.database.write(lambda tx: provider_events.add(tx, row))
    shown = office.browser("manager").get(f"/invoices/{one.id}").text
    assert "$30.00 is on its way." in shown
    assert "until then no reminder is sent" in shown
