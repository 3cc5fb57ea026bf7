"""The kinds of jobs that read documents, and learn from those whose bill somebody has confirmed.

Their bytes are read in a process that ends with them; what comes of it is one write.
"""

from prorata.actions.inbound_mail import auto_confirmation
from prorata.actions.intake import documents, learned_templates, table_documents
from prorata.actions.intake.documents import READ
from prorata.actions.intake.learned_templates import LEARN, Taught
from prorata.domain.files.file_kinds import TABLE_KINDS, told
from prorata.domain.intake.bill_reading.issuers import Template
from prorata.domain.intake.documents import PASSWORD
from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.ports.files import BillReader, ReadBill, TableReader
from prorata.store.database.engine import Database, Tx
from prorata.store.intake import documents as stored
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Lease, Outcome

_REFUSED = (InvalidRequest, PayloadTooLarge)


def document_kinds(reader: BillReader, read_table: TableReader) -> tuple[Kind, Kind]:
    """The kinds of jobs that read documents, bills with `reader` and tables of them with `read_table`, and learn from
    bills.
    """

    def read(job: Job, database: Database, _lease: Lease) -> Outcome:
        account_id, document_id = job.account_id, job.payload["document"]
        row = database.read(lambda tx: stored.find(tx, account_id, document_id))
        content = database.read(lambda tx: stored.content(tx, account_id, document_id))
        if row is None or content is None:
            return Done()  # its account is gone
        try:
            if told(row.name, content).kind in TABLE_KINDS:
                sheet = read_table("bills", content)
                return Done(lambda tx: table_documents.note_table(tx, account_id, document_id, sheet))
            found = _read(reader, database, account_id, content)
        except _REFUSED as refused:
            said, asks = refused.message, PASSWORD if _is_protected(refused) else None
            return Done(lambda tx: documents.note_unreadable(tx, account_id, document_id, said, asks=asks))
        if found.said is not None:
            why, sizes = found.said, found.draft
            return Done(lambda tx: documents.note_unreadable(tx, account_id, document_id, why, sizes))
        return Done(lambda tx: auto_confirmation.note_draft(tx, account_id, document_id, found.draft))

    def learn(job: Job, database: Database, _lease: Lease) -> Outcome:
        account_id, document_id = job.account_id, job.payload["document"]
        taught = database.read(lambda tx: learned_templates.taught_by(tx, account_id, document_id))
        lesson, why = _learned(reader, taught) if taught else (None, learned_templates.NO_NUMBER)
        if taught is None or lesson is None:
            return Done(lambda tx: learned_templates.note_nothing(tx, account_id, document_id, why))
        return Done(lambda tx: learned_templates.keep(tx, account_id, taught.confirmed, lesson))

    return (
        Kind(
            READ,
            "reads a document that came in",
            read,
            called_off=lambda tx, job: _give_up(
                tx, job, "Reading this document was called off. Enter the bill by hand."
            ),
            given_up=lambda tx, job, _why: _give_up(
                tx, job, "This document could not be read. Enter the bill by hand."
            ),
        ),
        Kind(LEARN, "learns from a bill how the next one of its account number is read", learn),
    )


def _read(reader: BillReader, database: Database, account_id: str, content: bytes) -> ReadBill:
    """What a document says; read once more where something was learned of a number that stands on it."""
    read = reader.read(content)
    known = database.read(lambda tx: learned_templates.known(tx, account_id, read.numbers)) if read.numbers else []
    return reader.read(content, lessons=known) if known else read


def _learned(reader: BillReader, taught: Taught) -> tuple[Template | None, str]:
    """What a document teaches; or None, and the sentence that says why nothing."""
    try:
        return reader.learn(*taught), learned_templates.NOT_SHOWN
    except _REFUSED as refused:
        return None, learned_templates.PROTECTED if _is_protected(refused) else learned_templates.NOT_READ


def _is_protected(refused: InvalidRequest | PayloadTooLarge) -> bool:
    return any(problem.field == PASSWORD for problem in refused.problems)


def _give_up(tx: Tx, job: JobRow, said: str) -> None:
    assert job.subject is not None, "it is about a document"
    documents.note_unreadable(tx, job.account_id, job.subject, said)
