"""The text of a lease's terms about utilities: facts, examples and general sentences.

The dashboard's page and the PDF have the same text; calculations are written as on invoices.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.accounts.letterheads import Letterhead
from prorata.domain.billing_calendar import Month
from prorata.domain.countries import address_lines
from prorata.domain.languages import language_of
from prorata.domain.printing.charge_rendering import Forms, Said, worked_out
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.lease_words import LEASE_WORDS, LeaseWords
from prorata.domain.printing.printed_invoices import Biller, Place, lines_of
from prorata.domain.printing.rendering import with_area
from prorata.domain.printing.texts import Texts
from prorata.domain.splitting.lease_terms import Average, Example, LeaseTerms, UtilityTerms
from prorata.domain.splitting.planned_charges import charge_type
from prorata.domain.splitting.share_rules import Component, Rule, used_terms
from prorata.domain.splitting.split_methods import SPLIT_METHODS


class PrintedLease(NamedTuple):
    """The printed utility terms of a property on a day, in the formats of `locale`.

    The text names the landlord (`biller`), and says that disputes are answered within `answer_days` days.
    """

    terms: LeaseTerms
    biller: Biller
    place: Place
    locale: str
    letterhead: Letterhead
    answer_days: int

    @property
    def file_name(self) -> str:
        """The file name of the lease's PDF."""
        return f"{self.place.name} {self.terms.day.isoformat()}.pdf"


class WrittenExample(NamedTuple):
    """An example in a lease's text: title, calculation, and share of the average bill."""

    title: str
    lines: tuple[Said, ...]
    amount: str


class WrittenUtility(NamedTuple):
    """A utility in the text of a lease: name, labeled facts, and any example."""

    name: str
    facts: tuple[tuple[str, str], ...]
    example: WrittenExample | None


