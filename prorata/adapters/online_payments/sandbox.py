"""A payment provider to try things out with: its links lead to a page of this server, and no money moves."""

from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade


class SandboxPayments:
    """What `ports.PaymentGateway` asks for, with pages at `base_url`."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def make(self, key: str, asked: LinkAsked) -> LinkMade:  # noqa: ARG002 - nobody has to show who they are
        """The link to the page where a payment is played. The account and the key find it again; both are ids that
        nobody guesses.
        """
        return LinkMade(asked.key, f"{self._base_url}/sandbox/pay/{asked.account_id}/{asked.key}")

    def close(self, key: str, link_id: str) -> LinkClosed:  # noqa: ARG002 - the page asks the database
        """Nothing is to be done: the page looks whether the link is open."""
        return LinkClosed()
