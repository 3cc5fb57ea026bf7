"""A value that a person showed on one bill is found on the next one.

The reader finds it by the words around it and by its place, and asks if it can't.
"""

from datetime import date

import pytest

from prorata.domain.intake.bill_reading.spots import Sheet
from prorata.domain.intake.bill_reading.words import Page, Place, Word
from prorata.domain.intake.pointing.known_issuers import known_of
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.domain.intake.pointing.taught_bills import NEXT, WATER, bill, moved, row_of, shown
from tests.domain.intake.test_bill_reading import END, HEAD, MADE, page
from tests.read_bills import read_bill

LESSON = learned(bill(), shown())


def test_the_next_bill_is_read_whole_by_what_was_shown_on_the_last_one() -> None:
    draft = read_with(bill(made=NEXT), [LESSON])

    values = (*draft[:7], draft.total)
    assert {one.surety for one in values} == {"found"}
    assert [one.value for one in values] == [
        "Aqua Water Co.", "4417-2231", "INV-8950", date(2026, 4, 14), date(2026, 5, 4),
        date(2026, 3, 10), date(2026, 4, 9), 8010,
    ]  # fmt: skip


def test_what_stands_beside_the_same_words_elsewhere_is_proposed_and_asked() -> None:
    moved = (*NEXT[:1], "", "", "", *NEXT[1:])
    draft = read_with(bill(made=moved), [LESSON])

    assert draft.account_number.surety == "found"
    assert (draft.bill_number.surety, draft.bill_number.value) == ("asked", "INV-8950")


def test_what_stands_beside_the_same_words_and_below_the_same_words_is_found_wherever_it_stands() -> None:
    made = ("Yours | Reference", "Customer: | 4417-2231", *MADE[1:])
    lesson = learned(bill(made=made), shown())
    moved = (*NEXT[1:], "", "", "Yours | Reference", "Customer: | 4417-9000")

    account = read_with(bill(made=moved), [lesson]).account_number

    assert (account.surety, account.value) == ("found", "4417-9000")


def test_at_the_same_place_beside_other_words_nothing_is_found() -> None:
    other = (NEXT[0], "Meter read on: | INV-8950", *NEXT[2:])

    assert read_with(bill(made=other), [LESSON]).bill_number.surety != "found"


def test_where_a_person_pointed_wins_over_the_same_value_elsewhere() -> None:
    made = (*MADE, "Reading taken: | March 14, 2026")
    pages, following = bill(made=made), bill(made=(*NEXT, "Reading taken: | April 12, 2026"))
    day = row_of(pages, "2026", word=-1)
    pointed = day._replace(left=2_500)

    by_words = read_with(following, [learned(pages, shown())]).bill_date
    by_hand = read_with(following, [learned(pages, shown(at={"bill_date": (pointed,)}))]).bill_date

    assert (by_words.surety, by_words.value) == ("found", date(2026, 4, 14))
    assert (by_hand.surety, by_hand.value) == ("found", date(2026, 4, 12))


def test_a_number_that_is_cut_in_the_middle_is_no_value() -> None:
    def amounts(gap: int) -> list[int]:
        words = (Word("1,", Place(1, 400, 0, 480, 100)), Word("234.50", Place(1, 480 + gap, 0, 800 + gap, 100)))
        return [spot.cents for spot in Sheet([Page(1, 6_120, 7_920, words)]).spots("money")]

    assert amounts(gap=2) == []
    assert amounts(gap=60) == [234_50]


def test_a_period_that_ends_on_its_first_day_is_asked() -> None:
    made = tuple(line.replace("April 9, 2026", "March 10, 2026") for line in NEXT)
    draft = read_with(bill(made=made), [LESSON])

    assert (draft.service_start.surety, draft.service_end.surety) == ("asked", "asked")
    assert "starts on or after the day it ends" in str(draft.service_end.reason)


def test_different_values_beside_the_same_words_are_asked_with_each_on_offer() -> None:
    made = (*NEXT[:3], "", "", "", "Due date: | May 4, 2026", "Due date: | May 9, 2026", *NEXT[4:])
    due = read_with(bill(made=made), [LESSON]).due_date

    assert (due.surety, due.value, set(due.choices)) == ("asked", None, {date(2026, 5, 4), date(2026, 5, 9)})


