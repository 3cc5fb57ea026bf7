"""A bill's pages to a draft: the generic reader, and what is known of an issuer where a template fits."""

from collections.abc import Sequence
from datetime import date

from prorata.domain.intake.bill_reading.addresses import address_of
from prorata.domain.intake.bill_reading.ambiguities import named_types
from prorata.domain.intake.bill_reading.amount_roles import types_in
from prorata.domain.intake.bill_reading.amount_rows import money_rows
from prorata.domain.intake.bill_reading.amounts import amounts_of
from prorata.domain.intake.bill_reading.bill_facts import day_of, in_their_order, number_of, period_of
from prorata.domain.intake.bill_reading.draft import Draft, Reading, asked
from prorata.domain.intake.bill_reading.issuers import Template, issuer_of, template_for
from prorata.domain.intake.bill_reading.label_values import beside_labels
from prorata.domain.intake.bill_reading.locale_evidence import evidence_in
from prorata.domain.intake.bill_reading.pictures import with_care, with_found
from prorata.domain.intake.bill_reading.time_words import Days
from prorata.domain.intake.bill_reading.words import Page, Place, rows_of

_SEVERAL = 2
_BILLS = "The pages show different account numbers. If they are several bills, bring each as a file of its own."


def read_bill(pages: Sequence[Page], templates: Sequence[Template] = (), lessons: Sequence[Template] = ()) -> Draft:
    """The draft of a bill. `templates` are what is known of issuers, `lessons` what was learned of one of their account
    numbers, which goes before; without one that fits, labels and positions alone are read. Nothing is found on a page
    that is a picture: what the other pages do not say by themselves is asked.
    """
    draft = _read(pages, templates, lessons)
    if not any(page.from_picture for page in pages):
        return draft
    printed = [page._replace(words=()) if page.from_picture else page for page in pages]
    return with_found(with_care(draft, pages), _read(printed, templates, lessons))


def _read(pages: Sequence[Page], templates: Sequence[Template], lessons: Sequence[Template]) -> Draft:
    template = template_for(pages, lessons) or template_for(pages, templates)
    lines = [rows_of(page) for page in pages]
    every_row = [row for rows in lines for row in rows]
    evidence = evidence_in(every_row, template.order if template else None)
    beside = beside_labels(lines, dict(template.labels) if template else {})
    issuer = issuer_of(pages, lines, beside, template)
    of_issuer = template.types if template else types_in(issuer.value or "")
    account = number_of("accountNumber", beside, "account number")
    number = number_of("billNumber", beside, "bill number")
    days = billed, due, first, last = in_their_order(
        day_of("billDate", beside, evidence.order, "bill date"),
        day_of("dueDate", beside, evidence.order, "due date"),
        *period_of(beside, evidence.order),
    )
    money = money_rows(lines, _places_of_found(account, number, *days))
    service = _days_of_service(first, last)
    amounts = amounts_of(money, named_types(money, lines, of_issuer), evidence, service)
    draft = Draft(
        issuer=issuer,
        account_number=account,
        bill_number=number,
        bill_date=billed,
        due_date=due,
        service_start=first,
        service_end=last,
        service_address=address_of(lines, beside),
        total=amounts.total,
        lines=amounts.lines,
        budget=amounts.budget,
        language=evidence.language,
        currency=evidence.currency,
        pages=len(pages),
        sizes=tuple((page.width, page.height) for page in pages),
    )
    return _of_one_bill(draft)


def _places_of_found(*readings: Reading[str] | Reading[date]) -> frozenset[Place]:
    """Where values stand that need not be asked."""
    return frozenset(place for one in readings if one.surety == "found" for place in one.places)


def _days_of_service(first: Reading[date], last: Reading[date]) -> Days | None:
    """The first and the last day of service, where both are found."""
    if first.value is None or last.value is None or not first.surety == last.surety == "found":
        return None
    return first.value, last.value


def _of_one_bill(draft: Draft) -> Draft:
    """A draft whose amounts are asked, where its pages show different account numbers: they may be of several bills
    that ask for the same amount.
    """
    numbers, total = draft.account_number, draft.total
    if len(numbers.choices) < _SEVERAL or len({place.page for place in numbers.places}) < _SEVERAL:
        return draft
    if total.surety == "found" and total.value is not None:
        draft = draft._replace(total=asked(_BILLS, total.value, places=total.places))
    return draft._replace(lines=asked(_BILLS)) if draft.lines.surety == "found" else draft
