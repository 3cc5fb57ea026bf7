"""Tests of charge files for other programs, made by the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Command

FOR_ANN = ("--account", "ann@example.com", "--system", "buildium")
JANUARY = ("charges", "export", *FOR_ANN, "--month", "2025-01")


@pytest.fixture
def named(billed: Command) -> Command:
    """Return the command after all Buildium names have been set."""
    done = billed.ok("charges", "names", *FOR_ANN, "--set", "account:WATER=4100 Water", "--take-ours")
    assert done == "4 names kept."
    return billed


def test_what_is_not_said_yet_is_named_and_no_file_is_made(billed: Command) -> None:
    file = billed.folder / "january.csv"
    done = billed.run(*JANUARY, file)
    assert (done.code, done.out, file.exists()) == (1, "", False)
    assert "Property name of House 0: not given yet; 2 invoices left out." in done.err
    assert "General ledger account of Water: not given yet; 2 invoices left out." in done.err


def test_a_file_is_written_once_and_the_next_one_leaves_out_what_is_in_it(named: Command) -> None:
    file = named.folder / "january.csv"
    would = named.run(*JANUARY, "--dry-run")
    assert (would.code, would.out) == (0, "")
    assert "2 invoices in 2 rows, 100.00 USD: would be in the file." in would.err
    first = named.run(*JANUARY, file, "--most", "1")
    assert first.code == 0
    assert "There are more invoices: create another file for them." in first.err
    assert "1 invoice in 1 row, 50.00 USD: created." in first.err
    lines = file.read_bytes().decode().split("\r\n")
    assert lines[0].startswith("Date,Transaction type,Property name,Unit number")
    assert ",Charge,House 0,0,,,50.00,4100 Water," in lines[1]
    assert len(lines) == 3
    assert "already exists" in named.refused(*JANUARY, file)
    second = named.run(*JANUARY)
    assert ",Charge,House 0,1,,,50.00,4100 Water," in second.out
    assert "1 invoice in an earlier file: left out." in second.err
    third = named.run(*JANUARY)
    assert third.code == 1
    assert "0 invoices in 0 rows, nothing: no file was created." in third.err
    again = named.run(*JANUARY, file, "--again", "--force", "--rows", "charge")
    assert "2 invoices in an earlier file: taken again." in again.err
    assert named.ok("check") == "No problems were found in the stored data."


def test_the_report_as_json_says_what_is_in_it_and_what_is_not(billed: Command, named: Command) -> None:
    file = billed.folder / "january.csv"
    report = json.loads(named.ok(*JANUARY, file, "--rows", "invoice", "--json", "--dry-run"))
    assert (report["dryRun"], report["file"], report["invoices"], report["totals"]) == (True, None, 0, {})
    assert report["lacking"] == [{"field": "account", "of": "The whole invoice", "invoices": 2}]
    report = json.loads(named.ok(*JANUARY, file, "--json"))
    assert (report["invoices"], report["rows"], report["totals"]) == (2, 2, {"USD": "100.00"})
    assert report["file"].startswith("cexp_")


def test_names_come_from_a_spreadsheet_whole_or_not_at_all(billed: Command) -> None:
    names = ("charges", "names", *FOR_ANN)
    file = billed.folder / "names.csv"
    file.write_text("property,unit,Their property,Their unit\nHouse 0,0,H0,A\nHouse 7,1,H7,B\n")
    refused = billed.run(*names, file)
    assert refused.code == 1
    assert "No property is called “House 7”." in refused.out + refused.err
    assert "Nothing from the file was saved." in refused.err
    file.write_text("unit,Their unit\n0,A\n1,B\n")
    assert billed.ok(*names, file, "--property", "House 0") == "2 names kept."


def test_bad_usage_says_what_to_write(billed: Command, tmp_path: Path) -> None:
    assert "is not a month" in billed.refused("charges", "export", *FOR_ANN, "--month", "2025-13", code=2)
    assert "write FIELD:OF=NAME" in billed.refused("charges", "names", *FOR_ANN, "--set", "moon=1", code=2)
    assert "It can’t begin with" in billed.refused("charges", "names", *FOR_ANN, "--set", "account:WATER==1")
    assert "because the folder" in billed.refused(*JANUARY, tmp_path / "nowhere" / "january.csv")
