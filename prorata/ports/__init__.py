"""The outside things the program needs, as protocols; `wiring` chooses who plays them."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from prorata.domain.billing_calendar import Month
from prorata.domain.printing.lease_pages import PrintedLease
from prorata.domain.printing.printed_invoices import PrintedInvoice


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
    mark: str = ""
    """What `Limiter.take_back` finds an admitted request by, among those of its key; of several, one of them."""


class Limiter(Protocol):
    """Counts requests per key in several moving windows at once, exactly: a refused request uses up nothing."""

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        """Admit and count a request of `key`, or several as one, at most the smallest quota; or refuse it. Raises
        `errors.Unavailable` when the counters are gone.
        """
        ...

    async def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:
        """Count an admitted request no more, as if it had never come; one that was taken back, or has left every window
        by now, changes nothing. Raises `errors.Unavailable` when the counters are gone.
        """
        ...

    async def close(self) -> None:
        """Let go of the counters; the last call."""
        ...


class Passwords(Protocol):
    """Hashes passwords and compares them. Both take long on purpose: never with a transaction open."""

    @property
    def nobodys_hash(self) -> str:
        """What a password is compared with where there is nobody: so that takes as long."""
        ...

    def hash(self, password: str) -> str:
        """What is stored of a password."""
        ...

    def matches(self, password: str, stored: str) -> bool:
        """Whether a password is the one that was hashed."""
        ...

    def wants_another_hash(self, stored: str) -> bool:
        """Whether it was hashed under older parameters."""
        ...


class Vault(Protocol):
    """Seals what is stored and has to be read again, so that a copy of the database does not give it away."""

    def seal(self, value: bytes, about: str) -> str:
        """The value as it is stored; it opens for the same `about` alone, the record that it belongs to."""
        ...

    def open(self, sealed: str, about: str) -> bytes | None:
        """The value again; None for what another secret sealed, or for another record."""
        ...


class Erased(NamedTuple):
    """A tenant who was erased, as the list outside the database has it; a whole account where `tenant_id` is empty."""

    account_id: str
    tenant_id: str


class Archive(Protocol):
    """Keeps what is about to be deleted, for a while, and the list of tenants who were erased, for good: a backup from
    before an erasure still names them.
    """

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        """Remove the files that are named by any of these ids, and add a tenant to the list, so that it is on the disk
        when this returns. Raises `errors.Unavailable` when it can't be.
        """
        ...

    def keep(self, name: str, text: str) -> None:
        """Write `text` so that it is on the disk when this returns. Raises `errors.Unavailable` when it can't be."""
        ...


class Printer(Protocol):
    """Puts an invoice on paper, or what a lease says of utilities."""

    def __call__(self, printed: PrintedInvoice | PrintedLease) -> bytes:
        """It as PDF: the same gives the same bytes."""
        ...


class PdfJoiner(Protocol):
    """Makes one PDF of several."""

    def __call__(self, files: Sequence[bytes]) -> bytes:
        """All pages of these, in their order; one alone as it is."""
        ...


class Forms(Protocol):
    """How a locale writes money, days, months and numbers, and how who writes in it types a number."""

    def money(self, cents: int, currency: str) -> str:
        """An amount with its currency."""
        ...

    def price(self, value: Decimal, currency: str) -> str:
        """The price of one, with all its decimals."""
        ...

    def day(self, day: date) -> str:
        """A day, its month in words."""
        ...

    def short_day(self, day: date) -> str:
        """A day for a table."""
        ...

    def month(self, month: Month) -> str:
        """A month of a year, in words."""
        ...

    def month_of_year(self, month: Month) -> str:
        """A month of a year, in few letters."""
        ...

    def days(self, first: date, last: date) -> str:
        """The days from one to another, in few letters."""
        ...

    def short_month(self, month: Month) -> str:
        """A month without its year, in few letters."""
        ...

    def country(self, code: str) -> str:
        """A country by its name."""
        ...

    def number(self, value: Fraction) -> str:
        """A number."""
        ...

    def percent(self, value: Fraction) -> str:
        """So many hundredths."""
        ...

    def count(self, number: int) -> str:
        """How many there are."""
        ...

    def whole_money(self, cents: int, currency: str) -> str:
        """An amount, without cents where it has none."""
        ...

    def time(self, at: time) -> str:
        """A time of day."""
        ...

    @property
    def has_decimal_comma(self) -> bool:
        """Whether a comma divides decimals."""
        ...

    def typed(self, value: Fraction | Decimal, places: int = 0) -> str:
        """A number as it stands in a field of a form, where it is read back as the same."""
        ...
