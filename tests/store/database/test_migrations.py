"""A database from before the first release is upgraded to the newest schema without losses.

For other databases, the program says what to do.
"""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import (
    CheckConstraint,
    Connection,
    Engine,
    LargeBinary,
    MetaData,
    Table,
    create_engine,
    event,
    inspect,
    text,
)

from prorata.actions.overview.consistency_checks import check
from prorata.actions.recalculation.after_upgrades import compute_due_months
from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO
from prorata.domain.intake.bill_reading.draft import Draft, Reading
from prorata.domain.intake.documents import PASSWORD
from prorata.domain.jobs.jobs import BROKEN_OFF
from prorata.domain.online_payments.provider_reasons import Reason, in_words
from prorata.store import migrations
from prorata.store.database.schema_state import LAST_NUMBERED, Condition, condition_of, known_revisions
from prorata.store.schema.tables import TABLES_OF_NOBODY, metadata
from tests.conftest import BOTH
from tests.landlord import MovableClock, opened

OLDER = Path(__file__).with_name("older") / f"{LAST_NUMBERED}.json"
"""The rows of a small account as the program of that revision left them: sent, paid, cancelled and waiting."""
FIRST = OLDER.with_name("first_schema.json")
"""The same of the first revision: messages of a provider that wait for a person or were counted, with their sentences."""
ADDED_SINCE = (
    ("provider_event", "why_details"), ("document", "asks"), ("tenant", "occupants"), ("tenant", "forwarding_email"),
    ("tenant", "forwarding_address"), ("share_rule", "effective_from"),
    ("account", "corrections"), ("billing_month", "settles"), ("charge", "corrects_month"), ("charge", "corrects_tenant"),
    ("bill", "corrected"),
    ("invoice", "revision"), ("invoice", "replaces_number"),
    ("account", "carry_credits"), ("account", "announce_days"),
    *(("property", name) for name in PAY_TO),
    *(("tenant_question", name) for name in ("about", "reply", "replied_by")),
)  # fmt: skip
"""The columns that the revisions after the first one have added."""
LESSON = ("account_id", "number", "issuer", "template", "updated_at")
"""The columns of what was learned of account numbers, which later revisions do without."""
AFTER_OLDER = datetime(2026, 11, 23, 20, 10, tzinfo=UTC)


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


def fill_older(url: str) -> None:
    """Make a database as it was before the first release.

    It had the schema of the first revision.
    """
    fill(url, known_revisions()[0], OLDER)
    with engine_of(url) as engine, engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # as the 34 revisions of before had left them
            connection.execute(text('ALTER TABLE account ALTER automatic_sends_from TYPE varchar(7) COLLATE "default"'))
            connection.execute(text("ALTER TABLE account ALTER mail_on SET DEFAULT true"))
    set_revision(url, LAST_NUMBERED)


def fill(url: str, revision: str, file: Path) -> None:
    """Make a database with the schema of a revision and the rows in a file."""
    migrations.upgrade(url, revision)
    schema = MetaData()
    with engine_of(url) as engine, engine.begin() as connection:
        schema.reflect(connection)
        for name, rows in json.loads(file.read_text(encoding="utf-8")).items():
            connection.execute(schema.tables[name].insert(), [stored(schema.tables[name], row) for row in rows])


def set_revision(url: str, revision: str) -> None:
    with engine_of(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})


