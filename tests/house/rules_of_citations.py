"""Rules about citations: the cited file exists and has the heading (house rule 14)."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tests.house.sources import ROOT, Source

CITATION = re.compile(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?")
ADR = re.compile(r"\bdocs/adr/(\d{4})(?![\w-])")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
FILE = re.compile(
    r"(?<![\w/.-])((?:prorata/|tests/)?(?:domain|store|actions|adapters|web|worker|wiring|cli|demo|ports)"
    r"(?:/\w+)+\.(?:py|typ|html))\b"
)
MEMBER = re.compile(
    r"(?<![\w/.-])((?:prorata/)?(?:domain|store|actions|adapters|web|worker|wiring|cli|demo|ports)(?:/\w+)+)"
    r"\.(?!(?:py|typ|html|md|json|toml|txt)\b)(\w+)\b"
)
ELSEWHERE = re.compile(r"\b[dD]ecisions?,? (?:sections? )?\d")
DEFINES = re.compile(r"^(?:async )?(?:def|class) (\w+)|^([A-Za-z_]\w*)(?:: [^=\n]+)? = ", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
HISTORY = re.compile(r"CHANGELOG\.md|docs/adr/00(?:[0-2]\d|3[0-3])-.*")
"""The files about the past, which name files by their former names.

They are records from before each area had its folder too.
"""


def anchors(text: str) -> set[str]:
    """The anchors of a Markdown text's headings."""
    found: dict[str, int] = {}
    for heading in HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
        if found[slug]:
            found[f"{slug}-{found[slug]}"] = 0
    return set(found)


def citations_open(sources: Sequence[Source]) -> list[str]:
    """Each page of docs/ that a file cites exists and has the cited heading."""
    pages = _pages(sources)
    return [
        source.offence(line, f"{target} does not open")
        for source in sources
        if not source.within("tests/house/")
        for line, target in _cited(source)
        if not _opens(pages, *target.partition("#")[::2])
    ]


def files_that_are_named_exist(sources: Sequence[Source]) -> list[str]:
    """Each module that a comment, docstring or page names exists.

    So does each member of it that they name.
    """
    known = {source.path for source in sources} | _tracked()
    return [
        source.offence(_line(source.text, found.start()), f"{found[1]} is not there")
        for source in sources
        if _is_of_today(source)
        for found in FILE.finditer(source.text)
        if not {found[1], f"prorata/{found[1]}"} & known
    ] + [
        source.offence(_line(source.text, found.start()), f"{found[0]} is not there")
        for source in sources
        if _is_of_today(source)
        for found in MEMBER.finditer(source.text)
        if found[2] not in _members(found[1].removeprefix("prorata/"))
    ]


def _is_of_today(source: Source) -> bool:
    """True if the files named in a source must exist under these names."""
    is_read = source.path.endswith((".py", ".md")) and not source.within("tests/house/")
    return is_read and not HISTORY.fullmatch(source.path)


@cache
def _members(module: str) -> frozenset[str]:
    """Return the names that one of our modules defines, and its submodules.

    The path of the module is given without the file extension.
    """
    place = ROOT / "prorata" / module
    inside = {path.stem for path in place.iterdir()} if place.is_dir() else set()
    file = place / "__init__.py" if place.is_dir() else place.with_name(f"{place.name}.py")
    defined = DEFINES.findall(file.read_text("utf-8")) if file.is_file() else []
    return frozenset(inside.union(*defined))


def nothing_is_cited_that_is_elsewhere(sources: Sequence[Source]) -> list[str]:
    """No file cites a numbered section of a document outside the repository."""
    return [
        source.offence(_line(source.text, found.start()), f"{found[0]}: cite an anchor of docs/decisions.md")
        for source in sources
        if _is_of_today(source)
        for found in ELSEWHERE.finditer(source.text)
    ]


def _cited(source: Source) -> Iterator[tuple[int, str]]:
    text = source.text
    for found in CITATION.finditer(text):
        yield _line(text, found.start()), found[1] + (f"#{found[2]}" if found[2] else "")
    for found in ADR.finditer(text):
        yield _line(text, found.start()), _record(found[1])
    if source.path.endswith(".md"):
        for found in LINK.finditer(text):
            page = (
                posixpath.normpath(posixpath.join(posixpath.dirname(source.path), found[1]))
                if found[1]
                else source.path
            )
            yield _line(text, found.start()), page + (f"#{found[2]}" if found[2] else "")


def _record(number: str) -> str:
    records = sorted(path for path in _tracked() if path.startswith(f"docs/adr/{number}-"))
    return records[0] if records else f"docs/adr/{number}"


def _opens(pages: Mapping[str, set[str]], page: str, anchor: str) -> bool:
    if page not in pages:
        return not anchor and (page in _tracked() or (ROOT / page).is_dir())
    return not anchor or anchor in pages[page]


def _pages(sources: Sequence[Source]) -> dict[str, set[str]]:
    pages = {path: anchors((ROOT / path).read_text("utf-8")) for path in _tracked() if path.endswith(".md")}
    return pages | {source.path: anchors(source.text) for source in sources if source.path.endswith(".md")}


@cache
def _tracked() -> frozenset[str]:
    ours = ("prorata", "tests", "docs", "benchmarks", "requirements", ".ci")
    inside = (path for folder in ours for path in (ROOT / folder).rglob("*") if path.is_file())
    return frozenset(
        path.relative_to(ROOT).as_posix() for path in (*inside, *(p for p in ROOT.iterdir() if p.is_file()))
    )


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


ALL = (citations_open, files_that_are_named_exist, nothing_is_cited_that_is_elsewhere)
