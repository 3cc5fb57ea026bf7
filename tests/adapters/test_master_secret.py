"""Tests of the installation's secret, and of password hashes."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prorata.adapters.master_secret import load_secret
from prorata.adapters.passwords import Argon2Passwords
from prorata.settings import Settings, SettingsError, read_settings

LONG = "x" * 32


def settings(folder: Path, **environment: str) -> Settings:
    return read_settings({"PRORATA_DATA_DIR": str(folder / "data")} | environment, folder / "no.env")


def test_with_sqlite_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = set(threads.map(lambda _: load_secret(settings(tmp_path)).keys_for("x"), range(8)))

    (file,) = (tmp_path / "data").iterdir()
    assert len(made) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_text()) == 64


def test_a_key_is_for_one_purpose_and_32_bytes_long(tmp_path: Path) -> None:
    secret = load_secret(settings(tmp_path))

    assert secret.keys_for("one") != secret.keys_for("other")
    assert [len(key) for key in secret.keys_for("one")] == [32]
    assert secret.keys_for("one") == load_secret(settings(tmp_path)).keys_for("one")


def test_the_secret_before_gives_the_second_key(tmp_path: Path) -> None:
    old = load_secret(settings(tmp_path, PRORATA_SECRET_KEY=LONG))
    both = load_secret(settings(tmp_path, PRORATA_SECRET_KEY=LONG[::-1] + "y", PRORATA_SECRET_KEY_PREVIOUS=LONG))

    assert both.keys_for("one")[1:] == old.keys_for("one")
    assert LONG not in repr(both)


def test_with_postgresql_the_secret_has_to_be_set_and_long_enough(tmp_path: Path) -> None:
    url = {"PRORATA_DATABASE_URL": "postgresql://db/x"}

    with pytest.raises(SettingsError, match="PRORATA_SECRET_KEY must be set"):
        load_secret(settings(tmp_path, **url))
    with pytest.raises(SettingsError, match="at least 32 characters"):
        load_secret(settings(tmp_path, **url, PRORATA_SECRET_KEY="short"))
    assert load_secret(settings(tmp_path, **url, PRORATA_SECRET_KEY=LONG))


def test_a_secret_file_that_was_emptied_is_never_replaced(tmp_path: Path) -> None:
    load_secret(settings(tmp_path))
    (tmp_path / "data" / "secret.key").write_text("")

    with pytest.raises(SettingsError, match=r"secret\.key"):
        load_secret(settings(tmp_path))


def test_a_password_is_the_one_that_was_hashed_and_no_other() -> None:
    passwords = Argon2Passwords()
    stored = passwords.hash("correct horse")

    assert stored.startswith("$argon2id$")
    assert passwords.matches("correct horse", stored)
    assert not passwords.matches("correct horse ", stored)
    assert not passwords.matches("x" * 1001, passwords.hash("x" * 1001))
    assert not passwords.matches("correct horse", "no hash at all")
    assert not passwords.wants_another_hash(stored)