def set_back(url: str) -> None:
    """Turn a database with today's schema into one from before the first release.

    Everything that was added since must be empty.
    """
    with engine_of(url) as engine, engine.begin() as connection:
        connection.execute(text("DROP INDEX ix_charge_corrects"))
        connection.execute(text("DROP TABLE correction"))
        connection.execute(text("DROP INDEX ix_property_paid_its_own_way"))
        for table, column in ADDED_SINCE:
            if table in ("account", "property"):
                continue  # a server that goes on running reads its account and properties, whichever schema it finds
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        for index in ("ix_billing_month_due", "ix_invoice_unbalanced", "ix_invoice_owed", "ix_invoice_surplus"):
            connection.execute(text(f"DROP INDEX {index}"))
        refunds = "(account_id, month DESC, number_key, id) WHERE status = 'CANCELLED' AND paid_amount > 0"
        connection.execute(text(f"CREATE INDEX ix_invoice_refund ON invoice {refunds}"))
        for table in (
            "former_share_rule", "earlier_invoice", "earlier_facts", "open_money", "issuer_lesson", "document_words",
            "letterhead", "rule_announcement", "dispute", "dispute_file", "month_explanation", "invoice_explanation",
        ):  # fmt: skip
            connection.execute(text(f"DROP TABLE {table}"))
        columns = ", ".join(f"{name} VARCHAR(64) NOT NULL" for name in LESSON)
        connection.execute(text(f"CREATE TABLE lesson ({columns}, PRIMARY KEY (account_id, number, issuer))"))
        _carry_nothing(connection)
        by_any_invoice = "(snapshot is null) = (sent + paid + overdue = 0)"
        of_now = "snapshot is null or sent + paid + overdue > 0"
        _restore_check(connection, "billing_month", "ck_billing_month_snapshot", of_now, by_any_invoice)
        kinds = "kind in ('duplicate', 'overlap', 'gap', 'unusualAmount', 'dueBeforeBilled', 'doesNotSum'"
        _restore_check(connection, "bill_flag", "ck_bill_flag_kind", f"{kinds}, 'inFuture')", f"{kinds})")
    set_revision(url, LAST_NUMBERED)


def _carry_nothing(connection: Connection) -> None:
    """Restore the old constraints on payments, which allow no carried credits."""
    checks = {
        "ck_payment_kind": (
            "kind in ('PAYMENT', 'REFUND', 'REVERSAL', 'CARRY')",
            "kind in ('PAYMENT', 'REFUND', 'REVERSAL')",
        ),
        "ck_payment_amount": ("amount > 0 or (amount < 0 and kind in ('CARRY', 'REVERSAL'))", "amount > 0"),
    }
    if connection.dialect.name == "postgresql":
        for name, (_, had) in checks.items():
            connection.execute(text(f"ALTER TABLE payment DROP CONSTRAINT {name}"))
            connection.execute(text(f"ALTER TABLE payment ADD CONSTRAINT {name} CHECK ({had})"))
        connection.execute(text("ALTER TABLE payment DROP CONSTRAINT uq_payment_reverses"))
        connection.execute(text("ALTER TABLE payment ADD CONSTRAINT uq_payment_reverses UNIQUE (account_id, reverses)"))
        return
    read = "SELECT sql FROM sqlite_schema WHERE type = ? AND tbl_name = 'payment' AND sql IS NOT NULL"
    (written,) = connection.exec_driver_sql(read, ("table",)).scalars().all()
    indexes = connection.exec_driver_sql(read, ("index",)).scalars().all()
    connection.exec_driver_sql("DROP TABLE payment")
    for has, had in (*checks.values(), ("(account_id, reverses, invoice_id)", "(account_id, reverses)")):
        written = written.replace(has, had)
    for one in (written.replace('"payment"', "payment"), *indexes):
        connection.exec_driver_sql(one)


def _restore_check(connection: Connection, table: str, name: str, has: str, had: str) -> None:
    """Restore the old condition of a check."""
    if connection.dialect.name == "sqlite":
        version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
        connection.exec_driver_sql("PRAGMA writable_schema = ON")
        put = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?"
        connection.exec_driver_sql(put, (has, had, table))
        connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
        connection.exec_driver_sql("PRAGMA writable_schema = RESET")
        return
    connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
    connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({had})"))


def stored(table: Table, row: dict[str, object]) -> dict[str, object]:
    """A row as its columns take it.

    JSON has no bytes, so the file contains them in base64.
    """
    whole = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    return {name: base64.b64decode(str(value)) if name in whole and value else value for name, value in row.items()}


def collation_of(url: str) -> str | None:
    with engine_of(url) as engine, engine.connect() as connection:
        (column,) = (one for one in inspect(connection).get_columns("account") if one["name"] == "automatic_sends_from")
        return getattr(column["type"], "collation", None) if engine.dialect.name == "postgresql" else None


def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    with engine_of(url) as engine, engine.connect() as connection:
        for name, rows in json.loads(OLDER.read_text(encoding="utf-8")).items():
            listed = connection.execute(text(f"SELECT {', '.join(rows[0])} FROM {name}"))
            found[name] = sorted((tuple(row) for row in listed), key=repr)
    return found


