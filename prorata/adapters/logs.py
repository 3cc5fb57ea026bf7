"""The program's log of its work, written to stderr by structlog."""

import atexit
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec
import structlog

from prorata.adapters.limits import MOST_LOG_LINES_WAITING

_SECONDS_TO_END = 1.0


class _Line(NamedTuple):
    """A log line with its line end, and the number of lines dropped before it."""

    missing_before: int
    text: bytes


class Stderr:
    """Standard error for the log lines of all threads, without blocking or errors.

    A line that can't be written, for example because the disk is full, is dropped and counted; the number of dropped
    lines is written before the next line. All lines are written by a single thread, because writing to a full pipe that
    nobody reads waits forever.
    """

    def __init__(self, told: Callable[[int], bytes], lost: Callable[[], object]) -> None:
        self._descriptor = sys.stderr.fileno() if sys.stderr else -1
        self._told = told
        self._count_lost = lost
        self._guard = threading.Lock()
        self._left_out = 0
        self._lines: SimpleQueue[_Line | None] = SimpleQueue()
        self._is_cut = False
        self._writing = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._writing.start()
        atexit.register(self._end)

    def write(self, line: bytes | str) -> None:
        """Queue a line with its line end; drop the line if too many lines wait."""
        with self._guard:
            if self._lines.qsize() >= MOST_LOG_LINES_WAITING:
                self._leave_out()
            else:
                self._lines.put(_Line(self._left_out, line.encode(errors="replace") if isinstance(line, str) else line))
                self._left_out = 0

    def flush(self) -> None:
        """Do nothing, because each line is written as soon as possible."""

    def lose(self) -> None:
        """Count a line that could not be created."""
        with self._guard:
            self._leave_out()

    def _leave_out(self) -> None:
        self._left_out += 1
        self._count_lost()

    def _write_all(self) -> None:
        missing = 0
        while (line := self._lines.get()) is not None:
            missing += line.missing_before
            if missing and self._written(self._told(missing) + b"\n"):
                missing = 0
            if missing or not self._written(line.text):
                missing += 1
                self._count_lost()

    def _written(self, line: bytes) -> bool:
        left = whole = b"\n" + line if self._is_cut else line
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError:
            self._is_cut = self._is_cut or left != whole
            return False
        self._is_cut = False
        return True

    def _end(self) -> None:
        """Write the queued lines, as far as possible, before this process ends."""
        self._lines.put(None)
        self._writing.join(_SECONDS_TO_END)


def start_logging(level: str = "info", lost: Callable[[], object] = lambda: None) -> None:
    """Start logging to stderr, as JSON lines, or as text on a terminal.

    Lines below `level` are left out. Prorata's lines are logged with structlog, and those of libraries with the
    standard library's `logging`. Logging never raises or waits. For each line that could not be written, `lost` is
    called, from any thread.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _stamp,
    ]
    is_shown = sys.stderr is not None and sys.stderr.isatty()
    if is_shown:
        ending: list[Any] = [
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
            lambda _logger, _name, line: line.encode(errors="replace"),
        ]
    else:
        ending = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_as_json)]
    stderr = Stderr(lambda number: _told(number, [*shared, *ending]), lost)
    structlog.configure(
        processors=[*shared, *ending],
        logger_factory=structlog.BytesLoggerFactory(cast("BinaryIO", stderr)),
        wrapper_class=_unfailing(structlog.make_filtering_bound_logger(least), stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *ending,
                _as_text,
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=least, force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _unfailing(usual: Any, stderr: Stderr) -> Any:
    """Return a subclass of the logger class `usual` whose methods never raise.

    A line that can't be built is counted as lost in `stderr`.
    """

    class Unfailing(usual):  # type: ignore[misc]
        def _proxy_to_logger(self, method_name: str, event: str | None = None, **values: Any) -> Any:
            try:
                return super()._proxy_to_logger(method_name, event, **values)
            except Exception:  # noqa: BLE001 - whoever logs is at something that must not stop over it
                stderr.lose()

    return Unfailing


def _told(number: int, processors: list[Any]) -> bytes:
    line: Any = {"event": "lines of the log are missing here, as they could not be written", "lines": number}
    for processor in processors:
        line = processor(None, "warning", line)
    assert isinstance(line, bytes), "the last one gives what is written"
    return line


def _stamp(_logger: Any, _name: str, line: Any) -> Any:
    line["timestamp"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    return line


def _as_text(_logger: Any, _name: str, line: Any) -> str:
    text: str = line.decode()
    return text


def _as_json(line: Any, **_options: Any) -> bytes:
    try:
        return msgspec.json.encode(line, enc_hook=repr)
    except (ValueError, OverflowError):  # half a character, or a number of more than 64 bits
        return json.dumps(line, default=repr).encode()
