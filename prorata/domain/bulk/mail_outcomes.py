"""Summaries of what happened to the e-mails of many invoices that were sent or withdrawn."""

from collections.abc import Mapping
from datetime import date, datetime

from prorata.domain.locale_forms import PLAIN, Forms
from prorata.domain.mail.deliveries import DELIVERED, QUEUED, SENT, WITHDRAWN, WRITTEN
from prorata.domain.texts import say, say_n

HAD = "had"
"""The key for the number of invoices that were not e-mailed again.

These are unchanged, paid invoices that their tenants had already received.
"""


def of_mail(deliveries: Mapping[str, int], waits: str = "", write: Forms = PLAIN) -> tuple[str, ...]:
    """Summarize the e-mails of sent invoices.

    `waits` says why e-mails are still queued, if there is a reason.

    >>> of_mail({"queued": 2, "sent": 1}, "No e-mails are being sent for now.")
    ('1 e-mail has been sent.', '2 e-mails have not been sent yet.', 'No e-mails are being sent for now.')
    >>> of_mail({"withdrawn": 136})
    ('136 were not e-mailed, because they were paid before the e-mail was sent.',)
    >>> of_mail({"had": 2})
    ('2 were not e-mailed again, because they are unchanged and paid.',)
    >>> of_mail({"written": 2})
    ('2 e-mails were saved to the outbox folder and reached nobody, because no mail server was set up.',)
    """
    left, written, queued = _left(deliveries), deliveries.get(WRITTEN, 0), deliveries.get(QUEUED, 0)
    says: list[str] = []
    if left:
        says.append(say_n("{n} e-mail has been sent.", "{n} e-mails have been sent.", left, n=write.count(left)))
    if written:
        says.append(
            say_n(
                "{n} e-mail was saved to the outbox folder and reached nobody, because no mail server was set up.",
                "{n} e-mails were saved to the outbox folder and reached nobody, because no mail server was set up.",
                written,
                n=write.count(written),
            )
        )
    if queued:
        queue = say_n(
            "{n} e-mail has not been sent yet.", "{n} e-mails have not been sent yet.", queued, n=write.count(queued)
        )
        says += [queue, waits] if waits else [queue]
    if withdrawn := deliveries.get(WITHDRAWN, 0):
        says.append(
            say_n(
                "{n} was not e-mailed, because it was paid before the e-mail was sent.",
                "{n} were not e-mailed, because they were paid before the e-mail was sent.",
                withdrawn,
                n=write.count(withdrawn),
            )
        )
    if had := deliveries.get(HAD, 0):
        says.append(
            say_n(
                "{n} was not e-mailed again, because it is unchanged and paid.",
                "{n} were not e-mailed again, because they are unchanged and paid.",
                had,
                n=write.count(had),
            )
        )
    return tuple(says)


def of_mail_that_stays(deliveries: Mapping[str, int], write: Forms = PLAIN) -> tuple[str, ...]:
    """Describe the e-mails that can't be recalled when their invoices are withdrawn.

    These are the e-mails that were sent, and the e-mails that were saved to the outbox folder.

    >>> of_mail_that_stays({"delivered": 1, "sent": 2, "written": 1})[0]
    '3 e-mails have already been sent and can’t be recalled.'
    >>> of_mail_that_stays({"written": 4})
    ('4 e-mails have already been saved to the outbox folder and stay there.',)
    """
    left, written = _left(deliveries), deliveries.get(WRITTEN, 0)
    says = []
    if left:
        says.append(
            say_n(
                "{n} e-mail has already been sent and can’t be recalled.",
                "{n} e-mails have already been sent and can’t be recalled.",
                left,
                n=write.count(left),
            )
        )
    if written:
        says.append(
            say_n(
                "{n} e-mail has already been saved to the outbox folder and stays there.",
                "{n} e-mails have already been saved to the outbox folder and stay there.",
                written,
                n=write.count(written),
            )
        )
    return tuple(says)


def _left(deliveries: Mapping[str, int]) -> int:
    return deliveries.get(SENT, 0) + deliveries.get(DELIVERED, 0)


def until(at: datetime, *, today: date, number: int, is_saved: bool, write: Forms = PLAIN) -> str:
    """Describe when `number` messages leave, or are saved if there is no mail server.

    They can be withdrawn until the first one leaves, at the local time `at`.

    >>> until(datetime(2026, 11, 27, 19, 5), today=date(2026, 11, 27), number=3, is_saved=True)
    'They will be saved to the outbox folder at 19:05. Until then, you can withdraw them.'
    >>> until(datetime(2026, 11, 28, 9, 0), today=date(2026, 11, 27), number=1, is_saved=False)
    'It will be sent at 09:00 on 2026-11-28. Until then, you can withdraw it.'
    """
    when = say("at {time}", time=write.time(at.time()))
    if at.date() != today:
        when = say("at {time} on {day}", time=write.time(at.time()), day=write.day(at.date()))
    if is_saved:
        return say_n(
            "It will be saved to the outbox folder {when}. Until then, you can withdraw it.",
            "They will be saved to the outbox folder {when}. Until then, you can withdraw them.",
            number,
            when=when,
        )
    return say_n(
        "It will be sent {when}. Until then, you can withdraw it.",
        "They will be sent {when}. Until then, you can withdraw them.",
        number,
        when=when,
    )
