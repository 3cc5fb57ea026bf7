"""Tests of the TypeScript client: its types, and its behavior when calls succeed or fail."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from clients.generate import document
from clients.generate.typescript import typescript_files
from prorata import __version__
from tests.clients.broken_lines import BrokenLine, once
from tests.clients.conftest import ROOT, Running, ran
from tests.clients.test_generators import COMPILER, PROGRAMS

Run = Callable[..., list[str]]


@pytest.fixture(scope="module")
def run(typescript_client: Path) -> Run:
    """A function that runs a part of the program that uses the client.

    It returns the lines that the part prints.
    """
    (typescript_client / "tsconfig.json").write_text(json.dumps(COMPILER))
    shutil.copy(PROGRAMS / "with_our_client.ts", typescript_client)
    ran([typescript_client / "node_modules" / ".bin" / "tsc", "-p", "."], typescript_client)

    def part(word: str, url: str = "http://127.0.0.1:9", key: str = "") -> list[str]:
        return ran(["node", "out/with_our_client.js", word], typescript_client, API=url, KEY=key).splitlines()

    return part


@pytest.mark.soak
def test_a_bill_becomes_invoices_by_the_client(run: Run, running: Running) -> None:
    assert run("bill", running.url, running.key) == [
        "Tenant of 1A 85.05 WATER",
        "Tenant of 1B 44.95 WATER",
        "undefined",
    ]


@pytest.mark.soak
def test_its_lists_are_read_to_their_ends(run: Run, running: Running) -> None:
    assert run("list", running.url, running.key) == ["101 102"]
    reading = [f"limit=1000&after={at}" for at in ("start", "b", "c")]
    assert run("cursors") == [f"1,2,3 {' '.join(reading)}"]


@pytest.mark.soak
@pytest.mark.parametrize("what", ["loses", "refuses"])
def test_what_it_sends_again_is_done_once(run: Run, running: Running, what: str) -> None:
    with BrokenLine(running.url, once(what, "POST")) as line:
        assert run("repeat", line.url, running.key) == ["Oak House PRECONDITION_FAILED"]
        first, again = [one for one in line.got if one[0] == "POST"]
        assert first == again
        assert first[2]


@pytest.mark.soak
def test_its_errors_are_thrown_with_every_detail(run: Run, running: Running) -> None:
    assert run("refuse", running.url, running.key) == ["400 INVALID_REQUEST name true", "true"]


@pytest.mark.soak
def test_it_reads_a_webhook_where_it_is_signed(run: Run) -> None:
    assert run("webhook") == ["12.30", "invoice.paid", *["true"] * 9]


def test_a_method_declares_each_option_that_it_reads() -> None:
    """The compiler would find this too, but only `make soak` runs it."""
    calling = (ROOT / "clients" / "typescript" / "src" / "calling.ts").read_text()
    fields = {name: set(re.findall(r"(\w+)\?:", body))
              for name, body in re.findall(r"export interface (Making|Changing) \{(.*?)\n\}", calling, re.DOTALL)}  # fmt: skip
    methods = typescript_files(document.read())["operations.ts"].split("\n  }\n")
    kinds = set()
    for method in methods:
        said = re.search(r"options: (.*?) = \{\}", method)
        declared = set().union(*(fields[kind] for kind in said[1].split(" & "))) if said else set()
        assert set(re.findall(r"options\.(\w+)", method)) == declared, method
        kinds.add(said and said[1])
    assert kinds == {None, "Making", "Changing", "Making & Changing"}


def test_both_clients_have_the_version_of_the_program() -> None:
    assert json.loads((ROOT / "clients" / "typescript" / "package.json").read_text())["version"] == __version__
    assert f'\nversion = "{__version__}"\n' in (ROOT / "clients" / "python" / "pyproject.toml").read_text()
