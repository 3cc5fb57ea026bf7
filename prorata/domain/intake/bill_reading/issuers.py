"""Finding a bill's issuer: the name on which several parts of the bill agree."""

import re
from collections.abc import Sequence

from prorata.domain.intake.bill_reading.draft import Reading, asked, found, missing
from prorata.domain.intake.bill_reading.label_values import Beside, divided
from prorata.domain.intake.bill_reading.labels import likely_labels
from prorata.domain.intake.bill_reading.text_folding import as_label, has_figures, plain
from prorata.domain.intake.bill_reading.words import Cell, Page, Row, cell_of
from prorata.domain.texts import say

_COMPANY = re.compile(
    r"\b(inc|llc|co|corp|company|utilit(y|ies)|department|district|authority|cooperative|co-op|city of|town of"
    r"|village of|county|gmbh|ag|kg|se|\w*werke|versorg\w*|energie|sa|sas|sarl|regie|syndicat|sl|slu|s\.a\.?"
    r"|s\.l\.?u?\.?|energia|energy|power|water|aguas|eaux|gas|electric|services?|communications|networks?|telecom|internet|fiber"
    r"|broadband|sewer|light|\w*works|zweckverband|netz\w*|canal)\b"
)
_SITE = re.compile(
    r"(?:www\.|@|https?://)((?:[a-z0-9-]+\.)+[a-z]{2,})|\b([a-z0-9-]{4,}\.(?:com|net|org|gov|de|fr|es))\b"
)
_SUFFIX = re.compile(
    r"[,.]? (inc|llc|ltd|limited|plc|co|corp|company|gmbh|ag|kg|se|sa|sas|sarl|sl|slu|s\.a\.u?\.?|s\.l\.?u?\.?)\.{0,2}$"
)
_NOT_AGREED = say("We aren’t sure who sent this bill.")
_MAIL = re.compile(r"\S+@\S+")
_OPERATOR = re.compile(
    r"netzbetreiber|messstellenbetreiber|messdienstleister|\b(grid|network|distribution|meter(ing)?) (system )?operator"
    r"|\bdistribut(or|eur|ion company|ion utility)\b|\bdistribuidor(a)?\b|gestionnaire (du|de) reseau"
)
_ADDRESSEE = re.compile(
    r"\b(bill(ed)?|invoiced?|sold|issued|delivered|prepared|service|statement) (to|for)\b"
    r"(?! (the )?(service|period|month|account))"
    r"|^(to|attn|attention|customer( name)?|tenant|landlord|property owner)\W*$"
    r"|rechnungsempfanger|rechnung an\b|^(kund(e|in)|mieter|vermieter)\W*$"
    r"|factur(e|er|ee) a\b|destinataire|facturar a\b|destinatario|^client[es]?\W*$"
)
"""Words that precede the name of the bill's recipient, who is never its sender."""
_LINES_OF_NAME = 2
_UPPER_PART = 4
"""The divisor of a page's height that gives the height of its head."""
_LONGEST_NAME = 60
_ALIGNED = 30
_SHORTEST_MATCH = 4


def _is_one(bare: str, other: str) -> bool:
    """True if one of two names contains the other.

    For example, the full name of a company contains its short name.
    """
    return bool(other) and (bare in other or other in bare)


