"""A printed invoice in the words of a language: every text that stands on the paper, in its place.

Pure: how money, days and numbers are written in a locale comes in as `Forms`.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import NamedTuple, Protocol

from prorata.domain.billing_calendar import Month
from prorata.domain.countries import address_lines, area_unit, in_area_unit
from prorata.domain.limits import LONGEST_SHOWN_VALUE
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.printed_invoices import Copy, PrintedCharge, PrintedInvoice, Standing
from prorata.domain.printing.replaced_invoices import Changed
from prorata.domain.printing.sections import Section, lines_of, sections_of
from prorata.domain.printing.texts import Texts
from prorata.domain.splitting.explanations import Explanation, Step
from prorata.domain.splitting.split_methods import EQUAL, PERCENTAGE, SPLIT_METHODS

_HUNDRED = Fraction(100)


class Forms(Protocol):
    """How a locale writes money (cents), days, months, numbers and percents."""

    def money(self, cents: int, currency: str) -> str:
        """An amount with its currency."""
        ...

    def day(self, day: date) -> str:
        """A day, its month in words."""
        ...

    def month(self, month: Month) -> str:
        """A month of a year, in words."""
        ...

    def number(self, value: Fraction) -> str:
        """A number."""
        ...

    def percent(self, value: Fraction) -> str:
        """So many hundredths."""
        ...


class Headline(NamedTuple):
    """What is to be seen in a second: what the figure is, the figure, what to do about it. `tone` is calm, alarm or
    void (the figure no longer counts).
    """

    label: str
    figure: str
    note: str
    tone: str


class Said(NamedTuple):
    """A line of an explanation: a sum with figures, or a sentence about one."""

    text: str
    is_sum: bool = False


class WrittenCharge(NamedTuple):
    """A charge: its name, the bill it comes from, how it was worked out, and the amount."""

    name: str
    source: str
    lines: tuple[Said, ...]
    amount: str


class WrittenInvoice(NamedTuple):
    """Every text of an invoice. `stamp` is what it is marked with, and `replaces` what it says of the one before, or
    empty; `facts` and `totals` have labels.
    """

    title: str
    heading: str
    stamp: str
    replaces: str
    biller: str
    biller_lines: tuple[str, ...]
    headline: Headline
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    charges_title: str
    columns: tuple[str, str, str]
    charges: tuple[WrittenCharge, ...]
    totals: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    footer: str
    page: str


def write(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> WrittenInvoice:
    """Write an invoice in the words of a language and the forms of a locale."""
    copy, place = invoice.copy, invoice.copy.place
    texts = _with_area(texts, place.country)
    address = address_lines(place.street_number, place.street, place.city, place.state, place.zip, place.country)
    tenant = (
        (texts.nobody,) if invoice.tenant_name is None else (invoice.tenant_name, *lines_of(copy.forwarding_address))
    )
    return WrittenInvoice(
        title=f"{texts.corrected if invoice.replaces else texts.invoice} {invoice.number}",
        heading=texts.corrected if invoice.replaces else texts.invoice,
        stamp=_stamp(invoice, texts),
        replaces=replaces_in_words(invoice, texts, forms),
        biller=copy.biller.name,
        biller_lines=(*lines_of(copy.biller.address), *lines_of(copy.biller.contact)),
        headline=_headline(invoice, texts, forms),
        facts=(
            (texts.billed_to, tenant),
            (texts.place, (place.name, *address)),
            (texts.unit, (copy.unit_label,)),
            (texts.period, (forms.month(invoice.month),)),
            (texts.date, (forms.day(invoice.invoice_date),)),
            (texts.number, (invoice.number,)),
        ),
        charges_title=texts.charges.format(month=forms.month(invoice.month)),
        columns=(texts.charge, texts.how_it_came, texts.your_part),
        charges=tuple(_charge(charge, copy, texts, forms) for charge in invoice.charges),
        totals=tuple(_totals(invoice, texts, forms)),
        sections=tuple(sections_of(invoice, texts, forms.money)),
        footer=f"{copy.biller.name} · {invoice.number}",
        page=texts.page,
    )


def _stamp(invoice: PrintedInvoice, texts: Texts) -> str:
    if invoice.replaced_by is not None:
        return texts.replaced_by.format(number=invoice.replaced_by)
    return {"draft": texts.draft, "cancelled": texts.cancelled}.get(invoice.standing, "")


def replaces_in_words(invoice: PrintedInvoice, texts: Texts, forms: Forms, most: int | None = None) -> str:
    """What an invoice says of the one that it replaces; empty where there is none. Where more than `most` amounts have
    changed, the totals alone.
    """
    before = invoice.replaces
    if before is None:
        return ""
    changes = [(_name_of(one, texts), one.was, one.became) for one in before.changes]
    if most is not None and len(changes) > most:
        changes = [(_within(texts.total, texts), before.total, invoice.total)]
    said = (
        texts.changed.format(
            name=name,
            was=forms.money(was, invoice.copy.currency),
            became=forms.money(became, invoice.copy.currency),
        )
        for name, was, became in changes
    )
    return texts.replaces.format(
        number=invoice.number, replaced=before.number, day=forms.day(before.invoice_date), changes=", ".join(said)
    )


def _name_of(one: Changed, texts: Texts) -> str:
    return (
        _within(texts.utilities[one.utility_type], texts)
        if one.utility_type
        else one_line(one.name, LONGEST_SHOWN_VALUE)
    )


def _within(name: str, texts: Texts) -> str:
    """A name of ours as it stands within a sentence."""
    return name[:1].lower() + name[1:] if texts.small_names else name


def _with_area(texts: Texts, country: str) -> Texts:
    """The texts with what floor areas are told in where the property lies. The number is the one that was entered."""
    area = texts.area[area_unit(country)]
    methods = {code: said._replace(how=said.how.replace("{area}", area)) for code, said in texts.methods.items()}
    return texts._replace(methods=methods)


def _headline(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Headline:
    def money(cents: int) -> str:
        return forms.money(cents, invoice.copy.currency)

    due = "" if invoice.due_date is None else forms.day(invoice.due_date)
    total, balance = money(invoice.total), money(invoice.balance)
    withdrawn, paid_on = texts.withdrawn, texts.no_payment
    if invoice.paid:
        withdrawn = f"{texts.withdrawn}. {texts.received.format(amount=money(invoice.paid))}"
    if invoice.paid_on is not None:
        paid_on = texts.paid_on.format(day=forms.day(invoice.paid_on))
    headlines: dict[Standing, Headline] = {
        "draft": Headline(texts.total_so_far, total, texts.not_yet_due, "calm"),
        "cancelled": Headline(texts.cancelled, total, withdrawn, "void"),
        "vacant": Headline(texts.owners_cost, total, texts.vacant, "calm"),
        "credit": Headline(texts.credit, money(-invoice.balance), texts.no_payment, "calm"),
        "paid": Headline(texts.paid_in_full, total, paid_on, "calm"),
        "settled": Headline(texts.nothing_due, balance, texts.no_payment, "calm"),
        "overdue": Headline(texts.overdue, balance, texts.was_due.format(day=due), "alarm"),
        "due": Headline(texts.amount_due, balance, texts.due_by.format(day=due), "calm"),
    }
    return headlines[invoice.standing]


def _totals(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Iterator[tuple[str, str]]:
    """The total, credits of other invoices, what was received, and what is left; a cancelled invoice leaves nothing."""
    currency = invoice.copy.currency
    yield texts.total, forms.money(invoice.total, currency)
    for number, amount in invoice.credits:
        yield texts.credit_from.format(number=number), forms.money(amount, currency)
    received = invoice.paid - sum(amount for _, amount in invoice.credits)
    if received or not invoice.credits:
        yield texts.paid, forms.money(received, currency)
    if invoice.standing != "cancelled":
        yield texts.balance, forms.money(invoice.balance, currency)


def _charge(charge: PrintedCharge, copy: Copy, texts: Texts, forms: Forms) -> WrittenCharge:
    currency = copy.currency
    amount = forms.money(charge.amount, currency)
    why = charge.explanation
    if why is None:
        if charge.utility_type is None:
            return WrittenCharge(charge.description, "", (), amount)
        said = in_area_unit(charge.description, copy.place.country)
        return WrittenCharge(texts.utilities[charge.utility_type], said, (), amount)
    line = why.line
    whole, part = forms.money(line.bill_total, currency), forms.money(line.amount, currency)
    source = texts.bill.format(issuer=line.issuer, day=forms.day(line.bill_date), total=whole)
    if line.amount != line.bill_total:
        source = texts.part_of_bill.format(bill=source, amount=part)
    if line.days is not None and line.of_days is not None:
        source = texts.days_of_bill.format(bill=source, part=line.days, whole=line.of_days)
    owner = texts.owner.format(owner=forms.money(why.owner, currency), amount=part)
    lines = (*_for_days(why, texts, forms), *_worked_out(why, currency, texts, forms))
    lines = (*lines, Said(owner)) if why.owner else lines
    return WrittenCharge(texts.utilities[charge.utility_type or "OTHER"], source, lines, amount)


def _for_days(why: Explanation, texts: Texts, forms: Forms) -> Iterator[Said]:
    """The days that a bill is for, where it says so, and which of them are the household's, where not all are."""
    days = {"first": forms.day(why.days.first), "last": forms.day(why.days.last)}
    if why.yours is not None and why.yours != why.days:
        yours = {"since": forms.day(why.yours.first), "until": forms.day(why.yours.last)}
        yield Said(texts.for_your_days.format(**days, **yours))
    elif why.line.service is not None:
        yield Said(texts.for_days.format(**days))


