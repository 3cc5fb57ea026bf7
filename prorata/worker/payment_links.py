"""The kind of job that makes and closes payment links as the invoices require."""

from collections.abc import Callable, Mapping
from functools import partial

from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.online_payments.payment_links import LINK, Step
from prorata.domain.online_payments.providers import LABELS
from prorata.domain.texts import say
from prorata.ports import Vault
from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade, PaymentGateway, PaymentsDelayed, PaymentsRefused
from prorata.store.database.engine import Database
from prorata.store.online_payments.payment_links import LinkRow
from prorata.worker.job_kinds import Done, Job, Kind, Later, Lease, Outcome, Refused
from prorata.worker.mail import MAIL_ATTEMPTS, MAIL_BACKOFF

LINKS_AT_ONCE = 4
_STEPS_OF_A_RUN = 20
"""The maximum number of requests in one run.

An invoice has one open link, and rarely another link to be closed.
"""
_OPEN = say(
    "{provider} no longer accepts the key that this link was created with, so the link is still open there. Turn it "
    "off in {provider}'s dashboard, then have Prorata forget the key under Settings, Online payments."
)
_NOT_HERE = say("This server doesn’t accept payments through this provider (PRORATA_PAYMENTS).")


def payment_link_kind(gateways: Mapping[str, PaymentGateway], vault: Callable[[], Vault]) -> Kind:
    """Build the kind of job that makes and closes payment links.

    `gateways` contains the providers by name. `vault` returns the vault for their keys; it is called only when a job
    runs, because listing the kinds of jobs needs no secret. A failed job is retried for as many days as a failed
    e-mail, so that the link in a late e-mail works.
    """
    linking = _Linking(gateways, vault)
    return Kind(
        LINK,
        say("creates or closes a payment link"),
        linking.keep,
        at_once=LINKS_AT_ONCE,
        attempts=MAIL_ATTEMPTS,
        backoff=MAIL_BACKOFF,
        leaves_the_house=True,
    )


class _Linking:
    def __init__(self, gateways: Mapping[str, PaymentGateway], vault: Callable[[], Vault]) -> None:
        self._gateways, self._vault = gateways, vault

    def keep(self, job: Job, database: Database, lease: Lease) -> Outcome:
        """Make the payment link that an invoice needs, and close its other links.

        Each answer of the provider is recorded before the next request.
        """
        account_id, invoice_id = job.account_id, str(job.payload["invoice"])
        for _ in range(_STEPS_OF_A_RUN):
            if lease.is_stopping or lease.is_lost:
                return Later(
                    say("The worker was told to stop; another one will continue where it left off."), counts=False
                )
            step = database.write(partial(payment_links.next_step, account_id=account_id, invoice_id=invoice_id))
            if step is None:
                return Done(partial(payment_providers.settle_former_key, account_id=account_id))
            failed = self._take(step, database)
            if failed is not None:
                return failed
        return Later(say("This invoice is changing too often at the moment."))

    def _take(self, step: Step, database: Database) -> Outcome | None:
        gateway, link = self._gateways.get(step.link.provider), step.link
        key = self._key_of(step)
        if gateway is None or key is None:
            return Refused(_NOT_HERE if gateway is None else payment_providers.UNREADABLE)
        outcome = gateway.make(key, _asked(link)) if step.makes else self._close(gateway, key, step)
        if isinstance(outcome, PaymentsDelayed):
            if step.makes and outcome.is_kept:  # the answer to this key is final: the next attempt uses another
                database.write(partial(payment_links.note_not_made, link=link))
            return Later(outcome.why)
        if isinstance(outcome, LinkMade):
            database.write(partial(payment_links.note_made, link=link, provider_id=outcome.id, url=outcome.url))
            return None
        if isinstance(outcome, PaymentsRefused):
            if step.makes:  # there is none: the next attempt requests another
                database.write(partial(payment_links.note_not_made, link=link))
            return Refused(outcome.why)
        database.write(partial(payment_links.note_closed, link=link))
        if link.is_former:  # whatever becomes of the next link
            database.write(partial(payment_providers.settle_former_key, account_id=link.account_id))
        return None

    def _key_of(self, step: Step) -> str | None:
        of = payment_providers.former_key_of if step.link.is_former else payment_providers.key_of
        return of(step.provider, self._vault())

    def _close(
        self, gateway: PaymentGateway, key: str, step: Step
    ) -> LinkClosed | PaymentsRefused | PaymentsDelayed:  # fmt: skip
        """Close a payment link at its provider.

        `key` is the API key with which the link was made. If the provider no longer accepts this key, the account's
        current key is tried, which works if both belong to the same account at the provider.
        """
        link_id = step.link.provider_id or ""
        outcome = gateway.close(key, link_id)
        if not (isinstance(outcome, PaymentsRefused) and step.link.is_former):
            return outcome
        now = payment_providers.key_of(step.provider, self._vault())
        other = gateway.close(now, link_id) if now else outcome
        return (
            other
            if isinstance(other, LinkClosed) and other.was_there
            else PaymentsRefused(_OPEN.format(provider=LABELS[step.link.provider]))
        )


def _asked(link: LinkRow) -> LinkAsked:
    """Build the request for a payment link.

    It is the same at each attempt, because the provider would reject a different request with the same idempotency
    key.
    """
    return LinkAsked(link.id, link.account_id, link.amount, link.currency, link.number)
