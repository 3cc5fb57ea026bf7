"""Tests of handing a message to a mail server.

The server takes it, refuses it, stalls, drops the connection or requires TLS.
"""

import re
import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from prorata.adapters.limits import LONGEST_SMTP_REPLY
from prorata.adapters.mail.smtp import SmtpMailer, Timeouts
from prorata.adapters.mail.urls import MailServer as Server
from prorata.ports.mail import MailDelayed, MailOutcome, MailRefused, MailTaken, MailUnclear
from prorata.settings import SettingsError
from tests.servers import free_port
from tests.smtp_server import PASSWORD, USER, Behaviour, SmtpServer, make_certificate

FROM, TO = "bills+mail_01hx9k2@example.com", "ann@example.com"
MESSAGE = b"From: bills@example.com\r\nSubject: Invoice\r\n\r\n.a dot\r\n..two\r\n.\r\nend\r\n"
SOON = Timeouts(connect=5, command=5, message=5, last_line=5, leaving=1)
AT_ONCE = Timeouts(connect=0.3, command=0.3, message=5, last_line=0.3, leaving=0.1)


def mailer(port: int, *, timeouts: Timeouts = SOON, ask_for_reports: bool = False, **server: object) -> SmtpMailer:
    settings = {"host": "127.0.0.1", "implicit_tls": False, "starttls": False} | server
    where = Server(port=port, **settings)  # type: ignore[arg-type]
    return SmtpMailer(where, ehlo_name="bills.example.com", timeouts=timeouts, ask_for_reports=ask_for_reports)


def send_to(
    behaviour: Behaviour, message: bytes = MESSAGE, timeouts: Timeouts = SOON, **how: object
) -> tuple[MailOutcome, SmtpServer]:
    with SmtpServer(behaviour) as server:
        return mailer(server.port, timeouts=timeouts, **how).send(FROM, TO, message), server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("certificate")
    make_certificate(found)
    return found


# --- taken ------------------------------------------------------------------------------------------------------------


def test_a_message_is_taken_byte_for_byte() -> None:
    outcome, server = send_to(Behaviour())

    assert outcome == MailTaken("250 2.0.0 Queued as 4XyZ")
    (taken,) = server.taken
    assert (taken.envelope_from, taken.recipients, taken.content) == (FROM, (TO,), MESSAGE)
    assert f"SIZE={len(MESSAGE)}" in taken.mail_options
    assert server.greeted == ["bills.example.com"]


def test_a_message_of_megabytes_is_taken_byte_for_byte() -> None:
    message = MESSAGE + (b"." + b"x" * 74 + b"\r\n") * 100_000
    outcome, server = send_to(Behaviour(), message)

    assert isinstance(outcome, MailTaken)
    assert server.taken[0].content == message


def test_reports_of_delivery_are_asked_for_only_where_the_server_knows_them_and_we_want_them() -> None:
    for offered, wanted in ((True, True), (True, False), (False, True)):
        outcome, server = send_to(Behaviour(dsn=offered), ask_for_reports=wanted)
        assert isinstance(outcome, MailTaken)
        asked = ("NOTIFY=SUCCESS,FAILURE,DELAY",) if offered and wanted else ()
        assert server.taken[0].rcpt_options == asked
        assert ("RET=HDRS" in server.taken[0].mail_options) == bool(asked)


# --- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "what"),
    [
        (Behaviour(mail="552 Too large"), "sender: 552 Too large"),
        (Behaviour(mail="554 5.3.4 Too large"), "sender: 554 5.3.4 Too large"),
        (Behaviour(rcpt="550 5.1.1 No such user"), "recipient: 550 5.1.1 No such user"),
        (Behaviour(data="554 5.7.1 No"), "message: 554 5.7.1 No"),
        (Behaviour(end_of_data="552 5.2.2 Full"), "message: 552 5.2.2 Full"),
    ],
)
def test_a_5xx_to_the_message_refuses_it_for_good(behaviour: Behaviour, what: str) -> None:
    outcome, server = send_to(behaviour)

    assert outcome == MailRefused(f"The mail server refused the {what}")
    assert server.taken == []


