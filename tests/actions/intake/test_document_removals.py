"""A file from which no bill was created can be deleted for good.

A file that waits for a person's decision, or that belongs to a bill, can't be deleted.
"""

import pytest

from prorata.actions.audit import activity
from prorata.actions.intake import document_removals, documents
from prorata.errors import Conflict, NotFound
from prorata.store.database.engine import Database
from prorata.store.intake import documents as stored
from tests.incoming import PDF, a_message
from tests.landlord import Landlord, MovableClock
from tests.worker.inbound_mail.test_auto_confirmation import DRAFT
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails


def test_one_that_was_set_aside_is_deleted_and_its_message_stays(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.pdf", PDF)), everybody=True)
    (document,) = mails(landlord)[0].documents
    with pytest.raises(Conflict, match="Set this file aside first"):
        landlord.do(document_removals.remove, document.id)
    landlord.do(documents.set_aside, document.id)
    landlord.do(document_removals.remove, document.id)
    with pytest.raises(NotFound):
        landlord.see(documents.find, document.id)
    assert landlord.run(lambda tx: stored.content(tx, landlord.account.id, document.id)) is None
    (mail,) = mails(landlord)
    assert (mail.row.state, mail.documents, mail.is_kept) == ("taken", [], True)
    assert mail.deleted == ["bill.pdf"]
    assert "delete document" in [one.verb for one in landlord.see(activity.page)]
    landlord.sound()


def test_one_that_a_bill_came_of_goes_once_the_bill_is_gone(landlord: Landlord) -> None:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    row = landlord.do(documents.take, "bill.pdf", PDF, "upload").row
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, row.id, DRAFT))
    landlord.do(documents.confirm, row.id, documents.begun(DRAFT, maple))
    with pytest.raises(Conflict, match="A bill was created from this file"):
        landlord.do(document_removals.remove, row.id)
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)
    landlord.do(document_removals.remove, row.id)
    assert landlord.do(documents.take, "bill.pdf", PDF, "upload").is_new
    landlord.sound()


def test_a_stranger_deletes_nothing(database: Database, clock: MovableClock) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    row = ann.do(documents.take, "bill.pdf", PDF, "upload").row
    ann.do(documents.set_aside, row.id)
    with pytest.raises(NotFound):
        ben.do(document_removals.remove, row.id)
    assert ann.see(documents.find, row.id).row.state == "set aside"
