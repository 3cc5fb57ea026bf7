"""Request and response schemas for an account's settings, with the settings' API names."""

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from prorata.domain.accounts.settings import LAST_AUTOMATIC_DAY, LOCALES, BillingMonthRule
from prorata.domain.limits import (
    LONGEST_ANNOUNCE_DAYS,
    LONGEST_ANSWER_DAYS,
    LONGEST_BILLER_ADDRESS,
    LONGEST_BILLER_PHONE,
    LONGEST_KEEP_DAYS,
    LONGEST_KEEP_YEARS,
    LONGEST_MAIL_HOLD,
    LONGEST_MAIL_OPENING,
    LONGEST_MAIL_SUBJECT,
    LONGEST_PAY_TEXT,
    LONGEST_PAYEE,
    LONGEST_PAYMENT_TERMS,
    LONGEST_PERSON_NAME,
    MOST_REMINDER_DAYS,
    MOST_REMINDERS,
)
from prorata.domain.months.runs import Automatic
from prorata.web.http.fields import Email, line, text
from prorata.web.http.request_schemas import Body, CurrencyCode
from prorata.web.http.response_schemas import Answer, Timestamp
from prorata.web.http.sent_files import FileSent

LateBills = Literal["ask", "nextOpenMonth"]
Corrections = Literal["ask", "automatic"]
COLUMNS = {
    "time_zone": "timezone",
    "email": "contact",
    "days_to_pay": "payment_terms",
    "sends_mail": "mail_on",
    "mail_hold_minutes": "mail_hold",
    "reminder_days_before": "reminders_before",
    "reminder_days_after": "reminders_after",
    "pay_routing_number": "pay_routing",
    "pay_account_number": "pay_number",
}
"""The database column of each setting whose API name is different, by API name."""

_SEND_AT = "The time of day at which e-mails are sent, such as 09:30; null: immediately."
_KEEP_INVOICES = "How many years to keep what was sent to a tenant after the tenant is erased."
_KEEP_TENANTS = "Tenants are erased automatically this many years after their last day; 0: never."
_KEEP_BANK_FILES = "Bank files are deleted this many days after being marked as done; 0: never."
_SENDS = "False: no e-mails are sent, and you hand over whatever is due."
_HOLD = "How many minutes e-mails wait before they are sent; until then they can be taken back."
_BEFORE, _AFTER = (
    "Reminders, as numbers of days before the due date.",
    "Reminders, as numbers of days after the due date.",
)
_BILLED_BY = "The billing month of a bill without one of its own: that of most service days, service end or bill date."
_LATE = "What happens to a bill that arrives after its month was sent: it waits, or moves to the next open month."
_CORRECTS = "What happens to a correction of a sent month: it waits, or is added to the next invoices automatically."
_ANNOUNCE = "Tenants are told of a new rule this many days before it takes effect; 0: not automatically."
_HOLDS = "Whether a flagged bill is held until its flags are accepted."
_SHOWS = "Whether tenants may see the bills on which their invoices are based."
_CARRIES = "Whether a credit on one invoice is deducted from what the household owes on others."
_AUTOMATIC = "What happens automatically to complete months, on `automaticDay` of the following month."
_COLOR = "The color used in what tenants receive, such as #0f766e; null: Prorata's own."
_WORDS = "Your own wording for the e-mail that accompanies an invoice; null: the standard wording."


def _written(pattern: str, must: str) -> Meta:
    """Build a schema constraint: a string must match a regular expression from beginning to end."""
    way = re.compile(pattern, re.ASCII)

    def read(value: str) -> str:
        if not way.fullmatch(value):
            raise ValueError
        return value

    return Meta(extra_json_schema={"pattern": f"^(?:{pattern})$"}, extra={"must": must, "read": read})


_LOCALES = [locale for locale, _ in LOCALES]
LocaleSent = Annotated[str, _written("|".join(_LOCALES), f"must be one of {', '.join(_LOCALES)}")]
TimeOfDay = Annotated[
    str, _written("(?:[01][0-9]|2[0-3]):[0-5][0-9]", "must be a time of day from 00:00 to 23:59, such as 09:30")
]


class Account(Answer):
    """The landlord or firm whose records a key can access."""

    id: str
    name: str
    time_zone: Annotated[
        str, Meta(description="The time zone that determines when a day begins, such as America/Chicago.")
    ]
    locale: Annotated[str, Meta(description="The locale in which invoices are written, such as en-US.")]
    currency: Annotated[
        str, Meta(description="The currency of properties in countries whose own currency has no cents.")
    ]
    address: str | None
    email: Annotated[str | None, Meta(description="Where tenants' questions are sent.")]
    phone: str | None
    pay_text: Annotated[str | None, Meta(description="How tenants can pay, in your own words.")]
    pay_holder: Annotated[str | None, Meta(description="The bank account holder's name.")]
    pay_iban: str | None
    pay_bic: str | None
    pay_routing_number: str | None
    pay_account_number: str | None
    days_to_pay: Annotated[int, Meta(description="The number of days from the day an invoice is sent to its due date.")]
    answer_days: Annotated[int, Meta(description="The number of days within which disputes must be answered.")]
    keep_invoices_years: Annotated[int, Meta(description=_KEEP_INVOICES)]
    keep_tenants_years: Annotated[int, Meta(description=_KEEP_TENANTS)]
    keep_bank_files_days: Annotated[int, Meta(description=_KEEP_BANK_FILES)]
    sends_mail: Annotated[bool, Meta(description=_SENDS)]
    mail_hold_minutes: Annotated[int, Meta(description=_HOLD)]
    send_at: Annotated[str | None, Meta(description=_SEND_AT)]
    reminder_days_before: Annotated[list[int], Meta(description=_BEFORE)]
    reminder_days_after: Annotated[list[int], Meta(description=_AFTER)]
    mail_subject: Annotated[str | None, Meta(description=_WORDS)]
    mail_opening: Annotated[str | None, Meta(description=_WORDS)]
    billing_month_rule: Annotated[BillingMonthRule, Meta(description=_BILLED_BY)]
    late_bills: Annotated[LateBills, Meta(description=_LATE)]
    corrections: Annotated[Corrections, Meta(description=_CORRECTS)]
    announce_days: Annotated[int, Meta(description=_ANNOUNCE)]
    hold_flagged: Annotated[bool, Meta(description=_HOLDS)]
    shows_bills: Annotated[bool, Meta(description=_SHOWS)]
    carry_credits: Annotated[bool, Meta(description=_CARRIES)]
    automatic: Annotated[Automatic, Meta(description=_AUTOMATIC)]
    automatic_day: int
    color: Annotated[str | None, Meta(description=_COLOR)]
    has_logo: bool
    created_at: Timestamp
    updated_at: Timestamp


