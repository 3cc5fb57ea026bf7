"""Accounts: opening one, finding one, and the day it is there."""

from datetime import date

from prorata.actions import recurring
from prorata.domain.clockwork import day_in
from prorata.domain.lifecycle import FIRST_PAYMENT_TERMS
from prorata.errors import Conflict, NotFound
from prorata.ids import is_id
from prorata.store import accounts
from prorata.store.accounts import AccountRow, MemberRow
from prorata.store.audit import Caller
from prorata.store.engine import Tx


def open_account(
    tx: Tx, *, name: str, email: str, password_hash: str, timezone: str, locale: str, currency: str
) -> AccountRow:
    """Open an account with its owner. Raises `Conflict` when the address already belongs to one."""
    if accounts.find_by_email(tx, email.lower()):
        raise Conflict("There is already an account with this e-mail address.")
    row = AccountRow(
        id=tx.new_id("acct"),
        name=name,
        timezone=timezone,
        locale=locale,
        currency=currency,
        address="",
        contact=email,
        payment_terms=FIRST_PAYMENT_TERMS,
        late_bills="ask",
        property_count=0,
        bill_count=0,
        created_at=tx.now,
        updated_at=tx.now,
    )
    accounts.add(tx, row, MemberRow(row.id, tx.new_id("member"), email.lower(), password_hash, "owner", tx.now))
    recurring.begin(tx, row)
    return row


def find_account(tx: Tx, named: str) -> AccountRow:
    """The account that an operator names by id or by its owner's e-mail address. Raises `NotFound`."""
    account_id = named if is_id(named, "acct") else accounts.find_by_email(tx, named.strip().lower())
    row = accounts.find(tx, account_id) if account_id else None
    if row is None:
        raise NotFound("account")
    return row


def the_account(tx: Tx, caller: Caller) -> AccountRow:
    """The caller's own account."""
    row = accounts.find(tx, caller.account_id)
    assert row is not None, "a caller's account is there"
    return row


def today_in(account: AccountRow, tx: Tx) -> date:
    """The day it is in the account's time zone."""
    return day_in(tx.moment, account.timezone)


def today(tx: Tx, caller: Caller) -> date:
    """The day it is in the time zone of the caller's account."""
    return today_in(the_account(tx, caller), tx)
