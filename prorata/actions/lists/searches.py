"""The properties, units and tenants that a search text finds by its words.

A search word matches if it is the beginning of a word of the record's property, unit or tenant.
"""

from functools import reduce
from typing import NamedTuple

from prorata.actions.limits import LONGEST_SEARCH, MOST_MATCHES
from prorata.domain.search_terms import Wanted, Word, wanted
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.invoices.searches import Found
from prorata.store.properties import search_words
from prorata.store.properties.search_words import ADDRESS, PROPERTY, TENANT, UNIT, Match


class Matched(NamedTuple):
    """The records that match all words of a search together.

    `properties` are the matching properties, and `units` the matching units of other properties. `tenants` maps
    the matching tenants of other units to these units. If `is_cut`, there are so many matches that some may be
    missing.
    """

    properties: frozenset[str]
    units: frozenset[str]
    tenants: dict[str, str]
    is_cut: bool = False


class _Places(NamedTuple):
    """Records that match a search word: properties, units and tenants.

    `units` maps units to their properties, and `tenants` maps tenants to their unit and property.
    """

    properties: set[str]
    units: dict[str, str]
    tenants: dict[str, tuple[str, str]]

    def has_unit(self, unit_id: str, property_id: str) -> bool:
        """True if the matches contain this unit or its property."""
        return unit_id in self.units or property_id in self.properties

    def has_tenant(self, tenant_id: str, unit_id: str, property_id: str) -> bool:
        """True if the matches contain this tenant, or the tenant's unit or property."""
        return tenant_id in self.tenants or self.has_unit(unit_id, property_id)


def for_invoices(tx: Tx, caller: Caller, words: tuple[Word, ...]) -> Found:
    """Find the properties, units and tenants whose invoices match a search."""
    matched = match(tx, caller, words, [PROPERTY, UNIT, TENANT])
    return Found(
        sorted(matched.properties),
        sorted(matched.units),
        sorted(matched.tenants),
        sorted(set(matched.tenants.values())),
        is_cut=matched.is_cut,
    )


def match(tx: Tx, caller: Caller, words: tuple[Word, ...], kinds: list[str], *, most: int = MOST_MATCHES) -> Matched:
    """Find the records of `kinds` that match all words together.

    Words of a property also match its units, and words of a unit its tenants: "maple 2b ann" finds Ann in unit 2B
    of Maple Court. A word that matches very many records is searched only among the matches of the other words.
    """
    if not words:
        return Matched(frozenset(), frozenset(), {})
    matches, is_cut = _matches(tx, caller, words, kinds, most)
    of_each = {beginning: _places(its) for beginning, its in matches.items()}
    places = reduce(_both, (_of_word(word, of_each) for word in words))
    units = [unit_id for unit_id, property_id in places.units.items() if property_id not in places.properties]
    tenants = {
        tenant_id: unit_id
        for tenant_id, (unit_id, property_id) in places.tenants.items()
        if not places.has_unit(unit_id, property_id)
    }
    return Matched(frozenset(places.properties), frozenset(units), tenants, is_cut)


def _matches(
    tx: Tx, caller: Caller, words: tuple[Word, ...], kinds: list[str], most: int
) -> tuple[dict[str, list[Match]], bool]:
    """Map search words, and parts of search words, to the records that match them.

    A text with more than `most` matches is searched only in the properties of the rarer words: for "a smith",
    Smith is found first, and then everything in the same properties that begins with "a". The second result is
    True if there are more matches than were found.
    """
    account_id = caller.account_id
    beginnings = dict.fromkeys(beginning for word in words for beginning in (word.whole, *word.parts))
    matches_of = {
        beginning: search_words.matches(tx, account_id, beginning, kinds, limit=most + 1) for beginning in beginnings
    }
    rare = {
        beginning: {match.property_id for match in its} for beginning, its in matches_of.items() if len(its) <= most
    }
    bounds = [bound for word in words if (bound := _bound(word, rare)) is not None]
    if bounds:
        within = sorted(set.intersection(*bounds))
        for beginning in matches_of.keys() - rare.keys():
            matches_of[beginning] = search_words.matches_within(
                tx, account_id, beginning, kinds, within, limit=most + 1
            )
    return {beginning: its[:most] for beginning, its in matches_of.items()}, any(
        len(its) > most for its in matches_of.values()
    )


def _bound(word: Word, rare: dict[str, set[str]]) -> set[str] | None:
    """Find the properties of all matches of a word; None if too many records match."""
    of_parts = [rare[part] for part in word.parts if part in rare]
    if word.whole not in rare or (word.parts and not of_parts):
        return None
    return rare[word.whole] | (set.intersection(*of_parts) if of_parts else set())


def _of_word(word: Word, of_each: dict[str, _Places]) -> _Places:
    """Find the records that match a whole search word, or all of its parts."""
    whole = of_each[word.whole]
    if not word.parts:
        return whole
    apart = reduce(_both, (of_each[part] for part in word.parts))
    return _Places(whole.properties | apart.properties, whole.units | apart.units, whole.tenants | apart.tenants)


def _both(places: _Places, other: _Places) -> _Places:
    """Return the records that match two search words together."""
    return _Places(
        places.properties & other.properties,
        {
            unit_id: property_id
            for unit_id, property_id in (places.units | other.units).items()
            if places.has_unit(unit_id, property_id) and other.has_unit(unit_id, property_id)
        },
        {
            tenant_id: place
            for tenant_id, place in (places.tenants | other.tenants).items()
            if places.has_tenant(tenant_id, *place) and other.has_tenant(tenant_id, *place)
        },
    )


def _places(matches: list[Match]) -> _Places:
    places = _Places(set(), {}, {})
    for kind, record_id, property_id, unit_id in matches:
        if kind in (PROPERTY, ADDRESS):
            places.properties.add(property_id)
        elif kind == UNIT:
            places.units[record_id] = property_id
        else:
            assert unit_id is not None, "a tenant lives in a unit"
            places.tenants[record_id] = (unit_id, property_id)
    return places


def read(text: str | None) -> Wanted:
    """Parse a search text into words, and the month or amount that it names."""
    return wanted((text or "")[:LONGEST_SEARCH])
