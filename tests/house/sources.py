"""The project's files as the rules see them."""

import ast
import gc
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", ".hypothesis", "__pycache__", "data", "demo-data"}


class Source:
    """A file, with its path from the root of the project and its text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    def __repr__(self) -> str:
        return self.path

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the file."""
        return ast.parse(self.text, self.path)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the file's syntax tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """All functions and methods in the file."""
        return [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls in the file."""
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def prose(self) -> set[ast.AST]:
        """The strings that stand alone.

        They are docstrings of modules, classes, functions and fields.
        """
        return {
            node.value for node in self.nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }

    @property
    def is_python(self) -> bool:
        """True if the file is Python."""
        return self.path.endswith(".py")

    def within(self, *places: str) -> bool:
        """True if the file is one of `places`, or below one ending in a slash."""
        return any(self.path == place or (place.endswith("/") and self.path.startswith(place)) for place in places)

    def offence(self, where: ast.AST | int, what: str) -> str:
        """Format an offense."""
        line = where if isinstance(where, int) else where.lineno
        return f"{self.path}:{line}: {what}"


def python(sources: Sequence[Source], *places: str, but: Sequence[str] = ()) -> list[Source]:
    """The Python files in `places`, except those in `but`."""
    return [source for source in sources if source.is_python and source.within(*places) and not source.within(*but)]


def called(call: ast.Call) -> str:
    """The dotted name of the called object, as far as it has one.

    For example, it is `sa.select`, or `.commit` for a call on an expression.
    """
    return dotted(call.func)


def dotted(node: ast.AST) -> str:
    """The dotted name of a name or a chain of attributes, such as `a.b.c`.

    Anything else leaves an empty start.
    """
    if isinstance(node, ast.Name):
        return node.id
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def imported(source: Source) -> Iterator[tuple[ast.AST, str]]:
    """Yield each module that a file imports.

    For `from a import b`, yield both `a` and `a.b`.
    """
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            yield node, origin
            yield from ((node, f"{origin}.{alias.name}") for alias in node.names)


def is_or_below(module: str, *names: str) -> bool:
    """True if a module is one of `names` or inside one."""
    return any(module == name or module.startswith(name + ".") for name in names)


def _paths() -> list[str]:
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, cwd=ROOT, check=False, capture_output=True)
    if done.returncode == 0:
        return sorted(set(done.stdout.decode().split("\0")) - {""})
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
    return sorted(str(path) for path in paths if not NOT_OURS & set(path.parts) and path.suffix != ".pyc")


@cache
def of_the_project() -> tuple[Source, ...]:
    """Return each text file that is tracked or would be.

    Python files are parsed and kept from now on. Repeated garbage collections over them took four times as long as
    parsing.
    """
    gc.collect()
    gc.disable()
    try:
        found = _found()
        for source in found:
            if source.is_python:
                source.nodes  # noqa: B018 - kept from now on
    finally:
        gc.enable()
    gc.freeze()
    return found


def _found() -> tuple[Source, ...]:
    found = []
    for path in _paths():
        file = ROOT / path
        content = file.read_bytes() if file.is_file() else b"\0"
        if b"\0" in content:
            continue
        try:
            found.append(Source(path, content.decode()))
        except UnicodeDecodeError:
            continue
    return tuple(found)
