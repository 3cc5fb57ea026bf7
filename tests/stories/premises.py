"""The setting of the story.

The program runs in its own processes. Around it are a mail server, a name server, a utility, browsers and a bookkeeper,
all real.
"""

import os
import random
import secrets
import smtplib
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import httpx
from playwright.sync_api import Browser, Error as BrowserError, Page
from sqlalchemy import select

from prorata import wiring
from prorata.actions.accounts import accounts, api_keys
from prorata.actions.audit import chaining as audit_chains
from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.intake import documents
from prorata.actions.online_payments import providers as payment_providers
from prorata.actions.overview.schedule import RECURRING
from prorata.adapters.passwords import Argon2Passwords
from prorata.domain.intake.documents import STATES
from prorata.settings import read_settings
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.database.statements import returns_one
from prorata.store.schema.job_tables import job
from prorata.store.webhooks import event_feed
from tests.browser.conftest import DESK, Visitor
from tests.browser.landlord import EMAIL, PASSWORD
from tests.cli.running import SECRET, Command
from tests.incoming import MAIL_FROM, address_of
from tests.landlord import opened
from tests.servers import free_port
from tests.smtp_server import SmtpServer
from tests.stories import served
from tests.stories.bookkeeper import Bookkeeper
from tests.stories.others_mail import SENDER, NameServer, PostOffice, Utility
from tests.stories.story_clock import StoryClock
from tests.stories.supervised import VICTIMS, Supervised

BEGINS = datetime(2026, 1, 4, 8, tzinfo=UTC)
SECONDS_TO_WAIT = 120.0
SECONDS_A_LOOK = 0.1
SECONDS_BEFORE_AGAIN = 3.0
MILLISECONDS_OF_A_PAGE = 10_000
UNAVAILABLE = 503
BROKEN_OFF = (BrowserError, httpx.HTTPError, OSError, smtplib.SMTPException, AssertionError)
"""The errors that people and programs see when their process is killed."""
_UNDONE = returns_one(select(job.c.id).where(job.c.ended_at.is_(None)).limit(1))


