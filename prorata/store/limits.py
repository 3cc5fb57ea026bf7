"""Limits of searches, and of retries.

Limits needed further inside are in `prorata.domain.limits`, which also defines the term.
"""

# --- Searches and work that is tried again ----------------------------------------------------------------------------

MOST_ISSUERS_SEARCHED = 5_000
"""Issuers that the words of a search may lead to."""
MOST_TRIES = 5
"""Times that a piece of work is run after a deadlock or serialisation failure; then the answer is 503."""
MOST_MONTHS_COUNTED = 1_000
"""Months that are counted, so that the overview costs the same however many there are."""
LONGEST_PAYMENT_SOURCE = 200
"""Characters of the name of where a payment was read from."""
MOST_CANDIDATE_INVOICES = 50_000
"""Invoices that a payment is looked for among: open ones and those of the months that rows name, the newest of each."""
MOST_LOOKED_AT = 10_000
"""Records that changed and are looked at for one answer, where it is narrowed: it may hold fewer then than it could."""
MOST_DATABASE_FAULTS = 10
"""Faults of a database file that are named."""
LARGEST_UNPACKED = 200_000_000
"""Bytes of a packed text, once unpacked, that names are cut from; one with more stays as it is (200 MB)."""
LARGEST_READ_TOGETHER = 2_000
"""Bytes of a file that is read together with others, where names are cut from all (2 KB)."""
MOST_BYTES_SEARCHED_AT_ONCE = 20_000_000
"""Bytes of the messages that one process searches for a name; a single one may have more (20 MB)."""
