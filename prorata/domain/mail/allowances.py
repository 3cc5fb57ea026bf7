"""What a new account may mail to others: nothing until its owner's address is confirmed, then so much a day."""

from datetime import timedelta

from prorata.domain.limits import MOST_MAIL_A_DAY

CAPPED_FOR = timedelta(days=7)
"""An account that somebody opened for themselves is new for so long, from when its owner's address is confirmed."""
NOT_CONFIRMED = (
    "The owner's e-mail address is not confirmed yet. Open the link in the message that was sent to it, or have "
    "another sent under Settings, Your sign-in: mail to others goes then."
)
_SO_MANY = f"A new account sends {MOST_MAIL_A_DAY} messages a day in its first week."
ENOUGH_TODAY = f"{_SO_MANY} This one goes after midnight, UTC."
NOT_TODAY = f"{_SO_MANY} These are used up, and nothing was sent. Invite them tomorrow."
