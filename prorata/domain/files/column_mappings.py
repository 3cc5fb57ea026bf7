"""Column mappings that people chose, and the key that recognizes the next file.

A mapping refers to columns by their names, ignoring case, spacing and order: an export without added or renamed columns
is recognized. Without names, the kinds of the columns decide.
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
    """The meanings of a file's columns and words, as somebody chose them.

    `fields` gives the field of each column by its key (`keys_of`). `fixed` gives the fields whose value is the same
    in every row. `words` gives the meanings of words by field; the words are spelled as `names.same` compares them.
    `decimal` and `dates` are the file's decimal mark and its order of day and month.
    """

    fields: Mapping[str, str] = {}
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


def spelled(name: str) -> str:
    """Normalize a column name: no case, spaces, underscores, hyphens or dots.

    >>> spelled("Bill_Date "), spelled("Account #")
    ('billdate', 'accountnumber')
    """
    return _NOT_WORDS.sub("", name.replace("#", "number").casefold())


def keys_of(header: Sequence[str]) -> tuple[str, ...]:
    """Return each column's key: its name, numbered if repeated, or "" without a name.

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
    """List the possible storage keys for the column mapping of a file.

    `what` is the kind of file. The key is the header's fingerprint. A table without a header has several keys,
    one for each possible combination of the kinds of its columns.
    """
    if has_header(sheet):
        return (mark_of((*sheet.header, what)),)
    return tuple(mark_of((shape, what)) for shape in shapes(kinds_of(sheet)))


def remembered_by(sheet: Sheet, mapping: ColumnMapping, what: str, of_money: Collection[str]) -> str:
    """Return the key under which to store a column mapping; `of_money` are its amount fields."""
    if has_header(sheet):
        return mark_of((*sheet.header, what))
    amounts = {place for place, key in enumerate(sheet.header) if mapping.fields.get(key) in of_money}
    return mark_of((shape_with(kinds_of(sheet), amounts), what))
