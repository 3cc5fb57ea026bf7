"""Every example in docs/api.md and docs/sync.md runs exactly as it is shown.

All examples run in one shell, beginning with a new account, and are answered as the pages show.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from string import Template
from typing import Any, NamedTuple

import pytest

from tests.clients.conftest import ROOT, Running

PAGES = "\n".join((ROOT / "docs" / name).read_text() for name in ("api.md", "sync.md"))
BEGIN = "".join(re.findall(r"^    (?:API|KEY|made).*\n", PAGES, re.MULTILINE))
BLOCKS = re.findall(r"```console\n(.*?)```", PAGES, re.DOTALL)
EXAMPLES = re.findall(r"^\$ (.*?)\nHTTP (\d+)\n(.*?)(?=^\$ |\Z)", "".join(BLOCKS), re.DOTALL | re.MULTILINE)
ANYTHING = "…"
MARK = "@@@@"


class Answer(NamedTuple):
    """The response to an example."""

    command: str
    status: int
    said: Any


@pytest.fixture(scope="module")
def answers(
    running: Running, with_curl: None, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[Answer], Mapping[str, str]]:
    """Return the response to each example, in the order of the pages.

    Also return the values of the shell variables at the end.
    """
    running.command.account("me@example.com")
    begin = BEGIN.replace("http://127.0.0.1:8000", running.url).replace(
        ".venv/bin/prorata", f"{sys.executable} -m prorata.cli"
    )
    names = sorted(set(re.findall(r"\$([A-Z]+)", "".join(BLOCKS))))
    script = [
        "curl() { command curl --silent --write-out '\\nHTTP %{http_code}\\n' \"$@\"; }", begin,
        *(f"echo {MARK}\n{{ {command}\n}} 2>&1" for command, _, _ in EXAMPLES),
        *(f'echo "{MARK}{name}=${name}"' for name in names),
    ]  # fmt: skip
    done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=tmp_path_factory.mktemp("shell"), check=False, text=True,
                          capture_output=True, env=running.command.environment, timeout=120)  # fmt: skip
    _, *said = done.stdout.split(MARK)
    values = dict(one.strip().split("=", 1) for one in said[len(EXAMPLES) :])
    found = []
    for (command, _, _), text in zip(EXAMPLES, said, strict=False):
        body, _, status = text.strip().rpartition("HTTP ")
        assert status.isdigit(), (command, text, done.stderr)
        found.append(Answer(command, int(status), json.loads(body)))
    return found, values


@pytest.mark.thorough
def test_each_example_is_answered_as_the_page_shows(answers: tuple[list[Answer], Mapping[str, str]]) -> None:
    found, values = answers
    assert all(values.values()), values
    for answer, (command, status, shown) in zip(found, EXAMPLES, strict=True):
        assert answer.status == int(status), answer
        assert_shown(json.loads(Template(shown).safe_substitute(values)), answer.said, command)


def assert_shown(shown: Any, said: Any, where: str) -> None:
    """Check that the answer contains everything that is shown; it may contain more."""
    if isinstance(shown, dict):
        assert set(shown) <= set(said), where
        for name, value in shown.items():
            assert_shown(value, said[name], where)
    elif isinstance(shown, list):
        assert len(shown) == len(said), where
        for one, other in zip(shown, said, strict=True):
            assert_shown(one, other, where)
    elif shown == ANYTHING:
        assert said, where
    else:
        assert shown == said, where


def test_every_block_of_the_pages_is_made_of_examples() -> None:
    assert len(EXAMPLES) == "".join(BLOCKS).count("\nHTTP ") >= 14
    assert BEGIN.count("\n") == 3
    made = {name for command, _, _ in EXAMPLES for name in re.findall(r"^([A-Z]+)=\$\(", command)}
    seen = {"API", "KEY"}
    for command, _, _ in EXAMPLES:
        assert set(re.findall(r"\$([A-Z]+)", command)) <= seen, f"not set by an example before it: {command}"
        seen |= {name for name in made if command.startswith(f"{name}=")}
