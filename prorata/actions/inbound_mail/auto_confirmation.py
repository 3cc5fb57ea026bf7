"""Automatic confirmation of bills that came by e-mail, if the account allows it.

Each bill must resemble bills that were confirmed before, be read without doubt, and leave nothing to decide. All
other bills wait for a person (docs/adr/0023).
"""

from collections.abc import Sequence
from datetime import date

from prorata.actions.bills import entries as bill_entries
from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.intake import documents, issuer_lessons, page_lessons
from prorata.actions.limits import MOST_FORMER_BILLS
from prorata.domain.audit.actor_names import INBOX
from prorata.domain.currency_signs import may_mean
from prorata.domain.due_times import day_in
from prorata.domain.inbound_mail.auto_confirmation import BillBefore, why_not_known, why_not_plain
from prorata.domain.inbound_mail.inbox_addresses import DEALT_WITH, NOT_TAKEN, TAKEN
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.spots import key_of
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.documents import READING, account_number_forms
from prorata.domain.search_terms import folded, words_of
from prorata.errors import Refusal, Unavailable
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.bills import lookups as bill_lookups
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.inbound_mail.incoming_mail import BroughtBy
from prorata.store.intake import documents as stored
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow

_BRINGS = (TAKEN, NOT_TAKEN, DEALT_WITH)
"""The states of a message whose files become documents; other files may be missing."""


def note_draft(tx: Tx, account_id: str, document_id: str, draft: Draft, pages: Sequence[Page] = ()) -> None:
    """Store the data read from a document, and confirm its bill if nothing needs checking."""
    mail = _mail_that_may(tx, account_id, document_id)
    known = issuer_lessons.applied(tx, account_id, draft) if mail is not None else draft
    of = _property_of(tx, account_id, known) if mail is not None else None
    if of is not None:
        properties.lock(tx, account_id, of.id)  # before the document, as everywhere
    documents.note_draft(tx, account_id, document_id, draft, pages)
    if mail is not None and of is not None:
        _count(tx, account_id, document_id, known, of, mail)


def counted_by(tx: Tx, caller: Caller, bill_id: str) -> BroughtBy | None:
    """Find the message that brought a bill, if the bill was confirmed automatically; otherwise None."""
    return incoming_mail.counted_by(tx, caller.account_id, bill_id)


def _mail_that_may(tx: Tx, account_id: str, document_id: str) -> BroughtBy | None:
    """Find the message that brought a document, if its bill may be confirmed automatically.

    It may if the account allows this, the sender is allowed and authentic, nobody had to accept the message, and
    the document is read for the first time. Otherwise, return None.
    """
    address, row = inbox_addresses.find(tx, Caller(account_id, INBOX)), stored.find(tx, account_id, document_id)
    if not address.counts_known or row is None or row.state != READING or row.updated_at != row.created_at:
        return None
    brought = incoming_mail.brought_by(tx, account_id, document_id)
    mail = incoming_mail.find(tx, account_id, brought.id) if brought is not None else None
    if mail is None or mail.state not in _BRINGS or not mail.authentic or mail.accepted_by is not None:
        return None
    return brought if inbox_addresses.is_sender_allowed(tx, account_id, mail.sender) else None


def _property_of(tx: Tx, account_id: str, draft: Draft) -> PropertyRow | None:
    """Find the property for the bill of a draft that may be confirmed automatically.

    Return None if the draft was not read without doubt, or does not resemble earlier bills, so that a person must
    confirm it.
    """
    number, today = draft.account_number.value, _today(tx, account_id)
    if number is None or why_not_plain(draft, today) is not None:
        return None
    former_bills = bill_lookups.before(tx, account_id, account_number_forms(number), limit=MOST_FORMER_BILLS)
    before = [
        BillBefore(
            bill_before.property_id,
            bill_before.issuer_name,
            tuple(bill_before.utility_types.split(";")),
            speaks=bool(bill_before.speaks),
        )
        for bill_before in former_bills
    ]
    lesson = page_lessons.of_issuer(tx, account_id, draft.issuer.value or "")
    taught = {folded(lesson.issuer)} if lesson and key_of(number) in dict(lesson.accounts) else set()
    if draft.stated is not None:  # all of whose lines are known from confirmed bills
        taught.add(folded(draft.issuer.value or ""))
    if why_not_known(draft, before, taught) is not None:
        return None
    of = properties.find(tx, account_id, before[0].property_id)
    address = draft.service_address.value
    if of is None or not may_mean(draft.currency, of.currency):
        return None
    here = words_of(of.street_number, of.street)
    return of if address is None or (here and here <= words_of(address)) else None


def _today(tx: Tx, account_id: str) -> date:
    account = accounts.find(tx, account_id)
    assert account is not None, "documents go with their account"
    return day_in(tx.moment, account.timezone)


def _count(tx: Tx, account_id: str, document_id: str, draft: Draft, of: PropertyRow, mail: BroughtBy) -> None:
    """Confirm a document's bill automatically, unless it is flagged or needs a decision.

    If the bill is not confirmed, the document waits for a person, with the data that were read. If the bill was
    refused, the reason is stored with the document.
    """
    try:
        with tx.savepoint():
            caller = Caller(account_id, INBOX)
            form = bill_entries.named_as_before(tx, caller, documents.begun(draft, of))
            entered = documents.confirm(tx, caller, document_id, form, by_itself=True)
            if entered.bill is not None:
                incoming_mail.note_counted(tx, account_id, mail.id, document_id)
    except Unavailable:  # this passes: it is read again
        raise
    except Refusal as refused:
        documents.note_waits(
            tx, account_id, document_id, f"This bill was not confirmed automatically. {refused.message}"
        )
