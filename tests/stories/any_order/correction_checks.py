"""Checks of the invariants of corrections after every step, from the books alone.

The invariants are those of docs/decisions.md#corrections. The module imports nothing from the program.
"""

from collections import defaultdict

from tests.stories.any_order.corrected import Line, Whose
from tests.stories.any_order.days import CLOSING, Facts
from tests.stories.any_order.seen_books import Account, SeenBooks

Accounts = dict[tuple[str, str, Whose], Account]
"""By property, month, and whose line it is."""
OfUnit = tuple[str, str, str, Line]


class CorrectionChecks:
    """The accounts at one moment, to compare with those at the moment before."""

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
        """Check all invariants after a step.

        `done` is the action of the step, and `about` are the months or invoices that the step was about.
        """
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
        """Check that the parts of each line add up to its amount.

        The parts are the charges in all months, the owner's part and the pending corrections.
        """
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
        """Check that each household bears the right amount of each line.

        In a closed month, the issued, pending and left amounts add up to the right amount. In an open month, the
        pending amount takes back everything that was issued elsewhere. Nobody's amounts are not checked, because the
        owner bears them in the end.
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
        """Check that no charge of an issued invoice changes, and that none is added.

        The same holds for an invoice that stays cancelled.
        """

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
        """Check that no correction has the amount zero."""
        assert not [one for one in self.charges.values() if one[2][2] and not one[3]]

    def are_others(self, before: "CorrectionChecks", key: OfUnit) -> bool:
        """Check whether a unit has different households than before.

        Decisions about the former households are then open again.
        """
        return self.households.get(key[:3]) != before.households.get(key[:3])

    def what_is_left_was_left(self, before: "CorrectionChecks") -> None:
        """Check that the owner bears exactly the corrections that a person left.

        Decisions that were revoked do not count. For as long as an invoice is cancelled, the owner also bears its
        charges in its own month, left or not.
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
        """Check the amounts that are pending although corrections are `automatic`.

        They and the amounts to be charged never have opposite signs. A household's amount is only pending if an invoice
        with it was cancelled, or if no open month follows.
        """
        for (of, month, whose), account in self.accounts.items():
            assert account.waiting * account.to_charge >= 0, (month, whose, account)
            if whose[1] and self.books.carrier(of, month):
                assert not account.waiting or account.cancelled, (month, whose, account)

    def placed(self) -> dict[OfUnit, int]:
        """Sum the amounts that were ever placed for the tenants of a unit, by line.

        They include amounts that are still to be charged, that are charged, and that were cancelled.
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
        """Check that only a person has placed amounts, if corrections are not automatic."""
        was, now = before.placed(), self.placed()
        for key in was.keys() | now.keys():
            month = key[:2]
            if month not in self.closed & before.closed or month in about or self.are_others(before, key):
                continue
            if self.cancelled(key) != before.cancelled(key) and done == "status":
                continue
            assert now[key] == was[key], (key, was[key], now[key])
