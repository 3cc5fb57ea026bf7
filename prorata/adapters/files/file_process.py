"""Files from strangers, each read in a separate process that ends afterwards.

The memory and time of the process are limited. If it crashes, hangs or uses too much memory, the person who
uploaded the file gets an error message, and nothing else is affected. Only values of a few kinds are accepted as
its output, because `pickle` could run code. A reader is a module with a function `in_parts`, which turns the bytes
of a file and its supposed kind into values, one after another.
"""

import importlib
import io
import json
import logging
import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Collection, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar

from prorata.adapters.files.child_process import Child
from prorata.domain.problems import Problem
from prorata.domain.texts import Text, say
from prorata.errors import InvalidRequest, Unavailable

_COMMAND = (sys.executable, "-P", "-m", "prorata.adapters.files.file_process")
_PART, _END, _REFUSED, _TOO_LARGE, _FAILED = b"p", b"e", b"r", b"m", b"f"
_MEGABYTE = 1024 * 1024
_SECONDS_TO_END = 1.0
Answer = TypeVar("Answer")
_log = logging.getLogger(__name__)


class Limits(NamedTuple):
    """Limits for reading one file.

    `seconds` is the limit for the processor time, and `patience` the limit for the elapsed time in seconds, which may
    be longer because other programs need the processor, too. `memory` is the limit for the memory, and `answer` that
    for the size of the output, both in bytes.
    """

    seconds: int = 10
    patience: float = 30.0
    memory: int = 256 * _MEGABYTE
    answer: int = 128 * _MEGABYTE


LIMITS = Limits()


class Sentences(NamedTuple):
    """Error messages about files that take too long, are too large, or can't be read.

    `{seconds}` in them stands for the time limit.
    """

    slow: str = say("Reading this file takes more than {seconds} seconds. Split it into smaller files.")
    large: str = say("There is too much in this file to read at once. Split it into smaller files.")
    broken: str = say(
        "This file can't be read: it is damaged or takes too much memory. Save it again in the program that created "
        "it, or as CSV."
    )


SENTENCES = Sentences()


class FileProcess:
    """A reader of files, each in its own process.

    `reader` is the name of the module that reads files in that process. The values that it yields may consist only of
    instances of `classes` and of built-in values such as strings, numbers and tuples.
    """

    def __init__(
        self,
        reader: str,
        classes: Collection[type],
        limits: Limits = LIMITS,
        sentences: Sentences = SENTENCES,
        command: Sequence[str] = _COMMAND,
    ) -> None:
        self._reader = reader
        self._classes = {(its_class.__module__, its_class.__qualname__): its_class for its_class in classes}
        self._limits = limits
        self._sentences = sentences
        self._command = command

    def __call__(self, kind: str, data: bytes) -> list[Any]:
        """Read a file in a separate process, and return the values that the reader yields.

        Raises `InvalidRequest` if the reader refuses the file, or if the file takes too much time or memory, and
        `Unavailable` if no process can be started.
        """
        limits = self._limits
        command = (*self._command, self._reader, kind, str(limits.memory), str(limits.seconds))
        try:
            child = Child(command, is_mute=True)
        except OSError:
            raise Unavailable(say("Files can't be read at the moment. Try again in a few seconds.")) from None
        try:
            with child.within(limits.patience) as connection:
                connection.send_bytes(data)
                return list(self._answers(connection))
        except (OSError, EOFError, pickle.UnpicklingError):
            child.end(_SECONDS_TO_END)
            if child.was_slow or child.process.returncode == -signal.SIGXCPU:
                raise InvalidRequest(self._sentences.slow.format(seconds=limits.seconds)) from None
            raise InvalidRequest(self._sentences.broken) from None
        finally:
            child.process.kill()
            child.end(_SECONDS_TO_END)

    def one(self, kind: str, data: bytes, wanted: type[Answer]) -> Answer:
        """Return the only value that the reader yields for a file.

        Raises the errors of `__call__`, and `InvalidRequest` if the value is not of the class `wanted`.
        """
        answers = self(kind, data)
        if len(answers) != 1 or not isinstance(answers[0], wanted):
            raise InvalidRequest(self._sentences.broken)
        return answers[0]

    def _answers(self, connection: Connection) -> Iterator[Any]:
        left = self._limits.answer
        while True:
            response = connection.recv_bytes(maxlength=left)
            left = max(left - len(response), 1)
            kind, told = response[:1], response[1:]
            if kind == _END:
                return
            if kind == _REFUSED:
                raise _refusal(told)
            if kind == _TOO_LARGE:
                raise InvalidRequest(self._sentences.large)
            if kind != _PART:
                _log.error("a reader of files failed: %s", told.decode(errors="replace"))
                raise InvalidRequest(self._sentences.broken)
            yield _value(told, self._classes)


