"""`prorata verify` checks an explanation without a database.

A file that is no explanation is refused in a sentence.
"""

import json
import subprocess
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from prorata.adapters.exports.packs import packed
from prorata.domain.billing_calendar import Month
from prorata.domain.money import in_figures
from prorata.domain.splitting.correction_sentences import about_correction, sentence as correction_sentence
from prorata.domain.splitting.explained_invoices import IssuedCharge, IssuedInvoice, explained_invoice
from prorata.domain.splitting.explained_months import ExplainedMonth
from prorata.domain.splitting.month_facts import Line, MonthFacts
from prorata.domain.splitting.planned_charges import about_bill
from prorata.domain.splitting.planned_invoices import plan_month
from prorata.domain.splitting.sealed_json import sealed
from prorata.domain.splitting.share_rules import Component, Rule
from prorata.domain.splitting.stays import Stay, UnitFacts
from prorata.ports.files import PackFile
from tests.cli.running import Command
from tests.house.sources import ROOT

HALVES = (Component("SQFT", Fraction(50)), Component("OCCUPANTS", Fraction(50)))
RULES = (
    Rule("ELECTRICITY", "SQFT", {}, Fraction(), Fraction()),
    Rule("WATER", "EQUAL", {}, Fraction(10), Fraction(1), HALVES),
)
ANN, BO = Stay("ann", None, date(2026, 3, 14)), Stay("bo", date(2026, 3, 16), None)
UNITS = (
    UnitFacts("u1", "1", Fraction(850), None, None, None, (ANN, BO)),
    UnitFacts("u2", "2", Fraction(620), None, None, None, (Stay("cy", None, None),)),
)
LINES = (
    Line("b1", 1, 147_00, "ELECTRICITY", "Power & Light", date(2026, 3, 20), 152_00),
    Line("b1", 2, 5_00, None, "Power & Light", date(2026, 3, 20), 152_00),
    Line("b2", 1, -100_01, "WATER", "Aqua", date(2026, 3, 21), -100_01),
)
MONTH = ExplainedMonth(
    MonthFacts(Month("2026-03"), "USD", LINES, {rule.utility_type: rule for rule in RULES}, UNITS),
    "prop_1",
)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """The command with no settings except for a folder, which it does not use."""
    return Command(tmp_path / "offline")


def invoices() -> list[str]:
    return [
        sealed(
            explained_invoice(
                MONTH,
                IssuedInvoice("inv_1", "A-1-2026-03", unit, "1", sequence, draft.tenant_id),
                [IssuedCharge(*charge[:5], None) for charge in draft.charges],
                {("b1", 2): "LATE_FEE"},
            )
        )
        for (unit, sequence), draft in plan_month(MONTH.facts, {}).drafts.items()
    ]


def corrected_shares() -> list[str]:
    """Explanations of invoices for April that correct each share of March by -$12.76."""
    april = MONTH.facts._replace(month=Month("2026-04"), lines=())
    texts = []
    for (unit, sequence), draft in plan_month(MONTH.facts, {}).drafts.items():
        charges = []
        for bill_id, number, utility, part, said in (charge[:5] for charge in draft.charges):
            line = MONTH.facts.line(bill_id, number)
            assert line is not None
            why = said.removeprefix(f"{about_bill(line, 'USD')}: ")
            about = about_correction(MONTH.facts.month, line.issuer, line.bill_date)
            words = correction_sentence(about, part + 12_76, part, "USD", why)
            charges.append(IssuedCharge(bill_id, number, utility, -12_76, words, MONTH.facts.month, draft.tenant_id))
        invoice = IssuedInvoice("inv_2", "A-1-2026-04", unit, "1", sequence, draft.tenant_id)
        explained = ExplainedMonth(april, "prop_1")
        texts.append(sealed(explained_invoice(explained, invoice, charges, {}, {MONTH.facts.month: MONTH})))
    return texts


@pytest.mark.parametrize("text", [sealed(MONTH.content({("b1", 2): "LATE_FEE"})), *invoices(), *corrected_shares()])
def test_an_explanation_is_verified_with_no_database_and_no_settings(command: Command, text: str) -> None:
    file = command.folder / "explanation.json"
    file.write_text(text, encoding="utf-8")

    said = command.ok("verify", file)

    assert said.endswith("Recomputing it gives exactly the amounts that it states."), said
    assert not command.data.exists()


