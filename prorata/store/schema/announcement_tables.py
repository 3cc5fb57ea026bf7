"""The table of rule announcements to households."""

from sqlalchemy import Index, String, Text

from prorata.domain.utility_names import UTILITY_TYPES
from prorata.store.schema.column_types import ID, MONTH, TIME, needed, of, one_of, owned

rule_announcement = owned(
    "rule_announcement",
    needed("property_id", ID),
    needed("utility_type", String(16)),
    needed("effective_from", MONTH),
    needed("mark", ID),
    needed("unit_id", ID),
    needed("unit_label", Text),
    needed("tenant_id", ID),
    needed("to_name", Text),
    needed("told", Text),
    needed("told_at", TIME),
    one_of("utility_type", UTILITY_TYPES),
    of("property", "property_id"),
    Index("ix_rule_announcement_property", "account_id", "property_id", "id"),
)
"""The announcements of rule changes to households.

`mark` identifies the rule change as it was announced, and `told` is the announcement, with subject and paragraphs, as
JSON. The names of unit and tenant are those at that time; the unit and the tenant may no longer exist. The `occasion`
of the message with the announcement is the id of this record.
"""
