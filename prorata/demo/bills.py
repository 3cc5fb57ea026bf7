"""The demo account's bills: plausible usage in each of twelve months, multiplied by a price."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from prorata.demo.portfolio import CORNER, HARBOR, HEATHER, House
from prorata.domain.billing_calendar import Month, first_day
from prorata.domain.bills.bills import NewBill
from prorata.domain.usage import Usage

_HEATING = (100, 92, 75, 48, 22, 8, 5, 5, 12, 38, 66, 90)
_LIGHT = (100, 92, 84, 72, 64, 60, 62, 68, 76, 84, 94, 102)
_COOLING = (0, 0, 0, 6, 22, 58, 90, 82, 40, 8, 0, 0)
"""The usage of each month, in percent of the coldest, darkest or a hot month."""
UNPAID_CITY_BILL, SETTLED_GAS, LIFT, SEPTIC = 7, 8, 4, 10
"""The positions in the year, in months from 0, of special bills."""
LATEST, SENT_LAST, LATE = 11, 10, 9


class Period(NamedTuple):
    """A month of the demo's year.

    `place` is its position in the year, counted from 0 for the oldest month.
    """

    place: int
    month: Month

    @property
    def at(self) -> int:
        """The number of the calendar month, counted from 0 for January."""
        return first_day(self.month).month - 1

    def day(self, number: int) -> date:
        """Return the day with this number in the month."""
        return first_day(self.month).replace(day=number)

    def wobble(self, salt: int) -> int:
        """Return a number from 0 to 12 by which the month's usage varies.

        The number depends on `salt`, and is the same in every run.
        """
        return (self.place * 7 + self.at * 5 + salt * 11) % 13


def bills_of(period: Period, ids: dict[House, str]) -> list[NewBill]:
    """List every bill that arrives in a month, for all three properties."""
    return [
        *_of_harbor(period, ids[HARBOR]),
        *_of_corner(period, ids[CORNER]),
        *_of_heather(period, ids[HEATHER]),
    ]


def bills_of_before(period: Period, ids: dict[House, str]) -> list[NewBill]:
    """List the bills from before billing starts.

    They are history: they are stored for comparison, and charge nobody.
    """
    return [_electricity_of_heather(period, ids[HEATHER])]


def late_bill(period: Period, ids: dict[House, str], bill_date: date) -> NewBill:
    """Build the bill of a corrected meter reading, which arrives after its month is closed."""
    return NewBill(
        ids[HARBOR],
        "Lakeshore Electric",
        ("ELECTRICITY",),
        96_48,
        bill_date,
        due_date=bill_date + timedelta(days=21),
        notes="Corrected reading of the laundry room's meter.",
        account_number="LE-77120-4",
        bill_number=f"LE-{period.month}-C",
        service_start=period.day(1),
        service_end=period.day(28),
    )


def _of_harbor(period: Period, property_id: str) -> Iterator[NewBill]:
    kwh = 2_150 + 9 * _LIGHT[period.at] + 21 * _COOLING[period.at] + 8 * period.wobble(1)
    yield _bill(period, property_id, "Lakeshore Electric", 48_50 + 14 * kwh, "ELECTRICITY", account="LE-77120-4",
                usages=(("ELECTRICITY", Usage(Decimal(kwh), "kWh", Decimal("0.14"))),))  # fmt: skip
    therms = 190 + 15 * _HEATING[period.at] + 3 * period.wobble(2)
    yield _bill(period, property_id, "Prairie Gas", 62_00 + 97 * therms, "GAS", account="PG-300418",
                usages=(("GAS", Usage(Decimal(therms), "therm", Decimal("0.97"))),))  # fmt: skip
    hundreds_of_cubic_feet, notes = 148 + 2 * period.wobble(3), None
    if period.place == SENT_LAST:
        hundreds_of_cubic_feet, notes = 2 * hundreds_of_cubic_feet, "Estimated: the meter could not be read."
    water, sewer = 4_47 * hundreds_of_cubic_feet, 4_46 * hundreds_of_cubic_feet
    yield _bill(
        period, property_id, "City Water Department", water + sewer, "WATER", "SEWER",
        amounts=(("WATER", water), ("SEWER", sewer)), account="CWD-1214-NH",
        usages=(("WATER", Usage(Decimal(hundreds_of_cubic_feet), "CCF", Decimal("4.47"))),
                ("SEWER", Usage(Decimal(hundreds_of_cubic_feet), "CCF", Decimal("4.46")))),
        notes=notes,
    )  # fmt: skip
    yield _bill(period, property_id, "Midway Hauling", 486_00, "GARBAGE", account="MH-2209")
    yield _bill(period, property_id, "Beacon Fiber", 780_00, "INTERNET", account="BF-5518")
    if period.place == LIFT:
        notes = "Yearly inspection of the lift."
        yield _bill(period, property_id, "Otto Lift Safety", 415_00, "OTHER", account="OLS-88", notes=notes,
                    names=(("OTHER", "Lift inspection"),))  # fmt: skip


def _of_corner(period: Period, property_id: str) -> Iterator[NewBill]:
    units = 31 + period.wobble(4)
    water, sewer, garbage = 5_12 * units, 6_08 * units, 118_40
    amounts = [("WATER", water), ("SEWER", sewer), ("GARBAGE", garbage)]
    notes = None
    if period.place == UNPAID_CITY_BILL:
        amounts += [("PREVIOUS_BALANCE", 148_20), ("LATE_FEE", 15_00)]
        notes = "With what was left of the last bill, and a fee for it: both are the owner's."
    yield _bill(
        period, property_id, "City of Fairmount", sum(amount for _, amount in amounts), "WATER", "SEWER", "GARBAGE",
        amounts=tuple(amounts), account="COF-0087-A", notes=notes,
    )  # fmt: skip
    energy = 88_15 + 3_21 * _HEATING[period.at] + 1_07 * _LIGHT[period.at] + 43 * period.wobble(5)
    yield _bill(period, property_id, "Cascade Energy", energy, "ELECTRICITY", "GAS", account="CE-61-0087")
    yield _bill(period, property_id, "Beacon Fiber", 164_95, "INTERNET", account="BF-7781")
    if period.place == SETTLED_GAS:
        notes = "Yearly settlement: paid in advance, and not used."
        yield _bill(period, property_id, "Cascade Energy", -84_37, "GAS", account="CE-61-0087", notes=notes)


def _of_heather(period: Period, property_id: str) -> Iterator[NewBill]:
    yield _electricity_of_heather(period, property_id)
    yield _bill(period, property_id, "Clare Recycling", 142_50, "GARBAGE", account="CR-1190")
    yield _bill(period, property_id, "Western Broadband", 209_70, "INTERNET", account="WB-30217")
    if period.place % 3 == 1:
        litres = 310 + 9 * _HEATING[period.at] + 5 * period.wobble(6)
        yield _bill(period, property_id, "Burren Gas", 1_09 * litres, "GAS", account="BG-447")
    if period.place % 3 == LATEST % 3:
        cubic_metres = 96 + 2 * period.wobble(7)
        yield _bill(period, property_id, "Kilbrae Group Water Scheme", 1_85 * cubic_metres, "WATER", account="KGW-12",
                    usages=(("WATER", Usage(Decimal(cubic_metres), "m³", Decimal("1.85"))),))  # fmt: skip
    if period.place == SEPTIC:
        notes = "Emptying of the shared septic tank."
        yield _bill(period, property_id, "Burren Drains", 380_00, "OTHER", account="BD-6", notes=notes,
                    names=(("OTHER", "Septic tank"),))  # fmt: skip


def _electricity_of_heather(period: Period, property_id: str) -> NewBill:
    kwh = 640 + 7 * _LIGHT[period.at] + 4 * _HEATING[period.at] + 5 * period.wobble(8)
    return _bill(period, property_id, "Atlantic Power", 21_30 + 34 * kwh, "ELECTRICITY", account="AP-990-2",
                 usages=(("ELECTRICITY", Usage(Decimal(kwh), "kWh", Decimal("0.34"))),))  # fmt: skip


def _bill(
    period: Period,
    property_id: str,
    issuer: str,
    total: int,
    *utility_types: str,
    account: str,
    amounts: tuple[tuple[str, int], ...] = (),
    notes: str | None = None,
    usages: tuple[tuple[str, Usage], ...] = (),
    names: tuple[tuple[str, str], ...] = (),
) -> NewBill:
    """Build a usual bill, dated the 25th of a month.

    The service period is from the 24th of the month before to the 23rd.
    """
    bill_date = period.day(25)
    paid = {SENT_LAST: "PENDING", LATEST: "UNPAID"}.get(period.place, "PAID")
    if (period.place, issuer) == (SENT_LAST, "Midway Hauling"):
        paid = "OVERDUE"
    return NewBill(
        property_id,
        issuer,
        utility_types,
        total,
        bill_date,
        due_date=bill_date + timedelta(days=20),
        payment_status=paid,
        notes=notes,
        names=names,
        account_number=account,
        bill_number=f"{account.partition('-')[0]}-{period.month}{'-S' if total < 0 else ''}",
        service_start=(period.day(1) - timedelta(days=1)).replace(day=24),
        service_end=period.day(23),
        amounts=amounts,
        usages=usages,
    )
