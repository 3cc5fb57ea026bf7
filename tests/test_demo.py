"""The demo has everything that can happen, exact to the cent, and is made once."""

import json
import stat
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import sqlalchemy

from prorata.actions.accounts import api_keys
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.bills import bills
from prorata.actions.delivery import disputes
from prorata.actions.invoices import invoices
from prorata.actions.invoices.invoices import ShownInvoice
from prorata.actions.online_payments.payment_links import LINK
from prorata.actions.overview.consistency_checks import check
from prorata.actions.payments import payments
from prorata.actions.properties import properties, units
from prorata.actions.splitting import explanations, share_rules, split_methods
from prorata.demo import EMAIL, DemoAccount, prepare
from prorata.demo.timeline import Year, begins
from prorata.domain.splitting.verification import verify
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills as stored_bills
from prorata.store.bills.bills import BilledLine
from prorata.store.database.engine import Database, Tx
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.properties import units as stored_units
from prorata.store.recalculation import corrections
from prorata.store.recalculation.corrections import CorrectionRow
from prorata.store.schema.tables import metadata
from prorata.wiring import open_database
from tests.domain.splitting import replayed

TODAY = date(2026, 3, 17)
HASHER = KeyHasher([b"a secret of the tests"])


def open_at(url: str, moment: datetime = datetime(2026, 3, 17, 15, 0, tzinfo=UTC)) -> Database:
    settings = read_settings({"PRORATA_DATABASE_URL": url}, Path("no such file"))
    return open_database(settings, lambda: moment)


@pytest.fixture
def database(migrated_url: str) -> Iterator[Database]:
    opened = open_at(migrated_url)
    yield opened
    opened.close()


@pytest.fixture
def sqlite(migrated_sqlite_url: str) -> Iterator[Database]:
    opened = open_at(migrated_sqlite_url)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def demo(lasting_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, DemoAccount]]:
    """A demo account that no test changes."""
    opened = open_at(lasting_url)
    yield opened, prepared(opened, tmp_path_factory.mktemp("demo") / "key")
    opened.close()


def prepared(database: Database, keep: Path, today: date = TODAY) -> DemoAccount:
    return prepare(database, HASHER, today, keep, hash_password=lambda password: f"hash of {len(password)}")


def caller_of(demo: DemoAccount) -> Caller:
    return Caller(demo.account_id, "test")


def every_invoice(tx: Tx, caller: Caller) -> list[ShownInvoice]:
    found: list[ShownInvoice] = []
    while page := invoices.page(tx, caller, {}, limit=100, offset=len(found), details=True)[0]:
        found += page
    return found


def every_bill(tx: Tx, caller: Caller) -> list[stored_bills.BillSummary]:
    found: list[stored_bills.BillSummary] = []
    while page := bills.page(tx, caller, limit=100, offset=len(found))[0]:
        found += page
    return found


def every_line(tx: Tx, caller: Caller) -> list[BilledLine]:
    ids = [row.id for row in properties.page(tx, caller, limit=100, offset=0)[0]]
    months = sorted({month for _, month in stored_bills.months_of_lines(tx, caller.account_id, ids)})
    return stored_bills.billed_lines(tx, caller.account_id, ids, months)


def every_correction(tx: Tx, caller: Caller) -> list[CorrectionRow]:
    ids = [row.id for row in properties.page(tx, caller, limit=100, offset=0)[0]]
    return [row for one in ids for row in corrections.of_property(tx, caller.account_id, one)]


def everything_stored(url: str) -> dict[str, list[tuple[object, ...]]]:
    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        rows = {
            name: sorted(map(tuple, connection.execute(sqlalchemy.select(table))), key=repr)
            for name, table in metadata.tables.items()
        }
    engine.dispose()
    return rows


