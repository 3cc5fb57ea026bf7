"""A check of forms against the parameters that Stripe's own SDK declares."""

import re
from collections.abc import Mapping
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from stripe._request_options import RequestOptions
from stripe.params._payment_link_create_params import PaymentLinkCreateParams
from stripe.params._payment_link_update_params import PaymentLinkUpdateParams

OF_CALLS = RequestOptions.__annotations__.keys()
"""The options of an SDK call besides its parameters.

None of them is sent in a form.
"""
FOR_TYPE_CHECKERS = {"StripeContext": object, "Mapping": Mapping}
"""Names that the annotations of such options use, and that their file has for type checkers alone."""
MAKE, CHANGE = PaymentLinkCreateParams, PaymentLinkUpdateParams


class OlderLine(TypedDict):
    """A line of a payment link in version 2025-06-30.basil, without `price_data`.

    That is the version of the SDK 12.3.0.
    """

    price: str
    quantity: int


class Older(TypedDict):
    line_items: list[OlderLine]
    metadata: NotRequired[dict[str, str]]
    restrictions: NotRequired[dict[str, dict[str, int]]]


def refusal(form: Mapping[str, str], declared: type) -> str | None:
    """Return Stripe's reason to refuse a form of this declared type, or None.

    >>> refusal({"active": "false"}, CHANGE), refusal({"active": "no"}, CHANGE), refusal({"url": "x"}, CHANGE)
    (None, 'Invalid boolean: active', 'Received unknown parameter: url')
    """
    sent: dict[str, Any] = {}
    for name, value in form.items():
        first, *deeper = re.findall(r"[^\[\]]+", name)
        place, last = sent, first
        for part in deeper:
            place, last = place.setdefault(last, {}), part
        place[last] = value
    return _of_fields(sent, declared, "")


def _of_fields(sent: Any, declared: Any, path: str) -> str | None:
    if not isinstance(sent, dict):
        return f"Invalid object: {path}"
    hints = get_type_hints(declared, localns=FOR_TYPE_CHECKERS)
    name_of = {one: f"{path}[{one}]" if path else one for one in {*hints, *sent}}
    if unknown := [name_of[one] for one in sent if one not in hints or (not path and one in OF_CALLS)]:
        return f"Received unknown parameter: {unknown[0]}"
    if missing := sorted(name_of[one] for one in declared.__required_keys__ if one not in sent):
        return f"Missing required param: {missing[0]}."
    return next((why for one, said in sent.items() if (why := _of_value(said, hints[one], name_of[one]))), None)


def _of_value(said: Any, hint: Any, path: str) -> str | None:
    kind, inside = get_origin(hint) or hint, get_args(hint)
    if kind in (NotRequired, Required, Annotated):
        return _of_value(said, inside[0], path)
    if kind in (Union, UnionType):
        refused = [_of_value(said, one, path) for one in inside]
        return None if None in refused else refused[-1]
    if kind in (list, dict):
        if not isinstance(said, dict) or (kind is list and [*said] != [str(at) for at in range(len(said))]):
            return f"Invalid {'array' if kind is list else 'object'}: {path}"
        return next((why for at, one in said.items() if (why := _of_value(one, inside[-1], f"{path}[{at}]"))), None)
    if hasattr(kind, "__required_keys__"):
        return _of_fields(said, kind, path)
    return None if isinstance(said, str) and _is(said, kind, inside) else f"Invalid {_called(kind)}: {path}"


def _is(said: str, kind: Any, choices: tuple[Any, ...]) -> bool:
    patterns = {int: r"-?\d+", float: r"-?\d+(\.\d+)?", bool: "true|false"}
    return said in choices if kind is Literal else re.fullmatch(patterns.get(kind, "(?s:.*)"), said) is not None


def _called(kind: Any) -> str:
    return {int: "integer", float: "decimal", bool: "boolean", str: "string"}.get(kind, "choice")
