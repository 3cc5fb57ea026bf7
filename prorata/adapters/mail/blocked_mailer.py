"""A mailer that holds back every message, with the reason in a sentence."""
# ruff: noqa: ARG002 - the arguments are those of a `Mailer`

from collections.abc import Callable

from prorata.ports.mail import MailOutcome, unnoted


class HeldMailer:
    """A mailer that accepts no message.

    `why` is the reason in a sentence for the operator.
    """

    def __init__(self, why: str) -> None:
        self.why_held: str | None = why

    def send(
        self,
        envelope_from: str,
        recipient: str,
        message: bytes,
        go_out: Callable[[], None] = unnoted,
    ) -> MailOutcome:
        """Raise an error: no caller may send while mail is held."""
        raise AssertionError(self.why_held)
