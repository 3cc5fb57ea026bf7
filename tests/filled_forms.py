"""Valid values for each form about a record, except for the account that owns it.

With them a test reaches the form's action, and not only the page that shows the form again.
"""

from typing import Any

FIELDS: dict[str, dict[str, str]] = {
    "change_property": {"name": "Mine", "streetNumber": "1", "street": "x", "city": "x", "state": "x", "zip": "1",
                        "country": "US"},
    "create_unit": {"label": "stolen"},
    "change_unit": {"label": "stolen"},
    "create_tenant": {"name": "Eve"},
    "change_tenant": {"name": "Eve"},
    "tenant_leaves": {"moveOutDate": "2026-03-01"},
    "change_split_method": {"name": "Mine", "equal": "100"},
    "add_charge": {"description": "Fee", "amount": "5"},
    "record_payment": {"amount": "5", "date": "2026-03-01", "method": "CASH"},
    "record_payments": {"to-2": "x"},
    "call_row_the_same": {"same": "2"},
    "settle_told": {"provider": "stripe", "event": "evt_1"},
    "close_payment_file": {"state": "closed"},
    "accept_unusual_amount": {"bills": "bill_01kb1n3x6ve2hrrk0p1w4bqv2f", "reason": "x"},
    "decide_corrections": {"place": "next"},
    "mark_bill": {"status": "PAID"},
    "make_history": {"firstMonth": "2026-02"},
    "compare_month": {"pasted": "Unit,Amount\n1A,5.00\n"},
    "announce_rule": {"change": "x"},
    "resolve_dispute": {"dispute": "ask_01kb1n3x6ve2hrrk0p1w4bqv2f", "reason": "x"},
    "dispute_charge": {"text": "x", "amount": "1"},
    "send_reply": {"question": "ask_01kb1n3x6ve2hrrk0p1w4bqv2f", "reply": "x"},
    "change_role": {"new_role": "owner"},
    "open_document": {"password": "x"},
    "choose_header": {"line": "1"},
    "choose_sheet": {"sheet": "1"},
    "change_webhook": {"url": "https://93.184.215.14/hook"},
}  # fmt: skip
"""By the names of the pages' functions."""


def fields_of(page: Any) -> dict[str, str]:
    """Return valid values for the form of a page."""
    return FIELDS.get(page.work.__name__, {})
