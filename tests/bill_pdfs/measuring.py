"""Measure how many fields of generated bills are read correctly, asked about, or read wrongly.

The command prints the tables of the documentation:

    python -m tests.bill_pdfs.measuring [bills of each layout, 40 by default]
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.printing import printed
from tests.pdf_pages import read_pdf

FIELDS = {
    "issuer": "issuer",
    "account_number": "account number",
    "bill_number": "bill number",
    "bill_date": "bill date",
    "due_date": "due date",
    "service_start": "first day of service",
    "service_end": "last day of service",
    "service_address": "service address",
    "total": "total",
    "lines": "lines by utility",
}
RESULTS = ("right", "offered", "asked", "wrong")
FIRST, SECOND, THIRD = "first bill", "second bill", "third bill"
LATER = 1000
"""So far apart are the seeds of the bills that follow each other."""
Counts = dict[str, Counter[str]]


class Measured(NamedTuple):
    """The counts of right, offered, asked and wrong results for each field of a bill.

    Each wrong result is also described in words.
    """

    counts: Counts
    wrong: list[str]


def judged(draft: Draft, facts: Facts) -> dict[str, tuple[str, Any, Any]]:
    """Judge each field, and return the result, what was read, and the true value.

    The results are `right`, `offered` (a person is asked, and the right value is among the choices), `asked` (it is
    not) and `wrong`. If a person is asked, the reason is returned in place of what was read.
    """
    truth = truth_of(facts)
    return {name: _judged(name, getattr(draft, name), truth[name]) for name in FIELDS}


def truth_of(facts: Facts) -> dict[str, Any]:
    """Return the true value of each field, in the form that `comparable` returns."""
    return {
        "issuer": facts.issuer,
        "account_number": facts.account,
        "bill_number": facts.number,
        "bill_date": facts.billed,
        "due_date": facts.due,
        "service_start": facts.start,
        "service_end": facts.end,
        "service_address": plain(", ".join(facts.address)),
        "total": facts.total,
        "lines": lines_of(facts),
    }


def lines_of(facts: Facts) -> dict[str, int] | None:
    """The true lines of a bill, or None if only a person can tell them.

    An instalment under budget billing is for the bill's only utility; if there are several, only a person can divide
    it.
    """
    kinds = {section.kind for section in facts.sections}
    return {kinds.pop(): facts.total} if facts.instalment and len(kinds) == 1 else facts.lines


def _judged(name: str, reading: Any, true: Any) -> tuple[str, Any, Any]:
    offered = [comparable(name, choice) for choice in reading.choices]
    if reading.surety != "found":
        return ("offered" if true in offered else "asked"), reading.reason, true
    read = comparable(name, reading.value)
    return ("right" if read == true else "wrong"), read, true


def comparable(name: str, value: Any) -> Any:
    """Convert a value to the form in which it is compared with the true value."""
    if name == "lines":
        return {line.name: line.cents for line in value}
    return plain(value) if name == "service_address" else value


def shown(facts: Facts) -> Shown:
    """Return the facts that a person confirms about a bill."""
    return Shown(
        facts.issuer,
        {"account_number": facts.account, "bill_number": facts.number},
        {
            "bill_date": facts.billed, "due_date": facts.due,
            "service_start": facts.start, "service_end": facts.end,
        },
        facts.total,
        tuple((lines_of(facts) or {}).items()),
    )  # fmt: skip


def next_of(facts: Facts, seed: int, story: str | None = None) -> Facts:
    """A later bill of the same issuer for the same account number.

    Its bill number has the same form.
    """
    kinds = " ".join(section.kind for section in facts.sections)
    following = facts_of(facts.locale, seed, kinds=kinds, story=story)
    dice = Random(f"{facts.number} {seed}")
    return following._replace(
        issuer=facts.issuer,
        site=facts.site,
        account=facts.account,
        number=re.sub(r"(?<!^)[0-9]", lambda _: str(dice.randrange(10)), facts.number),
        address=facts.address,
        recipient=facts.recipient,
    )


def pages_of(facts: Facts, layout: Layout) -> tuple[Page, ...]:
    """Print a bill, and return its pages as they are read."""
    return read_pdf(printed(facts, layout))


def in_turn(layout: Layout, seed: int, bills: int = 3, story: str | None = None) -> Iterator[tuple[Facts, Draft]]:
    """Yield consecutive bills of an issuer, each read with the lessons of those before it.

    `story` is the story of the first bill.
    """
    lesson: PageLesson | None = None
    facts = facts_of(layout.locale, seed, story=story)
    for number in range(bills):
        facts = next_of(facts, seed + LATER * number) if number else facts
        pages = pages_of(facts, layout)
        yield facts, read_with(pages, [lesson] if lesson else [])
        lesson = learned(pages, shown(facts), lesson)


def measured(layouts: Iterable[Layout], seeds: Iterable[int], bills: int = 1) -> dict[str, Measured]:
    """Measure the reading of the first bills of issuers, and of the bills after them."""
    names = (FIRST, SECOND, THIRD)[:bills]
    found = {name: Measured({field: Counter() for field in FIELDS}, []) for name in names}
    seeds = list(seeds)
    for layout in layouts:
        for seed in seeds:
            for which, (facts, draft) in zip(names, in_turn(layout, seed, bills), strict=True):
                for name, (result, read, true) in judged(draft, facts).items():
                    found[which].counts[name][result] += 1
                    if result == "wrong":
                        said = f"{layout.locale} {layout.name}, bill {seed}, {which}, {name}: {read} for {true}"
                        found[which].wrong.append(said)
    return found


def table(counts: Counts) -> str:
    """Format the figures as in the documentation, in percent with one decimal."""
    rows = ["| field | right | asked, the right value offered | asked, not offered | wrong |", "|---|---|---|---|---|"]
    for name, count in counts.items():
        shares = " | ".join(f"{100 * count[result] / count.total():.1f} %" for result in RESULTS)
        rows.append(f"| {FIELDS[name]} | {shares} |")
    return "\n".join(rows)


def main() -> None:
    """Print the tables of the held-out layouts and of those used to develop the reader."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for held_out in (True, False):
        layouts = [layout for layout in LAYOUTS if layout.held_out is held_out]
        for which, (counts, wrong) in measured(layouts, range(number), bills=3).items():
            group = f"{'Held out' if held_out else 'Known'}: {len(layouts)} layouts, {number} times the {which}"
            sys.stdout.write(f"{group}\n\n{table(counts)}\n\n")
            for line in wrong:
                sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
