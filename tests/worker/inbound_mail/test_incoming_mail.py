"""Tests of incoming e-mail, which is stored, answered and then read by a job."""

import smtplib
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import pytest

from prorata.actions.inbound_mail import inbox_addresses, incoming_mail
from prorata.actions.inbound_mail.inbox_rows import ListedMail
from prorata.actions.inbound_mail.parsed_mail import ReadMail
from prorata.actions.intake import documents
from prorata.actions.jobs import jobs as job_actions
from prorata.actions.overview.consistency_checks import check
from prorata.adapters.inbound_mail.dkim_check import DkimCheck
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage, read_message
from prorata.domain.limits import MOST_DOCUMENTS_UNDER_WAY, MOST_MAIL_OF_STRANGERS_WAITING
from prorata.domain.mail.delivery_reports import DeliveryReport
from prorata.errors import Conflict, InvalidRequest
from prorata.ports.files import IncomingFile
from prorata.ports.mail import Authenticity
from prorata.store.accounts import members
from prorata.store.database.engine import Database, Tx
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.store.jobs import jobs
from prorata.wiring import files_in
from prorata.worker.incoming_mail import Intake, incoming_mail_kind
from prorata.worker.limits import MOST_LOOK_UPS
from prorata.worker.rounds import Worker
from tests.adapters.inbound_mail.test_dkim_check import Names, signed
from tests.incoming import MAIL_FROM, PDF, Believes, Talk, a_message, address_of, reading, receiving
from tests.landlord import Landlord, MovableClock
from tests.meanwhile import while_somebody_else_writes

AQUA = "bills@aqua.example"


def send(port: int, to: str, *messages: bytes) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        for message in messages:
            client.sendmail(AQUA, [to], message)


def bring(landlord: Landlord, *messages: bytes, everybody: bool = False) -> None:
    """Send messages to a landlord, and have them read."""
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), *messages)
    read(landlord, everybody=everybody)


def read(landlord: Landlord, *, everybody: bool = False) -> None:
    Worker(landlord.database, lambda: 0, [reading(everybody=everybody)]).do_round(threading.Event())


def mails(landlord: Landlord, states: Sequence[str] = incoming_mail.SHOWN) -> list[ListedMail]:
    return landlord.database.read(lambda tx: incoming_mail.page(tx, landlord.caller, states)).mails


def states(landlord: Landlord) -> list[str]:
    return [one.row.state for one in mails(landlord, ("received", *incoming_mail.SHOWN, "again", "report"))]


def names(landlord: Landlord) -> list[str]:
    found = landlord.database.read(lambda tx: documents.inbox(tx, landlord.caller))
    return sorted(one.row.name for one in found.rows)


def allow(landlord: Landlord, sender: str = AQUA) -> None:
    landlord.database.write(lambda tx: inbox_addresses.set_allowed(tx, landlord.caller, sender))


def test_a_message_is_kept_byte_for_byte_before_it_is_answered(landlord: Landlord) -> None:
    message = a_message(("bill.pdf", PDF))
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), message)
    (kept,) = mails(landlord)
    assert (kept.row.state, kept.row.envelope_from, kept.row.way) == ("received", AQUA, "smtp")
    content = landlord.database.read(lambda tx: incoming_mail.content_of(tx, landlord.caller, kept.row.id))
    assert content == message


def test_what_an_allowed_sender_brings_goes_where_uploads_go(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.pdf", PDF), ("notes.exe", b"MZ")), everybody=True)
    (taken,) = mails(landlord)
    assert (taken.row.state, taken.row.sender, taken.row.subject) == ("taken", AQUA, "Your bill")
    assert [one.name for one in taken.documents] == ["bill.pdf"]
    assert [(one.name, "program" in one.why) for one in taken.left_out] == [("notes.exe", True)]
    assert names(landlord) == ["bill.pdf"]


def test_mail_of_somebody_who_is_not_allowed_waits_for_a_person(landlord: Landlord) -> None:
    bring(landlord, a_message(("bill.pdf", PDF)), everybody=True)
    (waits,) = mails(landlord)
    assert (waits.row.state, names(landlord)) == ("waiting", [])
    landlord.database.write(lambda tx: incoming_mail.take_up(tx, landlord.caller, waits.row.id))
    read(landlord)
    assert (states(landlord), names(landlord)) == (["taken"], ["bill.pdf"])


def test_an_allowed_name_that_nobody_can_vouch_for_waits_too(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("bill.pdf", PDF)))
    (waits,) = mails(landlord)
    assert (waits.row.state, waits.row.said) == ("waiting", "Nobody has signed it.")
    with pytest.raises(Conflict, match="can’t verify who sent"):
        landlord.database.write(lambda tx: incoming_mail.take_up(tx, landlord.caller, waits.row.id, allow_sender=True))


