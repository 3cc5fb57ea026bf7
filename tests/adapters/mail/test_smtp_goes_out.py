"""The program notes that a message may have been taken before it hands it over."""

import pytest

from prorata.errors import Unavailable
from tests.adapters.mail.test_smtp import FROM, MESSAGE, TO, mailer
from tests.smtp_server import Behaviour, SmtpServer


@pytest.mark.parametrize(
    ("faulty", "calls"),
    [
        (Behaviour(), 1),
        (Behaviour(data="451 4.7.1 Later"), 1),
        (Behaviour(rcpt="451 4.7.1 Later"), 0),
        (Behaviour(drops="greeting"), 0),
    ],
)
def test_it_is_noted_that_a_message_goes_out_just_before_it_may_be_taken(faulty: Behaviour, calls: int) -> None:
    noted: list[int] = []
    with SmtpServer(faulty) as server:
        mailer(server.port).send(FROM, TO, MESSAGE, lambda: noted.append(len(server.taken)))
    assert noted == [0] * calls


def test_a_message_of_which_that_cannot_be_noted_is_not_handed_over() -> None:
    def gone() -> None:
        raise Unavailable("gone")

    with SmtpServer(Behaviour()) as server:
        with pytest.raises(Unavailable):
            mailer(server.port).send(FROM, TO, MESSAGE, gone)
        assert server.taken == []
