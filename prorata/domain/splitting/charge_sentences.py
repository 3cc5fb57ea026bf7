"""The stored sentence of a charge, made translatable."""

import re
from collections.abc import Callable
from datetime import date

from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.correction_sentences import MONEY, Corrected, cents_of, read, reason_in_words
from prorata.domain.texts import Text, say, say_n
from prorata.domain.utility_names import UTILITY_NAMES, within_a_sentence

_SENTENCE = re.compile(
    rf"(?P<issuer>.+), bill of (?P<day>\d{{4}}-\d\d-\d\d), (?P<total>{MONEY})"
    rf"(?:, of which (?P<utility>{'|'.join(map(str.lower, UTILITY_NAMES))}) (?P<amount>{MONEY})"
    r"(?: for (?P<days>\d+) of (?P<of_days>\d+) days)?"
    r"(?P<guessed> \(divided equally, as the bill gives no amounts\))?)?: (?P<why>.+)",
    re.DOTALL,
)


def in_words(
    description: str, currency: str, write: Forms = PLAIN, retell: Callable[[str], str] = lambda why: why
) -> str:
    """Make a charge's stored sentence translatable; return any other text unchanged.

    The result has the same words, with days, amounts and numbers as `write` formats them. A reason that can't be parsed
    (`reason_in_words`) is passed to `retell`.

    >>> said = in_words("Aqua, bill of 2026-03-14, $320.10, of which water $20.00: 850 of 12,400 sq ft", "USD")
    >>> said, getattr(said, "form", "")
    ('Aqua, bill of 2026-03-14, $320.10, of which water $20.00: 850 of 12,400 sq ft', '{bill}: {why}')
    >>> in_words("Garage, March", "USD")
    'Garage, March'
    """

    def told(why: str) -> str:
        its_reason = reason_in_words(why, currency, write)
        return its_reason if isinstance(its_reason, Text) else retell(why)

    if correction := read(description):
        return _correction(correction, currency, write, told)
    match = _SENTENCE.fullmatch(description)
    if match is None:
        return description
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:  # a text with an impossible day was written by a person
        return description
    bill = say(
        "{issuer}, bill of {day}, {total}",
        issuer=match["issuer"],
        day=write.day(day),
        total=write.money(cents_of(match["total"]), currency),
    )
    if match["utility"]:
        amount = write.money(cents_of(match["amount"]), currency)
        utility = within_a_sentence(match["utility"].upper())
        bill = say("{bill}, of which {utility} {amount}", bill=bill, utility=utility, amount=amount)
    if match["days"]:
        bill = say_n(
            "{how} for {active} of {n} day", "{how} for {active} of {n} days", int(match["of_days"]),
            how=bill, active=match["days"],
        )  # fmt: skip
    if match["guessed"]:
        bill = say("{bill} (divided equally, as the bill gives no amounts)", bill=bill)
    return say("{bill}: {why}", bill=bill, why=told(match["why"]))


def _correction(its: Corrected, currency: str, write: Forms, told: Callable[[str], str]) -> str:
    month, day = write.month(its.month), write.day(its.bill_date)
    charged, right, left, undecided = (
        write.money(cents, currency) for cents in (its.charged, its.right or 0, its.left, its.undecided)
    )
    if its.right is None:
        return say(
            "Correction of {month}: {issuer}, bill of {day}: {charged} was charged, which {month} charges itself again",
            month=month,
            issuer=its.issuer,
            day=day,
            charged=charged,
        )
    said = say(
        "Correction of {month}: {issuer}, bill of {day}: {charged} was charged; {right} is right: {why}",
        month=month,
        issuer=its.issuer,
        day=day,
        charged=charged,
        right=right,
        why=told(its.reason),
    )
    if its.left:
        said = say("{said}; {amount} is left to the owner", said=said, amount=left)
    return (
        say("{said}; {amount} of the difference is not decided", said=said, amount=undecided) if its.undecided else said
    )
