"""A charge on a printed invoice, in words: its bill, and its calculation."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from prorata.domain.billing_calendar import Month
from prorata.domain.countries import in_area_unit
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.correction_words import CORRECTIONS, changes_in_words
from prorata.domain.printing.printed_invoices import Copy, PrintedCharge
from prorata.domain.printing.texts import Texts, within
from prorata.domain.splitting.correction_sentences import Corrected, read, reason_of
from prorata.domain.splitting.explanations import Explanation, Step
from prorata.domain.splitting.month_facts import Line
from prorata.domain.splitting.split_methods import EQUAL, PERCENTAGE, SPLIT_METHODS
from prorata.domain.usage import Usage

_HUNDRED = Fraction(100)


class Forms(Protocol):
    """The formats of a locale for money (cents), days, months, numbers and percentages."""

    def money(self, cents: int, currency: str) -> str:
        """Format an amount with its currency."""
        ...

    def price(self, value: Decimal, currency: str) -> str:
        """Format a unit price, with all its decimals."""
        ...

    def day(self, day: date) -> str:
        """Format a day, with the month in words."""
        ...

    def month(self, month: Month) -> str:
        """Format a month and year, in words."""
        ...

    def month_of_year(self, month: Month) -> str:
        """Format a month and year, abbreviated."""
        ...

    def days(self, first: date, last: date) -> str:
        """Format a range of days, abbreviated."""
        ...

    def number(self, value: Fraction) -> str:
        """Format a number."""
        ...

    def percent(self, value: Fraction) -> str:
        """Format a percentage."""
        ...


class Said(NamedTuple):
    """A line in the explanation of a charge: a calculation in figures, or a sentence."""

    text: str
    is_sum: bool = False


class WrittenCharge(NamedTuple):
    """A charge as printed: name, days, source, calculation, amount, earlier amounts and usage.

    `earlier` has an amount, possibly empty, for each earlier month with which the invoice compares. `used` is the
    usage, if the bill states it. `compared` states the earlier amounts in words, with those that were billed then.
    """

    name: str
    period: str
    source: str
    lines: tuple[Said, ...]
    amount: str
    earlier: tuple[tuple[str, str], ...] = ()
    used: str = ""
    compared: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The charge's name and amount."""
        return f"{self.name}: {self.amount}"

    @property
    def as_asked(self) -> str:
        """The charge's name, amount and calculation, to store with a question or dispute about it."""
        return "\n".join([self.heading, *(line.text for line in self.lines)])[:LONGEST_QUESTION]


def write_charge(charge: PrintedCharge, copy: Copy, texts: Texts, forms: Forms) -> WrittenCharge:
    """Describe a charge: its source and its calculation."""
    why, amount = charge.explanation, forms.money(charge.amount, copy.currency)
    if charge.corrects_month and (corrected := read(charge.description)):
        return _write_correction(corrected, charge, copy, texts, forms)
    if charge.utility_type is None and why is None:
        return WrittenCharge(charge.description, "", "", (), amount)
    days = why.days if why else charge.days
    name, period = charge.name(texts), forms.days(*days) if days else ""
    if why is None:
        return WrittenCharge(name, period, in_area_unit(charge.description, copy.place.country), (), amount)
    source = _source(why.line, charge, copy.currency, texts, forms)
    lines = list(_changes(charge, why, copy, texts, forms))
    used = _used(why.line, why.line.usage, copy.currency, texts, forms) if why.line.usage else ""
    return WrittenCharge(name, period, source, tuple(lines), amount, used=used)


