"""Readers of a bills file's cells: amounts, dates, months and text.

Ambiguous cells are never guessed. A reader returns the value, or raises `Unclear` with a sentence for the file's
author. The sentence never repeats the cell's contents, except the digits of a date (docs/decisions.md#bills-file).
"""

import re
from calendar import monthrange
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal

from prorata.domain.billing_calendar import FIRST_DATE, LAST_DATE
from prorata.domain.countries import Country, DateOrder
from prorata.domain.currency_signs import meant_by, parted
from prorata.domain.files.cells import Cell, Priced, Unclear
from prorata.domain.files.column_names import utilities_named, utility_named
from prorata.domain.files.spreadsheet_cells import as_meant
from prorata.domain.limits import LARGEST_AMOUNT, LONGEST_BILL_LIST, LONGEST_TYPED_NUMBER, MOST_EXACT_DIGITS
from prorata.domain.number_parsing import reading_with, readings
from prorata.domain.texts import Count, joined, say
from prorata.domain.utility_names import NOT_BILLED_REASONS, PAYMENT_STATUSES, UTILITY_NAMES, UTILITY_TYPES

_YES, _NO = frozenset(["yes", "y", "true", "1"]), frozenset(["no", "n", "false", "0"])
MONTHS = 12
PLACES, YEAR = 2, 4
"""The maximum number of digits of cents, days and months, and of a year."""

_NO_AMOUNT = say("This is not a valid amount. Enter digits with at most two decimals, such as {sample}.")
_NO_COMMA = say(
    "This is not a valid amount: in the property's country, a comma separates thousands. Use a point for decimals, "
    "such as {sample}."
)
_OTHER_MARK = say("This amount uses a different decimal mark from the rest of the file. Write it like the others.")
_AMOUNT_TWO_WAYS = say(
    "This amount is ambiguous: its mark may separate thousands or decimals. Enter it with two decimals, such as "
    "{sample}."
)
_DECIMALS = say("An amount can have at most two decimals.")
_TOO_LARGE = say("An amount can be at most 9,999,999,999.99, positive or negative.")
_NO_DATE = say("This is not a date in the format of the property's country. Enter it as YYYY-MM-DD.")
_NO_SUCH_DATE = say("{written} is not a date in the format of the property's country. Enter it as YYYY-MM-DD.")
_NO_SUCH_MONTH = say(
    "{written} is not a date in the format of the property's country: there is no month {month}. Enter it as "
    "YYYY-MM-DD."
)
_NO_SUCH_DAY = say("{written} is not a valid date, because that month has {days} days. Correct the day.")
_DATE_TWO_WAYS = say("This date is ambiguous in the property's country. Enter it as YYYY-MM-DD.")
_SHORT_YEAR = say("The year must have four digits. Enter the date as YYYY-MM-DD.")
_FAR_DATE = say("A date must be between 1970-01-01 and 2999-12-31.")

_COUNTED_BY_LAKH = frozenset(["BDT", "BTN", "INR", "LKR", "NPR", "PKR"])

_PLAIN_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?", re.ASCII)
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?", re.ASCII)
_JOINED_DATE = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})", re.ASCII)
_LOCAL_DATE = re.compile(r"([0-9]{1,4}) ?([./-]) ?([0-9]{1,2}) ?\2 ?([0-9]{1,4})\.?", re.ASCII)
_SHORT_YEARS = re.compile("[0-4][0-9]", re.ASCII)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_BREAK = re.compile("[\t\n\r\u2028\u2029]")


def read_amount(cell: Cell, country: Country, currency: str, decimal: str = "") -> int:
    """Read a cell as cents, in a property's country and currency, without using floats.

    `decimal` is the decimal mark if it is known for the whole file; otherwise the country's customs decide.

    A leading or trailing minus, or parentheses, makes the amount negative. A currency sign or code may precede or
    follow the number, or be added to it by the spreadsheet's number format. It must mean the property's currency.

    >>> from prorata.domain.countries import COUNTRIES
    >>> us, de = COUNTRIES["US"], COUNTRIES["DE"]
    >>> read_amount("$1,234.50", us, "USD"), read_amount("1.234,50 €", de, "EUR"), read_amount("(12.30)", us, "USD")
    (123450, 123450, -1230)
    >>> read_amount("1.234", us, "USD", decimal=","), read_amount("1,234", de, "EUR", decimal=".")
    (123400, 123400)
    """
    if isinstance(cell, Unclear):
        raise cell
    if decimal:
        country = country._replace(decimal_marks=decimal)
    if isinstance(cell, Decimal):
        if isinstance(cell, Priced):
            cell.refuse_a_side()
            _agree(cell.sign, country, currency)
        return _exact_cents(cell, country)
    if not isinstance(cell, str) or len(cell) > LONGEST_TYPED_NUMBER:
        raise _unclear(_NO_AMOUNT, country)
    if plain := _PLAIN_AMOUNT.fullmatch(cell):
        return _at_most_largest(int(plain[1] + (plain[2] or "").ljust(PLACES, "0")))
    parts = parted(cell)
    if parts is None:
        raise _unclear(_NO_AMOUNT, country)
    before, number, after = parts
    before, after, negative = _without_signs(before, after, country)
    _agree(before, country, currency)
    _agree(after, country, currency)
    cents = _at_most_largest(_cents(number, country, decimal))
    return -cents if negative else cents


