"""The creation of the program's parts, with the adapters that the settings choose.

Code that only some commands need is imported where it is used, so that no other command waits for its import.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from prorata.adapters.database.folder_lock import Taken, only_one
from prorata.adapters.database.retained_files import FolderArchive
from prorata.adapters.limits import MOST_BILL_ROWS_LOOKED_AT
from prorata.adapters.limits_memory import MemoryLimiter
from prorata.adapters.master_secret import load_secret
from prorata.domain.delivery.send_schedule import NO_SERVER
from prorata.domain.printing.printed_letters import Printed
from prorata.errors import Unavailable
from prorata.ports import Clock, Limiter, Printer, Vault
from prorata.settings import Settings, SettingsError
from prorata.store.database import schema_lock
from prorata.store.database.schema_state import SQLITE, Condition, condition_of
from prorata.wiring.surroundings import REAL, Surroundings, utc_now

if TYPE_CHECKING:
    from prorata.actions.accounts.api_keys import KeyHasher
    from prorata.actions.accounts.one_time_links import LinkAddresses
    from prorata.actions.invoices.tenant_links import TenantLinks
    from prorata.adapters.printing.print_process import PrintProcess
    from prorata.ports.files import BillReader, IncomingFile, TableReader
    from prorata.ports.mail import Mailer
    from prorata.store.database.engine import Database
    from prorata.web.dashboard.kernel.pages import Outside
    from prorata.worker.job_kinds import Kind

_KEY_HASHES = "hashes of API keys"
_SESSION_HASHES = "hashes of sessions"
_LINKS = "one-time links"
_TENANT_LINKS = "tenants' pages"
_VAULT = "sealed values"
NOT_CURRENT = "The database is not up to date. Stop other Prorata processes and run: prorata db upgrade"
UNRELEASED = (
    "The database was created by a version of Prorata from before the first release, and this version doesn’t know "
    "its schema. docs/operating.md explains how to upgrade it."
)


def sqlite_file(settings: Settings) -> Path:
    """Return the file of the embedded database."""
    assert settings.uses_sqlite
    return Path(settings.database_url.removeprefix(SQLITE))


def open_database(settings: Settings, clock: Clock = utc_now) -> "Database":
    """Open the configured database, whose changes record events; the caller must `close` it."""
    from prorata.store.webhooks import event_outbox  # noqa: PLC0415 - as above

    if settings.uses_sqlite:
        from prorata.store.database.sqlite import SqliteDatabase  # noqa: PLC0415 - as above

        return SqliteDatabase(sqlite_file(settings), clock, listener=event_outbox.note_deeds)
    from prorata.store.database.postgresql import PostgresqlDatabase  # noqa: PLC0415 - as above

    return PostgresqlDatabase(settings.database_url, clock, listener=event_outbox.note_deeds)


def prepare(settings: Settings) -> None:
    """Create, upgrade or check the database. Raises `SettingsError` if the database can't be used."""
    condition = _usable(settings)
    if condition is Condition.CURRENT:
        return
    if not settings.uses_sqlite:
        raise SettingsError(NOT_CURRENT)
    upgrade(settings)


def prepare_to_serve(settings: Settings) -> None:
    """Prepare the database, secret, request counters and mail for the processes of `serve`.

    Raises `SettingsError` if one of these can't be used.
    """
    prepare(settings)
    load_secret(settings)
    limiter(settings)
    if settings.smtp_url or settings.mail_from:
        mailer(settings)
    if settings.inbound_smtp or settings.imap_url:
        from prorata.wiring import inbound  # noqa: PLC0415 - as above

        inbound.prepare(settings)


def upgrade(settings: Settings) -> bool:
    """Upgrade the database; return False if nothing was done. Raises `SettingsError` on failure."""
    if _usable(settings) is Condition.CURRENT:
        return _compute_due_months(settings) > 0
    from prorata.store import migrations  # noqa: PLC0415 - as above

    folder = only_one(settings.data_dir) if settings.uses_sqlite else nullcontext()
    try:
        with folder, schema_lock.alone(settings.database_url):
            migrations.upgrade(settings.database_url)
    except Taken:  # by an older `serve`, which holds no lock on the schema
        raise SettingsError(schema_lock.IN_USE) from None
    _compute_due_months(settings)
    return True


def _compute_due_months(settings: Settings) -> int:
    """Recalculate the open months that an upgrade affects; return the number of their properties."""
    from prorata.actions.recalculation import after_upgrades  # noqa: PLC0415 - as above

    with closed_in_the_end(open_database(settings)) as database:
        return after_upgrades.compute_due_months(database)


