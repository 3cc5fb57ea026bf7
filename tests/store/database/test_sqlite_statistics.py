"""Statistics keep SQLite from reading all of an account's rows to find a few."""

import importlib
import pkgutil
import re
import sqlite3
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from prorata import store
from prorata.domain.invoices.open_money import OPEN
from prorata.store import migrations
from prorata.store.bills import orders as bill_orders, searches as bill_searches
from prorata.store.bulk import bulk
from prorata.store.database.list_steps import Order, Step
from prorata.store.database.sqlite import connect
from prorata.store.database.statements import Statement
from prorata.store.invoices import invoices, orders as invoice_orders, searches as invoice_searches
from prorata.store.jobs import jobs
from prorata.store.months import searches as month_searches
from prorata.store.overview import activity, job_lists
from prorata.store.payments import lists as payment_lists
from prorata.store.properties import tenant_searches

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(store.__path__, "prorata.store.")
    if not module.ispkg and not any(one in module.name for one in (".migrations.", ".privacy."))  # reads all, once
]
READ_WHOLE_ACCOUNTS = {
    **dict.fromkeys(("accounts.accounts._OWNERS", "accounts.accounts._ALL"), "every account, for the operator"),
    "audit.chains._ERASED": "once, as the log is checked, all of which is read then",
    "mail.quota._NUMBER_WAITING": "of a new account, in its first week",
    "invoices.earlier_invoices._DROP_UNUSED_FACTS": "those of invoices that were replaced, which are few",
    "recalculation.waiting_corrections._BY_CURRENCY": "once, before an account places what waits by itself",
    "recalculation.corrections._PENDING": "by an index of those alone, once, as an account places what waits by itself",
    "accounts.sessions._FIND": "questions of tenants by an index of those alone that wait, which holds nothing else",
    **{f"accounts.api_keys.{its}": "a handful" for its in ("_ALL", "_LIVE_ONES", "_SINCE")},
    "bills.searches._walk": "walks the list in its order, as far as the page: for what much fits",
    **{
        f"bills.searches._walk by {sort}": "walks the list in its order, as far as the page"
        for sort in ("date", "total", "issuer", "due", "property", "month")
    },
    "bills.searches._number_of_walked": "walks the list in its order, until so many fit: for what much fits",
    **{f"bills.searches._size by {it}": "by an index of those alone" for it in ("waiting", "guessed", "flagged")},
    "bills.searches._size by held": "every line that is held: of few bills, each until somebody has looked at it",
    "bills.flags._COUNT_FLAGGED": "all of its own index, which holds nothing else",
    "bills.flags._COUNT_HELD": "every line that is held: of few bills, each until somebody has looked at it",
    "invoices.open_money._OF_FORMER": "walks the open invoices by their own index, as far as is searched",
    **dict.fromkeys(("bulk.bulk._latest", "bills.bills._PAGE_IDS"), "walks them in their order, as far as the page"),
    "bills.bills._PAGE_IDS_FROM_THE_END": "walks the list in its order, from its end as far as the page",
    **dict.fromkeys(("properties.properties._ALL", "properties.properties._COUNTRIES"), "every property"),
    "properties.properties._PAID_ITS_OWN_WAY": "by an index of those alone, which holds nothing else",
    "intake.issuer_lessons._ALL": "every issuer of the account, by the key of the table",
    "properties.properties._PAGE": "walks the list in its order, as far as the page",
    "properties.properties._KEYS": "the name and city of every property, to put them in order",
    **{
        f"properties.tenant_searches._page {sort}{many}": "walks the list in its order, as far as the page"
        for sort in ("name", "added", "unit", "property", "stay")
        for many in ("", ", many")
    },
    "properties.tenant_searches._count": "as far as is counted",
    "splitting.share_rules._METHODS": "a handful",
    "overview.consistency_checks._SIZES": "everything is counted",
    "overview.consistency_checks._COUNT_PROPERTIES": "everything is counted",
    "overview.consistency_checks._COUNT_BILLS": "everything is counted",
    "overview.consistency_checks._TALLIES": "everything is counted",
    "overview.consistency_checks._BY_PROPERTY": "everything is counted",
    "overview.consistency_checks._BY_MONTH": "everything is counted",
    "overview.consistency_checks._NUMBERED_TWICE": "everything is counted",
    "overview.consistency_checks_of_mail._FORGOTTEN": "every message is looked at",
    "overview.consistency_checks_of_mail._ODD": "every message is looked at",
    "overview.consistency_checks_of_mail._SHOWN_OTHERWISE": "every invoice is looked at",
    "overview.consistency_checks_of_jobs._ODD": "everything is looked at",
    "overview.consistency_checks_of_webhooks._WITHOUT_ENTRY": "everything is looked at",
    "overview.consistency_checks_of_webhooks._UNLIKE_ENTRY": "everything is looked at",
    "overview.consistency_checks_of_webhooks._WAITS_FOR_NOTHING": "everything is looked at",
    "overview.consistency_checks_of_webhooks._LIVE_TWICE": "everything is looked at",
    "overview.consistency_checks_of_webhooks._SHOWN_AND_CLOSED": "every invoice is looked at",
    "overview.consistency_checks_of_webhooks._ASKS_OTHERWISE": "every invoice is looked at",
    "overview.consistency_checks_of_webhooks._AHEAD": "a handful",
    "overview.consistency_checks_of_jobs._TWICE": "everything that has not ended is looked at",
    "jobs.counts._DEPTHS": "every job that waits, by its own index",
    "jobs.counts._DEAD": "every job that failed, by its own index",
    "jobs.counts._TRIES": "a number for each account and kind that ever failed",
    "overview.job_lists._listed": "an operator's, who sees all that waits, runs or failed",
    "overview.job_lists._FAILED_OF_KINDS": "all of its own index, which holds nothing else",
    "jobs.jobs._turns": "its own steps, each of which is a look into the index",
    "jobs.recurring._OF_ACCOUNT": "a handful",
    "recalculation.billing_months._DUE": "all of its own index, which holds nothing once an upgrade is over",
    **{
        f"months.searches.{number} {which}": "the months of properties, of which there are few beside the invoices"
        for number in ("_number", "_count")
        for which in ("drafts", "pending", "otherwise", "missingFacts", "open", "closed", "all")
    },
    **{
        f"months.searches._walk {which} by {sort}": "walks the list in its order, as far as the page: for what much fits"
        for which in ("drafts", "pending", "otherwise", "missingFacts", "open", "closed", "all")
        for sort in ("month", "-month", "property", "-property", "total", "-total")
    },
    "overview.overview._WAITING": "by an index of the months that changed since they were sent, which holds nothing else",
    "overview.overview._COUNT_WAITING": "by an index of the months that changed since they were sent, which holds nothing else",
    "overview.overview._CURRENCIES": "every property",
    "overview.overview._FAILED_JOBS": "all of its own index, which holds nothing else",
    "overview.activity._page []": "walks the list in its order, as far as the page",
    "accounts.accounts._EVER": "the first there is",
    "accounts.one_time_links._OF_ACCOUNT": "a handful",
    "accounts.one_time_links._DROP_OLD": "a handful",
    "online_payments.payment_links._FORMER": "by an index of the links that are open, which holds nothing else",
    "online_payments.payment_links._PLACES_OF_OPEN": "by an index of the links that are open, which holds nothing else",
    "online_payments.payment_links._OF_NOW": "by an index of the links that are open, which holds nothing else; the first that was not made with the key before",
    "online_payments.provider_events._TO_CHECK": "by an index of the messages that somebody has to look at, which holds nothing else",
    "online_payments.provider_events._TO_CHECK_OF_INVOICE": "by an index of those that somebody has to look at, as above",
    "online_payments.provider_events._ASKED_OF_COUNTED": "by an index of those that somebody has to look at, as above",
    "online_payments.provider_events._ASK_NO_MORE": "by an index of those that somebody has to look at, as above",
    "online_payments.provider_events._COUNT_TO_CHECK": "by an index of those that somebody has to look at, as above",
    "online_payments.provider_events._COUNT_TO_CHECK_OF_INVOICE": "by an index of those that somebody has to look at, as above",
    "online_payments.providers._PLAYED": "every account has one at most, once when a worker starts",
    **{
        f"online_payments.providers.{name}": "an account has one"
        for name in ("_FIND", "_LOCK", "_HOLD", "_SAVE", "_REMOVE")
    },
    "audit.chains._FIND": "an account has one",
    "audit.chains._LOCK": "an account has one",
    "audit.chains._SAVE": "an account has one",
    "audit.chains._LAST": "the last there is",
    "audit.chains._IS_BEHIND": "which accounts have something to chain, each by a look into an index",
    "months.runs._FORGET_ALL": "open months that wait or are proposed, by an index of their states",
    "months.runs._FORGET_SENT_BY_OTHERS": "open months that wait or are proposed, by an index of their states",
    "months.runs._LATEST": "the last there is",
    **{
        f"invoices.searches._count_needing {need}": "by an index of those of which so much is open, which holds nothing else"
        for need in OPEN
    },
    "invoices.open_money._LEFT": "by an index of the invoices with too much on them, which holds nothing else",
    "invoices.open_money._REFUNDS": "by an index of the invoices with too much on them, which holds nothing else",
    "invoices.open_money._SUMS": "every invoice is looked at, for the check",
    "accounts.letterheads._FIND": "an account has one",
    "delivery.rule_announcements._CHANGING": "every rule is looked at, once a day where tenants are told by themselves",
    "accounts.open_money._OF_ACCOUNT": "one for each currency",
    "payments.carries._UNEQUAL": "every entry is looked at, for the check",
    "payments.carries._LOST": "every entry is looked at, for the check",
    "payments.candidates._OPEN": "walks invoices from the newest on, once for a file of a bank",
    "delivery.tenant_pages._READDRESSED": "by an index of the invoices that were sent to somebody else, which holds nothing else",
    "delivery.tenant_pages._NUMBER": "by indices of the questions that wait and the disputes that are open, which hold nothing else",
    "inbound_mail.inbox_addresses._FIND": "an account has one",
    "inbound_mail.inbox_addresses._LOCK": "an account has one",
    "inbound_mail.inbox_addresses._SAVE": "an account has one",
    "mail.quota._FORGET": "a week's",
    "webhooks.event_feed._LAST": "an account has one",
    "webhooks.event_feed._LEAP": "every account has one, after a restore",
    "webhooks.event_feed._LOCK": "an account has one",
    "webhooks.event_feed._SAVE_LAST": "an account has one",
    "webhooks.webhooks._OF_ACCOUNT": "a handful",
    "webhooks.webhooks._NUMBER_IN": "a handful",
    "accounts.members._ALL": "a handful",
    "accounts.members._IS_OWNER_VERIFIED": "a handful",
    "invoices.searches._walk_needing by total": "walks the list in its order, as far as the page: for what many need",
    "invoices.searches._walk by total": "walks the list in its order, as far as the page: for what much fits",
    "invoices.searches._walk by tenant, searched": "walks the list in its order, as far as the page: for what much fits",
}