def figures_of(text: str) -> str:
    """Extract the digits and separators of an amount as written; empty for any other text.

    >>> figures_of("1.234,50 €"), figures_of("about 5, or 6")
    ('1.234,50', '')
    """
    _, figures, _ = parted(text) or ("", "", "")
    return figures


def days_of(text: str) -> dict[str, date]:
    """Map each possible order of day and month, DMY or MDY, to the resulting date.

    >>> sorted(days_of("03/04/2026")), sorted(days_of("25.3.2026")), sorted(days_of("2026-03-25"))
    (['DMY', 'MDY'], ['DMY'], [])
    """
    written = _LOCAL_DATE.fullmatch(text.strip())
    days: dict[str, date] = {}
    if written is None or len(written[1]) > PLACES:
        return days
    for order in ("DMY", "MDY"):
        with suppress(Unclear):
            days[order] = _local_day(text.strip(), _in_order(order, text.strip()))
    return days


def _unclear(why: str, country: Country) -> Unclear:
    """Build the error for an unreadable amount, with an example in the country's format."""
    return Unclear(why.format(sample="1234,50" if country.decimal_marks == "," else "1234.50"))


def _at_most_largest(cents: int) -> int:
    if cents > LARGEST_AMOUNT:
        raise Unclear(_TOO_LARGE)
    return cents


def _exact_cents(number: Decimal, country: Country) -> int:
    """Convert a number to cents.

    Raises `Unclear` if the number is infinite, is too large, or has more than two decimals.
    """
    if not number.is_finite():
        raise _unclear(_NO_AMOUNT, country)
    if abs(number) * 100 > LARGEST_AMOUNT:
        raise Unclear(_TOO_LARGE)
    cents = number * 100
    if cents != int(cents):
        raise Unclear(_DECIMALS)
    return int(cents)


def _without_signs(before: str, after: str, country: Country) -> tuple[str, str, bool]:
    """Strip minus signs and parentheses from the texts before and after a number.

    Returns both texts, and True if the number is negative. A pair of parentheses counts as a minus sign. Raises
    `Unclear` if there are several signs.
    """
    signs = 0
    if "(" in before and ")" in after:
        before, after, signs = before.replace("(", "", 1), after.replace(")", "", 1), 1
    for sign in "-+":
        if sign in before:
            before, signs = before.replace(sign, "", 1), signs + 1
            negative = sign == "-"
            break
    else:
        negative = signs == 1
    if "-" in after:
        after, signs, negative = after.replace("-", "", 1), signs + 1, True
    if signs > 1:
        raise _unclear(_NO_AMOUNT, country)
    return before.strip(), after.strip(), negative


def _agree(written: str, country: Country, currency: str) -> None:
    """Raise `Unclear` if the text beside an amount can't mean the property's currency."""
    if not written:
        return
    folded = written.casefold()
    joined = folded.replace(" ", "")
    signs = [joined] if meant_by(joined) else folded.split()
    if len(signs) == 1 and not meant_by(joined):
        signs = [joined[:3], joined[3:]]  # CAD$
    for sign in signs:
        meant = meant_by(sign)
        if not meant:
            raise _unclear(_NO_AMOUNT, country)
        if currency not in meant:
            raise Unclear(say("This amount is not in the property's currency, which is {currency}.", currency=currency))


