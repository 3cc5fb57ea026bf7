"""Loading of the facts of property-months, and conversion of stored rows to domain values."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, day_of, months_between
from prorata.domain.invoice_states import Standing
from prorata.domain.invoices.ledger import Entry
from prorata.domain.splitting.month_facts import (
    Line,
    MonthFacts,
    TenantRecord,
    UnitRecord,
    units_as_before,
    units_known,
    units_taking_part,
)
from prorata.domain.splitting.rule_versions import ALWAYS, in_force
from prorata.domain.splitting.share_rules import Component, Rule, rule_of
from prorata.domain.splitting.stays import LineDays, UnitFacts, of_month
from prorata.domain.usage import from_text
from prorata.store.bills import bills
from prorata.store.bills.bills import BilledLine
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceRow
from prorata.store.payments.payments import PaymentRow
from prorata.store.properties import units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import TenantRow, UnitRow
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, SplitMethodRow, VersionRow


class PropertyFacts(NamedTuple):
    """The facts from which a property's months are computed, except for the bill lines.

    `codes` maps units to their short forms in invoice numbers. `rules` maps each utility type to the rule versions by
    the month from which they apply; a version is None if there is no rule from then on. `tenants` maps ids to all
    tenants who ever lived there.
    """

    property: PropertyRow
    units: Mapping[str, UnitRecord]
    codes: Mapping[str, str]
    rules: Mapping[str, Mapping[str, Rule | None]]
    tenants: Mapping[str, TenantRecord]
    known: list[tuple[UnitFacts, ...]]
    """The units and stays that all never-closed months know, once requested."""

    def of_month(self, month: str, lines: Sequence[BilledLine], first_closed: str | None) -> MonthFacts:
        """Build the current facts of one month of the property."""
        types, divided = {line.utility_type for line in lines}, tuple(as_line(line) for line in lines)
        return MonthFacts(
            Month(month),
            self.property.currency,
            divided,
            {kind: rule for kind in types if kind and (rule := self.rule_in(month, kind))},
            units_taking_part(Month(month), divided, self._known(first_closed)),
        )

    def _known(self, first_closed: str | None) -> tuple[UnitFacts, ...]:
        if first_closed is not None:
            return units_known(self.units.values(), first_closed)
        if not self.known:
            self.known.append(units_known(self.units.values(), None))
        return self.known[0]

    def rule_in(self, month: str, utility_type: str) -> Rule | None:
        """Return the rule version that applies to a utility type in a billing month."""
        return in_force(self.rules.get(utility_type, {}), month)

    def as_before(self, facts: MonthFacts, first_closed: str | None) -> MonthFacts:
        """Reduce a month's facts to those that older versions of Prorata stored at closing.

        Use it only for months that were closed by such a version.
        """
        return facts._replace(units=units_as_before(facts.month, self.units.values(), first_closed))

    def bills_month(self, month: str) -> bool:
        """True if bills of this month are charged, instead of being kept as history.

        This is decided by the property's first month to bill (billingStartsMonth).
        """
        return self.property.billing_starts_month is None or month >= self.property.billing_starts_month


def load(tx: Tx, account_id: str, properties: Sequence[PropertyRow]) -> dict[str, PropertyFacts]:
    """Map ids to the facts of these properties, loaded in five SQL statements in total."""
    ids = [row.id for row in properties]
    stays: dict[str, list[TenantRow]] = defaultdict(list)
    for tenant in units.tenants_of_properties(tx, account_id, ids):
        stays[tenant.unit_id].append(tenant)
    of_property: dict[str, list[UnitRow]] = defaultdict(list)
    for unit in units.of_properties(tx, account_id, ids):
        of_property[unit.property_id].append(unit)
    methods = {method.id: method for method in share_rules.methods(tx, account_id)}
    rules: dict[str, dict[str, dict[str, Rule | None]]] = defaultdict(lambda: defaultdict(dict))
    versions: list[RuleRow | VersionRow] = [*share_rules.of_properties(tx, account_id, ids)]
    versions += share_rules.former_of_properties(tx, account_id, ids)
    for version in versions:
        rule = as_rule(version, methods) if version.is_active else None
        rules[version.property_id][version.utility_type][version.effective_from or ALWAYS] = rule
    return {row.id: _facts_of(row, of_property[row.id], stays, rules[row.id]) for row in properties}


def _facts_of(
    row: PropertyRow,
    of_property: Sequence[UnitRow],
    stays: Mapping[str, Sequence[TenantRow]],
    rules: Mapping[str, Mapping[str, Rule | None]],
) -> PropertyFacts:
    records = {unit.id: as_unit(unit, stays.get(unit.id, ())) for unit in of_property}
    tenants = {tenant.tenant_id: tenant for unit in records.values() for tenant in unit.tenants}
    return PropertyFacts(row, records, {unit.id: unit.code for unit in of_property}, rules, tenants, [])


def lines_by_month(
    tx: Tx, account_id: str, property_ids: list[str], months: list[str]
) -> dict[tuple[str, str], list[BilledLine]]:
    """Map (property, month) to the month's bill lines, those of older bills first."""
    lines: dict[tuple[str, str], list[BilledLine]] = defaultdict(list)
    for line in bills.billed_lines(tx, account_id, property_ids, months):
        lines[line.property_id, line.month].append(line)
    return lines


