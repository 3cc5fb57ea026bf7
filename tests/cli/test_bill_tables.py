"""The command line reads bill tables with more or fewer columns than ours."""

import json
from pathlib import Path

import pytest

from tests.adapters.files.test_workbook_tables import saved, workbook_of
from tests.cli.running import Command

ACCOUNT = ("--account", "ann@example.com")


def written(file: Path, *lines: str) -> Path:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("said", ["in its own column", "by the amounts"])
def test_a_bill_of_another_currency_is_a_problem_and_what_is_not_read_is_named(furnished: Command, said: str) -> None:
    total, more, cell = ("Amount", "Currency", "EUR") if said == "in its own column" else ("Amount (EUR)", "Meter", "7")
    head = f"property,vendor,type,{total},date,{more},Colour"
    file = written(furnished.folder / "b.csv", head, f"House 0,City,WATER,70.00,2026-02-20,{cell},red")
    done = furnished.run("bills", "import", file, *ACCOUNT)
    assert done.code == 1
    column = (
        "Currency: This bill is in a different currency"
        if more == "Currency"
        else "Amount (EUR): The name of this column gives a different currency"
    )
    assert f"line 2, {column}" in done.out
    assert "Amounts are not converted" in done.out
    assert f"Nothing is read from {'Colour' if more == 'Currency' else 'Meter and Colour'}." in done.out
    written(
        file,
        head.replace("EUR", "USD"),
        f"House 0,City,WATER,70.00,2026-02-20,{cell.replace('EUR', 'USD')},red",
        "Sum,,,70.00,,,",
    )
    done = furnished.ok("bills", "import", file, *ACCOUNT)
    assert "Line 3 is skipped, because it adds up other lines: Sum." in done
    assert done.endswith("1 bill added; 0 bills already there.")


def test_the_property_of_all_rows_is_said_of_each_file_and_what_else_was_said_of_all_is_named(
    furnished: Command,
) -> None:
    first = written(furnished.folder / "maple.csv", "total,date", "50.00,2026-02-20")
    of_all = ("--all-rows", "issuerName=City", "--all-rows", "utilityType=WATER", "--remember")
    said = furnished.ok("bills", "import", first, *ACCOUNT, *of_all, "--all-rows", "property=House 0").splitlines()
    assert "Every row has issuerName “City”, utilityType “WATER” and property “House 0”, as specified." in said
    second = written(furnished.folder / "oak.csv", "total,date", "70.00,2026-02-20")
    asked = furnished.run("bills", "import", second, *ACCOUNT)
    assert asked.code == 1
    assert "The columns are read as specified for an earlier file with the same columns." in asked.out
    assert "Every row has issuerName “City” and utilityType “WATER”, as specified." in asked.out
    assert (
        'No column is mapped to property. Specify one: --map "Their column=property", or give one value for all '
        'rows: --all-rows property="Maple Court"' in asked.out
    )
    said = furnished.ok("bills", "import", second, *ACCOUNT, "--all-rows", "property=House 1").splitlines()
    assert said[-1] == "1 bill added; 0 bills already there."


def test_names_that_mean_nothing_here_are_told_and_said_by_options_and_remembered(furnished: Command) -> None:
    head = "property,vendor,type,total,date"
    rows = ["Haus 1,City,Wasseruhr,50.00,2026-02-20", "House 1,City,Strom mit Gas,60.00,2026-02-20"]
    file = written(furnished.folder / "b.csv", head, *rows)
    words = ("bills", "import", file, *ACCOUNT)
    asked = furnished.run(*words).out.splitlines()
    assert '“Haus 1” names no property. Specify its meaning: --property "Haus 1=Maple Court"' in asked
    assert '“Wasseruhr” and “Strom mit Gas” name no utility. Specify its meaning: --utility "Wasseruhr=WATER"' in asked
    for wrong in ("Wasseruhr=WINE", "Wasseruhr", "=WATER", "Wasseruhr="):
        assert furnished.run(*words, "--utility", wrong).code == 2
    meant = (
        "--utility",
        "wasseruhr=water",
        "--property",
        "HAUS 1 = House 0",
        "--utility",
        "Strom mit Gas=electric;GAS",
    )
    assert furnished.ok(*words, *meant, "--remember").endswith("2 bills added; 0 bills already there.")
    later = written(furnished.folder / "l.csv", head, *(row.replace("02-20", "03-20") for row in rows))
    assert furnished.ok("bills", "import", later, *ACCOUNT).endswith("2 bills added; 0 bills already there.")


def test_a_currency_that_a_file_says_anywhere_is_never_passed_over(furnished: Command) -> None:
    head, row = "property,vendor,type,total,date,Whrg", "House 0,City,WATER,70.00,2026-02-20,"
    whole = written(furnished.folder / "b.csv", head, row + "EUR", row)
    done = furnished.run("bills", "import", whole, *ACCOUNT, "--map", "Whrg=notes", "--take-good-rows")
    assert "Whrg is read as the currency, whatever you chose, because of its name or its contents." in done.out
    assert "line 2, Whrg: This bill is in a different currency from its property, which uses USD." in done.out
    mixed = written(furnished.folder / "m.csv", head, row + "EUR", row + "n/a")
    done = furnished.run("bills", "import", mixed, *ACCOUNT)
    assert (done.code, "line 2, Whrg: This cell contains only a currency" in done.out) == (1, True)
    above = written(furnished.folder / "a.csv", "all amounts in EUR,,,,,", head, row)
    done = furnished.run("bills", "import", above, *ACCOUNT)
    assert (done.code, "line 3, total: Line 1, above the header, gives a different currency" in done.out) == (1, True)
    written(above, "all amounts in EUR,,,,,", head, row + "USD")
    assert furnished.ok("bills", "import", above, *ACCOUNT).endswith("0 bills added; 1 bill already there.")


def test_the_sheet_of_a_workbook_is_named_by_its_number(furnished, tmp_path):
    header = ("property", "issuerName", "utilityType", "totalAmountDue", "billDate")
    workbook = workbook_of(header, ("House 1", "Aqua", "WATER", 80.1, "2026-03-02"))
    workbook.create_sheet("Second").append(header)
    workbook["Second"].append(("House 1", "Volt", "ELECTRICITY", 20.5, "2026-03-02"))
    file = tmp_path / "bills.xlsx"
    file.write_bytes(saved(workbook))
    words = ("bills", "import", file, "--account", "ann@example.com", "--json", "--sheet")
    assert json.loads(furnished.run(*words, "2").out)["added"] == 1
    assert furnished.run(*words, "3").code == 1
    assert furnished.run(*words, "0").code == 2
