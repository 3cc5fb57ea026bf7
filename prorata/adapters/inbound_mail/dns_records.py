"""TXT records from the name servers that this machine uses."""

from collections.abc import Sequence

from dns.exception import DNSException
from dns.rdtypes.txtbase import TXTBase
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from prorata.adapters.inbound_mail.dkim_check import NotLookedUpError
from prorata.adapters.limits import MOST_DNS_RECORDS

SECONDS = 5.0
"""The number of seconds in which one of the name servers has to answer."""
DNS_PORT = 53


class DnsTxtRecords:
    """A client of the name servers `servers` or, if none are given, of this machine's."""

    def __init__(self, servers: Sequence[str] = (), port: int = DNS_PORT, seconds: float = SECONDS) -> None:
        self._servers = tuple(servers)
        self._port = port
        self._seconds = seconds

    def __call__(self, name: str) -> Sequence[bytes]:
        """Return the TXT records of a name, with the strings of each record joined.

        Raises `NotLookedUpError` if name servers do not answer.
        """
        try:
            answer = self._resolver().resolve(f"{name}.", "TXT", lifetime=self._seconds, search=False)
        except (NXDOMAIN, NoAnswer):
            return ()
        except DNSException as problem:
            raise NotLookedUpError from problem
        texts = [b"".join(record.strings) for record in answer if isinstance(record, TXTBase)]
        return texts[:MOST_DNS_RECORDS]

    def _resolver(self) -> Resolver:
        """Make a new resolver, since a machine's name servers may change while programs run."""
        resolver = Resolver(configure=not self._servers)
        if self._servers:
            resolver.nameservers = list(self._servers)
        resolver.port = self._port
        return resolver
