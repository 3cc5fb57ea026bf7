"""The number of e-mails that a new account may send.

The account may send none until the owner's address is confirmed, and then a limited number a day.
"""

from datetime import timedelta

from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.texts import say

CAPPED_FOR = timedelta(days=7)
"""The time for which a self-opened account counts as new.

The time begins when the owner's address is confirmed.
"""
NOT_CONFIRMED = say(
    "The owner's e-mail address is not confirmed yet, so mail to others is on hold. Open the link in the message "
    "that was sent to the address, or request another link under Settings, Your sign-in."
)
_SO_MANY = say("A new account can send {most} messages a day in its first week.", most=MOST_MAIL_A_DAY)
ENOUGH_TODAY = say("{most} This one will be sent after midnight UTC.", most=_SO_MANY)
NOT_TODAY = say(
    "{most} This limit has been reached, and nothing was sent. Send the invitation tomorrow.", most=_SO_MANY
)
