"""Split methods: the six built-in ones, and the account's own blends of these."""

import json
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.limits import MOST_BLENDS
from prorata.actions.properties.units import decimal_text
from prorata.actions.recalculation import recalculation
from prorata.actions.splitting import rule_history, undated_changes
from prorata.domain.audit.verbs import Verb
from prorata.domain.labels import same
from prorata.domain.problems import Problem
from prorata.domain.search_terms import have_all, order_of, parts_of, words_of
from prorata.domain.splitting.share_rules import Component, in_use, problems_of_blend
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Busy, Tx
from prorata.store.properties import properties
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import SplitMethodRow


class NewBlend(NamedTuple):
    """A blend that a client sends: each component is a built-in method and a percentage."""

    name: str
    components: Sequence[tuple[str, Decimal]]


def all_own(tx: Tx, caller: Caller) -> list[SplitMethodRow]:
    """List the account's blends in order of creation."""
    return share_rules.methods(tx, caller.account_id)


class OwnMethods(NamedTuple):
    """A page of the account's blends, sorted by name.

    It also contains the number of matching blends, and the number of all blends.
    """

    rows: list[SplitMethodRow]
    total: int
    of_all: int


def page(tx: Tx, caller: Caller, text: str = "", *, limit: int, offset: int) -> OwnMethods:
    """List one page of the account's blends, sorted by name.

    Each word of `text` must be the beginning of a word of the name. All blends are loaded, because an account has at
    most `MOST_BLENDS`.
    """
    rows, words = all_own(tx, caller), parts_of(text)
    fits = [row for row in rows if have_all(words_of(row.name), words)] if text.strip() else list(rows)
    fits.sort(key=lambda row: order_of(row.name))
    return OwnMethods(fits[offset : offset + limit], len(fits), len(rows))


def used_by(tx: Tx, caller: Caller) -> dict[str, str]:
    """Map blends in use to a sentence that names the properties whose rules use them."""
    return {
        use.split_method_id: in_use(use.name, use.properties)
        for use in share_rules.uses_of_methods(tx, caller.account_id).values()
    }


def create(tx: Tx, caller: Caller, new: NewBlend) -> SplitMethodRow:
    """Add a blend.

    Raises `InvalidRequest` for percentages that don't sum to 100, and `Conflict` if the name is taken or the account
    already has `MOST_BLENDS`.
    """
    (row,) = create_many(tx, caller, [new])
    return row


def create_many(tx: Tx, caller: Caller, several: Sequence[NewBlend]) -> list[SplitMethodRow]:
    """Add blends, whose names must differ.

    Raises everything that `create` raises.
    """
    own = all_own(tx, caller)
    for new in several:
        _refuse_no_blend(new)
        _refuse_taken_name(own, new)
    if len(own) + len(several) > MOST_BLENDS:
        raise Conflict(f"An account can have at most {MOST_BLENDS} split methods of its own. Delete one first.")
    rows = [row_of(tx, caller, tx.new_id("split"), new) for new in several]
    share_rules.add_methods(tx, rows)
    audit.record_many(tx, caller, Verb.CREATE_SPLIT_METHOD, [(row.id, None, row) for row in rows])
    return rows


def row_of(tx: Tx, caller: Caller, method_id: str, new: NewBlend) -> SplitMethodRow:
    """Build the row of a new blend."""
    return SplitMethodRow(
        account_id=caller.account_id,
        id=method_id,
        name=new.name,
        name_key=same(new.name),
        components=_text(new.components),
        created_at=tx.now,
        updated_at=tx.now,
    )


def replace(tx: Tx, caller: Caller, method_id: str, new: NewBlend, *, seen: str | None = None) -> SplitMethodRow:
    """Replace a blend's name and components; recalculate the open months that use it.

    `seen` is the time of the blend's latest change that the user saw (`access.require_seen`).
    """
    _refuse_no_blend(new)
    using = share_rules.properties_using(tx, caller.account_id, method_id)
    locked = properties.lock_many(tx, caller.account_id, using)  # lock properties first, here as everywhere
    row = access.split_method_to_change(tx, caller, method_id)
    if share_rules.properties_using(tx, caller.account_id, method_id) != using:
        raise Busy  # another rule started using it meanwhile: retry with its property
    access.require_seen(row.updated_at, seen)
    _refuse_taken_name([one for one in all_own(tx, caller) if one.id != row.id], new)
    after = row._replace(name=new.name, name_key=same(new.name), components=_text(new.components))
    if after == row:
        return row
    after = after._replace(updated_at=tx.now)
    if after.components != row.components:
        rule_history.begin_anew(tx, locked, row.id, undated_changes.begins(tx, caller, using))
    share_rules.save_method(tx, after)
    audit.record(tx, caller, Verb.CHANGE_SPLIT_METHOD, row.id, before=row, after=after)
    recalculation.recalculate(tx, caller, locked)
    return after


def remove(tx: Tx, caller: Caller, method_id: str) -> None:
    """Delete a blend.

    Raises `Conflict` while a share rule uses the blend.
    """
    row = access.split_method_to_change(tx, caller, method_id)
    if used := used_by(tx, caller).get(row.id):
        why = f"It is in use: {used}"
        raise Conflict(f"{why} Choose another way to divide in the rules first; then it can be deleted.")
    share_rules.remove_method(tx, caller.account_id, row.id)
    audit.record(tx, caller, Verb.DELETE_SPLIT_METHOD, row.id, before=row)


def _refuse_no_blend(new: NewBlend) -> None:
    stored = [Component(method, Fraction(decimal_text(percent) or 0)) for method, percent in new.components]
    if problems := problems_of_blend(stored):
        raise InvalidRequest.because(problems)


def _refuse_taken_name(others: Sequence[SplitMethodRow], new: NewBlend) -> None:
    if same(new.name) in {other.name_key for other in others}:
        message = "Another of your own split methods already has this name. Choose a different name."
        raise Conflict(message, problems=[Problem("name", message)])


def _text(components: Sequence[tuple[str, Decimal]]) -> str:
    return json.dumps([[method, decimal_text(percent)] for method, percent in components])
