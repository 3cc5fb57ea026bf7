"""The statements that pgbench runs ask for the same pages as the requests."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from benchmarks import data, pgbench, workloads
from benchmarks.data import Shape
from benchmarks.databases import Copy

LIMIT = 20


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two properties of 12 units with three months: 72 invoices."""
    file = tmp_path_factory.mktemp("pgbench") / "built.sqlite3"
    data.build(Shape("asked", (12, 12), 3, 1), file)
    return file


@pytest.mark.thorough
def test_each_request_for_a_page_is_told_what_comes_before_it_and_which_charges_it_shows(
    built: Path, tmp_path: Path, postgresql_url: str
):
    records = data.records(built)
    lines = [f"GET /api/v1/invoices?limit={LIMIT}&details=true&page={page}" for page in (1, 3)]
    script = tmp_path / "script.sql"
    pgbench.prepare(workloads.DEEP, lines, records, built, Copy("asked", postgresql_url), script)
    with closing(sqlite3.connect(built)) as source:
        ids = [row[0] for row in source.execute("select id from invoice order by month desc, number_key, id")]
    with psycopg.connect(postgresql_url) as connection:
        asked = connection.execute("select skipped, month, invoices from asked order by number").fetchall()
    assert asked == [(0, "", ids[:LIMIT]), (2 * LIMIT, "", ids[2 * LIMIT : 3 * LIMIT])]
    assert "offset (select skipped from asked where number = :number)" in script.read_text()
