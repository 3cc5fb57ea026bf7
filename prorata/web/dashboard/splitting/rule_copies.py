"""The page that copies one property's settings to other properties."""

from typing import Annotated, Any

import msgspec
from msgspec import Struct

from prorata.actions.accounts import access, accounts
from prorata.actions.invoices import previews
from prorata.actions.limits import MOST_PROPERTIES_TO_CHOOSE_FROM
from prorata.actions.properties import property_lists
from prorata.actions.splitting import rule_copies, share_rules, split_methods
from prorata.actions.splitting.rule_copies import Copied
from prorata.domain.accounts.pay_to import pay_to_of
from prorata.domain.accounts.permissions import may
from prorata.domain.billing_calendar import month_of
from prorata.domain.texts import joined, say, say_n
from prorata.domain.utility_names import UTILITY_NAMES, UTILITY_TYPES, within_a_sentence
from prorata.ports import Forms
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.dashboard.properties.property import above
from prorata.web.dashboard.splitting import rule_words
from prorata.web.http.fields import MonthText, text

_NAMED = 3
"""The maximum number of skipped rules that are named."""


class CopyQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The search text for the list of properties to which settings can be copied."""

    search: Annotated[str, text(255, least=0)] = ""


class CopyForm(CopyQuery, kw_only=True):
    """The settings to copy, including rules by utility type, and the properties to receive them.

    If `effective_from` is empty, the rules apply from the first month that a property has not sent.
    """

    utilities: Annotated[list[Annotated[str, text(64)]], msgspec.Meta(max_length=len(UTILITY_NAMES))] = msgspec.field(
        default_factory=list
    )
    first_month: bool = msgspec.field(name="firstMonth", default=False)
    how_to_pay: bool = msgspec.field(name="howToPay", default=False)
    effective_from: MonthText | None = msgspec.field(name="effectiveFrom", default=None)
    to: list[Annotated[str, text(64)]] = msgspec.field(default_factory=list)


@page("GET", "/properties/{id}/copy", may="write", query=CopyQuery)
def copy_page(ask: Ask[Any, Any]) -> Shown:
    """Show the settings that can be copied, and the properties that can receive them."""
    row = access.property_(ask.tx, ask.caller, ask.path["id"])
    blends = {one.id: one for one in split_methods.all_own(ask.tx, ask.caller)}
    month = month_of(accounts.today(ask.tx, ask.caller))
    by_type = {one.row.utility_type: one for one in share_rules.of_property(ask.tx, ask.caller, row.id)}
    in_order = [kind for kind in UTILITY_TYPES if kind in by_type]
    search = ask.query.search if isinstance(ask.query, CopyQuery) else ""
    found = property_lists.page(ask.tx, ask.caller, search, limit=MOST_PROPERTIES_TO_CHOOSE_FROM + 1, offset=0)
    values = {
        "listed": [rule_words.listed(kind, by_type[kind], blends, month, ask.write) for kind in in_order],
        "names": UTILITY_NAMES,
        "others": [one for one in found.rows if one.row.id != row.id][:MOST_PROPERTIES_TO_CHOOSE_FROM],
        "query": {"search": search, "is_more": found.total > MOST_PROPERTIES_TO_CHOOSE_FROM + 1},
    }
    return Shown("rule_copies.html", values | {"is_paid": any(pay_to_of(row)[:])} | above(row, "rules"))


@page(
    "POST", "/properties/{id}/copy", may="write", form=CopyForm, again=copy_page, moves=previews.of_property,
    further=lambda ask: ask.form.to,
)  # fmt: skip
def copy_to_others(ask: Ask[None, CopyForm]) -> GoTo:
    """Copy the chosen settings; payment details are copied only for an owner of the account."""
    form = ask.form
    done = rule_copies.copy(
        ask.tx, ask.caller, ask.path["id"], form.to, form.utilities,
        first_month=form.first_month, how_to_pay=form.how_to_pay and may(ask.person.role, "manage"),
        since=form.effective_from,
    )  # fmt: skip
    return GoTo(f"/properties/{ask.path['id']}/rules", _said(done, ask.write), warns=bool(done.left))


def _said(done: Copied, write: Forms) -> str:
    copied = say_n(
        "Copied to {n} property.", "Copied to {n} properties.", done.properties,
        n=write.count(done.properties),
    )  # fmt: skip
    if not done.left:
        return copied
    named = [
        say(
            "{property}, {utility}: {why}",
            property=one.property_name,
            utility=within_a_sentence(one.utility_type),
            why=one.why,
        )
        for one in done.left[:_NAMED]
    ]
    rest = len(done.left) - _NAMED
    more = say("{n} more.", n=write.count(rest)) if rest > 0 else ""
    return joined([copied, say("Left as they were:"), *named, more])
