"""The utility terms of a lease: its share rules and twelve earlier months' bills."""

from collections.abc import Collection
from datetime import date

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.recalculation import month_loader
from prorata.domain.printing.lease_pages import PrintedLease
from prorata.domain.printing.printed_invoices import Biller, Place
from prorata.domain.splitting.lease_terms import LeaseTerms, lease_terms, months_of_average
from prorata.domain.splitting.month_facts import units_known
from prorata.store.accounts import letterheads
from prorata.store.audit.audit import Caller
from prorata.store.bills import bills
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow


def find(
    tx: Tx, caller: Caller, property_id: str, day: date | None = None, utilities: Collection[str] = ()
) -> PrintedLease:
    """Load the utility terms for a property's leases as of a day, by default today.

    If no `utilities` are chosen, they are the ones in use (`LeaseTerms.only`). Raises `NotFound` if there is no such
    property.
    """
    row = access.property_(tx, caller, property_id)
    account = account_actions.the_account(tx, caller)
    return PrintedLease(
        terms_of(tx, row, day or account_actions.today_in(account, tx)).only(utilities),
        Biller(account.name, account.address, account.contacts),
        Place(row.name, row.street_number, row.street, row.city, row.state, row.zip, row.country),
        account.locale,
        letterheads.of_account(tx, account.id),
        account.answer_days,
    )


def terms_of(tx: Tx, row: PropertyRow, day: date) -> LeaseTerms:
    """Build the utility terms for a property's leases as of a day."""
    facts = month_loader.load(tx, row.account_id, [row])[row.id]
    billed = bills.billed_lines(tx, row.account_id, [row.id], [*months_of_average(day)])
    lines = bills.lines_of_bills(tx, row.account_id, list(dict.fromkeys(line.bill_id for line in billed)))
    divided = ((line.utility_type, line.bill_id, line.amount) for line in lines if line.utility_type is not None)
    return lease_terms(day, row.currency, facts.rules, units_known(facts.units.values(), None), divided)
