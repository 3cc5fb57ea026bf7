"""Announcing rule changes to tenants, at a person's request or by the daily job.

Each household is notified once, and again if the change was revised (docs/decisions.md#announced-rules). A person can
e-mail those again whose e-mails reached nobody, by the same rule as invoices (`is_of_the_address`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from prorata.actions.accounts import access, accounts as account_actions
from prorata.actions.jobs import recurring
from prorata.actions.jobs.recurring import Look, Recurring
from prorata.actions.mail import queue as mail_queue
from prorata.actions.mail.queue import To
from prorata.actions.printing import leases
from prorata.actions.recalculation import month_loader
from prorata.domain.audit.verbs import Verb
from prorata.domain.billing_calendar import Month, first_day, month_of
from prorata.domain.delivery.announcement_mail import (
    ANNOUNCEMENT,
    Announcer,
    House,
    Household,
    Told,
    from_json,
    to_json,
)
from prorata.domain.delivery.reminders import HOUR
from prorata.domain.delivery.send_schedule import NoServer
from prorata.domain.due_times import day_in
from prorata.domain.groups import grouped
from prorata.domain.mail.deliveries import (
    BOUNCED,
    FAILED,
    QUEUED,
    REACHED_NOBODY,
    WITHDRAWN,
    is_of_the_address,
)
from prorata.domain.printing.charge_rendering import Forms
from prorata.domain.splitting import stays
from prorata.domain.splitting.invoice_sequences import addressee
from prorata.domain.splitting.lease_terms import Average, household_on, standing_on
from prorata.domain.splitting.month_facts import TenantRecord, units_known
from prorata.domain.splitting.rule_changes import Notice, RuleChange, changes_to_come, notice
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.store.accounts.accounts import AccountRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.delivery import rule_announcements as stored
from prorata.store.delivery.rule_announcements import AnnouncementRow
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow

_CLOCK = "clock"
_NOT_TOLD = {WITHDRAWN, *REACHED_NOBODY}
"""The states of a message that reached nobody: withdrawn, returned, refused, or only saved in the outbox folder."""
_GONE = say("The upcoming change is no longer the one shown here. Review it again.")


class Announced(NamedTuple):
    """An announcement as stored in the audit log, with the property's name at that time."""

    name: str
    property_id: str
    utility_type: str
    effective_from: str
    households: int


class KeptAnnouncement(NamedTuple):
    """An announcement to a household, and the e-mail that contained it, if there was one."""

    row: AnnouncementRow
    told: Told
    mail: MailRow | None


class Coming(NamedTuple):
    """An upcoming rule change and the state of its announcement.

    `to_tell` is the number of households still to be notified by e-mail. `again` is the number of households that an
    earlier e-mail did not reach, and that a person can e-mail again. `by_hand` is the number of households that have no
    e-mail address, or a wrong one. `told` is the number of notified households; the e-mails to `waiting` of them have
    not left yet. `told_otherwise` is set if a household was notified of a different change. `planned` is the day from
    which the daily job notifies the households; it is None if the job does not. `lacking` is the number of units
    without a measure, such as a floor area, that the new rule needs. While there are such units, the daily job notifies
    nobody, because the notice would be wrong.
    """

    change: RuleChange
    to_tell: int
    by_hand: int
    told: int
    told_otherwise: bool
    planned: date | None
    lacking: int = 0
    waiting: int = 0
    again: int = 0


class Untold(NamedTuple):
    """An upcoming rule change, and the number of households not yet notified of it."""

    change: RuleChange
    households: int


class Announcements(NamedTuple):
    """A property's upcoming rule changes, and its announcements, latest first.

    `withdrawn` contains the announced changes that will not happen, each by utility type and first month. `days` is
    the account's setting for automatic announcements: the number of days between an announcement and its rule change.
    """

    coming: tuple[Coming, ...]
    kept: tuple[KeptAnnouncement, ...]
    withdrawn: tuple[tuple[str, str], ...]
    mail_on: bool
    days: int = 0


