"""The tables of sign-in: API keys, sessions, recovery codes, one-time links and mail counts.

The mail counts limit the messages of new accounts. The table of members is in `tables`.
"""

from sqlalchemy import Column, Index, Integer, String, Text, UniqueConstraint

from prorata.domain.accounts.api_keys import PERMISSIONS
from prorata.domain.accounts.one_time_links import LINK_KINDS
from prorata.domain.accounts.permissions import ROLES
from prorata.store.schema.column_types import DAY, ID, TIME, bytewise, needed, of, one_of, owned, table

LOOKUPS = frozenset({"uq_api_key_key_hash", "uq_session_token_hash", "uq_link_id"})
"""The columns by which the account of a request is found.

A request contains only an API key, a cookie with a session's token, or the id of a one-time link.
"""

api_key = owned(
    "api_key",
    needed("name", Text),
    needed("permission", String(8)),
    needed("key_hash", bytewise(64)),
    needed("last_four", String(4)),
    needed("created_at", TIME),
    Column("last_used_at", TIME),
    Column("expires_at", TIME),
    Column("revoked_at", TIME),
    needed("scopes", Text),
    UniqueConstraint("key_hash", name="key_hash"),
    one_of("permission", PERMISSIONS),
)

session = owned(
    "session",
    needed("member_id", ID),
    needed("token_hash", bytewise(64)),
    needed("created_at", TIME),
    needed("last_seen_at", TIME),
    needed("expires_at", TIME),
    needed("user_agent", Text),
    needed("address", Text),
    UniqueConstraint("token_hash", name="token_hash"),
    of("member", "member_id"),
    Index("ix_session_member", "account_id", "member_id", "id"),
)

recovery_code = owned(
    "recovery_code",
    needed("member_id", ID),
    needed("code_hash", bytewise(64)),
    of("member", "member_id"),
    key=("member_id", "code_hash"),
)

link = owned(
    "link",
    needed("kind", String(8)),
    Column("member_id", ID),
    needed("email", Text),
    Column("role", String(16)),
    needed("created_by", ID),
    needed("created_at", TIME),
    needed("expires_at", TIME),
    Column("used_at", TIME),
    UniqueConstraint("id", name="id"),
    one_of("kind", LINK_KINDS),
    one_of("role", ROLES),
    Index("ix_link_email", "account_id", "email", "kind"),
)

mail_day = owned("mail_day", needed("day", DAY), needed("number", Integer), key=("day",))

turn = table("turn", Column("name", ID, primary_key=True))
"""Rows that are locked when there is no other record to lock.

For example, such a lock ensures that only one person opens the first account.
"""
