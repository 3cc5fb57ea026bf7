"""What the program writes down of what it does: to stderr, by structlog."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let a library that nobody has loaded yet seem not to be installed, to others that would load it if it is."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # what Python takes for "can't be found"
    try:
        yield
    finally:
        del sys.modules[name]


with _hidden("rich"):  # structlog's tracebacks could be drawn with it; ours are plain: 70 ms and 6 MB of each process
    import structlog


def start_logging(level: str = "info") -> None:
    """Log to stderr what is of `level` or graver: one JSON object a line, or text where a person looks at a terminal.

    Our own lines are written as they are made; those of libraries come by way of the standard library's logging.
    """
    least = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _stamp,
    ]
    if sys.stderr.isatty():
        ending: list[Any] = [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        made: Any = structlog.WriteLoggerFactory(sys.stderr)
    else:
        ending = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_as_json)]
        made = structlog.BytesLoggerFactory(sys.stderr.buffer)
    structlog.configure(
        processors=[*shared, *ending],
        logger_factory=made,
        wrapper_class=structlog.make_filtering_bound_logger(least),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    as_text = [lambda _logger, _name, line: line.decode()] if not sys.stderr.isatty() else []
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending, *as_text],
        )
    )
    logging.basicConfig(handlers=[handler], level=least, force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def _stamp(_logger: Any, _name: str, line: Any) -> Any:
    line["timestamp"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    return line


def _as_json(line: Any, **_options: Any) -> bytes:
    return msgspec.json.encode(line, enc_hook=repr)
