"""The contents of a printed invoice as values, independent of language and layout.

`rendering` puts these contents into the words of a language, and an adapter prints them.
"""

import json
from datetime import date
from typing import Any, Literal, NamedTuple

from prorata.domain.accounts.letterheads import Letterhead
from prorata.domain.accounts.pay_to import PayTo
from prorata.domain.billing_calendar import Month
from prorata.domain.invoice_states import CANCELLED, DRAFT, OVERDUE, UNPAID
from prorata.domain.printing.earlier_amounts import NOTHING, Compared, Earlier
from prorata.domain.printing.replaced_invoices import Replaced
from prorata.domain.printing.texts import Texts
from prorata.domain.splitting.changed_days import DaysChange
from prorata.domain.splitting.explanations import Explanation
from prorata.domain.splitting.stays import LineDays

CreditGoes = Literal["next", "back", "ask"]
"""The future of a credit: the next invoice takes it, it is paid back, or the tenant has to ask."""
Standing = Literal["draft", "cancelled", "vacant", "credit", "paid", "settled", "disputed", "overdue", "due"]
"""The state of an invoice for the person who reads it."""
_NOTHING_TO_PAY: tuple[Standing, ...] = ("credit", "paid", "settled", "disputed")
"""The states of a valid invoice that requests nothing now."""


def lines_of(text: str) -> tuple[str, ...]:
    """List the lines of a text, without empty ones."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def without_name(address: str, name: str) -> str:
    """Drop an address's first line if it repeats the name printed above it.

    >>> without_name("Ann  smith, 5 Oak Lane".replace(", ", chr(10)), "Ann Smith"), without_name("5 Oak Lane", "Ann")
    ('5 Oak Lane', '5 Oak Lane')
    """
    first, _, rest = address.strip().partition("\n")
    return rest if first.casefold().split() == name.casefold().split() else address


class Biller(NamedTuple):
    """The landlord's printed details: the account's name, address and contact.

    Address and contact are free text, and may be empty.
    """

    name: str
    address: str
    contact: str

    @property
    def address_lines(self) -> tuple[str, ...]:
        r"""The lines of the address, without a first line that repeats the name.

        >>> Biller("Maple Homes", "MAPLE HOMES\n1 Elm Street", "").address_lines
        ('1 Elm Street',)
        """
        lines = lines_of(self.address)
        return lines[1:] if lines and lines[0].casefold() == self.name.strip().casefold() else lines


class Place(NamedTuple):
    """The property's name and address."""

    name: str
    street_number: str
    street: str
    city: str
    state: str
    zip: str
    country: str


class Copy(NamedTuple):
    """An invoice's text other than its charges; unchanged once the invoice is sent.

    `forwarding_address` is the address to which the tenant moved, in lines, or empty if unknown. `pay_to` are the
    payment instructions, and `earlier` the same household's earlier charges. `is_final` means that it is the final
    invoice of a household that moves out. `roommates` are the names of those who share the invoice.
    """

    biller: Biller
    place: Place
    unit_label: str
    currency: str
    locale: str
    forwarding_address: str = ""
    pay_to: PayTo = PayTo()
    earlier: tuple[Earlier, ...] = ()
    is_final: bool = False
    roommates: tuple[str, ...] = ()


class PrintedCharge(NamedTuple):
    """A charge, in cents.

    A charge without a utility type is a custom charge. If there is no explanation, `description` is the whole
    text. `days` are the days that the bill covers, if known. `earlier` is what the same utility or custom
    charge was a month and a year before.

    If `corrects_month` is set, the charge is a correction, and the invoice says so in a sentence. `explanation`
    then explains the correct amount. `before` explains the amount that was charged, if the facts of that time are
    known. `changes` are the changes in stays since then. `own_name` is the name of the bill's line.
    """

    utility_type: str | None
    amount: int
    description: str
    explanation: Explanation | None = None
    days: LineDays | None = None
    earlier: Compared = NOTHING
    corrects_month: Month | None = None
    before: Explanation | None = None
    changes: tuple[DaysChange, ...] = ()
    own_name: str | None = None

    def name(self, texts: Texts) -> str:
        """Return the name of the charge: its utility, or the bill's own name."""
        return self.own_name or texts.utilities[self.utility_type or "OTHER"]


