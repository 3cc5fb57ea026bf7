"""The invariants of corrections after every step, from the books alone.

They are those of docs/decisions.md#corrections. The module imports nothing of the program.
"""

from collections import defaultdict

from tests.stories.any_order.corrected import Line, Whose
from tests.stories.any_order.days import CLOSING, Facts
from tests.stories.any_order.seen_books import Account, SeenBooks

Accounts = dict[tuple[str, str, Whose], Account]
"""By property, month, and whose line it is."""
OfUnit = tuple[str, str, str, Line]


class CorrectionChecks:
    """The accounts of one moment, held against those of the moment before."""

    def __init__(self, books: SeenBooks) -> None:
        self.books = books
        self.closed = set(books.frozen)
        self.automatic = books.automatic
        self.accounts: Accounts = {
            (of, month, whose): account
            for of in books.properties
            for month in books.months(of)
            for whose, account in books.accounts(of, month).items()
        }
        self.void = {
            (of, month, unit, line) for (of, month, (unit, _, line)), account in self.accounts.items() if account.void
        }
        self.households = {
            (of, month, unit): groups
            for of in books.properties
            for month in books.months(of)
            for unit, groups in books.households(of, month).items()
        }
        self.charges = {
            charge_id: (one["status"], key, charge, cents)
            for key, one in books.invoices.items()
            for charge_id, (charge, cents) in one["by_id"].items()
        }
        self.status = {key: one["status"] for key, one in books.invoices.items()}

    def all(self, before: "CorrectionChecks", done: str, about: set[object]) -> None:
        """Everything, after a step that has `done` something about these months or invoices."""
        self.every_line_is_borne_once()
        self.every_household_comes_to_what_is_right()
        self.what_is_issued_stays(before)
        self.no_correction_is_nothing()
        self.what_is_left_was_left(before)
        if self.automatic:
            self.nothing_waits_against_what_is_placed()
        elif not before.automatic:
            self.nothing_is_placed_by_itself(before, done, about)

    def every_line_is_borne_once(self) -> None:
        """Invariant 1: charges in all months, the owner's part and what is pending come to the line."""
        sums: dict[Line, int] = defaultdict(int)
        for one in self.books.invoices.values():
            for line, _, _, cents in one["parts"]:
                sums[line] += cents if one["status"] != "CANCELLED" else 0
        for (_, _, (*_, line)), account in self.accounts.items():
            sums[line] += account.waiting + account.to_charge - account.on_drafts
        for of in self.books.properties:
            for shown in self.books.shown[of]:
                sums[shown.line] += shown.waiting + shown.to_charge if not shown.unit else 0
            for line, its in self.books.lines(of).items():
                if its["type"]:
                    assert sums[line] + its["owner"] == its["amount"], (line, its, sums[line])

    def every_household_comes_to_what_is_right(self) -> None:
        """Invariant 2: what was issued, is pending and was left is what is right; of an open month what was issued
        elsewhere is taken back. What is nobody's is the owner's in the end.
        """
        for (of, month, whose), account in self.accounts.items():
            if whose[1] is None:
                continue
            pending = account.waiting + account.to_charge
            if (of, month) in self.closed:
                issued = account.own + account.elsewhere
                assert issued + pending + account.left == account.right, (month, whose, account)
            else:
                assert account.elsewhere + pending == account.left == 0, (month, whose, account)
            stands = self.books.carrier(of, month) or ((of, month) not in self.closed and month)
            if stands:
                assert account.to_charge == account.on_drafts, (month, whose, account)
            else:
                assert not account.on_drafts, (month, whose, account)

    def what_is_issued_stays(self, before: "CorrectionChecks") -> None:
        """Invariant 3: a charge of an issued invoice never changes, and none comes; nor of one that stays cancelled."""

        def fixed(one: "CorrectionChecks") -> Facts:
            return {
                charge_id: charge[1:]
                for charge_id, charge in one.charges.items()
                if self.is_fixed(before.status.get(charge[1]), self.status.get(charge[1]))
            }

        assert fixed(before) == fixed(self)

    def is_fixed(self, was: str | None, status: str | None) -> bool:
        return (was in CLOSING and status in CLOSING) or was == status == "CANCELLED"

    def no_correction_is_nothing(self) -> None:
        """Invariant 6."""
        assert not [one for one in self.charges.values() if one[2][2] and not one[3]]

    def are_others(self, before: "CorrectionChecks", key: OfUnit) -> bool:
        """True if a unit has different households than before.

        Decisions about the former ones are then open again.
        """
        return self.households.get(key[:3]) != before.households.get(key[:3])

    def what_is_left_was_left(self, before: "CorrectionChecks") -> None:
        """The owner bears those corrections that a person left and did not revoke.

        The owner also bears, for as long, the charges of a cancelled invoice in its own month, left or not.
        """
        left: dict[OfUnit, int] = defaultdict(int)
        for (of, month, (unit, group, line)), account in self.accounts.items():
            left[of, month, unit, line] += account.left if group else 0
        for key in left.keys() | self.books.left.keys():
            if key in self.void | before.void or self.are_others(before, key):
                self.books.left[key] = left[key]
            assert left[key] == self.books.left[key] or key[2] in self.books.unsure, (
                key,
                left[key],
                self.books.left[key],
            )

    def nothing_waits_against_what_is_placed(self) -> None:
        """Under `automatic`: what waits and what is to be charged have one sign, and what waits is on an invoice that was
        cancelled, or has no open month after its own.
        """
        for (of, month, whose), account in self.accounts.items():
            assert account.waiting * account.to_charge >= 0, (month, whose, account)
            if whose[1] and self.books.carrier(of, month):
                assert not account.waiting or account.cancelled, (month, whose, account)

    def placed(self) -> dict[OfUnit, int]:
        """Sum the amounts that were ever placed for the tenants of a unit, by line.

        They are to be charged, charged, or cancelled.
        """
        sums: dict[OfUnit, int] = defaultdict(int)
        for (of, month, (unit, group, line)), account in self.accounts.items():
            if group and (of, month) in self.closed:
                sums[of, month, unit, line] += account.to_charge + account.elsewhere + account.cancelled
        return sums

    def cancelled(self, key: OfUnit) -> int:
        of, month, unit, line = key
        return sum(
            account.cancelled
            for (its, of_month, (of_unit, _, of_line)), account in self.accounts.items()
            if (its, of_month, of_unit, of_line) == (of, month, unit, line)
        )

    def nothing_is_placed_by_itself(self, before: "CorrectionChecks", done: str, about: set[object]) -> None:
        """Only amounts that a person has placed are to be charged, if persons are asked.

        Nobody has sent them yet.
        """
        was, now = before.placed(), self.placed()
        for key in was.keys() | now.keys():
            month = key[:2]
            if month not in self.closed & before.closed or month in about or self.are_others(before, key):
                continue
            if self.cancelled(key) != before.cancelled(key) and done == "status":
                continue
            assert now[key] == was[key], (key, was[key], now[key])