class WrittenLease(NamedTuple):
    """All text of a lease's terms about utilities.

    Each item of `sections` is a pair of a heading and sentences.
    """

    title: str
    as_of: str
    biller: str
    biller_lines: tuple[str, ...]
    place: tuple[str, ...]
    intro: str
    utilities: tuple[WrittenUtility, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    footer: str
    page: str


def write_lease(lease: PrintedLease, forms: Forms) -> WrittenLease:
    """Write the text of a lease's terms about utilities, in the account's language."""
    texts, words = with_area(texts_for(lease.locale), lease.place.country), LEASE_WORDS[language_of(lease.locale)]
    name, *address = lease.place
    day, writer = forms.day(lease.terms.day), Words(texts, words, forms)
    heading, asked = words.asked
    days = forms.number(Fraction(lease.answer_days))
    contact = ", ".join(lines_of(lease.biller.contact)) or lease.biller.name
    return WrittenLease(
        title=words.title,
        as_of=words.as_of.format(day=day),
        biller=lease.biller.name,
        biller_lines=(*lease.biller.address_lines, *lines_of(lease.biller.contact)),
        place=(name, *address_lines(*address)),
        intro=words.intro.format(biller=lease.biller.name, property=name),
        utilities=tuple(writer.utility(utility, lease.terms.currency) for utility in lease.terms.utilities),
        sections=(*words.rest, (heading, tuple(question.format(contact=contact, days=days) for question in asked))),
        footer=f"{name} · {words.as_of.format(day=day)}",
        page=texts.page,
    )


class Words(NamedTuple):
    """The language and the locale's formats in which rules and examples are written."""

    texts: Texts
    words: LeaseWords
    forms: Forms

    def utility(self, terms: UtilityTerms, currency: str) -> WrittenUtility:
        """Describe how a utility is split: its facts, and an example if there is one."""
        example = self.example(terms.example, currency) if terms.example else None
        return WrittenUtility(self.name(terms.utility_type), tuple(self._facts(terms, currency)), example)

    def name(self, utility_type: str) -> str:
        """Return the name of a utility, as printed for tenants."""
        return self.texts.utilities[charge_type(utility_type) or "OTHER"]

    def how(self, rule: Rule | None) -> str:
        """Describe a rule's split; for a blend, each part."""
        if rule is None:
            return self.words.off
        parts = (f"{self._percent(part)}{self._way(part.split_method)}" for part in rule.parts)
        return ". ".join(parts)

    def example(self, example: Example, currency: str) -> WrittenExample:
        """Describe a household's share of the average bill.

        If the rule counts people, the title names the household's number of people, and otherwise its unit.
        """
        why, counts = example.explanation, example.people and _counts_people(example)
        people = self._people(Fraction(example.people))
        title = self.words.example_people if counts else self.words.example_unit
        return WrittenExample(
            title.format(unit=example.label, people=people),
            tuple(worked_out(why, currency, self.texts, self.forms)),
            self.forms.money(why.share, currency),
        )

    def month(self, since: str) -> str:
        """Name the month from which a rule version applies, or say that it always applied."""
        return self.forms.month(Month(since)) if since else self.words.always

    def bills(self, average: Average | None, currency: str) -> str:
        """State the number of bills in the average, and the average amount."""
        if average is None:
            return self.words.bills_none
        form = self.words.bills_one if average.bills == 1 else self.words.bills_average
        amount = self.forms.money(average.amount, currency)
        return form.format(number=self.forms.number(Fraction(average.bills)), amount=amount)

    def in_full(self, rule: Rule | None, beside: Rule | None) -> str:
        """Describe a rule in full, except for terms shared with the rule `beside`.

        The way in which the rule splits is always described.
        """
        its, others = ([*self._of_rule(rule_shown)] if rule_shown else [] for rule_shown in (rule, beside))
        return ". ".join([self.how(rule), *(self.texts.colon.join(term) for term in its if term not in others)])

    def _facts(self, terms: UtilityTerms, currency: str) -> Iterator[tuple[str, str]]:
        words, rule = self.words, terms.now.rule
        yield words.how, self.how(rule)
        if rule is not None or terms.now.since:
            yield words.since, self.month(terms.now.since)
        if terms.before is not None and _is_told(terms.before.rule, rule):
            yield words.before, self.in_full(terms.before.rule, rule)
        for dated, earlier in zip(terms.later, (terms.now, *terms.later), strict=False):
            if _is_told(dated.rule, earlier.rule):
                yield words.later.format(month=self.month(dated.since)), self.in_full(dated.rule, earlier.rule)
        if rule is None:
            return
        yield from self._of_rule(rule)
        yield words.bills, self.bills(terms.average, currency)

    def _of_rule(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """State the owner's percentage, and the treatment of vacant units."""
        words, percent = self.words, self.forms.percent(rule.owner_percent)
        first = words.common_percent.format(percent=percent) if rule.owner_percent else words.common_none
        is_of_hundred = any(SPLIT_METHODS[part.split_method].of_hundred for part in rule.parts)
        yield words.common, ". ".join([first, words.common_rest] if is_of_hundred else [first])
        yield words.empty, self._of_empty_units(rule)

    def _of_empty_units(self, rule: Rule) -> str:
        """State who pays for vacant units.

        If this is the same for several parts of a blend, it is stated once.
        """
        percents: dict[str, Fraction] = {}
        for part in rule.parts:
            sentence = self._empty(part, rule)
            percents[sentence] = percents.get(sentence, Fraction()) + part.percent
        if len(percents) == 1:
            return next(iter(percents))
        return ". ".join(
            f"{self.forms.percent(percent)}{self.texts.colon}{sentence}" for sentence, percent in percents.items()
        )

    def _empty(self, part: Component, rule: Rule) -> str:
        if not SPLIT_METHODS[part.split_method].counts_people:
            return self.words.empty_owners
        if not rule.vacant_occupants:
            return self.words.empty_nobody
        return self.words.empty_people.format(people=self._people(rule.vacant_occupants))

    def _way(self, method: str) -> str:
        """Name a split method's measure, with the words that invoices print before a unit's number."""
        return self.texts.methods[method].how.partition(":")[0].strip()

    def _percent(self, part: Component) -> str:
        return f"{self.forms.percent(part.percent)}{self.texts.colon}" if part.percent else ""

    def _people(self, number: Fraction) -> str:
        return self.texts.people[number != 1].format(number=self.forms.number(number))


def _is_told(rule: Rule | None, beside: Rule | None) -> bool:
    """True if a rule differs from the rule `beside` in terms that a lease states.

    These are all terms in use except the weights.
    """
    its, others = (used_terms(one and one._replace(weights={})) for one in (rule, beside))
    return its != others


def _counts_people(example: Example) -> bool:
    return any(SPLIT_METHODS[step.split_method].counts_people for step in example.explanation.steps)
