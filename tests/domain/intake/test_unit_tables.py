"""Tests of the meanings of columns in a table of units.

They also check which rows only sum up others.
"""

from decimal import Decimal

import pytest

from prorata.domain.files.cells import Cell
from prorata.domain.files.column_mappings import ColumnMapping
from prorata.domain.files.grouped_problems import of_rows
from prorata.domain.files.sheets import RowProblem, Sheet, is_blank
from prorata.domain.intake.unit_tables import SumRow, UnitTable, header_mark, understood
from prorata.domain.properties.house_rows import ABOVE
from prorata.domain.properties.unit_files import read_units


def sheet(header: tuple[str, ...], *rows: tuple[Cell, ...]) -> Sheet:
    return Sheet(header, tuple(enumerate(rows, start=4)), 3)


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        (("Objekt", "Whg.", "Mieter", "Wohnfläche m²", "Personen", "Einzug", "E-Mail"),
         ("property", "label", "tenantName", "sqft", "occupants", "moveInDate", "tenantEmail")),
        (("Property", "Apt", "Resident", "Sq Ft", "Occupants", "Move In", "Phone"),
         ("property", "label", "tenantName", "sqft", "occupants", "moveInDate", "")),
        (("Haus", "Einheit", "Fläche (qm)", "Auszug"), ("property", "label", "sqft", "moveOutDate")),
        (("Edificio", "Vivienda", "Inquilino", "Superficie m²"), ("property", "label", "tenantName", "sqft")),
        (("Immeuble", "Logement", "Locataire", "Surface habitable"), ("property", "label", "tenantName", "sqft")),
        (("Bldg", "Unit #", "Resident Name", "Sq. Ft.", "Market Rent", "Current Rent", "Lease Start", "# of Occupants"),
         ("property", "label", "tenantName", "sqft", "", "monthlyRent", "moveInDate", "occupants")),
        (("Liegenschaft", "WE-Nr.", "Mieter/in", "Nettokaltmiete", "Wohnfläche in m²", "Anzahl Personen", "Mietbeginn"),
         ("property", "label", "tenantName", "monthlyRent", "sqft", "occupants", "moveInDate")),
        (("Finca", "Nº piso", "Nombre del inquilino", "Metros cuadrados", "Nº de personas", "Fecha de entrada", "CP"),
         ("property", "label", "tenantName", "sqft", "occupants", "moveInDate", "zip")),
        (("Bâtiment", "N° appartement", "Nom du locataire", "Surface (m²)", "Nb d'occupants", "Date d'entrée", "Loyer HC"),
         ("property", "label", "tenantName", "sqft", "occupants", "moveInDate", "monthlyRent")),
        (("Property ID", "Property", "Unit", "Tenant", "Rent ($)"),
         ("", "property", "label", "tenantName", "monthlyRent")),
    ],
)  # fmt: skip
def test_columns_are_known_by_the_names_that_rent_rolls_give_them(
    header: tuple[str, ...], fields: tuple[str, ...]
) -> None:
    found = understood(sheet(header), None)
    assert (found.fields, found.is_open) == (fields, False)


def test_columns_that_nothing_is_read_from_are_named_unless_somebody_has_said_so() -> None:
    header = ("Unit", "City", "Phone", "tenant nam", "Deposit")
    assert understood(sheet(header), None).unread == ("City", "Phone", "tenant nam", "Deposit")
    assert understood(sheet(header), ColumnMapping({"phone": ""})).unread == ("City", "tenant nam", "Deposit")
    assert understood(sheet((*header, "House")), None).unread == ("Phone", "tenant nam", "Deposit")


@pytest.mark.parametrize("name", ["Residents", "Bewohner", "Occupants", "Inquilinos"])
def test_a_column_of_people_holds_their_number_or_their_names(name: str) -> None:
    assert understood(sheet(("Unit", name), ("1", "2"), ("2", "vacant")), None).fields == ("label", "occupants")
    assert understood(sheet(("Unit", name), ("1", "Ann Lee"), ("2", "vacant")), None).fields == ("label", "tenantName")
    assert understood(sheet(("Unit", name)), None).fields == ("label", "occupants")


