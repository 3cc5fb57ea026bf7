"""Preview of a split under unsaved terms of a share rule, for the rule's form.

It splits the last bill line of the rule's utility type.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import LARGEST_PERCENT, MOST_OCCUPANTS
from prorata.actions.recalculation import month_loader as month_facts
from prorata.actions.splitting.share_rules import Terms, checked
from prorata.domain.billing_calendar import Month, month_of
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.problems import Problem
from prorata.domain.splitting.previews import EXAMPLE_AMOUNT, Preview, preview as split
from prorata.domain.splitting.rule_versions import ALWAYS, end_of
from prorata.domain.splitting.share_rules import Rule, rule_of
from prorata.domain.splitting.stays import of_month
from prorata.domain.texts import Count, say
from prorata.domain.utility_names import UTILITY_TYPES, within_a_sentence
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.bills.lookups import LastLine
from prorata.store.database.engine import Tx
from prorata.store.properties import units
from prorata.store.recalculation import billing_months
from prorata.store.splitting import share_rules


class SplitPreview(NamedTuple):
    """A preview of a bill line's split under changed terms of a rule.

    If no bill has a line of the utility type yet, `line` is None and an example is split. With `keeps_its_rule`,
    `line` is only an example too, because it is from a month to which the terms do not apply.

    If the terms have `problems`, they can't be used, and `preview` is None.
    """

    utility_type: str
    currency: str
    month: str
    amount: int
    line: LastLine | None
    preview: Preview | None
    problems: tuple[Problem, ...] = ()
    wanted: Rule | None = None
    """The rule with the changed terms; None if they turn it off."""
    keeps_its_rule: bool = False

    @property
    def is_example(self) -> bool:
        """True if the amount is only an example, because no bill matches the terms."""
        return self.line is None or self.keeps_its_rule


def preview(
    tx: Tx, caller: Caller, property_id: str, utility_type: str, terms: Terms, write: Forms = PLAIN, *,
    since: str | None = None,
) -> SplitPreview:  # fmt: skip
    """Preview the split of the last bill line under `terms`, beside the saved rule's split.

    The line is the last of its utility type, split among the units of its month as they are now. Nothing is written
    or locked. Raises `NotFound` if there is no such property, and `InvalidRequest` for an unknown utility type.

    The terms apply to the months from `since` on (None: from the newest version's first month) until the next
    version; the last line is taken from these months if they contain any.
    """
    if utility_type not in UTILITY_TYPES:
        raise InvalidRequest(say("The utility type must be one of {names}.", names=", ".join(UTILITY_TYPES)))
    property_row = access.property_(tx, caller, property_id)
    of_property = month_facts.load(tx, caller.account_id, [property_row])[property_row.id]
    versions = of_property.rules.get(utility_type, {})
    begins = since or max(versions, default=ALWAYS)
    of, end = (tx, caller.account_id, property_row.id, utility_type), end_of(versions, begins)
    line = bill_lookups.last_line(*of, since=begins, end=end) or bill_lookups.last_line(*of)
    month = Month(line.month) if line else month_of(account_actions.today(tx, caller))
    amount = line.amount if line else EXAMPLE_AMOUNT
    is_theirs = begins <= month < end
    keeps = line is not None and not is_theirs
    shown = SplitPreview(utility_type, property_row.currency, month, amount, line, None, keeps_its_rule=keeps)
    wanted, problems = _rule_of(tx, caller, property_row.id, utility_type, terms)
    if problems:
        return shown._replace(problems=tuple(problems))
    row = billing_months.find(tx, caller.account_id, property_row.id, month)
    there = of_property.of_month(month, (), row.first_closed_at if row else None).units
    saved = of_property.rule_in(month if is_theirs else begins, utility_type)
    return shown._replace(
        wanted=wanted,
        preview=split(amount, wanted, saved, of_month(month), there, within_a_sentence(utility_type), write),
    )


def _rule_of(
    tx: Tx, caller: Caller, property_id: str, utility_type: str, terms: Terms
) -> tuple[Rule | None, Sequence[Problem]]:
    """Build a rule with these `terms`; None if they deactivate it or have problems.

    The second result is every problem with the terms.
    """
    method = next((row for row in share_rules.methods(tx, caller.account_id) if row.id == terms.split_method_id), None)
    problems = _problems_of_numbers(terms)
    labelled = units.of_properties(tx, caller.account_id, [property_id])
    knows = terms.split_method_id is None or method is not None
    weights, others = checked(terms, labelled, knows_method=knows)
    if others or problems:
        return None, [*others, *problems]
    if not terms.is_active:
        return None, ()
    blend = month_facts.as_blend(method.components) if method else ()
    numbers = terms.owner_percent, terms.vacant_occupants
    return rule_of(utility_type, terms.split_method, weights or {}, *numbers, blend), ()


def _problems_of_numbers(terms: Terms) -> list[Problem]:
    problems = []
    for field, number, most in (
        ("ownerPercent", terms.owner_percent, LARGEST_PERCENT),
        ("vacantOccupants", terms.vacant_occupants, MOST_OCCUPANTS),
    ):
        if not number.is_finite() or not 0 <= number <= Decimal(most):
            problems.append(
                Problem(field, say("{field} must be a number from 0 to {most}.", field=field, most=Count(most)))
            )
    return problems
