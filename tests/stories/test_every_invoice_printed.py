"""The invoices of the demo account are printed, and say the same cents as the API: all of them in the soak."""

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from prorata.actions.printing import printed_invoices
from prorata.adapters.printing.pdf import TypstPrinter
from prorata.domain.money import in_figures
from prorata.web.api.invoices import shown
from tests.test_demo import caller_of, every_invoice, open_at, prepared

AMOUNT = re.compile(r"-?[$€][\d,]+\.\d\d")
SUM = re.compile(rf"(?: = |the bill: )({AMOUNT.pattern})")
BEFORE_A_CENT, AFTER_A_CENT = re.compile(r"\.\d\d,"), re.compile(rf"the bill: {AMOUNT.pattern}")


def lines_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    lines = [line.strip() for page in document for line in page.get_textpage().get_text_range().splitlines()]
    document.close()
    return lines


def figures(amount: str) -> str:
    """An amount of the page as the API writes it."""
    return re.sub(r"[$€,]", "", amount)


def charges_on(lines: list[str], by_hand: set[str]) -> Iterator[tuple[str, str | None]]:
    """Of each charge between the heads of the table and the total: its amount, and what its last sum comes to."""
    begin = next(at for at, line in enumerate(lines) if line.endswith("Your part"))
    end = next(at for at, line in enumerate(lines) if re.fullmatch(f"Total {AMOUNT.pattern}", line))
    last_sum, begun = None, ""
    for shown_line in lines[begin:end]:
        line, begun = f"{begun} {shown_line}".strip(), ""
        if " = " in line and len(BEFORE_A_CENT.findall(line)) > len(AFTER_A_CENT.findall(line)):
            begun = line  # its cent stands on the next line
        elif SUM.search(line):
            last_sum = SUM.findall(line)[-1]
        elif AMOUNT.fullmatch(line):
            yield figures(line), figures(last_sum) if last_sum else None
            last_sum = None
        elif line.rpartition(" ")[0] in by_hand:
            yield figures(line.rpartition(" ")[2]), None


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
    """Print each invoice, or one of so many, of each standing; returns how many charges explain themselves."""
    database = open_at(url)
    caller = caller_of(prepared(database, folder / "key"))
    printer = TypstPrinter()
    standings, explained = set(), 0
    every = database.read(lambda tx: [shown(one) for one in every_invoice(tx, caller)])
    for said in sorted(every, key=lambda one: one.status)[::step]:
        found = database.snapshot(lambda tx, invoice_id=said.id: printed_invoices.find(tx, caller, invoice_id))
        lines = lines_of(printer(found))
        by_hand = {charge.description for charge in said.custom_charges}
        charged = list(charges_on(lines, by_hand))
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
