"""The times at which queued e-mails are sent, or the reasons why they wait.

Times and reasons are sentences that are shown before an e-mail is sent.
"""

from datetime import datetime, time
from typing import NamedTuple

from prorata.domain.limits import MOST_MAIL_A_DAY
from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.allowances import ENOUGH_TODAY
from prorata.domain.texts import Text, joined, say, say_n

NONE_LEAVES = say("No e-mails are being sent for now.")


class NoServer(Text):
    """The text that explains that mail is held because no mail server is set up.

    The separate type lets callers tell this reason from other reasons to hold mail.
    """

    __slots__ = ()


NO_SERVER = NoServer(say("E-mail isn’t set up, so messages are saved in the outbox folder and reach nobody.").form)


class Leaving(NamedTuple):
    """The time at which a message that is queued now will be sent.

    It will be sent after `hold` minutes or, if `at` is set, at that time of day, `days` from today. `due` is the
    resulting local time. `why_not` says why no messages are being sent at present. `room` is the number of messages
    that may still be sent today, None if there is no limit.
    """

    hold: int = 0
    at: str | None = None
    days: int = 0
    why_not: str | None = None
    room: int | None = None
    due: datetime | None = None

    @property
    def is_saved(self) -> bool:
        """True if messages become files in the outbox folder, for lack of a mail server."""
        return isinstance(self.why_not, NoServer)

    @property
    def waits(self) -> str | None:
        """The reason why a single message has to wait; None if it can be sent."""
        return self.why_not or (ENOUGH_TODAY if self.room == 0 else None)


_AT = (
    say("at {time} today"),
    say("at {time} tomorrow"),
    say("at {time} on the day after tomorrow"),
    say("at {time} in {n} days"),
)


def in_minutes(minutes: int, write: Forms = PLAIN) -> Text:
    """Describe when a message that waits for `minutes` is sent.

    >>> in_minutes(0), in_minutes(5)
    ('at once', 'in 5 minutes')
    """
    return say_n("in a minute", "in {n} minutes", minutes, n=write.count(minutes)) if minutes else say("at once")


def when(leaving: Leaving, write: Forms = PLAIN, *, many: bool = False) -> Text:
    """Describe when the mail is sent, in words that follow "It will be sent".

    If `many` is True, the words follow "They will be sent".

    >>> when(Leaving()), when(Leaving(at="09:00", days=1)), when(Leaving(at="09:00", days=2))
    ('at once', 'at 09:00 tomorrow', 'at 09:00 on the day after tomorrow')
    >>> when(Leaving(hold=30), many=True)
    'in 30 minutes: until then, you can withdraw them'
    """
    if leaving.at:
        at = _AT[min(leaving.days, len(_AT) - 1)]
        return at.format(time=write.time(time.fromisoformat(leaving.at)), n=leaving.days)
    if not leaving.hold:
        return in_minutes(0)
    n = write.count(leaving.hold)
    if many:
        return say_n(
            "in a minute: until then, you can withdraw them",
            "in {n} minutes: until then, you can withdraw them",
            leaving.hold,
            n=n,
        )
    return say_n(
        "in a minute: until then, you can withdraw it",
        "in {n} minutes: until then, you can withdraw it",
        leaving.hold,
        n=n,
    )


def of_many(leaving: Leaving, number: int, write: Forms = PLAIN) -> Text:
    """Describe when `number` messages are sent, or why they wait; empty for 0 messages.

    >>> of_many(Leaving(), 1), of_many(Leaving(), 0)
    ('The e-mail will be sent at once.', '')
    >>> of_many(Leaving(room=150), 300)
    'A new account can send 200 e-mails a day in its first week: 150 will be sent today, and the others on the following
    days.'
    >>> of_many(Leaving(why_not="Mail is held."), 2)
    'No e-mails are being sent for now. Mail is held.'
    """
    if not number:
        return joined([])
    if leaving.why_not:
        return joined([NONE_LEAVES, leaving.why_not])
    if leaving.room is not None and leaving.room < number:
        if not leaving.room:
            return say(
                "A new account can send {most} e-mails a day in its first week: none will be sent today, only on the "
                "following days.",
                most=MOST_MAIL_A_DAY,
            )
        return say_n(
            "A new account can send {most} e-mails a day in its first week: {n} will be sent today, and the others "
            "on the following days.",
            "A new account can send {most} e-mails a day in its first week: {n} will be sent today, and the others "
            "on the following days.",
            leaving.room,
            n=write.count(leaving.room),
            most=MOST_MAIL_A_DAY,
        )
    leaves = when(leaving, write, many=number > 1)
    return say_n("The e-mail will be sent {when}.", "The e-mails will be sent {when}.", number, when=leaves)


def saved(leaving: Leaving, number: int, write: Forms = PLAIN) -> Text:
    """Describe when `number` messages are saved in the outbox folder.

    They are saved for lack of a mail server.

    >>> saved(Leaving(5), 2)
    'E-mail isn’t set up, so the tenants won’t get them. They are saved in the outbox folder in 5 minutes: until then, \
you can withdraw them.'
    """
    return say_n(
        "E-mail isn’t set up, so the tenant won’t get it. It is saved in the outbox folder {when}.",
        "E-mail isn’t set up, so the tenants won’t get them. They are saved in the outbox folder {when}.",
        number,
        when=when(leaving, write, many=number > 1),
    )


def beyond_today(room: int, waiting: int, write: Forms = PLAIN) -> Text | str:
    """State that `waiting` messages of a new account can't all be sent today.

    `room` is the number of messages that may be sent today. The result is empty if all messages may be sent.

    >>> beyond_today(200, 200)
    ''
    >>> beyond_today(80, 200)[:35]
    '200 e-mails are waiting to be sent.'
    """
    if waiting <= room:
        return ""
    n = write.count(waiting)
    number = say_n("{n} e-mail is waiting to be sent.", "{n} e-mails are waiting to be sent.", waiting, n=n)
    return joined([number, of_many(Leaving(room=room), waiting, write)])
