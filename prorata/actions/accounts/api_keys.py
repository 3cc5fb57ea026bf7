"""API keys: creating, listing and revoking them, and finding the key of a request.

docs/decisions.md#api-keys has the rules.
"""

import hmac
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access
from prorata.actions.accounts.accounts import the_account
from prorata.domain.accounts.api_keys import PERMISSIONS, has_form, last_four, write_key
from prorata.domain.accounts.scopes import Grant, problem_with, written
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import CONFIRM_FIRST
from prorata.domain.due_times import end_of_day
from prorata.domain.limits import LONGEST_API_KEY_NAME, MOST_LIVE_API_KEYS
from prorata.domain.problems import Problem
from prorata.domain.search_terms import have_all, order_of, parts_of, words_of
from prorata.domain.texts import say
from prorata.errors import Conflict, Forbidden, InvalidRequest
from prorata.store.accounts import accounts, api_keys, members
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp

TOUCHED_EVERY = timedelta(minutes=1)
"""The shortest time between two writes of `last_used_at`."""


class KeyHasher:
    """The function that hashes API keys with the installation's current and previous secrets.

    The hash under the current secret comes first. The hashes are HMAC-SHA256 in hexadecimal.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        assert secrets, "keys are hashed under a secret"
        self._secrets = tuple(secrets)

    def __call__(self, key: str) -> tuple[str, ...]:
        """Return the hashes under which `key` may be stored.

        The first is the hash under the current secret, under which new keys are stored.
        """
        return tuple(hmac.new(secret, key.encode(), sha256).hexdigest() for secret in self._secrets)


def create(
    tx: Tx,
    caller: Caller,
    *,
    name: str,
    permission: str,
    scopes: Sequence[str] = (),
    expires_at: str | None,
    random_bytes: bytes,
    hasher: KeyHasher,
) -> tuple[ApiKeyRow, str]:
    """Create an API key; return its row and the key, which is shown only once.

    `expires_at` is a timestamp in the stored format. If `scopes` is empty, the key may use every scope. The key's
    text is derived from `random_bytes`.

    Raises `InvalidRequest` for an invalid name, permission, scope or expiry. Raises `Forbidden` if an API key would
    create a key with more rights than its own. Raises `Conflict` if there are too many keys already, or if the
    member's e-mail address is not confirmed: the address may be somebody else's, and the key would still work after
    that person took over the account.
    """
    name = name.strip()
    _refuse_bad(tx, name, permission, scopes, expires_at)
    refuse_more_than_own(tx, caller, Grant(permission, frozenset(scopes)), expires_at)
    maker = members.find(tx, caller.account_id, caller.actor)
    if maker is not None and maker.verified_at is None:
        raise Conflict(CONFIRM_FIRST)
    accounts.lock(tx, caller.account_id)
    if len(api_keys.live_of(tx, caller.account_id)) >= MOST_LIVE_API_KEYS:
        raise Conflict(
            say(
                "An account can have at most {most} keys. First revoke one that you no longer need.",
                most=MOST_LIVE_API_KEYS,
            )
        )
    key = write_key(random_bytes)
    row = ApiKeyRow(
        account_id=caller.account_id,
        id=tx.new_id("key"),
        name=name,
        permission=permission,
        key_hash=hasher(key)[0],
        last_four=last_four(key),
        created_at=tx.now,
        last_used_at=None,
        expires_at=expires_at,
        revoked_at=None,
        scopes=written(scopes),
    )
    api_keys.add(tx, row)
    audit.record(tx, caller, Verb.CREATE_KEY, row.id, after=_without_hash(row))
    return row, key


def was_made(tx: Tx, caller: Caller, random_bytes: bytes, hasher: KeyHasher) -> bool:
    """True if the account has, or had, the key made from these random bytes.

    If so, the request to create the key was repeated.
    """
    accounts.lock(tx, caller.account_id)
    hashes = hasher(write_key(random_bytes))
    return any(api_keys.find_by_hash(tx, caller.account_id, key_hash) for key_hash in hashes)


def end_of(tx: Tx, caller: Caller, last_day: date | None) -> str | None:
    """Return the time at which a key's last day ends; None if it never expires.

    The day ends in the account's time zone.
    """
    return None if last_day is None else timestamp(end_of_day(last_day, the_account(tx, caller).timezone))


def refuse_more_than_own(tx: Tx, caller: Caller, grant: Grant | None, until: str | None = None) -> None:
    """Raise `Forbidden` if the calling API key would grant more than its own rights.

    `grant` is the access that the key wants to give to another key or a member. It is None for a new webhook endpoint,
    because a key that may add endpoints can already read everything that an endpoint receives. `until` is the time at
    which the granted access would end; None means never, as for a member or an endpoint. Members are never refused.
    Raises `Forbidden` if `grant` allows more than the calling key may do, or if the granted access would outlast that
    key.
    """
    maker = api_keys.find(tx, caller.account_id, caller.actor)
    if maker is None:
        return
    if grant is not None and not maker.grant.covers(grant):
        raise Forbidden("This API key can't grant more access than it has, whether to another key or to a member.")
    if maker.expires_at is not None and (until or _NEVER) > maker.expires_at:
        raise Forbidden(
            "This API key expires, so it can't grant access that lasts longer: it can create only keys whose "
            "`lastDay` is no later than its own, and no members or webhook endpoints."
        )


def _refuse_bad(tx: Tx, name: str, permission: str, scopes: Sequence[str], expires_at: str | None) -> None:
    problems = []
    if not name:
        problems.append(Problem("name", say("Please fill this in.")))
    elif len(name) > LONGEST_API_KEY_NAME or not name.isprintable():
        problems.append(Problem("name", say("Enter 1 to {most} characters.", most=LONGEST_API_KEY_NAME)))
    if permission not in PERMISSIONS:
        problems.append(Problem("permission", f"permission must be one of {', '.join(PERMISSIONS)}."))
    if wrong := problem_with(permission, scopes):
        problems.append(Problem("scopes", wrong))
    if expires_at is not None and expires_at <= tx.now:
        problems.append(Problem("expires", say("Choose a day in the future.")))
    if problems:
        raise InvalidRequest.because(problems)


Sort = Literal["-added", "added", "name", "-name", "used", "-used", "expires", "-expires"]
"""The orders of a list of keys; a dash means descending.

