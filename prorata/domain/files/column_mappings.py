"""Column mappings that people chose, and the keys that find them for later files.

A mapping refers to columns by their names, ignoring case, spacing and order. It is used again for a file whose
columns have the same names. If a file has no header, it is used for a file with the same kinds of columns.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from prorata.domain.files.column_kinds import has_header, kinds_of, shape_with, shapes
from prorata.domain.files.sheets import Sheet

_BETWEEN = "\x1f"
_NOT_WORDS = re.compile(r"[\W_]+")


class ColumnMapping(NamedTuple):
    """The meanings of a file's columns and words, as chosen by a person.

    `fields` maps the key of each column (`keys_of`) to its field. `fixed` contains the values of fields that are
    the same in every row. `words` maps words to their meanings, separately for each field; the words are spelled as
    `names.same` compares them. `decimal` and `dates` are the file's decimal mark and its order of day and month.
    """

    fields: Mapping[str, str] = {}
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


def spelled(name: str) -> str:
    """Normalize a column name, ignoring case, spaces, underscores, hyphens and dots.

    >>> spelled("Bill_Date "), spelled("Account #")
    ('billdate', 'accountnumber')
    """
    return _NOT_WORDS.sub("", name.replace("#", "number").casefold())


def keys_of(header: Sequence[str]) -> tuple[str, ...]:
    """Return each column's key: its normalized name, or "" if the column has no name.

    A name that occurs again gets a number.

    >>> keys_of(("Net Amount", "Date", "Date ", "", "€"))
    ('netamount', 'date', 'date 2', '', '€')
    """
    seen: Counter[str] = Counter()
    keys = []
    for name in header:
        key = spelled(name) or name.strip().casefold()
        seen[key] += 1
        keys.append(key if not key or seen[key] == 1 else f"{key} {seen[key]}")
    return tuple(keys)


def is_of_header(mapping: ColumnMapping, header: Sequence[str]) -> bool:
    """True if a header has all the columns that a mapping uses.

    >>> said = ColumnMapping({"wer": "tenantName", "whg": "label", "kaution": ""})
    >>> is_of_header(said, ("Whg.", "Wer", "Neu")), is_of_header(said, ("Whg.", "Mieter"))
    (True, False)
    """
    keys = set(keys_of(header))
    return all(key in keys for key, field in mapping.fields.items() if field)


def mark_of(header: Sequence[str]) -> str:
    """Fingerprint a header, ignoring the order of its columns.

    >>> mark_of(("Datum", "Betrag")) == mark_of(("BETRAG ", "datum", "")), mark_of(("Datum",)) == mark_of(("Betrag",))
    (True, False)
    """
    return sha256(_BETWEEN.join(sorted(filter(None, keys_of(header)))).encode()).hexdigest()


def known_by(sheet: Sheet, what: str) -> tuple[str, ...]:
    """List the keys under which the column mapping for a file may be stored.

    `what` is the kind of table, such as bills. The key of a table with a header is the header's fingerprint. A
    table without a header has several keys, one for each possible combination of the kinds of its columns.
    """
    if has_header(sheet):
        return (mark_of((*sheet.header, what)),)
    return tuple(mark_of((shape, what)) for shape in shapes(kinds_of(sheet)))


def remembered_by(sheet: Sheet, mapping: ColumnMapping, what: str, of_money: Collection[str]) -> str:
    """Return the key under which to store the column mapping for a file.

    `of_money` contains the fields that are amounts.
    """
    if has_header(sheet):
        return mark_of((*sheet.header, what))
    amounts = {place for place, key in enumerate(sheet.header) if mapping.fields.get(key) in of_money}
    return mark_of((shape_with(kinds_of(sheet), amounts), what))
