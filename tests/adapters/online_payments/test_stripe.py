"""Tests with a server on this machine that acts as Stripe.

They check forms, keys, errors and signed events.
"""

import hmac
import json
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import pytest
import stripe as stripe_sdk

from prorata.adapters.online_payments.stripe import StripePayments, read_event
from prorata.domain.online_payments.payment_links import LinkMarks
from prorata.errors import InvalidRequest
from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade, PaymentsDelayed, PaymentsRefused
from tests.stripe_declared import CHANGE, MAKE, Older, refusal
from tests.stripe_server import DECLARED, KEY, refused

SECRET = "whsec_right"
NOW = datetime(2026, 3, 10, 15, tzinfo=UTC)
ASKED = LinkAsked("plink_ours", "acct_1", 90_05, "USD", "MAPLE-1-2026-02")


def test_a_link_asks_once_for_the_amount_in_cents_and_is_made_once_by_its_key(stripe):
    gateway = StripePayments(stripe.url)
    made = gateway.make(KEY, ASKED)
    assert made == LinkMade("plink_1", "https://buy.stripe.com/test_plink_1")
    assert gateway.make(KEY, ASKED) == made
    assert len(stripe.links) == 1
    path, headers, form = stripe.requests[0]
    assert (path, headers["Idempotency-Key"]) == ("/v1/payment_links", "plink_ours")
    assert headers["Stripe-Version"] == DECLARED
    assert form == {
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": "9005",
        "line_items[0][price_data][product_data][name]": "Invoice MAPLE-1-2026-02",
        "restrictions[completed_sessions][limit]": "1",
        "metadata[prorata_link]": "plink_ours",
        "metadata[prorata_account]": "acct_1",
        "metadata[prorata_invoice_number]": "MAPLE-1-2026-02",
    }


@pytest.mark.parametrize(
    ("key", "base_url", "leads_back"),
    [("sk_test_1", "http://127.0.0.1:8000", True), ("sk_live_1", "http://127.0.0.1:8000", False),
     ("sk_live_1", "https://bills.example/", True), ("rk_test_1", "", False)],
)  # fmt: skip
def test_a_tenant_is_led_back_where_stripe_takes_the_address(stripe, key, base_url, leads_back):
    StripePayments(stripe.url, base_url=base_url).make(key, ASKED)
    form = stripe.requests[0][2]
    assert refusal(form, MAKE) is None
    back = {name: value for name, value in form.items() if name.startswith("after_completion")}
    address = f"{base_url.rstrip('/')}/paid/acct_1/plink_ours"
    assert back == (
        {"after_completion[type]": "redirect", "after_completion[redirect][url]": address} if leads_back else {}
    )


def test_the_stand_in_refuses_what_a_version_lacks_or_requires(stripe):
    stripe.made_of = Older
    assert StripePayments(stripe.url).make(KEY, ASKED) == PaymentsRefused(
        "Stripe refused the request: Received unknown parameter: line_items[0][price_data]"
    )
    form = stripe.requests[0][2]
    assert refusal({name: value for name, value in form.items() if "price_data" not in name}, Older) == (
        "Missing required param: line_items[0][price]."
    )
    assert refusal(form, MAKE) is None
    assert refusal({name: value for name, value in form.items() if "quantity" not in name}, MAKE) == (
        "Missing required param: line_items[0][quantity]."
    )
    wrong = {"line_items[0][price_data][unit_amount]": "9.5", "submit_type": "sell", "api_key": KEY}
    assert {name: refusal(form | {name: value}, MAKE) for name, value in wrong.items()} == {
        "line_items[0][price_data][unit_amount]": "Invalid integer: line_items[0][price_data][unit_amount]",
        "submit_type": "Invalid choice: submit_type",
        "api_key": "Received unknown parameter: api_key",
    }


def test_a_request_under_another_version_than_the_sdk_declares_is_refused(stripe):
    assert refused({"Stripe-Version": "2025-03-31.basil"}, {"active": "false"}, CHANGE) == (
        "Invalid Stripe API version: 2025-03-31.basil"
    )


def test_a_link_is_closed_and_one_that_is_not_there_counts_as_closed(stripe):
    gateway = StripePayments(stripe.url)
    gateway.make(KEY, ASKED)
    assert gateway.close(KEY, "plink_1") == LinkClosed()
    assert stripe.links["plink_1"]["active"] is False
    assert gateway.close(KEY, "plink_gone") == LinkClosed(was_there=False)


