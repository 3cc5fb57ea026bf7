"""Many invoices changed at once: asked about first, done, looked on at, stopped, taken back."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from prorata.actions import bulk
from prorata.actions.invoice_lists import Wish
from prorata.web.dashboard.invoices import InvoiceFilters, invoices_page, wish_of
from prorata.web.dashboard.pages import Ask, GoTo, Shown, page


class ChosenForm(InvoiceFilters, kw_only=True):
    """What is to be done, with those that are ticked or with all that the list shows."""

    verb: Literal["send", "mark paid", "cancel", "reopen"]
    chosen: list[str] = msgspec.field(default_factory=list)
    all: bool = False

    def wanted(self) -> list[str] | Wish:
        """Which invoices."""
        return wish_of(self) if self.all else self.chosen


@page("POST", "/invoices/chosen", may="write", form=ChosenForm, again=invoices_page)
def ask_about_chosen(ask: Ask[None, ChosenForm]) -> Shown:
    """The question, with what the answer yes does."""
    form = ask.form
    asked = bulk.preview(ask.tx, ask.caller, form.verb, form.wanted(), ask.write.money)
    fields = _fields(form)
    return Shown("bulk_question.html", {"asked": asked, "sent": form, "fields": fields})


@page("POST", "/invoices/changes", may="write", form=ChosenForm, again=invoices_page)
def change_chosen(ask: Ask[None, ChosenForm]) -> GoTo:
    """Does it, or begins to."""
    begun = bulk.begin(ask.tx, ask.caller, ask.form.verb, ask.form.wanted())
    return GoTo(f"/invoices/changes/{begun.id}")


@page("GET", "/invoices/changes/{change}", may="read")
def change_page(ask: Ask[None, None]) -> Shown:
    """How far it is, what was refused and why."""
    return Shown("bulk.html", {"change": bulk.find(ask.tx, ask.caller, ask.path["change"])})


@page("POST", "/invoices/changes/{change}/stop", may="write", again=change_page)
def stop_change(ask: Ask[None, None]) -> GoTo:
    """Leaves the rest as it is."""
    bulk.stop(ask.tx, ask.caller, ask.path["change"])
    return GoTo(f"/invoices/changes/{ask.path['change']}", "It was stopped.")


@page("POST", "/invoices/changes/{change}/undo", may="write", again=change_page)
def undo_change(ask: Ask[None, None]) -> GoTo:
    """Takes back what it has changed."""
    return GoTo(f"/invoices/changes/{bulk.undo(ask.tx, ask.caller, ask.path['change']).id}")


def _fields(form: Struct) -> dict[str, Any]:
    """The form's fields as they are sent once more, but for those that say which are ticked."""
    values = msgspec.to_builtins(form)
    return {name: value for name, value in values.items() if value and name not in {"chosen", "all"}}
