"""Units: adding, changing, deactivating and removing them.

A unit with invoices is deactivated instead of removed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import MOST_UNITS
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.actions.recalculation import recalculation
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import day_of
from prorata.domain.groups import grouped
from prorata.domain.labels import natural_order, same, unused_code
from prorata.domain.problems import Problem
from prorata.domain.splitting.share_rules import Time, problems_of_rule
from prorata.domain.splitting.split_methods import PERCENTAGE
from prorata.domain.texts import Count, say
from prorata.domain.utility_names import within_a_sentence
from prorata.errors import Conflict, InvalidRequest
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties import properties, search_words, units
from prorata.store.properties.properties import PropertyRow, UsedCode
from prorata.store.properties.units import TenantRow, UnitKey, UnitRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, VersionRow

_DOUBLE = Context(prec=17)


_HAS_NONE_NOW = say(
    "The unit’s last invoice no longer exists, so the unit and its tenants would be permanently removed. Nothing was "
    "done. Read the question again."
)
_HAS_INVOICES_NOW = say(
    "The unit now has invoices, so it would be taken out of use. Nothing was done. Read the question again."
)


def is_active(row: UnitRow | UnitKey, today: str) -> bool:
    """True if a unit's last day in use, if any, is still to come."""
    return row.active_to is None or row.active_to > today


def of_property(
    tx: Tx, caller: Caller, property_id: str, window: Window, *, inactive: bool
) -> tuple[Listed[UnitRow], str]:
    """List a window of a property's units, as `listed` does.

    Raises `NotFound` if there is no such property.
    """
    access.property_(tx, caller, property_id)
    return listed(tx, caller, {"property": property_id}, window, inactive=inactive)


def listed(
    tx: Tx, caller: Caller, filters: Mapping[str, str], window: Window, *, inactive: bool
) -> tuple[Listed[UnitRow], str]:
    """List a window of the account's units in order of creation; also return today's date.

    With `inactive`, deactivated units are included.
    """
    today, account_id = account_actions.today(tx, caller).isoformat(), caller.account_id
    wanted = dict(filters) if inactive else {**filters, "today": today}
    its_page = walks.listed(
        tx, caller, units.UNITS, wanted, window,
        page=lambda: units.page(tx, account_id, wanted, limit=window.limit, offset=window.offset),
        found=lambda ids: units.find_many(tx, account_id, ids),
    )  # fmt: skip
    return its_page, today


def all_of(tx: Tx, caller: Caller, property_id: str) -> list[UnitRow]:
    """List every unit of a property, sorted by label, including deactivated units.

    Labels are in natural order, so that 10 follows 9. Raises `NotFound` if there is no such property.
    """
    access.property_(tx, caller, property_id)
    rows = units.of_properties(tx, caller.account_id, [property_id])
    return sorted(rows, key=lambda row: (natural_order(row.label), row.id))


def tenants_of(tx: Tx, caller: Caller, rows: Sequence[UnitRow]) -> dict[str, list[TenantRow]]:
    """Map unit ids to the units' tenants in order of creation, without removed ones."""
    ids = [row.id for row in rows]
    return grouped((row.unit_id, row) for row in units.tenants_of_units(tx, caller.account_id, ids)) if ids else {}


def find(tx: Tx, caller: Caller, unit_id: str) -> tuple[UnitRow, list[TenantRow], str]:
    """Find a unit with its tenants; also return today's date.

    Raises `NotFound` if there is no such unit.
    """
    row = access.unit(tx, caller, unit_id)
    today = account_actions.today(tx, caller).isoformat()
    return row, units.tenants_of_unit(tx, caller.account_id, row.id), today


def create(tx: Tx, caller: Caller, property_id: str, values: dict[str, Any]) -> UnitRow:
    """Add a unit to a property, and recalculate the property's open months.

    `values` maps the unit's columns to values. Raises everything that `add` raises.
    """
    _refuse_backwards(values)
    locked = access.property_to_change(tx, caller, property_id)
    row = add(tx, caller, locked, values)
    recalculation.recalculate(tx, caller, [locked])
    return row