@pytest.mark.parametrize("status", [409, 429])
def test_what_may_pass_is_asked_again_later_under_the_same_key(stripe, status):
    stripe.answers = [(status, {"error": {"message": "Not now."}})]
    gateway = StripePayments(stripe.url)
    assert gateway.make(KEY, ASKED) == PaymentsDelayed(f"Stripe answered {status}: not now.")
    assert isinstance(gateway.make(KEY, ASKED), LinkMade)


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_error_is_kept_for_its_key_and_another_key_makes_the_link(stripe, status):
    stripe.answers = [(status, {"error": {"message": "Not now."}})]
    gateway = StripePayments(stripe.url)
    kept = PaymentsDelayed(f"Stripe answered {status}: not now.", is_kept=True)
    assert [gateway.make(KEY, ASKED) for _ in range(2)] == [kept, kept]
    assert isinstance(gateway.make(KEY, ASKED._replace(key="plink_another")), LinkMade)


def test_a_key_that_was_used_with_other_parameters_is_given_up_for_another(stripe):
    gateway = StripePayments(stripe.url)
    gateway.make(KEY, ASKED)
    other = gateway.make(KEY, ASKED._replace(number="OAK-2-2026-02"))
    assert other == PaymentsDelayed("Stripe has already received a different request under this key.", is_kept=True)
    assert len(stripe.links) == 1
    assert isinstance(gateway.make(KEY, ASKED._replace(number="OAK-2-2026-02", key="plink_another")), LinkMade)


def test_closing_has_no_key_that_could_keep_a_server_error(stripe):
    gateway = StripePayments(stripe.url)
    gateway.make(KEY, ASKED)
    stripe.answers = [(500, {"error": {"message": "Not now."}})]
    assert isinstance(gateway.close(KEY, "plink_1"), PaymentsDelayed)
    assert gateway.close(KEY, "plink_1") == LinkClosed()
    assert not any("Idempotency-Key" in headers for path, headers, _ in stripe.requests if path.endswith("plink_1"))


def test_silence_and_a_closed_port_are_waited_out(stripe):
    stripe.answers = [None]
    assert isinstance(StripePayments(stripe.url, timeout=0.3).make(KEY, ASKED), PaymentsDelayed)
    assert isinstance(StripePayments("http://127.0.0.1:1", timeout=0.3).make(KEY, ASKED), PaymentsDelayed)


def test_a_wrong_key_and_a_refusal_say_what_to_do_and_repeat_no_key(stripe):
    gateway = StripePayments(stripe.url)
    refused = gateway.make("sk_test_wrong", ASKED)
    assert refused == PaymentsRefused("Stripe does not accept the key. Enter it again under Settings, Online payments.")
    stripe.answers = [(400, {"error": {"message": "Amount must be at least\n 50 cents", "code": "amount_too_small"}})]
    assert gateway.make(KEY, ASKED) == PaymentsRefused("Stripe refused the request: Amount must be at least 50 cents")


@pytest.mark.parametrize("answer", [{}, {"id": "plink_1"}, {"id": "plink_1", "url": "javascript:alert(1)"}, {"id": 5}])
def test_an_answer_that_is_no_link_is_not_taken_for_one(stripe, answer):
    stripe.answers = [(200, answer)]
    assert isinstance(StripePayments(stripe.url).make(KEY, ASKED), PaymentsDelayed)


# --- events ------------------------------------------------------------------------------------------------------------


def signed(body: bytes, secret: str = SECRET, at: datetime = NOW) -> str:
    """A signature header as docs.stripe.com/webhooks#verify-manually describes it."""
    moment = str(int(at.timestamp()))
    return f"t={moment},v1={hmac.new(secret.encode(), moment.encode() + b'.' + body, sha256).hexdigest()}"


def event(kind: str, **of: Any) -> bytes:
    return json.dumps(
        {"id": "evt_1", "object": "event", "type": kind, "created": 1773154800, "data": {"object": of}}
    ).encode()


SESSION = {
    "id": "cs_1", "payment_link": "plink_1", "payment_intent": "pi_1", "amount_total": 9005, "currency": "usd",
    "payment_status": "paid",
}  # fmt: skip


def read(body: bytes, signature: str | None = None, now: datetime = NOW):
    return read_event(body, signed(body) if signature is None else signature, SECRET, now)


def test_the_pinned_version_has_every_event_that_the_docs_name_and_every_field_that_is_read():
    page = (Path(__file__).parents[3] / "docs" / "payments.md").read_text()
    named = set(re.findall(r"`((?:checkout|refund|charge)\.[a-z._]+)`", page))
    assert len(named) == 8
    assert named <= set(get_args(stripe_sdk.Event.__annotations__["type"]))
    assert f"`{DECLARED}`" in page
    for declared, fields in (
        (stripe_sdk.checkout.Session, {*SESSION, "metadata"}),
        (stripe_sdk.Refund, {"id", "status", "amount", "currency", "payment_intent"}),
        (stripe_sdk.Dispute, {"id", "amount", "currency", "payment_intent"}),
        (stripe_sdk.PaymentLink, {"id", "url"}),
    ):
        assert fields <= declared.__annotations__.keys()