def what_is_missing(database: Database, demo: DemoAccount) -> list[str]:
    """List everything that the demo should show but does not."""
    caller = caller_of(demo)
    return database.read(
        lambda tx: [
            what
            for part in (of_the_houses, of_the_rules, of_the_invoices, of_the_payments, of_the_bills)
            for what, is_so in part(tx, caller)
            if not is_so
        ]
    )


def of_the_houses(tx: Tx, caller: Caller) -> Iterator[tuple[str, bool]]:
    houses, _ = properties.page(tx, caller, limit=100, offset=0)
    flats = stored_units.of_properties(tx, caller.account_id, [house.id for house in houses])
    tenants = stored_units.tenants_of_properties(tx, caller.account_id, [house.id for house in houses])
    yield "three properties", len(houses) == 3
    yield "two currencies", {house.currency for house in houses} == {"USD", "EUR"}
    yield "some thirty units", 28 <= len(flats) <= 34
    yield "a deactivated unit", sum(not units.is_active(flat, TODAY.isoformat()) for flat in flats) == 1
    yield "measures and rents", all(flat.sqft and flat.monthly_rent for flat in flats)
    domains = {tenant.email.rpartition("@")[2] for tenant in tenants if tenant.email}
    yield "addresses that belong to nobody", domains == {"example.com", "example.org"}
    yield "tenants without an address", any(tenant.email is None for tenant in tenants)
    left = {(tenant.unit_id, tenant.move_out[:7]) for tenant in tenants if tenant.move_out}
    came = {(tenant.unit_id, tenant.move_in[:7]) for tenant in tenants if tenant.move_in}
    yield "a change of tenants in a month", bool(left & came)


def of_the_rules(tx: Tx, caller: Caller) -> Iterator[tuple[str, bool]]:
    houses, _ = properties.page(tx, caller, limit=100, offset=0)
    rules = [rule.row for house in houses for rule in share_rules.of_property(tx, caller, house.id)]
    methods = {rule.split_method for rule in rules if rule.split_method_id is None}
    percents = [json.loads(rule.weights) for rule in rules if rule.split_method == "PERCENTAGE" and rule.weights]
    yield "all six methods", methods == {"EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM"}
    yield (
        "a blend",
        {rule.split_method_id for rule in rules} == {None, *(m.id for m in split_methods.all_own(tx, caller))},
    )
    yield "an owner's percent", any(rule.owner_percent != "0" for rule in rules)
    yield "assumed occupants", any(rule.vacant_occupants != "0" for rule in rules)
    yield "percentages below 100", any(sum(map(int, weights.values())) < 100 for weights in percents)


def of_the_invoices(tx: Tx, caller: Caller) -> Iterator[tuple[str, bool]]:
    shown = every_invoice(tx, caller)
    summaries = [invoice.summary for invoice in shown]
    by_hand = [charge for invoice in shown for charge in invoice.charges or () if charge.bill_id is None]
    statuses: dict[str, set[str]] = defaultdict(set)
    for one in summaries:
        statuses[one.month].add(one.status)
    *months, newest = sorted(statuses)
    yield "twelve months", (months[0], newest, len(months)) == ("2025-03", "2026-02", 11)
    yield "all five states", {one.status for one in summaries} == {"DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"}
    yield "drafts in the newest month", statuses[newest] == {"DRAFT"}
    yield "drafts in no other month", not any("DRAFT" in statuses[month] for month in months)
    yield "the month before it sent", "SENT" in statuses[months[-1]]
    yield "older months paid", all("PAID" in statuses[month] for month in months[:-1])
    yield "a vacancy now", any(one.status == "DRAFT" and one.tenant_name is None for one in summaries)
    yield "charges by hand", len(by_hand) == 3
    yield "one that replaces another", [one.replaces_number for one in summaries if one.replaces_number] != []
    yield "a final invoice", any(one.sequence and one.invoice_date[:7] == one.month for one in summaries)
    yield "a month that waits", len({(one.property_id, one.month) for one in summaries if one.pending}) == 1
    placed = [row for row in every_correction(tx, caller) if row.to_charge_amount]
    yield "corrections on the next invoices", len(placed) > 1
    disputed, _ = disputes.page(tx, caller, {}, limit=10, offset=0)
    yield "a dispute that is open, and one that ended", {one.row.state for one in disputed} == {"OPEN", "RESOLVED"}
    water = {(one.summary.unit_id, one.summary.month): charge for one in shown for charge in one.charges or ()
             if charge.utility_type == "WATER"}  # fmt: skip
    yield "disputes of water", all(water[one.row.unit_id, one.row.month].id == one.row.charge_id for one in disputed)
    (its,) = (one.row for one in disputed if one.row.state == "OPEN")
    before = water[its.unit_id, max(month for unit, month in water if unit == its.unit_id and month < its.month)]
    yield "of a charge that is high", 1.8 < its.charged / before.amount < 2.2