def _refusal(told: bytes) -> InvalidRequest:
    """Build the error for a refusal that the other process has sent."""
    try:
        message, problems = json.loads(told)
        return InvalidRequest(
            str(message), problems=[Problem(str(field), str(message_of_field)) for field, message_of_field in problems]
        )
    except (ValueError, TypeError, RecursionError):
        raise pickle.UnpicklingError("The process that reads files returned a malformed refusal.") from None


def _value(told: bytes, classes: dict[tuple[str, str], type]) -> Any:
    try:
        return _Values(told, classes).load()
    except Exception:  # noqa: BLE001 - what a process says that a file has taken over may fail in any way
        raise pickle.UnpicklingError("The process that reads files returned a malformed value.") from None


class _Values(pickle.Unpickler):
    """An unpickler of another process's values, which accepts only known classes."""

    def __init__(self, told: bytes, classes: dict[tuple[str, str], type]) -> None:
        super().__init__(io.BytesIO(told))
        self._classes = classes

    def find_class(self, module: str, name: str) -> type:
        """Return the class with this name if it is known, or else raise `UnpicklingError`."""
        if (module, name) == ("builtins", "str"):
            return str
        its_class = self._classes.get((module, name))
        if its_class is None:
            raise pickle.UnpicklingError("The process that reads files returned a value of an unexpected class.")
        return its_class


def _restrict(memory: int, seconds: int) -> None:
    """Limit the resources of this process, because it reads a stranger's file.

    It may use `memory` bytes and `seconds` of processor time. It can't write files or core dumps.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


class _Pickler(pickle.Pickler):
    """A pickler of values for another process, which stores sentences as plain text."""

    def reducer_override(self, value: object) -> Any:
        """Store a sentence as plain text, and any other value as usual."""
        return (str, (str(value),)) if type(value) is Text else NotImplemented


def _written(part: object) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(part)
    return buffer.getvalue()


def answer(connection: Connection, reader: str, kind: str) -> None:
    """Read the file that arrives through the connection, and send back the values found."""
    try:
        data = connection.recv_bytes()
        for part in importlib.import_module(reader).in_parts(data, kind):
            connection.send_bytes(_PART + _written(part))
        last = _END
    except (EOFError, BrokenPipeError, ConnectionError):
        return
    except InvalidRequest as refused:
        last = _REFUSED + json.dumps([refused.message, refused.problems]).encode()
    except MemoryError:
        last = _TOO_LARGE
    except Exception as failed:  # noqa: BLE001 - the other process writes down where, and never what the file holds
        where = "".join(traceback.format_tb(failed.__traceback__))
        last = _FAILED + f"{type(failed).__name__}\n{where}".encode()
    connection.send_bytes(last)


def main(reader: str, kind: str, memory: str, seconds: str) -> None:
    """Read one file for the process at the other end of standard input."""
    for name in (signal.SIGINT, signal.SIGTERM):  # a stop may signal every process at once; the server closes us
        signal.signal(name, signal.SIG_IGN)
    _restrict(int(memory), int(seconds))
    answer(Connection(os.dup(0)), reader, kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
