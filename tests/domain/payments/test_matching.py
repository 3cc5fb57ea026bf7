"""A payment is matched to an invoice by number, name and amount, never by guess."""

from datetime import date

import pytest

from prorata.domain.payments.candidates import EarlierEntry, KnownInvoice, entered_alike
from prorata.domain.payments.files import BankRow
from prorata.domain.payments.matching import Books, match_all
from prorata.domain.payments.named_numbers import months_named


def invoice(number, total=45_00, paid=0, status="SENT", tenant="Ann Lee", **more):
    values = {"noted": 0, "currency": "USD", "due_date": f"{number[-7:]}-15"} | more
    return KnownInvoice(
        f"inv_{number}", number, number[-7:], status, total, paid, values["noted"], tenant, "1",
        values.get("house", "Maple"), values["currency"], values["due_date"], values.get("tenant_id"),
        values.get("sent"),
    )  # fmt: skip


def row(text="", cents=45_00, name="", line=2, currency="USD"):
    return BankRow(line, date(2026, 3, 20), cents, currency, name, text, "", f"file:{line}")


def match(one, *invoices):
    return Books(invoices).match(one)


def numbers(found):
    return [[part.invoice.number for part in candidate] for candidate in found.candidates]


@pytest.mark.parametrize(
    "text", ["Invoice MAPLE-1-2026-02", "maple-1-2026-02, thanks", "Rent MAPLE 1 2026 02", "ref:MAPLE12026/02."]
)
def test_a_number_in_the_text_and_its_balance_are_plain_however_it_is_spaced(text):
    found = match(row(text), invoice("MAPLE-1-2026-02"), invoice("MAPLE-2-2026-02"))
    assert (found.verdict, numbers(found)) == ("matched", [["MAPLE-1-2026-02"]])
    assert found.reason == "The text mentions MAPLE-1-2026-02, and the amount is what is left to pay."


def test_who_lives_with_the_tenant_on_an_invoice_may_pay_it_which_is_asked():
    kim, other = invoice("MILL-102-2026-03", tenant="Kim Patel"), invoice("MILL-103-2026-03", tenant="Bo Chen")
    books = Books([kim, other], roommates={kim.id: ["Zoe S. Novak"]})
    found = books.match(row("mill house 102", name="Zoe S. Novak"))
    assert (found.verdict, numbers(found)) == ("proposed", [["MILL-102-2026-03"]])
    assert found.reason == "It names Zoe S. Novak, of the same household as Kim Patel in Maple, 1."
    assert numbers(books.match(row("Novak", 44_00))) == []
    assert books.match(row("Kim Patel and Zoe Novak")).verdict == "matched"


@pytest.mark.parametrize("text", ["CHECK 1042 DEPOSIT SMITH", "DEPOSIT CK#1042 smith", "Scheck 1042, Smith A."])
def test_a_deposit_with_a_surname_is_proposed_for_the_only_invoice_of_that_surname_and_amount(text):
    ann, bo = invoice("ELM-1-2026-02", tenant="Ann Smith"), invoice("ELM-2-2026-02", tenant="Bo Chen")
    other = invoice("ELM-3-2026-02", 46_00, tenant="Smith, Cy")
    found = match(row(text), ann, bo, other)
    assert (found.verdict, numbers(found)) == ("proposed", [["ELM-1-2026-02"]])
    assert found.reason.startswith("It has the surname of Ann Smith, and only ELM-1-2026-02 has both this surname")
    assert numbers(match(row(text, 46_00), ann, bo, other)) == [["ELM-3-2026-02"]]


def test_a_surname_that_two_with_the_amount_have_or_that_is_part_of_a_word_tells_none_apart():
    one, two = invoice("ELM-1-2026-02", tenant="Ann Smith"), invoice("ELM-2-2026-02", tenant="Bo Smith Jr.")
    found = match(row("CHECK 1042 SMITH"), one, two)
    assert found.reason.startswith("Only the amount matches: 2 open invoices have it")
    assert len(found.candidates) == 2
    assert match(row("CHECK 1042 GOLDSMITH"), one).reason.startswith("Only the amount matches")
    assert match(row("CHECK 1042 SMITH", 44_00), one).verdict == "unmatched"
    assert match(row("CHECK 1042", 45_00), invoice("ELM-1-2026-02", tenant=None)).reason.startswith("Only the amount")


