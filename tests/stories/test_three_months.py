"""Three months in the life of a house, and a fourth month that sends itself.

The story has bills by mail, a late bill, an address that bounces, a partial payment, a refund, a month that is opened
again, a tenant who leaves, an invoice that becomes overdue and its reminder, and a tenant's question. The fourth month
sends itself once its missing bill has come. In the end everyone has paid the right amount, to the cent, by a ledger
kept by hand. The end is the same with `kill -9` of server and worker at random moments.

`make check` runs the story once, on PostgreSQL. The kills begin after a part without kills, in which nothing may come
twice or need a second try. `make soak` runs the story without kills and with many, on both databases.
"""

import re
import secrets
import time
from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.bill_pdfs.facts import Facts, Section, facts_of
from tests.bill_pdfs.layouts import LAYOUTS
from tests.bill_pdfs.printing import printed
from tests.bill_pdfs.words import ITEMS
from tests.browser.conftest import open_chromium
from tests.browser.landlord import EMAIL
from tests.servers import under_ci
from tests.stories import quarter_by_hand as by_hand
from tests.stories.premises import BROKEN_OFF, Premises
from tests.stories.quarter_by_hand import ANN, APRIL, BOB, CLEO, FEBRUARY, JANUARY, MARCH
from tests.stories.reckoning import everything_is_right, nothing_went_wrong
from tests.web.conftest import MAPLE

ADDRESSES = {ANN: "ann@example.org", BOB: "bob@example.org", CLEO: "cleo@nowhere.example"}
QUESTION = "Why is the water so dear?"
SQUARE_FEET = {ANN: 500, BOB: 700, CLEO: 800}
LOOK = next(one for one in LAYOUTS if one.locale == "en-US" and not one.held_out)
KILLS_SHORT, KILLS_LONG = 6, 20
"""In how many of the deeds something is killed."""
UNDISTURBED = 7
"""Deeds before the first kill of the short form: among them is one of each kind of mail, payment and webhook."""
SECONDS_UNTIL_NINE = 3_605
"""From eight, when the days of the story begin; months are looked through and reminders written at nine."""
SECONDS_OF_A_STORY = 900
"""At the most, on a machine that has much else to do."""
SEED_UNDER_CI = 1
"""There a failure has to come from the change; elsewhere each run tries others."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless browser that is open only while the stories of this file run.

    The event loop that Playwright keeps running would interfere with other tests.
    """
    with open_chromium() as browser:
        yield browser


# --- what people do


