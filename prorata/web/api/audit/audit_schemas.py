"""The audit log in the form of the API."""

from typing import Annotated

from msgspec import Meta, Raw

from prorata.web.http.response_schemas import Answer, Timestamp

Noted = Annotated[Raw | None, Meta(extra_json_schema={"type": ["object", "null"], "additionalProperties": True})]
Digest = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]


class ChainPlace(Answer):
    """An audit log entry's position in the hash chain; docs/audit-log.md explains the digests."""

    number: Annotated[int, Meta(description="From 1, without gaps, in the order in which changes were committed.")]
    salt: Annotated[
        str | None, Meta(description="What the digest of the contents begins with; null once these were blanked.")
    ]
    contents: Annotated[Digest, Meta(description="The SHA-256 of the salt and of what was before and after.")]
    hash: Annotated[Digest, Meta(description="The SHA-256 of the entry and of the hash of the one before it.")]


class ChangedField(Answer):
    """A changed field, by the API's name and in its format."""

    field: Annotated[str, Meta(description="Its name in the API, such as moveInDate.")]
    before: Annotated[str | None, Meta(description="What it was, as text; null where there was nothing.")]
    after: Annotated[str | None, Meta(description="What it became, as text.")]


class AuditEntry(Answer):
    """An action, with its actor and the affected record."""

    id: str
    at: Timestamp
    actor: Annotated[str, Meta(description="Who did it: a member, an API key, or a part of Prorata.")]
    actor_name: str
    action: str
    says: Annotated[str, Meta(description="What was done, as the dashboard says it.")]
    record_id: str
    property_id: str | None
    before: Annotated[Noted, Meta(description="The stored fields of the record as it was; null where there was none.")]
    after: Annotated[
        Noted, Meta(description="What it became. Both are null once what they said of people was blanked.")
    ]
    chain: Annotated[ChainPlace | None, Meta(description="null for some seconds, until it is chained.")]
    changes: Annotated[list[ChangedField], Meta(description="What differs, in the names and forms of the API.")]


class AuditLog(Answer):
    """A part of the audit log, newest first."""

    data: list[AuditEntry]
    next: Annotated[
        str | None, Meta(description="The `before` of what follows, also where nothing is here; null at the end.")
    ]