@pytest.mark.thorough
def test_what_an_older_program_wrote_is_all_there_and_sound(url: str) -> None:
    fill_older(url)
    assert condition_of(url) is Condition.OLDER
    before = rows_of(url)
    migrations.upgrade(url)
    assert condition_of(url) is Condition.CURRENT
    assert migrations.differences(url) == []
    assert collation_of(url) in {"C", None}
    after = rows_of(url)
    assert before["invoice"]
    due = {name: rows for name, rows in before.items() if name != "billing_month"}
    assert all(set(rows) <= set(after[name]) for name, rows in due.items())
    assert len(after["billing_month"]) == len(before["billing_month"])
    with opened(url, MovableClock(AFTER_OLDER)) as database:
        assert compute_due_months(database) > 0
        assert compute_due_months(database) == 0, "once"
        assert list(check(database)) == []
    sent = [row for row in before["invoice"] if {"SENT", "PAID", "OVERDUE"} & set(row)]
    assert sent
    assert set(sent) <= set(rows_of(url)["invoice"]), "Sent invoices stay as they are"


@pytest.mark.thorough
def test_sentences_that_were_stored_are_codes_and_none_is_lost(url: str) -> None:
    fill(url, "first_schema", FIRST)
    migrations.upgrade(url)
    assert migrations.differences(url) == []
    with engine_of(url) as engine, engine.connect() as connection:
        told = connection.execute(text("SELECT event_id, why, why_details FROM provider_event")).all()
        errors = connection.execute(text("SELECT last_error FROM job WHERE last_error IS NOT NULL")).scalars().all()
        asks = dict(connection.execute(text("SELECT name, asks FROM document")).all())
        draft = connection.execute(text("SELECT draft FROM document WHERE name = 'scan.pdf'")).scalar_one()
    named = {event: (why, json.loads(details)) for event, why, details in told if details}
    assert {event: why for event, why, details in told if not details} == {
        "evt_1": Reason.PAID_TWICE, "evt_others": Reason.OF_OTHERS, "evt_unknown": Reason.NOT_KNOWN,
        "evt_amount": Reason.OTHER_AMOUNT, "evt_deleted": Reason.INVOICE_DELETED,
        "evt_not_counted": Reason.PAYMENT_NOT_COUNTED, "evt_taken_back": Reason.PAYMENT_TAKEN_BACK,
        "evt_loss": Reason.LOSS_TAKEN_BACK, "evt_failed": Reason.REFUND_FAILED, "evt_gives": Reason.GIVES_OTHER_AMOUNT,
    }  # fmt: skip
    assert named == {
        "evt_number": (Reason.NOT_KNOWN_OF_INVOICE, {"number": "OAK-9-2026-02"}),
        "evt_currency": (Reason.OTHER_CURRENCY, {"paid_in": "EUR", "currency": "USD"}),
        "evt_refund_currency": (Reason.REFUND_IN_OTHER_CURRENCY, {"paid_in": "USD", "currency": "EUR"}),
        "evt_else": (
            Reason.OF_SOMEBODY_ELSE, {"payer": "Ann (for invoice 1)", "number": "MAPLE-1-2026-02", "tenant": "nobody"}
        ),
        "evt_earlier": (Reason.SAID, {"says": "As somebody put it {once}: 100% otherwise."}),
    }  # fmt: skip
    words = {event: in_words(why, details) for event, why, details in told}
    assert words["evt_earlier"] == "As somebody put it {once}: 100% otherwise."
    assert all(said.endswith(".") and " " in said for said in words.values())
    assert (errors, asks) == ([BROKEN_OFF], {"locked.pdf": PASSWORD, "scan.pdf": None})
    assert msgspec.json.decode(draft, type=Draft).issuer == Reading("asked", "Aqua", (), None, ("Aqua",))
    with opened(url, MovableClock(AFTER_OLDER)) as database:
        assert list(check(database)) == []


@pytest.mark.thorough
def test_many_different_sentences_are_turned_in_a_few_statements(url: str) -> None:
    fill(url, "first_schema", FIRST)
    many, statements = 2_500, []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().startswith("UPDATE provider_event"):
            statements.append(statement)

    with engine_of(url) as engine, engine.begin() as connection:
        (schema := MetaData()).reflect(connection, only=["provider_event"])
        messages = schema.tables["provider_event"]
        row = dict(connection.execute(messages.select().limit(1)).mappings().one())
        said = {f"evt_many{number}": f"As number {number} was put otherwise." for number in range(many)}
        connection.execute(messages.insert(), [row | {"event_id": key, "why": why} for key, why in said.items()])
    event.listen(Engine, "before_cursor_execute", note)
    try:
        migrations.upgrade(url)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    with engine_of(url) as engine, engine.connect() as connection:
        told = connection.execute(text("SELECT event_id, why, why_details FROM provider_event")).all()
    words = {key: in_words(why, details) for key, why, details in told if key.startswith("evt_many")}
    assert words == said
    assert {why for key, why, _ in told if key.startswith("evt_many")} == {Reason.SAID}
    assert len(statements) < 10


