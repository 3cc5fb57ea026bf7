"""One-time links that confirm an address, set a new password or join an account."""

from datetime import timedelta
from typing import Literal, get_args

from prorata.domain.texts import joined, say

LinkKind = Literal["verify", "reset", "invite"]
LINK_KINDS: tuple[LinkKind, ...] = get_args(LinkKind)
VERIFY, RESET, INVITE = LINK_KINDS
LASTS: dict[str, timedelta] = {VERIFY: timedelta(days=3), RESET: timedelta(hours=1), INVITE: timedelta(days=7)}
OPENING_LASTS = timedelta(days=7)
"""The time for which an operator's invitation to open an account is valid."""
PATHS: dict[str, str] = {VERIFY: "/verify/", RESET: "/reset/", INVITE: "/join/"}
_OVER = say("This link has already been used or has expired.")
NO_LONGER: dict[str, str] = {
    VERIFY: joined([_OVER, say("To get a new link, sign in, or use the button under Settings, Your sign-in.")]),
    RESET: joined([_OVER, say("Request a new link.")]),
    INVITE: joined([_OVER, say("Look for a newer link in your mailbox, or ask the person who invited you.")]),
}
"""The advice for people who follow a link that is no longer valid."""
CONFIRMED = say(
    "{email} has already been confirmed and can be used to sign in. If you didn’t open the account, tell whoever "
    "runs this installation: e-mail can be sent in your name."
)
"""The message if an address was already confirmed through another link."""
