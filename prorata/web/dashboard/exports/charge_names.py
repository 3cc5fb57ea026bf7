"""The names of properties, units, tenants and utilities in accounting programs, typed or imported."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.exports import charge_names
from prorata.actions.exports.charge_names import NamesReport
from prorata.actions.invoices import lists as invoice_lists
from prorata.domain.exports.charge_layouts import Layout
from prorata.domain.exports.charge_name_files import read_names
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say, say_n
from prorata.errors import InvalidRequest
from prorata.ids import is_id
from prorata.ports import Forms
from prorata.web.dashboard.exports.charge_exports import layout_named, layout_of
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.inline_files import TOO_LARGE
from prorata.web.dashboard.kernel.pages import Answered, Ask, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_CHARGE_NAME_PROBLEMS, MOST_UPLOAD_BYTES, MOST_UPLOAD_FORM_BYTES

_Id = Annotated[str, text(64, least=0)]
_BEGINS = "name."


class NamesQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property whose names to show, and the page of its units.

    If the property is empty, the names of utilities are shown.
    """

    property: _Id = ""
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1


class PlaceForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The property whose names a form concerns.

    If it is empty, the form concerns the names of utilities.
    """

    property: _Id = ""


@page("GET", "/charges/{system}/names", may="read", query=NamesQuery)
def charge_names_page(ask: Ask[Any, Any]) -> Shown:
    """Show an accounting program's names for utilities, or for a property and its units.

    Charge files use these names. The page shows the stored and the proposed name of each record.
    """
    layout, tx, caller = layout_of(ask), ask.tx, ask.caller
    typed = ask.typed.get("property", "")
    property_id = getattr(ask.query, "property", "") or (typed if is_id(typed, "prop") else "")
    number = getattr(ask.query, "page", 1)
    choices = invoice_lists.choices(tx, caller, invoice_lists.Wish({"property": property_id} if property_id else {}))
    values = {
        "layout": layout, "choices": choices, "limit": charge_names.UNITS_AT_ONCE, "page_number": number,
        "general": () if property_id else charge_names.general(tx, caller, layout),
        "found": charge_names.of_property(tx, caller, layout, property_id, page=number) if property_id else None,
        "parameters": {"property": property_id or None}, "field_name": charge_names.field_name,
    }  # fmt: skip
    return Shown("charge_names.html", values)


@page("POST", "/charges/{system}/names", may="write", own_fields=True, again=charge_names_page)
def save_charge_names(ask: Ask[None, None]) -> GoTo:
    """Save the names that a person has typed."""
    layout, property_id = layout_of(ask), ask.typed.get("property", "")
    typed = _names_of(ask.typed)
    changed = charge_names.enter(ask.tx, ask.caller, layout, typed, property_id or None)
    return GoTo(_back(layout, property_id), _said(changed, ask.write))


def _names_of(typed: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the names in a form, by charge file field and record id."""
    names = {}
    for name, value in typed.items():
        field, dot, record = name.removeprefix(_BEGINS).partition(".")
        if name.startswith(_BEGINS) and dot:
            names[field, record] = value
    return names


def _back(layout: Layout, property_id: str) -> str:
    here = f"/charges/{layout.system}/names"
    return f"{here}?property={property_id}" if property_id else here


def _said(changed: int, write: Forms) -> str:
    if not changed:
        return say("Nothing was changed: the names are already stored this way.")
    return say_n(
        "{n} name was saved for all future files.", "{n} names were saved for all future files.", changed,
        n=write.count(changed),
    )  # fmt: skip


@page("POST", "/charges/{system}/names/ours", may="write", form=PlaceForm, again=charge_names_page)
def take_our_names(ask: Ask[None, PlaceForm]) -> GoTo:
    """Store the proposed names for a property, its units and tenants.

    Names that are already stored are kept.
    """
    layout = layout_of(ask)
    changed = charge_names.take_ours(ask.tx, ask.caller, layout, [ask.form.property])
    return GoTo(_back(layout, ask.form.property), _said(changed, ask.write))


@page(
    "POST", "/charges/{system}/names/file", may="write", form=PlaceForm, again=charge_names_page,
    most_bytes=MOST_UPLOAD_FORM_BYTES,
)  # fmt: skip
async def bring_charge_names(steps: Steps) -> Answered:
    """Import an accounting program's names from a spreadsheet, such as the program's own export.

    Either all names are imported or, if there is a problem, none.
    """
    layout = layout_named(steps.outside.charge_layouts, steps.path["system"])
    property_id, caller = steps.form.property, steps.caller
    file = chosen_file(steps.files, say("Choose a file that contains names."))
    if len(file.content) > MOST_UPLOAD_BYTES:
        raise _beside(TOO_LARGE)
    try:
        sheet = await steps.read_table("charge names", file.content)
    except InvalidRequest as refused:
        raise _beside(refused.message) from None
    read = read_names(sheet, layout, names_property=not property_id)
    keep = partial(charge_names.bring, layout=layout, read=read, property_id=property_id or None)
    report = await steps.write(lambda tx: keep(tx, caller))
    if report.problems:
        raise _beside(_wrong(report, steps.forms))
    return GoTo(_back(layout, property_id), _said(report.names, steps.forms))


def _beside(says: str) -> InvalidRequest:
    return InvalidRequest.because([Problem("file", says)])


def _wrong(report: NamesReport, write: Forms) -> str:
    """Describe the first problems of a file of names, and the number of the others."""
    first = report.problems[:MOST_CHARGE_NAME_PROBLEMS]
    shown = [say("Line {line}: {problem}", line=row_problem.line, problem=row_problem.message) for row_problem in first]
    more = len(report.problems) - len(shown)
    end = say("And {n} more.", n=write.count(more)) if more else ""
    return joined([say("No names were saved."), *shown, end])
