"""Uploaded files, recognized by their bytes as a table, PDF, image or archive."""

from prorata.adapters.files.zip_files import PackedFile, ZipProcess
from prorata.domain.file_names import clean_name
from prorata.domain.files.file_kinds import told
from prorata.errors import InvalidRequest
from prorata.ports.files import IncomingFile


def files_in(name: str, data: bytes) -> tuple[IncomingFile, ...]:
    """Return the file, or an archive's files in order, with their kinds.

    A problem with one file of an archive does not affect the others. Raises `InvalidRequest` if a single file is not
    accepted, and the errors of `ZipProcess` for an archive. Only the names and the first bytes of files are examined
    here; files are read in a separate process.
    """
    kind, refused, _ = told(name, data)
    if refused is not None:
        raise InvalidRequest(refused)
    if kind != "zip":
        return (IncomingFile(clean_name(name), kind, data),)
    taken: list[str] = []
    files = []
    for packed in ZipProcess()(data):
        taken.append(clean_name(packed.name, taken))
        files.append(_of_archive(taken[-1], packed))
    return tuple(files)


def _of_archive(name: str, packed: PackedFile) -> IncomingFile:
    if packed.problem is not None:
        return IncomingFile(name, None, b"", packed.problem, is_packed=True)
    kind, refused, is_program = told(name, packed.data)
    data = b"" if refused else packed.data
    return IncomingFile(name, kind, data, refused, is_packed=True, is_program=is_program)
