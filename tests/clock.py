"""A clock that a test sets."""

from datetime import UTC, datetime, timedelta


class TestClock:
    """A clock that tells the time to which it was set.

    Each call moves it on by `step`, which is a millisecond unless set otherwise.
    """

    __test__ = False

    def __init__(self, moment: datetime = datetime(2026, 4, 2, 9, 0, tzinfo=UTC)) -> None:
        self.moment = moment
        self.step = timedelta(milliseconds=1)

    def __call__(self) -> datetime:
        self.moment += self.step
        return self.moment

    def advance(self, **by: float) -> None:
        self.moment += timedelta(**by)
