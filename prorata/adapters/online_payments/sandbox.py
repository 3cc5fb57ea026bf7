"""A payment provider to try things out with: its links lead to a page of this server, and no money moves."""

from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade


class SandboxPayments:
    """A `ports.PaymentGateway` for trying things out, with pages at `base_url`."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def make(self, key: str, asked: LinkAsked) -> LinkMade:  # noqa: ARG002 - nobody has to show who they are
        """Build the link to the page where a payment is played.

        The account and the key find it again; both are ids that nobody guesses.
        """
        return LinkMade(asked.key, f"{self._base_url}/sandbox/pay/{asked.account_id}/{asked.key}")

    def close(self, key: str, link_id: str) -> LinkClosed:  # noqa: ARG002 - the page asks the database
        """Do nothing: the page checks if the link is open."""
        return LinkClosed()
