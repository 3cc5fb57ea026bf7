"""The answer to an e-mail with bills says what was accepted and what is missing.

The tests also cover incoming delivery reports, which show what became of Prorata's own messages.
"""

import smtplib
import threading
from datetime import date

import pytest

from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import Wishes
from prorata.actions.inbound_mail import inbox_addresses, incoming_mail
from prorata.actions.intake import documents, table_documents
from prorata.domain.bills.forms import FormLine
from prorata.domain.inbound_mail.answer_mail import Answer, AnsweredFile, answer_letter, to_say
from prorata.domain.inbound_mail.incoming_mail import IncomingMessage, read_message
from prorata.domain.intake.bill_reading.draft import UNREAD, asked, found
from prorata.domain.intake.documents import ENCRYPTED, PASSWORD
from prorata.domain.limits import MOST_MAIL_ANSWERS
from prorata.domain.mail.delivery_reports import DeliveryReport
from prorata.domain.mail.message_body import as_plain_text
from prorata.errors import InvalidRequest
from prorata.store.inbound_mail import incoming_mail as stored
from prorata.wiring import files_in
from prorata.worker.incoming_mail import ANSWER_KIND, incoming_mail_kind
from prorata.worker.job_kinds import Kind
from prorata.worker.rounds import Worker
from tests.actions.intake.test_table_documents import MAPPING, brought, mark
from tests.incoming import PDF, Believes, a_message, address_of, reading, receiving
from tests.landlord import MovableClock
from tests.smtp_server import Behaviour, SmtpServer
from tests.worker.mailing import SENDER, House, parsed

AQUA = "bills@aqua.example"


def bring(house: House, *messages: bytes, everybody: bool = True, read: Kind | None = None) -> None:
    """Send messages to a house, and run all jobs that they cause.

    The messages are read as usual, or by the job kind `read`.
    """
    with receiving(house.landlord.database) as port, smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        for message in messages:
            client.sendmail(AQUA, [address_of(house.landlord.database, house.landlord.account.id)], message)
    others = [kind for kind in house.kinds if kind.name not in (incoming_mail.READ_MAIL, incoming_mail.ANSWER)]
    kinds = (*others, read or reading(everybody=everybody), ANSWER_KIND)
    for _ in range(3):
        Worker(house.landlord.database, lambda: 0, kinds).do_round(threading.Event())
        house.clock.forward(seconds=10)


def allow(house: House) -> None:
    house.landlord.do(inbox_addresses.set_allowed, "aqua.example")


def test_an_allowed_sender_is_answered_once_what_was_taken_and_what_is_missing(house: House) -> None:
    allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        message = a_message(("bill.pdf", PDF), ("run.exe", b"MZ"), subject="Your bill for March")
        bring(house, message)
        bring(house, b"X-Copy: 1\r\n" + message)
    (taken,) = server.taken
    answer = parsed(taken.content)
    assert taken.recipients == (AQUA,)
    assert answer["To"] == AQUA
    assert answer["Subject"] == "Re: Your bill for March"
    assert (answer["In-Reply-To"], answer["References"]) == ("<1@aqua.example>", "<1@aqua.example>")
    assert answer["Auto-Submitted"] == "auto-replied"
    text = " ".join(answer.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert "bill.pdf" in text
    assert "It could not be read, and is entered by hand" in text
    assert "Not taken" in text
    assert "run.exe: This is a program, or something that a browser would run" in text


def test_the_answer_says_why_of_each_file_that_was_not_taken_also_of_one_without_a_name(house: House) -> None:
    allow(house)
    cut_off = a_message(("bill.pdf", PDF), ("more.pdf", PDF + b"x" * 90)).rpartition(b"\r\n--")[0][:-40]
    sealed = (
        b"From: bills@aqua.example\r\nTo: bills@example.com\r\nSubject: Sealed\r\nMessage-ID: <3@x>\r\n"
        b"Content-Type: application/pkcs7-mime; name=smime.p7m\r\n\r\nx\r\n"
    )
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, cut_off)
        bring(house, sealed)
    first, second = (" ".join(_text(one.content).split()) for one in server.taken)
    assert "more.pdf arrived incomplete and was left out. Send it again." in first
    assert "No file in it could be taken." in second
    assert "Not taken: This message, or a part of it, is encrypted or sealed" in second


def _text(content: bytes) -> str:
    body = parsed(content).get_body(("plain",))
    assert body is not None
    return str(body.get_content())