@pytest.mark.parametrize("text", ["HELM-1-2026-02", "xELM12026-02", "ELM-1-2026-020", "ELM-11-2026-02"])
def test_a_number_within_another_is_none(text):
    assert match(row(text, 1_00), invoice("ELM-1-2026-02")).verdict == "unmatched"


def test_numbers_that_differ_only_in_where_their_parts_end_are_told_by_their_hyphens_or_asked():
    both = invoice("MAPLE1-2-2026-02"), invoice("MAPLE-12-2026-02", tenant="Bo Chen")
    assert numbers(match(row("MAPLE-12-2026-02"), *both)) == [["MAPLE-12-2026-02"]]
    found = match(row("MAPLE 12 2026 02"), *both)
    assert (found.verdict, len(found.candidates)) == ("proposed", 2)


def test_a_number_of_another_household_than_the_units_own_is_told_from_those_of_units_or_asked():
    of_unit = invoice("MAPLE-2B-2026-02", tenant="Bo Chen")
    both = invoice("MAPLE-2B.1-2026-02"), invoice("MAPLE-2B1-2026-02", tenant="Cy Diaz"), of_unit
    for one in both:
        assert numbers(match(row(f"Rent {one.number.lower()}."), *both)) == [[one.number]]
    found = match(row("MAPLE 2B1 2026 02"), *both)
    assert (found.verdict, len(found.candidates)) == ("proposed", 2)


@pytest.mark.parametrize(
    ("text", "name", "verdict"),
    [
        ("MAPLE-1-2026-02", "", "proposed"),
        ("MAPLE-1-2026-02", "BO CHEN", "proposed"),
        ("MAPLE-1-2026-02 Ann", "Lee", "matched"),
        ("MAPLE-1-2026-02, MAPLE-1-2026-03", "Bo Chen", "proposed"),
    ],
)
def test_a_number_that_was_sent_to_somebody_else_before_is_plain_with_the_name_of_now_alone(text, name, verdict):
    both = invoice("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-03")
    cents = 90_00 if "03" in text else 45_00
    found = Books(both, readdressed={"inv_MAPLE-1-2026-02"}).match(row(text, cents, name))
    assert found.verdict == verdict
    assert ("MAPLE-1-2026-02 was somebody else’s before" in found.reason) == (verdict == "proposed")
    assert Books(both).match(row(text, cents, name)).verdict == "matched"


def test_a_part_is_plain_and_more_than_is_left_is_asked():
    one = invoice("MAPLE-1-2026-02", paid=5_00)
    part = match(row("MAPLE-1-2026-02", 15_00), one)
    assert (part.verdict, "This is a partial payment" in part.reason) == ("matched", True)
    more = match(row("MAPLE-1-2026-02", 45_00), one)
    assert (more.verdict, "$5.00 more" in more.reason or "5.00" in more.reason) == ("proposed", True)


def test_what_is_more_than_left_may_pay_another_invoice_of_the_same_tenant():
    february, march = invoice("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-03", 30_00)
    found = match(row("MAPLE-1-2026-02", 75_00), february, march)
    assert (found.verdict, len(found.candidates)) == ("proposed", 2)
    assert found.reason == (
        "The text mentions MAPLE-1-2026-02. The remaining $30.00 is exactly what is left to pay on MAPLE-1-2026-03."
    )
    assert [(part.invoice.number, part.cents) for part in found.candidates[0]] == [
        ("MAPLE-1-2026-02", 45_00), ("MAPLE-1-2026-03", 30_00),
    ]  # fmt: skip
    of_another = invoice("MAPLE-2-2026-03", 30_00, tenant="Bo Ray")
    assert len(match(row("MAPLE-1-2026-02", 75_00), february, of_another).candidates) == 1


