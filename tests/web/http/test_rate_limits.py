"""Rate-limit headers have the form of draft-ietf-httpapi-ratelimit-headers-11."""

from prorata.ports import Verdict, Window
from prorata.web.http.rate_limit_headers import headers

WINDOWS = (Window("minute", 100, 60), Window("hour", 1000, 3600))


def test_an_admitted_request_is_told_where_it_stands() -> None:
    verdict = Verdict(admitted=True, remaining=(99, 998), reset=(60, 3599), retry_after=0)
    assert headers(WINDOWS, verdict) == [
        (b"ratelimit-policy", b'"minute";q=100;w=60, "hour";q=1000;w=3600'),
        (b"ratelimit", b'"minute";r=99;t=60, "hour";r=998;t=3599'),
    ]


def test_a_refused_request_is_told_where_it_stands() -> None:
    verdict = Verdict(admitted=False, remaining=(0, 42), reset=(17, 3000), retry_after=17)
    assert headers(WINDOWS, verdict)[1:] == [(b"ratelimit", b'"minute";r=0;t=17, "hour";r=42;t=3000')]


def test_one_window_makes_a_list_of_one_item() -> None:
    verdict = Verdict(admitted=True, remaining=(299,), reset=(60,), retry_after=0)
    assert headers((Window("address", 300, 60),), verdict) == [
        (b"ratelimit-policy", b'"address";q=300;w=60'),
        (b"ratelimit", b'"address";r=299;t=60'),
    ]
