"""The audit log is numbered and chained in the order in which entries become visible.

The check names everything that was tampered with.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from sqlalchemy import text

from prorata.actions.audit import chaining as audit_chains
from prorata.actions.overview.consistency_checks import check
from prorata.actions.properties import properties
from prorata.actions.properties.properties import NewProperty
from prorata.domain.audit.verbs import Verb
from prorata.ids import first_at
from prorata.store.audit import audit, chains as stored
from prorata.store.database.statements import changes
from tests.actions.overview.test_consistency_checks import Undone, Within
from tests.landlord import Landlord, MovableClock, opened

_salts = count()
ELM = NewProperty("Elm", "1", "Elm St", "Reno", "NV", "89501", "US")


def salt(number):
    return next(_salts).to_bytes(number, "big")


def chain(landlord, **more):
    """Chain all unchained entries, as a worker process does."""
    after = ""
    while after is not None:
        after = landlord.run(lambda tx, after=after: audit_chains.go_on(tx, landlord.account.id, salt, after, **more))


def entries(landlord):
    return landlord.read(stored.entries, after=0, last=10**9, limit=10**6)


def events(landlord):
    return [entry.event.id for entry in entries(landlord)]


def do_something(landlord, number=5):
    for _ in range(number):
        landlord.property_()


def test_every_event_has_a_number_without_gaps_in_the_order_of_its_id(landlord):
    do_something(landlord)
    assert entries(landlord) == []
    chain(landlord, most=2)
    found = entries(landlord)
    assert [entry.link.number for entry in found] == list(range(1, 7))
    assert events(landlord) == sorted(events(landlord))
    assert len({entry.link.salt for entry in found}) == 6
    landlord.sound()
    chain(landlord)
    assert entries(landlord) == found
    do_something(landlord, 1)
    chain(landlord)
    assert entries(landlord)[:-1] == found


def at_another_process(url, landlord, moment):
    """Create a property in a process whose clock shows another time."""
    with opened(url, MovableClock(moment)) as elsewhere:
        return elsewhere.write(lambda tx: properties.create(tx, landlord.caller, ELM)).id


def test_what_is_committed_later_has_the_later_number_though_it_began_before(landlord, clock, migrated_url):
    began = clock.moment
    clock.forward(minutes=30)
    do_something(landlord, 1)
    chain(landlord)
    late = at_another_process(migrated_url, landlord, began)
    assert landlord.run(audit_chains.behind) == [landlord.account.id]
    chain(landlord)
    assert entries(landlord)[-1].event.record_id == late
    assert events(landlord) != sorted(events(landlord))
    assert landlord.run(audit_chains.behind) == []


def test_a_clock_that_was_ahead_keeps_nothing_out_of_the_chain(landlord, clock, migrated_url):
    now = clock.moment
    clock.forward(days=400)
    do_something(landlord, 1)
    chain(landlord)
    clock.moment = now
    for _ in range(2):
        at_another_process(migrated_url, landlord, now)
    assert landlord.run(audit_chains.behind) == [landlord.account.id]
    chain(landlord)
    assert len(entries(landlord)) == 4


def test_accounts_are_behind_only_while_there_is_something_to_do(database, landlord, clock):
    other = Landlord(database, clock, name="other")
    assert landlord.run(audit_chains.behind) == sorted([landlord.account.id, other.account.id])
    chain(landlord)
    assert landlord.run(audit_chains.behind) == [other.account.id]
    chain(other)
    assert landlord.run(audit_chains.behind) == []
    clock.forward(hours=2)
    assert len(landlord.run(audit_chains.behind)) == 2  # what was done is settled by now
    chain(landlord)
    chain(other)
    clock.forward(days=30)
    assert landlord.run(audit_chains.behind) == []
    assert {entry.event.record_id for entry in entries(other)} == {other.account.id}


def test_two_workers_at_once_number_nothing_twice(landlord):
    do_something(landlord, 40)
    both = threading.Barrier(2)

    def work(_number):
        both.wait()
        chain(landlord, most=3)

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(work, range(2)))
    assert [entry.link.number for entry in entries(landlord)] == list(range(1, 42))
    assert events(landlord) == sorted(events(landlord))


def test_what_is_blanked_with_a_deleted_property_or_tenant_stays_in_the_chain_and_is_sound(landlord):
    maple, elm = landlord.property_(), landlord.property_("Elm")
    unit = landlord.unit(maple, "1")
    ann, bo = landlord.tenant(unit, "Ann"), landlord.tenant(landlord.unit(elm, "1"), "Bo")
    chain(landlord)
    before = entries(landlord)
    landlord.remove_tenant(bo)
    landlord.do(properties.remove, maple.id, landlord.archive)
    landlord.sound()
    chain(landlord)
    landlord.sound()
    after = entries(landlord)[: len(before)]
    blanked = {entry.event.record_id for entry in after if entry.link.salt is None}
    assert blanked == {ann.id, bo.id}, "what was done to houses holds nothing of people"
    assert [entry.link.hash for entry in after] == [entry.link.hash for entry in before]
    assert all(entry.event.after is None for entry in after if entry.link.salt is None)


def test_what_is_blanked_while_it_is_chained_is_either_in_time_or_waits(database, landlord):
    """On PostgreSQL, chaining and blanking happen at the same time.

    Both lock the account's chain, so whichever comes second waits until the other has committed.
    """
    homes = [landlord.property_(f"House {number}") for number in range(12)]
    with ThreadPoolExecutor(2) as both:
        chained = both.submit(lambda: [chain(landlord, most=1) for _ in range(3)])
        removed = both.submit(lambda: [landlord.do(properties.remove, one.id, landlord.archive) for one in homes])
        chained.result(), removed.result()
    chain(landlord)
    landlord.sound()


# --- what was done behind the program's back ---------------------------------------------------------------------------


@pytest.fixture
def known(database, clock):
    """The entries of a log in which one was rightly blanked and some are unchained.

    Tests break this log only in transactions that are rolled back.
    """
    landlord = Landlord(database, clock)
    homes = [landlord.property_(f"House {number}") for number in range(4)]
    ann = landlord.tenant(landlord.unit(homes[3], "1"), "Ann")
    chain(landlord)
    landlord.remove_tenant(ann)
    clock.forward(hours=2)
    chain(landlord)
    do_something(landlord, 1)
    landlord.sound()
    return landlord, [entry.event for entry in entries(landlord)]


BROKEN = [
    # (what is changed, whose event the sentence names, and a word of it)
    ("UPDATE event SET after = replace(after, 'House 1', 'House X') WHERE {of[2]}", 2, "was changed"),
    ("UPDATE event SET before = '{{}}' WHERE {of[3]}", 3, "was changed"),
    ("UPDATE event SET actor = 'somebody' WHERE {of[2]}", 2, "does not follow"),
    ("UPDATE event SET verb = 'create unit' WHERE {of[1]}", 1, "does not follow"),
    ("UPDATE event SET at = '2020-01-01T00:00:00.000Z' WHERE {of[2]}", 2, "does not follow"),
    ("UPDATE event SET record_id = 'prop_x' WHERE {of[2]}", 2, "does not follow"),
    ("UPDATE event SET property_id = null WHERE {of[2]}", 2, "does not follow"),
    ("UPDATE event SET before = null, after = null WHERE {of[2]}", 2, "was changed"),
    ("UPDATE audit_link SET salt = null WHERE {link[2]}", 2, "was blanked"),
    ("UPDATE event SET after = '{{}}' WHERE {of[6]}", 6, "says something"),
    ("UPDATE event SET verb = 'change tenant' WHERE {of[7]}", 6, "nothing says"),
    ("DELETE FROM event WHERE {of[2]}", 2, "is gone"),
    ("DELETE FROM audit_link WHERE {link[3]}", "entry 4 is gone", "account"),
    ("DELETE FROM audit_link WHERE number > 5 AND {own}", "ends with entry 5", "up to entry 8"),
    ("DELETE FROM audit_link WHERE {own}", "ends with entry 0", "up to entry 8"),
    ("UPDATE audit_link SET number = 99 WHERE {link[7]}", "ends with entry 99", "up to entry 8"),
    ("UPDATE audit_chain SET number = 7 WHERE {own}", "ends with entry 8", "up to entry 7"),
    ("UPDATE audit_chain SET hash = '{other}' WHERE {own}", "ends with entry 8", "up to entry 8"),
    ("UPDATE audit_link SET number = -number WHERE {own} AND number IN (3, 4)", "entries 3 to 4 are gone", "account"),
    ("UPDATE audit_link SET hash = '{other}' WHERE {link[2]}", 2, "does not follow"),
    ("UPDATE audit_link SET contents = '{other}' WHERE {link[2]}", 2, "was changed"),
    (
        (
            "INSERT INTO event (account_id, id, at, actor, verb, record_id) "
            "VALUES ('{account}', '{early}', '2026-03-10T18:00:00.000Z', 'x', 'add bill', 'bill_x')"
        ),
        "{early}",
        "was added to the audit log",
    ),
]


def broken(landlord, statements):
    """Return the check's findings after some statements, which are then undone."""
    found = []

    def break_and_look(tx):
        for statement in statements:
            assert tx.run(changes(text(statement.replace(":", "\\:")))), statement
        found.extend(check(Within(tx)))
        raise Undone

    with pytest.raises(Undone):
        landlord.run(break_and_look)
    return found


