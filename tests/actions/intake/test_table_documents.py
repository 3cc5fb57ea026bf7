"""Tests of tables among the documents.

Each is kept, and imported once. What a person says about its columns is remembered for the account.
"""

from datetime import date
from decimal import Decimal

import msgspec
import pytest

from prorata.actions.intake import column_mappings, documents, table_documents
from prorata.actions.intake.bill_imports import BillsFile
from prorata.actions.intake.stored_sheets import packed, unpacked
from prorata.actions.intake.table_documents import Outcome
from prorata.adapters.files.table_files import in_parts
from prorata.domain.exports.table_kinds import gathered
from prorata.domain.files.cells import Unclear
from prorata.domain.files.column_mappings import ColumnMapping, keys_of, mark_of
from prorata.domain.files.sheets import About, Sheet
from prorata.domain.intake.column_mappings import understood
from prorata.errors import Conflict, NotFound
from prorata.store.intake import column_mappings as stored_mappings, documents as stored
from prorata.store.properties.properties import PropertyRow
from tests.landlord import Landlord

HEADER = ("Haus", "Von", "Art", "Betrag", "Am")
MEANT = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
MAPPING = ColumnMapping(dict(zip(keys_of(HEADER), MEANT, strict=True)))
ROW = ("Maple Court", "Aqua", "WATER", "80,10", "25.02.2026")


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    row = landlord.property_()
    landlord.units(row, "1", "2")
    return row


def brought(landlord: Landlord, *rows: tuple[str, ...], way: str = "mail") -> str:
    """Bring in a table that is read at once, and return its id."""
    content = "\n".join(";".join(row) for row in rows or (HEADER, ROW)).encode()
    taken = landlord.do(documents.take, "a.csv", content, way)
    sheet = gathered(in_parts(content, "bills"))
    landlord.run(lambda tx: table_documents.note_table(tx, landlord.account.id, taken.row.id, sheet))
    return taken.row.id


def mark(landlord: Landlord, document: str) -> str:
    """Return the mark of the way in which a table is currently read."""
    found: str = landlord.see(table_documents.find, document).mark
    return found


def test_a_table_is_imported_as_it_was_shown_and_its_columns_are_said_of_the_header_that_was(
    landlord: Landlord, maple: PropertyRow
) -> None:
    landlord.do(table_documents.choose, brought(landlord), 1, MAPPING, remember=True)
    document = brought(landlord, HEADER, ROW, ROW)
    shown = mark(landlord, document)
    other = brought(landlord, HEADER, ROW, ROW, ROW)
    landlord.do(table_documents.choose, other, 1, MAPPING._replace(dates="MDY"), remember=True)
    with pytest.raises(Conflict, match="read differently"):
        landlord.do(table_documents.import_rows, document, shown, take_good_rows=True)
    assert landlord.stored_bills(maple) == []
    landlord.do(table_documents.choose_header, other, 2)
    with pytest.raises(Conflict, match="header in the meantime"):
        landlord.do(table_documents.choose, other, 1, MAPPING, remember=False)
    landlord.do(table_documents.choose, brought(landlord), 1, MAPPING, remember=True)
    assert landlord.do(table_documents.import_rows, document, shown, take_good_rows=True).added == 2


def test_a_table_that_came_by_mail_is_imported_once_and_its_bills_lead_to_it(
    landlord: Landlord, maple: PropertyRow
) -> None:
    document = brought(landlord)
    with pytest.raises(Conflict, match="First choose"):
        landlord.do(table_documents.import_rows, document, mark(landlord, document), take_good_rows=True)
    landlord.do(table_documents.choose, document, 1, MAPPING, remember=True)
    report = landlord.do(table_documents.import_rows, document, mark(landlord, document), take_good_rows=False)
    (bill,) = report.bills
    assert [one.id for one in landlord.read(stored.of_bill, bill)] == [document]
    assert sum(landlord.totals(maple).values()) == 80_10
    for change in (
        lambda: landlord.do(table_documents.import_rows, document, mark(landlord, document), take_good_rows=True),
        lambda: landlord.do(table_documents.choose, document, 1, MAPPING, remember=True),
        lambda: landlord.do(documents.set_aside, document),
    ):
        with pytest.raises(Conflict):
            change()
    landlord.do(table_documents.look_again, document)
    with pytest.raises(Conflict, match="nothing to add"):
        landlord.do(table_documents.import_rows, document, mark(landlord, document), take_good_rows=True)


