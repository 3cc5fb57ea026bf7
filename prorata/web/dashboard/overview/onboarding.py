"""A new account's first steps, and the choice of the first month to bill."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.limits import MOST_FIRST_MONTHS_AT_ONCE
from prorata.actions.months import lists as month_lists
from prorata.actions.overview import onboarding
from prorata.domain.billing_calendar import Month, read_month
from prorata.domain.texts import joined, say, say_n
from prorata.errors import NotFound
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import MonthText, text

_REVERSIBLE = say("You can change or undo this with “First month to bill”.")
_ANOTHER = say("You chose {month}. Nothing has been set yet: this is what would happen.")


class HistoryQuery(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The first month to bill, whose effects are to be shown.

    By default, it is the first month to bill that is stored for the property, or else the month that the landlord last
    worked on.
    """

    first_month: MonthText | UnsetType = UNSET


class HistoryForm(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The first month to bill for a property, as chosen by a person.

    The effects of a month are shown before it is saved: `seen` is the month whose effects were shown,
    `seen_numbers` identifies these effects, and `look` asks for the effects of another month.
    """

    first_month: MonthText
    seen: MonthText | None = None
    seen_numbers: Annotated[str, text(64, least=0)] = ""
    look: bool = False


class HistoriesForm(Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The first month to bill for many properties, as chosen by a person.

    `seen` is the month whose effects were shown, and `look` asks for the effects of another month. `chosen` names
    each ticked property, and identifies the effects that were shown for it.
    """

    first_month: MonthText
    seen: MonthText | None = None
    look: bool = False
    chosen: Annotated[list[Annotated[str, text(160)]], Meta(max_length=MOST_FIRST_MONTHS_AT_ONCE)] = []


@page("POST", "/onboarding/{step}", may="write")
def confirm_step(ask: Ask[None, None]) -> GoTo:
    """Record that a person has confirmed a first step, such as the first property's rules."""
    first = onboarding.first_property(ask.tx, ask.caller)
    if first is None:
        raise NotFound("property")
    onboarding.confirm(ask.tx, ask.caller, first.id, ask.path["step"])
    return GoTo("/", say("Noted."))


@page("GET", "/properties/{id}/history", may="write", query=HistoryQuery)
def history_page(ask: Ask[HistoryQuery, None]) -> Shown:
    """Show the effects of billing a property only from a chosen month on."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    asked = getattr(ask.query, "first_month", UNSET)
    month = asked or row.billing_starts_month or month_lists.latest_month(ask.tx, ask.caller)
    history = onboarding.preview_history(ask.tx, ask.caller, row.id, month, ask.write)
    values = {
        "property": row, "found": history, "which": onboarding.which_month(ask.tx, ask.caller, row, ask.write),
        "every": onboarding.preview_every_month(ask.tx, ask.caller, row.id, ask.write)
        if row.billing_starts_month else None,
    }  # fmt: skip
    return Shown("history.html", values, {"firstMonth": month})


@page(
    "POST", "/properties/{id}/history", may="write", form=HistoryForm, again=history_page, moves=previews.of_property
)  # fmt: skip
def make_history(ask: Ask[None, HistoryForm]) -> GoTo:
    """Bill the property from the chosen month on; bills for earlier months become history.

    If the effects of another month were shown, show those of the chosen month first, and change nothing.
    """
    form = ask.form
    if form.look or form.seen not in (None, form.first_month):
        to = f"/properties/{ask.path['id']}/history?firstMonth={form.first_month}"
        return (
            GoTo(to)
            if form.look
            else GoTo(to, _ANOTHER.format(month=ask.write.month(Month(form.first_month))), warns=True)
        )
    seen = form.seen_numbers or None
    done = onboarding.make_history(ask.tx, ask.caller, ask.path["id"], form.first_month, seen=seen)
    month = ask.write.month(Month(done.first_month))
    return GoTo(
        f"/properties/{done.property.id}/months",
        joined([say("{name} is billed starting with {month}.", name=done.property.name, month=month), _REVERSIBLE]),
    )


@page("POST", "/properties/{id}/history/every", may="write", again=history_page, moves=previews.of_property)
def bill_every_month(ask: Ask[None, None]) -> GoTo:
    """Bill every month of the property, by removing its first month to bill."""
    row = onboarding.bill_every_month(ask.tx, ask.caller, ask.path["id"])
    return GoTo(f"/properties/{row.id}/months", say("{name} is billed for every month that has bills.", name=row.name))


@page("GET", "/history", may="write", query=HistoryQuery)
def histories_page(ask: Ask[HistoryQuery, None]) -> Shown:
    """Show the effects of billing many properties only from a chosen month on.

    Properties that have no first month to bill yet are ticked.
    """
    asked = getattr(ask.query, "first_month", UNSET) or ask.typed.get("firstMonth")
    month = read_month(asked or "") or month_lists.latest_month(ask.tx, ask.caller)
    histories = onboarding.preview_histories(ask.tx, ask.caller, month, ask.write)
    values = {"found": histories, "month": month, "which": onboarding.which_month(ask.tx, ask.caller, write=ask.write)}
    return Shown("histories.html", values, {"firstMonth": month})


@page(
    "POST", "/history", may="write", form=HistoriesForm, again=histories_page, moves=previews.of_property,
    further=lambda ask: [choice.partition(" ")[0] for choice in ask.form.chosen],
)  # fmt: skip
def make_histories(ask: Ask[None, HistoriesForm]) -> GoTo:
    """Bill the ticked properties from the chosen month on; earlier bills become history.

    If the effects of another month were shown, show those of the chosen month first, and change nothing.
    """
    form = ask.form
    month = ask.write.month(Month(form.first_month))
    to = f"/history?firstMonth={form.first_month}"
    if form.look:
        return GoTo(to)
    if form.seen not in (None, form.first_month):
        return GoTo(to, _ANOTHER.format(month=month), warns=True)
    seen = dict(choice.split(" ", 1) for choice in form.chosen if " " in choice)
    done = onboarding.make_histories(ask.tx, ask.caller, seen, form.first_month)
    message = say_n(
        "{n} property is billed starting with {month}.", "{n} properties are billed starting with {month}.", len(done)
    )
    return GoTo("/bills", message.format(n=ask.write.count(len(done)), month=month))
