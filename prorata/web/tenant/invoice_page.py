"""The tenant's page for an invoice, with its charges, payment, PDF, bills and questions."""

from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

from markupsafe import Markup
from msgspec import Struct

from prorata.actions.delivery import tenant_pages, tenant_questions
from prorata.actions.delivery.tenant_pages import LinkOver, TenantPage
from prorata.actions.delivery.way_back import LEADS_BACK
from prorata.domain.accounts.login_throttling import (
    LOOKS_OF_AN_ADDRESS,
    MINUTES,
    MINUTES_OF_QUESTIONS,
    PAPERS_OF_AN_INVOICE,
    QUESTIONS_OF_AN_ADDRESS,
    QUESTIONS_OF_AN_INVOICE,
)
from prorata.domain.accounts.settings import likely_locale
from prorata.domain.delivery.dispute_words import DISPUTE_WORDS
from prorata.domain.delivery.questions import as_asked
from prorata.domain.delivery.tenant_page_words import PAGE_WORDS, PageWords
from prorata.domain.invoice_states import PAYMENT_FAILED
from prorata.domain.invoices.tenant_links import PATH, TenantLink
from prorata.domain.languages import language_of
from prorata.domain.limits import LONGEST_QUESTION
from prorata.domain.mail.message_body import is_link
from prorata.domain.mail.words import words_for
from prorata.domain.mail.words.disputes import DISPUTES
from prorata.domain.printing.correction_words import sum_of_correction
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.open_invoices import owed_in_all
from prorata.domain.printing.printed_invoices import lines_of
from prorata.domain.printing.rendering import write
from prorata.domain.printing.sections import Section
from prorata.domain.printing.texts import Texts
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest, NotFound, RateLimited
from prorata.ports import Forms
from prorata.web.dashboard.accounts.letterhead import shown
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Download, GoTo, Shown
from prorata.web.dashboard.kernel.rendering import drawing
from prorata.web.http.fields import text
from prorata.web.tenant.contact_links import head_lines
from prorata.web.tenant.written_disputes import ways_to_dispute, written_dispute
from prorata.web.tenant.written_statements import written_statement

PDF, JSON = "application/pdf", "application/json"
_TYPED = 64 * 1024
"""The maximum number of characters read from a question, which is above the allowed length.

A question that is too long can thus be shown again instead of being lost.
"""
_LOCALES = ("en-US", "de-DE", "es-ES", "fr-FR")


class QuestionForm(Struct, kw_only=True):
    """A tenant's question about an invoice or charge.

    Problems are described in the tenant's language.
    """

    question: Annotated[str, text(_TYPED, least=0)] = ""
    about: Annotated[str, text(_TYPED, least=0)] = ""


async def invoice_page(steps: Steps) -> Answered:
    """Show the invoice, or a page stating that its link has ended or is invalid.

    Opening the page never changes anything, no matter who opens it.
    """
    try:
        await admit(steps)
        page = await steps.read(lambda tx: tenant_pages.look_at_all(tx, link_of(steps)))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    return _over(page) if isinstance(page, LinkOver) else _shown(steps, page)


async def ask_question(steps: Steps) -> Answered:
    """Store a tenant's question, and confirm on the page that it was received."""
    try:
        await admit(steps)
        tenant_page = await steps.read(lambda tx: tenant_pages.look(tx, link_of(steps)))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    if isinstance(tenant_page, LinkOver):
        return _over(tenant_page)
    page_words, asked = PAGE_WORDS[language_of(tenant_page.printed.copy.locale)], as_asked(steps.form.question)
    if wrong := page_words.empty if not asked else page_words.too_long if len(asked) > LONGEST_QUESTION else "":
        most = steps.outside.forms(tenant_page.printed.copy.locale).count(LONGEST_QUESTION)
        raise InvalidRequest.because([Problem("question", wrong.format(most=most))])
    await admit_question(steps, tenant_page, page_words)
    about = _charge_asked_about(steps, tenant_page)
    await steps.write(lambda tx: tenant_questions.ask(tx, link_of(steps), asked, about))
    return GoTo(f"{PATH}{steps.path['token']}", page_words.asked.format(biller=tenant_page.printed.copy.biller.name))


