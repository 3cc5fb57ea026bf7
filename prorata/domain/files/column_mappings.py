"""What somebody said the columns of a file mean, and by what the next file with the same columns is known.

A mapping is by names, however they are capitalised, spaced and ordered: a program that adds nothing to its export and
renames nothing in it is known again. Without names it is by what stands in the columns.
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
    """What somebody said of a header. `fields` are by `keys_of` its columns; `fixed` holds for every row; `words` are
    what texts of a field mean, by the text as `names.same` compares it; `decimal` and `dates` how the file is written.
    """

    fields: Mapping[str, str] = {}
    fixed: Mapping[str, str] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    decimal: str = ""
    dates: str = ""


def spelled(name: str) -> str:
    """A column's name without case, spaces, underscores, hyphens and dots.

    >>> spelled("Bill_Date "), spelled("Account #")
    ('billdate', 'accountnumber')
    """
    return _NOT_WORDS.sub("", name.replace("#", "number").casefold())


def keys_of(header: Sequence[str]) -> tuple[str, ...]:
    """What each column of a header is known by: its name, and which one of that name it is; empty for one without.

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


def is_of_header(said: ColumnMapping, header: Sequence[str]) -> bool:
    """Whether a header has all the columns that somebody said something of but that they are skipped.

    >>> said = ColumnMapping({"wer": "tenantName", "whg": "label", "kaution": ""})
    >>> is_of_header(said, ("Whg.", "Wer", "Neu")), is_of_header(said, ("Whg.", "Mieter"))
    (True, False)
    """
    keys = set(keys_of(header))
    return all(key in keys for key, field in said.fields.items() if field)


def mark_of(header: Sequence[str]) -> str:
    """What is the same for two headers with the same columns, in whatever order.

    >>> mark_of(("Datum", "Betrag")) == mark_of(("BETRAG ", "datum", "")), mark_of(("Datum",)) == mark_of(("Betrag",))
    (True, False)
    """
    return sha256(_BETWEEN.join(sorted(filter(None, keys_of(header)))).encode()).hexdigest()


def known_by(sheet: Sheet, what: str) -> tuple[str, ...]:
    """What files of one sort (`what`) with the same columns have in common: the mark of the header; without one what
    stands in the columns, which may be told in several ways.
    """
    if has_header(sheet):
        return (mark_of((*sheet.header, what)),)
    return tuple(mark_of((shape, what)) for shape in shapes(kinds_of(sheet)))


def remembered_by(sheet: Sheet, said: ColumnMapping, what: str, of_money: Collection[str]) -> str:
    """The mark under which it is remembered what somebody said of the columns of a file; `of_money` are its fields of
    amounts.
    """
    if has_header(sheet):
        return mark_of((*sheet.header, what))
    amounts = {place for place, key in enumerate(sheet.header) if said.fields.get(key) in of_money}
    return mark_of((shape_with(kinds_of(sheet), amounts), what))
