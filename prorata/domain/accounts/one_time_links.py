"""Links that work once: to confirm an address, to set a new password, to join an account."""

from datetime import timedelta
from typing import Literal, get_args

LinkKind = Literal["verify", "reset", "invite"]
LINK_KINDS: tuple[LinkKind, ...] = get_args(LinkKind)
VERIFY, RESET, INVITE = LINK_KINDS
LASTS: dict[str, timedelta] = {VERIFY: timedelta(days=3), RESET: timedelta(hours=1), INVITE: timedelta(days=7)}
OPENING_LASTS = timedelta(days=7)
"""How long an operator's invitation to open an account lasts."""
PATHS: dict[str, str] = {VERIFY: "/verify/", RESET: "/reset/", INVITE: "/join/"}
_OVER = "This link has been used already, or is too old."
NO_LONGER: dict[str, str] = {
    VERIFY: f"{_OVER} Ask for a new one. Sign in: it is sent then, or the button is under Settings, Your sign-in.",
    RESET: f"{_OVER} Ask for a new one.",
    INVITE: f"{_OVER} Look for a newer one in your mailbox, or ask whoever invited you.",
}
"""What whoever follows a link that is over is told to do."""
CONFIRMED = (
    "{email} is confirmed already, and can be used to sign in. If it was not you who opened the account, tell whoever "
    "runs this Prorata: mail can be sent in your name."
)
"""The same of a link that would confirm an address which another of its links has confirmed."""
