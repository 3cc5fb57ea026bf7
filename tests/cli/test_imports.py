"""Tests of importing bills and units from files with the command line."""

import fcntl
import json
import os
import pty
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

from openpyxl import Workbook

from prorata.actions.intake import documents, table_documents
from prorata.actions.intake.documents import ListedDraft
from prorata.actions.intake.table_documents import Outcome
from prorata.domain.intake.documents import BILLED, OPEN
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills as stored_bills
from tests.cli.running import Command
from tests.cli.seeding import HEADER, database_at, seed, write_bills

GOOD = ("House 0", "City", "WATER", "100.00", "2026-02-20", "1")
BAD = ("House 9", "City", "WATER", "lots", "2026-02-20", "2")


def written(file: Path, *rows: tuple[str, ...]) -> Path:
    file.write_text("\n".join(",".join(row) for row in (HEADER, *rows)))
    return file


def test_a_bills_file_is_imported_and_a_second_time_nothing_is_added(furnished: Command) -> None:
    file = write_bills(furnished.folder / "bills.csv", number=20, of_properties=2)

    first = furnished.ok("bills", "import", file, "--account", "ann@example.com").splitlines()
    assert first[-1] == "20 bills added; 0 bills already there."
    again = furnished.ok("bills", "import", file, "--account", "ann@example.com").splitlines()
    assert "line 2: this bill already exists; skipped." in again
    assert again[-1] == "0 bills added; 20 bills already there."
    assert furnished.ok("check") == "No problems were found in the stored data."


def test_bad_rows_are_listed_and_nothing_is_written_unless_the_good_ones_are_taken(furnished: Command) -> None:
    file = written(furnished.folder / "bills.csv", GOOD, BAD)
    words = ("bills", "import", file, "--account", "ann@example.com")

    refused = furnished.run(*words)
    assert refused.code == 1
    assert "line 3, property: No property has this id" in refused.out
    assert "line 3, totalAmountDue: " in refused.out
    assert refused.err == (
        "Nothing was written: 1 line with problems. 1 good row can be imported without them: --take-good-rows.\n"
    )
    taken = furnished.run(*words, "--take-good-rows")
    assert (taken.code, taken.err) == (0, "1 line with problems left out.\n")
    assert taken.out.endswith("1 bill added; 0 bills already there.\n")


def test_the_report_as_json_lists_line_column_and_message(furnished: Command) -> None:
    file = written(furnished.folder / "bills.csv", GOOD, BAD)

    done = furnished.run("bills", "import", file, "--account", "ann@example.com", "--json", "--dry-run")

    report = json.loads(done.out)
    assert done.code == 1
    assert {name: report[name] for name in ("dryRun", "added", "goodRows", "skipped")} == {
        "dryRun": True,
        "added": 0,
        "goodRows": 1,
        "skipped": [],
    }
    assert [(each["line"], each["column"]) for each in report["problems"]] == [(3, "property"), (3, "totalAmountDue")]
    assert all(each["message"].endswith(".") for each in report["problems"])


def test_a_dry_run_writes_nothing(furnished: Command, url: str) -> None:
    file = written(furnished.folder / "bills.csv", GOOD)

    said = furnished.ok("bills", "import", file, "--account", "ann@example.com", "--dry-run").splitlines()
    assert said[-1].startswith("1 bill would be")
    with database_at(url) as database:
        assert (
            database.read(lambda tx: stored_bills.page(tx, furnished_account(furnished), limit=1, offset=0, total=1))
            == []
        )


