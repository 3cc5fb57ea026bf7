"""The facts of generated bills, determined by a seed, with amounts in cents."""

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from tests.bill_pdfs.words import ISSUERS, ITEMS, PLACES


class Section(NamedTuple):
    """The charges for one utility, or for one meter of it."""

    kind: str
    items: tuple[tuple[str, int], ...]
    meter: str

    @property
    def total(self) -> int:
        return sum(cents for _, cents in self.items)


class Facts(NamedTuple):
    """The facts of a bill, with amounts in cents.

    `instalment` and `used` belong to budget billing.
    """

    locale: str
    issuer: str
    site: str
    recipient: str
    account: str
    number: str
    billed: date
    due: date
    start: date
    end: date
    address: tuple[str, str]
    sections: tuple[Section, ...]
    previous: int = 0
    paid: int = 0
    late: int = 0
    deposit: int = 0
    credit: int = 0
    instalment: int = 0

    @property
    def charges(self) -> int:
        return sum(section.total for section in self.sections)

    @property
    def carried(self) -> int:
        return self.previous - self.paid

    @property
    def total(self) -> int:
        period = self.instalment or self.charges
        return self.carried + period + self.late + self.deposit - self.credit

    @property
    def lines(self) -> dict[str, int] | None:
        """The lines of the bill, or None if only a person can tell them."""
        if self.instalment:
            return None
        sums: dict[str, int] = {}
        for section in self.sections:
            sums[section.kind] = sums.get(section.kind, 0) + section.total
        if self.credit:
            sums[self.sections[0].kind] -= self.credit
        sums |= {"PREVIOUS_BALANCE": self.carried, "LATE_FEE": self.late, "DEPOSIT": self.deposit}
        return {name: cents for name, cents in sums.items() if cents}


KINDS = {
    "en-US": [
        "ELECTRICITY",
        "GAS",
        "WATER SEWER",
        "WATER SEWER GARBAGE",
        "INTERNET",
        "ELECTRICITY GAS",
        "ELECTRICITY ELECTRICITY",
    ],
    "de-DE": ["ELECTRICITY", "GAS", "WATER SEWER", "ELECTRICITY GAS", "INTERNET", "GARBAGE", "ELECTRICITY ELECTRICITY"],
    "fr-FR": ["ELECTRICITY", "GAS", "WATER SEWER", "INTERNET", "ELECTRICITY GAS", "WATER WATER"],
    "es-ES": ["ELECTRICITY", "GAS", "WATER SEWER", "INTERNET", "WATER SEWER GARBAGE", "ELECTRICITY ELECTRICITY"],
}
STORIES = ("plain", "plain", "paid", "owing", "owing and late", "credit", "overpaid", "deposit", "budget", "late alone")


def facts_of(locale: str, seed: int, kinds: str | None = None, story: str | None = None) -> Facts:
    """Make up the facts of a bill; the same seed always gives the same bill."""
    dice = random.Random(f"{locale} {seed}")
    kinds = kinds or dice.choice(KINDS[locale])
    story = story or dice.choice(STORIES)
    start = date(2025, 1, 1) + timedelta(days=dice.randrange(500))
    end = start + timedelta(days=dice.randrange(27, 35))
    billed = end + timedelta(days=dice.randrange(1, 12))
    sections = tuple(_section(dice, locale, kind, place) for place, kind in enumerate(kinds.split()))
    family = "CITY" if len(set(kinds.split())) > 1 or kinds == "GARBAGE" else kinds.split()[0]
    issuer, site = dice.choice(ISSUERS[locale][family])
    street, town = dice.choice(PLACES[locale])
    many = len({section.kind for section in sections}) > 1
    return Facts(
        locale=locale,
        issuer=issuer,
        site=site,
        recipient=dice.choice(["Oak Grove Homes", "M. Ferrer", "J. Weber", "Claire Martin", "Harbor Street Rentals"]),
        account=dice.choice(["{:04d}-{:04d}-{:02d}", "{:04d}{:04d}{:02d}", "{:03d} {:04d} {:03d}"]).format(
            dice.randrange(100, 999), dice.randrange(1000, 9999), dice.randrange(10, 99)
        ),
        number=dice.choice(["{:08d}", "INV-{:07d}", "R{:08d}", "2026/{:06d}"]).format(dice.randrange(10**5, 10**6)),
        billed=billed,
        due=billed + timedelta(days=dice.randrange(10, 30)),
        start=start,
        end=end,
        address=(street, town),
        sections=sections,
        **_balance(dice, "plain" if story == "credit" and many else story, sum(section.total for section in sections)),
    )


def _section(dice: random.Random, locale: str, kind: str, place: int) -> Section:
    labels: Sequence[str] = ITEMS[locale][kind]
    count = dice.randrange(2, len(labels) + 1)
    items = tuple((label, dice.randrange(150, 9000)) for label in labels[:count])
    return Section(kind, items, f"{dice.randrange(10**7, 10**8)}-{place + 1}")


def _balance(dice: random.Random, story: str, charges: int) -> dict[str, int]:  # noqa: PLR0911 - one for each story
    previous = dice.randrange(2000, 30000)
    match story:
        case "paid":
            return {"previous": previous, "paid": previous}
        case "owing":
            return {"previous": previous, "paid": dice.choice([0, previous - 1500])}
        case "owing and late":
            return {"previous": previous, "late": dice.choice([500, 750, 1250])}
        case "late alone":
            return {"previous": previous, "paid": previous, "late": 500}
        case "credit":
            return {"credit": min(charges - 100, dice.randrange(300, 2500))}
        case "overpaid":
            return {"previous": previous, "paid": previous + dice.randrange(100, 9000)}
        case "deposit":
            return {"deposit": dice.choice([5000, 10000])}
        case "budget":
            return {"instalment": dice.choice([6500, 9000, 12000])}
        case _:
            return {}
