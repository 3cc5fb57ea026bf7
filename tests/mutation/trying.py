"""Run the tests of one file against its faults, in a copy of the project.

`tests.mutation` starts this program, which collects the tests once and then forks. The first child finds out which
tests reach which function, and how long they take. Then each fault gets a child of its own. The child gives the
functions the faulty code, and runs the tests that reach them, the quickest first, until one fails.
"""

import ast
import functools
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

from tests.mutation.faults import Fault, faults

SURVIVED, KILLED, UNREACHED, TOO_LONG = "survived", "killed", "not reached", "too long"
_MEMORY = 4 << 30
"""Bytes that a child may take: a loop without end takes no more."""


class _Trying:
    """The pytest plugin that runs the tests against each fault instead of once."""

    def __init__(self, module: ModuleType, wanted: Sequence[Fault], folder: Path) -> None:
        assert module.__file__
        self.module = module
        self.file = module.__file__
        self.wanted = wanted
        self.folder = folder
        self.is_child = False
        self._now = ""
        self._reach: dict[str, set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = defaultdict(float)
        self._caches: list[functools._lru_cache_wrapper[object]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Make every run try the same examples of Hypothesis, without shrinking a failing example."""
        import hypothesis  # not before pytest can see to its assertions

        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile(
            "mutation", hypothesis.settings.get_profile("default"), phases=phases, derandomize=True, database=None
        )
        hypothesis.settings.load_profile("mutation")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Fork for each fault.

        In a child, return None, so that pytest goes on and runs the tests that are left.
        """
        gc.unfreeze()
        functions = [one for one in gc.get_objects() if type(one) is FunctionType]
        functions = [one for one in functions if one.__code__.co_filename == self.file]
        self._caches = [one for one in gc.get_objects() if type(one) is functools._lru_cache_wrapper]
        self._caches = [one for one in self._caches if one.__wrapped__ in functions]
        if not (pid := self._fork()):
            vars(self.module)["_reached"] = lambda name: self._reach[name].add(self._now)
            _give(functions, compile(_that_tells(Path(self.file).read_text()), self.file, "exec"))
            return None
        if code := _ended(pid, 3600):
            pytest.exit(f"the tests fail without a fault: {code}", 1)
        told = json.loads((self.folder / "reach").read_text())
        (self.folder / "results").write_text("")
        for fault in self.wanted:
            reaching = set(told["reach"].get(fault.function, ()))
            seconds = told["seconds"]
            items = sorted(
                (one for one in session.items if one.nodeid in reaching), key=lambda one: seconds[one.nodeid]
            )
            outcome = UNREACHED
            if items:
                if not (pid := self._fork()):
                    session.items[:] = items
                    _give(functions, compile(fault.tree, self.file, "exec"))
                    return None
                code = _ended(pid, 10 + 3 * sum(seconds[one.nodeid] for one in items))
                outcome = TOO_LONG if code is None else KILLED if code else SURVIVED
            with (self.folder / "results").open("a") as results:  # closed wherever a child begins
                results.write(json.dumps([fault.name, outcome]) + "\n")
        return True

    def _fork(self) -> int:
        pid = os.fork()
        if not pid:
            self.is_child = True
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        return pid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._now = item.nodeid
        for one in self._caches:
            one.cache_clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        if self._reach:
            reach = {name: sorted(tests) for name, tests in self._reach.items()}
            (self.folder / "reach").write_text(json.dumps({"reach": reach, "seconds": self._seconds}))


def _that_tells(source: str) -> ast.Module:
    """The syntax tree of a source in which each function reports that it is called."""
    tree = ast.parse(source)

    def tell(node: ast.AST, within: str) -> None:
        for one in ast.iter_child_nodes(node):
            if isinstance(one, ast.ClassDef):
                tell(one, f"{within}{one.name}.")
            elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                one.body[:0] = ast.parse(f"_reached({within + one.name!r})").body

    tell(tree, "")
    return tree


def _give(functions: Sequence[FunctionType], code: CodeType) -> None:
    """Give functions the code that they have with a fault.

    Modules that have imported a function then run the faulty code too.
    """
    by_place = {(one.co_qualname, one.co_firstlineno): one for one in _within(code)}
    for function in functions:
        was = function.__code__
        function.__code__ = by_place[was.co_qualname, was.co_firstlineno]


def _within(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _within(one)


def _ended(pid: int, seconds: float) -> int | None:
    """Return a child's exit status.

    If the child takes too long, kill it and return None.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def main(path: str, folder: Path, tests: Sequence[str]) -> None:
    """Try those faults of a file that `folder` names, and write their outcomes there."""
    names = set(json.loads((folder / "wanted").read_text()))
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    wanted = [one for one in faults(Path(path).read_text()) if one.name in names]
    trying = _Trying(module, wanted, folder)
    code = pytest.main(
        ["-x", "-s", "--tb=short", "-p", "no:cacheprovider", f"--basetemp={folder / 'files'}", *tests], [trying]
    )
    sys.stdout.flush()
    os._exit(int(code))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
