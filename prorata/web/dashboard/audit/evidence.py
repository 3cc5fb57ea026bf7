"""Evidence packs: ZIP files that prove one charge, or a tenant's charges over time."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple

from prorata.actions.accounts import accounts
from prorata.actions.audit import evidence
from prorata.actions.audit.evidence import Evidence, InvoiceEvidence
from prorata.actions.recalculation.month_loader import as_entry
from prorata.actions.splitting import split_methods
from prorata.domain.delivery.statement_words import STATEMENT_WORDS, said
from prorata.domain.due_times import day_in
from prorata.domain.file_names import clean_name
from prorata.domain.invoices.ledger import effects
from prorata.domain.invoices.statements import Posting, shown_rows
from prorata.domain.languages import language_of
from prorata.domain.printing.charge_rendering import WrittenCharge
from prorata.domain.printing.languages import texts_for
from prorata.domain.printing.rendering import replaces_in_words, write as write_invoice
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.ports import Forms
from prorata.ports.files import MANIFEST, PackFile
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.invoices.statements import StatementQuery, days_of
from prorata.web.dashboard.kernel.pages import Ask, Outside, Streamed, page
from prorata.web.dashboard.kernel.rendering import render
from prorata.web.dashboard.kernel.translations import Speech, catalog_name, catalog_of
from prorata.web.dashboard.splitting import rule_words

ZIP = "application/zip"
INDEX = "index.html"
_Find = Callable[[Tx, Forms], Evidence]


class _Paid(NamedTuple):
    """A ledger entry of an invoice, as the evidence pack's index shows it.

    The amount is in cents. It is negative if the entry reduces the paid amount, as a refund does.
    """

    day: date
    what: str
    how: str
    amount: int


class _Told(NamedTuple):
    """An invoice, as the evidence pack's index shows it.

    It has the charges that the pack is for, each with the name of its bill's file in the pack; the entries of the
    ledger; and the names of the invoice's own files, which are PDFs and explanations.
    """

    found: InvoiceEvidence
    replaces: str
    charges: tuple[tuple[WrittenCharge, str], ...]
    paid: tuple[_Paid, ...]
    pdf: str
    before: tuple[tuple[str, str], ...]
    explanations: tuple[str, ...]


@page("GET", "/tenants/{tenant}/evidence", may="read", query=StatementQuery)
def tenant_evidence(ask: Ask[StatementQuery, None]) -> Streamed:
    """Download the evidence pack of a tenant's invoices over a range of days."""
    caller, tenant_id = ask.caller, ask.path["tenant"]
    first, last = days_of(ask.tx, caller, ask.query)
    return _pack(ask, lambda tx, write: evidence.of_tenant(tx, caller, tenant_id, first=first, last=last, write=write))


@page("GET", "/invoices/{invoice}/charges/{charge}/evidence", may="read")
def charge_evidence(ask: Ask[None, None]) -> Streamed:
    """Download the evidence pack of one charge."""
    caller, invoice_id, charge_id = ask.caller, ask.path["invoice"], ask.path["charge"]
    return _pack(ask, lambda tx, write: evidence.of_charge(tx, caller, invoice_id, charge_id, write))


def _pack(ask: Ask[Any, None], find: _Find) -> Streamed:
    caller, outside = ask.caller, ask.outside
    pack = find(ask.tx, ask.write)  # raises any refusal before the file begins
    name = f"{pack.tenant_name} – evidence" if pack.statement else f"{pack.invoices[0].row.number} – evidence"
    return Streamed(f"{clean_name(name)}.zip", ZIP, lambda tx: outside.pack(_files(tx, caller, outside, find)))