def _worked_out(why: Explanation, currency: str, texts: Texts, forms: Forms) -> Iterator[Said]:
    """What was done, each step with its sum; and of a blend's steps together."""
    if why.line.guessed:
        yield Said(texts.guessed)
    if why.owner_percent:
        yield Said(texts.percent_first.format(percent=forms.percent(why.owner_percent)))
    left = f" × {forms.percent(_HUNDRED - why.owner_percent)}" if why.owner_percent else ""
    for step in why.steps:
        said, amount = _how(step, texts, forms), forms.money(step.amount, currency)
        if step.percent is None:
            yield Said(said)
            yield from map(Said, _person_days(step, texts, forms))
            yield Said(f"{amount}{left}{_divided(step, currency, texts, forms)}", is_sum=True)
            yield from _by_days(step, currency, texts, forms)
            continue
        yield Said(f"{forms.percent(step.percent)}: {said}")
        yield from map(Said, _person_days(step, texts, forms))
        result = _result(step.amount, step.amount_cents, currency, texts, forms)
        taken = f"{forms.money(why.line.amount, currency)}{left} × {forms.percent(step.percent)} = {result}"
        yield Said(f"{taken};  {amount}{_divided(step, currency, texts, forms)}" if step.whole else taken, is_sum=True)
        yield from _by_days(step, currency, texts, forms)
    if len(why.steps) > 1:
        parts = " + ".join(forms.money(step.share, currency) for step in why.steps)
        yield Said(f"{parts} = {forms.money(why.share, currency)}", is_sum=True)


