"""The fixed words of a printed invoice, in any language."""

from collections.abc import Mapping
from typing import NamedTuple

from prorata.domain.method_words import Printed


class Texts(NamedTuple):
    """The words of printed invoices in one language.

    `methods` has the words for each split method, `utilities` for each utility type, `area` for each unit of area, and
    `billed_here` for each relation of a bill with days of other months to the invoice's month
    (`billed_months.Relation`), with the word between the names of months. The first of `people` and of `days` is the
    singular. `carried` are the words for a credit from another invoice and for a credit to another invoice, and `paid`
    the words for payments and for what was paid back. `balance` has the words for the balance, the disputed part of it,
    the amount to pay now, and the amount that other invoices request.
    """

    invoice: tuple[str, str]
    """The heading of an invoice, and that of a final invoice; so for `corrected`."""
    corrected: tuple[str, str]
    replaces: str
    what_changed: str
    replaced_by: str
    changed: str
    small_names: bool
    """True if names of utilities begin with a lowercase letter within a sentence."""
    colon: str
    """The colon between a name and what is said of it, with its spaces."""
    number: str
    date: str
    billed_to: tuple[str, str]
    """The labels of the addressee, and of all who share the invoice."""
    place: str
    unit: str
    period: str
    nobody: str
    draft: str
    cancelled: str
    not_yet_due: str
    total_so_far: str
    amount_due: str
    due_by: str
    overdue: str
    was_due: str
    paid_in_full: str
    paid_on: str
    nothing_due: str
    credit: str
    no_payment: str
    withdrawn: str
    received: str
    owners_cost: str
    vacant: str
    charges: str
    how_it_came: str
    your_part: str
    bill: str
    part_of_bill: str
    days_of_bill: str
    bill_alone: str
    billed_here: Mapping[str, str]
    correction: str
    was_charged: str
    charged_first: str
    charged_again: str
    usage: tuple[str, str, str]
    of_billed: str
    part_then: tuple[str, str, str]
    only_before: str
    applies_too: str
    guessed: str
    methods: Mapping[str, Printed]
    area: Mapping[str, str]
    nobody_has: str
    assumed: str
    assumed_here: str
    by_days: str
    in_days: str
    your_days: str
    days_here: str
    person_days_here: str
    people: tuple[str, str]
    days: tuple[str, str]
    moving_day: str
    no_days_here: str
    percent_first: str
    cent_more: str
    cent_less: str
    owner: str
    owner_too: str
    total: str
    carried: tuple[str, str]
    paid: tuple[str, str]
    balance: tuple[str, str, str, str]
    how_to_pay: str
    pay_online: str
    pay_code: str
    pay_biller: str
    pay_ask: str
    pay_otherwise: str
    pay_transfer: str
    pay_holder: str
    pay_iban: str
    pay_bic: str
    pay_routing: str
    pay_number: str
    pay_reference: str
    pay_app: str
    pay_scan: str
    wrong: str
    wrong_ask: str
    page: str
    utilities: Mapping[str, str]


def within(name: str, texts: Texts) -> str:
    """Return a printed term as written within a sentence, in lowercase in most languages."""
    return name[:1].lower() + name[1:] if texts.small_names else name
