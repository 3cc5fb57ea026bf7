"""The names that tenants see for the lines of a month's bills."""

from collections.abc import Mapping

from prorata.domain.bills import line_names
from prorata.domain.groups import grouped
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups
from prorata.store.database.engine import Tx


def of_month(tx: Tx, caller: Caller, property_id: str, month: str) -> Mapping[str, list[str]]:
    """Map utility types to the different names in the bills of a property-month."""
    stored = lookups.names_of_month(tx, caller.account_id, property_id, month)
    return grouped(pair for text in stored for pair in line_names.from_text(text))
