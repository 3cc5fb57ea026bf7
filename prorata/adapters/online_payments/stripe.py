"""Stripe's REST API (https://docs.stripe.com/api): payment links, and its webhook messages.

Requests are forms. A request that creates a link has an Idempotency-Key. If the same key is sent again within a
day, Stripe repeats its first answer, even if that was an internal error, and does not create a second link
(docs.stripe.com/api/idempotent_requests). So after a 5xx, a new key is used. If no answer came, the same key is
used with the same parameters. Different parameters cause an `idempotency_error` (docs.stripe.com/api/errors), and
then a new key is used.

A link may exist twice if Stripe did not answer for longer than a day, or created the link in spite of a 5xx.
Tenants are shown only one of the two links, but each can be paid once. Closing a link twice does no harm, so the
request to close it has no key. The answers 409, 429 and 5xx mean "try again later"; other answers in the 400s are
final.
"""

import hmac
import http.client
import json
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from prorata.adapters.limits import LONGEST_PROVIDER_REASON, MOST_PROVIDER_ANSWER_BYTES
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    FAILED,
    GIVEN_BACK,
    PAID,
    REFUND_FAILED,
    REFUNDED,
    STRIPE_VERSION,
    UNDER_WAY,
    Happening,
    LinkMarks,
    ProviderEvent,
    way_back,
)
from prorata.errors import InvalidRequest
from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade, PaymentsDelayed, PaymentsRefused

API: Final = "https://api.stripe.com"
TIMEOUT = 20.0
TOLERANCE = timedelta(seconds=300)
"""The maximum difference between a signature's time and ours.

See docs.stripe.com/webhooks#verify-manually.
"""
_LATER = frozenset({409, 425, 429})
_NOT_THERE = "resource_missing"
_DISPUTES: Mapping[str, Happening] = {
    "charge.dispute.funds_withdrawn": CHARGED_BACK, "charge.dispute.funds_reinstated": GIVEN_BACK,
}  # fmt: skip
_PAID_EVENTS = frozenset({"checkout.session.completed", "checkout.session.async_payment_succeeded"})


class StripePayments:
    """An implementation of `ports.PaymentGateway` with Stripe.

    `base` is the API's address, without a path. Stripe sends tenants back to this server at `base_url`, which must
    use https unless the keys are test keys.
    """

    def __init__(self, base: str = API, *, base_url: str = "", timeout: float = TIMEOUT) -> None:
        self._base, self._base_url, self._timeout = urlsplit(base), base_url, timeout

    def make(self, key: str, asked: LinkAsked) -> LinkMade | PaymentsRefused | PaymentsDelayed:
        """Create a link through which the amount can be paid once.

        When a tenant has paid through the link, Stripe closes it.
        """
        line = "line_items[0]"
        form = {
            f"{line}[quantity]": "1",
            f"{line}[price_data][currency]": asked.currency.lower(),
            f"{line}[price_data][unit_amount]": str(asked.amount),
            f"{line}[price_data][product_data][name]": f"Invoice {asked.number}",
            "restrictions[completed_sessions][limit]": "1",
            "metadata[prorata_link]": asked.key,
            "metadata[prorata_account]": asked.account_id,
            "metadata[prorata_invoice_number]": asked.number,
        }
        if self._base_url.startswith("https://") or (self._base_url and "_test_" in key):
            back = way_back(self._base_url, asked.account_id, asked.key)
            form |= {"after_completion[type]": "redirect", "after_completion[redirect][url]": back}
        answer = self._post(key, "/v1/payment_links", form, asked.key)
        if not isinstance(answer, dict):
            return answer
        made, url = answer.get("id"), answer.get("url")
        if not isinstance(made, str) or not isinstance(url, str) or not url.startswith("https://"):
            return PaymentsDelayed("Stripe's answer doesn't contain a payment link.")
        return LinkMade(made, url)

    def close(self, key: str, link_id: str) -> LinkClosed | PaymentsRefused | PaymentsDelayed:
        """Close the link; people who open it afterwards see a message."""
        answer = self._post(key, f"/v1/payment_links/{link_id}", {"active": "false"})
        if isinstance(answer, PaymentsRefused) and answer.why == _NOT_THERE:
            return LinkClosed(was_there=False)
        return LinkClosed() if isinstance(answer, dict) else answer

    def _post(
        self, key: str, path: str, form: Mapping[str, str], once: str | None = None
    ) -> dict[str, Any] | PaymentsRefused | PaymentsDelayed:
        connection = self._connection()
        headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Stripe-Version": STRIPE_VERSION,
            "User-Agent": "Prorata",
        }
        if once is not None:
            headers["Idempotency-Key"] = once
        try:
            connection.request("POST", path, urlencode(form), headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read(MOST_PROVIDER_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as failed:
            return PaymentsDelayed(f"Stripe could not be reached ({type(failed).__name__}).")
        finally:
            connection.close()
        return _understood(status, content)

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._base.hostname or "", self._base.port
        if self._base.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout)
        return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=ssl.create_default_context())


