"""The kinds of field in requests: parsers, requirements in words, and JSON Schemas.

A kind is a type annotated with `msgspec.Meta`. In `Meta(extra=…)`, `"must"` contains the middle of the
requirement's sentence ("must be …"), and `"read"` is a function that converts the value, raising ValueError if it
is invalid. `prorata.web.http.decoding` uses both; decoding never refuses a value that satisfies the schema.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import msgspec.inspect as kinds

from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.countries import COUNTRIES
from prorata.domain.limits import LONGEST_MAIL_ADDRESS
from prorata.domain.mail_addresses import read_address
from prorata.domain.texts import Count, Text
from prorata.web.http.limits import LARGEST_MONEY, LARGEST_QUANTITY, LONGEST_DIGITS
from prorata.web.http.sent_files import SentFile, as_file

CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # every Cc but tab, LF and CR
"""The control characters that text may not contain, for a regular expression's character class."""

AN_EMAIL = "must be an e-mail address, such as name@example.com"
A_COUNTRY = "must be a 2-letter ISO 3166-1 country code, such as US or DE"
A_CURRENCY = "must be the code of a currency with two decimals, such as USD or EUR"
A_MONTH = "must be a month written YYYY-MM, such as 2026-03"
A_DAY = "must be a date written YYYY-MM-DD, such as 2026-03-31"
"""The requirements for fields of special kinds, for which pages have their own sentences."""

if TYPE_CHECKING:
    Number = Decimal
else:

    class Number(Decimal):
        """A type for annotations of Decimal fields, whose schema msgspec would call a string.

        Numbers of the API are JSON numbers. No value is of this class; fields hold plain Decimals.
        """


def text(most: int, *, least: int = 1) -> msgspec.Meta:
    r"""Build the constraint of a text of `least` to `most` characters, counted after trimming.

    Control characters are refused (docs/decisions.md#field-limits).
    `name: Annotated[str, text(255)]` takes " Flat 2 " as "Flat 2", and refuses "", "  " and "a\u0007".
    """
    blank_allowed = rf"^[^{CONTROLS}]*$"
    not_blank = rf"^[^{CONTROLS}]*[^\s{CONTROLS}][^{CONTROLS}]*$"
    pattern = not_blank if least else blank_allowed
    return msgspec.Meta(min_length=least, max_length=most, extra_json_schema={"pattern": pattern})


LINE_ENDS = "\r\n\u2028\u2029"


def line(most: int, *, least: int = 1) -> msgspec.Meta:
    """Build the constraint of a text on one line: like `text`, but without line breaks."""
    held = CONTROLS + LINE_ENDS.encode("unicode_escape").decode()
    pattern = rf"^[^{held}]*[^\s{held}][^{held}]*$" if least else rf"^[^{held}]*$"

    def read(value: str) -> str:
        if any(end in value for end in LINE_ENDS):
            raise Unfit("must be one line of text, without line breaks")
        return value

    return msgspec.Meta(min_length=least, max_length=most, extra_json_schema={"pattern": pattern}, extra={"read": read})


def secret(most: int = 1_000, *, least: int = 1) -> msgspec.Meta:
    """Build the constraint of a secret text, such as a password; saved forms omit it."""
    return msgspec.Meta(min_length=least, max_length=most, extra={"is_secret": True})


class Range(NamedTuple):
    """The allowed range of a number, which messages call `noun`, in a locale's words."""

    least: int | Decimal
    most: int | Decimal
    noun: str
    places: int | None


def number(least: int, most: int | Decimal, *, places: int | None = None, noun: str = "a number") -> msgspec.Meta:
    """Build the constraint of a number, which messages call `noun`, by range and decimals."""
    schema: dict[str, Any] = {
        "type": "number",
        "minimum": least,
        "maximum": int(most) if most == int(most) else float(most),
    }
    must: str = f"must be {noun} from {least:,} to {most:,}"
    if places is not None:
        schema["multipleOf"] = float(Decimal(1).scaleb(-places))
        must += f" with at most {places} decimals"

    def read(value: Decimal) -> Decimal:
        if not least <= value <= most:
            raise ValueError
        if places is not None and 10**places % value.as_integer_ratio()[1]:
            raise ValueError
        return value

    allowed = Range(least, most, noun, places)
    return msgspec.Meta(extra_json_schema=schema, extra={"must": must, "read": read, "range": allowed})


def read_email(value: str) -> str:
    """Check that e-mail can be sent to an address, whose domain must contain a dot.

    `domain.mail_addresses.read_address` accepts such an address, too, so that invoices can be sent to it.

    >>> read_email("anna@example.com"), read_email("用户@例子.广告")
    ('anna@example.com', '用户@例子.广告')
    """
    if "." not in read_address(value).domain:
        raise ValueError
    return value