def test_a_payment_of_several_invoices_by_their_numbers_is_divided_over_them():
    two = invoice("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-03", 30_00)
    found = match(row("MAPLE-1-2026-02 + MAPLE-1-2026-03", 75_00), *two)
    assert found.verdict == "matched"
    assert [part.cents for part in found.candidates[0]] == [45_00, 30_00]
    assert match(row("MAPLE-1-2026-02 + MAPLE-1-2026-03", 70_00), *two).verdict == "proposed"


def test_a_reference_that_names_the_first_of_a_tenants_invoices_may_be_for_all_of_them():
    its = [invoice(f"MAPLE-1-2026-0{month}", month * 1_00) for month in range(1, 8)]
    text = "MAPLE-1-2026-01, MAPLE-1-2026-02, MAPLE-1-2026-03, MAPLE-1-2026-04, and 3 more"
    of_another, in_euros = (
        invoice("MAPLE-2-2026-01", tenant="Bo Ray"), invoice("MAPLE-1-2025-12", 9_00, currency="EUR"),
    )  # fmt: skip
    found = match(row(text, 28_00), *its, of_another, in_euros)
    assert (found.verdict, numbers(found)) == ("proposed", [[one.number for one in its]])
    assert [part.cents for part in found.candidates[0]] == [one.total for one in its]
    assert found.reason.endswith("the amount is what is left to pay on all open invoices of the tenant together.")
    named = match(row(text, 10_00), *its, of_another)
    assert (named.verdict, numbers(named)) == ("matched", [[one.number for one in its[:4]]])
    for cents in (27_99, 73_00, 37_00):
        assert numbers(match(row(text, cents), *its, of_another, in_euros)) == [[one.number] for one in its[:4]]
    both = match(row(f"{text}, MAPLE-2-2026-01", 73_00), *its, of_another)
    assert both.reason.endswith("which together come to a different amount."), "of two tenants"
    paid = its[0]._replace(status="PAID", paid_amount=1_00)
    assert len(match(row(text, 27_00), paid, *its[1:]).candidates) == 4, "one that is named asks for nothing"


@pytest.mark.parametrize(
    ("status", "paid", "noted", "said"),
    [("PAID", 45_00, 45_00, "marked as paid"), ("PAID", 45_00, 0, "paid in full"), ("DRAFT", 0, 0, "a draft"),
     ("CANCELLED", 0, 0, "cancelled")],
)  # fmt: skip
def test_a_number_of_what_waits_for_no_money_is_asked(status, paid, noted, said):
    found = match(row("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-02", 45_00, paid, status, noted=noted))
    assert found.verdict == "proposed"
    assert said in found.reason
    assert found.candidates[0][0].in_place_of_noted is (noted > 0)


@pytest.mark.parametrize(
    ("cents", "said"),
    [(44_20, "This may be that payment. Or it’s"), (45_00, "This may be that payment. Or it’s"),
     (45_80, "$45.00 was marked as paid; the remaining $0.80 would be a credit. Or it’s another payment.")],
)  # fmt: skip
def test_a_row_that_names_an_invoice_that_was_marked_as_paid_says_so_or_is_another_payment(cents, said):
    found = match(row("MAPLE-1-2026-02", cents), invoice("MAPLE-1-2026-02", 45_00, 45_00, "PAID", noted=45_00))
    assert (found.verdict, said in found.reason) == ("proposed", True)
    assert [(part.cents, part.in_place_of_noted) for (part,) in found.candidates] == [(cents, True), (cents, False)]


def test_of_several_invoices_that_are_named_those_that_were_marked_as_paid_are_offered_both_ways():
    marked = invoice("MAPLE-1-2026-02", paid=45_00, status="PAID", noted=45_00)
    found = match(row("MAPLE-1-2026-02 MAPLE-1-2026-03", 40_00), marked, invoice("MAPLE-1-2026-03"))
    assert numbers(found) == [["MAPLE-1-2026-02"], ["MAPLE-1-2026-02"], ["MAPLE-1-2026-03"]]
    assert [part.in_place_of_noted for (part,) in found.candidates] == [True, False, False]


