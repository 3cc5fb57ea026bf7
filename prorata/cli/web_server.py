"""The web server around the application: granian's processes, and a background process.

Every process is spawned, never forked, and ends when this process ends in any way.
"""

import io
import multiprocessing
import os
import signal
import socket
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import KW_ONLY, dataclass
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import click
from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.log import LogLevels

from prorata.adapters.database.folder_lock import Taken, only_one
from prorata.cli.limits import MOST_CONNECTIONS
from prorata.wiring import processes

TARGET = "prorata.wiring.processes:app"
BACKLOG = 1024
"""The maximum number of connections that wait to be accepted."""
SECONDS_TO_STOP = 30
"""The number of seconds for answering requests under way after the server is told to stop."""
SECONDS_TO_START = 60
SECONDS_BEFORE_AGAIN = 2.0
"""The number of seconds after which an ended background process is started again."""
_TO_STDERR = {"class": "logging.StreamHandler", "formatter": "generic", "stream": "ext://sys.stderr"}
_LOGGING = {"handlers": {"console": _TO_STDERR, "access": _TO_STDERR}}


def free_address(host: str, port: int) -> str:
    """Return a host's IP address at which this port is free.

    Raises `click.ClickException` if the host is not this machine, or if the port can't be used.

    Worker processes share their port, so a second server could use the same port without an error. Therefore, this
    function tries to listen without sharing the port.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise click.ClickException(
            f"--host {host} is not an address of this machine. Use one of its addresses, or 0.0.0.0 for all of them."
        ) from None
    with socket.socket(family, kind, protocol) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind(address)
        except PermissionError:
            raise click.ClickException(
                f"Prorata is not allowed to listen on port {port}. Choose a port of 1024 or higher with --port."
            ) from None
        except OSError as failed:
            raise click.ClickException(
                f"Port {port} of {host} can't be used: {failed.strerror}. Choose another one with --port."
            ) from None
    return str(address[0])


def usable_certificate(certificate: Path, key: Path) -> None:
    """Check that a TLS certificate and its key can be used.

    Raises `click.ClickException` if they can't.
    """
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (OSError, ValueError):
        raise click.ClickException(
            "--tls-cert and --tls-key must be a certificate and its own private key without a password, both in "
            "PEM format."
        ) from None


@dataclass(frozen=True, slots=True)
class WebServer:
    """A server that serves the application until the process is told to stop.

    `target` names the application that granian runs in each of its processes. `work` is the function that the
    background process runs. `public_url` is the address at which other machines reach the server.
    """

    address: str
    port: int
    _: KW_ONLY
    workers: int
    certificate: tuple[Path, Path] | None
    public_url: str | None = None
    most_connections: int = MOST_CONNECTIONS
    target: str = TARGET
    work: Callable[..., None] = processes.work

    @property
    def url(self) -> str:
        """The server's URL for a browser: the public address if set, or else this machine's."""
        if self.public_url:
            return self.public_url
        scheme = "https" if self.certificate else "http"
        return f"{scheme}://{bracketed(_reachable(self.address))}:{self.port}"

    @contextmanager
    def alone_in(self, folder: Path) -> Iterator[None]:
        """Keep other servers out of a data directory until the block ends.

        Raises `click.ClickException` if another server uses it.
        """
        with ExitStack() as held:
            try:
                held.enter_context(only_one(folder))
            except Taken:
                raise click.ClickException(
                    f"Another `prorata serve` is running on the data directory {folder}. "
                    "Stop it first, or set PRORATA_DATA_DIR to another directory."
                ) from None
            yield

    def run(self, notice: Callable[[], str]) -> None:
        """Serve until this process is told to stop.

        Once the server answers, print the result of `notice`.
        """
        multiprocessing.set_start_method("spawn", force=True)
        _let_words_be_lost()
        _keep_interrupts_to_ourselves()
        cert, key = self.certificate or (None, None)
        background = _Background(self.work)
        with ExitStack() as held:
            if self.workers > 1:  # several workers sum the figures of /metrics in files
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = held.enter_context(tempfile.TemporaryDirectory())
            server = Granian(
                self.target,
                address=self.address,
                port=self.port,
                interface=Interfaces.ASGI,
                http=HTTPModes.http1,  # over HTTP/2 an answer before the end of the body can be lost
                factory=True,
                workers=self.workers,
                loop=Loops.uvloop,
                websockets=False,
                backlog=BACKLOG,
                backpressure=self.most_connections,
                respawn_failed_workers=True,
                workers_kill_timeout=SECONDS_TO_STOP,
                log_level=LogLevels.warning,
                log_dictconfig=_LOGGING,
                log_access=False,
                ssl_cert=cert,
                ssl_key=key,
            )
            held.enter_context(_heard(signal.SIGTERM, server.signal_handler_interrupt))
            server.on_startup(lambda: self._start_the_rest(background, notice))
            server.on_shutdown(background.stop)
            server.serve()

    def _start_the_rest(self, background: "_Background", notice: Callable[[], str]) -> None:
        """Print the server's address once it answers, then start the background process.

        If both were started at once, the server would answer later, because each would slow the other down.
        """

        def wait() -> None:
            try:
                if self._answers():
                    self._announce(notice())
            finally:
                background.start()

        threading.Thread(target=wait, name="startup", daemon=True).start()

    def _answers(self) -> bool:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection((_reachable(self.address), self.port), timeout=1):
                return True
            time.sleep(0.05)
        return False

    def _announce(self, notice: str) -> None:
        click.echo(f"Prorata is at {self.url}, and its API reference at {self.url}/docs")
        if notice:
            click.echo(notice)


class _Unminded(io.RawIOBase):
    """An open file on which writing never fails.

    Output that can't be written, for example because the disk is full, is lost.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        """Return True, because this file can always be written to."""
        return True

    def write(self, content: Any, /) -> int:
        """Write the data, or as much of it as possible."""
        left = whole = bytes(content)
        with suppress(OSError):
            while left:
                left = left[os.write(self._descriptor, left) :]
        return len(whole)


