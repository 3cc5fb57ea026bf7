"""A server that plays Stripe on this machine, as Stripe's documentation describes it.

The contents of forms are checked against Stripe's SDK.
"""

import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from stripe._api_version import _ApiVersion

from prorata.adapters.online_payments.stripe import StripePayments
from prorata.domain.online_payments.payment_links import STRIPE
from prorata.store.database.engine import Database
from prorata.worker.payment_links import payment_link_kind
from prorata.worker.rounds import Worker
from tests.stripe_declared import CHANGE, MAKE, refusal
from tests.worker.trade import VAULT

KEY = "sk_test_right"
DECLARED = _ApiVersion.CURRENT
"""The version of the API that the SDK among the test requirements declares."""
OTHER_PARAMETERS = {
    "type": "idempotency_error",
    "message": "Keys for idempotent requests can only be used with the same parameters they were first used with.",
}


def refused(headers: dict[str, str], form: dict[str, str], declared: type) -> str | None:
    version = headers.get("Stripe-Version")
    return refusal(form, declared) if version == DECLARED else f"Invalid Stripe API version: {version}"


class Stripe:
    """A fake Stripe that makes one payment link for each Idempotency-Key.

    The given `answers` come first; an answer of None never comes. As Stripe documents it, each further request with the
    same key gets the first answer, even if that was a server error, unless nothing was begun: that is so for 401, 409,
    429 and failed validation. The same key with other parameters is an error and does nothing.

    A request is refused if it names a version of the API other than the SDK's, or if `refusal` finds fault with its
    form. The server waits for `seconds_to_answer` between doing what is asked and answering.
    """

    def __init__(self, seconds_to_answer: float = 0.0) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, str]]] = []
        self.links: dict[str, dict[str, Any]] = {}
        self.by_key: dict[str, tuple[tuple[str, dict[str, str]], tuple[int, dict[str, Any]]]] = {}
        self.answers: list[tuple[int, dict[str, Any]] | None] = []
        self.made_of: type = MAKE
        self._gone = threading.Event()
        self._at_work = threading.Lock()
        stripe = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                answer = stripe.answer(self.path, dict(self.headers), dict(parse_qsl(body, strict_parsing=True)))
                if answer is None:
                    stripe._gone.wait(20)
                    return
                stripe._gone.wait(seconds_to_answer)
                said = json.dumps(answer[1]).encode()
                with suppress(OSError):  # who asked may have been killed meanwhile
                    self.send_response(answer[0])
                    self.send_header("Content-Length", str(len(said)))
                    self.end_headers()
                    self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def serve(self, database: Database) -> None:
        """Do a round of the worker, which asks this server for payment links."""
        kind = payment_link_kind({STRIPE: StripePayments(self.url)}, lambda: VAULT)
        Worker(database, lambda: 0, [kind]).do_round(threading.Event())

    def answer(self, path: str, headers: dict[str, str], form: dict[str, str]) -> tuple[int, dict[str, Any]] | None:
        with self._at_work:
            self.requests.append((path, headers, form))
            once = headers.get("Idempotency-Key")
            if once is not None and once in self.by_key:
                asked, first = self.by_key[once]
                return first if asked == (path, form) else (400, {"error": OTHER_PARAMETERS})
            answer = self._first_answer(path, headers, form)
            if once is not None and answer is not None and not 400 <= answer[0] < 500:
                self.by_key[once] = (path, form), answer
            return answer

    def _first_answer(
        self, path: str, headers: dict[str, str], form: dict[str, str]
    ) -> tuple[int, dict[str, Any]] | None:  # fmt: skip
        if self.answers:
            return self.answers.pop(0)
        if headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {
                "error": {"message": "Invalid API Key provided: sk_test_****rong", "type": "invalid_request_error"}
            }
        makes = path == "/v1/payment_links"
        if why := refused(headers, form, self.made_of if makes else CHANGE):
            return 400, {"error": {"message": why, "type": "invalid_request_error"}}
        if not makes:
            changed = self._changed(path, form)
            return (404 if "error" in changed else 200), changed
        return 200, self._made(form)

    def _made(self, form: dict[str, str]) -> dict[str, Any]:
        name = f"plink_{len(self.links) + 1}"
        self.links[name] = {"id": name, "object": "payment_link", "active": True, "form": form}
        return self.links[name] | {"url": f"https://buy.stripe.com/test_{name}"}

    def _changed(self, path: str, form: dict[str, str]) -> dict[str, Any]:
        name = path.removeprefix("/v1/payment_links/")
        if name not in self.links:
            return {"error": {"code": "resource_missing", "message": f"No such payment link: '{name}'"}}
        self.links[name]["active"] = form["active"] == "true"
        return self.links[name]

    def close(self) -> None:
        self._gone.set()
        self._server.shutdown()
        self._server.server_close()
