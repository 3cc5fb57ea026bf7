"""The amount of mail that an account accepts is limited.

Mail from strangers leaves room for allowed senders, and is deleted after some days.
"""

import threading
from collections.abc import Sequence
from datetime import timedelta

import pytest

from prorata.actions.audit import activity
from prorata.actions.inbound_mail import bulk_refusals, inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import MailRules, Recipient
from prorata.actions.inbound_mail.intake_quota import ENOUGH, FULL
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.inbound_mail.inbox_addresses import KEEP_DAYS_OF_STRANGERS
from prorata.domain.limits import (
    MOST_MAIL_BYTES_OF_A_DAY,
    MOST_MAIL_BYTES_OF_REPORTS,
    MOST_MAIL_BYTES_OF_STRANGERS,
    MOST_MAIL_OF_STRANGERS_WAITING,
    MOST_MAIL_WAITING,
    MOST_MESSAGE_BYTES,
    MOST_REPORT_BYTES,
)
from prorata.errors import Conflict
from prorata.ports.mail import Authenticity
from prorata.store.database.engine import Database, Tx
from prorata.wiring import files_in
from prorata.worker.incoming_mail import Intake, incoming_mail_kind
from prorata.worker.recurring_jobs import CLOCKWORK
from prorata.worker.rounds import Worker
from tests.incoming import MAIL_FROM, PDF, a_message, address_of
from tests.landlord import Landlord, MovableClock
from tests.worker.inbound_mail.test_incoming_mail import allow, bring, mails, states

ABOUT = "mail_01kb1n3x6ve2hrrk0p1w4bqv2f"


def keep(landlord: Landlord, begin: int, end: int, size: int = 100, about: str | None = None) -> None:
    """Store messages as if they had the given size."""
    to = Recipient(landlord.account.id, about)

    def write(tx: Tx) -> None:
        for at in range(begin, end):
            incoming_mail.keep(tx, to, envelope_from="", message=b"%d" % at, way="smtp", size=size)

    landlord.run(write)


def take(landlords: Sequence[Landlord], message: bytes) -> None:
    """Deliver a message to the addresses of the landlords."""
    to = [address_of(one.database, one.account.id) for one in landlords]
    Intake(landlords[0].database, MAIL_FROM).take(to, "bounces@elsewhere.example", message, "smtp")


def knows(landlord: Landlord) -> bool:
    return Intake(landlord.database, MAIL_FROM).knows(address_of(landlord.database, landlord.account.id))


def test_strangers_leave_places_for_who_says_they_are_allowed(landlord: Landlord) -> None:
    keep(landlord, 0, MOST_MAIL_OF_STRANGERS_WAITING)
    assert knows(landlord), "nobody knows yet who it is of"
    with pytest.raises(Conflict, match=FULL):
        take([landlord], a_message(("bill.pdf", PDF)))
    allow(landlord)
    take([landlord], a_message(("bill.pdf", PDF)))
    keep(landlord, MOST_MAIL_OF_STRANGERS_WAITING, MOST_MAIL_WAITING - 1)
    with pytest.raises(Conflict, match=FULL):
        knows(landlord)