def _cents(number: str, country: Country, decimal: str = "") -> int:
    """Convert digits with separators to cents, following the rules of `typed_numbers`.

    >>> from prorata.domain.countries import COUNTRIES
    >>> _cents("1,234", COUNTRIES["US"])
    123400
    >>> _cents("1,234", COUNTRIES["DE"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    prorata.domain.files.cells.Unclear: This amount is ambiguous: ...
    """
    by_lakh = country.currency in _COUNTED_BY_LAKH
    if decimal:
        amounts = reading_with(number, decimal, by_lakh=by_lakh)
    else:
        amounts = readings(number, has_decimal_comma="," in country.decimal_marks, by_lakh=by_lakh)
    if not amounts:
        is_of_elsewhere = readings(number, has_decimal_comma=True, by_lakh=by_lakh)
        raise _unclear((_OTHER_MARK if decimal else _NO_COMMA) if is_of_elsewhere else _NO_AMOUNT, country)
    if len(amounts) > 1:
        raise _unclear(_AMOUNT_TWO_WAYS, country)
    whole, _, decimals = str(amounts[0]).partition(".")
    decimals = decimals.rstrip("0")
    if len(decimals) > PLACES:
        raise Unclear(_DECIMALS)
    return int(whole + decimals.ljust(PLACES, "0"))


def read_date(cell: Cell, country: Country, order: str = "") -> date:
    """Read a cell as a day.

    The cell may be a date, or text: YYYY-MM-DD, YYYYMMDD, or an unambiguous date in the format of the property's
    country. `order` is the order of day and month in the file, DMY or MDY, or "" if it is not known.

    >>> from prorata.domain.countries import COUNTRIES
    >>> read_date("2026-03-14", COUNTRIES["US"]), read_date("03/14/2026", COUNTRIES["US"])
    (datetime.date(2026, 3, 14), datetime.date(2026, 3, 14))
    >>> read_date("03/04/2026", COUNTRIES["CA"])
    Traceback (most recent call last):
    prorata.domain.files.cells.Unclear: This date is ambiguous in the property's country. Enter it as YYYY-MM-DD.
    """
    if isinstance(cell, Unclear):
        raise cell
    if isinstance(cell, date):
        day = cell
    elif iso := _JOINED_DATE.fullmatch(text := str(cell).strip()) or _ISO_DATE.fullmatch(text):
        day = _day(text, *iso.groups())
    elif not isinstance(cell, str):
        raise Unclear(say("This is a number, not a date. Format the cell as a date, or enter YYYY-MM-DD as text."))
    else:
        day = _local_day(text, _in_order(order, text) if order else country.date_orders)
    if not FIRST_DATE <= day <= LAST_DATE:
        raise Unclear(_FAR_DATE)
    return day


def _day(written: str, year: str, month: str, day: str) -> date:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        pass
    if not 1 <= int(month) <= MONTHS:
        raise Unclear(_NO_SUCH_MONTH.format(written=written, month=month))
    raise Unclear(_NO_SUCH_DAY.format(written=written, days=monthrange(int(year), int(month))[1]))


def _in_order(order: str, text: str) -> tuple[DateOrder, ...]:
    """List the possible orders of a date in a file with a known order.

    These are the file's order and, if the date begins with four digits, the order with the year first.
    """
    chosen = DateOrder(order, "/-.")
    return (chosen, DateOrder("YMD", "/-.")) if text[:YEAR].isdecimal() else (chosen,)


def _local_day(text: str, orders: Sequence[DateOrder]) -> date:
    """Read a day in one of the `orders` that are customary with the date's separator.

    A two-digit year must come last, and means a year from 2000 to 2049. Such a year is refused if dates with this
    separator may also begin with the year. Raises `Unclear` if the text is not a date or has several meanings.
    """
    written = _LOCAL_DATE.fullmatch(text)
    if written is None:
        raise Unclear(_NO_DATE)
    first, separator, middle, last = written.groups()
    lengths = sorted((len(first), len(last)))
    customary = [order for order, separators in orders if separator in separators]
    is_short = lengths[-1] <= PLACES
    if is_short and (not _SHORT_YEARS.fullmatch(last) or any(order.startswith("Y") for order in customary)):
        raise Unclear(_SHORT_YEAR)
    if not is_short and (lengths[-1] != YEAR or lengths[0] > PLACES):
        raise Unclear(_NO_DATE)
    days = set()
    wrong = Unclear(_NO_SUCH_DATE.format(written=text))
    for order in customary:
        if order.startswith("Y") == (len(first) == YEAR):
            part = dict(zip(order, (first, middle, f"20{last}" if is_short else last), strict=True))
            try:
                days.add(_day(text, part["Y"], part["M"], part["D"]))
            except Unclear as unclear:
                wrong = unclear
    if len(days) > 1:
        raise Unclear(_DATE_TWO_WAYS)
    if not days:
        raise wrong
    return days.pop()


