"""The data for measurements, which the program's own actions build into a SQLite file.

The account has 200 properties of 20 units, 24 months, and five charges per invoice, which makes 96,000 invoices and
480,000 charges; another scale multiplies the number of properties. The oldest 18 months are closed, and their invoices
are SENT, PAID or OVERDUE.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from operator import sub
from pathlib import Path
from typing import NamedTuple

from prorata import wiring
from prorata.actions.accounts import accounts, api_keys
from prorata.actions.bills import bills
from prorata.actions.overview.schedule import RECURRING
from prorata.actions.properties import properties, unit_imports
from prorata.actions.recalculation import loaded_months as month_actions
from prorata.domain.accounts.api_keys import write_key
from prorata.domain.billing_calendar import Month, first_day, month_of, next_month
from prorata.domain.bills.bills import NewBill
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.mail.deliveries import HAND_OVER
from prorata.domain.properties.unit_files import FileTenant, FileUnit
from prorata.domain.splitting.month_facts import to_json
from prorata.settings import read_settings
from prorata.store.accounts import accounts as account_store, open_money
from prorata.store.accounts.accounts import Counts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.store.database.sqlite import SqliteDatabase
from prorata.store.invoices import invoices, open_money as open_invoices
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.migrations import upgrade
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months
from prorata.store.webhooks.event_outbox import note_deeds

SECRET = "the secret of the measurements, and long enough"
_RANDOM = bytes(range(24))
KEY = write_key(_RANDOM)
EMAIL = "bench@example.com"
MONTHS = 24
CLOSED = 18
FIRST_MONTH = date(2024, 1, 1)
_NOT_DUE = "2099-12-31"
"""When what was sent is due: the program's clock is to change nothing while it is measured."""
_BILLS = (
    ("City Water Department", (("WATER", 61_300), ("SEWER", 44_200))),
    ("Prairie Power", (("ELECTRICITY", 148_700),)),
    ("Prairie Gas", (("GAS", 97_500),)),
    ("Midway Hauling", (("GARBAGE", 38_600),)),
)
"""Four bills a month and property, with five lines: issuer, and about how much of what."""
_PROPERTIES_AT_ONCE = 100
_STREETS = ("Elm", "Maple", "Cedar", "Lake", "Mill", "Church", "Prospect", "Washington")
_NAMES = ("Ann Chen", "Bo Novak", "Carla Díaz", "Dmitri O’Neill", "Ewa Kowalska", "Farid Haddad", "Grace Kim")


class Shape(NamedTuple):
    """The size of an account: properties with their units, months of bills, and closed months.

    The closed months are the first ones.
    """

    name: str
    properties: tuple[int, ...]
    months: int
    closed: int

    @property
    def units(self) -> int:
        """The number of units of all properties."""
        return sum(self.properties)

    @property
    def invoices(self) -> int:
        """The number of invoices of all months."""
        return self.units * self.months


def account(scale: float) -> Shape:
    """Return the shape of the account that is read and written.

    A scale of 1 means 200 properties.
    """
    return Shape("account", (20,) * max(2, round(200 * scale)), MONTHS, CLOSED)


def rules() -> Shape:
    """Return the shape of two properties, of 20 and of 1,000 units.

    They have six open months.
    """
    return Shape("rules", (20, 1_000), 6, 0)


def bare(scale: float) -> Shape:
    """Return the shape of 5,000 properties of 20 units, before their first bill.

    `scale` multiplies the number of properties.
    """
    return Shape("bare", (20,) * max(4, round(5_000 * scale)), 0, 0)


