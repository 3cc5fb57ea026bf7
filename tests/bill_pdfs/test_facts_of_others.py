"""A person is asked about facts of another bill, a bank or somebody else.

The many ways in which bills tell such facts apart make no difference.
"""

from time import process_time

import pytest

from prorata.domain.intake.bill_reading.draft import Draft
from tests.bill_pdfs.drawn import FACTS, Rows, bill, read_drawn, table
from tests.domain.intake.test_bill_reading import page
from tests.pace import slowness
from tests.read_bills import read_bill

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


HISTORY = table((("Bill date", "Due date", "Amount"), ("09/25/2026", "10/14/2026", "310.00")))
SECTIONS: dict[str, tuple[Rows, str, tuple[str, ...]]] = {
    "earlier bills": (FACTS[:1], f"=== Billing history\n{HISTORY}", ("bill_date", "due_date")),
    "a cancelled bill": (
        FACTS[:4],
        "=== Cancelled\nBilling period: 08/18/2026 to 09/17/2026",
        ("service_start", "service_end"),
    ),
    "a replaced bill": (
        (("Corrected bill", "MW-0001"), ("This invoice replaces", ""), ("Bill number", "MW-0000"), FACTS[2]),
        "",
        ("bill_number", "bill_date"),
    ),
    "a deposit": (FACTS[:3], "=== Your deposit\nDue date: 11/30/2026", ("due_date",)),
    "a bank": (
        (("Utility account", "77-4410-2"), *FACTS[1:]),
        "=== Direct debit\n" + table((("Account number", "12345678"),)),
        ("account_number",),
    ),
    "a card": (
        (("Utility account", "77-4410-2"), *FACTS[1:]),
        "=== Pay by card\n" + table((("Account number", "12345678"),)),
        ("account_number",),
    ),
    "the next bill": (FACTS[:4], "=== Your next bill\nBilling period: 10/18/2026 to 11/17/2026", ("service_end",)),
    "a month": (FACTS[:1], f"=== September 2026\n{LAST}", ("bill_number", "due_date")),
    "a bill of a month": (FACTS[:1], f"=== Bill of September 2026\n{LAST}", ("bill_number", "due_date")),
    "a bill of a day": (FACTS[:1], f"=== Bill of 09/25/2026\n{LAST}", ("bill_number", "due_date")),
    "a sentence": (FACTS[:1], f"This bill replaces the one of last month.\n\n{LAST}", ("bill_number", "due_date")),
    "a bank in a row": (
        (("Utility account", "77-4410-2"), *FACTS[1:]),
        table((("Name", "Sort code", "Account number"), ("Marram", "12-34-56", "12345678"))),
        ("account_number",),
    ),
    "a half of the page": (
        FACTS[:1],
        f"#grid(columns: (1fr, 1fr), [=== Notes\n Call us on any day], [=== Billing history\n{LAST}])",
        ("bill_number", "due_date"),
    ),
    "another house": (FACTS[:5], "=== Your other home\nService address: 7 Elm Street, Chicago, IL 60601", ("service_address",)),
}  # fmt: skip


@pytest.mark.parametrize(("facts", "extra", "fields"), SECTIONS.values(), ids=SECTIONS)
def test_facts_below_a_heading_of_something_else_are_asked(facts: Rows, extra: str, fields: tuple[str, ...]) -> None:
    assert {field: _surety(bill(CHARGES, facts, extra=extra), field) for field in fields} == dict.fromkeys(
        fields, "asked"
    )


def test_hundreds_of_labels_below_each_other_take_little_time() -> None:
    hostile = [page(*[f"Due date: 10/{row % 28 + 1:02}/2026" for row in range(900)], number=n) for n in (1, 2, 3)]
    began = process_time()

    assert read_bill(hostile).due_date.surety == "asked"
    assert process_time() - began < 3 * slowness()


HEADINGS = "Account information", "Billing details", "Rechnungsdaten", "Vos références", "Datos del contrato"


@pytest.mark.parametrize("heading", HEADINGS)
def test_facts_below_a_heading_of_this_bill_are_found(heading: str) -> None:
    fields = "account_number", "bill_date", "service_end"
    draft = bill(CHARGES, "", before=f"=== {heading}\n" + table((FACTS[0], FACTS[2], FACTS[4])))

    assert {_surety(draft, field) for field in fields} == {"found"}


