"""A message from an allowed sender waits if none of its files could be accepted.

It may contain the bill, so it waits until somebody has dealt with it.
"""

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from prorata.actions.audit import activity
from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.incoming_mail import Waiting
from prorata.adapters.inbound_mail.dkim_check import DkimCheck
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.inbound_mail.incoming_mail import NO_SENDER
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.errors import Conflict
from prorata.wiring import files_in
from prorata.worker.incoming_mail import incoming_mail_kind
from prorata.worker.rounds import Worker
from tests.adapters.inbound_mail.test_dkim_check import Names
from tests.hostile_mail import tnef
from tests.incoming import PDF, a_message
from tests.landlord import Landlord
from tests.smtp_server import SmtpServer
from tests.worker.inbound_mail.test_archives_by_mail import keep
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails, names, read, states
from tests.worker.inbound_mail.test_mail_answers import allow as allow_in, bring as bring_to
from tests.worker.mailing import House, parsed

WORD = b"{\\rtf1 the bill}"
CUT_OFF = a_message(("bill.pdf", PDF * 9)).rpartition(b"\r\n--")[0][:-40]
WINMAIL = a_message(("winmail.dat", tnef.SIGNATURE + b"\x00\x00\x01"))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: a_message(("bill.rtf", WORD)), "Save it as a PDF."),
        (lambda: a_message(("bill.pdf", PDF + bytes(MOST_DOCUMENT_BYTES))), "A file can be at most 10 MB."),
        (lambda: CUT_OFF, "arrived incomplete"),
        (lambda: WINMAIL, "winmail.dat, in which Outlook packs attachments, could not be read"),
    ],
    ids=["of another kind", "too large", "cut off", "winmail.dat"],
)
@pytest.mark.thorough
def test_a_message_whose_only_file_could_not_be_taken_waits_and_says_why(
    landlord: Landlord, made: Callable[[], bytes], why: str
) -> None:
    allow(landlord)
    message = made()
    bring(landlord, message, everybody=True)
    (waits,) = mails(landlord)
    assert (waits.row.state, names(landlord)) == ("not taken", [])
    assert why in waits.left_out[0].why
    assert landlord.see(incoming_mail.number_waiting) == Waiting(not_allowed=0, not_taken=1)
    bring(landlord, b"X-Copy: 1\r\n" + message, everybody=True)
    assert states(landlord) == ["again", "not taken"], "the same message adds nothing"


def test_somebody_deals_with_it_once_and_a_copy_is_no_news(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("bill.rtf", WORD))
    bring(landlord, message, everybody=True)
    (waits,) = mails(landlord)
    with pytest.raises(Conflict, match="no longer waiting"):
        landlord.do(incoming_mail.refuse, waits.row.id)
    for _ in range(2):
        assert landlord.do(incoming_mail.deal_with, waits.row.id).state == "dealt with"
    assert landlord.see(incoming_mail.number_waiting) == Waiting(0, 0)
    said = [one.verb for one in landlord.see(activity.page)]
    assert said.count("deal with message") == 1
    bring(landlord, b"X-Copy: 1\r\n" + message, everybody=True)
    assert states(landlord) == ["again", "dealt with"]


def test_it_can_be_read_again_and_waits_again_where_that_changes_nothing(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.rtf", WORD)), everybody=True)
    (waits,) = mails(landlord)
    landlord.do(incoming_mail.deal_with, waits.row.id)
    landlord.do(incoming_mail.take_up, waits.row.id)
    read(landlord, everybody=True)
    assert states(landlord) == ["not taken"]


def test_of_a_stranger_it_does_not_wait_and_hides_none_that_is_shown_to_be_its_senders(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("bill.rtf", WORD))
    bring(landlord, b"X-Copy: 1\r\n" + message)
    assert states(landlord) == ["nothing"]
    bring(landlord, message, everybody=True)
    assert states(landlord) == ["not taken", "nothing"]


def test_what_somebody_takes_up_waits_where_nothing_in_its_archive_could_be_taken(landlord: Landlord) -> None:
    bring(landlord, a_message(("bills.zip", b"PK\x05\x06" + bytes(18))))
    (waits,) = mails(landlord)
    landlord.do(incoming_mail.take_up, waits.row.id)
    read(landlord)
    (after,) = mails(landlord)
    assert (after.row.state, names(landlord)) == ("not taken", [])
    assert after.left_out


def test_a_letter_without_a_file_waits_for_nobody(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(), everybody=True)
    assert states(landlord) == ["nothing"]


def bare(text: str) -> bytes:
    """A message whose head says nothing."""
    return b"X-Nothing: 1\r\n\r\n" + text.encode()


def test_letters_that_say_different_things_are_two_whatever_their_heads_do_not_say(landlord: Landlord) -> None:
    bring(landlord, bare("Your bill of March is ready."), bare("Your bill of April is ready."))
    bring(landlord, b"Received: again\r\n" + bare("Your bill of April is ready.\r\n"))
    assert sorted(states(landlord)) == ["again", "nothing", "nothing"]


def test_of_two_cut_off_messages_under_one_id_each_waits(landlord: Landlord) -> None:
    allow(landlord)
    april = a_message(("bill.pdf", PDF * 9 + b"April" * 9)).rpartition(b"\r\n--")[0][:-40]
    bring(landlord, CUT_OFF, april, everybody=True)
    assert states(landlord) == ["not taken", "not taken"]


def test_a_message_of_two_senders_says_so_once(landlord: Landlord) -> None:
    keep(landlord, b"From: Bob <bob@aqua.example>\r\n" + a_message(("bill.pdf", PDF)))
    kind = incoming_mail_kind(MessageProcess(), DkimCheck(Names(), lambda: datetime.now(UTC)), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    (waits,) = mails(landlord)
    assert (waits.row.state, waits.row.said, [one.why for one in waits.left_out]) == ("waiting", None, [NO_SENDER])


def test_its_sender_is_answered_why_it_was_not_taken(house: House) -> None:
    allow_in(house)
    with SmtpServer() as server:
        house.goes_through(server)
        bring_to(house, a_message(("bill.rtf", WORD)))
    (answer,) = server.taken
    body = parsed(answer.content).get_body(("plain",))
    assert body is not None
    said = " ".join(body.get_content().split())
    assert "No file in it could be taken." in said
    assert "bill.rtf: This is a text document. Save it as a PDF." in said
