"""A tenant's name is cut from every form of file that can be rewritten.

Nothing else in the file changes.
"""

import base64
import io
import json
import re
import unicodedata
import zipfile
import zlib

import pytest

from prorata.adapters.files.file_process import LIMITS
from prorata.adapters.files.named_files import NamedFiles
from prorata.domain.privacy.personal_words import FORMER_TENANT, Cutter, PersonalWords
from prorata.store.privacy.shared_texts import cut_bytes
from tests.dashboard.privacy.canary import holds

WORDS = PersonalWords.of(["Jörg Quillfeather"], ["jq@canary.example", "77 Zanzibar Crescent\nTimbuktu"])
CUTTER = Cutter(WORDS)
ROW = "2026-03-05;12,00;JÖRG QUILLFEATHER;rent of jq@canary.example\n2026-03-05;9,00;Ann Smith;rent\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_of_a_text_in_the_encoding_that_it_has(encoding: str) -> None:
    after = cut_bytes(ROW.encode(encoding), CUTTER)
    assert after is not None
    said = after.decode(encoding)
    assert said == f"2026-03-05;12,00;{FORMER_TENANT};rent of {FORMER_TENANT}\n2026-03-05;9,00;Ann Smith;rent\n"


def test_of_a_packed_one() -> None:
    after = cut_bytes(zlib.compress(json.dumps({"rows": [ROW]}).encode()), CUTTER)
    assert after is not None
    assert json.loads(zlib.decompress(after))["rows"][0].count(FORMER_TENANT) == 2


def test_of_a_workbook_whose_other_parts_stay() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", "<sst><t>Jörg Quillfeather</t><t>Ann Smith</t></sst>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/media/logo.png", b"\x89PNG")
    after = NamedFiles().cut(packed.getvalue(), WORDS)
    assert after is not None
    assert not holds(after)
    with zipfile.ZipFile(io.BytesIO(after)) as archive:
        assert archive.read("xl/sharedStrings.xml") == f"<sst><t>{FORMER_TENANT}</t><t>Ann Smith</t></sst>".encode()
        assert archive.read("xl/workbook.xml") == b"<workbook/>"
        assert archive.read("xl/media/logo.png") == b"\x89PNG"


@pytest.mark.parametrize("content", [b"%PDF-1.7 J\xf6rg Quillfeather", b"x\x9cdamaged", b"Ann Smith", b""])
def test_of_nothing_that_does_not_hold_it_or_can_not_be_written(content: bytes) -> None:
    assert cut_bytes(content, CUTTER) is None


def test_of_a_text_that_begins_as_packed_ones_do() -> None:
    assert cut_bytes(b"xref;payer\n1;J\xf6rg Quillfeather\n", CUTTER) == f"xref;payer\n1;{FORMER_TENANT}\n".encode()


