"""Tests of the file that contains a backup."""

import io
import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from prorata.adapters.database.backup_file import Contents, NotABackup, unpack_backup, write_backup

MADE_AT = datetime(2026, 4, 2, 9, 0, tzinfo=UTC)


def made(folder: Path) -> Path:
    (folder / "copy").write_bytes(b"database" * 1000)
    (folder / "documents" / "acct_1").mkdir(parents=True)
    (folder / "documents" / "acct_1" / "ab12").write_bytes(b"a bill")
    (folder / "documents" / "acct_1" / ".half.part").write_bytes(b"being written")
    file = folder / "backup.tar"
    write_backup(file, "sqlite", folder / "copy", folder / "documents", made_at=MADE_AT, version="1")
    return file


def unpacked(file: Path, folder: Path, kind: str = "sqlite") -> Contents:
    return unpack_backup(file, kind, folder / "out" / "database", folder / "out" / "documents")  # type: ignore[arg-type]


def test_what_was_backed_up_comes_back_byte_for_byte(tmp_path: Path) -> None:
    contents = unpacked(made(tmp_path), tmp_path)

    assert contents == Contents("sqlite", "2026-04-02T09:00:00Z", "1", 2)
    assert (tmp_path / "out" / "database").read_bytes() == b"database" * 1000
    assert [file.read_bytes() for file in (tmp_path / "out" / "documents").rglob("*") if file.is_file()] == [b"a bill"]


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    file = made(tmp_path)
    before = file.read_bytes()

    with pytest.raises(FileExistsError):
        write_backup(file, "sqlite", tmp_path / "copy", tmp_path / "none", made_at=MADE_AT, version="1")
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.glob(".backup*")] == []


def test_a_backup_that_breaks_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = made(tmp_path).read_bytes()
    cut = tmp_path / "cut.tar"

    for length in (0, 100, 512, 5000, 9000, len(whole) - 10240 - 1):
        cut.write_bytes(whole[:length])
        with pytest.raises(NotABackup):
            unpacked(cut, tmp_path / str(length))


def test_a_backup_in_which_one_byte_changed_is_refused(tmp_path: Path) -> None:
    changed = bytearray(made(tmp_path).read_bytes())
    changed[changed.index(b"database" * 10) + 3] ^= 1
    (tmp_path / "changed.tar").write_bytes(changed)

    with pytest.raises(NotABackup, match="damaged"):
        unpacked(tmp_path / "changed.tar", tmp_path)


def test_a_backup_of_the_other_kind_of_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotABackup, match="of a different kind of database"):
        unpacked(made(tmp_path), tmp_path, "postgresql")


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "documents/../../evil", "documents/.hidden", "evil"])
def test_a_file_that_would_be_unpacked_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "evil.tar"
    with tarfile.open(file, "w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = 1
        archive.addfile(entry, io.BytesIO(b"x"))

    with pytest.raises(NotABackup):
        unpacked(file, tmp_path)
    assert not any(path.name == "evil" for path in tmp_path.parent.rglob("evil"))


def test_what_is_no_tar_or_holds_links_is_no_backup(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello" * 1000)
    with tarfile.open(tmp_path / "link.tar", "w") as archive:
        entry = tarfile.TarInfo("documents/a")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(entry)

    for name in ("text", "link.tar"):
        with pytest.raises(NotABackup):
            unpacked(tmp_path / name, tmp_path)


@pytest.mark.parametrize("wrong", [{}, {"of another kind": None}])
@pytest.mark.parametrize("missing", ["files", "kind", "made_at", "version"])
def test_a_backup_whose_list_is_not_whole_is_refused_with_a_sentence(
    tmp_path: Path, missing: str, wrong: dict[str, None]
) -> None:
    file = tmp_path / "mutilated.tar"
    with tarfile.open(made(tmp_path)) as before, tarfile.open(file, "w") as archive:
        for entry in before:
            data = before.extractfile(entry).read()
            if entry.name.endswith(".json"):
                data = json.dumps(
                    {name: said for name, said in json.loads(data).items() if name != missing}
                    | dict.fromkeys(wrong and [missing])
                ).encode()
                entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))

    with pytest.raises(NotABackup, match="damaged"):
        unpacked(file, tmp_path)