def test_the_file_is_kept_once_with_the_bills_that_are_added_and_with_no_others(furnished: Command, url: str) -> None:
    words = ("bills", "import", written(furnished.folder / "bills.csv", GOOD, BAD), "--account", "ann@example.com")
    account = furnished_account(furnished)
    caller = Caller(account, "test")
    with database_at(url) as database:

        def kept() -> list[ListedDraft]:
            return database.read(lambda tx: documents.inbox(tx, caller, [BILLED, *OPEN])).rows

        furnished.ok(*words, "--take-good-rows", "--dry-run")
        assert furnished.run(*words).code == 1
        assert kept() == [], "nothing was written"
        assert [furnished.run(*words, "--take-good-rows").code for _ in range(2)] == [0, 1], "the bill is there already"
        ((row, _),) = kept()
        assert (row.name, row.way, row.state, row.bills, row.rows) == ("bills.csv", "command", "billed", 1, 2)
        assert database.read(lambda tx: documents.content_of(tx, caller, row.id)) == words[2].read_bytes()
        (bill,) = database.read(lambda tx: stored_bills.page(tx, account, limit=9, offset=0, total=1))
        assert [one.id for one in database.read(lambda tx: documents.of_bill(tx, caller, bill.id))] == [row.id]
        table = database.read(lambda tx: table_documents.find(tx, caller, row.id))
        assert table is not None
        assert (table.outcome, table.understood.is_open) == (Outcome(1, 0, 1), False)
        archive = furnished.folder / "more.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            for number, month in enumerate(("03", "04")):
                packed.writestr(f"{month}.csv", ",".join(HEADER) + f"\nHouse {number},City,GAS,9.00,2026-{month}-02,")
        furnished.ok("bills", "import", archive, "--account", "ann@example.com")
        assert sorted(one.row.name for one in kept()) == ["03.csv", "04.csv", "bills.csv"]
    assert furnished.ok("check") == "No problems were found in the stored data."


def test_what_is_odd_is_told_by_line_and_keeps_no_bill_out(furnished: Command) -> None:
    of_ann = ("--account", "ann@example.com")
    furnished.ok("account", "settings", *of_ann, "--hold-flagged")
    again = ("House 0", "City", "WATER", "100.00", "2026-02-20", "1")
    first = written(furnished.folder / "first.csv", GOOD)
    furnished.ok("bills", "import", first, *of_ann)
    file = written(furnished.folder / "bills.csv", (*again[:5], "2"), (*again[:3], "70.00", *again[4:5], "3"))
    dry = json.loads(furnished.ok("bills", "import", file, *of_ann, "--dry-run", "--json"))
    (flag,) = dry["flagged"]
    assert (flag["line"], flag["kind"], len(flag["bills"])) == (2, "duplicate", 1)
    assert flag["message"] == "A bill from City dated 2026-02-20 for $100.00 has already been added."
    said = furnished.ok("bills", "import", file, *of_ann).splitlines()
    assert said[1].startswith(f"line 2, flagged: {flag['message']} If it is the same bill, leave this one out;")
    assert said[1].endswith(f"({flag['bills'][0]})")
    assert said[2:] == [
        "2 bills added; 0 bills already there.", "1 bill of them flagged: it counts; check it under Bills, Flagged.",
    ]  # fmt: skip
    assert furnished.ok("check") == "No problems were found in the stored data."


