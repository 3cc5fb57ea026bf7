"""The account's settings that decide in which months new bills are billed."""

from typing import NamedTuple

from prorata.actions.accounts import accounts
from prorata.domain.accounts.settings import BY_ITSELF
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow


class MonthRules(NamedTuple):
    """The account's default billing month rule, and the setting for late bills.

    If `goes_on` is true, late bills are automatically billed in the next open month.
    """

    rule: str
    goes_on: bool

    def of(self, its: PropertyRow) -> str:
        """Return a property's own billing month rule, or the account's if the property has none."""
        return its.billing_month_rule or self.rule


def read(tx: Tx, caller: Caller) -> MonthRules:
    """Load the settings of the caller's account that decide billing months."""
    account = accounts.the_account(tx, caller)
    return MonthRules(account.billing_month_rule, account.late_bills == BY_ITSELF)
