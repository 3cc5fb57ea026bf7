"""A Dovecot server of our own, with one mailbox, on private ports.

Its directory is removed when it ends, as with the servers in `servers`.

    with DovecotServer() as dovecot:
        dovecot.deliver(b"Subject: x\\r\\n\\r\\nHello")
        dovecot.url("INBOX")
"""

import contextlib
import grp
import imaplib
import os
import pwd
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from benchmarks.processes import find_program
from tests.certificates import certificate
from tests.servers import SECONDS_TO_START, ServerProcess, free_port, missing

USER, PASSWORD = "bills@example.com", 'p"a\\ss {word}'
# A wrong password is told at once, and does not hold up who comes next from the same address.
CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = /dev/stderr
protocols = imap
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 1
disable_plaintext_auth = no
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
ssl_dh =
mail_location = maildir:{folder}/mail
mail_fsync = never
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {tls_port}
    ssl = yes
  }}
}}
auth_failure_delay = 0
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
namespace inbox {{
  inbox = yes
}}
"""


class DovecotServer:
    """A Dovecot server with a mailbox of its own."""

    def __init__(self) -> None:
        self._program = find_program("dovecot") or _in_sbin()
        if self._program is None:
            missing("Dovecot", "dovecot-imapd")
        self.port, self.tls_port = free_port(), free_port()
        self._process = ServerProcess("dovecot")
        folder, user = self._process.folder, self._process.user
        user = user or pwd.getpwuid(os.getuid())
        self.cert, key = certificate(folder)
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        (folder / "dovecot.conf").write_text(
            CONFIGURATION.format(
                folder=folder,
                user=user.pw_name,
                group=grp.getgrgid(user.pw_gid).gr_name,
                uid=user.pw_uid,
                gid=user.pw_gid,
                cert=self.cert,
                key=key,
                port=self.port,
                tls_port=self.tls_port,
            )
        )
        if self._process.user:
            for file in folder.iterdir():
                os.chown(file, user.pw_uid, user.pw_gid)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            self._process.remove()

    @property
    def running(self) -> bool:
        """True if the server is up."""
        return self._process.running

    def start(self) -> None:
        """Start the server on the same ports and with the same mail."""
        self._process.start([self._program, "-F", "-c", self._process.folder / "dovecot.conf"], signal.SIGTERM)
        deadline = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            assert self.running, f"Dovecot ended:\n{self._process.said()}"
            assert time.monotonic() < deadline, f"Dovecot does not answer:\n{self._process.said()}"
            time.sleep(0.05)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
            return probe.recv(4) == b"* OK"
        return False

    def stop(self) -> None:
        """Stop the server in order."""
        self._process.stop(signal.SIGTERM)

    def kill(self) -> None:
        """Kill every process of the server at once."""
        self._process.kill()

    @contextlib.contextmanager
    def opened(self, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
        """Open the mailbox as a person's mail program does."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=30)
        try:
            client.login(USER, PASSWORD)
            client.select(f'"{folder}"')
            yield client
        finally:
            client.logout()

    def deliver(self, *messages: bytes, folder: str = "INBOX", flags: str = "") -> None:
        """Put messages into a folder."""
        with self.opened() as client:
            client.create(f'"{folder}"')
            for message in messages:
                status, said = client.append(f'"{folder}"', flags, "", message)
                assert status == "OK", said

    def unseen(self, folder: str = "INBOX") -> int:
        """Count the messages of a folder that nobody has seen yet."""
        with self.opened(folder) as client:
            return len(client.search(None, "UNSEEN")[1][0].split())

    def empty(self) -> None:
        """Delete every message."""
        with self.opened() as client:
            if client.search(None, "ALL")[1][0]:
                client.store("1:*", "+FLAGS", r"\Deleted")
                client.expunge()

    def context(self) -> ssl.SSLContext:
        """A TLS context that trusts this server's certificate."""
        return ssl.create_default_context(cafile=self.cert)


def _in_sbin() -> Path | None:
    return next((file for file in (Path("/usr/sbin/dovecot"),) if file.exists()), None)
