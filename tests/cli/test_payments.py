"""Tests of importing payments from a bank statement with the command line."""

import json
from pathlib import Path

import msgspec
import pytest

from prorata.actions.accounts import accounts
from prorata.actions.payments import files as payment_files
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.sheets import Sheet
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.payments import files as stored
from tests.cli.running import Command
from tests.cli.seeding import database_at

STATEMENT = """Date,Amount,Description
2025-02-05,50.00,House0 0 2025-01
2025-02-06,3.21,thanks
2025-02-07,-9.90,fee
soon,1.00,odd
"""
FOR_ANN = ("--account", "ann@example.com")


@pytest.fixture
def statement(billed: Command) -> Path:
    file = billed.folder / "february.csv"
    file.write_text(STATEMENT)
    return file


def test_what_is_plain_is_recorded_once_and_the_rest_waits_with_its_reason(billed: Command, statement: Path) -> None:
    words = ("payments", "import", statement, *FOR_ANN)
    looked = billed.ok(*words, "--dry-run").splitlines()
    assert looked[0] == (
        "line 2, 50.00: matched. HOUSE0-0-2025-01 50.00. The text mentions HOUSE0-0-2025-01, and the amount is what "
        "is left to pay."
    )
    assert looked[1].startswith("line 3, 3.21: unmatched. No number, name or amount matches")
    assert looked[2].startswith("line 5, Date: ")
    assert looked[3:] == [
        "1 payment would be recorded; 0 rows already recorded.",
        "1 row not clear: a person has to choose.",
        "1 row left out: no money came in.",
    ]
    assert "1 payment recorded; 0 rows already recorded." in billed.ok(*words)
    again = billed.ok(*words)
    assert "line 2: already recorded; skipped." in again
    assert "0 payments recorded; 1 row already recorded." in again
    assert billed.ok("check") == "No problems were found in the stored data."


def test_a_payment_that_came_back_is_never_recorded_as_received(billed: Command) -> None:
    file = billed.folder / "returned.csv"
    file.write_text(
        "Date,Debit,Credit,Description\n2025-02-05,,50.00,HOUSE0-0-2025-01\n2025-02-06,,-50.00,HOUSE0-1-2025-01\n"
    )
    assert billed.ok("payments", "import", file, *FOR_ANN).splitlines()[1:] == [
        "1 payment recorded; 0 rows already recorded.",
        "1 row left out: no money came in.",
    ]
    file.write_text("Date,Debit,Credit,Description\n2025-02-06,,-50.00,HOUSE0-1-2025-01\n")
    alone = billed.run("payments", "import", file, *FOR_ANN)
    assert (alone.code, "0 payments recorded" in alone.out) == (1, True)
    assert "line 2, Credit: This row does not show whether the money came in or went out" in alone.out + alone.err


def test_the_report_as_json_says_each_row_with_its_candidates(billed: Command, statement: Path) -> None:
    report = json.loads(billed.ok("payments", "import", statement, *FOR_ANN, "--json"))
    assert (report["dryRun"], report["recorded"], report["leftOut"], report["thereAlready"]) == (False, 1, 1, [])
    assert [one["verdict"] for one in report["rows"]] == ["matched", "unmatched"]
    assert report["rows"][0]["candidates"] == [[{"invoice": "HOUSE0-0-2025-01", "amount": "50.00"}]]
    assert [problem["line"] for problem in report["problems"]] == [5]


def test_columns_that_nobody_knows_are_said_and_remembered(billed: Command) -> None:
    file = billed.folder / "dutch.csv"
    file.write_text("Dag;Bedrag;Wat\n2025-02-05;50,00;HOUSE0-0-2025-01\n")
    words = ("payments", "import", file, *FOR_ANN)
    refused = billed.run(*words)
    assert refused.code == 1
    assert 'No column is mapped to date. Specify one: --map "Their column=date"' in refused.err
    said = ("--map", "Dag=date", "--map", "Bedrag=amount", "--map", "Wat=text", "--remember")
    assert "1 payment recorded" in billed.ok(*words, *said)
    file.write_text("Dag;Bedrag;Wat\n2025-02-06;20,00;HOUSE0-1-2025-01\n")
    assert "1 payment recorded" in billed.ok(*words)
    wrong = billed.run(*words, "--map", "Nowhere=date")
    assert (wrong.code, "has no column Nowhere" in wrong.err) == (2, True)


