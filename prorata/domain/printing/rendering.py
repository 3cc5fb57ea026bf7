"""A printed invoice as texts in one language, ready to be laid out.

This module has no formats of its own: `Forms` supply a locale's formats for money, days and numbers.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.countries import address_lines, area_unit
from prorata.domain.groups import grouped
from prorata.domain.labels import names_itself
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_SHOWN_VALUE
from prorata.domain.mail.message_body import one_line
from prorata.domain.printing.billed_months import about_billed_here
from prorata.domain.printing.charge_rendering import Forms, Said, WrittenCharge, write_charge
from prorata.domain.printing.charge_words import TOGETHER
from prorata.domain.printing.correction_words import CORRECTIONS
from prorata.domain.printing.credits import credit_in_words
from prorata.domain.printing.earlier_amounts import Then, months_before
from prorata.domain.printing.open_invoices import others_in_words, reminder_in_words
from prorata.domain.printing.printed_invoices import Copy, PrintedCharge, PrintedInvoice, Standing, lines_of
from prorata.domain.printing.replaced_invoices import Changed
from prorata.domain.printing.sections import Section, sections_of
from prorata.domain.printing.texts import Texts, within
from prorata.domain.splitting.explanations import Explanation
from prorata.domain.splitting.split_methods import SPLIT_METHODS


class Headline(NamedTuple):
    """The summary at the top of an invoice: label, figure and note.

    `tone` is calm, alarm or void; void means that the invoice no longer counts.
    """

    label: str
    figure: str
    note: str
    tone: str


class WrittenInvoice(NamedTuple):
    """All text of an invoice.

    `stamp` marks a draft, a cancelled invoice or a replaced invoice. `replaces` is the sentence about the invoice
    that this one replaces, and `credit` are the sentences about this invoice's credit; both may be empty. `facts`
    and `totals` are labeled values; the last of the `totals` is the amount to pay. `elsewhere` are the lines about the
    tenant's other open invoices, after a heading; it may be empty. `earlier` are the months whose amounts are printed
    beside the charges. `billed_here` are the sentences about the months of bills with days of other months.
    `only_before` is the sentence about what only the month before had, or empty; only pages show it.
    `addressee` and `return_line` are for an envelope's window, and `beside_address` are the facts beside it.
    """

    title: str
    heading: str
    stamp: str
    replaces: str
    credit: tuple[str, ...]
    biller: str
    biller_lines: tuple[str, ...]
    return_line: str
    addressee: tuple[str, ...]
    headline: Headline
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    beside_address: tuple[tuple[str, tuple[str, ...]], ...]
    charges_title: str
    part: str
    earlier: tuple[str, ...]
    charges: tuple[WrittenCharge, ...]
    billed_here: tuple[str, ...]
    only_before: str
    totals: tuple[tuple[str, str], ...]
    elsewhere: tuple[str, ...]
    sections: tuple[Section, ...]
    footer: str
    page: str


def write(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> WrittenInvoice:
    """Write an invoice in the words of a language and the formats of a locale."""
    copy, place = invoice.copy, invoice.copy.place
    texts = with_area(texts, place.country)
    address = address_lines(place.street_number, place.street, place.city, place.state, place.zip, place.country)
    tenant = (
        (texts.nobody,) if invoice.tenant_name is None else (invoice.tenant_name, *lines_of(copy.forwarding_address))
    )
    compared = tuple(_compared(invoice, forms))
    return WrittenInvoice(
        title=f"{_heading(invoice, texts)} {invoice.number}",
        heading=_heading(invoice, texts),
        stamp=_stamp(invoice, texts, forms),
        replaces=replaces_in_words(invoice, texts, forms),
        credit=credit_in_words(invoice, forms),
        biller=copy.biller.name,
        biller_lines=(*copy.biller.address_lines, *lines_of(copy.biller.contact)),
        return_line=" · ".join((copy.biller.name, *copy.biller.address_lines)),
        addressee=_addressee(invoice, address, tenant, texts),
        headline=_headline(invoice, texts, forms),
        facts=((texts.billed_to[0], tenant), *_facts(invoice, address, texts, forms)),
        beside_address=tuple(_facts(invoice, address, texts, forms, is_on_paper=True)),
        charges_title=texts.charges.format(month=forms.month(invoice.month)),
        part=texts.your_part,
        earlier=tuple(month for _, month in compared),
        charges=tuple(_charges(invoice, compared, texts, forms)),
        billed_here=tuple(about_billed_here(invoice.month, invoice.charges, texts, forms)),
        only_before=_only_before(invoice, texts, forms),
        totals=tuple(_totals(invoice, texts, forms)),
        elsewhere=others_in_words(invoice, forms),
        sections=tuple(sections_of(invoice, texts, forms.money)),
        footer=f"{copy.biller.name} · {invoice.number}",
        page=texts.page,
    )


def _facts(
    invoice: PrintedInvoice, address: tuple[str, ...], texts: Texts, forms: Forms, *, is_on_paper: bool = False
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the invoice is for.

    On paper, the unit and its address are left out if the recipient's address has them.
    """
    copy, is_in_address = invoice.copy, is_on_paper and _goes_to_the_unit(invoice)
    if invoice.tenant_name is not None and copy.roommates:
        yield texts.billed_to[1], (" · ".join((invoice.tenant_name, *copy.roommates)),)
    yield texts.place, (copy.place.name,) if is_in_address else (copy.place.name, *address)
    if not is_in_address:
        yield texts.unit, (copy.unit_label,)
    yield texts.period, (forms.month(invoice.month),)
    yield texts.date, (forms.day(invoice.invoice_date),)
    yield texts.number, (invoice.number,)