def test_what_somebody_says_of_a_column_goes_before_its_name() -> None:
    said = ColumnMapping({"bezeichnung": "label", "nutzer": "tenantName", "email": "", "grösse": "sqft"})
    table = understood(sheet(("Bezeichnung", "Nutzer", "E-Mail", "Größe"), ("EG", "Ann", "kaputt", "-8")), said)
    read = read_units(table.sheet, country="DE", currency="EUR", is_email=lambda _: False)
    assert [one.column for one in table.named(read.problems)] == ["Größe"]


def test_a_needed_column_that_is_missing_and_one_chosen_twice_are_asked() -> None:
    assert understood(sheet(("Mieter", "Größe")), None).missing == ("label",)
    assert understood(sheet(("Unit", "Apt")), None).doubled == ("label",)


@pytest.mark.parametrize("word", ["LEERSTAND", "leer", "vacant", "Vacant unit", "—", "-", "n/a", "libre", "Vacío",
                                  "vacante", "inoccupé", "vide", "VACANT - ready", "vacant (renovation)",
                                  "Leerstand ab 1.5.", "–", "Vacant Unrented Not Ready", "frei ab 01.05.", "z. Zt. leer"])  # fmt: skip
def test_words_for_vacant_are_no_tenant(word: str) -> None:
    table = sheet(("Unit", "Tenant", "Sq Ft", "E-mail", "Move In"), ("1A", word, "80", "—", "2026-01-01"))
    units, problems, _ = read_units(table, country="US", currency="USD", is_email=lambda _: False)
    assert ([(unit.label, unit.sqft, unit.tenants) for unit in units], problems) == ([("1A", Decimal(80), ())], ())


def test_sum_rows_are_passed_over_and_named_and_a_tenant_s_row_is_none() -> None:
    table = understood(
        sheet(("House", "Unit", "Tenant", "m²"), ("Elm", "1", "Ann", "80"), ("Zwischensumme:", "", "", "80"),
              ("Elm", "Total", "Bo", "20"), ("Elm", "Total", "", "100"), ("SUMME", "2", "", "100")),
        None,
    )  # fmt: skip
    assert table.sums == (SumRow(5, "Zwischensumme:"), SumRow(7, "Total"), SumRow(8, "SUMME"))
    assert [line for line, _ in table.sheet.rows] == [4, 6]


@pytest.mark.parametrize("name", ["Subtotal Maple Court", "Summe Haus 3", "Sub-total", "Zwischensumme Ahornstr. 5",
                                  "Total général", "Sous-total", "Grand Total:", "Total for Maple Court:"])  # fmt: skip
def test_a_sum_of_a_house_with_numbers_beside_it_is_no_new_house(name: str) -> None:
    houses = ("Maple Court", "1", "Ann", "80"), ("Haus 3", "1", "Bo", "80"), ("AHORNSTR. 5", "1", "Cy", "80")
    sums = (name, "12", "", "960"), ("Haus 3", name, "", "80"), (name, "", "", "80"), ("", name, "", "80")
    table = understood(sheet(("Property", "Unit", "Tenant", "Sq Ft"), *houses, *sums), None)
    assert table.sums == tuple(SumRow(line, name) for line in (7, 8, 9, 10))
    assert [line for line, _ in table.sheet.rows] == [4, 5, 6]


def test_a_row_that_says_how_many_units_there_are_is_a_sum_and_neither_a_unit_nor_a_house() -> None:
    header = ("Property", "Unit", "Tenant", "Sq ft")
    house = ("Maple Court", "1", "Ann", "500"), ("Maple Court", "Unit 25", "", "500")
    sums = (
        ("Maple Court", "25 units", "23 occupied", "12500"), ("Total: 25", "", "", "12500"), ("Summe 25 Einheiten", "", "", ""),
        ("Total Maple Court (25 units)", "", "", "1"), ("Total", "25 units", "", "1"), ("", "Units: 25", "", "1"),
    )  # fmt: skip
    table = understood(sheet(header, *house, *sums), None)
    assert [one.name for one in table.sums] == [
        "25 units", "Total: 25", "Summe 25 Einheiten", "Total Maple Court (25 units)", "Total", "Units: 25",
    ]  # fmt: skip
    assert [cells[1] for _, cells in table.sheet.rows] == ["1", "Unit 25"]


def test_a_row_of_sums_is_named_as_it_is_called_and_not_by_how_many_units_it_counts() -> None:
    rows = ("Mill House", "1", "Ann", "500"), ("Total Mill House", "20 units", "", "10000")
    table = understood(sheet(("Property", "Unit", "Tenant", "Sq ft"), *rows), None)
    assert table.sums == (SumRow(5, "Total Mill House"),)


