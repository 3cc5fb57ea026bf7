"""The writes of a batch, each done in the same way as a separate request.

A batch may contain operations whose body and answer are JSON; the answers are stored with the batch. It may not
contain the deletion of the account, or an operation that returns a secret, carries other changes, counts as several
requests, uses the network, or has to read stored files first.
"""

from collections.abc import Callable
from functools import cache

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.actions.overview.job_lists import Kinds
from prorata.actions.webhooks.webhooks import Receivers
from prorata.errors import InvalidRequest, Refusal, Unauthorized
from prorata.ports import Archive
from prorata.store.accounts import api_keys
from prorata.store.audit.audit import Caller
from prorata.store.bulk.batches import WriteRow
from prorata.store.database.engine import Tx
from prorata.web.http.decoding import read_body, read_query
from prorata.web.http.encoding import encode
from prorata.web.http.errors import as_refusal, error_body
from prorata.web.http.limits import MOST_PROBLEMS_OF_A_WRITE
from prorata.web.http.operation_runner import NoBody, NoQuery
from prorata.web.http.operations import JSON, OPERATIONS, Call, Operation, Tools
from prorata.web.http.routing import API, Router, routed
from prorata.web.http.scopes import refuse_without

_USES_NETWORK = "it uses the network"


def why_not(operation: Operation) -> str | None:
    """Return the reason, as a clause, why an operation can't be part of a batch.

    Return None if it can.

    >>> from prorata.web.api import OPERATIONS
    >>> sorted(f"{one.method} {one.path}" for one in OPERATIONS if one.writes and why_not(one) == _USES_NETWORK)
    ['PATCH /webhook-endpoints/{id}']
    """
    reasons = (
        (operation.takes != JSON or operation.media != JSON, "its body or its response is not JSON"),
        (operation.is_secret, "its response contains a secret that is shown only once"),
        (
            operation.method == "DELETE" and operation.path == "/account",
            "it would delete the batch together with the account",
        ),
        (operation.before is not None, _USES_NETWORK),
        (operation.looks_up is not None, "it first reads stored files, which may take a long time"),
        (operation.carries is not None, "it carries other changes, or counts as several requests"),
    )
    return next((reason for is_so, reason in reasons if is_so), None)


class Writes:
    """An executor of a batch's writes, which has the same tools as the API's operations."""

    def __init__(
        self,
        archive: Archive,
        receivers: Receivers,
        hasher: KeyHasher,
        mail_held: str | None,
        tools: Tools,
        job_kinds: Callable[[], Kinds],
    ) -> None:
        self._archive = archive
        self._hasher = hasher
        self._receivers = receivers
        self._mail_held = mail_held
        self._tools = tools
        self._job_kinds = job_kinds

    def perform(self, tx: Tx, key_id: str, write: WriteRow) -> tuple[int, str]:
        """Do one write of a batch, and return the status and body of its answer.

        The write is done with the permissions of the API key `key_id`. Raises `Unauthorized` if the key has been
        deleted or revoked or has expired, `InvalidRequest` if the write can't be part of a batch, and any error by
        which the operation itself refuses the write.
        """
        key = api_keys.find(tx, write.account_id, key_id)
        if key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= tx.now):
            raise Unauthorized("The API key that sent this batch has been revoked or has expired in the meantime.")
        is_path = write.path.startswith("/") and "?" not in write.path
        operation, held = _router().find(write.method, routed(write.path).removeprefix(API) if is_path else "")
        refuse_without(key.grant, operation)
        reason = why_not(operation)
        if reason is not None:
            raise InvalidRequest(f"This can't be part of a batch: {reason}. Send it as a separate request.")
        call = Call(
            tx, Caller(write.account_id, key_id), held, read_query([], operation.query or NoQuery),
            read_body((write.sent or "{}").encode(), operation.body or NoBody), self._archive, self._receivers,
            self._hasher, key.grant, self._mail_held, self._tools, job_kinds=self._job_kinds,
        )  # fmt: skip
        answer = operation.work(call)
        return operation.status, "" if answer is None else encode(answer).decode()

    @staticmethod
    def refused(failed: Exception) -> tuple[int, str]:
        """Return the status and error body for a write that failed with an exception.

        The body contains only the first problems, and the number of the others, because the results of up to 1,000
        writes are stored and read together.
        """
        return refused(as_refusal(failed))


def refused(refusal: Refusal) -> tuple[int, str]:
    """Return the status and error body for a refused write.

    The body contains only the first problems, and the number of the others, because the results of up to 1,000
    writes are stored and read together.
    """
    further = len(refusal.problems) - MOST_PROBLEMS_OF_A_WRITE
    if further > 0:
        refusal.problems = refusal.problems[:MOST_PROBLEMS_OF_A_WRITE]
        more = "is 1 more problem" if further == 1 else f"are {further} more problems"
        refusal.message += f" There {more}; send the write alone to see all of them."
    return refusal.status, error_body(refusal).decode()


@cache
def _router() -> Router[Operation]:
    return Router(OPERATIONS)