def _goes_to_the_unit(invoice: PrintedInvoice) -> bool:
    return invoice.tenant_name is not None and not invoice.copy.forwarding_address.strip()


def _addressee(
    invoice: PrintedInvoice, address: tuple[str, ...], tenant: tuple[str, ...], texts: Texts
) -> tuple[str, ...]:
    """Return the lines of an envelope's address: the forwarding address or the unit's."""
    if not _goes_to_the_unit(invoice):
        return tenant
    label = invoice.copy.unit_label
    return *tenant, label if names_itself(label) else f"{texts.unit} {label}", *address


_Compared = tuple[tuple[int, str], ...]
"""The months that an invoice compares: the index of their amounts, and their names."""


def _compared(invoice: PrintedInvoice, forms: Forms) -> Iterator[tuple[int, str]]:
    for at, month in enumerate(months_before(invoice.month)):
        if any(_amount_beside(charge.earlier[at]) is not None for charge in invoice.charges):
            yield at, forms.month_of_year(month)


def _amount_beside(then: Then) -> int | None:
    """Return the earlier amount to print beside a charge; None if compared with several."""
    return then.amount if then.together is None else None


def _together(charge: PrintedCharge, invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Iterator[Said]:
    """Compare the sum of several charges with earlier sums, after the last charge."""
    currency = invoice.copy.currency
    thens = [
        (then, texts.colon.join((forms.month_of_year(month), forms.money(then.amount, currency))))
        for month, then in zip(months_before(invoice.month), charge.earlier, strict=True)
        if then.together is not None and then.amount is not None
    ]
    if thens and (now := thens[0][0].together) is not None:
        name, earlier = charge.own_name or within(charge.name(texts), texts), ", ".join(said for _, said in thens)
        form = TOGETHER[language_of(invoice.copy.locale)]
        yield Said(form.format(name=name, amount=forms.money(now, currency), earlier=earlier))


def _earlier(charge: PrintedCharge, compared: _Compared, copy: Copy, forms: Forms) -> Iterator[tuple[str, str]]:
    for at, month in compared:
        amount = _amount_beside(charge.earlier[at])
        yield month, "" if amount is None else forms.money(amount, copy.currency)


def _in_words(charge: PrintedCharge, compared: _Compared, copy: Copy, texts: Texts, forms: Forms) -> Iterator[str]:
    """Yield each earlier month's amount, with the part of the bills that was divided then.

    If the unit had a different part of the whole then, or the bills were divided otherwise, the words say so.
    """
    for (at, _), (month, amount) in zip(compared, _earlier(charge, compared, copy, forms), strict=True):
        if not amount:
            continue
        said, then = amount, charge.earlier[at]
        if then.billed is not None:
            said = texts.of_billed.format(amount=said, whole=forms.money(then.billed, copy.currency))
        if then.part and charge.explanation:
            said = _part_then(said, then.part, charge.explanation, texts, forms)
        yield texts.colon.join((month, said))


def _part_then(earlier: str, stored: str, now: Explanation, texts: Texts, forms: Forms) -> str:
    """Add the unit's part of an earlier bill, if it differs from the part now.

    The parts that are stored with older invoices do not name the split method.
    """
    part, whole, *methods = stored.split(":")
    is_other = bool(methods) and [step.split_method for step in now.steps] != methods
    if not is_other and now.part in (None, Fraction(Fraction(part), Fraction(whole))):
        return earlier
    plain, same, other = texts.part_then
    share = texts.methods[methods[0]].share if methods else plain
    number = forms.percent if methods and SPLIT_METHODS[methods[0]].of_hundred else forms.number
    share = share.format(part=number(Fraction(part)), whole=forms.number(Fraction(whole)))
    return (other if is_other else same).format(earlier=earlier, share=share)


def _only_before(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> str:
    """List the amounts of the month before for which this invoice has no charge."""
    form = "{amount}", CORRECTIONS[language_of(invoice.copy.locale)].included
    said = [
        f"{one_line(one.name, LONGEST_SHOWN_VALUE) or texts.utilities[one.utility_type or 'OTHER']} "
        + form[one.is_corrected].format(amount=forms.money(one.month_before or 0, invoice.copy.currency))
        for one in invoice.only_before
    ]
    month = forms.month(months_before(invoice.month)[0])
    return texts.only_before.format(month=month, charges=", ".join(said)) if said else ""


def _heading(invoice: PrintedInvoice, texts: Texts) -> str:
    return (texts.corrected if invoice.replaces else texts.invoice)[invoice.copy.is_final]


def _stamp(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> str:
    if invoice.replaced_by is not None:
        return texts.replaced_by.format(number=invoice.replaced_by)
    stamps = {"draft": texts.draft, "cancelled": texts.cancelled}
    return stamps.get(invoice.standing) or reminder_in_words(invoice, forms)


def replaces_in_words(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> str:
    """Describe the invoice that this one replaces, and how the charges and the total changed.

    The result is empty if the invoice replaces no other.
    """
    before = invoice.replaces
    if before is None:
        return ""
    replaced = texts.replaces.format(replaced=before.number, day=forms.day(before.invoice_date))
    changes = [(_name_of(change, texts), change.was, change.became) for change in before.changes]
    said = [_changed(*change, invoice.copy, texts, forms) for change in changes] + _total_changed(invoice, texts, forms)
    return f"{replaced} {texts.what_changed.format(changes=', '.join(said))}" if said else replaced


def corrected_in_short(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> str:
    """Name the invoice that this one replaces, with the change of the total.

    The result is empty if the invoice replaces no other.
    """
    if invoice.replaces is None:
        return ""
    return texts.colon.join((f"{_heading(invoice, texts)} {invoice.number}", *_total_changed(invoice, texts, forms)))


def _total_changed(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> list[str]:
    """Describe how the total differs from the replaced invoice's total, if it does."""
    before = invoice.replaces
    if before is None or before.total == invoice.total:
        return []
    return [_changed(within(texts.total, texts), before.total, invoice.total, invoice.copy, texts, forms)]


def _changed(name: str, was: int, became: int, copy: Copy, texts: Texts, forms: Forms) -> str:
    before, now = (forms.money(cents, copy.currency) for cents in (was, became))
    return texts.changed.format(name=name, was=before, became=now)


def _name_of(change: Changed, texts: Texts) -> str:
    if change.utility_type and not change.name:
        return within(texts.utilities[change.utility_type], texts)
    return one_line(change.name, LONGEST_SHOWN_VALUE)


def with_area(texts: Texts, country: str) -> Texts:
    """Insert the name of a country's unit of floor area into texts; numbers stay unchanged."""
    area = texts.area[area_unit(country)]
    methods = {
        code: printed._replace(how=printed.how.replace("{area}", area), share=printed.share.replace("{area}", area))
        for code, printed in texts.methods.items()
    }
    return texts._replace(methods=methods)


def _headline(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Headline:
    def money(cents: int) -> str:
        return forms.money(cents, invoice.copy.currency)

    due = "" if invoice.due_date is None else forms.day(invoice.due_date)
    total, asked = money(invoice.total), money(invoice.asked)
    withdrawn, paid_on = texts.withdrawn, texts.no_payment
    if invoice.paid:
        withdrawn = f"{texts.withdrawn}. {texts.received.format(amount=money(invoice.paid))}"
    if invoice.paid_on is not None:
        paid_on = texts.paid_on.format(day=forms.day(invoice.paid_on))
    headlines: dict[Standing, Headline] = {
        "draft": Headline(texts.total_so_far, total, texts.not_yet_due, "calm"),
        "cancelled": Headline(texts.cancelled, total, withdrawn, "void"),
        "vacant": Headline(texts.owners_cost, total, texts.vacant, "calm"),
        "credit": Headline(texts.credit, money(invoice.credit), texts.no_payment, "calm"),
        "paid": Headline(texts.paid_in_full, total, paid_on, "calm"),
        "settled": Headline(texts.nothing_due, asked, texts.no_payment, "calm"),
        "disputed": Headline(
            texts.nothing_due, asked, f"{texts.balance[1]}{texts.colon}{money(invoice.in_dispute)}", "calm"
        ),
        "overdue": Headline(texts.overdue, asked, texts.was_due.format(day=due), "alarm"),
        "due": Headline(texts.amount_due, asked, texts.due_by.format(day=due), "calm"),
    }
    return headlines[invoice.standing]


def _charges(invoice: PrintedInvoice, compared: _Compared, texts: Texts, forms: Forms) -> Iterator[WrittenCharge]:
    """Yield the charges as they are printed.

    The sentence that says who pays for vacant units is printed only with the first charge to which it applies. If it
    applies to several charges, but not to all, another sentence names the others.
    """
    once = {Said(method.left_out) for method in texts.methods.values() if method.left_out}
    written = [write_charge(charge, invoice.copy, texts, forms) for charge in invoice.charges]
    applies = grouped((line, at) for at, charge in enumerate(written) for line in charge.lines if line in once)
    said = {
        line: _about(line, [written[at].name for at in places] if len(places) < len(written) else (), texts)
        for line, places in applies.items()
    }
    for at, charge in enumerate(written):
        lines = (
            *(said.get(line, line) for line in charge.lines if at == applies.get(line, [at])[0]),
            *_together(invoice.charges[at], invoice, texts, forms),
        )
        earlier = tuple(_earlier(invoice.charges[at], compared, invoice.copy, forms))
        in_words = tuple(_in_words(invoice.charges[at], compared, invoice.copy, texts, forms))
        yield charge._replace(lines=lines, earlier=earlier, compared=in_words)


def _about(line: Said, charges: Sequence[str], texts: Texts) -> Said:
    """Add the other charges to which the sentence of the first charge applies."""
    _, *others = dict.fromkeys(charges) or [""]
    return Said(f"{line.text} {texts.applies_too.format(charges=', '.join(others))}") if others else line


def _totals(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Iterator[tuple[str, str]]:
    """List the total, credits from and to other invoices, payments, and the balance.

    If a part of the balance is disputed, that part and the amount to pay now follow. A cancelled invoice has neither a
    balance nor these two amounts.
    """
    currency = invoice.copy.currency
    yield texts.total, forms.money(invoice.total, currency)
    yield from _settled(invoice, texts, forms, has_paid=bool(_received(invoice)) or not invoice.credits)
    if invoice.standing != "cancelled":
        sums = (invoice.balance, invoice.in_dispute, invoice.asked) if invoice.in_dispute else (invoice.balance,)
        yield from zip(texts.balance, (forms.money(cents, currency) for cents in sums), strict=False)


def beside(invoice: PrintedInvoice, texts: Texts, forms: Forms) -> Iterator[tuple[str, str]]:
    """List the labels and amounts that a message shows beside the amount to pay.

    These are the total and the payments of an invoice that is paid in part, carried credits, and the amounts that the
    tenant's other invoices request.
    """
    is_partly_paid = bool(_received(invoice)) and invoice.asked > 0
    if is_partly_paid:
        yield texts.total, forms.money(invoice.total, invoice.copy.currency)
    yield from _settled(invoice, texts, forms, has_paid=is_partly_paid)
    if invoice.others:
        owed = sum(other.amount for other in invoice.others)
        yield texts.balance[3], forms.money(owed, invoice.copy.currency)


def _received(invoice: PrintedInvoice) -> int:
    """Sum an invoice's payments in cents, without credits carried to or from other invoices."""
    return invoice.paid - sum(carried.amount for carried in invoice.credits)


def _settled(invoice: PrintedInvoice, texts: Texts, forms: Forms, *, has_paid: bool) -> Iterator[tuple[str, str]]:
    """List what was credited and paid.

    The labels say in which direction, so no amount is negative. The payments are listed if `has_paid` is set.
    """
    received, currency = _received(invoice), invoice.copy.currency
    carried = [(texts.carried[one.amount < 0].format(number=one.number), one.amount) for one in invoice.credits]
    came, went = ([its for its in carried if (its[1] > 0) is is_from] for is_from in (True, False))
    paid = [(texts.paid[received < 0], received)] if has_paid else []
    for label, cents in (*came, *paid, *went):
        yield label, forms.money(abs(cents), currency)
