"""A mailer that hands each message to a server (RFC 5321) in its own connection.

If the server refuses the greeting, TLS or the login, this does not concern the message. The message waits, and the
returned sentence tells the operator what to do. The same is true if the server refuses the sender with a 5xx,
because the sender is a setting. However, if the server states that the message is too large, the message is
refused. A refusal of the recipient or of the message itself is permanent with a 5xx, and temporary with a 4xx.

If the connection is lost before the message's last line is sent, the message has not been delivered. If it is lost
between that line and the reply, the outcome is unknown.
"""

import re
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import IPPROTO_TCP, TCP_NODELAY, gaierror, socket
from typing import NamedTuple

from prorata.adapters.files.interruptible_socket import Wire
from prorata.adapters.limits import LONGEST_SMTP_REPLY
from prorata.adapters.mail.urls import MailServer
from prorata.domain.mail.message_body import one_line
from prorata.domain.mail_addresses import MailAddress, NotAnAddress, read_address
from prorata.ports.mail import MailDelayed, MailOutcome, MailRefused, MailTaken, MailUnclear, unnoted
from prorata.settings import SettingsError

_DONE = range(200, 300)
_FOR_NOW = range(400, 500)
_FOR_GOOD = range(500, 600)
_GREETING = 220
_GO_AHEAD = 354
_LOGGED_IN = 235
_CHALLENGE = 334
_ABOUT_THE_LOGIN = (530, 534, 535, 538)  # RFC 4954 section 6: the settings are wrong, not the message
_TOO_LARGE = re.compile(r"552\b|5\d\d[ -]5\.3\.4\b")  # RFC 1870 section 6.1, RFC 3463 section 3.4
_ENHANCED = re.compile(rb"\s*([245]\.\d{1,3}\.\d{1,3})(?!\S)")
_LINE_END_ALONE = re.compile(rb"\r(?!\n)|(?<!\r)\n")
_FIRST_DOT = re.compile(rb"^\.", re.MULTILINE)
_REPORTS = "SUCCESS,FAILURE,DELAY"

Reply = tuple[int, bytes]


class Timeouts(NamedTuple):
    """The number of seconds for which the server may be silent at each stage.

    The stages are: connecting, a command, receiving the message, confirming it after its last line, and ending the
    conversation. The timeout after the last line is that of RFC 5321 section 4.5.3.2, because a client that gives
    up earlier sends accepted messages twice. `whole` is the limit for the entire conversation, which a server that
    sends a few bytes now and then could otherwise prolong forever.
    """

    connect: float = 30
    command: float = 120
    message: float = 180
    last_line: float = 600
    leaving: float = 5
    whole: float = 1_200


TIMEOUTS = Timeouts()


class _Undone(Exception):
    """An exception that ends the conversation; `outcome` is the outcome to return."""

    def __init__(self, outcome: MailOutcome) -> None:
        super().__init__()
        self.outcome = outcome


class _Conversation(smtplib.SMTP):
    """A conversation that other threads can end at any time, even during a TLS handshake.

    The TLS handshake replaces the socket, so `wire` keeps track of the socket in use.
    """

    def __init__(self, host: str, ehlo_name: str, *, seconds: float, tls: ssl.SSLContext | None) -> None:
        super().__init__("", 0, ehlo_name, seconds)
        self._host = host  # STARTTLS checks its certificate
        self._implicit_tls = tls
        self.wire = Wire()

    def begin(self, port: int) -> None:
        """Connect, and read the greeting."""
        code, greeting = self.connect(self._host, port)
        if code != _GREETING:
            self.close()
            raise smtplib.SMTPConnectError(code, greeting)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket:
        return self.wire.connect(host, port, timeout, self._implicit_tls)

    def close(self) -> None:
        """Close the connection."""
        super().close()
        self.wire.close()


