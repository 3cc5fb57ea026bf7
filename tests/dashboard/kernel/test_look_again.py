"""A page that updates itself leaves open dialogs and the focus alone."""

import re
from pathlib import Path

import pytest

from prorata.web import dashboard

TEMPLATES = Path(dashboard.__file__).with_name("templates")
LOOKING = re.compile(r"<\w+[^<]*hx-trigger=\"every[^<]*")
THEIRS = {file.name: LOOKING.findall(file.read_text(encoding="utf-8")) for file in sorted(TEMPLATES.glob("*.html"))}


@pytest.mark.parametrize("name", [name for name, found in THEIRS.items() if found])
def test_what_looks_again_keeps_dialogs_and_the_focus(name: str) -> None:
    for tag in THEIRS[name]:
        assert "outerMorph" in tag


def test_dialogs_that_are_open_are_passed_over() -> None:
    assert '"morphSkip": "dialog[open]"' in (TEMPLATES / "html.html").read_text(encoding="utf-8")
