"""A process that receives mail, for tests to kill.

Run it with `python -m tests.stories.killable_receiver URL PORT`.
"""

import os
import sys
import threading
from pathlib import Path

from prorata import wiring
from prorata.adapters.inbound_mail.inbound_settings import Listening
from prorata.adapters.inbound_mail.mail_receiver import MailReceiver
from prorata.adapters.inbound_mail.smtp_quota import Limits
from prorata.adapters.logs import start_logging
from prorata.ports import Window
from prorata.settings import read_settings
from prorata.worker.incoming_mail import Intake
from tests.incoming import MAIL_FROM

MANY = (Window("hour", 1_000_000, 3_600),)


def main(url: str, port: str) -> None:
    """Receive until killed."""
    start_logging()
    database = wiring.open_database(read_settings({"PRORATA_DATABASE_URL": url}, Path(os.devnull)))
    where = Listening(is_lmtp=False, host="127.0.0.1", port=int(port))
    limits = Limits(messages_of_peer=MANY, messages_to_recipient=MANY)
    MailReceiver(where, "mail.test", Intake(database, MAIL_FROM), limits).start()
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