@pytest.mark.parametrize(
    ("before", "contact", "phone"),
    [
        ("carol@example.com, 518-555-0100", "carol@example.com", "518-555-0100"),
        ("+49 (30) 123 456 / carol@example.com", "carol@example.com", "+49 (30) 123 456"),
        ("518-555-0100 or 518-555-0101", "", "518-555-0100, 518-555-0101"),
        ("carol@example.com", "carol@example.com", ""),
        ("a@example.com, b@example.com, 5", "a@example.com, b@example.com, 5", ""),
        ("", "", ""),
    ],
)
@pytest.mark.thorough
def test_the_telephone_in_a_contact_stands_apart(url: str, before: str, contact: str, phone: str) -> None:
    fill(url, "first_schema", FIRST)
    with engine_of(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE account SET contact = :contact"), {"contact": before})
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        found = connection.execute(text("SELECT DISTINCT contact, phone FROM account")).all()
    assert [tuple(row) for row in found] == [(contact, phone)]


@pytest.mark.thorough
def test_what_was_learned_of_account_numbers_goes_and_the_documents_stay(url: str) -> None:
    fill(url, "first_schema", FIRST)
    with engine_of(url) as engine, engine.begin() as connection:
        (account,) = connection.execute(text("SELECT id FROM account LIMIT 1")).scalars()
        row = dict(zip(LESSON, (account, "A-1", "aqua", "{}", "2026-11-01T00:00:00.000Z"), strict=True))
        connection.execute(text(f"INSERT INTO lesson VALUES ({', '.join(f':{name}' for name in LESSON)})"), row)
        before = connection.execute(text("SELECT count(*) FROM document")).scalar_one()
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.connect() as connection:
        assert "lesson" not in inspect(connection).get_table_names()
        assert connection.execute(text("SELECT count(*) FROM document")).scalar_one() == before > 0
        assert connection.execute(text("SELECT count(*) FROM document_words")).scalar_one() == 0


def test_a_property_still_takes_everything_under_it_along(url: str) -> None:
    fill_older(url)
    migrations.upgrade(url)
    with engine_of(url) as engine, engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        connection.execute(text("DELETE FROM property"))
        for table in ("unit", "tenant", "share_rule", "bill", "bill_line", "billing_month", "invoice", "charge"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0, table


@pytest.mark.parametrize(
    ("revision", "condition"),
    [("0007", Condition.UNRELEASED), ("0035", Condition.UNRELEASED), ("later_on", Condition.NEWER)],
)
def test_a_revision_that_is_not_known_is_told_from_an_older_one(url: str, revision: str, condition: Condition) -> None:
    migrations.upgrade(url)
    set_revision(url, revision)
    assert condition_of(url) is condition


def test_a_record_still_needs_its_account(url: str) -> None:
    migrations.upgrade(url)
    with engine_of(url) as engine:
        references = {name: inspect(engine).get_foreign_keys(name) for name in inspect(engine).get_table_names()}
    owned = references.keys() - TABLES_OF_NOBODY - {"account", "alembic_version"}
    assert [name for name in owned if not references[name]] == []


def test_the_database_allows_every_value_that_the_program_has(url: str) -> None:
    """A value added to a list needs a revision that widens its check.

    `differences` does not compare checks, so it would not notice.
    """
    migrations.upgrade(url)
    with engine_of(url) as engine:
        inspector = inspect(engine)
        for table in metadata.sorted_tables:
            stands = {one["name"]: values_in(one["sqltext"]) for one in inspector.get_check_constraints(table.name)}
            for check_ in table.constraints:
                if isinstance(check_, CheckConstraint):
                    named = str(check_.name)
                    assert stands[named] == values_in(str(check_.sqltext)), f"{named} needs a revision of the schema"


def values_in(check_: str) -> set[str]:
    return set(re.findall(r"'([A-Za-z][^']*)'", check_))
