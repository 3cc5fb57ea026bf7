"""A plain model of an invoice's ledger, with which the tests compare the program.

It follows the rules of docs/payments.md. It asks the program nothing, and computes every sum anew from all entries.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from prorata.domain.online_payments.payment_links import (
    CHARGED_BACK,
    FAILED,
    GIVEN_BACK,
    PAID,
    REFUND_FAILED,
    REFUNDED,
    ProviderEvent,
)


class Line(NamedTuple):
    """A ledger entry, with its amount in cents and its time.

    Money that was paid back has a negative amount.
    """

    cents: int
    at: str


class Stands(NamedTuple):
    """The standing of the invoice."""

    status: str
    payment_status: str
    paid_amount: int
    paid_at: str | None


class Books:
    """A sent invoice for `total` cents, with a due date."""

    def __init__(self, total: int, due: date, today: Callable[[], date]) -> None:
        self.total, self.due, self.today = total, due, today
        self.status = "SENT"
        self.lines: dict[str, Line] = {}
        self.void: set[str] = set()
        self._heard: set[str] = set()
        self._failed: set[str | None] = set()
        self._reads_failed = False
        self._waiting: dict[str, list[ProviderEvent]] = defaultdict(list)
        self.to_check: list[ProviderEvent] = []

    @property
    def received(self) -> int:
        """The money received, less the money paid back, in cents."""
        return sum(line.cents for name, line in self.lines.items() if name not in self.void)

    def stands(self) -> Stands:
        """Return the standing of the invoice according to its entries.

        The invoice has been paid since the moment from which the entries have always covered it.
        """
        since, so_far = None, 0
        for line in sorted((self.lines[name] for name in self.lines.keys() - self.void), key=lambda line: line.at):
            so_far += line.cents
            since = (since or line.at) if so_far >= self.total else None
        open_ = "failed" if self._reads_failed else "pending"
        paid = "paid" if self.received >= self.total else open_
        return Stands(self.status, paid, self.received, since)

    def enter(self, name: str, cents: int, at: str) -> bool:
        """Enter money that was received, or paid back.

        Return False if more would be paid back than was received.
        """
        if -cents > self.received:
            return False
        self.lines[name] = Line(cents, at)
        self._follow()
        return True

    def take_back(self, name: str) -> bool:
        """Take back an entry, so that it counts for nothing.

        Return False if more would then have been paid back than was received.
        """
        if self.lines[name].cents > self.received:
            return False
        self.void.add(name)
        self._follow()
        return True

    def _follow(self) -> None:
        self._reads_failed = False
        if self.received >= self.total:
            self.status = "PAID"
        elif self.status == "PAID":
            self.status = "OVERDUE" if self.due < self.today() else "SENT"

    def hear(self, event: ProviderEvent) -> None:
        """Take a message of the provider, once.

        It waits until another message about its payment lets it count, or a person has to look at it.
        """
        if event.id in self._heard:
            return
        self._heard.add(event.id)
        its = self._waiting[event.payment]
        its.append(event)
        while done := next((one for one in sorted(its, key=lambda one: (one.at, one.id)) if self._counts(one)), None):
            its.remove(done)

    def _counts(self, event: ProviderEvent) -> bool:
        """True if a message no longer waits."""
        name, is_known = f"{event.reference} {event.happening}", event.payment in self.lines
        if event.happening == FAILED:
            self._reads_failed |= not is_known and self.status in ("SENT", "OVERDUE")
            return True
        if event.happening == PAID:
            return is_known or self.enter(event.payment, event.amount, event.at)
        if event.happening == REFUND_FAILED:
            self._fail(event)
            return True
        if event.happening == REFUNDED and event.reference in self._failed:
            return True
        if event.happening == GIVEN_BACK:
            return is_known and self._is_won(event, name)
        assert event.happening in (REFUNDED, CHARGED_BACK)
        return is_known and (name in self.lines or self._is_for_a_person(event, event.payment) or self._went(event))

    def _went(self, event: ProviderEvent) -> bool:
        return self.enter(f"{event.reference} {event.happening}", -event.amount, event.at)

    def _is_for_a_person(self, event: ProviderEvent, about: str) -> bool:
        """True if the subject of a message was taken back before the message.

        The message then changes nothing.
        """
        if about in self.void:
            self.to_check.append(event)
        return about in self.void

    def _fail(self, event: ProviderEvent) -> None:
        self._failed.add(event.reference)
        self.to_check = [one for one in self.to_check if one.reference != event.reference]
        name = f"{event.reference} {REFUNDED}"
        if name in self.lines and name not in self.void:
            self.take_back(name)

    def _is_won(self, event: ProviderEvent, name: str) -> bool:
        loss, found = f"{event.reference} {CHARGED_BACK}", False
        if loss in self.lines:
            is_done = name in self.lines or self._is_for_a_person(event, loss)
            return is_done or self.enter(name, event.amount, event.at)
        for some in (self._waiting[event.payment], self.to_check):
            for one in [one for one in some if (one.happening, one.reference) == (CHARGED_BACK, event.reference)]:
                some.remove(one)
                found = True
        return found
