"""Tests of how API keys are created, found, used, replaced and revoked."""

import itertools
from datetime import date
from typing import Any

import pytest

from prorata.actions.accounts import accounts, api_keys
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.audit import activity
from prorata.domain.limits import MOST_LIVE_API_KEYS
from prorata.errors import Conflict, Forbidden, InvalidRequest, NotFound
from prorata.store.accounts.api_keys import ApiKeyRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import timestamp
from tests.landlord import Landlord, MovableClock

OLD, NEW = b"o" * 32, b"n" * 32
HASHER = KeyHasher([OLD])
_bytes = itertools.count(1)


def new_key(landlord: Landlord, maker: Caller | None = None, **values: Any) -> tuple[ApiKeyRow, str]:
    given = {"name": "first", "permission": "FULL", "expires_at": None, "hasher": HASHER} | values
    caller, random_bytes = maker or landlord.caller, next(_bytes).to_bytes(24, "big")
    return landlord.run(lambda tx: api_keys.create(tx, caller, random_bytes=random_bytes, **given))


def found(landlord: Landlord, key: str, hasher: KeyHasher = HASHER) -> ApiKeyRow | None:
    return landlord.database.read(lambda tx: api_keys.find_live(tx, hasher(key)))


def test_a_key_finds_its_account_and_only_its_hash_is_stored(landlord: Landlord) -> None:
    row, key = new_key(landlord)
    other = Landlord(landlord.database, landlord.clock)

    assert found(landlord, key) == row
    assert (row.account_id, row.last_four) == (landlord.account.id, key[-4:])
    assert key not in str(landlord.see(api_keys.all_of))
    assert found(landlord, key[:-1] + "x") is None
    assert other.see(api_keys.all_of) == []


def test_a_revoked_key_is_found_no_more_and_revoking_it_again_changes_nothing(landlord: Landlord) -> None:
    row, key = new_key(landlord)

    first = landlord.do(api_keys.revoke, row.id)
    landlord.clock.forward(days=1)

    assert found(landlord, key) is None
    assert landlord.do(api_keys.revoke, row.id) == first
    assert [each.revoked_at for each in landlord.see(api_keys.all_of)] == [first.revoked_at]


def test_a_stranger_neither_sees_nor_revokes_a_key(landlord: Landlord) -> None:
    row, key = new_key(landlord)
    stranger = Landlord(landlord.database, landlord.clock)

    for named in (row.id, "key_1", ""):
        with pytest.raises(NotFound, match="API key"):
            stranger.do(api_keys.revoke, named)
    with pytest.raises(NotFound):
        stranger.see(api_keys.find_own, key, HASHER)
    assert landlord.see(api_keys.find_own, key, HASHER) == landlord.see(api_keys.find_own, row.id, HASHER) == row


def test_a_key_works_until_the_moment_it_expires(landlord: Landlord, clock: MovableClock) -> None:
    ends = timestamp(clock().replace(hour=19))
    _, key = new_key(landlord, expires_at=ends)

    clock.forward(minutes=59, seconds=59)
    assert found(landlord, key)
    clock.forward(seconds=1)
    assert found(landlord, key) is None


@pytest.mark.parametrize(
    ("zone", "ends"),
    [
        ("America/Los_Angeles", "2026-03-11T07:00:00.000Z"),
        ("Pacific/Auckland", "2026-03-10T11:00:00.000Z"),
        ("UTC", "2026-03-11T00:00:00.000Z"),
    ],
)
def test_the_last_day_of_a_key_ends_where_the_account_is(landlord: Landlord, zone: str, ends: str) -> None:
    landlord.do(accounts.change_settings, Wishes(timezone=zone))
    day = date(2026, 3, 10)
    moment = landlord.see(api_keys.end_of, day)
    assert moment == ends
    assert landlord.see(api_keys.end_of, None) is None
    landlord.clock.forward(days=-1)
    new_key(landlord, expires_at=moment)
    (listed,) = landlord.see(api_keys.listed)
    assert (listed.last_day, listed.is_over) == (day, False)


