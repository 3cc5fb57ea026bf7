"""Tests of `prorata bills confirm` and `correct`.

A bill is confirmed as a file with its values, and the next one of its issuer is read accordingly.
"""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from prorata.actions.bills import bills
from prorata.domain.bills.bills import NewBill
from prorata.domain.usage import Usage, from_text
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills as stored
from prorata.store.bills.bills import BillRow
from prorata.store.properties import properties
from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.cli.running import Command
from tests.cli.seeding import database_at, seed
from tests.e_invoices.made import Made, cii
from tests.hostile_files.archives import honest

LAYOUT = next(one for one in LAYOUTS if one.locale == "en-US" and one.name == "dashed and lined")
FIRST = facts_of("en-US", 3, kinds="WATER SEWER", story="plain")
NEXT = facts_of("en-US", 1003, kinds="WATER SEWER", story="plain")._replace(
    issuer=FIRST.issuer, site=FIRST.site, account=FIRST.account, address=FIRST.address, number="00501388"
)
ACCOUNT = ("--account", "ann@example.com")


@pytest.fixture
def house(command: Command, url: str) -> Command:
    """The command with an account that has two properties, House 0 and House 1."""
    command.account()
    seed(url, "ann@example.com", number=2, units=2)
    return command


def pdf(folder: Path, facts: Facts, name: str) -> Path:
    file = folder / name
    file.write_bytes(printed(facts, LAYOUT))
    return file


def money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def lines_of(facts: Facts) -> list[dict[str, str]]:
    return [{"utilityType": kind, "amount": money(cents)} for kind, cents in (facts.lines or {}).items()]


def values(folder: Path, facts: Facts, **more: Any) -> Path:
    file = folder / "values.json"
    said = {
        "issuerName": facts.issuer, "totalAmountDue": money(facts.total), "billDate": facts.billed.isoformat(),
        "dueDate": facts.due.isoformat(), "servicePeriodStart": facts.start.isoformat(),
        "servicePeriodEnd": facts.end.isoformat(), "accountNumber": facts.account, "billNumber": facts.number,
        "lines": lines_of(facts),
    }  # fmt: skip
    file.write_text(json.dumps(said | more))
    return file


def read(command: Command, file: Path) -> dict[str, Any]:
    told = json.loads(command.ok("bills", "read", file, *ACCOUNT, "--json"))
    return {name: (field["surety"], field["value"]) for name, field in told["fields"].items()}


def confirm(command: Command, facts: Facts, said: Path, *more: str) -> list[str | Path]:
    return ["bills", "confirm", pdf(command.folder, facts, "first.pdf"), "--values", said, *ACCOUNT, *more]


@pytest.mark.parametrize("way", [(), ("--teach-only",)], ids=["added", "taught alone"])
def test_the_next_bill_of_the_issuer_is_read_by_the_one_that_was_confirmed(
    house: Command, way: tuple[str, ...]
) -> None:
    following = pdf(house.folder, NEXT, "next.pdf")
    before = read(house, following)
    assert before["amounts"][0] == "asked"

    said = house.ok(*confirm(house, FIRST, values(house.folder, FIRST), "--property", "House 0", *way))

    assert f"The next bill from {FIRST.issuer} will be read in the same way." in said
    assert ("The bill was added: bill_" in said) == (not way)
    after = read(house, following)
    assert after["totalAmountDue"] == ("found", money(NEXT.total))
    assert after["servicePeriodStart"] == ("found", NEXT.start.isoformat())
    assert after["servicePeriodEnd"] == ("found", NEXT.end.isoformat())
    assert after["amounts"][0] == "found"
    assert {one["utilityType"]: one["amount"] for one in after["amounts"][1]} == {
        one["utilityType"]: one["amount"] for one in lines_of(NEXT)
    }


def test_the_same_file_is_a_bill_once(house: Command) -> None:
    command = confirm(house, FIRST, values(house.folder, FIRST), "--property", "House 0")
    house.ok(*command)
    assert "has already become a bill" in house.refused(*command)