@pytest.mark.parametrize(
    ("behaviour", "what"),
    [
        (Behaviour(mail="451 4.3.0 Later"), "sender at the moment: 451 4.3.0 Later"),
        (Behaviour(rcpt="451 4.7.1 Greylisted"), "recipient at the moment: 451 4.7.1 Greylisted"),
        (Behaviour(rcpt="421 4.3.2 Shutting down"), "recipient at the moment: 421 4.3.2 Shutting down"),
        (Behaviour(data="421 4.3.2 Shutting down"), "message at the moment: 421 4.3.2 Shutting down"),
        (Behaviour(end_of_data="452 4.3.1 Disk full"), "message at the moment: 452 4.3.1 Disk full"),
        (Behaviour(mail="530 5.7.0 Authenticate first"), "sender at the moment: 530 5.7.0 Authenticate first"),
        (Behaviour(rcpt="999"), "recipient at the moment: 999"),
    ],
)
def test_a_4xx_and_what_concerns_our_login_delay_it(behaviour: Behaviour, what: str) -> None:
    outcome, server = send_to(behaviour)

    assert outcome == MailDelayed(f"The mail server is not accepting the {what}")
    assert server.taken == []


@pytest.mark.parametrize("said", ["553 5.1.8 No such domain", "550 5.7.1 Not yours", "501 5.1.7 Bad sender", "550 No"])
def test_a_sender_that_is_refused_is_a_setting_to_mend_and_no_message_is_lost(said: str) -> None:
    outcome, server = send_to(Behaviour(mail=said))

    assert isinstance(outcome, MailDelayed)
    assert "PRORATA_MAIL_FROM" in outcome.why
    assert outcome.why.endswith(f": {said}")
    assert server.taken == []


def test_what_the_server_says_is_shown_in_one_short_line_without_control_characters() -> None:
    outcome, _ = send_to(Behaviour(rcpt="550-first\r\n550-\x1b[31msecond\u202e\r\n550 " + "x" * 400))

    assert isinstance(outcome, MailRefused)
    said = outcome.why.removeprefix("The mail server refused the recipient: ")
    assert said.startswith("550 first [31msecond")
    assert said.endswith("x…")
    assert said.isprintable()
    assert len(said) <= LONGEST_SMTP_REPLY


def test_a_message_larger_than_the_server_takes_is_refused_before_it_is_sent() -> None:
    outcome, server = send_to(Behaviour(size=1000), MESSAGE + b"x" * (2998 - len(MESSAGE)) + b"\r\n")

    assert outcome == MailRefused("The message has 3,000 bytes, but the mail server accepts at most 1,000.")
    assert server.taken == []


def test_what_is_no_address_is_refused_without_asking_the_server() -> None:
    for recipient in ("ann", "ann@example.com\r\nRCPT TO:<eve@example.com>", "a b@example.com", "<ann@example.com>"):
        assert isinstance(mailer(1).send(FROM, recipient, MESSAGE), MailRefused)


@pytest.mark.parametrize("message", [b"a\nb\r\n", b"a\r\n.\nb\r\n", b"a\rb\r\n", b"no end"])
def test_a_message_whose_lines_end_otherwise_is_never_sent(message: bytes) -> None:
    with pytest.raises(AssertionError, match="line"):
        mailer(1).send(FROM, TO, message)


# --- addresses beyond ASCII -------------------------------------------------------------------------------------------


def test_a_local_part_beyond_ascii_goes_to_a_server_that_takes_it() -> None:
    message = "To: jörg@example.com\r\n\r\nx\r\n".encode()
    with SmtpServer() as server:
        outcome = mailer(server.port).send(FROM, "jörg@bücher.example", message)

    assert isinstance(outcome, MailTaken)
    assert server.taken[0].recipients == ("jörg@xn--bcher-kva.example",)
    assert server.taken[0].content == message
    assert {"SMTPUTF8", "BODY=8BITMIME"} <= set(server.taken[0].mail_options)


def test_a_local_part_beyond_ascii_is_refused_for_good_where_the_server_does_not_take_it() -> None:
    with SmtpServer(Behaviour(smtputf8=False)) as server:
        outcome = mailer(server.port).send(FROM, "jörg@example.com", MESSAGE)
        plain = mailer(server.port).send(FROM, "ann@bücher.example", MESSAGE)

    assert isinstance(outcome, MailRefused)
    assert "SMTPUTF8" in outcome.why
    assert isinstance(plain, MailTaken)
    assert [taken.recipients for taken in server.taken] == [("ann@xn--bcher-kva.example",)]


# --- broken off -------------------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_delays_the_message() -> None:
    outcome = mailer(free_port()).send(FROM, TO, MESSAGE)

    assert outcome == MailDelayed("The mail server 127.0.0.1 could not be used: nothing is listening on its port.")


