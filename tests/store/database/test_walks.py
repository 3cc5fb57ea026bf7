"""Lists are read by their indexes on either database, however many records there are."""

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from prorata.store.bills.orders import BILLS
from prorata.store.bills.searches import BILLS_SOUGHT
from prorata.store.database import walks
from prorata.store.database.list_steps import Order, Step, steps_behind
from prorata.store.database.statements import Statement
from prorata.store.database.walks import Walked
from prorata.store.delivery.disputes import DISPUTES
from prorata.store.intake.documents import DOCUMENTS
from prorata.store.invoices.orders import INVOICES
from prorata.store.payments.lists import PAYMENTS
from prorata.store.properties.properties import PROPERTIES
from prorata.store.properties.tenant_searches import _count, _page
from prorata.store.properties.units import TENANTS, UNITS
from prorata.store.splitting.share_rules import RULES

LISTS = (PAYMENTS, RULES, DOCUMENTS, BILLS_SOUGHT, PROPERTIES, UNITS, TENANTS, INVOICES, BILLS, DISPUTES)
OF_FEW = ("unit", "property", "invoice", "state")
"""The filters that leave few rows, which may be sorted."""
PLACES: dict[str, tuple[str, ...]] = {
    "payments": ("a", "b"),
    "invoices": ("2026-03", "a", "b"),
    "bills": ("2026-03-01", "b"),
    "bills sought": ("2026-03-01", "b"),
}
VALUES = {"property": "prop_1", "unit": "unit_1", "month": "2026-03", "status": "SENT", "today": "2026-03-01",
          "invoice": "inv_1", "state": "OPEN", "account": "acct_1", "amount": "1"}  # fmt: skip


def narrowed(walked: Walked) -> list[frozenset[str]]:
    return [frozenset(), *(frozenset({name}) for name in walked.filters)]


def statements() -> Iterator[tuple[str, str, Statement[Any]]]:
    """Yield the name, the table and the statement of each way to read a list."""
    for walked in LISTS:
        table = walked.changed.table.name  # type: ignore[attr-defined]
        order = Order(walked.order, reverse=False, limit=1001)
        for names in narrowed(walked):
            steps: list[Step | None] = [None, *steps_behind(order, PLACES.get(walked.name, ("b",)), names)]
            for step in steps:
                named = f"{walked.name} {sorted(names)} {step}"
                yield named, table, walks._walk(walked, 1001, names, step)
            yield f"{walked.name} {sorted(names)} changed", table, walks._walk_changed(walked, 1001, names, 10_000)
            yield f"{walked.name} {sorted(names)} furthest", table, walks._furthest(walked, names, 10_000)


STATEMENTS = {named: (table, statement) for named, table, statement in statements()}


def values_for(text: str) -> dict[str, str]:
    asked = re.findall(r"(?:%\(|:)(\w+)", text)
    return {name: VALUES.get(name, "2026-03") for name in asked}


@pytest.mark.parametrize("named", STATEMENTS)
def test_a_walk_begins_in_an_index_on_sqlite(migrated_sqlite_url: str, named: str) -> None:
    table, statement = STATEMENTS[named]
    text, constants = statement.compiled("sqlite")
    opened = sqlite3.connect(migrated_sqlite_url.removeprefix("sqlite:///"))
    plan = [row[3] for row in opened.execute("EXPLAIN QUERY PLAN " + text, values_for(text) | constants)]
    opened.close()
    (first,) = [line for line in plan if re.match(rf"SEARCH {table} ", line)]
    assert re.search(r"USING (COVERING )?(INDEX|PRIMARY KEY)", first), plan
    if named.endswith(("changed", "furthest")):
        changed = "created_at" if table == "payment" else "updated_at"
        assert f"ix_{table}_updated (account_id=? AND ({changed}" in first, plan
    elif not any(f"'{name}'" in named for name in OF_FEW):
        assert not [line for line in plan if "TEMP B-TREE" in line], plan


@pytest.fixture
def planner(migrated_postgresql_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(migrated_postgresql_url, autocommit=True) as opened:
        opened.execute("SET enable_seqscan = off")  # its tables are empty, and anything costs nothing
        opened.execute("SET enable_sort = off")
        opened.execute("SET enable_incremental_sort = off")
        opened.execute("SET enable_bitmapscan = off")
        yield opened


@pytest.mark.parametrize("named", STATEMENTS)
def test_a_walk_is_one_of_an_index_on_postgresql(planner: psycopg.Connection[Any], named: str) -> None:
    table, statement = STATEMENTS[named]
    text, constants = statement.compiled("postgresql")
    (said,) = planner.execute("EXPLAIN (FORMAT JSON) " + text, values_for(text) | constants).fetchone() or (None,)
    nodes = list(nodes_of(said[0]["Plan"]))
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan"], json.dumps(said)
    if not any(f"'{name}'" in named for name in OF_FEW):
        assert not [node for node in nodes if "Sort" in node["Node Type"]], json.dumps(said)
    if named.endswith(("changed", "furthest")):
        assert f"ix_{table}_updated" in {node.get("Index Name") for node in nodes}, json.dumps(said)


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes_of(part)


@pytest.mark.parametrize(
    "statement", [_page("name", searched=False, who="PAST", placed=True), _count(searched=False, who="PAST")]
)
def test_former_tenants_are_listed_by_their_own_index(
    migrated_sqlite_url: str, planner: psycopg.Connection[Any], statement: Statement[Any]
) -> None:
    text, constants = statement.compiled("sqlite")
    opened = sqlite3.connect(migrated_sqlite_url.removeprefix("sqlite:///"))
    values = {name: 1 if name in ("limit", "offset", "most") else "2026-03-01" for name in values_for(text)}
    plan = str(opened.execute("EXPLAIN QUERY PLAN " + text, values | constants).fetchall())
    opened.close()
    assert re.search("SEARCH tenant USING (COVERING )?INDEX ix_tenant_past", plan), plan
    text, constants = statement.compiled("postgresql")
    (said,) = planner.execute("EXPLAIN (FORMAT JSON) " + text, values | constants).fetchone() or (None,)
    assert "ix_tenant_past" in {node.get("Index Name") for node in nodes_of(said[0]["Plan"])}, json.dumps(said)