def walked_behind() -> dict[str, Statement[object]]:
    """Statements that continue a list from a place in it, by the kind of step."""
    found: dict[str, Statement[object]] = {}
    steps = (
        ("total", Step(0, "behind")), ("due", Step(0, "behind")), ("due", Step(0, "lacking")),
        ("due", Step(0, "lacking behind")), ("tenant", Step(0, "having")), ("number", Step(1, "behind")),
        ("number", Step(0, "behind")), ("status", Step(2, "behind")), ("status", Step(1, "behind")),
        ("status", Step(0, "behind")),
    )  # fmt: skip
    for (sort, step), reverse in product(steps, (False, True)):
        named = f"invoices.searches._walk {sort}, {step.how} after {step.equal}{', down' if reverse else ''}"
        found[named] = invoice_searches._walk(
            Order(invoice_orders.SORTS[sort], reverse=reverse, limit=50), frozenset(), step, search=False
        )
    return found


def invoices_searched() -> dict[str, Statement[object]]:
    """Statements that list invoices in other orders, by search, or by what they need."""
    found: dict[str, Statement[object]] = {}
    by_total = Order(invoice_orders.SORTS["total"], reverse=False, limit=100)
    nothing, status = frozenset[str](), frozenset({"status"})
    found["invoices.searches._walk by total"] = invoice_searches._walk(by_total, nothing, None, search=False)
    found["invoices.searches._walk by tenant, searched"] = invoice_searches._walk(
        by_total._replace(groups=invoice_orders.SORTS["tenant"]), status, None, search=True
    )
    found["invoices.searches._walk in the usual order"] = invoice_searches._walk(
        by_total._replace(groups=invoice_orders.SORTS["number"], reverse=True), status, None, search=True
    )
    found["invoices.searches._gather"] = invoice_searches._gather(by_total, frozenset({"property"}), (), search=True)
    found["invoices.searches._count_needing"] = invoice_searches._count_needing("undelivered", nothing, search=False)
    found["invoices.searches._count_needing of a month"] = invoice_searches._count_needing(
        "handOver", frozenset({"month"}), search=True
    )
    found["invoices.searches._gather_needing"] = invoice_searches._gather_needing(
        "undelivered", by_total, status, search=True
    )
    in_usual_order = by_total._replace(groups=invoice_orders.SORTS["number"])
    for need in OPEN:
        found[f"invoices.searches._count_needing {need}"] = invoice_searches._count_needing(need, nothing, search=False)
    found["invoices.searches._walk_needing"] = invoice_searches._walk_needing(
        "handOver", in_usual_order, status, None, search=False
    )
    found["invoices.searches._walk_needing by total"] = invoice_searches._walk_needing(
        "handOver", by_total, nothing, None, search=False
    )
    found["invoices.searches._gather_found"] = invoice_searches._gather_found(by_total, status)
    for way in invoice_searches._WAYS:
        found[f"invoices.searches._gather_found by {way}"] = invoice_searches._gather_found(by_total, status, (), way)
    found["invoices.searches._size"] = invoice_searches._size(frozenset({"month"}), 100)
    behind = (Step(0, "behind"),)
    found["invoices.searches._gather behind"] = invoice_searches._gather(by_total, status, behind, search=False)
    found["invoices.searches._gather of an amount"] = invoice_searches._gather(
        by_total, frozenset({"total", "status"}), behind, search=True
    )
    found["invoices.searches._count"] = invoice_searches._count(frozenset({"total", "month"}), 100, search=True)
    return found


