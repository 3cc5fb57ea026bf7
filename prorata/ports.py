"""The outside things the program needs, as protocols; `wiring` chooses who plays them."""

from datetime import datetime
from typing import NamedTuple, Protocol

from prorata.domain.printed_invoices import PrintedInvoice


class Clock(Protocol):
    """Tells the time. The program asks it, never the system."""

    def __call__(self) -> datetime:
        """The moment it is now, in UTC."""
        ...


class Window(NamedTuple):
    """One rate limit: at most `quota` requests admitted in any `seconds`."""

    name: str
    quota: int
    seconds: int


class Verdict(NamedTuple):
    """Whether a request is admitted, and where each window stands after it."""

    admitted: bool
    remaining: tuple[int, ...]
    """For each window, how many more would be admitted now."""
    reset: tuple[int, ...]
    """For each window, whole seconds until one more than `remaining` would be admitted (0 when none is used up)."""
    retry_after: int
    """Whole seconds until a request would be admitted, rounded up; 0 when this one was."""


class Limiter(Protocol):
    """Counts requests per key in several moving windows at once, exactly: a refused request uses up nothing."""

    async def admit(self, key: str, windows: tuple[Window, ...]) -> Verdict:
        """Admit and count a request of `key`, or refuse it. Raises `errors.Unavailable` when the counters are gone."""
        ...


class Archive(Protocol):
    """Keeps what is about to be deleted, for a while."""

    def keep(self, name: str, text: str) -> None:
        """Write `text` so that it is on the disk when this returns. Raises `errors.Unavailable` when it can't be."""
        ...


class InvoicePrinter(Protocol):
    """Puts an invoice on paper."""

    def __call__(self, invoice: PrintedInvoice) -> bytes:
        """The invoice as PDF: the same invoice gives the same bytes."""
        ...
