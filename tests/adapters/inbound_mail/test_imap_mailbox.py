"""Tests of mailboxes on a local Dovecot, and on servers that fail in other ways."""

import logging
import os
import signal
import socketserver
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from prorata.adapters.inbound_mail.imap_mailbox import ImapMailbox, Polled, Timeouts
from prorata.adapters.inbound_mail.imap_url import ImapFolder, read_imap_url
from prorata.errors import Conflict, Unavailable
from prorata.settings import SettingsError
from tests.dovecot_server import PASSWORD, USER, DovecotServer
from tests.house.sources import ROOT

ONE, TWO, THREE = (f"Subject: {number}\r\n\r\nHello\r\n".encode() for number in (1, 2, 3))
IMPATIENT = Timeouts(silence=1, whole=4)


@pytest.fixture(scope="module")
def server() -> Iterator[DovecotServer]:
    with DovecotServer() as started:
        yield started


@pytest.fixture
def dovecot(server) -> DovecotServer:
    if not server.running:
        server.start()
    server.empty()
    return server


def url_of(dovecot: DovecotServer, rest: str = "", scheme: str = "imap", password: str = PASSWORD) -> str:
    port = dovecot.port if scheme == "imap" else dovecot.tls_port
    return f"{scheme}://{quote(USER, safe='')}:{quote(password, safe='')}@127.0.0.1:{port}{rest}"


def mailbox(dovecot: DovecotServer, rest: str = "", **options: object) -> ImapMailbox:
    return ImapMailbox(read_imap_url(url_of(dovecot, rest)), **options)


class Taken(list[bytes]):
    """The messages that were handed over, as a list."""

    def take(self, raw: bytes, _size: int) -> None:
        self.append(raw)


def polled(box: ImapMailbox, most: int = 100) -> list[bytes]:
    taken = Taken()
    box.poll(taken.take, most)
    return taken


def test_unseen_messages_are_handed_over_once_the_oldest_first(dovecot):
    dovecot.deliver(ONE, TWO)
    box = mailbox(dovecot)
    assert polled(box) == [ONE, TWO]
    assert polled(box) == []
    dovecot.deliver(THREE)
    assert polled(box) == [THREE]


def test_what_a_person_has_seen_or_deleted_is_left(dovecot):
    dovecot.deliver(ONE, flags=r"(\Seen)")
    dovecot.deliver(TWO, flags=r"(\Deleted)")
    dovecot.deliver(THREE)
    assert polled(mailbox(dovecot)) == [THREE]


def test_bytes_come_as_they_were_sent(dovecot):
    odd = [
        b"Subject: \xff\x80\r\n\r\n" + bytes(range(14, 256)) * 1_000 + b"\r\n",
        b"no head at all",
        b"\r\n",
        b"Subject: x\r\n\r\n{5}\r\n)\r\n* BYE\r\nA1 OK done\r\n",
        b"x" * 3_000_000,
    ]
    dovecot.deliver(*odd)
    assert polled(mailbox(dovecot)) == odd


def test_so_many_are_taken_at_once_and_the_rest_the_next_time(dovecot):
    dovecot.deliver(*[ONE] * 5)
    taken = Taken()
    assert mailbox(dovecot).poll(taken.take, 3) == Polled(taken=3, has_more=True)
    assert mailbox(dovecot).poll(taken.take, 3) == Polled(taken=2, has_more=False)


def test_of_a_message_that_is_too_large_the_head_is_handed_over_once_after_the_others(dovecot):
    head, rest = b"Subject: large\r\nFrom: ann@example.com\r\n\r\n", b"x" * 2_000 + b"\r\n"
    dovecot.deliver(head + rest, ONE)
    handed: list[tuple[bytes, int]] = []
    box = mailbox(dovecot, longest=1_000)
    for _ in range(3):
        assert box.poll(lambda raw, size: handed.append((raw, size))).problem is None
    assert handed == [(ONE, len(ONE)), (head, len(head) + len(rest))]
    assert dovecot.unseen() == 0


