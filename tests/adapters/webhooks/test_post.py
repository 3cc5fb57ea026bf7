"""Tests of sending webhooks to a receiver on this machine.

They check where the connection goes, and how little a receiver can make the program wait or do.
"""

import socket
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from prorata.adapters.limits import MOST_WEBHOOK_ANSWER_BYTES
from prorata.adapters.webhooks.post import WebhookPost, look_up
from prorata.domain.limits import LONGEST_WEBHOOK_ANSWER
from prorata.domain.webhooks.webhooks import Posted
from tests.certificates import certificate
from tests.webhook_receiver import HERE, Answer, Got, Receiver, says, trickles, waits

HEADERS = {"webhook-id": "evt_1", "webhook-timestamp": "1", "webhook-signature": "v1,x"}


class Names:
    """A lookup of names that returns each of its given answers in turn."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def answered_from_outside(folder: Path, answer: Answer) -> Posted:
    """Return the response of a receiver at a public address.

    The receiver runs on this machine, to which the address is connected.
    """
    own = certificate(folder, "DNS:hooks.example.com")
    with Receiver(answer, certificate=own) as receiver:

        def connect(address: tuple[str, int], timeout: float) -> socket.socket:
            assert address == ("93.184.215.14", 443)
            return socket.create_connection(("127.0.0.1", receiver.port), timeout)

        send = WebhookPost(find=Names(["93.184.215.14"]), connect=connect, certificates=str(own[0]))
        return send("https://hooks.example.com/", HEADERS, b"{}")


def test_what_a_public_receiver_answers_is_shown_and_that_of_a_private_one_is_not(tmp_path: Path) -> None:
    posted = answered_from_outside(tmp_path, says(500, b"down\n for repairs"))
    assert (posted.status, posted.said) == (500, "down for repairs")
    with Receiver(says(500, b"root:x:0:0")) as receiver:
        for host in ("127.0.0.1", "localhost"):
            posted = WebhookPost(HERE)(f"http://{host}:{receiver.port}/", HEADERS, b"{}")
            assert posted.status == 500
            assert posted.said == "It is on a private network, so its answer is not shown here."


def test_a_message_comes_as_it_was_sent_with_what_identifies_it() -> None:
    with Receiver() as receiver:
        posted = WebhookPost(HERE)(receiver.url + "?a=1", HEADERS, b'{"a":1}')
    assert (posted.status, posted.said) == (204, "")
    (got,) = receiver.got
    assert (got.path, got.body) == ("/hook?a=1", b'{"a":1}')
    assert got.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert got.headers["content-type"] == "application/json"
    assert HEADERS.items() <= got.headers.items()


def test_this_machine_is_refused_where_its_network_is_not_named() -> None:
    with Receiver() as receiver:
        for host in (f"http://127.0.0.1:{receiver.port}", f"https://localhost:{receiver.port}"):
            posted = WebhookPost()(host, HEADERS, b"{}")
            assert posted.status is None
            assert posted.said.startswith("Not sent: the address must")
    assert receiver.got == []


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "fe80::1%lo", "127.0.0.1"])
def test_a_name_that_leads_into_a_closed_network_is_not_connected_to(address: str) -> None:
    for found in ([address], ["93.184.215.14", address]):
        names = Names(found)
        posted = WebhookPost(find=names)("https://hooks.example.com/", HEADERS, b"{}")
        assert (posted.status, names.asked) == (None, ["hooks.example.com"])
        assert "private or reserved network" in posted.said


def test_a_name_that_changes_where_it_leads_is_looked_up_once_for_each_message() -> None:
    names = Names(["10.0.0.1"], ["127.0.0.1"])
    with Receiver() as receiver:
        send = WebhookPost(HERE, find=names)
        first = send(f"http://name.localhost:{receiver.port}/", HEADERS, b"{}")
        assert first.status is None
        assert receiver.got == []
        assert send(f"http://name.localhost:{receiver.port}/", HEADERS, b"{}").status == 204
    assert names.asked == ["name.localhost"] * 2


def test_over_tls_the_name_is_checked_and_the_address_connected_to_is_the_one_found(tmp_path: Path) -> None:
    own = certificate(tmp_path, "DNS:hooks.example.com")
    with Receiver(certificate=own) as receiver:
        send = WebhookPost(HERE, find=Names(["127.0.0.1"]), certificates=str(own[0]))
        assert send(f"https://hooks.example.com:{receiver.port}/x", HEADERS, b"{}").status == 204
        assert receiver.got[0].headers["host"] == f"hooks.example.com:{receiver.port}"
        other = send(f"https://other.example.com:{receiver.port}/x", HEADERS, b"{}")
        assert other.status is None
        assert "certificate is not valid" in other.said
        unknown = WebhookPost(HERE, find=Names(["127.0.0.1"]))
        assert "certificate is not valid" in unknown(f"https://hooks.example.com:{receiver.port}/", HEADERS, b"{}").said
    assert len(receiver.got) == 1


def test_a_redirect_is_not_followed_and_says_so() -> None:
    with Receiver() as elsewhere, Receiver(says(302, Location=elsewhere.url)) as receiver:
        posted = WebhookPost(HERE)(receiver.url, HEADERS, b"{}")
    assert posted.status == 302
    assert "not followed" in posted.said
    assert elsewhere.got == []


def test_an_answer_that_trickles_is_waited_for_so_long_and_no_longer() -> None:
    with Receiver(trickles) as receiver:
        began = time.monotonic()
        posted = WebhookPost(HERE, seconds_in_all=0.5)(receiver.url, HEADERS, b"{}")
        assert posted.status is None
        assert time.monotonic() - began < 3
    assert posted.said == "No complete answer arrived within 0.5 seconds."


def test_no_answer_at_all_is_waited_for_so_long_and_no_longer() -> None:
    with Receiver(waits(5)) as receiver:
        posted = WebhookPost(HERE, seconds_in_all=0.3)(receiver.url, HEADERS, b"{}")
    assert (posted.status, posted.said) == (None, "No complete answer arrived within 0.3 seconds.")
    assert posted.seconds < 3


def test_a_large_answer_is_read_to_a_limit_and_little_of_it_kept(tmp_path: Path) -> None:
    posted = answered_from_outside(tmp_path, says(500, b"<b>\x00\x1b no\xff </b>" * (2 * MOST_WEBHOOK_ANSWER_BYTES)))
    assert posted.status == 500
    assert len(posted.said) == LONGEST_WEBHOOK_ANSWER
    assert posted.said.isprintable()


def test_what_is_no_answer_is_said_in_a_sentence() -> None:
    def hangs_up(_got: Got, handler: object) -> None:
        handler.connection.close()  # type: ignore[attr-defined]

    with Receiver(hangs_up) as receiver:
        assert WebhookPost(HERE)(receiver.url, HEADERS, b"{}").said.startswith("No answer: ")
    refused = WebhookPost(HERE)(receiver.url, HEADERS, b"{}")
    assert (refused.status, refused.said) == (None, "No connection: the connection was refused.")
    nowhere = WebhookPost(HERE, find=Names([]))("https://nowhere.example/", HEADERS, b"{}")
    assert nowhere.said == "The name nowhere.example could not be looked up."


def test_names_of_this_machine_are_looked_up_and_odd_ones_have_no_address() -> None:
    assert set(look_up("localhost")) <= {"127.0.0.1", "::1"}
    assert look_up("localhost")
