"""The announcement of a rule change tells each household about it in each language."""

import string
from datetime import UTC, date, datetime
from fractions import Fraction

import pytest

from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.announcement_mail import (
    Announcement,
    Announcer,
    House,
    Household,
    Told,
    announcement_letter,
)
from prorata.domain.mail.words.announcements import ANNOUNCEMENTS
from prorata.domain.printing.languages import LANGUAGES
from prorata.domain.splitting.lease_terms import Average
from prorata.domain.splitting.rule_changes import RuleChange
from tests.domain.printing.test_rendering import PlainForms
from tests.domain.splitting.test_lease_terms import BY_AREA, EQUAL, HOUSE

MAPLE = House("Harbor Rentals", "billing@example.org", "Maple Court", "US", "USD", "en-US", HOUSE)
CHANGE = RuleChange("WATER", Month("2026-06"), EQUAL, BY_AREA)
ANN = Household("u1", "1", "Ann")


def told(to=ANN, *, change=CHANGE, average=Average(320_10, 2), **of_house) -> Told:  # noqa: B008 - it never changes
    return Announcer(MAPLE._replace(**of_house), change, average, PlainForms()).told(to)


def test_each_household_reads_its_own_part_by_either_rule():
    for unit, parts in (("u1", ("$160.05", "$185.09")), ("u2", ("$160.05", "$135.01"))):
        said = told(Household(unit, unit[1:], "Ann")).paragraphs
        assert said[4].startswith(f"Your part of an average bill by the rule until then: {parts[0]}\n")
        assert said[5].startswith(f"Your part of an average bill by the new rule: {parts[1]}\n")
    assert told().paragraphs[5].endswith("$320.10 × 850 ÷ 1,470 = $185.09")


def test_what_else_of_the_rule_changes_is_said_and_what_stays_is_not():
    said = told(change=CHANGE._replace(after=EQUAL._replace(owner_percent=Fraction(10)))).paragraphs[2]
    assert said == (
        "Until then: Divided equally. Common areas: Nothing comes off first.\n"
        "From 2026-06: Divided equally. Common areas: The owner pays 10% of each bill first."
    )


def test_what_no_rule_divides_costs_a_household_nothing():
    said = told(change=CHANGE._replace(after=None)).paragraphs
    assert "From 2026-06: Not divided: the owner pays it." in said[2]
    assert said[5] == "Your part of an average bill by the new rule: $0.00"


@pytest.mark.parametrize(
    ("contact", "asks"),
    [("billing@example.org", "just reply"), ("555-0100", "555-0100"), ("", "contact Harbor Rentals.")],
)
def test_whoever_reads_it_is_told_whom_to_ask(contact: str, asks: str):
    assert asks in told(contact=contact).paragraphs[-2]


def test_names_start_no_line_of_their_own():
    said = told(Household("u1", "1\nBcc: x@example.org", "Ann\n\nPay to: …"), name="Maple\r\nCourt")
    assert "\n" not in said.subject
    assert said.paragraphs[0] == "Hello Ann Pay to: …,"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_places_and_puts_each_in(language: str):
    for said, english in zip(ANNOUNCEMENTS[language], ANNOUNCEMENTS["en"], strict=True):
        assert places(said) == places(english)
    again = told(ANN._replace(told_before=date(2026, 3, 10)), locale=language)
    assert "2026-03-10" in again.paragraphs[1]
    assert "{" not in repr(again)
    assert len(again.paragraphs) == len(told().paragraphs) + 1


def test_the_letter_says_what_is_kept():
    kept = told()
    moment = datetime(2026, 3, 10, 18, tzinfo=UTC)
    letter = announcement_letter(
        Announcement("mail_1", "en-US", "ann@example.org", "Ann", moment, "Harbor Rentals", None, kept)
    )
    assert (letter.language, letter.subject) == ("en", kept.subject)
    assert [getattr(block, "text", "") for block in letter.blocks] == list(kept.paragraphs)
    assert "Harbor Rentals" in letter.note


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