class Clock:
    """A clock that stands still until set."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment


def build(shape: Shape, file: Path) -> None:
    """Build an account into a new SQLite file."""
    upgrade(f"sqlite:///{file}")
    clock = Clock(_before(FIRST_MONTH))
    database = SqliteDatabase(file, clock, listener=note_deeds)
    live(database, clock, database.write(_open_account), shape)
    database.close()


def live(
    database: Database, clock: Clock, caller: Caller, shape: Shape, first: date = FIRST_MONTH
) -> list[PropertyRow]:
    """Give an account its properties, then go through the months from `first` on.

    The clock is set to each month in turn.
    """
    clock.moment = _before(first)
    rows: list[PropertyRow] = []
    for start in range(0, len(shape.properties), _PROPERTIES_AT_ONCE):
        sizes = shape.properties[start : start + _PROPERTIES_AT_ONCE]
        rows += database.write(partial(_furnish, caller=caller, first=start, sizes=sizes))
    for place, month in enumerate(_months(shape.months, first)):
        clock.moment = datetime.combine(first_day(month) + timedelta(days=26), datetime.min.time(), UTC)
        for start in range(0, len(rows), _PROPERTIES_AT_ONCE):
            some = rows[start : start + _PROPERTIES_AT_ONCE]
            database.write(partial(bills.add, caller=caller, new=list(_bills_of(some, month))))
            if place < shape.closed:
                database.write(partial(_close, caller=caller, rows=some, month=month))
    return rows


def _before(first: date) -> datetime:
    """Return a moment some days before the first month."""
    return datetime.combine(first - timedelta(days=9), datetime.min.time(), UTC)


def _open_account(tx: Tx) -> Caller:
    row = accounts.open_account(
        tx,
        recurs=RECURRING,
        name="Bench",
        email=EMAIL,
        password_hash="-",
        timezone="UTC",
        locale="en-US",
        currency="USD",
    )
    caller = Caller(row.id, "bench")
    settings = read_settings({"PRORATA_SECRET_KEY": SECRET}, Path("/dev/null"))
    api_keys.create(
        tx, caller, name="bench", permission="FULL", expires_at=None, random_bytes=_RANDOM,
        hasher=wiring.hasher(settings),
    )  # fmt: skip
    return caller


def _months(number: int, first: date) -> Iterator[Month]:
    month = month_of(first)
    for _ in range(number):
        yield month
        month = next_month(month)


def _furnish(tx: Tx, caller: Caller, first: int, sizes: Sequence[int]) -> list[PropertyRow]:
    made = []
    for number, size in enumerate(sizes, start=first + 1):
        street = _STREETS[number % len(_STREETS)]
        new = properties.NewProperty(f"{street} House {number}", str(number), street, "Fairmount", "IL", "62701", "US")
        row = properties.create(tx, caller, new)
        unit_imports.import_units(tx, caller, row.id, tuple(_unit(number, place) for place in range(size)))
        made.append(row)
    return made


def _unit(number: int, place: int) -> FileUnit:
    """Build a unit of a property; one in ten is vacant."""
    name = _NAMES[(number + place) % len(_NAMES)]
    tenant = FileTenant(place, f"{name} {place}", f"tenant.{number}.{place}@example.com", date(2023, 5, 1))
    stands_empty = (number + place) % 10 == 0
    return FileUnit(
        place,
        f"{place // 4 + 1}{'ABCD'[place % 4]}",
        Decimal(450 + (number * 7 + place * 31) % 900) + Decimal("0.5") * (place % 2),
        1 + place % 3,
        (900 + 40 * (place % 20)) * 100,
        None,
        () if stands_empty else (tenant,),
    )


def _bills_of(rows: Sequence[PropertyRow], month: Month) -> Iterator[NewBill]:
    for number, row in enumerate(rows):
        for issuer, about in _BILLS:
            amounts = tuple((kind, amount + number * 37 + int(month[-2:]) * 411) for kind, amount in about)
            yield NewBill(
                row.id,
                issuer,
                tuple(kind for kind, _ in amounts),
                sum(amount for _, amount in amounts),
                first_day(month) + timedelta(days=24),
                amounts=amounts,
            )


def _close(tx: Tx, caller: Caller, rows: Sequence[PropertyRow], month: Month) -> None:
    """Set a month's invoices to SENT, PAID and OVERDUE like the program, but at once."""
    months = []
    changed: list[InvoiceRow] = []
    counts: dict[tuple[str, str], Counts] = {}
    loaded = {each.row.property_id: each for each in month_actions.load(tx, caller.account_id, rows, [month])}
    labels = {unit_id: unit.label for each in loaded.values() for unit_id, unit in each.property.units.items()}
    named = {row.id: row for row in rows}
    before = invoices.of_months(tx, caller.account_id, list(loaded), [month])
    after = [_sent(tx, row, place, named[row.property_id], labels[row.unit_id]) for place, row in enumerate(before)]
    changed += after
    for property_id, each in loaded.items():
        its = [row for row in after if row.property_id == property_id]
        numbers = Counter(row.status.lower() for row in its)
        received = sum(row.paid_amount for row in its)
        row = each.row._replace(
            draft=0, sent=numbers["sent"], paid=numbers["paid"], overdue=numbers["overdue"], received=received,
            snapshot=to_json(each.now), first_closed_at=tx.now, settles=True,
        )  # fmt: skip
        months.append(row)
        counts[property_id, str(month)] = Counts(-len(its), row.sent, row.paid, row.overdue)
    invoices.save_standing(tx, changed)
    billing_months.save_many(tx, months)
    account_store.add_to_invoice_counts(tx, caller.account_id, counts)
    kept = {row.currency: row.money for row in open_money.of_account(tx, caller.account_id)}
    for one in open_invoices.computed(tx, caller.account_id):
        missing = map(sub, one.money, kept.get(one.currency, OpenMoney()))
        open_money.add(tx, caller.account_id, {one.currency: OpenMoney(*missing)})


