"""When e-mails leave that are queued now, or why they wait: in sentences that a person reads before sending."""

from datetime import datetime, time
from typing import NamedTuple

from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.allowances import ENOUGH_TODAY
from prorata.domain.texts import Text, joined, say, say_n

NONE_LEAVES = say("No e-mail leaves for now.")


class NoServer(Text):
    """Why no e-mail leaves where the installation has no mail server, told by its type from other reasons."""

    __slots__ = ()


NO_SERVER = NoServer(say("E-mail isn’t set up, so messages are saved in the outbox folder and reach nobody.").form)


class Leaving(NamedTuple):
    """When a message leaves that is queued now: after `hold` minutes, or at the time of day `at`, which is `days` from
    today; `due` is that moment. `why_not` says why none leaves for now; `room` how many more may leave today, where
    that is limited.
    """

    hold: int = 0
    at: str | None = None
    days: int = 0
    why_not: str | None = None
    room: int | None = None
    due: datetime | None = None

    @property
    def is_saved(self) -> bool:
        """Whether a message becomes a file in the outbox folder, as no mail server is set up."""
        return isinstance(self.why_not, NoServer)

    @property
    def waits(self) -> str | None:
        """Why a single message does not leave for now; None where it does."""
        return self.why_not or (ENOUGH_TODAY if self.room == 0 else None)


_AT = (
    say("at {time} today"),
    say("at {time} tomorrow"),
    say("at {time} on the day after tomorrow"),
    say("at {time} in {n} days"),
)


def when(leaving: Leaving, write: Forms = PLAIN, *, many: bool = False) -> Text:
    """When it leaves, behind "It leaves"; `many` messages are they.

    >>> when(Leaving()), when(Leaving(at="09:00", days=1)), when(Leaving(at="09:00", days=2))
    ('at once', 'at 09:00 tomorrow', 'at 09:00 on the day after tomorrow')
    >>> when(Leaving(hold=30), many=True)
    'in 30 minutes: until then you can take them back'
    """
    if leaving.at:
        at = _AT[min(leaving.days, len(_AT) - 1)]
        return at.format(time=write.time(time.fromisoformat(leaving.at)), n=leaving.days)
    if not leaving.hold:
        return say("at once")
    n = write.count(leaving.hold)
    if many:
        return say_n(
            "in a minute: until then you can take them back",
            "in {n} minutes: until then you can take them back",
            leaving.hold,
            n=n,
        )
    return say_n(
        "in a minute: until then you can take it back",
        "in {n} minutes: until then you can take it back",
        leaving.hold,
        n=n,
    )


def of_many(leaving: Leaving, number: int, write: Forms = PLAIN) -> Text:
    """When so many messages leave, or why they wait; empty where there is none.

    >>> of_many(Leaving(), 1), of_many(Leaving(), 0)
    ('The e-mail leaves at once.', '')
    >>> of_many(Leaving(room=150), 300)
    'A new account sends 200 e-mails a day in its first week: 150 leave today, the others on the days after.'
    >>> of_many(Leaving(why_not="Mail is held."), 2)
    'No e-mail leaves for now. Mail is held.'
    """
    if not number:
        return joined([])
    if leaving.why_not:
        return joined([NONE_LEAVES, leaving.why_not])
    if leaving.room is not None and leaving.room < number:
        if not leaving.room:
            return say(
                "A new account sends {most} e-mails a day in its first week: none leaves today, they leave on the days "
                "after.",
                most=MOST_MAIL_A_DAY,
            )
        return say_n(
            "A new account sends {most} e-mails a day in its first week: {n} leaves today, the others on the "
            "days after.",
            "A new account sends {most} e-mails a day in its first week: {n} leave today, the others on the days "
            "after.",
            leaving.room,
            n=write.count(leaving.room),
            most=MOST_MAIL_A_DAY,
        )
    leaves = when(leaving, write, many=number > 1)
    return say_n("The e-mail leaves {when}.", "The e-mails leave {when}.", number, when=leaves)
