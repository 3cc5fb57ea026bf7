"""Permanent deletion of a document that was set aside or whose bill was removed."""

from prorata.actions.accounts import access
from prorata.domain.audit.verbs import Verb
from prorata.domain.intake.documents import BILLED, SET_ASIDE
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake import documents
from prorata.store.intake.documents import DocumentRow

LOST = say(
    "The file and everything read from it are permanently deleted and can’t be restored. If a message brought the "
    "file, the message still contains it for as long as messages are kept."
)


def to_remove(tx: Tx, caller: Caller, document_id: str) -> DocumentRow:
    """Find a document that may be deleted.

    Raises `NotFound` if there is no such document, and `Conflict` if it has a bill, or if it still waits to be
    confirmed or set aside.
    """
    row = access.document(tx, caller, document_id)
    if documents.bill_of(tx, caller.account_id, row.id):
        raise Conflict(say("A bill was created from this file and shows it. Delete the bill first."))
    if row.state not in (SET_ASIDE, BILLED):
        raise Conflict(say("Set this file aside first."))
    return row


def remove(tx: Tx, caller: Caller, document_id: str) -> DocumentRow:
    """Delete a document with its content.

    Raises everything that `to_remove` raises.
    """
    access.document_to_change(tx, caller, document_id)  # so that it does not become a bill meanwhile
    row = to_remove(tx, caller, document_id)
    documents.remove(tx, caller.account_id, row.id)
    audit.record(tx, caller, Verb.DELETE_DOCUMENT, row.id, before=row._replace(draft=None))
    return row
