"""A landlord whose tenants pay online, for tests of payment links and providers' messages."""

import json
import threading

from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.online_payments.payment_links import LINK
from prorata.actions.payments import provider_events
from prorata.adapters.sealing import AesVault
from prorata.domain.online_payments.payment_links import PAID, STRIPE, ProviderEvent
from prorata.domain.online_payments.providers import PROVIDERS
from prorata.ports.payments import LinkClosed, LinkMade, PaymentsDelayed, PaymentsRefused
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.overview import activity
from prorata.worker.job_kinds import Job, Lease
from prorata.worker.payment_links import payment_link_kind
from tests.landlord import Landlord

VAULT = AesVault([b"v" * 32])
AT = "2026-03-10T15:00:00.000Z"


class Provider:
    """A payment provider that makes each link once, unless `answers` says otherwise.

    It finds a link only with keys of the same account. Keys that differ only in their last character are of the same
    account.
    """

    def __init__(self) -> None:
        self.made: dict[str, tuple[int, str]] = {}
        self.closed: list[str] = []
        self.answers: list[object] = []
        self.keys: set[str] = set()
        self.of: dict[str, str] = {}
        self.refused: set[str] = set()
        self.is_away = False

    def make(self, key, asked):
        self.keys.add(key)
        if self.answers:
            return self.answers.pop(0)
        if key in self.refused:
            return PaymentsRefused("Not with this key.")
        self.made[f"plink_{asked.key}"] = asked.amount, asked.currency
        self.of[f"plink_{asked.key}"] = key[:-1]
        return LinkMade(f"plink_{asked.key}", f"https://pay.example/{asked.key}")

    def close(self, key, link_id):
        self.keys.add(key)
        if self.answers:
            return self.answers.pop(0)
        if self.is_away:
            return PaymentsDelayed("It could not be reached.")
        if key in self.refused:
            return PaymentsRefused("Not with this key.")
        if self.of.get(link_id) != key[:-1]:
            return LinkClosed(was_there=False)
        self.closed.append(link_id)
        return LinkClosed()

    @property
    def open(self):
        return {name: asks for name, asks in self.made.items() if name not in self.closed}


class Trade:
    """A landlord whose tenants pay online, and the job that maintains the payment links."""

    def __init__(self, landlord: Landlord) -> None:
        self.landlord, self.provider = landlord, Provider()
        landlord.do(payment_providers.use, PROVIDERS[0], "sk_test_1", "whsec_1", VAULT)
        self.kind = payment_link_kind({STRIPE: self.provider}, lambda: VAULT)
        self.maple = landlord.property_()
        landlord.tenant(landlord.unit(self.maple, "1"), "Ann", email="ann@example.org")
        landlord.bill(self.maple, 90_00)

    @property
    def account_id(self):
        return self.landlord.caller.account_id

    def invoice(self):
        return self.landlord.invoices(self.maple, "2026-02")["1"].summary

    def send(self):
        return self.landlord.set_status(self.maple, "1", "SENT").summary

    def waiting(self):
        return [row for row in self.landlord.read(stored_jobs.of_subject, self.invoice().id) if row.kind == LINK]

    def keep(self, invoice_id: str | None = None):
        job = Job(self.account_id, "job_1", LINK, {"invoice": invoice_id or self.invoice().id}, None, 1)
        return self.kind.handler(job, self.landlord.database, Lease(threading.Event()))

    def hear(self, event: ProviderEvent) -> str:
        return self.landlord.database.write(lambda tx: provider_events.take(tx, self.account_id, STRIPE, event))

    def answers(self):
        """The answers that a person gave about the provider's messages of the invoice.

        They are recorded at the invoice.
        """
        rows = self.landlord.read(activity.page, record=self.invoice().id, limit=50)
        return [(row.verb, json.loads(row.after)) for row in rows if row.verb.startswith("call payment")]

    def link(self):
        (one,) = self.provider.open
        return one


def paid(link: str, amount: int = 90_00, *, event: str = "evt_1", payment: str = "pi_1", currency: str = "USD"):
    return ProviderEvent(event, PAID, payment, amount, currency, AT, link)