def test_a_payment_by_hand_is_asked_about_where_the_rest_of_its_invoice_was_marked_as_paid():
    marked = invoice("MAPLE-1-2026-03", paid=45_00, status="PAID", noted=25_00)
    known = entered_alike([entry("MAPLE-1-2026-03", 20_00, source=None)], ())
    found = Books([marked]).match(row("MAPLE-1-2026-03", 20_00), (), known)
    assert (found.verdict, len(found.same_as)) == ("proposed", 1)


def test_name_and_amount_of_one_open_invoice_are_plain():
    books = invoice("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-03", 30_00), invoice("MAPLE-2-2026-02", tenant="Bo Chen")
    found = match(row("water", name="LEE ANN M"), *books)
    assert (found.verdict, numbers(found)) == ("matched", [["MAPLE-1-2026-02"]])


def test_a_name_of_one_word_two_fitting_invoices_or_another_amount_are_asked():
    assert match(row(name="Ann"), invoice("MAPLE-1-2026-02", tenant="Ann")).verdict == "proposed"
    two = invoice("MAPLE-1-2026-02"), invoice("MAPLE-1-2026-03")
    assert match(row(name="Ann Lee"), *two).verdict == "proposed"
    found = match(row(name="Ann Lee", cents=90_00), *two)
    assert found.verdict == "proposed"
    assert numbers(found)[0] == ["MAPLE-1-2026-02", "MAPLE-1-2026-03"]
    assert match(row(name="Ann Lee", cents=7_00), *two).verdict == "proposed"


def test_an_amount_alone_is_asked_and_nothing_is_nothing():
    found = match(row(name="Somebody"), invoice("MAPLE-1-2026-02"), invoice("MAPLE-2-2026-02", tenant="Bo Chen"))
    assert (found.verdict, len(found.candidates)) == ("proposed", 2)
    assert match(row(cents=1), invoice("MAPLE-1-2026-02")).verdict == "unmatched"


def test_who_quotes_a_neighbours_number_over_exactly_their_own_amount_is_asked_and_their_own_comes_first():
    ann, bo = invoice("ELM-1-2026-02", 237_24), invoice("ELM-2-2026-02", 155_75, tenant="Bo Chen")
    found = match(row("ELM-2-2026-02", 237_24, name="Lee, Ann"), ann, bo)
    assert (found.verdict, numbers(found)) == ("proposed", [["ELM-1-2026-02"], ["ELM-2-2026-02"]])
    assert "It names Ann Lee, and only ELM-1-2026-02 has exactly this amount left to pay." in found.reason
    part = match(row("ELM-1-2026-02", 155_75, name="Bo Chen"), ann, bo)
    assert (part.verdict, numbers(part)) == ("proposed", [["ELM-2-2026-02"], ["ELM-1-2026-02"]])
    for_bo = match(row("ELM-2-2026-02", 155_75, name="Ann Lee"), ann._replace(total=155_75), bo)
    assert (for_bo.verdict, numbers(for_bo)) == ("matched", [["ELM-2-2026-02"]]), "number and amount fit"


def test_what_one_row_pays_is_not_open_for_the_next_and_named_ones_come_first():
    rows = [row(name="Ann Lee", line=2), row("MAPLE-1-2026-02", line=3), row("MAPLE-1-2026-02", line=4)]
    found = match_all(rows, Books([invoice("MAPLE-1-2026-02")]))
    assert [one.verdict for one in found] == ["unmatched", "matched", "proposed"]
    assert [one.row.line for one in found] == [2, 3, 4]


def test_another_currency_is_never_matched():
    assert match(row("MAPLE-1-2026-02", currency="EUR"), invoice("MAPLE-1-2026-02")).verdict == "unmatched"


def test_months_are_found_wherever_a_number_may_be():
    assert months_named(["MAPLE 1 202602", "paid 2026-03-20", "x"]) == {"2026-02", "2026-03"}


def test_two_tenants_of_one_name_are_asked_about_though_one_of_them_owes_just_that():
    oak = invoice("OAK-1-2026-02", tenant="Ana García", tenant_id="tenant_1", house="Oak")
    elm = invoice("ELM-7-2026-02", total=31_00, tenant="Ana Garcia", tenant_id="tenant_2", house="Elm")
    found = match(row("ANA GARCIA water"), oak, elm)
    assert (found.verdict, numbers(found)) == ("proposed", [["OAK-1-2026-02"]])
    assert found.reason == "It may be from Ana Garcia in Elm, 1 or Ana García in Oak, 1."
    earlier = invoice("OAK-1-2026-01", total=20_00, tenant="Ana García", tenant_id="tenant_1", house="Oak")
    assert match(row("ANA GARCIA water"), oak, earlier).verdict == "matched"


