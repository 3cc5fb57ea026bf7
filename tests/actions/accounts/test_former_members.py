"""Former members are still named where they did something."""

from prorata.actions.accounts import members
from prorata.actions.bills import flags as bill_flags
from prorata.store.audit.audit import Caller
from tests.actions.bills.test_flags import enter


def test_who_accepted_a_flag_is_named_once_they_are_no_member_any_more(landlord, people):
    maple = landlord.property_()
    landlord.units(maple, "1")
    account = landlord.account.id
    cy = people.join(account, "cy@example.org", name="Cy")
    enter(landlord, maple)
    bill = enter(landlord, maple)
    (flag,) = landlord.see(bill_flags.of_bill, bill.id)
    landlord.run(lambda tx: bill_flags.accept(tx, Caller(account, cy.id), bill.id, 1, "a second meter", flag.mark))
    assert [one.who for one in landlord.see(bill_flags.of_bill, bill.id)] == ["Cy"]
    landlord.do(members.remove, cy.id)
    assert [one.who for one in landlord.see(bill_flags.of_bill, bill.id)] == ["Cy (former member)"]
