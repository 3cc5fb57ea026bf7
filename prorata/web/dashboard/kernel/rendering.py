"""Rendering of a template with its values to HTML."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import structlog
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from prorata.domain.accounts.permissions import ROLE_NAMES
from prorata.domain.bills.line_names import from_text
from prorata.domain.countries import address_lines, address_order, area_unit, in_area_unit, place
from prorata.domain.files.grouped_problems import in_ranges
from prorata.domain.invoices.tenant_links import PATH
from prorata.domain.limits import MOST_DOCUMENT_BYTES
from prorata.domain.online_payments.providers import LABELS
from prorata.domain.splitting.correction_sentences import read
from prorata.domain.utility_names import LINE_NAMES, within_a_sentence
from prorata.store.properties.properties import PropertyRow
from prorata.web.dashboard.kernel.assets import all_assets
from prorata.web.dashboard.kernel.stored_sentences import charge_in_words, retold
from prorata.web.dashboard.kernel.translations import Speech, marked, marked_n, said, speak
from prorata.web.http.limits import MOST_UPLOAD_BYTES

_log = structlog.get_logger("prorata.web")
_PAGES, _TENANTS = "prorata.web.dashboard", "prorata.web.tenant"
"""The packages with the templates of the dashboard and of tenants' pages."""
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    b"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", POLICY),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
REFERRER = [(b"referrer-policy", b"same-origin")]
"""The header that keeps a page's address from other sites when a link is followed."""
UNLISTED = [(b"x-robots-tag", b"noindex, nofollow, noarchive"), (b"referrer-policy", b"no-referrer")]
"""The headers that replace `REFERRER` on a page that anybody with its address can open.

Search engines must not index the page, and its address is sent to nobody, not even to our own pages.
"""


def is_unlisted(path: str) -> bool:
    """True if anybody with a page's address can open it, like a tenant's page.

    >>> is_unlisted("/i/AbC"), is_unlisted("/i"), is_unlisted("/invoices")
    (True, False, False)
    """
    return path.startswith(PATH)


def _asset(name: str) -> str:
    """Return the address of a file in `static/`, which changes with the file's content."""
    return all_assets()[name].path


def query_of(query: Mapping[str, Any], **changes: Any) -> str:
    """Build the query of an address, with some parameters changed and empty ones left out.

    >>> query_of({"search": "elm", "page": 3}, page=None, sort="-name")
    '?search=elm&sort=-name'
    """
    left = {name: value for name, value in {**query, **changes}.items() if value not in (None, "", False)}
    return f"?{urlencode(left)}" if left else "?"


def _as_options(values: Sequence[str]) -> list[tuple[str, str]]:
    """Build the options of a select field whose labels are the same as their values."""
    return [(value, value) for value in values]


def _as_day(timestamp: str) -> date:
    """Return the day of a stored timestamp, in UTC."""
    return date.fromisoformat(timestamp[:10])


def _as_local(timestamp: str, zone: str) -> datetime:
    """Convert a stored timestamp to a time zone."""
    return datetime.fromisoformat(timestamp).astimezone(ZoneInfo(zone))


def _as_address(row: PropertyRow) -> tuple[str, ...]:
    """Return the lines of a property's address, as its country writes addresses."""
    return address_lines(row.street_number, row.street, row.city, row.state, row.zip, row.country)


def _capital(text: str) -> str:
    """Translate a text, and capitalize its first letter."""
    told: str = said(text)
    return told[:1].upper() + told[1:]


def _joined(texts: Iterable[Any], between: str = "") -> Markup:
    """Join texts, each translated to the page's language."""
    return Markup(escape(between)).join(said(text) for text in texts)  # noqa: S704 - it is escaped


def _entry(macro: Callable[..., Markup], entry: Any, *more: Any, **named: Any) -> Markup:
    """Render one entry of the activity list; if this fails, show only the entry's id."""
    try:
        return macro(entry, *more, **named)
    except Exception:  # noqa: BLE001 - for any reason
        _log.exception("entry not shown", record=entry.id)
        return marked('<p class="quiet">This entry can’t be shown: {id}.</p>', id=entry.id)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=ChoiceLoader([PackageLoader(_PAGES), PackageLoader(_TENANTS)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=said,
    )
    made.filters |= {
        "address_order": address_order,
        "as_address": _as_address,
        "as_options": _as_options,
        "as_correction": read,
        "as_day": _as_day,
        "capital": _capital,
        "charge_in_words": charge_in_words,
        "as_local": _as_local,
        "as_number": Fraction,
        "area_unit": area_unit,
        "in_area_unit": lambda reason, country: in_area_unit(said(reason), country),
        "in_ranges": in_ranges,
        "join": _joined,
        "retold": retold,
    }
    made.globals |= {
        "_": marked,
        "_n": marked_n,
        "entry": _entry,
        "asset": _asset,
        "with": query_of,
        "place_name": place,
        "line_names": LINE_NAMES,
        "names_in": lambda stored: dict(from_text(stored)),
        "within_a_sentence": within_a_sentence,
        "providers": LABELS,
        "role_names": ROLE_NAMES,
        "table_megabytes": MOST_UPLOAD_BYTES >> 20,
        "document_megabytes": MOST_DOCUMENT_BYTES // 1_000_000,
    }
    return made


def render(template: str, values: Mapping[str, Any], speech: Speech) -> bytes:
    """Render a page as HTML in one language.

    A missing value is an error, and all text is escaped.
    """
    speak(speech)
    return _environment().get_template(template).render(values).encode()


def drawing(svg: str) -> Markup:
    """Mark an SVG made by Prorata as safe to insert into a page without escaping."""
    return Markup(svg)  # noqa: S704
