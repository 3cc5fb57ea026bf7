"""The parts of the program's surroundings that settings don't choose, such as the clock."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from prorata.ports import Clock

if TYPE_CHECKING:
    from prorata.adapters.inbound_mail.dkim_check import TxtRecords


def utc_now() -> datetime:
    """Return the current time of the system."""
    return datetime.now(UTC)


class Surroundings(NamedTuple):
    """The program's surroundings, which can be replaced only by calling Prorata from Python (docs/adr/0031).

    `records` looks up the keys with which incoming mail is signed; None means the configured name server or, if none
    is configured, those of this machine. `seconds_between_rounds` is the interval at which the background work looks
    for due work; None means the default.
    """

    clock: Clock = utc_now
    records: "TxtRecords | None" = None
    seconds_between_rounds: float | None = None


REAL = Surroundings()