def _charge_asked_about(steps: Steps, page: TenantPage) -> str | None:
    """Describe the charge that the tenant chose to ask about, in the page's language.

    Return None if the question is about the whole invoice, or if the charge no longer exists.
    """
    locale = page.printed.copy.locale
    for charge in write(page.printed, texts_for(locale), steps.outside.forms(locale)).charges:
        if page.stands == "open" and charge.heading == steps.form.about:
            return charge.as_asked
    return None


async def invoice_on_paper(steps: Steps) -> Answered:
    """Show the invoice's PDF."""
    try:
        await admit(steps)
        page = await steps.read(lambda tx: tenant_pages.opened(tx, link_of(steps)))
        await steps.throttle(f"paper of {page.row.id}", PAPERS_OF_AN_INVOICE, MINUTES)
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    printed = page.printed.paid_at(steps.outside.tenant_links.url(page.link))
    content = await steps.pools.print(lambda: steps.outside.printer(printed))
    return Download(f"{page.row.number}.pdf", PDF, content, to_look_at=True)


async def bill_of_invoice(steps: Steps) -> Answered:
    """Download one of the invoice's bills.

    The file comes from a stranger, so it is never opened in the browser.
    """
    try:
        await admit(steps)
        page = await steps.read(lambda tx: tenant_pages.opened(tx, link_of(steps)))
        await steps.throttle(f"paper of {page.row.id}", PAPERS_OF_AN_INVOICE, MINUTES)
        bill = await steps.read(lambda tx: tenant_pages.bill(tx, link_of(steps), steps.path["number"]))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    media = PDF if bill.kind == "pdf" else f"image/{bill.kind}"
    return Download(f"{page.row.number}-{bill.number}.{bill.kind}", media, bill.content)


async def explanation_of_invoice(steps: Steps) -> Answered:
    """Download how each charge was calculated, as JSON."""
    try:
        await admit(steps)
        number, content = await steps.read(lambda tx: tenant_pages.explanation(tx, link_of(steps)))
    except (NotFound, RateLimited) as refused:
        return nothing(steps, refused)
    return Download(f"{number}.json", JSON, content.encode())


async def admit(steps: Steps) -> None:
    """Count a view of a tenant's page for the network address of the client.

    Raises `RateLimited` after too many views from the address.
    """
    await steps.throttle_here("tenant pages", LOOKS_OF_AN_ADDRESS, MINUTES)


async def admit_question(steps: Steps, page: TenantPage, page_words: PageWords) -> None:
    """Count a question or dispute, both for the client's network address and for the invoice.

    Raises `RateLimited` after too many questions and disputes from the address or about the invoice.
    """
    try:
        await steps.throttle_here("question", QUESTIONS_OF_AN_ADDRESS, MINUTES)
        await steps.throttle(f"question about {page.row.id}", QUESTIONS_OF_AN_INVOICE, MINUTES_OF_QUESTIONS)
    except RateLimited as over:
        raise RateLimited(_too_many(page, page_words), retry_after=over.retry_after) from None


def _too_many(page: TenantPage, page_words: PageWords) -> str:
    return page_words.too_many.format(contact=_contact(page.contact, page.printed.copy.biller.name))


def link_of(steps: Steps) -> TenantLink | None:
    """Return the tenant's link contained in the page's address, or None if invalid."""
    return steps.outside.tenant_links.read(steps.path["token"])


