"""Accounts, with their settings and the number of invoices in each status.

The lists of invoices show these numbers as totals.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, select, union_all, update

from prorata.domain.accounts.pay_to import COLUMNS as PAY_TO
from prorata.domain.accounts.settings import BY_DAYS, FIRST_ANSWER_DAYS, FIRST_KEEP_INVOICES_YEARS, BillingMonthRule
from prorata.store.database.engine import Tx
from prorata.store.database.statements import (
    adds,
    adds_if_new,
    changes,
    columns_for,
    returns,
    returns_one,
    row_values,
    saves,
)
from prorata.store.schema.sign_in_tables import turn
from prorata.store.schema.tables import account, member, tally


class AccountRow(NamedTuple):
    """An account: one landlord or company.

    `payment_terms`, and `answer_days` for disputes, are in days; `mail_hold` is in minutes. `reminders_before` and
    `reminders_after` list the days before and after the due date on which reminders are sent, such as "3,0". `send_at`
    is the time of day at which invoices are sent, such as "09:30", or None to send at once.

    If `hold_flagged` is set, a flagged bill charges nobody until its flags are accepted. If `shows_bills` is set,
    tenants may read the bills that their invoices charge. If `carry_credits` is set, an overpayment by a household is
    carried to its other invoices. `automatic` is the month run's action for a complete month, on the `automatic_day` of
    the following month. The first month that the run considers is `automatic_from`. Months before
    `automatic_sends_from` are only proposed, never sent. Tenants are notified of a rule change `announce_days` before
    it applies; 0 means that they are never notified automatically.

    Documents sent to an erased tenant are kept for `keep_invoices_years`. Tenants are erased `keep_tenants_years` after
    they left. Finished bank statements are deleted after `keep_bank_files_days`. In these three fields, 0 means never.

    `billing_month_rule` is one of `BILLING_MONTH_RULES`.
    """

    id: str
    name: str
    timezone: str
    locale: str
    currency: str
    address: str
    contact: str
    payment_terms: int
    late_bills: str
    hold_flagged: bool
    shows_bills: bool
    carry_credits: bool
    mail_on: bool
    mail_hold: int
    reminders_before: str
    reminders_after: str
    send_at: str | None
    automatic: str
    automatic_day: int
    automatic_from: str | None
    automatic_sends_from: str | None
    mail_capped_until: str | None
    property_count: int
    bill_count: int
    created_at: str
    updated_at: str
    corrections: str = "ask"
    pay_text: str = ""
    pay_holder: str = ""
    pay_iban: str = ""
    pay_bic: str = ""
    pay_routing: str = ""
    pay_number: str = ""
    phone: str = ""
    mail_subject: str = ""
    mail_opening: str = ""
    announce_days: int = 0
    answer_days: int = FIRST_ANSWER_DAYS
    keep_invoices_years: int = FIRST_KEEP_INVOICES_YEARS
    keep_tenants_years: int = 0
    keep_bank_files_days: int = 0
    billing_month_rule: BillingMonthRule = BY_DAYS

    @property
    def contacts(self) -> str:
        """The biller's e-mail address and telephone number, if given, each on a line."""
        return "\n".join(contact for contact in (self.contact, self.phone) if contact)


class Counts(NamedTuple):
    """The number of invoices in each status."""

    draft: int = 0
    sent: int = 0
    paid: int = 0
    overdue: int = 0
    cancelled: int = 0


class MonthCounts(NamedTuple):
    """The number of a month's invoices in each status."""

    month: str
    draft: int
    sent: int
    paid: int
    overdue: int
    cancelled: int


class OwnerRow(NamedTuple):
    """An account with an owner's address, as the command `account list` shows it."""

    id: str
    name: str
    email: str
    property_count: int
    created_at: str