def test_strangers_leave_bytes_of_the_day_and_the_next_day_begins_anew(landlord: Landlord, clock: MovableClock) -> None:
    at = MOST_MAIL_BYTES_OF_STRANGERS // MOST_MESSAGE_BYTES
    keep(landlord, 0, at, MOST_MESSAGE_BYTES)
    large = a_message(("bill.pdf", PDF + bytes(MOST_MAIL_BYTES_OF_STRANGERS - at * MOST_MESSAGE_BYTES)))
    with pytest.raises(Conflict, match=ENOUGH):
        take([landlord], large)
    allow(landlord)
    take([landlord], large)
    keep(landlord, at, MOST_MAIL_BYTES_OF_A_DAY // MOST_MESSAGE_BYTES + 1, MOST_MESSAGE_BYTES)
    with pytest.raises(Conflict, match=ENOUGH):
        knows(landlord)
    clock.forward(days=1, minutes=1)
    assert knows(landlord)
    keep(landlord, 1_000, 1_050, MOST_MESSAGE_BYTES + 1)
    assert knows(landlord), "of these no more than the head was fetched"


def test_of_reports_the_beginning_is_kept_and_so_much_in_a_day(landlord: Landlord) -> None:
    to = Recipient(landlord.account.id, ABOUT)
    row = landlord.run(
        lambda tx: incoming_mail.keep(tx, to, envelope_from="", message=bytes(MOST_REPORT_BYTES + 9), way="smtp")
    )
    assert row.size == MOST_REPORT_BYTES
    keep(landlord, 0, MOST_MAIL_BYTES_OF_REPORTS // MOST_REPORT_BYTES, MOST_REPORT_BYTES, ABOUT)
    take([landlord], a_message())
    assert knows(landlord), "bills come in as before"


def test_who_has_room_has_a_message_once_though_another_has_none(database: Database, clock: MovableClock) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    keep(ann, 0, MOST_MAIL_OF_STRANGERS_WAITING)
    for _ in range(2):
        with pytest.raises(Conflict, match=FULL):
            take([ann, ben], a_message(("bill.pdf", PDF)))
    assert states(ben) == ["received"]


def wait(landlord: Landlord, *senders: str) -> None:
    """Have a message from each sender wait."""
    for at, sender in enumerate(senders):
        bring(landlord, a_message(("b.pdf", PDF + b"%d" % at), sender=sender, message_id=f"<{sender}{at}>"))


def test_all_of_one_sender_and_all_that_were_seen_are_refused_at_once(landlord: Landlord) -> None:
    wait(landlord, "x@spam.example", "bills@aqua.example", "x@spam.example")
    found = landlord.see(bulk_refusals.waiting, "x@spam.example")
    assert found.number == 2
    assert landlord.do(bulk_refusals.refuse_all, found, "x@spam.example") == 2
    assert states(landlord) == ["refused", "waiting", "refused"]
    found = landlord.see(bulk_refusals.waiting)
    wait(landlord, "late@spam.example")
    assert landlord.do(bulk_refusals.refuse_all, found) == 1
    assert states(landlord) == ["waiting", "refused", "refused", "refused"]
    assert landlord.do(bulk_refusals.refuse_all, found) == 0
    assert [one.verb for one in landlord.see(activity.page)].count("refuse messages") == 2
    landlord.sound()


class NotYet:
    """Believes nobody, and cannot tell who sent the first message until `answers` is set."""

    def __init__(self) -> None:
        self.answers = False

    def __call__(self, message: bytes) -> Authenticity:
        is_late = b"Subject: first" in message and not self.answers
        return Authenticity(passed=False, domain=None, why="Nobody has signed it.", may_pass_later=is_late)


def test_one_that_began_to_wait_after_the_question_is_not_refused_unseen(
    landlord: Landlord, clock: MovableClock
) -> None:
    take([landlord], a_message(("a.pdf", PDF), subject="first", message_id="<1@x>"))
    take([landlord], a_message(("b.pdf", PDF + b"b"), subject="second", message_id="<2@x>"))
    names = NotYet()
    worker = Worker(landlord.database, lambda: 0, [incoming_mail_kind(MessageProcess(), names, files_in)])
    worker.do_round(threading.Event())
    found = landlord.see(bulk_refusals.waiting)
    assert (found.number, states(landlord)) == (1, ["waiting", "received"])
    names.answers = True
    clock.forward(hours=2)
    worker.do_round(threading.Event())
    assert states(landlord) == ["waiting", "waiting"]
    assert landlord.do(bulk_refusals.refuse_all, found) == 1
    assert states(landlord) == ["refused", "waiting"]


def test_nothing_is_refused_where_more_wait_than_the_question_said(landlord: Landlord) -> None:
    wait(landlord, "x@spam.example", "bills@aqua.example")
    found = landlord.see(bulk_refusals.waiting)._replace(number=1)
    with pytest.raises(Conflict, match="More messages are waiting now"):
        landlord.do(bulk_refusals.refuse_all, found)
    assert states(landlord) == ["waiting", "waiting"]


def test_what_is_nothing_to_anybody_goes_after_days_and_that_of_allowed_senders_later(
    landlord: Landlord, clock: MovableClock
) -> None:
    allow(landlord)
    letter = a_message(sender="x@spam.example", subject="spam")
    bring(landlord, a_message(subject="ours"), everybody=True)
    bring(landlord, letter, b"X-Copy: 1\r\n" + letter, everybody=True)
    bring(landlord, a_message(subject="forged", message_id="<2@x>"))
    clock.forward(days=KEEP_DAYS_OF_STRANGERS - 1)
    assert kept(landlord, clock) == ["forged", "ours", "spam", "spam"]
    clock.forward(days=1)
    assert kept(landlord, clock) == ["ours"]


def test_who_keeps_all_mail_keeps_that_of_strangers_too(landlord: Landlord, clock: MovableClock) -> None:
    landlord.do(inbox_addresses.set_rules, MailRules(0, counts_known=False))
    bring(landlord, a_message(subject="spam"))
    clock.forward(days=100)
    assert kept(landlord, clock) == ["spam"]


def kept(landlord: Landlord, clock: MovableClock) -> list[str]:
    """The subjects of the messages that are still stored after old ones were deleted."""
    clock.forward(hours=2)
    Worker(landlord.database, lambda: 0, CLOCKWORK).do_round(threading.Event())
    clock.forward(seconds=timedelta(minutes=5).total_seconds())
    Worker(landlord.database, lambda: 0, CLOCKWORK).do_round(threading.Event())
    shown = mails(landlord, (*incoming_mail.SHOWN, "again"))
    return sorted(one.row.subject or "" for one in shown if one.is_kept)
