"""Form parsing, as strict as the API's JSON parsing, with errors worded for people.

An empty field counts as not filled in: it is left out, or null if the Struct's field may be null. Spaces at the
ends are removed, and a checkbox that is not ticked is False. Numbers are read as the account's locale writes them
(Forms.typed); a number that can be read in two ways is refused (prorata.domain.number_parsing). Form fields have
the names of the Struct's fields in JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec
import msgspec.inspect as kinds

from prorata.domain.billing_calendar import is_in_reach
from prorata.domain.currency_signs import may_mean, meant_by, parted
from prorata.domain.files.cells import Priced
from prorata.domain.groups import grouped
from prorata.domain.limits import MOST_PROBLEMS
from prorata.domain.number_parsing import in_one_form, readings
from prorata.domain.problems import FAR, Problem, shown, unfit
from prorata.domain.texts import say
from prorata.errors import ChangedMeanwhile, InvalidRequest, Refusal
from prorata.ports import Forms
from prorata.web.dashboard.kernel.field_words import (
    A_NUMBER,
    A_WHOLE_NUMBER,
    AN_AMOUNT,
    IN,
    REQUIRED,
    TWO_WAYS,
    TWO_WAYS_OR_FEWER,
    TWO_WAYS_OR_WHOLE,
    in_a_persons_words,
)
from prorata.web.dashboard.kernel.form_bodies import Pairs
from prorata.web.dashboard.kernel.pages import ONCE, VERSION
from prorata.web.http.decoding import read_query
from prorata.web.http.fields import (
    CONTROL,
    NO_CONTROLS,
    Range,
    Unfit,
    in_a_body,
    read_date_text,
    read_month_text,
    unwrapped,
)
from prorata.web.http.limits import MOST_WHOLE_DIGITS
from prorata.web.http.operation_runner import NoQuery

TOKEN = "form_token"  # noqa: S105 - the name of a field
_HUNDRED = 100
_WHOLE, _AMOUNT = "a whole number", "an amount"
T = TypeVar("T", bound=msgspec.Struct)
_TRUE = ("on", "true")


class Filled(NamedTuple):
    """A form as a template shows it: its values, and the problems found.

    `problems` are those of single fields, and `wrong` is a problem of the form as a whole. `there` contains the
    values that somebody else has saved in the meantime, if they differ from the typed ones.
    """

    values: Mapping[str, Any]
    problems: Mapping[str, str]
    wrong: str = ""
    there: Mapping[str, str] = {}

    def value(self, name: str) -> str:
        """Return the text to show in a field."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def problem(self, name: str) -> str:
        """Return the sentence about a field's problem, or an empty string if it has none."""
        return self.problems.get(name, "")


def once_more(there: Mapping[str, Any], typed: Mapping[str, str], refused: Refusal, found: Mapping[str, str]) -> Filled:
    """Build the values and problems with which a refused form is shown again.

    `there` contains the stored values, `typed` the input, and `found` the problems that the page itself found. If
    somebody else has changed the record in the meantime, the form also shows the stored values that differ from
    the input. If the person then sends the form again, it replaces these stored values.
    """
    problems = {**found, **beside(refused.problems)}
    wrong = "" if refused.problems else refused.message
    if not isinstance(refused, ChangedMeanwhile):
        return Filled({**there, **typed}, problems, wrong)
    return Filled({**there, **typed, VERSION: there.get(VERSION)}, problems, wrong, differing(there, typed))


def differing(there: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, str]:
    """Return the stored values that differ from what the person typed.

    The value of a ticked checkbox is "true".

    >>> differing({"name": "Elm", "zip": None, "mailOn": True}, {"name": "Oak", "zip": ""})
    {'name': 'Elm', 'mailOn': 'true'}
    """
    stored = {name: _as_sent(value) for name, value in there.items() if name != VERSION}
    return {name: text for name, text in stored.items() if text != _as_sent(typed.get(name))}


