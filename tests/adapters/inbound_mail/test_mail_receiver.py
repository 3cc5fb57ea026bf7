"""Tests of the mail receiver with a real client and by hand.

They check which messages it takes, refuses or delays, and what it counts.
"""

import asyncio
import smtplib
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from aiosmtpd.smtp import Session

from prorata.adapters.inbound_mail.inbound_settings import Listening, listen, read_inbound, try_to_listen
from prorata.adapters.inbound_mail.mail_receiver import peer_of
from prorata.adapters.inbound_mail.smtp_quota import Limits
from prorata.domain.limits import MOST_MESSAGE_BYTES
from prorata.errors import Conflict, Unavailable
from prorata.ports import Window
from prorata.settings import SettingsError
from tests.incoming import Talk, a_message, listening
from tests.servers import free_port

HERE, THERE = "here@example.com", "there@example.com"


class Taking:
    """A mailbox that takes and remembers mail for two addresses.

    If it is told to, it fails instead.
    """

    def __init__(self, fails_with: Exception | None = None) -> None:
        self.taken: list[tuple[list[str], str, bytes, str]] = []
        self.fails_with = fails_with
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.at_it = threading.Event()

    def knows(self, address: str) -> bool:
        return address.lower() in (HERE, THERE)

    def take(self, recipients: Sequence[str], envelope_from: str, message: bytes, way: str) -> None:
        self.at_it.set()
        assert self.may_go_on.wait(30)
        if self.fails_with:
            raise self.fails_with
        self.taken.append((list(recipients), envelope_from, message, way))


def send(port: int, message: bytes, to: Sequence[str] = (HERE,), sender: str = "ann@example.org") -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.sendmail(sender, list(to), message)


def test_what_a_client_sends_is_taken_byte_for_byte() -> None:
    taking = Taking()
    dots = b"Subject: x\r\n\r\n.\r\n..\r\n.a\r\nlast"
    with listening(taking) as where:
        send(where.port, dots, (HERE, THERE))
    assert taking.taken == [([HERE, THERE], "ann@example.org", dots + b"\r\n", "smtp")]


def test_bounces_come_from_nobody_and_are_taken() -> None:
    taking = Taking()
    with listening(taking) as where:
        send(where.port, b"Subject: x\r\n\r\nx\r\n", sender="")
    assert taking.taken[0][1] == ""


def test_an_address_that_nobody_has_is_refused_and_the_others_are_served() -> None:
    taking = Taking()
    with listening(taking) as where, smtplib.SMTP("127.0.0.1", where.port, timeout=60) as client:
        refused = client.sendmail("ann@example.org", [HERE, "nobody@example.com"], b"Subject: x\r\n\r\nx\r\n")
    assert refused == {"nobody@example.com": (550, b"5.1.1 Nobody here has this address.")}
    assert [recipients for recipients, *_ in taking.taken] == [[HERE]]


def test_lines_longer_than_mail_may_have_are_taken_as_they_are() -> None:
    taking = Taking()
    message = b"Subject: x\r\n\r\n." + b"y" * 300_000 + b"\r\n.z\r\n"
    with listening(taking) as where:
        send(where.port, message)
    assert taking.taken[0][2] == message


def test_a_message_that_is_too_large_is_refused_said_before_or_not() -> None:
    taking = Taking()
    with listening(taking) as where:
        talk = Talk(where.port)
        talk.say("EHLO client")
        assert talk.say(f"MAIL FROM:<ann@example.org> SIZE={MOST_MESSAGE_BYTES + 1}").startswith("552")
        talk.say_all(["MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", "DATA"])
        assert talk.say(b"x" * 70 + b"\r\n" + b"y" * (MOST_MESSAGE_BYTES + 10) + b"\r\n.").startswith("552 5.3.4")
        assert talk.say("MAIL FROM:<ann@example.org>") == "250 OK"
        talk.close()
    assert taking.taken == []


def test_what_can_not_be_kept_is_put_off_and_a_mistake_says_nothing_of_itself() -> None:
    taking = Taking()
    with listening(taking) as where:
        for error, code in (
            (Unavailable("Busy."), 451), (Conflict("Full of ümlauts."), 452), (KeyError("a secret"), 451),
        ):  # fmt: skip
            taking.fails_with = error
            with pytest.raises(smtplib.SMTPDataError) as refused:
                send(where.port, a_message())
            assert refused.value.smtp_code == code
            assert b"secret" not in refused.value.smtp_error
    assert taking.taken == []


