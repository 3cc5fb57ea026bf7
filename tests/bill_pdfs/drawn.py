"""Bills that are drawn by hand for a test: a few facts, and whatever stands under their charges."""

from collections.abc import Sequence
from pathlib import Path

import typst

from prorata.adapters.intake.pdf_text import read_pdf
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.bill_reading.reading import read_bill

Rows = Sequence[Sequence[str]]
FACTS = (
    ("Account number", "77-4410-2"),
    ("Bill number", "MW-0001"),
    ("Bill date", "10/25/2026"),
    ("Due date", "11/14/2026"),
    ("Service period", "09/18/2026 to 10/17/2026"),
    ("Service address", "1214 North Harbor Avenue, Chicago, IL 60600"),
)


def bill(
    charges: Rows | str, facts: Rows = FACTS, issuer: str = "Marram Waterworks", extra: str = "", before: str = ""
) -> Draft:
    """What is read of a bill with these facts, and charges in columns or as they are drawn (a string is typst); with
    more drawn before the charges and behind them.
    """
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
    return read_drawn(source)


def read_drawn(source: str) -> Draft:
    """What is read of a bill that is drawn whole."""
    made = typst.compile(source.encode(), root=Path(__file__).parent, format="pdf")
    assert isinstance(made, bytes)
    return read_bill(read_pdf(made))


def table(rows: Rows | str, look: str = "") -> str:
    """Rows of texts as a table, of this look."""
    if isinstance(rows, str):
        return rows
    cells = "".join(f"[{cell}]," for row in rows for cell in row).replace("$", "\\$")
    return f"#table(columns: (1fr, {'auto, ' * (len(rows[0]) - 1)}), stroke: none, {look}{cells})"
