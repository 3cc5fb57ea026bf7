"""Facts of a bill that are of another bill, a bank or somebody else: a person is asked, however they are told apart."""

import pytest

from tests.bill_pdfs.drawn import FACTS, bill

CHARGES = (("Water service", "100.00"), ("Sewer service", "240.00"), ("Amount due", "340.00"))
LAST = (
    "Bill number: MW-0000\n\nBill date: 09/25/2026\n\nDue date: 10/14/2026\n\nService period: 08/18/2026 to 09/17/2026"
)


@pytest.mark.parametrize("heading", ["Your last bill", "Next bill", "Ihre letzte Rechnung"])
def test_facts_of_one_cell_below_a_heading_of_another_bill_are_asked(heading: str) -> None:
    draft = bill(CHARGES, f"{heading}\n\n{LAST}")

    assert {one.surety for one in (draft.bill_number, draft.bill_date, draft.due_date, draft.service_end)} == {"asked"}


def test_facts_of_one_cell_below_each_other_are_found() -> None:
    draft = bill(CHARGES, "\n\n".join(": ".join(fact) for fact in FACTS))

    assert {one.surety for one in draft[:8]} == {"found"}


@pytest.mark.parametrize(
    "account",
    [
        "Sort code: 12-34-56\n\nAccount number: 12345678",
        "Routing number: 021000021\n\nAccount number: 12345678",
        "Account number: 12345678\n\nBank: Harbor Bank",
    ],
)
def test_the_account_to_pay_to_is_asked_in_one_cell_too(account: str) -> None:
    draft = bill(CHARGES, (("Utility account", "77-4410-2"), *FACTS[1:]), extra=account)

    assert draft.account_number.surety == "asked"


def test_an_iban_is_no_account_number() -> None:
    facts = (("Utility account", "77-4410-2"), *FACTS[1:])
    draft = bill(CHARGES, facts, extra="Numéro de compte : FR76 3000 6000 0112 3456 7890 189")

    assert (draft.account_number.surety, draft.account_number.value) == ("asked", "77-4410-2")
