"""Share rules of a property (docs/contract.md#share-rules, docs/decisions.md#share-rules)."""

from decimal import Decimal
from typing import Any

from msgspec import Struct

from prorata.actions.invoices import previews
from prorata.actions.splitting import share_rules
from prorata.actions.splitting.share_rules import ShownRule, Terms
from prorata.web.api.examples import RULE_SENT, TERMS_SENT
from prorata.web.http.list_schemas import RulesQuery, filters_of
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import MonthQuery, RuleChange, RuleCreate, RuleReplace, given, sent_fields
from prorata.web.http.response_schemas import Page, RuleVersion, ShareRule, part_of

_DEFAULTS: dict[str, Any] = {
    "split_method_id": None,
    "custom_weights_json": None,
    "owner_percent": Decimal(0),
    "vacant_occupants": Decimal(0),
}


def shown(rule: ShownRule) -> ShareRule:
    """Convert a share rule to the API's format."""
    row = rule.row
    return ShareRule(
        id=row.id,
        property_id=row.property_id,
        utility_type=row.utility_type,  # type: ignore[arg-type]
        **_terms(rule.terms),
        created_at=row.created_at,
        updated_at=row.updated_at,
        effective_from=row.effective_from,
        versions=[
            RuleVersion(effective_from=version.effective_from, **_terms(version.terms)) for version in rule.versions
        ],
    )


def _terms(terms: Terms) -> dict[str, Any]:
    return terms._asdict() | {"is_active": bool(terms.is_active)}


def _sent(body: Struct) -> tuple[dict[str, Any], str | None]:
    """Return the rule fields that a client sent, and the month from which these apply."""
    values = sent_fields(body)
    since = values.pop("effective_from", None)
    return values, since


@operation("GET", "/sharerules", at_once=True, summary="List share rules", query=RulesQuery, answer=Page[ShareRule])
def list_all_share_rules(call: Call[RulesQuery, None]) -> Page[ShareRule]:
    """List the share rules of all properties, in order of creation.

    Each rule is shown in its newest version, with all of its versions.
    """
    query = call.query
    rules = share_rules.listed(call.tx, call.caller, filters_of(query), query.window)
    return part_of([shown(rule) for rule in rules.rows], rules, query)


@operation(
    "GET", "/properties/{propertyId}/sharerules", summary="List a property's share rules", answer=list[ShareRule],
    query=MonthQuery, missing=("property",),
)  # fmt: skip
def list_share_rules(call: Call[MonthQuery, None]) -> list[ShareRule]:
    """List the share rules of a property, one per utility type, oldest first."""
    month, property_id = given(call.query.month), call.path["propertyId"]
    return [shown(rule) for rule in share_rules.of_property(call.tx, call.caller, property_id, month=month)]


@operation(
    "POST", "/properties/{propertyId}/sharerules", summary="Create or replace a share rule", body=RuleCreate,
    moves=previews.of_property, answer=ShareRule, status=201, missing=("property",), example=RULE_SENT,
)  # fmt: skip
def create_share_rule(call: Call[None, RuleCreate]) -> ShareRule:
    """Create a share rule for a utility type; an existing rule for it is replaced.

    The replaced rule's id is then no longer valid. If you send effectiveFrom, the replaced rule's versions for
    earlier months are kept. Open months are recalculated.
    """
    sent, since = _sent(call.body)
    values = _DEFAULTS | sent
    utility_type, property_id = values.pop("utility_type"), call.path["propertyId"]
    return shown(share_rules.create(call.tx, call.caller, property_id, utility_type, Terms(**values), since=since))


@operation(
    "GET", "/sharerules/{ruleId}", at_once=True, summary="Read a share rule", answer=ShareRule, query=MonthQuery,
    missing=("share rule",),
)  # fmt: skip
def read_share_rule(call: Call[MonthQuery, None]) -> ShareRule:
    """Read a share rule with all of its versions.

    The rule's fields are those of its newest version or, with `month`, of the version that applies in that month.
    """
    return shown(share_rules.find(call.tx, call.caller, call.path["ruleId"], month=given(call.query.month)))


@operation(
    "PATCH", "/sharerules/{ruleId}", summary="Change a share rule", body=RuleChange, answer=ShareRule,
    moves=previews.of_rule, missing=("share rule",), example={"splitMethod": "SQFT"},
)  # fmt: skip
def change_share_rule(call: Call[None, RuleChange]) -> ShareRule:
    """Change a share rule, except its utility type.

    If you send effectiveFrom, the change applies from that month: omitted fields keep their value from the version
    that applies in that month, and later versions are kept. Open months are recalculated.
    """
    values, since = _sent(call.body)
    return shown(share_rules.change(call.tx, call.caller, call.path["ruleId"], values, since=since))


@operation(
    "PUT", "/sharerules/{ruleId}", summary="Replace a share rule's terms", body=RuleReplace, answer=ShareRule,
    moves=previews.of_rule, missing=("share rule",), example=TERMS_SENT,
)  # fmt: skip
def replace_share_rule(call: Call[None, RuleReplace]) -> ShareRule:
    """Replace a share rule's split method, weights and `isActive` together.

    If you omit one of these, it takes its default. All other settings that you omit keep their value.
    """
    values, since = _sent(call.body)
    return shown(share_rules.replace(call.tx, call.caller, call.path["ruleId"], values, since=since))


@operation(
    "DELETE",
    "/sharerules/{ruleId}",
    summary="Delete a share rule",
    moves=previews.of_rule,
    status=204,
    missing=("share rule",),
)
def delete_share_rule(call: Call[None, None]) -> None:
    """Delete a share rule.

    Until there is another rule for its utility type, the owner bears that utility's bills. Open months are
    recalculated.
    """
    share_rules.remove(call.tx, call.caller, call.path["ruleId"])