_FIND = returns(AccountRow, select(account).where(account.c.id == bindparam("account_id")))
_LOCK = returns_one(select(account.c.id).where(account.c.id == bindparam("account_id")).with_for_update())
_BY_EMAIL = returns_one(select(member.c.account_id).where(member.c.email == bindparam("email")))
_OWNERS = returns(
    OwnerRow,
    select(*columns_for(OwnerRow, account, member))
    .join(member, member.c.account_id == account.c.id)
    .where(member.c.role == bindparam("role"))
    .order_by(account.c.id),
)
_ALL = returns(AccountRow, select(account).order_by(account.c.id))
_ADD = adds(account)
_COUNT = changes(
    update(account)
    .where(account.c.id == bindparam("account"))
    .values(
        property_count=account.c.property_count + bindparam("properties"),
        bill_count=account.c.bill_count + bindparam("bills"),
    )
)
_MAIL = ("mail_on", "mail_hold", "reminders_before", "reminders_after", "updated_at")
_SAVE_MAIL = saves(account, only=_MAIL)
_SETTINGS = (
    *(
        "name",
        "address",
        "contact",
        "phone",
        "timezone",
        "locale",
        "currency",
        "payment_terms",
        "late_bills",
        "send_at",
    ),
    *("hold_flagged", "shows_bills", "automatic", "automatic_day", "automatic_from", "automatic_sends_from"),
    *("mail_on", "mail_hold", "reminders_before", "reminders_after", "updated_at", "corrections", "carry_credits"),
    *(*PAY_TO, "phone", "mail_subject", "mail_opening", "announce_days", "answer_days"),
    *("keep_invoices_years", "keep_tenants_years", "keep_bank_files_days", "billing_month_rule"),
)
_CAP_MAIL = changes(
    update(account)
    .where(account.c.id == bindparam("account_id"), account.c.mail_capped_until.is_not(None))
    .values(mail_capped_until=bindparam("until"))
)
_SAVE_SETTINGS = saves(account, only=_SETTINGS)
_FIRST_ACCOUNT, _DELETED_ACCOUNT = "first account", "deleted account"
_EVER = returns_one(
    union_all(
        select(account.c.id), select(turn.c.name).where(turn.c.name == literal_column(f"'{_DELETED_ACCOUNT}'"))
    ).limit(literal_column("1"))
)
_ENTER = adds_if_new(turn)
_TAKE_TURN = returns_one(select(turn.c.name).where(turn.c.name == bindparam("name")).with_for_update())
_TALLY = returns(
    Counts,
    select(*columns_for(Counts, tally)).where(
        tally.c.account_id == bindparam("account"),
        tally.c.property_id == bindparam("property"),
        tally.c.month == bindparam("month"),
    ),
)
_TALLIES_BY_MONTH = returns(
    MonthCounts,
    select(*columns_for(MonthCounts, tally))
    .where(tally.c.account_id == bindparam("account"), tally.c.property_id == "", tally.c.month > "")
    .order_by(tally.c.month.desc()),
)
_START_TALLY = adds_if_new(tally)
_ADD_TO_TALLY = changes(
    update(tally)
    .where(
        tally.c.account_id == bindparam("account"),
        tally.c.property_id == bindparam("property"),
        tally.c.month == bindparam("of_month"),
    )
    .values({name: tally.c[name] + bindparam(f"more_{name}") for name in Counts._fields})
)


def find(tx: Tx, account_id: str) -> AccountRow | None:
    """Find the account with this id."""
    return tx.one(_FIND, account_id=account_id)


def find_by_email(tx: Tx, email: str) -> str | None:
    """Find the id of the account whose member has this e-mail address.

    The address is in lower case.
    """
    return tx.one(_BY_EMAIL, email=email)


def all_owners(tx: Tx) -> list[OwnerRow]:
    """List every account with its owner's address.

    This is for the operator's command line only.
    """
    return tx.all(_OWNERS, role="owner")


def everyone(tx: Tx) -> list[AccountRow]:
    """List every account.

    This is for recurring work and `prorata check` only.
    """
    return tx.all(_ALL)


def save_mail(tx: Tx, row: AccountRow) -> None:
    """Save the account's mail settings."""
    tx.run(_SAVE_MAIL, **row_values(account, row, _MAIL))


def cap_mail(tx: Tx, account_id: str, until: str) -> None:
    """Limit a new account's mail until a time, unless a limit was already set."""
    tx.run(_CAP_MAIL, account_id=account_id, until=until)