def _usable(settings: Settings) -> Condition:
    condition = condition_of(settings.database_url)
    if condition is Condition.NEWER:
        raise SettingsError(
            "The database belongs to a newer version of Prorata than this one. Install that version and try again."
        )
    if condition is Condition.UNRELEASED:
        raise SettingsError(UNRELEASED)
    if condition is Condition.FOREIGN:
        raise SettingsError(
            "PRORATA_DATABASE_URL points to something other than a Prorata database. Specify another address."
        )
    return condition


@contextmanager
def opened(settings: Settings) -> Iterator["Database"]:
    """Open the configured database for the block. Raises `SettingsError` unless the database exists and is current."""
    condition = _usable(settings)
    if condition is Condition.EMPTY and settings.uses_sqlite:
        raise SettingsError(
            f"There is no Prorata database in {settings.data_dir} yet. Check PRORATA_DATA_DIR, or begin with: "
            "prorata account create"
        )
    if condition is not Condition.CURRENT:
        raise SettingsError(NOT_CURRENT)
    with closed_in_the_end(open_database(settings)) as database:
        yield database


@contextmanager
def made(settings: Settings) -> Iterator["Database"]:
    """Open the configured database for the block, first creating or upgrading an embedded one."""
    prepare(settings)
    with closed_in_the_end(open_database(settings)) as database:
        yield database


@contextmanager
def closed_in_the_end(database: "Database") -> Iterator["Database"]:
    """Close a database after the block, without failing if another process has it locked."""
    try:
        yield database
    finally:
        with suppress(Unavailable):
            database.close()


def limiter(settings: Settings) -> Limiter:
    """Make the request counter: in Redis if that is configured, otherwise in this process."""
    if settings.redis_url is None:
        return MemoryLimiter()
    from prorata.adapters.limits_redis import RedisLimiter  # noqa: PLC0415 - as above

    try:
        return RedisLimiter(settings.redis_url)
    except ValueError:
        raise SettingsError(
            "PRORATA_REDIS_URL must be the address of a Redis server, such as redis://127.0.0.1:6379/0."
        ) from None


def print_process() -> "PrintProcess":
    """Make an invoice printer for a long-lived process, with the typesetter in another process."""
    from prorata.adapters.printing.print_process import PrintProcess  # noqa: PLC0415 - as above

    return PrintProcess()


def printer() -> Printer:
    """Make an invoice printer in this process, for a command that ends soon.

    The typesetter is large, and most commands print nothing, so it is loaded with the first invoice.
    """
    made: list[Printer] = []

    def print_now(printed: Printed) -> bytes:
        if not made:
            from prorata.adapters.printing.pdf import TypstPrinter  # noqa: PLC0415 - as above

            made.append(TypstPrinter())
        return made[0](printed)

    return print_now


def archive(settings: Settings, clock: Clock = utc_now) -> FolderArchive:
    """Make the archive, which stores exports of deleted properties and the erasure list."""
    return FolderArchive(settings.data_dir, settings.keep_deleted_days, settings.keep_outbox_days, clock)


def mailer(settings: Settings, *, ask_for_reports: bool = False) -> "Mailer":
    """Make the mailer, which uses the mail server or, if none is configured, the outbox.

    If mail is held, the mailer sends nothing. `ask_for_reports` is for an installation that receives mail. Raises
    `SettingsError` if the settings are unusable.
    """
    from prorata.adapters.mail.smtp_url import base_host, ehlo_name, read_smtp_url, sender_address  # noqa: PLC0415 - as above

    sender_address(settings)
    if settings.smtp_url is None:
        from prorata.adapters.mail.mail_folder import FolderOutbox  # noqa: PLC0415 - as above

        return FolderOutbox(settings.outbox)
    server, host = read_smtp_url(settings.smtp_url), base_host(settings)
    held = why_mail_is_held(settings)
    if held is not None:
        from prorata.adapters.mail.blocked_mailer import HeldMailer  # noqa: PLC0415 - as above

        return HeldMailer(held)
    from prorata.adapters.mail.smtp import SmtpMailer  # noqa: PLC0415 - as above

    return SmtpMailer(server, ehlo_name=ehlo_name(host), ask_for_reports=ask_for_reports)


def why_mail_is_held(settings: Settings) -> str | None:
    """Explain why no message may be sent through the configured mail server.

    Return None if messages may be sent, or if no mail server is configured.
    """
    if settings.smtp_url is None:
        return None
    from prorata.adapters.mail.smtp_url import base_host, read_smtp_url  # noqa: PLC0415 - as above
    from prorata.domain import mail_addresses  # noqa: PLC0415 - as above

    return mail_addresses.why_mail_is_held(base_host(settings), read_smtp_url(settings.smtp_url).host)


