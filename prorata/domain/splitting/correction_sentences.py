"""The stored sentence of a correction, parsed for translation."""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, month_in_words
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.money import in_words
from prorata.domain.splitting.division import Piece, after_the_owners, in_words as in_words_of
from prorata.domain.splitting.split_methods import EQUAL, SPLIT_METHODS, SplitMethod
from prorata.domain.texts import joined, say

MONEY = r"-?[^\d\s-]*\s?[\d,]{1,30}\.\d\d"
_SENTENCE = re.compile(
    r"Correction of (?P<month>[A-Z][a-z]+ \d{4}): (?P<issuer>.+), bill of (?P<day>\d{4}-\d\d-\d\d): "
    rf"(?P<charged>{MONEY}) was charged(?:; (?P<right>{MONEY}) is right: (?P<why>.+)"
    r"|, which [^:]+ charges itself again)",
    re.DOTALL,
)
_NOT_CHARGED = re.compile(rf"(?:; ({MONEY}) is left to the owner)?(?:; ({MONEY}) of the difference is not decided)?\Z")
_NUMBER = r"-?[\d,]+(?:\.\d+|/0*[1-9]\d*)?"
_MONTHS = {str(month_in_words(Month(f"2000-{number:02d}"))).split()[0]: number for number in range(1, 13)}


def _pattern(reason: str, more: str = "") -> re.Pattern[str]:
    """Build the pattern of a calculation; `more` follows the unit's part of the whole."""
    return re.compile(
        re.escape(reason).replace(r"\{part\}", f"(?P<part>{_NUMBER})").replace(r"\{whole\}", f"(?P<whole>{_NUMBER})")
        + more
        + rf"(?:, (?P<days>{_NUMBER}) of (?P<of_days>{_NUMBER}) days?(?P<both> \(a day of moving counts for both\))?)?"
        + rf"(?:, after the owner's (?P<owner>{_NUMBER})%)?"
        + r"(?:, and one cent (?P<cent>more|less), so that all shares add up to the bill)?"
    )


def _of_active_days(method: SplitMethod) -> str:
    """Return the pattern of a unit's active days, which follow its part of the whole."""
    if method.of_hundred:
        return rf" for (?P<active>{_NUMBER}) of (?P<service>{_NUMBER}) days?"
    return "" if method.code == EQUAL else rf" \((?P<measure>{_NUMBER}) × (?P<active>{_NUMBER}) days?\)"


_REASON: Mapping[str, re.Pattern[str]] = {
    method.code: _pattern(method.reason.form) for method in SPLIT_METHODS.values()
}
_REASON_BY_DAYS: Mapping[str, re.Pattern[str]] = {
    method.code: _pattern(method.reason_by_days.form, _of_active_days(method))
    for method in SPLIT_METHODS.values()
    if not method.counts_people
}
_BEFORE = re.compile(
    rf"(?:(?P<percent>{_NUMBER})% by )?"
    rf"(?P<unknown>(?:{'|'.join(re.escape(method.unknown) for method in SPLIT_METHODS.values() if method.unknown)}): )?"
)
"""The words before a method's calculation: its percentage of a blend, and a note that a measure is unknown."""


class Reason(NamedTuple):
    """The calculation of a household's part of a line.

    Under the split method, the household pays for `part` of `whole`, such as 600 of 1,000 sq ft, after the owner's
    percent is deducted. If the unit had other households or vacant days, the household pays only for `days` of
    `of_days`. `cent` is 1 or -1 if a cent was added or subtracted when the shares were rounded. If units were active
    on different numbers of days (`by_days`), the unit's `measure` counts for `active` of `service` days; 0 stands for
    a number that the sentence does not contain.
    """

    split_method: str
    part: Fraction
    whole: Fraction
    days: Fraction | None
    of_days: Fraction | None
    has_moving_day: bool
    owner_percent: Fraction
    cent: int
    by_days: bool = False
    measure: Fraction = Fraction()
    active: int = 0
    service: int = 0


