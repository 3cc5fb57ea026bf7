"""What becomes of a message that was read."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.inbound_mail.inbox_addresses import AGAIN, DEALT_WITH, NOT_TAKEN, NOTHING, REFUSED, TAKEN, WAITING


class FoundIn(NamedTuple):
    """What was found in a message: whether its sender is allowed and it is theirs, whether a person has taken it up,
    whether a file in it may be a bill, whether anything of it could not be taken, and whether that may be a bill.
    """

    is_theirs: bool
    is_taken_up: bool
    has_files: bool
    has_left_out: bool
    has_missed: bool = False


class Copy(NamedTuple):
    """Another message that says and brings the same: what became of it, whether it is shown to be its sender's, and
    whether files of it were taken.
    """

    state: str
    is_authentic: bool
    has_brought: bool = False


def outcome(found: FoundIn, copies: Iterable[Copy] = ()) -> str:
    """What becomes of a message. Of one that somebody wants, and of which a file could not be taken that may be a bill,
    a person has to know, whatever else it brings: its sender may be a program, and is told nothing then.

    >>> outcome(FoundIn(True, False, True, True)), outcome(FoundIn(False, False, True, False))
    ('taken', 'waiting')
    >>> too_large = FoundIn(True, False, False, True)
    >>> outcome(too_large), outcome(too_large, [Copy("dealt with", True)]), outcome(FoundIn(True, False, False, False))
    ('not taken', 'again', 'nothing')
    >>> one_of_two = FoundIn(True, False, True, True, has_missed=True)
    >>> outcome(one_of_two), outcome(one_of_two, [Copy("not taken", True, has_brought=True)])
    ('not taken', 'again')
    """
    if not found.is_taken_up and any(_is_before(one, found) for one in copies):
        return AGAIN
    is_wanted = found.is_theirs or found.is_taken_up
    if found.has_files:
        if not is_wanted:
            return WAITING
        return NOT_TAKEN if found.has_missed else TAKEN
    return NOT_TAKEN if is_wanted and found.has_left_out else NOTHING


def _is_before(copy: Copy, found: FoundIn) -> bool:
    """Whether a message adds nothing to another of which it is a copy. A stranger's hides none of its sender's that has
    yet to be looked at, and a forged one, when refused, none that is not.
    """
    brings = found.has_files or found.has_left_out
    hides = {
        TAKEN: True,
        DEALT_WITH: True,
        NOTHING: not (found.is_theirs and brings),
        NOT_TAKEN: copy.has_brought or not (found.is_theirs and found.has_files),
        WAITING: not found.is_theirs,
        REFUSED: copy.is_authentic or not found.is_theirs,
    }
    return hides.get(copy.state, False)
