"""The first month to which a rule change applies if the change names no month.

See docs/decisions.md#dated-rules.
"""

from prorata.actions.accounts import accounts
from prorata.domain.accounts.settings import PLACE
from prorata.domain.billing_calendar import Month, next_month
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.recalculation import corrections


def begins(tx: Tx, caller: Caller, property_ids: list[str]) -> dict[str, str]:
    """Map properties to the month from which a rule change that names no month applies.

    It is the month after the property's last closed one. A property without a closed month is left out. All
    properties are left out if the account does not charge corrections automatically. In a property that is left out,
    the change replaces the newest version of the rule.
    """
    if accounts.the_account(tx, caller).corrections != PLACE:
        return {}
    return after_closed(tx, caller, property_ids)


def after_closed(tx: Tx, caller: Caller, property_ids: list[str]) -> dict[str, str]:
    """Map properties to the month after their last closed one.

    Properties without a closed month are left out.
    """
    tx.catch_up()
    closed: dict[str, str] = {}
    for state in corrections.month_states(tx, caller.account_id, property_ids):
        if state.is_closed:
            closed[state.property_id] = state.month
    return {property_id: next_month(Month(month)) for property_id, month in closed.items()}
