"""Corrections: a household's correct amounts in a closed month, less the amounts charged.

There is one correction for each line and household (docs/decisions.md#corrections). Amounts are in cents.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from prorata.domain.billing_calendar import Month, month_in_words
from prorata.domain.groups import added_up
from prorata.domain.invoice_states import CANCELLED
from prorata.domain.money import in_words
from prorata.domain.splitting.correction_sentences import about_correction, sentence
from prorata.domain.splitting.divided_months import HouseholdKey
from prorata.domain.splitting.invoice_sequences import StoredInvoice
from prorata.domain.splitting.month_facts import MonthFacts
from prorata.domain.splitting.own_invoices import NOBODYS, OwnInvoices
from prorata.domain.splitting.planned_charges import LineKey
from prorata.domain.splitting.rights import Bearers
from prorata.domain.texts import say


class Kind(Enum):
    """The kind of month that is corrected, on which the amounts of its corrections depend.

    In a closed month, a correction charges the difference for a line. An open month's own invoices charge its
    lines in full, so a correction takes back the amounts that other invoices charged for them. History has no
    corrections.
    """

    CLOSED = "closed"
    OPEN = "open"
    HISTORY = "history"


class Charged(NamedTuple):
    """A correction's charge on an issued or cancelled invoice, in cents.

    If there is no tenant, the invoice has no addressee.
    """

    unit_id: str
    tenant_id: str | None
    is_cancelled: bool
    bill_id: str
    line: int
    amount: int


class Correction(NamedTuple):
    """The correction of a line of a closed month for a household.

    `month` is the corrected month. `tenant_id` is one of the household's tenants; if it is empty, the correction
    belongs to a unit whose invoice has no addressee. If `unit_id` is empty too, the correction is the owner's part
    of a late line, about which a person decides as about the tenants' parts. `right` is the correct amount. `own` is
    the amount that the household's invoices of the month charge, and `elsewhere` the amount that corrections on
    other issued invoices charge; `cancelled` is the amount of such corrections on cancelled invoices.

    `placed` is the amount that, by decision, other invoices charge or will charge. `again` is the amount placed
    once more because the invoice that charged it was cancelled; `placed` does not include this amount. `left` is
    the amount left to the owner. `description` is the charge's sentence, and `household` are the tenants. While
    the household's only invoice of the month is cancelled, `is_given_up` is true, and the owner bears the
    household's part.
    """

    month: str
    unit_id: str
    tenant_id: str
    bill_id: str
    line: int
    utility_type: str | None
    right: int
    own: int
    elsewhere: int
    cancelled: int
    placed: int
    again: int
    left: int
    description: str = ""
    household: HouseholdKey = ()
    is_given_up: bool = False

    @property
    def issued(self) -> int:
        """The amount already charged, by the invoices of the corrected month and by others."""
        return self.own + self.elsewhere

    @property
    def needed(self) -> int:
        """The amount that other invoices must charge in total to correct the line."""
        return self.right - self.own - self.left

    @property
    def waiting(self) -> int:
        """The amount about which a person must decide: neither placed nor left to the owner."""
        return self.needed - self._standing

    @property
    def to_charge(self) -> int:
        """The part of the placed amount that no issued invoice charges yet."""
        return self._standing - self.elsewhere

    @property
    def _standing(self) -> int:
        return self.placed + self.again - self.cancelled

    @property
    def is_kept(self) -> bool:
        """True if the correction must be kept, because there is or was a difference."""
        return bool(self.waiting or self.to_charge or self.placed or self.left or self.cancelled)

    def place(self) -> "Correction":
        """Decide to charge the difference; if it changes later, a new decision is needed.

        If the correction has no tenant, the owner bears the difference.
        """
        if not self.tenant_id:
            return self.leave()
        return self._replace(placed=self.needed, again=self.cancelled)

    def placed_by_itself(self) -> "Correction":
        """Decide automatically to charge the difference, except amounts on cancelled invoices."""
        held = between(self.cancelled - self.again, 0, self.needed - self.elsewhere)
        return self._replace(placed=self.needed + self.cancelled - self.again - held)

    def placed_in_vain(self) -> "Correction":
        """Take back an uncharged placed amount if new facts contradict the decision.

        This is so if the amount that waits for a decision has the opposite sign.
        """
        if self.waiting * self.to_charge >= 0:
            return self
        return self._replace(placed=self.placed - self.to_charge)

    def leave(self) -> "Correction":
        """Leave the difference to the owner; if it changes later, a new decision is needed."""
        return self._replace(left=self.left + self.waiting)

    def revoke(self) -> "Correction":
        """Undo the decisions about amounts left to the owner and amounts not charged yet.

        Of the uncharged amounts, those that were placed again are taken back first.
        """
        again = between(self.to_charge, 0, self.again)
        return self._replace(left=0, placed=self.placed - self.to_charge + again, again=self.again - again)


class Settled(NamedTuple):
    """A month's corrections, with two sums per line.

    `needed` is the sum that other invoices must charge to correct the line, including what they have charged. `own` is
    the sum that the month's own invoices charge.
    """

    corrections: Sequence[Correction]
    needed: Mapping[LineKey, int]
    own: Mapping[LineKey, int]

    def begun(self) -> set[LineKey]:
        """Return the lines for which an amount was charged or decided on."""
        return {
            (correction.bill_id, correction.line)
            for correction in self.corrections
            if correction.elsewhere or correction.left or correction.to_charge or correction.placed
        }

    def waiting(self) -> set[LineKey]:
        """Return the lines with amounts that wait for a person's decision."""
        return {(correction.bill_id, correction.line) for correction in self.corrections if correction.waiting}