def hasher(settings: Settings) -> "KeyHasher":
    """Make the hasher of API keys, with a hashing key derived from the installation's secret."""
    from prorata.actions.accounts.api_keys import KeyHasher  # noqa: PLC0415 - as above

    return KeyHasher(load_secret(settings).keys_for(_KEY_HASHES))


def session_hasher(settings: Settings) -> "KeyHasher":
    """Make the hasher of session tokens."""
    from prorata.actions.accounts.api_keys import KeyHasher  # noqa: PLC0415 - as above

    return KeyHasher(load_secret(settings).keys_for(_SESSION_HASHES))


def link_addresses(settings: Settings) -> "LinkAddresses":
    """Make the builder of one-time links, with the keys that sign them."""
    from prorata.actions.accounts.one_time_links import LinkAddresses, LinkSigner  # noqa: PLC0415 - as above

    return LinkAddresses(LinkSigner(load_secret(settings).keys_for(_LINKS)), settings.base_url)


def tenant_links(settings: Settings) -> "TenantLinks":
    """Make the builder of links to tenants' pages, with the keys that sign them."""
    from prorata.actions.invoices.tenant_links import TenantLinks  # noqa: PLC0415 - as above

    return TenantLinks(load_secret(settings).keys_for(_TENANT_LINKS), settings.base_url)


def vault(settings: Settings) -> Vault:
    """Make the vault that seals stored secrets, such as payment providers' keys."""
    from prorata.adapters.sealing import AesVault  # noqa: PLC0415 - as above

    return AesVault(load_secret(settings).keys_for(_VAULT))


def table_reader(*, for_browsers: bool = False) -> "TableReader":
    """Make the reader of uploaded tables, which reads each in a separate process."""
    from prorata.adapters.files.table_files import FOR_BROWSERS, TableProcess  # noqa: PLC0415 - as above

    return TableProcess(FOR_BROWSERS, MOST_BILL_ROWS_LOOKED_AT) if for_browsers else TableProcess()


def files_in(name: str, data: bytes) -> tuple["IncomingFile", ...]:
    """Return an uploaded file, or an archive's files, with kinds detected from the bytes."""
    from prorata.adapters.files.incoming_files import files_in as told_apart  # noqa: PLC0415 - as above

    return told_apart(name, data)


def bill_reader(*, for_browsers: bool = False) -> "BillReader":
    """Make the reader of bills from files, each in a separate, short-lived process.

    It reads pictures if OCR is installed; with `for_browsers` it never does, because a person is waiting for the page.
    """
    from prorata.adapters.intake.bill_files import PROTECTED, BillFiles  # noqa: PLC0415 - as above
    from prorata.adapters.intake.ocr_files import OcrProcess, is_installed  # noqa: PLC0415 - as above
    from prorata.adapters.intake.pdf_files import PdfProcess  # noqa: PLC0415 - as above

    if for_browsers:  # which only bring what is protected here
        return BillFiles(PdfProcess(), None, PROTECTED)
    return BillFiles(PdfProcess(), OcrProcess() if is_installed() else None)


