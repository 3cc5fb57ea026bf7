"""Each kind of field takes exactly the values that its schema promises."""

import enum
import json
from decimal import Decimal
from typing import Annotated

import jsonschema_rs
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies as st
from msgspec import UNSET, Meta, UnsetType

from prorata.domain.countries import COUNTRIES
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.web.http.decoding import read_body
from prorata.web.http.fields import CountryCode, DateText, Email, Money, MonthText, Percent, Quantity, text


class Everything(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    name: Annotated[str, text(255)] | UnsetType = UNSET
    notes: Annotated[str, text(10, least=0)] | UnsetType = UNSET
    email: Email | UnsetType | None = UNSET
    country: CountryCode | UnsetType = UNSET
    month: MonthText | UnsetType = UNSET
    move_in_date: DateText | UnsetType | None = UNSET
    sqft: Quantity | UnsetType | None = UNSET
    percent: Percent | UnsetType = UNSET
    rent: Money | UnsetType = UNSET


def read(name: str, written: str) -> object:
    return getattr(
        read_body(f'{{"{name}": {written}}}'.encode(), Everything), {"moveInDate": "move_in_date"}.get(name, name)
    )


def sentence_for(name: str, written: str) -> str:
    with pytest.raises(InvalidRequest) as refused:
        read(name, written)
    (problem,) = refused.value.problems
    assert problem.field == name
    return problem.message


@pytest.mark.parametrize(
    "address",
    [
        "anna@example.com",
        "  anna@example.com\n",
        "a@b.co",
        "anna.o'neil+bills@sub.example.co.uk",
        "用户@例子.广告",
        "jörg@münchen.de",
        "!#$%&'*+-/?=^_`{|}~@example.com",
        "a" * 64 + "@example.com",
        "a@" + "b" * 63 + ".com",
        "a@" + ".".join(["b" * 49] * 5) + ".c",
    ],
)
def test_an_email_address_is_taken_as_it_is_written_but_trimmed(address: str) -> None:
    assert read("email", json.dumps(address)) == address.strip()


@pytest.mark.parametrize(
    "address",
    [
        "",
        " ",
        "anna",
        "@example.com",
        "anna@",
        "anna@example",
        "anna@@example.com",
        "a@b@example.com",
        "an na@example.com",
        "anna@exam ple.com",
        "anna@.example.com",
        "anna@example..com",
        "anna@example.com.",
        "anna@-example.com",
        "anna@example-.com",
        "anna@exam_ple.com",
        ".anna@example.com",
        "anna.@example.com",
        "an..na@example.com",
        "Anna <anna@example.com>",
        "anna@example.com,bob@example.com",
        "anna@example.com\nBcc: bob@example.com",
        '"anna"@example.com',
        "anna@[192.0.2.1]",
        "anna@example\u3000.com",
        "ann\u202ea@example.com",
        "a" * 65 + "@example.com",
        "ü" * 33 + "@example.com",
        "anna@example.1",
        "anna@127.0.0.1",
        "=?utf-8?q?eve=40x.example?=@example.com",
        "a@" + "b" * 64 + ".com",
        "a@" + ".".join(["b" * 49] * 5) + ".cde",
    ],
)
def test_what_no_mail_would_reach_is_not_an_email_address(address: str) -> None:
    said = sentence_for("email", json.dumps(address))
    assert said == "`email` must be an e-mail address, such as name@example.com, or null."


@given(st.emails())
def test_every_address_of_rfc_5322_dot_atoms_is_taken(address: str) -> None:
    assert read("email", json.dumps(address)) == address


@pytest.mark.parametrize(("sent", "code"), [("US", "US"), ("us", "US"), (" dE ", "DE"), ("gb", "GB")])
def test_a_country_is_upper_cased_on_the_way_in(sent: str, code: str) -> None:
    assert read("country", json.dumps(sent)) == code


@pytest.mark.parametrize(
    "sent", ["", "U", "USA", "XX", "ZZ", "UK", "EU", "ß", "1A", "U S", "ＵＳ"]
)  # ß upper-cased is SS
def test_a_country_that_is_not_assigned_is_refused(sent: str) -> None:
    said = sentence_for("country", json.dumps(sent))
    assert said == "`country` must be a 2-letter ISO 3166-1 country code, such as US or DE."


def test_all_249_countries_are_taken() -> None:
    assert len(COUNTRIES) == 249
    assert all(read("country", json.dumps(code)) == code for code in COUNTRIES)


@pytest.mark.parametrize("sent", ["2026-3", "2026-13", "2026-00", "0000-01", "2026-03-01", "March", "２０２６-03", ""])
def test_a_month_that_is_none_is_refused(sent: str) -> None:
    assert read("month", '"2026-03"') == "2026-03"
    assert sentence_for("month", json.dumps(sent)) == "`month` must be a month written YYYY-MM, such as 2026-03."


@pytest.mark.parametrize(
    "sent", ["2026-02-29", "2026-04-31", "20260401", "2026-W09-2", "2026-3-1", "2026-03-01T00:00:00Z", "0000-01-01", ""]
)
def test_a_date_that_is_not_in_the_calendar_is_refused(sent: str) -> None:
    assert read("moveInDate", '"2028-02-29"') == "2028-02-29"
    said = sentence_for("moveInDate", json.dumps(sent))
    assert said == "`moveInDate` must be a date written YYYY-MM-DD, such as 2026-03-31, or null."


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("0", "0"),
        ("12.3", "12.3"),
        ("12.30", "12.30"),
        ("12.300", "12.300"),
        ("1e2", "1e2"),
        ("123e-2", "1.23"),
        ("9999999999.99", "9999999999.99"),
    ],
)
def test_money_has_at_most_two_decimals_that_count(written: str, amount: str) -> None:
    taken = read("rent", written)
    assert (taken, type(taken)) == (Decimal(amount), Decimal)


