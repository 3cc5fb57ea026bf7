"""Limits on what a job takes from one incoming message.

Limits needed further inside are in `prorata.domain.limits`, which also defines the term.
"""

# --- Mail that comes in -----------------------------------------------------------------------------------------------

MOST_LOOK_UPS = 4
"""Times that the sender's domain is asked for while name servers are away; then a person is asked."""
MOST_FILES_OF_MESSAGE = 100
"""Files of one message that are taken."""
MOST_ARCHIVES_OF_MESSAGE = 10
"""Archives of one message that are opened."""
MOST_UNPACKED_OF_MESSAGE = 60 * 1024 * 1024
"""Bytes that are taken of all archives of one message together (60 MB)."""
LONGEST_HEAD_LOOKED_AT = 64 * 1024
"""Bytes of a message in which the addresses it names are looked for."""
