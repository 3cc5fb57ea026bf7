"""The names that tenants see for the lines of bills."""

from collections.abc import Mapping

from prorata.actions.limits import MOST_NAMES_OF_BILLS
from prorata.domain.billing_calendar import Month, months_back
from prorata.domain.bills import line_names
from prorata.domain.groups import grouped
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups
from prorata.store.database.engine import Tx

_MONTHS_BACK = 12


def of_month(tx: Tx, caller: Caller, property_id: str, month: str) -> Mapping[str, list[str]]:
    """Map utility types to the different names in the bills of a property-month."""
    stored = lookups.names_of_month(tx, caller.account_id, property_id, month)
    return grouped(pair for text in stored for pair in line_names.from_text(text))


def of_recent_bills(tx: Tx, caller: Caller, property_id: str, utility_type: str, today: Month) -> tuple[str, ...]:
    """List the names that recent bills of a property have for a utility type.

    The bills are those of the last 13 months.
    """
    since = months_back(today, _MONTHS_BACK)
    texts = lookups.recent_names(tx, caller.account_id, property_id, since=since, limit=MOST_NAMES_OF_BILLS)
    names = (name for text in texts for kind, name in line_names.from_text(text) if kind == utility_type)
    return tuple(dict.fromkeys(names))