@pytest.mark.parametrize("step", ["greeting", "ehlo", "rcpt"])
def test_a_connection_that_is_dropped_before_the_message_delays_it(step: str) -> None:
    outcome, _ = send_to(Behaviour(drops=step))

    assert isinstance(outcome, MailDelayed)
    assert outcome.why.startswith("The mail server 127.0.0.1 could not be used: ")


@pytest.mark.parametrize("step", ["ehlo", "rcpt"])
def test_a_server_that_stalls_before_the_message_delays_it_and_nobody_waits_longer_than_was_said(step: str) -> None:
    started = time.monotonic()
    outcome, _ = send_to(Behaviour(stalls=step), timeouts=AT_ONCE)

    assert outcome == MailDelayed("The mail server 127.0.0.1 could not be used: it did not answer in time.")
    assert time.monotonic() - started < 5


def test_a_server_that_never_greets_delays_the_message() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        outcome = mailer(silent.getsockname()[1], timeouts=AT_ONCE).send(FROM, TO, MESSAGE)

    assert outcome == MailDelayed("The mail server 127.0.0.1 could not be used: it did not answer in time.")


def test_a_connection_that_is_dropped_in_the_middle_of_a_message_delays_it() -> None:
    outcome, server = send_to(Behaviour(drops="in_data"), MESSAGE + (b"x" * 76 + b"\r\n") * 300_000)

    assert isinstance(outcome, MailDelayed)
    assert server.taken == []


def test_a_connection_that_is_dropped_after_the_last_line_is_unclear_and_a_repeat_is_the_same_message() -> None:
    outcome, server = send_to(Behaviour(drops="after_dot"))

    assert isinstance(outcome, MailUnclear)
    assert "its answer never arrived" in outcome.why
    assert [taken.content for taken in server.taken] == [MESSAGE]


def test_an_answer_that_does_not_come_in_time_is_unclear() -> None:
    outcome, _ = send_to(Behaviour(stalls="after_dot"), timeouts=AT_ONCE)

    assert outcome == MailUnclear(
        "The mail server received the message, but its answer never arrived: it did not answer in time."
    )


@pytest.mark.parametrize(
    "answer", [b"what?\r\n", b"250-first\r\nsecond\r\n", b"\xff\xff\r\n", b"x" * 10_000, b"100 maybe\r\n"]
)
def test_an_answer_to_the_message_that_is_none_is_unclear(answer: bytes) -> None:
    with scripted([b"220 hello\r\n", b"250 hello\r\n", b"250 ok\r\n", b"250 ok\r\n", b"354 go\r\n", answer]) as port:
        outcome = mailer(port).send(FROM, TO, MESSAGE)

    assert isinstance(outcome, MailUnclear)
    assert outcome.why.isprintable()


@pytest.mark.parametrize(
    "greeting", [b"554 5.7.1 Your address is on a list\r\n", b"421 Too busy\r\n", b"SSH-2.0\r\n", b"\x00" * 20_000]
)
def test_a_server_that_does_not_greet_delays_the_message(greeting: bytes) -> None:
    with scripted([greeting]) as port:
        outcome = mailer(port).send(FROM, TO, MESSAGE)

    assert isinstance(outcome, MailDelayed)
    assert outcome.why.isprintable()


class scripted:  # noqa: N801 - reads as a function
    """A server that sends its texts in order, whatever the client says, and then closes."""

    def __init__(self, says: list[bytes]) -> None:
        self._says = says
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._talk)

    def _talk(self) -> None:
        connection, _ = self._listening.accept()
        with closing(connection), suppress(OSError):
            connection.settimeout(5)
            for said in self._says:
                connection.sendall(said)
                connection.recv(1 << 16)

    def __enter__(self) -> int:
        self._thread.start()
        return self._listening.getsockname()[1]

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._listening.close()


# --- TLS and login ----------------------------------------------------------------------------------------------------


def certificate(folder: Path) -> Path:
    return folder / "certificate.pem"


@pytest.mark.parametrize("kind", ["starttls", "implicit"])
def test_with_tls_and_a_certificate_we_trust_the_message_goes_over_tls(folder: Path, kind: str) -> None:
    with SmtpServer(tls=kind, folder=folder) as server:
        tls = {"implicit_tls": kind == "implicit", "starttls": kind == "starttls"}
        outcome = mailer(server.port, host="localhost", ca_file=certificate(folder), **tls).send(FROM, TO, MESSAGE)

    assert isinstance(outcome, MailTaken)
    assert [taken.over_tls for taken in server.taken] == [True]