def test_a_paid_session_names_link_payment_amount_and_currency():
    found = read(event("checkout.session.completed", **SESSION))
    assert found is not None
    assert (found.id, found.happening, found.link, found.payment) == ("evt_1", "paid", "plink_1", "pi_1")
    assert (found.amount, found.currency, found.at) == (90_05, "USD", "2026-03-10T15:00:00.000Z")


def test_a_paid_session_says_what_was_written_on_its_link(stripe):
    StripePayments(stripe.url).make(KEY, ASKED)
    form = stripe.requests[0][2]
    written = {name[9:-1]: value for name, value in form.items() if name.startswith("metadata[")}
    found = read(event("checkout.session.completed", **SESSION | {"metadata": written}))
    assert found.marks == LinkMarks("plink_ours", "acct_1", "MAPLE-1-2026-02")
    older = {"prorata_link": "plink_ours", "prorata_invoice_number": ""}
    found = read(event("checkout.session.completed", **SESSION | {"metadata": older}))
    assert found.marks == LinkMarks("plink_ours", None, None)


@pytest.mark.parametrize("written", [None, {}, {"order": "7"}, "plink_ours", {"prorata_link": ""}])
def test_a_session_of_a_link_that_is_not_ours_has_no_marks(written):
    assert read(event("checkout.session.completed", **SESSION | {"metadata": written})).marks is None


@pytest.mark.parametrize(
    ("kind", "of", "happening", "reference"),
    [
        ("checkout.session.async_payment_succeeded", SESSION, "paid", None),
        ("checkout.session.completed", SESSION | {"payment_status": "unpaid"}, "under way", None),
        ("checkout.session.async_payment_failed", SESSION | {"payment_status": "unpaid"}, "failed", None),
        (
            "refund.updated",
            {"id": "re_1", "status": "succeeded", "amount": 500, "currency": "usd", "payment_intent": "pi_1"},
            "refunded",
            "re_1",
        ),
        (
            "refund.failed",
            {"id": "re_1", "status": "failed", "amount": 500, "currency": "usd", "payment_intent": "pi_1"},
            "refund failed",
            "re_1",
        ),
        (
            "refund.updated",
            {"id": "re_1", "status": "canceled", "amount": 500, "currency": "usd", "payment_intent": "pi_1"},
            "refund failed",
            "re_1",
        ),
        (
            "charge.dispute.funds_withdrawn",
            {"id": "dp_1", "amount": 9005, "currency": "usd", "payment_intent": "pi_1"},
            "charged back",
            "dp_1",
        ),
        (
            "charge.dispute.funds_reinstated",
            {"id": "dp_1", "amount": 9005, "currency": "usd", "payment_intent": "pi_1"},
            "given back",
            "dp_1",
        ),
    ],
)
def test_each_event_says_what_happened_to_which_payment(kind, of, happening, reference):
    found = read(event(kind, **of))
    assert found is not None
    assert (found.happening, found.payment, found.reference) == (happening, "pi_1", reference)


@pytest.mark.parametrize(
    "body",
    [
        event("checkout.session.completed", **SESSION | {"payment_link": None}),
        event("refund.created", id="re_1", status="pending", amount=5, currency="usd", payment_intent="pi_1"),
        event("customer.created", id="cus_1"),
    ],
)
def test_what_does_not_concern_us_is_nothing(body):
    assert read(body) is None


BODY = event("checkout.session.completed", **SESSION)


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "t=,v1=",
        "v1=" + "0" * 64,
        signed(BODY, "whsec_of_another"),
        signed(BODY + b" "),
        signed(BODY).replace("v1=", "v0="),
        signed(BODY).replace("t=1", "t=2"),
        "t=99999999999999999999,v1=00",
        signed(BODY, at=NOW - timedelta(seconds=301)),
        signed(BODY, at=NOW + timedelta(seconds=301)),
        "t=1773154800,v1=é",
    ],
)
def test_a_signature_that_is_forged_changed_or_old_is_refused(signature):
    with pytest.raises(InvalidRequest):
        read(BODY, signature)


def test_of_several_signatures_one_is_enough_and_three_hundred_seconds_are_not_too_old():
    assert read(BODY, signed(BODY).replace(",v1=", ",v1=" + "0" * 64 + ",v1=")) is not None
    assert read(BODY, signed(BODY, at=NOW - timedelta(seconds=300))) is not None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        event("checkout.session.completed", payment_status="paid", payment_link="plink_1", payment_intent="pi_1"),
        b"[" * 100_000,
        b'{"id": "evt_1", "type": "x", "created": %d, "data": {"object": {}}}' % 10**18,
        event("checkout.session.completed", **SESSION | {"amount_total": "9005"}),
        event("checkout.session.completed", **SESSION | {"amount_total": -1}),
        event("checkout.session.completed", **SESSION | {"payment_intent": {"id": "pi_1"}}),
    ],
)
def test_a_signed_body_that_is_no_event_is_refused(body):
    with pytest.raises(InvalidRequest):
        read(body)
