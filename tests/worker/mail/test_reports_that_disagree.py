"""Delivery reports that repeat or contradict an earlier report about the same message."""

import pytest

from prorata.actions.audit import activity
from prorata.actions.delivery import deliveries
from tests.worker.mailing import House


@pytest.fixture
def message_id(house: House) -> str:
    """The id of a message that a mail server has accepted."""
    house.set_status("SENT")
    (row,) = house.messages()
    house.landlord.run(lambda tx: deliveries.note_taken(tx, row.account_id, row.id, "250 OK"))
    return row.id


@pytest.mark.parametrize("reports", [("failed", "delivered"), ("delivered", "failed")])
def test_a_message_that_arrived_does_not_say_why_a_copy_came_back(
    house: House, message_id: str, reports: tuple[str, ...]
) -> None:
    for action in reports:
        house.report(message_id, action)
    (row,) = house.messages()
    assert (row.state, house.invoice.email_status) == ("delivered", "delivered")
    assert row.said in (None, "250 OK")


def test_a_report_that_changes_nothing_is_not_noted_again(house: House, message_id: str) -> None:
    for action in ("delayed", "delayed", "failed", "failed", "delayed", "delivered", "delivered", "failed"):
        house.report(message_id, action)
    noted = [one.verb for one in house.landlord.see(activity.page) if one.verb.startswith("mail ")]
    assert sorted(noted) == ["mail bounced", "mail delivered", "mail sent"]
