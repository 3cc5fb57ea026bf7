"""Files are read in a process of their own.

Whatever a file does there, the person who brought it gets a sentence.
"""

import logging
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from prorata.adapters.files.file_process import LIMITS, FileProcess, Sentences
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest, Unavailable

ODD = "tests.adapters.odd_reader"


def read(kind: str, data: bytes = b"abc", **limits: Any) -> list[object]:
    return FileProcess(ODD, (), LIMITS._replace(**limits))(kind, data)


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split())


def test_what_the_reader_makes_of_a_file_comes_back_and_no_process_is_left():
    before = children()
    assert read("count", b"x" * 3_000_000) == [3_000_000]
    assert children() == before


def test_what_the_reader_refuses_is_refused_in_its_words_with_the_fields_that_it_names():
    with pytest.raises(InvalidRequest, match=r"^Line 3 is no bill\.$") as refusal:
        read("refuse")
    assert refusal.value.problems == (Problem("line", "It is no bill."),)


@pytest.mark.thorough
def test_what_is_said_of_a_file_that_breaks_its_reader_fits_the_kind_of_file():
    said = Sentences(slow="Slow: {seconds}.", large="Large.", broken="Broken.")
    for kind, sentence in (("spin", "Slow: 1."), ("swell", "Large."), ("die", "Broken."), ("fail", "Broken.")):
        with pytest.raises(InvalidRequest) as refusal:
            FileProcess(ODD, (), LIMITS._replace(seconds=1), said)(kind, b"abc")
        assert refusal.value.message == sentence


@pytest.mark.parametrize(
    "said", [b"r{", b'r["a"]', b'r["a", 1]', b"r[1, [[]]]", b"p\x80", b"p", b"pI1\n", b"\x00", b""]
)
def test_a_process_that_a_file_has_taken_over_can_say_nothing_but_what_is_a_sentence(said: bytes):
    with pytest.raises(InvalidRequest, match=r"can't be read"):
        read("say", said)


@pytest.mark.parametrize(
    ("kind", "limits", "said"),
    [
        ("hang", {"patience": 0.5}, "takes more than 10 seconds"),
        ("die", {}, "is damaged or takes too much memory"),
        ("swell", {}, "too much in this file"),
        ("chatter", {"answer": 5_000_000}, "is damaged or takes too much"),
        ("trap", {}, "is damaged"),
        ("fail", {}, "is damaged"),
    ],
)
def test_a_reader_that_breaks_hangs_or_swells_is_a_sentence(kind: str, limits: dict[str, Any], said: str, capfd):
    before, began = children(), time.monotonic()
    with pytest.raises(InvalidRequest, match=said):
        read(kind, **limits)
    assert time.monotonic() - began < 25
    assert children() == before
    assert capfd.readouterr() == ("", "")


@pytest.mark.thorough
def test_a_reader_that_spins_is_ended_by_the_system_also_should_nobody_wait_for_it_any_more():
    with pytest.raises(InvalidRequest, match="takes more than 1 seconds"):
        read("spin", seconds=1)


def test_the_log_says_where_a_reader_failed_and_never_what_the_file_holds(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.ERROR), pytest.raises(InvalidRequest):
        read("fail", b"a secret")
    assert "LookupError" in caplog.text
    assert "odd_reader.py" in caplog.text
    assert "a secret" not in caplog.text


def test_it_knows_no_setting_and_writes_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PRORATA_SECRET_KEY", "a secret")
    assert read("settings") == [()]
    target = tmp_path / "harm"
    with pytest.raises(InvalidRequest):
        read("write", str(target).encode())
    assert not target.exists() or target.read_text() == ""


def test_a_process_that_can_not_be_started_is_said_to_pass():
    with pytest.raises(Unavailable, match="Try again in a few seconds"):
        FileProcess(ODD, (), command=("/no/such/program",))("count", b"")


def test_it_is_killed_while_it_reads_and_the_next_file_is_read():
    reading = FileProcess(ODD, ())
    before = children()
    said: list[str] = []

    def bring() -> None:
        try:
            reading("hang", b"")
        except InvalidRequest as refused:
            said.append(refused.message)

    thread = threading.Thread(target=bring)
    thread.start()
    deadline = time.monotonic() + 25
    while not (started := _children_of_all() - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(int(started.pop()), signal.SIGKILL)
    thread.join()
    assert "can't be read" in said[0]
    assert reading("count", b"ab") == [2]


def _children_of_all() -> set[str]:
    return {pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}
