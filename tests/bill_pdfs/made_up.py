"""Random bills on which charges of an earlier bill stand among the current charges.

Nobody prints bills quite like these. Heads, headings, or words beside or within the charges tell the two kinds of
charges apart, and these words are combined at random.
"""

from random import Random
from typing import NamedTuple

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.intake.pointing.lessons import PageLesson
from prorata.domain.intake.pointing.taught_reading import read_with
from prorata.domain.money import in_figures
from tests.bill_pdfs.drawn import FACTS, pages, taught

LANGUAGES = ("en", "de", "fr", "es")
UTILITIES = {
    "en": {"WATER": "Water service", "SEWER": "Sewer service", "GARBAGE": "Trash collection"},
    "de": {"WATER": "Trinkwasser", "SEWER": "Schmutzwasser", "GARBAGE": "Restmüll"},
    "fr": {"WATER": "Eau potable", "SEWER": "Assainissement", "GARBAGE": "Ordures ménagères"},
    "es": {"WATER": "Agua potable", "SEWER": "Alcantarillado", "GARBAGE": "Basura"},
}
TOTAL = {"en": "Amount due", "de": "Zu zahlen", "fr": "Net à payer", "es": "Total a pagar"}
NOW = {
    "en": ("Current", "Current charges", "This bill", "New charges", "This month"),
    "de": ("Diese Rechnung", "Aktuelle Kosten", "Neue Kosten"),
    "fr": ("Cette facture", "Facture actuelle", "Ce mois"),
    "es": ("Este recibo", "Factura actual", "Este mes"),
}
OLD = {
    "en": (
        ("old", "past due", "overdue", "unpaid", "previous", "last", "prior", "earlier", "open", "outstanding", "former"),
        ("charges", "bill", "bills", "balance", "month", "invoice", "amount", "statement", "account", ""),
    ),
    "de": (
        ("alte", "offene", "letzte", "vorige", "frühere", "unbezahlte", "rückständige", "fällige", "angemahnte"),
        ("Rechnung", "Posten", "Beträge", "Forderungen", "Abrechnung", "Kosten", ""),
    ),
    "fr": (
        ("anciennes", "précédentes", "impayées", "dernières", "échues", "dues", "antérieures"),
        ("factures", "sommes", "charges", "échéances", ""),
    ),
    "es": (
        ("anteriores", "pendientes", "vencidos", "impagados", "últimos", "viejos", "atrasados"),
        ("recibos", "cargos", "importes", "meses", ""),
    ),
}  # fmt: skip
MONTHS = {
    "en": ("August", "Aug", "September", "Sept."), "de": ("August", "Aug.", "September", "Sept."),
    "fr": ("août", "septembre"), "es": ("agosto", "septiembre"),
}  # fmt: skip
TIMES = (
    "08/2026",
    "08/26",
    "08/25/2026",
    "08/18/2026 - 09/17/2026",
    "08/18-09/17",
    "2025",
    "31-60",
    "Q2 2026",
    "2026-08",
)
SENTENCES = (
    "Thank you for saving water.",
    "Services at 1214 North Harbor Avenue.",
    "Questions? Call 1-800-555-0142.",
    "",
)


class MadeUp(NamedTuple):
    """A random bill: its draft, its current charges in cents by utility, and its drawing."""

    draft: Draft
    now: dict[str, int]
    drawn: str


def made_up(seed: int) -> MadeUp:
    """Make a random bill; the same seed always gives the same bill."""
    chance = Random(seed)
    language = chance.choice(LANGUAGES)
    words = UTILITIES[language]
    kinds = chance.sample(sorted(words), chance.choice((1, 2, 2, 3)))
    now = {kind: chance.randrange(500, 40_000) for kind in kinds}
    old = {kind: chance.randrange(500, 40_000) for kind in chance.sample(kinds, chance.randrange(1, len(kinds) + 1))}
    if chance.random() < 0.3:
        now = {kind: cents for kind, cents in now.items() if kind not in old} or now
    way = chance.choice((_columns, _sections, _beside, _within))
    rows = way(chance, language, now, old)
    total = _written(sum(now.values()) + sum(old.values()), language)
    rows.append((TOTAL[language], *[""] * (len(rows[0]) - 2), total))
    drawn = _drawn(chance, rows)
    before = chance.choice(SENTENCES)
    printed = pages(drawn, FACTS, extra=chance.choice(SENTENCES), before=before)
    return MadeUp(read_with(printed, [_lesson(language)]), now, drawn)


