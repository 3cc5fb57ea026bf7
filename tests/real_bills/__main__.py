"""Measure how real bills are read: `python -m tests.real_bills FOLDER`.

FOLDER has a folder for each issuer, with its bills as PDF and the truth beside each, a JSON file of the same name (see
`truth.py`). The first bill of an issuer is read as of one that nobody knows, each later one once those before it were
confirmed. Nothing of the bills is kept.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.intake.pointing.taught_reading import read_with
from prorata.errors import InvalidRequest
from tests.pdf_pages import read_pdf
from tests.real_bills.truth import outcomes, truth_of

FIRST, NEXT = "first bill", "next bill"


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Read every bill below a folder, and print how often each field was right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="also say what was read otherwise, bill by bill")
    parser.add_argument("--only", default="", help="issuers whose folder has this in its name")
    wanted = parser.parse_args()
    sums: dict[str, Counter[tuple[str, str]]] = {FIRST: Counter(), NEXT: Counter()}
    seconds: list[float] = []
    lessons: dict[str, PageLesson] = {}
    for issuer, bills in _issuers(wanted.folder, wanted.only):
        lessons.pop(issuer, None)
        for path in bills:
            truth = truth_of(path)
            began = time.process_time()
            try:
                pages = read_pdf(path.read_bytes())
            except InvalidRequest as refused:
                say(f"{path.parent.name}/{path.name}: {refused.message}")
                continue
            draft = read_with(pages, list(lessons.values()) if issuer in lessons else ())
            seconds.append(time.process_time() - began)
            known = lessons.get(issuer)
            for field, outcome, said in outcomes(draft, truth):
                which = NEXT if known and (field != "lines" or known.kinds) else FIRST  # no lines, nothing taught
                sums[which][field, outcome] += 1
                if wanted.each and outcome not in ("right", "not there"):
                    say(f"{path.parent.name}/{path.name} {which}: {field} {outcome}: {said}")
            lessons[issuer] = learned(pages, truth.shown(issuer), lessons.get(issuer))
    for which, counts in sums.items():
        say(f"\n{which}:")
        for field in dict.fromkeys(field for field, _ in counts):
            of = {
                outcome: number for (one, outcome), number in counts.items() if one == field and outcome != "not there"
            }
            number = sum(of.values())
            said = ", ".join(
                f"{outcome} {count} ({100 * count / number:.0f} %)" for outcome, count in sorted(of.items())
            )
            say(f"  {field:<16} {number:>4}  {said}")
    ordered = sorted(seconds)
    say(
        f"\n{len(ordered)} bills; seconds of a processor: median {ordered[len(ordered) // 2]:.2f}, most {ordered[-1]:.2f}"
    )


def _issuers(folder: Path, only: str) -> Iterator[tuple[str, list[Path]]]:
    for issuer in sorted(path for path in folder.iterdir() if path.is_dir() and only in path.name):
        bills = sorted(path for path in issuer.glob("*.pdf") if path.with_suffix(".json").exists())
        if bills:
            yield issuer.name, bills


if __name__ == "__main__":
    main()
