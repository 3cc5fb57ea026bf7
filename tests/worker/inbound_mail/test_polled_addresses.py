"""Recipients of messages in a polled mailbox, if there is only one account.

A message to the address that an account had before renewing it is for nobody.
"""

import pytest

from prorata.actions.inbound_mail import inbox_addresses
from prorata.domain.mail_addresses import MailAddress
from prorata.errors import Conflict
from prorata.worker.incoming_mail import Intake
from tests.incoming import MAIL_FROM, a_message, address_of
from tests.landlord import Landlord
from tests.worker.inbound_mail.test_incoming_mail import states

BASE = MailAddress("Bills", "example.com")


def intake(landlord: Landlord) -> Intake:
    return Intake(landlord.database, MAIL_FROM, base=BASE)


def to(address: str) -> bytes:
    return b"Delivered-To: " + address.encode() + b"\r\n" + a_message()


@pytest.mark.parametrize("sign", ["+", "-"])
def test_what_comes_to_an_address_that_was_renewed_is_left_in_the_mailbox(landlord: Landlord, sign: str) -> None:
    before = address_of(landlord.database, landlord.account.id).replace("-", sign, 1)
    landlord.do(inbox_addresses.renew)
    with pytest.raises(Conflict, match="contain no address that belongs to an account"):
        intake(landlord).take_from_mailbox(to(before))
    after = address_of(landlord.database, landlord.account.id)
    intake(landlord).take_from_mailbox(to(f"{before}, {after}"))
    assert states(landlord) == ["received"], "it came to the new one as well"


@pytest.mark.parametrize(
    "address",
    ["bills@example.com", "bills+march@example.com", "bounces+k7wq2mz9x4hd8rt3vbnc@example.com", "x@elsewhere.example"],
)
def test_what_comes_to_the_mailbox_itself_is_for_the_only_account(landlord: Landlord, address: str) -> None:
    intake(landlord).take_from_mailbox(to(address))
    assert states(landlord) == ["received"]
