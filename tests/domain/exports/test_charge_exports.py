"""Charge files for other programs.

Whatever the invoices are, each layout states exactly their amounts.
"""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.exports.charge_layout_files import load_layouts
from prorata.domain.exports.charge_exports import (
    ExportedCharge,
    ExportedInvoice,
    Lacking,
    Names,
    change_of,
    head,
    name_problem,
    record_of,
    written,
)
from prorata.domain.exports.charge_layouts import ACCOUNT, CUSTOM, UTILITIES, WHOLE, BadLayout, Layout, Rows, layout_of
from prorata.domain.utility_names import UTILITY_TYPES

LAYOUTS = load_layouts()
BOTH_ROWS: tuple[Rows, ...] = ("charge", "invoice")
AMOUNT_COLUMNS = {
    "appfolio": "Amount", "buildium": "Amount", "yardi-voyager": "AMOUNT", "quickbooks-online": "*ItemAmount",
}  # fmt: skip
texts = st.text(max_size=60)
amounts = st.integers(min_value=0, max_value=999_999_99)
charges = st.lists(
    st.builds(ExportedCharge, st.sampled_from([*UTILITY_TYPES, CUSTOM]), amounts, texts), min_size=1, max_size=6
)


def an_invoice(*its: ExportedCharge, **changes: object) -> ExportedInvoice:
    made = ExportedInvoice(
        "MAPLE-1-2026-03", "prop_1", "Maple Court", "unit_1", "1", "tenant_1", "Ann Lee", "March 2026",
        date(2026, 4, 2), date(2026, 4, 16), sum(one.amount for one in its), its,
    )  # fmt: skip
    return made._replace(**changes)  # type: ignore[arg-type]


WATER = ExportedCharge("WATER", 45_10, "Aqua Water Co.: 850 of 2,000 sq ft")
GARAGE = ExportedCharge(CUSTOM, 25_00, "Garage")


def all_names(layout: Layout, invoice: ExportedInvoice) -> Names:
    """A name for every record that a layout needs a name for."""
    found = {}
    for asked in layout.asks:
        for utility in UTILITIES:
            record, _ = record_of(asked, invoice, utility)
            found[asked.field, record] = f"{asked.field} {record}"[: asked.most]
    return found


def rows_of(layout: Layout, text: str) -> list[dict[str, str]]:
    """The rows of a file, as a program that knows its columns reads them.

    Rows of an IIF file include their keyword.
    """
    if layout.delimiter == "iif":
        header: dict[str, list[str]] = {}
        rows = []
        for line in text.split("\r\n")[:-1]:
            cells = line.split("\t")
            if cells[0].startswith("!"):
                header[cells[0][1:]] = cells
            else:
                assert len(cells) == len(header[cells[0]])
                rows.append({"keyword": cells[0], **dict(zip(header[cells[0]][1:], cells[1:], strict=True))})
        return rows
    read = list(csv.reader(io.StringIO(text, newline=""), delimiter=layout.delimiter, strict=True))
    if layout.first_line:
        assert read[0] == [layout.first_line, *[""] * (len(read[1]) - 1)]
        del read[0]
    return [dict(zip(read[0], cells, strict=True)) for cells in read[1:]]


def cents(text: str) -> int:
    return int(Decimal(text).scaleb(2))


@pytest.mark.parametrize("rows", BOTH_ROWS)
@pytest.mark.parametrize("system", sorted(LAYOUTS))
@given(its=st.lists(charges, min_size=1, max_size=4), name=texts, place=texts)
def test_a_file_comes_to_what_its_invoices_come_to(
    system: str, rows: Rows, its: list[list[ExportedCharge]], name: str, place: str
) -> None:
    layout = LAYOUTS[system]
    text, total = head(layout), 0
    for number, one in enumerate(its):
        invoice = an_invoice(*one, number=f"M-{number}", tenant_name=name, property_name=place, unit_label=place)
        made = written(layout, invoice, all_names(layout, invoice), rows)
        assert made.is_left_out == (invoice.total == 0), made
        text += made.text
        total += 0 if made.is_left_out else invoice.total
    read = rows_of(layout, text)
    if layout.delimiter == "iif":
        taken_off = [cents(one["AMOUNT"]) for one in read if one["keyword"] == "SPL"]
        assert sum(cents(one["AMOUNT"]) for one in read if one["keyword"] == "TRNS") == total == -sum(taken_off)
    else:
        assert sum(cents(one[AMOUNT_COLUMNS[system]]) for one in read) == total