def is_email(text: str) -> bool:
    """True if a text is an e-mail address that `read_email` accepts.

    >>> is_email("anna@example.com"), is_email("anna")
    (True, False)
    """
    try:
        read_email(text)
    except ValueError:
        return False
    return True


def read_country(value: str) -> str:
    """Parse an assigned ISO 3166-1 alpha-2 code, converted to upper case (docs/decisions.md#field-limits).

    >>> read_country("us")
    'US'
    """
    # Outside ASCII, upper() may turn one letter into two: "ß" would become South Sudan.
    code = value.upper() if value.isascii() else value
    if code not in COUNTRIES:
        raise ValueError
    return code


def read_month_text(value: str) -> Month:
    """Check a month written YYYY-MM, and return it (docs/decisions.md#query-parameters)."""
    month = read_month(value)
    if month is None:
        raise ValueError
    return month


_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_date_text(value: str) -> str:
    """Check a calendar day written YYYY-MM-DD, and return it as text.

    >>> read_date_text("2028-02-29")
    '2028-02-29'
    """
    # fromisoformat alone would also take 20280229 and 2028-W09-2.
    if not _DATE.fullmatch(value):
        raise ValueError
    date.fromisoformat(value)
    return value


Email = Annotated[
    str,
    msgspec.Meta(
        max_length=LONGEST_MAIL_ADDRESS,
        description="An e-mail address; addresses in any script are accepted.",
        extra_json_schema={"format": "email", "pattern": r"^(?:[^=]|=(?!\?))*$"},  # no encoded words (RFC 2047)
        extra={"must": AN_EMAIL, "read": read_email},
    ),
]

CountryCode = Annotated[
    str,
    msgspec.Meta(
        description="An ISO 3166-1 alpha-2 country code. Lowercase is accepted and stored as uppercase.",
        extra_json_schema={"enum": sorted(COUNTRIES)},
        extra={"must": A_COUNTRY, "read": read_country},
    ),
]

MonthText = Annotated[
    Month,
    msgspec.Meta(
        description="A month, as YYYY-MM.",
        extra_json_schema={"pattern": r"^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$"},
        extra={"must": A_MONTH, "read": read_month_text},
    ),
]

DateText = Annotated[
    str,
    msgspec.Meta(
        description="A date, as YYYY-MM-DD.",
        extra_json_schema={"format": "date"},
        extra={"must": A_DAY, "read": read_date_text},
    ),
]

Quantity = Annotated[Number, number(0, LARGEST_QUANTITY)]
"""A measure such as square feet."""

Percent = Annotated[Number, number(0, 100)]
"""A percentage."""

Money = Annotated[Number, number(0, LARGEST_MONEY, places=2, noun="an amount")]
"""An amount in major units with at most two decimals; it is stored in cents."""


# --- parsers of plain types ------------------------------------------------------------------------------------------


Accept = Callable[[Any], object]
"""A function that converts a value for the program, or raises ValueError."""


class Unfit(ValueError):
    """The error of an invalid value, with a sentence that replaces the field's usual one."""

    def __init__(self, must: str) -> None:
        super().__init__(must)
        self.must = must


def unwrapped(kind: kinds.Type) -> tuple[kinds.Type, dict[str, Any], bool]:
    """Return a type without its annotations, the annotations, and True if it may be null."""
    extra: dict[str, Any] = {}
    nullable = False
    while isinstance(kind, kinds.Metadata | kinds.UnionType):
        if isinstance(kind, kinds.Metadata):
            extra = {**(kind.extra or {}), **extra}
            kind = kind.type
        else:
            real = [kind_of_value for kind_of_value in kind.types if not isinstance(kind_of_value, kinds.NoneType)]
            if len(real) != 1:
                raise TypeError(f"A field must have one type, which may be nullable, but this one has {kind}.")
            nullable = len(kind.types) > 1
            kind = real[0]
    return kind, extra, nullable


def in_a_body(kind: kinds.Type) -> tuple[str, Accept]:
    """Return the requirement, in words, and the parser for a type in a JSON body.

    Types are strict: "5" is not a number, and true is not 1. JSON has one type of number, so 5.0 is the whole
    number 5.
    """
    match kind:
        case kinds.StrType():
            return _text(kind, trimmed=True)
        case kinds.IntType():
            return _integer(kind)
        case kinds.BoolType():
            return _choice("must be true or false", {True: True, False: False}, bool)
        case kinds.LiteralType() | kinds.EnumType():
            return _choice_of(kind)
        case kinds.DictType(value_type=kinds.AnyType()):
            return "must be an object", _members
        case kinds.DecimalType() | kinds.CustomType() if getattr(kind, "cls", Number) is Number:
            return "must be a number", _number
        case _:
            raise TypeError(f"The decoder doesn't support fields of type {kind}.")