def test_nothing_is_promised_before_it_is_taken() -> None:
    taking = Taking()
    taking.may_go_on.clear()
    with listening(taking) as where:
        talk = Talk(where.port)
        talk.say_all(["EHLO client", "MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", "DATA"])
        answers: list[str] = []
        waiting = threading.Thread(target=lambda: answers.append(talk.say("Subject: x\r\n\r\nx\r\n.")))
        waiting.start()
        assert taking.at_it.wait(30)
        waiting.join(0.3)
        assert answers == []
        taking.may_go_on.set()
        waiting.join(30)
        assert answers == ["250 2.0.0 Kept"]
        talk.close()


def test_messages_of_a_peer_and_to_an_address_are_counted() -> None:
    taking = Taking()
    of_peer = Limits(messages_of_peer=(Window("hour", 2, 3_600),))
    with listening(taking, of_peer) as where:
        send(where.port, a_message())
        send(where.port, a_message(), (THERE,))
        with pytest.raises(smtplib.SMTPDataError) as refused:
            send(where.port, a_message())
        assert refused.value.smtp_code == 451
    to_address = Limits(messages_to_recipient=(Window("hour", 1, 3_600),))
    with listening(taking, to_address) as where:
        send(where.port, a_message())
        send(where.port, a_message(), (THERE,))
        with pytest.raises(smtplib.SMTPDataError):
            send(where.port, a_message(), (HERE.upper(),))
    assert len(taking.taken) == 4


def test_who_guesses_addresses_is_told_to_go() -> None:
    with listening(Taking(), Limits(unknown_of_peer=(Window("hour", 2, 3_600),))) as where:
        talk = Talk(where.port)
        talk.say_all(["EHLO client", "MAIL FROM:<ann@example.org>"])
        said = talk.say_all([f"RCPT TO:<guess{number}@example.com>" for number in range(3)])
        assert [answer[:3] for answer in said] == ["550", "550", "550"]
        assert talk.say(f"RCPT TO:<{HERE}>").startswith("421"), "one that is here is told from none no more"
        assert talk.heard() == "", "and the conversation is over"
        talk.close()
        with smtplib.SMTP("127.0.0.1", where.port, timeout=60) as client:
            client.ehlo()
            client.mail("ann@example.org")
            assert client.rcpt(HERE)[0] == 250, "who shares the peer's address can still write to those who are here"


def test_too_many_connections_and_recipients_are_put_off() -> None:
    with listening(Taking(), Limits(connections_of_peer=1, recipients=1)) as where:
        talk = Talk(where.port)
        assert talk.greeting.startswith("220 mail.test")
        another = Talk(where.port)
        assert another.greeting.startswith("421")
        another.close()
        said = talk.say_all(["EHLO client", "MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", f"RCPT TO:<{THERE}>"])
        assert [answer[:3] for answer in said] == ["250", "250", "250", "452"]
        assert talk.say("QUIT").startswith("221")
        talk.close()


def test_bytes_under_way_are_given_back_whatever_ends_a_message() -> None:
    taking = Taking()
    with listening(taking, Limits(bytes_under_way=1_000)) as where:
        lost = Talk(where.port)
        lost.say_all(["EHLO client", "MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", "DATA"])
        lost._socket.sendall(b"x" * 900 + b"\r\n")
        lost.close()
        with pytest.raises(smtplib.SMTPDataError) as refused:
            send(where.port, a_message(("a.txt", b"x" * 1_000)))
        assert refused.value.smtp_code == 452
        for _ in range(3):
            send(where.port, b"Subject: x\r\n\r\n" + b"y" * 800 + b"\r\n")
    assert len(taking.taken) == 3


def test_a_peer_that_sends_slowly_leaves_room_for_others() -> None:
    with listening(Taking(), Limits(bytes_of_peer=1_000)) as where:
        slow = Talk(where.port)
        slow.say_all(["EHLO client", "MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", "DATA"])
        slow._socket.sendall(b"x" * 900 + b"\r\n")
        with pytest.raises(smtplib.SMTPDataError) as refused:
            send(where.port, a_message(("a.txt", b"x" * 1_000)))
        assert refused.value.smtp_code == 452
        with smtplib.SMTP("127.0.0.1", where.port, timeout=60, source_address=("127.0.0.2", 0)) as other:
            other.sendmail("bo@example.org", [HERE], b"Subject: x\r\n\r\n" + b"y" * 800 + b"\r\n")
        slow.close()


def begun(port: int) -> Talk:
    """A conversation in which a client has begun to send a message."""
    talk = Talk(port)
    talk.say_all(["EHLO client", "MAIL FROM:<ann@example.org>", f"RCPT TO:<{HERE}>", "DATA"])
    return talk