def test_a_command_that_only_reads_does_its_work_while_another_process_writes(on_sqlite: Command) -> None:
    account = on_sqlite.account()
    with (on_sqlite.data / "prorata.sqlite3-lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        began = time.monotonic()
        assert account in on_sqlite.ok("account", "list")
        assert time.monotonic() - began < 8, "it waited for its turn to write"


def furnished_account(command: Command) -> str:
    return command.ok("account", "list").split()[0]


def test_a_workbook_is_known_by_what_it_holds_whatever_its_name(on_sqlite: Command) -> None:
    on_sqlite.account()
    seed(f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}", "ann@example.com", number=1, units=1)
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(HEADER)
    sheet.append(("House 0", "City", "WATER", 100.25, date(2026, 2, 20), "1"))
    book.save(on_sqlite.folder / "bills.csv")

    said = on_sqlite.ok("bills", "import", on_sqlite.folder / "bills.csv", "--account", "ann@example.com")

    assert said == "1 bill added; 0 bills already there."


def test_what_is_no_table_at_all_is_refused_with_a_sentence(on_sqlite: Command) -> None:
    on_sqlite.account()
    (on_sqlite.folder / "bills.pdf").write_bytes(b"%PDF-1.7\n" * 100)
    (on_sqlite.folder / "empty.csv").write_bytes(b"")

    for name in ("bills.pdf", "empty.csv"):
        on_sqlite.refused("bills", "import", on_sqlite.folder / name, "--account", "ann@example.com")
        on_sqlite.refused("units", "import", on_sqlite.folder / name, "--account", "ann@example.com", "--property", "x")


MESSY = "Costs of 2026;;;;\nHaus;Von;Art;Betrag;Am\n{}House 0;Köln;WATER;1.234,50;25.03.2026\n"
MAPPED = (
    "--map",
    "Haus=property",
    "--map",
    "Von=issuerName",
    "--map",
    "Art=utilityType",
    "--map",
    "Betrag=totalAmountDue",
)


def test_unknown_columns_are_said_remembered_where_that_is_wanted_and_known_the_next_time(furnished: Command) -> None:
    file, later = furnished.folder / "m.csv", furnished.folder / "later.csv"
    file.write_bytes(MESSY.format("").encode("cp1252"))
    later.write_bytes(MESSY.format("House 1;Köln;WATER;80,10;03.04.2026\n").encode("cp1252"))
    words = ("bills", "import", file, "--account", "ann@example.com")
    lacking = furnished.run(*words)
    assert lacking.code == 1
    assert "The header lacks issuerName, utilityType and billDate." in lacking.out
    assert '--map "Their column=issuerName"' in lacking.out
    assert "--map" in furnished.run(*words, "--map", "Haus=house").err
    assert (
        "The file has no column Hof. Its columns are: Haus, Von, Art, Betrag, Am"
        in furnished.run(*words, "--map", "Hof=property").err
    )
    assert furnished.ok(*words, *MAPPED, "--map", "Am=billDate").splitlines() == [
        "Amounts: With a decimal comma, as 1.234,50 in line 3 shows.", "Dates: With the day first, as 25.03.2026 in line 3 shows.",
        "1 bill added; 0 bills already there.",
    ]  # fmt: skip
    assert furnished.run("bills", "import", later, "--account", "ann@example.com").code == 1
    assert furnished.ok(*words, *MAPPED, "--map", "Am=billDate", "--remember").endswith("1 bill already there.")
    said = furnished.ok("bills", "import", later, "--account", "ann@example.com").splitlines()
    assert said[0] == "The columns are read as specified for an earlier file with the same columns."
    assert said[-1] == "1 bill added; 1 bill already there."


def test_what_reads_two_ways_is_said_by_an_option(furnished: Command) -> None:
    file = written(furnished.folder / "b.csv", ("House 0", "City", "WATER", "1.234", "03.04.2026", "1"))
    words = ("bills", "import", file, "--account", "ann@example.com", "--dry-run")
    asked = furnished.run(*words)
    assert asked.code == 1
    assert "1.234 in line 2 is ambiguous. Specify --decimal . or ," in asked.out
    assert "03.04.2026 in line 2 is ambiguous. Specify --dates DMY or MDY" in asked.out
    assert furnished.ok(*words, "--decimal", ",", "--dates", "DMY") == "1 bill would be added; 0 bills already there."


def test_one_slip_of_the_pen_turns_no_other_amount_around(furnished: Command) -> None:
    rows = (
        ("House 0", "City", "WATER", "1.234", "2026-02-20", "1"),
        ("House 0", "City", "WATER", '"80,10"', "2026-03-20", "2"),
    )
    file = written(furnished.folder / "b.csv", *rows)
    words = ("bills", "import", file, "--account", "ann@example.com", "--dry-run")
    asked = furnished.run(*words)
    assert (asked.code, "line 2, totalAmountDue: " in asked.out) == (1, True)
    assert "1.234 in line 2 is ambiguous. Specify --decimal . or ," in asked.out
    assert furnished.ok(*words, "--decimal", ",") == "2 bills would be added; 0 bills already there."


def test_an_archive_of_tables_is_imported_and_what_is_no_table_says_how_to_bring_it(furnished: Command) -> None:
    good, bad = (written(furnished.folder / f"{name}.csv", row) for name, row in (("good", GOOD), ("bad", BAD)))
    file = furnished.folder / "q.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.write(good, "2026/good.csv")
        archive.write(bad, "2026/bad.csv")
        archive.writestr("bill.pdf", b"%PDF-1.7 of which the rest was lost")
    words = ("bills", "import", file, "--account", "ann@example.com")
    told = json.loads(furnished.run(*words, "--dry-run", "--json").out)["files"]
    assert [(one["name"], one.get("added")) for one in told] == [
        ("2026/good.csv", 1), ("2026/bad.csv", 0), ("bill.pdf", None),
    ]  # fmt: skip
    done = furnished.run(*words)
    assert done.code == 1
    assert done.out.splitlines()[:3] == [
        "== 2026/good.csv", "Amounts: With a decimal point, as 100.00 in line 2 shows.", "1 bill added; 0 bills already there.",
    ]  # fmt: skip
    assert "line 2, totalAmountDue" in done.out
    assert "Upload a PDF or a picture in the Inbox of the dashboard" in done.out


def test_a_terminal_shows_a_progress_bar_and_a_pipe_none(on_sqlite: Command) -> None:
    on_sqlite.account()
    seed(f"sqlite:///{on_sqlite.data / 'prorata.sqlite3'}", "ann@example.com", number=1, units=1)
    file = written(on_sqlite.folder / "bills.csv", GOOD)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "prorata.cli", "bills", "import", file, "--account", "ann@example.com"],
        cwd=on_sqlite.folder,
        env=on_sqlite.environment | {"TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the terminal's other end is closed
        while chunk := os.read(ours, 4096):
            shown += chunk
    out, _ = process.communicate()
    os.close(ours)

    assert b"Writing" in shown
    assert b"100%" in shown
    assert out.endswith(b"1 bill added; 0 bills already there.\n")
    assert on_sqlite.run("bills", "import", file, "--account", "ann@example.com").err == ""


# --- units -----------------------------------------------------------------------------------------------------------

UNITS = """unit,sq ft,bedrooms,rent,tenant,email,move in
1A,850,2,"1,400.00",Ann,ann@example.com,2026-01-15
1A,,,,Bob,,
2,,,,,,
"""


def test_units_and_tenants_are_imported_at_once_and_a_second_time_nothing_is_added(furnished: Command) -> None:
    file = furnished.folder / "units.csv"
    file.write_text(UNITS)
    words = ("units", "import", file, "--account", "ann@example.com", "--property", "House 0")

    assert furnished.ok(*words) == "2 units and 2 tenants added; 0 already there."
    assert furnished.ok(*words) == "0 units and 0 tenants added; 4 already there."
    file.write_text("Unit,Tenant\n2E,Eva\n")
    furnished.ok(*words)
    file.write_text("Unit,Tenant\n2E,VACANT\n")
    assert "2E: the file says vacant. Eva stays. If Eva moved out" in furnished.run(*words, "--dry-run").err


def test_units_with_a_bad_row_are_not_imported_at_all(furnished: Command) -> None:
    file = furnished.folder / "units.csv"
    file.write_text(UNITS + "3,wide,,,,,\n")
    words = ("units", "import", file, "--account", "ann@example.com", "--property", "House 0")

    done = furnished.run(*words)

    assert (done.code, done.err) == (
        1, (
            "Nothing was written: 1 line with problems. The other rows can be imported without them: "
            "--take-good-rows.\n"
        ),
    )  # fmt: skip
    assert done.out.startswith("line 5, sq ft: ")
    file.write_text(UNITS)
    assert furnished.ok(*words).startswith("2 units and 2 tenants added")


def test_bad_rows_of_units_are_left_out_where_that_is_said(furnished: Command) -> None:
    file = furnished.folder / "units.csv"
    file.write_text("label,sqft,tenantName\n7,850,Ann\n8,many,Bo\n")
    words = ("units", "import", file, "--account", "ann@example.com", "--property", "House 0")
    done = furnished.run(*words, "--take-good-rows")

    assert (done.code, done.err) == (0, "1 line with problems left out.\n")
    assert done.out.startswith("line 3, sqft: ")
    assert done.out.endswith("1 unit and 1 tenant added; 0 already there.\n")


def test_a_workbook_brings_in_properties_with_their_units(furnished: Command) -> None:
    workbook = Workbook()
    for row in (("Our houses",), ("Property", "Street", "City", "Zip", "Country", "Unit", "Sq Ft", "Tenant", "House No", "State"),
                ("Elm", "Elm St", "Reno", 89501, "US", 1, 850.5, "Ann", 7, "NV"), ("Elm", None, None, None, None, 2),
                ("House 0", None, None, None, None, "Attic")):  # fmt: skip
        workbook.active.append(row)
    file = furnished.folder / "houses.xlsx"
    workbook.save(file)
    words = ("units", "import", file, "--account", "ann@example.com")

    assert furnished.ok(*words, "--dry-run") == "1 property, 3 units and 1 tenant would be added; 0 already there."
    assert furnished.ok(*words) == "1 property, 3 units and 1 tenant added; 0 already there."
    assert furnished.ok(*words) == "0 properties, 0 units and 0 tenants added; 4 already there."


def test_a_file_without_a_property_asks_for_one(furnished: Command) -> None:
    file = furnished.folder / "units.csv"
    file.write_text(UNITS)

    done = furnished.run("units", "import", file, "--account", "ann@example.com")

    assert done.code == 2
    assert "--property" in done.err


def test_unknown_columns_of_units_are_said_and_remembered_and_sum_rows_are_named(furnished: Command) -> None:
    file = furnished.folder / "liste.csv"
    file.write_text("Mieterliste 2026,,\n,,\nBezeichnung,Nutzer,Groesse\nEG,Ann,80\nOG,LEERSTAND,70\nSumme,,150\n")
    words = ("units", "import", file, "--account", "ann@example.com", "--property", "House 0")

    asked = furnished.run(*words)
    assert (asked.code, asked.err) == (1, 'No column is mapped to label. Specify one: --map "Their column=label"\n')
    wrong = furnished.run(*words, "--map", "Bezeichnung=label", "--map", "Nutzer=label")
    assert (wrong.code, wrong.err.startswith("Several columns are mapped to label.")) == (1, True)
    assert "The file has no column Flur" in furnished.run(*words, "--map", "Flur=label").err
    assert furnished.run(*words, "--map", "Nutzer=nobody").code == 2

    said = ("--map", "Bezeichnung=label", "--map", "Nutzer=tenantName", "--map", "Groesse=sqft", "--remember")
    done = furnished.run(*words, *said)
    assert done.out == "2 units and 1 tenant added; 0 already there.\n"
    assert done.err == "Line 6 is skipped, because it adds up other lines: Summe.\n"
    assert furnished.ok(*words) == "0 units and 0 tenants added; 3 already there."


def test_units_below_headings_are_of_their_properties_and_their_lines_are_named(furnished: Command) -> None:
    file = furnished.folder / "liste.csv"
    file.write_text('Unit,Tenant\nHouse 0,\nA1,Ann\nA2,vacant\n"Elm, 12 Main St, Reno, NV 89501",\nB1,Bo\n')
    done = furnished.run("units", "import", file, "--account", "ann@example.com")
    assert done.out == "1 property, 3 units and 2 tenants added; 0 already there.\n"
    assert done.err == (
        "Lines 3–4 take the property of line 2: House 0.\n"
        "Line 6 takes the property of line 5: Elm, 12 Main St, Reno, NV 89501.\n"
    )


def test_equal_problems_of_units_are_said_once_with_their_lines(furnished: Command) -> None:
    file = furnished.folder / "units.csv"
    file.write_text("Unit,Sq Ft,Tenant,Move In\n1,-5,,\n2,-6,,\n3,1,Ann,31.02.2026\n4,-7,,\n")
    done = furnished.run("units", "import", file, "--account", "ann@example.com", "--property", "House 0")
    assert done.code == 1
    assert done.out.startswith("lines 2–3, 5, Sq Ft: An area must be between 0")
    assert "line 4, Move In: " in done.out
