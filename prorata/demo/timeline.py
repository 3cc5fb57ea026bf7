"""The demo account's year, day by day: moves, bills, invoices and payments.

Everything is done by the same actions that people use.
"""

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import MailWishes, Wishes
from prorata.actions.bills import bills
from prorata.actions.invoices import final_invoices, invoices
from prorata.actions.online_payments import payment_links, providers as payment_providers
from prorata.actions.payments import payments
from prorata.actions.properties import properties, tenants, units
from prorata.actions.recalculation import correction_decisions
from prorata.actions.splitting import share_rules, split_methods
from prorata.actions.splitting.share_rules import Terms
from prorata.actions.splitting.split_methods import NewBlend
from prorata.demo import disputes
from prorata.demo.bills import LATE, LATEST, SENT_LAST, Period, bills_of, bills_of_before, late_bill
from prorata.demo.payments import IN_PARTS, first_parts, given_back, paid_again, payments_of
from prorata.demo.portfolio import (
    BLEND,
    BLEND_COMPONENTS,
    BLEND_NAME,
    CORNER,
    HARBOR,
    HEATHER,
    HOUSES,
    PAY_TO,
    PEOPLE,
    SEPTIC_BY_USE,
    Flat,
    House,
    address_of,
)
from prorata.domain.accounts.pay_to import columns_of
from prorata.domain.billing_calendar import Month, first_day, last_day, month_of, next_month
from prorata.domain.invoice_states import CANCELLED, DRAFT, OVERDUE, SENT
from prorata.domain.splitting.split_methods import CUSTOM, OCCUPANTS
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceSummary

MONTHS = 12
_LAST_PAGE = 100
_SLOW = frozenset({"2D", IN_PARTS, "Shop"})
"""The units whose tenants pay only when the invoice is overdue."""
_NEVER_PAID = frozenset({("2D", 8), ("2D", LATE), ("Shop", 8), ("Cottage 4", 6)})
_FORGIVEN = ("1D", 3)
_PAID_AT_ONCE = frozenset({"1A", "3A", "4A", "2", "Cottage 1"})
_PAID_TWICE = ("3C", 8)
_CORRECTED = "2B"
"""The unit whose newest invoice was sent with a mistake, and then again without it."""
_PAID_TOO_MUCH = ("4A", 9, 20_00)
"""A tenant of Harbor House, with the excess of a standing order in cents."""


class Step(NamedTuple):
    """Work that is done at one moment of the demo's year, in one transaction."""

    at: datetime
    work: Callable[[Tx], object]


class Move(NamedTuple):
    """A tenant's move-out from a unit.

    `until` is the last day of the stay, as a day of the month. If `follows` is set, it names the next tenant, who
    moves in on the day `since`, `months_later` months later.
    """

    place: int
    house: House
    label: str
    until: int
    follows: str | None = None
    months_later: int = 0
    since: int = 1
    has_final_invoice: bool = False


_END = 31
_MOVES = (
    Move(5, HARBOR, "3B", until=14, follows="Nadia Volkova", since=16, has_final_invoice=True),
    Move(6, HARBOR, "4C", until=_END, follows="Marco Silva", months_later=3),
    Move(7, HEATHER, "Cottage 6", until=_END),
    Move(9, HEATHER, "Cottage 2", until=_END),
)
_DEACTIVATED = (8, HEATHER, "Cottage 6")
"""The unit that is given up: the month's position, the property and the label."""


