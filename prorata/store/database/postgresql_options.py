"""Options with which every connection to PostgreSQL is opened."""

LOCK_TIMEOUT = "10s"
OPTIONS = " ".join(
    (
        "-c plan_cache_mode=force_generic_plan",
        "-c random_page_cost=1.1",  # a look-up by key is cheaper than on a spinning disk (benchmarks/notes.md)
        "-c jit=off",  # compiling expensive generic plans took longer than running them (benchmarks/notes.md)
        f"-c lock_timeout={LOCK_TIMEOUT}",
        "-c idle_in_transaction_session_timeout=60s",
    )
)
READING_OPTIONS = f"{OPTIONS} -c statement_timeout={LOCK_TIMEOUT}"
"""The options of reading connections.

They make the server stop a read whose caller no longer waits for it.
"""
