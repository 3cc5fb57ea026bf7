"""Removal of names from stored bank files.

A recorded row still counts as recorded after names are removed from its text.
"""

from typing import Any

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.payments import files
from prorata.actions.privacy.read_files import ReadFiles
from prorata.domain.payments.files import BankRow, read_rows
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.payments import payments
from prorata.store.privacy import shared_texts
from prorata.store.privacy.shared_texts import FilesCut


def cut_files(tx: Tx, caller: Caller, read: ReadFiles) -> FilesCut:
    """Remove a person's names and addresses from stored files.

    Recorded rows of bank files are stored with their new fingerprints, so that they still count as recorded.
    """
    before = dict[str, set[int]]()

    def note(table: str, key: tuple[Any, ...]) -> None:
        if table == "payment_file" and key[1] not in before:
            before[key[1]] = {row.line for row in _recorded(tx, caller, key[1])}

    done = shared_texts.cut_files(tx, caller.account_id, read.words, read.cut, note)
    for file_id, lines in before.items():
        marks = [row.source for row in _rows(tx, caller, file_id) if row.line in lines]
        payments.keep_row_marks(tx, caller.account_id, marks)
    return done


def _recorded(tx: Tx, caller: Caller, file_id: str) -> list[BankRow]:
    rows = _rows(tx, caller, file_id)
    there = files.recorded_of(tx, caller, rows) | set(files.find(tx, caller, file_id).same)
    return [row for row in rows if row.source in there]


def _rows(tx: Tx, caller: Caller, file_id: str) -> list[BankRow]:
    file = files.find(tx, caller, file_id)
    if file.understood.is_open:
        return []
    today = account_actions.today(tx, caller)
    return list(read_rows(file.understood, file.country, file.currency, today).rows)
