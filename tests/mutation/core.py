"""The files of the money core, with the tests that are near each: its own doctests are tried too."""

TESTS = {
    "prorata/domain/money.py": ("tests/domain/test_money.py", "tests/domain/splitting/test_division.py"),
    "prorata/domain/billing_calendar.py": ("tests/domain/test_billing_calendar.py",),
    "prorata/domain/invoice_states.py": ("tests/domain/invoices",),
    "prorata/domain/invoices/ledger.py": ("tests/domain/invoices",),
    "prorata/domain/splitting/division.py": ("tests/domain/splitting", "tests/domain/test_what_is_said_is_charged.py"),
    "prorata/domain/splitting/stays.py": ("tests/domain/splitting",),
    "prorata/domain/splitting/planned_invoices.py": ("tests/domain/splitting", "tests/actions/recalculation"),
    "prorata/domain/splitting/invoice_sequences.py": ("tests/domain/splitting", "tests/actions/recalculation"),
    "prorata/domain/splitting/rule_versions.py": ("tests/domain/splitting", "tests/actions/splitting"),
    "prorata/domain/splitting/month_facts.py": ("tests/domain/splitting", "tests/actions/recalculation"),
    "prorata/actions/recalculation/addressees.py": ("tests/actions/recalculation", "tests/actions/invoices"),
    "prorata/actions/recalculation/after_upgrades.py": ("tests/actions/recalculation",),
    "prorata/actions/recalculation/effects.py": ("tests/actions/recalculation", "tests/actions/splitting"),
    "prorata/actions/recalculation/month_loader.py": ("tests/actions/recalculation", "tests/actions/invoices"),
    "prorata/actions/recalculation/month_writer.py": ("tests/actions/recalculation", "tests/actions/invoices"),
    "prorata/actions/recalculation/recalculation.py": ("tests/actions/recalculation", "tests/actions/invoices"),
    "prorata/actions/invoices/statuses.py": (
        "tests/actions/invoices",
        "tests/actions/recalculation",
        "tests/actions/payments",
    ),
    "prorata/actions/payments/payments.py": ("tests/actions/payments",),
    "prorata/web/http/auth.py": ("tests/web/http/test_keys_remembered.py", "tests/web/http/test_keys_and_limits.py"),
}