def test_what_is_done_to_the_log_behind_the_programs_back_is_found_and_named(known):
    landlord, listed = known
    own = f"account_id = '{landlord.account.id}'"
    words = {
        "own": own,
        "of": [f"{own} AND id = '{event.id}'" for event in listed],
        "link": [f"{own} AND event_id = '{event.id}'" for event in listed],
        "account": landlord.account.id,
        "other": "0" * 64,
        "early": first_at("evt", int(landlord.clock().timestamp() * 1000) - 9_000_000),
    }
    for statement, named, word in BROKEN:
        found = broken(landlord, [statement.format(**words)])
        record = listed[named].id if isinstance(named, int) else named.format(**words)
        assert any(record in sentence and word in sentence for sentence in found), (statement, found)
        if not statement.startswith("DELETE FROM audit_link"):
            assert len(found) <= 3, "one that is broken is named, and not all behind it"
        assert all(sentence.endswith(".") and "\n" not in sentence for sentence in found)


FORGED = [
    # (whose entry is blanked, who is said to be deleted, how, when, what is really deleted)
    ("unit", "unit", Verb.REMOVE_TENANT, 0, None),
    ("unit", "home", Verb.REMOVE_TENANT, 0, None),
    ("unit", "home", Verb.DELETE_PROPERTY, 0, None),
    ("ann", "ann", Verb.REMOVE_TENANT, 0, None),
    ("ann", "ann", Verb.DELETE_PROPERTY, 0, "ann"),
    ("ann", "ann", Verb.REMOVE_TENANT, 48, "ann"),
    ("ann", "bob", Verb.REMOVE_TENANT, 0, None),
]


