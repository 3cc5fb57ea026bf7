"""A landlord's actions on bills, invoices, corrections and money of sent months.

Each step is done in the program and in the books at once.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.bills import bills, corrections as bill_corrections, entries as bill_entries, late_bills
from prorata.actions.invoices import final_invoices, invoices
from prorata.actions.payments import payments
from prorata.actions.payments.payments import Received
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules
from prorata.domain.bills.bills import NewBill
from prorata.errors import Refusal
from prorata.store.database.engine import Database
from tests.landlord import MovableClock
from tests.stories.any_order.books import CLOSING, Key, days_of
from tests.stories.any_order.days import days_from
from tests.stories.any_order.seen_books import SeenBooks
from tests.stories.any_order.steps import HouseSteps, day, which

FEBRUARY, MARCH = "2026-02", "2026-03"
START = datetime.fromisoformat("2026-04-02T04:30+00:00")
a_day = st.dates(date(2026, 1, 20), date(2026, 5, 20))
months = st.sampled_from(("2026-01", FEBRUARY, MARCH, "2026-04", "2026-05"))
cents = st.integers(-3_000, 30_000)
kinds = st.sampled_from(["WATER", "WATER", "WATER", "GAS", "OTHER"])
amounts = st.dictionaries(kinds | st.just("LATE_FEE"), cents, min_size=1, max_size=2)
services = st.none() | st.tuples(a_day, st.integers(0, 45))
statuses = st.sampled_from(["DRAFT", "SENT", "SENT", "SENT", "PAID", "PAID", "OVERDUE", "CANCELLED"])
rule_changes = st.fixed_dictionaries(
    {},
    optional={
        "split_method": st.sampled_from(["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS"]),
        "owner_percent": st.sampled_from(["0", "0", "10", "33.3"]).map(Decimal),
        "is_active": st.sampled_from([True, True, False]),
    },
)
IN_BOOKS = {"split_method": "method", "is_active": "active", "owner_percent": "owner"}


class CorrectionSteps(HouseSteps):
    """One house whose first months are sent, and later changes that affect these months."""

    books: SeenBooks

    def __init__(self, database: Database, clock: MovableClock) -> None:
        super().__init__(database, clock)
        clock.moment = START
        self.books = SeenBooks()
        self.ids: dict[Key, str] = {}
        self.entries: dict[str, list[str]] = {}
        self.done = ""
        """The last step's action, if it changes placed, left or noted amounts."""
        self.about: set[Any] = set()
        """The months or invoices that the last step did it to."""
        self.landlord.do(accounts.change_settings, Wishes(carry_credits=True))
        self.tick()

    def tick(self, **by: float) -> None:
        super().tick(**by)
        self.done, self.about = "", set()

    def tried(self, action: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return the result of an action; None if the program refuses it.

        A refused action must have changed nothing.
        """
        self.tick()
        try:
            return self.landlord.do(action, *arguments, **named) or True
        except Refusal:
            return None

    def look(self) -> None:
        """Read the state of the account after a step."""
        raise NotImplementedError

    @property
    def house(self) -> str:
        return next(iter(self.books.properties))

    @initialize(at=which, total=cents, automatic=st.booleans(), sent=st.sampled_from([4, 3, 2, 4, 0]))
    def begin(self, at: int, total: int, automatic: bool, sent: int) -> None:
        """Set up two units with tenants, three water bills, and up to four sent invoices."""
        self.add_property(None)
        for values in ({"label": "1", "sqft": Decimal(700), "bedrooms": 1}, {"label": "2", "sqft": Decimal(300)}):
            self.add_unit(0, values)
        self.add_tenant(at, {"email": "a@example.org", "move_in": date(2026, 1, 1)})
        self.add_tenant(at + 1, {"email": "b@example.org", "move_in": date(2026, 1, 1)})
        for on in (date(2026, 2, 20), date(2026, 3, 20), date(2026, 4, 1)):
            self.add_bill(total, "WATER", on, None)
        self.look()
        for key in sorted(self.ids, key=lambda key: (key[1], key))[:sent]:
            self.set_status(key, "SENT")
            self.look()
        self.switch_corrections(automatic)

    # Histories of a single house, of which every month is billed.

    def add_property(self, starts: str | None) -> None:
        HouseSteps.add_property(self, starts)

    def change_where_billing_starts(self, at: int, starts: str | None) -> None:
        """Do nothing: the other state machine takes this step."""

    def remove_property(self, at: int) -> None:
        """Do nothing: the other state machine takes this step."""

    @rule(by=st.sampled_from([1, 26, 15 * 24, 40 * 24]))
    def wait(self, by: int) -> None:
        self.tick(hours=by)

    # --- bills

    @rule(total=cents, kind=kinds, on=a_day, service=services)
    def add_bill(self, total: int, kind: str, on: date, service: tuple[date, int] | None) -> None:
        start, end = (service[0], service[0] + timedelta(days=service[1])) if service else (None, None)
        served = days_from(start, end) if start and end else None
        new = NewBill(self.house, self.name(), (kind,), total, on, service_start=start, service_end=end)
        self.add(new, {kind: total}, served)

    @rule(parts=amounts, on=a_day)
    def add_bill_with_amounts(self, parts: dict[str, int], on: date) -> None:
        types = tuple(kind for kind in parts if "_" not in kind) or ("WATER",)
        new = NewBill(self.house, self.name(), types, sum(parts.values()), on, amounts=tuple(parts.items()))
        self.add(new, parts, None)

    def add(self, new: NewBill, parts: dict[str, int], served: list[date] | None) -> None:
        ((row,), _) = self.do(bills.add, [new])
        billed = self.landlord.see(bills.find, row.id).billing_month
        lines = {number: self.line(kind, part, billed, served) for number, (kind, part) in enumerate(parts.items(), 1)}
        self.books.bills[row.id] = {"property": self.house, "lines": lines}

    def line(self, kind: str, amount: int, month: str | None, served: list[date] | None) -> dict[str, Any]:
        billed = None if "_" in kind else kind
        return {"kind": kind, "type": billed, "amount": amount, "month": month, "served": served, "charged": False}

    def lines_of(self, at: int) -> tuple[str, dict[int, dict[str, Any]]]:
        bill_id = self.pick(self.books.bills, at)
        return bill_id, self.books.bills[bill_id]["lines"]

    @precondition(lambda self: self.books.bills)
    @rule(at=which, month=months)
    def move_bill(self, at: int, month: str) -> None:
        bill_id, lines = self.lines_of(at)
        if self.tried(bills.move, bill_id, month):
            for line in lines.values():
                line["month"] = month

    @precondition(lambda self: self.books.bills)
    @rule(at=which)
    def bill_late_lines_in_an_open_month(self, at: int) -> None:
        """Bill the late lines of a bill in an open month.

        They keep their service days, or else the days of their own month.
        """
        bill_id, lines = self.lines_of(at)
        moved = self.tried(late_bills.settle, bill_id)
        if moved:
            for line in lines.values():
                line["served"] = line["served"] or days_of(line["month"])
                line["month"] = moved.billing_month

    @precondition(lambda self: self.books.bills)
    @rule(at=which, service=services)
    def put_service_days_right(self, at: int, service: tuple[date, int] | None) -> None:
        """Correct the service period of a bill.

        The billing month follows, unless a person chose it. A bill that has charged a sent month keeps its month.
        """
        bill_id, lines = self.lines_of(at)
        start, end = (service[0], service[0] + timedelta(days=service[1])) if service else (None, None)
        form = self.landlord.see(bill_entries.form_of, bill_id)
        form = form._replace(service_start=day(start) or "", service_end=day(end) or "")
        changed = self.tried(bill_entries.change, bill_id, form)
        if changed:
            for line in lines.values():
                line["served"] = days_from(start, end) if start and end else None
                line["month"] = changed.billing_month

    @precondition(lambda self: self.books.bills)
    @rule(at=which)
    def remove_bill(self, at: int) -> None:
        bill_id, _ = self.lines_of(at)
        if self.tried(bills.remove, bill_id):
            del self.books.bills[bill_id]

    @precondition(lambda self: self.books.bills)
    @rule(at=which, parts=st.dictionaries(kinds, cents, max_size=2), by=cents)
    def correct_bill(self, at: int, parts: dict[str, int], by: int) -> None:
        """Correct the amounts of a bill, mostly of a bill in a sent month.

        Now and then, the correction adds a line.
        """
        sent = {key: 0 for key, one in self.books.bills.items() if self.was_sent(one["lines"])}
        bill_id = self.pick(sent if sent and at % 5 else self.books.bills, at)
        lines = self.books.bills[bill_id]["lines"]
        wanted = {line["kind"]: line["amount"] + by for line in lines.values()} | (parts if at % 3 == 0 else {})
        if self.tried(bill_corrections.correct, bill_id, sum(wanted.values()), wanted):
            self.amend(lines, wanted)

    def was_sent(self, lines: dict[int, dict[str, Any]]) -> bool:
        return any((self.house, line["month"]) in self.books.frozen for line in lines.values())

    @precondition(lambda self: self.books.bills)
    @rule(at=which)
    def zero_bill(self, at: int) -> None:
        bill_id, lines = self.lines_of(at)
        if self.tried(bill_corrections.remove, bill_id):
            self.amend(lines, {})

    def amend(self, lines: dict[int, dict[str, Any]], wanted: dict[str, int]) -> None:
        """Set the lines of a bill to the given amounts, by kind.

        A line whose kind is not given becomes zero, and a new kind gets a line at the end.
        """
        first = next(iter(lines.values()))
        there = {line["kind"] for line in lines.values()}
        for line in lines.values():
            line["amount"] = wanted.get(line["kind"], 0)
        for kind in (kind for kind in wanted if kind not in there):
            lines[max(lines) + 1] = self.line(kind, wanted[kind], first["month"], first["served"])

    # --- rules

    @rule(kind=kinds, given=rule_changes, since=st.none() | months)
    def change_rule(self, kind: str, given: dict[str, Any], since: str | None) -> None:
        """Change a share rule.

        Under `automatic`, only dated changes are made: an undated change would begin after the last closed month.
        """
        history = self.books.rules.get((self.house, kind))
        if history is None or not history.rule_id or not given or (self.books.automatic and since is None):
            return
        after = history.filled(since, {}) | {IN_BOOKS[name]: value for name, value in given.items()}
        after["owner"] = Fraction(after["owner"])
        if self.tried(share_rules.change, history.rule_id, given, since=since):
            self.books.put_rule(self.house, kind, history.rule_id, since, after)

    # --- invoices

    def set_status(self, key: Key, status: str) -> None:
        if self.tried(invoices.set_status, self.ids[key], status):
            self.done, self.about = "status", {key}

    @precondition(lambda self: self.ids)
    @rule(at=which, status=statuses)
    def set_any_status(self, at: int, status: str) -> None:
        self.set_status(self.pick(self.ids, at), status)

    @precondition(lambda self: self.ids)
    @rule(at=which, status=statuses)
    def set_some_status(self, at: int, status: str) -> None:
        self.set_status(self.pick(self.ids, at), status)

    def set_all(self, month: str, status: str, those: set[str]) -> None:
        for key in [key for key in self.ids if key[1] == month and self.books.invoices[key]["status"] in those]:
            if key in self.ids:
                self.set_status(key, status)
                self.look()
                self.checked()

    def checked(self) -> None:
        """Check the conditions that must hold in the middle of a step."""

    @precondition(lambda self: self.ids)
    @rule(at=which)
    def send_a_month(self, at: int) -> None:
        self.set_all(self.pick(self.ids, at)[1], "SENT", {"DRAFT"})

    @precondition(lambda self: self.books.frozen)
    @rule(at=which, status=st.sampled_from(["DRAFT", "DRAFT", "CANCELLED"]))
    def open_a_month(self, at: int, status: str) -> None:
        self.set_all(self.pick(self.books.frozen, at)[1], status, CLOSING)

    @precondition(lambda self: any(one["status"] == "CANCELLED" for one in self.books.invoices.values()))
    @rule(at=which, status=st.sampled_from(["SENT", "SENT", "DRAFT", "PAID"]))
    def bring_back(self, at: int, status: str) -> None:
        cancelled = {key: 0 for key, one in self.books.invoices.items() if one["status"] == "CANCELLED"}
        self.set_status(self.pick(cancelled, at), status)

    @precondition(lambda self: any(one["out"] for one in self.there().values()))
    @rule(at=which)
    def send_a_final_invoice(self, at: int) -> None:
        leaving = {key: one for key, one in self.there().items() if one["out"]}
        if self.tried(final_invoices.send, self.pick(leaving, at)):
            self.done = "final"

    @precondition(lambda self: any(one["status"] == "SENT" for one in self.books.invoices.values()))
    @rule()
    def let_the_clock_mark_overdue(self) -> None:
        row = self.landlord.run(lambda tx: accounts.the_account(tx, self.landlord.caller))
        self.tick()
        self.landlord.run(lambda tx: invoices.mark_overdue(tx, row))

    @precondition(lambda self: self.ids)
    @rule(at=which, amount=cents)
    def add_custom_charge(self, at: int, amount: int) -> None:
        self.tried(invoices.add_custom_charge, self.ids[self.pick(self.ids, at)], "Key lost", amount)

    # --- what is decided of corrections

    def months_with(self, *names: str) -> dict[str, int]:
        """The months with corrections that have an amount in one of the named fields."""
        shown = self.books.shown.get(self.house, ()) if self.books.properties else ()
        return {one.month: 0 for one in shown if any(getattr(one, name) for name in names)}

    def decide(self, months: list[str], place: correction_decisions.Place) -> None:
        before = {month: self.books.waiting_of(self.house, month) for month in months}
        if self.tried(correction_decisions.decide, self.house, months, place):
            self.done, self.about = place, {(self.house, month) for month in months}
            if place == "owner":
                for month, waited in before.items():
                    self.books.leave(self.house, month, waited)
            if place == "revoke":
                self.books.forget(self.about)

    @precondition(lambda self: self.months_with("waiting"))
    @rule(at=which)
    def place_what_waits(self, at: int) -> None:
        self.decide([self.pick(self.months_with("waiting"), at)], "next")

    @precondition(lambda self: self.months_with("waiting"))
    @rule()
    def place_all_that_waits(self) -> None:
        self.decide(list(self.months_with("waiting")), "next")

    @precondition(lambda self: self.months_with("waiting"))
    @rule(at=which)
    def leave_to_the_owner(self, at: int) -> None:
        self.decide([self.pick(self.months_with("waiting"), at)], "owner")

    @precondition(lambda self: self.months_with("left", "to_charge"))
    @rule(at=which)
    def revoke(self, at: int) -> None:
        self.decide([self.pick(self.months_with("left", "to_charge"), at)], "revoke")

    def correcting(self) -> dict[Key, int]:
        """The invoices that hold corrections."""
        invoices_ = self.books.invoices.items()
        return {key: 0 for key, one in invoices_ if any(corrects for *_, corrects in one["charges"])}

    @precondition(lambda self: self.correcting())
    @rule(at=which, status=st.sampled_from(["SENT", "SENT", "CANCELLED", "DRAFT", "PAID"]))
    def set_one_that_corrects(self, at: int, status: str) -> None:
        self.set_status(self.pick(self.correcting(), at), status)

    @precondition(lambda self: self.correcting())
    @rule(at=which)
    def send_what_corrects(self, at: int) -> None:
        self.set_all(self.pick(self.correcting(), at)[1], "SENT", {"DRAFT"})

    @rule(automatic=st.booleans())
    def switch_corrections(self, automatic: bool) -> None:
        wishes = Wishes(corrections="automatic" if automatic else "ask")
        self.do(correction_decisions.change_settings, wishes)
        self.done = "settings" if automatic != self.books.automatic else ""
        self.books.automatic = automatic

    # --- money

    @precondition(lambda self: self.ids)
    @rule(
        at=which,
        amount=st.integers(1, 20_000),
        kind=st.sampled_from(["PAYMENT", "PAYMENT", "REFUND"]),
        noted=st.booleans(),
    )
    def receive(self, at: int, amount: int, kind: str, noted: bool) -> None:
        key = self.pick(self.ids, at)
        total = self.books.total(self.books.invoices[key])
        cents_of = total if amount % 3 == 0 and total > 0 else amount
        received = Received(cents_of, self.books.today, kind=kind, in_place_of_noted=noted and kind == "PAYMENT")
        if self.tried(payments.receive, self.ids[key], received) and received.in_place_of_noted:
            self.done, self.about = "noted", {key}

    @precondition(lambda self: any(self.entries.values()))
    @rule(at=which, once=st.sampled_from([False, False, True]))
    def take_money_back(self, at: int, once: bool) -> None:
        there = {(invoice, entry): 0 for invoice, its in self.entries.items() for entry in its}
        invoice, entry = self.pick(there, at)
        key = next(key for key, known in self.ids.items() if known == invoice)
        if self.tried(payments.count_once if once else payments.take_back, invoice, entry):
            self.done, self.about = "noted", {key}
