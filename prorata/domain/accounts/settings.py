"""The settings of an account, which its owner chooses, with allowed values and error messages."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args
from zoneinfo import available_timezones

from prorata.domain.accounts.own_words import OPENING_RULE, SUBJECT_RULE, is_opening, is_subject
from prorata.domain.accounts.reminder_plan import is_plan
from prorata.domain.callers import name_problem
from prorata.domain.countries import COUNTRIES
from prorata.domain.limits import (
    LONGEST_ANNOUNCE_DAYS,
    LONGEST_ANSWER_DAYS,
    LONGEST_BILLER_ADDRESS,
    LONGEST_BILLER_PHONE,
    LONGEST_KEEP_DAYS,
    LONGEST_KEEP_YEARS,
    LONGEST_MAIL_HOLD,
    LONGEST_PAYMENT_TERMS,
    LONGEST_PERSON_NAME,
    MOST_BILLER_ADDRESS_LINES,
    MOST_REMINDER_DAYS,
    MOST_REMINDERS,
)
from prorata.domain.mail_addresses import address_or_none
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, Text, say

ASK, BY_ITSELF = LATE_BILLS = ("ask", "next open month")
"""The settings for a bill that arrives after its month was sent.

The bill waits for a person, or goes to the next open month automatically.
"""
WAIT, PLACE = CORRECTIONS = ("ask", "automatic")
"""The settings for a correction of a month that was sent.

The correction waits for a person, or goes onto the next invoice automatically.
"""
BillingMonthRule = Literal["MOST_DAYS", "SERVICE_END", "BILL_DATE"]
BY_DAYS, BY_END, BY_DATE = BILLING_MONTH_RULES = get_args(BillingMonthRule)
"""The rules for the billing month of a bill if no person chose the month.

The billing month is the one with the most service days, the one in which the service ends, or that of the bill date.
"""
BILLING_MONTH_RULE_NAMES = {
    BY_DAYS: say("the month with most of its service days"),
    BY_END: say("the month in which its service ends"),
    BY_DATE: say("the month of its bill date"),
}
OFF, PROPOSE, SEND = AUTOMATIC = ("off", "propose", "send")
"""The settings for complete months: no automatic action, a proposal, or sending."""
FIRST_AUTOMATIC_DAY, LAST_AUTOMATIC_DAY = 5, 28
"""The default and the latest day of the next month for the month run.

Every month has a 28th.
"""
MINOR_DIGITS = 2
LOCALES = (
    ("en-US", "English (United States)"),
    ("en-CA", "English (Canada)"),
    ("en-GB", "English (United Kingdom)"),
    ("en-IE", "English (Ireland)"),
    ("en-AU", "English (Australia)"),
    ("de-DE", "Deutsch (Deutschland)"),
    ("de-AT", "Deutsch (Österreich)"),
    ("es-ES", "Español (España)"),
    ("es-MX", "Español (México)"),
    ("fr-FR", "Français (France)"),
    ("fr-CA", "Français (Canada)"),
)
"""The languages, with regional formats, that an account can choose."""
ZONES = {
    "en-US": "America/New_York",
    "en-CA": "America/Toronto",
    "en-GB": "Europe/London",
    "en-IE": "Europe/Dublin",
    "en-AU": "Australia/Sydney",
    "de-DE": "Europe/Berlin",
    "de-AT": "Europe/Vienna",
    "es-ES": "Europe/Madrid",
    "es-MX": "America/Mexico_City",
    "fr-FR": "Europe/Paris",
    "fr-CA": "America/Toronto",
}
"""The time zone proposed for each locale."""
_LOCALE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?", re.ASCII)
_TIME_OF_DAY = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)


FIRST_ANSWER_DAYS = 14
"""The default number of days within which disputes must be answered."""
FIRST_KEEP_INVOICES_YEARS = 10
"""The default number of years for which invoices of erased tenants are kept."""
FIRST_MAIL_HOLD = 5
"""The default number of minutes that a new account's e-mails wait before they leave.

