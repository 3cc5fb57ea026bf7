"""Lessons about issuers: listing, deleting, and exchanging them as a file."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from prorata.actions.intake import issuer_lessons, page_lessons
from prorata.actions.limits import (
    LONGEST_LESSON_TEXT,
    MOST_BILLS_OF_LESSON,
    MOST_LESSONS,
    MOST_RULES_OF_WAY,
    WIDEST_PAGE,
)
from prorata.domain.audit.verbs import Verb
from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.e_invoices.drafts import E_INVOICE
from prorata.domain.intake.pointing.learning import MOST_WAYS
from prorata.domain.intake.pointing.lessons import (
    FIELDS,
    MOST_AMOUNTS,
    MOST_ANCHORS,
    MOST_LAYOUTS,
    MOST_MARKS,
    MOST_WORDS,
    Layout,
    PageLesson,
)
from prorata.domain.limits import LONGEST_ISSUER
from prorata.domain.search_terms import folded
from prorata.domain.texts import say
from prorata.domain.utility_names import LINE_NAMES
from prorata.errors import InvalidRequest, NotFound
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.intake import issuer_lessons as stored
from prorata.store.intake.issuer_lessons import IssuerLesson

LINES = "lines"
_NOT_OURS = say("This is not a file of known companies exported from Prorata. Nothing was imported.")


class KnownIssuer(NamedTuple):
    """An issuer about which Prorata has learned from pages of bills, from e-invoices, or both."""

    key: str
    name: str
    lesson: PageLesson | None
    has_e_invoices: bool
    updated_at: str


class Forgotten(NamedTuple):
    """The audit note of a deleted lesson.

    It contains the issuer, and the field if only that field's part of the lesson was deleted.
    """

    issuer: str
    field: str | None = None


class Brought(NamedTuple):
    """The audit note of a lessons import, with the number of issuers that it added."""

    issuers: int


class LessonsFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of lessons that one account exports and another imports.

    `prorata` is the version of the file's format.
    """

    prorata: int
    issuers: list[PageLesson]


def known(tx: Tx, caller: Caller) -> list[KnownIssuer]:
    """List the issuers that have lessons, the most recently changed first."""
    return [_known(row) for row in stored.all_of(tx, caller.account_id, limit=MOST_LESSONS)]


def find(tx: Tx, caller: Caller, issuer_key: str) -> KnownIssuer:
    """Find an issuer with lessons.

    Raises `NotFound` if nothing was learned about the issuer.
    """
    row = stored.find(tx, caller.account_id, issuer_key)
    if row is None:
        raise NotFound("issuer")
    return _known(row)


def _known(row: IssuerLesson) -> KnownIssuer:
    has_e_invoices = E_INVOICE in msgspec.json.decode(row.lesson, type=dict[str, msgspec.Raw])
    return KnownIssuer(row.issuer_key, row.issuer_name, page_lessons.lesson_in(row), has_e_invoices, row.updated_at)


def forget(tx: Tx, caller: Caller, issuer_key: str) -> str:
    """Delete all lessons about an issuer, and return the issuer's name.

    Raises `NotFound` if nothing was learned about the issuer.
    """
    issuer = find(tx, caller, issuer_key)
    stored.forget(tx, caller.account_id, issuer_key)
    audit.record(tx, caller, Verb.FORGET_LESSON, caller.account_id, before=Forgotten(issuer.name))
    return issuer.name


def forget_seller(tx: Tx, caller: Caller, draft: Draft | None) -> None:
    """Delete the lessons about an e-invoice's issuer."""
    if draft is not None and draft.stated is not None:
        issuer_lessons.forget(tx, caller.account_id, draft.stated.seller, E_INVOICE)
        audit.record(tx, caller, Verb.FORGET_LESSON, caller.account_id, before=Forgotten(draft.issuer.value or ""))


def forget_field(tx: Tx, caller: Caller, issuer_key: str, field: str) -> None:
    """Delete an issuer's lesson about one field of its bills, or about `LINES`.

    `LINES` stands for the bill lines. The issuer's next confirmed bill teaches the field again. Raises `NotFound` if
    there is no such issuer or field.
    """
    issuer = find(tx, caller, issuer_key)
    if issuer.lesson is None or field not in (*FIELDS, LINES):
        raise NotFound("lesson")
    layouts = tuple(_without(layout, field) for layout in issuer.lesson.layouts)
    page_lessons.keep(tx, caller.account_id, issuer.lesson._replace(layouts=layouts))
    audit.record(tx, caller, Verb.FORGET_LESSON, caller.account_id, before=Forgotten(issuer.name, field))


