"""Printing of a bill's facts in a layout, as a PDF.

Every text goes to typst as JSON, so that no text can act as markup.
"""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import typst

from prorata.adapters.printing.font_coverage import FONTS
from tests.bill_pdfs.facts import Facts, Section
from tests.bill_pdfs.layouts import Layout
from tests.bill_pdfs.words import TYPES, UNITS, WORDS

TEMPLATE = Path(__file__).with_name("bill.typ")
MONTHS = {
    "en-US": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "de-DE": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr-FR": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "es-ES": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
}
BETWEEN = {"en-US": " - ", "de-DE": " bis ", "fr-FR": " au ", "es-ES": " al "}
THOUSANDS = {"en-US": ",", "de-DE": ".", "fr-FR": "\xa0", "es-ES": "."}
BEFORE = 12345_67
"""Hundredths of what a meter showed before."""
HEADS = {
    "en-US": ["Description", "Usage", "Rate", "Amount"],
    "de-DE": ["Position", "Menge", "Preis", "Betrag"],
    "fr-FR": ["Désignation", "Quantité", "Prix", "Montant"],
    "es-ES": ["Concepto", "Cantidad", "Precio", "Importe"],
}
TAX_HEADS = {
    "en-US": ["Item", "Net", "Tax", "Gross"],
    "de-DE": ["Leistung", "Netto", "USt", "Brutto"],
    "fr-FR": ["Libellé", "HT", "TVA", "TTC"],
    "es-ES": ["Detalle", "Base", "IVA", "Importe"],
}
DEBIT = {
    "en-US": "As agreed, {} will be taken from your bank account on {}.",
    "de-DE": "Wie vereinbart buchen wir {} am {} von Ihrem Konto ab.",
    "fr-FR": "Comme convenu, {} seront prélevés sur votre compte le {}.",
    "es-ES": "Según lo acordado, se cargarán {} en su cuenta el {}.",
}
HISTORY = {
    "en-US": "Your last bills",
    "de-DE": "Frühere Rechnungen",
    "fr-FR": "Vos dernières factures",
    "es-ES": "Sus últimas facturas",
}


@cache
def _compiler() -> typst.Compiler:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
    return typst.Compiler(TEMPLATE, root=TEMPLATE.parent, font_paths=fonts)


def printed(facts: Facts, layout: Layout) -> bytes:
    """Print a bill in a layout, and return the PDF."""
    made = _compiler().compile(sys_inputs={"bill": json.dumps(_data(facts, layout))}, format="pdf")
    assert isinstance(made, bytes)
    return made


def bare(cents: int, locale: str) -> str:
    """An amount without its currency."""
    whole = f"{abs(cents) // 100:,}".replace(",", THOUSANDS[locale])
    return f"{'-' if cents < 0 else ''}{whole}{'.' if locale == 'en-US' else ','}{abs(cents) % 100:02d}"


def money(cents: int, layout: Layout) -> str:
    if cents < 0 and layout.below_zero != "minus":
        told = money(-cents, layout)
        return {"parens": f"({told})", "trailing": f"{told}-", "cr": f"{told} CR"}[layout.below_zero]
    text = bare(cents, layout.locale)
    match layout.sign:
        case "before":
            return f"-${text[1:]}" if cents < 0 else f"${text}"
        case "after":
            return f"{text} €"
        case "code":
            return f"{text} EUR"
        case _:
            return text


def day(when: date, layout: Layout) -> str:
    month = MONTHS[layout.locale][when.month - 1]
    us = layout.locale == "en-US"
    match layout.dates:
        case "long":
            forms = {
                "en-US": f"{month} {when.day}, {when.year}",
                "de-DE": f"{when.day}. {month} {when.year}",
                "fr-FR": f"{when.day}{'er' if when.day == 1 else ''} {month} {when.year}",
                "es-ES": f"{when.day} de {month} de {when.year}",
            }
            return forms[layout.locale]
        case "mixed":
            short = month[:3] if us else month
            return (
                f"{when.day}-{short}-{when.year}"
                if us
                else f"{when.day}. {month} {when.year}"
                if layout.locale == "de-DE"
                else f"{when.day} {short} {when.year}"
            )
        case "iso":
            return when.isoformat()
        case "short":
            return f"{when:%m/%d/%y}" if us else f"{when:%d.%m.%y}" if layout.locale == "de-DE" else f"{when:%d/%m/%y}"
        case _:
            return f"{when:%m/%d/%Y}" if us else f"{when:%d.%m.%Y}" if layout.locale == "de-DE" else f"{when:%d/%m/%Y}"


