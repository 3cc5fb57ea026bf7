"""Printed invoices of the demo account have the same amounts as the API.

The soak run prints all of them, and other runs print every third.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

from prorata.actions.printing import printed_invoices
from prorata.adapters.locale_forms import LocaleForms
from prorata.adapters.printing.pdf import TypstPrinter
from prorata.domain.money import in_figures
from prorata.domain.printing.rendering import write
from prorata.domain.printing.translations import AMERICAN
from prorata.web.api.invoices.invoices import shown
from tests.test_demo import caller_of, every_invoice, open_at, prepared

AMOUNT = re.compile(r"-?[$€][\d,]+\.\d\d")
LINES_OF_A_NAME = 4
SUM = re.compile(rf"(?: = |the bill: )({AMOUNT.pattern})")


def lines_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    lines = [line.strip() for page in document for line in page.get_textpage().get_text_range().splitlines()]
    document.close()
    return lines


def figures(amount: str) -> str:
    """A printed amount as the API writes it."""
    return re.sub(r"[$€,]", "", amount)


def charges_on(lines: list[str], names: list[str]) -> Iterator[tuple[str, str | None]]:
    """The amount of each named charge, and the result of its last sum.

    The charges are between the head of the table and the total. The amount ends the lines with the charge's name, and
    the sum is in the lines below; it is None if there is no sum.
    """
    begin = 1 + next(at for at, line in enumerate(lines) if line.endswith("Your part"))
    end = next(at for at, line in enumerate(lines) if re.fullmatch(f"Total {AMOUNT.pattern}", line))
    heads, at = [], begin
    for name in names:
        its = re.compile(rf"{re.escape(name)} .*?({AMOUNT.pattern})")
        spans = ((place, place + many) for place in range(at, end) for many in range(1, LINES_OF_A_NAME + 1))
        first, at = next(span for span in spans if its.fullmatch(" ".join(lines[slice(*span)])))
        heads.append((first, at, figures(lines[at - 1].rpartition(" ")[2])))
    for (_, below, amount), (following, _, _) in pairwise([*heads, (end, end, "")]):
        sums = SUM.findall(" ".join(lines[below:following]))
        yield amount, figures(sums[-1]) if sums else None


def after(lines: list[str], label: str) -> list[str]:
    return [
        figures(line.removeprefix(label + " ")) for line in lines if re.fullmatch(f"{label} {AMOUNT.pattern}", line)
    ]


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_every_invoice_of_the_demo_says_the_cents_of_the_api(migrated_sqlite_url: str, tmp_path: Path) -> None:
    assert explained_on_paper(migrated_sqlite_url, tmp_path, step=1) > 1500


def test_every_third_invoice_of_the_demo_says_the_cents_of_the_api(migrated_sqlite_url: str, tmp_path: Path) -> None:
    assert explained_on_paper(migrated_sqlite_url, tmp_path, step=3) > 500


def explained_on_paper(url: str, folder: Path, *, step: int) -> int:
    """Print every `step`-th invoice, and count the charges that show their sum.

    The printed invoices have every standing.
    """
    database = open_at(url)
    caller = caller_of(prepared(database, folder / "key"))
    printer = TypstPrinter()
    standings, explained = set(), 0
    every = database.read(lambda tx: [shown(one) for one in every_invoice(tx, caller)])
    for said in sorted(every, key=lambda one: one.status)[::step]:
        found = database.snapshot(lambda tx, invoice_id=said.id: printed_invoices.find(tx, caller, invoice_id))
        lines = lines_of(printer(found))
        names = [one.name for one in write(found, AMERICAN, LocaleForms("en-US")).charges]
        charged = list(charges_on(lines, names))
        wanted = [charge.amount for charge in (*said.charges, *said.custom_charges)]
        assert sorted(amount for amount, _ in charged) == sorted(wanted), said.invoice_number
        assert all(worked_out in (amount, None) for amount, worked_out in charged), said.invoice_number
        assert after(lines, "Total") == [said.total_amount]
        assert after(lines, "Paid") == [said.paid_amount]
        balance = [] if said.status == "CANCELLED" else [in_figures(found.balance)]
        assert after(lines, "Balance") == balance
        assert found.balance == found.total - found.paid
        assert any(said.invoice_number in line for line in lines)
        assert (said.tenant_name or "No tenant") in " ".join(lines)
        standings.add(found.standing)
        explained += sum(worked_out is not None for _, worked_out in charged)
        if said.status not in ("DRAFT", "CANCELLED"):
            assert all(charge.explanation for charge in found.charges if charge.utility_type)
    database.close()
    assert standings >= {"draft", "cancelled", "paid", "overdue", "due"}
    return explained
