"""The next due times of recurring work; days begin at the account's local midnight."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def day_in(moment: datetime, timezone: str) -> date:
    """Return the local date of a point in time in a time zone.

    >>> day_in(datetime(2026, 3, 10, 2, tzinfo=UTC), "America/Chicago").isoformat()
    '2026-03-09'
    """
    return moment.astimezone(ZoneInfo(timezone)).date()


def end_of_day(day: date, timezone: str) -> datetime:
    """Return the time, in UTC, at which a day ends in a time zone.

    >>> end_of_day(date(2026, 3, 10), "America/Los_Angeles").isoformat()
    '2026-03-11T07:00:00+00:00'
    """
    if day >= date.max - timedelta(days=1):
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    after = day + timedelta(days=1)
    return datetime(after.year, after.month, after.day, tzinfo=ZoneInfo(timezone)).astimezone(UTC)


def noon(day: date, timezone: str) -> datetime:
    """Return a day's noon in a time zone, as a time in UTC.

    This time is assumed for a day that was entered without a time.

    >>> noon(date(2026, 3, 10), "America/Chicago").isoformat()
    '2026-03-10T17:00:00+00:00'
    """
    return datetime.combine(day, time(12), ZoneInfo(timezone)).astimezone(UTC)


def next_midnight(moment: datetime, timezone: str) -> datetime:
    """Return the moment at which the next day begins in a time zone, in UTC.

    >>> next_midnight(datetime(2026, 3, 10, 18, tzinfo=UTC), "America/Chicago").isoformat()
    '2026-03-11T05:00:00+00:00'

    If the clocks skip midnight, the day begins at the first local time after it, such as 01:00:

    >>> next_midnight(datetime(2024, 4, 25, 12, tzinfo=UTC), "Africa/Cairo").isoformat()
    '2024-04-25T22:00:00+00:00'
    """
    return end_of_day(day_in(moment, timezone), timezone)


def next_hour(moment: datetime, timezone: str, hour: int) -> datetime:
    """Return the next time after `moment` at which a time zone's clocks show `hour`.

    The result is in UTC.

    >>> next_hour(datetime(2026, 3, 10, 13, tzinfo=UTC), "America/Chicago", 9).isoformat()
    '2026-03-10T14:00:00+00:00'
    >>> next_hour(datetime(2026, 3, 10, 14, tzinfo=UTC), "America/Chicago", 9).isoformat()
    '2026-03-11T14:00:00+00:00'
    """
    today = day_in(moment, timezone)
    days = (today, today + timedelta(days=1), today + timedelta(days=2))
    hours = (datetime.combine(day, time(hour), ZoneInfo(timezone)).astimezone(UTC) for day in days)
    return next(hour_start for hour_start in hours if hour_start > moment)


def next_time_of_day(moment: datetime, timezone: str, at: str) -> datetime:
    """Return the first moment, from `moment` on, at which local clocks show `at`.

    The result is in UTC.

    >>> moment = datetime(2026, 3, 10, 14, 30, tzinfo=UTC)
    >>> next_time_of_day(moment, "America/Chicago", "09:30").isoformat()
    '2026-03-10T14:30:00+00:00'
    >>> next_time_of_day(moment, "America/Chicago", "09:29").isoformat()
    '2026-03-11T14:29:00+00:00'

    On a day on which the clocks skip that time, the result is the moment at which they would have shown it; they
    then show one hour more. On a day on which the clocks show that time twice, only the first moment counts:

    >>> next_time_of_day(datetime(2026, 3, 8, 7, tzinfo=UTC), "America/Chicago", "02:30").isoformat()
    '2026-03-08T08:30:00+00:00'
    >>> next_time_of_day(datetime(2026, 11, 1, 7, tzinfo=UTC), "America/Chicago", "01:30").isoformat()
    '2026-11-02T07:30:00+00:00'
    """
    today = day_in(moment, timezone)
    time_of_day = time.fromisoformat(at)
    days = (today, today + timedelta(days=1), today + timedelta(days=2))
    times = (datetime.combine(day, time_of_day, ZoneInfo(timezone)).astimezone(UTC) for day in days)
    return next(instant for instant in times if instant >= moment)