def test_a_heading_of_unknown_words_is_that_of_this_bill_where_most_facts_stand_below_it() -> None:
    all_below = bill(CHARGES, "", before=f"=== Serving you since long ago\n{table(FACTS)}")
    few_below = bill(CHARGES, FACTS[:4], before=f"=== Serving you since long ago\n{table(FACTS[4:])}")

    assert {one.surety for one in all_below[1:8]} == {"found"}
    assert (few_below.due_date.surety, few_below.service_end.surety) == ("found", "asked")


def test_the_french_label_of_a_customers_account_is_known() -> None:
    account = bill(CHARGES, (("N° de compte client", "77-4410-2"), *FACTS[1:])).account_number

    assert (account.surety, account.value) == ("found", "77-4410-2")


MASKED = {
    "stars": (("Account number", "\\*\\*\\*\\*\\*4410"),),
    "one star": (("Account number", "\\*4410"),),
    "letters": (("Account number", "XXXX4410"),),
    "letters and lines": (("Account number", "xxx-xxx-4410"),),
    "signs": (("Account number", "\\#\\#\\#\\#4410"),),
    "points": (("Account number", "••••4410"),),
    "points apart": (("Account number", "•••• 4410"),),
    "stars in one cell": "Account number: \\*\\*\\*\\*4410",
    "stars without a colon": "Account number \\*\\*\\*\\*4410",
    "figures behind": "#table(columns: 3, stroke: none, [Account number], [77-4410], [2])",
    "a dash and figures behind": "#table(columns: 4, stroke: none, [Account number], [77-4410], [-], [2])",
    "a letter behind": "#table(columns: 3, stroke: none, [Account number], [77-4410], [B])",
    "figures behind one cell": "Account number: 77-4410 #h(2em) 2",
    "figures behind below": "#table(columns: 3, stroke: none, [Account number], [], [], [77-4410], [2], [])",
}


@pytest.mark.parametrize("facts", MASKED.values(), ids=MASKED)
def test_a_number_that_is_masked_or_divided_is_asked(facts: Rows) -> None:
    assert bill(CHARGES, facts).account_number.surety in ("asked", "missing")


def test_numbers_beside_each_other_below_heads_are_found() -> None:
    draft = bill(CHARGES, (("Account number", "Bill number", "Meter"), ("77-4410-2", "MW-0001", "4417")))

    assert (draft.account_number.value, draft.bill_number.value) == ("77-4410-2", "MW-0001")
    assert (draft.account_number.surety, draft.bill_number.surety) == ("found", "found")


REST = f"#set page(width: 21cm, height: 29.7cm)\n{{}}\n\n{table(FACTS)}\n\n{table(CHARGES)}\n\n{{}}"
GRID = "Netzbetreiber:\\ Harbor Netz GmbH\\ www.harbornetz.example"
CUSTOMER = "Harbor Services SL\\ Calle Mayor 9\\ 28001 Madrid"
HOMES = "Harbor Property Services\\ 99 Elm Street"
MAIL = "Sent to ap\\@harborpropertyservices.example"
OF_OTHERS = {
    "the grid operator": (f"= Marram Strom\n\n{GRID}", "Harbor Netz GmbH"),
    "the grid operator in a sentence": (
        "= Marram Strom\n\nIhr Netzbetreiber ist die Harbor Netz GmbH\n\nHarbor Netz GmbH\\ www.harbornetz.example",
        "Harbor Netz GmbH",
    ),
    "the holder of an account": (CUSTOMER, "Titular de la cuenta: Harbor Services SL"),
    "the holder of an account, with a head": (f"= Marram Luz\n\n{CUSTOMER}", "Beneficiario: Harbor Services SL"),
    "whose account is debited": (
        "= Marram Strom\n\nHarbor Energy Services GmbH\\ Hafenstr. 9",
        "SEPA-Lastschrift\\ Kontoinhaber: Harbor Energy Services GmbH",
    ),
    "a customer whose mail address is there": (HOMES, f"{MAIL}\n\nHarbor Property Services"),
    "a customer, and another to pay": (
        HOMES,
        "www.harborpropertyservices.example\n\nHarbor Property Services\n\nMake checks payable to Marram Waterworks",
    ),
    "two companies at the head": (
        "= Conserve Energy Inc\nwww.conserveenergy.example\n\nMarram Water Ltd\\ PO Box 9",
        "Conserve Energy Inc",
    ),
}