def nothing(steps: Steps, refused: NotFound | RateLimited) -> Shown:
    """Show the page for an invalid address or too many requests, in the browser's language.

    All invalid addresses get the same page, so that the page does not reveal why an address is invalid.
    """
    language = language_of(likely_locale(steps.languages, _LOCALES))
    page_words = PAGE_WORDS[language]
    busy = isinstance(refused, RateLimited)
    title, about = (page_words.busy_title, page_words.busy) if busy else (page_words.none_title, page_words.none)
    return Shown("tenant_notice.html", {"language": language, "title": title, "about": about}, status=refused.status)


def _over(over: LinkOver) -> Shown:
    """Show that a link has ended, and whom to contact, but nothing about the invoice."""
    language = language_of(over.locale)
    page_words = PAGE_WORDS[language]
    about = page_words.over.format(contact=_contact(over.contact, over.biller))
    return Shown(
        "tenant_notice.html", {"language": language, "title": page_words.over_title, "about": about}, status=410
    )


def _contact(contact: str, biller: str) -> str:
    return ", ".join(lines_of(contact)) or biller


def _answer(steps: Steps, page: TenantPage, page_words: PageWords) -> str:
    """Return the sentence that tells the tenant where the answer to a question will appear.

    The sentence promises an e-mail only if answers to this tenant are e-mailed and the installation can send e-mail.
    """
    if not page.asks_by_mail:
        return page_words.answer_how
    return page_words.answer_by_mail if steps.outside.mail_held is None else page_words.answer_here


def _shown(steps: Steps, page: TenantPage) -> Shown:
    copy = page.printed.copy
    language, forms = language_of(copy.locale), steps.outside.forms(copy.locale)
    texts, page_words, biller = texts_for(copy.locale), PAGE_WORDS[language], copy.biller.name
    written = write(page.printed, texts, forms)
    values: dict[str, Any] = {
        "language": language,
        "words": {"how": texts.how_it_came} | page_words._asdict(),
        "written": written,
        "facts": [fact for fact in written.facts if fact[0] != texts.number],  # shown above
        "biller": biller,
        "head": head_lines(written.biller_lines, copy.biller.contact),
        "logo": shown(page.printed.letterhead.logo),
        "color": page.printed.letterhead.color,
        "here": f"{PATH}{steps.path['token']}",
        "stands": page.stands,
        "is_explained": page.is_explained,
        "notice": _notice(page, texts, page_words),
        "still_paid": _still_paid(page, page_words, forms),
        "goes": f"{page_words.ask_goes} {_answer(steps, page, page_words)}".format(biller=biller),
        "kept": (page_words.kept_short if _is_short(steps, page) else page_words.kept).format(
            day=forms.day(page.link.until)
        ),
        "too_many": _too_many(page, page_words),
    }
    values["thread"] = [
        (
            question,
            forms.day(page.day_of(question.asked_at)),
            forms.day(page.day_of(question.answered_at)) if question.answered_at else "",
            written_dispute(page, question, forms),
        )
        for question in page.thread
    ]
    if page.stands == "open":
        values |= {
            "charges": list(zip(written.charges, page.sources, ways_to_dispute(page, forms), strict=True)),
            "disputes": DISPUTE_WORDS[language],
            "how_to_dispute": DISPUTE_WORDS[language].how.format(biller=biller, day=forms.day(page.answer_by)),
            "sections": [
                (section, _code_of(steps, section)) for section in written.sections if _is_told(section, texts)
            ],
            "charge_names": [charge.heading for charge in written.charges],
            "failed": page_words.pay_failed if page.row.payment_status == PAYMENT_FAILED else "",
            "soon": page_words.pay_soon if page.is_link_made else "",
            "in_question": _in_dispute(page, language, forms),
            "corrected_on": _corrected_on(steps, page, page_words, forms),
            "in_all": owed_in_all(page.printed, forms) if written.elsewhere and not written.credit else "",
            "under_way": page_words.under_way if page.is_under_way else "",
            "pay": _payment(page, language, forms),
            "statement": written_statement(page, language, forms),
        }
    return Shown("tenant_invoice.html", values)


