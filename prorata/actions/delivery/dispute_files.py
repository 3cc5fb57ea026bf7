"""The files of a dispute: recognizing their types by content, storing and returning them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.file_names import clean_name
from prorata.domain.files.file_kinds import PICTURE_KINDS, SEND_PDF_OR_PICTURE, told
from prorata.domain.limits import MOST_DISPUTE_FILES, MOST_DOCUMENT_BYTES
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import NotFound
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import disputes
from prorata.store.delivery.disputes import DisputeRow, FileRow

_KINDS = frozenset({"pdf", *PICTURE_KINDS})


class BroughtFile(NamedTuple):
    """A file that somebody uploads as evidence for a dispute."""

    name: str
    content: bytes


def problems(files: Sequence[BroughtFile]) -> Iterator[Problem]:
    """Yield the problems with files uploaded for a dispute."""
    if len(files) > MOST_DISPUTE_FILES:
        yield Problem("files", say("Upload at most {most} files.", most=MOST_DISPUTE_FILES))
    for file in files:
        if len(file.content) > MOST_DOCUMENT_BYTES:
            yield Problem("files", say("A file can be at most {most} MB.", most=MOST_DOCUMENT_BYTES // 1_000_000))
        elif not file.content:
            yield Problem("files", say("The file {name} is empty.", name=file.name))
        elif told(file.name, file.content).kind not in _KINDS:
            yield Problem("files", SEND_PDF_OR_PICTURE)


def kept(row: DisputeRow, files: Sequence[BroughtFile]) -> list[FileRow]:
    """Build the stored rows of a dispute's files, under names that are safe to show."""
    rows = list[FileRow]()
    for number, file in enumerate(files, 1):
        kind = told(file.name, file.content).kind
        assert kind in _KINDS, "others were refused"
        name = clean_name(file.name.replace("\\", "/").rpartition("/")[2], [file_row.name for file_row in rows])
        rows.append(FileRow(row.account_id, row.question_id, number, name, kind, len(file.content), file.content))
    return rows


def find(tx: Tx, caller: Caller, dispute_id: str, number: str) -> FileRow:
    """Find a dispute's file by its number.

    Raises `NotFound` if there is no such dispute or file.
    """
    is_number = number.isascii() and number.isdigit() and int(number) <= MOST_DISPUTE_FILES
    row = disputes.file(tx, caller.account_id, dispute_id, int(number)) if is_number else None
    if row is None:
        raise NotFound("file")
    return row
