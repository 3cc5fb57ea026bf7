"""How the command line reads tables of bills whose columns say more, or less, than ours."""

from pathlib import Path

import pytest

from tests.cli.running import Command
from tests.cli.seeding import seed

ACCOUNT = ("--account", "ann@example.com")


@pytest.fixture
def furnished(command: Command, url: str) -> Command:
    """An account with two properties of two units, which are in the US."""
    command.account()
    seed(url, "ann@example.com", number=2, units=2)
    return command


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
    column = "Currency: This bill is in another" if more == "Currency" else "Amount (EUR): The name of this column says"
    assert f"line 2, {column}" in done.out
    assert "Nothing is converted" in done.out
    assert f"Nothing is read from {'Colour' if more == 'Currency' else 'Meter and Colour'}." in done.out
    written(file, head.replace("EUR", "USD"), f"House 0,City,WATER,70.00,2026-02-20,{cell.replace('EUR', 'USD')},red")
    assert furnished.ok("bills", "import", file, *ACCOUNT).endswith("1 bill added; 0 bills there already.")