class SmtpMailer:
    """A mailer that hands messages to one server.

    `ehlo_name` is Prorata's name in the greeting. Failures of delivery are always reported. If `ask_for_reports` is
    set, because the installation receives reports, the server is asked to report successful deliveries, too, if it
    can (RFC 3461). Raises `SettingsError` if the CA file can't be used.
    """

    def __init__(
        self,
        server: MailServer,
        *,
        ehlo_name: str,
        timeouts: Timeouts = TIMEOUTS,
        ask_for_reports: bool = False,
    ) -> None:
        self.why_held: str | None = None
        self._server = server
        self._ehlo_name = ehlo_name
        self._timeouts = timeouts
        self._ask_for_reports = ask_for_reports
        self._tls = _trusted(server) if server.implicit_tls or server.starttls else None

    def send(
        self, envelope_from: str, recipient: str, message: bytes, go_out: Callable[[], None] = unnoted
    ) -> MailOutcome:
        """Hand the message to the server.

        Return the outcome (`ports.MailOutcome`). All lines of `message` must end in CRLF.
        """
        assert message.endswith(b"\r\n"), "the last line of a message ends"
        assert not _LINE_END_ALONE.search(message), "each line of a message ends in CRLF: another end smuggles"
        sender = read_address(envelope_from)
        try:
            to = read_address(recipient)
        except NotAnAddress as error:
            return MailRefused(str(error))
        try:
            with self._connection() as smtp:
                self._greet(smtp)
                self._give_envelope(smtp, sender, to, message)
                go_out()
                return self._give_message(smtp, message)
        except _Undone as undone:
            return undone.outcome
        except (OSError, smtplib.SMTPException) as error:
            return MailDelayed(f"The mail server {self._server.host} could not be used: {_what(error)}.")

    @contextmanager
    def _connection(self) -> Iterator[smtplib.SMTP]:
        server, timeouts = self._server, self._timeouts
        smtp = _Conversation(
            server.host,
            self._ehlo_name,
            seconds=timeouts.connect,
            tls=self._tls if server.implicit_tls else None,
        )
        try:
            with smtp.wire.cut_off_after(timeouts.whole):
                smtp.begin(server.port)
                yield smtp
        finally:
            # The outcome is known: a server that is slow to say goodbye changes nothing.
            with smtp.wire.cut_off_after(timeouts.leaving), suppress(OSError, smtplib.SMTPException):
                _wait_at_most(smtp, timeouts.leaving)
                smtp.docmd("QUIT")
            smtp.close()

    def _greet(self, smtp: smtplib.SMTP) -> None:
        server = self._server
        _wait_at_most(smtp, self._timeouts.command)
        if (
            smtp.sock is not None
        ):  # else the end of a TLS handshake and our greeting wait for each other (measured: 40 ms)
            smtp.sock.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        smtp.ehlo_or_helo_if_needed()
        if server.starttls:
            if not smtp.has_extn("starttls"):
                raise _Undone(
                    MailDelayed(
                        f"The mail server {server.host} does not offer STARTTLS. If it is in a network that you "
                        "trust, add ?tls=off to the end of PRORATA_SMTP_URL."
                    )
                )
            smtp.starttls(context=self._tls)
            smtp.ehlo_or_helo_if_needed()
        if server.user:
            self._log_in(smtp, server.user, server.password)

    def _log_in(self, smtp: smtplib.SMTP, user: str, password: str) -> None:
        offered = smtp.esmtp_features.get("auth", "").upper().split()
        if "PLAIN" in offered:
            code, reply_text = smtp.docmd("AUTH", f"PLAIN {_base64(f'{chr(0)}{user}{chr(0)}{password}')}")
        elif "LOGIN" in offered:
            code, reply_text = smtp.docmd("AUTH", "LOGIN")
            for answer in (user, password):
                if code == _CHALLENGE:
                    code, reply_text = smtp.docmd(_base64(answer))
        else:
            raise _Undone(
                MailDelayed(
                    f"The mail server {self._server.host} accepts no password with the sign-in method PLAIN or LOGIN."
                )
            )
        if code != _LOGGED_IN:
            why = "does not accept the user and password in PRORATA_SMTP_URL"
            raise _Undone(MailDelayed(f"The mail server {self._server.host} {why}: {_code_alone(code, reply_text)}"))

    def _give_envelope(self, smtp: smtplib.SMTP, sender: MailAddress, to: MailAddress, message: bytes) -> None:
        options = []
        if smtp.has_extn("size"):
            self._check_size(smtp.esmtp_features["size"], len(message))
            options.append(f"SIZE={len(message)}")
        if not (sender.is_ascii and to.is_ascii and message.isascii()):
            if not smtp.has_extn("smtputf8"):
                raise _Undone(
                    MailRefused(
                        "The mail server doesn't accept addresses with letters other than a-z before the @ (it "
                        "doesn't support SMTPUTF8). Use another address for this person."
                    )
                )
            smtp.command_encoding = "utf-8"
            options += ["BODY=8BITMIME", "SMTPUTF8"]
        reports = self._ask_for_reports and smtp.has_extn("dsn")
        options += ["RET=HDRS"] if reports else []
        self._expect_sender_taken(smtp.docmd("MAIL", " ".join([f"FROM:<{sender}>", *options])))
        notify = [f"NOTIFY={_REPORTS}"] if reports else []
        self._expect_done(smtp.docmd("RCPT", " ".join([f"TO:<{to}>", *notify])), "recipient")

    def _check_size(self, most: str, size: int) -> None:
        if most.isdigit() and 0 < int(most) < size:
            why = f"The message has {size:,} bytes, but the mail server accepts at most {int(most):,}."
            raise _Undone(MailRefused(why))

    def _give_message(self, smtp: smtplib.SMTP, message: bytes) -> MailOutcome:
        code, reply_text = smtp.docmd("DATA")
        if code != _GO_AHEAD:
            self._expect_done((code, reply_text), "message")
            raise _Undone(MailDelayed(f"The mail server gave an unexpected answer: {_said(code, reply_text)}"))
        _wait_at_most(smtp, self._timeouts.message)
        smtp.send(_FIRST_DOT.sub(b"..", message) + b".\r\n")
        try:
            _wait_at_most(smtp, self._timeouts.last_line)
            code, reply_text = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            return MailUnclear(f"The mail server received the message, but its answer never arrived: {_what(error)}.")
        if code not in (*_DONE, *_FOR_NOW, *_FOR_GOOD):
            return MailUnclear(
                f"The mail server received the message, but gave an invalid answer: {_said(code, reply_text)}"
            )
        self._expect_done((code, reply_text), "message")
        return MailTaken(_said(code, reply_text))

    def _expect_sender_taken(self, reply: Reply) -> None:
        """Raise `_Undone` unless the server accepts the sender with a 2xx.

        Every message has the same sender, so a refusal of the sender is not permanent for this message.
        """
        reply_text = _said(*reply)
        if reply[0] in _FOR_GOOD and reply[0] not in _ABOUT_THE_LOGIN and not _TOO_LARGE.match(reply_text):
            why = (
                "refuses the sender's address. Set PRORATA_MAIL_FROM to an address that it allows Prorata to send from"
            )
            raise _Undone(MailDelayed(f"The mail server {self._server.host} {why}: {reply_text}"))
        self._expect_done(reply, "sender")

    def _expect_done(self, reply: Reply, what: str) -> None:
        """Raise `_Undone` unless the reply is a 2xx.

        `what` names what the server accepts or refuses. If a 5xx is about the user or the password, the message is only
        delayed.
        """
        code, reply_text = reply
        if code in _DONE:
            return
        if code in _FOR_GOOD and code not in _ABOUT_THE_LOGIN:
            raise _Undone(MailRefused(f"The mail server refused the {what}: {_said(code, reply_text)}"))
        raise _Undone(
            MailDelayed(f"The mail server is not accepting the {what} at the moment: {_said(code, reply_text)}")
        )


