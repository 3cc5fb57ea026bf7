"""A database of every older schema, with something in it, comes up to the newest one whole."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, LargeBinary, MetaData, Table, create_engine, inspect, text

from prorata.actions.checks import check
from prorata.domain.searching import order_of
from prorata.store import migrations
from prorata.store.tables import TABLES_OF_NOBODY
from tests.conftest import BOTH
from tests.landlord import MovableClock, opened

OLDER = sorted(Path(__file__).with_name("older").glob("*.json"))
"""The rows of a small account as the program of that revision left them: sent, paid, cancelled, overdue and waiting."""


FILLED_IN = {("event", "property_id")}
"""What older programs left out at times."""
_OF_ITS_INVOICE = """
SELECT count(*), sum(CASE WHEN event.property_id = invoice.property_id THEN 1 ELSE 0 END)
FROM event JOIN invoice ON invoice.account_id = event.account_id AND invoice.id = event.record_id
"""


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'prorata.db'}"
    else:
        yield request.getfixturevalue("postgresql_url")


@contextmanager
def engine_of(url: str) -> Iterator[Engine]:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
    try:
        yield engine
    finally:
        engine.dispose()


def fill(url: str, file: Path) -> None:
    schema = MetaData()
    with engine_of(url) as engine, engine.begin() as connection:
        schema.reflect(connection)
        for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
            connection.execute(schema.tables[name].insert(), [stored(schema.tables[name], row) for row in rows])


def stored(table: Table, row: dict[str, object]) -> dict[str, object]:
    """A row as its columns take it: JSON has no bytes."""
    whole = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    return {name: str(value).encode() if name in whole and value else value for name, value in row.items()}


def rows_of(url: str, file: Path) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    with engine_of(url) as engine, engine.connect() as connection:
        for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
            columns = [column for column in rows[0] if (name, column) not in FILLED_IN]
            listed = connection.execute(text(f"SELECT {', '.join(columns)} FROM {name}"))
            found[name] = sorted((tuple(row) for row in listed), key=repr)
    return found


@pytest.mark.parametrize("file", OLDER, ids=lambda file: file.stem)
def test_what_an_older_program_wrote_is_all_there_and_sound(url: str, file: Path) -> None:
    migrations.upgrade(url, file.stem)
    fill(url, file)
    before = rows_of(url, file)
    migrations.upgrade(url)
    assert migrations.is_current(url)
    assert migrations.differences(url) == []
    after = rows_of(url, file)
    assert all(set(rows) <= set(after[name]) for name, rows in before.items())
    with engine_of(url) as engine, engine.connect() as connection:
        events, of_its_property = connection.execute(text(_OF_ITS_INVOICE)).one()
        assert events == of_its_property > 0
    with opened(url, MovableClock()) as database:
        assert list(check(database)) == []


@pytest.mark.parametrize("file", OLDER, ids=lambda file: file.stem)
def test_a_property_still_takes_everything_under_it_along(url: str, file: Path) -> None:
    migrations.upgrade(url, file.stem)
    fill(url, file)
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        connection.execute(text("DELETE FROM property"))
        for table in ("unit", "tenant", "share_rule", "bill", "bill_line", "billing_month", "invoice", "charge"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0, table


def test_what_reads_sent_and_was_only_written_to_the_outbox_reads_so(url: str) -> None:
    file = next(file for file in OLDER if file.stem == "0004")
    migrations.upgrade(url, "0004")
    fill(url, file)
    with engine_of(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE mail SET said = 'Written to the outbox folder as a.eml.' WHERE state = 'sent'"))
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        (row,) = connection.execute(
            text(
                "SELECT mail.sent_at, invoice.delivery, invoice.email_status, invoice.email_sent_at FROM mail "
                "JOIN invoice ON invoice.id = mail.invoice_id WHERE mail.state = 'written'"
            )
        )
        assert tuple(row) == (None, "written", None, None)
        assert connection.execute(text("SELECT count(*) FROM mail WHERE state = 'sent'")).scalar_one() == 0
    with opened(url, MovableClock()) as database:
        assert list(check(database)) == []


def test_a_record_still_needs_its_account(url: str) -> None:
    migrations.upgrade(url)
    with engine_of(url) as engine:
        references = {name: inspect(engine).get_foreign_keys(name) for name in inspect(engine).get_table_names()}
    owned = references.keys() - TABLES_OF_NOBODY - {"account", "alembic_version"}
    assert [name for name in owned if not references[name]] == []


def test_names_that_were_there_are_found_and_stand_in_order_as_those_that_come(url: str) -> None:
    file = next(file for file in OLDER if file.stem == "0004")
    migrations.upgrade(url, "0004")
    fill(url, file)
    migrations.upgrade(url, "0009")
    with engine_of(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE tenant SET name = 'Ödön O’Neill-Smith'"))
        connection.execute(text("UPDATE unit SET label = '12-B'"))
        connection.execute(text("UPDATE property SET name = 'Élan 10'"))
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        assert set(connection.execute(text("SELECT name_key FROM tenant")).scalars()) == {"odon oneill smith"}
        assert set(connection.execute(text("SELECT name_key FROM property")).scalars()) == {order_of("Élan 10")}
        assert set(connection.execute(text("SELECT order_key FROM unit")).scalars()) == {order_of("12-B")}
        stays = connection.execute(text("SELECT coalesce(move_in, ''), stay_key FROM tenant")).all()
        assert stays != []
        of_bills = (
            "SELECT count(*) FROM bill WHERE first_month IS NULL OR NOT EXISTS (SELECT 1 FROM bill_line WHERE {})"
        )
        its = "bill_line.bill_id = bill.id AND bill_line.month = bill.first_month"
        assert connection.execute(text(of_bills.format(its))).scalar_one() == 0
        assert all(move_in == stay_key for move_in, stay_key in stays)
        words = connection.execute(text("SELECT kind, word FROM search_word WHERE kind IN ('tenant', 'unit')")).all()
    assert {("tenant", "oneillsmith"), ("tenant", "neill"), ("unit", "12b")} <= {tuple(row) for row in words}
    assert migrations.differences(url) == []


def test_mail_that_could_not_be_read_waits_and_mail_without_a_file_does_not(url: str) -> None:
    migrations.upgrade(url, "0004")
    fill(url, next(file for file in OLDER if file.stem == "0004"))
    migrations.upgrade(url, "0028")
    row = (
        "INSERT INTO incoming_mail (account_id, id, digest, size, way, state, envelope_from, about, likeness, "
        "created_at, updated_at) SELECT id, :id, :id, 1, 'smtp', 'nothing', '', :about, :likeness, :at, :at FROM account"
    )
    content = "INSERT INTO incoming_content (account_id, mail_id, content) SELECT id, :id, :content FROM account"
    with engine_of(url) as engine, engine.begin() as connection:
        for at, (about, likeness) in enumerate([(None, None), (None, "like"), ("mail_1", None), (None, None)]):
            values = {"id": f"incoming_{at}", "about": about, "likeness": likeness, "at": "2026-03-10T18:00:00.000Z"}
            connection.execute(text(row), values)
            if at < 3:  # the last was cleared away
                connection.execute(text(content), {"id": f"incoming_{at}", "content": b"From: a@b.example"})
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.begin() as connection:
        found = connection.execute(text("SELECT state FROM incoming_mail ORDER BY id")).scalars().all()
        assert found == ["not taken", "nothing", "nothing", "nothing"]
        connection.execute(text("UPDATE incoming_mail SET state = 'dealt with'"))
    assert migrations.differences(url) == []


def test_a_link_that_was_asked_for_keeps_the_number_it_was_asked_for_with(url: str) -> None:
    migrations.upgrade(url, "0004")
    fill(url, next(file for file in OLDER if file.stem == "0004"))
    migrations.upgrade(url, "0025")
    at = "2026-03-10T18:00:00.000Z"
    with engine_of(url) as engine, engine.begin() as connection:
        account, invoice, number = connection.execute(text("SELECT account_id, id, number FROM invoice")).first()
        link = (
            "INSERT INTO payment_link (account_id, id, invoice_id, provider, amount, currency, state, created_at, "
            "updated_at, is_former) VALUES (:account, :id, :invoice, 'stripe', 100, 'USD', 'asked', :at, :at, :no)"
        )
        for name, its in (("plink_1", invoice), ("plink_2", "inv_gone")):
            connection.execute(
                text(link), {"account": account, "id": name, "invoice": its, "at": at, "no": False}
            )  # fmt: skip
        provider = (
            "INSERT INTO payment_provider (account_id, provider, token, updated_at, former_secret) "
            "VALUES (:account, 'stripe', 'token', :at, 'sealed')"
        )
        connection.execute(text(provider), {"account": account, "at": at})
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        numbers = connection.execute(text("SELECT number FROM payment_link ORDER BY id")).scalars().all()
        assert numbers == [number, ""]
        assert connection.execute(text("SELECT former_secrets FROM payment_provider")).scalar_one() == "sealed"


def test_whose_links_questions_and_charged_invoices_are_is_whose_their_invoice_is(url: str) -> None:
    file, at = next(file for file in OLDER if file.stem == "0004"), "2026-03-10T18:00:00.000Z"
    migrations.upgrade(url, "0004")
    fill(url, file)
    migrations.upgrade(url, "0032")
    with engine_of(url) as engine, engine.begin() as connection:
        its = (
            connection.execute(text("SELECT * FROM invoice WHERE tenant_id IS NOT NULL ORDER BY id")).mappings().first()
        )
        assert its is not None
        own = {"account_id": its["account_id"], "invoice_id": its["id"], "created_at": at, "updated_at": at}
        rows = {
            "payment_link": {
                **own, "id": "plink_1", "provider": "stripe", "amount": 1, "currency": "USD", "state": "asked",
                "is_former": False, "number": its["number"],
            },
            "tenant_question": {**own, "id": "ask_1", "asked": "Why?", "asked_at": at},
            "charge_export": {
                **own, "id": "cexp_1", "system": "buildium", "month": its["month"], "name": "a.csv", "encoding": "utf-8",
                "head": "", "invoices": 1, "rows": 1, "total": 1, "currency": "USD",
            },
            "exported_invoice": {
                **own, "export_id": "cexp_1", "place": 1, "number": its["number"], "system": "buildium",
                "property_id": its["property_id"], "amount": 1, "lines": "",
            },
        }  # fmt: skip
        schema = MetaData()
        schema.reflect(connection)
        for name, row in rows.items():
            table = schema.tables[name]
            connection.execute(table.insert(), {key: value for key, value in row.items() if key in table.columns})
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        for name in ("payment_link", "tenant_question", "exported_invoice"):
            whose = connection.execute(text(f"SELECT tenant_id FROM {name}")).scalar_one()
            assert whose == its["tenant_id"], name
        assert connection.execute(text("SELECT tenant_name FROM tenant_question")).scalar_one() == its["tenant_name"]
        assert connection.execute(text("SELECT count(*) FROM mail WHERE is_former")).scalar_one() == 0
