"""The words of one language for messages.

The texts about an invoice may contain `{invoice}`, `{month}`, `{place}`, `{amount}`, `{due}`, `{biller}` and
`{contact}`; the texts about an account may contain `{account}` and `{inviter}`.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """The words of one language; amounts, dates and months are formatted in that language."""

    language: str

    hello: str
    """The greeting with a `{name}`."""
    hello_nobody: str

    invoice: tuple[str, str]
    """The `{invoice}` in a sentence, and a final one."""
    subject_invoice: str
    subject_again: str
    subject_before_due: str
    subject_due_today: str
    subject_overdue: str
    subject_receipt: str

    invoice_due: str
    invoice_here: str
    """The opening for an invoice with a credit, which is then described."""
    invoice_nothing: str
    before_due: str
    due_today: str
    overdue: str
    again: str
    """The sentence, below an invoice's opening, if it was sent before."""
    receipt: str
    """The receipt's opening with `{received}`.

    A `receipt_…` text, or a text about the use of a credit, follows this opening.
    """
    received: Mapping[str, str]
    """The texts for `{received}` by method of payment, with `{amount}` and `{day}`; OTHER names no method."""
    receipt_refunded: str
    """The sentence about a refund after the payment, with `{amount}` and `{day}`."""
    receipt_extra: str
    """The sentence that the invoice had been paid before this payment."""
    receipt_then: str
    """The sentence about what was open after this payment, if more has been paid since."""
    receipt_all: str
    receipt_rest: str
    correction: str
    """The sentence about the correction of one month, with `{months}`; `corrections` is about several months."""
    corrections: str
    correction_of: str
    """A corrected `{month}` and the sum of its corrections, for `{months}`."""
    already_paid: str
    """The sentence in any message that repeats a request for money."""

    number: str
    property: str
    unit: str
    month: str
    reference: str
    """The label of a payment's reference, such as a check's number."""
    to_pay: str
    credit: str
    due: str

    pay: str
    """The label of the button that leads to the payment."""
    how_to_pay: str
    """The sentence with `{contact}` for messages without a payment button."""
    how_to_pay_ask: str
    """The sentence for messages with neither a payment button nor a contact."""
    see_online: str
    """The label of the link to the invoice's page."""
    attached: str
    receipt_attached: str
    ask_by_reply: str
    ask_contact: str
    ask_biller: str
    regards: str
    note: str

    subject_verify: str
    subject_reset: str
    subject_invite: str
    verify: str
    """The text that confirms an address, without any text that somebody entered.

    The same applies to `reset`, because both go to addresses that may belong to strangers.
    """
    reset: str
    invite: str
    """The text of an invitation, with `{inviter}`."""
    invite_nobody: str
    open_verify: str
    """The labels of the buttons that lead to the one-time links."""
    open_reset: str
    open_invite: str
    link_once: str
    """The sentence about a link's lifetime, `{time}`, which is written as `hour` or `days`."""
    hour: str
    days: str
    """The words for a link's lifetime of `{number}` days."""
    not_asked: str
    not_asked_reset: str
    subject_login: str
    subject_factor_on: str
    subject_factor_off: str
    subject_codes: str
    subject_address: str
    login_changed: str
    """The sentence that the password was changed.

    Like `factor_on` and `factor_off`, it is sent to an address that is known to belong to its owner.
    """
    factor_on: str
    factor_off: str
    wrong_codes: str
    address_changed: str
    """The sentence, sent to a member's former address, that another address replaced it."""
    was_you: str
    not_you_login: str
    """The advice about the password if somebody else made the change."""
    not_you_factor: str
    """The advice if somebody else changed the second factor, which requires the password."""
    not_you_address: str
    """The advice if somebody else changed the address, which requires the password.

    A new password can't be requested at the former address.
    """
    subject_webhook_off: str
    webhook_off: str
    turn_webhook_on: str
    account_note: str
