"""A lesson about pages is the same when it is read back from the database."""

import msgspec
import pytest

from prorata.domain.intake.pointing.learning import learned
from prorata.domain.intake.pointing.lessons import PageLesson
from tests.domain.intake.pointing.taught_bills import NEXT, bill, shown
from tests.domain.intake.test_bill_reading import HEAD

LESSON = learned(bill(), shown())


@pytest.mark.parametrize("lesson", [LESSON, learned(bill(made=NEXT), shown(), LESSON)], ids=["one bill", "two bills"])
def test_a_lesson_is_stored_and_read_again_unchanged(lesson: PageLesson) -> None:
    stored = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(lesson)))

    assert msgspec.convert(stored, PageLesson) == lesson
    assert HEAD[0].lower().split()[0] in lesson.layouts[0].words
