"""Properties: creating, changing and deleting them.

Each new property gets a share rule for each of the seven utility types.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.limits import MOST_PROPERTIES_TO_CHOOSE_FROM
from prorata.actions.lists import walks
from prorata.actions.lists.walks import Listed, Window
from prorata.actions.online_payments import payment_links
from prorata.actions.properties.property_export import export_of
from prorata.actions.recalculation import recalculation
from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO, cleaned, pay_to_of, pay_to_problems
from prorata.domain.accounts.settings import BillingMonthRule
from prorata.domain.audit.verbs import Verb
from prorata.domain.countries import COUNTRIES, address_lines
from prorata.domain.invoices.open_money import OpenMoney
from prorata.domain.labels import natural_order, unused_code
from prorata.domain.money import CENTS
from prorata.domain.problems import problems_of_month
from prorata.domain.properties.property_names import KnownProperty
from prorata.domain.texts import say
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.errors import Conflict, InvalidRequest
from prorata.ports import Archive
from prorata.store.accounts import accounts, open_money
from prorata.store.accounts.accounts import AccountRow, Counts
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.invoices import invoices, open_money as open_invoices
from prorata.store.jobs import jobs
from prorata.store.online_payments import provider_events
from prorata.store.payments import payments
from prorata.store.properties import properties, search_words, units
from prorata.store.properties.properties import PropertyRow, UsedCode
from prorata.store.recalculation import billing_months as months
from prorata.store.recalculation.billing_months import MonthRow
from prorata.store.splitting import share_rules
from prorata.store.webhooks import event_outbox


class DeletedProperty(NamedTuple):
    """The audit note of a deleted property, without personal data.

    It contains counts, and amounts in cents in the property's currency.
    """

    name: str
    address: str
    currency: str
    units: int
    tenants: int
    bills: int
    invoices: int
    sent_invoices: int
    money_received: int


class NewProperty(NamedTuple):
    """A property to create; if it names no currency, it gets its country's currency."""

    name: str
    street_number: str
    street: str
    city: str
    state: str
    zip: str
    country: str
    currency: str | None = None
    billing_starts_month: str | None = None
    billing_month_rule: BillingMonthRule | None = None


def page(tx: Tx, caller: Caller, *, limit: int, offset: int) -> tuple[list[PropertyRow], int]:
    """List one page of the account's properties in order of creation; count all of them."""
    total = account_actions.the_account(tx, caller).property_count
    return properties.page(tx, caller.account_id, limit=limit, offset=offset), total


def listed(tx: Tx, caller: Caller, window: Window) -> Listed[PropertyRow]:
    """List a window of the account's properties in order of creation."""
    return walks.listed(
        tx, caller, properties.PROPERTIES, {}, window,
        page=lambda: page(tx, caller, limit=window.limit, offset=window.offset),
        found=lambda ids: properties.find_many(tx, caller.account_id, ids),
    )  # fmt: skip


def to_choose_from(tx: Tx, caller: Caller) -> list[PropertyRow]:
    """List the account's properties by name, for a person to choose from.

    The list is empty if there are too many properties.
    """
    if account_actions.the_account(tx, caller).property_count > MOST_PROPERTIES_TO_CHOOSE_FROM:
        return []
    return sorted(properties.all_of(tx, caller.account_id), key=lambda row: natural_order(row.name))


def likely_country(tx: Tx, caller: Caller) -> str:
    """Return the likely country of a new property.

    It is the country of the newest property or, if there is none, that of the account's locale.
    """
    total = account_actions.the_account(tx, caller).property_count
    last = properties.page(tx, caller.account_id, limit=1, offset=total - 1) if total else []
    if last:
        return last[0].country
    return country_of(account_actions.the_account(tx, caller))


def country_of(account: AccountRow) -> str:
    """Return the country in an account's locale; empty if the locale has none."""
    territory = account.locale.replace("_", "-").rpartition("-")[2].upper()
    return territory if territory in COUNTRIES else ""


def countries_of(tx: Tx, caller: Caller) -> set[str]:
    """List the known countries of the account and of its properties."""
    country = country_of(account_actions.the_account(tx, caller))
    return {*properties.countries(tx, caller.account_id)} | ({country} if country else set())


def create(tx: Tx, caller: Caller, new: NewProperty) -> PropertyRow:
    """Create a property with an active EQUAL rule for each of the seven utility types.

    EQUAL splits bills equally among the units (docs/decisions.md#share-rules).
    """
    return create_many(tx, caller, [new])[0]