def _data(facts: Facts, layout: Layout) -> dict[str, Any]:
    words = WORDS[layout.locale][layout.words]
    period = f"{day(facts.start, layout)}{BETWEEN[layout.locale]}{day(facts.end, layout)}"
    first, second = _parts(facts, layout)
    return {
        "look": {name.replace("_", "-"): value for name, value in layout._asdict().items()},
        "paper": "us-letter" if layout.locale == "en-US" else "a4",
        "language": layout.locale[:2],
        "issuer": facts.issuer,
        "site": facts.site,
        "legal": {"de-DE": "HRB 12345 Amtsgericht Köln", "fr-FR": "RCS Lyon 552 100 554", "es-ES": "CIF A28015865"}.get(layout.locale, ""),
        "sender": "PO Box 9" if layout.locale == "en-US" else "Postfach 9",
        "title": _title(facts, layout),
        "recipient": facts.recipient,
        "mailed": facts.address,
        "facts": [
            [words["account"], facts.account],
            [words["number"], facts.number],
            [words["billed"], day(facts.billed, layout)],
            [words["due"], day(facts.due, layout)],
            [words["period"], period],
        ],
        "due": [words["due"], day(facts.due, layout)],
        "service": [words["address"], facts.address],
        "payee": [words["payee"], facts.issuer],
        "total": [words["total"], money(facts.total, layout)],
        "sum": _row(words["total"], facts.total, layout, is_sum=True),
        "heads": HEADS[layout.locale],
        "tax-heads": TAX_HEADS[layout.locale],
        "debit": DEBIT[layout.locale].format(money(facts.total, layout), day(facts.due, layout)),
        "history-title": HISTORY[layout.locale],
        "history": [
            [day(facts.billed - timedelta(days=30 * back), layout), f"{facts.charges // 7} {UNITS[facts.sections[0].kind]}", money(facts.charges + 731 * back, layout)]
            for back in (1, 2, 3)
        ]
        if layout.history
        else [],
        "first": first,
        "second": second,
        "message": words["message"],
        "after": [words["after"].format(day(facts.due, layout)), money(facts.total + 500, layout)] if facts.total > 0 else None,
        "more": [f"{words['message']} " * 12] * layout.more,
    }  # fmt: skip


def _title(facts: Facts, layout: Layout) -> str:
    title = WORDS[layout.locale][layout.words]["title"]
    kinds = list(dict.fromkeys(section.kind for section in facts.sections))
    return f"{title} – {' / '.join(TYPES[layout.locale][kind] for kind in kinds)}"


def _row(
    label: str, cents: int, layout: Layout, *, is_sum: bool = False, measure: tuple[str, str] = ("", "")
) -> dict[str, Any]:
    sign = {"en-US": "$"}.get(layout.locale, "€")
    quantity, rate = measure
    net = cents * 100 // 119
    return {
        "label": label, "amount": money(cents, layout), "bare": bare(cents, layout.locale), "sign": sign, "sum": is_sum,
        "quantity": quantity, "rate": rate, "net": bare(net, layout.locale), "tax": bare(cents - net, layout.locale),
        "before": bare(BEFORE, layout.locale) if quantity else "",
        "now": bare(BEFORE + 100 * int(quantity.split()[0]), layout.locale) if quantity else "",
    }  # fmt: skip


def _part(title: str | None, rows: list[dict[str, Any]], meter: str | None = None) -> dict[str, Any]:
    return {"title": title, "meter": meter, "rows": rows}


def _sections(facts: Facts, layout: Layout) -> Iterator[dict[str, Any]]:
    words = WORDS[layout.locale][layout.words]
    meter = {"en-US": "Meter", "de-DE": "Zähler", "fr-FR": "Compteur", "es-ES": "Contador"}[layout.locale]
    for section in facts.sections:
        name = TYPES[layout.locale][section.kind]
        rows = [
            _row(_item(label, section, layout), cents, layout, measure=_measure(place, cents, section, layout))
            for place, (label, cents) in enumerate(section.items)
        ]
        rows.append(_row(words["sum"].format(name), section.total, layout, is_sum=True))
        yield _part(name, rows, f"{meter} {section.meter}" if UNITS[section.kind] else None)


def _measure(place: int, cents: int, section: Section, layout: Layout) -> tuple[str, str]:
    if place != 1 or not UNITS[section.kind]:
        return "", ""
    rate = "0.1234" if layout.locale == "en-US" else "0,1234"
    return f"{cents * 100 // 1234} {UNITS[section.kind]}", rate


def _item(label: str, section: Section, layout: Layout) -> str:
    return f"{TYPES[layout.locale][section.kind]}: {label}" if layout.types_in_items else label


def _parts(facts: Facts, layout: Layout) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of the first page and those of the second page."""
    words = WORDS[layout.locale][layout.words]
    before = []
    if facts.previous:
        before.append(_row(words["previous"], facts.previous, layout))
        if facts.paid:
            before.append(_row(words["payment"], -facts.paid, layout))
        if layout.flow != "flat":
            before.append(_row(words["carried"], facts.carried, layout, is_sum=True))
    extra = [
        _row(words[name], cents, layout) for name, cents in (("late", facts.late), ("deposit", facts.deposit)) if cents
    ]
    if facts.credit:
        extra.append(_row(words["credit"], -facts.credit, layout))
    if facts.instalment:
        extra.append(_row(words["instalment"], facts.instalment, layout))
    current = _row(words["used"] if facts.instalment else words["current"], facts.charges, layout, is_sum=True)
    sections = list(_sections(facts, layout))
    if layout.flow == "summary":
        return [_part(None, [*before, current, *extra])], sections
    if layout.flow == "sections":
        inside = bool(extra) and layout.late_inside and not facts.instalment
        if inside:
            whole = facts.charges + facts.late + facts.deposit - facts.credit
            tail = [_part(None, [*extra, _row(words["current"], whole, layout, is_sum=True)])]
        else:
            tail = [_part(None, [current, *extra])]
        return [*([_part(None, before)] if before else []), *sections, *tail], []
    items = [part["rows"][index] for part in sections for index in range(len(part["rows"]) - 1)]
    if len({section.kind for section in facts.sections}) > 1:
        return [
            _part(None, before),
            *(_part(part["title"], part["rows"][:-1]) for part in sections),
            _part(None, extra),
        ], []
    return [_part(None, [*before, *items, *extra])], []
