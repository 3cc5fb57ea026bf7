"""Delivery reports determine the status of a message."""

from functools import reduce
from itertools import permutations

from hypothesis import given, strategies as st

from prorata.domain.mail.delivery_reports import ACTIONS, DeliveryReport, RecipientReport, failure_of, status_after

reports = st.lists(st.sampled_from(ACTIONS).map(RecipientReport), min_size=1, max_size=3).map(
    lambda recipients: DeliveryReport(tuple(recipients))
)


@given(st.sampled_from([None, "sent"]), st.lists(reports, min_size=1, max_size=4))
def test_the_order_in_which_reports_come_makes_no_difference(status: str | None, came: list[DeliveryReport]) -> None:
    assert len({reduce(status_after, order, status) for order in permutations(came)}) == 1


@given(st.sampled_from([None, "sent", "delivered", "bounced"]), reports)
def test_a_report_that_comes_twice_counts_once(status: str | None, report: DeliveryReport) -> None:
    assert status_after(status_after(status, report), report) == status_after(status, report)


@given(st.sampled_from([None, "sent"]), reports)
def test_only_a_failure_bounces_and_only_a_delivery_delivers(status: str | None, report: DeliveryReport) -> None:
    actions = {recipient.action for recipient in report.recipients}
    after = status_after(status, report)

    assert (after == "delivered") == ("delivered" in actions)
    assert (after == "bounced") == ("failed" in actions and "delivered" not in actions)
    assert (failure_of(report) is not None) == ("failed" in actions)
