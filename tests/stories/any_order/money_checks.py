"""Checks of the invariants of money and credits after every step, from the ledgers.

They are written from docs/decisions.md#ledger and docs/decisions.md#a-tenants-balance. The module imports nothing from
the program.
"""

from collections import defaultdict
from typing import NamedTuple

from tests.stories.any_order.books import Key
from tests.stories.any_order.days import CLOSING


class Entry(NamedTuple):
    """An entry of a ledger, in cents."""

    id: str
    kind: str
    amount: int
    reverses: str | None


class Purse(NamedTuple):
    """The money of an invoice, in cents."""

    status: str
    tenant: str | None
    total: int
    paid: int
    entries: tuple[Entry, ...]

    @property
    def counting(self) -> list[Entry]:
        """The entries that no reversal has made void."""
        void = {entry.reverses for entry in self.entries}
        return [entry for entry in self.entries if entry.kind != "REVERSAL" and entry.id not in void]

    @property
    def noted(self) -> int:
        """The amount that is paid without an entry, because the invoice was marked as paid."""
        signed = (-entry.amount if entry.kind == "REFUND" else entry.amount for entry in self.counting)
        return self.paid - sum(signed)


Side = tuple[Key, int, bool]
"""An invoice, what it gets of a carry (or gives: below zero), and whether that counts."""


class MoneyChecks:
    """The ledgers at one moment, to compare with those at the moment before."""

    def __init__(self, purses: dict[Key, Purse]) -> None:
        self.purses = purses
        self.carries: dict[str, list[Side]] = defaultdict(list)
        for key, purse in purses.items():
            counts = {entry.id for entry in purse.counting}
            for entry in purse.entries:
                if entry.kind == "CARRY":
                    self.carries[entry.id].append((key, entry.amount, entry.id in counts))

    def all(self, before: "MoneyChecks", done: str, about: set[object]) -> None:
        """Check all invariants after a step.

        `done` is the action of the step, and `about` are the invoices that the step was about.
        """
        self.carries_have_two_sides()
        self.who_gives_keeps_its_total()
        self.no_credit_stays_beside_an_arrear()
        self.money_is_never_lost(before)
        self.what_was_noted_stays(before, about if done in ("status", "noted") else set())
        self.statuses_follow(before)

    def carries_have_two_sides(self) -> None:
        """Check that the two sides of each carry match.

        They add up to zero, are on two invoices of one unit, and either both count or neither does. If they count, both
        invoices are issued.
        """
        for sides in self.carries.values():
            (giver, given, counts), (getter, gotten, too) = sorted(sides, key=lambda side: side[1])
            assert given + gotten == 0 < gotten, sides
            assert counts == too, sides
            assert giver[0] == getter[0], sides
            assert giver != getter, sides
            if counts:
                assert {self.purses[key].status for key in (giver, getter)} <= CLOSING, sides

    def who_gives_keeps_its_total(self) -> None:
        for key in {key for sides in self.carries.values() for key, cents, counts in sides if counts and cents < 0}:
            assert self.purses[key].paid >= self.purses[key].total, (key, self.purses[key])

    def no_credit_stays_beside_an_arrear(self) -> None:
        """Check that an overpayment covers all of the tenant's unpaid issued invoices."""
        for giver, has in self.purses.items():
            if has.status in CLOSING and has.paid > has.total and has.tenant:
                for getter, owes in self.purses.items():
                    is_theirs = owes.tenant == has.tenant and owes.status in ("SENT", "OVERDUE")
                    assert not (is_theirs and owes.paid < owes.total), (giver, has, getter, owes)

    def money_is_never_lost(self, before: "MoneyChecks") -> None:
        """Check that no entry disappears or changes, and no invoice with entries disappears."""
        for key, purse in before.purses.items():
            now = self.purses.get(key)
            entries = now.entries if now else ()
            assert entries[: len(purse.entries)] == purse.entries, (key, purse, now)

    def what_was_noted_stays(self, before: "MoneyChecks", but: set[object]) -> None:
        """Check that an amount noted by PAID disappears only with the status or a payment.

        It disappears when a person changes the status from PAID, enters the payment that the amount stands for, or
        takes back an entry of the same invoice (`payments.lost_with` warns of this). If a carry of the same invoice is
        taken back, the amount becomes a payment.
        """
        for key, purse in self.purses.items():
            was = before.purses.get(key)
            if was and key not in but:
                is_kept = purse.noted == was.noted or (not purse.noted and self.became_a_payment(was, purse))
                assert is_kept, (key, was, purse)

    def became_a_payment(self, was: Purse, purse: Purse) -> bool:
        """Check whether the amount noted by PAID became a payment.

        This happens when a carry is taken back.
        """
        came = purse.entries[len(was.entries) :]
        carries = {entry.id for entry in was.counting if entry.kind == "CARRY"}
        is_taken_back = any(entry.kind == "REVERSAL" and entry.reverses in carries for entry in came)
        return is_taken_back and any(entry.kind == "PAYMENT" and entry.amount == was.noted for entry in came)

    def statuses_follow(self, before: "MoneyChecks") -> None:
        for key, purse in self.purses.items():
            if purse.status == "PAID":
                assert purse.paid >= purse.total, (key, purse)
            elif purse.status in CLOSING:
                known = {entry.id for entry in before.purses[key].entries} if key in before.purses else set()
                came = [entry for entry in purse.counting if entry.id not in known]
                is_got = any(entry.kind == "CARRY" and entry.amount > 0 for entry in came)
                assert not (is_got and purse.paid >= purse.total), (key, purse)
