"""Limits of a command's output, and of a server's connections.

Limits that the domain needs too are in `prorata.domain.limits`, which also explains what counts as a limit.
"""

# --- What a command prints, and what a server holds -------------------------------------------------------------------

MOST_COLUMNS_NAMED = 20
"""The maximum number of columns that a note names."""
MOST_FLAGGED_BILLS_NAMED = 6
"""The maximum number of bills that a flag names in a line."""
MOST_JOBS_PRINTED = 1_000
"""The maximum number of jobs that `prorata jobs` lists."""
LARGEST_EXPLANATION = 200_000_000
"""The maximum number of bytes of a file that `prorata verify` reads."""
MOST_CONNECTIONS = 1024
"""The maximum number of connections that one worker keeps open.

Further ones wait in the backlog, which `adapters.listening` watches.
"""
