"""The figures in docs/limits.md are the same as in the program."""

import importlib
import re
from pathlib import Path

from tests.house.rules_of_shape import LISTS_OF_LIMITS
from tests.house.sources import ROOT

ROW = re.compile(r"^\| `([A-Z_]+)` \| ([0-9.,]+) \| (.+) \|$", re.MULTILINE)


def limits() -> dict[str, object]:
    modules = [importlib.import_module(path.removesuffix(".py").replace("/", ".")) for path in LISTS_OF_LIMITS]
    return {name: value for module in modules for name, value in vars(module).items() if name.isupper()}


def test_the_figures_in_the_docs_are_those_of_the_program():
    text, known = Path(ROOT, "docs/limits.md").read_text(), limits()
    rows = ROW.findall(text)
    assert len(rows) == text.count("\n| `"), "every row has a name, a figure and what it is of"
    assert len(rows) >= 80
    assert {name: float(figure.replace(",", "")) for name, figure, _ in rows} == {
        name: known[name] for name, *_ in rows
    }
    assert len({name for name, *_ in rows}) == len(rows)


def test_each_part_of_the_docs_names_the_files_that_have_its_limits():
    texts = {path: Path(ROOT, path).read_text() for path in LISTS_OF_LIMITS}
    _, *parts = re.split(r"^## ", Path(ROOT, "docs/limits.md").read_text(), flags=re.MULTILINE)
    for part in parts:
        named, rows = re.findall(r"`(prorata/\S+)`", part), ROW.findall(part)
        found = [path for name, *_ in rows for path in LISTS_OF_LIMITS if f"\n{name} = " in texts[path]]
        assert named == sorted(set(found), key=LISTS_OF_LIMITS.index), part.partition("\n")[0]


def test_every_limit_says_of_what_it_is_one():
    for path in LISTS_OF_LIMITS:
        text = Path(ROOT, path).read_text()
        said = re.findall(r'^[A-Z_]+(?:: [^=\n]+)? = .+\n"""', text, re.MULTILINE)
        assert len(said) == len(re.findall(r"^[A-Z_]+(?:: [^=\n]+)? = ", text, re.MULTILINE)), path
