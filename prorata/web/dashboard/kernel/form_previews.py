"""What a form would do to invoices, shown before it is saved: its page does its work, and all of it is undone."""

from collections.abc import Sequence
from typing import Any

from prorata.actions.invoices import previews
from prorata.domain.audit.diffs import label
from prorata.domain.invoices.previews import Preview
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.errors import Refusal
from prorata.web.dashboard.kernel.field_words import in_a_persons_words
from prorata.web.dashboard.kernel.form_bodies import Sent
from prorata.web.dashboard.kernel.forms import TOKEN
from prorata.web.dashboard.kernel.pages import Answered, Ask, GoTo, Page, Shown
from prorata.web.http.limits import MOST_SHARES_SHOWN

_TEMPLATE = "preview.html"
_ASKS_FIRST = "asks_first"


def previewed(page: Page, ask: Ask[Any, Any], sent: Sent, to: str) -> Shown:
    """What a form would do, and a form of the same fields that does it at the address `to`. Raises as its page does."""
    assert page.moves is not None, "only what moves invoices is previewed"
    records = [(page.moves, next(iter(ask.path.values()), ""))]
    if other := ask.typed.get("propertyId"):
        records.append((previews.of_property, other))
    answered: list[Answered] = []
    found = previews.touched(ask.tx, ask.caller, records)
    try:
        told = previews.preview(ask.tx, ask.caller, found, [lambda: answered.append(page.work(ask))])
    except previews.TakesTooLong:  # which is no reason not to save it
        return Shown(_TEMPLATE, {"preview": None, "is_too_long": True, "to": to, "pairs": _kept(sent)})
    if not isinstance(answered[0], GoTo):  # it was not saved: something is to be decided first
        return Shown(_TEMPLATE, values_of(None, ask, found) | {_ASKS_FIRST: True, "to": to, "pairs": _kept(sent)})
    return Shown(_TEMPLATE, values_of(told, ask, found) | {"to": to, "pairs": _kept(sent)})


def values_of(preview: Preview | None, ask: Ask[Any, Any], property_ids: Sequence[str]) -> dict[str, Any]:
    """What the template of a preview shows."""
    houses = previews.houses(ask.tx, ask.caller, property_ids)
    return {"preview": preview, "houses": houses, "charge_names": CHARGE_NAMES, "most": MOST_SHARES_SHOWN}


def cannot_be(refused: Refusal) -> Shown:
    """What is wrong with a form that can't be saved as it is."""
    said = [(label(_stored_as(field)), in_a_persons_words(field, why)) for field, why in refused.problems]
    return Shown(_TEMPLATE, {"preview": None, "cannot": said or [("", refused.message)]})


def _stored_as(field: str) -> str:
    """The name under which a field is stored.

    >>> _stored_as("moveOutDate")
    'move_out_date'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)


def _kept(sent: Sent) -> list[tuple[str, str]]:
    """The fields of a form, for the one that does what was previewed."""
    return [(name, value) for name, value in sent.pairs if name != TOKEN]