def outside(settings: Settings, print_invoice: Printer, clock: Clock = utc_now) -> "Outside":
    """Collect the services that the dashboard needs from outside, such as printing and mail."""
    from prorata.actions.accounts.one_time_links import LinkSigner  # noqa: PLC0415 - as above
    from prorata.adapters.delivery.mail_writer import letter_of  # noqa: PLC0415 - as above
    from prorata.adapters.exports.charge_layout_files import load_layouts  # noqa: PLC0415 - as above
    from prorata.adapters.exports.packs import packed  # noqa: PLC0415 - as above
    from prorata.adapters.files.logos import LogoProcess  # noqa: PLC0415 - as above
    from prorata.adapters.files.named_files import NamedFiles  # noqa: PLC0415 - as above
    from prorata.adapters.files.qr_svg import qr_svg, transfer_qr_svg  # noqa: PLC0415 - as above
    from prorata.adapters.files.spreadsheet_files import csv_file, xlsx_file  # noqa: PLC0415 - as above
    from prorata.adapters.inbound_mail.inbound_settings import inbox_address  # noqa: PLC0415 - as above
    from prorata.adapters.intake.ocr_files import is_installed  # noqa: PLC0415 - as above
    from prorata.adapters.intake.pdf_pictures import PictureProcess  # noqa: PLC0415 - as above
    from prorata.adapters.locale_forms import LocaleForms  # noqa: PLC0415 - as above
    from prorata.adapters.passwords import Argon2Passwords  # noqa: PLC0415 - as above
    from prorata.adapters.printing.joined_pdfs import PdfJoiner  # noqa: PLC0415 - as above
    from prorata.adapters.webhooks.post import look_up  # noqa: PLC0415 - as above
    from prorata.web.dashboard.kernel.pages import Outside  # noqa: PLC0415 - as above
    from prorata.wiring import payments  # noqa: PLC0415 - as above

    return Outside(
        settings=settings,
        archive=archive(settings, clock),
        printer=print_invoice,
        join=PdfJoiner(),
        hasher=hasher(settings),
        passwords=Argon2Passwords(),
        vault=vault(settings),
        signer=LinkSigner(load_secret(settings).keys_for(_LINKS)),
        forms=cache(LocaleForms),
        tenant_links=tenant_links(settings),
        read_table=table_reader(for_browsers=True),
        sessions=session_hasher(settings),
        qr=qr_svg,
        letter=letter_of,
        transfer_qr=transfer_qr_svg,
        bills=bill_reader(for_browsers=True),
        files_in=files_in,
        picture=PictureProcess(),
        read_logo=LogoProcess(),
        named_files=NamedFiles(),
        reads_pictures=is_installed(),
        spreadsheets={"csv": csv_file, "xlsx": xlsx_file},
        pack=packed,
        payment_events=payments.readers(),
        job_kinds=cache(lambda: {kind.name: kind for kind in job_kinds(settings)}),
        charge_layouts=load_layouts(),
        inbox_address=inbox_address(settings),
        look_up=look_up,
        mail_held=NO_SERVER if settings.smtp_url is None else why_mail_is_held(settings),
    )


def job_kinds(
    settings: Settings, print_invoice: Printer | None = None, around: Surroundings = REAL
) -> "tuple[Kind, ...]":
    """List all kinds of jobs; without `print_invoice`, this process typesets invoices itself."""
    from prorata.adapters.delivery.mail_writer import LetterWriter  # noqa: PLC0415 - as above
    from prorata.adapters.files.named_files import NamedFiles  # noqa: PLC0415 - as above
    from prorata.adapters.inbound_mail.message_files import MessageProcess  # noqa: PLC0415 - as above
    from prorata.adapters.locale_forms import LocaleForms  # noqa: PLC0415 - as above
    from prorata.adapters.mail.smtp_url import sender_address  # noqa: PLC0415 - as above
    from prorata.wiring import authenticity, batches, payments, webhooks  # noqa: PLC0415 - as above
    from prorata.worker.bulk import BULK_KIND  # noqa: PLC0415 - as above
    from prorata.worker.documents import document_kinds  # noqa: PLC0415 - as above
    from prorata.worker.incoming_mail import ANSWER_KIND, incoming_mail_kind  # noqa: PLC0415 - as above
    from prorata.worker.job_retries import retry_kind  # noqa: PLC0415 - as above
    from prorata.worker.mail import mail_kind  # noqa: PLC0415 - as above
    from prorata.worker.months import MONTHS_KIND  # noqa: PLC0415 - as above
    from prorata.worker.payment_links import payment_link_kind  # noqa: PLC0415 - as above
    from prorata.worker.recurring_jobs import CLOCKWORK, announce_kind, forget_kind  # noqa: PLC0415 - as above
    from prorata.worker.webhooks import webhook_kinds  # noqa: PLC0415 - as above

    writer = LetterWriter(sender_address(settings), print_invoice or printer())

    def link_url(kind: str, link_id: str) -> str:
        return link_addresses(settings)(kind, link_id)  # only looking at jobs needs no secret

    receives = settings.inbound_smtp is not None or settings.imap_url is not None
    kinds = (
        *(*CLOCKWORK, announce_kind(cache(LocaleForms)), MONTHS_KIND, BULK_KIND, ANSWER_KIND),
        forget_kind(archive(settings, around.clock), NamedFiles()),
        batches.batches(lambda: outside(settings, print_invoice or printer(), around.clock)),
        *document_kinds(bill_reader(), table_reader(for_browsers=True)),
        incoming_mail_kind(MessageProcess(), authenticity.authenticates(settings.name_server, around), files_in),
        *webhook_kinds(webhooks.webhook_post(settings), cache(lambda: vault(settings))),
        mail_kind(
            mailer(settings, ask_for_reports=receives), writer, link_url, cache(lambda: tenant_links(settings)),
            has_server=settings.smtp_url is not None),
        payment_link_kind(payments.gateways(settings), lambda: vault(settings)),
    )  # fmt: skip
    return (retry_kind({kind.name: kind for kind in kinds}), *kinds)
