"""The headers of operations that will be removed: `Deprecation` and `Sunset`.

They are defined by RFC 9745 and RFC 8594.
"""

from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import NamedTuple


class Leaving(NamedTuple):
    """The announcement that an operation will be removed.

    `since` is the date from which the operation is deprecated, and `until` the date of its removal, at least a year
    later. The page at `link` names the replacement.
    """

    since: date
    until: date
    link: str

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Build the headers by which each response of the operation announces its removal.

        They contain the deprecation (in Unix seconds), the removal (`sunset`), and the link to the replacement.

        >>> for name, value in Leaving(date(2027, 1, 1), date(2028, 1, 1), "https://example.com/api#x").headers():
        ...     print(name.decode(), value.decode())
        deprecation @1798761600
        sunset Sat, 01 Jan 2028 00:00:00 GMT
        link <https://example.com/api#x>; rel="deprecation"
        """
        begins, ends = (datetime.combine(day, time(), UTC) for day in (self.since, self.until))
        return [
            (b"deprecation", f"@{int(begins.timestamp())}".encode()),
            (b"sunset", format_datetime(ends, usegmt=True).encode()),
            (b"link", f'<{self.link}>; rel="deprecation"'.encode()),
        ]
