"""Documents: files with bills that are stored unchanged, read, and confirmed before they count."""

import re
from collections.abc import Sequence

from prorata.domain.intake.bill_reading.draft import Draft
from prorata.domain.texts import say

READING, DRAFT, UNREADABLE, BILLED, SET_ASIDE = STATES = ("reading", "draft", "unreadable", "billed", "set aside")
"""The states of a document.

In this order: it waits to be read; its draft waits for a person; it could not be read; it became a bill; it is not a
bill for the account.
"""
OPEN = (READING, DRAFT, UNREADABLE)
"""The states of documents that need a person's attention, now or later."""
WAYS = ("upload", "mail", "command")
"""The ways in which a document can arrive, such as by upload or by e-mail."""
PASSWORD = "password"  # noqa: S105 - what a document asks for
ENCRYPTED = say("This PDF is protected by a password. Enter the password, or save the PDF without one.")
WRONG_PASSWORD = say("This is not the correct password for this PDF.")
_APART = re.compile(r"[\s./-]+")


def account_number_forms(number: str) -> tuple[str, ...]:
    """List the spellings in which an account number may occur on a document.

    The number may be unchanged, without separators, or with spaces as separators.

    >>> account_number_forms("4471 20-1")
    ('4471 20-1', '4471201', '4471 20 1')
    """
    parts = [part for part in _APART.split(number) if part]
    return tuple(dict.fromkeys((number, "".join(parts), " ".join(parts))))


def the_only(values: Sequence[str]) -> str | None:
    """Return the value that all items share; None if they differ or there are none.

    >>> the_only(["a", "a"]), the_only(["a", "b"]), the_only([])
    ('a', None, None)
    """
    different = set(values)
    return different.pop() if len(different) == 1 else None


def holds_one_bill(draft: Draft | None) -> bool:
    """True if a draft clearly shows that its document contains exactly one bill.

    One account number, one date and one total were found, and no second bill number. If a file contains two bills,
    they differ in at least one of these values, so the result is False and a person is asked.
    """
    if draft is None:
        return False
    readings = (draft.account_number, draft.bill_date, draft.total)
    return all(reading.surety == "found" for reading in readings) and draft.bill_number.surety != "asked"
