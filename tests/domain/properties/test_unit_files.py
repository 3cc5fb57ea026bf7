"""Tests of reading a units file: its cells become units and problems."""

from datetime import date
from decimal import Decimal

import pytest

from prorata.domain.files.cells import Cell
from prorata.domain.files.sheets import Sheet
from prorata.domain.properties.unit_files import FileTenant, FileUnit, ReadUnits, Repeat, read_units, together_from

HEADER = ("label", "sqft", "bedrooms", "monthlyRent", "activeFrom", "tenantName", "tenantEmail", "moveInDate")


def read(*rows: tuple[Cell, ...], header: tuple[str, ...] = HEADER, country: str = "US") -> ReadUnits:
    sheet = Sheet(header, tuple(enumerate(rows, start=2)))
    currency = "USD" if country == "US" else "EUR"
    return read_units(sheet, country=country, currency=currency, is_email=lambda text: "@" in text)


def messages(found: ReadUnits) -> list[tuple[int, str | None]]:
    return [(problem.line, problem.column) for problem in found.problems]


def test_a_row_is_a_unit_with_its_tenant() -> None:
    found = read(("1A", "1,250.5", "2", "$1,400", "2026-01-01", "Ann", "ann@example.com", "03/14/2026"))

    tenant = FileTenant(2, "Ann", "ann@example.com", date(2026, 3, 14))
    unit = FileUnit(2, "1A", Decimal("1250.50"), 2, 140000, date(2026, 1, 1), (tenant,))
    assert found == ReadUnits((unit,), ())


def test_rows_of_one_label_are_one_unit_with_several_tenants() -> None:
    found = read(
        ("1A", "800", "", "", "", "Ann", "", ""),
        ("", "", "", "", "", "", "", ""),
        (" 1a ", "", "2", "", "", "Bob", "", ""),
        ("2", "", "", "", "", "", "", ""),
    )

    assert [(unit.label, unit.sqft, unit.bedrooms, len(unit.tenants)) for unit in found.units] == [
        ("1A", Decimal(800), 2, 2),
        ("2", None, None, 0),
    ]


def test_two_names_with_two_addresses_in_one_row_are_two_tenants_of_one_household() -> None:
    header = (*HEADER, "occupants")
    found = read(
        ("1", "", "", "", "", "Grace and Tina Garcia", "grace@example.com; tina@example.com", "2026-03-01", "3"),
        header=header,
    )
    first = FileTenant(2, "Grace Garcia", "grace@example.com", date(2026, 3, 1), None, 2)
    second = FileTenant(2, "Tina Garcia", "tina@example.com", date(2026, 3, 1), None, 1)
    assert found.units[0].tenants == (first, second)
    assert together_from(found.units[0]) == (first, second)
    together = read(("1", "", "", "", "", "Karen & Frank Smith", "both@example.com", "", "2"), header=header)
    assert [(one.name, one.occupants) for one in together.units[0].tenants] == [("Karen & Frank Smith", 2)]
    (problem,) = read(("1", "", "", "", "", "Ann", "a@example.com, b@example.com", "", ""), header=header).problems
    assert problem.message.startswith("There are 2 e-mail addresses here, but fewer names.")


def test_numbers_and_days_are_read_as_they_are_written_in_the_property_s_country() -> None:
    found = read(("1", "72,5", "2", "1.400,50", "14.03.2026", "", "", ""), country="DE")

    (unit,) = found.units
    assert (unit.sqft, unit.monthly_rent, unit.active_from) == (Decimal("72.5"), 140050, date(2026, 3, 14))


