"""Tests of the senders whose messages Prorata accepts automatically."""

from prorata.actions.inbound_mail import inbox_addresses
from prorata.store.accounts import members
from prorata.store.database.engine import Tx
from tests.landlord import Landlord


def test_a_member_is_allowed_however_the_domain_of_their_address_is_written(landlord: Landlord) -> None:
    def name(tx: Tx) -> None:
        (owner,) = members.all_of(tx, landlord.account.id)
        new = "ann@bücher.example"
        assert members.change_email(tx, landlord.account.id, owner.id, seen_email=owner.email, email=new)

    landlord.run(name)
    for sender, is_allowed in (
        ("ann@xn--bcher-kva.example", True), ("ann@bücher.example", True), ("ben@xn--bcher-kva.example", False),
    ):  # fmt: skip
        found = landlord.run(lambda tx, one=sender: inbox_addresses.is_sender_allowed(tx, landlord.account.id, one))
        assert found is is_allowed