def _lesson(language: str) -> PageLesson:
    """Return the lesson from an earlier bill of the same issuer with only its charges."""
    amounts = [_written(cents, language) for cents in (3_000, 5_000, 8_500, 16_500)]
    charges = [
        (kind, (words, cents)) for (kind, words), cents in zip(UTILITIES[language].items(), amounts, strict=False)
    ]
    return taught(tuple(charges), (TOTAL[language], amounts[-1]))


def _written(cents: int, language: str) -> str:
    figures = in_figures(cents)
    return figures if language == "en" else figures.replace(",", " ").replace(".", ",") + " €"


def _said(chance: Random, language: str) -> str:
    """Random words that refer to an earlier bill or another time."""
    which, what = OLD[language]
    words = f"{chance.choice(which)} {chance.choice(what)}".strip()
    month = chance.choice(MONTHS[language])
    said = chance.choice((words, words, words, month, f"{month} 2026", chance.choice(TIMES), f"{words} {month}"))
    return said[0].upper() + said[1:]


Rows = list[tuple[str, ...]]


def _columns(chance: Random, language: str, now: dict[str, int], old: dict[str, int]) -> Rows:
    heads = [(_said(chance, language), old), (chance.choice(NOW[language]), now)]
    chance.shuffle(heads)
    rows: Rows = [("", *(head for head, _ in heads))]
    if chance.random() < 0.3:
        rows.append(("", *(chance.choice(("", "(USD)", "see overleaf", "12 kgal")) for _ in heads)))
    for kind in sorted({*now, *old}):
        amounts = (_written(of[kind], language) if kind in of else "" for _, of in heads)
        rows.append((UTILITIES[language][kind], *amounts))
    return rows


def _sections(chance: Random, language: str, now: dict[str, int], old: dict[str, int]) -> Rows:
    rows: Rows = []
    for heading, charges in ((_said(chance, language), old), (chance.choice(NOW[language]), now)):
        rows.append((heading, ""))
        if chance.random() < 0.2:
            rows.append((chance.choice(("Please pay at once", "Meter 4411-77", "Service at your address")), ""))
        rows += ((UTILITIES[language][kind], _written(cents, language)) for kind, cents in charges.items())
    return rows


def _beside(chance: Random, language: str, now: dict[str, int], old: dict[str, int]) -> Rows:
    place = chance.choice((0, 1, 2))
    listed = [(kind, cents, _said(chance, language)) for kind, cents in old.items()]
    listed += [(kind, cents, chance.choice(("", chance.choice(NOW[language])))) for kind, cents in now.items()]
    rows: Rows = []
    for kind, cents, said in listed:
        row = [UTILITIES[language][kind], _written(cents, language)]
        row.insert(place, said)
        rows.append(tuple(row))
    return rows


def _within(chance: Random, language: str, now: dict[str, int], old: dict[str, int]) -> Rows:
    rows: Rows = []
    for kind, cents in old.items():
        name, said = UTILITIES[language][kind], _said(chance, language)
        label = chance.choice((f"{name} {said}", f"{said} {name}", f"{name} ({said})", f"{name}, {said}"))
        rows.append((label, _written(cents, language)))
    rows += ((UTILITIES[language][kind], _written(cents, language)) for kind, cents in now.items())
    return rows


def _drawn(chance: Random, rows: Rows) -> str:
    """Draw the rows in typst with random widths, heights and alignment, perhaps on two pages."""
    width = len(rows[0]) - 1
    columns = chance.choice((f"1fr, {'auto, ' * width}", f"1fr, {'90pt, ' * width}", f"200pt, {'auto, ' * width}"))
    align = f"({'left, ' * chance.choice((1, width + 1))}{'right, ' * width})" if chance.random() < 0.6 else "left"
    look = f"columns: ({columns}), stroke: none, align: {align}, inset: {chance.choice((3, 5, 5, 9, 14))}pt"
    breaks = [at for at in range(1, len(rows)) if any(letter.isdigit() for letter in rows[at - 1][-1])]
    at = chance.choice(breaks) if breaks and chance.random() < 0.15 else 0
    parts = [rows[:at], rows[at:]] if at else [rows]
    tables = (f"#table({look}, {''.join(f'[{cell}],' for row in part for cell in row)})" for part in parts)
    return "\n#pagebreak()\n".join(tables).replace("$", "\\$")