def in_a_query(kind: kinds.Type) -> tuple[str, Accept]:
    """Return the requirement, in words, and the parser for a query or form field.

    Numbers are digits, booleans are `true` or `false`, and text is taken unchanged.
    """
    match kind:
        case kinds.StrType():
            return _text(kind, trimmed=False)
        case kinds.IntType():
            must, accept = _integer(kind)
            return must, lambda text: accept(_digits(text))
        case kinds.BoolType():
            return _choice("must be true or false", {"true": True, "false": False}, str)
        case kinds.LiteralType() | kinds.EnumType():
            return _choice_of(kind)
        case kinds.CustomType() if kind.cls is SentFile:
            return "must be a file", as_file
        case _:
            raise TypeError(f"Query parameters can't be of type {kind}.")


NO_CONTROLS = "must not contain control characters"
CONTROL = re.compile(rf"[{CONTROLS}\ud800-\udfff]")
"""A character that no text may contain."""


def _text(kind: kinds.StrType, *, trimmed: bool) -> tuple[str, Accept]:
    least, most = kind.min_length or 0, kind.max_length
    pattern = None if kind.pattern is None else re.compile(kind.pattern)

    def accept(value: object) -> str:
        if type(value) is not str:
            raise ValueError
        if not value.isprintable() and CONTROL.search(value):
            raise Unfit(NO_CONTROLS)
        text = value.strip() if trimmed else value
        if len(text) < least or (most is not None and len(text) > most) or (pattern and not pattern.search(text)):
            raise ValueError
        return text

    return _sized_text(kind.min_length, most), accept


def _sized_text(least: int | None, most: int | None) -> str:
    """Describe the allowed length of a text; with a maximum, the words can be translated."""
    if most is None:
        return f"must be text{sized(least, most, 'characters')}"
    if least:
        return Text("must be text of {least} to {most} characters", least=Count(least), most=Count(most))
    return Text("must be text of at most {most} characters", most=Count(most))


def sized(least: int | None, most: int | None, unit: str) -> str:
    """Describe the allowed number of characters or items, as the end of a sentence.

    >>> "must be text" + sized(1, 1000, "characters")
    'must be text of 1 to 1,000 characters'
    """
    if most is not None:
        return f" of {least:,} to {most:,} {unit}" if least else f" of at most {most:,} {unit}"
    return f" of at least {least:,} {unit}" if least else ""


def _integer(kind: kinds.IntType) -> tuple[str, Accept]:
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if kind.multiple_of is not None:
        raise TypeError("The decoder doesn't support `multiple_of`.")

    def accept(value: object) -> int:
        if type(value) is Decimal and value == value.to_integral_value():
            value = int(value)
        if type(value) is not int or (least is not None and value < least) or (most is not None and value > most):
            raise ValueError
        return value

    bounds = f" from {least:,} to {most:,}" if least is not None and most is not None else ""
    if not bounds:
        bounds = f" of at least {least:,}" if least is not None else f" of at most {most:,}" if most is not None else ""
    return f"must be a whole number{bounds}", accept


def _digits(text: str) -> int:
    if len(text) > LONGEST_DIGITS or not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)


def _number(value: object) -> Decimal:
    if type(value) is int:
        return Decimal(value)
    if type(value) is Decimal:
        return value
    raise ValueError


def _members(value: object) -> object:
    if type(value) is dict:
        return value
    raise ValueError


def _choice_of(kind: kinds.LiteralType | kinds.EnumType) -> tuple[str, Accept]:
    members: Mapping[Any, object] = (
        {member.value: member for member in kind.cls}
        if isinstance(kind, kinds.EnumType)
        else {value: value for value in kind.values}
    )
    if not all(isinstance(value, str) for value in members):
        raise TypeError("The decoder supports only choices that are text.")
    return _choice(ONE_OF.format(choices=", ".join(filter(None, members))), members, str)


ONE_OF = Text("must be one of {choices}")


def _choice(must: str, choices: Mapping[Any, object], of: type) -> tuple[str, Accept]:
    def accept(value: object) -> object:
        if type(value) is not of or value not in choices:
            raise ValueError
        return choices[value]

    return must, accept