@cache
def statements() -> dict[str, Statement[object]]:
    found: dict[str, Statement[object]] = {}
    for module in MODULES:
        for name, value in vars(module).items():
            for one in value.values() if isinstance(value, dict) else [value]:
                if isinstance(one, Statement):
                    found.setdefault(f"{module.__name__.removeprefix('prorata.store.')}.{name}", one)
    every = [{"property"}, {"month"}, {"status"}, {"unit"}, {"property", "month"}, {"property", "status"}]
    for filters in every:
        found[f"invoices.invoices._page_ids {sorted(filters)}"] = invoices._page_ids(frozenset(filters))
    for filters in (
        set(), {"before"}, {"record"}, {"before", "record"}, {"before", "since", "about", "of invoices"},
        {"since", "month", "amount", "place"},
    ):  # fmt: skip
        found[f"overview.activity._page {sorted(filters)}"] = activity._page(frozenset(filters))
    found["jobs.jobs._turns"] = jobs._turns()
    onwards = frozenset({"after", "until"})
    found["overview.activity._page onwards, oldest first"] = activity._page(onwards, oldest_first=True)
    found["overview.job_lists._listed"] = job_lists._listed(None, frozenset())
    found["overview.job_lists._listed, failed"] = job_lists._listed("failed", frozenset({"behind"}))
    found["bulk.bulk._latest"] = bulk._latest(frozenset())
    found |= of_months()
    found |= {f"invoices.invoices._owing {status}": invoices._owing(status) for status in ("SENT", "OVERDUE")}
    found |= bills_searched() | payments_listed()
    for sort in ("name", "added", "unit", "property", "stay"):
        found[f"properties.tenant_searches._page {sort}"] = tenant_searches._page(sort, searched=False, who="THERE")
        found[f"properties.tenant_searches._page {sort}, searched"] = tenant_searches._page(
            sort, searched=True, who="THERE", many=False
        )
        found[f"properties.tenant_searches._page {sort}, many"] = tenant_searches._page(
            sort, searched=True, who="THERE", many=True
        )
        for down in ("", "-"):
            found[f"properties.tenant_searches._page {down}{sort}, behind"] = tenant_searches._page(
                f"{down}{sort}", searched=False, who="ALL", placed=True
            )
    found["properties.tenant_searches._count"] = tenant_searches._count(searched=False, who="THERE")
    found["properties.tenant_searches._count, searched"] = tenant_searches._count(searched=True, who="THERE")
    found |= invoices_searched() | walked_behind()
    found["invoices.invoices._count_of_unit"] = invoices._count_of_unit(frozenset({"unit"}))
    return found