def issuer_of(pages: Sequence[Page], lines: Sequence[Sequence[Row]], every: Sequence[Beside]) -> Reading[str]:
    """Find the issuer of the bill.

    The issuer's name must be at the top of the first page. In addition, the bill must name the issuer as the
    payee, or one of the web sites on the bill must have the issuer's name, and a sender's line below the top must
    repeat it. If the name may continue in the next line, it has to appear in full elsewhere. An account holder may
    be the customer whose account is debited, so a name given as the account holder also needs a web site. The grid
    operator and the addressee are not the issuer unless payments go to them.
    """
    payees = {_bare(labelled.text) for labelled in every if labelled.label.fact == "payee" and labelled.label.strong}
    holders = {_bare(labelled.text) for labelled in every if labelled.label.fact == "payee"}
    others = (_named_as(_OPERATOR, lines) | _named_as(_ADDRESSEE, lines)) - payees
    heads = [cell for cell in _head(pages, lines) if _bare(cell.text) not in others]
    sites, elsewhere = _sites(lines), _named_below(pages, lines)
    agreed: dict[str, Cell] = {}
    for index, cell in enumerate(heads):
        more = [other for other in heads[index + 1 :] if _goes_on(cell, other)]
        for name in (cell, *(cell_of((*cell.words, *other.words)) for other in more)):
            bare = _bare(name.text)
            alone = name is not cell or not more
            sited = any(_is_site(bare, site) for site in sites)
            if (sited and (alone or bare in elsewhere) and (bare in sites or bare in elsewhere | holders)) or (
                bare in payees and (alone or bare in elsewhere)
            ):
                agreed.setdefault(bare, name)
    named = [cell for cell in agreed.values() if _COMPANY.search(plain(cell.text))]
    contradicted = len(agreed) == 1 and _is_contradicted(next(iter(agreed)), payees, every, heads)
    if len(agreed) == 1 and named and not contradicted:
        return found(_in_full(named[0].text, lines), named[0].place)
    labels = {labelled.label.text for labelled in every}
    heads = [cell for cell in heads if _COMPANY.search(plain(cell.text)) and as_label(cell.text) not in labels]
    payees_named = [
        labelled.text for labelled in every if labelled.label.fact == "payee" and _bare(labelled.text) not in others
    ]
    names = {_bare(text): _as_named(text) for text in (*(cell.text for cell in heads), *payees_named)}
    choices = tuple(names.values())
    if not choices:
        return missing("name of a company")
    why = say("The bill’s letterhead or payee also names somebody else.") if contradicted else _NOT_AGREED
    return asked(why, *choices[:5])


def not_sent_by(name: str, read: Reading[str]) -> Reading[str]:
    """Remove the account's own name from the possible issuers of a bill.

    >>> not_sent_by("Harbor Rentals", asked("", "Volt Power Co.", "HARBOR RENTALS LLC")).value
    'Volt Power Co.'
    """
    if read.surety != "asked":
        return read
    return asked(
        read.reason or "", *(choice for choice in read.choices if _bare(choice) != _bare(name)), places=read.places
    )


def _is_contradicted(bare: str, payees: set[str], every: Sequence[Beside], heads: Sequence[Cell]) -> bool:
    """True if payments go to somebody other than the apparent issuer.

    `bare` is the apparent issuer's name in letters and digits, without its legal form. If the bill does not name
    this issuer as a payee, the result is also True if another company is named at the bill's top.
    """
    strong = [
        labelled.text
        for labelled in every
        if labelled.label.fact == "payee" and labelled.label.strong and _is_name(labelled.text)
    ]
    if any(not _is_one(bare, _bare(text)) for text in strong):
        return True
    others = [cell.text for cell in heads if _SUFFIX.search(plain(cell.text))]
    return bare not in payees and any(not _is_one(bare, _bare(text)) for text in others)


def _is_name(text: str) -> bool:
    """True if a payee's text may be a name, not a label, address or sentence."""
    return not likely_labels(text) and text[:1].isupper() and len(text) <= _LONGEST_NAME and not has_figures(text)


def _named_as(what: re.Pattern[str], lines: Sequence[Sequence[Row]]) -> set[str]:
    """Return the names beside words for a role, such as grid operator.

    A name may follow the words in their cell, or be in the next cell or the lines below.
    """
    before = re.compile(rf"^.*(?:{what.pattern})\W*(?:(?:ist|is|est|es) )?(?:(?:die|der|the|la|le|el) )?")
    named: set[str] = set()
    for rows in lines:
        for line, row in enumerate(rows):
            for column, cell in enumerate(row):
                start, rest = divided(cell.text)
                if not what.search(plain(start)):
                    continue
                below = (other for under in rows[line + 1 : line + 1 + _LINES_OF_NAME] for other in under)
                named |= {_bare(rest), _bare(before.sub("", plain(cell.text)))}
                named |= {_bare(_name_part(other).text) for other in row[column + 1 : column + 2]}
                named |= {
                    _bare(_name_part(other).text)
                    for other in below
                    if abs(other.place.left - cell.place.left) <= _ALIGNED
                }
    return named - {""}


