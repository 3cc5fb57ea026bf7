"""Tests of messages in the polled mailbox that are too large.

The account that such a message is for sees once that it came.
"""

import threading

import pytest

from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.incoming_mail import Waiting
from prorata.errors import Conflict
from prorata.store.database.engine import Database
from prorata.wiring import files_in
from prorata.worker.incoming_mail import Intake, incoming_mail_kind
from prorata.worker.rounds import Worker
from tests.incoming import MAIL_FROM, Believes, a_message, address_of
from tests.landlord import Landlord, MovableClock
from tests.worker.inbound_mail.test_incoming_mail import AQUA, Breaks, allow, mails, read, states

LARGE = 31_000_000


def head_of_a_large_message(**headers: str) -> bytes:
    return a_message(subject="Your bill, with all pictures", **headers).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


def test_a_polled_message_that_is_too_large_stands_in_the_inbox_once_as_refused_for_its_size(
    landlord: Landlord,
) -> None:
    intake, head = Intake(landlord.database, MAIL_FROM), head_of_a_large_message()
    for size in (LARGE, LARGE, LARGE + 1):
        intake.take_from_mailbox(head, size)
        read(landlord, everybody=True)
    (other, told) = mails(landlord)
    assert (other.row.size, told.row.size) == (LARGE + 1, LARGE)
    assert (told.row.state, told.row.sender, told.row.subject) == ("refused", AQUA, "Your bill, with all pictures")
    assert told.is_too_large
    assert not told.is_kept
    assert [one.why.partition(",")[0] for one in told.left_out] == ["It is larger than 25 MB"]
    assert told.documents == []
    with pytest.raises(Conflict):
        landlord.do(incoming_mail.take_up, told.row.id)
    landlord.sound()


def test_one_that_says_it_is_of_an_allowed_sender_waits_until_somebody_has_dealt_with_it(landlord: Landlord) -> None:
    allow(landlord)
    Intake(landlord.database, MAIL_FROM).take_from_mailbox(head_of_a_large_message(), LARGE)
    read(landlord, everybody=True)
    (told,) = mails(landlord)
    assert (told.row.state, told.is_kept, told.may_be_read_again) == ("not taken", False, False)
    assert landlord.see(incoming_mail.number_waiting) == Waiting(not_allowed=0, not_taken=1)
    landlord.do(incoming_mail.deal_with, told.row.id)
    assert states(landlord) == ["dealt with"]


def test_a_large_message_is_told_to_the_account_that_its_head_names(database: Database, clock: MovableClock) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    to_ben = address_of(database, ben.caller.account_id)
    Intake(database, MAIL_FROM).take_from_mailbox(head_of_a_large_message(Cc=to_ben), LARGE)
    assert (states(ann), states(ben)) == ([], ["received"])
    with pytest.raises(Conflict, match="contain no address that belongs to an account"):
        Intake(database, MAIL_FROM).take_from_mailbox(head_of_a_large_message(), LARGE)


def test_a_large_message_whose_head_can_not_be_read_is_told_too(landlord: Landlord) -> None:
    Intake(landlord.database, MAIL_FROM).take_from_mailbox(head_of_a_large_message(), LARGE)
    kind = incoming_mail_kind(Breaks(), Believes(everybody=True), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    (told,) = mails(landlord)
    assert (told.row.state, told.row.subject, told.is_too_large) == ("refused", None, True)
