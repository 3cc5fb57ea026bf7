"""A client that fetches messages from a mailbox (IMAP, RFC 3501).

It passes each unseen message to a function, and then marks the message as seen. A message that the function does
not accept stays unseen, and does not delay others. If a message is too large, only its header is fetched. No
message is lost, but the function may get a message twice: if this process, the connection or the server fails
before the message is marked, the next poll fetches it again. The mailbox is for Prorata only: a message that a
person has opened there counts as seen, and is not fetched.
"""

import imaplib
import re
import ssl
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from socket import gaierror, socket
from time import monotonic
from typing import NamedTuple

import structlog
from imap_tools.errors import ImapToolsError, MailboxFolderSelectError, MailboxLoginError, MailboxStarttlsError
from imap_tools.mailbox import BaseMailBox

from prorata.adapters.files.interruptible_socket import Wire
from prorata.adapters.inbound_mail.imap_url import ImapFolder
from prorata.adapters.limits import LONGEST_HEAD_FETCHED
from prorata.adapters.mail.urls import MailServer
from prorata.domain.limits import MOST_MESSAGE_BYTES
from prorata.errors import Refusal, Unavailable
from prorata.settings import SettingsError

FETCHED_AT_ONCE = 100
"""The number of messages that one poll fetches."""
SECONDS_BEFORE_AGAIN = 600.0
"""The number of seconds after which a message that was not accepted is fetched again."""
_BODY = re.compile(rb"BODY\[(?:HEADER)?\]")
_SIZE = re.compile(rb"RFC822\.SIZE ([0-9]{1,19})")
_WAITING = "UNSEEN UNDELETED"
_FAILED = "Prorata failed to process it. See the log for details."
_log = structlog.stdlib.get_logger("prorata.mailbox")


class Timeouts(NamedTuple):
    """The time limits for a mailbox server, in seconds.

    `silence` limits how long the server may take to answer. `whole` limits an entire poll, because a server that
    sends a few bytes now and then could otherwise prolong it forever. After half of `whole`, no further message is
    fetched.
    """

    silence: float = 60
    whole: float = 1_200


TIMEOUTS = Timeouts()
Take = Callable[[bytes, int], None]
"""A function that accepts a message, given with its size in bytes.

If the size exceeds `MOST_MESSAGE_BYTES`, the function gets only the head of the message.
"""


class Polled(NamedTuple):
    """The outcome of a poll of the mailbox.

    `taken` is the number of accepted messages, and `has_more` is True if more messages wait to be fetched. `left`
    contains the reasons why messages were not accepted, each with the number of messages. These messages stay
    unseen in the mailbox. Messages that earlier polls did not accept are included if they are still there.
    """

    taken: int
    has_more: bool
    left: tuple[tuple[str, int], ...] = ()

    @property
    def problem(self) -> str | None:
        """The problems for the operator, in sentences, or None if there are none."""
        says = "{} of the messages in the mailbox could not be fetched and stay unread: {}"
        return " ".join(says.format(number, why) for why, number in self.left) or None


class _Fetched(NamedTuple):
    """The fetched part of a message, and the message's size in bytes."""

    raw: bytes
    size: int


class _Left(NamedTuple):
    """The time at which a message was not accepted, and the reason."""

    at: float
    why: str


