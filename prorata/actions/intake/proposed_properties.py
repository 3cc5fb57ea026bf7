"""The likely property of a draft, found by its account number or service address."""

from typing import NamedTuple

from prorata.actions.accounts import access
from prorata.actions.limits import MOST_PROPERTIES_TRIED
from prorata.actions.lists import searches
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.documents import account_number_forms, the_only
from prorata.domain.labels import same
from prorata.domain.search_terms import Word, words_of
from prorata.domain.texts import say
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.database.engine import Tx
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.search_words import ADDRESS

_WORDS_OF_AN_ADDRESS = 2


class Proposed(NamedTuple):
    """The likely property of a draft, and the reason; both None if none was found."""

    property: PropertyRow | None = None
    why: str | None = None


def proposed_for(tx: Tx, caller: Caller, draft: Draft) -> Proposed:
    """Propose a property for a draft, with the reason.

    The property is the only one that has had bills with this account number from this issuer. If there is none, it is
    the only one at the bill's service address. If the number and the address lead to two properties, the reason says
    so. The proposal is only shown to a person and never used automatically.
    """
    number, issuer = draft.account_number, draft.issuer
    numbers = [
        account_number_form
        for text in (number.value, *number.choices)
        if text
        for account_number_form in account_number_forms(text)
    ]
    seen = (
        bill_lookups.of_account_number(tx, caller.account_id, numbers, limit=MOST_PROPERTIES_TRIED) if numbers else []
    )
    known = {same(issuer_name) for issuer_name in (issuer.value, *issuer.choices) if issuer_name}
    property_id = the_only(
        [
            bill_of_number.property_id
            for bill_of_number in seen
            if not known or same(bill_of_number.issuer_name) in known
        ]
    )
    at = _at_address(tx, caller, draft.service_address.value or "")
    if property_id is not None:
        why = say("Earlier bills of this account number were for it")
        but = f", but the service address on the bill is that of {at.name}" if at and at.id != property_id else ""
        return Proposed(access.property_(tx, caller, property_id), f"{why}{but}.")
    return Proposed(at, say("The service address on the bill is this property’s address.")) if at else Proposed()


def _at_address(tx: Tx, caller: Caller, address: str) -> PropertyRow | None:
    """Find the only property whose number, street, and town or postcode an address contains."""
    there = words_of(address)
    first = tuple(Word(word) for word in _in_order(address) if word in there)[:_WORDS_OF_AN_ADDRESS]
    if len(first) < _WORDS_OF_AN_ADDRESS:
        return None
    matched = searches.match(tx, caller, first, [ADDRESS], most=MOST_PROPERTIES_TRIED)
    fits = [
        row
        for row in properties.find_many(tx, caller.account_id, sorted(matched.properties)[:MOST_PROPERTIES_TRIED])
        if words_of(row.street_number, row.street) <= there
        and (words_of(row.zip) <= there or words_of(row.city) <= there)
    ]
    return fits[0] if len(fits) == 1 and not matched.is_cut else None


def _in_order(text: str) -> list[str]:
    return [word for part in text.split() for word in sorted(words_of(part))]
