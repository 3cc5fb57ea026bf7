"""With which provider an account lets its tenants pay online, and the address that the provider's messages come to."""

from typing import Final, NamedTuple

from prorata.actions import payment_links as link_actions
from prorata.domain.payment_links import SANDBOX, STRIPE
from prorata.domain.problems import Problem
from prorata.errors import Conflict, InvalidRequest
from prorata.ids import new_token
from prorata.ports import Vault
from prorata.store import audit, payment_links, payment_providers
from prorata.store.audit import Caller
from prorata.store.engine import Tx
from prorata.store.payment_providers import ProviderRow

UNREADABLE: Final = (
    "The key of the payment provider was stored under another PRORATA_SECRET_KEY. Enter it again under Settings, "
    "Online payments."
)
_CHARACTERS, _LENGTH = "0123456789abcdefghjkmnpqrstvwxyz", 40
_ENDS = 4
LONGEST_KEY = 255


class _Noted(NamedTuple):
    """What is written down of a provider: never a secret."""

    provider: str
    key_ends: str | None


def find(tx: Tx, caller: Caller) -> ProviderRow | None:
    """The provider of the account; None where nothing is paid online."""
    return payment_providers.find(tx, caller.account_id)


def use_stripe(tx: Tx, caller: Caller, key: str, secret: str, vault: Vault) -> ProviderRow:
    """Have tenants pay by Stripe: `key` is a secret or restricted key of the account there, `secret` what its webhook
    endpoint signs with; an empty one leaves the one that is there. Invoices that are sent from now on get a link.
    Raises `InvalidRequest` with every problem.
    """
    before = payment_providers.lock(tx, caller.account_id)
    was_stripe = before is not None and before.provider == STRIPE
    problems = [
        Problem(field, said)
        for field, text, starts, said in (
            ("key", key, ("sk_", "rk_"), "Write the secret key from Stripe's dashboard; it begins with sk_ or rk_."),
            ("secret", secret, ("whsec_",), "Write the signing secret of the webhook endpoint; it begins with whsec_."),
        )
        if not _is_key(text, starts) and (text or not was_stripe)
    ]
    if problems:
        raise InvalidRequest.because(problems)
    return _keep(
        tx,
        caller,
        before,
        STRIPE,
        sealed_key=vault.seal(key.encode(), _about(caller.account_id, "key")) if key else before and before.sealed_key,
        key_ends=key[-_ENDS:] if key else before and before.key_ends,
        sealed_secret=(
            vault.seal(secret.encode(), _about(caller.account_id, "secret"))
            if secret
            else before and before.sealed_secret
        ),
    )


def use_sandbox(tx: Tx, caller: Caller, *, is_on: bool) -> ProviderRow:
    """Have links lead to a page of ours that plays a provider, where no money moves; `is_on` says whether this server
    has it. Raises `Conflict`.
    """
    if not is_on:
        raise Conflict("Trial payments are switched off on this server (PRORATA_PAYMENTS).")
    before = payment_providers.lock(tx, caller.account_id)
    if before is not None and before.provider == STRIPE:
        raise Conflict("Tenants pay by Stripe at the moment. Stop that first.")
    return _keep(tx, caller, before, SANDBOX, sealed_key=None, key_ends=None, sealed_secret=None)


def _keep(
    tx: Tx, caller: Caller, before: ProviderRow | None, provider: str, *, sealed_key: str | None, key_ends: str | None,
    sealed_secret: str | None,
) -> ProviderRow:  # fmt: skip
    token = before.token if before else new_token(_CHARACTERS, _LENGTH)
    after = ProviderRow(caller.account_id, provider, sealed_key, key_ends, sealed_secret, token, tx.now)
    (payment_providers.save if before else payment_providers.add)(tx, after)
    if before is not None:
        link_actions.look_again(tx, caller.account_id)
    audit.record(tx, caller, "set payment provider", caller.account_id, before=_noted(before), after=_noted(after))
    return after


def stop(tx: Tx, caller: Caller) -> None:
    """Have nothing paid online from now on, and forget the key. No invoice shows a link any more; those that are open
    stay so at the provider, and what is paid by one all the same is to be entered by hand. Raises `Conflict` where
    there is no provider.
    """
    before = payment_providers.lock(tx, caller.account_id)
    if before is None:
        raise Conflict("Nothing is paid online.")
    payment_providers.remove(tx, caller.account_id)
    payment_links.forget_open(tx, caller.account_id)
    audit.record(tx, caller, "stop payment provider", caller.account_id, before=_noted(before))


def key_of(row: ProviderRow, vault: Vault) -> str | None:
    """What the provider is called with; None where it can't be read any more."""
    return "" if row.provider == SANDBOX else _opened(row.account_id, row.sealed_key, "key", vault)


def of_token(tx: Tx, token: str) -> ProviderRow | None:
    """Whose provider sends messages to the address with this token."""
    is_one = len(token) == _LENGTH and set(token) <= set(_CHARACTERS)
    return payment_providers.of_token(tx, token) if is_one else None


def secret_of(row: ProviderRow, vault: Vault) -> str | None:
    """What the provider's messages are signed with; None where it can't be read any more."""
    return _opened(row.account_id, row.sealed_secret, "secret", vault)


def _opened(account_id: str, sealed: str | None, what: str, vault: Vault) -> str | None:
    found = vault.open(sealed, _about(account_id, what)) if sealed else None
    return found.decode() if found is not None else None


def _about(account_id: str, what: str) -> str:
    return f"payment provider {what} of {account_id}"


def _is_key(text: str, starts: tuple[str, ...]) -> bool:
    return (
        text.startswith(starts)
        and len(text) <= LONGEST_KEY
        and text.isascii()
        and text.isprintable()
        and " " not in text
    )


def _noted(row: ProviderRow | None) -> _Noted | None:
    return _Noted(row.provider, row.key_ends) if row else None