def test_an_amount_that_was_changed_is_found_where_it_stands(command: Command) -> None:
    file = command.folder / "explanation.json"
    content = json.loads(invoices()[0])
    content["charges"][0]["steps"][0]["household"]["part"] = "99.99"
    file.write_text(sealed(content), encoding="utf-8")

    done = command.run("verify", file)

    assert done.code == 1
    assert done.out.startswith("charges[0].steps[0].household.part: “99.99” is said, “43.87” comes out")
    assert done.err.strip() == f"{file}: recomputing it gives different results."


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (b"", "This isn’t a complete JSON object. It may have been cut off."),
        (b"Dear tenant", "This isn’t a complete JSON object. It may have been cut off."),
        (invoices()[0].encode()[:300], "This isn’t a complete JSON object. It may have been cut off."),
        (b'{"a": 1}', "This is JSON, but not an explanation: it has no “format”."),
        (
            b'{"format": "prorata-explanation/9"}',
            "This explanation isn’t in the format prorata-explanation/1, the only one that this program reads.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_explanation_is_refused_in_a_sentence_and_left_as_it_is(
    command: Command, kept: bytes, said: str
) -> None:
    file = command.folder / "file"
    file.write_bytes(kept)

    assert command.refused("verify", file) == f"{file}: {said}"
    assert file.read_bytes() == kept


def test_bytes_that_are_no_text_are_refused_in_a_sentence(command: Command) -> None:
    file = command.folder / "explanation.json"
    file.write_bytes(b"\x03\x04\xff\xfe")

    assert command.refused("verify", file) == f"{file} is not UTF-8 text, so it can't be an explanation."


def test_ten_lines_of_python_from_the_docs_compute_every_charge(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "explanations.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    assert len(program.split("\n\n")[1].splitlines()) <= 10, "the imports beside"
    for text in (*invoices(), *corrected_shares()):
        file = tmp_path / "explanation.json"
        file.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, "-c", program, file], capture_output=True, text=True, check=True)
        charged = [line.split() for line in run.stdout.splitlines()]
        assert [said for said, _ in charged] == [one["amount"] for one in json.loads(text)["charges"]]
        assert all(Fraction(said) == Fraction(comes_out) for said, comes_out in charged), run.stdout
    assert {one["kind"] for one in json.loads(corrected_shares()[0])["charges"]} == {"correctedShare"}