Keys that were never used come before all others, and keys that never expire come last.
"""
_NEVER = "9999"


class ListedKey(NamedTuple):
    """An API key as listed for the members of its account.

    `last_day` is the last day on which the key works, in the account's time zone; None means that the key never
    expires.
    """

    row: ApiKeyRow
    last_day: date | None
    is_over: bool


class FoundKeys(NamedTuple):
    """One page of the account's API keys, and the number of matches."""

    rows: list[ListedKey]
    total: int


def page(tx: Tx, caller: Caller, text: str = "", *, sort: Sort = "-added", limit: int, offset: int = 0) -> FoundKeys:
    """List one page of the API keys that are not revoked.

    A key matches if each word of `text` is the beginning of a word of the key's name or of the key's last
    characters. An account has at most `MOST_LIVE_API_KEYS` keys, so all of them are loaded and then filtered.
    """
    keys = listed(tx, caller)
    if text.strip():
        words = parts_of(text)
        keys = [key for key in keys if have_all(_words_of(key.row), words)]
    by = sort.removeprefix("-")
    if by == "name":
        keys.sort(key=lambda key: order_of(key.row.name))
    elif by == "used":
        keys.sort(key=lambda key: key.row.last_used_at or "")
    elif by == "expires":
        keys.sort(key=lambda key: key.row.expires_at or _NEVER)
    goes_back = sort.startswith("-") != (by == "added")
    keys = keys[::-1] if goes_back else keys
    return FoundKeys(keys[offset : offset + limit], len(keys))