class _Of(NamedTuple):
    """A property with all data that announcements of its rule changes depend on.

    `units` contains the property's units with their stays. `changes` are the upcoming rule changes. `kept` are all
    announcements to the property's households. A household is e-mailed again if its message has one of the states
    `again`, unless its address is wrong.
    """

    account: AccountRow
    row: PropertyRow
    tenants: Mapping[str, TenantRecord]
    units: tuple[stays.UnitFacts, ...]
    changes: tuple[RuleChange, ...]
    today: date
    kept: tuple[KeptAnnouncement, ...]
    again: Collection[str]

    @property
    def told(self) -> list[AnnouncementRow]:
        """The announcements that reached a household, oldest first."""
        return [one.row for one in self.kept if one.mail is None or one.mail.state not in _NOT_TOLD]

    @property
    def marks(self) -> set[str]:
        """The fingerprints of all upcoming rule changes; withdrawn ones are not upcoming."""
        return {change.mark for change in self.changes}

    def households(self, change: RuleChange) -> tuple[list[tuple[Household, TenantRecord]], int]:
        """List the households to notify of a rule change, each with the addressed tenant.

        The second result is the number of households that were already notified of the change.
        """
        found, know = [], 0
        told = grouped((one.unit_id, one) for one in self.told if one.utility_type == change.utility_type)
        for unit in self.units:
            living = household_on(self.today, unit)
            if living is None or living.last < change.begins:
                continue
            its = [one for one in told.get(unit.unit_id, ()) if one.tenant_id in living.tenant_ids]
            if self._knows(its, change):
                know += 1
            else:
                tenant = self._addressee(living)
                found.append((Household(unit.unit_id, unit.label, tenant.name, self._replaced(its)), tenant))
        return found, know

    def by_mail(self, change: RuleChange) -> tuple[list[tuple[Household, TenantRecord]], int]:
        """List the households to notify by e-mail; count those that a person must notify.

        A person must notify a household that has no e-mail address, or whose address the announcement did not
        reach and is not e-mailed `again`.
        """
        found, _ = self.households(change)
        wrong = {
            (unit_id, row.to_address)
            for unit_id, row in self.lost(change)
            if row.state not in self.again or is_of_the_address(row.state, row.said)
        }
        reached = [(its, tenant) for its, tenant in found if tenant.email and (its.unit_id, tenant.email) not in wrong]
        return reached, len(found) - len(reached)

    def lost(self, change: RuleChange) -> list[tuple[str, MailRow]]:
        """List the e-mails about a rule change that reached nobody, each with its unit's id."""
        return [
            (one.row.unit_id, one.mail)
            for one in self.kept
            if one.row.mark == change.mark and one.mail and one.mail.state in REACHED_NOBODY
        ]

    def _knows(self, its: Sequence[AnnouncementRow], change: RuleChange) -> bool:
        """True if a household was notified of this rule change, and that notice still stands.

        The notice no longer stands if the household was later notified of another change that was then withdrawn.
        """
        last = max((one.id for one in its if one.mark == change.mark), default="")
        return bool(last) and all(one.mark in self.marks for one in its if one.id > last)

    def _replaced(self, its: Sequence[AnnouncementRow]) -> date | None:
        """Return the day on which a household was last notified of a since-revised rule change."""
        month = month_of(self.today)
        over = [one.told_at for one in its if one.effective_from > month and one.mark not in self.marks]
        return day_in(datetime.fromisoformat(over[-1]), self.account.timezone) if over else None

    def _addressee(self, living: stays.Household) -> TenantRecord:
        with_email = {one for one in living.tenant_ids if self.tenants[one].email}
        return self.tenants[addressee(month_of(self.today), living, with_email) or living.tenant_ids[0]]


