"""Hostile files are refused with a reason or read harmlessly.

That takes little time and memory, and the next file can be read afterwards.
"""

import pickle
import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO

import pytest

from prorata.adapters.files.file_process import LIMITS, FileProcess
from prorata.adapters.files.incoming_files import IncomingFile, files_in
from prorata.adapters.files.table_files import TableProcess
from prorata.adapters.intake.pdf_files import PdfProcess
from prorata.errors import InvalidRequest
from tests.hostile_files.archives import honest
from tests.hostile_files.corpus import ANY, HostileFile, every_file
from tests.hostile_files.odd_tables import FORMULAS, TABLE, XLSX, several_names
from tests.hostile_files.pdfs import one_page, pdf_of
from tests.hostile_files.reader import SEVERAL, Measured

pytestmark = pytest.mark.thorough

EVERY = list(every_file())
LARGE = 1_000_000
"""Bytes from which on a file is sent alone, so that what it takes is its own."""
SEVERAL_LIMITS = LIMITS._replace(seconds=60, patience=120)


def measured() -> Iterator[tuple[HostileFile, Measured]]:
    """Yield every hostile file with the result of reading it."""
    reading = FileProcess("tests.hostile_files.reader", (Measured,), SEVERAL_LIMITS)
    small: list[tuple[HostileFile, bytes]] = []
    for file in EVERY:
        content = file.make()
        if len(content) > LARGE:
            (what,) = reading(file.name, content)
            yield file, what
        else:
            small.append((file, content))
    several = pickle.dumps([(file.name, content, file.seconds) for file, content in small])
    yield from zip((file for file, _ in small), reading(SEVERAL, several), strict=True)


def wrong_with(file: HostileFile, what: Measured) -> str | None:
    """Describe the unacceptable result of a hostile file, or return None."""
    if what.seconds >= LIMITS.seconds or what.memory >= LIMITS.memory:
        return f"{file.title}: {what.seconds:.1f} s, {what.memory:,} bytes"
    if file.kills != (what.ended < 0) or what.ended > 0:
        return f"{file.title}: ended with {what.ended} {what.said}"
    as_wanted = (
        file.kills
        or file.said == ANY
        or (all(re.search(file.said, one) for one in what.said) and what.said != () if file.said else what.said == ())
    )
    return None if as_wanted else f"{file.title}: {what.said} instead of {file.said}"


def test_each_is_refused_with_a_reason_or_read_harmlessly_in_ten_seconds_and_256_mb():
    assert len({file.title for file in EVERY}) == len(EVERY) >= 60
    assert [wrong for file, what in measured() if (wrong := wrong_with(file, what))] == []


def test_what_ends_the_process_that_reads_it_is_a_sentence_and_the_next_file_is_read():
    deadly = [file for file in EVERY if file.kills]
    assert len(deadly) >= 5
    for file in deadly:
        limits = LIMITS._replace(seconds=file.seconds)
        is_bill = file.name.endswith(("pdf", "jpeg", "png"))
        with pytest.raises(InvalidRequest, match=file.said):
            PdfProcess(limits).read(file.make()) if is_bill else TableProcess(limits)("bills", file.make())
    assert PdfProcess().read(pdf_of(one_page())).draft.pages == 1
    assert len(TableProcess()("bills", TABLE).rows) == 1


def test_a_text_of_100_mb_is_refused_before_anything_is_read():
    with pytest.raises(InvalidRequest, match="larger than 50 MB"):
        TableProcess()("bills", b"x" * 100_000_000)


def test_formulas_are_texts_and_are_never_computed():
    for table in (TABLE + FORMULAS, XLSX["formulas"][1]()):
        cells = TableProcess()("bills", table).rows[-1][1]
        assert cells[0] == "=cmd|' /C calc'!A0"
        assert all(isinstance(cell, str | Decimal) for cell in cells)


def files_of(archive: bytes) -> dict[str, IncomingFile]:
    files = files_in("bills.zip", archive)
    assert len({file.name for file in files}) == len(files)
    return {file.name: file for file in files}


def test_names_lead_nowhere_and_none_is_lost():
    files = files_of(several_names())
    expected = ["etc/passwd.csv", "abs.csv", "win.csv", "a.csv", "x.csv", "same.csv", "SAME (2).csv"]
    assert list(files)[:-1] == expected
    assert [len(name) for name in files][-1] == 200
    assert all(file.data == TABLE and file.kind == "text" for file in files.values())


def test_a_bad_file_of_an_archive_is_a_problem_of_its_own():
    pdf = pdf_of(one_page())
    files = files_of(
        honest(a_csv=TABLE, b_zip=honest(c_csv=TABLE), d_pdf=pdf, e_exe=b"MZ\x90\x00", f_csv=pdf, g_csv=b"")
    )
    told = {name: file.kind or (file.problem or "").partition(".")[0] for name, file in files.items()}
    assert told == {
        "a.csv": "text",
        "b.zip": "Archives inside an archive aren’t opened",
        "d.pdf": "pdf",
        "e.exe": "This is a program, or something that a browser would run, and not a bill",
        "f.csv": "The name of this file ends in ",
        "g.csv": "This file is empty",
    }
    assert all(file.is_packed and bool(file.data) == (file.problem is None) for file in files.values())


def test_folders_and_what_systems_add_are_no_files():
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("march/", b"")
        archive.writestr("march/aqua.csv", TABLE)
        archive.writestr("__MACOSX/march/._aqua.csv", b"\x00\x05")
        archive.writestr("march/.DS_Store", b"\x00")
    assert list(files_of(made.getvalue())) == ["march/aqua.csv"]


def test_one_file_is_told_by_its_bytes_and_refused_where_its_name_says_otherwise():
    (file,) = files_in("../march.csv", TABLE)
    assert file == IncomingFile("march.csv", "text", TABLE)
    with pytest.raises(InvalidRequest, match=r"ends in \.csv, but it is a PDF"):
        files_in("march.csv", pdf_of(one_page()))