def _write_correction(said: Corrected, charge: PrintedCharge, copy: Copy, texts: Texts, forms: Forms) -> WrittenCharge:
    month, charged = forms.month(said.month), forms.money(said.charged, copy.currency)
    source = texts.bill_alone.format(issuer=said.issuer, day=forms.day(said.bill_date))
    if said.right is None:
        lines = [Said(texts.charged_again.format(charged=charged, month=month))]
    else:
        right = forms.money(said.right, copy.currency)
        form = texts.was_charged if said.charged else texts.charged_first
        lines = [Said(form.format(charged=charged, right=right)), *_reason(said.why, copy, texts, forms)]
    name = texts.colon.join((charge.name(texts), texts.correction.format(month=month)))
    why, amount, period, used = charge.explanation, forms.money(charge.amount, copy.currency), "", ""
    if why is not None and said.right is not None:
        source, right = _source(why.line, charge, copy.currency, texts, forms), forms.money(said.right, copy.currency)
        lines = [lines[0], *_changes(charge, why, copy, texts, forms)]
        used = _used(why.line, why.line.usage, copy.currency, texts, forms) if why.line.usage else ""
        if said.charged:
            lines.append(Said(f"{right} − {charged} = {amount}", is_sum=True))
    if (days := why.days if why else charge.days) and (written := forms.days(*days)) != month:
        period = written
    return WrittenCharge(name, period, source, tuple(lines), amount, used=used)


def _changes(charge: PrintedCharge, now: Explanation, copy: Copy, texts: Texts, forms: Forms) -> Iterator[Said]:
    """Explain how a charge is calculated and, for a correction, what differed before.

    What differed may be the bill, the days of units, or the measure by which the bill was divided. `now` explains
    the correct amount. The differing parts of the former amount's explanation come last.
    """
    before = charge.before
    if before is None:
        yield from worked_out(now, copy.currency, texts, forms)
        return
    words, currency = CORRECTIONS[language_of(copy.locale)], copy.currency
    was, is_now = before.line, now.line
    if was.amount != is_now.amount:
        said, sums = words.part_of_bill, (was.amount, is_now.amount)
        if was.bill_total != is_now.bill_total:
            said, sums = words.bill, (was.bill_total, is_now.bill_total)
        then, right = (forms.money(cents, currency) for cents in sums)
        yield Said(said.format(before=then, now=right))
    of_now, of_then = (list(worked_out(one, currency, texts, forms)) for one in (now, before))
    said_now, said_then = ([line for line in lines if not line.is_sum] for lines in (of_now, of_then))
    if said_now != said_then:
        yield from map(Said, changes_in_words(charge.changes, language_of(copy.locale), forms.day))
        if now.method != before.method:
            yield Said(words.method.format(biller=one_line(copy.biller.name)))
    yield from of_now
    if former := [line for line in said_then if line not in said_now]:
        yield Said(words.then.format(said=" ".join(line.text for line in former)))


def _reason(why: str, copy: Copy, texts: Texts, forms: Forms) -> Iterator[Said]:
    """Explain the correct amount by a correction's stored reason.

    A reason that can't be parsed is shown in the words in which it was stored.
    """
    reason = reason_of(why)
    if reason is None:
        yield Said(in_area_unit(why, copy.place.country))
        return
    if reason.owner_percent:
        yield Said(texts.percent_first.format(percent=forms.percent(reason.owner_percent)))
    method = SPLIT_METHODS[reason.split_method]
    part = (forms.percent if method.of_hundred else forms.number)(reason.part)
    yield Said(texts.methods[method.code].how.format(part=part, whole=forms.number(reason.whole)))
    if reason.days is not None and reason.of_days is not None:
        here = texts.days_here.format(days=forms.number(reason.days), whole=forms.number(reason.of_days))
        yield Said(f"{here} {texts.moving_day}" if reason.has_moving_day else here)


def _source(line: Line, charge: PrintedCharge, currency: str, texts: Texts, forms: Forms) -> str:
    """Name a charge's bill, and the part of the bill's total for this utility."""
    source = texts.bill.format(
        issuer=line.issuer, day=forms.day(line.bill_date), total=forms.money(line.bill_total, currency)
    )
    if line.amount != line.bill_total:
        name = charge.own_name or within(charge.name(texts), texts)
        source = texts.part_of_bill.format(bill=source, amount=forms.money(line.amount, currency), name=name)
    if line.days is not None and line.of_days is not None:
        source = texts.days_of_bill.format(bill=source, part=line.days, whole=line.of_days)
    return source