def of_property(tx: Tx, caller: Caller, property_id: str, mail_held: str | None = None) -> Announcements:
    """List a property's upcoming rule changes, and its announcements to households.

    `mail_held` is the reason why no mail server accepts messages. Raises `NotFound` if there is no such property.
    """
    account, row = account_actions.the_account(tx, caller), access.property_(tx, caller, property_id)
    of = _load(tx, account, row, _goes_again(mail_held))
    month, changing_still = month_of(of.today), {change.utility_type for change in of.changes}
    told = ((one.utility_type, one.effective_from) for one in of.told if one.effective_from > month)
    withdrawn = tuple(dict.fromkeys(one for one in told if one[0] not in changing_still))
    return Announcements(
        tuple(_coming(of, change) for change in of.changes),
        tuple(reversed(of.kept)),
        withdrawn,
        bool(of.account.mail_on),
        of.account.announce_days,
    )


def untold(tx: Tx, caller: Caller, row: PropertyRow) -> tuple[Untold, ...]:
    """List a property's upcoming rule changes that households were not yet notified of.

    If no rule will change, this takes one SQL statement.
    """
    account = account_actions.the_account(tx, caller)
    if not stored.is_changing(tx, account.id, row.id, month_of(account_actions.today_in(account, tx))):
        return ()
    of = _load(tx, account, row)
    numbers = ((change, len(of.households(change)[0])) for change in of.changes)
    return tuple(Untold(change, households) for change, households in numbers if households)


def _coming(of: _Of, change: RuleChange) -> Coming:
    found, told = of.households(change)
    by_mail, by_hand = of.by_mail(change)
    lost = {(unit_id, row.to_address) for unit_id, row in of.lost(change)}
    again = sum((household.unit_id, tenant.email) in lost for household, tenant in by_mail)
    days = of.account.announce_days
    return Coming(
        change,
        len(by_mail) - again,
        by_hand,
        told,
        any(household.told_before for household, _ in found),
        max(change.told_from(days), of.today) if days and of.account.mail_on else None,
        change.lacking(standing_on(of.today, of.units)),
        min(told, sum(1 for one in of.kept if one.row.mark == change.mark and one.mail and one.mail.state == QUEUED)),
        again,
    )


def _goes_again(mail_held: str | None) -> Collection[str]:
    """Return the states of the messages that a person may send again.

    Without a mail server, a message in the outbox folder would only be saved there once more.
    """
    return (BOUNCED, FAILED) if isinstance(mail_held, NoServer) else REACHED_NOBODY


def announce(
    tx: Tx, caller: Caller, property_id: str, mark: str, forms: Callable[[str], Forms], mail_held: str | None = None
) -> int:  # fmt: skip
    """Announce a rule change to the households that were not notified of it yet.

    These include households whose earlier e-mails reached nobody, unless their addresses are wrong. `mark` is the
    fingerprint of the change, and `mail_held` the reason why no mail server accepts messages. Return the number of
    households that are e-mailed. Raises `NotFound` if there is no such property, and `Conflict` if there is no such
    upcoming change, or mail is off.
    """
    account = account_actions.the_account(tx, caller)
    of = _load(tx, account, access.property_to_change(tx, caller, property_id), _goes_again(mail_held))
    change = next((one for one in of.changes if one.mark == mark), None)
    if change is None:
        raise Conflict(_GONE)
    if not account.mail_on:
        raise Conflict(say("E-mail to tenants is turned off. Turn it on under Settings first."))
    return _tell(tx, caller, of, change, forms(account.locale))


def announce_due(tx: Tx, account: AccountRow, property_id: str, forms: Callable[[str], Forms]) -> int:
    """Announce a property's due rule changes to the households not yet notified of them.

    A change is due if it begins in at most `announce_days` days, the account's setting for announcing changes. A
    change is not announced while a unit lacks a measure that the new rule needs, and nobody is e-mailed again at the
    same address. Return the number of households that are e-mailed.
    """
    row = properties.lock(tx, account.id, property_id)
    if row is None:
        return 0
    of, caller = _load(tx, account, row), Caller(account.id, _CLOCK)
    there = standing_on(of.today, of.units)
    due = [one for one in of.changes if one.told_from(account.announce_days) <= of.today and not one.lacking(there)]
    return sum(_tell(tx, caller, of, change, forms(account.locale)) for change in due)