def test_a_message_passes_by_its_signature_and_by_no_field_that_says_so(landlord: Landlord) -> None:
    allow(landlord, "example.com")
    plain = a_message(("a.pdf", PDF), sender="Ann <ann@example.com>")
    claims = b"Authentication-Results: mail.test; dkim=pass header.d=example.com\r\n" + plain
    with_signature = signed(a_message(("b.pdf", PDF + b"b"), sender="Ann <ann@example.com>"))
    changed = with_signature.replace(b"Your bill is attached", b"Your bill is not here")
    check = DkimCheck(Names(), lambda: datetime.now(UTC))
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), claims, with_signature, changed)
    kind = incoming_mail_kind(MessageProcess(), check, files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    assert sorted(states(landlord)) == ["again", "taken", "waiting"]
    assert names(landlord) == ["b.pdf"]


def test_name_servers_that_are_away_are_asked_again_and_then_a_person(landlord: Landlord, clock: MovableClock) -> None:
    allow(landlord, "example.com")
    check = DkimCheck(Names(is_silent=True), lambda: datetime.now(UTC))
    with receiving(landlord.database) as port:
        message = signed(a_message(("b.pdf", PDF), sender="Ann <ann@example.com>"))
        send(port, address_of(landlord.database, landlord.caller.account_id), message)
    kind = incoming_mail_kind(MessageProcess(), check, files_in)
    for _ in range(MOST_LOOK_UPS):
        Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
        assert states(landlord) == ["received"]
        clock.forward(days=1)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    assert states(landlord) == ["waiting"]


def test_a_sender_is_allowed_with_the_message_that_waits_and_the_next_goes_by_itself(landlord: Landlord) -> None:
    bring(landlord, a_message(("a.pdf", PDF)), everybody=True)
    (waits,) = mails(landlord)
    landlord.database.write(lambda tx: incoming_mail.take_up(tx, landlord.caller, waits.row.id, allow_sender=True))
    bring(landlord, a_message(("b.pdf", PDF + b"."), message_id="<2@aqua.example>"), everybody=True)
    assert (states(landlord), names(landlord)) == (["taken", "taken"], ["a.pdf", "b.pdf"])


def test_a_member_with_a_confirmed_address_is_allowed(landlord: Landlord) -> None:
    (owner,) = landlord.database.read(lambda tx: [one.email for one in members.all_of(tx, landlord.caller.account_id)])
    bring(landlord, a_message(("bill.pdf", PDF), sender=f"Me <{owner}>"), everybody=True)
    assert states(landlord) == ["taken"]


def test_what_is_refused_stays_kept_and_can_be_taken_up_later(landlord: Landlord) -> None:
    bring(landlord, a_message(("bill.pdf", PDF)))
    (waits,) = mails(landlord)
    for _ in range(2):
        landlord.database.write(lambda tx: incoming_mail.refuse(tx, landlord.caller, waits.row.id))
    assert (states(landlord), names(landlord)) == (["refused"], [])
    landlord.database.write(lambda tx: incoming_mail.take_up(tx, landlord.caller, waits.row.id))
    read(landlord)
    assert states(landlord) == ["taken"]
    with pytest.raises(Conflict, match="no longer waiting"):
        landlord.database.write(lambda tx: incoming_mail.refuse(tx, landlord.caller, waits.row.id))


def test_the_same_message_twice_adds_nothing_however_it_comes(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("bill.pdf", PDF))
    bring(landlord, message, message, everybody=True)
    assert states(landlord) == ["taken"]
    bring(landlord, b"Received: from elsewhere\r\n" + message, everybody=True)
    assert (states(landlord), names(landlord)) == (["again", "taken"], ["bill.pdf"])


def test_the_same_message_read_twice_at_once_is_taken_once(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("a.pdf", PDF))
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), message, b"X-Copy: 1\r\n" + message)
    found = ReadMail(read_message(message), Believes(everybody=True)(message), (IncomingFile("a.pdf", "pdf", PDF),))
    one, two = (
        partial(incoming_mail.note_read, account_id=landlord.caller.account_id, mail_id=mail.row.id, read=found)
        for mail in mails(landlord)
    )
    while_somebody_else_writes(landlord.database, one, two)
    assert sorted(states(landlord)) == ["again", "taken"]


def test_another_message_under_a_known_id_is_another_message(landlord: Landlord) -> None:
    allow(landlord)
    bring(landlord, a_message(("a.pdf", PDF)), a_message(("b.pdf", PDF + b".")), everybody=True)
    assert states(landlord) == ["taken", "taken"]


def test_messages_that_bring_other_files_are_both_seen_though_neither_file_is_taken(landlord: Landlord) -> None:
    bring(landlord, *(a_message((name, b"MZ"), message_id="") for name in ("a.exe", "b.exe")))
    assert [[left.name for left in one.left_out] for one in mails(landlord)] == [["b.exe"], ["a.exe"]]


