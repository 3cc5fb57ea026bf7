"""Charge files for accounting programs: a preview of the next file, and earlier files."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from prorata.actions.exports import charge_exports
from prorata.actions.exports.charge_exports import Wish
from prorata.actions.invoices import lists as invoice_lists
from prorata.actions.invoices.lists import Choices
from prorata.actions.limits import MOST_CHARGE_FAULTS_NAMED
from prorata.actions.lists import form_tokens
from prorata.actions.months import lists as month_lists
from prorata.domain.billing_calendar import Month
from prorata.domain.exports.charge_exports import ROW_NAMES
from prorata.domain.exports.charge_layouts import Layout, Seen
from prorata.domain.limits import MOST_INVOICES_OF_CHARGE_FILE
from prorata.domain.texts import say
from prorata.errors import NotFound
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.pages import ONCE, Ask, GoTo, Shown, Streamed, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import MonthText, text

_Id = Annotated[str, text(64, least=0)]
_Currency = Annotated[str, text(3, least=0)]
SEEN: Mapping[Seen, str] = {
    "vendor": say("The lines follow the vendor's own reference. They have not been tested in the program itself."),
    "names": say(
        "The column names come from the vendor. Its template is only available to signed-in users, so it wasn’t "
        "checked. Try it with one row first."
    ),
    "template": say(
        "The columns come from copies of the vendor's template that others have published; the vendor's own page "
        "wasn't accessible. Try it with one row first."
    ),
}
"""The sentences on the source of a layout, and on whether the layout was tested."""


class ChargesQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The invoices to put into a charge file, and the content of the file's rows."""

    month: MonthText | UnsetType = UNSET
    property: _Id = ""
    rows: Literal["", "charge", "invoice"] = ""
    drafts: bool = False
    again: bool = False
    currency: _Currency = ""
    most: Annotated[int, msgspec.Meta(ge=1, le=MOST_INVOICES_OF_CHARGE_FILE)] = MOST_INVOICES_OF_CHARGE_FILE


class ChargesForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The form that creates a charge file."""

    month: MonthText
    property: _Id = ""
    rows: Literal["charge", "invoice"]
    drafts: bool = False
    again: bool = False
    currency: _Currency = ""
    most: Annotated[int, msgspec.Meta(ge=1, le=MOST_INVOICES_OF_CHARGE_FILE)] = MOST_INVOICES_OF_CHARGE_FILE


def layout_of(ask: Ask[Any, Any]) -> Layout:
    """Return the charge file layout that the path names.

    Raises `NotFound` if there is none.
    """
    return layout_named(ask.outside.charge_layouts, ask.path["system"])


def layout_named(layouts: Mapping[str, Layout], system: str) -> Layout:
    """Return an accounting program's charge file layout.

    Raises `NotFound` if there is none.
    """
    layout = layouts.get(system)
    if layout is None:
        refusal = NotFound()
        refusal.message = say("This program isn’t available. Choose one of those listed under Charges.")
        raise refusal
    return layout


@page("GET", "/charges", may="read", query=ChargesQuery)
def charges_page(ask: Ask[ChargesQuery, None]) -> Shown:
    """Show the accounting programs for which there are charge files."""
    given = {"month": ask.query.month or None, "property": ask.query.property or None}
    return Shown("charges.html", {"layouts": list(ask.outside.charge_layouts.values()), "given": given})


@page("GET", "/charges/{system}", may="read", query=ChargesQuery)
def charge_system_page(ask: Ask[Any, Any]) -> Shown:
    """Preview the next charge file for an accounting program, with missing names and earlier files."""
    layout, query = layout_of(ask), _query(ask)
    choices = _choices(ask, query)
    wish = _wish(ask, query, layout)
    values = {
        "layout": layout, "wish": wish, "choices": choices, "seen": SEEN[layout.seen],
        "months": [(month, ask.write.month(Month(month))) for month in choices.months],
        "looked": charge_exports.look(ask.tx, ask.caller, layout, wish),
        "files": charge_exports.listed(ask.tx, ask.caller, layout),
        "titles": {asked.field: asked.title for asked in layout.asks}, "utilities": ROW_NAMES,
        "most_invoices": MOST_INVOICES_OF_CHARGE_FILE, "parameters": msgspec.to_builtins(query),
    }  # fmt: skip
    return Shown("charge_system.html", values, {ONCE: new_token()})


def _query(ask: Ask[Any, Any]) -> ChargesQuery:
    """Return the query in the page's address, or else in the submitted form.

    The form is used if the page is shown again because its form was refused.
    """
    if isinstance(ask.form, ChargesForm):
        return ChargesQuery(**msgspec.structs.asdict(ask.form))
    return ask.query if isinstance(ask.query, ChargesQuery) else ChargesQuery()


def _choices(ask: Ask[Any, Any], query: ChargesQuery) -> Choices:
    filters = {"property": query.property} if query.property else {}
    return invoice_lists.choices(ask.tx, ask.caller, invoice_lists.Wish(filters))


def _wish(ask: Ask[Any, Any], query: ChargesQuery, layout: Layout) -> Wish:
    """Build the search for the invoices that belong in the charge file.

    If no month is chosen, the search is for the month that the landlord last worked on.
    """
    month = Month(query.month or month_lists.latest_month(ask.tx, ask.caller))
    rows = query.rows or layout.rows
    return Wish(month, query.property or None, query.drafts, query.again, rows, query.most, query.currency or None)


@page("POST", "/charges/{system}", may="write", form=ChargesForm, again=charge_system_page)
def make_charge_file(ask: Ask[None, ChargesForm]) -> GoTo:
    """Create and store a charge file."""
    layout = layout_of(ask)
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(f"/charges/{layout.system}", say("The file has been created. You’ll find it below."))
    made = charge_exports.make(ask.tx, ask.caller, layout, _wish(ask, _query(ask), layout))
    return GoTo(
        f"/charges/files/{made.id}",
        say("The file has been created. Download it, and import it into the other program once."),
    )


@page("GET", "/charges/files/{export}", may="read")
def charge_file_page(ask: Ask[None, None]) -> Shown:
    """Show a charge file, and the changes to its invoices since it was created."""
    row = charge_exports.find(ask.tx, ask.caller, ask.path["export"])
    layout = ask.outside.charge_layouts.get(row.system)
    changes = charge_exports.changes(ask.tx, ask.caller, row)
    values = {"row": row, "layout": layout, "changes": changes, "most": MOST_CHARGE_FAULTS_NAMED}
    return Shown("charge_file.html", values | {"seen": SEEN[layout.seen] if layout else ""})


@page("GET", "/charges/files/{export}/file", may="read")
def charge_file(ask: Ask[None, None]) -> Streamed:
    """Download a charge file, byte for byte as it was created."""
    caller, export_id = ask.caller, ask.path["export"]
    row = charge_exports.find(ask.tx, caller, export_id)

    def pieces(tx: Tx) -> Iterator[bytes]:
        return charge_exports.pieces(tx, row)

    return Streamed(row.name, "application/octet-stream", pieces)
