"""The reading of files in a process that the system limits, with measurements.

Each file is read in a copy of that process, which ends with the file, so that one start is enough for many files.
"""

import importlib
import json
import os
import pickle
import resource
import traceback
from collections.abc import Iterator
from typing import NamedTuple

from prorata.adapters.files import table_files, zip_files
from prorata.adapters.files.file_process import LIMITS
from prorata.adapters.intake import pdf_files
from prorata.domain.files.file_kinds import told
from prorata.errors import InvalidRequest

SEVERAL = "several"
TOO_MUCH = "too much memory"


class Measured(NamedTuple):
    """The result of reading a file.

    It has the refusals of the file and its parts, the exit status of the process (0, 1 for an unexpected error,
    negative for a signal), the seconds of CPU, and the peak memory in bytes.
    """

    said: tuple[str, ...]
    ended: int
    seconds: float
    memory: int


def in_parts(data: bytes, kind: str) -> Iterator[Measured]:
    """Yield the result of one file, or of each of several files.

    `kind` is the name of the one file. Each of several files comes with its own name and seconds.
    """
    if kind == SEVERAL:  # what every copy needs is loaded before the first is made
        for module in (
            "prorata.adapters.intake.pdf_text",
            "prorata.adapters.files.pictures",
            "prorata.domain.intake.bill_reading.reading",
            "prorata.adapters.intake.e_invoice_xml",
        ):
            importlib.import_module(module)
    for name, content, seconds in pickle.loads(data) if kind == SEVERAL else [(kind, data, LIMITS.seconds)]:
        yield _measured(name, content, seconds)


def _measured(name: str, content: bytes, seconds: int) -> Measured:
    ours, its = os.pipe()
    copy = os.fork()
    if not copy:
        _read(name, content, seconds, its)
    os.close(its)
    with os.fdopen(ours) as told_us:
        said = told_us.read()
    _, status, used = os.wait4(copy, 0)
    ended = os.waitstatus_to_exitcode(status)
    return Measured(tuple(json.loads(said or "[]")), ended, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def _read(name: str, content: bytes, seconds: int, told_us: int) -> None:
    """Read a file, report its refusals, and end the process."""
    ended = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        said, ended = list(_said(name, content)), 0
    except BaseException:  # noqa: BLE001 - whatever it is, the test says it
        said = [traceback.format_exc()]
    os.write(told_us, json.dumps(said).encode()[:60_000])
    os._exit(ended)


def _said(name: str, content: bytes) -> Iterator[str]:
    """Yield the refusals of a file and its parts, as at upload."""
    kind, refused, _ = told(name, content)
    if refused is not None:
        yield refused
        return
    try:
        if kind == "zip":
            for packed in zip_files.in_parts(content, "zip"):
                yield from [packed.problem] if packed.problem else _said(packed.name, packed.data)
        elif kind in ("pdf", "jpeg", "png", "xml"):
            (read,) = pdf_files.in_parts(pdf_files.framed(content), pdf_files.READ)
            pickle.dumps(read)
            yield from [read.said] if read.said else []
        elif kind in ("text", "xlsx", "ods", "xls"):
            for part in table_files.in_parts(content, "bills"):
                pickle.dumps(part)
    except InvalidRequest as refusal:
        yield refusal.message
    except MemoryError:
        yield TOO_MUCH
