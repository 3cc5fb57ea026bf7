"""Every form of the dashboard has an equivalent API operation, or a reason why not."""

from prorata.domain.accounts.api_keys import ADMIN, FULL, READ
from prorata.web.api import OPERATIONS
from prorata.web.dashboard import PAGES

OPERATION_OF: dict[str, tuple[str, ...]] = {
    # accounts
    "change_settings": ("PATCH /account",),
    "save_own_words": ("PATCH /account",),
    "choose_color": ("PATCH /account",),
    "choose_logo": ("PUT /account/logo",),
    "take_logo_off": ("DELETE /account/logo",),
    "create_key": ("POST /keys",),
    "revoke_key": ("DELETE /keys/{id}",),
    "invite_member": ("POST /invitations",),
    "change_role": ("PATCH /members/{id}",),
    "remove_member": ("DELETE /members/{id}",),
    "withdraw_invitation": ("DELETE /invitations/{id}",),
    # bills
    "enter_bill": ("POST /properties/{propertyId}/bills",),
    "change_bill": ("PATCH /bills/{id}",),
    "delete_bill": ("DELETE /bills/{id}",),
    "correct_bill": ("POST /bills/{id}/correct",),
    "settle_late_bill": ("POST /bills/{id}/settle",),
    "settle_late_bills": ("POST /bills/{id}/settle",),
    "move_bills": ("POST /properties/{propertyId}/bill-moves",),
    "accept_flag": ("POST /bills/{id}/flags/{number}/accept",),
    "accept_flags_of_bill": ("POST /bills/{id}/flags/accept",),
    "accept_chosen_flags": ("POST /bills/flags/accept",),
    "mark_bill": ("PATCH /bills/{id}",),
    "show_bill_to_tenants": ("PATCH /bills/{id}",),
    "attach_file": ("POST /bills/{id}/files",),
    "detach_file": ("DELETE /bills/{id}/files/{documentId}",),
    # intake
    "bring": ("POST /documents",),
    "confirm_document": ("POST /documents/{id}/confirm",),
    "say_what_items_are_for": ("POST /documents/{id}/confirm",),
    "set_document_aside": ("PATCH /documents/{id}",),
    "take_document_up": ("PATCH /documents/{id}",),
    "delete_document": ("DELETE /documents/{id}",),
    # invoices
    "take_step": ("PATCH /invoices/{id}", "POST /invoices/{id}/send-again", "POST /invoice-changes"),
    "change_chosen": ("POST /invoice-changes",),
    "print_chosen": ("GET /exports/invoices/pdf",),
    "print_changed": ("GET /exports/invoices/pdf",),
    "stop_change": ("POST /invoice-changes/{id}/stop",),
    "go_on_with_change": ("POST /invoice-changes/{id}/resume",),
    "undo_change": ("POST /invoice-changes/{id}/undo",),
    "withdraw_reminder": ("POST /invoice-changes/{id}/undo",),
    "delete_account": ("DELETE /account",),
    "erase_tenant": ("POST /tenants/{tenantId}/erase",),
    "send_final_invoice": ("POST /tenants/{tenantId}/final-invoice",),
    "dispute_charge": ("POST /invoices/{id}/disputes",),
    "resolve_dispute": ("POST /disputes/{id}/resolve",),
    "end_with_correction": ("POST /disputes/{id}/resolve",),
    "note_withdrawn": ("POST /disputes/{id}/withdraw",),
    # charges, payments, questions, exports
    "add_charge": ("POST /invoices/{id}/charges",),
    "remove_charge": ("DELETE /invoices/{id}/charges/{chargeId}",),
    "send_reply": ("POST /questions/{id}/reply",),
    "note_answered": ("POST /questions/{id}/answered",),
    "accept_unusual_amount": ("POST /properties/{propertyId}/months/{month}/unusual-amounts/accept",),
    "take_back_payment": ("POST /invoices/{id}/payments/{paymentId}/reverse",),
    "settle_told": ("POST /payment-messages/decide",),
    "bring_payments": ("POST /payment-files",),
    "choose_payment_columns": ("POST /payment-files/{id}/columns",),
    "record_payments": ("POST /payment-files/{id}/record",),
    "call_row_the_same": ("POST /payment-files/{id}/same",),
    "set_rows_aside": ("POST /payment-files/{id}/aside",),
    "close_payment_file": ("POST /payment-files/{id}/close", "POST /payment-files/{id}/reopen"),
    "delete_payment_file": ("DELETE /payment-files/{id}",),
    "make_charge_file": ("POST /charge-files",),
    "save_charge_names": ("POST /charge-names",),
    "take_our_names": ("POST /charge-names/proposed",),
    "bring_charge_names": ("POST /charge-names/file",),
    # months
    "send_months": ("POST /properties/{propertyId}/months/{month}/send",),
    "decide_corrections": ("POST /properties/{propertyId}/corrections",),
    "compare_month": ("POST /properties/{propertyId}/months/{month}/comparison",),
    "compare_months": ("POST /comparisons",),
    # delivery
    "stop_tenant_link": ("POST /invoices/{id}/tenant-link/stop",),
    "renew_tenant_link": ("POST /invoices/{id}/tenant-link/renew",),
    "announce_rule": ("POST /properties/{propertyId}/announcements",),
    # inbound mail
    "take_mail_up": ("POST /incoming-mail/{id}/take-up",),
    "allow_sender_of_mail": ("POST /incoming-mail/{id}/allow-sender",),
    "refuse_mail": ("POST /incoming-mail/{id}/refuse",),
    "refuse_many": ("POST /incoming-mail/{id}/refuse",),
    "deal_with_mail": ("POST /incoming-mail/{id}/dealt-with",),
    "set_files_of_mail_aside": ("POST /incoming-mail/{id}/set-aside",),
    "set_allowed_senders": ("PATCH /inbox-settings",),
    "set_rules_of_mail": ("PATCH /inbox-settings",),
    "renew_address": ("POST /inbox-settings/renew-address",),
    # jobs
    "retry_job": ("POST /jobs/{id}/retry",),
    "retry_jobs": ("POST /jobs/retry-failed",),
    "cancel_job": ("POST /jobs/{id}/cancel",),
    # payments
    "give_address": ("POST /account/online-payments/address",),
    "use": ("PUT /account/online-payments",),
    "stop_payments": ("DELETE /account/online-payments",),
    "close_again": ("POST /account/online-payments/close-again",),
    "forget_key": ("POST /account/online-payments/forget-key",),
    "note_checked": ("POST /payment-messages/decide",),
    "record_payment": ("POST /invoices/{id}/payments",),
    # properties
    "create_property": ("POST /properties",),
    "change_property": ("PATCH /properties/{id}", "PATCH /properties/{id}/payment-details"),
    "delete_property": ("DELETE /properties/{id}",),
    "make_history": ("PATCH /properties/{id}",),
    "bill_every_month": ("PATCH /properties/{id}",),
    "make_histories": ("PATCH /properties/{id}",),
    "look_at_units_file": ("POST /unit-imports/check",),
    "choose_unit_columns": ("POST /unit-imports/check",),
    "type_addresses": ("POST /unit-imports/check",),
    "import_units_file": ("POST /unit-imports",),
    "look_at_rules_file": ("POST /sharerule-imports/check",),
    "import_rules_file": ("POST /sharerule-imports",),
    "preview_units_file": ("POST /unit-imports/check",),
    "create_unit": ("POST /properties/{propertyId}/units",),
    "change_unit": ("PATCH /units/{unitId}",),
    "delete_unit": ("DELETE /units/{unitId}",),
    "reactivate_unit": ("PATCH /units/{unitId}",),
    "create_tenant": ("POST /units/{unitId}/tenants",),
    "change_tenant": ("PATCH /tenants/{tenantId}",),
    "tenant_leaves": ("PATCH /tenants/{tenantId}", "POST /units/{unitId}/tenants"),
    "remove_tenant": ("DELETE /tenants/{tenantId}",),
    # splitting
    "split_by_rule": ("POST /previews",),
    "save_rule": ("POST /properties/{propertyId}/sharerules", "PUT /sharerules/{ruleId}"),
    "copy_to_others": (
        "POST /properties/{propertyId}/sharerules",
        "PATCH /properties/{id}",
        "PATCH /properties/{id}/payment-details",
    ),
    "create_split_method": ("POST /split-methods",),
    "change_split_method": ("PUT /split-methods/{id}",),
    "delete_split_method": ("DELETE /split-methods/{id}",),
    # webhooks
    "create_webhook": ("POST /webhook-endpoints",),
    "change_webhook": ("PATCH /webhook-endpoints/{id}",),
    "pause_webhook": ("PATCH /webhook-endpoints/{id}",),
    "resume_webhook": ("PATCH /webhook-endpoints/{id}",),
    "rotate_secret": ("POST /webhook-endpoints/{id}/rotate-secret",),
    "remove_webhook": ("DELETE /webhook-endpoints/{id}",),
    "replay_delivery": ("POST /webhook-endpoints/{id}/deliveries/{deliveryId}/replay",),
}
"""The operations that do what a form does, by the name of the form's function."""
NEEDS_OTHERWISE: dict[tuple[str, str], str] = {
    ("note_checked", "POST /payment-messages/decide"): "the page of settings lists the same question that a manager "
    "answers on the page of its invoice, by settle_told",
    ("change_property", "PATCH /properties/{id}/payment-details"): "only an owner's form has the payment details",
    ("copy_to_others", "PATCH /properties/{id}/payment-details"): "only an owner's form copies payment details",
}
"""The reasons that an operation needs another permission than a form, by the form's function and the operation."""
_NEEDED = {"read": READ, "write": FULL, "manage": ADMIN}
_OWN = "it is a person's own: their name, password, sessions and second factor, which no key stands for"
_DOOR = "it is how a person comes in, or out, and a program comes in by its key"
_ASKS = "it asks a person before another form does it"
_PLAYS = "it has payments played in the sandbox, which moves no money"
_COLUMNS = "it remembers what the columns of a file mean, and a program sends amounts and no file"
_TABLES = "a person names the columns of a table of bills; a program sends the bills themselves, one by one"
_LEARNED = "what was learned of an issuer is judged beside a picture of its bill, and a later confirmation replaces it"
_SEEN = "it notes what a person has seen or prefers on a page"
NO_OPERATION: dict[str, str] = {
    "pick_payments": "it keeps what is ticked on one page of a file until all pages are recorded, which one request does",
    "change_name": _OWN,
    "change_password": _OWN,
    "send_verification": _OWN,
    "correct_email": _OWN,
    "end_one_session": _OWN,
    "end_other_sessions": _OWN,
    "begin_app": _OWN,
    "confirm_app": _OWN,
    "make_new_codes": _OWN,
    "turn_off_app": _OWN,
    "begin_session": _DOOR,
    "begin_session_by_code": _DOOR,
    "end_session": _DOOR,
    "open_account": _DOOR,
    "request_reset": _DOOR,
    "reset_password": _DOOR,
    "verify_address": _DOOR,
    "disown_address": _DOOR,
    "join_account": _DOOR,
    "use_sandbox": _PLAYS,
    "compare_and_remember": _COLUMNS,
    "compare_months_and_remember": _COLUMNS,
    "choose_header": _TABLES,
    "choose_sheet": _TABLES,
    "choose_columns": _TABLES,
    "choose_words": _TABLES,
    "choose_spread": _TABLES,
    "import_table": _TABLES,
    "look_at_table_again": _TABLES,
    "leave_sheets": _TABLES,
    "forget_seller": _LEARNED,
    "forget": _LEARNED,
    "take_lessons": _LEARNED,
    "open_document": "it takes the password of a file, which who has it types, and which is never kept",
    "choose_theme": _SEEN,
    "note_read": _SEEN,
    "confirm_step": _SEEN,
    "ask_about_chosen": _ASKS,
    "ask_to_send_months": _ASKS,
    "ask_to_hand_over_changed": _ASKS,
    "note_reminded_on_paper": "it notes a reminder that a person has printed and brought to a tenant",
    "new_bill_so_far": "it fills the form in anew while a person types",
    "changed_bill_so_far": "it fills the form in anew while a person types",
    "bill_of_document_so_far": "it fills the form in anew while a person types",
    "play_payment": "it plays a tenant in the sandbox, which moves no money",
}
"""The reasons that forms have no operation, by the name of the form's function."""


def test_every_form_of_the_dashboard_has_an_operation_or_a_reason() -> None:
    forms = {page.work.__name__ for page in PAGES if page.method != "GET"}
    assert forms - OPERATION_OF.keys() - NO_OPERATION.keys() == set()
    assert (OPERATION_OF.keys() | NO_OPERATION.keys()) - forms == set()
    assert not OPERATION_OF.keys() & NO_OPERATION.keys()


def test_each_operation_that_is_named_is_there() -> None:
    there = {f"{one.method} {one.path}" for one in OPERATIONS}
    assert {name for names in OPERATION_OF.values() for name in names} - there == set()


def test_an_operation_needs_the_permission_that_the_form_needs_or_there_is_a_reason() -> None:
    needed = {f"{operation.method} {operation.path}": operation.permission for operation in OPERATIONS}
    differing = {
        (page.work.__name__, name)
        for page in PAGES
        for name in OPERATION_OF.get(page.work.__name__, ())
        if page.may is None or _NEEDED[page.may] != needed[name]
    }
    assert differing == NEEDS_OTHERWISE.keys()


def test_each_reason_is_a_sentence() -> None:
    assert all(len(reason.split()) > 5 for reason in [*NO_OPERATION.values(), *NEEDS_OTHERWISE.values()])