def add(tx: Tx, caller: Caller, locked: PropertyRow, values: dict[str, Any]) -> UnitRow:
    """Add a unit to a locked property; the caller must recalculate.

    `values` maps the unit's columns to values. Raises `Conflict` if the property has a unit of this label, even a
    deactivated one, or has too many units, and `InvalidRequest` for a last day before the first.
    """
    _refuse_backwards(values)
    others = units.of_properties(tx, caller.account_id, [locked.id])
    if len(others) >= MOST_UNITS:
        raise Conflict(say("This property already has {f} units, which is the maximum.", f=Count(MOST_UNITS)))
    label_key = same(values["label"])
    _refuse_taken_label(others, label_key, but_for=None)
    used = properties.used_codes(tx, caller.account_id, locked.id)
    row = UnitRow(
        account_id=caller.account_id,
        id=tx.new_id("unit"),
        property_id=locked.id,
        label=values["label"],
        label_key=label_key,
        code=unused_code(values["label"], "U", used),
        sqft=decimal_text(values.get("sqft")),
        bedrooms=values.get("bedrooms"),
        monthly_rent=values.get("monthly_rent"),
        active_from=values.get("active_from"),
        active_to=values.get("active_to"),
        created_at=tx.now,
        updated_at=tx.now,
    )
    units.add(tx, row)
    search_words.add_new(tx, search_words.of_unit(row))
    properties.use_codes(tx, caller.account_id, [UsedCode(locked.id, row.code)])
    audit.record(tx, caller, Verb.CREATE_UNIT, row.id, after=row)
    return row


def change(tx: Tx, caller: Caller, unit_id: str, changes: dict[str, Any], *, seen: str | None = None) -> UnitRow:
    """Change some fields of a unit, and recalculate the property's open months.

    `seen` is the time of the unit's latest change that the user saw (`access.require_seen`).
    """
    locked, row = access.unit_to_change(tx, caller, unit_id)
    access.require_seen(row.updated_at, seen)
    after = row._replace(**changes)
    if "label" in changes:
        after = after._replace(label_key=same(after.label))
    if "sqft" in changes:
        after = after._replace(sqft=decimal_text(changes["sqft"]))
    if after == row:
        return row
    if changes.keys() & {"active_from", "active_to"}:
        _refuse_backwards(after._asdict())
        refuse_over_hundred(tx, caller, [after])
    if after.label_key != row.label_key:
        _refuse_taken_label(units.of_properties(tx, caller.account_id, [locked.id]), after.label_key, but_for=row.id)
    after = after._replace(updated_at=tx.now)
    units.save(tx, after)
    if after.label != row.label:
        search_words.replace(tx, row, search_words.of_unit(after))
    audit.record(tx, caller, Verb.CHANGE_UNIT, row.id, before=row, after=after)
    recalculation.recalculate(tx, caller, [locked])
    return after


def times_of(of_property: Iterable[UnitRow]) -> dict[str, Time]:
    """Map units to their first and last days in use; None means no limit."""
    return {unit.id: (day_of(unit.active_from), day_of(unit.active_to)) for unit in of_property}


def refuse_over_hundred(tx: Tx, caller: Caller, changed: Sequence[UnitRow]) -> None:
    """Raise `Conflict` if changed units make a rule's percentages exceed 100 on any day.

    Units count on the days on which they are in use. Earlier rule versions are checked too
    (docs/decisions.md#custom-weights).
    """
    ids = sorted({unit.property_id for unit in changed})
    rules: list[RuleRow | VersionRow] = [*share_rules.of_properties(tx, caller.account_id, ids)]
    rules += share_rules.former_of_properties(tx, caller.account_id, ids)
    of_hundred = [rule for rule in rules if rule.split_method == PERCENTAGE and rule.weights]
    if not of_hundred:
        return
    times = times_of(units.of_properties(tx, caller.account_id, ids)) | times_of(changed)
    for rule in of_hundred:
        if problems_of_rule(PERCENTAGE, json.loads(rule.weights or "{}"), blended=False, times=times):
            raise Conflict(
                say(
                    "Units in use at the same time would then have percentages that add up to more than 100 in the "
                    "rule for {utility_type}. Change the rule first.",
                    utility_type=within_a_sentence(rule.utility_type),
                )
            )


