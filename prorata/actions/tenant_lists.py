"""Who lives where, over the whole account: by the beginnings of words, in an order, a page at a time."""

from typing import Literal, NamedTuple

from prorata.actions import accounts, searches
from prorata.store import tenant_searches
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.search_words import ADDRESS, PROPERTY, TENANT, UNIT
from prorata.store.tenant_searches import TenantPlace, VacantPlace, Wanted

Sort = Literal["name", "-name", "added", "-added"]
"""The orders of a list of tenants; with a dash, downwards."""
MOST_VACANT = 10
"""Vacant units that are named beside the tenants a search finds."""


class FoundTenants(NamedTuple):
    """One page of a list: its rows, how many were found, and the first vacant units that the search fits."""

    rows: list[TenantPlace]
    total: int
    vacant: list[VacantPlace]
    today: str


def page(
    tx: Tx, caller: Caller, search: str = "", *, gone: bool = False, sort: Sort = "name", limit: int, offset: int
) -> FoundTenants:
    """One page of the caller's tenants. Each word of `search` begins one of the name or e-mail address, of the unit, or
    of the property or its address: "maple 2b" is whoever lives in unit 2B of Maple Court. `gone` lists those who moved
    out, too.
    """
    today = accounts.today(tx, caller).isoformat()
    wanted = _wanted(tx, caller, search) if search.strip() else None
    rows, total = tenant_searches.page(
        tx, caller.account_id, wanted, gone=gone, today=today, sort=sort, limit=limit, offset=offset
    )
    vacant: list[VacantPlace] = []
    if wanted is not None and offset == 0:
        vacant = tenant_searches.vacant(tx, caller.account_id, wanted, today=today, limit=MOST_VACANT)
    return FoundTenants(rows, total, vacant, today)


def _wanted(tx: Tx, caller: Caller, search: str) -> Wanted:
    found = searches.match(tx, caller, searches.read(search).words, [PROPERTY, ADDRESS, UNIT, TENANT])
    return Wanted(sorted(found.properties), sorted(found.units), sorted(found.tenants))