def test_of_a_head_that_is_too_long_its_beginning_is_handed_over(dovecot):
    dovecot.deliver(b"Subject: large\r\n" + b"X-Long: %s\r\n" % (b"x" * 900) * 100 + b"\r\nHello\r\n")
    (head,) = polled(mailbox(dovecot, longest=1_000))
    assert (len(head), head[:16]) == (64 * 1024, b"Subject: large\r\n")


def test_a_large_message_that_is_for_nobody_stays_unseen_like_any_other(dovecot):
    dovecot.deliver(b"Subject: large\r\n\r\n" + b"x" * 2_000)

    def refuses(_raw: bytes, _size: int) -> None:
        raise Conflict("It is for nobody.")

    found = mailbox(dovecot, longest=1_000).poll(refuses)
    assert (found.taken, found.left) == (0, (("It is for nobody.", 1),))
    assert dovecot.unseen() == 1


def test_a_folder_of_any_name_is_polled_and_no_other(dovecot):
    dovecot.deliver(ONE, folder="Bills &- m&AOQ-rz")
    dovecot.deliver(TWO)
    assert polled(mailbox(dovecot, f"/{quote('Bills & märz')}")) == [ONE]
    assert dovecot.unseen() == 1


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (Conflict("Too much waits."), "Too much waits."),
        (OSError("the disk is full"), "Prorata failed to process it. See the log for details."),
    ],
)
def test_what_is_not_taken_stays_unseen_and_hinders_no_other(dovecot, error, why):
    dovecot.deliver(ONE, TWO, THREE)
    taken: list[bytes] = []
    asked: list[bytes] = []

    def take(raw: bytes, _size: int) -> None:
        asked.append(raw)
        if raw == ONE:
            raise error
        taken.append(raw)

    box = mailbox(dovecot)
    first = box.poll(take, 1)
    assert (first.taken, first.has_more, first.left) == (0, True, ((why, 1),))
    assert box.poll(take, 1).taken == 1
    assert box.poll(take) == Polled(1, has_more=False, left=((why, 1),))
    assert asked == [ONE, TWO, THREE], "what was not taken is not fetched again at once"
    assert box.poll(take).problem == (f"1 of the messages in the mailbox could not be fetched and stay unread: {why}")
    assert dovecot.unseen() == 1
    assert [*taken, *polled(mailbox(dovecot))] == [TWO, THREE, ONE]


def test_what_was_not_taken_is_handed_over_again_after_all_that_is_new(dovecot):
    dovecot.deliver(ONE)
    box = mailbox(dovecot, seconds_before_again=0.0)

    def refuses(_raw: bytes, _size: int) -> None:
        raise Conflict("Full.")

    box.poll(refuses)
    dovecot.deliver(TWO)
    assert polled(box) == [TWO, ONE]
    assert box.poll(print) == Polled(0, has_more=False)


def test_a_database_that_is_away_ends_the_poll(dovecot):
    dovecot.deliver(ONE, TWO)
    asked: list[bytes] = []

    def away(raw: bytes, _size: int) -> None:
        asked.append(raw)
        raise Unavailable("The database is away.")

    box = mailbox(dovecot)
    with pytest.raises(Unavailable, match="The database is away"):
        box.poll(away)
    assert (asked, dovecot.unseen()) == ([ONE], 2)
    assert polled(box) == [ONE, TWO]


POLLS = """
import sys
from pathlib import Path
from prorata.adapters.inbound_mail.imap_mailbox import ImapMailbox
from prorata.adapters.inbound_mail.imap_url import read_imap_url

kept, url = Path(sys.argv[1]), sys.stdin.read()

def take(raw, _size):
    (kept / str(len(list(kept.iterdir())))).write_bytes(raw)
    if raw.startswith(b"Subject: 2"):
        print("kept", flush=True)
        sys.stdin.close()
        import time
        time.sleep(600)

ImapMailbox(read_imap_url(url)).poll(take)
"""


