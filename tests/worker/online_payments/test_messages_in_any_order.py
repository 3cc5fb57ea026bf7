"""Messages of a provider and entries of people lead to the result of the model.

The order and number of the messages do not matter.
"""

import random
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial

import pytest

from prorata.actions.payments import payments, provider_events
from prorata.actions.payments.payments import Received
from prorata.domain.invoices.ledger import PAYMENT, REFUND, REVERSAL
from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    FAILED,
    GIVEN_BACK,
    PAID,
    REFUND_FAILED,
    REFUNDED,
    TO_CHECK,
    Happening,
    ProviderEvent,
)
from prorata.errors import Conflict, InvalidRequest
from prorata.store.database.engine import timestamp
from prorata.store.invoices.invoices import InvoiceSummary
from tests.landlord import Landlord
from tests.worker.books import Books, Stands
from tests.worker.trade import AT, Trade


class Case:
    """A sent invoice and the model of its ledger."""

    def __init__(self, trade: Trade, row: InvoiceSummary, chance: random.Random) -> None:
        self.trade, self.landlord, self.id, self.chance = trade, trade.landlord, row.id, chance
        self.books = Books(row.total, date.fromisoformat(str(row.due_date)), lambda: self.landlord.clock().date())
        self.moment = datetime.fromisoformat(AT)
        self.day = date(2026, 3, 10)
        self.done: list[object] = []

    def messages(self, link: str, payment: str) -> list[ProviderEvent]:
        """Messages about one payment, in random order, that can be true together.

        Some occur more than once, and some are lost.
        """
        amount, chance = self.books.total, self.chance

        def about(name: str, happening: Happening, cents: int, reference: str | None = None) -> ProviderEvent:
            self.moment += timedelta(seconds=1)
            at = timestamp(self.moment)
            return ProviderEvent(f"{name} of {payment}", happening, payment, cents, "USD", at, link, reference)

        found = [about("paid", PAID, amount), about("paid later", PAID, amount), about("failed", FAILED, amount)]
        if chance.random() < 0.3:
            found += [
                about("lost", CHARGED_BACK, amount, f"dp of {payment}"),
                about("won", GIVEN_BACK, amount, f"dp of {payment}"),
            ]
        for number in range(chance.randint(0, 3)):
            cents, reference = chance.randint(1, amount // 3), f"re_{number} of {payment}"
            found += [about(f"{again} {number}", REFUNDED, cents, reference) for again in ("made", "changed")]
            if chance.random() < 0.3:
                found.append(about(f"undone {number}", REFUND_FAILED, cents, reference))
        chance.shuffle(found)
        return chance.choices(found, k=len(found) * 2) if chance.random() < 0.5 else found + chance.choices(found, k=3)

    def hear(self, event: ProviderEvent) -> None:
        """Take a message of the provider, and tell the model."""
        self.done.append(event)
        self.trade.hear(event)
        self.books.hear(event)

    def enter(self) -> None:
        """Enter a payment or a refund by hand, on a day of its own."""
        kind, cents = self.chance.choice((PAYMENT, PAYMENT, REFUND)), self.chance.randint(1, self.books.total)
        self.day -= timedelta(days=1)
        self.done.append((kind, cents, self.day))
        if kind == REFUND and cents > self.books.received:
            with pytest.raises(InvalidRequest):
                self.landlord.do(payments.receive, self.id, Received(cents, self.day, kind=kind))
            return
        name = self.landlord.do(payments.receive, self.id, Received(cents, self.day, kind=kind))
        assert self.books.enter(name, cents if kind == PAYMENT else -cents, f"{self.day}T12:00:00.000Z")

    def take_back(self) -> None:
        """Take back a random entry, whoever made it."""
        rows = self.landlord.see(payments.ledger, self.id).entries
        void = {row.reverses for row in rows}
        if left := [row for row in rows if row.kind != REVERSAL and row.id not in void]:
            row = self.chance.choice(left)
            self.done.append(("taken back", row.id))
            if self.books.take_back(row.source.removeprefix("stripe ") if row.source else row.id):
                self.landlord.do(payments.take_back, self.id, row.id)
            else:
                with pytest.raises(Conflict):
                    self.landlord.do(payments.take_back, self.id, row.id)

    def wait(self) -> None:
        """Wait until an invoice that was sent before is past due."""
        self.landlord.clock.forward(days=40)

    def agrees(self) -> None:
        """Check that the invoice agrees with the model."""
        found = self.landlord.see(payments.ledger, self.id)
        row = found.invoice
        assert Stands(row.status, row.payment_status, row.paid_amount, row.paid_at) == self.books.stands(), self.done
        assert (found.invoice.paid_amount, found.noted) == (self.books.received, 0)
        told = self.landlord.see(provider_events.to_check, self.id)
        asked = {one.event_id for one in told if one.state == TO_CHECK}
        assert asked == {one.id for one in self.books.to_check}, self.done

    def live(self, link: str) -> None:
        """Pay once or twice by a link, while people make entries.

        After each step, the invoice and the model must agree.
        """
        chance = self.chance
        told = self.messages(link, f"pi of {link}")
        if chance.random() < 0.4:  # two tenants of a unit have opened it
            told += self.messages(link, f"pi again of {link}")
            chance.shuffle(told)
        steps: list[Callable[[], None]] = [partial(self.hear, event) for event in told]
        others = [self.enter, self.enter, self.take_back, *([self.wait] if chance.random() < 0.05 else [])]
        for step in chance.sample(others, chance.randint(0, len(others))):
            steps.insert(chance.randint(0, len(steps)), step)
        for step in steps:
            step()
            self.agrees()


def sequences(landlord: Landlord, number: int, seed: int) -> None:
    """Test a number of invoices, each with messages of its own."""
    trade, chance = Trade(landlord), random.Random(seed)
    place = landlord.property_(name="Oak House")
    for unit in range(number):
        landlord.tenant(landlord.unit(place, str(unit)), f"Tenant {unit}", email=f"t{unit}@example.org")
    landlord.bill(place, number * 90_00)
    for label, shown in landlord.invoices(place, "2026-02").items():
        sent = landlord.set_status(place, label, "SENT")
        trade.keep(shown.summary.id)
        Case(trade, sent.summary, chance).live(trade.link())
        trade.provider.made.clear()


@pytest.mark.thorough
def test_messages_in_any_order_and_number_come_to_what_the_model_says(landlord: Landlord) -> None:
    sequences(landlord, 50, seed=7)


@pytest.mark.soak
def test_ten_thousand_sequences_of_messages_come_to_what_the_model_says(landlord: Landlord) -> None:
    for seed in range(100):
        sequences(landlord, 100, seed)