def worked_out(why: Explanation, currency: str, texts: Texts, forms: Forms) -> Iterator[Said]:
    """Explain a calculation step by step.

    The household's days are stated unless the household was there on all days. The steps of a blend are summed; the
    owner's part, if any, comes last. If the household was there on none of the days, the explanation says only
    that.
    """
    if any(step.whole for step in why.steps) and all(_is_of_no_days(step) for step in why.steps if step.whole):
        yield Said(texts.no_days_here)
        return
    if why.yours is not None and why.yours != why.days:
        yield Said(texts.your_days.format(days=forms.days(*why.yours)))
    if why.line.guessed:
        yield Said(texts.guessed)
    if why.owner_percent:
        yield Said(texts.percent_first.format(percent=forms.percent(why.owner_percent)))
    left = f" × {forms.percent(_HUNDRED - why.owner_percent)}" if why.owner_percent else ""
    for step in why.steps:
        way, amount = _how(step, texts, forms), forms.money(step.amount, currency)
        if step.percent is None:
            yield Said(way)
            yield from map(Said, _assumed(step, texts, forms))
            yield Said(f"{amount}{left}{_divided(step, currency, texts, forms)}", is_sum=True)
            yield from _by_days(step, currency, texts, forms)
            continue
        yield Said(f"{forms.percent(step.percent)}{texts.colon}{way}")
        yield from map(Said, _assumed(step, texts, forms))
        result = _result(step.amount, step.amount_cents, currency, texts, forms)
        taken = f"{forms.money(why.line.amount, currency)}{left} × {forms.percent(step.percent)} = {result}"
        yield Said(f"{taken};  {amount}{_divided(step, currency, texts, forms)}" if step.whole else taken, is_sum=True)
        yield from _by_days(step, currency, texts, forms)
    if len(why.steps) > 1:
        parts = " + ".join(forms.money(step.share, currency) for step in why.steps)
        yield Said(f"{parts} = {forms.money(why.share, currency)}", is_sum=True)
    if abs(why.owner * _HUNDRED - why.line.amount * why.owner_percent) > _HUNDRED:  # beyond the percentage above
        part, owner = forms.money(why.line.amount, currency), forms.money(why.owner, currency)
        said_of = texts.owner_too if why.owner_percent else texts.owner
        yield Said(said_of.format(owner=owner, amount=part))


def _used(line: Line, usage: Usage, currency: str, texts: Texts, forms: Forms) -> str:
    """State the usage on the bill, its price, and the rest of the line.

    Nothing is said of the rest if it may be rounding, if the bill is spread over months, because it states the usage
    of all of them, or if the bill gives no amounts per utility.
    """
    used = f"{forms.number(Fraction(usage.used))}\N{NO-BREAK SPACE}{usage.unit}"
    if usage.price is None:
        return texts.usage[0].format(used=used)
    price = forms.price(usage.price, currency)
    if line.days is None and not line.guessed and (rest := usage.rest_of(line.amount)):
        return texts.usage[2].format(used=used, price=price, rest=forms.money(rest, currency))
    return texts.usage[1].format(used=used, price=price)


def _how(step: Step, texts: Texts, forms: Forms) -> str:
    if not step.whole:
        return texts.nobody_has
    if not step.known:
        return texts.methods[step.split_method].unknown
    number = forms.percent if step.split_method == PERCENTAGE else forms.number
    part = number(step.measure if step.split_method == PERCENTAGE else step.part)
    if _are_all(step):
        part = _people(step, texts, forms)
    how = texts.methods[step.split_method].how.format(part=part, whole=forms.number(step.whole))
    if not step.by_days:
        return how
    days = {"measure": number(step.measure), "active": step.active, "service": step.service}
    if step.split_method == PERCENTAGE:
        return f"{how} {texts.by_days.format(**days)}"
    way = how.partition(":")[0]  # the measure; the unit's number follows it
    return f"{way}: {texts.in_days.format(**days, part=forms.number(step.part), whole=forms.number(step.whole))}"