def _sent(tx: Tx, row: InvoiceRow, place: int, of: PropertyRow, label: str) -> InvoiceRow:
    """Make an invoice SENT, or OVERDUE (one in ten) or PAID (seven in ten).

    A person still has to hand over each of them. If an invoice was neither mailed nor to be handed over, a change of
    its status would make it something to hand over, which the peers know nothing about.
    """
    overdue, paid = place % 10 == 0, place % 10 > 2
    address = {"name": of.name, "streetNumber": of.street_number, "street": of.street, "city": of.city}
    address |= {"state": of.state, "zip": of.zip, "country": of.country}
    biller = {"name": "Bench", "address": "", "contact": EMAIL}
    printed = {"biller": biller, "property": address, "unit": {"label": label}, "currency": of.currency}
    return row._replace(
        status="OVERDUE" if overdue else "PAID" if paid else "SENT",
        due_date=row.invoice_date if overdue else _NOT_DUE,
        issued=True,
        delivery=HAND_OVER,
        printed=json.dumps(printed, ensure_ascii=False),
        paid_amount=row.total if paid else 0,
        paid_by_status=row.total if paid else 0,
        paid_at=tx.now if paid else None,
        payment_status="paid" if paid else "pending",
        updated_at=tx.now,
    )


class Records(NamedTuple):
    """The ids that requests name."""

    account: str
    properties: list[str]
    changeable: list[tuple[str, str]]
    """Invoices of closed months that are SENT or PAID, and which of the two; those that nobody gets are left out: set
    to SENT they become something to hand over, which the peers know nothing of.
    """
    rules: list[str]
    """The rule for water of each property."""
    invoices: int


def records(file: Path) -> Records:
    """Read the records of a built file."""
    with closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as connection:

        def column(query: str) -> list[str]:
            return [row[0] for row in connection.execute(query)]

        return Records(
            column("select id from account")[0],
            column("select id from property order by id"),
            connection.execute(
                "select id, status from invoice"
                " where status in ('SENT', 'PAID') and tenant_email is not null order by id"
            ).fetchall(),
            column("select id from share_rule where utility_type = 'WATER' order by property_id"),
            connection.execute("select count(*) from invoice").fetchone()[0],
        )