def test_a_pack_is_checked_against_its_manifest_and_its_explanations_are_computed_anew(command: Command) -> None:
    explained = invoices()[0].encode()
    whole = b"".join(packed([PackFile("index.html", b"<p>"), PackFile("explanations/A-1.json", explained)]))
    file = command.folder / "pack.zip"
    file.write_bytes(whole)
    said = command.ok("verify", file)
    assert said.startswith("2 files as listed in the manifest\n")
    assert said.endswith(
        "Recomputing it gives exactly the amounts that it states.\n1 explanation: 2 charges recomputed, 0 taken "
        "as stated."
    )

    file.write_bytes(whole[: len(whole) // 2])
    assert (
        command.refused("verify", file) == f"{file}: The file is not a ZIP file, or was cut off or changed in transit."
    )

    content = json.loads(explained)
    content["charges"][0]["amount"] = "99.99"
    file.write_bytes(b"".join(packed([PackFile("explanations/A-1.json", sealed(content).encode())])))
    done = command.run("verify", file)
    assert (done.code, done.err.strip()) == (1, "explanations/A-1.json: recomputing it gives different results.")


def test_a_pack_without_explanations_says_that_no_charge_was_computed(command: Command) -> None:
    file = command.folder / "pack.zip"
    file.write_bytes(b"".join(packed([PackFile("index.html", b"<p>")])))

    assert command.ok("verify", file) == (
        "1 file as listed in the manifest\nIt contains no explanation, because no charge was computed."
    )


CORRECTED = (
    "Correction of February 2026: Aqua, bill of 2026-02-20: $192.06 was charged; $65.06 is right: 600 of 1,000 sq "
    "ft; -$27.00 is left to the owner; -$40.00 of the difference is not decided"
)
AGAIN = (
    "Correction of February 2026: Aqua, bill of 2026-02-20: $192.06 was charged, which February charges itself again"
)


def with_charges(*charges: IssuedCharge) -> dict[str, Any]:
    invoice = IssuedInvoice("inv_1", "A-1-2026-03", "u1", "1", 0, "ann")
    return explained_invoice(MONTH, invoice, charges, {})


def corrected(amount: int, sentence: str) -> IssuedCharge:
    return IssuedCharge("b0", 1, "WATER", amount, sentence, "2026-02")


def test_how_many_charges_are_computed_and_how_many_are_taken_as_they_say_is_told(command: Command) -> None:
    content = with_charges(
        corrected(-60_00, CORRECTED),
        corrected(-192_06, AGAIN),
        corrected(-5_00, "Correction of a meter"),
        corrected(-61_00, CORRECTED),
        IssuedCharge(None, None, None, 30_00, "Garage, March", None),
    )
    content["charges"] += json.loads(invoices()[0])["charges"]
    content["total"] = in_figures(sum(int(one["amount"].replace(".", "")) for one in content["charges"]))
    shares = len(content["charges"]) - 5
    assert [one["kind"] for one in content["charges"][:5]] == ["correction"] * 3 + ["stated", "byHand"]
    text = sealed(content)
    file = command.folder / "explanation.json"
    file.write_text(text, encoding="utf-8")

    said = command.ok("verify", file)

    counts = f"{shares + 2} charges recomputed, 3 taken as stated."
    assert said.splitlines()[1:4] == [
        f"computed anew, with every cent in its bounds: {shares} shares, 0 corrections",
        "held against what is said to be right: 2 corrections",
        "taken as they say: 1 by hand, 1 stated, 1 correction not to be read",
    ]
    assert said.endswith(f"\nRecomputing what can be recomputed gives the amounts that it states: {counts}")

    file.write_bytes(b"".join(packed([PackFile("explanations/A-1.json", text.encode())])))
    assert command.ok("verify", file).endswith(f"\n1 explanation: {counts}")


@pytest.mark.parametrize("text", [invoices()[0], corrected_shares()[0]])
def test_a_charge_that_stands_twice_under_two_numbers_of_its_line_is_told_to_be_asked_about(
    command: Command, text: str
) -> None:
    content = json.loads(text)
    again = json.loads(text)["charges"][0]
    again["line"]["number"] = 7
    content["charges"].insert(1, again)
    cents = sum(int(one["amount"].replace(".", "")) for one in content["charges"])
    content["total"] = in_figures(cents)
    file = command.folder / "explanation.json"
    file.write_text(sealed(content), encoding="utf-8")

    *_, asked, last = command.ok("verify", file).splitlines()

    assert asked == (
        "Ask for the bill. charges[0], charges[1]: lines of 294.00 in all, of a bill with 147.00 to divide; "
        "only credits among its other lines make that so"
    )
    assert last == (
        "Recomputing what can be recomputed gives the amounts that it states: 3 charges recomputed, 0 taken as stated."
    )


@pytest.mark.parametrize(("amount", "sentence", "right"), [(-60_00, CORRECTED, "-60.00"), (-192_06, AGAIN, "-192.06")])
def test_a_correction_that_is_not_what_its_sentence_says_is_found(
    command: Command, amount: int, sentence: str, right: str
) -> None:
    content = with_charges(corrected(amount, sentence))
    content["charges"][0]["amount"] = content["total"] = "-999.00"
    file = command.folder / "explanation.json"
    file.write_text(sealed(content), encoding="utf-8")

    done = command.run("verify", file)

    assert done.code == 1
    assert done.out.strip() == f"charges[0].amount: “-999.00” is said, “{right}” comes out"


def test_a_share_that_is_called_by_hand_is_found_by_the_fields_it_has_left(command: Command) -> None:
    content = json.loads(invoices()[0])
    content["charges"] = content["charges"][:1]
    content["charges"][0] |= {"kind": "byHand", "amount": "5000.00", "billId": "b1"}
    content["total"] = "5000.00"
    file = command.folder / "explanation.json"
    file.write_text(sealed(content), encoding="utf-8")

    done = command.run("verify", file)

    assert done.code == 1
    for name in ("line", "share", "steps", "billId"):
        assert f"charges[0].{name}: no field of prorata-explanation/1" in done.out