def payments_listed() -> dict[str, Statement[object]]:
    found: dict[str, Statement[object]] = {}
    for oldest_first in (False, True):
        for sought in ((), ("amount", "month", "places")):
            named = f"payments.lists._page {sorted(sought)}, oldest first: {oldest_first}"
            found[named] = payment_lists._page(frozenset(sought), oldest_first=oldest_first)
        found[f"payments.lists._far, oldest first: {oldest_first}"] = payment_lists._far(oldest_first=oldest_first)
    return found


def bills_searched() -> dict[str, Statement[object]]:
    found: dict[str, Statement[object]] = {}
    bills_by_date = Order(bill_orders.SORTS["date"], reverse=False, limit=100)
    every_filter = frozenset(bill_searches.FILTERS) - {bill_searches.SINCE, bill_searches.UNTIL}
    found["bills.searches._walk"] = bill_searches._walk(bills_by_date, every_filter)
    found["bills.searches._walk, some days"] = bill_searches._walk(bills_by_date, frozenset(bill_searches.FILTERS))
    found["bills.searches._number_of_walked"] = bill_searches._number_of_walked(every_filter, 100)
    for by in bill_orders.SORTS:
        usual = Order(bill_orders.SORTS[by], reverse=False, limit=100)
        found[f"bills.searches._walk by {by}"] = bill_searches._walk(usual, frozenset())
        order = Order(bill_orders.SORTS[by], reverse=True, limit=100)
        for at in range(len(order.groups)):
            found[f"bills.searches._walk {by}, {at}"] = bill_searches._walk(order, every_filter, Step(at, "behind"))
    for name in bill_searches.GATHERED:
        found[f"bills.searches._size by {name}"] = bill_searches._size(name, 100)
    found["bills.searches._gather"] = bill_searches._gather(bills_by_date, "text", frozenset({"month"}))
    found["bills.searches._gather, behind"] = bill_searches._gather(
        bills_by_date, "status", frozenset(), (Step(1, "behind"), Step(0, "behind"))
    )
    found["bills.searches._number_of_gathered"] = bill_searches._number_of_gathered("text", frozenset({"month"}))
    found["bills.searches._issuers"] = bill_searches._issuers()
    return found


