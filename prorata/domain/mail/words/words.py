"""The words of one language for messages.

Those about an invoice may contain `{month}`, `{place}`, `{amount}`, `{due}`, `{biller}` and `{contact}`; those
about an account, `{account}` and `{inviter}`.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """The words of one language, with amounts, dates and months formatted in it."""

    language: str

    hello: str
    """With `{name}`."""
    hello_nobody: str

    subject_invoice: str
    subject_again: str
    subject_before_due: str
    subject_due_today: str
    subject_overdue: str
    subject_receipt: str

    invoice_due: str
    invoice_credit: str
    invoice_nothing: str
    before_due: str
    due_today: str
    overdue: str
    again: str
    """Below what an invoice says first, when it was sent before."""
    receipt: str
    """With `{received}`; one of the next three follows."""
    received: Mapping[str, str]
    """What `{received}` says of each method of payment, with `{amount}` and `{day}`; OTHER says none."""
    receipt_all: str
    receipt_rest: str
    receipt_credit: str
    already_paid: str
    """In whatever asks for money a second time."""

    number: str
    property: str
    unit: str
    month: str
    to_pay: str
    credit: str
    due: str

    pay: str
    """On the button that leads to the payment."""
    how_to_pay: str
    """With `{contact}`, where there is no such button."""
    how_to_pay_ask: str
    """The same without a contact."""
    see_online: str
    """On the link to the page of the invoice."""
    attached: str
    ask_by_reply: str
    ask_contact: str
    ask_biller: str
    regards: str
    note: str

    subject_verify: str
    subject_reset: str
    subject_invite: str
    verify: str
    """Without any text that somebody entered, as `reset`: they go to addresses that need not be known to be theirs."""
    reset: str
    invite: str
    """With `{inviter}`."""
    invite_nobody: str
    open_verify: str
    """On the buttons that lead to the one-time links."""
    open_reset: str
    open_invite: str
    link_once: str
    """With `{time}`: for how long, as one of the next two has it."""
    hour: str
    days: str
    """With `{number}`."""
    not_asked: str
    not_asked_reset: str
    subject_login: str
    subject_factor_on: str
    subject_factor_off: str
    subject_codes: str
    subject_address: str
    login_changed: str
    """What has changed, as the next two. They go to addresses that are known to be their owner's."""
    factor_on: str
    factor_off: str
    wrong_codes: str
    address_changed: str
    """To the address of before."""
    was_you: str
    not_you_login: str
    """What to do at once where it was somebody else: about the password,"""
    not_you_factor: str
    """and about the second factor, which takes the password,"""
    not_you_address: str
    """and about the address, which takes the password and leads where no new one can be asked for."""
    subject_webhook_off: str
    webhook_off: str
    turn_webhook_on: str
    account_note: str
