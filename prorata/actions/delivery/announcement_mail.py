"""The unsent e-mails that announce rule changes, as the worker sends them."""

from collections.abc import Callable
from typing import NamedTuple

from prorata.actions.recalculation import month_loader
from prorata.domain.billing_calendar import Month
from prorata.domain.delivery.announcement_mail import ANNOUNCEMENT, Announcement, from_json
from prorata.domain.mail.deliveries import ON_ITS_WAY
from prorata.domain.mail_addresses import reply_address
from prorata.domain.splitting.rule_changes import changes_to_come
from prorata.store.accounts import accounts
from prorata.store.accounts.accounts import AccountRow
from prorata.store.database.engine import Tx
from prorata.store.delivery import rule_announcements as stored
from prorata.store.mail import messages as mail
from prorata.store.mail.messages import MailRow
from prorata.store.properties import properties
from prorata.store.properties.properties import PropertyRow


class OutgoingAnnouncement(NamedTuple):
    """An e-mail to send with the announcement of a rule change.

    `message` contains the e-mail's bytes once they are written.
    """

    mail: MailRow
    announcement: Announcement
    message: bytes | None


def outgoing(tx: Tx, account_id: str, mail_id: str, stands: Callable[[bytes], bool]) -> OutgoingAnnouncement | None:
    """Load an unsent e-mail with the announcement of a rule change.

    `stands` is a function that returns True if the bytes written for an earlier try can still be sent; otherwise, the
    result contains no bytes. Return None for any other message, and if the rule change will not happen as announced.
    """
    row, account = mail.find(tx, account_id, mail_id), accounts.find(tx, account_id)
    if row is None or account is None or row.kind != ANNOUNCEMENT or row.state not in ON_ITS_WAY or not account.mail_on:
        return None
    kept = stored.find(tx, account_id, row.occasion)
    of_kept = properties.find(tx, account_id, kept.property_id) if kept else None
    if kept is None or of_kept is None or not _stands(tx, account, of_kept, kept.mark):
        return None
    announcement = Announcement(
        row.id, account.locale, row.to_address, row.to_name, tx.moment, account.name, reply_address(account.contact),
        from_json(kept.told),
    )  # fmt: skip
    message = mail.message(tx, account_id, mail_id)
    return OutgoingAnnouncement(row, announcement, message if message is not None and stands(message) else None)


def _stands(tx: Tx, account: AccountRow, row: PropertyRow, mark: str) -> bool:
    """True if the rule change with this fingerprint still applies as it was announced.

    This is also true of a change that has begun meanwhile.
    """
    facts = month_loader.load(tx, account.id, [row])[row.id]
    return any(one.mark == mark for one in changes_to_come(facts.rules, Month("")))