def test_a_sender_with_a_long_address_is_allowed_as_it_is(landlord: Landlord) -> None:
    sender = f"{'b' * 60}@{'.'.join(['aqua-water' * 6] * 3)}.example"
    assert 200 < len(sender) < 255
    landlord.do(inbox_addresses.set_allowed, sender)
    bring(landlord, a_message(("a.pdf", PDF), sender=sender), everybody=True)
    (taken,) = mails(landlord)
    assert (taken.row.state, taken.row.sender) == ("taken", sender)


def test_a_copy_that_can_be_vouched_for_goes_on_though_another_waits(landlord: Landlord) -> None:
    allow(landlord)
    message = a_message(("bill.pdf", PDF))
    bring(landlord, b"Received: forwarded\r\n" + message)
    bring(landlord, message, everybody=True)
    assert states(landlord) == ["taken", "waiting"]


def test_fifty_attachments_are_taken_and_a_broken_message_harms_nobody(landlord: Landlord) -> None:
    allow(landlord)
    many = [(f"{number}.pdf", PDF + str(number).encode()) for number in range(50)]
    broken = b"From: <bills@aqua.example>\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\xff\x00--"
    bring(landlord, a_message(*many), broken, b"\x00" * 1_000, everybody=True)
    assert sorted(states(landlord)) == ["nothing", "nothing", "taken"]
    assert len(names(landlord)) == 50


def test_the_address_is_renewed_and_the_one_before_is_refused(landlord: Landlord) -> None:
    before = address_of(landlord.database, landlord.caller.account_id)
    landlord.database.write(lambda tx: inbox_addresses.renew(tx, landlord.caller))
    after = address_of(landlord.database, landlord.caller.account_id)
    with receiving(landlord.database) as port:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            send(port, before, a_message())
        send(port, after.upper(), a_message())
    assert refused.value.recipients[before][0] == 550
    assert states(landlord) == ["received"]


def fill(landlord: Landlord) -> None:
    """Store as many messages for a landlord as may wait."""
    recipient = inbox_addresses.Recipient(landlord.caller.account_id)

    def write(tx: Tx) -> None:
        for number in range(MOST_MAIL_OF_STRANGERS_WAITING):
            incoming_mail.keep(tx, recipient, envelope_from="", message=str(number).encode(), way="smtp")

    landlord.database.write(write)


def test_mail_is_put_off_where_too_much_of_it_waits(landlord: Landlord) -> None:
    fill(landlord)
    with receiving(landlord.database) as port, pytest.raises(smtplib.SMTPDataError) as refused:
        send(port, address_of(landlord.database, landlord.caller.account_id), a_message())
    assert refused.value.smtp_code == 452


def test_a_mailbox_that_is_polled_serves_whom_the_headers_name(database: Database, clock: MovableClock) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    intake = Intake(database, MAIL_FROM)
    to_ben = address_of(database, ben.caller.account_id).replace("-", "+", 1)
    intake.take_from_mailbox(b"Delivered-To: " + to_ben.encode() + b"\r\n" + a_message(("bill.pdf", PDF)))
    assert (states(ann), states(ben)) == ([], ["received"])
    with pytest.raises(Conflict, match="no address that belongs to an account"):  # so it stays unseen in the mailbox
        intake.take_from_mailbox(a_message(subject="for nobody"))


def test_an_account_with_too_much_mail_keeps_none_of_the_polled_mailbox_from_another(
    database: Database, clock: MovableClock
) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    fill(ann)
    to_both = ", ".join(address_of(database, one.caller.account_id) for one in (ann, ben))
    for _ in range(2):
        with pytest.raises(Conflict, match="Too much mail is waiting"):
            Intake(database, MAIL_FROM).take_from_mailbox(a_message(Cc=to_both))
    assert ("imap" in [one.row.way for one in mails(ann, ("received",))], states(ben)) == (False, ["received"])


def test_an_account_that_is_flooded_by_the_polled_mailbox_is_given_so_many_in_a_time(landlord: Landlord) -> None:
    admitted = iter([True, True, False])
    intake = Intake(landlord.database, MAIL_FROM, lambda _account_id: next(admitted))
    for number in range(2):
        intake.take_from_mailbox(a_message(message_id=f"<{number}@x>"))
    with pytest.raises(Conflict, match="fetched later"):
        intake.take_from_mailbox(a_message(message_id="<3@x>"))
    assert states(landlord) == ["received"] * 2


