"""Payment links: what an invoice asks its tenant to pay online, and what a provider's message about one means.

An invoice has at most one live link, and it asks for the balance (decisions section 6).
"""

from typing import Final, Literal, NamedTuple, get_args

from prorata.domain.lifecycle import UNPAID

Provider = Literal["stripe", "sandbox"]
PROVIDERS: tuple[str, ...] = get_args(Provider)
STRIPE: Final = "stripe"
SANDBOX: Final = "sandbox"

ASKED, LIVE, CLOSED = LINK_STATES = ("asked", "live", "closed")
"""Asked of the provider, who may have made it or not; open to be paid; closed, also by being paid."""

Happening = Literal["paid", "failed", "refunded", "refund failed", "charged back", "given back"]
HAPPENINGS: tuple[str, ...] = get_args(Happening)
PAID: Final = "paid"
FAILED: Final = "failed"
REFUNDED: Final = "refunded"
REFUND_FAILED: Final = "refund failed"
CHARGED_BACK: Final = "charged back"
GIVEN_BACK: Final = "given back"
COUNTED, PASSED_OVER, WAITS, TO_CHECK = EVENT_STATES = ("counted", "passed", "waits", "to check")
"""A payment's refund may be told of before the payment itself, and then waits; what does not agree is for a person."""


def amount_wanted(status: str, total: int, paid_amount: int, *, has_tenant: bool) -> int:
    """The cents that a link of an invoice asks for; 0 where it has none.

    >>> amount_wanted("SENT", 100_00, 40_00, has_tenant=True), amount_wanted("PAID", 100_00, 100_00, has_tenant=True)
    (6000, 0)
    """
    return max(0, total - paid_amount) if status in UNPAID and has_tenant else 0


class ProviderEvent(NamedTuple):
    """What a provider says has happened, its signature checked. `id` is the provider's, by which it counts once; `link`
    the link at the provider, where the message names it; `payment` what all messages about one payment have in common;
    `reference` the refund or dispute. `amount` in cents; `at` a timestamp.
    """

    id: str
    happening: Happening
    payment: str
    amount: int
    currency: str
    at: str
    link: str | None = None
    reference: str | None = None


def why_not_counted(paid: int, paid_in: str, amount: int, currency: str) -> str | None:
    """Why a payment of so many cents does not count for a link that asked for `amount`; None where both agree.

    >>> why_not_counted(60_00, "USD", 60_00, "USD"), why_not_counted(60_00, "USD", 60_00, "EUR")
    (None, 'It was paid in USD, and the link asks for EUR.')
    """
    if paid_in != currency:
        return f"It was paid in {paid_in}, and the link asks for {currency}."
    if paid != amount:
        return "Another amount was paid than the link asks for."
    return None
