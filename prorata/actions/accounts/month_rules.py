"""The account's settings that decide the months of new bills."""

from typing import NamedTuple

from prorata.actions.accounts import accounts
from prorata.domain.accounts.settings import BY_ITSELF
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow


class MonthRules(NamedTuple):
    """The account's rules for the billing months of bills.

    With `goes_on`, late bills are automatically billed in the next open month.
    """

    rule: str
    goes_on: bool

    def of(self, its: PropertyRow) -> str:
        """Return the billing month rule of a property: its own, or the account's."""
        return its.billing_month_rule or self.rule


def read(tx: Tx, caller: Caller) -> MonthRules:
    """Load the rules for billing months of the caller's account."""
    account = accounts.the_account(tx, caller)
    return MonthRules(account.billing_month_rule, account.late_bills == BY_ITSELF)
