"""The command in processes forked from one that has already imported the program.

Each takes 0.02 s of CPU; starting Python and importing the program would take 0.6 s. Each process has its own working
directory, environment, streams and end.

Servers, and test programs that are to be killed, are forked too. Tests of the start itself start the command anew with
`Command.start`.
"""

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).parent.parent.parent
COMMAND = "prorata.cli"
ALSO = (
    "prorata.adapters.delivery.mail_writer",
    "prorata.adapters.mail.mail_folder",
    "prorata.store.migrations",
    "prorata.store.database.postgresql",
    "prorata.store.database.sqlite",
    "prorata.worker.mail",
)
"""The modules that most commands import, but only when needed."""
LONGEST = 1 << 16
STREAMS = 3


class Forkery:
    """A process that forks one process for each command.

    It ends together with the process that made it.
    """

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        self._asking = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], says: str, seconds: float
    ) -> tuple[int, str, str]:
        """Run the command to its end.

        Return its exit code, stdout and stderr.
        """
        with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            told.write(says.encode())
            told.seek(0)
            process = self.start(COMMAND, arguments, folder, environment, (told, out, err))
            try:
                code = process.wait(seconds)
            except BaseException:
                process.kill()
                process.wait()
                raise
            written = []
            for file in (out, err):
                file.seek(0)
                written.append(file.read().decode())
        return code, *written

    def start(
        self,
        program: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
    ) -> "Forked":
        """Start a program like `python -m` with these streams, and leave it running.

        The streams are its stdin, stdout and stderr.
        """
        asked = json.dumps(
            {"program": program, "arguments": arguments, "folder": str(folder), "environment": dict(environment)}
        ).encode()
        assert len(asked) < LONGEST
        # In packets: number and exit code of a command that ends at once stay apart, however late they are read.
        reply, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with self._asking, theirs:
            socket.send_fds(self._ours, [asked], [*(stream.fileno() for stream in streams), theirs.fileno()])
            return Forked(int(reply.recv(LONGEST)), reply)

    def close(self) -> None:
        """End the process that commands are forked from."""
        self._ours.close()
        self._process.wait()


class Forked:
    """A forked process with the interface of a `subprocess` process."""

    def __init__(self, pid: int, reply: socket.socket) -> None:
        self.pid = pid
        self._reply = reply
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the process to end, and return its exit code.

        Raise `subprocess.TimeoutExpired` if it has not ended after so many seconds.
        """
        if self._code is None:
            self._reply.settimeout(timeout)
            try:
                self._code = int(self._reply.recv(LONGEST))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from None
            self._reply.close()
        return self._code

    def send_signal(self, number: int) -> None:
        """Send the process a signal, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process."""
        self.send_signal(signal.SIGKILL)


@cache
def forkery() -> Forkery:
    """The forking process of this test process, which is made when first needed."""
    made = Forkery()
    atexit.register(made.close)
    return made


def _main(descriptor: int) -> None:
    """Import the program once, and then fork for each requested command until asking ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in {f"{COMMAND}.{file}" for file in import_module(COMMAND).COMMANDS.values()} | set(ALSO):
        import_module(name)
    assert threading.active_count() == 1, "a process that forks has one thread"
    gc.freeze()  # else the end of each command, which collects garbage, takes 0.2 s
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    replies: dict[int, int] = {}
    with socket.socket(fileno=descriptor) as control:
        while True:
            ready, _, _ = select.select([control, ended], [], [])
            if ended in ready:
                os.read(ended, LONGEST)
                _say_who_ended(replies)
            if control not in ready:
                continue
            asked, descriptors, *_ = socket.recv_fds(control, LONGEST, STREAMS + 1)
            if not asked:
                return
            *streams, reply = descriptors
            command = os.fork()
            if command == 0:
                break
            replies[command] = reply
            os.write(reply, b"%d" % command)
            for stream in streams:
                os.close(stream)
    for each in (*replies.values(), reply, ended, wake):
        os.close(each)
    _become(json.loads(asked), streams)


def _say_who_ended(replies: dict[int, int]) -> None:
    with suppress(ChildProcessError):  # there is none left
        while True:
            command, status = os.waitpid(-1, os.WNOHANG)
            if not command:
                return
            reply = replies.pop(command)
            os.write(reply, b"%d" % os.waitstatus_to_exitcode(status))
            os.close(reply)


def _become(asked: dict[str, object], streams: Sequence[int]) -> NoReturn:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(str(asked["folder"]))
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv[1:] = asked["arguments"]
    try:
        runpy.run_module(str(asked["program"]), run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            _end_quickly(end.code or 0)
        raise
    sys.exit(0)


def _end_quickly(code: int) -> None:
    """End a finished command quickly, without tearing the program down.

    Tearing it down copies the memory that the process shares with the others, and took half of the time. A command that
    has threads, or whose output nobody reads, ends in the usual way.
    """
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    gc.collect()  # so that what complains of its end does
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