class Year:
    """The demo account's year up to `today`, as `steps` in chronological order."""

    def __init__(self, caller: Caller, today: date) -> None:
        self.caller = caller
        self.today = today
        self.periods = _periods(today)
        self.houses: dict[House, str] = {}
        self.units: dict[tuple[House, str], str] = {}

    def steps(self) -> list[Step]:
        """Build all steps, oldest first."""
        return sorted(self._all_steps(), key=lambda step: step.at)

    def _all_steps(self) -> Iterator[Step]:
        before = _period_before(self.periods[0])
        yield Step(begins(self.today), self._move_in)
        yield self._on(before.day(26), lambda tx: bills.add(tx, self.caller, bills_of_before(before, self.houses)))
        for move in _MOVES:
            yield from self._moves(move)
        place, house, label = _DEACTIVATED
        yield self._on(self.periods[place].day(3), lambda tx: units.remove(tx, self.caller, self.units[house, label]))
        yield self._on(self.periods[5].day(20), self._garbage_by_people)
        for period in self.periods:
            yield self._on(period.day(27), self._bills_come(period))
            if period.place < SENT_LAST:
                yield from self._sent_and_paid(period)
        yield self._on(self.periods[4].day(28), self._new_key("2C"))
        yield self._on(self.periods[LATEST].day(28), self._new_key("2A"), hour=9)
        yield from self._last_days()

    def _on(self, day: date, work: Callable[[Tx], object], *, hour: int = 16) -> Step:
        return Step(datetime.combine(day, time(hour), UTC), work)

    # --- at the start -------------------------------------------------------------------------------------------------

    def _move_in(self, tx: Tx) -> None:
        accounts.change_mail(tx, self.caller, MailWishes(on=False))
        accounts.change_settings(tx, self.caller, Wishes(**columns_of(PAY_TO)))
        blend = split_methods.create(tx, self.caller, NewBlend(BLEND_NAME, BLEND_COMPONENTS))
        for house in HOUSES:
            new = house.new._replace(billing_starts_month=self.periods[0].month)
            property_id = self.houses[house] = properties.create(tx, self.caller, new).id
            properties.change(tx, self.caller, property_id, columns_of(house.pay_to))
            for place, flat in enumerate(house.flats):
                self._furnish(tx, house, flat, place)
            for rule in house.rules:
                terms = Terms(
                    CUSTOM if rule.method == BLEND else rule.method,
                    blend.id if rule.method == BLEND else None,
                    True,
                    rule.weights,
                    Decimal(rule.owner_percent),
                    Decimal(rule.vacant_occupants),
                )
                share_rules.create(tx, self.caller, property_id, rule.utility_type, terms)

    def _furnish(self, tx: Tx, house: House, flat: Flat, place: int) -> None:
        values = {"label": flat.label, "sqft": flat.sqft, "bedrooms": flat.bedrooms, "monthly_rent": flat.rent}
        row = units.create(tx, self.caller, self.houses[house], values)
        self.units[house, flat.label] = row.id
        since = date(first_day(self.periods[0].month).year - 1 - place % 5, 1 + place * 5 % 12, 1)
        for name in flat.tenants:
            tenant = {"name": name, "email": address_of(name), "move_in": since.isoformat(),
                      "occupants": PEOPLE.get(name, 1)}  # fmt: skip
            tenants.create(tx, self.caller, row.id, tenant)

    # --- through the year ---------------------------------------------------------------------------------------------

    def _moves(self, move: Move) -> Iterator[Step]:
        """Enter a tenant's move-out on the 5th of the month, and the next tenant's move-in.

        The move-in is entered on its day. A final invoice, if the move has one, is sent on the 28th.
        """
        period = self.periods[move.place]
        until = min(period.day(1) + timedelta(days=move.until - 1), last_day(period.month))
        unit_id = (move.house, move.label)

        def leave(tx: Tx) -> None:
            for tenant in tenants.of_unit(tx, self.caller, self.units[unit_id]):
                tenants.change(tx, self.caller, tenant.id, {"move_out": until.isoformat()})

        def send_final_invoice(tx: Tx) -> None:
            gone, *_ = tenants.of_unit(tx, self.caller, self.units[unit_id])
            final_invoices.send(tx, self.caller, gone.id)

        yield self._on(period.day(5), leave, hour=9)
        if move.has_final_invoice:
            yield self._on(period.day(28), send_final_invoice, hour=9)
        if move.follows is not None:
            name, since = move.follows, self.periods[move.place + move.months_later].day(move.since)
            values = {"name": name, "email": address_of(name), "move_in": since.isoformat()}
            yield self._on(since, lambda tx: tenants.create(tx, self.caller, self.units[unit_id], values), hour=9)

    def _garbage_by_people(self, tx: Tx) -> None:
        """Split garbage by people instead of bedrooms from the next month on.

        Earlier months keep their rule.
        """
        for rule in share_rules.of_property(tx, self.caller, self.houses[HARBOR]):
            if rule.row.utility_type == "GARBAGE":
                since = self.periods[6].month
                share_rules.change(tx, self.caller, rule.row.id, {"split_method": OCCUPANTS}, since=since)

    def _bills_come(self, period: Period) -> Callable[[Tx], object]:
        return lambda tx: bills.add(tx, self.caller, bills_of(period, self.houses))

    def _new_key(self, label: str) -> Callable[[Tx], object]:
        """Add a custom charge to the newest draft of a unit at Harbor House."""

        def charge(tx: Tx) -> None:
            newest, *_ = self._invoices(tx, {"unit": self.units[HARBOR, label], "status": DRAFT})
            invoices.add_custom_charge(tx, self.caller, newest.id, "New key for the front door", 25_00)

        return charge

    def _sent_and_paid(self, period: Period) -> Iterator[Step]:
        """Send a month's invoices on the 5th of the next month, and enter their payments.

        Most tenants pay on the 9th or 15th. The other invoices become overdue on the 21st; some are paid on the 26th
        and some never. One tenant pays in two parts, one once pays twice, and one once pays too much.
        """
        after = Period(period.place + 1, next_month(period.month))
        yield self._on(after.day(5), lambda tx: self._send(tx, period))
        yield self._on(after.day(9), lambda tx: self._pay(tx, period, after.day(9), _PAID_AT_ONCE))
        yield self._on(after.day(12), lambda tx: self._forgive(tx, period))
        in_time = {flat.label for house in HOUSES for flat in house.flats} - _SLOW
        in_time -= {label for label, place in _NEVER_PAID if place == period.place}
        yield self._on(after.day(15), lambda tx: self._pay(tx, period, after.day(15), in_time))
        yield self._on(after.day(15), lambda tx: self._pay_half(tx, period, after.day(15)), hour=17)
        if period.place == _PAID_TWICE[1]:
            yield self._on(after.day(18), lambda tx: self._pay_again(tx, period, after.day(18)))
            yield self._on(after.day(20), lambda tx: self._give_back(tx, period, after.day(20)))
        if period.place == disputes.ENDED[1]:
            yield self._on(after.day(6), lambda tx: self._dispute(tx, period, disputes.WHY_ENDED))
            yield self._on(after.day(8), lambda tx: disputes.end(tx, self.caller, self._disputed(tx, period)))
        yield self._on(after.day(21), lambda tx: invoices.mark_overdue(tx, accounts.the_account(tx, self.caller)))
        at_last = {label for label in _SLOW if (label, period.place) not in _NEVER_PAID}
        yield self._on(after.day(26), lambda tx: self._pay(tx, period, after.day(26), at_last))

    def _send(self, tx: Tx, period: Period) -> None:
        """Send the drafts of a month that have a tenant, and cancel the others.

        The owner bears the costs of the vacant units, which the cancelled drafts are for.
        """
        drafts = self._invoices(tx, {"month": period.month, "status": DRAFT})
        for invoice in drafts:
            if invoice.tenant_name is not None:
                invoices.set_status(tx, self.caller, invoice.id, SENT)
        for invoice in drafts:
            if invoice.tenant_name is None:
                invoices.set_status(tx, self.caller, invoice.id, CANCELLED)

    def _pay(self, tx: Tx, period: Period, day: date, labels: Collection[str]) -> None:
        for status in (SENT, OVERDUE):
            owed = self._invoices(tx, {"month": period.month, "status": status})
            label, place, more = _PAID_TOO_MUCH
            too_much = (label, more) if period.place == place else ("", 0)
            payments.receive_many(tx, self.caller, payments_of(owed, labels, day, too_much))

    def _pay_half(self, tx: Tx, period: Period, day: date) -> None:
        owed = self._invoices(tx, {"month": period.month, "status": SENT})
        payments.receive_many(tx, self.caller, first_parts(owed, day))

    def _pay_again(self, tx: Tx, period: Period, day: date) -> None:
        payments.receive(tx, self.caller, *paid_again(self._paid_twice(tx, period), day))

    def _give_back(self, tx: Tx, period: Period, day: date) -> None:
        payments.receive(tx, self.caller, *given_back(self._paid_twice(tx, period), day))

    def _paid_twice(self, tx: Tx, period: Period) -> InvoiceSummary:
        (invoice,) = self._invoices(tx, {"month": period.month, "unit": self.units[HARBOR, _PAID_TWICE[0]]})
        return invoice

    def _dispute(self, tx: Tx, period: Period, why: str) -> None:
        disputes.open_one(tx, self.caller, self._disputed(tx, period), why)

    def _disputed(self, tx: Tx, period: Period) -> InvoiceSummary:
        label = disputes.ENDED[0] if period.place == disputes.ENDED[1] else disputes.OPEN
        (invoice,) = self._invoices(tx, {"month": period.month, "unit": self.units[HARBOR, label]})
        return invoice

    def _forgive(self, tx: Tx, period: Period) -> None:
        label, place = _FORGIVEN
        if place == period.place:
            for invoice in self._invoices(tx, {"month": period.month, "unit": self.units[HARBOR, label]}):
                invoices.set_status(tx, self.caller, invoice.id, CANCELLED)

    def _invoices(self, tx: Tx, filters: dict[str, str]) -> list[InvoiceSummary]:
        listed_invoices, total = invoices.page(tx, self.caller, filters, limit=_LAST_PAGE, offset=0, details=False)
        assert total <= _LAST_PAGE, "a month of the demo fits on a page"
        return [invoice.summary for invoice in listed_invoices]

    # --- the last days ------------------------------------------------------------------------------------------------

    def _last_days(self) -> Iterator[Step]:
        """Send the last invoices late, and make changes that need a person's attention.

        These invoices are sent late so that they are not yet due. One of the changes is a late bill, which waits for
        a decision because its month is closed.
        """
        period = self.periods[SENT_LAST]
        sent = max(self.today - timedelta(days=6), Period(0, next_month(period.month)).day(5))
        yield self._on(sent, lambda tx: self._send_by_mail(tx, period))
        yield self._on(self.today - timedelta(days=4), lambda tx: self._correct(tx, period))
        paid = self.today - timedelta(days=3)
        yield self._on(paid, lambda tx: self._pay(tx, period, paid, _PAID_AT_ONCE))
        last = self.today - timedelta(days=2)
        yield self._on(last, lambda tx: self._dispute(tx, period, disputes.WHY_OPEN), hour=11)
        yield self._on(last, self._late_bill_comes)
        yield self._on(self.today - timedelta(days=1), self._split_by_use, hour=9)
        yield self._on(self.today - timedelta(days=1), self._take_payments_online)

    def _send_by_mail(self, tx: Tx, period: Period) -> None:
        """Turn on sending by e-mail, and send a month's invoices.

        While the demo runs, messages are written to the outbox folder.
        """
        accounts.change_mail(tx, self.caller, MailWishes(on=True, days_before=(3,), days_after=(7, 21)))
        self._send(tx, period)

    def _correct(self, tx: Tx, period: Period) -> None:
        """Take an invoice back to draft, add a forgotten credit, and send it again.

        The new version replaces the first.
        """
        (wrong,) = self._invoices(tx, {"month": period.month, "unit": self.units[HARBOR, _CORRECTED]})
        invoices.set_status(tx, self.caller, wrong.id, DRAFT)
        invoices.add_custom_charge(tx, self.caller, wrong.id, "Credit for clearing the snow", -15_00)
        invoices.set_status(tx, self.caller, wrong.id, SENT)

    def _take_payments_online(self, tx: Tx) -> None:
        """Turn on online payments late, so that only open invoices get a link.

        If they were on from the start, hundreds of links for paid invoices would have to be made and closed.
        """
        payment_providers.use_sandbox(tx, self.caller, is_on=True)
        owed = [invoice for status in (SENT, OVERDUE) for invoice in self._invoices(tx, {"status": status})]
        payment_links.look_at(tx, self.caller.account_id, [invoice_summary.id for invoice_summary in owed])

    def _late_bill_comes(self, tx: Tx) -> None:
        bills.add(tx, self.caller, [late_bill(self.periods[LATE], self.houses, self.today - timedelta(days=4))])

    def _split_by_use(self, tx: Tx) -> None:
        """Split the septic tank's costs by entered weights instead of equally among the cottages.

        The bill's month is already closed, so each difference is charged on the next invoices.
        """
        for rule in share_rules.of_property(tx, self.caller, self.houses[HEATHER]):
            if rule.row.utility_type == "OTHER":
                changes = {"split_method": CUSTOM, "custom_weights_json": SEPTIC_BY_USE}
                share_rules.change(tx, self.caller, rule.row.id, changes)
        correction_rows = correction_decisions.of_property(tx, self.caller, self.houses[HEATHER])
        months = sorted({correction.row.month for correction in correction_rows if correction.row.waiting_amount})
        correction_decisions.decide(tx, self.caller, self.houses[HEATHER], months, "next")


def begins(today: date) -> datetime:
    """Return the time at which the demo account is opened.

    It is early in the month before the account's year begins.
    """
    return datetime.combine(_period_before(_periods(today)[0]).day(2), time(16), UTC)


def _periods(today: date) -> tuple[Period, ...]:
    """List the twelve months before the month of `today`, oldest first."""
    month = Month(f"{today.year - 1:04d}-{today.month:02d}")
    periods = []
    for place in range(MONTHS):
        periods.append(Period(place, month))
        month = next_month(month)
    return tuple(periods)


def _period_before(period: Period) -> Period:
    return Period(period.place - 1, month_of(period.day(1) - timedelta(days=1)))


assert {CORNER, HARBOR, HEATHER} == set(HOUSES), "every house has its place"