def _words_of(row: ApiKeyRow) -> frozenset[str]:
    return words_of(row.name, row.last_four)


def listed(tx: Tx, caller: Caller) -> list[ListedKey]:
    """List the caller's API keys that are not revoked, newest first."""
    zone = ZoneInfo(the_account(tx, caller).timezone)

    def one(row: ApiKeyRow) -> ListedKey:
        if row.expires_at is None:
            return ListedKey(row, None, is_over=False)
        ends = datetime.fromisoformat(row.expires_at) - timedelta(milliseconds=1)
        return ListedKey(row, ends.astimezone(zone).date(), row.expires_at <= tx.now)

    return [one(row) for row in reversed(api_keys.live_of(tx, caller.account_id))]


def all_of(tx: Tx, caller: Caller) -> list[ApiKeyRow]:
    """List every API key of the caller's account in order of creation, revoked ones included."""
    return api_keys.all_of(tx, caller.account_id)


def the_key(tx: Tx, caller: Caller, key_id: str) -> ApiKeyRow:
    """Find an API key of the caller's account.

    Raises `NotFound` if there is no such key.
    """
    return access.the_one(api_keys.find, tx, caller, key_id, "key", "API key")


def revoke(tx: Tx, caller: Caller, key_id: str) -> ApiKeyRow:
    """Revoke an API key for good; a key that was revoked before stays unchanged.

    Raises `NotFound` if there is no such key.
    """
    row = the_key(tx, caller, key_id)
    if not api_keys.revoke(tx, caller.account_id, row.id):
        return row
    after = row._replace(revoked_at=tx.now)
    audit.record(tx, caller, Verb.REVOKE_KEY, row.id, before=_without_hash(row), after=_without_hash(after))
    return after


def find_own(tx: Tx, caller: Caller, named: str, hasher: KeyHasher) -> ApiKeyRow:
    """Find an API key of the caller's account by the key's id or text.

    Raises `NotFound` if there is no such key.
    """
    if not has_form(named):
        return the_key(tx, caller, named)
    rows = (api_keys.find_by_hash(tx, caller.account_id, key_hash) for key_hash in hasher(named))
    return access.there(next(filter(None, rows), None), "API key")


def find_live(tx: Tx, hashes: Sequence[str]) -> ApiKeyRow | None:
    """Find the valid API key stored under one of these hashes, to authenticate a request."""
    for key_hash in hashes:
        row = api_keys.find_live(tx, key_hash)
        if row is not None:
            return row
    return None


def is_due(row: ApiKeyRow, moment: datetime, hashes: Sequence[str] = ()) -> bool:
    """True if `touch` would write to the API key's row.

    `touch` writes if the key's recorded last use is more than a minute old, or if the key is still stored under
    the previous secret. `hashes` are the key's hashes; the first is the hash under the current secret.
    """
    return (
        row.last_used_at is None
        or row.last_used_at < timestamp(moment - TOUCHED_EVERY)
        or bool(hashes and row.key_hash != hashes[0])
    )


def touch(tx: Tx, row: ApiKeyRow, hashes: Sequence[str] = ()) -> None:
    """Record that an API key is in use, at most once a minute.

    If `hashes` are passed and the key is stored under the previous secret, it is stored again under the current
    secret. So a key that is in use stays valid when the previous secret is dropped.
    """
    if not is_due(row, tx.moment, hashes):
        return
    api_keys.touch(tx, row.account_id, row.id, timestamp(tx.moment - TOUCHED_EVERY))
    if hashes and row.key_hash != hashes[0]:
        assert row.key_hash in hashes, "the hashes are this key's"
        api_keys.hash_anew(tx, row.account_id, row.id, hashes[0])


def _without_hash(row: ApiKeyRow) -> ApiKeyRow:
    return row._replace(key_hash="")
