"""The pages to which the sandbox's payment links lead.

The sandbox is a payment provider for tests, through which no money moves.
"""

from typing import Literal

from msgspec import Struct

from prorata.actions.payments import sandbox_payments
from prorata.domain.online_payments.payment_links import PAID_PATH, REFUNDED, SANDBOX
from prorata.errors import NotFound
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, GoTo, Shown, page
from prorata.web.http.limits import MOST_PAYMENTS_PLAYED

_MINUTES = 15


class Played(Struct, kw_only=True):
    """The event to simulate: a payment, a failed payment or a refund."""

    happening: Literal["paid", "failed", "refunded"]


def _require_sandbox(steps: Steps) -> None:
    if steps.outside.settings.payments != SANDBOX:
        raise NotFound("page")


@page("GET", "/sandbox/pay/{account}/{link}", may=None)
async def sandbox_page(steps: Steps) -> Answered:
    """Show, in the tenant's language, a payment link's amount and the events to simulate."""
    _require_sandbox(steps)
    trial = await steps.read(lambda tx: sandbox_payments.find(tx, steps.path["account"], steps.path["link"]))
    here = f"/sandbox/pay/{trial.link.account_id}/{trial.link.id}"
    return Shown("sandbox.html", {"trial": trial, "here": here}, locale=trial.locale)


@page("POST", "/sandbox/pay/{account}/{link}", may=None, form=Played, again=sandbox_page)
async def play_payment(steps: Steps) -> Answered:
    """Simulate a payment, a failed payment, or a refund.

    After a refund, return to the sandbox page, which says so. Otherwise, redirect to the address to which payment
    providers return tenants.
    """
    _require_sandbox(steps)
    account_id, link_id, played = steps.path["account"], steps.path["link"], steps.form.happening
    await steps.throttle_here("sandbox", MOST_PAYMENTS_PLAYED, _MINUTES)
    await steps.write(lambda tx: sandbox_payments.play(tx, account_id, link_id, played))
    if played == REFUNDED:
        return GoTo(f"/sandbox/pay/{account_id}/{link_id}")
    return GoTo(f"{PAID_PATH}{account_id}/{link_id}")
