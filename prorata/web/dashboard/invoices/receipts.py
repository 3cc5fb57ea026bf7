"""Receipts that are e-mailed to tenants when a person records their payments."""

from collections.abc import Sequence
from typing import Any

from prorata.actions.accounts import accounts as account_actions
from prorata.actions.delivery import receipts, send_schedule
from prorata.actions.delivery.receipts import Paid
from prorata.domain.delivery.receipts import going_out
from prorata.domain.printing.printed_letters import PrintedLetter
from prorata.domain.texts import Text, joined
from prorata.ports.mail import InvoiceMail
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, Download


def with_receipts(ask: Ask[Any, Any], done: Text, paid: Sequence[Paid]) -> Text:
    """Queue the receipts for recorded payments, and add their number to a message.

    `done` is the message about the payments. If no receipt is sent, it is returned unchanged.
    """
    number = receipts.queue(ask.tx, ask.caller.account_id, paid)
    if not number:
        return done
    account = account_actions.the_account(ask.tx, ask.caller)
    leaving = send_schedule.of_account(ask.tx, account, ask.outside.mail_held, queued=number)
    return joined([done, going_out(number, leaving, ask.write)])


async def printed_receipt(steps: Steps, mail: InvoiceMail) -> Download:
    """Print the receipt of a payment as a letter, in PDF."""
    letter = PrintedLetter(mail.invoice, steps.outside.letter(mail), mail.at.date())
    content = await steps.pools.print(lambda: steps.outside.printer(letter))
    return Download(f"{letter.letter.subject}.pdf", "application/pdf", content, to_look_at=True)
