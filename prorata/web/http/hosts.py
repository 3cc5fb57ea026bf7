"""The host names under which a server responds, as protection from DNS rebinding.

A browser names the page's host in the Host header, and no page can make it name another. X-Forwarded-Host from a
proxy is ignored, because any client can send it.
"""

from functools import lru_cache

from prorata.domain.hosts import host_named
from prorata.domain.limits import LONGEST_HOST
from prorata.domain.mail_addresses import is_loopback
from prorata.errors import InvalidRequest
from prorata.settings import Settings
from prorata.web.http.limits import MOST_HOSTS_REMEMBERED

_NOT_OURS = (
    "This server doesn't answer under the host named in the request. Use the server's own address; whoever runs it "
    "can add other names with PRORATA_ALLOWED_HOSTS."
)


class Hosts:
    """The host names under which the server responds, on any port.

    They are the names in the settings and, if the public address is a name of the local machine, all such names,
    for example localhost.
    """

    def __init__(self, settings: Settings) -> None:
        self._names = settings.hosts
        self._is_local = settings.is_local
        self._are_ours = lru_cache(MOST_HOSTS_REMEMBERED)(self._is_ours)

    def require(self, sent: bytes) -> None:
        """Check the Host header of a request.

        Raises `InvalidRequest` if the header names an unknown host, or several hosts.
        """
        if len(sent) > LONGEST_HOST or not self._are_ours(sent):
            raise InvalidRequest(_NOT_OURS)

    def _is_ours(self, sent: bytes) -> bool:
        host = host_named(sent.decode("latin-1"))
        return host is not None and (host in self._names or (self._is_local and is_loopback(host)))
