"""Bank files for programs: the choices that a file still needs, and its matched rows."""

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

_NO_HEADER = "The file has no header: use `columns` to say what its columns mean."
_DOUBTFUL = "Say whether this column shows which way the money went (`direction`) or means nothing: {name}."
_DECIMAL = "Use `decimal` to say how its amounts are written."
_DATES = "Use `dates` to say whether the day or the month comes first."
_NO_SUCH_COLUMN = "The file has no column with this name."


class FileReport(NamedTuple):
    """A bank file, the choices that a person must still make, and its matched rows.

    `looked` is None while such a choice is missing. `mail_waits` counts the invoices that the rows may pay and whose
    e-mails have not been sent yet.
    """

    file: PaymentFile
    to_say: tuple[str, ...]
    looked: LookedAt | None
    mail_waits: int

    def number(self, verdict: Verdict) -> int:
        """Count the waiting rows with this verdict: matched, proposed or not matched."""
        return len(self.looked.of(verdict)) if self.looked else 0


def keep(tx: Tx, caller: Caller, name: str, content: bytes, sheet: Sheet) -> str:
    """Store a bank or ledger file as `files.keep` does; return its id.

    Raises `InvalidRequest` for the field `file` if `files.keep` refuses the file.
    """
    try:
        return files.keep(tx, caller, name, content, sheet)
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None


def of_file(tx: Tx, caller: Caller, file_id: str) -> FileReport:
    """Load a file with its missing choices or its matched rows.

    Raises `NotFound` if there is no such file.
    """
    file = files.find(tx, caller, file_id)
    understanding = file.understood
    if understanding.is_open:
        return FileReport(file, tuple(_to_say(understanding)), None, 0)
    looked = files.look_at(tx, caller, file)
    return FileReport(file, (), looked, recording.with_waiting_mail(tx, caller, looked))


def waiting(tx: Tx, caller: Caller, file_id: str) -> Sequence[Match]:
    """List a file's rows that wait for a person; none while a choice is missing.

    Raises `NotFound` if there is no such file.
    """
    file = files.find(tx, caller, file_id)
    return () if file.understood.is_open else files.look_at(tx, caller, file).waiting


def _to_say(understanding: Understood) -> list[str]:
    sentences = [understanding.refusal] if understanding.refusal else []
    sentences += [_NO_HEADER] if understanding.is_proposed else []
    sentences += [_DOUBTFUL.format(name=name) for name in understanding.doubtful]
    sentences += [_DECIMAL] if understanding.amounts.how == "asked" else []
    return [*sentences, _DATES] if understanding.dates.how == "asked" else sentences


def choose(tx: Tx, caller: Caller, file_id: str, line: int, mapping: ColumnMapping, *, remember: bool) -> None:
    """Store a file's header line and its column mapping, whose keys are column names.

    Raises everything that `files.choose` raises, and `InvalidRequest` for a column that the file does not have.
    """
    files.choose(tx, caller, file_id, line)
    keys = _keys_by_name(files.find(tx, caller, file_id).understood.sheet)
    wrong = [at for at, name in enumerate(mapping.fields) if name not in keys]
    if wrong:
        raise InvalidRequest.because([Problem(f"columns[{at}].name", _NO_SUCH_COLUMN) for at in wrong])
    fields = dict.fromkeys(keys.values(), "") | {keys[name]: field for name, field in mapping.fields.items()}
    files.choose(tx, caller, file_id, line, mapping._replace(fields=fields), remember=remember)


def _keys_by_name(sheet: Sheet) -> dict[str, str]:
    """Map the names of a file's columns to the keys that identify the columns.

    Of several columns with one name, the first is used.
    """
    pairs = zip(sheet.header, keys_of(sheet.header), strict=True)
    return {name.strip(): key for name, key in reversed(list(pairs)) if key}
