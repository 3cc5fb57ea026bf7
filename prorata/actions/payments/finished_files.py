"""Bank files in which no row still waits for a person."""

from prorata.actions.payments import files as payment_files
from prorata.domain.payments.files import CLOSED, OPEN
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx


def finish(tx: Tx, caller: Caller, file_id: str) -> bool:
    """Mark a file as done, and return True, if no row waits for a person.

    Outgoing payments never wait, but rows that can't be parsed do. A file without any incoming payment is not marked,
    because it may have been parsed wrongly. Raises `NotFound` if there is no such file.
    """
    file = payment_files.find(tx, caller, file_id)
    if file.row.state != OPEN or file.understood.is_open:
        return False
    read = payment_files.rows_of(tx, caller, file)
    settled = payment_files.recorded_of(tx, caller, read.rows).union(file.same, file.aside)
    if read.problems or not read.rows or any(row.source not in settled for row in read.rows):
        return False
    payment_files.set_state(tx, caller, file_id, CLOSED)
    return True
