"""The scopes that an owner chooses for an API key."""

import re

from tests.dashboard.conftest import Office


def test_a_key_is_limited_to_some_records_and_the_choice_stays_where_the_form_is_refused(office: Office) -> None:
    browser = office.browser("owner")
    chosen = {"name": "Books", "permission": "READ", "invoices": "read", "bills": "write"}
    refused = browser.post("/settings/keys", chosen)
    assert refused.status_code == 400
    assert refused.text.count("A read-only key can’t have write scopes.") == 1
    assert '<details class="fold" open>' in refused.text
    made = browser.post("/settings/keys", chosen | {"permission": "FULL"})
    found = re.search(r"pro_live_\w{39}", made.text)
    assert found is not None
    key = {"Authorization": f"Bearer {found[0]}"}
    assert browser.client.get("/api/v1/invoices", headers=key).status_code == 200
    lacking = browser.client.get("/api/v1/properties", headers=key)
    assert (lacking.status_code, lacking.json()["code"]) == (403, "INSUFFICIENT_SCOPE")
    assert browser.get("/settings/keys").text.count("only bills:write, invoices:read") == 2, (
        "on wide and on narrow screens"
    )
