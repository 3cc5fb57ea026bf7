"""The subject and opening that an account writes for its invoice e-mails, with placeholders."""

import re
from collections.abc import Mapping

from prorata.domain.limits import LONGEST_MAIL_OPENING, LONGEST_MAIL_SUBJECT, MOST_MAIL_OPENING_LINES

PLACES = ("month", "property", "unit", "tenant", "number", "amount", "due")
"""The placeholders allowed in braces, as in {month}, which are filled in for each invoice."""
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_ONLY_THESE = f"Only these placeholders may be used in braces: {', '.join(f'{{{place}}}' for place in PLACES)}."
SUBJECT_RULE = f"Enter one line of at most {LONGEST_MAIL_SUBJECT} characters. {_ONLY_THESE}"
OPENING_RULE = f"Enter at most {MOST_MAIL_OPENING_LINES} lines and {LONGEST_MAIL_OPENING:,} characters. {_ONLY_THESE}"


def is_subject(text: str) -> bool:
    """True if a text can be the subject of invoice e-mails.

    It must be one printable line that is not too long and contains only allowed placeholders.

    >>> is_subject("Utilities {month}, {unit}"), is_subject("Utilities {monht}")
    (True, False)
    """
    return len(text) <= LONGEST_MAIL_SUBJECT and text.isprintable() and _has_only_places(text)


def is_opening(text: str) -> bool:
    """True if a text can be the opening of invoice e-mails.

    It must be printable and not too long, and may contain only allowed placeholders.
    """
    lines = text.splitlines()
    if len(text) > LONGEST_MAIL_OPENING or len(lines) > MOST_MAIL_OPENING_LINES:
        return False
    return all(line.isprintable() for line in lines) and _has_only_places(text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of a text, such as `{month}`, with their values.

    Placeholders without a value are left out. Braces within a value stay as they are.

    >>> filled("Utilities {month}: {amount}", {"month": "March 2026", "amount": "$9.00 {due}"})
    'Utilities March 2026: $9.00 {due}'
    """
    return _IN_BRACES.sub(lambda match: values.get(match[1], ""), text)


def _has_only_places(text: str) -> bool:
    return set(_IN_BRACES.findall(text)) <= set(PLACES)
