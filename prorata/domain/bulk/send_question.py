"""The confirmation before sending: number, amount, due date, delivery and months to close."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prorata.domain.accounts.settings import ASK, late_in_words
from prorata.domain.billing_calendar import Month
from prorata.domain.bulk.bulk import Chosen, Question, nothing_to_do, staying
from prorata.domain.bulk.verbs import BulkVerb
from prorata.domain.delivery.send_schedule import Leaving, of_many, when
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.texts import Text, joined, say, say_n


class Locked(NamedTuple):
    """The months that sending closes, the earliest first.

    `properties` is the number of properties to which these months belong. `is_additional` means that no month is
    closed, because only invoices other than the units' regular ones are sent.
    """

    months: Sequence[Month]
    properties: int
    is_additional: bool = False


def ask_to_send(
    chosen: Chosen,
    *,
    amounts: str,
    due: str,
    by_mail: int,
    credit: str = "",
    leaves: Leaving,
    locked: Locked,
    had: int = 0,
    replacing: int = 0,
    empty: int = 0,
    late_bills: str = ASK,
    warning: str = "",
    seen: str = "",
    write: Forms = PLAIN,
) -> Question:
    """Build the confirmation of sending invoices totaling `amounts`, `by_mail` of them by e-mail.

    `credit` is the amount of earlier credits that is taken off them. `locked` are the months that sending closes. `had`
    is the number of tenants who already have their invoice and owe nothing, `replacing` the number of invoices that
    were sent before with a different total, and `empty` the number of invoices with a total of zero.

    >>> asked = ask_to_send(Chosen(change=3, vacant=1), amounts="$120.00", due="April 14, 2026", by_mail=2,
    ...                     leaves=Leaving(hold=5), locked=Locked([Month("2026-03")], 1))
    >>> asked.title, asked.does
    ('Send 3 invoices totaling $120.00?', 'Send 3 invoices')
    >>> for name, is_so in asked.facts: print(f"{name}: {is_so}")
    Invoices: 3
    Total: $120.00
    Due: April 14, 2026
    By e-mail: 2. The e-mails will be sent in 5 minutes: until then, you can withdraw them.
    On paper: 1, for you to print and hand over
    Locked then: March 2026. A bill that arrives later won't change these invoices: it waits until you decide which
    invoices charge it.
    >>> asked.says
    ('1 is for a vacant unit and stays a draft: you bear its cost.',)
    >>> ask_to_send(Chosen(change=3), amounts="$120.00", due="April 14, 2026", by_mail=1, leaves=Leaving(), had=2,
    ...             locked=Locked([Month("2026-03")], 1)).says
    ('2 are unchanged and paid, so they aren’t e-mailed again.',)
    >>> ask_to_send(Chosen(change=3), amounts="$9.00", due="", by_mail=1, leaves=Leaving(), replacing=1,
    ...             locked=Locked([], 1)).says[0].split(".")[0]
    '1 was sent before with a different total'
    """
    if not chosen.change:
        return nothing_to_do(BulkVerb.SEND, chosen, write)
    number, n = chosen.change, write.count(chosen.change)
    taken: list[tuple[str, str]] = [(say("Credit taken off"), credit)] if credit else []
    facts = [(say("Invoices"), n), (say("Total"), amounts), *taken, (say("Due"), due)]
    closes = (say("Locked then"), _locked(locked, late_bills, write))
    facts += [*_ways(by_mail, number - by_mail - had, leaves, write), closes]
    does = say_n("Send {n} invoice", "Send {n} invoices", number, n=n)
    if by_mail and leaves.is_saved:
        does = _marks(number, by_mail, number - by_mail - had, write)
    says = filter(None, (warning, *_some(replacing, had, empty, write), *staying(BulkVerb.SEND, chosen, write)))
    title = say_n(
        "Send {n} invoice totaling {amounts}?", "Send {n} invoices totaling {amounts}?", number, n=n, amounts=amounts
    )
    return Question(title, tuple(says), does, is_grave=False, seen=seen, facts=tuple(facts), mails=by_mail > 0)


def _ways(by_mail: int, by_hand: int, leaves: Leaving, write: Forms) -> list[tuple[str, str]]:
    """State how many invoices go by e-mail and how many on paper.

    The result consists of pairs of a label and a text.

    >>> from prorata.domain.delivery.send_schedule import NO_SERVER
    >>> ((_, saved),) = _ways(1, 0, Leaving(5, why_not=NO_SERVER), PLAIN)
    >>> saved.partition(". ")[2]
    'It is marked as sent, and saved in the outbox folder in 5 minutes: until then, you can withdraw it.'
    """
    facts: list[tuple[str, str]] = []
    if by_mail and leaves.is_saved:
        saved = say_n(
            "E-mail isn't set up, so {n} tenant won't get this. It is marked as sent, and saved in the outbox folder "
            "{when}.",
            "E-mail isn't set up, so {n} tenants won't get these. They are marked as sent, and saved in the outbox "
            "folder {when}.",
            by_mail,
            n=write.count(by_mail),
            when=when(leaves, write, many=by_mail > 1),
        )
        facts.append((say("By e-mail"), saved))
    elif by_mail:
        facts.append((say("By e-mail"), joined([f"{write.count(by_mail)}.", of_many(leaves, by_mail, write)])))
    if by_hand:
        facts.append((say("On paper"), say("{n}, for you to print and hand over", n=write.count(by_hand))))
    return facts


def _marks(number: int, by_mail: int, by_hand: int, write: Forms) -> Text:
    """Label the button for sending while e-mails are only saved to the outbox folder.

    >>> _marks(3, 3, 0, PLAIN), _marks(3, 2, 1, PLAIN)
    ('Save 3 to the outbox folder', 'Mark 3 as sent (2 to the outbox folder, 1 on paper)')
    """
    if not by_hand:
        return say("Save {n} to the outbox folder", n=write.count(by_mail))
    return say(
        "Mark {n} as sent ({saved} to the outbox folder, {paper} on paper)",
        n=write.count(number), saved=write.count(by_mail), paper=write.count(by_hand),
    )  # fmt: skip


def _some(replacing: int, had: int, empty: int, write: Forms) -> Iterator[Text]:
    """Yield a sentence for each kind of invoice that people may not expect to send.

    Examples are invoices that tenants already have, and invoices with a total of zero.
    """
    for number, sentence in ((replacing, _REPLACING), (had, _HAD), (empty, _EMPTY)):
        if number:
            yield sentence.of(number, write.count(number))


_REPLACING = say_n(
    "{n} was sent before with a different total. It gets a new number, and states what it replaces and what has "
    "changed.",
    "{n} were sent before with different totals. They get new numbers, and state what they replace and what has "
    "changed.",
    2,
)
_HAD = say_n(
    "{n} is unchanged and paid, so it isn’t e-mailed again.",
    "{n} are unchanged and paid, so they aren’t e-mailed again.",
    2,
)
_EMPTY = say_n(
    "{n} comes to zero, for example because nobody of the household lived there on the days billed. It is sent, too.",
    "{n} come to zero, for example because nobody of the household lived there on the days billed. They are sent, too.",
    2,
)


def _locked(locked: Locked, late_bills: str, write: Forms) -> Text:
    if locked.is_additional:
        return say("Nothing: these invoices are additional to the regular ones of their units, and close no month.")
    if not locked.months:
        return say(
            "Nothing else: the month was already closed, and these invoices are sent as they were calculated then."
        )
    first, last = write.month(locked.months[0]), write.month(locked.months[-1])
    n = write.count(len(locked.months))
    named: str = first if first == last else say("{n} months, {first} to {last}", n=n, first=first, last=last)
    if locked.properties > 1:
        named = say("{months}, of {n} properties", months=named, n=write.count(locked.properties))
    late = late_in_words(late_bills)
    return say("{months}. A bill that arrives later won't change these invoices: it {late}.", months=named, late=late)