def test_a_message_between_the_keeping_and_the_mark_of_a_killed_process_is_there_again(dovecot, tmp_path):
    dovecot.deliver(ONE, TWO, THREE)
    command = [sys.executable, "-c", POLLS, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=os.environ) as polling:
        polling.stdin.write(url_of(dovecot).encode())
        polling.stdin.close()
        assert polling.stdout.readline() == b"kept\n"
        polling.send_signal(signal.SIGKILL)
    kept = [file.read_bytes() for file in sorted(tmp_path.iterdir())]
    assert kept == [ONE, TWO]
    assert polled(mailbox(dovecot)) == [TWO, THREE]  # one twice, none lost


@pytest.mark.thorough
def test_a_server_that_dies_loses_nothing_and_is_found_again(dovecot):
    dovecot.deliver(ONE, TWO, THREE)
    taken: list[bytes] = []

    def take(raw: bytes, _size: int) -> None:
        taken.append(raw)
        if raw == TWO:
            dovecot.kill()

    box = mailbox(dovecot)
    with pytest.raises(Unavailable, match="was lost"):
        box.poll(take)
    with pytest.raises(Unavailable, match="can't be reached"):
        box.poll(take)
    dovecot.start()
    assert [*taken, *polled(box)] == [ONE, TWO, TWO, THREE]


def test_mail_is_fetched_under_tls_of_both_kinds(dovecot, tmp_path):
    ca = tmp_path / "ca.pem"
    ca.write_bytes(Path(dovecot.cert).read_bytes())
    for scheme, options in (("imaps", f"?ca={ca}"), ("imap", f"?tls=required&ca={ca}")):
        dovecot.deliver(ONE)
        assert polled(ImapMailbox(read_imap_url(url_of(dovecot, options, scheme)))) == [ONE]
        with pytest.raises(Unavailable, match="can't be trusted: its TLS certificate"):
            polled(ImapMailbox(read_imap_url(url_of(dovecot, options.partition("ca=")[0].rstrip("?&"), scheme))))
    ca.write_text("no certificate")
    with pytest.raises(SettingsError, match="contains no certificates"):
        ImapMailbox(read_imap_url(url_of(dovecot, f"?ca={ca}", "imaps")))


def said(refused: pytest.ExceptionInfo[Unavailable]) -> str:
    """All text about a refusal that a log could contain."""
    return "".join(traceback.format_exception(refused.value, chain=True))


@pytest.mark.parametrize("password", ["wrong-s3cr3t", "fälsch-s3cr3t"])
@pytest.mark.thorough
def test_a_wrong_password_is_told_and_stands_nowhere(dovecot, caplog, password):
    caplog.set_level(logging.DEBUG)
    box = ImapMailbox(read_imap_url(url_of(dovecot, password=password)))
    with pytest.raises(Unavailable, match="does not accept the user and password") as refused:
        polled(box)
    assert "s3cr3t" not in said(refused) + caplog.text


@pytest.mark.thorough
def test_a_folder_that_is_not_there_is_told(dovecot):
    with pytest.raises(Unavailable, match="has no folder with the name"):
        polled(mailbox(dovecot, "/Elsewhere"))


class Odd(socketserver.StreamRequestHandler):
    """A server that answers each line with a given one, then goes silent or trickles."""

    lines: tuple[bytes, ...] = ()
    trickles = False

    def handle(self) -> None:
        with suppress(OSError):
            for line in self.lines:
                if line == b"":
                    return
                if line != self.lines[0]:
                    tag = self.rfile.readline().partition(b" ")[0]
                    line = line.replace(b"TAG", tag)  # noqa: PLW2901
                self.wfile.write(line)
            while self.trickles:
                self.wfile.write(b"* ")
                self.wfile.flush()
                time.sleep(0.2)
            self.rfile.read()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def odd_server(*says: bytes, trickling: bool = False) -> Iterator[ImapFolder]:
    handler = type("Handler", (Odd,), {"lines": says, "trickles": trickling})
    with Server(("127.0.0.1", 0), handler) as listening:
        threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield read_imap_url(f"imap://ann:s3cr3t@127.0.0.1:{listening.server_address[1]}")
        listening.shutdown()


