"""An invoice lists the tenant's other open invoices, and says what is owed in all."""

from tests.domain.printing.test_rendering import OTHERS, written


def test_the_other_open_invoices_are_listed_with_their_days_and_what_is_overdue_in_all():
    both = (
        "A-1-2026-01 (2026-01): $40.00, was due on 2026-02-15 (overdue)",
        "A-1-2026-02 (2026-02): $4.50, due on 2026-04-15",
    )
    at_once = "You can pay all of it at once, with all the invoice numbers as the reference."
    in_all = f"In all, you now owe $135.20, of which $40.00 is overdue. {at_once}"
    assert written(elsewhere=OTHERS).elsewhere == ("Your other open invoices:", *both, in_all)
    late = written(elsewhere=OTHERS, status="OVERDUE").elsewhere
    assert late[-1] == f"In all, you now owe $135.20, of which $130.70 is overdue. {at_once}"
    all_late = written(elsewhere=OTHERS[:1], status="OVERDUE").elsewhere
    assert all_late[0] == "Your other open invoice:"
    assert all_late[-1].startswith("In all, you now owe $130.70, which is overdue.")
    not_late = written(elsewhere=OTHERS[1:]).elsewhere
    assert not_late[-1].startswith("In all, you now owe $95.20. Please pay $4.50 of it by 2026-04-15.")
    paid = written(elsewhere=OTHERS, status="PAID", paid=90_70)
    assert paid.elsewhere[-1] == f"In all, you now owe $44.50, of which $40.00 is overdue. {at_once}"
    alone = written(elsewhere=OTHERS[1:], status="PAID", paid=90_70).elsewhere
    assert alone[-1] == "In all, you now owe $4.50. Please pay it by 2026-04-15."
    many = [OTHERS[1]._replace(number=f"A-1-2025-{month:02}") for month in range(1, 15)]
    *_, last, more, _ = written(elsewhere=many).elsewhere
    assert (last.startswith("A-1-2025-11 "), more) == (True, "and 3 more ($13.50)")
    for nothing in ({}, {"elsewhere": OTHERS, "status": "DRAFT"}, {"elsewhere": OTHERS, "status": "CANCELLED"}):
        assert written(**nothing).elsewhere == ()
