"""The tables of share rules with their earlier versions, and of an account's blends."""

from sqlalchemy import Boolean, Column, ForeignKeyConstraint, Index, String, Text, UniqueConstraint

from prorata.domain.splitting.split_methods import METHODS
from prorata.domain.utility_names import UTILITY_TYPES
from prorata.store.schema.column_types import ID, MONTH, NUMBER, ORDER, TIME, needed, of, one_of, owned

split_method = owned(
    "split_method",
    needed("name", Text),
    needed("name_key", ORDER),
    needed("components", Text),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    UniqueConstraint("account_id", "name_key", name="name"),
)

share_rule = owned(
    "share_rule",
    needed("property_id", ID),
    needed("utility_type", String(16)),
    needed("split_method", String(16)),
    Column("split_method_id", ID),
    needed("is_active", Boolean),
    Column("weights", Text),
    needed("owner_percent", NUMBER),
    needed("vacant_occupants", NUMBER),
    needed("created_at", TIME),
    needed("updated_at", TIME),
    Column("effective_from", MONTH),
    UniqueConstraint("account_id", "property_id", "utility_type", name="type"),
    Index("ix_share_rule_split_method", "account_id", "split_method_id", "property_id"),
    Index("ix_share_rule_updated", "account_id", "updated_at", "id"),
    one_of("utility_type", UTILITY_TYPES),
    one_of("split_method", METHODS),
    of("property", "property_id"),
    ForeignKeyConstraint(["account_id", "split_method_id"], ["split_method.account_id", "split_method.id"]),
)

former_share_rule = owned(
    "former_share_rule",
    needed("property_id", ID),
    needed("utility_type", String(16)),
    needed("effective_from", MONTH),
    needed("split_method", String(16)),
    Column("split_method_id", ID),
    Column("components", Text),
    needed("is_active", Boolean),
    Column("weights", Text),
    needed("owner_percent", NUMBER),
    needed("vacant_occupants", NUMBER),
    Index("ix_former_share_rule_split_method", "account_id", "split_method_id"),
    one_of("utility_type", UTILITY_TYPES),
    one_of("split_method", METHODS),
    of("property", "property_id"),
    key=("property_id", "utility_type", "effective_from"),
)
"""The rule versions that were followed by another one, and the versions of deleted rules.

`effective_from` is empty if the version applied from the beginning. The components of a blend are stored here, too,
because the blend itself may be changed or deleted.
"""
