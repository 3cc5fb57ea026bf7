"""A test event goes to the endpoint that is tested, and to no other."""

import pytest

from prorata.actions.webhooks import webhooks
from prorata.errors import Conflict
from tests.landlord import Landlord
from tests.webhook_receiver import Receiver
from tests.worker.hooked import Hooked, said


def test_a_test_is_sent_to_its_endpoint_alone_whatever_types_it_wants(landlord: Landlord, hooked: Hooked) -> None:
    with Receiver() as tested, Receiver() as of_all, Receiver() as of_units:
        endpoint, _ = hooked.hook(tested.url, ["unit.created"])
        hooked.hook(of_all.url)
        hooked.hook(of_units.url, ["unit.created"])
        for _ in range(25):
            landlord.do(webhooks.test, endpoint)
        landlord.unit(landlord.property_(), "1")
        for _ in range(3):
            hooked.work(minutes=1)
        bodies = [said(got) for got in tested.got]
        assert [body["type"] for body in bodies] == ["webhook.test"] * 25 + ["unit.created"]
        assert bodies[0]["data"] == {"id": endpoint, "url": tested.url}
        assert [said(got)["type"] for got in of_all.got] == ["property.created", "unit.created"]
        assert [said(got)["type"] for got in of_units.got] == ["unit.created"]
    assert [row.type for row in hooked.log(endpoint)].count("webhook.test") == 25


def test_an_endpoint_that_is_not_on_is_not_tested(landlord: Landlord, hooked: Hooked) -> None:
    endpoint, _ = hooked.hook("http://127.0.0.1:9/hook")
    landlord.do(webhooks.change, endpoint, state="paused")
    with pytest.raises(Conflict, match="turned off"):
        landlord.do(webhooks.test, endpoint)
