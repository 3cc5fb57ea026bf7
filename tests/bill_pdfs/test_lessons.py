"""What was corrected is learned for an issuer and an account number: the next bill is right at once, and none is wrong."""

from collections.abc import Iterable
from datetime import date

import pytest

from prorata.adapters.intake.pdf_text import read_pdf
from prorata.domain.inbound_mail.auto_confirmation import why_not_plain
from prorata.domain.intake.bill_reading.issuers import template_for
from prorata.domain.intake.bill_reading.learned_templates import Confirmed, lesson_of, number_key, numbers_in
from prorata.domain.intake.bill_reading.reading import read_bill
from prorata.domain.intake.bill_reading.text_folding import plain
from prorata.domain.intake.bill_reading.words import Page
from tests.bill_pdfs.facts import Facts, facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.measuring import judged
from tests.bill_pdfs.printing import printed

LEARNED = ("issuer", "account_number", "bill_number", "bill_date", "due_date")
HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]


def confirmed(facts: Facts) -> Confirmed:
    return Confirmed(
        facts.issuer, facts.account, facts.number, facts.billed, facts.due, facts.start, facts.end,
        frozenset(facts.lines or ()),
    )  # fmt: skip


def pages_of(facts: Facts, layout: Layout) -> tuple[Page, ...]:
    return read_pdf(printed(facts, layout))


def next_of(facts: Facts, seed: int) -> Facts:
    """A later bill of the same issuer for the same account number."""
    kinds = " ".join(section.kind for section in facts.sections)
    return facts_of(facts.locale, seed, kinds=kinds)._replace(
        issuer=facts.issuer, site=facts.site, account=facts.account, address=facts.address, recipient=facts.recipient
    )


@pytest.mark.parametrize("layout", HELD_OUT, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_the_next_bill_is_read_right_at_once(layout: Layout) -> None:
    first = facts_of(layout.locale, 7)
    lesson = lesson_of(pages_of(first, layout), confirmed(first))
    assert lesson is not None
    following = next_of(first, 1007)
    pages = pages_of(following, layout)
    assert number_key(following.account) in numbers_in(pages)
    results = judged(read_bill(pages, (), (lesson,)), following)
    assert {name: result for name, (result, _, _) in results.items() if name in LEARNED} == dict.fromkeys(
        LEARNED, "right"
    )
    assert [name for name, (result, _, _) in results.items() if result == "wrong"] == []


def counted(layout: Layout, seeds: Iterable[int]) -> tuple[int, list[str]]:
    """How many bills that follow one that was confirmed are plain enough to count by themselves; and what is wrong of
    these.
    """
    number, wrong = 0, []
    for seed in seeds:
        first = facts_of(layout.locale, seed, story="plain")
        lesson = lesson_of(pages_of(first, layout), confirmed(first))
        following = next_of(first, seed + 1000)
        draft = read_bill(pages_of(following, layout), (), (lesson,) if lesson else ())
        if lesson is not None and why_not_plain(draft, following.billed) is None:
            number += 1
            wrong += [
                f"{seed} {name}" for name, (result, _, _) in judged(draft, following).items() if result == "wrong"
            ]
            form = (draft.total.value, {line.name: line.cents for line in draft.lines.value or ()})
            wrong += [] if form == (following.total, following.lines) else [f"{seed} what it charges"]
    return number, wrong


@pytest.mark.parametrize("layout", HELD_OUT, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_what_is_plain_enough_to_count_by_itself_is_right(layout: Layout) -> None:
    assert counted(layout, range(2))[1] == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_thirty_bills_that_count_by_themselves_none_is_wrong(layout: Layout) -> None:
    assert counted(layout, range(30))[1] == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_thirty_bills_after_a_lesson_none_is_wrong(layout: Layout) -> None:
    for seed in range(30):
        first = facts_of(layout.locale, seed)
        lesson = lesson_of(pages_of(first, layout), confirmed(first))
        following = next_of(first, seed + 1000)
        results = judged(read_bill(pages_of(following, layout), (), (lesson,) if lesson else ()), following)
        assert [name for name, (result, _, _) in results.items() if result == "wrong"] == [], seed


@pytest.mark.sample
def test_a_lesson_is_for_its_account_number_alone() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    lesson = lesson_of(pages_of(first, layout), confirmed(first))
    assert lesson is not None
    other = pages_of(next_of(first, 1007)._replace(account="9999-8888-77"), layout)
    assert read_bill(other, (), (lesson,)) == read_bill(other)


def test_a_lesson_of_a_short_account_number_that_stands_in_an_address_is_in_no_others_way() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    lesson = lesson_of(pages_of(first, layout), confirmed(first))
    assert lesson is not None
    short = lesson._replace(phrases=(lesson.phrases[0], plain(first.address[0].split()[0])), labels={})
    following = pages_of(next_of(first, 1007), layout)
    assert template_for(following, (short, lesson)) == template_for(following, (lesson, short)) == lesson
    assert template_for(following, (lesson._replace(issuer="Somebody else"), lesson)) is None


def test_what_a_person_typed_wrongly_teaches_nothing_that_is_untrue_of_the_bill() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    pages = pages_of(first, layout)
    mistyped = confirmed(first)._replace(due_date=date(1999, 1, 1), bill_number="X-0")
    lesson = lesson_of(pages, mistyped)
    assert lesson is not None
    assert {"dueDate", "billNumber"}.isdisjoint(lesson.labels.values())


@pytest.mark.parametrize("changes", [{"account_number": None}, {"account_number": "12"}, {"issuer": "Nobody at all"}])
def test_without_issuer_or_account_number_on_the_bill_nothing_is_learned(changes: dict[str, str | None]) -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    assert lesson_of(pages_of(first, layout), confirmed(first)._replace(**changes)) is None  # type: ignore[arg-type]


def test_what_was_learned_before_stays_known() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    before = lesson_of(pages_of(first, layout), confirmed(first))
    assert before is not None
    blind = confirmed(first)._replace(bill_number=None, due_date=None)
    after = lesson_of(pages_of(first, layout), blind, before=before)
    assert after is not None
    assert {"billNumber", "dueDate"} <= set(after.labels.values())
