"""The account of a key, as the API shows it."""

from prorata.actions.accounts import accounts
from tests.web.conftest import Api, House


def test_a_key_reads_the_account_that_it_is_of_and_no_other(house: House) -> None:
    said = house.api.get("/account").json()
    stored = house.database.read(lambda tx: accounts.the_account(tx, house.landlord.caller))
    assert said["id"] == house.landlord.account_id
    assert (said["name"], said["timeZone"], said["currency"]) == (stored.name, stored.timezone, stored.currency)
    assert (said["daysToPay"], said["answerDays"]) == (stored.payment_terms, stored.answer_days)
    assert said["phone"] is None
    other = Api(house.client, house.stranger.full).get("/account").json()
    assert other["id"] == house.stranger.account_id
    assert Api(house.client, house.landlord.read).get("/account").json() == said


def test_it_is_changed_in_the_dashboard_alone(house: House) -> None:
    assert house.api.patch("/account", {"name": "Elm Homes"}).status_code == 405
