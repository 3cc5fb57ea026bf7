"""The corrections of a month that was sent: each tenant's difference, and what becomes of it."""

from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.recalculation import correction_decisions
from prorata.actions.recalculation.correction_decisions import Place
from prorata.domain.billing_calendar import Month
from prorata.domain.labels import natural_order
from prorata.domain.texts import say
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.dashboard.properties.property import above

_DONE: dict[Place, str] = {
    "next": say("The differences stand on the next invoices. Look at these before you send them."),
    "owner": say("You pay the differences. Tenants are charged nothing more, and get nothing back."),
    "revoke": say("Taken back. The differences wait again."),
}


class PlaceForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """What becomes of what waits."""

    place: Place


@page("GET", "/properties/{id}/months/{month}/corrections", may="read")
def corrections_page(ask: Ask[None, None]) -> Shown:
    """The charges of each tenant, what is right, and where the difference stands or would."""
    row, month = access.property_(ask.tx, ask.caller, ask.path["id"]), month_of_address(ask.path["month"])
    found = correction_decisions.of_property(ask.tx, ask.caller, row.id, [month])
    found.sort(key=lambda one: (not one.row.unit_id, natural_order(one.unit_label)))
    values = {
        "month": month,
        "found": found,
        "waits": any(one.row.waiting_amount for one in found),
        "revocable": any(one.is_revocable for one in found),
        "goes_to": next((Month(one.goes_to) for one in found if one.goes_to), None),
    }
    return Shown("corrections.html", values | above(row, "months"))


@page(
    "POST", "/properties/{id}/months/{month}/corrections", may="write", form=PlaceForm, again=corrections_page,
    moves=previews.of_property,
)  # fmt: skip
def decide_corrections(ask: Ask[None, PlaceForm]) -> GoTo:
    """Decides what becomes of what waits of the month."""
    month, place = month_of_address(ask.path["month"]), ask.form.place
    correction_decisions.decide(ask.tx, ask.caller, ask.path["id"], [month], place)
    return GoTo(f"/properties/{ask.path['id']}/months/{month}/corrections", _DONE[place])
