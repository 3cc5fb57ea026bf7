"""Invalid payment instructions are refused, each by its field.

Valid ones are stored in a fixed form.
"""

import pytest

from prorata.domain.accounts.pay_to import (
    COLUMNS,
    PayTo,
    cleaned,
    in_groups,
    is_iban,
    is_routing_number,
    pay_to_problems,
)
from prorata.domain.limits import LONGEST_PAY_TEXT, LONGEST_PAYEE, MOST_PAY_TEXT_LINES

GERMAN = "DE89370400440532013000"
ROUTING = "021000021"
LONGEST = "MT84MALT011000012345MTLCAST001S"


def wrong(**said: str) -> dict[str, str]:
    return {problem.field: problem.message for problem in pay_to_problems(PayTo(**said))}


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"text": "Cash, at the office."},
        {"iban": GERMAN},
        {"holder": "Jörg Müller", "iban": GERMAN, "bic": "COBADEFFXXX"},
        {"iban": LONGEST, "bic": "MALTMTMT"},
        {"iban": "NO9386011117947"},
        {"text": "By the 5th.", "holder": "Maple Homes", "routing": ROUTING, "number": "12345678"},
        {"routing": ROUTING, "number": "12-345 678A"},
        {"text": "x" * LONGEST_PAY_TEXT},
        {"text": "\n".join("x" * MOST_PAY_TEXT_LINES)},
        {"holder": "x" * LONGEST_PAYEE, "iban": GERMAN},
    ],
)
def test_what_says_how_to_pay_is_taken(said: dict[str, str]) -> None:
    assert wrong(**said) == {}


def test_every_digit_of_an_iban_counts_and_two_that_changed_places() -> None:
    for at in range(2, len(GERMAN)):
        other = str((int(GERMAN[at]) + 1) % 10)
        assert not is_iban(GERMAN[:at] + other + GERMAN[at + 1 :]), at
        swapped = GERMAN[: at - 1] + GERMAN[at] + GERMAN[at - 1] + GERMAN[at + 1 :]
        assert is_iban(swapped) is (swapped == GERMAN), swapped


def test_every_digit_of_a_routing_number_counts() -> None:
    for at in range(9):
        for digit in set("0123456789") - {ROUTING[at]}:
            assert not is_routing_number(ROUTING[:at] + digit + ROUTING[at + 1 :]), (at, digit)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"iban": "DE88370400440532013000"}, "pay_iban"),
        ({"iban": GERMAN.lower()}, "pay_iban"),
        ({"iban": GERMAN[:-1]}, "pay_iban"),
        ({"iban": "DE"}, "pay_iban"),
        ({"iban": GERMAN + "0" * 20}, "pay_iban"),
        ({"iban": GERMAN.replace("8", "\uff18")}, "pay_iban"),
        ({"iban": GERMAN, "bic": "COBADEFFXX"}, "pay_bic"),
        ({"iban": GERMAN, "bic": "COB4DEFF"}, "pay_bic"),
        ({"bic": "COBADEFF"}, "pay_iban"),
        ({"holder": "Maple Homes"}, "pay_iban"),
        ({"iban": GERMAN, "routing": ROUTING, "number": "1234"}, "pay_number"),
        ({"iban": GERMAN, "routing": ROUTING}, "pay_number"),
        ({"routing": ROUTING}, "pay_number"),
        ({"number": "12345678"}, "pay_routing"),
        ({"routing": "021000012", "number": "1234"}, "pay_routing"),
        ({"routing": "02100002", "number": "1234"}, "pay_routing"),
        ({"routing": "\u0660" * 9, "number": "1234"}, "pay_routing"),
        ({"routing": ROUTING, "number": "123"}, "pay_number"),
        ({"routing": ROUTING, "number": "1" * 18}, "pay_number"),
        ({"routing": ROUTING, "number": "12\n34"}, "pay_number"),
        ({"routing": ROUTING, "number": "\u0661234"}, "pay_number"),
        ({"text": "x" * (LONGEST_PAY_TEXT + 1)}, "pay_text"),
        ({"text": "\n".join("x" * (MOST_PAY_TEXT_LINES + 1))}, "pay_text"),
        ({"text": "Pay\u202e here"}, "pay_text"),
        ({"text": "Pay\x00"}, "pay_text"),
        ({"holder": "x" * (LONGEST_PAYEE + 1), "iban": GERMAN}, "pay_holder"),
        ({"holder": "Maple\x1b[2J", "iban": GERMAN}, "pay_holder"),
    ],
)
def test_what_is_wrong_is_said_of_its_field_and_of_no_other(said: dict[str, str], field: str) -> None:
    assert list(wrong(**said)) == [field]


def test_everything_wrong_is_said_at_once() -> None:
    found = wrong(text="\x00", holder="\x00", iban="DE00", bic="x", routing="1", number="1")
    assert set(found) == set(COLUMNS)


@pytest.mark.parametrize(
    ("column", "typed", "kept"),
    [
        ("pay_iban", " de89 3704 0044\u00a00532-0130 00 ", GERMAN),
        ("pay_bic", "cobadeff xxx", "COBADEFFXXX"),
        ("pay_routing", "0210 0002 1", ROUTING),
        ("pay_number", " 12-345  678 ", "12-345 678"),
        ("pay_holder", " Maple\tHomes\r\nLtd ", "Maple Homes Ltd"),
        ("pay_text", "  One\u00a0line \r\n\ttwo  lines\n\n", "One line\ntwo lines"),
    ],
)
def test_what_is_pasted_is_kept_as_it_is_meant(column: str, typed: str, kept: str) -> None:
    assert cleaned({column: typed}) == {column: kept}
    assert cleaned({column: kept}) == {column: kept}


def test_an_iban_is_printed_in_groups_of_four_that_are_taken_back() -> None:
    assert in_groups(LONGEST) == "MT84 MALT 0110 0001 2345 MTLC AST0 01S"
    assert cleaned({"pay_iban": in_groups(LONGEST)}) == {"pay_iban": LONGEST}
