"""The greeting that begins a message, the name in it, and the message's end."""

import re
from collections.abc import Mapping

from prorata.domain.mail.message_body import one_line
from prorata.domain.mail.words.words import Words

_PART = re.compile(r"[^\W\d_](?:[^\W\d_]|[.'’-])*")
_NOT_ONE_PERSON = frozenset([
    "ag", "co", "company", "corp", "eg", "ev", "gbr", "gmbh", "inc", "kg", "limited", "llc", "llp", "lp", "ltd", "mbh",
    "ohg", "plc", "sa", "sarl", "sas", "sau", "se", "sl", "slu", "srl", "ug", "bv", "nv", "pllc", "pty", "trust",
    "estate", "studio",
    "and", "e", "et", "oder", "or", "ou", "u", "und", "y", "eheleute", "familie", "family", "famille", "familia", "fam",
    "herr", "frau", "herrn", "mr", "mrs", "ms", "mme", "mlle", "sr", "sra",
    "jr", "ii", "iii", "iv", "esq", "md", "phd", "mba", "cpa", "rn",
])  # fmt: skip
"""The words, without periods, of companies and several people, and those before or after a whole name."""


def called(name: str) -> str:
    """Turn a name round if it is plainly written as "Surname, First names".

    Any other name stays as it is: that of a company, of several people, or with words that belong elsewhere. So does a
    name with several words on both sides of its comma, which may be those of two people.

    >>> called("Richter, Violetta"), called("von der Heide, Karl-Heinz Otto"), called("García López, Ana")
    ('Violetta Richter', 'Karl-Heinz Otto von der Heide', 'Ana García López')
    >>> called("Iberdrola, S. A."), called("Dr. Miller, Anna"), called("Anna Miller, CPA")
    ('Iberdrola, S. A.', 'Dr. Miller, Anna', 'Anna Miller, CPA')
    >>> called("Ann Lee, Bo Chen"), called("Lee, Ann and Bo"), called("Bob Smith, Jr."), called("Roth, GmbH")
    ('Ann Lee, Bo Chen', 'Lee, Ann and Bo', 'Bob Smith, Jr.', 'Roth, GmbH')
    """
    surname, _, first = (part.split() for part in name.partition(","))
    big, small = (sum(part[0].isupper() for part in side) for side in (surname, first))
    is_plain = (
        all(_PART.fullmatch(part) and not _is_of_no_name(part) for part in (*surname, *first))
        and any(len(part.rstrip(".")) > 1 for part in first)  # “Iberdrola, S. A.”
        and not any(part.endswith(".") for part in surname)  # “Dr. Miller, Anna”
        and small == len(first)
        and big >= 1
        and 1 in (big, small)
    )
    return " ".join([*first, *surname]) if is_plain else name


def _is_of_no_name(part: str) -> bool:
    is_initial = len(part) == len("E.") and part.endswith(".")
    return not is_initial and part.casefold().replace(".", "") in _NOT_ONE_PERSON


def greeting(words: Words, name: str) -> str:
    """Greet the reader of a message by name, if it is known."""
    shown = one_line(name)
    return words.hello.format(name=called(shown)) if shown else words.hello_nobody


def signature(words: Words, ask: str, values: Mapping[str, str]) -> str:
    """Sign a message with the biller's name and contact.

    The contact is left out if `ask`, the sentence before, states it. `values` are those of the placeholders.
    """
    contact = [values["contact"]] if values["contact"] and ask != words.ask_contact else []
    return "\n".join([words.regards, values["biller"], *contact])