def entry(number="MAPLE-1-2026-02", cents=45_00, source="file:a:1", **more):
    values = {"day": "2026-03-20", "note": None, "currency": "USD", "name": "Ann Lee", "tenant_id": None} | more
    return EarlierEntry(
        f"pay_{number}", number, cents, values["day"], None, source, values["note"], values["currency"],
        values["name"], values["tenant_id"],
    )  # fmt: skip


def with_entered(one, *entries, own=()):
    (found,) = match_all([one], Books([invoice("MAPLE-1-2026-03")]), None, entered_alike(entries, own))
    return found


@pytest.mark.parametrize(
    "entered",
    [
        [entry("MAPLE-1-2026-03", name="Bo Chen")],
        [entry()],
        [entry(name="Bo Chen", note="paid by LEE Ann")],
        [entry(cents=40_00), entry("MAPLE-1-2026-01", cents=5_00, source="file:a:1:1")],
    ],
)
def test_a_row_of_the_day_and_amount_of_an_entry_of_the_same_invoice_or_tenant_is_asked(entered):
    found = with_entered(row(name="Ann Lee"), *entered)
    assert (found.verdict, numbers(found)) == ("proposed", [["MAPLE-1-2026-03"]])
    assert f"recorded for {', '.join(one.number for one in entered)}. If it is the same payment" in found.reason


@pytest.mark.parametrize(
    "entered",
    [
        entry(name="Bo Chen"),
        entry(cents=45_01),
        entry(day="2026-03-21"),
        entry(currency="EUR"),
        entry(name="Bo Chen", source=None),
        entry(cents=45_01, source=None),
        entry(day="2026-03-12", source=None),
        entry(day="2026-03-28", source=None),
        entry(currency="EUR", source=None),
    ],
)
def test_an_entry_of_somebody_else_another_day_or_amount_asks_nothing(entered):
    assert with_entered(row(name="Ann Lee"), entered).verdict == "matched"


@pytest.mark.parametrize("day", ["2026-03-13", "2026-03-20", "2026-03-27"])
@pytest.mark.parametrize("of", [{"number": "MAPLE-1-2026-03", "name": "Bo Chen"}, {"number": "MAPLE-1-2026-02"}])
def test_a_row_about_the_day_of_an_entry_by_hand_of_its_amount_and_invoice_or_tenant_is_asked(day, of):
    found = with_entered(row(name="Ann Lee"), entry(source=None, day=day, **of))
    assert (found.verdict, numbers(found)) == ("proposed", [["MAPLE-1-2026-03"]])
    said = f"It is within 7 days of a payment of the same amount that was entered by hand for {of['number']}."
    assert found.reason.startswith(said)
    assert [one.number for one in found.same_as] == [of["number"]]


def test_a_part_that_was_entered_by_hand_is_asked_about():
    part = entry("MAPLE-1-2026-03", 20_00, source=None)
    assert with_entered(row("MAPLE-1-2026-03", 20_00), part).verdict == "proposed"
    assert with_entered(row("MAPLE-1-2026-03", 25_00), part).verdict == "matched"


def test_of_a_row_that_names_an_invoice_in_another_currency_that_is_said():
    found = match(row("MAPLE-1-2026-03"), invoice("MAPLE-1-2026-03", currency="EUR"))
    assert (found.verdict, found.candidates) == ("unmatched", ())
    assert found.reason == "The text mentions MAPLE-1-2026-03, which is in EUR, but this row is in USD."


def test_a_second_payment_of_an_invoice_in_the_same_file_would_be_a_credit():
    rows = [row("MAPLE-1-2026-03"), row("MAPLE-1-2026-03", line=3)]
    first, second = match_all(rows, Books([invoice("MAPLE-1-2026-03")]))
    assert (first.verdict, second.verdict) == ("matched", "proposed")
    paid = "The text mentions MAPLE-1-2026-03, which another payment in this file already pays in full"
    assert second.reason == f"{paid}: it would be a credit."


