"""Rows of a bank file, set aside by a person, that are not tenants' payments."""

from collections.abc import Collection
from typing import NamedTuple

from msgspec.json import encode

from prorata.actions.payments import files as payment_files
from prorata.actions.payments.files import Choices
from prorata.domain.audit.verbs import Verb
from prorata.domain.payments.files import OPEN
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.payments import files as stored_files

_GONE = say("These rows are no longer as they were shown. Check the file again.")


class _Noted(NamedTuple):
    """The audit note of a file's rows that are set aside, with their line numbers."""

    name: str
    lines: str


def change(tx: Tx, caller: Caller, file_id: str, lines: Collection[int], *, aside: bool) -> int:
    """Set waiting rows aside, or let them wait again; return the number of changed rows.

    A row that is set aside stays in its file, and is never matched or recorded. It is recognized by its cells, so
    that it stays set aside even if another column mapping is chosen. Letting rows wait again reopens a file that is
    done. Raises `NotFound` if there is no such file, and `Conflict` if rows are to be set aside in a file that is
    done, or if none of the rows can be changed any more.
    """
    if not aside:
        payment_files.set_state(tx, caller, file_id, OPEN)
    row = payment_files.to_change(tx, caller, file_id)
    file = payment_files.find(tx, caller, file_id)
    rows = payment_files.rows_of(tx, caller, file).rows
    settled = payment_files.recorded_of(tx, caller, rows) | set(file.same)
    before = {one.source: one.line for one in rows if one.source in file.aside}
    waiting = {one.source: one.line for one in rows if one.source not in settled | before.keys()}
    changed = {source for source, line in (waiting if aside else before).items() if line in lines}
    if not changed:
        raise Conflict(_GONE)
    after = {source: line for source, line in (before | waiting).items() if (source in before) != (source in changed)}
    choices = payment_files.said_of(row) or Choices(file.understood.sheet.header_line)
    saved = row._replace(choices=encode(choices._replace(aside=tuple(after))).decode(), updated_at=tx.now)
    stored_files.save(tx, saved)
    was, became = (_Noted(row.name, ", ".join(map(str, sorted(known.values())))) for known in (before, after))
    audit.record(tx, caller, Verb.SET_ROWS_ASIDE, row.id, before=was, after=became)
    return len(changed)