@pytest.mark.parametrize(
    "written",
    [
        "12.345",
        "0.001",
        "0.1" + "0" * 60 + "1",
        "-0.01",
        "10000000000",
        "9999999999.991",
        '"12.30"',
        "true",
        "1e-300",
        "1e300",
    ],
)
def test_money_of_any_other_form_is_refused(written: str) -> None:
    said = sentence_for("rent", written)
    assert said == "`rent` must be an amount from 0 to 9,999,999,999.99 with at most 2 decimals."


@pytest.mark.parametrize(
    ("name", "most", "said"), [("sqft", 10_000_000, "10,000,000, or null."), ("percent", 100, "100.")]
)
def test_a_number_lies_within_its_bounds_to_the_last_digit(name: str, most: int, said: str) -> None:
    assert [read(name, written) for written in ("0", "-0.0", str(most), f"{most}.0")] == [0, 0, most, most]
    assert read(name, "0.123456789012345678901") == Decimal("0.123456789012345678901")
    for written in ("-1", "-0.0000001", f"{most}.{'0' * 40}1", f"{most + 1}"):
        assert sentence_for(name, written) == f"`{name}` must be a number from 0 to {said}"


def test_text_that_may_be_empty_says_how_long_it_may_be() -> None:
    assert read("notes", '"  "') == ""
    assert sentence_for("notes", '"12345678901"') == "`notes` must be text of at most 10 characters."


# --- plain types -------------------------------------------------------------------------------------------------------


class Utility(enum.StrEnum):
    WATER = "WATER"
    GAS = "GAS"


class Plain(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    label: Annotated[str, text(50)] | UnsetType = UNSET
    bedrooms: Annotated[int, Meta(ge=0, le=100)] | UnsetType | None = UNSET
    notes: str | UnsetType = UNSET
    weight: Decimal | UnsetType = UNSET
    utility: Utility | UnsetType = UNSET
    lent: bool = False


def problems_of(**sent: object) -> list[Problem]:
    with pytest.raises(InvalidRequest) as refused:
        read_body(json.dumps(sent).encode(), Plain)
    return list(refused.value.problems)


@pytest.mark.parametrize("sent", ["true", 1, 0, 1.0, [], {}])
def test_what_is_not_true_or_false_is_refused_where_one_is_meant(sent: object) -> None:
    assert problems_of(lent=sent) == [Problem("lent", "`lent` must be true or false.")]


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        (Meta(ge=1), "a whole number of at least 1"),
        (Meta(gt=0, lt=10), "a whole number from 1 to 9"),
        (Meta(le=5_000), "a whole number of at most 5,000"),
        (Meta(), "a whole number"),
    ],
)
def test_the_bounds_of_a_whole_number_are_said(bounds: Meta, said: str) -> None:
    into = msgspec.defstruct("Bounded", [("rooms", Annotated[int, bounds])])
    with pytest.raises(InvalidRequest, match=f"`rooms` must be {said}\\."):
        read_body(b'{"rooms": "1"}', into)


@pytest.mark.parametrize("sent", ["5", "5.0", True, 5.5, -1, 101, [5], {}, 1e300])
def test_what_is_not_a_whole_number_in_range_is_refused(sent: object) -> None:
    assert problems_of(bedrooms=sent) == [
        Problem("bedrooms", "`bedrooms` must be a whole number from 0 to 100, or null.")
    ]