class Story:
    """The deeds of the story, in their order."""

    def __init__(self, premises: Premises) -> None:
        self.at = premises
        self.property = ""
        self.tenants: dict[str, str] = {}
        self.addresses = dict(ADDRESSES)

    def a_house_with_three_tenants(self) -> None:
        at = self.at
        hook = at.call("POST", "/webhook-endpoints", {"url": at.bookkeeper.receiver.url})
        at.bookkeeper.secret = hook["secret"]
        self.property = at.call("POST", "/properties", {**MAPLE, "name": "Elm House"})["id"]
        for unit, name in ((ANN, "Ann Lee"), (BOB, "Bob Chen"), (CLEO, "Cleo Diaz")):
            added = at.call("POST", f"/properties/{self.property}/units", {"label": unit, "sqft": SQUARE_FEET[unit]})
            who = {"name": name, "email": ADDRESSES[unit]}
            self.tenants[unit] = at.call("POST", f"/units/{added['id']}/tenants", who)["id"]
        for kind, method in (("WATER", "SQFT"), ("GAS", "OCCUPANTS")):
            rule = {"utilityType": kind, "splitMethod": method}
            at.call("POST", f"/properties/{self.property}/sharerules", rule)

    def bills_come_by_mail(self, month: str, *kinds: str) -> None:
        """Mail one message with all of these bills; the landlord confirms each in the inbox."""
        at, bills = self.at, {f"{kind}-{month}.pdf": bill(kind, month) for kind in kinds}
        letter = at.utility.letter(*((name, printed(facts, LOOK)) for name, facts in bills.items()))
        at.surely(lambda: at.deliver(letter), lambda: bills.keys() <= at.files().keys(), "the bills are in the inbox")
        for name, facts in bills.items():
            at.until(partial(self._stands, name, "draft"), f"{name} is read")
            at.surely(partial(self._confirm, name, facts), partial(self._stands, name, "billed"), f"{name} is a bill")

    def _stands(self, name: str, state: str) -> bool:
        return self.at.files()[name][1] == state

    def _confirm(self, name: str, facts: Facts) -> None:
        page = self.at.page(f"/inbox/{self.at.files()[name][0]}")
        if page.get_by_text("Which property is it for?").is_visible():
            page.get_by_label("Property", exact=True).select_option(label="Elm House")
            page.get_by_role("button", name="Continue").click()
        form = page.locator("#bill")
        expect(form.get_by_label("Total")).to_have_value(f"{facts.total // 100}.{facts.total % 100:02}")
        form.get_by_label(facts.sections[0].kind.capitalize(), exact=True).check()
        page.get_by_role("button", name="Add the bill").click()
        page.wait_for_url("**/bills/bill_*")  # or the next page that is opened would break this off

    def the_landlord_sends_all(self, month: str, *units: str) -> None:
        """Send a month's invoices on its review page; each tenant gets a new message."""
        at = self.at
        before = {unit: len(at.post_office.letters_to(self.addresses[unit])) for unit in units}

        def send() -> None:
            page = at.page(f"/properties/{self.property}/months/{month}")
            page.get_by_role("link", name=re.compile("^Send (all|it)")).click()
            page.get_by_role("button", name=re.compile(r"^(Send \d+ invoices?|Save \d+ to|Mark \d+ as sent)")).click()
            page.wait_for_url("**/invoices/changes/**")

        at.surely(send, lambda: self._statuses(month, *units) == {"SENT"}, f"{month} is sent")
        for unit, number in before.items():
            at.until(
                lambda to=self.addresses[unit], most=number: len(at.post_office.letters_to(to)) > most,
                f"{unit} has the invoice of {month}",
            )

    def _statuses(self, month: str, *units: str) -> set[str]:
        there = self.at.invoices()
        return {there[unit, month]["status"] for unit in units}

    def the_message_to_cleo_comes_back(self) -> None:
        at = self.at
        at.surely(
            lambda: at.post_office.send_back(ADDRESSES[CLEO], at.mail_port),
            lambda: at.invoices()[CLEO, JANUARY]["emailStatus"] == "bounced",
            "the invoice says that it came back",
        )

    def her_address_is_mended_and_it_goes_again(self) -> None:
        at, right = self.at, "cleo@example.org"
        self.addresses[CLEO] = right
        at.call("PATCH", f"/tenants/{self.tenants[CLEO]}", {"email": right})
        at.call("POST", f"/invoices/{at.invoices()[CLEO, JANUARY]['id']}/send-again")
        at.until(lambda: bool(at.post_office.letters_to(right)), "Cleo has it")
        at.until(lambda: at.invoices()[CLEO, JANUARY]["emailStatus"] == "sent", "the invoice says so")

    def pays_on_the_page(self, unit: str, month: str) -> None:
        """Pay an invoice online, from the link in the newest message.

        The link leads to the tenant's page, and the button there to the payment provider's page.
        """
        at = self.at
        at.until(lambda: bool(at.invoices()[unit, month]["gatewayPaymentLinkUrl"]), "there is a link to pay by")
        path = at.post_office.page_in_newest_letter_to(self.addresses[unit])

        def pay() -> None:
            page = at.page_of_tenant(path)
            page.locator(".pay a").click()
            page.get_by_role("button", name=re.compile(r"^Pay \$")).click()
            expect(page.get_by_role("status").get_by_text("has received your payment.")).to_be_visible()

        at.surely(pay, lambda: self._statuses(month, unit) == {"PAID"}, f"{unit} has paid {month}")

    def money_comes(self, unit: str, month: str, amount: str, kind: str = "PAYMENT") -> None:
        """Record a payment or refund by transfer, as the landlord's program does."""
        entry = {"amount": amount, "method": "TRANSFER", "kind": kind}
        self.at.call("POST", f"/invoices/{self.at.invoices()[unit, month]['id']}/payments", entry)

    def bob_pays_a_part_while_the_bookkeeper_is_down(self) -> None:
        at = self.at
        at.bookkeeper.is_down = True
        self.money_comes(BOB, JANUARY, "20.00")
        at.until(lambda: at.bookkeeper.refused > 0, "the bookkeeper was asked and refused")
        at.bookkeeper.is_down = False
        assert self._statuses(JANUARY, BOB) == {"SENT"}, "a part is not all"

    def the_water_bill_of_january_comes_late(self) -> None:
        at = self.at
        before = {key: one["totalAmount"] for key, one in at.invoices().items()}
        self.bills_come_by_mail(JANUARY, "WATER")
        assert [one["issuerName"] for one in at.get("/utility-bills?limit=100")["data"] if one["waiting"]]
        assert {key: one["totalAmount"] for key, one in at.invoices().items()} == before, "what was sent stays"

    def january_is_opened_again_and_sent(self) -> None:
        at = self.at
        for one in at.invoices().values():
            at.call("PATCH", f"/invoices/{one['id']}", {"status": "DRAFT"})
        self.the_landlord_sends_all(JANUARY, ANN, BOB, CLEO)

    def bob_says_when_he_leaves(self) -> None:
        self.at.call("PATCH", f"/tenants/{self.tenants[BOB]}", {"moveOutDate": "2026-02-14"})

    def bob_is_late_and_then_pays(self) -> None:
        at = self.at
        at.until(lambda: self._statuses(FEBRUARY, BOB) == {"OVERDUE"}, "his invoice falls overdue")
        at.clock.forward(SECONDS_UNTIL_NINE)
        at.until(lambda: "was due on" in at.post_office.words_to(ADDRESSES[BOB]), "he is reminded")
        self.pays_on_the_page(BOB, FEBRUARY)

    def the_landlord_lets_months_run(self) -> None:
        """Have months sent and tenants reminded automatically.

        Each month is sent on the third of the following month. Tenants are reminded a day after the due date.
        """
        at = self.at

        def choose() -> None:
            page = at.page("/settings")
            page.get_by_label("When a month is complete").select_option("send")
            page.get_by_label("On this day of the following month").fill("3")
            page.get_by_label("Remind after the due date").fill("1")
            page.get_by_role("button", name="Save the settings").click()

        at.surely(
            choose, lambda: "invoices for March 2026 will be sent" in self._outlook(), "the Overview says what is next"
        )

    def _outlook(self) -> str:
        """Return the text of the Overview, which also tells about automatic months.

        The text is empty while the process that answers is killed.
        """
        try:
            return self.at.page("/").locator("main").inner_text()
        except BROKEN_OFF:
            if not self.at.is_killed:
                raise
            return ""

    def _is_answered(self) -> bool:
        said = self._outlook()
        return "Needs attention" in said and "tenant question to answer" not in said

    def ann_asks_and_is_answered(self) -> None:
        """Ask a question on Ann's page, and mark it as answered in the dashboard.

        The question reaches the landlord's mailbox too.
        """
        at, path = self.at, self.at.post_office.page_in_newest_letter_to(ADDRESSES[ANN])

        def ask() -> None:
            page = at.page_of_tenant(path)
            page.get_by_label("Your question").fill(QUESTION)
            page.get_by_role("button", name="Send the question").click()
            expect(page.get_by_text("has received your question")).to_be_visible()

        def note() -> None:
            page = at.page("/questions")
            expect(page.get_by_text(QUESTION).first).to_be_visible()
            page.get_by_role("button", name="Mark the question about").first.click()

        at.surely(ask, lambda: QUESTION in at.post_office.words_to(EMAIL), "the landlord has the question by mail")
        at.surely(note, self._is_answered, "it is answered")

    def april_waits_for_its_water(self) -> None:
        """Check that April is not sent without its water bill.

        At nine on the day of sending, the Overview names the missing bill.
        """
        at = self.at
        at.clock.forward(SECONDS_UNTIL_NINE)
        at.until(
            lambda: "Waiting" in self._outlook() and "water" in self._outlook().lower(),
            "the Overview names the bill that is missing",
        )
        assert self._statuses(APRIL, ANN, CLEO) == {"DRAFT"}

    def april_sends_itself(self) -> None:
        """Check that April sends itself once its last bill has come.

        This happens at nine on the following morning. The audit log says that no person did it.
        """
        at = self.at
        at.clock.forward(SECONDS_UNTIL_NINE)
        at.until(lambda: self._statuses(APRIL, ANN, CLEO) == {"SENT"}, "April is sent by itself")
        at.until(lambda: "2 invoices of Elm House were sent" in self._outlook(), "the Overview says so")
        by_itself = {entry["recordId"] for entry in at.get("/audit-log?actor=months&limit=100")["data"]}
        for unit in (ANN, CLEO):
            log = at.get(f"/audit-log?recordId={at.invoices()[unit, APRIL]['id']}&limit=100")["data"]
            sent_by = {entry["actor"] for entry in log if (entry["after"] or {}).get("status") == "SENT"}
            assert not by_itself.isdisjoint(sent_by), "the log says that it was sent by itself"


