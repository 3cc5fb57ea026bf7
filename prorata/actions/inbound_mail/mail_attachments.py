"""Setting aside all files of one message together, instead of one by one."""

from prorata.actions.accounts import access
from prorata.domain.audit.verbs import Verb
from prorata.domain.intake.documents import OPEN, SET_ASIDE
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.intake import documents


def set_aside(tx: Tx, caller: Caller, mail_id: str) -> int:
    """Set aside those files of a message that are neither bills nor set aside yet.

    The files stay stored. Return the number of files that were set aside. Raises `NotFound` if there is no such
    message, and `Conflict` if it has no such file.
    """
    row = access.incoming_mail(tx, caller, mail_id)
    brought = [brought_document.id for brought_document in incoming_mail.brought(tx, caller.account_id, [row.id])]
    open_ones = [document for document in documents.lock_many(tx, caller.account_id, brought) if document.state in OPEN]
    if not open_ones:
        raise Conflict(
            say("None of this message’s files is still waiting: each became a bill, was set aside, or was deleted.")
        )
    after = [open_one._replace(state=SET_ASIDE, updated_at=tx.now) for open_one in open_ones]
    documents.save_many(tx, after)
    changed = [
        (was.id, was._replace(draft=None), now._replace(draft=None)) for was, now in zip(open_ones, after, strict=True)
    ]
    audit.record_many(tx, caller, Verb.SET_DOCUMENT_ASIDE, changed)
    return len(after)
