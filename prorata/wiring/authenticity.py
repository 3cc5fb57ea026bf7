"""The setup of the check that an incoming message comes from its stated sender."""

from functools import cache

from prorata.ports.mail import Authenticates, Authenticity
from prorata.wiring.surroundings import REAL, Surroundings


def authenticates(name_server: tuple[str, int] | None = None, around: Surroundings = REAL) -> Authenticates:
    """Make the function that checks messages' signatures.

    The keys of the signatures come from this machine's name servers, or from `name_server` if it is given. The code
    of the check is loaded with the first message.
    """

    @cache
    def check() -> Authenticates:
        from prorata.adapters.inbound_mail.dkim_check import DkimCheck  # noqa: PLC0415 - with the first message
        from prorata.adapters.inbound_mail.dns_records import DnsTxtRecords  # noqa: PLC0415 - as above

        dns_txt_records = DnsTxtRecords() if name_server is None else DnsTxtRecords([name_server[0]], name_server[1])
        return DkimCheck(around.records or dns_txt_records, around.clock)

    def authenticate(message: bytes) -> Authenticity:
        return check()(message)

    return authenticate
