"""A landlord with a tenant and an invoice, for tests of e-mails.

A worker sends the e-mails.
"""

import email.policy
import threading
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from prorata import wiring
from prorata.actions.accounts import accounts
from prorata.actions.accounts.accounts import MailWishes
from prorata.actions.delivery import deliveries
from prorata.actions.invoices.tenant_links import TenantLinks
from prorata.actions.jobs import jobs
from prorata.adapters.delivery.mail_writer import LetterWriter
from prorata.adapters.mail.smtp_url import sender_address
from prorata.domain.mail.deliveries import MAIL
from prorata.domain.mail.delivery_reports import DeliveryReport, RecipientReport
from prorata.ports.mail import Mailer
from prorata.settings import read_settings
from prorata.store.database.engine import Tx
from prorata.store.invoices.invoices import InvoiceSummary
from prorata.store.jobs import jobs as stored_jobs
from prorata.store.mail.messages import MailRow
from prorata.worker.job_kinds import Kind
from prorata.worker.mail import mail_kind
from prorata.worker.rounds import Worker
from tests.landlord import Landlord, MovableClock
from tests.smtp_server import SmtpServer

SENDER = "bills@example.com"


class House:
    """A landlord with one tenant and a February invoice, and a worker that sends e-mails."""

    def __init__(self, landlord: Landlord, clock: MovableClock, folder: Path) -> None:
        self.landlord = landlord
        self.clock = clock
        self.folder = folder
        self.environment = {"PRORATA_DATA_DIR": str(folder), "PRORATA_MAIL_FROM": SENDER}
        self.maple = landlord.property_()
        self.unit = landlord.unit(self.maple, "1")
        self.tenant = landlord.tenant(self.unit, "Zoë Ωmega", email="zoe@example.org")
        landlord.bill(self.maple, 120_50)
        self._kinds: tuple[Kind, ...] | None = None

    def goes_through(self, server: SmtpServer | int) -> None:
        port = server if isinstance(server, int) else server.port
        self.environment["PRORATA_SMTP_URL"] = f"smtp://127.0.0.1:{port}"
        self._kinds = None

    def takes_mail(self, mailer: Mailer, *, attempts: int | None = None) -> None:
        """Send messages by a mailer of the test's own, with at most `attempts` tries each."""
        *others, kind = self._kinds_with(mailer)
        self._kinds = (*others, replace(kind, attempts=attempts or kind.attempts))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        if self._kinds is None:
            self._kinds = self._kinds_with(wiring.mailer(read_settings(self.environment)))
        return self._kinds

    def _kinds_with(self, mailer: Mailer) -> tuple[Kind, ...]:
        settings = read_settings(self.environment)
        writer = LetterWriter(sender_address(settings), wiring.printer())
        others = [kind for kind in wiring.job_kinds(settings) if kind.name != MAIL]
        has_server = settings.smtp_url is not None
        return (*others, mail_kind(mailer, writer, link_url, tenant_links, has_server=has_server))

    def work(self, **later: float) -> None:
        self.clock.forward(**later)
        Worker(self.landlord.database, lambda: 0, self.kinds).do_round(threading.Event())

    def set_status(self, status: str) -> InvoiceSummary:
        return self.landlord.set_status(self.maple, "1", status).summary

    @property
    def invoice(self) -> InvoiceSummary:
        return self.landlord.invoices(self.maple)["1"].summary

    def wishes(self, **wishes: Any) -> None:
        self.landlord.do(accounts.change_mail, MailWishes(**wishes))

    def messages(self) -> list[MailRow]:
        return self.landlord.see(deliveries.messages, self.invoice.id)

    def jobs(self) -> list[stored_jobs.JobRow]:
        return [job for job in self.landlord.read(stored_jobs.of_subject, self.invoice.id) if job.kind == "mail"]

    def retry(self) -> None:
        """Retry the failed job as `prorata jobs retry` does."""
        (job,) = (job for job in self.jobs() if job.state == "failed")
        (kind,) = (kind for kind in self.kinds if kind.name == job.kind)

        def again(tx: Tx) -> None:
            kind.tried_again(tx, job)
            jobs.retry(tx, job.account_id, job.id)

        self.landlord.run(again)

    def outbox(self) -> list[EmailMessage]:
        folder = self.folder / "outbox"
        return [parsed(file.read_bytes()) for file in sorted(folder.iterdir())] if folder.exists() else []

    def report(self, mail_id: str, *actions: str) -> None:
        told = DeliveryReport(tuple(RecipientReport(action, diagnostic="No such user.") for action in actions))  # type: ignore[arg-type]
        self.landlord.run(lambda tx: deliveries.note_report(tx, mail_id, told))


def link_url(kind: str, link_id: str) -> str:
    """Return the address of a one-time link, as `wiring` does, but without a signature."""
    return f"https://prorata.example/{kind}/{link_id}"


def tenant_links() -> TenantLinks:
    """Return the maker of links to tenants' pages."""
    return TenantLinks([b"tenants"], "https://prorata.example")


def parsed(data: bytes) -> EmailMessage:
    message = BytesParser(policy=email.policy.default).parsebytes(data)
    assert isinstance(message, EmailMessage)
    return message


def pdf_in(message: EmailMessage) -> bytes:
    (attached,) = message.iter_attachments()
    assert attached.get_content_type() == "application/pdf"
    content = attached.get_content()
    assert isinstance(content, bytes)
    return content
