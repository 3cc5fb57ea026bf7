"""Split methods, which pages call ways to divide: the six that there are, and the account's own blends of them."""

from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct

from prorata.actions import access, split_methods
from prorata.actions.facts import as_blend
from prorata.actions.split_methods import NewBlend
from prorata.domain.share_rules import BEDROOMS, EQUAL, OCCUPANTS, SQFT
from prorata.domain.split_methods import BUILT_IN
from prorata.web.dashboard.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.properties import ROWS, ListQuery
from prorata.web.dashboard.rules import parts_in_words
from prorata.web.fields import Percent, line

BLENDABLE = {"equal": EQUAL, "sqft": SQFT, "occupants": OCCUPANTS, "bedrooms": BEDROOMS}
"""The fields of a blend's form, and the method that each is a percent of."""

LOST = "No rule uses it. It is gone for good; invoices that were sent stay as they are."
"""What deleting a blend that is not used does."""


class BlendForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """A blend: its name, and how many percent are divided by each method."""

    name: Annotated[str, line(100)]
    equal: Percent | None = None
    sqft: Percent | None = None
    occupants: Percent | None = None
    bedrooms: Percent | None = None

    def blend(self) -> NewBlend:
        """What is to be stored; a method without a percent is none of its parts."""
        given: list[tuple[str, Decimal | None]] = [(method, getattr(self, name)) for name, method in BLENDABLE.items()]
        return NewBlend(self.name, [(method, percent) for method, percent in given if percent])


@page("GET", "/split-methods", may="read", query=ListQuery)
def split_methods_page(ask: Ask[Any, None]) -> Shown:
    """The methods, the account's own searched and a page at a time, and the form of another."""
    query = ask.query if isinstance(ask.query, ListQuery) else ListQuery()
    found = split_methods.page(ask.tx, ask.caller, query.search, limit=ROWS, offset=query.offset)
    used = split_methods.used_by(ask.tx, ask.caller)
    own = [(row, parts_in_words(row, ask.write), used.get(row.id)) for row in found.rows]
    values = {"built_in": BUILT_IN, "own": own, "method": None, "lost": LOST, "found": found, "limit": ROWS}
    return Shown("split_methods.html", {**values, "query": query, "parameters": {"search": query.search}})


@page("POST", "/split-methods", may="write", form=BlendForm, again=split_methods_page)
def create_split_method(ask: Ask[None, BlendForm]) -> GoTo:
    """Creates a blend."""
    row = split_methods.create(ask.tx, ask.caller, ask.form.blend())
    return GoTo("/split-methods", f"{row.name} was added. Choose it in the rules of a property.")


@page("GET", "/split-methods/{method}", may="write")
def edit_split_method(ask: Ask[None, None]) -> Shown:
    """The form of a blend."""
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    fields = {method: name for name, method in BLENDABLE.items()}
    percents = {fields[part.split_method]: ask.write.typed(part.percent) for part in as_blend(row.components)}
    return Shown("split_method_form.html", {"method": row}, {"name": row.name, **percents, VERSION: row.updated_at})


@page("POST", "/split-methods/{method}", may="write", form=BlendForm, again=edit_split_method)
def change_split_method(ask: Ask[None, BlendForm]) -> GoTo:
    """Saves it; the open months of every property that uses it are computed anew."""
    row = split_methods.replace(ask.tx, ask.caller, ask.path["method"], ask.form.blend(), seen=ask.seen)
    return GoTo("/split-methods", f"{row.name} was saved.")


@page("GET", "/split-methods/{method}/delete", may="write")
def ask_to_delete_split_method(ask: Ask[None, None]) -> Shown | GoTo:
    """The question, for those whose browser opens no dialog; of one that is used it is said who uses it."""
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    if used := split_methods.used_by(ask.tx, ask.caller).get(row.id):
        return GoTo("/split-methods", f"{row.name} can’t be deleted yet: {used}", warns=True)
    question = {"title": f"Delete {row.name}?", "lost": LOST, "does": "Delete it"}
    return Shown("confirm.html", {**question, "back": "/split-methods"})


@page("POST", "/split-methods/{method}/delete", may="write", again=split_methods_page)
def delete_split_method(ask: Ask[None, None]) -> GoTo:
    """Deletes a blend that no rule uses."""
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    split_methods.remove(ask.tx, ask.caller, row.id)
    return GoTo("/split-methods", f"{row.name} was deleted.")
