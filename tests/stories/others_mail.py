"""The senders and receivers of mail around the program.

They are a utility whose mail is signed (DKIM), the name server that has the utility's key, and a post office that takes
the tenants' mail and returns messages that nobody accepts.
"""

import email.policy
import re
import smtplib
import socket
import threading
from base64 import b64encode
from collections import defaultdict
from email.message import EmailMessage
from email.parser import BytesParser
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from dns import flags, message as dns_message, rrset

from tests.incoming import a_message
from tests.smtp_server import SmtpServer

DOMAIN, SELECTOR = "utilities.example", "story"
SENDER = f"bills@{DOMAIN}"
_FIELD = re.compile(rb"[^\r\n]+(?:\r\n[ \t][^\r\n]+)*\r\n")
_COVERED = (b"from", b"to", b"subject", b"date", b"message-id", b"mime-version", b"content-type")
_LINK = re.compile(r"http://127\.0\.0\.1:\d+(/i/[^\s>]+)")
_SENT_BACK = (
    "From: MAILER-DAEMON@mx.example.org\r\n"
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
    "Final-Recipient: rfc822; {}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    "Diagnostic-Code: smtp; 550 No such user\r\n--b--\r\n"
)


class Utility:
    """A utility that mails its bills, with the signature of its domain."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self._numbers = 0

    @property
    def record(self) -> str:
        """The DNS record with the utility's key."""
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return f"v=DKIM1; k=ed25519; p={b64encode(raw).decode()}"

    def letter(self, *bills: tuple[str, bytes]) -> bytes:
        """A signed message with these bills attached."""
        self._numbers += 1
        return self._signed(
            a_message(
                *bills,
                sender=f"Utilities <{SENDER}>",
                subject=f"Your bills, {self._numbers}",
                message_id=f"<{self._numbers}@{DOMAIN}>",
            )
        )

    def _signed(self, message: bytes) -> bytes:
        """A message with a signature that conforms to RFC 6376 and RFC 8463.

        The signature uses the simple form of both header and body.
        """
        head, _, body = message.partition(b"\r\n\r\n")
        fields = {field.partition(b":")[0].lower(): field for field in _FIELD.findall(head + b"\r\n")}
        covered = [name for name in _COVERED if name in fields]
        digest = b64encode(sha256(body.rstrip(b"\r\n") + b"\r\n").digest())
        own = b"DKIM-Signature: v=1; a=ed25519-sha256; c=simple/simple; d=%b; s=%b; h=%b; bh=%b; b=" % (
            DOMAIN.encode(), SELECTOR.encode(), b":".join(covered), digest,
        )  # fmt: skip
        signed = sha256(b"".join(fields[name] for name in covered) + own).digest()
        return own + b64encode(self._key.sign(signed)) + b"\r\n" + message


class NameServer:
    """A name server that answers every question with a utility's key."""

    def __init__(self, record: str) -> None:
        self._record = record
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._answer, daemon=True)
        self._thread.start()

    def _answer(self) -> None:
        while True:
            asked, whom = self._socket.recvfrom(4096)
            if not asked:
                return
            question = dns_message.from_wire(asked)
            reply = dns_message.make_response(question)
            reply.flags |= flags.RA
            reply.answer.append(rrset.from_text(question.question[0].name, 60, "IN", "TXT", f'"{self._record}"'))
            self._socket.sendto(reply.to_wire(), whom)

    def close(self) -> None:
        """Stop answering."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join()
        self._socket.close()


class PostOffice:
    """The messages that a mail server has taken.

    The post office finds them by recipient, and can send them back.
    """

    def __init__(self, server: SmtpServer) -> None:
        self._server = server

    def letters_to(self, address: str) -> dict[str, set[bytes]]:
        """The messages to an address by their Message-ID, oldest first.

        Each message has all forms in which it came.
        """
        found: dict[str, set[bytes]] = defaultdict(set)
        for taken in list(self._server.taken):
            if address in taken.recipients:
                found[str(_read(taken.content)["Message-ID"])].add(taken.content)
        return found

    def number_of_letters(self, *addresses: str) -> int:
        """Count the messages handed over for the given addresses, including repeats."""
        return sum(1 for taken in self._server.taken for address in addresses if address in taken.recipients)

    def words_to(self, address: str) -> str:
        """The plain text of all messages to an address, on one line."""
        letters = [_read(taken.content) for taken in list(self._server.taken) if address in taken.recipients]
        texts = [letter.get_body(("plain",)) for letter in letters]
        return " ".join(" ".join(text.get_content() for text in texts if text is not None).split())

    def page_in_newest_letter_to(self, address: str) -> str:
        """The path of the tenant's page that the newest message to an address links to."""
        newest = next(taken for taken in reversed(self._server.taken) if address in taken.recipients)
        text = _read(newest.content).get_body(("plain",))
        assert text is not None
        return _LINK.findall(text.get_content())[0]

    def send_back(self, address: str, receiver_port: int) -> None:
        """Report to the sender of a message that the recipient does not exist.

        The report goes to the return address of the message.
        """
        came = next(taken for taken in self._server.taken if address in taken.recipients)
        with smtplib.SMTP("127.0.0.1", receiver_port, timeout=30) as client:
            client.sendmail("", [came.envelope_from], _SENT_BACK.format(address).encode())


def _read(content: bytes) -> EmailMessage:
    return BytesParser(policy=email.policy.default).parsebytes(content)  # type: ignore[return-value]
