"""The outcome of an incoming message, decided from its contents and copies."""

from collections.abc import Iterable
from typing import NamedTuple

from prorata.domain.inbound_mail.inbox_addresses import AGAIN, DEALT_WITH, NOT_TAKEN, NOTHING, REFUSED, TAKEN, WAITING


class FoundIn(NamedTuple):
    """The findings in a message that decide its outcome.

    `is_theirs` means that the sender is allowed and proven, and `is_taken_up` that a person accepted the message.
    `has_files` means that a file in the message may be a bill, `has_left_out` that some part could not be accepted,
    and `has_missed` that such a part may be a bill.
    """

    is_theirs: bool
    is_taken_up: bool
    has_files: bool
    has_left_out: bool
    has_missed: bool = False


class Copy(NamedTuple):
    """Another message with the same contents as the one being judged.

    `state` is its outcome. `is_authentic` means that its sender is proven, and `has_brought` that its files
    were accepted.
    """

    state: str
    is_authentic: bool
    has_brought: bool = False


def outcome(contents: FoundIn, copies: Iterable[Copy] = ()) -> str:
    """Decide the outcome of a message, given earlier copies of it.

    A message is "again" if one of its `copies` makes it redundant. A message is wanted if its sender is allowed and
    proven, or if a person accepted it. A wanted message is "not taken" as soon as one part that may be a bill could
    not be accepted, even if other files were: a person must know, because a sender that is a program gets no reply.

    >>> outcome(FoundIn(True, False, True, True)), outcome(FoundIn(False, False, True, False))
    ('taken', 'waiting')
    >>> too_large = FoundIn(True, False, False, True)
    >>> outcome(too_large), outcome(too_large, [Copy("dealt with", True)]), outcome(FoundIn(True, False, False, False))
    ('not taken', 'again', 'nothing')
    >>> one_of_two = FoundIn(True, False, True, True, has_missed=True)
    >>> outcome(one_of_two), outcome(one_of_two, [Copy("not taken", True, has_brought=True)])
    ('not taken', 'again')
    """
    if not contents.is_taken_up and any(_is_before(copy, contents) for copy in copies):
        return AGAIN
    is_wanted = contents.is_theirs or contents.is_taken_up
    if contents.has_files:
        if not is_wanted:
            return WAITING
        return NOT_TAKEN if contents.has_missed else TAKEN
    return NOT_TAKEN if is_wanted and contents.has_left_out else NOTHING


def _is_before(copy: Copy, contents: FoundIn) -> bool:
    """True if an earlier copy makes a message redundant.

    If a genuine message still needs review, a copy from a stranger does not make it redundant. A copy that was
    refused as a forgery makes only other forgeries redundant.
    """
    brings = contents.has_files or contents.has_left_out
    hides = {
        TAKEN: True,
        DEALT_WITH: True,
        NOTHING: not (contents.is_theirs and brings),
        NOT_TAKEN: copy.has_brought or not (contents.is_theirs and contents.has_files),
        WAITING: not contents.is_theirs,
        REFUSED: copy.is_authentic or not contents.is_theirs,
    }
    return hides.get(copy.state, False)
