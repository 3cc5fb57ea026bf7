"""A share of a core for a program and its children, by control groups.

They are the kernel's control groups, of either version, which only root may create. The program runs as if on a small
machine of its own.
"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

_MICROSECONDS = 10_000
"""The share is of each hundredth of a second, so that nobody is halted for longer."""


class Tree(NamedTuple):
    """A hierarchy of control groups that divides CPU.

    `file` is the file in which it keeps shares, and `form` the format of a share.
    """

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
    """Limit processes, and all that they start, to `cores` in total for a while.

    Yield whether that was possible; if not, they keep what they had.
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
        with suppress(OSError):  # unfinished processes keep it
            made.rmdir()


def _made(tree: Tree, cores: float) -> Path | None:
    """Create a control group with that share.

    Return None if there is no such hierarchy, or no permission.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="prorata-", dir=tree.folder))
    except OSError:
        return None
    try:
        if (folder / _PERIOD).exists():
            (folder / _PERIOD).write_text(str(_MICROSECONDS))
        share = tree.form.format(share=round(cores * _MICROSECONDS), of=_MICROSECONDS)
        with (folder / tree.file).open("r+") as file:  # never created: without it, the hierarchy is of another kind
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
