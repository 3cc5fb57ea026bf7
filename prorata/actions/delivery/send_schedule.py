"""The time at which e-mails queued now would leave, shown before a person sends them."""

from datetime import timedelta

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.mail import allowances as mail_allowances
from prorata.domain.delivery.send_schedule import Leaving
from prorata.domain.due_times import day_in, next_time_of_day
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.jobs import outbound_hold


def of_account(tx: Tx, account: AccountRow, mail_held: str | None = None) -> Leaving:
    """Predict when a message queued now would leave, as the worker will decide.

    It waits if no mail server accepts messages; `mail_held` is then the reason. It also waits if the owner's address is
    not confirmed, if outgoing work is held after a restore, or if a new account's daily quota is used up.
    """
    wait = mail_allowances.why_none_leaves(tx, account.id)
    hold = outbound_hold.found(tx)
    held = f"Mail is held: {hold.why}. Whoever runs this installation lets it go." if hold else None
    due = tx.moment + timedelta(minutes=account.mail_hold)
    days = 0
    if account.send_at:
        due = next_time_of_day(due, account.timezone, account.send_at)
        days = (day_in(due, account.timezone) - account_actions.today_in(account, tx)).days
    return Leaving(
        hold=account.mail_hold,
        at=account.send_at,
        days=days,
        why_not=(wait.why if wait else None) or held or mail_held,
        room=mail_allowances.room_today(tx, account),
        due=due,
    )
