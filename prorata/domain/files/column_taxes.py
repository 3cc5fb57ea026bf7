"""Words for taxes in column names, such as "Betrag brutto" and "Water incl. VAT"."""

import re

_GAP = r"[\W_]{0,3}"
_TAXES = f"(?:mwst|ust|gst|tax(?:es)?|impuestos|{'|'.join(_GAP.join(letters) for letters in ('vat', 'iva', 'tva'))})"
_INCLUDED = "(?:in[ck]l(?:usive|uding)?|inc|einschl(?:ie(?:ß|ss)lich)?|mit|with|con|avec)"
_GROSS = re.compile(
    rf"{_GAP}(?:(?<![^\W_])(?:brutto|gross(?=amount|total))|(?:brutto|gross|{_GAP.join('ttc')}|toutes.taxes.comprises"
    rf"|{_INCLUDED}[\W\d_]{{0,9}}{_TAXES}|{_TAXES}{_GAP}(?:included|in[ck]l|inc|incluidos?|comprises?|incluse))(?![^\W_]))"
    rf"{_GAP}",
    re.IGNORECASE,
)
"""The words, in column names, that say that an amount includes taxes."""


def without_taxes(name: str) -> str:
    """Leave out the words by which a column name says that an amount includes taxes.

    >>> [without_taxes(name) for name in ("Bruttobetrag", "Betrag inkl. 19 % MwSt.", "Eau (T.T.C.)", "Gas netto")]
    ['betrag', 'Betrag', 'Eau', 'Gas netto']
    """
    return _GROSS.sub(" ", name).strip()
