"""Accounts: opening and finding them, their settings, and today's date in their time zones."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from prorata.actions.accounts import access
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Recurring
from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO, cleaned, pay_to_of, pay_to_problems
from prorata.domain.accounts.permissions import OWNER
from prorata.domain.accounts.reminder_plan import ReminderPlan, in_days, of_days, plan_problem, read_days
from prorata.domain.accounts.settings import FIRST_AUTOMATIC_DAY, OFF, SEND, settings_problems
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import next_month
from prorata.domain.due_times import day_in, noon
from prorata.domain.inbound_mail.inbox_addresses import KEEP_DAYS, TOKEN_CHARACTERS, TOKEN_LENGTH
from prorata.domain.invoice_states import FIRST_PAYMENT_TERMS
from prorata.domain.mail.allowances import CAPPED_FOR
from prorata.domain.months.runs import SENT, last_due
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest, NotFound, Unauthorized
from prorata.ids import is_id, new_token
from prorata.store.accounts import accounts, members
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx, timestamp
from prorata.store.inbound_mail import inbox_addresses
from prorata.store.inbound_mail.inbox_addresses import InboxAddressRow
from prorata.store.months import runs as month_runs


def open_account(
    tx: Tx,
    *,
    recurs: Sequence[Recurring],
    name: str,
    email: str,
    password_hash: str,
    timezone: str,
    locale: str,
    currency: str,
    owner_name: str = "",
    is_vouched_for: bool = True,
    by: str = "",
    mail_hold: int = 0,
) -> AccountRow:
    """Open an account for a landlord, who becomes its first member, as owner.

    `recurs` is the recurring work to schedule for the account (`actions/overview/schedule.py`). `by` is the actor who
    opens the account; if it is empty, the owner does. An owner for whom an operator opens the account counts as
    confirmed. An owner who signs up must confirm the e-mail address before the account can e-mail others, and in the
    following week can send only a limited number of e-mails a day. `mail_hold` is the number of minutes that e-mails
    wait before they are sent. Raises `Conflict` if the address already belongs to an account.
    """
    row = AccountRow(
        id=tx.new_id("acct"),
        name=name,
        timezone=timezone,
        locale=locale,
        currency=currency,
        address="",
        contact=email,
        payment_terms=FIRST_PAYMENT_TERMS,
        late_bills="ask",
        hold_flagged=False,
        shows_bills=False,
        carry_credits=True,
        mail_on=True,
        mail_hold=mail_hold,
        reminders_before="",
        reminders_after="",
        send_at=None,
        automatic=OFF,
        automatic_day=FIRST_AUTOMATIC_DAY,
        automatic_from=None,
        automatic_sends_from=None,
        mail_capped_until=None if is_vouched_for else timestamp(tx.moment + CAPPED_FOR),
        property_count=0,
        bill_count=0,
        created_at=tx.now,
        updated_at=tx.now,
    )
    accounts.add(tx, row)
    owner = members.new(tx, row.id, email, password_hash, OWNER, name=owner_name, is_verified=is_vouched_for)
    if not members.add(tx, owner):
        raise Conflict(say("An account with this e-mail address already exists."))
    recurring.begin(tx, row, recurs)
    token = new_token(TOKEN_CHARACTERS, TOKEN_LENGTH)
    inbox_addresses.add(tx, InboxAddressRow(row.id, token, "", tx.now, KEEP_DAYS, counts_known=False))
    audit.record(tx, Caller(row.id, by or owner.id), Verb.OPEN_ACCOUNT, row.id, after=row)
    return row


class MailWishes(NamedTuple):
    """Changes to an account's mail settings; None leaves a setting unchanged.

    `hold` is the number of minutes for which e-mails wait before they are sent.
    """

    on: bool | None = None
    hold: int | None = None
    days_before: tuple[int, ...] | None = None
    days_after: tuple[int, ...] | None = None


def change_mail(tx: Tx, caller: Caller, wishes: MailWishes) -> AccountRow:
    """Change an account's mail settings: mail on or off, the hold before sending, and reminders.

    Queued messages are still sent at the times that were set for them. While mail is off, no message is sent; an
    invoice that would have been e-mailed in that time has to be handed over instead. Raises `InvalidRequest` for an
    invalid hold or reminder.
    """
    accounts.lock(tx, caller.account_id)
    before = the_account(tx, caller)
    before_due, after_due = wishes.days_before, wishes.days_after
    after = before._replace(
        mail_on=before.mail_on if wishes.on is None else wishes.on,
        mail_hold=before.mail_hold if wishes.hold is None else wishes.hold,
        reminders_before=before.reminders_before if before_due is None else in_days(before_due),
        reminders_after=before.reminders_after if after_due is None else in_days(after_due),
        updated_at=tx.now,
    )
    if wrong := list(settings_problems({"mail_hold": after.mail_hold})):
        raise InvalidRequest(wrong[0].message)
    if problem := plan_problem(ReminderPlan(of_days(after.reminders_before), of_days(after.reminders_after))):
        raise InvalidRequest(problem)
    accounts.save_mail(tx, after)
    audit.record(tx, caller, Verb.CHANGE_MAIL_SETTINGS, after.id, before=before, after=after)
    if wants_reminders(after) and after._replace(mail_hold=before.mail_hold) != before:
        recurring.look_now(tx, after.id, recurring.REMIND)
    return after


class Wishes(NamedTuple):
    """Changes to an account's settings; None leaves a setting unchanged.

    `payment_terms` and `answer_days` are numbers of days; a dispute should be answered within `answer_days`.
    `mail_hold` is the number of minutes that e-mails wait before they are sent. `send_at` is a time of day such as
    "09:30", or "" to send at once. `late_bills` is "ask" or "next open month". `corrections` is "ask" or "automatic";
    changing it to "automatic" charges pending corrections on the next invoices
    (`correction_decisions.change_settings`). Reminders are sent on the listed days before and after the due date, such
    as "3, 0"; "" means none.

    If `hold_flagged` is set, a flagged bill charges nobody until its flags are accepted. If `shows_bills` is set,
    tenants may see the files of the bills that their invoices charge. If `carry_credits` is set, an overpayment on one
    invoice pays what the household owes on others. `automatic`, one of `AUTOMATIC`, is what the month run does with
    complete months, on the `automatic_day` of the following month. `pay_…` are the payment instructions, "" for none.
    `mail_subject` and `mail_opening` are the account's own text for the e-mail with an invoice (`own_words`), "" for
    the default. `announce_days` is the number of days between the notice to tenants and the rule change that it
    announces; 0 means no automatic announcement. `keep_…` are the periods of docs/privacy.md. `billing_month_rule` is
    one of `BILLING_MONTH_RULES`.
    """

    name: str | None = None
    address: str | None = None
    contact: str | None = None
    phone: str | None = None
    timezone: str | None = None
    locale: str | None = None
    currency: str | None = None
    payment_terms: int | None = None
    answer_days: int | None = None
    send_at: str | None = None
    mail_on: bool | None = None
    mail_hold: int | None = None
    reminders_before: str | None = None
    reminders_after: str | None = None
    late_bills: str | None = None
    corrections: str | None = None
    hold_flagged: bool | None = None
    shows_bills: bool | None = None
    carry_credits: bool | None = None
    automatic: str | None = None
    automatic_day: int | None = None
    mail_subject: str | None = None
    mail_opening: str | None = None
    announce_days: int | None = None
    keep_invoices_years: int | None = None
    keep_tenants_years: int | None = None
    keep_bank_files_days: int | None = None
    billing_month_rule: str | None = None
    pay_text: str | None = None
    pay_holder: str | None = None
    pay_iban: str | None = None
    pay_bic: str | None = None
    pay_routing: str | None = None
    pay_number: str | None = None


def change_settings(tx: Tx, caller: Caller, wishes: Wishes, *, seen: str | None = None) -> AccountRow:
    """Change an account's settings.

    Sent invoices and queued messages stay as they are; while mail is off, no message is sent. `seen` is the
    account's `updated_at` that the person saw (`access.require_seen`).

    Raises `InvalidRequest` with every problem, by field.
    """
    wanted = {name: value.strip() if isinstance(value, str) else value for name, value in wishes._asdict().items()}
    wanted |= cleaned({name: wanted[name] for name in PAY_TO if wanted[name] is not None})
    changes: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    accounts.lock(tx, caller.account_id)
    before = the_account(tx, caller)
    problems = [*settings_problems(wanted), *pay_to_problems(pay_to_of(before._replace(**changes)))]
    if problems:
        raise InvalidRequest.because(problems)
    access.require_seen(before.updated_at, seen)
    if "send_at" in changes:
        changes["send_at"] = changes["send_at"] or None
    for name in ("reminders_before", "reminders_after"):
        if name in changes:
            changes[name] = in_days(read_days(changes[name]))
    after = before._replace(**changes)
    if after == before:
        return before
    after = _running_months(tx, before, after._replace(updated_at=tx.now))
    accounts.save_settings(tx, after)
    audit.record(tx, caller, Verb.CHANGE_SETTINGS, after.id, before=before, after=after)
    if after.timezone != before.timezone:
        recurring.look_now(tx, after.id, recurring.OVERDUE)
    if after.automatic != OFF and _running(after) != _running(before):
        recurring.look_now(tx, after.id, recurring.MONTHS)
    elif after.automatic != OFF and after.timezone != before.timezone:
        recurring.look_next_morning(tx, after, recurring.MONTHS)  # checked now, it might send months already due
    if wants_reminders(after) and _reminding(after) != _reminding(before):
        recurring.look_now(tx, after.id, recurring.REMIND)
    return after


def _running_months(tx: Tx, before: AccountRow, after: AccountRow) -> AccountRow:
    """Set the first month of the month run after a change of settings.

    A month's run day is `automatic_day` of the following month. A month run that is turned on, or whose day changes,
    begins with the first month whose run day is still to come. So a change of settings sends nothing immediately, and
    no earlier month is ever sent. If the month run only proposed months under the settings `before` and sends them
    under `after`, months whose run day has passed remain proposals. If the month run is turned off, months that were
    waiting to be sent are no longer sent.
    """
    first = next_month(last_due(tx.moment, after.timezone, after.automatic_day))
    if after.automatic == OFF:
        if before.automatic != OFF:
            month_runs.forget_unsent(tx, after.id, SENT)
        return after._replace(automatic_from=None, automatic_sends_from=None)
    if after.automatic != before.automatic:
        after = after._replace(automatic_sends_from=first if after.automatic == SEND else None)
    if before.automatic != OFF and after.automatic_day == before.automatic_day:
        return after
    month_runs.forget_unsent(tx, after.id, SENT)
    return after._replace(automatic_from=first)


def _running(row: AccountRow) -> tuple[str | None, str | None, int]:
    """Return the month run's settings: first proposed month, first month sent automatically, and day.

    `change_settings` compares them, because a change of any of them stops months whose day has passed from being
    sent.
    """
    return row.automatic_from, row.automatic_sends_from, row.automatic_day


def wants_reminders(row: AccountRow) -> bool:
    """True if the account sends reminders."""
    return bool(row.mail_on and (row.reminders_before or row.reminders_after))


def _reminding(row: AccountRow) -> tuple[str, bool, str, str]:
    """Return the settings that decide when an account's reminders are sent."""
    return row.timezone, bool(row.mail_on), row.reminders_before, row.reminders_after