def of_the_payments(tx: Tx, caller: Caller) -> Iterator[tuple[str, bool]]:
    summaries = [invoice.summary for invoice in every_invoice(tx, caller)]
    ledgers = [payments.ledger(tx, caller, one.id) for one in summaries if one.status in ("PAID", "OVERDUE")]
    entries = [entry for ledger in ledgers for entry in ledger.entries]
    yield "what is paid is in the ledgers", not any(ledger.noted for ledger in ledgers)
    paid = {entry.method for entry in entries if entry.kind == "PAYMENT"}
    yield "by transfer, by cheque and in cash", paid == {"TRANSFER", "CHEQUE", "CASH"}
    carried = [entry for entry in entries if entry.kind == "CARRY"]
    yield "a carried credit", {entry.amount for entry in carried} >= {-20_00, 20_00}
    yield "a refund", [entry.note for entry in entries if entry.kind == "REFUND"] == ["Paid twice"]
    yield "payments in two parts", any(len(ledger.entries) == 2 for ledger in ledgers)
    yield "nothing that is paid is open", all(one.paid_amount == one.total for one in summaries if one.status == "PAID")


def of_the_bills(tx: Tx, caller: Caller) -> Iterator[tuple[str, bool]]:
    lines, received = every_line(tx, caller), every_bill(tx, caller)
    yield "a late bill", [bill.issuer_name for bill in received if bill.waiting] == ["Lakeshore Electric"]
    yield "a credit", any(bill.total < 0 for bill in received)
    yield "combined bills", any(bill.utility_types == "WATER;SEWER;GARBAGE" for bill in received)
    yield "bills split by guess", any(line.guessed for line in lines)
    yield "lines that are not billed", sum(line.utility_type is None for line in lines) == 2
    yield "OTHER", any(line.utility_type == "OTHER" for line in lines)
    yield "history", any(bill.billing_month == "2025-02" for bill in received)
    yield "every state", {bill.payment_status for bill in received} == {"PAID", "PENDING", "OVERDUE", "UNPAID"}


def test_the_demo_account_shows_everything_that_can_happen(demo):
    database, account = demo
    assert account.email == EMAIL
    assert what_is_missing(database, account) == []


def test_every_line_of_the_demo_is_charged_to_the_cent(demo):
    database, account = demo
    caller = caller_of(account)
    shown, lines = database.read(lambda tx: (every_invoice(tx, caller), every_line(tx, caller)))
    charged: dict[tuple[str, int], int] = defaultdict(int)
    for invoice in shown:
        assert invoice.charges is not None
        if invoice.summary.status != "CANCELLED":
            assert invoice.summary.total == sum(charge.amount for charge in invoice.charges)
            for charge in invoice.charges:
                if charge.bill_id is not None and charge.line is not None:
                    charged[charge.bill_id, charge.line] += charge.amount
    waiting: dict[tuple[str, int], int] = defaultdict(int)
    for row in database.read(lambda tx: every_correction(tx, caller)):
        waiting[row.bill_id, row.line] += row.waiting_amount
    assert len(lines) > 150
    for line in lines:
        key = line.bill_id, line.number
        parts = charged[key] + line.owner_amount + (waiting[key] if line.charged else 0)
        assert parts == (line.amount if line.charged else 0), line
    of_bill: dict[str, int] = defaultdict(int)
    for line in lines:
        of_bill[line.bill_id] += line.amount
    assert all(of_bill[line.bill_id] == line.bill_total for line in lines)


