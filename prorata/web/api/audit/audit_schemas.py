"""The audit log in the API's format."""

from typing import Annotated

from msgspec import Meta, Raw

from prorata.web.http.response_schemas import Answer, Timestamp

Noted = Annotated[Raw | None, Meta(extra_json_schema={"type": ["object", "null"], "additionalProperties": True})]
Digest = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]


class ChainPlace(Answer):
    """An audit log entry's position in the hash chain; docs/audit-log.md explains the digests."""

    number: Annotated[
        int, Meta(description="The entry's number, from 1 without gaps, in the order in which changes were committed.")
    ]
    salt: Annotated[
        str | None,
        Meta(
            description="The text that precedes the contents when their digest is computed; null once "
            "they have been blanked."
        ),
    ]
    contents: Annotated[
        Digest, Meta(description="The SHA-256 digest of the salt and the values before and after the change.")
    ]
    hash: Annotated[Digest, Meta(description="The SHA-256 digest of the entry and of the previous entry's hash.")]


class ChangedField(Answer):
    """A field's value before and after a change, with the field's name in the API."""

    field: Annotated[str, Meta(description="The field's name in the API, such as moveInDate.")]
    before: Annotated[str | None, Meta(description="The previous value, as text; null if there was none.")]
    after: Annotated[str | None, Meta(description="The new value, as text.")]


class AuditEntry(Answer):
    """An action, with the affected record and the person or program that performed it."""

    id: str
    at: Timestamp
    actor: Annotated[str, Meta(description="Who performed the action: a member, an API key, or a part of Prorata.")]
    actor_name: str
    action: str
    says: Annotated[str, Meta(description="A description of the action, as shown in the dashboard.")]
    record_id: str
    property_id: str | None
    before: Annotated[
        Noted, Meta(description="The record's stored fields before the change; null if there was no record.")
    ]
    after: Annotated[
        Noted,
        Meta(
            description="The record's stored fields after the change. Both are null once personal details "
            "have been blanked."
        ),
    ]
    chain: Annotated[ChainPlace | None, Meta(description="null for some seconds, until it is chained.")]
    changes: Annotated[list[ChangedField], Meta(description="The differences, in the API's names and formats.")]


class AuditLog(Answer):
    """One page of the audit log, newest entries first."""

    data: list[AuditEntry]
    next: Annotated[
        str | None,
        Meta(
            description="The `before` value for the next entries, even if this response contains none; null at the end."
        ),
    ]
