"""The files of the money core, each with the tests to run against its faults.

The doctests of a file run too.
"""

_SPLITTING = ("tests/domain/splitting",)
_RECALCULATION = ("tests/actions/recalculation",)
_INVOICES = (
    "tests/actions/invoices/test_invoices.py",
    "tests/actions/invoices/test_invoices_of_others.py",
    "tests/actions/invoices/test_former_words.py",
    "tests/actions/invoices/test_standing.py",
)
_PAYMENTS = (
    "tests/actions/payments/test_payments.py",
    "tests/actions/payments/test_entries.py",
    "tests/actions/payments/test_when_paid.py",
    "tests/actions/payments/test_payments_in_the_books.py",
)

_CARRIES = ("tests/actions/payments/test_carries.py", *_PAYMENTS)

_SPLITS = (
    "tests/actions/bills/test_splits.py",
    "tests/actions/bills/test_spread_bills.py",
    "tests/actions/bills/test_flags.py",
    "tests/actions/months/test_reviews.py",
    "tests/actions/recalculation/test_former_snapshots.py",
    "tests/web/api/bills/test_owner_parts.py",
    "tests/dashboard/bills/test_corrections.py",
)

TESTS = {
    "prorata/domain/money.py": ("tests/domain/test_money.py", "tests/domain/splitting/test_division.py"),
    "prorata/domain/billing_calendar.py": ("tests/domain/test_billing_calendar.py",),
    "prorata/domain/invoice_states.py": ("tests/domain/invoices",),
    "prorata/domain/invoices/ledger.py": ("tests/domain/invoices",),
    "prorata/domain/splitting/division.py": (*_SPLITTING, "tests/domain/test_what_is_said_is_charged.py"),
    "prorata/domain/splitting/stays.py": _SPLITTING,
    "prorata/domain/splitting/planned_invoices.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/domain/splitting/invoice_sequences.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/domain/splitting/corrections.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/domain/splitting/own_invoices.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/domain/splitting/rights.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/domain/invoices/carries.py": ("tests/domain/invoices", *_CARRIES),
    "prorata/actions/recalculation/corrections.py": (*_RECALCULATION, "tests/actions/bills/test_entries.py"),
    "prorata/actions/recalculation/correction_decisions.py": (
        *_RECALCULATION,
        "tests/web/api/months/test_corrections.py",
        "tests/actions/bills/test_splits.py",
        "tests/dashboard/bills/test_corrections.py",
    ),
    "prorata/actions/invoices/carries.py": _CARRIES,
    "prorata/domain/intake/e_invoices/sums.py": ("tests/domain/intake/e_invoices",),
    "prorata/domain/intake/e_invoices/item_amounts.py": ("tests/domain/intake/e_invoices",),
    "prorata/domain/splitting/rule_versions.py": ("tests/actions/splitting/test_dated_rules.py",),
    "prorata/domain/splitting/month_facts.py": (*_SPLITTING, *_RECALCULATION),
    "prorata/actions/recalculation/addressees.py": (*_RECALCULATION, *_INVOICES),
    "prorata/actions/recalculation/after_upgrades.py": _RECALCULATION,
    "prorata/actions/recalculation/effects.py": (
        *_RECALCULATION,
        "tests/actions/splitting/test_previews.py",
        "tests/actions/splitting/test_dated_rules.py",
        "tests/dashboard/splitting/test_rule_dates.py",
    ),
    "prorata/actions/recalculation/owner_differences.py": ("tests/actions/recalculation/test_owner_differences.py",),
    "prorata/actions/recalculation/month_loader.py": (*_RECALCULATION, *_INVOICES),
    "prorata/actions/recalculation/month_writer.py": (*_RECALCULATION, *_INVOICES, *_PAYMENTS),
    "prorata/actions/recalculation/recalculation.py": (*_RECALCULATION, *_INVOICES),
    "prorata/actions/invoices/statuses.py": (*_INVOICES, *_RECALCULATION, *_CARRIES),
    "prorata/actions/payments/payments.py": _PAYMENTS,
    "prorata/actions/bills/line_splits.py": _SPLITS,
    "prorata/actions/bills/splits.py": _SPLITS,
    "prorata/web/http/auth.py": (
        "tests/web/http/test_keys_remembered.py",
        "tests/web/http/test_keys_and_limits.py",
    ),
}