def _in_dispute(page: TenantPage, language: str, forms: Forms) -> str:
    """Describe the invoice's balance and the part of it that is disputed.

    Return an empty string if nothing is in dispute.
    """
    printed, currency = page.printed, page.printed.copy.currency
    if not printed.in_dispute:
        return ""
    return DISPUTES[language].of(forms.money(printed.balance, currency), forms.money(printed.in_dispute, currency))


def _is_short(steps: Steps, page: TenantPage) -> bool:
    """True if the page was opened by a short-lived link from a payment provider."""
    return page.link.until <= steps.database.clock().date() + LEADS_BACK


def _corrected_on(steps: Steps, page: TenantPage, page_words: PageWords, forms: Forms) -> list[tuple[str, str]]:
    """Describe the corrections of this invoice that later invoices carry or will carry.

    Each description comes with the address of the later invoice's page. The address is empty if the tenant may not
    see that invoice, or if the correction waits for the next invoice.
    """
    language = language_of(page.printed.copy.locale)
    money = partial(forms.money, currency=page.printed.copy.currency)
    still = page_words.will_be_corrected.format(amount=sum_of_correction(page.to_correct, language, money))
    return [
        (
            page_words.corrected_on.format(
                number=corrected.invoice.number, amount=sum_of_correction(corrected.amount, language, money)
            ),
            f"{PATH}{steps.outside.tenant_links.token(link)}" if link else "",
        )
        for corrected, link in page.corrected_on
    ] + ([(still, "")] if page.to_correct else [])


def _code_of(steps: Steps, section: Section) -> Markup | None:
    """Draw the QR code from which a banking app fills in a bank transfer.

    Return None if this section of the invoice does not describe a bank transfer.
    """
    return drawing(steps.outside.transfer_qr(section.transfer)) if section.transfer else None


def _is_told(section: Section, texts: Texts) -> bool:
    """True if the page shows a section of the invoice as text.

    For any other section, the page shows a button or a form instead.
    """
    return section.link is None and section.title != texts.wrong


def _payment(page: TenantPage, language: str, forms: Forms) -> dict[str, str] | None:
    """Build the button that leads to the payment provider, for the invoice's balance.

    If a part of the balance is disputed, the text `beyond` states that the button pays this part as well. Return None
    if nothing is due, or if online payment isn't possible.
    """
    printed, link, page_words = page.printed, page.printed.payment_link, PAGE_WORDS[language]
    is_owed = printed.standing in ("due", "overdue", "disputed") and not page.is_under_way
    if not is_owed or link is None or not is_link(link):
        return None
    amount, disputed = (forms.money(cents, printed.copy.currency) for cents in (printed.balance, printed.in_dispute))
    return {
        "says": words_for(language).pay.format(amount=amount),
        "to": link,
        "host": page_words.pays_there.format(host=urlsplit(link).hostname or ""),
        "beyond": page_words.pays_all.format(amount=amount, disputed=disputed) if printed.in_dispute else "",
    }


def _still_paid(page: TenantPage, page_words: PageWords, forms: Forms) -> str:
    """Describe the money received for an invoice that is withdrawn or cancelled.

    Return an empty string if there is none.
    """
    if page.stands == "open" or page.row.paid_amount <= 0:
        return ""
    return page_words.still_paid.format(amount=forms.money(page.row.paid_amount, page.printed.copy.currency))


def _notice(page: TenantPage, texts: Texts, page_words: PageWords) -> tuple[str, str] | None:
    """Return the notice that replaces the amounts of a withdrawn or cancelled invoice.

    The notice has a title and a text. Return None if the invoice is neither a draft again nor cancelled.
    """
    if page.stands == "revised":
        return page_words.revised_title, page_words.revised.format(biller=page.printed.copy.biller.name)
    return (texts.cancelled, f"{texts.withdrawn}.") if page.stands == "cancelled" else None
