"""The draft of an e-invoice whose sums agree.

Its values are `found`, because they are both stated and computed. A person is asked once per seller what each line
is for; the confirmed answer then applies to later invoices.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from prorata.domain.groups import added_up, grouped
from prorata.domain.intake.bill_reading.bill_facts import in_their_order
from prorata.domain.intake.bill_reading.draft import UNREAD, Draft, Item, Line, Reading, Stated, asked, found, missing
from prorata.domain.intake.bill_reading.utility_words import reasons_in, types_in
from prorata.domain.intake.e_invoices.e_invoice import CUSTOMER, EInvoice, InvoiceLine
from prorata.domain.intake.e_invoices.item_amounts import parts_of
from prorata.domain.limits import LONGEST_ISSUER, MOST_STATED_ITEMS
from prorata.domain.search_terms import folded
from prorata.domain.texts import say
from prorata.domain.usage import Usage, added
from prorata.domain.utility_names import LINE_NAMES, UTILITY_TYPES

E_INVOICE = "eInvoice"
"""The key of the part of a seller's lesson that was learned from e-invoices."""
PREPAID = "prepaid"
"""The key of the item for the prepaid amount; other items' keys contain a colon."""
_NAME_OF_PREPAID = say("What was prepaid")
_FOR_PREPAID = ("PREVIOUS_BALANCE", "DEPOSIT", "OWNER")
_IS_ID = re.compile(r".{3}")
"""A pattern for ids that identify an item.

Ids shorter than three characters number the lines of an invoice, not items.
"""
_DAYS = re.compile(r"[0-9]{1,4}(?:[./-][0-9]{1,4})+|\b(?:19|20)[0-9]{2}\b", re.ASCII)
_UNSHARED = say("The e-invoice doesn’t show which tax belongs to which line. Check the amounts.")
_CUSTOMER = say("The e-invoice calls this the customer number, which may not be the account number.")
_SEVERAL = say("The e-invoice has more than one number that may be the account number.")


def with_missing(stated: Draft, printed: Draft) -> Draft:
    """Take a missing account number or service period from the pages of the e-invoice's PDF.

    `stated` is the draft of the e-invoice, and `printed` the draft read from the pages.
    """
    if (stated.service_start.surety, stated.service_end.surety) == ("missing", "missing"):
        stated = stated._replace(service_start=printed.service_start, service_end=printed.service_end)
    if stated.account_number.surety == "missing":
        stated = stated._replace(account_number=printed.account_number)
    return stated


def draft_of(invoice: EInvoice, sizes: Sequence[tuple[int, int]] = ()) -> Draft:
    """Draft a bill from an e-invoice.

    Amounts of a credit note are negative. `sizes` are the sizes of the pages of the PDF that contains the invoice, if
    any.
    """
    sign = -1 if invoice.is_credit else 1
    issued = found(invoice.issued)
    _, due, first, last = in_their_order(
        issued, _due(invoice.due), _day(invoice.start, "first"), _day(invoice.end, "last")
    )
    parts = parts_of(invoice)
    of_seller, account = types_in(invoice.seller), invoice.accounts[0][1] if invoice.accounts else ""
    items = list(_together([_item(part.of, sign * part.cents, of_seller, account) for part in parts.parts]))
    if invoice.is_credit:
        items = [item._replace(usages=()) for item in items]  # no usage
    if len(items) > MOST_STATED_ITEMS:
        items = [_item(InvoiceLine("", 0), sum(item.cents for item in items), of_seller, account)]
    if invoice.totals.prepaid:
        items.append(Item(PREPAID, _NAME_OF_PREPAID, -sign * invoice.totals.prepaid, choices=_FOR_PREPAID))
    draft = UNREAD._replace(
        issuer=found(invoice.seller[:LONGEST_ISSUER]),
        bill_number=found(invoice.number),
        bill_date=issued,
        due_date=due,
        service_start=first,
        service_end=last,
        service_address=found(invoice.address) if invoice.address else missing("service address"),
        total=found(sign * invoice.totals.payable),
        currency=invoice.currency,
        pages=len(sizes),
        sizes=tuple(sizes),
        stated=Stated(invoice.seller_id or folded(invoice.seller), tuple(items), invoice.accounts, parts.exact),
    )
    return with_lesson(draft, {})


def with_lesson(draft: Draft, lesson: Mapping[str, Any]) -> Draft:
    """Apply a seller's lesson to a draft: the kinds of lines, and the account number."""
    if draft.stated is None:
        return draft
    kinds = {**lesson.get("lines", {}), PREPAID: lesson.get(PREPAID)}
    items = tuple(item._replace(kind=item.kind or _known(kinds.get(item.key))) for item in draft.stated.items)
    stated = draft.stated._replace(items=items)
    return draft._replace(
        stated=stated, lines=_lines(stated), account_number=_account(stated.accounts, lesson.get("account"))
    )


def with_answers(draft: Draft, kinds: Sequence[str]) -> Draft:
    """Set the kinds of bill line that a person chose for the draft's items.

    `kinds` has one kind per item, in the order of the items. Items with an unknown kind, and items beyond the end
    of `kinds`, remain open.
    """
    if draft.stated is None:
        return draft
    all_kinds = [*kinds, *[""] * len(draft.stated.items)]
    items = tuple(item._replace(kind=_known(kind)) for item, kind in zip(draft.stated.items, all_kinds, strict=False))
    return draft._replace(stated=draft.stated._replace(items=items))