def test_a_date_that_reads_two_ways_is_read_in_the_order_that_was_confirmed() -> None:
    def dated(billed: str, due: str) -> list[Page]:
        return bill(made=(*MADE[:2], f"Bill date: | {billed}", f"Due date: | {due}", *MADE[4:]))

    days = {"bill_date": date(2026, 3, 4), "due_date": date(2026, 4, 2)}
    lesson = learned(dated("03.04.2026", "04.02.2026"), shown()._replace(days=days))
    following = dated("04.05.2026", "05.04.2026")

    assert read_bill(following).bill_date.surety == "asked"
    assert read_with(following, [lesson]).bill_date.value == date(2026, 4, 5)


def test_of_what_was_read_from_a_picture_nothing_is_found_however_well_it_is_known() -> None:
    draft = read_with([page._replace(from_picture=True) for page in bill(made=NEXT)], [LESSON])

    assert {one.surety for one in draft[:7]} == {"asked"}
    assert draft.account_number.value == "4417-2231"


def test_words_before_the_same_picture_as_on_a_confirmed_bill_stand_on_a_letterhead() -> None:
    def on(paper: str, *made: str) -> list[Page]:
        return [page._replace(from_picture=True, paper=paper) for page in bill(made=made or NEXT)]

    lesson = learned(on("a", *MADE), shown())
    later = learned(on("b", *MADE), shown(), lesson)

    assert {one.surety for one in read_with(on("a"), [lesson])[:7]} == {"found"}
    assert not read_with(on("a"), [lesson]).from_picture
    for pages, known in ((on("b"), lesson), (on(""), lesson), (on("a"), later), (on("a"), LESSON)):
        assert {one.surety for one in read_with(pages, [known])[:7]} == {"asked"}, "as scans are"


STRANGER = ("Zebra Gas Works", "", "Gas statement", *[f"Unlike heading {'abcdefghij'[at] * 5}" for at in range(8)])


def test_the_bill_of_an_unknown_issuer_is_read_by_no_others_lesson() -> None:
    other = bill(head=STRANGER, made=("Contract | 99-1",))[0]
    other = other._replace(words=tuple(word for word in other.words if "aquawater" not in word.text))

    assert known_of([other], [LESSON]) is None
    assert read_with([other], [LESSON]) == read_bill([other])


def test_a_bill_that_looks_like_those_of_two_issuers_is_of_the_one_that_it_names() -> None:
    twin = learned(bill(), shown(issuer="Aqua Sewer Co."))
    short = learned(bill(), shown(issuer="Aqua Water"))

    for others in ([LESSON, twin], [twin, LESSON], [short, twin, LESSON]):
        known = known_of(bill(made=NEXT), others)
        assert known is not None
        assert known.lesson.issuer == "Aqua Water Co."


def test_a_bill_that_looks_like_those_of_two_issuers_and_names_neither_is_read_by_neither_lesson() -> None:
    twins = [learned(bill(), shown(issuer=f"Aqua {name} Co.")) for name in ("Sewer", "Gas")]

    assert known_of(bill(made=NEXT), twins) is None
    assert read_with(bill(made=NEXT), twins) == read_bill(bill(made=NEXT))


def test_a_second_bill_shows_which_of_two_places_was_meant() -> None:
    """On the first bill, the two days are the same by chance."""
    first = bill(made=(*MADE[:2], "Made: | March 14, 2026", *MADE[3:], "Read: | March 14, 2026"))
    second = bill(made=(*NEXT[:2], "Made: | April 14, 2026", *NEXT[3:], "Read: | April 12, 2026"))
    once = learned(first, shown())
    assert read_with(second, [once]).bill_date.surety == "asked"

    confirmed = shown()._replace(texts={}, days={"bill_date": date(2026, 4, 14)})
    again = read_with(second, [learned(second, confirmed, once)]).bill_date

    assert (again.surety, again.value) == ("found", date(2026, 4, 14))


