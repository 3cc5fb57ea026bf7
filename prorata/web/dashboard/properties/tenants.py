"""The tenants of a unit, who can be added, changed, moved out, replaced and removed.

Only a tenant who was entered by mistake can be removed.
"""

from datetime import date
from typing import Annotated, Any

import msgspec

from prorata.actions.accounts import access
from prorata.actions.invoices import previews, statements
from prorata.actions.limits import LONGEST_CURSOR
from prorata.actions.lists import form_tokens
from prorata.actions.lists.page_cursors import Leaf
from prorata.actions.properties import deletion_previews, tenancy_changes, tenant_lists, tenants
from prorata.actions.properties.tenancy_changes import Leaving, NextTenant
from prorata.actions.properties.tenant_lists import Sort
from prorata.domain.texts import joined, say
from prorata.store.properties.units import TenantRow
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import ONCE, VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.kernel.sessions import new_token
from prorata.web.http.fields import DateText, Email, text
from prorata.web.http.request_schemas import Body, Name, People, PostalAddress, TenantCreate, tenant_columns


class TenantsQuery(ListQuery, kw_only=True):
    """Filters, order and page of the list of tenants.

    If `gone` is set, former tenants are listed as well; if `owing` is set, only former tenants who owe something. The
    page comes after the cursor `after` or before the cursor `before`.
    """

    gone: bool = False
    owing: bool = False
    sort: Sort = "name"
    after: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""
    before: Annotated[str, text(LONGEST_CURSOR, least=0)] = ""


class LeavingForm(Body):
    """The day on which a tenant moves out, and the next tenant, if known.

    If `everybody` is set, all tenants who live in the unit on that day move out.
    """

    move_out_date: DateText
    everybody: bool = False
    forwarding_email: Email | None = None
    forwarding_address: PostalAddress | None = None
    name: Name | None = None
    email: Email | None = None
    move_in_date: DateText | None = None
    occupants: People | None = None


@page("GET", "/tenants", may="read", query=TenantsQuery)
def tenants_page(ask: Ask[TenantsQuery, None]) -> Shown:
    """Show all tenants with their units."""
    query = ask.query
    former = None if query.gone or query.search else statements.owed_by_former(ask.tx, ask.caller)
    only = former.tenants if former and query.owing else None
    found = tenant_lists.page(
        ask.tx, ask.caller, query.search, who="ALL" if query.gone or only is not None else "THERE", sort=query.sort,
        limit=ROWS, leaf=Leaf(query.offset, query.after, query.before), only=only,
    )  # fmt: skip
    chosen = {"gone": "true" if query.gone else "", "owing": "" if only is None else "true"}
    parameters = msgspec.to_builtins(query) | chosen | {"page": None, "after": "", "before": ""}
    owed = statements.owed_by(ask.tx, ask.caller, (row.unit_id for row in found.rows))
    values = {"found": found, "owed": owed, "former": former, "query": query, "parameters": parameters, "limit": ROWS}
    return Shown("tenants.html", values)


@page("GET", "/units/{unit}/tenants/new", may="write")
def new_tenant(ask: Ask[None, None]) -> Shown:
    """Show the form for a new tenant."""
    row = access.unit(ask.tx, ask.caller, ask.path["unit"])
    return Shown("tenant_form.html", _of_unit(ask, row.id) | {"tenant": None}, {ONCE: new_token()})


@page("POST", "/units/{unit}/tenants/new", may="write", form=TenantCreate, again=new_tenant, moves=previews.of_unit)
def create_tenant(ask: Ask[None, TenantCreate]) -> GoTo:
    """Add the tenant."""
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        return GoTo(
            f"/units/{ask.path['unit']}",
            say("{name} was added. The form was sent twice but counts only once.", name=ask.form.name),
        )
    row = tenants.create(ask.tx, ask.caller, ask.path["unit"], tenant_columns(ask.form))
    return GoTo(f"/units/{row.unit_id}", say("{name} was added.", name=row.name))


@page("GET", "/tenants/{tenant}/edit", may="write")
def edit_tenant(ask: Ask[None, None]) -> Shown:
    """Show the form of a tenant."""
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    filled = {"name": row.name, "email": row.email, "moveInDate": row.move_in, "moveOutDate": row.move_out,
              "occupants": row.occupants} | _forwarding(row)  # fmt: skip
    return Shown("tenant_form.html", _of_tenant(ask, row), filled | {VERSION: row.updated_at})


