"""When e-mails leave that are queued now, or why they wait: in sentences that a person reads before sending."""

from datetime import time
from typing import NamedTuple

from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.allowances import ENOUGH_TODAY

NONE_LEAVES = "No e-mail leaves for now."


class NoServer(str):
    """Why no e-mail leaves where the installation has no mail server, told by its type from other reasons."""

    __slots__ = ()


NO_SERVER = NoServer("E-mail isn't set up, so messages are saved in the outbox folder and reach nobody.")


class Leaving(NamedTuple):
    """When a message leaves that is queued now: after `hold` minutes, or at the time of day `at`, which is `days` from
    today. `why_not` says why none leaves for now; `room` how many more may leave today, where that is limited.
    """

    hold: int = 0
    at: str | None = None
    days: int = 0
    why_not: str | None = None
    room: int | None = None

    @property
    def is_saved(self) -> bool:
        """Whether a message becomes a file in the outbox folder, as no mail server is set up."""
        return isinstance(self.why_not, NoServer)

    @property
    def waits(self) -> str | None:
        """Why a single message does not leave for now; None where it does."""
        return self.why_not or (ENOUGH_TODAY if self.room == 0 else None)


_DAYS = ("today", "tomorrow", "on the day after tomorrow")


def when(leaving: Leaving, write: Forms = PLAIN, *, many: bool = False) -> str:
    """When it leaves, behind "It leaves"; `many` messages are they.

    >>> when(Leaving()), when(Leaving(at="09:00", days=1)), when(Leaving(at="09:00", days=2))
    ('at once', 'at 09:00 tomorrow', 'at 09:00 on the day after tomorrow')
    >>> when(Leaving(hold=30), many=True)
    'in 30 minutes: until then you can take them back'
    """
    if leaving.at:
        day = _DAYS[leaving.days] if leaving.days < len(_DAYS) else f"in {leaving.days} days"
        return f"at {write.time(time.fromisoformat(leaving.at))} {day}"
    if not leaving.hold:
        return "at once"
    minutes = "a minute" if leaving.hold == 1 else f"{write.count(leaving.hold)} minutes"
    return f"in {minutes}: until then you can take {'them' if many else 'it'} back"


def of_many(leaving: Leaving, number: int, write: Forms = PLAIN) -> str:
    """When so many messages leave, or why they wait; empty where there is none.

    >>> of_many(Leaving(), 1), of_many(Leaving(), 0)
    ('The e-mail leaves at once.', '')
    >>> of_many(Leaving(room=150), 300)
    'A new account sends 200 e-mails a day in its first week: 150 leave today, the others on the days after.'
    >>> of_many(Leaving(why_not="Mail is held."), 2)
    'No e-mail leaves for now. Mail is held.'
    """
    if not number:
        return ""
    if leaving.why_not:
        return f"{NONE_LEAVES} {leaving.why_not}"
    if leaving.room is not None and leaving.room < number:
        leave = "leaves" if leaving.room == 1 else "leave"
        today = (
            f"{write.count(leaving.room)} {leave} today, the others"
            if leaving.room
            else "none leaves today, they leave"
        )
        return f"A new account sends {MOST_MAIL_A_DAY} e-mails a day in its first week: {today} on the days after."
    return f"{'The e-mail leaves' if number == 1 else 'The e-mails leave'} {when(leaving, write, many=number > 1)}."
