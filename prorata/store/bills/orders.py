"""The orders in which bills are listed."""

from sqlalchemy import and_, bindparam

from prorata.store.database.list_orders import by_no_index
from prorata.store.database.list_steps import Group, Groups
from prorata.store.database.walks import Walked
from prorata.store.schema.joins import named_by
from prorata.store.schema.tables import bill, property_

DATE, TOTAL, ISSUER, DUE, BY_PROPERTY, BY_MONTH = "date", "total", "issuer", "due", "property", "month"
_by_id = Group((bill.c.id,))
SORTS: dict[str, Groups] = {
    DATE: (Group((bill.c.bill_date,), down=True), _by_id),
    TOTAL: (Group((bill.c.total, bill.c.id)),),
    ISSUER: (Group((bill.c.issuer_name, bill.c.id)),),
    DUE: (Group((bill.c.due_date, bill.c.id), may_lack=True),),
    BY_PROPERTY: (Group((property_.c.name_key,)), _by_id),
    BY_MONTH: (Group((bill.c.first_month, bill.c.id), may_lack=True),),
}
ITS_PROPERTY = named_by(property_, bill.c.property_id)
BILLS_OF_PROPERTIES = property_.join(
    bill, and_(property_.c.account_id == bindparam("account"), bill.c.property_id == by_no_index(property_.c.id))
)
"""The join of properties with their bills that reads the properties first, by their index."""
BILLS = Walked("bills", bill, bill.c.account_id, SORTS[DATE], bill.c.updated_at)
