"""The invariants of money and credits after every step, from the ledgers.

They are written from docs/decisions.md#ledger and docs/decisions.md#a-tenants-balance. The module imports nothing of
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
    """An invoice as far as money is concerned, in cents."""

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
    """The ledgers of one moment, held against those of the moment before."""

    def __init__(self, purses: dict[Key, Purse]) -> None:
        self.purses = purses
        self.carries: dict[str, list[Side]] = defaultdict(list)
        for key, purse in purses.items():
            counts = {entry.id for entry in purse.counting}
            for entry in purse.entries:
                if entry.kind == "CARRY":
                    self.carries[entry.id].append((key, entry.amount, entry.id in counts))

    def all(self, before: "MoneyChecks", done: str, about: set[object]) -> None:
        """Everything, after a step that has `done` something about these invoices."""
        self.carries_have_two_sides()
        self.who_gives_keeps_its_total()
        self.no_credit_stays_beside_an_arrear()
        self.money_is_never_lost(before)
        self.what_was_noted_stays(before, about if done in ("status", "noted") else set())
        self.statuses_follow(before)

    def carries_have_two_sides(self) -> None:
        """They sum to zero, count both or neither, and stand on issued invoices of one unit."""
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
        """An overpayment of an issued invoice covers all the tenant's unpaid issued invoices."""
        for giver, has in self.purses.items():
            if has.status in CLOSING and has.paid > has.total and has.tenant:
                for getter, owes in self.purses.items():
                    is_theirs = owes.tenant == has.tenant and owes.status in ("SENT", "OVERDUE")
                    assert not (is_theirs and owes.paid < owes.total), (giver, has, getter, owes)

    def money_is_never_lost(self, before: "MoneyChecks") -> None:
        """No entry goes or changes, and no invoice goes that has one."""
        for key, purse in before.purses.items():
            now = self.purses.get(key)
            entries = now.entries if now else ()
            assert entries[: len(purse.entries)] == purse.entries, (key, purse, now)

    def what_was_noted_stays(self, before: "MoneyChecks", but: set[object]) -> None:
        """An amount noted by PAID disappears only with the status or a payment.

        It disappears when a person takes the invoice from PAID, enters the payment that it was, or takes back an entry
        beside it (`payments.lost_with` says so before). If a carry beside it is taken back, it becomes a payment.
        """
        for key, purse in self.purses.items():
            was = before.purses.get(key)
            if was and key not in but:
                is_kept = purse.noted == was.noted or (not purse.noted and self.became_a_payment(was, purse))
                assert is_kept, (key, was, purse)

    def became_a_payment(self, was: Purse, purse: Purse) -> bool:
        """True if a carry was taken back and the noted amount became a payment.

        The amount had been noted by PAID.
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
