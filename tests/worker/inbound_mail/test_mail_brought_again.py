"""Tests of files that e-mails bring a second time.

If the bill of the file was removed, the file is read again. If the file was set aside, it stays so, and the message
says so.
"""

import pytest

from prorata.actions.audit import activity
from prorata.actions.intake import documents
from prorata.domain.limits import MOST_DOCUMENTS_UNDER_WAY
from prorata.errors import Conflict
from prorata.store.database.engine import Tx
from prorata.store.properties.properties import PropertyRow
from tests.incoming import PDF, a_message
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_auto_confirmation import DRAFT
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails, names, states

AGAIN = a_message(("bill.pdf", PDF), message_id="<2@aqua.example>", subject="Your bill again")


@pytest.fixture
def document(landlord: Landlord) -> str:
    """The id of a file that came by e-mail and was read."""
    allow(landlord)
    bring(landlord, a_message(("bill.pdf", PDF)), everybody=True)
    (taken,) = mails(landlord)
    (document,) = taken.documents
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, document.id, DRAFT))
    return document.id


@pytest.fixture
def maple(landlord: Landlord) -> PropertyRow:
    maple = landlord.property_()
    landlord.units(maple, "1", "2")
    return maple


def removed(landlord: Landlord, maple: PropertyRow, document: str) -> None:
    """Confirm a file, and remove its bill."""
    landlord.do(documents.confirm, document, documents.begun(DRAFT, maple))
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)


def test_one_whose_bill_was_removed_is_read_again(landlord: Landlord, maple: PropertyRow, document: str) -> None:
    removed(landlord, maple, document)
    bring(landlord, AGAIN, everybody=True)
    assert states(landlord) == ["taken", "taken"]
    assert [(one.id, one.state) for one in mails(landlord)[0].documents] == [(document, "reading")]
    assert names(landlord) == ["bill.pdf"]
    assert "take document up" in [one.verb for one in landlord.see(activity.page)]


def test_who_uploads_it_again_is_told_that_it_is_there(landlord: Landlord, maple: PropertyRow, document: str) -> None:
    removed(landlord, maple, document)
    assert landlord.do(documents.take, "bill.pdf", PDF, "upload").row.state == "billed"


def test_one_that_became_a_bill_or_was_set_aside_stays_so(
    landlord: Landlord, maple: PropertyRow, document: str
) -> None:
    landlord.do(documents.confirm, document, documents.begun(DRAFT, maple))
    assert landlord.do(documents.take, "bill.pdf", PDF, "mail").row.state == "billed"
    (bill,) = landlord.stored_bills(maple)
    landlord.remove_bill(bill)
    landlord.do(documents.set_aside, document)
    bring(landlord, AGAIN, everybody=True)
    assert [one.state for one in mails(landlord)[0].documents] == ["set aside"]


def test_it_waits_where_too_many_do(landlord: Landlord, maple: PropertyRow, document: str) -> None:
    removed(landlord, maple, document)

    def many(tx: Tx) -> None:
        for number in range(MOST_DOCUMENTS_UNDER_WAY):
            documents.take(tx, landlord.caller, "a.pdf", PDF + str(number).encode(), "upload")

    landlord.run(many)
    with pytest.raises(Conflict):
        landlord.do(documents.take, "bill.pdf", PDF, "mail")
