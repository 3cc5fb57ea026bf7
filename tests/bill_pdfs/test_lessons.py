"""After one confirmed bill, the issuer's next bill is read correctly at once.

No bill is read wrongly.
"""

from collections.abc import Iterable
from datetime import date

import pytest

from prorata.domain.inbound_mail.auto_confirmation import why_not_plain
from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.taught_reading import read_with
from tests.bill_pdfs.facts import facts_of
from tests.bill_pdfs.layouts import LAYOUTS, Layout
from tests.bill_pdfs.measuring import in_turn, judged, lines_of, next_of, pages_of, shown

LEARNED = ("issuer", "account_number", "due_date")
HELD_OUT = [layout for layout in LAYOUTS if layout.held_out]


@pytest.mark.parametrize("layout", HELD_OUT, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_the_next_bill_is_read_right_at_once(layout: Layout) -> None:
    (_, (following, draft)) = in_turn(layout, 7, bills=2, story="plain")

    results = judged(draft, following)

    assert {name: result for name, (result, _, _) in results.items() if name in LEARNED} == dict.fromkeys(
        LEARNED, "right"
    )
    assert [said for said in results.items() if said[1][0] == "wrong"] == []


def counted(layout: Layout, seeds: Iterable[int]) -> tuple[int, list[str]]:
    """Count the later bills that are plain enough to need no review.

    Also return the wrong readings of these bills.
    """
    number, wrong = 0, []
    for seed in seeds:
        for following, draft in list(in_turn(layout, seed, story="plain"))[1:]:
            if why_not_plain(draft, following.billed) is None:
                number += 1
                form = (draft.total.value, {line.name: line.cents for line in draft.lines.value or ()})
                wrong += [] if form == (following.total, lines_of(following)) else [f"{seed}: {form}"]
                results = judged(draft, following).items()
                wrong += [f"{seed} {name}" for name, (result, _, _) in results if result == "wrong"]
    return number, wrong


@pytest.mark.parametrize("layout", HELD_OUT, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_what_is_plain_enough_to_count_by_itself_is_right(layout: Layout) -> None:
    assert counted(layout, range(2))[1] == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.locale} {layout.name}")
def test_of_thirty_bills_that_count_by_themselves_none_is_wrong(layout: Layout) -> None:
    assert counted(layout, range(30))[1] == []


@pytest.mark.sample
def test_a_lesson_is_for_every_account_number_of_the_issuer() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    lesson = learned(pages_of(first, layout), shown(first))
    other = next_of(first, 1007)._replace(account="9999-8888-77"[: len(first.account)])

    draft = read_with(pages_of(other, layout), [lesson])

    assert (draft.issuer.value, draft.due_date.value) == (other.issuer, other.due)


def test_what_a_person_typed_wrongly_teaches_nothing_that_is_untrue_of_the_bill() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    right = shown(first)
    mistyped = right._replace(
        texts=dict(right.texts) | {"bill_number": "X-0"}, days=dict(right.days) | {"due_date": date(1999, 1, 1)}
    )

    (known,) = learned(pages_of(first, layout), mistyped).layouts

    assert {"due_date", "bill_number"}.isdisjoint(known.fields)
    assert {"account_number", "bill_date"} <= set(known.fields)


def test_what_was_learned_before_stays_known() -> None:
    layout = HELD_OUT[0]
    first = facts_of(layout.locale, 7)
    before = learned(pages_of(first, layout), shown(first))

    after = learned(pages_of(first, layout), shown(first)._replace(texts={}, days={}), before)

    assert after.layouts[0].fields.keys() == before.layouts[0].fields.keys()