@pytest.mark.parametrize("lmtp", [False, True])
def test_a_message_is_promised_to_nobody_whose_address_is_gone_since_it_was_asked_for(
    database: Database, clock: MovableClock, *, lmtp: bool
) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    to = [address_of(database, one.caller.account_id) for one in (ann, ben)]
    with receiving(database, lmtp=lmtp) as port:
        talk = Talk(port)
        talk.say_all(
            ["LHLO me" if lmtp else "EHLO me", "MAIL FROM:<a@example.org>", *(f"RCPT TO:<{one}>" for one in to)]
        )
        database.write(lambda tx: inbox_addresses.renew(tx, ann.caller))
        talk.say("DATA")
        said = [talk.say(a_message() + b"."), *([talk.heard()] if lmtp else [])]
        talk.close()
    assert [one[:3] for one in said] == ["451"] * (2 if lmtp else 1)
    assert (states(ann), states(ben)) == ([], [])


def test_a_mailbox_that_is_polled_is_that_of_the_only_account(landlord: Landlord) -> None:
    Intake(landlord.database, MAIL_FROM).take_from_mailbox(a_message(("bill.pdf", PDF)))
    assert [one.row.way for one in mails(landlord)] == ["imap"]


@pytest.mark.parametrize("text", ["aqua", "a b@c", "@", "bills@", "x@y z"])
def test_what_is_no_sender_is_said_beside_its_field(landlord: Landlord, text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        allow(landlord, text)
    assert [problem.field for problem in refused.value.problems] == ["allowed"]


class BelievesWhileOthersBring(Believes):
    """Believes every sender, while a member uploads as many documents as may wait."""

    def __init__(self, landlord: Landlord) -> None:
        super().__init__(everybody=True)
        self._landlord = landlord

    def __call__(self, message: bytes) -> Authenticity:
        def bring_many(tx: Tx) -> None:
            for number in range(MOST_DOCUMENTS_UNDER_WAY):
                documents.take(tx, self._landlord.caller, "a.pdf", PDF + str(number).encode(), "upload")

        self._landlord.database.write(bring_many)
        return super().__call__(message)


def test_a_message_that_finds_too_many_documents_under_way_is_read_later(
    landlord: Landlord, clock: MovableClock
) -> None:
    allow(landlord)
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), a_message(("bill.pdf", PDF)))
    kind = incoming_mail_kind(MessageProcess(), BelievesWhileOthersBring(landlord), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    assert states(landlord) == ["received"]
    others = landlord.database.read(lambda tx: documents.inbox(tx, landlord.caller)).rows
    landlord.do(documents.set_aside, others[0].row.id)
    clock.forward(days=1)
    read(landlord, everybody=True)
    assert states(landlord) == ["taken"]


class Breaks:
    """A reader that can read no message at all."""

    def read(self, _message: bytes) -> IncomingMessage:
        raise InvalidRequest("Reading this message takes more than 10 seconds.")

    def read_report(self, _message: bytes) -> DeliveryReport | None:
        raise InvalidRequest("It can't be read.")


def test_what_can_not_be_read_says_so_and_is_read_again_when_somebody_wants_it(landlord: Landlord) -> None:
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), a_message(("bill.pdf", PDF)))
    kind = incoming_mail_kind(Breaks(), Believes(everybody=True), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    (broken,) = mails(landlord)
    assert (broken.row.state, "more than 10 seconds" in broken.left_out[0].why) == ("not taken", True)
    landlord.do(incoming_mail.take_up, broken.row.id)
    read(landlord)
    assert (states(landlord), names(landlord)) == (["taken"], ["bill.pdf"])


def test_a_message_that_no_job_reads_is_named_by_the_check(landlord: Landlord) -> None:
    with receiving(landlord.database) as port:
        send(port, address_of(landlord.database, landlord.caller.account_id), a_message())
    (kept,) = mails(landlord)
    (job,) = landlord.read(jobs.of_subject, kept.row.id)
    landlord.database.write(lambda tx: job_actions.cancel(tx, job.account_id, job.id))
    assert list(check(landlord.database)) == [
        f"Message {kept.row.id} has arrived and is waiting to be read, but no job reads it."
    ]
    read(landlord)
    landlord.database.write(lambda tx: incoming_mail.note_unreadable(tx, job.account_id, kept.row.id, "Called off."))


def test_a_stranger_sees_and_decides_nothing(database: Database, clock: MovableClock) -> None:
    ann, ben = Landlord(database, clock, name="ann"), Landlord(database, clock, name="ben")
    bring(ann, a_message(("bill.pdf", PDF)))
    (waits,) = mails(ann)
    assert mails(ben) == []
    for deed in (incoming_mail.take_up, incoming_mail.refuse, incoming_mail.content_of):
        with pytest.raises(Exception, match="There is no message with this id"):
            database.write(lambda tx, deed=deed: deed(tx, ben.caller, waits.row.id))  # type: ignore[misc]
    assert database.read(lambda tx: stored.find(tx, ben.caller.account_id, waits.row.id)) is None
