"""Every text of a template is marked for translation, and every translated text is used."""

import ast
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from prorata.actions.exports import list_exports
from prorata.domain.bills import columns
from prorata.domain.files.column_names import utility_named
from prorata.domain.files.sheets import Sheet
from prorata.domain.intake import unit_tables
from prorata.domain.months import former_columns
from prorata.domain.printing.languages import texts_for
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.web.dashboard.kernel import list_headers
from prorata.web.dashboard.kernel.translations import OWN, catalog_of, in_words, sentences_of
from prorata.web.dashboard.properties import unit_columns

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "prorata/web/dashboard/templates"
CATALOGS = ROOT / "prorata/web/dashboard/catalogs"
KEYWORDS = {"say": None, "say_n": (1, 2), "_": None, "_n": (1, 2)}
"""As `make messages` has them."""
NAMES = re.compile(r"Prorata|IBAN|BIC|PDF|KB|1A|1B")
"""The names that are the same in every language."""
QUIET = re.compile(r"<(script|style|code|svg)\b.*?</\1>", re.DOTALL)
SAID = re.compile(r"""(?:placeholder|title|aria-label|alt)=["']([^"']*)["']""")
LETTERS = re.compile(r"[^\W\d_]{2,}")
MARK = "\N{OBJECT REPLACEMENT CHARACTER}"


def outside(source: str) -> Iterator[str]:
    """Yield the texts of a template that are in neither `_` nor `_n`."""
    plain = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", MARK, source, flags=re.DOTALL)
    plain = QUIET.sub(MARK, plain)
    plain = re.sub(r'aria-(?:invalid|describedby)="[^"]*"', "", plain)
    for said in [*SAID.findall(plain), *re.split(r"<[^>]*>", re.sub(r"<!doctype html>", "", plain))]:
        left = NAMES.sub("", unescape(said).replace(MARK, " "))
        if LETTERS.search(left):
            yield said.strip().replace(MARK, "…")


@pytest.mark.parametrize("name", sorted(path.name for path in TEMPLATES.glob("*.html")))
def test_every_text_of_a_template_is_in_the_catalogs(name: str) -> None:
    source = (TEMPLATES / name).read_text(encoding="utf-8")
    source = re.sub(r"\{% block (width|words) %\}.*?\{% endblock %\}", "", source)
    assert list(outside(source)) == []


def test_a_text_outside_of_the_catalogs_is_found() -> None:
    assert list(outside('<p>Hello {{ name }}</p><a title="See it">{{ _("Go") }}</a>')) == ["See it", "Hello …"]