class Premises:
    """The setting of a story, from the start of a `with` block to its end.

    The `seed` chooses the moments at which processes are killed.
    """

    def __init__(self, database_url: str, folder: Path, chromium: Browser, seed: int | None = None) -> None:
        self._held = ExitStack()
        self._chromium = chromium
        self._dice = random.Random(seed)
        self.is_killed = False
        """True if something may have been killed, so that people and programs try again."""
        self.clock = StoryClock(folder / served.CLOCK)
        self.clock.set_to(BEGINS)
        self.port, self.mail_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.utility, self.bookkeeper = Utility(), Bookkeeper(self.clock)
        self.smtp = SmtpServer()
        self.post_office = PostOffice(self.smtp)
        self.names = NameServer(self.utility.record)
        self.command = Command(
            folder,
            PRORATA_DATABASE_URL=database_url,
            PRORATA_SECRET_KEY=SECRET,
            PRORATA_BASE_URL=self.url,
            PRORATA_MAIL_FROM=MAIL_FROM,
            PRORATA_INBOUND_SMTP=f"127.0.0.1:{self.mail_port}",
            PRORATA_INBOUND_ADDRESS=MAIL_FROM,
            PRORATA_PAYMENTS="sandbox",
            PRORATA_WEBHOOK_PRIVATE="127.0.0.0/8",
            PRORATA_RATE_LIMIT_PER_MINUTE="1000000",
            PRORATA_RATE_LIMIT_PER_HOUR="10000000",
        )
        around = {
            served.FOLDER: str(folder),
            served.NAME_SERVER: str(self.names.port),
            served.MAIL_SERVER: f"smtp://127.0.0.1:{self.smtp.port}",
        }
        self.server = Supervised(self.port, folder, self.command.environment | around)
        self.database = self._held.enter_context(opened(database_url, self.clock))  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        held = self._held
        held.enter_context(closing(self.names))
        held.enter_context(self.smtp)
        held.enter_context(self.bookkeeper.receiver)
        self.command.data.mkdir(mode=0o700)
        self._open_an_account()
        self._api = held.enter_context(
            httpx.Client(base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {self._key}"}, timeout=30)
        )
        held.callback(self.server.stop)
        self.server.start()
        self.until(self._answers, "it answers")
        self._landlord, self._guest = (self._visitor() for _ in range(2))
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _open_an_account(self) -> None:
        """Open the account of an owner who has signed up.

        The account has an allowed sender, trial payments and an API key.
        """
        settings = read_settings(self.command.settings, Path(os.devnull))
        hashed, hasher = Argon2Passwords().hash(PASSWORD), wiring.hasher(settings)

        def write(tx: Tx) -> tuple[Caller, str]:
            account = accounts.open_account(
                tx, recurs=RECURRING, name="Harbor Rentals", email=EMAIL, password_hash=hashed, timezone="UTC", locale="en-US",
                currency="USD",
            )  # fmt: skip
            caller = Caller(account.id, "tests")
            inbox_addresses.set_allowed(tx, caller, SENDER)
            payment_providers.use_sandbox(tx, caller, is_on=True)
            _, key = api_keys.create(
                tx, caller, name="books", permission="ADMIN", expires_at=None, random_bytes=secrets.token_bytes(24),
                hasher=hasher,
            )  # fmt: skip
            return caller, key

        self.caller, self._key = self.database.write(write)

    def _visitor(self) -> Visitor:
        context = self._chromium.new_context(viewport=DESK)
        context.set_default_timeout(MILLISECONDS_OF_A_PAGE)
        self._held.callback(context.close)
        return Visitor(context, self.url)

    def _answers(self) -> bool:
        try:
            return self._api.get(f"{self.url}/ready").is_success
        except httpx.TransportError:
            return False

    # --- time

    def until(self, happened: Callable[[], bool], what: str, seconds: float = SECONDS_TO_WAIT) -> None:
        """Wait for something to happen.

        Meanwhile the story's clock runs ahead, so that long waits, such as that for the end of a lease, pass quickly.
        """
        assert self.comes_true(happened, seconds), f"it does not come to pass: {what}\n{self.server.said()}"

    def comes_true(self, happened: Callable[[], bool], seconds: float) -> bool:
        """Check whether something happens within this number of seconds of the system's clock."""
        began = time.monotonic()
        while not happened():
            waited = time.monotonic() - began
            if waited > seconds:
                return False
            time.sleep(SECONDS_A_LOOK)
            self.clock.forward(3.0 if waited < 2 else 20.0)
        return True

    def day_comes(self, day: str) -> None:
        """Finish earlier work, and set the clock to eight in the morning of a day."""
        self.settles()
        self.clock.set_to(datetime.fromisoformat(f"{day}T08:00:00+00:00"))

    def settles(self) -> None:
        """Wait until no work is left.

        Every job has then ended, every audit entry is in the chain, and the bookkeeper has heard of every event unless
        it is down.
        """
        self.until(self._is_settled, "everything is done")

    def _is_settled(self) -> bool:
        def is_left(tx: Tx) -> bool:
            return bool(tx.one(_UNDONE) or event_feed.account_with_uncounted(tx) or audit_chains.behind(tx))

        if self.database.read(is_left):
            return False
        self.bookkeeper.ask(self.get)
        return self.bookkeeper.is_down or self.bookkeeper.has_heard_all()

    # --- kills

    def struck(self, deeds: range, kills: int) -> set[int]:
        """Return the numbers of the deeds during which something is killed."""
        return set(self._dice.sample(deeds, kills))

    @contextmanager
    def struck_down(self) -> Iterator[None]:
        """Kill something at a random moment during the block, or just after it.

        Early moments are likelier, because most deeds are soon done.
        """
        delay, victim = 1.5 * self._dice.random() ** 3, self._dice.choice(VICTIMS)
        strike = threading.Timer(delay, self.server.kill, [victim])
        strike.start()
        try:
            yield
        finally:
            strike.join()

    def surely(self, deed: Callable[[], object], is_done: Callable[[], bool], what: str) -> None:
        """Do a deed, and repeat it if a kill interrupted it, as people do.

        Without kills, there is only one try.
        """
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while True:
            try:
                deed()
            except BROKEN_OFF:
                if not self.is_killed or time.monotonic() > deadline:
                    raise
            if not self.is_killed:
                self.until(is_done, what)
                return
            if self.comes_true(is_done, SECONDS_BEFORE_AGAIN):
                return
            assert time.monotonic() < deadline, f"it is not done: {what}\n{self.server.said()}"

    # --- doors

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The API's response to a request.

        If a kill interrupts the request, it is repeated with the same idempotency key.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while True:
            try:
                answer = self._api.request(method, path, json=body, headers=headers)
                answer.raise_for_status()
            except httpx.HTTPError as failed:
                is_over = isinstance(failed, httpx.HTTPStatusError) and failed.response.status_code != UNAVAILABLE
                if is_over or not self.is_killed or time.monotonic() > deadline:
                    raise
                time.sleep(SECONDS_A_LOOK)
            else:
                return answer.json()

    def get(self, path: str) -> Any:
        """Return the API's response to a GET request."""
        return self.call("GET", path)

    def page(self, path: str) -> Page:
        """A page of the dashboard in the landlord's browser, signed in."""
        page = self._landlord.go(path)
        if "/sign-in" in page.url:
            self._landlord.sign_in(EMAIL)
            page = self._landlord.go(path)
        return page

    def page_of_tenant(self, path: str) -> Page:
        """A page in the browser of somebody who is not signed in."""
        return self._guest.go(path)

    def deliver(self, letter: bytes) -> None:
        """Hand a message from the utility to the program's mail receiver."""
        with smtplib.SMTP("127.0.0.1", self.mail_port, timeout=30) as client:
            client.sendmail(SENDER, [address_of(self.database, self.caller.account_id)], letter)

    def files(self) -> dict[str, tuple[str, str]]:
        """The id and state of every file in the inbox, by its name."""
        found = self.database.read(lambda tx: documents.inbox(tx, self.caller, STATES))
        return {one.row.name: (one.row.id, one.row.state) for one in found.rows}

    def invoices(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Every invoice as the API shows it, by unit and month."""
        data = self.get("/invoices?limit=100&details=true")["data"]
        return {(one["unit"]["label"], one["month"][:7]): one for one in data}
