"""The announcement sent to tenants before a new share rule applies.

Each announcement is stored as it was sent.
"""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.greetings import greeting, signature
from prorata.domain.mail.message_body import Letter, Text, one_line
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.announcements import ANNOUNCEMENTS
from prorata.domain.mail_addresses import MailAddress, reply_address
from prorata.domain.printing.charge_rendering import Forms
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.lease_pages import Words
from prorata.domain.printing.lease_words import LEASE_WORDS
from prorata.domain.printing.rendering import with_area
from prorata.domain.splitting.lease_terms import Average, DividedBill
from prorata.domain.splitting.rule_changes import RuleChange
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.stays import UnitFacts

ANNOUNCEMENT = "announcement"
"""The message kind of an announcement."""


class Told(NamedTuple):
    """An announcement to a household: its subject and paragraphs."""

    subject: str
    paragraphs: tuple[str, ...]


class Announcement(NamedTuple):
    """The e-mail with an announcement, sent in the name of `biller`; `token` identifies the e-mail."""

    token: str
    locale: str
    to: str
    to_name: str | None
    at: datetime
    biller: str
    reply_to: MailAddress | None
    told: Told


class House(NamedTuple):
    """The facts that an announcement states about the property whose share rule changes.

    `biller` and `contact` are the landlord's name and contact details. `units` are the property's units with the
    people who live there on the day of the announcement. As an example, the announcement divides an average bill
    among these units.
    """

    biller: str
    contact: str
    name: str
    country: str
    currency: str
    locale: str
    units: Sequence[UnitFacts]


class Household(NamedTuple):
    """The household to which an announcement is addressed, by name and unit.

    `told_before` is the day of an earlier announcement that this one replaces, if there is one.
    """

    unit_id: str
    unit_label: str
    name: str
    told_before: date | None = None


class Announcer:
    """A writer of announcements that tell households of a property about a rule change."""

    def __init__(self, house: House, change: RuleChange, average: Average | None, forms: Forms) -> None:
        self._house, self._change, self._average, self._forms = house, change, average, forms
        texts = with_area(texts_for(house.locale), house.country)
        self._words = Words(texts, LEASE_WORDS[language_of(house.locale)], forms)
        self._parts = [self._divided(rule) for rule in (change.before, change.after)]

    def told(self, to: Household) -> Told:
        """Write the announcement of the rule change to one household."""
        announcement_words, mail, house = (
            ANNOUNCEMENTS[language_of(self._house.locale)],
            words_for(self._house.locale),
            self._house,
        )
        place = ", ".join(part for part in (one_line(house.name), one_line(to.unit_label)) if part)
        values = {
            "biller": one_line(house.biller),
            "contact": ", ".join(map(one_line, house.contact.splitlines())),
            "utility": self._words.name(self._change.utility_type),
            "property": one_line(house.name),
            "place": place,
            "month": self._forms.month(self._change.since),
            "day": self._forms.day(to.told_before) if to.told_before else "",
        }
        replies = any(map(reply_address, house.contact.splitlines()))
        ask = mail.ask_by_reply if replies else mail.ask_contact if values["contact"] else mail.ask_biller
        bills = self._words.bills(self._average, house.currency)
        paragraphs = (
            greeting(mail, to.name),
            announcement_words.again.format_map(values) if to.told_before else "",
            announcement_words.opening.format_map(values),
            "\n".join(
                form.format_map(values | {"how": self._words.in_full(rule, beside)})
                for form, rule, beside in (
                    (announcement_words.until_then, self._change.before, self._change.after),
                    (announcement_words.from_then, self._change.after, self._change.before),
                )
            ),
            announcement_words.bills.format(bills=bills),
            *(
                self._part(form, divided, to.unit_id)
                for form, divided in zip(
                    (announcement_words.part_before, announcement_words.part_after), self._parts, strict=True
                )
                if self._average is not None
            ),
            ask.format_map(values),
            signature(mail, ask, values),
        )
        subject = (announcement_words.subject_again if to.told_before else announcement_words.subject).format_map(
            values
        )
        return Told(one_line(subject), tuple(filter(None, paragraphs)))

    def _divided(self, rule: Rule | None) -> DividedBill | None:
        if rule is None or self._average is None:
            return None
        house = self._house
        return DividedBill(self._average.amount, rule, self._change.since, house.currency, house.units)

    def _part(self, form: str, divided: DividedBill | None, unit_id: str) -> str:
        """Describe a household's share of the average bill, and how it is calculated."""
        example = divided.of(unit_id) if divided else None
        if example is None:
            return form.format(amount=self._forms.money(0, self._house.currency))
        written = self._words.example(example, self._house.currency)
        return "\n".join((form.format(amount=written.amount), *(line.text for line in written.lines)))


def to_json(told: Told) -> str:
    """Serialize an announcement for storage."""
    return json.dumps(told, ensure_ascii=False)


def from_json(text: str) -> Told:
    """Parse an announcement that `to_json` wrote.

    >>> told = Told("Water", ("Hello,", "…"))
    >>> from_json(to_json(told)) == told
    True
    """
    subject, paragraphs = json.loads(text)
    return Told(subject, tuple(paragraphs))


def announcement_letter(announcement: Announcement) -> Letter:
    """Build the letter of an announcement from its stored text."""
    words, told = words_for(announcement.locale), announcement.told
    blocks = tuple(
        Text("\n".join(one_line(line, LONGEST_QUESTION) for line in paragraph.split("\n")))
        for paragraph in told.paragraphs
    )
    return Letter(words.language, told.subject, blocks, words.note.format(biller=one_line(announcement.biller)))
