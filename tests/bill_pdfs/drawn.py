"""Bills drawn for a test from a few facts, their charges, and anything below them."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import typst

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.words import Page
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson, Shown
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.pdf_pages import read_pdf
from tests.read_bills import read_bill

Rows = Sequence[Sequence[str]]
ISSUER = "Marram Waterworks"
FACTS = (
    ("Account number", "77-4410-2"),
    ("Bill number", "MW-0001"),
    ("Bill date", "10/25/2026"),
    ("Due date", "11/14/2026"),
    ("Service period", "09/18/2026 to 10/17/2026"),
    ("Service address", "1214 North Harbor Avenue, Chicago, IL 60600"),
)
WATER_AND_SEWER = {"WATER": ("Water service", "100.00"), "SEWER": ("Sewer service", "240.00")}


def bill(
    charges: Rows | str, facts: Rows | str = FACTS, issuer: str = ISSUER, extra: str = "", before: str = ""
) -> Draft:
    """Read a bill with the given facts and charges.

    Charges given as rows are drawn in columns; a typst string is drawn as it is. `before` is drawn before the charges,
    and `extra` after them.
    """
    return read_bill(pages(charges, facts, issuer, extra, before))


def next_bill(
    charges: Rows | str,
    of: Mapping[str, tuple[str, str]] = WATER_AND_SEWER,
    facts: Rows | str = FACTS,
    extra: str = "",
    before: str = "",
) -> Draft:
    """Read a bill after an earlier bill of its issuer was confirmed.

    The earlier bill had only one charge for each utility; `of` contains the words and the amount of each.
    """
    return read_with(pages(charges, facts, ISSUER, extra, before), [taught(tuple(of.items()))])


@cache
def taught(
    of: tuple[tuple[str, tuple[str, str]], ...], total: tuple[str, str] = ("Amount due", "340.00")
) -> PageLesson:
    """Return the lesson of a bill with only these charges and this total.

    There is one charge for each utility.
    """
    lines = tuple((kind, cents_of(amount)) for kind, (_, amount) in of)
    rows = (*(charge for _, charge in of), total)
    days = (
        ("Bill date", "bill_date", date(2026, 9, 25)), ("Due date", "due_date", date(2026, 10, 14)),
        ("Service period", "service_start", date(2026, 8, 18)), ("Service period", "service_end", date(2026, 9, 17)),
    )  # fmt: skip
    facts = (
        FACTS[0], ("Bill number", "MW-0000"), *((label, f"{day:%m/%d/%Y}") for label, _, day in days[:2]),
        ("Service period", "08/18/2026 to 09/17/2026"), FACTS[5],
    )  # fmt: skip
    shown = Shown(
        ISSUER, {"account_number": "77-4410-2", "bill_number": "MW-0000"}, {name: day for _, name, day in days},
        cents_of(total[1]), lines,
    )  # fmt: skip
    return learned(pages(rows, facts), shown)


def cents_of(amount: str) -> int:
    """The cents of an amount with two decimals."""
    return int("".join(letter for letter in amount if letter.isdigit()))


def billed(draft: Draft) -> dict[str, int] | None:
    """The lines that a draft states, or None if a person is asked."""
    return {line.name: line.cents for line in draft.lines.value or ()} if draft.lines.surety == "found" else None


def pages(
    charges: Rows | str, facts: Rows | str = FACTS, issuer: str = ISSUER, extra: str = "", before: str = ""
) -> tuple[Page, ...]:
    """The pages of a bill with the given facts and charges."""
    source = f"""#set page(width: 21cm, height: 29.7cm)
= {issuer}
PO Box 9, Chicago, IL 60601 · www.marramwaterworks.example

{table(facts)}

{before}

== Charges
{table(charges)}

{extra}

Please make your check payable to {issuer}.
"""
    return pages_drawn(source)


def read_drawn(source: str) -> Draft:
    """Read a bill whose typst source is given as a whole."""
    return read_bill(pages_drawn(source))


def pages_drawn(source: str) -> tuple[Page, ...]:
    """The pages of a bill whose typst source is given as a whole."""
    made = typst.compile(source.encode(), root=Path(__file__).parent, format="pdf")
    assert isinstance(made, bytes)
    return read_pdf(made)


def table(rows: Rows | str, look: str = "") -> str:
    """Rows as a typst table with the given look; a string is returned unchanged."""
    if isinstance(rows, str):
        return rows
    cells = "".join(f"[{cell}]," for row in rows for cell in row).replace("$", "\\$")
    return f"#table(columns: (1fr, {'auto, ' * (len(rows[0]) - 1)}), stroke: none, {look}{cells})"