def create_many(tx: Tx, caller: Caller, new: Sequence[NewProperty]) -> list[PropertyRow]:
    """Create properties in the given order, each as `create` does.

    Raises `InvalidRequest` for an invalid first month to bill.
    """
    if problems := [
        it for new_property in new for it in problems_of_month("billingStartsMonth", new_property.billing_starts_month)
    ]:
        raise InvalidRequest.because(problems)
    if not new:
        return []
    account = account_actions.the_account(tx, caller)
    accounts.lock(tx, account.id)  # two with the same name at once would take the same code
    codes, rows = properties.used_codes(tx, account.id), list[PropertyRow]()
    for new_property in new:
        rows.append(_row(tx, account, new_property, unused_code(new_property.name, "P", codes)))
        codes.add(rows[-1].code)
    properties.add_many(tx, rows)
    search_words.add_new(tx, [word for row in rows for word in search_words.of_property(row)])
    properties.use_codes(tx, account.id, [UsedCode("", row.code) for row in rows])
    accounts.count(tx, account.id, properties=len(rows))
    share_rules.add_many(
        tx,
        [share_rules.equal(tx, row.account_id, row.id, utility_type) for row in rows for utility_type in UTILITY_TYPES],
    )
    audit.record_many(tx, caller, Verb.CREATE_PROPERTY, [(row.id, None, row) for row in rows])
    return rows


def _row(tx: Tx, account: AccountRow, new: NewProperty, code: str) -> PropertyRow:
    return PropertyRow(
        account_id=account.id,
        id=tx.new_id("prop"),
        name=new.name,
        street_number=new.street_number,
        street=new.street,
        city=new.city,
        state=new.state,
        zip=new.zip,
        country=new.country,
        currency=new.currency or currency_of(new.country, account.currency),
        code=code,
        is_active=True,
        billing_starts_month=new.billing_starts_month,
        billing_month_rule=new.billing_month_rule,
        created_at=tx.now,
        updated_at=tx.now,
    )


def currency_of(country: str, otherwise: str) -> str:
    """Return the currency of a country, or `otherwise` if Prorata does not support it.

    A supported currency has two decimal places (docs/decisions.md#currency).
    """
    its = COUNTRIES[country]
    return its.currency if its.minor_digits == CENTS else otherwise


def change(
    tx: Tx, caller: Caller, property_id: str, changes: dict[str, Any], *, seen: str | None = None
) -> PropertyRow:
    """Change some fields of a property; `changes` maps columns to new values.

    A changed country also changes the currency, until the property has bills, or invoices that bind it to its
    currency. `seen` is the time of the property's latest change that the user saw (`access.require_seen`). Raises
    `Conflict` if the currency can't be changed any more, and `InvalidRequest` for invalid payment instructions or an
    invalid first month to bill.
    """
    row = access.property_to_change(tx, caller, property_id)
    access.require_seen(row.updated_at, seen)
    after = row._replace(**(changes | cleaned({name: changes[name] for name in PAY_TO if name in changes})))
    problems = [
        problem._replace(field=f"pay{problem.field.removeprefix('pay_').capitalize()}")
        for problem in pay_to_problems(pay_to_of(after))
    ]
    if after.billing_starts_month != row.billing_starts_month:
        problems += problems_of_month("billingStartsMonth", after.billing_starts_month)
    if problems:
        raise InvalidRequest.because(problems)
    if after == row:
        return row
    may_matter = (after.country, after.currency) != (row.country, row.currency)
    fixed_by = _holding_currency(tx, row) if may_matter else None
    if after.currency != row.currency and fixed_by:
        raise Conflict(
            say("This property already has {fixed_by}, so its currency can no longer be changed.", fixed_by=fixed_by)
        )
    if after.country != row.country and "currency" not in changes and not fixed_by:
        account = account_actions.the_account(tx, caller)
        after = after._replace(currency=currency_of(after.country, account.currency))
    after = after._replace(updated_at=tx.now)
    properties.save(tx, after)
    if search_words.of_property(after) != search_words.of_property(row):
        search_words.replace(tx, row, search_words.of_property(after))
    audit.record(tx, caller, Verb.CHANGE_PROPERTY, row.id, before=row, after=after)
    if after.billing_starts_month != row.billing_starts_month:
        _start_months(tx, caller, [after])
        recalculation.recalculate(tx, caller, [after])
    return after