def _by_days(step: Step, currency: str, texts: Texts, forms: Forms) -> Iterator[Said]:
    """Explain the household's part of its unit's share, unless this part is the whole share.

    The household has only a part if, on some of the days, others lived in the unit too, or nobody did.
    """
    if not step.is_divided or not step.whole or _are_all(step):
        return
    days, of_days = forms.number(step.days), forms.number(step.of_days)
    here = texts.person_days_here if SPLIT_METHODS[step.split_method].counts_people else texts.days_here
    both = f" {texts.moving_day}" if step.has_moving_day else ""
    yours = here.format(days=_people(step, texts, forms) if step.people else days, whole=of_days)
    yield Said(texts.no_days_here if _is_of_no_days(step) else f"{yours}{both}")
    share = _result(step.share, step.cents, currency, texts, forms)
    yield Said(f"{forms.money(step.unit_share, currency)} × {days} ÷ {of_days} = {share}", is_sum=True)


def _is_of_no_days(step: Step) -> bool:
    """True if a unit's share is divided by days and the household has none."""
    return step.is_divided and not (step.days or step.people)


def _are_all(step: Step) -> bool:
    """True if a charge is for all of the people counted in the unit."""
    return bool(step.people) and _person_days(step) == step.part


def _person_days(step: Step) -> int:
    return sum(people * days for people, days in step.people)


def _people(step: Step, texts: Texts, forms: Forms) -> str:
    """Format people and days: "2 people × 31 days = 62"."""

    def counted(words: tuple[str, str], number: int) -> str:
        return words[number != 1].format(number=forms.number(Fraction(number)))

    products = (f"{counted(texts.people, people)} × {counted(texts.days, days)}" for people, days in step.people)
    return f"{' + '.join(products)} = {forms.number(Fraction(_person_days(step)))}"


def _assumed(step: Step, texts: Texts, forms: Forms) -> Iterator[str]:
    """Yield sentences about people assumed in vacant units, or about vacant units that don't count."""
    if step.leaves_vacant_out:
        yield texts.methods[step.split_method].left_out
    if step.assumed_here:
        yield texts.assumed_here
    if step.assumed > (step.part if step.assumed_here else 0):
        yield texts.assumed.format(days=forms.number(step.assumed), whole=forms.number(step.whole))


def _divided(step: Step, currency: str, texts: Texts, forms: Forms) -> str:
    share = _result(step.unit_share, step.unit_cents, currency, texts, forms)
    if step.split_method == PERCENTAGE:
        days = f" × {step.active} ÷ {step.service}" if step.by_days else ""
        return f" × {forms.percent(step.measure)}{days} = {share}"
    if step.split_method == EQUAL and not step.by_days:
        return f" ÷ {forms.number(step.whole)} = {share}"
    return f" × {forms.number(step.part)} ÷ {forms.number(step.whole)} = {share}"


def _result(cents: int, beyond: int, currency: str, texts: Texts, forms: Forms) -> str:
    """Format a charged amount and, if rounding added or took a cent, say so.

    The cent is written as an amount, such as "£0.01", because not every currency has cents.
    """
    charged = forms.money(cents, currency)
    if not beyond:
        return charged
    and_a_cent = texts.cent_more if beyond > 0 else texts.cent_less
    rounded, cent = (forms.money(part, currency) for part in (cents - beyond, abs(beyond)))
    return and_a_cent.format(rounded=rounded, cent=cent, amount=charged)