def between(cents: int, bound: int, other: int) -> int:
    """Limit an amount to the range between two bounds, which may be in any order.

    >>> between(5, 0, -3), between(-5, 0, -3), between(-2, 0, -3)
    (0, -3, -2)
    """
    return min(max(cents, min(bound, other)), max(bound, other))


OWNERS = say("what no tenant bears is the owner's")
"""The reason for the owner's part of a line."""
_Key = tuple[str, HouseholdKey, LineKey]


class _Sums:
    """The sums of amounts for one household and one line.

    `is_cancelled` is set if a cancelled invoice of the household charges the line. If all invoices of the
    household are cancelled, it is set for each of the household's lines except late ones.
    """

    def __init__(self) -> None:
        self.right = self.own = self.elsewhere = self.cancelled = self.placed = self.again = self.left = 0
        self.is_charged = self.is_cancelled = self.is_parted = False
        self.kept: Correction | None = None

    @property
    def is_given_up(self) -> bool:
        """True if only cancelled invoices charge the household for the line."""
        return self.is_cancelled and not self.is_charged


def settle(
    facts: MonthFacts,
    kind: Kind,
    own: Mapping[str, Sequence[StoredInvoice]],
    elsewhere: Iterable[Charged],
    kept: Iterable[Correction],
    late: Container[LineKey] = (),
    with_email: Container[str] = (),
    *,
    automatic: bool,
    has_month: bool = True,
) -> Settled:
    """Compute the corrections of a month from current facts.

    `own` are the month's own invoices by unit, and `elsewhere` the issued charges of the month's corrections on
    other invoices. `kept` are the stored corrections with their decisions. `late` are the lines whose bills came
    after the month was closed; their full amounts wait for a decision. `with_email` are the tenants who have an
    e-mail address. With `automatic`, everything except cancelled amounts is placed without a decision, provided
    that a later month can carry the charges (`has_month`).
    """
    bearers = Bearers(facts)
    sums: dict[_Key, _Sums] = defaultdict(_Sums)
    own_of_lines: dict[LineKey, int] = defaultdict(int)
    if kind is not Kind.OPEN:
        for (unit_id, household), lines in bearers.rights.of_households.items():
            for line, cents in lines.items():
                sums[unit_id, household, line].right = cents
        for unit_id, stored in own.items():
            _add_own(sums, own_of_lines, unit_id, stored, bearers)
        invoices = OwnInvoices(facts, own, with_email)
        _add_nobodys(sums, bearers, invoices)
        _give_up_cancelled(sums, invoices, late)
        _add_owners(sums, facts, late)
    for charged in elsewhere:
        _add_elsewhere(sums, charged, bearers)
    having = {key for key, its in sums.items() if its.right or its.own or its.elsewhere or its.cancelled}
    for was in kept:
        _add_decided(sums, was, bearers, having)
    needed: dict[LineKey, int] = defaultdict(int)
    corrections, abouts = [], _abouts(facts)
    for (unit_id, household, line), its in sorted(sums.items()):
        correction = _settled(facts.month, kind, bearers, unit_id, household, line, its, automatic=automatic)
        if automatic:
            correction = correction.placed_by_itself() if has_month else correction.placed_in_vain()
        needed[line] += correction.needed
        if correction.is_kept:
            corrections.append(_in_words(correction, facts, kind, bearers, its.kept, abouts))
    return Settled(corrections, needed, own_of_lines)


def _add_own(
    sums: Mapping[_Key, _Sums],
    of_lines: dict[LineKey, int],
    unit_id: str,
    stored: Sequence[StoredInvoice],
    bearers: Bearers,
) -> None:
    for invoice in stored:
        if invoice.status == CANCELLED:
            continue
        household = NOBODYS if invoice.tenant_id is None else bearers.household_of(unit_id, invoice.tenant_id)
        for line, cents in invoice.charged.items():
            its = sums[unit_id, household, line]
            its.is_charged = True
            its.own += cents
            of_lines[line] += cents


def _add_nobodys(sums: Mapping[_Key, _Sums], bearers: Bearers, invoices: OwnInvoices) -> None:
    """Add the amounts of vacant units whose invoices have no addressee to the sums."""
    for unit_id, lines in bearers.rights.unlived.items():
        for line, cents in lines.items():
            if invoices.is_nobodys(unit_id, line):
                sums[unit_id, NOBODYS, line].right = cents