def _head(pages: Sequence[Page], lines: Sequence[Sequence[Row]]) -> list[Cell]:
    """List the cells at the top of the first page whose texts may be names."""
    cells = [_name_part(cell) for row in lines[0] for cell in row]
    return [
        cell
        for cell in cells
        if _UPPER_PART * cell.place.top < pages[0].height
        and len(cell.text) <= _LONGEST_NAME
        and not has_figures(cell.text)
        and ":" not in cell.text
        and not _SITE.search(plain(cell.text))
    ]


def _name_part(cell: Cell) -> Cell:
    """Shorten a sender's line to the name at its beginning.

    For example, `Aqua Water Co. · PO Box 9` becomes `Aqua Water Co.`.
    """
    for index, word in enumerate(cell.words):
        if index and word.text in ("·", "•", "|", "*"):
            return cell_of(cell.words[:index])
    return cell


def _named_below(pages: Sequence[Page], lines: Sequence[Sequence[Row]]) -> set[str]:
    """Collect the texts below the first page's top that may be names.

    A name is alone in its cell, or at the beginning of a sender's line.
    """
    return {
        _bare(_name_part(cell).text)
        for page, rows in zip(pages, lines, strict=True)
        for row in rows
        for cell in row
        if page.number > 1 or _UPPER_PART * cell.place.top >= page.height
    }


def _goes_on(before: Cell, cell: Cell) -> bool:
    last = before.words[-1].place
    height = last.bottom - last.top
    close = 0 < cell.place.top - last.top <= 2 * height
    same_size = 10 * abs(cell.height - height) <= height
    edges = (cell.place.left - before.place.left, cell.place.right - before.place.right)
    middle = cell.place.left + cell.place.right - before.place.left - before.place.right
    return close and same_size and (min(abs(edge) for edge in edges) <= _ALIGNED or abs(middle) <= 2 * _ALIGNED)


def _sites(lines: Sequence[Sequence[Row]]) -> set[str]:
    """Return the names of the web sites on a bill.

    E-mail addresses don't count, because the customer's address may also be on the bill.
    """
    texts = [plain(cell.text) for rows in lines for row in rows for cell in row]
    texts = [_MAIL.sub(" ", text) if "@" in text else text for text in texts]
    sites = [(match[1] or match[2]).removeprefix("www.") for text in texts for match in _SITE.finditer(text)]
    return {re.sub(r"[^a-z0-9]", "", site.rsplit(".", 1)[0].rsplit(".", 1)[-1]) for site in sites}


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", _SUFFIX.sub("", plain(name)))


def _as_named(text: str) -> str:
    """Strip separators around a name, and a period that ends a sentence.

    >>> _as_named("Aqua Water,"), _as_named("Aqua Water."), _as_named("Aqua Water Co.."), _as_named("Aqua Water Co.")
    ('Aqua Water', 'Aqua Water', 'Aqua Water Co.', 'Aqua Water Co.')
    """
    name = " ".join(text.split()).strip(" ,;|·-")
    bare = name.rstrip(".")
    return f"{bare}." if name != bare and _SUFFIX.search(plain(f"{bare}.")) else bare


def _in_full(name: str, lines: Sequence[Sequence[Row]]) -> str:
    """Find the longest form of a company's name on the bill.

    The letterhead may omit the legal form.
    """
    forms = [_name_part(cell).text for rows in lines for row in rows for cell in row]
    return _as_named(max([name, *(form for form in forms if _bare(form) == _bare(name))], key=len))


def _is_site(bare: str, site: str) -> bool:
    """True if an issuer's name equals, or begins with, the name of a web site."""
    return len(site) >= _SHORTEST_MATCH and (bare == site or bare.startswith(site))