class Corrected(NamedTuple):
    """The facts in a correction's sentence: month, bill, amounts in cents, and reason.

    `right` is None if the month was reopened, so that the month's own invoices charge the whole line again. `left`
    is the amount of the difference that is left to the owner, and `undecided` the amount about which a person
    hasn't decided yet. `why` is the sentence's text after the amounts.
    """

    month: Month
    issuer: str
    bill_date: date
    charged: int
    right: int | None
    why: str
    left: int = 0
    undecided: int = 0

    @property
    def reason(self) -> str:
        """The explanation of the corrected amount, without the phrase about amounts not charged."""
        rest = _NOT_CHARGED.search(self.why)
        return self.why[: rest.start()] if rest else self.why

    @property
    def amount(self) -> int:
        """The amount that the correction charges, in cents."""
        return (self.right or 0) - self.charged - self.left - self.undecided


def about_correction(month: Month, issuer: str, bill_date: date) -> str:
    """Return the beginning of a correction's sentence, with the month and the bill."""
    return f"Correction of {month_in_words(month)}: {issuer}, bill of {bill_date.isoformat()}"


def sentence(
    about: str, charged: int, right: int, currency: str, why: str, *, left: int = 0, undecided: int = 0
) -> str:
    """Write the sentence of a correction from amounts in cents.

    `about` is the sentence's beginning, with the month and the bill (`about_correction`). The sentence then states
    the amount that was `charged`, the `right` amount, and `why` this amount is right. It ends with the amounts
    that are not charged because they are `left` to the owner or `undecided`.
    """
    message = f"{about}: {in_words(charged, currency)} was charged; {in_words(right, currency)} is right: {why}"
    if left:
        message += f"; {in_words(left, currency)} is left to the owner"
    if undecided:
        message += f"; {in_words(undecided, currency)} of the difference is not decided"
    return message


def read(description: str) -> Corrected | None:
    """Parse the sentence of a correction; None for any other sentence.

    >>> found = read("Correction of March 2026: Aqua, bill of 2026-03-20: $192.06 was charged; $65.06 is right: "
    ...              "600 of 1,000 sq ft, 14 of 31 days")
    >>> (found.month, found.issuer, found.charged, found.right) if found else None
    ('2026-03', 'Aqua', 19206, 6506)
    >>> read("Garage, March") is None
    True
    """
    match = _SENTENCE.fullmatch(description)
    name, _, year = match["month"].partition(" ") if match else ("", "", "")
    if match is None or name not in _MONTHS:
        return None
    try:
        day = date.fromisoformat(match["day"])
    except ValueError:
        return None
    right, why = match["right"], match["why"] or ""
    rest = _NOT_CHARGED.search(why)
    assert rest is not None, "it is found at the end at the latest"
    left, undecided = (cents_of(group) if group else 0 for group in rest.groups())
    return Corrected(
        Month(f"{year}-{_MONTHS[name]:02d}"),
        match["issuer"],
        day,
        cents_of(match["charged"]),
        None if right is None else cents_of(right),
        why,
        left,
        undecided,
    )


def comes_to(description: str) -> int | None:
    """Compute the cents that a correction charges, from the correction's sentence.

    The result is None for any other text. In the example, the difference is -$127.00, of which -$27.00 is left to
    the owner.

    >>> comes_to("Correction of March 2026: Aqua, bill of 2026-03-20: $192.06 was charged; $65.06 is right: "
    ...          "14 of 31 days; -$27.00 is left to the owner")
    -10000
    """
    correction = read(description)
    return None if correction is None else correction.amount


def reason_of(why: str) -> Reason | None:
    """Parse a correction's reason that states the calculation of a single split method.

    The result is None for a blend, and if units were active on different numbers of days.

    >>> found = reason_of("600 of 1,000 sq ft, 14 of 31 days")
    >>> (found.split_method, str(found.part), str(found.whole), found.days == 14) if found else None
    ('SQFT', '600', '1000', True)
    """
    return _parsed(why, _REASON)


