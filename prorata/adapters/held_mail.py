"""Where no message may leave yet: each waits, with the sentence that says why."""

from prorata.ports.mail import MailOutcome


class HeldMailer:
    """Takes no message. `why` is a sentence for the person who runs Prorata."""

    def __init__(self, why: str) -> None:
        self.why_held: str | None = why

    def send(self, envelope_from: str, recipient: str, message: bytes) -> MailOutcome:  # noqa: ARG002 - as Mailer has it
        """Nobody hands a message to who says that it is held."""
        raise AssertionError(self.why_held)
