"""The reckoning at the end of a story, by the ledger kept by hand."""

from collections import Counter, defaultdict
from typing import Any

from tests.stories import quarter_by_hand as by_hand
from tests.stories.premises import Premises


def cents(figures: str) -> int:
    """The cents of an amount as the API writes it."""
    whole, _, rest = figures.partition(".")
    assert len(rest) == 2
    return int(whole + rest)


def everything_is_right(premises: Premises, *, may_repeat: bool) -> None:
    """Check everything at the end of a story.

    Everyone has paid the right amounts, every cent is accounted for, every event and message has come, the audit log is
    complete, and the stored data has no problems.
    """
    for month in by_hand.MONTHS:
        month_is_as_by_hand(premises, month)
    everyone_has_paid(premises)
    bills_are_there_once(premises)
    letters_have_come(premises, may_repeat=may_repeat)
    premises.bookkeeper.closes_the_books()
    assert premises.bookkeeper.number_of("bill.created") == len(by_hand.BILLS)
    assert premises.bookkeeper.number_of("payment.recorded") == len(by_hand.MONEY)
    assert premises.bookkeeper.number_of("invoice.overdue") == 1
    assert premises.bookkeeper.number_of("invoice.bounced") == 1
    log_is_whole(premises)
    assert premises.server.mistakes() == []
    assert premises.command.ok("check") == "No problems were found in the stored data."


def nothing_went_wrong(premises: Premises) -> None:
    """Check that no message came twice and the program made no mistake, without kills."""
    letters = {address: len(premises.post_office.letters_to(address)) for address in by_hand.LETTERS}
    assert premises.post_office.number_of_letters(*letters) == sum(letters.values()) > 0
    assert premises.server.mistakes() == []


def month_is_as_by_hand(premises: Premises, month: str) -> None:
    """Check the shares of each bill of a month against the ledger.

    The shares and the owner's part add up to the bill.
    """
    shares: dict[str, dict[str, int]] = defaultdict(dict)
    for (unit, of_month), invoice in premises.invoices().items():
        if of_month == month:
            charges = {charge["utilityType"]: cents(charge["amount"]) for charge in invoice["charges"]}
            assert len(charges) == len(invoice["charges"])
            assert invoice["customCharges"] == []
            assert cents(invoice["totalAmount"]) == sum(charges.values()) == by_hand.owed(unit, month)
            for kind, amount in charges.items():
                shares[kind][unit] = amount
    expected = {kind: whole for (of_month, kind), whole in by_hand.SHARES.items() if of_month == month}
    assert {kind: {unit: its.get(unit, 0) for unit in expected[kind]} for kind, its in shares.items()} == expected
    assert {kind: sum(its.values()) for kind, its in shares.items()} == {
        kind: total - by_hand.OWNERS.get((of_month, kind), 0)
        for (of_month, kind), total in by_hand.BILLS.items()
        if of_month == month
    }


def everyone_has_paid(premises: Premises) -> None:
    """Check that each invoice is paid, by exactly the payments of the ledger.

    Nobody was asked to pay for the empty unit.
    """
    there = premises.invoices()
    assert sorted(there) == sorted(by_hand.invoices())
    for key, invoice in there.items():
        entries = premises.get(f"/invoices/{invoice['id']}/payments")
        assert Counter((entry["kind"], cents(entry["amount"])) for entry in entries) == by_hand.entries(*key), key
        is_nobodys = key in by_hand.NOBODYS
        assert cents(invoice["paidAmount"]) == by_hand.kept(*key) == (0 if is_nobodys else by_hand.owed(*key))
        assert invoice["status"] == ("DRAFT" if is_nobodys else "PAID")
        assert (invoice["tenantName"] is None) == is_nobodys
        assert invoice["gatewayPaymentLinkUrl"] is None, "nobody is asked for more"
        assert not invoice["pendingChanges"]
    received = sum(cents(invoice["paidAmount"]) for invoice in there.values())
    borne = sum(by_hand.owed(*one) for one in by_hand.NOBODYS) + sum(by_hand.OWNERS.values())
    assert received + borne == sum(by_hand.BILLS.values())


def bills_are_there_once(premises: Premises) -> None:
    """Check that each bill that came by mail is stored once, with its amount."""
    bills = premises.get("/utility-bills?limit=100")["data"]
    stored = Counter((one["billingMonth"], *one["utilityType"], _cents_of_number(one)) for one in bills)
    assert stored == Counter((month, kind, total) for (month, kind), total in by_hand.BILLS.items())
    assert not any(one["waiting"] or one["held"] for one in bills)


def _cents_of_number(one: dict[str, Any]) -> int:
    """The cents of a JSON number with at most two decimals.

    The shortest form of such a number is exact.
    """
    whole, _, rest = repr(one["totalAmountDue"]).partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0") if rest else 0)


def letters_have_come(premises: Premises, *, may_repeat: bool) -> None:
    """Check that every expected message reached its address, with its invoice.

    A message that came more than once must have had the same bytes each time. Where nothing was killed, each message
    came once.
    """
    office = premises.post_office
    found = {address: office.letters_to(address) for address in by_hand.LETTERS}
    assert {address: len(letters) for address, letters in found.items()} == by_hand.LETTERS
    assert {len(forms) for letters in found.values() for forms in letters.values()} == {1}, "the same bytes each time"
    assert all(b"application/pdf" in form for letters in found.values() for forms in letters.values() for form in forms)
    handed_over = office.number_of_letters(*by_hand.LETTERS)
    assert handed_over == sum(by_hand.LETTERS.values()) or (may_repeat and handed_over > sum(by_hand.LETTERS.values()))


def log_is_whole(premises: Premises) -> None:
    """Check that the chain of the audit log has every entry, without gaps."""
    numbers, before = [], ""
    while True:
        answer = premises.get(f"/audit-log?limit=100{before}")
        numbers += [entry["chain"]["number"] for entry in answer["data"]]
        if answer["next"] is None:
            break
        before = f"&before={answer['next']}"
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