def _as_sent(value: Any) -> str:
    """Return the text that a browser sends for a field that shows `value`."""
    if value is None or value is False:
        return ""
    return "true" if value is True else str(value).strip()


def beside(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the sentences that a form shows beside its fields, by field name."""
    return {problem.field: in_a_persons_words(*problem) for problem in problems}


def read_form(pairs: Sequence[tuple[str, str]], into: type[T], write: Forms) -> T:
    """Parse a form into a Struct; numbers are read in a locale's format.

    Raises `InvalidRequest` with all of the form's problems, if there are any.
    """
    values, problems = _read(pairs, into, write)
    if problems:
        raise InvalidRequest.because(problems[:MOST_PROBLEMS])
    return into(**values)


def whole(text: str) -> int:
    """Parse a whole number from a form's field or a page's address.

    Return 0 if the text is not a whole number, or if the number is too large.

    >>> whole("12"), whole("-1"), whole("9" * 5_000)
    (12, 0, 0)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_WHOLE_DIGITS else 0


def refuse_controls(pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse control characters in a form whose page parses its fields itself.

    A database may not accept these characters. Raises `InvalidRequest` if the form contains any, as `read_form`
    does.
    """
    wrong = [name for name, value in pairs if CONTROL.search(name + value)]
    if wrong:
        raise InvalidRequest.because([unfit(shown(name), NO_CONTROLS) for name in wrong[:MOST_PROBLEMS]])


def read_rest(pairs: Sequence[tuple[str, str]], into: type[T], write: Forms) -> T | None:
    """Parse a form in spite of its problems, for a dry run.

    The dry run can then find further problems. An optional field that has a problem becomes empty, a required
    number becomes the smallest one allowed, and a required text becomes a single letter. Return None if a required
    value of any other type has a problem.
    """
    values, problems = _read(pairs, into, write)
    for problem in problems:
        field = _fields(into).get(problem.field)
        if field is None or not field.required:
            continue
        if field.stands_in is _ABSENT:
            return None
        values[field.attribute] = field.stands_in
    return into(**values)


def further(into: type[msgspec.Struct], problems: Sequence[Problem], more: Sequence[Problem]) -> tuple[Problem, ...]:
    """Combine parsing problems with a dry run's problems of other fields in the form."""
    known = {problem.field for problem in problems}
    return (
        *problems,
        *(its_problem for its_problem in more if its_problem.field in _fields(into) and its_problem.field not in known),
    )


def _read(
    pairs: Sequence[tuple[str, str]], into: type[msgspec.Struct], write: Forms
) -> tuple[dict[str, Any], list[Problem]]:
    """Parse a form's fields, and collect the problems of unreadable ones.

    The result maps the names of the Struct's attributes to the parsed values.
    """
    fields = _fields(into)
    own = TOKEN, VERSION, ONCE
    sent = grouped((name, value.replace("\r\n", "\n")) for name, value in pairs if name not in own)
    problems = [
        Problem(shown(name), say("`{field}` is not a field of this form. Load the page again.", field=shown(name)))
        for name in islice((name_sent for name_sent in sent if name_sent not in fields), MOST_PROBLEMS)
    ]  # fmt: skip
    values: dict[str, Any] = {}
    for name, field in fields.items():
        try:
            value_read = field.read(sent.get(name, []), write)
        except ValueError as wrong:
            must = wrong.must if isinstance(wrong, Unfit) else field.must
            problems.append(unfit(name, must))
        else:
            if value_read is not _ABSENT:
                values[field.attribute] = value_read
            elif field.required:
                problems.append(unfit(name, REQUIRED))
    return values, problems


def unticked(into: type[msgspec.Struct] | None) -> dict[str, str]:
    """Return an empty value for each checkbox of a form.

    A browser sends only the checkboxes that are ticked. If the values that it sent are added to this result, all
    other checkboxes are shown as not ticked.
    """
    fields = _fields(into) if into is not None else {}
    return {name: "" for name, field in fields.items() if field.is_box}


def without_secrets(pairs: Sequence[tuple[str, str]], into: type[msgspec.Struct] | None) -> Pairs:
    """Return a form's fields, except its token and any passwords and codes."""
    fields = _fields(into) if into is not None else {}
    left_out = {TOKEN, *(name for name, field in fields.items() if field.is_secret)}
    return [pair for pair in pairs if pair[0] not in left_out]


def read_address(pairs: Sequence[tuple[str, str]], into: type[T]) -> tuple[T, tuple[Problem, ...]]:
    """Parse the query of a page's address, and collect its problems.

    Unknown parameters are ignored, because mail programs and trackers add some. A parameter that has a problem is
    left out.
    """
    fields = _fields(into)
    kept = [pair for pair in pairs if pair[0] in fields]
    far = [name for name, value in kept if fields[name].is_day and not is_in_reach(value)]
    problems = [unfit(name, FAR) for name in far]
    try:
        if not problems:
            return read_query(kept, into), ()
        read_query(kept, into)
    except InvalidRequest as refused:
        problems = [*refused.problems, *problems]
    wrong = {problem.field for problem in problems}
    return read_query([pair for pair in kept if pair[0] not in wrong], into), tuple(problems)


def query_of(into: type[msgspec.Struct] | None, pairs: Sequence[tuple[str, str]]) -> msgspec.Struct:
    """Build the query with which a form's page is shown again.

    Submitted fields that are also parameters of the page keep their values, so that a list keeps its filters and page.
    If one of these values is invalid, the query is empty.
    """
    if into is None:
        return NoQuery()
    try:
        return read_query([(name, value) for name, value in pairs if name in _fields(into) and value], into)
    except InvalidRequest:
        return NoQuery()


_ABSENT = object()


class _Field(NamedTuple):
    attribute: str
    required: bool
    must: str
    read: Callable[[list[str], Forms], Any]
    is_box: bool = False
    is_day: bool = False
    is_secret: bool = False
    stands_in: Any = _ABSENT


_Then = Callable[[Any], Any]


@cache
def _fields(into: type[msgspec.Struct]) -> dict[str, _Field]:
    known = kinds.type_info(into)
    assert isinstance(known, kinds.StructType)
    return {field.encode_name: _field(field) for field in known.fields}


def _field(field: kinds.Field) -> _Field:
    kind, extra, nullable = unwrapped(field.type)
    if isinstance(kind, kinds.BoolType):
        return _Field(
            field.name, False, "must be ticked or not", lambda texts, _: any(text in _TRUE for text in texts), True
        )
    if isinstance(kind, kinds.ListType):
        must, accept = in_a_body(unwrapped(kind.item_type)[0])
        return _Field(field.name, field.required, must, lambda texts, _: [accept(text) for text in texts])
    must, accept = in_a_body(kind)
    then: _Then = extra.get("read") or (lambda value: value)
    is_text = isinstance(kind, kinds.StrType | kinds.LiteralType | kinds.EnumType)
    allowed: Range | None = extra.get("range")
    if isinstance(kind, kinds.IntType) and kind.ge is not None and kind.le is not None:
        allowed = Range(kind.ge, kind.le, _WHOLE, 0)
    is_day = then in (read_date_text, read_month_text)
    empty = None if nullable else _ABSENT

    def value_of(text: str, write: Forms) -> Any:
        if not is_text:
            return _number(text, lambda number: then(accept(number)), allowed, must, write)
        value = then(accept(text))
        if is_day and not is_in_reach(value):
            raise Unfit(FAR)
        return value

    def read(texts: list[str], write: Forms) -> Any:
        text = texts[-1].strip() if texts else ""
        if not text:
            return empty if texts else _ABSENT
        return value_of(text, write)

    must_be, is_secret = extra.get("must", must), bool(extra.get("is_secret"))
    stands_in = then(accept(Decimal(allowed.least))) if allowed else _ABSENT
    if isinstance(kind, kinds.StrType) and not is_secret and _takes(lambda value: then(accept(value)), "x"):
        stands_in = "x"
    return _Field(field.name, field.required, must_be, read, is_day=is_day, is_secret=is_secret, stands_in=stands_in)


def _number(text: str, accept: _Then, allowed: Range | None, must: str, write: Forms) -> Any:
    """Parse a number that has only one possible reading and that the field accepts.

    `accept` converts a number or refuses it. `allowed` is the field's range, if it has one; otherwise, `must`
    describes the accepted values. A whole number that is too large for the field doesn't count as a possible
    reading. Raises `Unfit`, whose message explains how to write the number.
    """
    figures, currency = _apart(in_one_form(text), allowed)
    sign, digits = ("-", figures[1:].lstrip()) if figures.startswith("-") else ("", figures)
    digits = f"0{digits}" if digits[:1] in (".", ",") else digits
    numbers = [Decimal(f"{sign}{reading}") for reading in readings(digits, has_decimal_comma=write.has_decimal_comma)]
    taken = [number for number in numbers if _takes(accept, number)]
    if not taken:
        raise Unfit(_must(allowed, write) if allowed else must)
    if len(numbers) > 1 and taken[0] == numbers[0]:
        places = allowed.places if allowed and allowed.places else 0
        ways = [write.typed(number, places) for number in taken]
        if len(ways) > 1:
            raise Unfit(TWO_WAYS.format(one=ways[0], other=ways[1]))
        raise Unfit((TWO_WAYS_OR_FEWER if places else TWO_WAYS_OR_WHOLE).format(one=ways[0], places=places))
    value = accept(taken[0])
    return Priced(value, currency) if currency else value


def _apart(amount_text: str, allowed: Range | None) -> tuple[str, str]:
    """Separate an amount of money from the currency sign or code before or after it.

    Return the amount and the sign. If the field is not for money, or the sign is unknown, return the unchanged text and
    an empty sign.

    >>> money = Range(0, 10_000, _AMOUNT, 2)
    >>> _apart("-$1,150", money), _apart("1.150,00 EUR", money), _apart("Rs.500", money), _apart("$5", None)
    (('-1,150', '$'), ('1.150,00', 'EUR'), ('500', 'Rs.'), ('$5', ''))
    """
    parts = parted(amount_text) if allowed is not None and allowed.noun == _AMOUNT else None
    if parts is None:
        return amount_text, ""
    before, figures, after = parts
    signs = [sign for sign in (before.replace("-", "", 1).strip(), after.strip()) if sign]
    if len(signs) > 1 or not all(map(meant_by, signs)):
        return amount_text, ""
    return ("-" if "-" in before else "") + figures, "".join(signs)


def agree(currency: str, **amounts: object) -> None:
    """Refuse amounts that a person typed with the sign of another currency.

    `currency` is the code of the right currency; `amounts` are the parsed amounts by field name. Raises
    `InvalidRequest` if an amount has a wrong sign.
    """
    other = [
        name for name, amount in amounts.items() if isinstance(amount, Priced) and not may_mean(amount.sign, currency)
    ]
    if other:
        raise InvalidRequest.because([unfit(name, IN.format(currency=currency)) for name in other])


def _takes(accept: _Then, value: Decimal | str) -> bool:
    try:
        accept(value)
    except ValueError:
        return False
    return True


def _must(allowed: Range, write: Forms) -> str:
    """Describe, with an example, the numbers that a field accepts, as the locale writes them."""
    least, most, noun, places = allowed
    ends = {"least": write.number(Fraction(least)), "most": write.number(Fraction(most))}
    if places == 0:  # a whole number has only one form
        return A_WHOLE_NUMBER.format(**ends)
    sample = Decimal("12.5") if most <= _HUNDRED else Decimal("1250.5")
    sentence = AN_AMOUNT if noun == _AMOUNT else A_NUMBER
    return sentence.format(**ends, sample=write.typed(sample, places or 0))