PARTS = """Date,Amount,Description,Bank ref{0}
2025-02-05,20.00,thanks,HOUSE0-0-2025-01{1}
"""


def test_a_part_is_recorded_once_however_its_columns_are_said_to_be_and_one_that_looks_alike_is_listed(
    billed: Command,
) -> None:
    file, later = billed.folder / "parts.csv", billed.folder / "later.csv"
    file.write_text(PARTS.format("", ""))
    words = ("payments", "import", file, *FOR_ANN)
    assert "1 payment recorded" in billed.ok(*words, "--map", "Bank ref=text", "--map", "Description=")
    again = billed.ok(*words, "--map", "Bank ref=reference", "--map", "Description=text")
    assert "line 2: already recorded; skipped." in again
    assert "0 payments recorded; 1 row already recorded." in again
    later.write_text(PARTS.format(",Balance", ",145.00"))
    alike = billed.ok("payments", "import", later, *FOR_ANN, "--map", "Bank ref=reference").splitlines()
    assert alike[0].startswith("line 2, 20.00: proposed. It has the same date and amount as a payment from a file")
    assert alike[1:] == [
        "0 payments recorded; 0 rows already recorded.",
        "1 row not clear: waits for a person under Payments in the dashboard.",
    ]


def test_a_file_that_is_there_is_read_and_listed_as_somebody_has_said_in_the_dashboard(
    billed: Command, url: str
) -> None:
    file = billed.folder / "dutch.csv"
    file.write_text("Dag;Bedrag;Wat\n2025-02-05;50,00;HOUSE0-0-2025-01\n2025-02-06;3,21;thanks\n")
    header, rows = (
        ("Dag", "Bedrag", "Wat"),
        (("2025-02-05", "50,00", "HOUSE0-0-2025-01"), ("2025-02-06", "3,21", "thanks")),
    )
    sheet = Sheet(header, tuple((at + 2, row) for at, row in enumerate(rows)))

    def say(tx: Tx) -> None:
        caller = Caller(accounts.find_account(tx, "ann@example.com").id, "test")
        kept = payment_files.keep(tx, caller, "dutch.csv", file.read_bytes(), sheet)
        payment_files.choose(tx, caller, kept, 1, ColumnMapping({"dag": "date", "bedrag": "amount", "wat": "text"}))
        found = payment_files.find(tx, caller, kept)
        odd = payment_files.look_at(tx, caller, found).waiting[1].row
        choices = msgspec.json.decode(found.row.choices)
        said = msgspec.json.encode([*choices[:2], [odd.source]]).decode()
        stored.save(tx, found.row._replace(choices=said))

    with database_at(url) as database:
        database.write(say)
    words = ("payments", "import", file, *FOR_ANN)
    listed = billed.ok(*words, "--dry-run").splitlines()
    assert listed[0].startswith("line 2, 50.00: matched.")
    assert listed[1:] == [
        "line 3: already recorded; skipped.",
        "1 payment would be recorded; 1 row already recorded.",
    ]
    done = billed.ok(*words).splitlines()
    assert [done[0], done[1:]] == [listed[0], [listed[1], "1 payment recorded; 1 row already recorded."]]
    mapped = billed.ok(*words, "--map", "Wat=reference").splitlines()
    assert mapped[-1] == "0 payments recorded; 2 rows already recorded.", "what was called the same stays so"


UNSIGNED = """Date,Amount,Description,Kind
2025-02-05,50.00,House0 0 2025-01,{}
2025-02-06,50.00,House0 1 2025-01,{}
"""