@pytest.mark.parametrize("written", ["5", "5.0", "5.000", "0.5e1", "50e-1"])
def test_a_whole_number_may_be_written_in_any_way_of_json(written: str) -> None:
    read = read_body(f'{{"bedrooms": {written}}}'.encode(), Plain).bedrooms
    assert (read, type(read)) == (5, int)


@pytest.mark.parametrize("sent", ["5", True, [], {}])
def test_what_is_not_a_number_is_refused_where_one_is_meant(sent: object) -> None:
    assert [problem.field for problem in problems_of(weight=sent)] == ["weight"]


def test_a_decimal_field_takes_whole_numbers_and_decimals() -> None:
    assert read_body(b'{"weight": 850}', Plain) == Plain(weight=Decimal(850))
    assert read_body(b'{"weight": 0.30}', Plain) == Plain(weight=Decimal("0.30"))


@pytest.mark.parametrize("sent", [5, True, ["a"], {}])
def test_what_is_not_text_is_refused_where_text_is_meant(sent: object) -> None:
    assert problems_of(label=sent) == [Problem("label", "`label` must be text of 1 to 50 characters.")]


def test_lengths_count_characters_after_trimming() -> None:
    assert read_body(json.dumps({"label": "  " + "😀" * 50 + "\t"}).encode(), Plain).label == "😀" * 50
    assert problems_of(label="😀" * 51)


@pytest.mark.parametrize("blank", ["", "   ", "\t\r\n", "\u00a0\u3000\u2028"])
def test_blank_text_is_refused_where_a_character_is_needed(blank: str) -> None:
    assert [problem.field for problem in problems_of(label=blank)] == ["label"]


@pytest.mark.parametrize("control", ["\x01", "\x0b", "\x1f", "\x7f", "\x85", "\x9f"])
def test_control_characters_are_refused_in_text(control: str) -> None:
    assert problems_of(label=f"a{control}b", notes=control) == [
        Problem("label", "`label` must not contain control characters."),
        Problem("notes", "`notes` must not contain control characters."),
    ]


def test_tabs_line_feeds_and_returns_may_stand_in_text() -> None:
    assert read_body(b'{"notes": "a\\tb\\r\\nc"}', Plain).notes == "a\tb\r\nc"


def test_an_enum_is_read_into_its_member() -> None:
    assert read_body(b'{"utility": "GAS"}', Plain).utility is Utility.GAS
    assert problems_of(utility="gas") == [Problem("utility", "`utility` must be one of WATER, GAS.")]
    assert problems_of(utility=["GAS"])


# --- the schema keeps its word -----------------------------------------------------------------------------------------

(_,), components = msgspec.json.schema_components([Everything], ref_template="#/components/schemas/{name}")
operation = schemathesis.openapi.from_dict(
    {
        "openapi": "3.1.0",
        "info": {"title": "fields", "version": "1"},
        "paths": {
            "/": {
                "post": {
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Everything"}}},
                    },
                    "responses": {"200": {"description": "fine"}},
                }
            }
        },
        "components": {"schemas": components},
    }
)["/"]["POST"]


@given(operation.as_strategy())
@settings(suppress_health_check=list(HealthCheck))
def test_whatever_the_schema_allows_is_read(case: schemathesis.Case) -> None:
    read_body(json.dumps(case.body).encode(), Everything)


schema = components["Everything"]
validator = jsonschema_rs.validator_for(schema, validate_formats=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""), ("name", " \u00a0\n"), ("name", "a\0"), ("name", "a\x85"), ("name", "x" * 256), ("name", None),
        ("notes", "\x1f"), ("email", "anna"), ("email", "=?@0.com"), ("country", "XX"),
        ("month", "2026-13"), ("month", "0000-12"), ("moveInDate", "2026-02-30"),
        ("sqft", -1), ("sqft", 10_000_001), ("sqft", "5"), ("percent", 100.1),
        ("rent", 12.345), ("rent", 10_000_000_000), ("colour", 1),
    ],
)  # fmt: skip
def test_what_the_schema_forbids_is_refused(name: str, value: object) -> None:
    assert not validator.is_valid({name: value})
    with pytest.raises(InvalidRequest):
        read_body(json.dumps({name: value}).encode(), Everything)


@pytest.mark.parametrize(
    ("name", "value"),
    [("name", "a\n b"), ("notes", ""), ("email", None), ("rent", 0.57), ("rent", 9999999999.99), ("month", "2026-03")],
)
def test_what_is_plainly_fine_is_allowed_by_the_schema(name: str, value: object) -> None:
    assert validator.is_valid({name: value})


def test_numbers_are_numbers_in_the_schema() -> None:
    assert schema["properties"]["rent"] == {
        "type": "number", "minimum": 0, "maximum": 9999999999.99, "multipleOf": 0.01,
    }  # fmt: skip