class LogoUpload(Body):
    """A picture to use as the logo."""

    file: FileSent


class AccountChange(Body):
    """Account settings to change; null clears a setting, if the setting may be empty."""

    name: Annotated[str, line(LONGEST_PERSON_NAME)] | UnsetType = UNSET
    time_zone: Annotated[str, line(64), Meta(description="The name of an IANA time zone.")] | UnsetType = UNSET
    locale: Annotated[LocaleSent, Meta(description="A language and a country, such as de-AT.")] | UnsetType = UNSET
    currency: CurrencyCode | UnsetType = UNSET
    address: Annotated[str, text(LONGEST_BILLER_ADDRESS)] | UnsetType | None = UNSET
    email: Email | UnsetType | None = UNSET
    phone: Annotated[str, line(LONGEST_BILLER_PHONE)] | UnsetType | None = UNSET
    pay_text: Annotated[str, text(LONGEST_PAY_TEXT)] | UnsetType | None = UNSET
    pay_holder: Annotated[str, line(LONGEST_PAYEE)] | UnsetType | None = UNSET
    pay_iban: Annotated[str, line(64)] | UnsetType | None = UNSET
    pay_bic: Annotated[str, line(32)] | UnsetType | None = UNSET
    pay_routing_number: Annotated[str, line(32)] | UnsetType | None = UNSET
    pay_account_number: Annotated[str, line(32)] | UnsetType | None = UNSET
    days_to_pay: Annotated[int, Meta(ge=0, le=LONGEST_PAYMENT_TERMS)] | UnsetType = UNSET
    answer_days: Annotated[int, Meta(ge=1, le=LONGEST_ANSWER_DAYS)] | UnsetType = UNSET
    keep_invoices_years: Annotated[int, Meta(ge=1, le=LONGEST_KEEP_YEARS, description=_KEEP_INVOICES)] | UnsetType = (
        UNSET
    )
    keep_tenants_years: Annotated[int, Meta(ge=0, le=LONGEST_KEEP_YEARS, description=_KEEP_TENANTS)] | UnsetType = UNSET
    keep_bank_files_days: Annotated[int, Meta(ge=0, le=LONGEST_KEEP_DAYS, description=_KEEP_BANK_FILES)] | UnsetType = (
        UNSET
    )
    sends_mail: Annotated[bool, Meta(description=_SENDS)] | UnsetType = UNSET
    mail_hold_minutes: Annotated[int, Meta(ge=0, le=LONGEST_MAIL_HOLD, description=_HOLD)] | UnsetType = UNSET
    send_at: Annotated[TimeOfDay, Meta(description=_SEND_AT)] | UnsetType | None = UNSET
    reminder_days_before: (
        Annotated[
            list[Annotated[int, Meta(ge=0, le=MOST_REMINDER_DAYS)]],
            Meta(max_length=MOST_REMINDERS, description=_BEFORE),
        ]
        | UnsetType
    ) = UNSET
    reminder_days_after: (
        Annotated[
            list[Annotated[int, Meta(ge=1, le=MOST_REMINDER_DAYS)]], Meta(max_length=MOST_REMINDERS, description=_AFTER)
        ]
        | UnsetType
    ) = UNSET
    mail_subject: Annotated[str, line(LONGEST_MAIL_SUBJECT), Meta(description=_WORDS)] | UnsetType | None = UNSET
    mail_opening: Annotated[str, text(LONGEST_MAIL_OPENING), Meta(description=_WORDS)] | UnsetType | None = UNSET
    billing_month_rule: Annotated[BillingMonthRule, Meta(description=_BILLED_BY)] | UnsetType = UNSET
    late_bills: LateBills | UnsetType = UNSET
    corrections: Corrections | UnsetType = UNSET
    announce_days: Annotated[int, Meta(ge=0, le=LONGEST_ANNOUNCE_DAYS, description=_ANNOUNCE)] | UnsetType = UNSET
    hold_flagged: Annotated[bool, Meta(description=_HOLDS)] | UnsetType = UNSET
    shows_bills: Annotated[bool, Meta(description=_SHOWS)] | UnsetType = UNSET
    carry_credits: Annotated[bool, Meta(description=_CARRIES)] | UnsetType = UNSET
    automatic: Automatic | UnsetType = UNSET
    automatic_day: Annotated[int, Meta(ge=1, le=LAST_AUTOMATIC_DAY)] | UnsetType = UNSET
    color: Annotated[str, line(20), Meta(description=_COLOR)] | UnsetType | None = UNSET