def changing(tx: Tx, account: AccountRow) -> list[str]:
    """List the ids of properties with a rule change after the account's current month."""
    return stored.properties_changing(tx, account.id, month_of(account_actions.today_in(account, tx)))


def wants(account: AccountRow) -> bool:
    """True if an account announces rule changes automatically."""
    return bool(account.mail_on and account.announce_days)


def notice_of(tx: Tx, caller: Caller, since: Month | None) -> Notice | None:
    """Return the automatic notice that tenants would get of a rule beginning in month `since`.

    The notice contains the day of the announcement, and the first month in which a rule could begin if it were
    announced in time. If `since` is None, the rule begins in the current month. The result is None if the account
    does not announce rule changes automatically.
    """
    account = account_actions.the_account(tx, caller)
    if not wants(account):
        return None
    today = account_actions.today_in(account, tx)
    return notice(first_day(since or month_of(today)), account.announce_days, today)


def _is_morning(tx: Tx, account: AccountRow) -> Look:
    is_time = tx.moment.astimezone(ZoneInfo(account.timezone)).hour >= HOUR
    return Look(is_time and wants(account) and bool(changing(tx, account)), recurring.next_morning(tx, account))


ANNOUNCING: Final = Recurring(
    recurring.ANNOUNCE,
    say("notifies tenants of share rules that are about to change"),
    f"{recurring.MORNING}, if tenants are notified of rule changes",
    _is_morning,
)


def _load(tx: Tx, account: AccountRow, row: PropertyRow, again: Collection[str] = ()) -> _Of:
    facts, today = month_loader.load(tx, account.id, [row])[row.id], account_actions.today_in(account, tx)
    changes = changes_to_come(facts.rules, month_of(today))
    rows = stored.of_property(tx, account.id, row.id)
    mailed = {one.occasion: one for one in mail.about(tx, account.id, ANNOUNCEMENT, [one.id for one in rows])}
    kept = tuple(KeptAnnouncement(one, from_json(one.told), mailed.get(one.id)) for one in rows)
    return _Of(account, row, facts.tenants, units_known(facts.units.values(), None), changes, today, kept, again)


def _tell(tx: Tx, caller: Caller, of: _Of, change: RuleChange, forms: Forms) -> int:
    by_mail, _ = of.by_mail(change)
    if not by_mail:
        return 0
    anew = {household.unit_id for household, _ in by_mail}
    for unit_id, lost in of.lost(change):
        if unit_id in anew:
            mail_queue.withdraw(tx, of.account.id, lost.id)
    announcer = Announcer(_house(of), change, _average(tx, of, change), forms)
    rows = [
        AnnouncementRow(
            of.account.id, tx.new_id("told"), of.row.id, change.utility_type, change.since, change.mark,
            household.unit_id, household.unit_label, tenant.tenant_id, tenant.name, to_json(announcer.told(household)),
            tx.now,
        )
        for household, tenant in by_mail
    ]  # fmt: skip
    stored.add_many(tx, rows)
    to = [To(tenant.email or "", tenant.name, row.id) for row, (_, tenant) in zip(rows, by_mail, strict=True)]
    due = tx.moment + timedelta(minutes=of.account.mail_hold)
    mail_queue.queue_many(tx, of.account.id, ANNOUNCEMENT, to, due_at=due)
    noted = Announced(of.row.name, of.row.id, change.utility_type, change.since, len(rows))
    audit.record(tx, caller, Verb.ANNOUNCE_RULE_CHANGE, of.row.id, after=noted)
    return len(rows)


def _house(of: _Of) -> House:
    account, row = of.account, of.row
    there = standing_on(of.today, of.units)
    return House(account.name, account.contacts, row.name, row.country, row.currency, account.locale, there)


def _average(tx: Tx, of: _Of, change: RuleChange) -> Average | None:
    terms = leases.terms_of(tx, of.row, of.today)
    return next(one.average for one in terms.utilities if one.utility_type == change.utility_type)