def test_every_charge_of_the_demo_is_replayed_from_explanations_alone(demo):
    database, account = demo
    caller = caller_of(account)
    shown = database.read(lambda tx: every_invoice(tx, caller))
    replays, carried, own = {}, defaultdict(int), {}
    for key in sorted({(one.summary.property_id, one.summary.month) for one in shown}):
        text = database.read(lambda tx, key=key: explanations.of_month(tx, caller, *key))
        assert verify(text).differences == (), key
        content = replayed.read(text)
        replays[key], _ = replayed.charges_of(content)
        for one in content["corrections"]:
            carried[*key, one["month"], one["billId"], one["line"], one["unitId"]] += replayed.cents(one["amount"])
    charged, corrected = defaultdict(int), defaultdict(int)
    for one in shown:
        row = one.summary
        text = database.read(lambda tx, row=row: explanations.of_invoice(tx, caller, row.id))
        assert (verify(text).differences, verify(text).ask) == ((), ()), row.number
        own[row.id] = [replayed.cents(charge["amount"]) for charge in replayed.read(text)["charges"]]
        assert sorted(own[row.id]) == sorted(charge.amount for charge in one.charges), row.number
        kinds = [charge["kind"] for charge in json.loads(text)["charges"]]
        assert kinds.count("share") == sum(
            charge.bill_id is not None and charge.corrects_month is None for charge in one.charges
        ), row.number
        for charge in one.charges if row.status != "CANCELLED" else ():
            if charge.corrects_month is not None:
                place = row.property_id, row.month, charge.corrects_month, charge.bill_id, charge.line, row.unit_id
                corrected[place] += charge.amount
            elif charge.bill_id is not None:
                homes = {key[3] for key in replays[row.property_id, row.month] if key[2] == row.unit_id}
                home = next((one for one in homes if row.tenant_id in one), () if row.tenant_id is None else None)
                charged[row.property_id, row.month, charge.bill_id, charge.line, row.unit_id, home] += charge.amount
    assert len(charged) > 100
    for key, cents in charged.items():
        assert replays[key[:2]].get(key[2:], 0) == cents, key
    assert dict(corrected) == {key: cents for key, cents in carried.items() if cents}


def test_the_check_finds_nothing_in_the_demo(demo):
    database, _ = demo
    assert list(check(database)) == []


def test_what_is_open_in_the_demo_gets_a_link_once_it_runs_and_what_was_paid_leaves_no_work(demo):
    database, account = demo
    caller = caller_of(account)
    shown = [one.summary for one in database.read(lambda tx: every_invoice(tx, caller))]

    def links_asked(tx: Tx, invoice_id: str) -> int:
        return [job.kind for job in stored_jobs.of_subject(tx, caller.account_id, invoice_id)].count(LINK)

    jobs = database.read(lambda tx: {one.id: links_asked(tx, one.id) for one in shown})
    waiting = {invoice_id: number for invoice_id, number in jobs.items() if number}
    assert waiting == {one.id: 1 for one in shown if one.status in ("SENT", "OVERDUE")}
    assert 20 < len(waiting) < 40


@pytest.mark.thorough
def test_preparing_the_demo_twice_changes_nothing(database, migrated_url, tmp_path):
    clock = database.clock
    first = prepared(database, tmp_path / "key")
    assert database.clock is clock
    stored = everything_stored(migrated_url)
    assert prepared(database, tmp_path / "key", date(2026, 5, 2)) == first
    assert everything_stored(migrated_url) == stored


