"""The names of months in English, German, French and Spanish.

These are the languages of pages and of the bills that Prorata reads.
"""

from typing import Final

_NAMES = (
    "january jan januar janner janvier janv enero ene",
    "february feb februar fevrier fevr fev febrero",
    "march mar marz mrz mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug aout agosto ago",
    "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dic",
)
MONTH_NUMBERS: Final = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""The number of each month, from 1, by its names in lower case without accents."""
ANY_MONTH: Final = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
"""A regular expression that matches any month's name, longer names first."""