def test_a_value_may_say_where_it_stands(house: Command) -> None:
    total = {"value": money(FIRST.total), "at": {"page": 1, "box": [0, 0, 700, 1_000]}}
    said = values(house.folder, FIRST, totalAmountDue=total)
    house.ok(*confirm(house, FIRST, said, "--property", "House 0", "--teach-only"))
    assert read(house, pdf(house.folder, NEXT, "next.pdf"))["totalAmountDue"] == ("found", money(NEXT.total))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"lines": [{"utilityType": "WATER", "amount": "1.00"}, {"utilityType": "SEWER", "amount": "2.00"}]},
            "The amounts add up to $3.00",
        ),
        ({"totalAmountDue": "a lot"}, "'a lot' isn't an amount. Write amounts like 240.10."),
        ({"lines": [{"utilityType": "MOONLIGHT", "amount": "1.00"}]}, "Each of the lines needs a utilityType"),
        ({"billDate": None}, "billDate: This is required."),
        ({"color": "red"}, "The values can't be read: "),
        ({"totalAmountDue": 5}, "The values can't be read: "),
        (
            {"totalAmountDue": {"value": money(FIRST.total), "at": {"page": 1, "box": [1e308] * 4}}},
            "A box must be on a page",
        ),
        (
            {"totalAmountDue": {"value": money(FIRST.total), "at": {"page": 7, "box": [9, 9, 30, 12]}}},
            "There is no page 7 in this file; its last page is ",
        ),
        (
            {"totalAmountDue": {"value": money(FIRST.total), "at": {"page": 1, "box": [9, 9, 3, 12]}}},
            "A box must be on a page",
        ),
    ],
)
def test_values_that_can_t_be_right_are_a_sentence_and_nothing_is_stored_or_taught(
    house: Command, more: dict[str, Any], sentence: str
) -> None:
    following = pdf(house.folder, NEXT, "next.pdf")
    before = read(house, following)
    said = house.refused(*confirm(house, FIRST, values(house.folder, FIRST, **more), "--property", "House 0"))
    assert sentence in said
    assert read(house, following) == before


def test_what_can_t_be_read_or_is_of_no_property_is_a_sentence(house: Command) -> None:
    said = values(house.folder, FIRST)
    locked, packed, invoice = (house.folder / name for name in ("locked.pdf", "bills.zip", "bill.xml"))
    locked.write_bytes(protected("secret"))
    packed.write_bytes(honest(one_pdf=printed(FIRST, LAYOUT), two_pdf=printed(NEXT, LAYOUT)))
    invoice.write_bytes(cii(Made()))
    of = ("--values", said, *ACCOUNT)

    assert "is protected by a password" in house.refused("bills", "confirm", locked, *of)
    assert "A ZIP file can contain several bills" in house.refused("bills", "confirm", packed, *of)
    assert "Omit --teach-only" in house.refused("bills", "confirm", invoice, *of, "--teach-only")
    assert "Specify it with --property" in house.refused(*confirm(house, FIRST, said))


# --- prorata bills correct ---------------------------------------------------------------------------------------------


@pytest.fixture
def bill(command: Command, url: str) -> BillRow:
    """A bill of $90.00 for water and sewer, split by guess."""
    account = command.account()
    seed(url, "ann@example.com", number=1, units=2)
    with database_at(url) as database:
        caller = Caller(account, "test")
        (of,) = database.read(lambda tx: properties.page(tx, account, limit=1, offset=0))
        usages = (("WATER", Usage(Decimal("41.5"), "m³", Decimal("2.4"))),)
        new = NewBill(of.id, "Aqua", ("WATER", "SEWER"), 90_00, date(2026, 3, 14), usages=usages)
        return database.write(lambda tx: bills.add(tx, caller, [new])).bills[0]


def after(url: str, bill: BillRow) -> tuple[int, bool, dict[str, Usage]]:
    with database_at(url) as database:
        row = database.read(lambda tx: stored.find(tx, bill.account_id, bill.id))
    assert row is not None
    return row.total, bool(row.guessed), dict(from_text(row.usage))


def test_what_was_used_is_corrected_alone_or_with_the_amounts(command: Command, url: str, bill: BillRow) -> None:
    correct = ("bills", "correct", bill.id, *ACCOUNT)
    command.ok(*correct, "--usage", "water = 40.5 m3 @ 2.40")
    assert after(url, bill) == (90_00, True, {"WATER": Usage(Decimal("40.5"), "m³", Decimal("2.4"))})

    both = ("--total", "80.00", "--amount", "WATER=50.00", "--amount", "SEWER=30.00")
    command.ok(*correct, *both, "--usage", "SEWER=12 m3")
    assert after(url, bill) == (
        80_00, False, {"WATER": Usage(Decimal("40.5"), "m³"), "SEWER": Usage(Decimal(12), "m³")},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--usage", "much water"), "Enter the usage of each utility"),
        (("--usage", "WATER=1 m3", "--usage", "WATER=2 m3"), "WATER appears twice here"),
        (("--usage", "LATE_FEE=1 m3"), "Enter the usage of each utility"),
    ],
)
def test_what_was_used_and_can_not_be_read_is_refused(
    command: Command, url: str, bill: BillRow, given: tuple[str, ...], said: str
) -> None:
    before = after(url, bill)
    assert said in command.refused("bills", "correct", bill.id, *ACCOUNT, *given)
    assert after(url, bill) == before


@pytest.mark.parametrize(
    "given", [(), ("--remove", "--usage", "WATER=1 m3"), ("--remove", "--total", "1.00"), ("--amount", "WATER=1.00")]
)
def test_what_is_corrected_has_to_be_said(command: Command, url: str, bill: BillRow, given: tuple[str, ...]) -> None:
    assert "Specify the correct --total" in command.refused("bills", "correct", bill.id, *ACCOUNT, *given, code=2)
