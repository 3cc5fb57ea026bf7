"""Protocols of the services that the program needs; `wiring` chooses their implementations."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from prorata.domain.billing_calendar import Month
from prorata.domain.printing.printed_letters import Printed


class Clock(Protocol):
    """A source of the time, which the program uses instead of the system's clock."""

    def __call__(self) -> datetime:
        """Return the current time, in UTC."""
        ...


class Window(NamedTuple):
    """A rate limit: at most `quota` requests in any period of `seconds`."""

    name: str
    quota: int
    seconds: int


class Verdict(NamedTuple):
    """The decision on a request, and the state of each window after the request."""

    admitted: bool
    remaining: tuple[int, ...]
    """For each window, the number of further requests that would be admitted now."""
    reset: tuple[int, ...]
    """For each window, the whole seconds until one more than `remaining` would be admitted.

    The number is 0 if no request counts in the window.
    """
    retry_after: int
    """The whole seconds until the same request would be admitted, rounded up.

    The number is 0 if this request was admitted.
    """
    mark: str = ""
    """The value by which `Limiter.take_back` finds an admitted request of its key.

    If several requests have the same value, one of them is uncounted.
    """


class Limiter(Protocol):
    """An exact counter of requests per key in several moving windows at once.

    A refused request is not counted.
    """

    async def admit(self, key: str, windows: tuple[Window, ...], requests: int = 1) -> Verdict:
        """Admit and count one or several requests of `key`, or refuse them.

        `requests` must not exceed the smallest quota of the `windows`. Raises `errors.Unavailable` if the counters
        can't be used.
        """
        ...

    async def take_back(self, key: str, windows: tuple[Window, ...], mark: str) -> None:
        """Remove an admitted request from the count, as if it had never been made.

        If the request was already removed, or is too old to count in any window, there is no effect. Raises
        `errors.Unavailable` if the counters can't be used.
        """
        ...

    async def close(self) -> None:
        """Close the counters.

        After this, no other method may be called.
        """
        ...


class Passwords(Protocol):
    """A hasher of passwords, which also compares passwords with hashes.

    Hashing and comparing take long on purpose, so they must not be done while a transaction is open.
    """

    @property
    def nobodys_hash(self) -> str:
        """A hash to compare passwords with if no member has the entered e-mail address.

        The comparison takes as long as for a member, so that its duration doesn't reveal who is a member.
        """
        ...

    def hash(self, password: str) -> str:
        """Hash a password for storage."""
        ...

    def matches(self, password: str, stored: str) -> bool:
        """True if the password is the one that was hashed."""
        ...

    def wants_another_hash(self, stored: str) -> bool:
        """True if a hash should be replaced, because it was made with older parameters."""
        ...


class Vault(Protocol):
    """A vault that encrypts stored values, so that a database copy doesn't reveal them."""

    def seal(self, value: bytes, about: str) -> str:
        """Seal a value for storage.

        `about` names the record to which the value belongs; the value can be opened only with the same `about`.
        """
        ...

    def open(self, sealed: str, about: str) -> bytes | None:
        """Open a sealed value.

        Return None if the value was changed, or if it was sealed with a different secret or for a different record.
        """
        ...


class Erased(NamedTuple):
    """An entry of the erasure list: a tenant or, if `tenant_id` is empty, an account.

    The list is stored outside the database.
    """

    account_id: str
    tenant_id: str


class Archive(Protocol):
    """A store for exports of deleted data, and for the list of erased tenants.

    The list is kept permanently, because a backup from before an erasure still names the tenants.
    """

    def erased(self, erased: Erased, named: Sequence[str]) -> None:
        """Add an erased tenant to the list, and remove the tenant's files.

        The files removed are those whose names contain one of the ids in `named`. The list is on disk when this
        returns. Raises `errors.Unavailable` if the list can't be written or a file can't be removed.
        """
        ...

    def keep(self, name: str, text: str) -> None:
        """Store `text` as the file `name`, and return once the file is on disk.

        Raises `errors.Unavailable` if the file can't be written.
        """
        ...


class Printer(Protocol):
    """A printer of invoices, of leases' utility terms, and of letters."""

    def __call__(self, printed: Printed) -> bytes:
        """Print the document as PDF, with the same bytes for the same input."""
        ...


class PdfJoiner(Protocol):
    """A joiner of several PDFs."""

    def __call__(self, files: Sequence[bytes]) -> bytes:
        """Join the pages of these PDFs in order; a single PDF is returned unchanged."""
        ...


class Forms(Protocol):
    """A locale's formats for money, days, months and numbers."""

    def money(self, cents: int, currency: str) -> str:
        """Format an amount with its currency."""
        ...

    def price(self, value: Decimal, currency: str) -> str:
        """Format a unit price with all its decimals."""
        ...

    def day(self, day: date) -> str:
        """Format a day, with its month in words."""
        ...

    def short_day(self, day: date) -> str:
        """Format a day for a table."""
        ...

    def month(self, month: Month) -> str:
        """Format a month with its year, in words."""
        ...

    def month_of_year(self, month: Month) -> str:
        """Format a month with its year, abbreviated."""
        ...

    def days(self, first: date, last: date) -> str:
        """Format a range of days, abbreviated."""
        ...

    def short_month(self, month: Month) -> str:
        """Format a month without its year, abbreviated."""
        ...

    def country(self, code: str) -> str:
        """Return a country's name."""
        ...

    def number(self, value: Fraction) -> str:
        """Format a number with all its decimals."""
        ...

    def percent(self, value: Fraction) -> str:
        """Format a percentage, with its sign."""
        ...

    def count(self, number: int) -> str:
        """Format a count, with thousands separators."""
        ...

    def whole_money(self, cents: int, currency: str) -> str:
        """Format an amount with its currency; cents are left out if they are 0."""
        ...

    def time(self, at: time) -> str:
        """Format a time of day."""
        ...

    @property
    def has_decimal_comma(self) -> bool:
        """True if the decimal mark is a comma."""
        ...

    def typed(self, value: Fraction | Decimal, places: int = 0) -> str:
        """Format a number for a form field, so that it is read back unchanged."""
        ...