@pytest.mark.parametrize(("head", "end"), OF_OTHERS.values(), ids=OF_OTHERS)
def test_a_name_that_may_be_of_somebody_else_is_not_taken_for_the_issuer(head: str, end: str) -> None:
    assert read_drawn(REST.format(head, end)).issuer.surety != "found"


def test_the_issuer_is_found_beside_a_grid_operator() -> None:
    head = f"= Marram Strom GmbH\nwww.marramstrom.example\n\n{GRID}"
    own = "= Marram Netz GmbH\nwww.marramnetz.example\n\nNetzbetreiber: Marram Netz GmbH"
    issuer = read_drawn(REST.format(head, "Harbor Netz GmbH\n\nMarram Strom GmbH")).issuer

    assert (issuer.surety, issuer.value) == ("found", "Marram Strom GmbH")
    assert read_drawn(REST.format(own, "Zahlungsempfänger: Marram Netz GmbH")).issuer.value == "Marram Netz GmbH"


TWO = (
    "#table(columns: (1fr, 1fr), stroke: none, [Service address], [Mailing address], [1214 North Harbor Avenue], "
    "[99 Elm Street], [Chicago, IL 60600], [Springfield, IL 62701])"
)
STREET, TOWN = "1214 North Harbor Avenue", "Chicago, IL 60600"


def test_a_head_right_of_the_label_of_an_address_is_no_address() -> None:
    address = bill(CHARGES, FACTS[:5], before=TWO).service_address

    assert (address.surety, address.value) == ("found", f"{STREET}, {TOWN}")


OF_AN_ADDRESS = {
    "runs on": f"Service address\\ {STREET}\\ Marram Homes LLC\\ 99 Elm Street\\ Springfield, IL 62701",
    "runs on, on one line": table((("Service address", f"{STREET}, Marram Homes LLC, 99 Elm Street, {TOWN}"),)),
    "cut short": table((("Service address", f"{STREET}, {TOWN}"), ("", "Unit 4"))),
    "cut short below": f"Service address\\ {STREET}\\ {TOWN}\\ Rear building",
    "cut short behind five figures": table((("Service address", "12140 Harbor Avenue, Unit 4"),)),
    "five figures, and a unit below": "Service address\\ 12140 Harbor Avenue\\ Unit 4",
    "two post codes": f"Service address: {STREET}, {TOWN}, Springfield, IL 62701",
    "care of": f"Service address\\ {STREET}\\ c/o Marram Homes LLC\\ Springfield, IL 62701",
    "no house number": "Service address\\ North Harbor Avenue\\ Chicago, IL 60600",
}


@pytest.mark.parametrize("address", OF_AN_ADDRESS.values(), ids=OF_AN_ADDRESS)
def test_an_address_that_is_cut_short_or_runs_on_is_asked(address: str) -> None:
    assert bill(CHARGES, FACTS[:5], before=address).service_address.surety == "asked"


WHOLE = (
    "Service address\\ 12140 Harbor Avenue\\ Chicago, IL 60600\\ USA",
    "Service address\\ 12140 Harbor Avenue\\ Unit 4\\ Chicago, IL 60600",
    "Supply address\\ 12 Harbor Road\\ Marlow\\ SL7 1AB",
    "Service address: Flat 2, 12 Harbor Road, London SW1A 1AA",
    "Verbrauchsstelle\\ Hafenstr. 9\\ 20457 Hamburg",
    "Dirección de suministro: Calle Mayor 9, 2º B, 28001 Madrid",
)


@pytest.mark.parametrize("address", WHOLE)
def test_an_address_with_one_house_and_a_post_code_is_found(address: str) -> None:
    assert bill(CHARGES, FACTS[:5], before=address).service_address.surety == "found"


def _surety(draft: Draft, field: str) -> str:
    return str(getattr(draft, field).surety)