def test_an_account_has_so_many_keys_and_those_that_were_revoked_are_listed_no_more(landlord: Landlord) -> None:
    rows = [new_key(landlord)[0] for _ in range(MOST_LIVE_API_KEYS)]
    with pytest.raises(Conflict, match="First revoke one"):
        new_key(landlord)
    landlord.do(api_keys.revoke, rows[0].id)
    newest, _ = new_key(landlord, name="newest")
    listed = landlord.see(api_keys.listed)
    assert (listed[0].row, len(listed)) == (newest, MOST_LIVE_API_KEYS)

    def names() -> list[str]:
        return [actor.id for actor in landlord.see(activity.actors)]

    assert rows[0].id in names()
    landlord.clock.forward(days=91)
    assert rows[0].id not in names()
    assert newest.id in names()


def test_use_is_noted_at_most_once_a_minute(landlord: Landlord, clock: MovableClock) -> None:
    row, key = new_key(landlord)

    def use() -> str | None:
        live = found(landlord, key)
        assert live
        landlord.run(lambda tx: api_keys.touch(tx, live))
        after = found(landlord, key)
        assert after
        return after.last_used_at

    assert api_keys.is_due(row, clock())
    first = use()
    clock.forward(seconds=60)
    assert use() == first
    clock.forward(seconds=1)
    assert use() == timestamp(clock())


def test_a_key_in_use_moves_to_the_new_secret_and_outlives_the_old_one(landlord: Landlord) -> None:
    row, key = new_key(landlord)
    landlord.run(lambda tx: api_keys.touch(tx, row))
    both = KeyHasher([NEW, OLD])
    live = found(landlord, key, both)
    assert live

    assert not api_keys.is_due(live, landlord.clock())
    assert api_keys.is_due(live, landlord.clock(), both(key))
    landlord.run(lambda tx: api_keys.touch(tx, live, both(key)))

    moved = found(landlord, key, KeyHasher([NEW]))
    assert moved
    assert not api_keys.is_due(moved, landlord.clock(), both(key))


def test_a_key_makes_none_that_may_more_than_itself(landlord: Landlord) -> None:
    maker, _ = new_key(landlord, permission="ADMIN", scopes=["keys:write", "bills:write"])
    of_maker = Caller(landlord.caller.account_id, maker.id)
    made, _ = new_key(landlord, of_maker, scopes=["bills:read"])
    assert (made.scopes, made.grant.reaches("bills:read")) == ("bills:read", True)
    for more in ([], ["invoices:read"]):
        with pytest.raises(Forbidden, match="more access than it has"):
            new_key(landlord, of_maker, scopes=more)
    plain, _ = new_key(landlord, permission="FULL")
    with pytest.raises(Forbidden):
        new_key(landlord, Caller(landlord.caller.account_id, plain.id), permission="ADMIN")


def test_every_problem_with_a_new_key_is_named(landlord: Landlord) -> None:
    with pytest.raises(InvalidRequest) as refused:
        new_key(landlord, name=" ", permission="ALL", expires_at=timestamp(landlord.clock()))

    assert [problem.field for problem in refused.value.problems] == ["name", "permission", "expires"]


@pytest.mark.parametrize(
    ("text", "sort", "found"),
    [
        ("", "-added", ["Zapier", "books", "Écran"]),
        ("", "added", ["Écran", "books", "Zapier"]),
        ("", "name", ["books", "Écran", "Zapier"]),
        ("", "-name", ["Zapier", "Écran", "books"]),
        ("", "used", ["Zapier", "books", "Écran"]),
        ("", "expires", ["books", "Zapier", "Écran"]),
        ("ecr", "name", ["Écran"]),
        ("nothing", "name", []),
        ("!", "name", []),
    ],
)
def test_keys_are_found_and_stand_in_an_order(landlord: Landlord, text: str, sort: str, found: list[str]) -> None:
    ends = timestamp(landlord.clock().replace(hour=23))
    for name, expires in (("Écran", None), ("books", ends), ("Zapier", None)):
        row, _ = new_key(landlord, name=name, expires_at=expires)
        if name == "Écran":
            landlord.database.write(lambda tx, row=row: api_keys.touch(tx, row))  # type: ignore[misc]
    page = landlord.see(api_keys.page, text, sort=sort, limit=9)
    assert ([one.row.name for one in page.rows], page.total) == (found, len(found))
    assert landlord.see(api_keys.page, text, sort=sort, limit=1, offset=1).rows == page.rows[1:2]
    if not text:
        (one,) = landlord.see(api_keys.page, page.rows[0].row.last_four, limit=9).rows
        assert one == page.rows[0]