@pytest.mark.parametrize("name", ["# Occ.", "Occ", "Occ.", "No. of occupants", "No. of Occ."])
def test_how_many_live_there_is_known_by_short_names(name: str) -> None:
    header = ("Unit", "Tenant", name)
    assert understood(sheet(header, ("1", "Ann", "3")), None).fields == ("label", "tenantName", "occupants")


@pytest.mark.parametrize("header", [("Unit", "Tenant", "Occ."), ("Unit", "Renter #", "Occ.")])
def test_whether_a_unit_is_occupied_is_no_number_of_people_and_nobody_s_name(header: tuple[str, ...]) -> None:
    table = understood(sheet(header, ("1", "Ann", "Yes"), ("2", "", "No")), None)
    assert (table.fields[2], table.unread[-1]) == ("", "Occ.")


def test_a_column_of_other_peoples_addresses_is_not_the_tenants_own() -> None:
    rows = (("1", "Ann", "ann@example.org"), ("2", "Bo", "bo@example.org"))
    assert understood(sheet(("Unit", "Tenant", "E-mail Addr"), *rows), None).fields[2] == "tenantEmail"
    for name in ("Guarantor email", "Owner email", "Emergency contact"):
        assert understood(sheet(("Unit", "Tenant", name), *rows), None).fields[2] == ""


def test_a_column_of_which_hardly_a_cell_can_be_read_is_probably_another_one() -> None:
    rows = [(str(number), "x" if number else "2") for number in range(10)]
    for its, doubtful in ((rows, ("bedrooms",)), (rows[:2], ()), ([*rows, ("11", "3")], ())):
        table = understood(
            sheet(("Unit", "Kind"), *its, ("99", "")), ColumnMapping({"unit": "label", "kind": "bedrooms"})
        )
        read = read_units(table.sheet, country="US", currency="USD", is_email=lambda _: True)
        assert table.doubtful(table.named(read.problems)) == doubtful


def test_people_whose_name_is_a_word_for_vacant_live_there() -> None:
    for name in ("Frei, Anna", "Libre Software SL", "Vacant Smith", "Leer GmbH"):
        (unit,) = read_units(
            sheet(("Unit", "Tenant"), ("1", name)), country="DE", currency="EUR", is_email=lambda _: False
        ).units
        assert [one.name for one in unit.tenants] == [name]


@pytest.mark.parametrize("name", ["Total Plaza", "Sum Street 5", "Gesamt Hof", "Subtotal Maple Court"])
def test_vacant_units_of_a_house_whose_name_begins_as_a_sum_stay(name: str) -> None:
    rows = (name, "1", "", "500"), (name, "2", "vacant", "600"), ("Maple", "1", "", "500"), ("Sum", "", "", "1600")
    table = understood(sheet(("Property", "Unit", "Tenant", "Sq ft"), *rows), None)
    assert table.sums == (SumRow(7, "Sum"),)
    table = understood(
        sheet(("Property", "Unit", "Sq ft"), *[(house, unit, size) for house, unit, _, size in rows]), None
    )
    assert [cells[0] for _, cells in table.sheet.rows] == [name, name, "Maple"]


def test_a_vacant_unit_of_a_named_house_may_be_called_as_a_sum_begins() -> None:
    rows = ("Mall", "Total Fitness", "", "500"), ("Mall", "Total", "", "500"), ("Mall", "Total Mall", "", "500")
    table = understood(sheet(("Property", "Unit", "Tenant", "Sq ft"), *rows), None)
    assert table.sums == (SumRow(5, "Total"), SumRow(6, "Total Mall"))
    assert [cells[1] for _, cells in table.sheet.rows] == ["Total Fitness"]


def test_a_house_or_tenant_whose_name_begins_as_a_sum_stays() -> None:
    header = ("Tenant", "Property", "Unit")
    rows = ("Ann", "Total Towers", "1"), ("", "Total Towers", "2"), ("Total Fitness LLC", "Elm", "3")
    assert understood(sheet(header, *rows), None).sums == ()


def test_equal_problems_are_said_once_with_their_lines() -> None:
    found = of_rows([RowProblem(7, "a", "x"), RowProblem(8, "b", "x"), RowProblem(9, "a", "x")])
    assert [(one.lines, one.column) for one in found] == [((7, 9), "a"), ((8,), "b")]