def _parsed(why: str, forms: Mapping[str, re.Pattern[str]]) -> Reason | None:
    """Parse the calculation of a single split method by the methods' patterns."""
    for code, form in forms.items():
        match = form.fullmatch(why)
        if match is None:
            continue
        parts = match.groupdict()
        days, of_days = (_number(parts[name]) if parts[name] else None for name in ("days", "of_days"))
        part, whole, owner, measure, active, service = (
            _number(parts.get(name)) for name in ("part", "whole", "owner", "measure", "active", "service")
        )
        cent = {"more": 1, "less": -1}.get(parts["cent"] or "", 0)
        return Reason(
            code, part, whole, days, of_days, bool(parts["both"]), owner, cent,
            forms is _REASON_BY_DAYS, measure, int(active), int(service),
        )  # fmt: skip
    return None


def _number(written: str | None) -> Fraction:
    return Fraction((written or "0").replace(",", ""))


def reason_in_words(why: str, currency: str, write: Forms = PLAIN) -> str:
    """Make a reason translatable; return the unchanged text if it can't be parsed.

    The result contains a sentence to translate (its `form`), in which `{why}` stands for the calculation. The cent of
    the stored sentence becomes an amount, because not every currency has cents.

    >>> said = reason_in_words("600 of 1,000 sq ft, 14 of 31 days, after the owner's 10%, and one cent more, "
    ...                        "so that all shares add up to the bill", "USD")
    >>> said.endswith("10%, and $0.01 more, so that all shares add up to the bill"), getattr(said, "form", "")[:5]
    (True, '{why}')
    >>> why = "50% by 640 of 15,390 sq ft, 23 of 31 days; 50% by no weight given: weight 0 of 6.5"
    >>> blend = reason_in_words(why, "USD")
    >>> blend, getattr(blend, "form", "")
    ('50% by 640 of 15,390 sq ft, 23 of 31 days; 50% by no weight given: weight 0 of 6.5', '{part0}; {part1}')
    """
    reasons = [_piece(part) for part in why.split("; ")]
    hows = [in_words_of(piece, write) for _, piece in filter(None, reasons)]
    last = reasons[-1]
    if last is None or len(hows) < len(reasons):
        return why
    reason, _ = last
    how = joined(hows, "; ") if len(hows) > 1 else hows[0]
    its_reason = after_the_owners(how, reason.owner_percent, write)
    if not reason.cent:
        return its_reason
    cent = write.money(1, currency)
    if reason.cent > 0:
        return say("{why}, and {cent} more, so that all shares add up to the bill", why=its_reason, cent=cent)
    return say("{why}, and {cent} less, so that all shares add up to the bill", why=its_reason, cent=cent)


def _piece(why: str) -> tuple[Reason, Piece] | None:
    """Parse the calculation of one split method, which may be a part of a blend."""
    before = _BEFORE.match(why)
    assert before is not None, "it may be empty"
    how = why[before.end() :]
    reason = reason_of(how) or _parsed(how, _REASON_BY_DAYS)
    if reason is None:
        return None
    percent = _number(before["percent"]) if before["percent"] else None
    days, of_days = (int(day_number) if day_number is not None else 1 for day_number in (reason.days, reason.of_days))
    active = reason.active or (of_days - 1 if reason.has_moving_day else of_days)
    return reason, Piece(
        reason.split_method, percent, not before["unknown"], reason.measure or reason.part, reason.by_days, active,
        reason.service or active, reason.part, reason.whole, days, of_days,
    )  # fmt: skip


def cents_of(written: str) -> int:
    """Parse an amount of a stored sentence into cents."""
    cents = int(re.sub(r"\D", "", written))
    return -cents if written.startswith("-") else cents
