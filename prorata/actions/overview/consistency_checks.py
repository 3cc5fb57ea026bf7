"""`prorata check`: every invariant of the stored data, verified from the records themselves.

Accounts are read one by one, and a few properties at a time, so that memory stays bounded. Each group of properties
is read from one state of the database, so that others can continue writing. A broken invariant is reported as a
sentence that names the record.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from prorata.actions.audit import chaining as audit_chains
from prorata.actions.overview.consistency_checks_of_corrections import of_corrections, reckoned_again, stored_of
from prorata.actions.overview.consistency_checks_of_earlier_invoices import of_earlier_invoices
from prorata.actions.overview.consistency_checks_of_explanations import of_explanations
from prorata.actions.overview.consistency_checks_of_jobs import of_jobs
from prorata.actions.overview.consistency_checks_of_mail import of_mail
from prorata.actions.overview.consistency_checks_of_months import of_month_as_stored, stored_month
from prorata.actions.overview.consistency_checks_of_payments import of_carries, of_ledgers, of_open_money
from prorata.actions.overview.consistency_checks_of_rights import of_rights
from prorata.actions.overview.consistency_checks_of_search import of_words
from prorata.actions.overview.consistency_checks_of_webhooks import of_told
from prorata.actions.recalculation import loaded_months
from prorata.actions.recalculation.month_loader import as_blend
from prorata.domain.accounts.settings import PLACE
from prorata.domain.groups import grouped
from prorata.domain.labels import same
from prorata.domain.money import in_figures
from prorata.domain.splitting.share_rules import problems_of_blend
from prorata.domain.splitting.split_methods import CUSTOM
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import Counts
from prorata.store.database.engine import Database, Tx
from prorata.store.invoices import invoices
from prorata.store.overview import consistency_checks
from prorata.store.overview.consistency_checks import TallyRow
from prorata.store.properties import properties, units
from prorata.store.properties.properties import PropertyRow
from prorata.store.properties.units import UnitRow
from prorata.store.recalculation import billing_months as months
from prorata.store.splitting import share_rules
from prorata.store.splitting.share_rules import RuleRow, VersionRow

AT_ONCE = 10_000
"""The approximate number of records checked together; a property-month is never divided."""


class Piece(NamedTuple):
    """A group of properties that is checked at once, in all months or in some.

    If a property's months are divided among several groups, `first` is set for the first; some checks run only then.
    """

    property_ids: list[str]
    months: list[str] | None = None
    first: bool = True


def check(database: Database) -> Iterator[str]:
    """Yield a sentence for every record that breaks an invariant; none if all are sound."""
    for account in database.read(accounts.everyone):
        yield from check_account(database, account.id)


def check_account(database: Database, account_id: str) -> Iterator[str]:
    """Yield a sentence for every record of one account that breaks an invariant."""
    yield from database.snapshot(lambda tx: list(_of_account(tx, account_id)))
    for piece in database.snapshot(lambda tx: list(pieces(tx, account_id))):
        yield from database.snapshot(partial(_of_piece, account_id=account_id, piece=piece))
    yield from audit_chains.check(database, account_id)


def pieces(tx: Tx, account_id: str, most: int = AT_ONCE) -> Iterator[Piece]:
    """Divide the account's properties into groups of at most `most` records.

    The months of a larger property are divided among several groups.
    """
    together: list[str] = []
    records = 0
    for size in consistency_checks.sizes(tx, account_id):
        if size.records > most:
            yield from _pieces_of_property(tx, account_id, size.property_id, most)
            continue
        if together and records + size.records > most:
            yield Piece(together)
            together, records = [], 0
        together.append(size.property_id)
        records += size.records + 1
    if together:
        yield Piece(together)


def _pieces_of_property(tx: Tx, account_id: str, property_id: str, most: int) -> Iterator[Piece]:
    named: list[str] = []
    records, first = 0, True
    for size in consistency_checks.month_sizes(tx, account_id, property_id):
        if named and records + size.invoices > most:
            yield Piece([property_id], named, first)
            named, records, first = [], 0, False
        named.append(size.month)
        records += size.invoices
    yield Piece([property_id], named, first)


# --- accounts ---------------------------------------------------------------------------------------------------------


def _of_account(tx: Tx, account_id: str) -> Iterator[str]:
    account = accounts.find(tx, account_id)
    if account is None:
        return  # closed since the list was read
    for what, counts, there in (
        ("properties", account.property_count, consistency_checks.count_properties(tx, account_id)),
        ("bills", account.bill_count, consistency_checks.count_bills(tx, account_id)),
    ):
        if counts != there:
            yield f"Account {account_id} counts {counts} {what}, but has {there}."
    for number in consistency_checks.numbered_twice(tx, account_id):
        yield f"Account {account_id} has more than one invoice with the number {number}."
    yield from _of_tallies(tx, account_id)
    yield from of_carries(tx, account_id)
    yield from of_open_money(tx, account_id)
    yield from of_jobs(tx, account_id)
    yield from of_mail(tx, account_id)
    yield from of_told(tx, account_id)


def _of_tallies(tx: Tx, account_id: str) -> Iterator[str]:
    """Check that the stored invoice counts by status match the counts of the months.

    The counts of each property, of each month and of the whole account are checked.
    """
    sums = {(row.property_id, row.month): _counts(row) for row in consistency_checks.sums_of_months(tx, account_id)}
    by_property = [counts for (property_id, _), counts in sums.items() if property_id]
    sums["", ""] = Counts(*map(sum, zip(*by_property, strict=True))) if by_property else Counts()
    kept = {(row.property_id, row.month): _counts(row) for row in consistency_checks.tallies(tx, account_id)}
    for key in sorted(sums.keys() | kept.keys()):
        there, counted = sums.get(key, Counts()), kept.get(key, Counts())
        if there != counted:
            of = f"property {key[0]}" if key[0] else f"month {key[1]}" if key[1] else "all invoices"
            yield f"Account {account_id}: the counts of {of} are {_said(counted)}, but should be {_said(there)}."


def _counts(row: TallyRow) -> Counts:
    return Counts(row.draft, row.sent, row.paid, row.overdue, row.cancelled)


def _said(counts: Counts) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts._asdict().items())


# --- properties -------------------------------------------------------------------------------------------------------


def _of_piece(tx: Tx, *, account_id: str, piece: Piece) -> list[str]:
    rows = properties.find_many(tx, account_id, piece.property_ids)
    problems = list(_of_records(tx, account_id, rows)) if piece.first else []
    loaded = loaded_months.with_facts(
        tx, account_id, rows, months.find_many(tx, account_id, piece.property_ids, piece.months)
    )
    if not loaded:
        return problems
    named = sorted({month.row.month for month in loaded})
    stored = invoices.of_months(tx, account_id, piece.property_ids, named)
    of_month = grouped(((invoice.property_id, invoice.month), invoice) for invoice in stored)
    everyone = [invoice_row for its in of_month.values() for invoice_row in its]
    charged = invoices.charges(tx, account_id, [invoice_row.id for invoice_row in everyone])
    charges = grouped((charge.invoice_id, charge) for charge in charged)
    account = accounts.find(tx, account_id)
    automatic = account is not None and account.corrections == PLACE
    corrected = stored_of(tx, account_id, loaded)
    reckoned = reckoned_again(tx, account_id, loaded, corrected, automatic=automatic)
    problems += of_corrections(corrected, reckoned, automatic=automatic)
    problems += [*of_ledgers(tx, account_id, everyone), *of_earlier_invoices(tx, account_id, everyone)]
    problems += of_explanations(tx, account_id, piece.property_ids, named, everyone, charges)
    for month in loaded:
        its = sorted(of_month[month.row.property_id, month.row.month], key=lambda invoice: invoice.id)
        try:
            as_stored = stored_month(month, its, charges, reckoned.get(month.row.key))
            problems += [*of_month_as_stored(as_stored), *of_rights(as_stored)]
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):  # broken data breaks the sums
            problems.append(f"The month {month.row.month} of property {month.row.property_id} cannot be computed.")
    return problems


def _of_records(tx: Tx, account_id: str, rows: Sequence[PropertyRow]) -> Iterator[str]:
    ids = [row.id for row in rows]
    for bill in consistency_checks.unequal_bills(tx, account_id, ids):
        yield f"Bill {bill.id}: its total is {in_figures(bill.total)}, but its lines sum to {in_figures(bill.lines)}."
    for line in consistency_checks.lines_apart(tx, account_id, ids):
        yield f"Line {line.number} of bill {line.bill_id} is in another property or month than its bill."
    for line in consistency_checks.lines_without_month(tx, account_id, ids):
        yield f"Line {line.number} of bill {line.bill_id} is in {line.month}, but there is no such billing month."
    for bill_id in consistency_checks.held_and_counting(tx, account_id, ids):
        yield f"Bill {bill_id} is held, but some of its lines count."
    for bill_id in consistency_checks.held_for_nothing(tx, account_id, ids):
        yield f"Bill {bill_id} is held, but has no open flag."
    for bill_id in consistency_checks.flags_apart(tx, account_id, ids):
        yield f"Bill {bill_id} has a flag in a different property."
    for tenant_id in consistency_checks.tenants_apart(tx, account_id, ids):
        yield f"Tenant {tenant_id} is in another property than the unit."
    of_property = grouped((unit.property_id, unit) for unit in units.of_properties(tx, account_id, ids))
    yield from _of_codes(tx, account_id, rows, of_property)
    yield from _of_rules(tx, account_id, ids, of_property)
    yield from of_words(tx, account_id, rows)


def _of_codes(
    tx: Tx, account_id: str, rows: Sequence[PropertyRow], of_property: dict[str, list[UnitRow]]
) -> Iterator[str]:
    """Check the short forms of properties and units, and the stored keys of unit labels.

    Short forms are the codes in invoice numbers; each must be recorded as used. Labels are compared by their keys.
    """
    used = properties.used_codes_of(tx, account_id, ["", *(row.id for row in rows)])
    for row in rows:
        if row.code not in used[""] or not _is_code(row.code):
            yield f"Property {row.id}: its short form is invalid, or is not marked as used."
        for unit in of_property[row.id]:
            if unit.code not in used[row.id] or not _is_code(unit.code):
                yield f"Unit {unit.id}: its short form is invalid, or is not marked as used."
            if unit.label_key != same(unit.label):
                yield f"Unit {unit.id}: its label is not stored in the form in which labels are compared."


def _is_code(code: str) -> bool:
    return code.isascii() and code.isalnum() and code == code.upper()


def _of_former_rules(
    rules: Sequence[RuleRow], former: Sequence[VersionRow], of_property: dict[str, list[UnitRow]]
) -> Iterator[str]:
    """Check that a rule's earlier versions start before the newest one.

    Their weights must be for units of the property.
    """
    newest = {(rule.property_id, rule.utility_type): rule.effective_from or "" for rule in rules}
    for version in former:
        named = f"Property {version.property_id}: a version of its rule for {version.utility_type}"
        if version.effective_from >= newest.get((version.property_id, version.utility_type), "~"):
            yield f"{named} is not before the newest."
        if (json.loads(version.weights) if version.weights else {}).keys() - {
            unit.id for unit in of_property[version.property_id]
        }:
            yield f"{named} has a weight for something that is not a unit of its property."


def _of_rules(tx: Tx, account_id: str, ids: list[str], of_property: dict[str, list[UnitRow]]) -> Iterator[str]:
    """Check a property's rules.

    There must be one rule per utility type, with weights only for the property's units, and with blends whose
    percentages sum to 100.
    """
    methods = {method.id: method for method in share_rules.methods(tx, account_id)}
    for method in methods.values():
        if problems_of_blend(as_blend(method.components)):
            yield f"Split method {method.id}: its percentages don't sum to 100, or a method appears in it twice."
    rules = share_rules.of_properties(tx, account_id, ids)
    yield from _of_former_rules(rules, share_rules.former_of_properties(tx, account_id, ids), of_property)
    for (property_id, utility_type), number in Counter((rule.property_id, rule.utility_type) for rule in rules).items():
        if number > 1:
            yield f"Property {property_id} has {number} share rules for {utility_type}."
    for rule in rules:
        weights = json.loads(rule.weights) if rule.weights else {}
        strangers = weights.keys() - {unit.id for unit in of_property[rule.property_id]}
        if strangers:
            yield f"Share rule {rule.id} has a weight for {min(strangers)}, which is no unit of its property."
        if any(Fraction(weight) < 0 for weight in weights.values()):
            yield f"Share rule {rule.id} has a negative weight."
        if rule.split_method_id and (rule.split_method_id not in methods or rule.split_method != CUSTOM):
            yield f"Share rule {rule.id}: its split method doesn't exist, or its splitMethod is not CUSTOM."
