"""Conversion of a bill's API fields to the dashboard's form fields.

This allows one parser to read bills from both the API and the dashboard.
"""

from collections.abc import Sequence
from typing import Any

from prorata.domain.bills.forms import FOR_THE_SAME, BillForm, FormLine
from prorata.domain.countries import COUNTRIES
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.web.api.bills.bill_schemas import BillLineSent, CorrectedLine
from prorata.web.http.request_schemas import Body, given, sent_fields

_COLUMNS = {"total_amount_due": "total", "service_period_start": "service_start", "service_period_end": "service_end"}


_BESIDE = ("at", "tenants_see_it")
"""The attributes of a bill's request that are not fields of the bill."""
_ONE_OF = "Each line needs either a utilityType or a notBilled reason, but not both."


def form_of(before: BillForm, body: Body, country: str) -> BillForm:
    """Build a bill form in which a client's fields replace those of `before`.

    Numbers get the decimal mark of the property's country.
    """
    sent: dict[str, Any] = {
        _COLUMNS.get(name, name): "" if value is None else value
        for name, value in sent_fields(body).items()
        if name not in _BESIDE
    }
    if "total" in sent:
        sent["total"] = _typed(sent["total"], country)
    if "lines" in sent:
        lines = sent["lines"]
        sent["lines"] = tuple(
            _form_line(*named_line, country) for named_line in zip(kinds_of(lines, may_repeat=True), lines, strict=True)
        )
    return before._replace(**sent)


def kinds_of(sent: Sequence[CorrectedLine], others: Sequence[Problem] = (), *, may_repeat: bool = False) -> list[str]:
    """Return the utility type or unbilled reason of each line.

    A line must have exactly one of the two. Unless `may_repeat` is set, no two lines may have the same type or
    reason. Raises `InvalidRequest` with all violations, together with the problems in `others`, which were found
    elsewhere.
    """
    named = [
        [given_name for given_name in (given(line.utility_type), given(line.not_billed)) if given_name] for line in sent
    ]
    problems = [Problem(f"lines[{at}]", _ONE_OF) for at, names in enumerate(named) if len(names) != 1]
    kinds: list[str] = [name for names in named for name in names]
    if len(set(kinds)) < len(kinds) and not may_repeat:
        problems.append(Problem("lines", FOR_THE_SAME))
    if problems or others:
        raise InvalidRequest.because([*problems, *others])
    return kinds


def _form_line(kind: str, sent: BillLineSent, country: str) -> FormLine:
    amount, usage, name = given(sent.amount), given(sent.usage), given(sent.name) or ""
    if usage is None:
        return FormLine(kind, _typed(amount, country), name=name)
    price = _typed(given(usage.price), country)
    return FormLine(kind, _typed(amount, country), _typed(usage.used, country), usage.unit, price, name)


def _typed(figures: str | None, country: str) -> str:
    """Write a number with the decimal mark of the property's country."""
    return (figures or "").replace(".", "," if COUNTRIES[country].decimal_marks == "," else ".")
