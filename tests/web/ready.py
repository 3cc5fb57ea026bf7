"""The preparation of each POST request: a path and a body.

The body is given if the documentation's example is not enough.
"""

from collections.abc import Callable
from typing import Any

from prorata.actions.payments import provider_events
from prorata.domain.inbound_mail.inbox_addresses import RECEIVED
from prorata.domain.online_payments.payment_links import PAID, LinkMarks, ProviderEvent
from prorata.store.database.engine import Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.jobs import jobs
from prorata.store.online_payments import providers
from prorata.web.api.examples import PROVIDER_SENT
from prorata.web.http.operations import FORM, Operation
from tests.web.addresses import address, kind_of
from tests.web.api.webhooks.test_webhook_endpoints import deliver
from tests.web.furnished import STATEMENT, SYSTEM, Furnished

PORTFOLIO = (
    "Property,House number,Street,City,State,ZIP,Country,Unit\nOak Hall,12,Main Street,Springfield,IL,62701,US,1A\n"
)

Ready = tuple[str, Any]
ANY_STATUS = ("/charges", "/hand-over")
"""The path endings of operations on invoices that need not be paid."""


def ready(made: Furnished, operation: Operation) -> Ready:
    """Return an operation's path, and its body or the files of its form."""
    if kind_of(operation) == "invoice" and not operation.path.endswith(ANY_STATUS):
        made.set_status("PAID")  # so that it can be sent again
    prepare = next((how for end, how in _READY.items() if operation.path.endswith(end)), None)
    path = address(operation, made.ids[kind_of(operation)])
    if operation.takes == FORM:
        return path, _FILES.get(operation.path, {"file": ("bill.pdf", b"%PDF-1.7 of a test")})
    return prepare(made, path, operation.example) if prepare else (path, operation.example)


def told(made: Furnished) -> tuple[str, str]:
    """The id and reason of a provider's message about a payment by an unknown link."""
    marks = LinkMarks("plink_lost", made.landlord.account_id, made.invoice()["invoiceNumber"])
    event = ProviderEvent("evt_1", PAID, "pi_1", 30_00, "USD", "2026-04-01T00:00:00.000Z", "plink_1", None, marks)
    made.house.database.write(lambda tx: provider_events.take(tx, made.landlord.account_id, "stripe", event))
    (found,) = made.house.database.read(lambda tx: provider_events.to_check(tx, made.landlord.caller))
    return found.event_id, found.why or ""


def _replay(made: Furnished, _path: str, body: Any) -> Ready:
    path = f"/webhook-endpoints/{made.hook_id}/deliveries"
    made.api.patch(f"/properties/{made.property_id}", {"name": "Elm House"})
    deliver(made.house)
    return f"{path}/{made.api.get(path).json()['data'][0]['id']}/replay", body


def _corrections(made: Furnished, path: str, body: Any) -> Ready:
    made.set_status("SENT")
    made.api.post(f"/properties/{made.property_id}/units", {"label": "New", "activeFrom": "2020-01-01"})
    return path, body


def _final_invoice(made: Furnished, path: str, body: Any) -> Ready:
    made.api.patch(f"/tenants/{made.tenant_id}", {"moveOutDate": "2026-03-10"})
    return path, body


def _erase(made: Furnished, path: str, body: Any) -> Ready:
    for one in made.invoices():
        if one["status"] == "SENT":
            made.api.patch(f"/invoices/{one['id']}", {"status": "DRAFT"})  # no message is to be sent any more
    made.api.patch(f"/tenants/{made.tenant_id}", {"moveInDate": "2025-01-01", "moveOutDate": "2026-03-01"})

    def read_all(tx: Tx) -> None:
        for row in incoming_mail.oldest(tx, made.landlord.account_id, [RECEIVED], after="", limit=9):
            incoming_mail.save(tx, row._replace(state="taken"))

    made.house.database.write(read_all)
    return path, body


def _disputes(made: Furnished, path: str, _body: Any) -> Ready:
    return path, made.disputed()


def _settle(made: Furnished, _path: str, body: Any) -> Ready:
    made.set_status("SENT")
    return f"/bills/{made.add_bill(billDate='2026-03-28')['id']}/settle", body


def _accept(made: Furnished, _path: str, _body: Any) -> Ready:
    made.add_bill()
    again = made.add_bill()
    return f"/bills/{again['id']}/flags/1/accept", {"reason": "Two.", "mark": again["flags"][0]["mark"]}


def _forget_key(made: Furnished, path: str, body: Any) -> Ready:
    made.api.put("/account/online-payments", PROVIDER_SENT)

    def keep(tx: Tx) -> None:
        row = providers.find(tx, made.landlord.account_id)
        assert row is not None
        providers.save(tx, row._replace(former_secrets=f"sealed {tx.now}"))

    made.house.database.write(keep)
    return path, body


def _hand_over(made: Furnished, _path: str, body: Any) -> Ready:
    made.api.post(f"/units/{made.units['2']}/tenants", {"name": "Bo Chen"})
    made.set_status("SENT", "2", "2026-02")
    return f"/invoices/{made.invoice('2', '2026-02')['id']}/hand-over", body


