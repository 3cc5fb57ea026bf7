"""The built-in mail receiver: SMTP (RFC 5321) and LMTP (RFC 2033), by aiosmtpd.

It answers 250 to a message only once the message is stored permanently. It answers 4xx to a temporary problem, so that
the other server keeps the message and tries again, and 550 to an unknown address. Everything that a peer can use up has
a limit: connections, commands, time, messages, the bytes of one message and of all messages that are being received,
and guesses of addresses.
"""

import asyncio
import logging
import ssl
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException

from prorata.adapters.inbound_mail.inbound_settings import Listening, listen
from prorata.adapters.inbound_mail.smtp_quota import SECONDS_TO_END, Door, Limits, MailIntake
from prorata.adapters.limits import LONGEST_SMTP_LINE
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.domain.accounts.login_throttling import client_of
from prorata.domain.limits import MOST_MESSAGE_BYTES
from prorata.errors import Conflict, NotFound, RateLimited, Unavailable
from prorata.settings import SettingsError

SECONDS_OF_COMMAND = 300
SECONDS_TO_HANG_UP = 1.0
SECONDS_BEFORE_LISTENING_AGAIN = 5.0
_AT_ONCE = 0.001
_BUSY = "451 4.3.0 The message can't be stored at the moment. Try again later."
_TOO_LARGE = f"552 5.3.4 A message may have at most {MOST_MESSAGE_BYTES // (1024 * 1024)} MB."
_CALLS = {"*": 20, "MAIL": 200, "RCPT": 400, "DATA": 200, "RSET": 400, "NOOP": 100, "EHLO": 20, "LHLO": 20}
_log = structlog.stdlib.get_logger("prorata.receiver")
logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd logs each line of a conversation


class Hooks:
    """The hooks that aiosmtpd calls: accepting recipients and taking messages."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's names, here and below
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, offers: list[str]
    ) -> list[str]:
        """Offer the server's extensions to a peer, except AUTH, because peers don't sign in.

        An AUTH offer that lists no mechanisms would be invalid.
        """
        session.host_name = hostname
        return [offer for offer in offers if not offer.startswith("250-AUTH")]

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a recipient if an account here has the address.

        After too many unknown addresses, the peer is disconnected.
        """
        door, peer = self._door, peer_of(session)
        if len(envelope.rcpt_tos) >= door.limits.recipients:
            return "452 4.5.3 Too many recipients at once. Send it to the others separately."
        try:
            known = await door.ask(partial(door.intake.knows, address))
        except Conflict as full:
            return f"452 4.2.2 {_ascii(full.message)}"
        except Unavailable:
            return _BUSY
        if not known:
            if not door.counts("unknown of peer", peer, door.limits.unknown_of_peer):
                assert isinstance(server, _Conversation), "it is one of ours"
                server.ends_here()
            return "550 5.1.1 Nobody here has this address."
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store a message, and return the answer for the peer once it is stored."""
        door, content = self._door, envelope.original_content or b""
        if not door.counts("messages of peer", peer_of(session), door.limits.messages_of_peer):
            return "451 4.7.1 Too many messages from you at the moment. Try again later."
        wanted = list(dict.fromkeys(address.lower() for address in envelope.rcpt_tos))
        windows = door.limits.messages_to_recipient
        if not all(door.counts("messages to", recipient, windows) for recipient in wanted):
            return "451 4.7.1 Too many messages for this address at the moment. Try again later."
        sender = (envelope.mail_from or "").strip("<>")
        try:
            await door.ask(partial(door.intake.take, wanted, sender, content, door.way))
        except (Unavailable, RateLimited):
            return _BUSY
        except NotFound:  # the next RCPT tells which
            return "451 4.2.1 One of these addresses no longer exists. Send it to each address separately."
        except Conflict as full:
            return f"452 4.2.2 {_ascii(full.message)}"
        _log.info("mail received", size=len(content), recipients=len(wanted), way=door.way)
        return "250 2.0.0 Kept"

    async def handle_exception(self, error: Exception) -> str:
        """Return an answer after an internal error, which asks the peer to try again later.

        The answer reveals nothing about the error.
        """
        if isinstance(error, TLSSetupException):  # a peer that speaks no TLS after all, and gets no answer
            _log.info("a peer asked for TLS and did not speak it")
            return _BUSY
        _log.error("a conversation about mail failed", exc_info=error)
        return _BUSY


def peer_of(session: Session | None) -> str:
    """Return the peer's IPv4 address or IPv6 network (/64), or "here" for a Unix socket."""
    peer: object = session.peer if session else None
    return client_of(str(peer[0])) if isinstance(peer, tuple) and peer else "here"


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()