def bill(kind: str, month: str) -> Facts:
    """A bill for the ledger's amount of a month, dated two days after the month.

    The customer's account is the same each month.
    """
    first = date.fromisoformat(f"{month}-01")
    last = first.replace(day=monthrange(first.year, first.month)[1])
    billed, total = last + timedelta(days=2), by_hand.BILLS[month, kind]
    usual, part = facts_of("en-US", 1, kinds=kind, story="plain"), total // 4
    items = tuple(zip(ITEMS["en-US"][kind], (part, total - part), strict=False))
    return usual._replace(
        number=f"{month.replace('-', '')}88", billed=billed, due=billed + timedelta(days=20), start=first, end=last,
        sections=(Section(kind, items, usual.sections[0].meter),),
    )  # fmt: skip


def the_story(story: Story) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """The deeds of the story, each with its day and a short description."""
    tell, one = story, partial
    yield "2026-01-05", "a house", tell.a_house_with_three_tenants
    yield "2026-02-02", "the gas bill of January", one(tell.bills_come_by_mail, JANUARY, "GAS")
    yield "2026-02-03", "January is sent", one(tell.the_landlord_sends_all, JANUARY, ANN, BOB, CLEO)
    yield "2026-02-04", "one comes back", tell.the_message_to_cleo_comes_back
    yield "2026-02-05", "it goes again", tell.her_address_is_mended_and_it_goes_again
    yield "2026-02-06", "Ann pays", one(tell.pays_on_the_page, ANN, JANUARY)
    yield "2026-02-07", "Bob pays a part", tell.bob_pays_a_part_while_the_bookkeeper_is_down
    yield "2026-02-09", "a late bill", tell.the_water_bill_of_january_comes_late
    yield "2026-02-10", "January is opened again", tell.january_is_opened_again_and_sent
    yield "2026-02-11", "Ann pays the rest", one(tell.pays_on_the_page, ANN, JANUARY)
    yield "2026-02-12", "Bob pays the rest", one(tell.pays_on_the_page, BOB, JANUARY)
    yield "2026-02-13", "Cleo pays too much", one(tell.money_comes, CLEO, JANUARY, "120.00")
    yield "2026-02-14", "she gets it back", one(tell.money_comes, CLEO, JANUARY, "6.66", "REFUND")
    yield "2026-02-15", "Bob has left", tell.bob_says_when_he_leaves
    yield "2026-03-02", "the bills of February", one(tell.bills_come_by_mail, FEBRUARY, "GAS", "WATER")
    yield "2026-03-03", "February is sent", one(tell.the_landlord_sends_all, FEBRUARY, ANN, BOB, CLEO)
    yield "2026-03-04", "months run themselves", tell.the_landlord_lets_months_run
    yield "2026-03-05", "Ann pays", one(tell.pays_on_the_page, ANN, FEBRUARY)
    yield "2026-03-09", "Cleo pays", one(tell.money_comes, CLEO, FEBRUARY, "106.80")
    yield "2026-03-19", "Bob is late", tell.bob_is_late_and_then_pays
    yield "2026-04-02", "the bills of March", one(tell.bills_come_by_mail, MARCH, "GAS", "WATER")
    yield "2026-04-03", "March is sent", one(tell.the_landlord_sends_all, MARCH, ANN, CLEO)
    yield "2026-04-06", "Ann pays", one(tell.pays_on_the_page, ANN, MARCH)
    yield "2026-04-07", "Cleo pays", one(tell.pays_on_the_page, CLEO, MARCH)
    yield "2026-04-08", "Ann has a question", tell.ann_asks_and_is_answered
    yield "2026-05-02", "the gas bill of April", one(tell.bills_come_by_mail, APRIL, "GAS")
    yield "2026-05-03", "April lacks a bill", tell.april_waits_for_its_water
    yield "2026-05-04", "the water bill of April", one(tell.bills_come_by_mail, APRIL, "WATER")
    yield "2026-05-05", "April sends itself", tell.april_sends_itself
    yield "2026-05-06", "Ann pays", one(tell.pays_on_the_page, ANN, APRIL)
    yield "2026-05-07", "Cleo pays", one(tell.money_comes, CLEO, APRIL, "86.51")
    yield "2026-05-30", "the end", lambda: None