@pytest.mark.parametrize("system", sorted(LAYOUTS))
@given(its=charges, name=texts, place=texts)
def test_no_cell_is_a_formula_and_none_is_longer_than_the_program_takes(
    system: str, its: list[ExportedCharge], name: str, place: str
) -> None:
    layout = LAYOUTS[system]
    invoice = an_invoice(*its, tenant_name=name, property_name=place, unit_label=place)
    made = written(layout, invoice, all_names(layout, invoice), "charge")
    longest = {column.name: column.most for record in layout.records for column in record.columns}
    for row in rows_of(layout, head(layout) + made.text):
        for column, cell in row.items():
            is_amount = cell.lstrip("-").replace(".", "").isdigit()
            assert is_amount or not cell.startswith(tuple("=+@-＝＋＠－\t\r\n")), (column, cell)
            assert not longest.get(column) or len(cell) <= longest[column]


def test_the_rows_of_each_program_are_as_it_has_them() -> None:
    invoice = an_invoice(WATER, GARAGE)

    def first(system: str, rows: Rows = "charge") -> list[str]:
        layout = LAYOUTS[system]
        made = written(layout, invoice, all_names(layout, invoice), rows)
        return (head(layout) + made.text).split("\r\n")

    assert first("appfolio", "invoice")[:2] == [
        "Property Name\tUnit Name\tOccupancy UID\tTenant Name\tOccupancy ID\tAmount\tDescription",
        (
            "property prop_1\tunit unit_1\toccupancy-uid tenant_1\tAnn Lee\toccupancy-id tenant_1\t70.10\t"
            "Utilities, March 2026"
        ),
    ]
    assert first("buildium")[1:] == [
        (
            '04/02/2026,Charge,property prop_1,unit unit_1,,,45.10,account WATER,"Water, March 2026: Aqua Water Co.: '
            '850 of 2,000 sq ft"'
        ),
        '04/02/2026,Charge,property prop_1,unit unit_1,,,25.00,account CUSTOM,"Garage, March 2026"',
        "",
    ]
    assert first("yardi-voyager")[:3] == [
        "FinCharges,,,,,,,,,,",
        "PROPERTY,PERSON,OFFSET,AMOUNT,DATE,POSTMONTH,ACCOUNT,ACCRUAL,NOTES,REF,UNIT",
        (
            'property prop_1,person tenant_1,,45.10,4/2/2026,4/1/2026,account WATER,accrual ACCOUNT,"Water, March 2026: '
            'Aqua Water Co.: 850 of 2,000 sq ft",MAPLE-1-2026-03,unit unit_1'
        ),
    ]
    assert first("quickbooks-online")[1].startswith(
        'MAPLE-1-2026-03,customer tenant_1,04/02/2026,04/16/2026,"MAPLE-1-2026-03, Maple Court, 1, March 2026",item WATER,'
    )
    assert [line.split("\t")[0] for line in first("quickbooks-desktop")] == [
        "!TRNS", "!SPL", "!ENDTRNS", "TRNS", "SPL", "SPL", "ENDTRNS", "",
    ]  # fmt: skip


def test_a_name_that_nobody_has_said_is_named_and_the_whole_invoice_left_out() -> None:
    layout = LAYOUTS["buildium"]
    invoice = an_invoice(WATER, GARAGE)
    names = {("property", "prop_1"): "Maple", ("unit", "unit_1"): "1", ("account", "WATER"): "4100"}
    made = written(layout, invoice, names, "charge")
    assert (made.text, made.lacking) == ("", (Lacking("account", CUSTOM, "Charges of your own"),))
    whole = written(layout, invoice, names, "invoice")
    assert whole.lacking == (Lacking("account", WHOLE, "The whole invoice"),)
    assert written(layout, invoice, {**names, ("account", CUSTOM): "4900"}, "charge").rows == 2