def of_months() -> dict[str, Statement[object]]:
    found: dict[str, Statement[object]] = {}
    for which in month_searches.WHICH:
        found[f"months.searches._count {which}"] = month_searches._count(which, frozenset())
        found[f"months.searches._number {which}"] = month_searches._number(which, frozenset())
        of_one = month_searches._walk(which, frozenset({"month"}), "month")
        found[f"months.searches._walk {which} of a month"] = of_one
        for sort in month_searches.SORTS:
            found[f"months.searches._walk {which} by {sort}"] = month_searches._walk(which, frozenset(), sort)
            behind = month_searches._walk(which, frozenset(), sort, back=True, placed=True)
            found[f"months.searches._walk {which} by {sort}, behind"] = behind
    return found


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("planner") / "prorata.db"
    migrations.upgrade(f"sqlite:///{path}")
    with sqlite3.connect(path) as opened:
        yield opened
    opened.close()


@pytest.mark.parametrize("named", statements())
def test_a_statement_finds_its_rows_by_more_than_the_account(connection, named):
    text, constants = statements()[named].compiled("sqlite")
    if not re.match(r"\s*(SELECT|UPDATE|DELETE)", text):
        return
    values = dict.fromkeys(re.findall(r":(\w+)", text), "[]") | constants
    values |= {name: 1 for name in ("limit", "offset") if name in values}
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    walks = [
        step
        for step in plan
        if step.endswith("(account_id=?)")
        or (
            step.startswith("SCAN")
            and "json_each" not in step
            and "CONSTANT" not in step
            and not step.startswith(("SCAN anon_", "SCAN found"))
        )
    ]
    if named in READ_WHOLE_ACCOUNTS:
        assert walks, f"{named} is excused and need not be"
    else:
        assert not walks, plan