def _give_up_cancelled(sums: Mapping[_Key, _Sums], invoices: OwnInvoices, late: Container[LineKey]) -> None:
    """Mark the lines that a household is charged only on cancelled invoices.

    The household bears no part of these lines. If it has no other invoices, it bears no part of any line of the
    month except the `late` ones, which came after the invoices.
    """
    charged, alone = invoices.cancelled()
    for key in charged:
        sums[key].is_cancelled = True
    for (unit_id, household, line), its in sums.items():
        if (unit_id, household) in alone and line not in late:
            its.is_cancelled = True


def _add_owners(sums: Mapping[_Key, _Sums], facts: MonthFacts, late: Container[LineKey]) -> None:
    """Add the owner's part of each late line to the sums of the month."""
    of_others = added_up((line, its.right) for (_, _, line), its in sums.items())
    for its_line in facts.lines:
        line = its_line.bill_id, its_line.number
        if line in late:
            sums["", (), line].right = its_line.amount - of_others[line]


def _add_elsewhere(sums: Mapping[_Key, _Sums], charge: Charged, bearers: Bearers) -> None:
    household = () if charge.tenant_id is None else bearers.household_of(charge.unit_id, charge.tenant_id)
    its = sums[charge.unit_id, household, (charge.bill_id, charge.line)]
    if charge.is_cancelled:
        its.cancelled += charge.amount
    else:
        its.elsewhere += charge.amount


def _add_decided(sums: Mapping[_Key, _Sums], was: Correction, bearers: Bearers, having: Container[_Key]) -> None:
    """Add an earlier decision to the sums of the household that it was about.

    Since the decision, the household may have been divided into several households, each with an amount of the
    line (`having`). In that case, the decision belongs to none of them, and a person must decide again about every
    amount that is not issued. Amounts left to the owner remain so, unless the household's only invoice has been
    cancelled or restored since.
    """
    line = was.bill_id, was.line
    by_now = {bearers.household_of(was.unit_id, tenant_id) for tenant_id in was.household} or {()}
    those = [its_household for its_household in by_now if (was.unit_id, its_household, line) in having]
    if len(those) > 1:
        for household in those:
            sums[was.unit_id, household, line].is_parted = True
        return
    its = sums[was.unit_id, those[0] if those else min(by_now), line]
    its.kept = was
    its.placed, its.again = its.placed + was.placed, its.again + was.again
    if was.is_given_up == its.is_given_up:
        its.left += was.left


def _settled(
    month: Month, kind: Kind, bearers: Bearers, unit_id: str, household: HouseholdKey, line: LineKey, its: _Sums, *,
    automatic: bool,
) -> Correction:  # fmt: skip
    right, placed, again, left = its.right, its.placed, between(its.again, 0, its.cancelled), its.left
    if its.is_parted:
        placed, again, left = its.elsewhere + its.cancelled, 0, 0
    if its.is_given_up:
        right = 0
    if kind is Kind.OPEN:
        right = left = placed = 0  # the month itself charges the right amounts
        again = its.cancelled
    if kind is Kind.HISTORY:
        right, left, placed, again = its.own + its.elsewhere, 0, its.elsewhere, its.cancelled
    if not household:  # nobody's charges are the owner's anyway, and need no decision
        placed, again = its.elsewhere, its.cancelled
        if kind is not Kind.CLOSED:
            right, left = its.own + its.elsewhere, 0
        elif automatic:
            left = right - its.own - its.elsewhere
    tenant_id = bearers.first_of(unit_id, household) if household else ""
    return Correction(
        month, unit_id, tenant_id, *line, bearers.kind(line), right, its.own, its.elsewhere,
        its.cancelled, placed, again, left, household=household, is_given_up=its.is_given_up,
    )  # fmt: skip


def _abouts(facts: MonthFacts) -> dict[LineKey, str]:
    """Return the beginnings of the correction sentences, by line."""
    return {
        (line.bill_id, line.number): about_correction(facts.month, line.issuer, line.bill_date) for line in facts.lines
    }


def _in_words(
    correction: Correction, facts: MonthFacts, kind: Kind, bearers: Bearers, kept: Correction | None,
    abouts: Mapping[LineKey, str],
) -> Correction:  # fmt: skip
    """Add to a correction the sentence that its charge shows.

    The sentence states the amount charged, the right amount and the reason.
    """
    about = abouts.get((correction.bill_id, correction.line))
    if about is None:
        return correction._replace(utility_type=kept.utility_type, description=kept.description) if kept else correction
    if kind is Kind.OPEN:
        charged = in_words(correction.issued, facts.currency)
        correction_text = f"{about}: {charged} was charged, which {month_in_words(facts.month)} charges itself again"
        return correction._replace(description=correction_text)
    why: str
    if not correction.unit_id:
        why = OWNERS
    elif correction.is_given_up:
        why = say("the invoice is cancelled")
    else:
        why = bearers.reason(correction.unit_id, correction.household, (correction.bill_id, correction.line))
    undecided = correction.waiting if correction.to_charge else 0
    correction_text = sentence(
        about, correction.issued, correction.right, facts.currency, why, left=correction.left, undecided=undecided
    )
    return correction._replace(description=correction_text)
