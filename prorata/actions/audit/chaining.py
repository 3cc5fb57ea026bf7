"""Numbering and hash chaining of audit log entries after they are written.

The code that writes an entry never waits for its chaining. A worker process takes the unchained entries whose
transactions are committed, in the order of their ids. So the numbers follow the order in which entries were
committed (docs/adr/0027).
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial

from prorata.domain.audit.chains import Reached, linked, problems
from prorata.ids import first_at
from prorata.store.audit import chains as audit_chains
from prorata.store.audit.chains import ChainRow
from prorata.store.database.engine import Database, Tx

AT_ONCE = 1_000
"""The number of events that are chained in one transaction."""
SETTLES_AFTER = timedelta(hours=1)
"""The age after which an event that has just become visible counts as tampering.

No transaction takes as long, and the clocks of the machines that write to one database don't differ by as much.
"""
CHECKED_AT_ONCE = 500


def _floor(tx: Tx) -> str:
    return first_at("evt", int((tx.moment - SETTLES_AFTER).timestamp() * 1000))


def behind(tx: Tx) -> list[str]:
    """List some accounts that have unchained audit events, for the worker that chains them."""
    return audit_chains.behind(tx, _floor(tx))


def go_on(
    tx: Tx, account_id: str, random_bytes: Callable[[int], bytes], after: str = "", most: int = AT_ONCE
) -> str | None:
    """Chain an account's next unchained events, at most `most` of them.

    Return the id of the last chained event if there may be more, otherwise None. To chain many events, pass that id
    as `after` to the next call, which thus skips the events that were just chained. Events that have since appeared
    with an earlier id are found by the next call without `after`.
    """
    row, floor = audit_chains.lock(tx, account_id), _floor(tx)
    events = audit_chains.unchained(tx, account_id, after=after or min(row.settled, floor), limit=most)
    salts = (random_bytes(16).hex() for _ in events)
    links = list(linked(account_id, events, Reached(row.number, row.hash), salts))
    if links:
        row = row._replace(number=links[-1].number, hash=links[-1].hash)
    further = events[-1].id if len(events) == most else None
    if further is not None:
        row = row._replace(settled=min(further, floor))
    elif not after:
        row = row._replace(settled=floor)
    audit_chains.add(tx, row, links)
    return further


def check(database: Database, account_id: str) -> Iterator[str]:
    """Yield a sentence for each chained entry that was changed, moved, inserted or removed.

    A few entries are read at a time, so that memory use stays constant however long the log is.
    """
    chain, last, erased = database.snapshot(
        lambda tx: (
            audit_chains.find(tx, account_id),
            audit_chains.last_number(tx, account_id),
            audit_chains.erased(tx, account_id),
        )
    )
    reached = Reached()
    while chunk := database.snapshot(partial(_some, chain=chain, reached=reached, erased=erased)):
        sentences, reached = chunk
        yield from sentences
    if reached != (chain.number, chain.hash) or last > chain.number:
        yield (
            f"Audit log of account {account_id}: it ends with entry {last}, but was chained up to entry "
            f"{chain.number}. Its last entries were changed or removed, or others were added after them."
        )
    after = ""
    while named := database.snapshot(
        lambda tx, after=after: audit_chains.put_in(tx, chain, after=after, limit=CHECKED_AT_ONCE)  # type: ignore[misc]
    ):
        after = named[-1]
        yield from (
            f"Event {event_id} was added to the audit log after all entries up to its time had been chained."
            for event_id in named
        )


def _some(
    tx: Tx, chain: ChainRow, reached: Reached, erased: Mapping[str, int | None]
) -> tuple[list[str], Reached] | None:
    """Check the next entries of an audit log; return problems and the last position.

    The position is that of the last entry that was checked. Return None if there are no further entries.
    """
    account_id = chain.account_id
    entries = audit_chains.entries(tx, account_id, after=reached.number, last=chain.number, limit=CHECKED_AT_ONCE)
    if not entries:
        return None
    blank = {
        record_id
        for entry in entries
        if entry.link.salt is None and entry.event
        for record_id in (entry.event.record_id, entry.event.property_id)
        if record_id
    }
    deleted = audit_chains.deleted_of(tx, account_id, sorted(blank))
    last = entries[-1].link
    return list(problems(account_id, entries, reached, deleted, erased)), Reached(last.number, last.hash)