def _without(layout: Layout, field: str) -> Layout:
    if field == LINES:
        return layout._replace(lines=(), amounts=())
    return layout._replace(fields={name: its for name, its in layout.fields.items() if name != field})


def exported(tx: Tx, caller: Caller) -> bytes:
    """Export the page lessons about all issuers as JSON for other accounts.

    The landlord's account numbers are left out.
    """
    issuers = [issuer.lesson._replace(accounts=()) for issuer in known(tx, caller) if issuer.lesson]
    return msgspec.json.format(msgspec.json.encode(LessonsFile(1, issuers)), indent=1)


def take(tx: Tx, caller: Caller, content: bytes) -> tuple[int, int]:
    """Import another account's exported lessons about issuers that have none in this account.

    Return the number of imported lessons, and the number of skipped issuers. Raises `InvalidRequest`, and imports
    nothing, if the file contains anything but lessons or too many of them.
    """
    try:
        brought = msgspec.json.decode(content, type=LessonsFile)
    except msgspec.DecodeError:
        raise InvalidRequest(_NOT_OURS) from None
    there = {issuer.key for issuer in known(tx, caller) if issuer.lesson}
    if brought.prorata != 1 or not all(map(_is_sound, brought.issuers)):
        raise InvalidRequest(_NOT_OURS)
    new = {folded(issuer.issuer): issuer for issuer in brought.issuers if folded(issuer.issuer) not in there}
    if len(there) + len(new) > MOST_LESSONS:
        raise InvalidRequest(
            say(
                "This file would bring the number of known companies to more than {most}. Nothing was imported.",
                most=MOST_LESSONS,
            )
        )
    for lesson in new.values():
        page_lessons.keep(tx, caller.account_id, lesson._replace(accounts=()))
    if new:
        audit.record(tx, caller, Verb.TAKE_LESSONS, caller.account_id, after=Brought(len(new)))
    return len(new), len(brought.issuers) - len(new)


def _is_sound(lesson: PageLesson) -> bool:
    """True if an imported lesson's sizes and names could come from learning from bills."""
    texts = [*_texts(lesson)]
    return (
        bool(folded(lesson.issuer))
        and lesson.issuer.isprintable()
        and len(lesson.issuer) <= LONGEST_ISSUER
        and 0 < len(lesson.layouts) <= MOST_LAYOUTS
        and set(lesson.kinds) <= LINE_NAMES.keys()
        and all(len(text) <= LONGEST_LESSON_TEXT for text in texts)
        and all(
            len(layout.words) <= MOST_WORDS
            and len(layout.marks) <= MOST_MARKS
            and len(layout.lines) <= MOST_WAYS
            and 0 < layout.bills <= MOST_BILLS_OF_LESSON
            and len(layout.amounts) <= MOST_AMOUNTS
            and layout.fields.keys() <= FIELDS.keys()
            and all(len(way) <= MOST_RULES_OF_WAY for way in layout.lines)
            and all(rule.kind in LINE_NAMES and abs(rule.sign) == 1 for way in layout.lines for rule in way)
            and all(len(taught.anchors) <= MOST_ANCHORS for taught in layout.fields.values())
            and all(0 <= number <= WIDEST_PAGE for number in _numbers(layout))
            for layout in lesson.layouts
        )
    )


def _numbers(layout: Layout) -> Iterator[int]:
    yield from (number for way in layout.lines for rule in way for number in (rule.page, rule.x))
    anchors = (anchor for taught in layout.fields.values() for anchor in taught.anchors)
    yield from (number for anchor in anchors for number in (anchor.page, anchor.x, anchor.y))


def _texts(lesson: PageLesson) -> Iterator[str]:
    for layout in lesson.layouts:
        yield from (*layout.words, *layout.marks, *layout.amounts)
        yield from (rule.words for way in layout.lines for rule in way)
        for taught in layout.fields.values():
            yield taught.shape
            yield from (text for anchor in taught.anchors for text in (anchor.left, anchor.above))
