"""Letters: the contents of messages, and their two formats, plain text and HTML.

Both formats are made from the same blocks, so that they say the same. All text that a person entered goes through
`one_line`, so that it can't start a line, hide anything or change the reading direction.
"""

import re
import textwrap
from html import escape
from typing import NamedTuple

from prorata.domain.limits import LONGEST_INSERTED

PLAIN_WIDTH = 72
USUAL_COLOR = "#1d4ed8"
"""The default color of buttons, for accounts without their own."""
# White space, control characters, noncharacters, and marks that change the reading direction. The spaces that keep
# an amount and its currency on one line (U+00A0, U+202F) stay.
_NOT_SHOWN = re.compile(
    "[\x00-\x20\x7f-\x9f\u061c\u1680\u2000-\u200a\u200e\u200f\u2028-\u202e\u205f\u2066-\u2069\u3000\ufeff\ud800-\udfff]+"
)
_LIKE_AN_ADDRESS = re.compile("://|[@<>＠＜＞]")
_LINK = re.compile(r"https?://[!-~]+")


class Text(NamedTuple):
    """A paragraph of a letter."""

    text: str


class Facts(NamedTuple):
    """A small table in a letter; each line has a label and a value."""

    lines: tuple[tuple[str, str], ...]


class Link(NamedTuple):
    """A button in a letter: its label, and its address, which is also shown."""

    label: str
    url: str


Block = Text | Facts | Link


class Shown(NamedTuple):
    """A picture in a message: its Content-ID, and its display size in pixels."""

    content_id: str
    width: int
    height: int


class Letter(NamedTuple):
    """The contents of a message.

    `language` is a tag such as "de". `note` is small print at the end of the message. `logo` is a PNG picture for
    the top of the message, and `color` the color of buttons, such as #0b4f5c, or None for the default color.
    """

    language: str
    subject: str
    blocks: tuple[Block, ...]
    note: str | None = None
    logo: bytes | None = None
    color: str | None = None


def one_line(text: str, longest: int = LONGEST_INSERTED) -> str:
    r"""Make a text one displayable line: single spaces, no control characters, cut to length.

    >>> one_line(" Ann\r\nBcc: all@example.com\x00 "), one_line("abcdef", 4)
    ('Ann Bcc: all@example.com', 'abc…')
    """
    line = _NOT_SHOWN.sub(" ", text).strip()
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def header_line(text: str) -> str:
    """Make a name or subject safe for a message header.

    Everything in the text that looks like an address or a link is broken up, because some e-mail programs show a
    sender's name in place of the address.

    >>> header_line("security@bank.example <x>"), header_line("Pay at https://x.example")
    ('security bank.example x', 'Pay at https x.example')
    """
    return one_line(_LIKE_AN_ADDRESS.sub(" ", text))


def as_plain_text(letter: Letter) -> str:
    """Render a letter as plain text with lines of at most 72 characters.

    A link is never divided between lines.
    """
    paragraphs = [_plain(block) for block in letter.blocks]
    if letter.note:
        paragraphs.append(f"-- \n{_wrapped(letter.note)}")
    return "\n\n".join(paragraphs) + "\n"


def _plain(block: Block) -> str:
    match block:
        case Text(text):
            return "\n".join(_wrapped(line) for line in text.split("\n"))
        case Facts(lines):
            return "\n".join(_wrapped(f"{label}: {value}", indent="    ") for label, value in lines)
        case Link(label, url):
            return f"{_wrapped(label)}:\n{_checked(url)}"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, PLAIN_WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def as_html(letter: Letter, logo: Shown | None = None) -> str:
    """Render a letter as an HTML document.

    The document does not load anything; styles are inline, colors follow the light or dark mode of the e-mail
    program, and a `logo` is part of the message.
    """
    above = f'<p style="{_ABOVE}"><img src="cid:{escape(logo.content_id)}" alt="" {_size(logo)}></p>\n' if logo else ""
    body = above + "\n".join(_html(block, letter.color or USUAL_COLOR) for block in letter.blocks)
    note = f'\n<p style="{_NOTE}">{escape(letter.note)}</p>' if letter.note else ""
    return f"""<!DOCTYPE html>
<html lang="{escape(letter.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{escape(letter.subject)}</title>
</head>
<body style="{_BODY}">
<div lang="{escape(letter.language)}" style="{_COLUMN}">
{body}{note}
</div>
</body>
</html>
"""


_BODY = "margin:0;padding:0"
_COLUMN = (
    "max-width:560px;margin:0 auto;padding:24px 16px;"
    "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5"
)
_NOTE = "margin:32px 0 0;font-size:13px;opacity:0.75"
_TABLE = "width:100%;border-collapse:collapse;margin:0 0 16px"
_LABEL = "padding:6px 12px 6px 0;text-align:left;font-weight:normal;vertical-align:top;opacity:0.75"
_VALUE = "padding:6px 0;text-align:right;vertical-align:top;overflow-wrap:anywhere"
_LINE = "border-bottom:1px solid #9ca3af"
_BUTTON = "display:inline-block;padding:12px 24px;border-radius:6px;color:#ffffff;font-weight:bold;text-decoration:none"
_ABOVE = "margin:0 0 24px"


def _size(shown: Shown) -> str:
    return f'width="{shown.width}" height="{shown.height}" style="background-color:#ffffff;border-radius:4px"'


def _html(block: Block, color: str) -> str:
    match block:
        case Text(text):
            return f'<p style="margin:0 0 16px">{escape(text).replace(chr(10), "<br>")}</p>'
        case Facts(lines):
            rows = "\n".join(
                f'<tr style="{_LINE}"><th scope="row" style="{_LABEL}">{escape(label)}</th>'
                f'<td style="{_VALUE}">{escape(value)}</td></tr>'
                for label, value in lines
            )
            return f'<table style="{_TABLE}">\n{rows}\n</table>'
        case Link(label, url):
            address = escape(_checked(url))
            return (
                f'<p style="margin:0 0 8px"><a href="{address}" style="{_BUTTON};background-color:{escape(color)}">'
                f"{escape(label)}</a></p>\n"
                f'<p style="margin:0 0 16px;font-size:13px;overflow-wrap:anywhere">{address}</p>'
            )


def is_link(url: str) -> bool:
    """True if a letter can link to the address: http or https, ASCII, no spaces.

    >>> is_link("https://pay.example/a?b"), is_link("https://pay.example/ü"), is_link("javascript:alert(1)")
    (True, False, False)
    """
    return _LINK.fullmatch(url) is not None


def _checked(url: str) -> str:
    assert is_link(url), "a link in a letter is an http or https address in ASCII"
    return url
