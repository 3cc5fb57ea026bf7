"""What a new account may mail to others: nothing until its owner's address is confirmed, then so much a day."""

from datetime import timedelta

CAPPED_FOR = timedelta(days=7)
"""An account that somebody opened for themselves is new for so long."""
MOST_A_DAY = 200
"""Messages that a new account begins to send on a day."""
NOT_CONFIRMED = (
    "The owner's e-mail address is not confirmed yet. Open the link in the message that was sent to it, or have "
    "another sent from the dashboard: mail to others goes then."
)
ENOUGH_TODAY = f"A new account sends {MOST_A_DAY} messages a day in its first week. This one goes after midnight."
