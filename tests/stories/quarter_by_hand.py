"""The story's quarter and the month after it, in a plain ledger kept by hand.

All amounts are in cents. They were worked out by hand: none was taken from the program, and nothing is imported from
it.

The house has three units: 1 with 500 sq ft (Ann), 2 with 700 (Bob, until 14 February) and 3 with 800 (Cleo). Water is
split by floor area, and gas by the days that people lived there.
"""

from collections import Counter
from typing import NamedTuple

ANN, BOB, CLEO = "1", "2", "3"
MONTHS = JANUARY, FEBRUARY, MARCH, APRIL = "2026-01", "2026-02", "2026-03", "2026-04"

BILLS = {
    (JANUARY, "GAS"): 100_00,
    (JANUARY, "WATER"): 200_01,
    (FEBRUARY, "GAS"): 87_01,
    (FEBRUARY, "WATER"): 180_00,
    (MARCH, "GAS"): 60_02,
    (MARCH, "WATER"): 210_03,
    (APRIL, "GAS"): 45_00,
    (APRIL, "WATER"): 160_01,
}
"""The amounts of each utility's bills for each month, in cents."""

SHARES = {
    # Three people for 31 days each: 33.33 1/3. The cent that is left goes to the first unit.
    (JANUARY, "GAS"): {ANN: 33_34, BOB: 33_33, CLEO: 33_33},
    # 5/20, 7/20 and 8/20: 50.0025, 70.0035 and 80.0040. The cent that is left goes to the largest rest, unit 3.
    (JANUARY, "WATER"): {ANN: 50_00, BOB: 70_00, CLEO: 80_01},
    # 28, 14 and 28 days of 70, as Bob left after the 14th: 34.804, 17.402 and 34.804. Of equal rests the first gets the cent.
    (FEBRUARY, "GAS"): {ANN: 34_81, BOB: 17_40, CLEO: 34_80},
    # 63.00 for unit 2, of which Bob bears 14 of 28 days.
    (FEBRUARY, "WATER"): {ANN: 45_00, BOB: 31_50, CLEO: 72_00},
    # Nobody lives in unit 2: it takes no part of what goes by people, half each for the others.
    (MARCH, "GAS"): {ANN: 30_01, BOB: 0, CLEO: 30_01},
    # 52.5075, 73.5105 and 84.0120: the cent goes to the largest rest, unit 1. What falls to the empty unit is the landlord's.
    (MARCH, "WATER"): {ANN: 52_51, BOB: 73_51, CLEO: 84_01},
    (APRIL, "GAS"): {ANN: 22_50, BOB: 0, CLEO: 22_50},
    # 40.0025, 56.0035 and 64.0040: the cent goes to the largest rest, unit 3.
    (APRIL, "WATER"): {ANN: 40_00, BOB: 56_00, CLEO: 64_01},
}
"""The share of each unit in each bill, with the reason."""

OWNERS = {(FEBRUARY, "WATER"): 31_50}
"""The amounts for days on which a unit was empty after somebody left.

They are on no invoice.
"""

NOBODYS = ((BOB, MARCH), (BOB, APRIL))
"""The invoices of the empty unit: drafts for nobody, which the landlord bears."""


class Moved(NamedTuple):
    """Money that moved for the invoice of a unit for a month."""

    unit: str
    month: str
    kind: str
    cents: int


MONEY = [
    Moved(ANN, JANUARY, "PAYMENT", 33_34),  # the gas, on her page, before the water had come
    Moved(BOB, JANUARY, "PAYMENT", 20_00),  # a part of the 33.33 that he was asked for
    Moved(ANN, JANUARY, "PAYMENT", 50_00),  # 83.34 after the month was opened again, less what she had paid
    Moved(BOB, JANUARY, "PAYMENT", 83_33),  # 103.33 less 20.00
    Moved(CLEO, JANUARY, "PAYMENT", 120_00),  # she rounds 113.34 up
    Moved(CLEO, JANUARY, "REFUND", 6_66),  # and gets back what was too much
    Moved(ANN, FEBRUARY, "PAYMENT", 79_81),
    Moved(CLEO, FEBRUARY, "PAYMENT", 106_80),
    Moved(BOB, FEBRUARY, "PAYMENT", 48_90),  # when he was reminded of it, a day after its due date
    Moved(ANN, MARCH, "PAYMENT", 82_52),
    Moved(CLEO, MARCH, "PAYMENT", 114_02),
    Moved(ANN, APRIL, "PAYMENT", 62_50),
    Moved(CLEO, APRIL, "PAYMENT", 86_51),
]
"""All money that moved, in its order."""

LETTERS = {
    "ann@example.org": 10,  # January twice, as it was opened again; February; March; April; five payments online
    "bob@example.org": 6,  # January twice; February, and that it was due; two payments online
    "cleo@nowhere.example": 1,  # January, which came back
    "cleo@example.org": 6,  # January once more, and when it was opened again; February; March; April; one payment online
}
"""The number of different messages about invoices that went to each address."""


def owed(unit: str, month: str) -> int:
    """Return the total of a unit's invoice for a month."""
    return sum(shares[unit] for (of_month, _), shares in SHARES.items() if of_month == month)


def kept(unit: str, month: str) -> int:
    """Return the money received for an invoice, less the money paid back."""
    moved = (one for one in MONEY if (one.unit, one.month) == (unit, month))
    return sum(one.cents if one.kind == "PAYMENT" else -one.cents for one in moved)


def entries(unit: str, month: str) -> Counter[tuple[str, int]]:
    """The ledger of a unit's invoice for a month."""
    return Counter((one.kind, one.cents) for one in MONEY if (one.unit, one.month) == (unit, month))


def invoices() -> list[tuple[str, str]]:
    """The unit and month of every invoice."""
    return [(unit, month) for month in MONTHS for unit in (ANN, BOB, CLEO)]


def is_in_itself_right() -> bool:
    """Check whether every bill is divided to the cent and everyone has paid their debts."""
    divided = all(sum(SHARES[line].values()) + OWNERS.get(line, 0) == total for line, total in BILLS.items())
    paid = all(kept(*one) == (0 if one in NOBODYS else owed(*one)) for one in invoices())
    borne = sum(kept(*one) for one in invoices()) + sum(owed(*one) for one in NOBODYS)
    return divided and paid and borne + sum(OWNERS.values()) == sum(BILLS.values())