class Breaks:
    """A reader that reads only the head of a message.

    It acts like a process for which the rest of the message is too much. With `no_head`, it cannot read the head
    either.
    """

    def __init__(self, *, no_head: bool = False) -> None:
        self._no_head = no_head

    def read(self, message: bytes) -> IncomingMessage:
        if self._no_head or not message.endswith(b"\r\n\r\n"):
            raise InvalidRequest("There is too much in this message to read. Upload its")
        return read_message(message)

    def read_report(self, _message: bytes) -> DeliveryReport | None:
        return None


@pytest.mark.parametrize(
    ("everybody", "is_allowed", "no_head", "headers", "answers"),
    [
        (True, True, False, {}, 1),
        (False, True, False, {}, 0),
        (True, False, False, {}, 0),
        (True, True, True, {}, 0),
        (True, True, False, {"Precedence": "bulk"}, 0),
    ],
    ids=["signed and allowed", "not signed", "not allowed", "no head", "a program"],
)
def test_a_message_that_can_not_be_read_is_answered_where_its_sender_is_signed_and_allowed(
    house: House, *, everybody: bool, is_allowed: bool, no_head: bool, headers: dict[str, str], answers: int
) -> None:
    if is_allowed:
        allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        kind = incoming_mail_kind(Breaks(no_head=no_head), Believes(everybody=everybody), files_in)
        bring(house, a_message(("bill.pdf", PDF), **headers), read=kind)
    (kept,) = house.landlord.see(incoming_mail.page).mails
    assert (kept.row.state, kept.row.sender) == ("not taken", None if no_head else AQUA)
    assert [one.why for one in kept.left_out] == ["There is too much in this message to read. Upload its"]
    said = [" ".join(_text(one.content).split()) for one in server.taken]
    assert ["There is too much in this message to read. Upload its" in one for one in said] == [True] * answers
    house.landlord.do(incoming_mail.take_up, kept.row.id)
    bring(house)
    assert [one.row.state for one in house.landlord.see(incoming_mail.page).mails] == ["taken"], "it can be read again"


def test_a_table_is_taken_by_mail_and_the_answer_says_what_becomes_of_it(house: House) -> None:
    allow(house)
    table = b"property,issuerName,totalAmount\nMaple,Aqua,12.00\n"
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("bills.csv", table), ("bill.pdf", PDF)))
    text = " ".join(parsed(server.taken[0].content).get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert text.count("It is a table: its rows are imported in the Inbox") == 1
    assert text.count("entered by hand") == 1


@pytest.mark.thorough
def test_nobody_is_answered_who_is_not_allowed_not_shown_to_be_themselves_or_a_program(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("a.pdf", PDF), message_id="<1@x>"))
        allow(house)
        bring(house, a_message(("b.pdf", PDF + b"b"), message_id="<2@x>"), everybody=False)
        for number, (name, value) in enumerate(
            [("Auto_Submitted", "auto-replied"), ("List_Id", "<bills.aqua.example>"), ("Precedence", "bulk")]
        ):
            other = PDF + str(number).encode()
            bring(house, a_message((f"{number}.pdf", other), message_id=f"<p{number}@x>", **{name: value}))
        (waiting, *_) = house.landlord.see(incoming_mail.page, ["waiting"]).mails
        house.landlord.do(incoming_mail.take_up, waiting.row.id)
        bring(house, everybody=False)
    assert server.taken == [], "what was taken up by hand is sender not verified either"
    assert len(house.landlord.see(documents.inbox).rows) == 4


@pytest.mark.thorough
def test_who_is_not_allowed_is_answered_once_somebody_takes_the_message_up(house: House) -> None:
    with SmtpServer() as server:
        house.goes_through(server)
        for everybody in (True, False):
            name = f"{everybody}.pdf"
            bring(house, a_message((name, PDF + name.encode()), message_id=f"<{name}@x>"), everybody=everybody)
        assert server.taken == []
        for waiting in house.landlord.see(incoming_mail.page, ["waiting"]).mails:
            house.landlord.do(incoming_mail.take_up, waiting.row.id)
            bring(house, everybody=bool(waiting.row.authentic))
    (taken,) = server.taken
    assert "True.pdf" in taken.content.decode()