def test_a_bill_of_another_layout_is_learned_beside_the_first() -> None:
    words = [f"Heading{letter * 4}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    head = ("Aqua Water Co.", *[" ".join(words[at : at + 3]) for at in range(0, 24, 3)])
    made = ("Contract | 4417-2231", "Made on | March 14, 2026")
    other = bill("To pay | 80.10", made=made, head=head)

    lesson = learned(other, shown(), LESSON)

    assert len(lesson.layouts) == 2
    for pages in (other, bill(made=NEXT)):
        number = read_with(pages, [lesson]).account_number
        assert (number.surety, number.value) == ("found", "4417-2231")


def test_a_bill_that_names_nobody_is_of_the_issuer_whose_account_it_is_of() -> None:
    def of(made: tuple[str, ...], account: str) -> list[Page]:
        lines = (line.replace("4417-2231", account) for line in made)
        return [page("Utility bill", *HEAD[1:], *lines, "", *WATER, "Pay at any bank or at our office in Marlow")]

    one, other = "4417-2231", "9905 1187 22"
    lessons = [
        learned(of(MADE, account), shown(issuer=name)._replace(texts={"account_number": account}))
        for name, account in (("Brookvale Water", one), ("Larkmoor Water", other))
    ]
    found = [known_of(of(NEXT, account), lessons) for account in (one, other, "1234-5678")]

    assert [known and (known.lesson.issuer, known.is_named) for known in found] == [
        ("Brookvale Water", True), ("Larkmoor Water", True), None,
    ]  # fmt: skip


def test_a_bill_of_a_layout_with_few_words_is_known_by_its_other_pages() -> None:
    cover = page(*[""] * 10, "Page 1 of 2")
    behind = moved(page("Gas Co. of Elsewhere", *MADE, "", "Gas | 80.10", "Total amount due | 80.10"), 2)
    sparse = learned([cover, behind], shown(issuer="Gas Co. of Elsewhere"))
    known = known_of([*bill(made=NEXT), moved(cover, 2)], [sparse, LESSON])

    assert len(sparse.layouts[0].words) > 12
    assert known is not None
    assert known.lesson is LESSON


def test_two_bills_in_one_file_are_asked_with_both_accounts() -> None:
    def one(number: int, account: str, total: str) -> Page:
        rows = (
            f"Water usage | {total}",
            f"Total amount due | {total}",
            "Stub",
            f"Account | {account}",
            f"Pay | {total}",
        )
        made = tuple(line.replace("4417-2231", account) for line in NEXT)
        return moved(page(*HEAD, *made, "", *rows, *END), number)

    lesson = learned([one(1, "4417-2231", "80.10")], shown())
    draft = read_with([one(1, "4417-2231", "63.00"), one(2, "4417-9999", "163.00")], [lesson])

    assert {getattr(draft, name).surety for name in ("account_number", "total", "lines")} == {"asked"}
    assert set(draft.account_number.choices) == {"4417-2231", "4417-9999"}


def test_a_bill_that_names_another_sender_is_not_read_by_what_was_learned_of_one_with_the_same_customer() -> None:
    def of(name: str, made: tuple[str, ...]) -> list[Page]:
        site = f"www.{name.split(maxsplit=1)[0].lower()}water.com"
        tail = (f"Make checks payable to: | {name}", site, "Customer service for ann@maplecourt.com, 212-555-0134")
        return [page(name, *HEAD[1:], *made, "", "Water usage | 80.10", "Total amount due | 80.10", "", *tail)]

    lesson = learned(of("Aqua Water Co.", MADE), shown())
    draft = read_with(of("Bolton Water Co.", NEXT), [lesson])

    assert "maplecourt.com" not in lesson.layouts[0].marks
    assert draft == read_bill(of("Bolton Water Co.", NEXT))
    assert draft.issuer.value == "Bolton Water Co."


@pytest.mark.parametrize("account", ["447-201-1873", "4471 201 1873"])
def test_an_account_number_that_looks_like_a_telephone_is_no_mark_of_the_issuer(account: str) -> None:
    made = tuple(line.replace("4417-2231", account) for line in MADE)
    lesson = learned(bill(made=made), shown()._replace(texts={"account_number": account}))

    assert lesson.layouts[0].marks == ("www.aquawater.com",)


@pytest.mark.parametrize("longer", ["4417 9931 7", "4417 2231 02", "12 4417 2231"])
def test_a_number_that_goes_on_is_asked(longer: str) -> None:
    def with_account(made: tuple[str, ...], account: str) -> list[Page]:
        return bill(made=tuple(line.replace("4417-2231", account) for line in made))

    lesson = learned(with_account(MADE, "4417 2231"), shown()._replace(texts={"account_number": "4417 2231"}))

    assert read_with(with_account(NEXT, "4417 9931"), [lesson]).account_number.surety == "found"
    assert read_with(with_account(NEXT, longer), [lesson]).account_number.surety == "asked"


def test_a_credit_that_is_printed_without_its_sign_teaches_no_total() -> None:
    rows = ("Water usage | 30.00", "Credit from overpayment | 80.00", "Credit balance | 50.00")
    lesson = learned(bill(*rows), shown(-5000))

    assert "total" not in lesson.layouts[0].fields
    assert read_with(bill(*rows, made=NEXT), [lesson]).total.surety == "asked"