def _understood(status: int, content: bytes) -> dict[str, Any] | PaymentsRefused | PaymentsDelayed:
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    if status >= 500 or status in _LATER or not isinstance(answer, dict):  # noqa: PLR2004
        return PaymentsDelayed(f"Stripe answered {status}: not now.", is_kept=status >= 500)  # noqa: PLR2004
    if status < 300:  # noqa: PLR2004
        return answer
    if status == http.client.UNAUTHORIZED:
        return PaymentsRefused("Stripe does not accept the key. Enter it again under Settings, Online payments.")
    error = answer.get("error")
    wrong = error if isinstance(error, dict) else {}
    if wrong.get("type") == "idempotency_error":
        return PaymentsDelayed("Stripe has already received a different request under this key.", is_kept=True)
    if wrong.get("code") == _NOT_THERE:
        return PaymentsRefused(_NOT_THERE)
    message = " ".join(str(wrong.get("message") or "no reason given").split())[:LONGEST_PROVIDER_REASON]
    return PaymentsRefused(f"Stripe refused the request: {message}")


def read_event(body: bytes, signature: str, secret: str, now: datetime) -> ProviderEvent | None:
    """Read a webhook message; return None if it isn't about a link that Prorata made.

    Raises `InvalidRequest` if the message is not signed by Stripe, or if the time of the signature differs too much
    from `now`.
    """
    _check(body, signature, secret, now)
    try:
        message = json.loads(body)
        return _event(message, message["type"], message["data"]["object"])
    except (ValueError, KeyError, TypeError, OverflowError, OSError, RecursionError) as wrong:
        raise InvalidRequest("This is not a Stripe event.") from wrong


def _check(body: bytes, signature: str, secret: str, now: datetime) -> None:
    """Check a message's signature (v1): HMAC-SHA256 of the time, a dot and the body.

    If there are several signatures, for example while a secret is being replaced, it is enough that one is valid.
    Raises `InvalidRequest` if none is valid, or if the time differs too much from `now`.
    """
    parts = [part.strip().partition("=") for part in signature.split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    if not (at.isascii() and at.isdigit() and len(at) <= 12):  # noqa: PLR2004
        raise InvalidRequest("The signature of this event is missing.")
    wanted = hmac.new(secret.encode(), f"{at}.".encode() + body, sha256).hexdigest()
    given = [value for name, _, value in parts if name == "v1" and value.isascii()]
    if not sum(
        hmac.compare_digest(wanted, given_signature) for given_signature in given
    ):  # compare all, in constant time
        raise InvalidRequest("The signature of this event isn't valid.")
    if abs(now.timestamp() - int(at)) > TOLERANCE.total_seconds():
        raise InvalidRequest(
            "The signature of this event is too old or dated in the future. Check this server's clock."
        )


def _event(message: dict[str, Any], kind: str, of: dict[str, Any]) -> ProviderEvent | None:
    at = _moment(message["created"])
    if kind in _PAID_EVENTS and of["payment_status"] == "paid":
        return _of_session(message["id"], PAID, of, at)
    if kind == "checkout.session.completed" and of["payment_status"] == "unpaid":
        return _of_session(message["id"], UNDER_WAY, of, at)
    if kind == "checkout.session.async_payment_failed":
        return _of_session(message["id"], FAILED, of, at)
    if kind in ("refund.created", "refund.updated") and of["status"] == "succeeded":
        return _of_charge(message["id"], REFUNDED, of, of["id"], at)
    if kind in ("refund.updated", "refund.failed") and of["status"] in ("failed", "canceled"):
        return _of_charge(message["id"], REFUND_FAILED, of, of["id"], at)
    of_dispute = _DISPUTES.get(kind)
    return _of_charge(message["id"], of_dispute, of, of["id"], at) if of_dispute else None


def _of_session(event_id: str, happening: Happening, session: dict[str, Any], at: str) -> ProviderEvent | None:
    link, payment = session.get("payment_link"), session.get("payment_intent")
    if not link or not payment:
        return None
    cents, currency = _cents(session["amount_total"]), _currency(session)
    return ProviderEvent(
        _text(event_id), happening, _text(payment), cents, currency, at, _text(link), marks=_marks(session)
    )


def _marks(session: dict[str, Any]) -> LinkMarks | None:
    """Read the metadata that `make` attached to a payment link.

    Stripe copies the link's metadata to each payment session (docs.stripe.com/api/payment-link/object, metadata).
    Return None if the session is not from a link that Prorata made.
    """
    written = session.get("metadata")
    if not isinstance(written, dict) or not written.get("prorata_link"):
        return None
    account, number = written.get("prorata_account"), written.get("prorata_invoice_number")
    return LinkMarks(
        _text(written["prorata_link"]), _text(account) if account else None, _text(number) if number else None
    )


def _of_charge(
    event_id: str, happening: Happening, of: dict[str, Any], reference: str, at: str
) -> ProviderEvent | None:
    payment = of.get("payment_intent")
    if not payment:
        return None
    return ProviderEvent(
        _text(event_id), happening, _text(payment), _cents(of["amount"]), _currency(of), at, None, _text(reference)
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 255:  # noqa: PLR2004
        raise TypeError
    return value


def _cents(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise TypeError
    return value


def _currency(of: dict[str, Any]) -> str:
    return _text(of["currency"]).upper()[:3]


def _moment(seconds: object) -> str:
    if not isinstance(seconds, int):
        raise TypeError
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