class CarriedCredit(NamedTuple):
    """A credit, in cents, that was carried between this invoice and another one.

    `number` is the number of the other invoice. A negative amount was carried from this invoice to the other one, a
    positive amount from the other one to this invoice. `day` is the last day on which a part of the credit was carried,
    if known.
    """

    number: str
    amount: int
    day: date | None = None


class OpenInvoice(NamedTuple):
    """An invoice of the tenant, and the cents that it asks for.

    The amount of a credit is negative.
    """

    number: str
    month: Month
    amount: int
    due_date: date | None
    is_overdue: bool


class PrintedInvoice(NamedTuple):
    """An invoice as printed; amounts in cents.

    `made_at` is the timestamp of the charges. `paid_on` is the day, in the account's time zone, from which payments
    cover the invoice. `replaces` is the invoice that this one replaces, if the invoice was sent before under another
    number. For a replaced invoice, `replaced_by` is the number of the valid one. `credits` are the amounts within
    `paid` that were carried to or from the invoice. `credit_goes` says what becomes of a credit on the invoice: the
    household's `next` invoice takes it, it is paid `back`, or the tenant has to `ask`. `letterhead` is the account's
    current letterhead, even if the invoice was sent earlier. `disputed` are the cents of charges in dispute, and
    `elsewhere` the open amounts of the tenant's other invoices. `only_before` are the amounts of the month before
    for which this invoice has no charge. `reminded_on` is the day of the reminder as which the invoice is printed.
    """

    number: str
    month: Month
    status: str
    invoice_date: date
    due_date: date | None
    made_at: str
    copy: Copy
    tenant_name: str | None
    charges: tuple[PrintedCharge, ...]
    total: int
    paid: int
    paid_on: date | None
    payment_link: str | None
    replaces: Replaced | None = None
    replaced_by: str | None = None
    credits: tuple[CarriedCredit, ...] = ()
    letterhead: Letterhead = Letterhead()
    disputed: int = 0
    elsewhere: tuple[OpenInvoice, ...] = ()
    credit_goes: CreditGoes = "ask"
    only_before: tuple[Earlier, ...] = ()
    reminded_on: date | None = None

    def paid_at(self, page: str) -> "PrintedInvoice":
        """Replace the payment link by a link to the tenant's page.

        The page always has the current payment link. An invoice without a payment link stays unchanged.
        """
        return self._replace(payment_link=page) if self.payment_link else self

    @property
    def balance(self) -> int:
        """The amount still to be paid; negative if the biller owes the tenant."""
        return self.total - self.paid

    @property
    def credit(self) -> int:
        """The invoice's credit in cents, including amounts carried to other invoices.

        It is 0 if there is no credit.
        """
        given = -sum(carried.amount for carried in self.credits if carried.amount < 0)
        return max(0, given - self.balance)

    @property
    def in_dispute(self) -> int:
        """The disputed part of the balance, which is not requested until the dispute ends."""
        return max(0, min(self.disputed, self.balance)) if self.status in UNPAID else 0

    @property
    def asked(self) -> int:
        """The amount to pay now: the balance less the disputed part."""
        return self.balance - self.in_dispute

    @property
    def has_credit(self) -> bool:
        """True if the invoice tells the use of its credit, and the tenant's debt."""
        return self.standing in ("credit", "settled", "paid") and self.credit > 0

    @property
    def others(self) -> tuple[OpenInvoice, ...]:
        """The tenant's other invoices that request an amount."""
        return tuple(other for other in self.elsewhere if other.amount > 0)

    @property
    def owing(self) -> tuple[OpenInvoice, ...]:
        """All invoices of the tenant that request an amount, this one first."""
        own = OpenInvoice(self.number, self.month, self.asked, self.due_date, self.status == OVERDUE)
        return (own, *self.others) if self.status in UNPAID and self.asked > 0 else self.others

    @property
    def owed_in_all(self) -> int:
        """The tenant's debt on all invoices in cents, less all credits and without disputed amounts."""
        return max(sum(one.amount for one in self.owing) - self.open_credit, 0)

    @property
    def open_credit(self) -> int:
        """The cents of the tenant's credits, here and elsewhere, that no invoice has taken yet."""
        return max(-self.balance, 0) - sum(other.amount for other in self.elsewhere if other.amount < 0)

    @property
    def to_pay(self) -> tuple[int, tuple[str, ...]]:
        """The amount to which the instructions for payment apply, and the invoices' numbers.

        An invoice that requests nothing gives instructions for the tenant's other invoices, less all credits.
        """
        if self.standing not in _NOTHING_TO_PAY:
            return self.asked, (self.number,)
        return self.owed_in_all, tuple(other.number for other in self.others)

    @property
    def pays_others(self) -> bool:
        """True if nothing is to pay for this invoice, but for the tenant's other invoices."""
        return self.standing in _NOTHING_TO_PAY and self.owed_in_all > 0

    @property
    def online_link(self) -> str | None:
        """The payment link; None if nothing is to pay, or if a part is disputed."""
        return None if self.in_dispute or self.standing in _NOTHING_TO_PAY else self.payment_link

    @property
    def is_in_force(self) -> bool:
        """True if the invoice was sent to a tenant, and is valid."""
        return self.standing not in ("draft", "cancelled", "vacant")

    @property
    def standing(self) -> Standing:
        """The state of the invoice for its recipient, such as "due", "paid" or "credit"."""
        if self.status == DRAFT:
            return "draft"
        if self.status == CANCELLED:
            return "cancelled"
        if self.tenant_name is None:
            return "vacant"
        if self.balance < 0:
            return "credit"
        if self.asked == 0:
            return "disputed" if self.in_dispute else "paid" if self.total > 0 else "settled"
        return "overdue" if self.status == OVERDUE else "due"