def test_lines_that_follow_each_other_are_named_together_and_of_many_only_the_first() -> None:
    (found,) = of_rows([RowProblem(line, None, "x") for line in (*range(4, 32), 40)])
    assert found.where == "4–31, 40"
    (found,) = of_rows([RowProblem(line, None, "x") for line in range(2, 206, 2)])
    assert found.where == "2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24 and 90 more"


def test_a_header_of_units_is_not_mistaken_for_one_of_other_files() -> None:
    assert header_mark(("A", "B")) == header_mark(("b", "a "))
    assert header_mark(("A", "B")) != header_mark(("A", "C"))


@pytest.mark.parametrize("name", ["ST", "St", "St.", "State", "Province", "Prov."])
def test_a_column_of_states_is_part_of_the_address(name: str) -> None:
    header = ("Property", "Unit", "City", name)
    table = understood(sheet(header, ("Elm", "1", "Reno", "NV"), ("Elm", "2", "", "")), None, country="US")
    assert table.fields[3] == "state"


def test_a_column_of_states_may_be_of_other_things() -> None:
    header = ("Property", "Unit", "St")
    for values, country in ((("EG", "OG"), "DE"), (("OC", "VA"), "US"), (("", "VA"), "US"), (("NV", "CA"), "DE")):
        rows = [("Elm", str(number), value) for number, value in enumerate(values)]
        assert understood(sheet(header, *rows), None, country=country).unread == ("St",), values
    rows = [("Elm", "1", "VA"), ("Elm", "2", "VA")]
    assert understood(sheet(header, *rows), None, country="US").fields[2] == "state"
    assert understood(sheet(header, ("Elm", "1", "3"), ("Elm", "2", "EG")), None).unread == ("St",)
    header = ("Property", "Unit", "State")
    assert understood(sheet(header, ("Elm", "1", "occupied"), ("Elm", "2", "vacant")), None).unread == ("State",)


HOUSES = ("Property", "Street", "Unit", "Tenant")


def housed(header: tuple[str, ...], *rows: tuple[Cell, ...], told: bool = False) -> UnitTable:
    said = ColumnMapping(fixed={"property": ABOVE}) if told else None
    return understood(sheet(header, *rows), said, is_of_many=True)


def test_blank_cells_take_the_property_above_and_their_lines_are_named() -> None:
    table = housed(
        HOUSES,
        ("Elm", "Main St 1", "1", "Ann"), (None, "", "2", "Bo"), ("", "", "3", ""), ("Total", "", "", ""),
        ("Oak", "Main St 2", "1", "Cy"), ("", None, "2", "Di"),
    )  # fmt: skip
    assert [cells[0] for _, cells in table.sheet.rows] == ["Elm", "Elm", "Elm", "Oak", "Oak"]
    assert [(one.line, one.name, one.lines) for one in table.taken] == [(4, "Elm", (5, 6)), (8, "Oak", (9,))]
    assert table.unclear == ()


def test_where_each_row_names_its_property_one_that_does_not_is_asked_about() -> None:
    rows = ("Elm", "", "1", "Ann"), ("Elm", "", "2", ""), ("", "", "3", ""), ("Oak", "", "1", ""), ("Oak", "", "2", "")
    table = housed(HOUSES, *rows)
    assert (table.taken, table.unclear) == ((), (6,))
    assert [one.lines for one in housed(HOUSES, *rows, told=True).taken] == [(6,)]
    between = (*rows[:3], ("elm ", "", "4", ""), *rows[3:])
    assert (housed(HOUSES, *between).unclear, housed(HOUSES, *between).taken[0].lines) == ((), (6,))
    alone = ("Elm", "", "1", ""), ("Oak", "", "1", ""), ("", "", "1", ""), ("Ash", "", "1", "")
    assert housed(HOUSES, *alone).unclear == (6,)


def test_blank_cells_above_the_first_property_are_nobody_s() -> None:
    table = housed(HOUSES, ("", "", "1", "Ann"), ("", "", "2", "Bo"), ("Elm", "", "1", "Cy"))
    assert (table.taken, table.unclear) == ((), ())
    assert is_blank(table.sheet.rows[0][1][0])