def _files(tx: Tx, caller: Caller, outside: Outside, find: _Find) -> Iterator[PackFile]:
    """Yield the files of an evidence pack, ending with the index.

    The index links to all other files, and is in the account's language.
    """
    forms = outside.forms(accounts.the_account(tx, caller).locale)
    pack, bills = find(tx, forms), dict[str, str]()
    for at, (bill_id, kind, content) in enumerate(evidence.files_of(tx, caller, pack), 1):
        bills[bill_id] = f"bills/{at:03d}.{kind}"
        yield PackFile(bills[bill_id], content)
    for invoice in pack.invoices:
        for printed in (invoice.printed, *invoice.before):
            yield PackFile(_pdf_of(printed.number), outside.printer(printed._replace(payment_link=None)))
        for explanation in invoice.explanations:
            yield PackFile(_explanation_of(explanation.number), explanation.text.encode())
    files = dict[tuple[str, int], str]()
    for at, (file, content) in enumerate(evidence.dispute_files(tx, caller, pack), 1):
        files[file.question_id, file.number] = f"disputes/{at:03d}.{file.kind}"
        yield PackFile(files[file.question_id, file.number], content)
    yield PackFile(INDEX, _index(tx, caller, pack, bills, files, forms))


def _pdf_of(number: str) -> str:
    return f"invoices/{clean_name(number.replace('/', '-'))}.pdf"


def _explanation_of(number: str) -> str:
    return f"explanations/{clean_name(number.replace('/', '-'))}.json"


def _index(
    tx: Tx, caller: Caller, pack: Evidence, bills: dict[str, str], files: dict[tuple[str, int], str], forms: Forms
) -> bytes:
    account, words = pack.account, STATEMENT_WORDS[language_of(pack.account.locale)]
    name = catalog_name(account.locale)
    speech = Speech(name, catalog_of(name), forms)
    blends = {split_method.id: split_method for split_method in split_methods.all_own(tx, caller)}
    rules = [
        (rule.utility_type, [(version, rule_words.in_words(version, blends, forms)) for version in rule.versions])
        for rule in pack.rules
    ]
    money = partial(forms.money, currency=pack.property.currency)
    told = [_told(invoice, bills, account.locale, account.timezone, forms) for invoice in pack.invoices]
    values = {
        "found": pack, "files": files, "told": told, "rules": rules, "bills": bills, "manifest": MANIFEST,
        "language": speech.tag, "as_of": evidence.as_of(pack),
        "rows": shown_rows(pack.statement.rows) if pack.statement else [],
        "what": partial(said, words=words, money=money),
        "words": words, "write": forms, "zone": account.timezone,
        "charge_names": CHARGE_NAMES, "currency": pack.property.currency,
    }  # fmt: skip
    return render("evidence.html", values, speech)


def _told(shown_invoice: InvoiceEvidence, bills: dict[str, str], locale: str, zone: str, forms: Forms) -> _Told:
    texts, words = texts_for(locale), STATEMENT_WORDS[language_of(locale)]
    charges = write_invoice(shown_invoice.printed, texts, forms).charges
    money = partial(forms.money, currency=shown_invoice.printed.copy.currency)
    return _Told(
        shown_invoice,
        replaces_in_words(shown_invoice.printed, texts, forms),
        tuple(
            (written, bills.get(row.bill_id or "", ""))
            for row, written in zip(shown_invoice.charges, charges, strict=True)
            if row.id in shown_invoice.asked
        ),
        tuple(
            _Paid(
                day_in(datetime.fromisoformat(payment.at), zone),
                said(posting, words, money),
                payment.reference or "",
                -posting.amount,
            )
            for payment, posting in zip(shown_invoice.payments, _postings(shown_invoice), strict=True)
        ),
        _pdf_of(shown_invoice.row.number),
        tuple((printed_invoice.number, _pdf_of(printed_invoice.number)) for printed_invoice in shown_invoice.before),
        tuple(_explanation_of(explanation.number) for explanation in shown_invoice.explanations),
    )


def _postings(shown_invoice: InvoiceEvidence) -> Iterator[Posting]:
    """Yield the entries of an invoice's ledger, in the form used in statements.

    As in a statement, payments reduce the balance.
    """
    by_id = {payment.id: payment for payment in shown_invoice.payments}
    effect = effects([as_entry(payment) for payment in shown_invoice.payments])
    for payment in shown_invoice.payments:
        of = by_id.get(payment.reverses or "")
        yield Posting(
            payment.day,
            payment.kind,
            payment.invoice_id,
            shown_invoice.row.number,
            -effect[payment.id],
            of.kind if of else "",
        )
