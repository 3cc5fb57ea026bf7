"""The setup of incoming mail: the receiver and the polled mailbox."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from prorata.adapters.inbound_mail.imap_mailbox import ImapMailbox
from prorata.adapters.inbound_mail.imap_url import read_imap_url
from prorata.adapters.inbound_mail.inbound_settings import base_address, read_inbound, try_to_listen
from prorata.adapters.inbound_mail.inbound_tls import receiver_tls
from prorata.adapters.inbound_mail.mail_receiver import MailReceiver
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.mail.smtp_url import sender_address
from prorata.ports import Window
from prorata.settings import Settings
from prorata.store.database.engine import Database
from prorata.worker.incoming_mail import Intake
from prorata.worker.mailbox import Poller

_POLLED = (Window("hour", 500, 3_600),)
"""The rate limit on messages of the polled mailbox for each account.

Further messages for the account stay unseen in the mailbox until the limit allows more.
"""


def prepare(settings: Settings) -> None:
    """Check that mail can be received, if that is set up.

    Raises `SettingsError` if the settings are bad, or if the receiver can't listen at its address.
    """
    base_address(settings)
    receiver_tls(settings)
    if settings.inbound_smtp:
        try_to_listen(read_inbound(settings.inbound_smtp))
    if settings.imap_url:
        ImapMailbox(read_imap_url(settings.imap_url))


@contextmanager
def receiving(settings: Settings, database: Database, stop: threading.Event) -> Iterator[None]:
    """Receive mail for the accounts of a database until the block ends.

    The mail receiver and the polled mailbox are used if they are set up. The mailbox is polled until `stop` is set.
    """
    base = base_address(settings)
    limiter = MemoryLimiter()
    intake = Intake(
        database,
        str(sender_address(settings)),
        lambda account_id: limiter.count(account_id, _POLLED).admitted,
        base,
    )
    if settings.imap_url is not None:
        Poller(ImapMailbox(read_imap_url(settings.imap_url)).poll, intake.take_from_mailbox).start(stop)
    receiver = None
    if settings.inbound_smtp is not None and base is not None:
        where, tls = read_inbound(settings.inbound_smtp), receiver_tls(settings)
        receiver = MailReceiver(where, base.domain, intake, tls=tls)
        receiver.start()
    try:
        yield
    finally:
        if receiver is not None:
            receiver.stop()