def _stop(made: Furnished, _path: str, body: Any) -> Ready:
    return f"/invoice-changes/{made.going_on()}/stop", body


def _resume(made: Furnished, path: str, body: Any) -> Ready:
    path, _ = _stop(made, path, body)
    made.api.post(path)
    return path.replace("/stop", "/resume"), body


def _send(made: Furnished, path: str, body: Any) -> Ready:
    return path, body | {"mark": made.api.get(path.removesuffix("/send")).json()["mark"]}


def _reverse(made: Furnished, _path: str, body: Any) -> Ready:
    path = f"/invoices/{made.invoice('1', '2026-02')['id']}/payments"
    paid = made.api.post(path, {"amount": "10.00", "method": "CASH"}).json()
    return f"{path}/{paid['id']}/reverse", body


def _decide(made: Furnished, path: str, _body: Any) -> Ready:
    event_id, reason = told(made)
    return path, {"provider": "stripe", "id": event_id, "reason": reason}


def _columns(made: Furnished, path: str, _body: Any) -> Ready:
    columns = [{"name": "Posted Date", "field": "date"}, {"name": "Amount", "field": "amount"}]
    return path, {"headerLine": 1, "columns": columns}


def _same(made: Furnished, path: str, _body: Any) -> Ready:
    made.set_status("SENT")
    paid = {"amount": "30.00", "method": "TRANSFER", "date": "2026-03-25"}
    made.api.post(f"/invoices/{made.invoice()['id']}/payments", paid)
    return path, {"line": 2}


def _confirm(made: Furnished, path: str, body: Any) -> Ready:
    return path, body | {"propertyId": made.property_id}


def _charges(made: Furnished, path: str, body: Any) -> Ready:
    made.make_charges("2026-02")
    made.set_status("SENT")
    return path, body


def _proposed(made: Furnished, path: str, body: Any) -> Ready:
    return path, body | {"propertyId": made.property_id}


def _failed(made: Furnished, path: str, body: Any) -> Ready:
    job_id = made.job_id

    def fail(tx: Tx) -> None:
        row = jobs.find(tx, made.landlord.account_id, job_id)
        assert row is not None
        jobs.save(tx, [row._replace(state="failed", last_error="Nobody listens there.", ended_at=tx.now)])

    made.house.database.write(fail)
    return path, body


def _announced(made: Furnished, path: str, _body: Any) -> Ready:
    rule = {"utilityType": "WATER", "splitMethod": "OCCUPANTS", "effectiveFrom": "2026-12"}
    made.api.post(f"/properties/{made.property_id}/sharerules", rule)
    return path, {"change": made.api.get(path).json()[0]["change"]}


def _mail_in(state: str) -> Callable[[Furnished, str, Any], Ready]:
    """A function that puts the incoming message in a state and links a waiting document."""

    def let_be(made: Furnished, path: str, body: Any) -> Ready:
        mail_id, document_id, account_id = made.mail_id, made.document_id, made.landlord.account_id

        def work(tx: Tx) -> None:
            row = incoming_mail.find(tx, account_id, mail_id)
            assert row is not None
            incoming_mail.save(tx, row._replace(state=state, sender="a@example.com", authentic=True))
            incoming_mail.link(tx, account_id, mail_id, document_id)

        made.house.database.write(work)
        return path, body

    return let_be


def _compared(made: Furnished, path: str, _body: Any) -> Ready:
    return path, {"charges": [{"propertyId": made.property_id, "month": "2026-03", "unit": "1", "amount": "30.00"}]}


_FILES: dict[str, Any] = {
    "/unit-imports": {"file": ("units.csv", PORTFOLIO.encode())},
    "/sharerule-imports": {"file": ("rules.csv", b"Property,Utility,Split\nMaple Court,INTERNET,EQUAL\n")},
    "/payment-files": {"file": ("bank.csv", STATEMENT.encode())},
    "/charge-names/file": {
        "file": ("names.csv", b"Property,Unit,Customer\nMaple Court,1,Ann\n"), "system": (None, SYSTEM),
    },
}  # fmt: skip
"""The contents of forms that don't upload a bill."""
_READY: dict[str, Callable[[Furnished, str, Any], Ready]] = {
    "/forget-key": _forget_key,
    "/replay": _replay,
    "/corrections": _corrections,
    "/final-invoice": _final_invoice,
    "/erase": _erase,
    "/disputes": _disputes,
    "/settle": _settle,
    "/accept": _accept,
    "/hand-over": _hand_over,
    "/{id}/stop": _stop,
    "/{id}/resume": _resume,
    "/{month}/send": _send,
    "/reverse": _reverse,
    "/payment-messages/decide": _decide,
    "/{id}/columns": _columns,
    "/{id}/same": _same,
    "/charge-files": _charges,
    "/charge-names/proposed": _proposed,
    "/documents/{id}/confirm": _confirm,
    "/jobs/retry-failed": _failed,
    "/announcements": _announced,
    "/take-up": _mail_in("waiting"),
    "/allow-sender": _mail_in("waiting"),
    "/refuse": _mail_in("waiting"),
    "/dealt-with": _mail_in("not taken"),
    "/incoming-mail/{id}/set-aside": _mail_in("taken"),
    "/comparisons": _compared,
}
