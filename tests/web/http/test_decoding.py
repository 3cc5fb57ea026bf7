"""Tests of the strict decoder of JSON, bodies and queries (docs/decisions.md#request-bodies)."""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import example, given, strategies as st
from msgspec import UNSET, Meta, UnsetType

from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest, MalformedJson
from prorata.web.http.decoding import MOST_PROBLEMS, decode_object, read_body, read_query
from prorata.web.http.fields import MonthText, Percent, Quantity, text


class Property(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    name: Annotated[str, text(255)]
    street_number: Annotated[str, text(50)]
    is_active: bool = True


class UnitChanges(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    label: Annotated[str, text(50)] | UnsetType = UNSET
    sqft: Quantity | UnsetType | None = UNSET
    bedrooms: Annotated[int, Meta(ge=0, le=100)] | UnsetType | None = UNSET
    notes: Annotated[str | None, Meta(description="anything")] | UnsetType = UNSET
    utility: Literal["WATER", "GAS"] | UnsetType = UNSET


class Component(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    split_method: Literal["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS"]
    percent: Percent


class Blend(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    name: Annotated[str, text(100)]
    components: Annotated[list[Component], Meta(min_length=1, max_length=5)]
    first: Component | None = None


class InvoiceFilter(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    property_id: str | None = None
    month: MonthText | None = None
    status: Literal["DRAFT", "SENT"] | None = None
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    details: bool = False


def problems_of(read: Callable[[], object]) -> list[Problem]:
    with pytest.raises(InvalidRequest) as refused:
        read()
    assert refused.value.message == refused.value.problems[0].message
    return list(refused.value.problems)


def problems_of_unit(**sent: object) -> list[Problem]:
    return problems_of(lambda: read_body(json.dumps(sent).encode(), UnitChanges))


# --- bytes → object ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "not valid UTF-8 at byte offset 7"),
        (b'{"a": "\xed\xa0\x80"}', "not valid UTF-8"),  # a surrogate, encoded
        (b'{"a": "\xc0\x80"}', "not valid UTF-8"),  # NUL, overlong
        ('{"a": 1}'.encode("utf-16"), "not valid UTF-8"),
        (b"[]", "must be a JSON object"),
        (b'"a"', "must be a JSON object"),
        (b"null", "must be a JSON object"),
        (b"1", "must be a JSON object"),
        (b"{} {}", "byte offset 3: nothing may follow"),
        (b"{}\x00", "nothing may follow"),
        ('{"é": }'.encode(), "byte offset 7: a value is missing"),
        (b"{a: 1}", "double quotes"),
        (b"{'a': 1}", "double quotes"),
        (b'{"a" 1}', "colon"),
        (b'{"a": 1 "b"}', "comma"),
        (b'{"a": 1,}', "double quotes"),
        (b'{"a": [1,]}', "a value is missing"),
        (b'{"a": 01}', "comma"),
        (b'{"a": +1}', "a value is missing"),
        (b'{"a": .5}', "a value is missing"),
        (b'{"a": 1.}', "comma"),
        (b'{"a": 0x1}', "comma"),
        (b'{"a": 1} // comment', "nothing may follow"),
        (b'{"a": "b', "no closing quote"),
        (b'{"a": "\\x"}', "escape"),
        (b'{"a": "\\u12"}', "four hexadecimal digits"),
        (b'{"a": "\n"}', "control character"),
        (b'{"a": "\x00"}', "control character"),
        (b'{"a": NaN}', "NaN and Infinity"),
        (b'{"a": Infinity}', "NaN and Infinity"),
        (b'{"a": [-Infinity]}', "NaN and Infinity"),
        (b'{"a": 1e400}', "too large for a double"),
        (b'{"a": -1e309}', "too large for a double"),
        (b'{"a": ' + b"9" * 310 + b"}", "too large for a double"),
        (b'{"a": ' + b"9" * 5000 + b"}", "more than 400 characters"),
        (b'{"a": 0.' + b"0" * 5000 + b"}", "more than 400 characters"),
        (b'{"a": 1e-999999999}', "too close to zero"),
        (b'{"a": "\\u0000"}', "NUL"),
        (b'{"a\\u0000": 1}', "NUL"),
        (b'{"a": ["\\ud800"]}', "surrogate"),
        (b'{"a": {"\\udfff": 1}}', "surrogate"),
        (b'{"a": "\\ude00\\ud83d"}', "surrogate"),
        (b'{"a": 1, "b": 2, "a": 3}', "`a` is given more than once"),
        (b'{"a": [{"b": 1, "\\u0062": 1}]}', "`b` is given more than once"),
    ],
)
def test_what_is_no_json_object_is_refused_and_said(body: bytes, says: str) -> None:
    with pytest.raises(MalformedJson) as refused:
        decode_object(body)
    assert says in refused.value.message
    assert (refused.value.status, refused.value.code) == (400, "MALFORMED_JSON")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{}", {}),
        (b' \n{"a": [null, true, false]}\r\n', {"a": [None, True, False]}),
        (b'{"a": 850.50}', {"a": Decimal("850.50")}),
        (b'{"a": 0.1}', {"a": Decimal("0.1")}),
        (b'{"a": 1E2}', {"a": Decimal(100)}),
        (b'{"a": -0.00}', {"a": Decimal(0)}),
        (b'{"a": 0e99999999999999999999}', {"a": Decimal(0)}),
        (b'{"a": 5e-324}', {"a": Decimal("5e-324")}),
        (b'{"a": 12345678901234567890}', {"a": 12345678901234567890}),
        (b'{"a": "\\ud83d\\ude00\\u00e9\\n"}', {"a": "😀é\n"}),
        (b'{"a": "\\\\u0000 [{"}', {"a": "\\u0000 [{"}),
        (b'{"": {"": 1}}', {"": {"": 1}}),
    ],
)
def test_a_json_object_is_read_as_it_is(body: bytes, expected: dict[str, object]) -> None:
    read = decode_object(body)
    assert read == expected
    assert repr(read) == repr(expected) or not any(isinstance(value, int) for value in read.values())


def test_whole_numbers_are_int_and_others_are_decimal() -> None:
    read = decode_object(b'{"a": 1, "b": 1.0}')
    assert type(read["a"]) is int
    assert type(read["b"]) is Decimal


def test_nesting_of_32_is_read_and_33_is_refused() -> None:
    assert decode_object(b'{"a":' + b"[" * 31 + b"]" * 31 + b"}")
    with pytest.raises(MalformedJson, match="more than 32 levels deep at byte offset 36"):
        decode_object(b'{"a":' + b"[" * 32 + b"]" * 32 + b"}")


def test_brackets_side_by_side_or_inside_text_are_not_nested() -> None:
    assert decode_object(b'{"a": [' + b"{}," * 100 + b'"' + b'[\\"' * 100 + b'"]}')


@pytest.mark.parametrize("piece", [b"[", b'{"a":', b"{", b'["', b"\\", b'"\\', b"-", b"1", b"1,", b"\xf0", b"[]"])
def test_a_body_of_256_kib_of_nonsense_is_refused_without_harm(piece: bytes) -> None:
    with pytest.raises(MalformedJson):
        decode_object((piece * (262_144 // len(piece)))[:262_144])


@given(st.binary(max_size=200))
@example(b'{"name": "\\ud83d\\ude00", "streetNumber": 1e400}')
def test_any_bytes_are_read_or_refused_as_expected(body: bytes) -> None:
    try:
        read_body(body, Property)
    except InvalidRequest as refused:
        assert refused.status == 400  # noqa: PT017 - that it may also be read is the point


pieces_of_json = [*'{}[]:,"\\ \n\0é-', '"name"', '"a"', "\\u0000", "\\ud800", "1e999", "0.5", "NaN", "null", "true"]


@given(st.lists(st.sampled_from(pieces_of_json), max_size=20).map(lambda pieces: "".join(pieces).encode()))
def test_pieces_of_json_are_read_or_refused_as_expected(body: bytes) -> None:
    for into in (Property, UnitChanges, Blend):
        try:
            read_body(body, into)
        except InvalidRequest as refused:
            refused.message.encode()


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
numbers = st.integers(-(2**80), 2**80) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=5), st.booleans(), st.sampled_from([None, 2]))
def test_it_agrees_with_the_standard_library_on_good_objects(sent: dict[str, object], plain: bool, indent: int) -> None:
    body = json.dumps(sent, ensure_ascii=plain, indent=indent)
    assert _with_floats(decode_object(body.encode())) == json.loads(body)


def _with_floats(value: object) -> object:
    if isinstance(value, dict):
        return {name: _with_floats(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_floats(inner) for inner in value]
    return float(value) if isinstance(value, Decimal) else value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_kept_to_the_last_digit(number: float) -> None:
    read = decode_object(json.dumps({"a": number}).encode())["a"]
    assert isinstance(read, Decimal)
    assert math.isclose(float(read), number, rel_tol=0, abs_tol=0)


# --- object → Struct ---------------------------------------------------------------------------------------------------


def test_a_good_body_becomes_its_struct_with_text_trimmed() -> None:
    body = '{"name": "\u00a0 Maple Court\\n", "streetNumber": "12b", "isActive": false}'.encode()
    assert read_body(body, Property) == Property("Maple Court", "12b", is_active=False)


def test_every_problem_is_said_at_once_in_sentences() -> None:
    body = b'{"name": "", "nmae": "Maple", "isActive": "true"}'
    assert problems_of(lambda: read_body(body, Property)) == [
        Problem("name", "`name` must be text of 1 to 255 characters."),
        Problem("nmae", "`nmae` is not a known field; the fields are name, streetNumber, isActive."),
        Problem("isActive", "`isActive` must be true or false."),
        Problem("streetNumber", "`streetNumber` is required."),
    ]


def test_problems_inside_lists_and_objects_carry_their_path() -> None:
    body = b"""{"name": "Half", "first": {"percent": -1, "splitMethod": "SQFT"},
        "components": [{"splitMethod": "CUSTOM", "percent": 100.5, "x": 1}, {"percent": 50}, 7]}"""
    assert problems_of(lambda: read_body(body, Blend)) == [
        Problem("first.percent", "`first.percent` must be a number from 0 to 100."),
        Problem(
            "components[0].splitMethod", "`components[0].splitMethod` must be one of BEDROOMS, EQUAL, OCCUPANTS, SQFT."
        ),
        Problem("components[0].percent", "`components[0].percent` must be a number from 0 to 100."),
        Problem("components[0].x", "`components[0].x` is not a known field; the fields are splitMethod, percent."),
        Problem("components[1].splitMethod", "`components[1].splitMethod` is required."),
        Problem("components[2]", "`components[2]` must be an object."),
    ]


def test_structs_inside_structs_are_read() -> None:
    body = b'{"name": "Half", "components": [{"splitMethod": "SQFT", "percent": 50}], "first": null}'
    assert read_body(body, Blend) == Blend("Half", [Component("SQFT", Decimal(50))])


@pytest.mark.parametrize("components", ["[]", "null", "{}", '"a"', "[" + ",".join(["{}"] * 6) + "]"])
def test_a_list_of_the_wrong_length_or_type_is_one_problem(components: str) -> None:
    body = f'{{"name": "Half", "components": {components}}}'.encode()
    assert problems_of(lambda: read_body(body, Blend)) == [
        Problem("components", "`components` must be a list of 1 to 5 items.")
    ]


def test_what_is_not_sent_is_unset_and_null_is_none() -> None:
    assert read_body(b"{}", UnitChanges) == UnitChanges()
    assert read_body(b'{"sqft": null, "notes": null}', UnitChanges) == UnitChanges(sqft=None, notes=None)


def test_null_is_refused_where_a_field_is_not_nullable() -> None:
    assert problems_of_unit(label=None) == [Problem("label", "`label` must be text of 1 to 50 characters, not null.")]


secrets = st.sampled_from(
    ["hunter2hunter2", "hunter2\u0007", 7_777_777_777_777, -77777.5, ["hunter2"], {"a": "hunter2"}]
)


@given(st.dictionaries(st.sampled_from(["label", "sqft", "bedrooms", "utility", "notes"]), secrets, min_size=1))
def test_no_value_that_was_sent_is_ever_repeated(sent: dict[str, object]) -> None:
    try:
        read_body(json.dumps(sent).encode(), UnitChanges)
    except InvalidRequest as refused:
        said = str(refused.problems)
        assert "hunter" not in said
        assert "7777" not in said


def test_unknown_names_are_shown_printable_and_cut() -> None:
    (problem,) = problems_of(lambda: read_body(json.dumps({"\u202e" + "x" * 100: 1}).encode(), UnitChanges))
    assert problem.field == "?" + "x" * 62 + "…"


def test_the_list_of_problems_has_an_end() -> None:
    body = json.dumps({str(number): 1 for number in range(5000)}).encode()
    assert len(problems_of(lambda: read_body(body, Property))) == MOST_PROBLEMS


@pytest.mark.parametrize(
    "kind", [float, int | str, dict[str, int], bytes, Literal[1, 2], Annotated[int, Meta(multiple_of=2)]]
)
def test_a_kind_of_field_the_decoder_does_not_know_is_a_mistake_of_ours(kind: object) -> None:
    into = msgspec.defstruct("Odd", [("odd", kind)])
    with pytest.raises(TypeError):
        read_body(b"{}", into)


# --- query → Struct ----------------------------------------------------------------------------------------------------


def test_a_query_is_read_into_its_struct() -> None:
    pairs = [("propertyId", "prop_1"), ("month", "2026-03"), ("status", "SENT"), ("page", "2"), ("details", "true")]
    assert read_query(pairs, InvoiceFilter) == InvoiceFilter(
        property_id="prop_1", month="2026-03", status="SENT", page=2, details=True
    )
    assert read_query([], InvoiceFilter) == InvoiceFilter()


def test_every_problem_of_a_query_is_said_at_once() -> None:
    pairs = [
        ("page", "0"),
        ("page", "2"),
        ("status", "DRAFT,SENT"),
        ("month", "2026-13"),
        ("sort", "name"),
        ("page", "3"),
    ]
    assert problems_of(lambda: read_query(pairs, InvoiceFilter)) == [
        Problem("page", "`page` is given more than once."),
        Problem("page", "`page` must be a whole number from 1 to 1,000,000."),
        Problem("status", "`status` must be one of DRAFT, SENT."),
        Problem("month", "`month` must be a month written YYYY-MM, such as 2026-03."),
        Problem(
            "sort",
            "`sort` is not a known parameter; the parameters are propertyId, month, status, page, limit, details.",
        ),
    ]


@pytest.mark.parametrize(
    "written", ["", "+1", "-1", " 1", "1 ", "1_0", "1.0", "1e1", "0x1", "²", "١", "one", "9" * 5000, "0", "1000001"]
)
def test_a_page_is_plain_digits_in_range(written: str) -> None:
    assert [problem.field for problem in problems_of(lambda: read_query([("page", written)], InvoiceFilter))] == [
        "page"
    ]


@pytest.mark.parametrize("written", ["", "True", "TRUE", "1", "0", "yes", "true ", "on", "null"])
def test_a_boolean_is_true_or_false_and_nothing_else(written: str) -> None:
    read = problems_of(lambda: read_query([("details", written)], InvoiceFilter))
    assert read == [Problem("details", "`details` must be true or false.")]


@pytest.mark.parametrize(
    "written", ["", "2026", "2026-3", "2026-00", " 2026-03", "2026-03 ", "2026-03\n", "0000-01", "２０２６-03"]
)
def test_a_month_is_written_with_four_and_two_digits(written: str) -> None:
    assert problems_of(lambda: read_query([("month", written)], InvoiceFilter))


@pytest.mark.parametrize("written", ["\0", "a\0b", "\x1b", "\ud800"])
def test_what_no_database_takes_is_refused_in_a_query(written: str) -> None:
    assert problems_of(lambda: read_query([("propertyId", written)], InvoiceFilter)) == [
        Problem("propertyId", "`propertyId` must not contain control characters.")
    ]


@given(
    st.lists(st.tuples(st.sampled_from(["page", "month", "details", "x"]) | st.text(max_size=5), st.text(max_size=9)))
)
def test_any_query_is_read_or_refused_as_expected(pairs: list[tuple[str, str]]) -> None:
    try:
        read_query(pairs, InvoiceFilter)
    except InvalidRequest as refused:
        assert refused.code == "INVALID_REQUEST"  # noqa: PT017 - that it may also be read is the point
