"""Limits of searches and of retries in the store.

Limits that the domain needs too are in `prorata.domain.limits`, which also explains what a limit is.
"""

# --- Searches and work that is tried again ----------------------------------------------------------------------------

MOST_ISSUERS_SEARCHED = 5_000
"""The highest number of issuers that the words of a search may match."""
MOST_TRIES = 5
"""The number of times that a piece of work is run after database conflicts.

A conflict is a deadlock or serialization failure. If the last attempt fails too, a request is answered with the status
503.
"""
MOST_MONTHS_COUNTED = 1_000
"""The highest number of months counted, which limits the cost of the overview."""
LONGEST_PAYMENT_SOURCE = 200
"""The longest name of a payment's source, in characters."""
MOST_CANDIDATE_INVOICES = 50_000
"""The highest number of candidate invoices for the payments of a bank statement.

The candidates are the newest open invoices, and the newest invoices of the months that the bank statement's rows name.
"""
MOST_LOOKED_AT = 10_000
"""The highest number of changed records examined for one answer to a filtered list.

If too few of them match, the answer contains fewer records than were requested.
"""
MOST_DATABASE_FAULTS = 10
"""The highest number of faults of a database file that are listed."""
LARGEST_UNPACKED = 200_000_000
"""The maximum unpacked size, in bytes, of a packed text from which names are removed.

Larger texts stay unchanged.
"""
LARGEST_READ_TOGETHER = 2_000
"""The maximum size, in bytes, of a file that is read together with others.

Larger files are read one by one when a name is removed from files.
"""