@pytest.mark.parametrize("before", ["is being read", "waits", "was set aside"])
def test_a_file_that_was_brought_already_is_that_of_the_bills_which_the_command_line_adds_of_it(
    landlord: Landlord, maple: PropertyRow, before: str
) -> None:
    content = "\n".join(";".join(row) for row in (HEADER, ROW)).encode()
    sheet = gathered(in_parts(content, "bills"))
    if before == "is being read":
        document = landlord.do(documents.take, "b.csv", content, "upload").row.id
    else:
        document = brought(landlord)
    if before == "was set aside":
        landlord.do(documents.set_aside, document)
    how = understood(sheet, MAPPING, ["DE"]).how
    table = table_documents.brought("a.csv", content, sheet, MAPPING)
    for added in (1, 0):
        report = landlord.do(
            table_documents.import_brought, table, BillsFile(sheet, how), take_good_rows=False,
            progress=lambda _done, _all: None,
        )  # fmt: skip
        assert report.added == added
    assert sum(landlord.totals(maple).values()) == 80_10
    landlord.run(lambda tx: table_documents.note_table(tx, landlord.account.id, document, sheet))  # what was begun ends
    kept = landlord.see(table_documents.find, document)
    assert (kept.row.state, kept.outcome, kept.source, kept.said) == (
        "billed",
        Outcome(1, 0, 0, ()),
        "chosen",
        MAPPING,
    )
    assert len(landlord.see(documents.inbox, ["billed", *documents.OPEN]).rows) == 1


def test_what_was_said_is_known_for_the_same_columns_in_any_order_and_for_no_others(
    landlord: Landlord, maple: PropertyRow
) -> None:
    assert maple.name == ROW[0]
    landlord.do(table_documents.choose, brought(landlord), 1, MAPPING, remember=True)
    turned = landlord.see(table_documents.find, brought(landlord, HEADER[::-1], ROW[::-1]))
    other = landlord.see(table_documents.find, brought(landlord, (*HEADER, "Neu"), (*ROW, "x")))
    assert turned is not None
    assert other is not None
    assert (turned.source, turned.understood.is_open) == ("remembered", False)
    assert (other.source, other.understood.is_open) == ("names", True)


def test_the_property_of_all_rows_is_said_of_each_file_also_where_it_was_remembered_before(
    landlord: Landlord, maple: PropertyRow
) -> None:
    of_all = {"property": maple.id, "utilityType": "GAS"}
    said = MAPPING._replace(fields=MAPPING.fields | {"haus": "", "art": ""}, fixed=of_all)
    document = brought(landlord)
    landlord.do(table_documents.choose, document, 1, said, remember=True)
    next_one = brought(landlord, HEADER, ROW, ROW)
    here, there = (landlord.see(table_documents.find, one) for one in (document, next_one))
    assert (here.understood.how.fixed, here.understood.is_open) == (of_all, False)
    assert (there.understood.how.fixed, there.understood.missing) == ({"utilityType": "GAS"}, ("property",))
    (kept,) = landlord.read(stored_mappings.of_headers, [mark_of(HEADER)])
    old = kept._replace(mapping=msgspec.json.encode(said).decode())  # as it was kept once
    landlord.run(lambda tx: stored_mappings.keep(tx, old))
    for known in (
        landlord.see(column_mappings.of_header, HEADER),
        landlord.see(column_mappings.remembered, Sheet(HEADER, ((2, ROW),))).mapping,
    ):
        assert known == said._replace(fixed={"utilityType": "GAS"})


def test_what_was_said_is_remembered_for_the_account_alone(landlord: Landlord) -> None:
    stranger = Landlord(landlord.database, landlord.clock, name="stranger")
    landlord.do(column_mappings.remember, HEADER, MAPPING)
    sheet = Sheet(HEADER, ((2, ROW),))
    assert landlord.see(column_mappings.remembered, sheet).mapping == MAPPING
    assert stranger.see(column_mappings.remembered, sheet).mapping is None
    with pytest.raises(NotFound):
        stranger.see(table_documents.find, brought(landlord))


def test_what_is_said_later_takes_the_place_of_what_was_said_before(landlord: Landlord) -> None:
    landlord.do(column_mappings.remember, HEADER, MAPPING)
    landlord.do(column_mappings.remember, HEADER, MAPPING._replace(dates="DMY"))
    assert landlord.see(column_mappings.of_header, HEADER) == MAPPING._replace(dates="DMY")


def test_a_header_is_known_again_below_lines_that_were_not_there_before(landlord: Landlord) -> None:
    landlord.do(column_mappings.remember, HEADER, MAPPING)
    sheet = Sheet(("Some", "Longer", "Line", "Of", "Six", "Words"), ((2, HEADER), (3, ROW)))
    found = landlord.see(column_mappings.remembered, sheet)
    assert (found.sheet.header_line, found.mapping) == (2, MAPPING)


def test_cells_of_every_kind_are_kept_as_they_were() -> None:
    cells = ("é", None, Decimal("12.340"), date(2026, 3, 1), Unclear("It shows an error."))
    sheet = Sheet(("a", "b"), ((3, cells),), 2, ("Feb",), ((1, cells),), About("cp1252", ";"))
    assert repr(unpacked(packed(sheet))) == repr(sheet)