@pytest.mark.parametrize(("blanked", "named", "verb", "hours", "gone"), FORGED)
def test_an_entry_that_says_something_was_deleted_covers_no_other_that_was_blanked(
    database, clock, blanked, named, verb, hours, gone
):
    """An entry about a deletion allows only the blanking of what was really deleted.

    It does not cover a record of another kind, another record, a record that still exists, or a tenant who was added
    too long ago to be removed.
    """
    landlord = Landlord(database, clock)
    home = landlord.property_()
    unit = landlord.unit(home, "1")
    ann, bob = landlord.tenant(unit, "Ann"), landlord.tenant(landlord.unit(home, "2"), "Bob")
    chain(landlord)
    landlord.remove_tenant(bob)
    clock.forward(hours=hours)
    ids = {"home": home.id, "unit": unit.id, "ann": ann.id, "bob": bob.id}
    landlord.run(lambda tx: audit.record(tx, landlord.caller, verb, ids[named]))
    chain(landlord)
    landlord.sound()
    (entry,) = [one for one in entries(landlord) if one.event.record_id == ids[blanked] and one.event.after]
    own = f"account_id = '{landlord.account.id}'"
    drop = [f"DELETE FROM tenant WHERE {own} AND id = '{ids[gone]}'"] if gone else []
    found = broken(landlord, [*drop, *blanking(own, entry.event.id)])
    assert any(entry.event.id in one and "was blanked" in one for one in found), found