def test_a_deposit_that_was_given_back_is_not_recorded_as_received(billed: Command) -> None:
    file = billed.folder / "debits.csv"
    file.write_text(UNSIGNED.format("Credit", "Debit"))
    said = billed.ok("payments", "import", file, *FOR_ANN)
    assert "1 payment recorded" in said
    assert "1 row left out: no money came in." in said


def test_a_file_that_does_not_say_plainly_what_went_out_is_asked_about_and_nothing_is_recorded(billed: Command) -> None:
    file = billed.folder / "asked.csv"
    file.write_text(UNSIGNED.format("D", "D"))
    asked = billed.run("payments", "import", file, *FOR_ANN)
    assert asked.code == 1
    assert "the column Kind may show which payments went out" in asked.err
    still = billed.run("payments", "import", file, *FOR_ANN, "--decimal", ".")
    assert (still.code, "the column Kind may show" in still.err) == (1, True)
    assert "2 payments would be recorded" in billed.ok(
        "payments", "import", file, *FOR_ANN, "--map", "Kind=", "--dry-run"
    )
    said = billed.run("payments", "import", file, *FOR_ANN, "--map", "Kind=direction")
    assert (said.code, "0 payments recorded" in said.out) == (1, True), "no row could be read"
    assert "lines 2–3, Kind: This row does not show whether the money came in or went out" in said.out


HEADERLESS = "05.02.2025;50,00;HOUSE0-0-2025-01;\n06.02.2025;-3,21;fee;\n"


def test_columns_without_names_are_said_by_their_numbers_once(billed: Command) -> None:
    file = billed.folder / "headerless.csv"
    file.write_text(HEADERLESS)
    words = ("payments", "import", file, *FOR_ANN)
    refused = billed.run(*words)
    assert refused.code == 1
    assert refused.err.splitlines() == [
        'The file has no header. Specify its columns by number, such as --map "1=date":',
        "  1: 05.02.2025, 06.02.2025 (perhaps date)",
        "  2: 50,00, -3,21 (perhaps amount)",
        "  3: HOUSE0-0-2025-01, fee (perhaps text)",
        "  4: empty",
    ]
    said = ("--no-header", "--map", "1=date", "--map", "2=amount", "--map", "3=text", "--dates", "DMY", "--remember")
    assert "1 payment recorded" in billed.ok(*words, *said)
    file.write_text("07.02.2025;20,00;HOUSE0-1-2025-01;x\n")
    assert "1 payment recorded" in billed.ok(*words)
    file.write_text("07.02.2025;20,00;30,00;HOUSE0-1-2025-01\n")
    assert billed.run(*words).code == 1, "of another shape"


def test_a_header_that_is_taken_for_one_can_be_said_to_be_a_payment(billed: Command) -> None:
    file = billed.folder / "odd.csv"
    file.write_text("credit,memo,50.00,2025-02-05\nHOUSE0-0-2025-01,x,50.00,2025-02-06\n")
    words = ("payments", "import", file, *FOR_ANN, "--dry-run")
    assert "No column is mapped to date." in billed.run(*words).err
    said = ("--no-header", "--map", "1=text", "--map", "3=amount", "--map", "4=date", "--map", "2=")
    assert "1 payment would be recorded" in billed.ok(*words, *said)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("50.00\n20.00\n", "This file has only one column."),
        ("50.00,Ann\n20.00,Bo\n", "No column of this file contains dates"),
        ("", "The file is empty."),
        ("2025-02-05,1.00,x\n" * 5_001, "The file has more than 5,000 rows."),
    ],
)
def test_what_can_be_no_file_of_payments_is_one_sentence_and_nothing_is_kept(
    billed: Command, url: str, content: str, says: str
) -> None:
    file = billed.folder / "bad.csv"
    file.write_text(content)
    refused = billed.run("payments", "import", file, *FOR_ANN, "--no-header", "--map", "1=date", "--map", "2=amount")
    assert refused.code
    assert says in refused.err