def remove(tx: Tx, caller: Caller, unit_id: str, *, is_final: bool | None = None) -> bool:
    """Delete a unit without invoices; deactivate a unit with invoices as of today.

    Deleting a unit also deletes its tenants and its weights in share rules. Return True if the unit was deactivated
    (docs/contract.md#deleting-a-unit). `is_final` is the outcome that a person confirmed: True for deletion, False
    for deactivation, None without a confirmation. Raises `Conflict` if the outcome would differ from the confirmed
    one.
    """
    locked, row = access.unit_to_change(tx, caller, unit_id)
    keeps_past = units.has_invoices(tx, caller.account_id, row.id)
    if is_final == keeps_past:
        raise Conflict(_HAS_INVOICES_NOW if keeps_past else _HAS_NONE_NOW)
    if keeps_past:
        today = account_actions.today(tx, caller).isoformat()
        after = row._replace(active_to=min(row.active_to or today, today), updated_at=tx.now)
        units.save(tx, after)
        audit.record(tx, caller, Verb.DEACTIVATE_UNIT, row.id, before=row, after=after)
    else:
        changed = [(rule, _without(rule, row.id, tx.now)) for rule in rules_naming(tx, caller, row)]
        units.remove(tx, caller.account_id, row.id)
        share_rules.save_many(tx, [rule for _, rule in changed])
        audit.record_many(tx, caller, Verb.CHANGE_SHARE_RULE, [(rule.id, before, rule) for before, rule in changed])
        _forget_in_former_rules(tx, caller, row)
        audit.record(tx, caller, Verb.REMOVE_UNIT, row.id, before=row)
    recalculation.recalculate(tx, caller, [locked])
    return keeps_past


def rules_naming(tx: Tx, caller: Caller, row: UnitRow) -> list[RuleRow]:
    """List the property's share rules that give a unit a weight."""
    rules = share_rules.of_properties(tx, caller.account_id, [row.property_id])
    return [rule for rule in rules if rule.weights and row.id in json.loads(rule.weights)]


def _without(rule: RuleRow, unit_id: str, now: str) -> RuleRow:
    return rule._replace(weights=_weights_without(rule.weights, unit_id), updated_at=now)


def _forget_in_former_rules(tx: Tx, caller: Caller, row: UnitRow) -> None:
    """Delete a removed unit's weights from earlier versions of share rules."""
    former = share_rules.former_of_properties(tx, caller.account_id, [row.property_id])
    after = [version._replace(weights=_weights_without(version.weights, row.id)) for version in former]
    changed = {new.utility_type for version, new in zip(former, after, strict=True) if new != version}
    of = [(row.property_id, utility_type) for utility_type in sorted(changed)]
    share_rules.set_former(tx, caller.account_id, of, [version for version in after if version.utility_type in changed])


def _weights_without(weights: str | None, unit_id: str) -> str | None:
    given = json.loads(weights or "{}")
    return weights if unit_id not in given else json.dumps({unit: of for unit, of in given.items() if unit != unit_id})


def _refuse_taken_label(others: list[UnitRow], label_key: str, *, but_for: str | None) -> None:
    taken = next((row for row in others if row.label_key == label_key and row.id != but_for), None)
    if taken is not None:
        hint = " That unit is deactivated: use it again on its page." if taken.active_to else ""
        message = (
            f"This property already has a unit with this label. Choose another; capitals make no difference.{hint}"
        )
        raise Conflict(message, problems=[Problem("label", message)])


def _refuse_backwards(values: Mapping[str, Any]) -> None:
    since, until = values.get("active_from"), values.get("active_to")
    if since and until and since > until:
        raise InvalidRequest.because([Problem("activeTo", say("The last day must not be before the first day."))])


def decimal_text(value: Decimal | int | None) -> str | None:
    """Format a number such as a floor area as decimal text for storage.

    The text has no trailing zeros, and no exponent unless the value is tiny. It is rounded to the 17 digits that a
    JSON number can carry (RFC 8259 section 6).

    >>> decimal_text(Decimal("850.50")), decimal_text(Decimal("1E+3"))
    ('850.5', '1000')
    """
    if value is None:
        return None
    number = _DOUBLE.create_decimal(value).normalize(_DOUBLE)
    if not number:
        return "0"
    return format(number, "f") if number.adjusted() > -_DOUBLE.prec else str(number)