def _holding_currency(tx: Tx, row: PropertyRow) -> str | None:
    """Return the kind of records that bind a property to its currency, if any.

    They are bills, and invoices without bills that were sent or that have payments or custom charges. In another
    currency, the amounts of these records would have a different value.
    """
    if bills.property_has_bills(tx, row.account_id, row.id):
        return "bills"
    return "invoices" if invoices.ids_of_property(tx, row.account_id, row.id) else None


def bill_from(tx: Tx, caller: Caller, rows: Sequence[PropertyRow], month: str) -> None:
    """Set the first month to bill of locked properties, and recalculate their months."""
    after = [row._replace(billing_starts_month=month, updated_at=tx.now) for row in rows]
    properties.save_many(tx, after)
    pairs = zip(rows, after, strict=True)
    audit.record_many(tx, caller, Verb.CHANGE_PROPERTY, [(new.id, old, new) for old, new in pairs])
    _start_months(tx, caller, after)
    recalculation.recalculate(tx, caller, after)


def _start_months(tx: Tx, caller: Caller, rows: Sequence[PropertyRow]) -> None:
    """Create the billing months of bill lines that are no longer history."""
    starts = {row.id: row.billing_starts_month or "" for row in rows}
    with_lines = bills.months_of_lines(tx, caller.account_id, list(starts))
    started = [(property_id, month) for property_id, month in with_lines if month >= starts[property_id]]
    recalculation.start(tx, caller, rows, started)


def remove(tx: Tx, caller: Caller, property_id: str, archive: Archive) -> None:
    """Delete a property with its units, tenants, bills and invoices for good.

    An export is archived first. The content of audit log entries about the property's people is deleted. The actions,
    their actors and the numbers of deleted records stay in the audit log.
    """
    row = access.property_to_change(tx, caller, property_id)
    archive.keep(f"{row.id}.json", export_of(tx, caller, row))
    account_id = caller.account_id
    of_property = months.lock_many(tx, account_id, [row.id])
    gone = {
        (row.id, month.month): Counts(-month.draft, -month.sent, -month.paid, -month.overdue, -month.cancelled)
        for month in of_property
    }
    bill_count = bills.count_of_property(tx, account_id, row.id)
    deleted = _as_deleted(tx, row, of_property, bill_count)
    of_invoices = invoices.ids_of_property(tx, account_id, row.id)
    open_before = open_invoices.of_property(tx, account_id, row.id)
    jobs.forget_about(tx, account_id, of_invoices)
    payment_links.close_all(tx, account_id, of_invoices)
    provider_events.ask_no_more(tx, account_id, of_invoices)
    payments.keep_marks(tx, account_id, row.id)
    properties.remove(tx, account_id, row.id)
    accounts.add_to_invoice_counts(tx, account_id, gone)
    for of in open_before:
        open_money.add(tx, account_id, {of.currency: OpenMoney(*(-number for number in of.money))})
    accounts.count(tx, account_id, properties=-1, bills=-bill_count)
    audit.forget_property(tx, account_id, row.id)
    event_outbox.forget_property(tx, account_id, row.id)
    audit.record(tx, caller, Verb.DELETE_PROPERTY, row.id, before=deleted)


def _as_deleted(tx: Tx, row: PropertyRow, of_property: Sequence[MonthRow], bill_count: int) -> DeletedProperty:
    lines = address_lines(row.street_number, row.street, row.city, row.state, row.zip, row.country)
    sent = sum(month.sent + month.paid + month.overdue for month in of_property)
    return DeletedProperty(
        name=row.name,
        address=", ".join(lines),
        currency=row.currency,
        units=units.count(tx, row.account_id, row.id),
        tenants=units.count_tenants(tx, row.account_id, row.id),
        bills=bill_count,
        invoices=sent + sum(month.draft + month.cancelled for month in of_property),
        sent_invoices=sent,
        money_received=sum(month.received for month in of_property),
    )


def that_rows_name(tx: Tx, caller: Caller) -> list[KnownProperty]:
    """List the account's properties with the names by which a file may refer to them."""
    return [_as_named(row) for row in properties.all_of(tx, caller.account_id)]


def _as_named(row: PropertyRow) -> KnownProperty:
    street = " ".join(filter(None, (row.street_number, row.street)))
    region = " ".join(filter(None, (row.state, row.zip)))
    address = ", ".join(filter(None, (street, row.city, region)))
    return KnownProperty(row.id, row.name, address, row.country, row.currency)
