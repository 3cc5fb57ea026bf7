"""The list of tenants of the whole account: searching, sorting and paging."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.limits import MOST_TENANTS_COUNTED, MOST_VACANT_NAMED
from prorata.actions.lists import searches
from prorata.actions.lists.page_cursors import FIRST, Leaf, texts_of, written
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import tenant_searches
from prorata.store.properties.search_words import ADDRESS, PROPERTY, TENANT, UNIT
from prorata.store.properties.tenant_searches import Asked, TenantPlace, VacantPlace, Wanted, Who

Sort = Literal["name", "-name", "added", "-added", "unit", "-unit", "property", "-property", "stay", "-stay"]
"""The orders of a list of tenants; a dash means descending.

In order of `stay`, tenants who have always lived there come first; in order of `property`, a property's tenants are
sorted by unit.
"""


FEW = 2_000
"""The most tenants found by a search that are counted, loaded and sorted.

If there are more, the page states this, and the list is read in its order instead.
"""
FEW_PLACES = 100
"""The most matching properties and units for which vacant units are named.

Each unit in them must be checked.
"""


class FoundTenants(NamedTuple):
    """One page of the matching tenants, their total number, and matching vacant units.

    Only the first few vacant units are contained. If `is_more`, there are more matches than `total`. If `is_cut`,
    there are so many matches that some may be missing. `first` and `last` are the cursors of the page's first and
    last tenant, for requesting the pages before and after it.
    """

    rows: list[TenantPlace]
    total: int
    vacant: list[VacantPlace]
    today: str
    is_more: bool = False
    is_cut: bool = False
    has_more: bool = False
    first: str = ""
    last: str = ""


def page(
    tx: Tx,
    caller: Caller,
    search: str = "",
    *,
    who: Who = "THERE",
    only: Sequence[str] | None = None,
    sort: Sort = "name",
    limit: int,
    leaf: Leaf = FIRST,
) -> FoundTenants:
    """List one page of the account's tenants.

    Each word of `search` is the beginning of a word of the name or e-mail address, of the unit, or of the property or
    its address: "maple 2b" finds the tenants of unit 2B of Maple Court. `who` selects tenants who have not moved out
    (THERE), former and removed ones (PAST), or all but removed ones (ALL). If `only` is given, the list contains only
    the tenants with these ids, and nothing is searched. Raises `InvalidRequest` for a cursor of another order.
    """
    today = accounts.today(tx, caller).isoformat()
    wanted, is_cut = _wanted(tx, caller, search) if search.strip() else (None, False)
    if only is not None:
        wanted, is_cut = Wanted([], [], list(only)), False
    asked = Asked(wanted, sort, today, who)
    most = MOST_TENANTS_COUNTED if wanted is None else FEW
    total = tenant_searches.number(tx, caller.account_id, asked, most=most + 1)
    are_many = total > most
    rows, has_more = _of_leaf(tx, caller, asked._replace(many=wanted is None or are_many), leaf, limit)
    first, last = (_mark(sort, rows[at]) if rows else "" for at in (0, -1))
    vacant: list[VacantPlace] = []
    if (
        wanted is not None
        and who != "PAST"
        and leaf == FIRST
        and len(wanted.properties) + len(wanted.units) <= FEW_PLACES
    ):
        vacant = tenant_searches.vacant(tx, caller.account_id, wanted, today=today, limit=MOST_VACANT_NAMED)
    counted = min(total, most)
    return FoundTenants(rows, counted, vacant, today, are_many or is_cut, is_cut, has_more, first, last)


def _of_leaf(tx: Tx, caller: Caller, asked: Asked, leaf: Leaf, limit: int) -> tuple[list[TenantPlace], bool]:
    """Return a page's tenants, and True if another page follows."""
    account_id, columns = caller.account_id, len(tenant_searches.columns_of(asked.sort))
    if leaf.before:
        back = asked._replace(sort=asked.sort[1:] if asked.sort.startswith("-") else f"-{asked.sort}")
        place = texts_of(leaf.before, columns)
        return tenant_searches.page(tx, account_id, back, limit=limit, place=place)[::-1], True
    place, offset = (texts_of(leaf.after, columns), 0) if leaf.after else ([], leaf.offset)
    rows = tenant_searches.page(tx, account_id, asked, limit=limit + 1, offset=offset, place=place)
    return rows[:limit], len(rows) > limit


def _mark(sort: str, row: TenantPlace) -> str:
    return written([getattr(row, name) for name in tenant_searches.columns_of(sort)])


def _wanted(tx: Tx, caller: Caller, search: str) -> tuple[Wanted, bool]:
    """Find the tenants, units and properties that match a search.

    Also return True if so many match that some may be missing.
    """
    matched = searches.match(tx, caller, searches.read(search).words, [PROPERTY, ADDRESS, UNIT, TENANT], most=FEW)
    return Wanted(sorted(matched.properties), sorted(matched.units), sorted(matched.tenants)), matched.is_cut
