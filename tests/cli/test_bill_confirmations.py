"""`prorata bills confirm`: a bill as a file with its values, by which the next one of its issuer is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.intake.test_pdf_text import protected
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.cli.running import Command
from tests.cli.seeding import seed
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
    """An account with a property, House 0."""
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

    assert f"The next bill of {FIRST.issuer} is read by this one." in said
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
    assert "was made a bill already" in house.refused(*command)


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
            "The amounts come to $3.00",
        ),
        ({"totalAmountDue": "a lot"}, "'a lot' is no amount such as 240.10."),
        ({"lines": [{"utilityType": "MOONLIGHT", "amount": "1.00"}]}, "Each of the lines needs a utilityType"),
        ({"billDate": None}, "billDate: This is needed."),
        ({"color": "red"}, "The values can't be read: "),
        ({"totalAmountDue": 5}, "The values can't be read: "),
        (
            {"totalAmountDue": {"value": money(FIRST.total), "at": {"page": 1, "box": [1e308] * 4}}},
            "A box lies on a page",
        ),
        (
            {"totalAmountDue": {"value": money(FIRST.total), "at": {"page": 1, "box": [9, 9, 3, 12]}}},
            "A box lies on a page",
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
    assert "A ZIP has several bills" in house.refused("bills", "confirm", packed, *of)
    assert "Leave --teach-only away" in house.refused("bills", "confirm", invoice, *of, "--teach-only")
    assert "Say it with --property" in house.refused(*confirm(house, FIRST, said))