@pytest.fixture(scope="module")
def texts() -> set[str]:
    """All texts of the pages; the singular of those that also have a plural."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(one["pattern"], one["method"]) for one in mappings]
    found = extract_from_dir(str(ROOT / "prorata"), methods, {}, KEYWORDS)
    return {message[0] if isinstance(message, tuple) else message for _, _, message, _, _ in found}


def test_texts_are_found_in_templates_and_in_the_program(texts: set[str]) -> None:
    assert {"Sign in", "{n} tenant question to answer.", "Saved."} <= texts


@pytest.mark.parametrize(
    "path", sorted(set(CATALOGS.glob("*.po")) - {CATALOGS / "en_GB.po"}), ids=lambda path: path.stem
)
def test_a_catalog_lacks_no_text(path: Path, texts: set[str]) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    said = {message.id[0] if isinstance(message.id, tuple) else message.id for message in catalog if is_said(message)}
    assert sorted(texts - said) == [], "make messages, then translate them"


def is_said(message: Message) -> bool:
    """True if a catalog translates every form of a text."""
    return bool(message.id) and all(message.string if isinstance(message.string, tuple) else (message.string,))


@pytest.mark.parametrize("path", sorted(CATALOGS.glob("*.po")), ids=lambda path: path.stem)
def test_a_catalog_has_no_text_that_is_said_nowhere_and_keeps_what_stands_in_braces(
    path: Path, texts: set[str]
) -> None:
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.stem)
    for message in catalog:
        if message.id:
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            assert forms[0] in texts
            named = set(re.findall(r"\{\w+\}", " ".join(forms)))
            assert all(set(re.findall(r"\{\w+\}", one)) <= named | {"{n}"} for one in said), forms[0]


PLAIN_SPACE = re.compile(r"\S [:;?!»]( |$)|« ")
"""A space at which a line can break, where French has one that stays with the sign."""


def told_in_program() -> Iterator[str]:
    """Yield the texts of invoices and messages, in every language."""
    for folder in ("delivery", "mail", "printing", "splitting"):
        for path in (ROOT / "prorata/domain" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                inside = ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ()
                yield from (one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str))


def test_a_french_sign_never_begins_a_line() -> None:
    said = [text for _, text in sentences_of("fr")]
    assert [text for text in (*said, *told_in_program()) if PLAIN_SPACE.search(text)] == []


AMERICAN = re.compile(
    r"\b(?:[Cc]olor|[Nn]eighbor|[Ff]avor|[Hh]onor|[Cc]enter|[Gg]ray\b|[Ii]nstallment|[Gg]arbage|[Ss]ewer\b|[Aa]partment|[Oo]rganiz"
    r"|[Rr]ecogniz|[Aa]uthoriz|[Ss]ummariz|[Tt]otal(?:ed|ing)|[Ll]abel(?:ed|ing)|[Cc]ancel(?:ed|ing)|[Ll]icense\b|[Cc]atalog\b"
    r"|check number|[Bb]y check\b|of a check\b|with a check\b|ZIP or postal|and ZIP with|and ZIP$|[Pp]ostal code"
    r"|(?:to the|its|of a) cents?\b|the cents of\b)"
)
BRITISH = re.compile(
    r"\b(?:[Cc]olour|[Nn]eighbour|[Ff]avour|[Cc]heque|[Ii]nstalment|[Rr]ecognis|[Oo]rganis|[Tt]otalling)"
)


def test_a_british_reader_reads_no_american_spelling_and_an_american_no_british_one(texts: set[str]) -> None:
    catalog = catalog_of("en_GB")
    american = {one for one in texts if AMERICAN.search(one)}
    assert {one for one in american if AMERICAN.search(catalog.gettext(one))} == set(), "a text of en_GB.po is missing"
    assert {one for one in texts if BRITISH.search(one)} == set(), "texts are in English of the United States"
    ours = dict(sentences_of("en_GB"))
    assert ours["{n} bills totaling {amount}, not billed"] == "{n} bills totalling {amount}, not billed"


def test_a_british_invoice_calls_utilities_as_british_pages_do() -> None:
    gettext = catalog_of("en_GB").gettext
    assert texts_for("en-GB").utilities == {of: gettext(name) for of, name in CHARGE_NAMES.items()}
    assert texts_for("en-US").utilities == CHARGE_NAMES
    assert [utility_named(gettext(name)) for name in ("Sewer", "Garbage")] == ["SEWER", "GARBAGE"], "in files, too"


@pytest.mark.parametrize("language", [OWN, "en_GB", "de", "es", "fr"])
def test_a_column_is_read_by_the_name_that_its_page_has_for_it(language: str) -> None:
    gettext = catalog_of(language).gettext
    of_units = unit_tables.understood(Sheet(tuple(map(gettext, unit_columns.HEADINGS.values())), ()), None).fields
    of_bills = {field: columns.field_named(gettext(name)) for field, name in list_headers.BILL_HEADINGS.items()}
    assert of_units == tuple(unit_columns.HEADINGS)
    assert of_bills == {field: field for field in list_headers.BILL_HEADINGS}


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "de-DE", "es-ES", "fr-FR"])
def test_a_downloaded_file_is_read_by_its_header(locale: str) -> None:
    def header(fields: tuple[str, ...]) -> tuple[str, ...]:
        return in_words(map(list_headers.NAMES.__getitem__, fields), locale)

    for fields in (list_exports.INVOICE_COLUMNS, list_exports.CHARGE_COLUMNS, list_exports.STATEMENT_COLUMNS):
        assert len(set(header(fields))) == len(fields)
        assert not [name for name in header(fields) if re.search("[a-z][A-Z]", name)]
    bills = header(list_exports.BILL_COLUMNS)
    assert tuple(map(columns.field_named, bills)) == list_exports.BILL_COLUMNS
    charges = Sheet(header(list_exports.CHARGE_COLUMNS), ())
    found = former_columns.understood(charges, None, [("US", "USD")], {}).fields
    assert found == (None, "property", "unit", "month", None, "tenant", "utility", None, "amount", None)