def blanking(own, event_id):
    return [
        f"UPDATE event SET before = null, after = null WHERE {own} AND id = '{event_id}'",
        f"UPDATE audit_link SET salt = null WHERE {own} AND event_id = '{event_id}'",
    ]


def test_what_is_noted_of_a_property_after_it_was_deleted_is_not_blanked_with_it(landlord):
    maple = landlord.property_()
    landlord.do(properties.remove, maple.id, landlord.archive)
    chain(landlord)
    landlord.run(
        lambda tx: audit.record(tx, landlord.caller, Verb.ADD_BILL, "bill_x", after=maple, property_id=maple.id)
    )
    chain(landlord)
    late = entries(landlord)[-1].event.id
    landlord.sound()
    found = broken(landlord, blanking(f"account_id = '{landlord.account.id}'", late))
    assert [one for one in found if late in one and "was blanked" in one] == found != []


def test_entries_that_have_changed_their_places_are_named(known):
    landlord, listed = known
    own = f"account_id = '{landlord.account.id}'"
    swap = [(3, -3), (4, 3), (-3, 4)]
    moved = [f"UPDATE audit_link SET number = {to} WHERE {own} AND number = {at}" for at, to in swap]
    found = broken(landlord, moved)
    for event in listed[2:4]:
        assert any(event.id in sentence and "does not follow" in sentence for sentence in found), found


def test_an_entry_that_is_put_in_between_with_the_others_moved_up_is_named(known):
    landlord, listed = known
    own = f"account_id = '{landlord.account.id}'"
    others = f"UPDATE audit_link SET number = -number WHERE {own} AND number > 3"
    back = f"UPDATE audit_link SET number = 1 - number WHERE {own} AND number < 0"
    event_id = first_at("evt", 1)
    new = [
        (
            "INSERT INTO event (account_id, id, at, actor, verb, record_id) "
            f"VALUES ('{landlord.account.id}', '{event_id}', '2026-03-10T18:00:00.000Z', 'x', 'add bill', 'bill_x')"
        ),
        (
            "INSERT INTO audit_link (account_id, number, event_id, salt, contents, hash) "
            f"VALUES ('{landlord.account.id}', 4, '{event_id}', '00', '{'0' * 64}', '{'1' * 64}')"
        ),
        f"UPDATE audit_chain SET number = number + 1 WHERE {own}",
    ]
    found = broken(landlord, [others, back, *new])
    assert any(event_id in sentence for sentence in found)
    assert any(listed[3].id in sentence and "does not follow" in sentence for sentence in found), found


def test_a_log_of_another_account_is_sound_whatever_is_done_to_one(known, database, clock):
    landlord, listed = known
    other = Landlord(database, clock, name="other")
    chain(other)
    gone = f"DELETE FROM event WHERE account_id = '{landlord.account.id}' AND id = '{listed[1].id}'"
    assert not any(other.account.id in sentence for sentence in broken(landlord, [gone]))