def to_json(copy: Copy, tenant_name: str | None) -> str:
    """Serialize an invoice's copy as JSON for `from_json`, with the tenant's name for `kept_name`."""
    place = copy.place
    return json.dumps(
        {
            "biller": copy.biller._asdict(),
            "property": {
                "name": place.name,
                "streetNumber": place.street_number,
                "street": place.street,
                "city": place.city,
                "state": place.state,
                "zip": place.zip,
                "country": place.country,
            },
            "unit": {"label": copy.unit_label},
            "tenant": tenant_name,
            **({"forwardingAddress": copy.forwarding_address} if copy.forwarding_address else {}),
            **({"payTo": _said(copy.pay_to)} if _said(copy.pay_to) else {}),
            **({"earlier": copy.earlier} if copy.earlier else {}),
            **({"final": True} if copy.is_final else {}),
            **({"roommates": copy.roommates} if copy.roommates else {}),
            "currency": copy.currency,
            "locale": copy.locale,
        },
        ensure_ascii=False,
    )


def from_json(text: str, locale: str) -> Copy:
    """Parse a copy that `to_json` wrote.

    An older copy has no locale, and gets the given `locale`.
    """
    kept: dict[str, Any] = json.loads(text)
    place = kept["property"]
    return Copy(
        Biller(**kept["biller"]),
        Place(
            place["name"],
            place["streetNumber"],
            place["street"],
            place["city"],
            place["state"],
            place["zip"],
            place["country"],
        ),
        kept["unit"]["label"],
        kept["currency"],
        kept.get("locale", locale),
        kept.get("forwardingAddress", ""),
        PayTo(**kept.get("payTo", {})),
        tuple(Earlier(*amounts) for amounts in kept.get("earlier", ())),
        kept.get("final", False),
        tuple(kept.get("roommates", ())),
    )


def _said(pay_to: PayTo) -> dict[str, str]:
    return {name: value for name, value in pay_to._asdict().items() if value}


def kept_name(text: str, otherwise: str | None) -> str | None:
    """Return the tenant's name stored with a copy; `otherwise` if an older copy has none."""
    name = json.loads(text).get("tenant", otherwise)
    return None if name is None else str(name)


def is_final(text: str | None) -> bool:
    """True if a stored copy is that of a final invoice."""
    return text is not None and bool(json.loads(text).get("final"))