# --- and how it ends


def live_through_it(
    url: str, folder: Path, chromium: Browser, *, seed: int | None = None, kills: int = 0, undisturbed: int = 1
) -> None:
    """Live through the story, from the first day to the reckoning.

    The first kill comes only after `undisturbed` deeds.
    """
    print(f"seed {seed}")  # noqa: T201 - shown where it fails
    began = time.monotonic()
    assert by_hand.is_in_itself_right()
    with Premises(url, folder, chromium, seed) as premises:
        deeds = list(the_story(Story(premises)))
        struck = premises.struck(range(undisturbed, len(deeds)), kills)
        for number, (day, _, deed) in enumerate(deeds):
            premises.day_comes(day)
            if kills and number == undisturbed:
                nothing_went_wrong(premises)
                premises.is_killed = True
            with premises.struck_down() if number in struck else nullcontext():
                deed()
        premises.settles()
        everything_is_right(premises, may_repeat=kills > 0)
        killed = premises.server.kills
    assert bool(killed) == bool(kills)
    print(f"{time.monotonic() - began:.0f} s, killed {Counter(killed)}")  # noqa: T201 - for docs/reliability.md


@pytest.mark.soak
def test_three_months_end_with_every_cent_accounted_for(migrated_url: str, tmp_path: Path, chromium: Browser) -> None:
    live_through_it(migrated_url, tmp_path, chromium)


@pytest.mark.timeout(SECONDS_OF_A_STORY)
def test_three_months_end_the_same_though_server_and_worker_are_killed(
    migrated_postgresql_url: str, tmp_path: Path, chromium: Browser
) -> None:
    seed = SEED_UNDER_CI if under_ci() else secrets.randbelow(1 << 32)
    live_through_it(migrated_postgresql_url, tmp_path, chromium, seed=seed, kills=KILLS_SHORT, undisturbed=UNDISTURBED)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_three_months_end_the_same_under_many_kills(
    migrated_url: str, tmp_path: Path, chromium: Browser, seed: int
) -> None:
    live_through_it(migrated_url, tmp_path, chromium, seed=seed, kills=KILLS_LONG)
