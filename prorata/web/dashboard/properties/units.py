"""The page of one unit: its form, its tenants, deactivation and reactivation."""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.lists import form_tokens
from prorata.actions.properties import deletion_previews, tenancy_changes, unit_lists, units
from prorata.actions.properties.tenancy_changes import FirstTenant
from prorata.actions.recalculation import sent_months
from prorata.domain.texts import joined, say
from prorata.ports import Forms
from prorata.store.properties.units import UnitRow
from prorata.web.dashboard.kernel.forms import agree
from prorata.web.dashboard.kernel.pages import ONCE, VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import DateText, Email
from prorata.web.http.request_schemas import Body, Name, People, UnitCreate, unit_columns


class NewUnit(UnitCreate):
    """A new unit, with its tenant if it has one.

    If `another` is set, the form is shown again afterwards, for the next unit.
    """

    tenant_name: Name | None = None
    tenant_email: Email | None = None
    tenant_move_in_date: DateText | None = None
    tenant_occupants: People | None = None
    another: bool = False


class AskedOfUnit(Body):
    """The question that a person confirmed before a unit is removed.

    The question was about either deleting the unit for good with its tenants, or deactivating it.
    """

    asked: Literal["", "for good", "out of use"] = ""


@page("GET", "/properties/{id}/units/new", may="write")
def new_unit(ask: Ask[None, None]) -> Shown:
    """Show the form for a new unit and its tenant."""
    of_property = access.property_(ask.tx, ask.caller, ask.path["id"])
    return Shown("unit_form.html", {"property": of_property, "unit": None}, {ONCE: new_token()})


@page("POST", "/properties/{id}/units/new", may="write", form=NewUnit, again=new_unit, moves=previews.of_property)
def create_unit(ask: Ask[None, NewUnit]) -> GoTo:
    """Add the unit, and return to its property or to an empty form."""
    form, back = ask.form, f"/properties/{ask.path['id']}"
    on = f"{back}/units/new" if form.another else back
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(on, say("Unit {label} was added. The form was sent twice but counts only once.", label=form.label))
    agree(access.property_(ask.tx, ask.caller, ask.path["id"]).currency, monthlyRent=form.monthly_rent)
    values = {name: value for name, value in unit_columns(form).items() if name not in _BESIDE}
    tenant = FirstTenant(form.tenant_name, form.tenant_email, form.tenant_move_in_date, form.tenant_occupants)
    row = tenancy_changes.add_unit(ask.tx, ask.caller, ask.path["id"], values, tenant)
    return GoTo(on, say("Unit {label} was added.", label=row.label))


@page("GET", "/units/{unit}", may="read")
def unit_page(ask: Ask[None, None]) -> Shown:
    """Show a unit and its tenants."""
    unit_in_full = unit_lists.find(ask.tx, ask.caller, ask.path["unit"])
    row, differ = unit_in_full.unit.row, sent_months.of_unit(ask.tx, ask.caller, unit_in_full.unit.row)
    return Shown("unit.html", {"found": unit_in_full, "property": unit_in_full.property, "unit": row, "differ": differ})


@page("GET", "/units/{unit}/edit", may="write")
def edit_unit(ask: Ask[None, None]) -> Shown:
    """Show the form of a unit."""
    row = access.unit(ask.tx, ask.caller, ask.path["unit"])
    return Shown("unit_form.html", _with_property(ask, row), _in_form(row, ask.write))


@page("POST", "/units/{unit}/edit", may="write", form=UnitCreate, again=edit_unit, moves=previews.of_unit)
def change_unit(ask: Ask[None, UnitCreate]) -> GoTo:
    """Save the unit."""
    its = _with_property(ask, access.unit(ask.tx, ask.caller, ask.path["unit"]))["property"]
    agree(its.currency, monthlyRent=ask.form.monthly_rent)
    row = units.change(ask.tx, ask.caller, ask.path["unit"], unit_columns(ask.form), seen=ask.seen)
    return GoTo(f"/units/{row.id}", say("Unit {label} was saved.", label=row.label))


@page("GET", "/units/{unit}/delete", may="write")
def ask_to_delete_unit(ask: Ask[None, None]) -> Shown:
    """Ask to confirm deleting or deactivating a unit, and describe the effect."""
    row = access.unit(ask.tx, ask.caller, ask.path["unit"])
    loss = deletion_previews.of_unit(ask.tx, ask.caller, row.id, ask.write)
    does = say("Delete the unit") if loss.is_final else say("Take it out of use")
    question = {
        "title": say("{does}: unit {unit}?", does=does, unit=row.label),
        "lost": joined(loss.says),
        "does": does,
    }
    fields = {"asked": "for good" if loss.is_final else "out of use"}
    return Shown("confirm.html", {**question, "back": f"/units/{row.id}", "fields": fields, "moves": True})


@page("POST", "/units/{unit}/delete", may="write", form=AskedOfUnit, again=ask_to_delete_unit, moves=previews.of_unit)
def delete_unit(ask: Ask[None, AskedOfUnit]) -> GoTo:
    """Delete a unit for good or, if it has invoices, deactivate it from tomorrow on."""
    row = access.unit(ask.tx, ask.caller, ask.path["unit"])
    stays = units.remove(ask.tx, ask.caller, row.id, is_final=_IS_FINAL[ask.form.asked])
    message = (
        say("Unit {label} was taken out of use.", label=row.label)
        if stays
        else say("Unit {label} was deleted.", label=row.label)
    )
    return GoTo(f"/units/{row.id}" if stays else f"/properties/{row.property_id}", message)


@page("POST", "/units/{unit}/reactivate", may="write", moves=previews.of_unit)
def reactivate_unit(ask: Ask[None, None]) -> GoTo:
    """Reactivate a unit."""
    row = tenancy_changes.reactivate_unit(ask.tx, ask.caller, ask.path["unit"])
    return GoTo(
        f"/units/{row.id}", say("Unit {label} is in use again. Open months were recalculated.", label=row.label)
    )


_IS_FINAL = {"": None, "for good": True, "out of use": False}
_BESIDE = frozenset({"tenant_name", "tenant_email", "tenant_move_in_date", "tenant_occupants", "another"})


def _with_property(ask: Ask[Any, Any], row: UnitRow) -> dict[str, Any]:
    return {"property": access.property_(ask.tx, ask.caller, row.property_id), "unit": row}


def _in_form(row: UnitRow, write: Forms) -> dict[str, Any]:
    return {
        "label": row.label,
        "sqft": None if row.sqft is None else write.typed(Fraction(row.sqft)),
        "bedrooms": row.bedrooms,
        "monthlyRent": None if row.monthly_rent is None else write.typed(Decimal(row.monthly_rent).scaleb(-2), 2),
        "activeFrom": row.active_from,
        "activeTo": row.active_to,
        VERSION: row.updated_at,
    }
