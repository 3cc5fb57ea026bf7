"""The audit log as a hash chain: numbered entries, each hashed with the previous hash.

docs/audit-log.md specifies how entries are hashed, so that anybody can recompute the hashes. An entry's hash covers
the record's contents only through a salted digest. So the contents and the salt of an entry about a person can be
removed (the entry is blanked) without breaking the chain.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.audit.verbs import Verb

FORM = "prorata audit 1"
"""The text at the beginning of the hashed data of each entry."""
BEFORE_THE_FIRST = "0" * 64
"""The previous hash of the first entry."""
BLANKED_BY = {"prop": Verb.DELETE_PROPERTY, "tenant": Verb.REMOVE_TENANT}
"""The verb that blanks a record's entries, by the prefix of the record's id."""
_A_TENANTS_LAST = timedelta(hours=25)
"""The time in which a tenant entered by mistake can be removed.

The time begins at the tenant's first entry. It is a day, plus an hour because clocks may differ.
"""


class Event(NamedTuple):
    """An audited action as stored; `before` and `after` are the record's contents as JSON."""

    id: str
    at: str
    actor: str
    verb: str
    record_id: str
    property_id: str | None
    before: str | None
    after: str | None


class Link(NamedTuple):
    """A link of the chain: an entry's number, event id, salt, digest and hash.

    The salt, the digest of the record before and after the event, and the hash of the entire entry are in
    hexadecimal. A blanked entry has no salt.
    """

    number: int
    event_id: str
    salt: str | None
    contents: str
    hash: str


class Entry(NamedTuple):
    """A link of the chain, with its event unless the event was removed."""

    link: Link
    event: Event | None


class Deletion(NamedTuple):
    """The deletion of a record, as the audit log recorded it.

    `number` is the number of the entry that recorded the deletion. It is None if this entry has not been added to
    the chain yet; the deletion then counts as later than all entries of the chain.
    """

    record_id: str
    at: str
    number: int | None


class Reached(NamedTuple):
    """The end of a chain: the number and hash of its last entry."""

    number: int = 0
    hash: str = BEFORE_THE_FIRST


def written(*values: str | None) -> bytes:
    r"""Serialize values, each preceded by its length in bytes, so that different lists differ.

    >>> written("né", "", None)
    b'3:n\xc3\xa9,0:,-,'
    """
    return b"".join(
        b"-," if value is None else b"%d:%s," % (len(encoded := value.encode()), encoded) for value in values
    )


def contents_digest(salt: str, before: str | None, after: str | None) -> str:
    """Compute the digest of a record's contents before and after an event."""
    return sha256(written(salt, before, after)).hexdigest()


def entry_hash(previous: str, account_id: str, number: int, event: Event, contents: str) -> str:
    """Compute the hash of an entry; `previous` is the hash of the entry before it."""
    content = written(
        FORM, previous, account_id, str(number), event.id, event.at, event.actor, event.verb, event.record_id,
        event.property_id, contents,
    )  # fmt: skip
    return sha256(content).hexdigest()


def linked(account_id: str, events: Iterable[Event], reached: Reached, salts: Iterable[str]) -> Iterator[Link]:
    """Yield a link of the chain for each event, each with its own salt.

    The events are added in the given order after `reached`, the end of the chain.

    >>> events = [Event(f"evt_{n}", "2026-03-01T00:00:00.000Z", "cli", "add bill", "b", None, None, "{}") for n in "12"]
    >>> one, two = linked("acct_1", events, Reached(), ["00", "01"])
    >>> (one.number, two.number, two.hash == entry_hash(one.hash, "acct_1", 2, events[1], two.contents))
    (1, 2, True)
    """
    number, previous = reached
    for event, salt in zip(events, salts, strict=False):
        number += 1
        contents = contents_digest(salt, event.before, event.after)
        previous = entry_hash(previous, account_id, number, event, contents)
        yield Link(number, event.id, salt, contents, previous)


def is_blank(entry: Entry) -> bool:
    """True if an entry is blanked: its record's contents and its salt were removed.

    This function doesn't check whether there was a valid reason to remove them.
    """
    event = entry.event
    return entry.link.salt is None and event is not None and event.before is None and event.after is None


def problems(
    account_id: str,
    entries: Iterable[Entry],
    reached: Reached,
    deleted: Mapping[str, Sequence[Deletion]],
    erased: Mapping[str, int | None] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each problem of a chain's entries, which come after `reached`.

    Each entry must follow from the previous one. The previous entry is used as stored, even if it was changed, so
    that only the changed entry is reported and not all later ones.

    An entry may be blank only if its record has been deleted or if it named an erased tenant. `deleted` contains
    the deletions of records that no longer exist, by record id. `erased` contains, by event id, the number of the
    entry that recorded the tenant's erasure, or None if that entry has no number yet.
    """
    number, previous = reached
    for entry in entries:
        link, event = entry
        is_next = link.number == number + 1
        if not is_next:
            yield f"Audit log of account {account_id}: {_gone(number + 1, link.number - 1)}."
        if event is None:
            yield f"Event {link.event_id}, entry {link.number} of the audit log, is gone."
        else:
            if wrong := _wrong_contents(entry, deleted, erased or {}):
                yield f"Event {event.id}, entry {link.number} of the audit log: {wrong}."
            if is_next and link.hash != entry_hash(previous, account_id, link.number, event, link.contents):
                yield (
                    f"Event {event.id}, entry {link.number} of the audit log, does not follow from the entry before "
                    "it: one of the two was changed, put in, taken out or moved."
                )
        number, previous = link.number, link.hash


def _gone(first: int, last: int) -> str:
    return f"entry {first} is gone" if first == last else f"entries {first} to {last} are gone"


def _wrong_contents(
    entry: Entry, deleted: Mapping[str, Sequence[Deletion]], erased: Mapping[str, int | None]
) -> str | None:
    link, event = entry
    assert event is not None, "it is there"
    if link.salt is not None:
        is_so = link.contents == contents_digest(link.salt, event.before, event.after)
        return None if is_so else "what it says was before and after was changed"
    if not is_blank(entry):
        return "it was blanked, and says something"
    if event.id in erased and (erased[event.id] or link.number + 1) > link.number:
        return None
    of_both = (*deleted.get(event.record_id, ()), *deleted.get(event.property_id or "", ()))
    if not any(_blanks(deletion, link.number, event) for deletion in of_both):
        return "what it said was blanked, and nothing says that its record was deleted afterwards and is gone"
    return None


def _blanks(deletion: Deletion, number: int, event: Event) -> bool:
    """True if a deletion justifies blanking an event's contents.

    The deleted record is the event's record or that record's property. The deletion must come after the event,
    which is entry `number` of the chain. If a tenant was deleted, the deletion must also be within a day of the
    event, because only tenants who were just entered can be deleted.
    """
    if deletion.number is not None and deletion.number <= number:
        return False
    if not deletion.record_id.startswith("tenant_"):
        return True
    return datetime.fromisoformat(deletion.at) - datetime.fromisoformat(event.at) <= _A_TENANTS_LAST
