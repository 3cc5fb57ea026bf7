"""A real mail server on a loopback port, which does as a test tells it.

It can accept, refuse, stall or drop:

    with SmtpServer(Behaviour(rcpt="550 5.1.1 No such user here")) as server:
        …

The server is aiosmtpd, which reads and parses as usual; the faults that a test asks for happen at the socket.
"""
# ruff: noqa: N802, ARG002 - names and arguments of the methods are aiosmtpd's

import asyncio
import shutil
import ssl
import subprocess
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.servers import free_port, missing

USER, PASSWORD = "bills@example.com", "Grüße:@/?#%"
STALLED_SECONDS = 30.0


@dataclass(frozen=True)
class Behaviour:
    """The server's behavior at each step.

    A text is its reply at that step, None the usual reply. `drops` is the step at which it closes the connection:
    "greeting", "ehlo", "rcpt", "in_data" or "after_dot". `stalls` is the step after which it is silent: "ehlo", "rcpt"
    or "after_dot". `seconds_to_take` is the time between taking a message and acknowledging it.
    """

    ehlo: str | None = None
    mail: str | None = None
    rcpt: str | None = None
    data: str | None = None
    end_of_data: str | None = None
    drops: str | None = None
    stalls: str | None = None
    smtputf8: bool = True
    size: int = 32 << 20
    auth: bool = False
    auth_mechanisms: tuple[str, ...] = ("PLAIN", "LOGIN")
    dsn: bool = False
    seconds_to_take: float = 0.0


USUAL = Behaviour()


class Taken(NamedTuple):
    """A message that the server has accepted."""

    envelope_from: str
    recipients: tuple[str, ...]
    mail_options: tuple[str, ...]
    rcpt_options: tuple[str, ...]
    content: bytes
    over_tls: bool
    user: str | None


@dataclass
class _Handler:
    behaviour: Behaviour
    taken: list[Taken] = field(default_factory=list)
    greeted: list[str] = field(default_factory=list)

    async def _fault(self, server: SMTP, step: str) -> None:
        if self.behaviour.stalls == step:
            await asyncio.sleep(STALLED_SECONDS)
        if self.behaviour.drops == step:
            server.transport.abort()

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, replies: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.greeted.append(hostname)
        await self._fault(server, "ehlo")
        if self.behaviour.ehlo is not None:
            return [self.behaviour.ehlo]
        return [*replies[:-1], "250-DSN", replies[-1]] if self.behaviour.dsn else replies

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.behaviour.mail is None:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return self.behaviour.mail or "250 2.1.0 Sender OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        await self._fault(server, "rcpt")
        if self.behaviour.rcpt is None:
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(options)
        return self.behaviour.rcpt or "250 2.1.5 Recipient OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.behaviour.end_of_data is None:
            assert isinstance(envelope.content, bytes)
            user = session.auth_data.decode() if isinstance(session.auth_data, bytes) else None
            self.taken.append(
                Taken(
                    envelope.mail_from or "",
                    tuple(envelope.rcpt_tos),
                    tuple(envelope.mail_options),
                    tuple(envelope.rcpt_options),
                    envelope.content,
                    server.transport.get_extra_info("sslcontext") is not None,
                    user,
                )
            )
        await asyncio.sleep(self.behaviour.seconds_to_take)
        await self._fault(server, "after_dot")
        return self.behaviour.end_of_data or "250 2.0.0 Queued as 4XyZ"


class _Smtp(SMTP):
    """aiosmtpd with the options of RFC 3461, and with faults that its hooks can't cause."""

    def __init__(self, handler: _Handler, behaviour: Behaviour, **options: Any) -> None:
        self._behaviour = behaviour
        super().__init__(handler, hostname="mail.test", ident="test", **options)

    async def _handle_client(self) -> None:
        if self._behaviour.drops == "greeting":
            self.transport.abort()
            return
        await super()._handle_client()

    async def smtp_DATA(self, arg: str) -> None:
        if self._behaviour.data is not None:
            await self.push(self._behaviour.data)
        elif self._behaviour.drops == "in_data":
            await self.push("354 Go ahead")
            await self._reader.read(4096)
            self.transport.abort()
        else:
            await super().smtp_DATA(arg)

    async def smtp_RCPT(self, arg: str) -> None:
        """Read the parameter of RFC 3461, because aiosmtpd accepts no parameters of RCPT."""
        words = arg.split(" ")
        if self._behaviour.dsn and words[-1].startswith("NOTIFY="):
            self.envelope.rcpt_options.append(words.pop())
        await super().smtp_RCPT(" ".join(words))

    async def smtp_MAIL(self, arg: str) -> None:
        words = arg.split(" ")
        if self._behaviour.dsn and words[-1].startswith("RET="):
            self.envelope.mail_options.append(words.pop())
        await super().smtp_MAIL(" ".join(words))


class _Controller(Controller):
    def __init__(self, handler: _Handler, behaviour: Behaviour, **options: Any) -> None:
        self._behaviour = behaviour
        self._handler = handler
        super().__init__(handler, **options)

    def factory(self) -> SMTP:
        with warnings.catch_warnings():  # that passwords without TLS, and TLS that is not required, are unsafe
            warnings.simplefilter("ignore", UserWarning)
            return _Smtp(self._handler, self._behaviour, **self.SMTP_kwargs)

    def _trigger_server(self) -> None:
        """Do nothing, so that the first connection is the test's."""
        self._factory_invoked.set()
        self.smtpd = object()


def _authenticator(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False, auth_data=data.login if right else None)


class SmtpServer:
    """The server, which runs within a `with` block.

    `tls` is None, "starttls" or "implicit"; the certificate is in `folder`.
    """

    def __init__(
        self,
        behaviour: Behaviour = USUAL,
        *,
        tls: str | None = None,
        folder: Path | None = None,
        port: int | None = None,
    ) -> None:
        self._handler = _Handler(behaviour)
        self.port = port or free_port()
        context = None
        if tls is not None:
            assert folder is not None
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(*make_certificate(folder))
        self._controller = _Controller(
            self._handler,
            behaviour,
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=context if tls == "implicit" else None,
            tls_context=context if tls == "starttls" else None,
            data_size_limit=behaviour.size,
            enable_SMTPUTF8=behaviour.smtputf8,
            auth_required=behaviour.auth,
            auth_require_tls=False,
            auth_exclude_mechanism={"PLAIN", "LOGIN"} - set(behaviour.auth_mechanisms),
            authenticator=_authenticator,
        )

    @property
    def taken(self) -> list[Taken]:
        """The messages that the server has accepted, in order."""
        return self._handler.taken

    @property
    def greeted(self) -> list[str]:
        """The names with which clients have greeted the server."""
        return self._handler.greeted

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for localhost and 127.0.0.1, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if shutil.which("openssl") is None:
        missing("TLS of mail", "openssl")
    if not certificate.exists():
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        command += ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        subprocess.run(command, check=True, capture_output=True)
    return certificate, key
