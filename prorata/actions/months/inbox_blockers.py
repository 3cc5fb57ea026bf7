"""Unconfirmed inbox items that may be bills of a month about to be sent.

They are files and e-mails that nobody has confirmed as bills or set aside yet.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from prorata.actions.accounts import month_rules
from prorata.actions.accounts.month_rules import MonthRules
from prorata.domain.billing_calendar import Month, months_between
from prorata.domain.bills.bills import may_be_spread, month_by_rule, next_billed
from prorata.domain.inbound_mail.inbox_addresses import NOT_TAKEN, RECEIVED, WAITING
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft
from prorata.domain.intake.documents import OPEN, account_number_forms
from prorata.domain.labels import same
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.intake import documents
from prorata.store.properties.properties import PropertyRow
from prorata.store.recalculation import billing_months as months

_UNDECIDED = (RECEIVED, WAITING, NOT_TAKEN)


class Unconfirmed(NamedTuple):
    """The numbers of inbox files and e-mails that may be bills of a month."""

    files: int
    messages: int


class Waiting(NamedTuple):
    """The inbox's files and e-mails that nobody has confirmed or set aside yet.

    `drafts` are the drafts read from files, and `messages` is the number of e-mails. `known` maps account numbers to
    the properties and issuers of their bills. `closed` maps properties to their closed months if late bills are
    settled automatically; otherwise it is empty. `rules` decide the billing month of each bill.
    """

    drafts: tuple[Draft, ...]
    messages: int
    known: Mapping[str, set[tuple[str, str]]]
    closed: Mapping[str, set[Month]]
    rules: MonthRules

    def for_month(self, of: PropertyRow, month: Month) -> Unconfirmed:
        """Count the inbox items that may be bills of a property's month.

        Every item counts unless it is clearly for another month or property. A file that is unread or unreadable, or
        that is a table, may be for any month. If late bills are settled automatically, a file for a closed month
        counts for the next month that can charge it.
        """
        closed, rule = self.closed.get(of.id, set()), self.rules.of(of)

        def is_of_another(draft: Draft) -> bool:
            its = _months(draft, rule)
            return its is not None and month not in {
                next_billed(one, closed, of.billing_starts_month) if one in closed else one for one in its
            }

        others = (is_of_another(draft) or _is_anothers(draft, of.id, self.known) for draft in self.drafts)
        return Unconfirmed(len(self.drafts) - sum(others), self.messages)


def read(tx: Tx, caller: Caller, property_ids: list[str]) -> Waiting:
    """Load the inbox items that may be bills of these properties.

    This takes five SQL statements, which read only unconfirmed items.

    E-mails are read before files. On PostgreSQL, each SQL statement sees the state at its beginning. An e-mail that
    is turned into files in between is therefore counted twice; if files were read first, it would be missed.
    """
    messages = incoming_mail.number_that_may_bring(tx, caller.account_id, _UNDECIDED)
    texts = documents.open_drafts(tx, caller.account_id, OPEN)
    drafts = tuple(msgspec.json.decode(text, type=Draft) if text else UNREAD for text in texts)
    numbers = sorted({form for draft in drafts for form in _numbers(draft)})
    known: dict[str, set[tuple[str, str]]] = defaultdict(set)  # of a property, at an issuer
    for number_place in bill_lookups.places_of_numbers(tx, caller.account_id, numbers) if numbers else ():
        known[number_place.account_number].add((number_place.property_id, same(number_place.issuer_name)))
    closed: dict[str, set[Month]] = defaultdict(set)
    rules = month_rules.read(tx, caller)
    if drafts and rules.goes_on:
        for row in months.find_many(tx, caller.account_id, property_ids):
            if row.is_closed:
                closed[row.property_id].add(Month(row.month))
    return Waiting(drafts, messages, known, closed, rules)


def _months(draft: Draft, rule: str) -> set[Month] | None:
    """Return the months in which a draft's dates allow billing it; None for any month.

    A long service period may be spread over every month that it touches.
    """
    start, end = draft.service_start, draft.service_end
    day = draft.bill_date.value if draft.bill_date.surety == "found" else None
    if start.surety == end.surety == "missing":
        its = month_by_rule(rule, None, None, day)
        return None if its is None else {its}
    if start.surety != "found" or end.surety != "found" or start.value is None or end.value is None:
        return None
    its = month_by_rule(rule, start.value, end.value, day)
    if its is None or end.value < start.value:
        return None
    return {its, *months_between(start.value, end.value)} if may_be_spread(start.value, end.value) else {its}


def _is_anothers(draft: Draft, property_id: str, known: Mapping[str, set[tuple[str, str]]]) -> bool:
    """True if all stored bills with a draft's account number belong to other properties.

    If the draft's issuer was read, only that issuer's bills are compared.
    """
    issuers = {same(issuer_name) for issuer_name in (draft.issuer.value, *draft.issuer.choices) if issuer_name}
    places = (place for number in _numbers(draft) for place in known.get(number, ()))
    of = {of_property for of_property, issuer in places if not issuers or issuer in issuers}
    return bool(of) and property_id not in of


def _numbers(draft: Draft) -> tuple[str, ...]:
    """Return the spellings in which a draft's account number may be stored.

    The result is empty if the number was not read with certainty.
    """
    number = draft.account_number
    return account_number_forms(number.value) if number.surety == "found" and number.value else ()
