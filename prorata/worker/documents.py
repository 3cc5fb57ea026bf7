"""The kinds of jobs that read documents, and learn from confirmed bills.

A document's bytes are read in a separate process, which then ends. The outcome is stored in one transaction. What
Prorata learns from a confirmed bill, so that it can read the issuer's next bills, is called a lesson.
"""

import msgspec

from prorata.actions.inbound_mail import auto_confirmation
from prorata.actions.intake import documents, page_lessons, table_documents
from prorata.actions.intake.documents import READ
from prorata.actions.intake.page_lessons import LEARN, Taught
from prorata.actions.jobs import jobs
from prorata.domain.files.file_kinds import TABLE_KINDS, told
from prorata.domain.intake.documents import PASSWORD
from prorata.domain.intake.pointing.lessons import Shown
from prorata.domain.texts import say
from prorata.errors import InvalidRequest, PayloadTooLarge
from prorata.ports.files import BillReader, TableReader
from prorata.store.database.engine import Database, Tx
from prorata.store.intake import documents as stored
from prorata.store.jobs.jobs import JobRow
from prorata.worker.job_kinds import Done, Job, Kind, Lease, Outcome

_REFUSED = (InvalidRequest, PayloadTooLarge)


def document_kinds(reader: BillReader, read_table: TableReader) -> tuple[Kind, Kind]:
    """Build the kinds of jobs that read documents, and that learn from confirmed bills.

    Bills are read with `reader`, and tables of bills with `read_table`.
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
            known = database.read(lambda tx: page_lessons.known(tx, account_id))
            bill = reader.read(content, lessons=known)
        except _REFUSED as refused:
            sentence, asks = refused.message, PASSWORD if _is_protected(refused) else None
            return Done(lambda tx: documents.note_unreadable(tx, account_id, document_id, sentence, asks=asks))
        if bill.said is not None:
            why, sizes = bill.said, bill.draft
            return Done(lambda tx: documents.note_unreadable(tx, account_id, document_id, why, sizes))
        return Done(lambda tx: auto_confirmation.note_draft(tx, account_id, document_id, bill.draft, bill.pages))

    def learn(job: Job, database: Database, _lease: Lease) -> Outcome:
        account_id, document_id = job.account_id, job.payload["document"]
        taught = database.read(lambda tx: _taught(tx, job))
        if taught is None:
            return Done(lambda tx: page_lessons.note_nothing(tx, account_id, document_id, page_lessons.NOT_READ))
        lesson = reader.learn(taught.pages, taught.shown, taught.before)
        drafts = page_lessons.read_again(database, reader, account_id, lesson)

        def note(tx: Tx) -> None:
            if not page_lessons.note(tx, account_id, document_id, taught, lesson, drafts):
                jobs.enqueue(tx, account_id, LEARN, job.payload, subject=document_id)

        return Done(note)

    return (
        Kind(
            READ,
            say("reads a document that arrived"),
            read,
            called_off=lambda tx, job: _give_up(
                tx, job, say("Reading this document was cancelled. Enter the bill by hand.")
            ),
            given_up=lambda tx, job, _why: _give_up(
                tx, job, say("This document could not be read. Enter the bill by hand.")
            ),
        ),
        Kind(LEARN, say("learns from a bill how to read the issuer’s next one"), learn),
    )


def _taught(tx: Tx, job: Job) -> Taught | None:
    """Collect a confirmed bill's pages and values, and its issuer's earlier lesson.

    The confirmed values come from the job, if it has them, or else from the bill made from the document.
    """
    account_id, document_id = job.account_id, job.payload["document"]
    if "shown" in job.payload:
        shown = msgspec.json.decode(job.payload["shown"], type=Shown)
        return page_lessons.taught_as(tx, account_id, document_id, shown)
    at = page_lessons.as_places(job.payload.get("at", "{}"))
    return page_lessons.taught_by(tx, account_id, document_id, at)


def _is_protected(refused: InvalidRequest | PayloadTooLarge) -> bool:
    return any(problem.field == PASSWORD for problem in refused.problems)


def _give_up(tx: Tx, job: JobRow, sentence: str) -> None:
    assert job.subject is not None, "it is about a document"
    documents.note_unreadable(tx, job.account_id, job.subject, sentence)