During this time, a person can withdraw them.
"""


_WAITS = say("waits until you decide which invoices charge it")


def late_in_words(late_bills: str) -> Text:
    """Describe what happens to a bill that arrives after its month was sent.

    `late_bills` is the account's setting, `ASK` or `BY_ITSELF`. The result is the rest of a sentence that starts
    with "The bill".

    >>> late_in_words(ASK), late_in_words(BY_ITSELF)
    ('waits until you decide which invoices charge it', 'goes onto the invoices of the next open month')
    """
    return say("goes onto the invoices of the next open month") if late_bills == BY_ITSELF else _WAITS


@cache
def currencies() -> tuple[str, ...]:
    """Return the currency codes an account can choose."""
    return tuple(sorted({each.currency for each in COUNTRIES.values() if each.minor_digits == MINOR_DIGITS}))


@cache
def timezones() -> tuple[str, ...]:
    """Return the time zones an account can choose."""
    return tuple(sorted(available_timezones() - {"localtime", "posixrules", "Factory"}))


def likely_locale(languages: str, offered: Sequence[str]) -> str:
    """Pick the offered locale that best matches a browser's `Accept-Language`.

    For each language that the browser prefers, a locale with the same language and country is chosen, or else the
    first one with the same language. If none matches, the first offered locale is chosen.

    >>> likely_locale("de-CH,fr-FR;q=0.8", ["en-US", "fr-FR", "de-DE"]), likely_locale("", ["en-US", "de-DE"])
    ('de-DE', 'en-US')
    """
    wanted = [tag_text.partition(";")[0].strip().lower() for tag_text in languages.split(",")]
    for tag in wanted:
        exact = [locale for locale in offered if locale.lower() == tag]
        alike = [locale for locale in offered if locale.lower().partition("-")[0] == tag.partition("-")[0]]
        if exact or alike:
            return (exact or alike)[0]
    return offered[0]


def likely_currency(locale: str, otherwise: str) -> str:
    """Return the currency of a locale's country, or `otherwise` if accounts can't use that currency.

    >>> likely_currency("de-AT", "USD"), likely_currency("ja-JP", "USD")
    ('EUR', 'USD')
    """
    country = COUNTRIES.get(locale.rpartition("-")[2])
    return country.currency if country and country.currency in currencies() else otherwise


def _is_text(value: str, most: int, lines: int) -> bool:
    text_lines = value.splitlines()
    return len(value) <= most and len(text_lines) <= lines and all(line.isprintable() for line in text_lines)


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (
        lambda value: name_problem(value) is None,
        say("Enter a name of 1 to {most} characters.", most=LONGEST_PERSON_NAME),
    ),
    "address": (
        lambda value: _is_text(value, LONGEST_BILLER_ADDRESS, MOST_BILLER_ADDRESS_LINES),
        say(
            "Enter an address of at most {lines} lines and {most} characters.",
            lines=MOST_BILLER_ADDRESS_LINES,
            most=LONGEST_BILLER_ADDRESS,
        ),
    ),
    "contact": (
        lambda value: value == "" or address_or_none(value) is not None,
        say("Enter one e-mail address, such as name@example.com. Telephone numbers have a separate field."),
    ),
    "phone": (
        lambda value: _is_text(value, LONGEST_BILLER_PHONE, 1) and "@" not in value,
        say(
            "Enter a telephone number of at most {most} characters.",
            most=LONGEST_BILLER_PHONE,
        ),
    ),
    "timezone": (lambda value: value in timezones(), say("Choose a time zone from the list, such as America/Chicago.")),
    "locale": (
        lambda value: _LOCALE.fullmatch(value) is not None,
        say("Choose a language and a country, such as en-US."),
    ),
    "currency": (
        lambda value: value in currencies(),
        say("Choose a currency with two decimal places by its code, such as USD."),
    ),
    "mail_subject": (is_subject, SUBJECT_RULE),
    "mail_opening": (is_opening, OPENING_RULE),
    "payment_terms": (
        lambda value: 0 <= value <= LONGEST_PAYMENT_TERMS,
        say("Enter 0 to {most} days.", most=LONGEST_PAYMENT_TERMS),
    ),
    "answer_days": (
        lambda value: 1 <= value <= LONGEST_ANSWER_DAYS,
        say("Enter 1 to {most} days.", most=LONGEST_ANSWER_DAYS),
    ),
    "keep_invoices_years": (
        lambda value: 1 <= value <= LONGEST_KEEP_YEARS,
        say("Enter 1 to {most} years.", most=LONGEST_KEEP_YEARS),
    ),
    "keep_tenants_years": (
        lambda value: 0 <= value <= LONGEST_KEEP_YEARS,
        say("Enter 0 to {most} years.", most=LONGEST_KEEP_YEARS),
    ),
    "keep_bank_files_days": (
        lambda value: 0 <= value <= LONGEST_KEEP_DAYS,
        say("Enter 0 to {most} days.", most=Count(LONGEST_KEEP_DAYS)),
    ),
    "send_at": (
        lambda value: value == "" or _TIME_OF_DAY.fullmatch(value) is not None,
        say("Enter a time of day from 00:00 to 23:59, such as 09:30, or leave it empty to send at once."),
    ),
    "mail_hold": (
        lambda value: 0 <= value <= LONGEST_MAIL_HOLD,
        say("Enter 0 to {most} minutes.", most=Count(LONGEST_MAIL_HOLD)),
    ),
    "reminders_before": (
        lambda value: is_plan(before=value),
        say(
            "Enter at most {number} numbers of days with commas between them, each from 0 to {most}, such as 3, 0.",
            number=MOST_REMINDERS,
            most=MOST_REMINDER_DAYS,
        ),
    ),
    "reminders_after": (
        lambda value: is_plan(after=value),
        say(
            "Enter at most {number} numbers of days with commas between them, each from 1 to {most}, such as 7, 14.",
            number=MOST_REMINDERS,
            most=MOST_REMINDER_DAYS,
        ),
    ),
    "announce_days": (
        lambda value: 0 <= value <= LONGEST_ANNOUNCE_DAYS,
        say("Enter 0 to {most} days.", most=LONGEST_ANNOUNCE_DAYS),
    ),
    "automatic": (
        lambda value: value in AUTOMATIC,
        say("Choose one of the following: {names}.", names=", ".join(AUTOMATIC)),
    ),
    "automatic_day": (
        lambda value: 1 <= value <= LAST_AUTOMATIC_DAY,
        say("Enter a day that every month has, from 1 to {last}.", last=LAST_AUTOMATIC_DAY),
    ),
    "corrections": (
        lambda value: value in CORRECTIONS,
        say("Choose one of the following: {names}.", names=", ".join(CORRECTIONS)),
    ),
    "billing_month_rule": (
        lambda value: value in BILLING_MONTH_RULES,
        say("Choose one of the following: {names}.", names=", ".join(BILLING_MONTH_RULES)),
    ),
    "late_bills": (
        lambda value: value in LATE_BILLS,
        say("Choose one of the following: {names}.", names=", ".join(LATE_BILLS)),
    ),
}
"""The check of each setting's value, with the message for an invalid value."""


def settings_problems(wishes: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield all problems of the given settings.

    A setting that is missing or None stays unchanged, so it has no problem.

    >>> [problem.field for problem in settings_problems({"timezone": "Mars", "send_at": "9:30", "name": None})]
    ['timezone', 'send_at']
    """
    for name, value in wishes.items():
        is_right, message = _CHECKS.get(name, (lambda _value: True, ""))
        if value is not None and not is_right(value):
            yield Problem(name, message)
