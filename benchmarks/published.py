"""The results in the checkout, which are figures of commits that anybody can check out."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import DIRTY, UNKNOWN
from benchmarks.places import ROOT
from benchmarks.progress import tell


def why_not(file: Path, commits: Sequence[str]) -> str | None:
    """Explain why figures of these commits are not written to a file.

    Return None if they are. A file that does not belong to the checkout, and that `make clean` removes, is always
    written.
    """
    if file.parent != ROOT / "benchmarks":
        return None
    if any(UNKNOWN in each for each in commits):
        return "this is no git checkout, so that nobody could go back to what was measured. Measure in a clone"
    if any(DIRTY in each for each in commits):
        return (
            f"they were measured on changes that are not committed ({', '.join(commits)}), so that nobody could go "
            "back to them. Commit what `git status` shows, and measure again"
        )
    return None


def warn(file: Path, commit: str) -> None:
    """Warn before a long run that its figures will only be printed."""
    reason = why_not(file, [commit])
    if reason:
        tell(f"The figures will be printed, not written to {file.name}: {reason}.")


def write(text: str, file: Path, commits: Sequence[str]) -> bool:
    """Write figures to a file, or print them with the reason.

    Return True if they were written.
    """
    reason = why_not(file, commits)
    if reason:
        tell(f"\n{text}\nNot written to {file.name}: {reason}.")
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    tell(f"Written: {file}")
    return True
