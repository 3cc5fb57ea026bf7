"""The time at which an e-mail queued now would be sent, shown before queuing."""

from datetime import timedelta

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.mail import allowances as mail_allowances
from prorata.domain.delivery.send_schedule import Leaving, beyond_today as beyond
from prorata.domain.due_times import day_in, next_time_of_day
from prorata.domain.locale_forms import Forms
from prorata.domain.texts import Text, say
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.jobs import outbound_hold


def of_account(tx: Tx, account: AccountRow, mail_held: str | None = None, *, queued: int = 0) -> Leaving:
    """Predict when a message queued now would be sent, by the worker's rules.

    The message waits if no mail server accepts messages; `mail_held` is then the reason. It also waits if the
    owner's e-mail address is not confirmed, if Prorata sends nothing because a backup was restored, or if a new
    account's daily quota is used up. Messages that are already waiting count towards the quota, except
    the `queued` ones that the prediction is about.
    """
    wait = mail_allowances.why_none_leaves(tx, account.id)
    hold = outbound_hold.found(tx)
    held = (
        say("E-mail is on hold: {why}. Whoever runs this installation can release it.", why=hold.why) if hold else None
    )
    due = tx.moment + timedelta(minutes=account.mail_hold)
    days = 0
    if account.send_at:
        due = next_time_of_day(due, account.timezone, account.send_at)
        days = (day_in(due, account.timezone) - account_actions.today_in(account, tx)).days
    room = mail_allowances.room_today(tx, account)
    return Leaving(
        hold=account.mail_hold,
        at=account.send_at,
        days=days,
        why_not=(wait.why if wait else None) or held or mail_held,
        room=None if room is None else max(0, room - mail_allowances.waiting(tx, account) + queued),
        due=due,
    )


def beyond_today(tx: Tx, caller: Caller, write: Forms) -> Text | str:
    """State how many queued messages exceed a new account's daily quota; empty if none do."""
    account = account_actions.the_account(tx, caller)
    room, waiting = mail_allowances.room_today(tx, account), mail_allowances.waiting(tx, account)
    return beyond(room, waiting, write) if room is not None else ""