HELLO = b"* OK hello\r\n"
CAPABLE = b"* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"
IN = b"TAG OK in\r\n"
SELECTED = b"* 1 EXISTS\r\nTAG OK [READ-WRITE] selected\r\n"


@pytest.mark.parametrize(
    "says",
    [
        (b"",),
        (b"220 mail.example.com ESMTP\r\n", b""),
        (b"\xff" * 1_000 + b"\r\n", b""),
        (HELLO, b""),
        (HELLO, b"TAG BAD what\r\n", b""),
        (HELLO, CAPABLE, b"* BYE full\r\n", b""),
        (HELLO, CAPABLE, IN, SELECTED, b"TAG BAD what\r\n", b""),
        (
            HELLO,
            CAPABLE,
            IN,
            SELECTED,
            b"* SEARCH \xff x\r\nTAG OK done\r\n",
            b"* SEARCH\r\nTAG OK done\r\n",
            b"TAG BAD what\r\n",
            b"",
        ),
        (
            HELLO,
            CAPABLE,
            IN,
            SELECTED,
            b"* SEARCH 1\r\nTAG OK done\r\n",
            b"* SEARCH\r\nTAG OK done\r\n",
            b"TAG NO gone\r\n",
            b"",
        ),
        (
            HELLO,
            CAPABLE,
            IN,
            SELECTED,
            b"* SEARCH 1\r\nTAG OK done\r\n",
            b"* SEARCH\r\nTAG OK done\r\n",
            b"* 1 FETCH (BODY[] {9}\r\nabc",
            b"",
        ),
    ],
)
def test_a_server_that_speaks_oddly_or_leaves_is_a_sentence(says):
    with odd_server(*says) as folder:
        with pytest.raises(Unavailable, match=r"127\.0\.0\.1") as refused:
            polled(ImapMailbox(folder, Timeouts(silence=20, whole=40)))
        assert "s3cr3t" not in said(refused)


def test_a_message_that_was_deleted_meanwhile_is_passed_over():
    search, gone = b"* SEARCH 1\r\nTAG OK done\r\n", b"TAG OK nothing\r\n"
    with odd_server(
        HELLO, CAPABLE, IN, SELECTED, search, b"* SEARCH\r\nTAG OK done\r\n", gone, b"* BYE\r\nTAG OK done\r\n", b""
    ) as folder:
        assert ImapMailbox(folder).poll(print) == Polled(taken=0, has_more=False)


@pytest.mark.parametrize("says", [(), (HELLO,), (HELLO, CAPABLE), (HELLO, CAPABLE, IN)])
def test_a_server_that_falls_silent_is_left(says):
    with odd_server(*says) as folder, pytest.raises(Unavailable, match="stopped responding"):
        polled(ImapMailbox(folder, Timeouts(silence=0.3, whole=40)))


@pytest.mark.parametrize("says", [(), (HELLO,), (HELLO, CAPABLE), (HELLO, CAPABLE, IN)])
@pytest.mark.thorough
def test_a_server_that_says_a_little_now_and_then_is_left_too(says):
    with odd_server(*says, trickling=True) as folder:
        began = time.monotonic()
        with pytest.raises(Unavailable):
            polled(ImapMailbox(folder, IMPATIENT))
        assert time.monotonic() - began < 60


@pytest.mark.thorough
def test_the_handshake_of_tls_ends_too():
    with odd_server(trickling=True) as plain:
        folder = read_imap_url(f"imaps://ann:s3cr3t@127.0.0.1:{plain.server.port}")
        with pytest.raises(Unavailable):
            polled(ImapMailbox(folder, IMPATIENT))