def _trusted(server: MailServer) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=server.ca_file)
    except (OSError, ValueError):
        raise SettingsError(
            "The file named by ?ca= in PRORATA_SMTP_URL contains no certificates in PEM format."
        ) from None


def _wait_at_most(smtp: smtplib.SMTP, seconds: float) -> None:
    if smtp.sock is not None:
        smtp.sock.settimeout(seconds)


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _said(code: int, reply: bytes) -> str:
    """Format the server's reply as one line that is safe to show."""
    return one_line(f"{code} {reply.decode(errors='replace')}" if code > 0 else "nothing", LONGEST_SMTP_REPLY)


def _code_alone(code: int, reply: bytes) -> str:
    """Return the codes of a reply to a login, without its text.

    The text may contain the password, in base64 or in parts.
    """
    enhanced = _ENHANCED.match(reply)
    return _said(code, enhanced[1] if enhanced else b"").strip()


def _what(error: Exception) -> str:
    match error:
        case smtplib.SMTPResponseException():
            reply = error.smtp_error
            what = f"it said {_said(error.smtp_code, reply if isinstance(reply, bytes) else reply.encode())}"
        case ssl.SSLCertVerificationError():
            what = f"its certificate can't be trusted ({one_line(error.verify_message)})"
        case ConnectionRefusedError():
            what = "nothing is listening on its port"
        case gaierror():
            what = "its name could not be resolved"
        case _ if isinstance(error, TimeoutError) or "timed out" in str(error):
            what = "it did not answer in time"
        case smtplib.SMTPServerDisconnected():
            what = "it closed the connection"
        case _:
            what = one_line(str(error), LONGEST_SMTP_REPLY) or type(error).__name__
    return what
