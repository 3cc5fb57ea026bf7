"""A part of a core for a program with all that it started, as if on a small machine of its own: by the kernel's control
groups, of either version, which only root may make.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

_MICROSECONDS = 10_000
"""The share is of each hundredth of a second, so that nobody is halted for longer."""


class Tree(NamedTuple):
    """A hierarchy of control groups that divides CPU, with the file that takes a share and the form of it."""

    folder: Path
    file: str
    form: str


TREES = (
    Tree(Path("/sys/fs/cgroup"), "cpu.max", "{share} {of}"),
    Tree(Path("/sys/fs/cgroup/cpu"), "cpu.cfs_quota_us", "{share}"),
    Tree(Path("/sys/fs/cgroup/cpu,cpuacct"), "cpu.cfs_quota_us", "{share}"),
)
_PROCESSES, _PERIOD = "cgroup.procs", "cpu.cfs_period_us"


@contextmanager
def at_most(cores: float, pids: Iterable[int], trees: Iterable[Tree] = TREES) -> Iterator[bool]:
    """Let processes, and all that they start later, have no more than `cores` together meanwhile. Gives whether that
    could be had; where it can't, they have what they had.
    """
    made = next((made for made in (_made(tree, cores) for tree in trees) if made), None)
    if made is None:
        yield False
        return
    _move(pids, made)
    try:
        yield True
    finally:
        _move(map(int, (made / _PROCESSES).read_text().split()), made.parent)
        with suppress(OSError):  # what has not ended to the last keeps it
            made.rmdir()


def _made(tree: Tree, cores: float) -> Path | None:
    """A group of that share, or None where this machine has no such hierarchy, or doesn't let us."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="prorata-", dir=tree.folder))
    except OSError:
        return None
    try:
        if (folder / _PERIOD).exists():
            (folder / _PERIOD).write_text(str(_MICROSECONDS))
        share = tree.form.format(share=round(cores * _MICROSECONDS), of=_MICROSECONDS)
        with (folder / tree.file).open("r+") as file:  # is never made: where it is not, the tree is another one
            file.write(share)
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _move(pids: Iterable[int], group: Path) -> None:
    for pid in pids:
        with suppress(OSError):  # it has ended meanwhile
            (group / _PROCESSES).write_text(str(pid))
