"""Limits of searches, and of retries.

Limits that the domain needs too are in `prorata.domain.limits`, which also explains what a limit is.
"""

# --- Searches and work that is tried again ----------------------------------------------------------------------------

MOST_ISSUERS_SEARCHED = 5_000
"""The highest number of issuers that the words of a search may match."""
MOST_TRIES = 5
"""The number of times that a piece of work is run after database conflicts.

A conflict is a deadlock or serialisation failure. After the last time the answer is 503.
"""
MOST_MONTHS_COUNTED = 1_000
"""The highest number of months counted, which limits the cost of the overview."""
LONGEST_PAYMENT_SOURCE = 200
"""The longest name of a payment's source, in characters."""
MOST_CANDIDATE_INVOICES = 50_000
"""The highest number of candidate invoices for the payments of a bank statement.

The candidates are open invoices and those of the months that rows name, the newest of each.
"""
MOST_LOOKED_AT = 10_000
"""The highest number of changed records examined for one answer to a filtered list.

The answer may contain fewer records than it could.
"""
MOST_DATABASE_FAULTS = 10
"""The highest number of faults of a database file that are listed."""
LARGEST_UNPACKED = 200_000_000
"""The maximum unpacked size, in bytes, of a packed text from which names are removed.

Larger texts stay unchanged.
"""
LARGEST_READ_TOGETHER = 2_000
"""The maximum size, in bytes, of a file that is read together with others.

Names are removed from all of these files.
"""