@pytest.mark.parametrize(
    ("country", "written", "area"),
    [
        ("US", "850 sq ft", "850"),
        ("US", "1,050 sq. ft.", "1050"),
        ("US", "900 SF", "900"),
        ("US", "900sf", "900"),
        ("US", "850 ft²", "850"),
        ("US", "850.5 ft2", "850.5"),
        ("US", "900 sqft", "900"),
        ("US", "900 Sq.Ft", "900"),
        ("US", "1,050 square feet", "1050"),
        ("US", "850 ft^2", "850"),
        ("DE", "78 m²", "78"),
        ("DE", "78,5 qm", "78.5"),
        ("DE", "78m2", "78"),
        ("DE", "1.078,50 Quadratmeter", "1078.5"),
        ("FR", "78 m²", "78"),
        ("ES", "78 metros cuadrados", "78"),
    ],
)
def test_a_floor_area_may_stand_with_its_unit(country: str, written: str, area: str) -> None:
    found = read(("1", written, "", "", "", "", "", ""), country=country)

    assert (found.problems, [unit.sqft for unit in found.units]) == ((), [Decimal(area)])


@pytest.mark.parametrize(
    ("country", "written", "because"),
    [
        ("US", "78 m²", "is in m²"),
        ("DE", "850 sq ft", "is in square feet"),
        ("US", "850 rooms", "not a valid floor area"),
    ],
)
def test_a_floor_area_in_the_other_unit_is_refused_and_not_converted(country: str, written: str, because: str) -> None:
    found = read(("1", "", "", "", "", "", "", ""), ("2", written, "", "", "", "", "", ""), country=country)

    assert [(one.line, one.column, because in one.message) for one in found.problems] == [(3, "sqft", True)]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (("", "800", "", "", "", "", "", ""), "label"),
        (("x" * 51, "", "", "", "", "", "", ""), "label"),
        (("1", "-5", "", "", "", "", "", ""), "sqft"),
        (("1", "10,000,001", "", "", "", "", "", ""), "sqft"),
        (("1", "", "two", "", "", "", "", ""), "bedrooms"),
        (("1", "", "1001", "", "", "", "", ""), "bedrooms"),
        (("1", "", "", "-1", "", "", "", ""), "monthlyRent"),
        (("1", "", "", "1.400", "", "", "", ""), "monthlyRent"),
        (("1", "", "", "", "soon", "", "", ""), "activeFrom"),
        (("1", "", "", "", "", "Ann", "nobody", ""), "tenantEmail"),
        (("1", "", "", "", "", "", "ann@example.com", ""), "tenantName"),
        (("1", "", "", "", "", "Ann", "", "99/99/2026"), "moveInDate"),
        (("1", "", "", "", "", "", "", "", "more"), None),
    ],
)
def test_a_bad_cell_is_a_problem_with_its_line_and_column(row: tuple[Cell, ...], column: str | None) -> None:
    found = read(row)

    assert (found.units, messages(found)) == ((), [(2, column)])


@pytest.mark.parametrize("name", ["Move-out date", "Auszug", "moveOutDate"])
def test_a_day_of_moving_out_is_read_and_comes_after_the_first(name: str) -> None:
    header = ("label", "tenantName", "moveInDate", name)
    (unit,) = read(("1", "Ann", "2026-01-01", "2026-05-31"), header=header).units
    assert unit.tenants == (FileTenant(2, "Ann", None, date(2026, 1, 1), date(2026, 5, 31)),)
    assert messages(read(("1", "Ann", "2026-01-02", "2026-01-01"), header=header)) == [(2, name)]
    assert messages(read(("1", "", "", "2026-01-01"), header=header)) == [(2, "tenantName")]


def test_every_problem_of_a_file_is_told_at_once() -> None:
    found = read(("", "many", "", "", "", "", "", ""), ("2", "", "x", "", "", "", "", ""))

    assert messages(found) == [(2, "label"), (2, "sqft"), (3, "bedrooms")]


def test_rows_of_one_unit_that_contradict_each_other_are_a_problem() -> None:
    found = read(
        ("1", "800", "", "", "", "Ann", "", ""),
        ("1", "900", "", "", "", "Bob", "", ""),
        ("1", "800", "", "", "", "ann", "ann@example.org", ""),
    )

    assert messages(found) == [(3, "sqft"), (4, "tenantName")]