def as_line(line: BilledLine) -> Line:
    """Convert a stored bill line to the domain's `Line`."""
    return Line(
        line.bill_id,
        line.number,
        line.amount,
        line.utility_type,
        line.issuer_name,
        date.fromisoformat(line.bill_date),
        line.bill_total,
        line.guessed,
        line.days,
        line.of_days,
        _service_days(line),
        dict(from_text(line.usage)).get(line.utility_type or ""),
    )


def _service_days(line: BilledLine) -> LineDays | None:
    """Return a line's service days; None means the days of its billing month.

    Each line of a spread bill is for one month of the service period. The lines are in the order of these months,
    even if they are charged in other months.
    """
    start, end = day_of(line.service_start), day_of(line.service_end)
    if start is None or end is None:
        return None
    if line.days is None:
        return LineDays(start, end)
    months = list(months_between(start, end))
    of = of_month(months[(line.number - 1) % len(months)])
    return LineDays(max(start, of.first), min(end, of.last))


def as_unit(unit: UnitRow, tenants: Iterable[TenantRow]) -> UnitRecord:
    """Convert a stored unit with its tenants to the domain's `UnitRecord`."""
    return UnitRecord(
        unit.id,
        unit.label,
        None if unit.sqft is None else _measure(unit.sqft),
        unit.bedrooms,
        day_of(unit.active_from),
        day_of(unit.active_to),
        unit.created_at,
        tuple(map(as_tenant, tenants)),
    )


def as_tenant(tenant: TenantRow) -> TenantRecord:
    """Convert a stored tenant to the domain's `TenantRecord`."""
    return TenantRecord(
        tenant.id,
        tenant.name,
        tenant.mail_address,
        day_of(tenant.move_in),
        day_of(tenant.move_out),
        tenant.occupants,
        added=tenant.created_at,
    )


def as_rule(rule: RuleRow | VersionRow, methods: Mapping[str, SplitMethodRow]) -> Rule:
    """Convert a stored share rule, or an earlier version of it, to the domain's `Rule`."""
    weights: dict[str, str] = json.loads(rule.weights) if rule.weights else {}
    components = rule.components if isinstance(rule, VersionRow) else None
    if components is None and rule.split_method_id:
        components = methods[rule.split_method_id].components
    blend = as_blend(components) if components else ()
    since = rule.effective_from or None
    return rule_of(
        rule.utility_type, rule.split_method, weights, rule.owner_percent, rule.vacant_occupants, blend, since
    )


def as_blend(components: str) -> tuple[Component, ...]:
    """Decode a blend's stored components: split methods with percentages."""
    return tuple(Component(method, Fraction(percent)) for method, percent in json.loads(components))


@lru_cache(maxsize=10_000)
def _measure(text: str) -> Fraction:
    return Fraction(text)


def standing_of(invoice: InvoiceRow) -> Standing:
    """Return the status, amounts and dates of a stored invoice as the domain's `Standing`."""
    return Standing(
        status=invoice.status,
        total=invoice.total,
        invoice_date=date.fromisoformat(invoice.invoice_date),
        due_date=day_of(invoice.due_date),
        payment_status=invoice.payment_status,
        paid_amount=invoice.paid_amount,
        paid_by_status=invoice.paid_by_status,
        paid_at=invoice.paid_at,
        issued=bool(invoice.issued),
    )


def with_standing(invoice: InvoiceRow, standing: Standing) -> InvoiceRow:
    """Return a stored invoice with the status, amounts and dates of a `Standing`."""
    return invoice._replace(
        status=standing.status,
        invoice_date=standing.invoice_date.isoformat(),
        due_date=standing.due_date.isoformat() if standing.due_date else None,
        payment_status=standing.payment_status,
        paid_amount=standing.paid_amount,
        paid_by_status=standing.paid_by_status,
        paid_at=standing.paid_at,
        issued=standing.issued,
    )


def as_entry(row: PaymentRow) -> Entry:
    """Convert a stored ledger entry to the domain's `Entry`."""
    return Entry(row.id, row.kind, row.amount, row.at, row.reverses)
