"""Previews of a line's split under proposed terms, by household, beside today's split."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.splitting.division_layout import LaidOut, Share, lay_out, undivided
from prorata.domain.splitting.share_rules import Rule
from prorata.domain.splitting.stays import LineDays, UnitFacts
from prorata.domain.texts import joined, say, say_n

EXAMPLE_AMOUNT = 100_00
"""The amount to divide if no bill of the type exists yet, in cents."""


class PreviewedShare(NamedTuple):
    """A household's part under the proposed terms and under today's rule, in cents.

    `difference` is the part under the proposed terms less the part under today's rule.
    """

    share: Share
    today: int
    difference: int


class Preview(NamedTuple):
    """A line as the proposed terms would split it.

    `owner_today` is the owner's amount under today's rule, in cents, and `owner_difference` the change.
    """

    shares: tuple[PreviewedShare, ...]
    laid_out: LaidOut
    owner_today: int
    owner_difference: int


def preview(
    amount: int,
    terms: Rule | None,
    today: Rule | None,
    days: LineDays,
    units: Sequence[UnitFacts],
    what: str,
    write: Forms = PLAIN,
) -> Preview:
    """Split `amount` cents by `terms` and by `today`'s rule, for the same days and units.

    If the proposed terms or today's rule do not divide the line, each household's part under those terms or that
    rule is 0. In the example, units of 500 and 1,500 sq ft share $100.00 of water by floor area, instead of
    equally as today:

    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.splitting.stays import Stay, of_month
    >>> march, stays = of_month(Month("2026-03")), (Stay("ann", None, None),)
    >>> flats = [UnitFacts(f"u{n}", f"{n}", Fraction(500 * n), 1, None, None, stays) for n in (1, 3)]
    >>> equal = Rule("WATER", "EQUAL", {}, Fraction(0), Fraction(0))
    >>> shown = preview(100_00, equal._replace(split_method="SQFT"), equal, march, flats, "water")
    >>> [(one.share.label, one.share.cents, one.today, one.difference) for one in shown.shares]
    [('1', 2500, 5000, -2500), ('3', 7500, 5000, 2500)]
    """
    laid_out = lay_out(amount, terms, days, units, what, write)
    now = lay_out(amount, today, days, units, what, write)
    before = {(share.unit_id, share.tenant_ids): share.cents for share in now.shares}
    shares = laid_out.shares or tuple(
        share._replace(weight=say("nothing"), exact=Fraction(), cents=0)
        for share in now.shares or undivided(days, units)
    )
    compared = [(share, before.get((share.unit_id, share.tenant_ids), 0)) for share in shares]
    return Preview(
        tuple(PreviewedShare(share, was, share.cents - was) for share, was in compared),
        laid_out,
        now.owner,
        laid_out.owner - now.owner,
    )


def in_a_sentence(amount: int, shown: Preview, currency: str, write: Forms = PLAIN) -> str:
    """Summarize a preview in a sentence, for readers who don't see every unit.

    >>> from prorata.domain.billing_calendar import Month
    >>> from prorata.domain.splitting.stays import Stay, of_month
    >>> march, stays = of_month(Month("2026-03")), (Stay("ann", None, None),)
    >>> flats = [UnitFacts(f"u{n}", f"{n}", Fraction(500 * n), 1, None, None, stays) for n in (1, 3)]
    >>> equal = Rule("WATER", "EQUAL", {}, Fraction(10), Fraction(0))
    >>> by_area = equal._replace(split_method="SQFT")
    >>> in_a_sentence(100_00, preview(100_00, by_area, equal, march, flats, "water"), "USD")
    'Of $100.00, $90.00 would go to 2 units, from $22.50 to $67.50 each, and $10.00 to you. That changes 2 units.'
    """
    parts = [share.share.cents for share in shown.shares]
    if not parts:
        return say("This property has no units yet.")
    least, most = write.money(min(parts), currency), write.money(max(parts), currency)
    changed = sum(bool(share.difference) for share in shown.shares)
    then = (
        say_n("That changes {n} unit.", "That changes {n} units.", changed, n=write.count(changed))
        if changed
        else say("Nothing changes.")
    )
    owner = shown.laid_out.owner
    of, units, yours = (write.money(cents, currency) for cents in (amount, amount - owner, owner))
    if len(parts) == 1:
        form = say("Of {amount}, {units} would go to 1 unit and {yours} to you.")
    elif least == most:
        form = say("Of {amount}, {units} would go to {n} units, {least} each, and {yours} to you.")
    else:
        form = say("Of {amount}, {units} would go to {n} units, from {least} to {most} each, and {yours} to you.")
    n = write.count(len(parts))
    return joined([form.format(amount=of, units=units, yours=yours, n=n, least=least, most=most), then])
