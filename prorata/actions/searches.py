"""What a search text leads to: each of its words begins one in the record's property, unit or tenant."""

from collections import defaultdict
from typing import NamedTuple

from prorata.domain.searching import wanted
from prorata.store import search_words
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.invoice_searches import Found
from prorata.store.search_words import ADDRESS, PROPERTY, TENANT, UNIT, Match

LONGEST_SEARCH = 200
"""Characters of a search text; further ones are passed over."""
MOST_MATCHES = 20_000
"""Records that one word of a search leads to; one that begins more is looked for beside the others alone."""


class Matched(NamedTuple):
    """What the words of a search lead to, all of them together: properties, units in other properties, and tenants in
    other units, each with the unit. Where `is_cut`, the words begin so many that some may be missing.
    """

    properties: frozenset[str]
    units: frozenset[str]
    tenants: dict[str, str]
    is_cut: bool = False


class _Word(NamedTuple):
    """What one word leads to."""

    properties: set[str]
    units: dict[str, str]
    tenants: dict[str, tuple[str, str]]


def for_invoices(tx: Tx, caller: Caller, words: tuple[str, ...]) -> Found:
    """The properties, units and tenants whose invoices a search is for."""
    matched = match(tx, caller, words, [PROPERTY, UNIT, TENANT])
    return Found(
        sorted(matched.properties),
        sorted(matched.units),
        sorted(matched.tenants),
        sorted(set(matched.tenants.values())),
        is_cut=matched.is_cut,
    )


def match(tx: Tx, caller: Caller, words: tuple[str, ...], kinds: list[str], *, most: int = MOST_MATCHES) -> Matched:
    """What all of these words together lead to, among the records of `kinds`.

    A tenant has the words of the unit and the property too, a unit those of its property: "maple 2b ann" is Ann in
    unit 2B of Maple Court. A word that begins very many records is looked for where the others are found.
    """
    matches, is_cut = _matches(tx, caller, words, kinds, most)
    found = [_of_word(its) for its in matches]
    if not found:
        return Matched(frozenset(), frozenset(), {})
    whole = frozenset(set.intersection(*(word.properties for word in found)))
    its_property: dict[str, str] = {}
    tenants_of: dict[str, set[str]] = defaultdict(set)
    for word in found:
        its_property |= word.units
        for tenant_id, (unit_id, property_id) in word.tenants.items():
            its_property[unit_id] = property_id
            tenants_of[unit_id].add(tenant_id)
    units, tenants = set[str](), dict[str, str]()
    for unit_id, property_id in its_property.items():
        if property_id in whole:
            continue
        missing = [word for word in found if property_id not in word.properties and unit_id not in word.units]
        if not missing:
            units.add(unit_id)
            continue
        for tenant_id in tenants_of[unit_id]:
            if all(tenant_id in word.tenants for word in missing):
                tenants[tenant_id] = unit_id
    return Matched(whole, frozenset(units), tenants, is_cut)


def _matches(
    tx: Tx, caller: Caller, words: tuple[str, ...], kinds: list[str], most: int
) -> tuple[list[list[Match]], bool]:
    """What each of the words leads to, and whether there is more: "a smith" is first what Smith leads to, and then
    whatever begins with "a" in the same properties.
    """
    account_id = caller.account_id
    found = {word: search_words.matches(tx, account_id, word, kinds, limit=most + 1) for word in words}
    common = [word for word in words if len(found[word]) > most]
    rare = [{one.property_id for one in its} for word, its in found.items() if word not in common]
    if common and rare:
        within = sorted(set.intersection(*rare))
        for word in common:
            found[word] = search_words.matches_within(tx, account_id, word, kinds, within, limit=most + 1)
    return [found[word][:most] for word in words], any(len(its) > most for its in found.values())


def _of_word(matches: list[Match]) -> _Word:
    word = _Word(set(), {}, {})
    for kind, record_id, property_id, unit_id in matches:
        if kind in (PROPERTY, ADDRESS):
            word.properties.add(property_id)
        elif kind == UNIT:
            word.units[record_id] = property_id
        else:
            assert unit_id is not None, "a tenant lives in a unit"
            word.tenants[record_id] = (unit_id, property_id)
    return word


def read(text: str | None) -> tuple[tuple[str, ...], str | None]:
    """The words of a search text, and the month that it names."""
    return wanted((text or "")[:LONGEST_SEARCH])
