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
MOST_WAITING = 3
"""So many links of a kind an address has at a time; who asks for more finds one of those in the mailbox."""
NO_LONGER = "This link has been used already, or is too old. Ask for a new one."