def save_settings(tx: Tx, row: AccountRow) -> None:
    """Save the account's settings."""
    tx.run(_SAVE_SETTINGS, **row_values(account, row, _SETTINGS))


def add(tx: Tx, row: AccountRow) -> None:
    """Add an account."""
    tx.run(_ADD, **row._asdict())


def was_any(tx: Tx) -> bool:
    """True if any account exists, or existed and was deleted."""
    return tx.one(_EVER) is not None


def note_deleted(tx: Tx) -> None:
    """Record that an account was deleted, so that `was_any` stays true."""
    tx.run(_ENTER, name=_DELETED_ACCOUNT)


def was_any_alone(tx: Tx) -> bool:
    """Return `was_any` under a lock, so that only one caller opens the first account.

    Other callers of this function wait until the transaction ends.
    """
    tx.run(_ENTER, name=_FIRST_ACCOUNT)
    tx.one(_TAKE_TURN, name=_FIRST_ACCOUNT)
    return tx.one(_EVER) is not None


def lock(tx: Tx, account_id: str) -> None:
    """Lock the account until the transaction ends.

    Other transactions that lock the account wait meanwhile. So two transactions can't both find that a record is
    missing and add it.
    """
    tx.one(_LOCK, account_id=account_id)


def count(tx: Tx, account_id: str, *, properties: int = 0, bills: int = 0) -> None:
    """Add `properties` and `bills`, which may be negative, to the account's stored counts.

    The changed counts are written at the end of the transaction.
    """
    sums = tx.at_the_end(account_id, lambda: _Sums(account_id))
    sums.properties += properties
    sums.bills += bills


def invoice_counts(tx: Tx, account_id: str, property_id: str = "", month: str = "") -> Counts:
    """Count the invoices in each status, for a property, a month or the account."""
    return tx.one(_TALLY, account=account_id, property=property_id, month=month) or Counts()


def invoice_counts_by_month(tx: Tx, account_id: str) -> list[MonthCounts]:
    """Count the account's invoices by status and month, newest month first."""
    return tx.all(_TALLIES_BY_MONTH, account=account_id)


def add_to_invoice_counts(tx: Tx, account_id: str, changes_by_month: dict[tuple[str, str], Counts]) -> None:
    """Add changes to the account's stored invoice counts.

    Each change in `changes_by_month` is for a (property, month). It is added to three counts: that of the property,
    that of the month and that of the account. The counts are written at the end of the transaction.
    """
    sums = tx.at_the_end(account_id, lambda: _Sums(account_id))
    for (property_id, month), change in changes_by_month.items():
        for key in ((property_id, ""), ("", month), ("", "")):
            into = sums.invoices.setdefault(key, [0] * len(Counts._fields))
            for at, number in enumerate(change):
                into[at] += number


class _Sums:
    """The changes that one transaction makes to an account's stored counts.

    All functions that write in the transaction add to this object. The changes are written in a fixed order: the
    invoice counts of properties, of months and of the account, then the account's counts of properties and bills.
    """

    def __init__(self, account_id: str) -> None:
        self.account_id = account_id
        self.properties = 0
        self.bills = 0
        self.invoices: dict[tuple[str, str], list[int]] = {}

    def write(self, tx: Tx) -> None:
        """Add the changes to the stored counts."""
        changed = [(key, Counts(*numbers)) for key, numbers in sorted(self.invoices.items(), reverse=True)]
        changed = [(key, numbers) for key, numbers in changed if any(numbers)]
        started = [key for key, numbers in changed if sum(numbers) > 0]
        nothing = {"account_id": self.account_id, **Counts()._asdict()}
        tx.run_many(_START_TALLY, [nothing | {"property_id": key[0], "month": key[1]} for key in started])
        tx.run_many(
            _ADD_TO_TALLY,
            [
                {"account": self.account_id, "property": property_id, "of_month": month}
                | {f"more_{name}": number for name, number in numbers._asdict().items()}
                for (property_id, month), numbers in changed
            ],
        )
        if self.properties or self.bills:
            tx.run(_COUNT, account=self.account_id, properties=self.properties, bills=self.bills)
