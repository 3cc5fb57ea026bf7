"""Who tells whether a message comes from where it says."""

from functools import cache

from prorata.ports.mail import Authenticates, Authenticity
from prorata.wiring.surroundings import REAL, Surroundings


def authenticates(name_server: tuple[str, int] | None = None, around: Surroundings = REAL) -> Authenticates:
    """What tells whether a message comes from where it says: its signature, with the keys of name servers, those of
    this machine unless another is said. It is loaded with the first message.
    """

    @cache
    def check() -> Authenticates:
        from prorata.adapters.inbound_mail.dkim_check import DkimCheck  # noqa: PLC0415 - with the first message
        from prorata.adapters.inbound_mail.dns_records import DnsTxtRecords  # noqa: PLC0415 - as above

        said = DnsTxtRecords() if name_server is None else DnsTxtRecords([name_server[0]], name_server[1])
        return DkimCheck(around.records or said, around.clock)

    def authenticate(message: bytes) -> Authenticity:
        return check()(message)

    return authenticate