NEEDING = {name: one for name, one in statements().items() if name.startswith("invoices.searches._") and "need" in name}


@pytest.mark.parametrize("named", sorted(NEEDING.keys() - READ_WHOLE_ACCOUNTS.keys()))
def test_what_needs_a_person_is_found_among_that_alone(connection, named):
    text, constants = statements()[named].compiled("sqlite")
    values = dict.fromkeys(re.findall(r":(\w+)", text), "[]") | constants
    (step, *_) = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    assert re.search(r"USING (COVERING )?INDEX ix_invoice_(undelivered|handover|owed|surplus) ", step), step


def test_properties_that_are_paid_their_own_way_are_found_without_a_look_at_the_others(connection):
    text, constants = statements()["properties.properties._PAID_ITS_OWN_WAY"].compiled("sqlite")
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", {"account": "a"} | constants)]
    assert any("INDEX ix_property_paid_its_own_way " in step for step in plan), plan


def waiting_bills() -> dict[str, Statement[object]]:
    order = Order(bill_orders.SORTS["date"], reverse=False, limit=100)
    named = ("overview.overview._WAITING", "overview.overview._COUNT_WAITING", "bills.searches._size by waiting")
    gathered = {"bills.searches._gather by waiting": bill_searches._gather(order, "waiting", frozenset())}
    return {name: statements()[name] for name in named} | gathered


@pytest.mark.parametrize("named", waiting_bills())
def test_bills_that_wait_are_found_from_the_months_they_changed_and_not_among_all_history(connection, named):
    text, constants = waiting_bills()[named].compiled("sqlite")
    values = dict.fromkeys(re.findall(r":(\w+)", text), 1) | constants
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    (months,) = [at for at, step in enumerate(plan) if "ix_billing_month_pending (account_id=?)" in step]
    by_line = "ix_bill_line_uncharged (account_id=? AND property_id=? AND month=?)"
    (lines,) = [at for at, step in enumerate(plan) if by_line in step]
    assert months < lines, plan


def test_every_statement_that_is_excused_is_there():
    assert READ_WHOLE_ACCOUNTS.keys() <= statements().keys()


def test_figures_are_written_anew_at_each_start(tmp_path):
    url = f"sqlite:///{tmp_path / 'prorata.db'}"
    migrations.upgrade(url)
    connection = connect(Path(tmp_path / "prorata.db"))
    written = connection.execute("SELECT count(*), max(stat) FROM sqlite_stat1").fetchone()
    connection.execute("DELETE FROM sqlite_stat1 WHERE tbl = 'invoice'")
    migrations.upgrade(url)
    assert connection.execute("SELECT count(*), max(stat) FROM sqlite_stat1").fetchone() == written
    connection.close()
    assert migrations.differences(url) == []