class ImapMailbox:
    """A mail folder on a server, for use by one thread.

    Raises `SettingsError` if the CA file can't be used.
    """

    def __init__(
        self,
        folder: ImapFolder,
        timeouts: Timeouts = TIMEOUTS,
        longest: int = MOST_MESSAGE_BYTES,
        seconds_before_again: float = SECONDS_BEFORE_AGAIN,
    ) -> None:
        self._folder = folder
        self._timeouts = timeouts
        self._longest = longest
        self._seconds_before_again = seconds_before_again
        self._left: dict[str, _Left] = {}
        self._tls = _context(folder.server) if folder.server.implicit_tls or folder.server.starttls else None

    def poll(self, take: Take, most: int = FETCHED_AT_ONCE) -> Polled:
        """Pass at most `most` unseen messages to `take`, marking each as seen once `take` returns.

        The oldest messages come first. Messages that are too large come last; only their headers are fetched. If
        `take` raises an error, the message stays unseen, and is passed to `take` again a few minutes later, after
        all new messages.

        Raises `Unavailable` if the server can't be reached, refuses the sign-in, does not answer in time or
        disconnects, or if `take` raises `Unavailable`. The error's message never contains the password. Messages
        that were already marked as seen stay so.
        """
        began = monotonic()
        taken = looked_at = 0
        with self._opened() as box:
            with self._asked():
                waiting = box.uids(f"{_WAITING} NOT LARGER {self._longest}", charset=None)
                large = box.uids(f"{_WAITING} LARGER {self._longest}", charset=None)
            due = self._due([*waiting, *large], began)
            for uid in due[:most]:
                if monotonic() - began > self._timeouts.whole / 2:
                    break
                with self._asked():
                    fetched = self._head_of(box, uid) if uid in large else self._message(box, uid)
                looked_at += 1
                if fetched is None or not self._is_taken(
                    take, uid, fetched
                ):  # deleted by somebody meanwhile, or not taken
                    continue
                with self._asked():
                    box.flag(uid, r"\Seen", value=True)
                taken += 1
        left = Counter(message.why for message in self._left.values())
        return Polled(taken, has_more=looked_at < len(due), left=tuple(left.most_common()))

    def _due(self, waiting: list[str], now: float) -> list[str]:
        """List the messages to fetch, given by their UIDs.

        New messages come first, in the given order. They are followed by earlier messages that were not accepted,
        if some minutes have passed since.
        """
        self._left = {uid: self._left[uid] for uid in waiting if uid in self._left}
        again = [uid for uid, left in self._left.items() if now - left.at >= self._seconds_before_again]
        return [uid for uid in waiting if uid not in self._left] + sorted(again, key=lambda uid: self._left[uid].at)

    def _is_taken(self, take: Take, uid: str, fetched: _Fetched) -> bool:
        """Pass a message to `take`, and return True if it was accepted.

        If `take` raises an error other than `Unavailable`, the error is recorded, and other messages are not affected.
        """
        try:
            take(fetched.raw, fetched.size)
        except Unavailable:
            raise
        except Refusal as refused:
            self._left[uid] = _Left(monotonic(), refused.message)
        except Exception:  # noqa: BLE001 - logged with its trace; the next message is handed over all the same
            _log.exception("a message of the mailbox could not be taken", uid=uid)
            self._left[uid] = _Left(monotonic(), _FAILED)
        else:
            self._left.pop(uid, None)
            return True
        return False

    def _message(self, box: BaseMailBox, uid: str) -> _Fetched | None:
        """Fetch a message without marking it as seen; return None if it no longer exists.

        If the message is too large although the server stated a smaller size, return only its beginning.
        """
        fetched = self._fetched(box, uid, f"BODY.PEEK[]<0.{self._longest + 1}>")
        if fetched is None or fetched.size <= self._longest:
            return fetched
        return fetched._replace(raw=fetched.raw[:LONGEST_HEAD_FETCHED])

    def _head_of(self, box: BaseMailBox, uid: str) -> _Fetched | None:
        """Fetch the size and the header of an oversized message, without marking it as seen."""
        return self._fetched(box, uid, f"RFC822.SIZE BODY.PEEK[HEADER]<0.{LONGEST_HEAD_FETCHED}>")

    def _fetched(self, box: BaseMailBox, uid: str, wanted: str) -> _Fetched | None:
        """Fetch a part of a message and its size in one request."""
        status, answer = box.client.uid("FETCH", uid, f"({wanted})")
        if status != "OK":
            raise imaplib.IMAP4.error
        answered = b" ".join(part[0] if isinstance(part, tuple) else part for part in answer if part is not None)
        if not _BODY.search(answered):
            return None
        raw = next((bytes(part[1]) for part in answer if isinstance(part, tuple) and _BODY.search(part[0])), b"")
        size = _SIZE.search(answered)
        return _Fetched(raw, int(size[1]) if size else len(raw))

    @contextmanager
    def _opened(self) -> Iterator[BaseMailBox]:
        """Open the folder during the block, and cut off the connection after `whole` seconds."""
        with closing(Wire()) as wire, wire.cut_off_after(self._timeouts.whole):
            with self._asked():
                box = _Box(self._folder.server, self._tls, wire, self._timeouts.silence)
            try:
                with self._asked():
                    box.enter(self._folder)
                yield box
            finally:
                with suppress(OSError, imaplib.IMAP4.error, ImapToolsError):
                    box.logout()
                with suppress(OSError):
                    box.client.shutdown()

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Convert the block's connection and server errors to `Unavailable`, each with a sentence.

        The server's replies are left out, because some repeat what the client sent.
        """
        host = self._folder.server.host
        try:
            yield
        except MailboxLoginError:
            raise Unavailable(f"{host} does not accept the user and password in PRORATA_IMAP_URL.") from None
        except MailboxFolderSelectError:
            raise Unavailable(
                f"{host} has no folder with the name in PRORATA_IMAP_URL, or does not let Prorata open it."
            ) from None
        except (ssl.SSLCertVerificationError, ssl.SSLError, MailboxStarttlsError):
            raise Unavailable(
                f"{host} can't be trusted: its TLS certificate is for another host, has expired, or is not from a "
                "known authority."
            ) from None
        except TimeoutError:
            raise Unavailable(f"{host} stopped responding while mail was being fetched.") from None
        except (gaierror, ConnectionRefusedError):
            raise Unavailable(f"{host} can't be reached to fetch mail.") from None
        except (OSError, imaplib.IMAP4.error, ImapToolsError, ValueError, IndexError):
            raise Unavailable(f"The connection to {host} was lost, or it is not an IMAP server.") from None


class _Client(imaplib.IMAP4):
    def __init__(self, server: MailServer, tls: ssl.SSLContext | None, wire: Wire, silence: float) -> None:
        self._implicit_tls = tls if server.implicit_tls else None
        self._wire = wire
        super().__init__(server.host, server.port, silence)

    def _create_socket(self, timeout: float | None) -> socket:
        return self._wire.connect(self.host, self.port, timeout, self._implicit_tls)


class _Box(BaseMailBox):
    def __init__(self, server: MailServer, tls: ssl.SSLContext | None, wire: Wire, silence: float) -> None:
        self._client = _Client(server, tls, wire, silence)
        self._tls = tls
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        return self._client

    def enter(self, folder: ImapFolder) -> None:
        """Sign in, after TLS, and select the folder."""
        server = folder.server
        if server.starttls:
            self._client.starttls(self._tls)
        login = self.login if f"{server.user}{server.password}".isascii() else self.login_utf8
        try:
            login(server.user, server.password, initial_folder=None)
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error as refused:
            raise MailboxLoginError(("NO", []), "OK") from refused
        self.folder.set(folder.folder)


def _context(server: MailServer) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=server.ca_file)
    except (ssl.SSLError, OSError):
        raise SettingsError(
            "The file named by ?ca= in PRORATA_IMAP_URL contains no certificates in PEM format."
        ) from None