def test_a_heading_names_the_property_of_the_rows_below_with_its_address() -> None:
    table = housed(
        HOUSES,
        ("Elm", "Main St 1", "", ""), ("", "", "1", "Ann"), ("", "", "2", "Bo"), ("Oak", "Main St 2"),
        ("Oak", "", "1", "Cy"), (None, None, "2", "Di"),
    )  # fmt: skip
    assert table.sheet.rows == (
        (5, ("Elm", "Main St 1", "1", "Ann")), (6, ("Elm", "Main St 1", "2", "Bo")),
        (8, ("Oak", "Main St 2", "1", "Cy")), (9, ("Oak", "Main St 2", "2", "Di")),
    )  # fmt: skip
    assert [(one.line, one.lines) for one in table.taken] == [(4, (5, 6)), (7, (9,))]


def test_headings_name_properties_where_no_column_does() -> None:
    header = ("Whg.", "Mieter", "m²")
    rows = (
        ("Objekt: Ahornstr. 5", "", ""),
        ("1", "Ann", "80"),
        ("2", "LEERSTAND"),
        (None, "Buchenweg 7"),
        ("1", "Cy", "60"),
    )
    table = housed(header, *rows)
    assert (table.fields, table.missing, table.unread) == (("label", "tenantName", "sqft"), (), ())
    assert [(line, cells[3]) for line, cells in table.sheet.rows] == [
        (5, "Ahornstr. 5"), (6, "Ahornstr. 5"), (8, "Buchenweg 7"),
    ]  # fmt: skip
    assert understood(sheet(header, *rows), None).taken == ()  # the file of one property
    assert housed(header, *rows[1:]).taken == ()  # the first units would have none


MANY = ("Property", "Unit", "Tenant")


def test_a_skipped_row_that_names_another_property_ends_the_one_above() -> None:
    rows = ("", "1", "Cy"), ("", "2", "Di")
    table = housed(MANY, ("Elm", "1", "Ann"), ("", "2", "Bo"), ("Oak", "2 units", ""), *rows)
    assert [cells[0] for _, cells in table.sheet.rows] == ["Elm", "Elm", "Oak", "Oak"]
    table = housed(MANY, ("Elm", "1", "Ann"), ("", "2", "Bo"), ("Total Plaza", "", ""), *rows)
    assert [cells[0] for _, cells in table.sheet.rows] == ["Elm", "Elm", "", ""], "nobody guesses whose these are"


def test_a_sum_of_a_house_whose_name_begins_as_that_of_the_one_above_ends_it() -> None:
    rows = ("Oak St 1", "1", "Ann"), ("", "2", "Bo"), ("Oak St 12", "1", "Cy"), ("Oak St 1", "3", "Di"), ("", "4", "Ed")
    table = housed(MANY, *rows, ("Total Oak St 12", "", ""), ("", "5", "Flo"))
    assert [cells[0] for _, cells in table.sheet.rows][-2:] == ["Oak St 1", ""]
    table = housed(MANY, *rows, ("Total for OAK St. 1 (4 units)", "", ""), ("", "5", "Flo"))
    assert [cells[0] for _, cells in table.sheet.rows][-2:] == ["Oak St 1", "Oak St 1"]


def test_a_vacant_unit_is_no_heading_and_no_sum() -> None:
    table = housed(("Unit", "Tenant"), ("Elm House", None), ("Apt 1", "Ann"), ("Apt 2", None), ("Apt 3", "Cy"))
    assert [cells[0] for _, cells in table.sheet.rows] == ["Apt 1", "Apt 2", "Apt 3"]
    table = housed(MANY, ("Elm", "1. Whg.", "Ann"), ("", "2. Whg.", "Leerstand"), ("", "3. Whg.", "Cy"))
    assert (len(table.sheet.rows), table.sums) == (3, ())


def test_a_note_below_the_units_is_asked_about() -> None:
    table = housed(MANY, ("Elm", "1", "Ann"), ("", "2", "Bo"), ("", "Prepared by Jane", ""), ("", "3", ""))
    assert (table.unclear, [taken.lines for taken in table.taken]) == ((6,), [(5, 7)])


def test_many_rows_without_a_property_are_read_in_one_pass() -> None:
    rows = [("", str(number), "") for number in range(20_000)]
    assert len(housed(MANY, ("Elm", "1", ""), ("Elm", "2", ""), *rows).unclear) == len(rows)
