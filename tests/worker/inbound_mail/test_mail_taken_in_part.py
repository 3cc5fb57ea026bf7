"""A message waits for a person if an unaccepted file may be a bill.

It waits whatever else it brings. A message whose files have to wait for other documents is never noted as having
brought nothing.
"""

import threading
from datetime import date
from typing import Any

import pytest

from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.incoming_mail import Waiting
from prorata.actions.intake import documents
from prorata.actions.months import reviews as month_reviews
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.inbound_mail.incoming_mail import NO_SENDER
from prorata.domain.limits import MOST_DOCUMENT_BYTES, MOST_DOCUMENTS_UNDER_WAY
from prorata.store.database.engine import Database, Tx
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.wiring import files_in
from prorata.worker.incoming_mail import incoming_mail_kind
from prorata.worker.job_kinds import Job, Later, Lease
from prorata.worker.rounds import Worker
from tests.incoming import PDF, Believes, a_message, address_of, receiving
from tests.landlord import Landlord, MovableClock
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails, names, read, send, states

PART = a_message(("a.pdf", PDF), ("b.rtf", b"{\\rtf1 the bill}"), Auto_Submitted="auto-generated")
"""A bill, and a file that may be one but is of a kind that is not taken."""


@pytest.mark.thorough
def test_one_of_two_files_that_could_not_be_taken_keeps_the_month_until_somebody_has_dealt_with_it(
    landlord: Landlord,
) -> None:
    allow(landlord)
    of = landlord.property_()
    landlord.units(of, "1", "2")
    landlord.bill(of, 90_00, on=date(2026, 2, 3), account_number="A-1")
    too_large = ("b.pdf", PDF + bytes(MOST_DOCUMENT_BYTES))
    bring(landlord, a_message(("a.pdf", PDF), too_large, Auto_Submitted="auto-generated"), everybody=True)
    (part,) = mails(landlord)
    assert (part.row.state, names(landlord)) == ("not taken", ["a.pdf"])
    assert [one.name for one in part.left_out] == ["b.pdf"]
    landlord.do(documents.set_aside, part.documents[0].id)
    assert landlord.see(incoming_mail.number_waiting) == Waiting(not_allowed=0, not_taken=1)
    assert landlord.see(month_reviews.review, of.id, "2026-02").is_to_wait
    landlord.do(incoming_mail.deal_with, part.row.id)
    assert not landlord.see(month_reviews.review, of.id, "2026-02").is_to_wait


def test_the_same_message_again_adds_nothing_before_and_after_it_is_dealt_with(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, PART, everybody=True)
    bring(landlord, b"X-Copy: 1\r\n" + PART, everybody=True)
    assert states(landlord) == ["again", "not taken"]
    (part,) = mails(landlord)
    landlord.do(incoming_mail.deal_with, part.row.id)
    bring(landlord, b"X-Copy: 2\r\n" + PART, everybody=True)
    assert states(landlord) == ["again", "again", "dealt with"]


def test_what_is_known_to_be_no_bill_and_who_sent_it_keep_nothing_back(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.pdf", PDF), ("notes.exe", b"MZ")), everybody=True)
    assert states(landlord) == ["taken"]
    nobodys = a_message(("c.pdf", PDF + b"c")).replace(b"From: Aqua <bills@aqua.example>\r\n", b"")
    bring(landlord, nobodys)
    (waits, _) = mails(landlord)
    assert [one.why for one in waits.left_out] == [NO_SENDER]
    landlord.do(incoming_mail.take_up, waits.row.id)
    read(landlord)
    assert states(landlord) == ["taken", "taken"]


def test_of_a_stranger_it_waits_as_before(landlord: Landlord) -> None:
    bring(landlord, PART, everybody=True)
    assert states(landlord) == ["waiting"]
    landlord.do(incoming_mail.take_up, mails(landlord)[0].row.id)
    read(landlord, everybody=True)
    assert (states(landlord), names(landlord)) == (["not taken"], ["a.pdf"])


class Draining:
    """A database in which documents are set aside right after somebody has counted them."""

    def __init__(self, landlord: Landlord, fewer: list[str]) -> None:
        self._landlord = landlord
        self._fewer = fewer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._landlord.database, name)

    def read(self, work: Any) -> Any:
        found = self._landlord.database.read(work)
        if isinstance(found, dict) and sum(found.values()) >= MOST_DOCUMENTS_UNDER_WAY:
            for one in self._fewer:
                self._landlord.do(documents.set_aside, one)
        return found


def test_a_message_is_read_later_where_the_others_drain_while_it_is_looked_at(
    landlord: Landlord, clock: MovableClock
) -> None:
    allow(landlord)
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.account.id), a_message(("bill.pdf", PDF)))

    def many(tx: Tx) -> list[str]:
        files = (PDF + str(number).encode() for number in range(MOST_DOCUMENTS_UNDER_WAY))
        return [documents.take(tx, landlord.caller, "a.pdf", file, "upload").row.id for file in files]

    fewer = landlord.database.write(many)[:5]
    kind = incoming_mail_kind(MessageProcess(), Believes(everybody=True), files_in)
    (kept,) = mails(landlord)
    job = Job(landlord.account.id, "job", kind.name, {"mail": kept.row.id}, kept.row.id, 1)
    database: Database = Draining(landlord, fewer)  # type: ignore[assignment]
    assert isinstance(kind.handler(job, database, Lease(threading.Event())), Later)
    clock.forward(days=1)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    assert states(landlord) == ["taken"]


def test_what_was_noted_as_nothing_is_read_again_where_somebody_wants_that(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("bill.pdf", PDF))
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.account.id), message)
    (kept,) = mails(landlord)
    landlord.run(lambda tx: stored.save(tx, kept.row._replace(state="nothing")))
    assert mails(landlord)[0].may_be_read_again
    landlord.do(incoming_mail.take_up, kept.row.id)
    read(landlord)
    assert (states(landlord), names(landlord)) == (["taken"], ["bill.pdf"])