class _Conversation(SMTP):
    """A connection with a peer, which reads messages with lines of any length.

    It extends aiosmtpd's class, and collects a message in a single buffer.
    """

    line_length_limit = LONGEST_SMTP_LINE
    local_part_limit = 64
    answers_each_recipient = False

    def __init__(self, door: Door, hostname: str, **options: Any) -> None:
        self._door = door
        self._is_in = self._is_over = False
        self._held = 0
        self._message_ends: float | None = None  # the deadline of a message being read, by the loop's clock
        door.conversations.add(self)
        super().__init__(
            Hooks(door), hostname=hostname, ident="Prorata", data_size_limit=MOST_MESSAGE_BYTES, enable_SMTPUTF8=True,
            timeout=SECONDS_OF_COMMAND, command_call_limit=_CALLS, auth_exclude_mechanism=("LOGIN", "PLAIN"), **options,
        )  # fmt: skip

    async def _handle_client(self) -> None:
        self._is_in = self._door.enter(peer_of(self.session))
        if self._is_in:
            await super()._handle_client()
        else:
            await self.push("421 4.7.0 Too many connections. Try again later.")
            self._writer.close()

    def data_received(self, data: bytes) -> None:
        """Receive data; during a message, restart the time limit for its next data."""
        super().data_received(data)
        if self._message_ends is not None:
            self._wait_for_more(self._message_ends)

    def _wait_for_more(self, until: float) -> None:
        left = max(until - self.loop.time(), _AT_ONCE)
        self._reset_timeout(min(self._door.limits.seconds_of_block, left))

    def hang_up(self) -> None:
        """Close the connection at once, without an answer to the peer."""
        connection = self._original_transport or self.transport
        if isinstance(connection, asyncio.Transport):
            connection.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_in:
            self._is_in = False
            self._door.leave(peer_of(self.session))
        super().connection_lost(error)

    def ends_here(self) -> None:
        """Make the conversation end at the peer's next MAIL or RCPT command."""
        self._is_over = True

    async def smtp_MAIL(self, arg: str | None) -> None:  # noqa: N802
        """Handle MAIL, which begins a message, unless the conversation has to end."""
        if not await self._is_told_to_go():
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg: str | None) -> None:  # noqa: N802
        """Handle RCPT, which names a recipient, unless the conversation has to end."""
        if not await self._is_told_to_go():
            await super().smtp_RCPT(arg)

    async def _is_told_to_go(self) -> bool:
        if self._is_over:
            await self.push("421 4.7.0 Too many unknown addresses. Try again later.")
            self._writer.close()
        return self._is_over

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Handle DATA: read a message to its end, and answer.

        Over LMTP, there is an answer for each recipient.
        """
        envelope = self.envelope
        if envelope is None or not envelope.rcpt_tos:
            await self.push("503 5.5.1 Name a recipient first.")
            return
        if arg:
            await self.push("501 5.5.4 DATA takes no parameters.")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        try:
            self._message_ends = self.loop.time() + self._door.limits.seconds_of_message
            self._wait_for_more(self._message_ends)
            content, refused = await self._read_message()
            self._message_ends = None
            self._reset_timeout()
            envelope.content = envelope.original_content = content
            status = refused or await self._call_handler_hook("DATA")
        finally:
            self._door.lets_go(peer_of(self.session), self._held)
            self._held, self._message_ends = 0, None
        number = len(envelope.rcpt_tos) if self.answers_each_recipient else 1
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        await self.push("\r\n".join([status] * number))

    async def _read_message(self) -> tuple[bytes, str | None]:
        """Read a message, and remove its dot-stuffing.

        Return the message and, if it is not accepted, an answer that states the reason. If the message is too
        large, the rest of it is read and dropped.
        """
        content, refused = bytearray(), None
        begins = True  # true if the next data begins a line
        while True:
            line, ends = await self._read_line()
            if begins and ends and line == b".\r\n":
                return bytes(content), refused
            if refused is None:
                if len(content) + len(line) > MOST_MESSAGE_BYTES:
                    refused = _TOO_LARGE
                elif not self._door.takes_more(peer_of(self.session), len(line)):
                    refused = "452 4.3.1 Too much mail at once. Try again later."
                else:
                    self._held += len(line)
                    content += line[1:] if begins and line.startswith(b".") else line
            if refused is not None:
                content.clear()
            begins = ends

    async def _read_line(self) -> tuple[bytes, bool]:
        """Read a line, or the next part of a long line.

        Return the bytes, and True if they are the end of the line.
        """
        try:
            return await self._reader.readuntil(b"\r\n"), True
        except asyncio.LimitOverrunError as long:
            return await self._reader.read(max(long.consumed, 1)), False


class _LocalConversation(_Conversation, LMTP):
    """A conversation over LMTP."""

    answers_each_recipient = True


class MailReceiver:
    """A receiver that listens for mail in its own thread, from `start` to `stop`.

    If `tls` is given, the receiver offers TLS (STARTTLS, RFC 3207) with the context that `tls` returns for each
    connection. Peers that don't use TLS are accepted, too.
    """

    def __init__(
        self,
        where: Listening,
        hostname: str,
        intake: MailIntake,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        tls: Callable[[], ssl.SSLContext] | None = None,
    ) -> None:
        self._where = where
        self._hostname = hostname
        self._intake = intake
        self._limits = limits
        self._tls = tls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopping = threading.Event()
        self._stopping = asyncio.Event()
        self._listens = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="receiver", daemon=True)

    def start(self) -> None:
        """Start the receiver's thread, which listens for mail."""
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until the receiver listens; return False if it does not do so in time."""
        return self._listens.wait(seconds)

    def stop(self) -> None:
        """Refuse new peers, give connected peers some time to finish, and then disconnect them."""
        self._is_stopping.set()
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(2 * SECONDS_TO_END)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        door = Door(self._intake, self._limits, MemoryLimiter(), "lmtp" if self._where.is_lmtp else "smtp")
        conversation = _LocalConversation if self._where.is_lmtp else _Conversation
        while not self._is_stopping.is_set():
            try:
                listening = listen(self._where)
            except SettingsError as away:
                _log.error("mail can't be received", why=str(away))
                await self._rest(SECONDS_BEFORE_LISTENING_AGAIN)
                continue
            server = await self._loop.create_server(
                lambda: conversation(
                    door, self._hostname, loop=self._loop, tls_context=self._tls() if self._tls else None
                ),
                sock=listening,
            )
            self._listens.set()
            await self._stopping.wait()
            server.close()
            await self._end(door)
        door.close()

    async def _rest(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    async def _end(self, door: Door) -> None:
        await self._empties(door, self._limits.seconds_to_end)
        for conversation in list(door.conversations):
            conversation.hang_up()
        await self._empties(door, SECONDS_TO_HANG_UP)

    @staticmethod
    async def _empties(door: Door, seconds: float) -> None:
        """Wait until no peer is connected, up to a time limit."""
        for _ in range(int(seconds / 0.05)):
            if not door.number:
                return
            await asyncio.sleep(0.05)