def lesson_of(
    draft: Draft, before: Mapping[str, Any], amounts: Mapping[str, int], account_number: str | None
) -> dict[str, Any]:
    """Build a seller's lesson from a confirmed bill, adding to the earlier lesson `before`.

    `amounts` are the confirmed amounts by kind of line. If the items of the e-invoice add up to other amounts,
    nothing is learned about lines.
    """
    assert draft.stated is not None, "it was read of an e-invoice"
    only = next(iter(amounts)) if len(amounts) == 1 else None
    items = [item._replace(kind=item.kind or only) for item in draft.stated.items]
    lesson = {**before, "lines": dict(before.get("lines", {}))}
    if _sums(items) == {kind: cents for kind, cents in amounts.items() if cents}:
        kinds_by_key = {item.key: item.kind for item in items}
        lesson["lines"] |= {key: kind for key, kind in kinds_by_key.items() if key != PREPAID}
        lesson |= {key: kind for key, kind in kinds_by_key.items() if key == PREPAID}
    names = {name for name, number in draft.stated.accounts if number == account_number}
    return lesson | ({"account": names.pop()} if len(names) == 1 else {})


def _known(kind: object) -> str | None:
    return kind if isinstance(kind, str) and kind in LINE_NAMES else None


def _item(line: InvoiceLine, cents: int, of_seller: frozenset[str], account: str) -> Item:
    """Build the item of an invoice line, with the key by which it is recognized.

    The key is the seller's number for the item, or else the item's name. If neither that name nor the seller's
    name indicates a utility, the key applies only to the same account: a "base price" may be for power or gas.
    """
    number, name = folded(line.item_id), folded(_DAYS.sub(" ", line.name))
    named = tuple(_named(line.name))
    if _IS_ID.match(number):
        key = f"id:{number}"
    elif named or len(of_seller) == 1:
        key = f"name:{name}"
    else:
        key = f"name:{name} of:{folded(account)}"
    choices = named or tuple(kind for kind in UTILITY_TYPES if kind in of_seller)
    return Item(key, line.name, cents, choices=choices, usages=(line.usage,) if line.usage else ())


def _named(name: str) -> Iterator[str]:
    """Yield the kinds of bill line that an item's name indicates."""
    yield from sorted(reasons_in(name))
    yield from (kind for kind in UTILITY_TYPES if kind in types_in(name))


def _together(items: Sequence[Item]) -> Iterator[Item]:
    """Merge the items that have the same key, adding their cents and collecting their usages."""
    sums = added_up((item.key, item.cents) for item in items)
    first, usages = {item.key: item for item in reversed(items)}, _usages((item.key, item) for item in items)
    return (first[key]._replace(cents=cents, usages=tuple(usages[key])) for key, cents in sums.items() if cents)


def _usages(items: Iterable[tuple[str, Item]]) -> Mapping[str, Sequence[Usage]]:
    return grouped((key, usage) for key, item in items for usage in item.usages)


def _sums(items: Sequence[Item]) -> dict[str, int]:
    """Sum the cents of the items by kind; sums of zero are left out.

    The sum of items without a kind has an empty string as its key.
    """
    sums = added_up((item.kind or "", item.cents) for item in items)
    return {kind: cents for kind, cents in sums.items() if cents}


def _lines(stated: Stated) -> Reading[tuple[Line, ...]]:
    """Build the reading of the bill's lines from the items of the e-invoice.

    If the kinds of some items are unknown, or the amounts aren't exact, a person is asked; if every item has at
    least a likely kind, the question proposes lines.
    """
    unknown = [item for item in stated.items if item.kind is None]
    likely = [
        item._replace(kind=item.kind or (item.choices[0] if len(item.choices) == 1 else None)) for item in stated.items
    ]
    used = _usages((item.kind or "", item) for item in likely)
    lines = tuple(
        Line(kind, cents, (), added(used[kind]) if kind in UTILITY_TYPES else None)
        for kind, cents in _sums(likely).items()
    )
    choices = () if any(item.kind is None for item in likely) else (lines,)
    if not stated.exact:
        return asked(_UNSHARED, *choices)
    if not unknown:
        return found(lines)
    name = unknown[0].name
    if not name:
        question = say("Say what it is for. You are asked only once for each company.")
    elif len(unknown) == 1:
        question = say("Say what “{name}” is for. You are asked only once for each company.", name=name)
    else:
        question = say(
            "Say what “{name}” and other charges are for. You are asked only once for each company.", name=name
        )
    return asked(question, *choices)


def _account(accounts: Sequence[tuple[str, str]], taught: object) -> Reading[str]:
    """Read the account number.

    It is the number in the field that the seller's lesson names, or else the only possible number. If the only
    possible number is a customer number, a person is asked.
    """
    of_taught = {number for name, number in accounts if name == taught}
    if len(of_taught) == 1:
        return found(of_taught.pop())
    numbers = tuple(dict.fromkeys(number for _, number in accounts))
    if not numbers:
        return missing("account number")
    if len(numbers) > 1:
        return asked(_SEVERAL, *numbers)
    return asked(_CUSTOMER, *numbers) if all(name == CUSTOMER for name, _ in accounts) else found(numbers[0])


def _due(days: Sequence[date]) -> Reading[date]:
    if len(days) > 1:
        return asked(say("The e-invoice has more than one due date."), *days)
    return found(days[0]) if days else missing("due date")


def _day(day: date | None, which: str) -> Reading[date]:
    return found(day) if day else missing(f"{which} day of service")
