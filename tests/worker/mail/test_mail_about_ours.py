"""E-mails to the return address of one of our messages that are no delivery reports.

They are listed with their senders, and Prorata looks for no bill in them.
"""

import threading

import pytest

from prorata.actions.inbound_mail import incoming_mail
from prorata.actions.inbound_mail.inbox_addresses import Recipient
from prorata.actions.inbound_mail.incoming_mail import Waiting
from prorata.actions.months import inbox_blockers
from prorata.adapters.inbound_mail.message_files import MessageProcess
from prorata.domain.billing_calendar import Month
from prorata.errors import Conflict
from prorata.ports.mail import MessageReader
from prorata.wiring import files_in
from prorata.worker.incoming_mail import incoming_mail_kind
from prorata.worker.rounds import Worker
from tests.incoming import PDF, Believes, a_message
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_incoming_mail import AQUA, Breaks, allow, mails

ABOUT = "mail_01kb1n3x6ve2hrrk0p1w4bqv2f"


@pytest.mark.parametrize(
    ("reader", "head"), [(MessageProcess(), (AQUA, "Your bill")), (Breaks(), (None, None))], ids=["read", "not read"]
)
def test_it_is_listed_with_what_its_head_says_and_keeps_nothing_back(
    landlord: Landlord, reader: MessageReader, head: tuple[str | None, str | None]
) -> None:
    allow(landlord)
    message, to = a_message(("bill.pdf", PDF)), Recipient(landlord.account.id, ABOUT)
    landlord.run(lambda tx: incoming_mail.keep(tx, to, envelope_from=AQUA, message=message, way="smtp"))
    kind = incoming_mail_kind(reader, Believes(everybody=True), files_in)
    Worker(landlord.database, lambda: 0, [kind]).do_round(threading.Event())
    (told,) = mails(landlord)
    assert (told.row.state, told.row.sender, told.row.subject) == ("nothing", *head)
    assert landlord.see(incoming_mail.number_waiting) == Waiting(0, 0)
    of = landlord.property_()
    assert landlord.see(inbox_blockers.read, [of.id]).for_month(of, Month("2026-03")).messages == 0
    assert not told.may_be_read_again
    with pytest.raises(Conflict):
        landlord.do(incoming_mail.take_up, told.row.id)