@page("POST", "/tenants/{tenant}/edit", may="write", form=TenantCreate, again=edit_tenant, moves=previews.of_tenant)
def change_tenant(ask: Ask[None, TenantCreate]) -> GoTo:
    """Save the tenant."""
    values = {"occupants": 1} | tenant_columns(ask.form)
    row = tenants.change(ask.tx, ask.caller, ask.path["tenant"], values, seen=ask.seen)
    return GoTo(f"/units/{row.unit_id}", say("{name} was saved.", name=row.name))


@page("GET", "/tenants/{tenant}/leave", may="write")
def ask_when_tenant_leaves(ask: Ask[None, None]) -> Shown:
    """Show the form for a tenant's last day and for the next tenant."""
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    filled = {"moveOutDate": row.move_out, VERSION: row.updated_at, ONCE: new_token()} | _forwarding(row)
    return Shown("tenant_leave.html", _of_tenant(ask, row), filled)


@page(
    "POST",
    "/tenants/{tenant}/leave",
    may="write",
    form=LeavingForm,
    again=ask_when_tenant_leaves,
    moves=previews.of_tenant,
)
def tenant_leaves(ask: Ask[None, LeavingForm]) -> GoTo:
    """End a tenant's stay, and begin that of the next tenant, if named."""
    if not form_tokens.is_first(ask.tx, ask.caller, ask.mark):
        its = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
        return GoTo(
            f"/units/{its.unit_id}",
            say("{name} is moving out. The form was sent twice but counts only once.", name=its.name),
        )
    moves, following = _moves(ask.form)
    gone, row = tenancy_changes.leave(ask.tx, ask.caller, ask.path["tenant"], moves, following, seen=ask.seen)
    done = (
        say("{name} replaces {gone} as the tenant.", name=row.name, gone=gone.name)
        if row
        else say("{name}’s last day is {day}.", name=gone.name, day=ask.write.day(moves.day))
    )
    return GoTo(f"/units/{gone.unit_id}", done)


@page("GET", "/tenants/{tenant}/remove", may="write")
def ask_to_remove_tenant(ask: Ask[None, None]) -> Shown | GoTo:
    """Ask to confirm removing a tenant who was entered by mistake.

    A tenant who can no longer be removed can only move out; in this case, redirect to the form for that.
    """
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    if not tenants.leaves_no_trace(ask.tx, row):
        return GoTo(f"/tenants/{row.id}/leave", tenancy_changes.TOO_LATE, warns=True)
    lost = joined(deletion_previews.of_tenant(ask.tx, ask.caller, row.id, ask.write).says)
    question = {"title": say("Remove {name}?", name=row.name), "lost": lost, "does": say("Remove the entry")}
    return Shown("confirm.html", {**question, "back": f"/units/{row.unit_id}", "moves": True})


@page("POST", "/tenants/{tenant}/remove", may="write", moves=previews.of_tenant)
def remove_tenant(ask: Ask[None, None]) -> GoTo:
    """Remove a tenant who was entered by mistake."""
    row = access.tenant(ask.tx, ask.caller, ask.path["tenant"])
    tenancy_changes.remove_mistake(ask.tx, ask.caller, row.id)
    return GoTo(f"/units/{row.unit_id}", say("{name} was removed, as if they had never been there.", name=row.name))


def _moves(form: LeavingForm) -> tuple[Leaving, NextTenant]:
    first = date.fromisoformat(form.move_in_date) if form.move_in_date else None
    leaving = Leaving(date.fromisoformat(form.move_out_date), form.forwarding_email, form.forwarding_address,
                      everybody=form.everybody)  # fmt: skip
    return leaving, NextTenant(form.name, form.email, first, form.occupants)


def _forwarding(row: TenantRow) -> dict[str, Any]:
    return {"forwardingEmail": row.forwarding_email, "forwardingAddress": row.forwarding_address}


def _of_unit(ask: Ask[Any, Any], unit_id: str) -> dict[str, Any]:
    unit = access.unit(ask.tx, ask.caller, unit_id)
    return {"unit": unit, "property": access.property_(ask.tx, ask.caller, unit.property_id)}


def _of_tenant(ask: Ask[Any, Any], row: TenantRow) -> dict[str, Any]:
    since = row.move_in or ""
    others = [
        tenant
        for tenant in tenants.of_unit(ask.tx, ask.caller, row.unit_id)
        if tenant.id != row.id and (tenant.move_out is None or tenant.move_out > since)
    ]
    is_new = tenants.leaves_no_trace(ask.tx, row)
    return _of_unit(ask, row.unit_id) | {"tenant": row, "is_new": is_new, "others": others}