def find_account(tx: Tx, named: str) -> AccountRow:
    """Find the account that an operator names by id or owner's e-mail address.

    Raises `NotFound` if there is no such account.
    """
    account_id = named if is_id(named, "acct") else accounts.find_by_email(tx, named.strip().lower())
    row = accounts.find(tx, account_id) if account_id else None
    if row is None:
        raise NotFound("account", by="owner's e-mail address" if "@" in named else "id")
    return row


def the_account(tx: Tx, caller: Caller) -> AccountRow:
    """Return the caller's account.

    Raises `Unauthorized` if the account has just been deleted.
    """
    row = accounts.find(tx, caller.account_id)
    if row is None:
        raise Unauthorized(say("This account was deleted."))
    return row


def moment_of(tx: Tx, account: AccountRow, day: date) -> str:
    """Return the time to store for a payment of which only the day is known.

    If the day is today, the time is now; otherwise it is noon of that day in the account's time zone.
    """
    return tx.now if day == today_in(account, tx) else timestamp(noon(day, account.timezone))


def today_in(account: AccountRow, tx: Tx) -> date:
    """Return today's date in the account's time zone."""
    return day_in(tx.moment, account.timezone)


def today(tx: Tx, caller: Caller) -> date:
    """Return today's date in the time zone of the caller's account."""
    return today_in(the_account(tx, caller), tx)