def read_text(cell: Cell, longest: int, *, several_lines: bool = False) -> str | None:
    """Read a cell as text without surrounding white space; None if the cell is empty.

    A cell with a number is read as the number's digits.

    >>> read_text(" Aqua Water Co. ", 255), read_text(Decimal("40017"), 100), read_text("  ", 100)
    ('Aqua Water Co.', '40017', None)
    """
    if isinstance(cell, Unclear):
        raise Unclear(str(cell))
    if isinstance(cell, date):
        raise Unclear(
            say("The spreadsheet has turned this cell into a date. Format it as text and enter the value again.")
        )
    if isinstance(cell, Decimal):
        if not cell.is_finite() or abs(cell) >= 10**MOST_EXACT_DIGITS:
            raise Unclear(
                say("A number cell keeps only 15 digits. Format this cell as text and enter the number again.")
            )
        cell = format(cell.normalize(), "f")
    text = as_meant((cell or "").strip())
    if _CONTROL.search(cell or "") or (not several_lines and _LINE_BREAK.search(text)):
        raise Unclear(say("This text contains control characters or line breaks. Remove them."))
    if len(text) > longest:
        raise Unclear(say("This text can have at most {f} characters.", f=Count(longest)))
    return text.replace("\r\n", "\n").replace("\r", "\n") or None


def items_of(cell: Cell) -> list[str]:
    """Split a cell's text at semicolons, and return the parts that aren't empty."""
    return [item.strip() for item in (read_text(cell, LONGEST_BILL_LIST) or "").split(";") if item.strip()]


def read_types(cell: Cell) -> tuple[str, ...]:
    """Read the utility types that a cell lists, in the cell's order.

    >>> read_types("water; TRASH"), read_types("Wasser und Abwasser")
    (('WATER', 'GARBAGE'), ('WATER', 'SEWER'))
    """
    named = [utilities_named(item) for item in items_of(cell)]
    if not named or not all(named):
        names = joined(UTILITY_NAMES.values(), ", ")
        raise Unclear(say("Enter one or more of these, separated by semicolons: {names}.", names=names))
    types = [kind for kinds in named for kind in kinds]
    for kind in types:
        if types.count(kind) > 1:
            raise Unclear(say("{name} is named twice here. Name it only once.", name=UTILITY_NAMES[kind]))
    return tuple(types)


def read_status(cell: Cell) -> str:
    """Read the payment status that a cell names. Raises `Unclear` if the cell names none."""
    status = (read_text(cell, LONGEST_BILL_LIST) or "").upper()
    if status not in PAYMENT_STATUSES:
        raise Unclear(
            say("Enter one of {names}, or leave the cell empty for UNPAID.", names=", ".join(PAYMENT_STATUSES))
        )
    return status


def read_yes_or_no(cell: Cell) -> bool:
    """Read a cell as yes or no. A spreadsheet's TRUE and 1 mean yes.

    >>> read_yes_or_no(" Yes "), read_yes_or_no("FALSE"), read_yes_or_no(Decimal(1))
    (True, False, True)
    """
    word = (read_text(cell, LONGEST_BILL_LIST) or "").casefold()
    if word not in _YES | _NO:
        raise Unclear(say("Enter yes or no, or leave the cell empty for no."))
    return word in _YES


def read_amounts(cell: Cell, country: Country, currency: str, decimal: str = "") -> tuple[tuple[str, int], ...]:
    """Read a bill's amounts by utility type or unbilled reason, in the cell's order.

    >>> from prorata.domain.countries import COUNTRIES
    >>> read_amounts("WATER=80.00;SEWER=40.10;LATE_FEE=5.00", COUNTRIES["US"], "USD")
    (('WATER', 8000), ('SEWER', 4010), ('LATE_FEE', 500))
    """
    amounts: dict[str, int] = {}
    for item in items_of(cell):
        word, equals, written = item.partition("=")
        name = utility_named(word) or word.strip().upper()
        if not equals or name not in UTILITY_TYPES + NOT_BILLED_REASONS:
            names = ", ".join(UTILITY_TYPES + NOT_BILLED_REASONS)
            raise Unclear(
                say("Enter parts such as WATER=80.00;SEWER=40.10. Each = must follow one of {names}.", names=names)
            )
        if name in amounts:
            raise Unclear(
                say("{name} appears twice here. List each only once; TRASH is another name for GARBAGE.", name=name)
            )
        try:
            amounts[name] = read_amount(written, country, currency, decimal)
        except Unclear as unclear:
            raise Unclear(f"{name}: {unclear}") from None
    if not amounts:
        raise Unclear(say("Enter parts such as WATER=80.00;SEWER=40.10, or leave the cell empty."))
    return tuple(amounts.items())
