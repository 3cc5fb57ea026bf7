"""A pack always has the same bytes for the same files.

A sentence tells that a pack was cut, changed or added to.
"""

import io
import subprocess
import zipfile
from pathlib import Path

import pytest

from prorata.adapters.exports.packs import packed, unpacked
from prorata.errors import InvalidRequest
from prorata.ports.files import MANIFEST, PackFile

FILES = (PackFile("invoices/A-1.pdf", b"%PDF-1.7 " * 400), PackFile("index.html", "<p>Müller".encode()))


def pack() -> bytes:
    return b"".join(packed(FILES))


def rezipped(**changed: bytes | None) -> bytes:
    """The same pack with files changed or added.

    A file whose content is None is left out.
    """
    with zipfile.ZipFile(io.BytesIO(pack())) as archive:
        files: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()} | changed
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            if content is not None:
                archive.writestr(name, content)
    return made.getvalue()


def test_the_same_files_make_the_same_bytes_and_come_out_again() -> None:
    assert pack() == pack()
    assert tuple(unpacked(pack())) == FILES


def test_sha256sum_reads_the_manifest(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(pack())) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(["sha256sum", "--check", MANIFEST], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "index.html: OK\ninvoices/A-1.pdf: OK\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is not a ZIP file"),
        (b"{}", "is not a ZIP file"),
        (pack()[:-30], "is not a ZIP file"),
        (pack()[: len(pack()) // 2], "is not a ZIP file"),
        (rezipped(**{MANIFEST: None}), "The pack.s manifest, the file “.*”, is missing"),
        (rezipped(**{"index.html": None}), "“index.html” is listed in the manifest, but missing from the pack"),
        (rezipped(**{"index.html": b"<p>Meier"}), "“index.html” doesn’t match the manifest"),
        (rezipped(**{"more.pdf": b"%PDF"}), "“more.pdf” doesn’t match the manifest"),
    ],
)
def test_what_is_no_whole_pack_is_told(data: bytes, says: str) -> None:
    with pytest.raises(InvalidRequest, match=says):
        unpacked(data)
