"""`prorata bills read` shows a bill in PDF as a draft."""

import json
from pathlib import Path

import pytest

from prorata.adapters.intake.bill_files import NO_WORDS, NOT_INSTALLED
from prorata.adapters.intake.ocr_files import is_installed
from prorata.cli.bill_drafts import as_json, show
from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.cli.running import Command
from tests.e_invoices.made import Line, Made, cii, ubl
from tests.hostile_files import odd_pictures
from tests.hostile_files.archives import honest
from tests.hostile_files.odd_pdfs import DEADLY
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill

LAYOUT = next(layout for layout in LAYOUTS if layout.locale == "de-DE" and layout.flow == "sections")
FACTS = facts_of("de-DE", 7, "WATER SEWER", "owing")


def written(folder: Path) -> Path:
    file = folder / "bill.pdf"
    file.write_bytes(printed(FACTS, LAYOUT))
    return file


def test_a_pdf_is_shown_as_a_draft_without_account_or_database(on_sqlite: Command) -> None:
    shown = on_sqlite.ok("bills", "read", written(on_sqlite.folder)).splitlines()

    assert f"accountNumber       found    {FACTS.account}  [page 1, " in "\n".join(shown)
    assert any(line.startswith("amounts             asked") for line in shown), "nobody has said what it is for"
    assert not on_sqlite.data.exists()


def test_as_json_every_field_has_its_value_how_sure_it_is_and_its_boxes_in_points(on_sqlite: Command) -> None:
    told = json.loads(on_sqlite.ok("bills", "read", written(on_sqlite.folder), "--json"))

    assert told["pages"] == 1
    assert told["currency"] == "EUR"
    total = told["fields"]["totalAmountDue"]
    assert (total["surety"], total["value"]) == ("found", f"{FACTS.total // 100}.{FACTS.total % 100:02d}")
    assert total["places"][0]["page"] == 1
    assert 0 < total["places"][0]["left"] < total["places"][0]["right"] < 600
    assert (told["fields"]["amounts"]["surety"], told["fields"]["amounts"]["value"]) == ("asked", None)


def test_what_is_asked_is_listed_with_the_reason(on_sqlite: Command) -> None:
    shown = on_sqlite.ok("bills", "read", written(on_sqlite.folder))

    assert "To say or to confirm:\n" in shown
    assert "  amounts: " in shown


def test_a_file_that_is_not_what_its_name_says_is_refused_with_a_sentence(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.pdf"
    file.write_text("a,b\n")

    said = on_sqlite.refused("bills", "read", file)
    assert said.startswith("The name of this file ends in .pdf, but it is a text file.")


def test_a_table_is_told_where_it_belongs(on_sqlite: Command) -> None:
    table = on_sqlite.folder / "bills.csv"
    table.write_text("property,total\n")

    assert on_sqlite.refused("bills", "read", table) == "This is a table of bills. Import it: prorata bills import"


def test_a_photo_that_is_damaged_or_that_shows_nothing_is_a_sentence(on_sqlite: Command) -> None:
    damaged, empty = on_sqlite.folder / "damaged.jpg", on_sqlite.folder / "empty.png"
    damaged.write_bytes(b"\xff\xd8\xff\xe0" + bytes(100))
    empty.write_bytes(odd_pictures.photo("PNG", 200, 300))

    assert "This picture is damaged" in on_sqlite.refused("bills", "read", damaged)
    assert on_sqlite.refused("bills", "read", empty) == (NO_WORDS if is_installed() else NOT_INSTALLED)


def test_a_draft_that_was_read_from_a_picture_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    (*_, page) = read_pdf(printed(FACTS, LAYOUT))
    draft = read_bill([page._replace(from_picture=True)])
    show(draft)
    shown = capsys.readouterr().out
    assert "This bill was read from a picture: compare every value with the page." in shown
    assert f"accountNumber       asked    {FACTS.account}" in shown
    assert " found " not in shown
    assert json.loads(as_json(draft))["fromPicture"]


def test_a_pdf_that_ends_the_process_that_reads_it_is_a_sentence(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.pdf"
    file.write_bytes(DEADLY["a form that draws itself"][1]())

    assert on_sqlite.refused("bills", "read", file).startswith("This PDF can't be read: it is damaged")


def test_a_password_is_asked_for_and_a_wrong_one_is_told(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.pdf"
    file.write_bytes(protected("secret"))

    assert "is protected by a password" in on_sqlite.refused("bills", "read", file)
    wrong, right = (on_sqlite.run("bills", "read", file, "--password", says=f"{one}\n") for one in ("x", "secret"))
    assert (wrong.code, wrong.err.strip()) == (1, "This is not the correct password for this PDF.")
    assert (right.code, "totalAmountDue" in right.out) == (0, True)


def test_each_bill_of_an_archive_is_shown_and_a_bad_one_is_a_problem_of_its_own(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bills.zip"
    file.write_bytes(honest(one_pdf=printed(FACTS, LAYOUT), two_exe=b"MZ\x90\x00", three_pdf=protected("secret")))

    done = on_sqlite.run("bills", "read", file)
    assert done.code == 1
    heads = [line for line in done.out.splitlines() if line.startswith("== ")]
    assert heads == ["== one.pdf", "== two.exe", "== three.pdf"]
    assert f"accountNumber       found    {FACTS.account}" in done.out
    told = json.loads(on_sqlite.run("bills", "read", file, "--json").out)["files"]
    assert [one["name"] for one in told] == ["one.pdf", "two.exe", "three.pdf"]
    assert told[0]["draft"]["fields"]["accountNumber"]["value"] == FACTS.account
    assert told[1]["problem"].startswith("This is a program")
    assert "protected by a password" in told[2]["problem"]


def test_an_e_invoice_is_shown_with_what_it_charges(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.xml"
    file.write_bytes(cii(Made(lines=(Line("Trinkwasser", 100_00, 7), Line("Pauschale", 10_00)), prepaid=20_00)))

    shown = on_sqlite.ok("bills", "read", file)
    told = json.loads(on_sqlite.ok("bills", "read", file, "--json"))

    assert "totalAmountDue      found    98.90" in shown
    assert "        107.00  Trinkwasser  (WATER)\n         11.90  Pauschale\n" in shown
    assert told["items"][0] == {"name": "Trinkwasser", "amount": "107.00", "kind": None, "choices": ["WATER"]}
    assert told["items"][2]["choices"] == ["PREVIOUS_BALANCE", "DEPOSIT", "OWNER"]


def test_a_draft_says_what_was_used_where_its_e_invoice_does(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.xml"
    file.write_bytes(cii(Made(lines=(Line("Trinkwasser", 100_00, 7, used="31.25 MTQ", price="3.20"),))))

    assert "WATER=107.00 (31.25 m³ @ 3.2)" in on_sqlite.ok("bills", "read", file)
    (line,) = json.loads(on_sqlite.ok("bills", "read", file, "--json"))["fields"]["amounts"]["choices"][0]
    assert line == {"utilityType": "WATER", "amount": "107.00", "usage": "31.25 m³ @ 3.2"}


def test_an_e_invoice_that_contradicts_itself_is_a_sentence(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.xml"
    file.write_bytes(ubl(Made(sums={"payable": 120_00})))

    said = on_sqlite.refused("bills", "read", file)

    assert "what is to be paid should be 119.00, and it says 120.00." in said
