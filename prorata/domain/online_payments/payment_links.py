"""Payment links: the amount they request, and the meaning of providers' messages.

An invoice has at most one live link, which requests the invoice's balance (docs/decisions.md#payment-links).
"""

from typing import Final, Literal, NamedTuple, get_args

from prorata.domain.invoice_states import DRAFT, UNPAID
from prorata.domain.online_payments.provider_reasons import Reason, Why
from prorata.domain.texts import say

Provider = Literal["stripe", "sandbox"]
PROVIDERS: tuple[str, ...] = get_args(Provider)
STRIPE: Final = "stripe"
SANDBOX: Final = "sandbox"
STRIPE_VERSION: Final = "2026-02-25.clover"
"""The version of Stripe's API with which links are requested.

It is that of the SDK in requirements/dev.in, against which tests check requests. `price_data` in a link came with
2025-07-30.basil.
"""

PAID_PATH = "/paid/"
"""The beginning of the path to which a provider returns a tenant.

The account's id and the link's id follow it.
"""

ASKED, LIVE, CLOSED = LINK_STATES = ("asked", "live", "closed")
"""The states of a payment link.

In this order: requested from the provider, which may or may not have created it; open for payment; closed, which it
also is after payment.
"""

Happening = Literal["paid", "failed", "refunded", "refund failed", "charged back", "given back", "under way"]
HAPPENINGS: tuple[str, ...] = get_args(Happening)
PAID: Final = "paid"
FAILED: Final = "failed"
REFUNDED: Final = "refunded"
REFUND_FAILED: Final = "refund failed"
CHARGED_BACK: Final = "charged back"
GIVEN_BACK: Final = "given back"
UNDER_WAY: Final = "under way"
"""The state of a payment that the bank has yet to confirm.

A direct debit is an example.
"""
COUNTED, PASSED_OVER, WAITS, TO_CHECK = EVENT_STATES = ("counted", "passed", "waits", "to check")
"""The states of a provider's event.

A refund may be reported before its payment, and then waits. A person reviews an event that does not agree.
"""


def way_back(base_url: str, account_id: str, link_id: str) -> str:
    """Return the stable address to which a tenant returns after paying by a link.

    >>> way_back("https://example.org", "acct_1", "plink_1")
    'https://example.org/paid/acct_1/plink_1'
    """
    return f"{base_url.rstrip('/')}{PAID_PATH}{account_id}/{link_id}"


def amount_wanted(status: str, total: int, paid_amount: int, *, has_tenant: bool) -> int:
    """Return the cents that an invoice's link requests; 0 if there is no link.

    >>> amount_wanted("SENT", 100_00, 40_00, has_tenant=True), amount_wanted("PAID", 100_00, 100_00, has_tenant=True)
    (6000, 0)
    """
    return max(0, total - paid_amount) if status in UNPAID and has_tenant else 0


NOT_SET_UP: Final = say("Online payments are not set up. An owner can set them up under Settings, Online payments.")
STOPPING: Final = say("Online payments are being turned off under Settings, Online payments.")
NOT_ASKED_FOR: Final = say(
    "It was sent before online payments were set up. Set it back to draft and send it again to get a payment link."
)
NOT_MADE: Final = say("The payment link could not be created. See Background tasks.")
NOT_MADE_YET: Final = say("The payment link could not be created yet. Prorata will keep trying for some days.")
HELD: Final = say("Everything that leaves this server is on hold for the moment, including this link.")
BEING_MADE: Final = say("The payment link is being created. Reload the page in a moment.")


def why_none_wanted(status: str, *, has_tenant: bool) -> str:
    """Explain to a landlord why an invoice has no payment link.

    >>> why_none_wanted("DRAFT", has_tenant=True), why_none_wanted("PAID", has_tenant=True)
    ('It gets a payment link once it is sent.', 'There is nothing to pay.')
    """
    if not has_tenant:
        return say("This invoice has no tenant, so you bear its cost.")
    return say("It gets a payment link once it is sent.") if status == DRAFT else say("There is nothing to pay.")


class LinkMarks(NamedTuple):
    """Prorata's references in a payment link, as the provider repeats them in a message.

    They are the link's id, the account and the invoice number. The account and the number are None if the link was
    made without them.
    """

    link: str
    account: str | None
    number: str | None


class ProviderEvent(NamedTuple):
    """An event reported by a provider, with a verified signature.

    `id` is the provider's id of the event, by which a repeated event is recognized. `link` is the provider's id of
    the payment link, if the message names one, and `marks` are Prorata's references in the link. `payment`
    identifies the payment, and is the same in all messages about it. `reference` is the id of the refund or
    chargeback. `amount` is in cents; `at` is a timestamp.
    """

    id: str
    happening: Happening
    payment: str
    amount: int
    currency: str
    at: str
    link: str | None = None
    reference: str | None = None
    marks: LinkMarks | None = None


def why_not_counted(paid: int, paid_in: str, amount: int, currency: str) -> Why | None:
    """Explain why a payment doesn't count for a link asking for `amount`, or return None.

    >>> why_not_counted(60_00, "USD", 60_00, "USD"), why_not_counted(50_00, "USD", 60_00, "USD").says
    (None, 'The amount paid is not the amount that the link asks for.')
    """
    if paid_in != currency:
        return Why.of(Reason.OTHER_CURRENCY, paid_in=paid_in, currency=currency)
    if paid != amount:
        return Why(Reason.OTHER_AMOUNT)
    return None
