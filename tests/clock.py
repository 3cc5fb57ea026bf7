"""A clock that a test sets."""

from datetime import UTC, datetime, timedelta


class TestClock:
    """Tells the time it was set to; each question moves it on by a millisecond, as time does, or by another `step`."""

    __test__ = False

    def __init__(self, moment: datetime = datetime(2026, 4, 2, 9, 0, tzinfo=UTC)) -> None:
        self.moment = moment
        self.step = timedelta(milliseconds=1)

    def __call__(self) -> datetime:
        self.moment += self.step
        return self.moment

    def advance(self, **by: float) -> None:
        self.moment += timedelta(**by)
