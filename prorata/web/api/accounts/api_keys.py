"""API keys: creating, listing and revoking.

A key is shown only once, when it is created.
"""

from datetime import date
from secrets import token_bytes
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from prorata.actions.accounts import api_keys
from prorata.domain.accounts.api_keys import FEWEST_RANDOM_BYTES, Permission
from prorata.domain.accounts.scopes import SCOPES
from prorata.domain.limits import LONGEST_API_KEY_NAME
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.web.api.examples import KEY_SENT
from prorata.web.http.field_names import named_as_in
from prorata.web.http.fields import DateText, line
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, PageQuery, given
from prorata.web.http.response_schemas import Answer, Message, Page, Timestamp, page_of

_ONE = "/keys/{id}"
Scope = Literal[SCOPES]  # type: ignore[valid-type]
_SCOPES = "The resources that the key can access, and whether it may write to them; empty: everything."
_SENT = "The resources that the key can access, and whether it may write to them; if omitted: everything."
_PERMISSION = "READ can only read, FULL can also make changes, and ADMIN can also manage members, keys and settings."
_LAST_DAY = "The last day on which the key works; null: until it is revoked."


class ApiKey(Answer):
    """An API key, without its secret."""

    id: str
    name: str
    permission: Annotated[Permission, Meta(description=_PERMISSION)]
    scopes: Annotated[list[Scope], Meta(description=_SCOPES)]
    last_four: Annotated[str, Meta(description="The last characters of the key.")]
    created_at: Timestamp
    last_used_at: Timestamp | None
    expires_at: Timestamp | None
    revoked_at: Timestamp | None


class ApiKeyWithSecret(ApiKey):
    """A new API key, with its secret."""

    key: Annotated[str, Meta(description="The key to send with requests. It is shown only once.")]


class ApiKeyCreate(Body):
    """An API key to create."""

    name: Annotated[str, line(LONGEST_API_KEY_NAME)]
    permission: Annotated[Permission, Meta(description=_PERMISSION)]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=len(SCOPES), description=_SENT)] | UnsetType = UNSET
    last_day: Annotated[DateText, Meta(description=_LAST_DAY)] | None = None


def _fields(row: ApiKeyRow) -> dict[str, Any]:
    return row._asdict() | {"scopes": row.scopes.split()}


def _shown(row: ApiKeyRow) -> ApiKey:
    return ApiKey(**{name: value for name, value in _fields(row).items() if name in ApiKey.__struct_fields__})


@operation("GET", "/keys", summary="List API keys", query=PageQuery, answer=Page[ApiKey], manages=True)
def list_api_keys(call: Call[PageQuery, None]) -> Page[ApiKey]:
    """List the API keys that are not revoked, newest first."""
    found_keys = api_keys.page(call.tx, call.caller, limit=call.query.limit, offset=call.query.offset)
    return page_of([_shown(row.row) for row in found_keys.rows], found_keys.total, call.query)


@operation("GET", _ONE, summary="Read an API key", answer=ApiKey, missing=("API key",), manages=True)
def read_api_key(call: Call[None, None]) -> ApiKey:
    """Read an API key without its secret, even if it is revoked."""
    return _shown(api_keys.the_key(call.tx, call.caller, call.path["id"]))


@operation(
    "POST", "/keys", summary="Create an API key", body=ApiKeyCreate, answer=ApiKeyWithSecret, status=201,
    conflict="The account already has the maximum number of API keys.", example=KEY_SENT, is_secret=True, manages=True,
)  # fmt: skip
def create_api_key(call: Call[None, ApiKeyCreate]) -> ApiKeyWithSecret:
    """Create an API key; save its `key`, because it is shown only once.

    The new key can't have more permissions than the key that creates it.
    """
    body, last_day = call.body, call.body.last_day
    with named_as_in(ApiKeyCreate, {"last_day": "expires"}):
        row, key = api_keys.create(
            call.tx, call.caller, name=body.name, permission=body.permission, scopes=given(body.scopes) or (),
            expires_at=api_keys.end_of(call.tx, call.caller, date.fromisoformat(last_day) if last_day else None),
            random_bytes=token_bytes(FEWEST_RANDOM_BYTES), hasher=call.hasher,
        )  # fmt: skip
    return ApiKeyWithSecret(**(asdict(_shown(row)) | {"key": key}))


@operation("DELETE", _ONE, summary="Revoke an API key", answer=Message, missing=("API key",), manages=True)
def revoke_api_key(call: Call[None, None]) -> Message:
    """Revoke an API key for good; it stops working within a second."""
    api_keys.revoke(call.tx, call.caller, call.path["id"])
    return Message(message="The API key has been revoked.")
