"""Searching, sorting and paging the lists of API keys, members and invitations."""

import re

from tests.dashboard.conftest import Office


def test_keys_are_searched_and_sorted_on_their_page(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    for name in ("Books", "Zapier"):
        browser.post("/settings/keys", {"name": name, "permission": "READ", "expires": ""})

    def names(query: str) -> list[str]:
        return re.findall(r'<span class="wrap">([^<]*)</span>', browser.get(f"/settings/keys{query}").text)

    assert names("") == ["Zapier", "Books"]
    assert names("?sort=name") == ["Books", "Zapier"]
    assert names("?search=zap") == ["Zapier"]
    assert "No key found" in browser.get("/settings/keys?search=nothing").text
    assert "There are no more on this page." in browser.get("/settings/keys?page=9").text


def test_members_are_searched_and_sorted_on_their_page(quick_office: Office) -> None:
    browser = quick_office.browser("owner")
    browser.post("/settings/members", {"email": "new@example.com", "role": "viewer"})

    def who(query: str) -> list[str]:
        return re.findall(
            r"(\w+)@example.com", " ".join(browser.get(f"/settings/members{query}").text.split("<li")[1:])
        )

    assert "new" in who("?search=new")
    assert "manager" not in who("?search=new")
    assert "manager" in who("?search=manager")
    assert "Nobody found" in browser.get("/settings/members?search=nothing").text
    assert "There are no more on this page." in browser.get("/settings/members?page=9").text