@pytest.mark.parametrize("paid", [45_00, 60_00])
def test_a_payment_by_hand_is_asked_about_where_the_invoice_that_is_named_is_covered_by_it(paid):
    covered = invoice("MAPLE-1-2026-03", paid=paid, status="PAID")
    known = entered_alike([entry("MAPLE-1-2026-03", source=None)], ())
    found = Books([covered]).match(row("MAPLE-1-2026-03"), (), known)
    assert (found.verdict, len(found.same_as)) == ("proposed", 1)
    assert found.reason.startswith("It is within 7 days of a payment of the same amount that was entered by hand")
    assert "credit" in Books([covered]).match(row("MAPLE-1-2026-03")).reason


def test_a_name_and_an_amount_are_asked_about_where_the_money_came_before_the_invoice():
    found = match(row(name="Ann Lee"), invoice("MAPLE-1-2026-03", sent="2026-03-21"))
    assert (found.verdict, numbers(found)) == ("proposed", [["MAPLE-1-2026-03"]])
    assert found.reason.endswith("left to pay, but that invoice has a later date than the payment.")
    assert match(row(name="Ann Lee"), invoice("MAPLE-1-2026-03", sent="2026-03-20")).verdict == "matched"
    assert match(row("MAPLE-1-2026-03"), invoice("MAPLE-1-2026-03", sent="2026-03-21")).verdict == "matched"


def test_a_name_and_an_amount_are_asked_about_where_another_invoice_was_marked_as_paid_over_as_much():
    open_, marked = invoice("MAPLE-1-2026-03"), invoice("MAPLE-1-2026-02", paid=45_00, noted=45_00, status="PAID")
    found = match(row(name="Ann Lee"), open_, marked)
    assert (found.verdict, numbers(found)) == ("proposed", [["MAPLE-1-2026-03"], ["MAPLE-1-2026-02"]])
    assert found.reason.endswith("It may also be for MAPLE-1-2026-02, which was marked as paid.")
    assert [part.in_place_of_noted for (part,) in found.candidates] == [False, True]
    for other in (marked._replace(noted=44_00), marked._replace(noted=0), marked._replace(tenant_name="Bo Chen")):
        assert match(row(name="Ann Lee"), open_, other).verdict == "matched"


def test_an_entry_of_a_row_of_the_same_file_is_that_rows():
    assert with_entered(row(name="Ann Lee"), entry(), own={"file:a:1"}).verdict == "matched"


@pytest.mark.parametrize(
    ("payer", "others", "asked"),
    [
        ("ANN LEE water", [], ["MAPLE-1-2026-02"]),
        ("Water, house", [], ["MAPLE-1-2026-02"]),
        ("ANN LEE water", [entry("MAPLE-2-2026-02", name="Bo Chen", source=None)], ["MAPLE-1-2026-02"]),
        ("Water, house", [entry("MAPLE-2-2026-02", name="Bo Chen", source=None)], []),
    ],
)
def test_a_row_without_an_open_invoice_is_asked_about_the_entry_by_hand_that_it_names_or_the_only_one(
    payer, others, asked
):
    known = entered_alike([entry(source=None), *others], ())
    found = Books([]).match(row(payer), (), known)
    assert (found.verdict, [one.number for one in found.same_as]) == ("unmatched", asked)
    assert found.reason.startswith("No number, name or amount matches an open invoice.")
    assert ("It is within 7 days" in found.reason) == bool(asked)


def test_a_neighbor_who_owes_the_amount_leaves_the_question_about_the_payers_own_entry_by_hand():
    known = entered_alike([entry(source=None)], ())
    found = Books([invoice("MAPLE-2-2026-03", tenant="Bo Chen")]).match(row("ANN LEE water"), (), known)
    assert (found.verdict, numbers(found)) == ("proposed", [["MAPLE-2-2026-03"]])
    assert [one.number for one in found.same_as] == ["MAPLE-1-2026-02"]