def test_the_key_of_the_demo_is_kept_where_only_its_owner_reads_it(sqlite, tmp_path):
    demo = prepared(sqlite, tmp_path / "below" / "key")
    assert stat.S_IMODE((tmp_path / "below" / "key").stat().st_mode) == 0o600
    found = sqlite.read(lambda tx: api_keys.find_live(tx, HASHER(demo.key)))
    assert found is not None
    assert (found.account_id, found.permission) == (demo.account_id, "FULL")


@pytest.mark.thorough
def test_a_key_that_was_lost_or_revoked_is_made_anew(sqlite, tmp_path):
    keep = tmp_path / "key"
    first = prepared(sqlite, keep)
    keep.unlink()
    second = prepared(sqlite, keep)
    row = sqlite.read(lambda tx: api_keys.find_live(tx, HASHER(second.key)))
    sqlite.write(lambda tx: api_keys.revoke(tx, caller_of(second), row.id))
    third = prepared(sqlite, keep)
    assert len({first.key, second.key, third.key}) == 3
    assert sqlite.read(lambda tx: len(every_invoice(tx, caller_of(third)))) == 374
    assert third == prepared(sqlite, keep)


@pytest.mark.thorough
@pytest.mark.parametrize("done", [10, 60], ids=["while it is furnished", "when there are payments"])
def test_a_demo_that_was_interrupted_is_made_good_by_the_next_run(database, tmp_path, done):
    class PowerFailure(Exception):
        pass

    class FailingDatabase:
        """The database, with a power failure in place of one of its writes."""

        def __init__(self, opened: Database) -> None:
            self.dialect, self.clock, self.left = opened.dialect, opened.clock, done

        def read(self, work):
            return database.read(work)

        def write(self, work):
            self.left -= 1
            if not self.left:
                raise PowerFailure
            database.clock = self.clock
            return database.write(work)

    real = database.clock
    with pytest.raises(PowerFailure):
        prepared(FailingDatabase(database), tmp_path / "key")
    database.clock = real
    assert not (tmp_path / "key").exists()
    demo = prepared(database, tmp_path / "key")
    assert what_is_missing(database, demo) == []
    assert list(check(database)) == []


@pytest.mark.parametrize("today", ["2026-03-31", "2024-02-29", "2027-01-01"])
@pytest.mark.thorough
def test_the_demo_is_whole_on_any_day_and_knows_nothing_of_tomorrow(sqlite, tmp_path, today):
    day = date.fromisoformat(today)
    caller = caller_of(prepared(sqlite, tmp_path / "key", day))
    shown = sqlite.read(lambda tx: every_invoice(tx, caller))
    assert {one.summary.status for one in shown} == {"DRAFT", "SENT", "PAID", "OVERDUE", "CANCELLED"}
    assert not [one.summary.number for one in shown if one.summary.updated_at[:10] >= today]
    assert not [bill for bill in sqlite.read(lambda tx: every_bill(tx, caller)) if bill.bill_date >= today]
    steps = Year(caller, day).steps()
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert steps[0].at == begins(day)


@pytest.mark.thorough
def test_the_demo_of_a_day_is_always_the_same(migrated_file, tmp_path):
    figures = []
    for name in ("one", "other"):
        file = tmp_path / f"{name}.db"
        file.write_bytes(migrated_file.read_bytes())
        database = open_at(f"sqlite:///{file}")
        caller = caller_of(prepared(database, tmp_path / name))
        shown = database.read(lambda tx, caller=caller: every_invoice(tx, caller))
        figures.append(
            [
                (one.summary.number, one.summary.status, one.summary.tenant_name, one.summary.updated_at, charge.amount)
                for one in shown
                for charge in one.charges
            ]
        )
        database.close()
    assert sorted(figures[0], key=repr) == sorted(figures[1], key=repr)
