"""Deletion previews: what is deleted and what remains, as sentences for the confirmation page."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from prorata.domain.billing_calendar import Month
from prorata.domain.limits import MOST_NAMED
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, listed as all_listed, say, say_n


class Loss(NamedTuple):
    """The effect of deleting a record, as sentences, the most serious effect first.

    `is_refused` means that the record can't be deleted; the sentences then say what to do instead. `is_final`
    means that the deletion can't be undone.
    """

    says: tuple[str, ...]
    is_final: bool
    is_refused: bool = False


class Contents(NamedTuple):
    """The numbers of a property's records, by kind.

    `sent` counts the invoices that are sent, paid or overdue, and `cancelled` the cancelled ones. `received` is
    the formatted amount paid on all of them, and `owed` the formatted amount that tenants still owe.
    """

    units: int
    tenants: int
    bills: int
    invoices: int
    sent: int
    received: str | None
    cancelled: int = 0
    owed: str = ""


def listed(names: Sequence[str], write: Forms = PLAIN) -> Text:
    """Join names for a sentence, listing only the first few and counting the others.

    >>> listed(["Ann"]), listed(["Ann", "Bob", "Eve"]), listed([str(number) for number in range(9)])
    ('Ann', 'Ann, Bob and Eve', '0, 1, 2, 3, 4 and 4 more')
    """
    if len(names) > MOST_NAMED:
        return all_listed([*names[:MOST_NAMED], say("{n} more", n=write.count(len(names) - MOST_NAMED))])
    return all_listed(names)


def of_property(name: str, has: Contents, *, days_kept: int, write: Forms = PLAIN) -> Loss:
    """Describe the effect of deleting a property.

    >>> of_property("Elm", Contents(2, 3, 1, 4, 1, "$12.00"), days_kept=30).says[0]
    'Elm is permanently deleted, along with 2 units, 3 tenants, 1 bill and 4 invoices.'
    >>> of_property("Elm", Contents(2, 3, 1, 4, 2, "$12.00", 1), days_kept=0).says[1:]
    ('2 of these invoices were sent, and $12.00 was received for them.', '1 of these invoices was cancelled.')
    """
    parts = [
        noun.of(number, write.count(number))
        for number, noun in (
            (has.units, say_n("{n} unit", "{n} units", 2)),
            (has.tenants, say_n("{n} tenant", "{n} tenants", 2)),
            (has.bills, say_n("{n} bill", "{n} bills", 2)),
            (has.invoices, say_n("{n} invoice", "{n} invoices", 2)),
        )
        if number
    ]
    says = [
        say("{name} is permanently deleted, along with {parts}.", name=name, parts=listed(parts))
        if parts
        else say("{name} is permanently deleted.", name=name)
    ]
    if has.sent:
        form = say_n("{n} of these invoices was sent.", "{n} of these invoices were sent.", 2)
        if has.received:
            form = say_n(
                "{n} of these invoices was sent, and {amount} was received for it.",
                "{n} of these invoices were sent, and {amount} was received for them.",
                2,
            )
        says.append(form.format(amount=has.received).of(has.sent, write.count(has.sent)))
    if has.owed:
        says.append(say("Tenants still owe {amount}: after this, you can’t collect it here.", amount=has.owed))
    if has.cancelled:
        form = say_n("{n} of these invoices was cancelled.", "{n} of these invoices were cancelled.", 2)
        if has.received and not has.sent:
            form = say_n(
                "{n} of these invoices was cancelled, and {amount} was received for it.",
                "{n} of these invoices were cancelled, and {amount} was received for them.",
                2,
            )
        says.append(form.format(amount=has.received).of(has.cancelled, write.count(has.cancelled)))
    if days_kept:
        says.append(
            say_n(
                "A copy for your records is kept on the server for {n} day.",
                "A copy for your records is kept on the server for {n} days.",
                days_kept,
                n=write.count(days_kept),
            )
        )
    return Loss(tuple(says), is_final=True)


def of_unit(
    label: str,
    *,
    invoices: int,
    tenants: Sequence[str],
    rules: Sequence[str] = (),
    drafts: Sequence[str] = (),
    going: Sequence[str] = (),
    staying: Sequence[str] = (),
    today: date,
    write: Forms = PLAIN,
) -> Loss:
    """Describe the effect of deleting a unit (docs/contract.md#deleting-a-unit).

    A unit with invoices is deactivated and keeps its past; a unit without invoices is removed permanently. `rules`
    are the utilities whose rules give the unit a percentage or weight, which a removed unit loses. `drafts` are
    the months whose drafts are recalculated. `going` are the months after the unit's last day, in which the unit's
    draft is deleted; the number `invoices` includes these drafts. `staying` are the tenants for whom no last day
    is entered.

    >>> of_unit("2B", invoices=3, tenants=["Ann"], today=date(2026, 3, 10)).says[0]
    'Unit 2B is deactivated: 2026-03-10 is its last day.'
    >>> of_unit("2B", invoices=3, tenants=["Ann"], going=["2026-04"], today=date(2026, 3, 10)).says[1:3]
    ('Its 2 invoices are kept.', 'Its draft for April 2026 is deleted.')
    >>> of_unit("2B", invoices=3, tenants=["Ann"], drafts=["2026-03"], today=date(2026, 3, 10)).says[2]
    'Drafts for March 2026 are recalculated: days after that don’t count, so its share can fall and others can rise.'
    >>> of_unit("2B", invoices=3, tenants=["Ann", "Bo"], staying=["Bo"], today=date(2026, 3, 10)).says[2]
    'According to the records, Bo still lives there: enter the last day on the unit’s page.'
    >>> of_unit("2B", invoices=0, tenants=["Ann"], today=date(2026, 3, 10)).says
    ('Unit 2B is permanently removed, because it has no invoices.', 'Its tenant is removed too: Ann.')
    >>> of_unit("2B", invoices=0, tenants=[], rules=["water", "gas"], today=date(2026, 3, 10)).says[1]
    'Its part in the rules for water and gas is removed too: its percentage becomes your own, and its weight goes to \
    the others.'
    """
    if invoices:
        says = [say("Unit {label} is deactivated: {day} is its last day.", label=label, day=write.day(today))]
        says += _staying(invoices, going, write)
        if drafts:
            says.append(
                say(
                    "Drafts for {months} are recalculated: days after that don’t count, so its share can fall and "
                    "others can rise.",
                    months=_months(drafts, write),
                )
            )
        if staying:
            says.append(
                say_n(
                    "According to the records, {people} still lives there: enter the last day on the unit’s page.",
                    "According to the records, {people} still live there: enter their last days on the unit’s page.",
                    len(staying),
                    people=listed(staying, write),
                )
            )
        says.append(say("It takes no part in later months. You can use it again at any time."))
        return Loss(tuple(says), is_final=False)
    return Loss(_for_good(label, tenants, rules, write), is_final=True)


def _for_good(label: str, tenants: Sequence[str], rules: Sequence[str], write: Forms) -> tuple[Text, ...]:
    """Describe what is deleted with a unit that is removed permanently."""
    says = [say("Unit {label} is permanently removed, because it has no invoices.", label=label)]
    if tenants:
        people = listed(tenants, write)
        says.append(
            say_n(
                "Its tenant is removed too: {people}.",
                "Its tenants are removed too: {people}.",
                len(tenants),
                people=people,
            )
        )
    if rules:
        says.append(
            say_n(
                "Its part in the rule for {utilities} is removed too: its percentage becomes your own, and its "
                "weight goes to the others.",
                "Its part in the rules for {utilities} is removed too: its percentage becomes your own, and its "
                "weight goes to the others.",
                len(rules),
                utilities=listed(rules, write),
            )
        )
    return tuple(says)


def _staying(invoices: int, going: Sequence[str], write: Forms) -> list[Text]:
    """State how many invoices of a deactivated unit are kept, and which drafts are deleted."""
    stay = invoices - len(going)
    says = []
    if stay:
        says.append(say_n("Its {n} invoice is kept.", "Its {n} invoices are kept.", stay, n=write.count(stay)))
    if going:
        months = _months(going, write)
        says.append(
            say_n(
                "Its draft for {months} is deleted.", "Its drafts for {months} are deleted.", len(going), months=months
            )
        )
    return says


def of_tenant(name: str, *, is_new: bool, today: date, write: Forms = PLAIN) -> Loss:
    """Describe the effect of deleting a tenant.

    A tenant who `is_new`, entered less than a day ago, is removed completely. Any other tenant's stay ends.

    >>> of_tenant("Ann", is_new=False, today=date(2026, 3, 10)).says[0]
    "Ann's stay ends on 2026-03-10. Earlier months keep the tenant, and sent invoices stay."
    """
    if is_new:
        says = say("{name} is removed completely, because the entry is less than a day old.", name=name)
        return Loss((says,), is_final=True)
    return Loss(
        (
            say(
                "{name}'s stay ends on {day}. Earlier months keep the tenant, and sent invoices stay.",
                name=name,
                day=write.day(today),
            ),
            say("To end the stay on another day, enter the move-out date instead."),
        ),
        is_final=False,
    )


def of_bill(
    name: str, *, closed: Sequence[str], drafts: int, months: Sequence[str], going: int = 0, write: Forms = PLAIN
) -> Loss:
    """Describe the effect of removing a bill (docs/decisions.md#deleting-a-bill).

    A bill that has charged `closed` months cannot be removed. Any other bill's charges are removed from the
    `drafts` of `months`; `going` is the number of those drafts that have no other charge and are deleted.

    >>> of_bill("Aqua Water Co., 2026-02-20, $90.00", closed=["2026-01"], drafts=0, months=["2026-01"]).is_refused
    True
    >>> of_bill("Aqua Water Co., 2026-02-20, $90.00", closed=[], drafts=12, months=["2026-02"]).says[1]
    'Its charges are removed from 12 drafts for February 2026.'
    >>> of_bill("Aqua Water Co., 2026-02-20, $90.00", closed=[], drafts=12, months=["2026-02"], going=11).says[2]
    '11 drafts have no other charge and will be deleted.'
    """
    if closed:
        why = say(
            "{name} was charged in {months}, for which invoices have been sent.",
            name=name,
            months=_months(closed, write),
        )
        return Loss(
            (why, say("Set those invoices back to draft first; then the bill can be removed.")), False, is_refused=True
        )
    says = [say("The bill {name} is permanently removed.", name=name)]
    if drafts:
        says.append(
            say_n(
                "Its charges are removed from {n} draft for {months}.",
                "Its charges are removed from {n} drafts for {months}.",
                drafts,
                n=write.count(drafts),
                months=_months(months, write),
            )
        )
    if going:
        says.append(
            say_n(
                "{n} draft has no other charge and will be deleted.",
                "{n} drafts have no other charge and will be deleted.",
                going,
                n=write.count(going),
            )
        )
    return Loss(tuple(says), is_final=True)


def _months(months: Sequence[str], write: Forms) -> str:
    return listed([write.month(Month(month)) for month in months], write)