def _let_words_be_lost() -> None:
    """Make writing to standard output and standard error never fail.

    If a write failed, the text would stay in a buffer. Python writes the buffers out before it starts a process, so
    no other process could be started.
    """
    for name in ("stdout", "stderr"):
        if stream := getattr(sys, name):
            unminded = io.BufferedWriter(_Unminded(stream.fileno()))
            setattr(sys, name, io.TextIOWrapper(unminded, stream.encoding, "replace", line_buffering=True))


def _keep_interrupts_to_ourselves() -> None:
    """Handle Ctrl-C only in this process, although it reaches all of Prorata's processes at once.

    This process tells the other processes to stop. Otherwise, Ctrl-C could interrupt a new process that is still
    importing modules. The signal is blocked here, and new processes inherit this.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until granian, which stops its workers, takes over
    interrupts = {signal.SIGINT}
    resource_tracker.ensure_running()  # starting it unblocks signals, and it is started only once
    signal.pthread_sigmask(signal.SIG_BLOCK, interrupts)
    main = threading.main_thread().ident
    assert main is not None, "it runs"

    def pass_on() -> None:
        while True:
            signal.sigwait(interrupts)
            signal.pthread_kill(main, signal.SIGTERM)  # another thread would not wake the main one

    threading.Thread(target=pass_on, name="interrupts", daemon=True).start()


@contextmanager
def _heard(wanted: signal.Signals, tell: Callable[[], object]) -> Iterator[None]:
    """Call `tell` each time the signal `wanted` arrives during the block.

    This works whichever thread receives the signal. Python handles signals in the main thread, which is not woken
    if the system delivers a signal to another thread while the main thread waits.
    """
    heard, written = socket.socketpair()
    written.setblocking(False)

    def listen() -> None:
        while byte := heard.recv(1):
            if byte[0] == wanted:
                tell()

    before = signal.set_wakeup_fd(written.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        written.close()
        listener.join()
        heard.close()


def _reachable(address: str) -> str:
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104


def bracketed(address: str) -> str:
    """Format an IP address for a URL, with brackets around an IPv6 address."""
    return f"[{address}]" if ":" in address else address


class _Background:
    """The background process, which is restarted whenever it dies."""

    def __init__(self, work: Callable[..., None]) -> None:
        self._work = work
        self._stopping = threading.Event()
        self._guard = threading.Lock()
        self._process: SpawnProcess | None = None
        self._keeper = threading.Thread(target=self._keep, name="background", daemon=True)

    def start(self) -> None:
        """Start the background process, and from then on restart it whenever it dies."""
        self._keeper.start()

    def _keep(self) -> None:
        while True:
            with self._guard:
                if self._stopping.is_set():
                    return
                process = self._process = multiprocessing.get_context("spawn").Process(
                    target=self._work, name="prorata-worker", kwargs={"receives": True}
                )
                with suppress(OSError):  # no memory or process number for it: try again
                    process.start()
            if process.pid is not None:
                process.join()
            if not self._stopping.wait(SECONDS_BEFORE_AGAIN):
                click.echo("The background process stopped unexpectedly and is being restarted.", err=True)

    def stop(self) -> None:
        """Tell the process to stop, and wait until it has finished its work."""
        self._stopping.set()
        with self._guard:
            process = self._process
        if process is None or process.pid is None:
            return
        with suppress(ProcessLookupError):
            if process.is_alive():
                os.kill(process.pid, signal.SIGTERM)
        process.join(SECONDS_TO_STOP)
        if process.is_alive():
            process.kill()
            process.join()