@pytest.mark.thorough
def test_a_slow_line_is_waited_for_as_long_as_something_comes_and_not_for_ever() -> None:
    taking = Taking()
    with listening(taking, Limits(seconds_of_block=1.5, seconds_of_message=60)) as where:
        talk = begun(where.port)
        for _ in range(6):  # of one line, for longer than a block may take
            time.sleep(0.5)
            talk._socket.sendall(b"x")
        assert talk.say("\r\n.") == "250 2.0.0 Kept"
        silent = begun(where.port)
        assert silent.heard() == "", "nothing came"
        silent.close()
        assert talk.say("NOOP").startswith("250"), "between messages there is more time"
        talk.close()
    assert len(taking.taken) == 1


def test_a_message_that_never_ends_is_given_up() -> None:
    taking = Taking()
    with listening(taking, Limits(seconds_of_block=30, seconds_of_message=1)) as where:
        talk = begun(where.port)
        started = time.monotonic()
        with suppress(OSError):
            while time.monotonic() < started + 20:
                talk._socket.sendall(b"x\r\n")
                time.sleep(0.1)
        assert time.monotonic() < started + 20
        talk.close()
        send(where.port, b"Subject: x\r\n\r\nx\r\n")
    assert len(taking.taken) == 1


def test_a_peer_of_ipv6_is_all_that_one_client_has() -> None:
    session = Session(asyncio.new_event_loop())
    session.loop.close()
    for address, peer in (("2001:db8::1", "2001:db8::/64"), ("2001:db8::ffff:0:0:9", "2001:db8::/64"),
                          ("2001:db8:0:1::1", "2001:db8:0:1::/64"), ("::ffff:192.0.2.1", "192.0.2.1")):  # fmt: skip
        session.peer = (address, 2525, 0, 0)
        assert peer_of(session) == peer
    session.peer = ""
    assert (peer_of(session), peer_of(None)) == ("here", "here")


def test_lmtp_answers_for_each_recipient() -> None:
    taking = Taking()
    with listening(taking, lmtp=True) as where:
        with smtplib.LMTP("127.0.0.1", where.port) as client:
            assert client.sendmail("ann@example.org", [HERE], a_message()) == {}
        talk = Talk(where.port)
        assert talk.say("EHLO client").startswith("500")
        said = talk.say_all(
            ["LHLO client", "MAIL FROM:<a@example.org>", f"RCPT TO:<{HERE}>", f"RCPT TO:<{THERE}>", "DATA"]
        )
        assert said[-1].startswith("354")
        assert [talk.say("x\r\n."), talk.heard()] == ["250 2.0.0 Kept"] * 2
        taking.fails_with = Unavailable("Busy.")
        talk.say_all(["MAIL FROM:<a@example.org>", f"RCPT TO:<{HERE}>", f"RCPT TO:<{THERE}>", "DATA"])
        assert [one[:3] for one in (talk.say("x\r\n."), talk.heard())] == ["451", "451"]
        talk.close()
    assert [way for *_, way in taking.taken] == ["lmtp", "lmtp"]


def test_lmtp_speaks_through_a_socket_in_the_file_system(tmp_path: Path) -> None:
    taking, path = Taking(), tmp_path / "mail.sock"
    for _ in range(2):  # the socket that the first has left is no obstacle to the second
        with listening(taking, lmtp=True, path=path), smtplib.LMTP(str(path)) as client:
            client.sendmail("ann@example.org", [HERE], a_message())
        assert path.exists()
    assert len(taking.taken) == 2


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("127.0.0.1:2525", Listening(is_lmtp=False, host="127.0.0.1", port=2525)),
        ("[::]:25", Listening(is_lmtp=False, host="::", port=25)),
        ("lmtp://localhost:24", Listening(is_lmtp=True, host="localhost", port=24)),
        ("lmtp:///run/prorata.sock", Listening(is_lmtp=True, path="/run/prorata.sock")),
    ],
)
def test_where_it_listens_is_read_from_the_setting(text: str, meant: Listening) -> None:
    assert read_inbound(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        *("25", "localhost", "http://localhost:25", "localhost:0", "localhost:99999", "smtp:///run/x", "lmtp://:24"),
        *("a@localhost:25", "localhost:25/x", "[::1:25", "lmtp:///" + "x" * 120),
    ],
)
def test_a_setting_that_says_no_place_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(SettingsError, match=r"PRORATA_INBOUND_SMTP .*\."):
        read_inbound(text)


def test_a_place_that_is_taken_or_not_ours_is_refused_in_a_sentence(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(SettingsError, match="can't listen at"):
        try_to_listen(Listening(is_lmtp=False, host="127.0.0.1", port=port))
    with pytest.raises(SettingsError, match="can't listen at"):
        listen(Listening(is_lmtp=False, host="192.0.2.1", port=port))
    (tmp_path / "a file").write_text("kept")
    with pytest.raises(SettingsError, match="can't listen at"):
        try_to_listen(Listening(is_lmtp=True, path=str(tmp_path / "a file")))
    assert (tmp_path / "a file").read_text() == "kept"