def test_a_row_that_says_nothing_new_counts_once_and_is_named() -> None:
    rows = (
        ("1", "800", "", "", "", "Ann", "", ""),
        ("2", "", "", "", "", "", "", ""),
        ("1", "800", "", "", "", "ann", "", ""),
    )
    found = read(*rows, rows[1], ("1", "", "2", "", "", "Ann", "", ""), rows[0])
    assert [(unit.label, len(unit.tenants), unit.bedrooms) for unit in found.units] == [("1", 1, 2), ("2", 0, None)]
    assert (found.problems, found.repeats) == ((), (Repeat(4, 2), Repeat(5, 3), Repeat(7, 2)))


def test_two_columns_for_one_thing_and_one_that_is_missing_are_problems() -> None:
    assert messages(read(("1", "2"), header=("unit", "apartment"))) == [(1, "apartment")]
    assert messages(read(("1",), header=("sqft",))) == [(1, None)]
    assert messages(read()) == [(1, None)]


def test_a_floor_area_that_is_none_is_not_called_an_amount() -> None:
    (area, rent) = read(("1", "big", "", "much", "", "", "", "")).problems
    assert area.message.startswith("This is not a valid floor area. Enter digits with at most two decimals")
    assert rent.message.startswith("This is not a valid amount.")


@pytest.mark.parametrize(
    "header",
    [("Wohnung", "Wohnfläche", "Mieter", "E-Mail"), ("Vivienda", "Superficie", "Inquilino", "Correo electrónico"),
     ("Logement", "Surface", "Locataire", "Courriel")],
)  # fmt: skip
def test_columns_are_known_in_the_languages_of_accounts(header: tuple[str, ...]) -> None:
    (unit,) = read(("1", "80", "Ann", "ann@example.com"), header=header).units
    assert (unit.label, unit.sqft, unit.tenants[0].email) == ("1", Decimal(80), "ann@example.com")


@pytest.mark.parametrize("people", ["Personen", "occupants", "people", "People living here"])
def test_people_are_counted_under_any_of_their_names(people: str) -> None:
    header = ("Unit", "Tenant", people)
    found = read(("1", "Ann", "4"), ("1", "Bo", ""), ("2", "Cy", "0"), header=header)
    assert [[tenant.occupants for tenant in unit.tenants] for unit in found.units] == [[4, None], [0]]
    wrong = read(*((str(at), "Ann", said) for at, said in enumerate(("-1", "51", "1.5", "two"), 2)), header=header)
    assert [problem.column for problem in wrong.problems] == [people] * 4
    assert messages(read(("1", "", "2"), header=header)) == [(2, "Tenant")]


def test_a_column_of_a_landlord_s_own_is_passed_over() -> None:
    found = read(("1", "555-0100", "paid", "x"), header=("Unit", "Phone", "Deposit", "tenant nam"))
    assert ([unit.label for unit in found.units], found.problems) == (["1"], ())


def test_a_row_that_says_a_unit_is_vacant_repeats_no_former_tenant_and_contradicts_one_who_stays() -> None:
    header = (*HEADER, "moveOutDate")
    former = ("1", "", "", "", "", "Ann", "", "", "2026-02-28")
    for word in ("vacant", "", "—"):
        found = read(former, ("1", "", "", "", "", word, "", "", ""), header=header)
        assert (found.problems, found.repeats) == ((), ()), word
        assert found.units[0].is_vacant(date(2026, 3, 1))
        assert not found.units[0].is_vacant(date(2026, 2, 28))
    stays = ("2", "", "", "", "", "Bo", "", "", "")
    (problem,) = read(stays, ("2", "", "", "", "", "Leerstand", "", "", ""), header=header).problems
    assert problem.message.startswith("This row says that the unit is vacant, but line 2 has a tenant without a last")
    assert read(stays, ("2", "", "", "", "", "", "", "", ""), header=header).repeats == (Repeat(3, 2),)
