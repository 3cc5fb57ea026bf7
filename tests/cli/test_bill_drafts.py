"""`prorata bills read`: a bill in PDF, shown as a draft."""

import json
from pathlib import Path

from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.cli.running import Command

LAYOUT = next(layout for layout in LAYOUTS if layout.locale == "de-DE" and layout.flow == "sections")
FACTS = facts_of("de-DE", 7, "WATER SEWER", "owing")


def written(folder: Path) -> Path:
    file = folder / "bill.pdf"
    file.write_bytes(printed(FACTS, LAYOUT))
    return file


def test_a_pdf_is_shown_as_a_draft_without_account_or_database(on_sqlite: Command) -> None:
    shown = on_sqlite.ok("bills", "read", written(on_sqlite.folder)).splitlines()

    assert f"accountNumber       found    {FACTS.account}  [page 1, " in "\n".join(shown)
    assert any(line.startswith("amounts             found    ") and "PREVIOUS_BALANCE=" in line for line in shown)
    assert not on_sqlite.data.exists()


def test_as_json_every_field_has_its_value_how_sure_it_is_and_its_boxes_in_points(on_sqlite: Command) -> None:
    told = json.loads(on_sqlite.ok("bills", "read", written(on_sqlite.folder), "--json"))

    assert told["pages"] == 1
    assert told["currency"] == "EUR"
    total = told["fields"]["totalAmountDue"]
    assert (total["surety"], total["value"]) == ("found", f"{FACTS.total // 100}.{FACTS.total % 100:02d}")
    assert total["places"][0]["page"] == 1
    assert 0 < total["places"][0]["left"] < total["places"][0]["right"] < 600
    assert FACTS.lines is not None
    assert set(told["fields"]["amounts"]["value"]) == set(FACTS.lines)


def test_what_is_asked_is_listed_with_the_reason(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "budget.pdf"
    file.write_bytes(printed(facts_of("en-US", 3, "ELECTRICITY", "budget"), LAYOUTS[0]))

    shown = on_sqlite.ok("bills", "read", file)

    assert "To say or to confirm:\n  amounts: Under budget billing what is due is not what was used." in shown
    assert "Budget billing: " in shown


def test_a_file_that_is_no_pdf_is_refused_with_a_sentence(on_sqlite: Command) -> None:
    file = on_sqlite.folder / "bill.pdf"
    file.write_text("a,b\n")

    assert (
        on_sqlite.refused("bills", "read", file) == "This is not a PDF. Send the bill as the PDF that its issuer made."
    )