def workbook(**parts: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(f"{name}.xml", content)
    return packed.getvalue()


@pytest.mark.parametrize("content", [b"PK\x03\x04damaged", workbook(a=b" " * 101 * 1024 * 1024)])
def test_a_workbook_that_can_not_be_opened_is_told_from_one_that_names_nobody(content: bytes) -> None:
    assert NamedFiles().cut(content, WORDS) is None
    of_others = workbook(a=b"Ann Smith")
    assert NamedFiles().cut(of_others, WORDS) == of_others


@pytest.mark.thorough
def test_of_a_large_part_of_a_workbook() -> None:
    rows = ("<t>" + "Ägypten " * 1000 + "</t>").encode() * 2_000
    after = NamedFiles().cut(workbook(a=rows + b"<t>JQ@canary.example</t>"), WORDS)
    assert after is not None
    assert not holds(after)


def in_part(kind: str, payload: bytes) -> bytes:
    """A message with one part of a given content type, in base64."""
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\n".encode() + base64.encodebytes(payload)


@pytest.mark.parametrize(
    "message",
    [
        "Subject: rent\n\nof Jörg Quillfeather".encode("latin-1"),
        "Subject: rent of Jörg Quillfeather\n\nHello".encode("latin-1"),
        "Subject: rent of Jörg Quillfeather\n\nHello".encode(),
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nJ=F6rg Quill=\nfeather",
        b"Content-Type: text/html\n\n<p>J&ouml;rg&nbsp;<b>Quillfeather</b></p>",
        b"Content-Type: text/html\n\nJ&#246;rg&#32;Quill&#102;eather",
        b"Subject: =?x-unknown?q?Hello?=\n\nof Quillfeather, J\xf6rg",
        b"From: =?iso-8859-1?b?SvZyZyBRdWlsbGZlYXRoZXI=?= <a@b.example>\n\nHello",
        b"Subject: =?iso-8859-1?q?J=F6rg?=\n =?iso-8859-1?q?_Quillfeather?=\n\nHello",
        in_part("text/plain; charset=windows-1252", "für Jörg Quillfeather".encode("cp1252")),
        in_part("text/plain; charset=utf-16", "für Jörg Quillfeather".encode("utf-16")),
        in_part("text/plain; charset=nothing-known", "für Jörg Quillfeather".encode("latin-1")),
        in_part("application/zip", workbook(a="Jörg Quillfeather".encode())),
    ],
)  # fmt: skip
def test_a_message_is_searched_in_each_encoding_that_it_comes_in(message: bytes) -> None:
    assert NamedFiles().naming([message, b"Subject: rent\n\nof J\xf6rg"], WORDS) == [True, False]


@pytest.mark.thorough
def test_a_message_that_takes_too_long_ends_no_search_of_the_others() -> None:
    endless = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 1_000_000
    named = b"From: jq@canary.example\n\n"
    quick = NamedFiles(LIMITS._replace(seconds=2))
    assert quick.naming([b"Subject: a\n\n", endless, named, named], WORDS) == [False, None, True, True]


def test_messages_that_name_somebody_are_told_from_others() -> None:
    coded = b"Subject: =?utf-8?q?J=C3=B6rg_Quillfeather?=\n\nHello"
    inner = "Content-Transfer-Encoding: base64\n\n" + base64.b64encode("for Jörg  Quillfeather".encode()).decode()
    messages = [b"Subject: rent\n\nof Ann", coded, inner.encode(), b"", b"\xff\x00", b"From: jq@canary.example\n\n"]
    assert NamedFiles().naming(messages, WORDS) == [False, True, True, False, False, True]


def test_a_name_that_somebody_else_has_or_of_one_word_is_cut_from_no_shared_text() -> None:
    words = PersonalWords.of(["Ann Smith", "Ann", "Jo"], ["ann@example.com"])
    assert words.without(["ANN SMITH", "ann@example.com"]) == PersonalWords()
    assert (
        Cutter(words.without([])).cut("Ann and Ann Smith, ANN@example.com")
        == f"Ann and {FORMER_TENANT}, {FORMER_TENANT}"
    )
    assert Cutter(PersonalWords()).cut("Ann Smith") == "Ann Smith"


@pytest.mark.parametrize(
    "text", ["77 Zanzibar Crescent, Timbuktu", "77 zanzibar crescent\\nTIMBUKTU", "77  Zanzibar\nCrescent Timbuktu"]
)
def test_an_address_is_cut_in_whatever_lines_it_stands(text: str) -> None:
    assert CUTTER.cut(f"at {text}.") == f"at {FORMER_TENANT}."


def test_what_is_looked_for_first_is_in_all_that_is_cut() -> None:
    assert {("QUILLFEATHER",), ("quillfeather",), ("Quillfeather",)} <= set(WORDS.searched)


@pytest.mark.parametrize(
    "text",
    [
        "Zuleika Quillfeather-Öztürk",
        "QUILLFEATHER-OEZTUERK ZULEIKA",
        "quillfeather öztürk, zuleika",
        unicodedata.normalize("NFD", "Zuleika Quillfeather-Öztürk"),
        "Zuleika Quillfeather Ozturk",
        json.dumps("ZULEIKA QUILLFEATHER-ÖZTÜRK"),
    ],
)
def test_a_name_is_cut_without_its_accents_and_its_hyphen_too(text: str) -> None:
    words = PersonalWords.of(["Zuleika Quillfeather-Öztürk"], [])
    assert Cutter(words).cut(f"of {text}.") in (f"of {FORMER_TENANT}.", f'of "{FORMER_TENANT}".')
    assert any(re.search(".*".join(map(re.escape, way)), text) for way in words.searched)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Łukasz Đorđević", "Lukasz Dordevic"),
        ("Łukasz Đorđević", "DJORDJEVIC, LUKASZ"),
        ("Søren Kjærgård", "Soren Kjaergard"),
        ("Søren Kjærgård", "SOEREN KJAERGAARD"),
        ("Işıl Yıldız", "Isil Yildiz"),
        ("Guðrún Þórsdóttir", "Gudrun Thorsdottir"),
    ],
)
def test_letters_with_a_stroke_are_found_as_plain_ones(name: str, text: str) -> None:
    words = PersonalWords.of([name], [])
    assert Cutter(words).cut(f"of {text}.") == f"of {FORMER_TENANT}."
    assert any(re.search(".*".join(map(re.escape, way)), text) for way in words.searched)
    assert words.without([text]) == PersonalWords()


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ('1;"Ada ""Bee"" Byron";rent', f'1;"{FORMER_TENANT}";rent'),
        ('"1","Byron","Ada ""Bee""","rent"', f'"1","{FORMER_TENANT}","","rent"'),
        ('"1"; "BYRON"; "Ada ""Bee"""; "rent"', f'"1"; "{FORMER_TENANT}"; ""; "rent"'),
        (json.dumps(["1", 'Ada "Bee"', "Byron", "rent"]), json.dumps(["1", FORMER_TENANT, "", "rent"])),
    ],
)
def test_a_name_in_two_columns_or_with_quotes_is_cut_and_leaves_the_columns(row: str, after: str) -> None:
    assert Cutter(PersonalWords.of(['Ada "Bee" Byron'], [])).cut(row) == after


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ("1;Byron;Ada;rent", f"1;{FORMER_TENANT};;rent"),
        ("1,Ada,Byron,rent", f"1,{FORMER_TENANT},,rent"),
        ("1\tAda\tByron\trent", f"1\t{FORMER_TENANT}\t\trent"),
        ('1,"Byron, Ada",rent', f'1,"{FORMER_TENANT}",rent'),
        ('"Ada","Byron"', f'"{FORMER_TENANT}",""'),
        ('"Ada",Byron', f'"{FORMER_TENANT}",'),
    ],
)
def test_a_row_keeps_its_columns(row: str, after: str) -> None:
    after_cut = Cutter(PersonalWords.of(["Ada Byron"], [])).cut(row)
    assert after_cut.count('"') % 2 == 0
    assert after_cut.replace('""', "") == after.replace('""', "")


def test_a_name_without_plain_letters_is_searched_in_each_spelling() -> None:
    words = PersonalWords.of(["Иван Петров"], [])
    for text in ("ИВАН ПЕТРОВ", "Петров, Иван", json.dumps("Иван Петров")):
        assert Cutter(words).finds(text)
        assert any(all(part in text for part in way) for way in words.searched)
