"""Split methods, which pages call ways to divide: built-in ones, and the account's blends."""

from decimal import Decimal
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.recalculation.month_loader import as_blend
from prorata.actions.splitting import split_methods
from prorata.actions.splitting.split_methods import NewBlend
from prorata.domain.limits import LONGEST_METHOD_NAME
from prorata.domain.splitting.split_methods import BLENDABLE, SPLIT_METHODS
from prorata.domain.texts import say
from prorata.web.dashboard.kernel.list_queries import ROWS, ListQuery
from prorata.web.dashboard.kernel.pages import VERSION, Ask, GoTo, Shown, page
from prorata.web.dashboard.splitting.rule_words import parts_in_words
from prorata.web.http.fields import Percent, line

_FIELDS = {method: method.lower() for method in BLENDABLE}
"""The field, in a blend's form, for each method's percentage."""
_BLENDED = {field: SPLIT_METHODS[method].by for method, field in _FIELDS.items()}

LOST = "No rule uses this blend. It will be deleted permanently; sent invoices stay as they are."
"""The consequence of deleting a blend that no rule uses."""


class Blend(Struct, kw_only=True, forbid_unknown_fields=True):
    """The form of a blend: its name, and a percentage for each split method.

    The fields for the percentages are added by a subclass.
    """

    name: Annotated[str, line(LONGEST_METHOD_NAME)]

    def blend(self) -> NewBlend:
        """Build the blend to store, without the methods that have no percentage in the form."""
        given: list[tuple[str, Decimal | None]] = [(method, getattr(self, field)) for method, field in _FIELDS.items()]
        return NewBlend(self.name, [(method, percent) for method, percent in given if percent])


BlendForm: type[Struct] = msgspec.defstruct(
    "BlendForm",
    [(field, Percent | None, None) for field in _FIELDS.values()],
    bases=(Blend,), module=__name__, kw_only=True, forbid_unknown_fields=True,
)  # fmt: skip


@page("GET", "/split-methods", may="read", query=ListQuery)
def split_methods_page(ask: Ask[Any, None]) -> Shown:
    """Show the built-in split methods, the account's blends, and the form for a new blend.

    The blends can be searched, and are listed page by page.
    """
    query = ask.query if isinstance(ask.query, ListQuery) else ListQuery()
    methods = split_methods.page(ask.tx, ask.caller, query.search, limit=ROWS, offset=query.offset)
    used = split_methods.used_by(ask.tx, ask.caller)
    own = [(row, parts_in_words(row, ask.write), used.get(row.id)) for row in methods.rows]
    values = {"built_in": SPLIT_METHODS.values(), "own": own, "method": None, "lost": LOST, "blended": _BLENDED}
    listed = {"found": methods, "limit": ROWS, "query": query, "parameters": {"search": query.search}}
    return Shown("split_methods.html", values | listed)


@page("POST", "/split-methods", may="write", form=BlendForm, again=split_methods_page)
def create_split_method(ask: Ask[None, Blend]) -> GoTo:
    """Create a blend."""
    row = split_methods.create(ask.tx, ask.caller, ask.form.blend())
    return GoTo("/split-methods", say("{name} was added. Choose it in the rules of a property.", name=row.name))


@page("GET", "/split-methods/{method}", may="write")
def edit_split_method(ask: Ask[None, None]) -> Shown:
    """Show the form of a blend."""
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    percents = {_FIELDS[part.split_method]: ask.write.typed(part.percent) for part in as_blend(row.components)}
    filled = {"name": row.name, **percents, VERSION: row.updated_at}
    return Shown("split_method_form.html", {"method": row, "blended": _BLENDED}, filled)


@page(
    "POST",
    "/split-methods/{method}",
    may="write",
    form=BlendForm,
    again=edit_split_method,
    moves=previews.of_split_method,
)
def change_split_method(ask: Ask[None, Blend]) -> GoTo:
    """Save the blend; the open months of all properties that use it are recalculated."""
    row = split_methods.replace(ask.tx, ask.caller, ask.path["method"], ask.form.blend(), seen=ask.seen)
    return GoTo("/split-methods", say("{name} was saved.", name=row.name))


@page("GET", "/split-methods/{method}/delete", may="write")
def ask_to_delete_split_method(ask: Ask[None, None]) -> Shown | GoTo:
    """Ask to confirm deleting a blend, for browsers without dialogs.

    If share rules use the blend, return to the list with a message that names their properties.
    """
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    if used := split_methods.used_by(ask.tx, ask.caller).get(row.id):
        return GoTo("/split-methods", say("{name} can’t be deleted yet: {why}", name=row.name, why=used), warns=True)
    question = {"title": say("Delete {name}?", name=row.name), "lost": LOST, "does": say("Delete it")}
    return Shown("confirm.html", {**question, "back": "/split-methods"})


@page("POST", "/split-methods/{method}/delete", may="write", again=split_methods_page)
def delete_split_method(ask: Ask[None, None]) -> GoTo:
    """Delete a blend that no rule uses."""
    row = access.split_method(ask.tx, ask.caller, ask.path["method"])
    split_methods.remove(ask.tx, ask.caller, row.id)
    return GoTo("/split-methods", say("{name} was deleted.", name=row.name))