@pytest.mark.thorough
def test_who_sends_without_a_return_address_is_not_answered(house: House) -> None:
    allow(house)
    recipient = inbox_addresses.Recipient(house.landlord.account.id)
    for at, (sender, way) in enumerate((("", "smtp"), (AQUA, "smtp"), ("", "imap"))):
        message = a_message(
            ("bill.pdf", PDF + bytes([at])), message_id=f"<{at}@aqua.example>", subject=f"{way} {sender}"
        )
        house.landlord.run(
            lambda tx, message=message, sender=sender, way=way: incoming_mail.keep(
                tx, recipient, envelope_from=sender, message=message, way=way
            )
        )
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house)
    said = sorted(parsed(one.content)["Subject"] for one in server.taken)
    assert said == ["Re: imap", f"Re: smtp {AQUA.replace('@', ' ')}"]


def test_a_file_whose_bill_was_confirmed_before_is_said_to_count(house: House) -> None:
    allow(house)
    landlord = house.landlord
    of, document = landlord.property_(), landlord.do(documents.take, "bill.pdf", PDF, "upload").row.id
    draft = UNREAD._replace(issuer=found("Aqua"), total=found(80_00), bill_date=found(date(2026, 3, 2)))
    landlord.run(lambda tx: documents.note_draft(tx, landlord.account.id, document, draft))
    form = documents.begun(draft, of)._replace(lines=(FormLine("WATER"),))
    landlord.do(documents.confirm, document, form)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("bill.pdf", PDF)))
    (taken,) = server.taken
    assert "Nothing: the bill counts" in " ".join(_text(taken.content).split())


def entered(house: House, name: str, content: bytes, why: str, *, by_hand: bool) -> None:
    """Upload a file that cannot be read; with `by_hand`, enter its bill."""
    landlord = house.landlord
    document = landlord.do(documents.take, name, content, "upload").row.id
    asks = PASSWORD if why == ENCRYPTED else None
    landlord.run(lambda tx: documents.note_unreadable(tx, landlord.account.id, document, why, asks=asks))
    if by_hand:
        form = documents.begun(None, landlord.property_())._replace(
            issuer_name="Aqua", total="80.00", bill_date="2026-03-02", lines=(FormLine("WATER"),)
        )
        landlord.do(documents.confirm, document, form)


@pytest.mark.parametrize(
    ("why", "by_hand", "says"),
    [
        ("This is a scan.", False, "It could not be read, and is entered by hand"),
        ("This is a scan.", True, "Nothing: the bill counts"),
        (ENCRYPTED, False, "It needs a password: send it without one, or it is entered by hand"),
        (ENCRYPTED, True, "Nothing: the bill counts"),
    ],
)
def test_what_can_not_be_read_is_said_to_count_once_it_was_entered_and_else_what_it_needs(
    house: House, why: str, says: str, *, by_hand: bool
) -> None:
    allow(house)
    entered(house, "water.pdf", PDF, why, by_hand=by_hand)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("m2.pdf", PDF)))
    text = " ".join(_text(server.taken[0].content).split())
    assert f"Still to be said or confirmed: {says}" in text
    assert "File: m2.pdf" in text, "as its sender calls it"
    assert "water.pdf" not in text
    assert ("confirmed it in the Inbox" in text) is not by_hand


def test_a_table_that_was_imported_before_is_said_to_be(house: House) -> None:
    allow(house)
    landlord = house.landlord
    landlord.do(table_documents.choose, brought(landlord), 1, MAPPING, remember=True)
    document = brought(landlord)
    landlord.do(table_documents.import_rows, document, mark(landlord, document), take_good_rows=False)
    content = landlord.see(documents.content_of, document)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("bills.csv", content)))
    text = " ".join(_text(server.taken[0].content).split())
    assert "It is a table, and was imported in the Inbox" in text
    assert "entered by hand" not in text
    assert "confirmed it in the Inbox" not in text


def test_an_answer_is_never_answered(house: House) -> None:
    allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("bill.pdf", PDF)))
        (taken,) = server.taken
        back = taken.content.replace(SENDER.encode(), AQUA.encode())
        bring(house, back)
        assert len(server.taken) == 1


@pytest.mark.thorough
def test_so_many_are_answered_in_an_hour_and_no_more(house: House) -> None:
    allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        many = [
            a_message((f"{n}.rtf", b"{\\rtf1 the bill}"), message_id=f"<{n}@x>") for n in range(MOST_MAIL_ANSWERS + 2)
        ]
        bring(house, *many)
        bring(house)
        assert len(server.taken) == MOST_MAIL_ANSWERS


def test_an_answer_that_is_tried_again_is_the_same_bytes(house: House) -> None:
    allow(house)
    with SmtpServer(Behaviour(drops="after_dot")) as server:
        house.goes_through(server)
        bring(house, a_message(("bill.pdf", PDF)))
        (document,) = house.landlord.see(documents.inbox).rows
        house.landlord.do(documents.set_aside, document.row.id)
        house.work(hours=1)
        assert len({taken.content for taken in server.taken}) == 1
        assert len(server.taken) > 1


