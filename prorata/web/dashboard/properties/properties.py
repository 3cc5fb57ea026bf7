"""The list of properties, and the form of a property."""

from typing import Annotated, Any, Literal

import msgspec

from prorata.actions.accounts import access, accounts
from prorata.actions.lists import form_tokens
from prorata.actions.properties import deletion_previews, properties, property_lists
from prorata.actions.properties.properties import NewProperty
from prorata.actions.properties.property_lists import Sort
from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO
from prorata.domain.accounts.permissions import may
from prorata.domain.accounts.settings import BILLING_MONTH_RULE_NAMES, BillingMonthRule
from prorata.domain.countries import COUNTRIES, state_kept, state_named
from prorata.domain.limits import LONGEST_PAY_TEXT, LONGEST_PAYEE, LONGEST_STATE
from prorata.domain.problems import Problem
from prorata.domain.texts import joined, say
from prorata.errors import InvalidRequest
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.accounts import month_moves
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import ONCE, VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import CountryCode, MonthText, line, text
from prorata.web.http.request_schemas import Body, Name, sent_fields


class PropertyForm(Body):
    """The form of a property: its name, address and billing month rule.

    The state may be empty for a country without states.
    """

    name: Name
    street_number: Annotated[str, line(50)]
    street: Name
    city: Annotated[str, line(100)]
    zip: Annotated[str, line(20)]
    country: CountryCode
    state: Annotated[str, line(LONGEST_STATE, least=0)] = ""
    billing_month_rule: Literal["", BillingMonthRule] = ""


class NewPropertyForm(PropertyForm):
    """The form of a new property, including the first month to bill."""

    billing_starts_month: MonthText | None = None


class ChangedPropertyForm(PropertyForm):
    """The form of a stored property, including its payment details.

    Only an owner of the account may change the payment details.
    """

    pay_text: Annotated[str, text(LONGEST_PAY_TEXT, least=0)] = ""
    pay_holder: Annotated[str, text(LONGEST_PAYEE, least=0)] = ""
    pay_iban: Annotated[str, text(64, least=0)] = ""
    pay_bic: Annotated[str, text(32, least=0)] = ""
    pay_routing: Annotated[str, text(32, least=0)] = ""
    pay_number: Annotated[str, text(32, least=0)] = ""


class PropertiesQuery(ListQuery, kw_only=True):
    """The order of the list of properties."""

    sort: Sort = "name"


@page("GET", "/properties", may="read", query=PropertiesQuery)
def properties_page(ask: Ask[PropertiesQuery, None]) -> Shown:
    """Show the list of properties."""
    query = ask.query
    found_properties = property_lists.page(
        ask.tx, ask.caller, query.search, sort=query.sort, limit=ROWS, offset=query.offset
    )
    values = {
        "rows": found_properties.rows,
        "total": found_properties.total,
        "of_all": found_properties.of_all,
        "limit": ROWS,
    }
    return Shown("properties.html", {**values, "query": query, "parameters": msgspec.to_builtins(query)})


@page("GET", "/properties/new", may="write")
def new_property(ask: Ask[None, None]) -> Shown:
    """Show the form for a new property."""
    country = properties.likely_country(ask.tx, ask.caller)
    filled = {"country": country, ONCE: new_token()}
    return Shown("property_form.html", {"property": None, **_choices(ask)}, filled)


@page("POST", "/properties/new", may="write", form=NewPropertyForm, again=new_property)
def create_property(ask: Ask[None, NewPropertyForm]) -> GoTo:
    """Create the property, and redirect to its page."""
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(
            "/properties", say("{name} was added. The form was sent twice but counts only once.", name=ask.form.name)
        )
    row = properties.create(ask.tx, ask.caller, NewProperty(**_columns(ask.form)))
    return GoTo(f"/properties/{row.id}", say("{name} was added.", name=row.name))


@page("GET", "/properties/{id}/edit", may="write")
def edit_property(ask: Ask[None, None]) -> Shown:
    """Show the form of a property."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    return Shown("property_form.html", {"property": row, **_choices(ask)}, in_form(row))


@page("POST", "/properties/{id}/edit", may="write", form=ChangedPropertyForm, again=edit_property)
def change_property(ask: Ask[None, ChangedPropertyForm]) -> GoTo:
    """Save the property.

    The first month to bill is changed on another page, and the currency follows from the country. If the
    property's billing month rule has changed and would move bills to other months, redirect to these bills.
    """
    changes = _columns(ask.form)
    if not may(ask.person.role, "manage"):  # only an owner decides where money goes
        changes = {name: value for name, value in changes.items() if name not in PAY_TO}
    rule = access.property_(ask.tx, ask.caller, ask.path["id"]).billing_month_rule
    row = properties.change(ask.tx, ask.caller, ask.path["id"], changes, seen=ask.seen)
    said = say("{name} was saved.", name=row.name)
    moves = month_moves.after_rule(ask, row.id, said) if row.billing_month_rule != rule else None
    return moves or GoTo(f"/properties/{row.id}", said)


@page("GET", "/properties/{id}/delete", may="write")
def ask_to_delete_property(ask: Ask[None, None]) -> Shown:
    """Ask to confirm deleting a property, for browsers without dialogs."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    days = ask.outside.settings.keep_deleted_days
    lost = deletion_previews.of_property(ask.tx, ask.caller, row.id, days_kept=days, write=ask.write)
    question = {
        "title": say("Delete {name}?", name=row.name),
        "lost": joined(lost.says),
        "does": say("Delete the property"),
    }
    return Shown("property_delete.html", {**question, "property": row, "back": f"/properties/{row.id}/edit"})


@page("POST", "/properties/{id}/delete", may="write")
def delete_property(ask: Ask[None, None]) -> GoTo:
    """Delete the property with all of its units, tenants, bills and invoices."""
    name = access.property_(ask.tx, ask.caller, ask.path["id"]).name
    properties.remove(ask.tx, ask.caller, ask.path["id"], ask.outside.archive)
    return GoTo("/properties", say("{name} was deleted.", name=name))


def in_form(row: PropertyRow) -> dict[str, str | None]:
    """Return a property's values as the values of its form's fields."""
    fields = {field.encode_name: getattr(row, field.name) for field in msgspec.structs.fields(ChangedPropertyForm)}
    return fields | {"state": state_named(row.state, row.city, row.country), VERSION: row.updated_at}


def _columns(form: PropertyForm) -> dict[str, Any]:
    """Convert a property's form to the columns of the property's row.

    If the country has no states, the city is stored as the state, too. Raises `InvalidRequest` if the country has
    states but the form does not name one.
    """
    state = state_kept(form.state, form.city, form.country)
    if not state:
        raise InvalidRequest.because([Problem("state", say("Choose a state."))])
    return sent_fields(form) | {"state": state, "billing_month_rule": form.billing_month_rule or None}


def _choices(ask: Ask[Any, Any]) -> dict[str, Any]:
    """Return the countries and billing month rules to choose from, and the account's rule."""
    countries = sorted(((code, ask.write.country(code)) for code in COUNTRIES), key=lambda pair: pair[1])
    its = BILLING_MONTH_RULE_NAMES[accounts.the_account(ask.tx, ask.caller).billing_month_rule]
    return {"countries": countries, "month_rules": tuple(BILLING_MONTH_RULE_NAMES.items()), "month_rule": its}