@pytest.mark.parametrize("kind", ["starttls", "implicit"])
def test_a_certificate_nobody_vouches_for_delays_the_message(folder: Path, kind: str) -> None:
    with SmtpServer(Behaviour(auth=True), tls=kind, folder=folder) as server:
        tls = {"implicit_tls": kind == "implicit", "starttls": kind == "starttls"}
        outcome = mailer(server.port, user=USER, password=PASSWORD, **tls).send(FROM, TO, MESSAGE)

    assert isinstance(outcome, MailDelayed)
    assert "its certificate can't be trusted (" in outcome.why
    assert server.taken == []


def test_where_tls_is_required_and_not_offered_nothing_is_sent() -> None:
    outcome, server = send_to(Behaviour(), starttls=True, user=USER, password=PASSWORD)

    assert isinstance(outcome, MailDelayed)
    assert "does not offer STARTTLS" in outcome.why
    assert server.taken == []


def test_a_server_that_speaks_no_tls_where_it_should_delays_the_message() -> None:
    outcome, _ = send_to(Behaviour(), implicit_tls=True)

    assert isinstance(outcome, MailDelayed)
    assert outcome.why.isprintable()


def test_a_file_of_authorities_that_holds_none_is_a_setting_to_mend(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")

    with pytest.raises(SettingsError, match=r"\?ca="):
        mailer(25, starttls=True, ca_file=tmp_path / "ca.pem")


@pytest.mark.parametrize("mechanisms", [("PLAIN", "LOGIN"), ("PLAIN",), ("LOGIN",)])
def test_user_and_password_of_any_letters_log_in(mechanisms: tuple[str, ...]) -> None:
    outcome, server = send_to(Behaviour(auth=True, auth_mechanisms=mechanisms), user=USER, password=PASSWORD)

    assert isinstance(outcome, MailTaken)
    assert [taken.user for taken in server.taken] == [USER]


@pytest.mark.parametrize("mechanisms", [("PLAIN",), ("LOGIN",), ()])
def test_a_login_that_fails_delays_the_message_and_shows_no_password(mechanisms: tuple[str, ...]) -> None:
    outcome, server = send_to(Behaviour(auth=True, auth_mechanisms=mechanisms), user=USER, password="wrong-secret")

    assert isinstance(outcome, MailDelayed)
    assert "password" in outcome.why
    assert not re.search("wrong-secret|d3Jvbmctc2VjcmV0", outcome.why)
    assert server.taken == []


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (b"535 5.7.8 Bad: AHUAd3Jvbmctc2VjcmV0\r\n", "535 5.7.8"),
        (b"535-AHUAd3Jvbmct\r\n535 c2VjcmV0\r\n", "535"),
        (b"501 5.5.2AHUAd3Jvbmctc2VjcmV0\r\n", "501"),
    ],
)
def test_of_what_a_server_says_of_the_login_only_the_codes_are_shown(answer: bytes, shown: str) -> None:
    with scripted([b"220 hello\r\n", b"250-hello\r\n250 AUTH PLAIN\r\n", answer]) as port:
        outcome = mailer(port, user="u", password="wrong-secret").send(FROM, TO, MESSAGE)

    assert isinstance(outcome, MailDelayed)
    assert outcome.why.endswith(f"PRORATA_SMTP_URL: {shown}")


def test_a_server_that_wants_a_login_we_have_not_delays_the_message() -> None:
    outcome, _ = send_to(Behaviour(auth=True))

    assert isinstance(outcome, MailDelayed)
    assert "530" in outcome.why


# --- a day without a server -------------------------------------------------------------------------------------------


def test_after_any_number_of_failures_the_message_is_there_once() -> None:
    port = free_port()
    through = mailer(port)
    assert all(isinstance(through.send(FROM, TO, MESSAGE), MailDelayed) for _ in range(5))
    with SmtpServer(Behaviour(rcpt="451 4.7.1 Greylisted"), port=port) as greylisting:
        assert isinstance(through.send(FROM, TO, MESSAGE), MailDelayed)
    with SmtpServer(port=port) as server:
        assert isinstance(through.send(FROM, TO, MESSAGE), MailTaken)
    assert [taken.content for taken in (*greylisting.taken, *server.taken)] == [MESSAGE]
