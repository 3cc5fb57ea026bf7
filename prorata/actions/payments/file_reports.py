"""A file of a bank as a program reads it: how it is read, what has to be said of it first, and how its rows stand."""

from collections.abc import Sequence
from typing import NamedTuple

from prorata.actions.payments import files, recording
from prorata.actions.payments.files import LookedAt, PaymentFile
from prorata.domain.files.column_mappings import ColumnMapping, keys_of
from prorata.domain.files.sheets import Sheet
from prorata.domain.payments.files import Understood
from prorata.domain.payments.matching import Match, Verdict
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

_NO_HEADER = "It has no header: say by `columns` what its columns mean."
_DOUBTFUL = "Say whether this column says which way money went (`direction`), or nothing: {name}."
_DECIMAL = "Say by `decimal` how its amounts are written."
_DATES = "Say by `dates` whether the day or the month comes first."
_NO_SUCH_COLUMN = "The file has no column of this name."


class FileReport(NamedTuple):
    """A file, what has to be said of it first, and what its rows are for; None where something has to be said."""

    file: PaymentFile
    to_say: tuple[str, ...]
    looked: LookedAt | None
    mail_waits: int

    @property
    def waiting(self) -> Sequence[Match]:
        """The rows that wait for somebody."""
        return self.looked.waiting if self.looked else ()

    def number(self, verdict: Verdict) -> int:
        """How many rows wait that are so."""
        return len(self.looked.of(verdict)) if self.looked else 0


def keep(tx: Tx, caller: Caller, name: str, content: bytes, sheet: Sheet) -> str:
    """Keep a file as `files.keep` does. Raises `InvalidRequest` by the field `file`."""
    try:
        return files.keep(tx, caller, name, content, sheet)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


def of_file(tx: Tx, caller: Caller, file_id: str) -> FileReport:
    """A file as it stands. Raises `NotFound`."""
    file = files.find(tx, caller, file_id)
    found = file.understood
    if found.is_open:
        return FileReport(file, tuple(_to_say(found)), None, 0)
    looked = files.look_at(tx, caller, file)
    return FileReport(file, (), looked, recording.with_waiting_mail(tx, caller, looked))


def _to_say(found: Understood) -> list[str]:
    said = [found.refusal] if found.refusal else []
    said += [_NO_HEADER] if found.is_proposed else []
    said += [_DOUBTFUL.format(name=name) for name in found.doubtful]
    said += [_DECIMAL] if found.amounts.how == "asked" else []
    return [*said, _DATES] if found.dates.how == "asked" else said


def choose(tx: Tx, caller: Caller, file_id: str, line: int, mapping: ColumnMapping, *, remember: bool) -> None:
    """Say how a file is read, its columns by their names as they stand there. Raises as `files.choose`, and
    `InvalidRequest` for a column that the file has not.
    """
    files.choose(tx, caller, file_id, line)
    keys = _keys_by_name(files.find(tx, caller, file_id).understood.sheet)
    wrong = [at for at, name in enumerate(mapping.fields) if name not in keys]
    if wrong:
        raise InvalidRequest.because([Problem(f"columns[{at}].name", _NO_SUCH_COLUMN) for at in wrong])
    fields = dict.fromkeys(keys.values(), "") | {keys[name]: field for name, field in mapping.fields.items()}
    files.choose(tx, caller, file_id, line, mapping._replace(fields=fields), remember=remember)


def _keys_by_name(sheet: Sheet) -> dict[str, str]:
    """What each column is known by, by its name; the first of several of one name."""
    pairs = zip(sheet.header, keys_of(sheet.header), strict=True)
    return {name.strip(): key for name, key in reversed(list(pairs)) if key}