def test_a_name_that_may_be_lacking_leaves_its_column_empty() -> None:
    layout = LAYOUTS["yardi-voyager"]
    invoice = an_invoice(WATER)
    names = dict(all_names(layout, invoice))
    del names["accrual", ACCOUNT]
    (row,) = rows_of(layout, head(layout) + written(layout, invoice, names, "charge").text)
    assert row["ACCRUAL"] == ""


def test_a_credit_among_charges_goes_where_the_program_takes_it_and_is_left_out_elsewhere() -> None:
    invoice = an_invoice(WATER, ExportedCharge(CUSTOM, -5_00, "Credit"))
    for system, layout in LAYOUTS.items():
        made = written(layout, invoice, all_names(layout, invoice), "charge")
        assert made.is_left_out != layout.takes_credits, system
        whole = written(layout, invoice, all_names(layout, invoice), "invoice")
        assert whole.rows == 1, system
    nothing = an_invoice(WATER, ExportedCharge(CUSTOM, -45_10, "Credit"))
    assert "nothing to charge" in written(LAYOUTS["appfolio"], nothing, {}, "invoice").problem


def test_a_number_that_is_too_long_is_never_cut() -> None:
    invoice = an_invoice(WATER, number="VERYLONGNAME-UNIT12-2026-03")
    online, desktop = LAYOUTS["quickbooks-online"], LAYOUTS["quickbooks-desktop"]
    made = written(online, invoice, all_names(online, invoice), "charge")
    assert "longer than the 21 characters" in made.problem
    first, *_ = rows_of(desktop, head(desktop) + written(desktop, invoice, all_names(desktop, invoice), "charge").text)
    assert first["DOCNUM"] == ""
    assert "VERYLONGNAME-UNIT12-2026-03" in first["MEMO"]


@pytest.mark.parametrize("name", ["=1+1", "-5 Main St", "@x", "'t Hof", "a\tb", "x;=1", "a\nb", "x" * 500])
def test_a_name_that_a_file_can_not_hold_as_it_stands_is_refused(name: str) -> None:
    for layout in LAYOUTS.values():
        assert name_problem(layout, layout.asks[0], name) is not None


def test_a_quotation_mark_is_refused_only_where_there_are_no_quotes() -> None:
    online, desktop = LAYOUTS["quickbooks-online"], LAYOUTS["quickbooks-desktop"]
    assert name_problem(online, online.asks[0], 'The "Loft"') is None
    assert name_problem(desktop, desktop.asks[0], 'The "Loft"') is not None
    assert name_problem(online, online.asks[0], "Łódź") is None
    assert name_problem(desktop, desktop.asks[0], "Łódź") is not None


def test_what_became_of_an_invoice_is_said_with_its_difference() -> None:
    gone = change_of("inv_1", "M-1", 50_00, None, None)
    assert gone is not None
    assert (gone.invoice_id, gone.difference, gone.why) == (None, -50_00, "It no longer exists.")
    more = change_of("inv_1", "M-1", 50_00, 61_00, "DRAFT")
    assert more is not None
    assert more.difference == 11_00


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"dates": "soon"}, "dates are one of"),
        ({"seen": "never"}, "rows or seen"),
        ({"records": []}, "there are no records"),
        ({"records": [{"keyword": "TRNS", "per": "invoice"}]}, "there is no record of a row"),
        ({"asks": [{"field": "x", "of": "moon", "title": "X"}]}, "what is asked is of one of"),
    ],
)
def test_a_layout_that_says_what_it_may_not_is_refused(document: dict[str, object], says: str) -> None:
    good = {
        "title": "X", "dates": "M/D/YYYY", "seen": "names", "how": "Upload it.",
        "records": [{"columns": [{"name": "Amount", "holds": "amount"}]}],
    }  # fmt: skip
    with pytest.raises(BadLayout, match=says):
        layout_of("x", good | document)


def test_each_layout_says_where_its_columns_come_from_and_charges_every_row() -> None:
    assert set(LAYOUTS) == {"appfolio", "buildium", "quickbooks-desktop", "quickbooks-online", "yardi-voyager"}
    for layout in LAYOUTS.values():
        held = {column.holds for record in layout.records for column in record.columns if record.per == "row"}
        assert {"amount", "description"} <= held, layout.system
        assert {asked.field for asked in layout.asks} <= {
            column.holds for record in layout.records for column in record.columns
        }
