"""Limits on the work for one incoming message.

Limits that the domain needs too are in `prorata.domain.limits`, which also explains what counts as a limit.
"""

# --- Mail that comes in -----------------------------------------------------------------------------------------------

MOST_LOOK_UPS = 4
"""The maximum number of attempts to look up the domain of a message's sender.

After that, a person has to accept the message.
"""
MOST_FILES_OF_MESSAGE = 100
"""The maximum number of files accepted from one message."""
MOST_ARCHIVES_OF_MESSAGE = 10
"""The maximum number of archives of one message that are opened."""
MOST_UNPACKED_OF_MESSAGE = 60 * 1024 * 1024
"""The maximum number of bytes accepted from all archives of one message together (60 MB)."""
LONGEST_HEAD_LOOKED_AT = 64 * 1024
"""The number of bytes at the beginning of a message that are searched for addresses."""
