"""The sandbox, an imitation of a payment provider.

Its links lead to a page of this server. No money moves.
"""

from prorata.ports.payments import LinkAsked, LinkClosed, LinkMade


class SandboxPayments:
    """A `ports.PaymentGateway` for testing, with its pages at `base_url`."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def make(self, key: str, asked: LinkAsked) -> LinkMade:  # noqa: ARG002 - nobody has to show who they are
        """Build the link to the page that simulates a payment.

        The address contains the account's id and the key; nobody can guess either of them.
        """
        return LinkMade(asked.key, f"{self._base_url}/sandbox/pay/{asked.account_id}/{asked.key}")

    def close(self, key: str, link_id: str) -> LinkClosed:  # noqa: ARG002 - the page asks the database
        """Report the link as closed without doing anything.

        The page to which the link leads checks in the database whether the link is open.
        """
        return LinkClosed()
