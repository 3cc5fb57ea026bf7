"""How much of a bill is read right, asked and wrong, by field; and the command that prints the table of the docs.

python -m tests.bill_pdfs.measuring [bills of each layout, 40 when not said]
"""

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from prorata.adapters.intake.pdf_text import read_pdf
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.reading import read_bill
from prorata.domain.intake.bill_reading.text_folding import plain
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.printing import printed

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


def judged(draft: Draft, facts: Facts) -> dict[str, tuple[str, Any, Any]]:
    """Of each field: right, asked with the right value among those offered, asked without it, or wrong; what was read,
    or why it is asked; and what is true.
    """
    truth = truth_of(facts)
    return {name: _judged(name, getattr(draft, name), truth[name]) for name in FIELDS}


def truth_of(facts: Facts) -> dict[str, Any]:
    """What is true of each field, as `comparable` writes it."""
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
        "lines": facts.lines,
    }


def _judged(name: str, reading: Any, true: Any) -> tuple[str, Any, Any]:
    offered = [comparable(name, choice) for choice in reading.choices]
    if reading.surety != "found":
        return ("offered" if true in offered else "asked"), reading.reason, true
    read = comparable(name, reading.value)
    return ("right" if read == true else "wrong"), read, true


def comparable(name: str, value: Any) -> Any:
    """A value as it is compared with what is true."""
    if name == "lines":
        return {line.name: line.cents for line in value}
    return plain(value) if name == "service_address" else value


def measured(layouts: Iterable[Layout], seeds: Iterable[int]) -> tuple[dict[str, Counter[str]], list[str]]:
    """How often each field was right, offered, asked and wrong; and every wrong one in words."""
    counts = {name: Counter[str]() for name in FIELDS}
    wrong = []
    seeds = list(seeds)
    for layout in layouts:
        for seed in seeds:
            facts = facts_of(layout.locale, seed)
            for name, (result, read, true) in judged(read_bill(read_pdf(printed(facts, layout))), facts).items():
                counts[name][result] += 1
                if result == "wrong":
                    wrong.append(f"{layout.locale} {layout.name}, bill {seed}, {name}: {read} for {true}")
    return counts, wrong


def table(counts: dict[str, Counter[str]]) -> str:
    """The figures as the docs show them, in percent to one place."""
    rows = ["| field | right | asked, the right value offered | asked, not offered | wrong |", "|---|---|---|---|---|"]
    for name, count in counts.items():
        shares = " | ".join(f"{100 * count[result] / count.total():.1f} %" for result in RESULTS)
        rows.append(f"| {FIELDS[name]} | {shares} |")
    return "\n".join(rows)


def main() -> None:
    """Print the tables of the held-out layouts and of those the reader was made with."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for held_out in (True, False):
        layouts = [layout for layout in LAYOUTS if layout.held_out is held_out]
        counts, wrong = measured(layouts, range(number))
        sys.stdout.write(
            f"{'Held out' if held_out else 'Known'}: {len(layouts)} layouts, {number} bills of each\n\n{table(counts)}\n"
        )
        for line in wrong:
            sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