def test_a_report_that_comes_in_says_what_became_of_an_invoice(house: House, clock: MovableClock) -> None:
    house.set_status("SENT")
    with SmtpServer() as server:
        house.goes_through(server)
        house.work()
        (taken,) = server.taken
    report = (
        b"From: MAILER-DAEMON@mx.example.org\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        b"Final-Recipient: rfc822; zoe@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        b"Diagnostic-Code: smtp; 550 No such user\r\n--b--\r\n"
    )
    with receiving(house.landlord.database) as port, smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.sendmail("", [taken.envelope_from], report)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail("", ["bills+mail_01kb1n3x6ve2hrrk0p1w4bqv2f@example.com"], report)
    house.work(seconds=5)
    assert (house.invoice.email_status, house.invoice.delivery) == ("bounced", "bounced")
    assert house.messages()[0].said == "550 No such user"
    assert house.landlord.see(incoming_mail.page).mails == []
    (row,) = house.landlord.read(stored.page, ["report"], before="incoming_~", limit=10)
    assert row.about == house.messages()[0].id


@pytest.mark.parametrize(("locale", "says"), [("de-DE", "Noch anzugeben"), ("fr-FR", "Reste à"), ("es-ES", "Falta")])
def test_an_answer_is_in_the_language_of_the_account(house: House, locale: str, says: str) -> None:
    house.landlord.do(accounts.change_settings, Wishes(locale=locale))
    allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message(("bill.pdf", PDF)))
    assert says in parsed(server.taken[0].content).get_body(("plain",)).get_content()  # type: ignore[union-attr]


def test_what_is_doubtful_or_every_bill_has_is_to_be_said(clock: MovableClock) -> None:
    draft = UNREAD._replace(
        issuer=found("Aqua"), total=found(12_00), bill_date=found(date(2026, 3, 2)), due_date=asked("Two dates."),
        currency="USD",
    )  # fmt: skip
    assert to_say(draft) == ["due_date", "lines", "service_start", "service_end"]
    answer = Answer("mail_1", "en-US", "RE: March", None, (AnsweredFile("a\r\nb.pdf", draft),), (), AQUA, clock.moment)
    letter = answer_letter(answer, lambda cents, code: f"{code} {cents}", str)
    assert letter.subject == "RE: March"
    text = as_plain_text(letter)
    assert all(words in text for words in ("a b.pdf", "Aqua", "USD 1200", "2026-03-02", "due date, what it is for"))


def test_what_counts_already_is_said_to_count_and_others_to_wait(clock: MovableClock) -> None:
    def text(*files: AnsweredFile) -> str:
        answer = Answer("mail_1", "en-US", "March", None, files, (), AQUA, clock.moment)
        return " ".join(as_plain_text(answer_letter(answer, lambda cents, code: f"{code} {cents}", str)).split())

    counts, waits = AnsweredFile("a.pdf", UNREAD, counts=True), AnsweredFile("b.pdf", UNREAD)
    assert "Nothing: the bill counts" in text(counts)
    assert "confirmed it in the Inbox" not in text(counts)
    assert "Every other bill counts once somebody has confirmed it in the Inbox." in text(counts, waits)
    assert "No bill counts before somebody has confirmed it in the Inbox." in text(waits)
    aside, removed = AnsweredFile("a.pdf", UNREAD, is_set_aside=True), AnsweredFile("b.pdf", UNREAD, is_removed=True)
    assert "Nothing: it was set aside in the Inbox, as no bill" in text(aside, removed)
    assert "Its bill was removed" in text(aside, removed)
    assert "confirmed it in the Inbox" not in text(aside, removed)


@pytest.mark.parametrize(
    ("locale", "says"),
    [
        ("en-US", "Send the bill as an attachment"),
        ("de-DE", "als Anhang"),
        ("fr-FR", "pièce jointe"),
        ("es-ES", "adjunto"),
    ],
)
def test_who_attached_no_file_is_told_to_attach_the_bill(house: House, locale: str, says: str) -> None:
    house.landlord.do(accounts.change_settings, Wishes(locale=locale))
    allow(house)
    with SmtpServer() as server:
        house.goes_through(server)
        bring(house, a_message())
    (answer,) = (" ".join(_text(one.content).split()) for one in server.taken)
    assert says in answer
    assert "confirmed it in the Inbox" not in answer, "nothing of it waits"