def _how(step: Step, texts: Texts, forms: Forms) -> str:
    if not step.whole:
        return texts.nobody_has
    if not step.known:
        return texts.methods[step.split_method].unknown
    number = forms.percent if step.split_method == PERCENTAGE else forms.number
    measure = step.measure if step.split_method == PERCENTAGE else step.part
    how = texts.methods[step.split_method].how.format(part=number(measure), whole=forms.number(step.whole))
    if not step.by_days:
        return how
    days = {"measure": number(step.measure), "active": step.active, "service": step.service}
    if step.split_method == PERCENTAGE:
        return f"{how} {texts.by_days.format(**days)}"
    way = how.partition(":")[0]  # what it is divided by; behind it stands how many of those the unit has
    return f"{way}: {texts.in_days.format(**days, part=forms.number(step.part), whole=forms.number(step.whole))}"


def _by_days(step: Step, currency: str, texts: Texts, forms: Forms) -> Iterator[Said]:
    """What of the unit's share is the household's, where others were there too or nobody was on some days."""
    if not step.is_divided or not step.whole:
        return
    days, of_days = forms.number(step.days), forms.number(step.of_days)
    here = texts.person_days_here if SPLIT_METHODS[step.split_method].counts_people else texts.days_here
    both = f" {texts.moving_day}" if step.has_moving_day else ""
    yield Said(f"{here.format(days=days, whole=of_days)}{both}" if step.days else texts.no_days_here)
    share = _result(step.share, step.cents, currency, texts, forms)
    yield Said(f"{forms.money(step.unit_share, currency)} × {days} ÷ {of_days} = {share}", is_sum=True)


def _person_days(step: Step, texts: Texts, forms: Forms) -> Iterator[str]:
    """The person-days of whom the charge is for, and those that are nobody's: this unit's, and those of others."""
    if step.people:
        products = " + ".join(f"{forms.number(Fraction(people))} × {days}" for people, days in step.people)
        whole = sum(people * days for people, days in step.people)
        yield texts.people.format(sum=f"{products} = {forms.number(Fraction(whole))}")
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
    """What a sum comes to when it is rounded, and the cent by which what is charged differs from that."""
    charged = forms.money(cents, currency)
    if not beyond:
        return charged
    and_a_cent = texts.cent_more if beyond > 0 else texts.cent_less
    return and_a_cent.format(rounded=forms.money(cents - beyond, currency), amount=charged)
