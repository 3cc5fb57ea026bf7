"""An account's payment provider, and the web address that receives the provider's messages."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from prorata.actions.jobs import retries as job_retries
from prorata.actions.limits import LONGEST_PROVIDER_KEY, MOST_FORMER_PROVIDER_SECRETS, MOST_OPEN_LINKS_NAMED
from prorata.actions.online_payments import payment_links as link_actions
from prorata.domain.audit.verbs import Verb
from prorata.domain.online_payments.payment_links import SANDBOX
from prorata.domain.online_payments.providers import BY_NAME, PROVIDERS, Entered, PaymentProvider
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.ids import new_token
from prorata.ports import Vault
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.store.online_payments import payment_links, providers as payment_providers
from prorata.store.online_payments.payment_links import FormerLink
from prorata.store.online_payments.providers import ProviderRow

UNREADABLE: Final = say(
    "The payment provider’s key was saved under another PRORATA_SECRET_KEY. Enter it again under Settings, Online "
    "payments."
)
_CHARACTERS, _LENGTH = "0123456789abcdefghjkmnpqrstvwxyz", 40
_ENDS = 4
FORGOTTEN_AT_ONCE = 1_000


class Secret(NamedTuple):
    """A secret with which a provider signs its messages.

    `until` is the time at which the secret was replaced; None for the current one.
    """

    text: str
    until: str | None = None


class _Noted(NamedTuple):
    """The audit note of a change of provider, without keys and secrets."""

    provider: str
    key_ends: str | None


def find(tx: Tx, caller: Caller) -> ProviderRow | None:
    """Find the account's provider; None if none was ever set up."""
    return payment_providers.find(tx, caller.account_id)


def give_address(tx: Tx, caller: Caller, provider: PaymentProvider) -> ProviderRow:
    """Give the account a permanent web address for the provider's messages.

    The provider asks for the address before it shows the secret that signs its messages. The address alone does not
    enable online payment.
    """
    before = payment_providers.lock(tx, caller.account_id)
    return before or _keep(tx, caller, None, _new(tx, caller, None, provider.name))


def use(tx: Tx, caller: Caller, provider: PaymentProvider, key: str, secret: str, vault: Vault) -> ProviderRow:
    """Let tenants pay through a provider.

    `key` is the account's key at the provider, and `secret` signs the provider's messages; an empty value keeps the
    current one. Invoices sent from now on get a link. Links made with another key are closed with that key and made
    again. Jobs that failed with another key are retried.

    Raises `InvalidRequest` with every problem by field, and `Conflict` if links from an earlier change of the key are
    still open, or if tenants pay through another provider.
    """
    before = _locked(tx, caller)
    if before is not None and before.provider not in (SANDBOX, provider.name):
        _refuse_beside(before)
    had_key = before is not None and before.sealed_key is not None
    problems = [
        Problem(field, entered.problem)
        for field, text, entered in (("key", key, provider.key), ("secret", secret, provider.secret))
        if not _is_key(text, entered) and (text or not had_key)
    ]
    if problems:
        raise InvalidRequest.because(problems)
    after = _new(tx, caller, before, provider.name)
    if key:
        after = _with_key(tx, after, key, vault)
    if secret:
        after = _with_secret(tx, after, secret, vault)
    if before is not None and after.key_ends is not None and after.sealed_key != before.sealed_key:
        with suppress(Conflict):  # none has failed, or they are being retried
            job_retries.begin(tx, caller, link_actions.LINK)
    played = link_actions.forget_open(tx, caller) if before and before.provider == SANDBOX else []
    kept = _keep(tx, caller, before, after)
    link_actions.look_at(tx, caller.account_id, played)  # the sandbox's links are closed by forgetting them
    return kept


def _locked(tx: Tx, caller: Caller) -> ProviderRow | None:
    """Lock the account's provider, and then the properties whose invoices may lose links."""
    row = payment_providers.lock(tx, caller.account_id)
    link_actions.lock_open(tx, caller.account_id)
    return row


def _with_key(tx: Tx, row: ProviderRow, key: str, vault: Vault) -> ProviderRow:
    """Replace the provider's key; the former key is kept while its links are open."""
    sealed = vault.seal(key.encode(), _about(row.account_id, "key"))
    after = row._replace(sealed_key=sealed, key_ends=key[-_ENDS:])
    if row.sealed_key is None:
        if row.former_key is None or _opened(row.account_id, row.former_key, "key", vault) != key:
            return after
        payment_links.set_former(tx, row.account_id, row.provider, is_former=False)  # stopped, then used again
        return after._replace(former_key=None, former_key_ends=None)
    if _opened(row.account_id, row.sealed_key, "key", vault) == key:
        return row
    return _with_former(tx, row)._replace(sealed_key=sealed, key_ends=key[-_ENDS:])


def _with_former(tx: Tx, row: ProviderRow) -> ProviderRow:
    """Make the current key the former one, kept while links made with it are open.

    An account keeps only one former key. If links made with that one are still open, `Conflict` is raised, unless the
    current key has no open links, for instance because it was mistyped; then the current key is deleted instead.
    """
    if row.former_key is not None and payment_links.former(tx, row.account_id, 1):
        if not payment_links.are_open_of_now(tx, row.account_id):
            return row._replace(sealed_key=None, key_ends=None)
        raise Conflict(
            say(
                "Links created with the previous key are still open at {label}. Wait until they are closed, or "
                "forget that key under Settings, Online payments; then try again.",
                label=BY_NAME[row.provider].label,
            )
        )
    without = row._replace(sealed_key=None, key_ends=None, former_key=None, former_key_ends=None)
    if not payment_links.set_former(tx, row.account_id, row.provider, is_former=True):
        return without
    return without._replace(former_key=row.sealed_key, former_key_ends=row.key_ends)


def _with_secret(tx: Tx, row: ProviderRow, secret: str, vault: Vault) -> ProviderRow:
    """Replace the secret that signs the provider's messages from now on."""

    def is_another(sealed: str | None) -> bool:
        return _opened(row.account_id, sealed, "secret", vault) != secret

    before = _without_secret(tx, row) if is_another(row.sealed_secret) else row
    others = [line for line in _lines(before) if is_another(line.text)]
    sealed = vault.seal(secret.encode(), _about(row.account_id, "secret"))
    return before._replace(sealed_secret=sealed, former_secrets=_written(others))


def _without_secret(tx: Tx, row: ProviderRow) -> ProviderRow:
    """Remove the provider's current secret.

    If links were ever made, the secret is kept as a former one with the time of its replacement, to verify messages
    about payments through these links.
    """
    without = row._replace(sealed_secret=None)
    if row.sealed_secret is None or not payment_links.were_noted(tx, row.account_id, row.provider):
        return without
    kept = [Secret(row.sealed_secret, tx.now), *_lines(row)][:MOST_FORMER_PROVIDER_SECRETS]
    return without._replace(former_secrets=_written(kept))


def use_sandbox(tx: Tx, caller: Caller, *, is_on: bool) -> ProviderRow:
    """Let tenants use the sandbox, a built-in page that imitates a payment provider.

    No money moves. `is_on` is set if this server offers the sandbox. Raises `Conflict` if it does not, or if the
    account uses another provider.
    """
    if not is_on:
        raise Conflict("Test payments are turned off on this server (PRORATA_PAYMENTS).")
    before = payment_providers.lock(tx, caller.account_id)
    if before is not None and before.provider != SANDBOX:
        _refuse_beside(before)
    return _keep(tx, caller, before, _new(tx, caller, before, SANDBOX))


def _refuse_beside(row: ProviderRow) -> None:
    """Raise `Conflict` if a real provider is in use, or still has links to close."""
    if row.takes_payments or row.is_stopping:
        raise Conflict(
            say(
                "Tenants currently pay through {label}. Turn off payments through it first.",
                label=BY_NAME[row.provider].label,
            )
        )


def _that_moves_money(tx: Tx, row: ProviderRow) -> str:
    """Return the name of the account's real provider, even while it uses the sandbox.

    That provider may still report payments by earlier links.
    """
    if row.provider != SANDBOX:
        return row.provider
    noted = (
        payment_provider.name
        for payment_provider in PROVIDERS
        if payment_links.were_noted(tx, row.account_id, payment_provider.name)
    )
    return next(noted, PROVIDERS[0].name)


def _new(tx: Tx, caller: Caller, before: ProviderRow | None, provider: str) -> ProviderRow:
    """Return the account's provider row with another provider's name, or a new row.

    A new row has no key.
    """
    if before is not None:
        return before._replace(provider=provider, former_secrets=_written(_lines(before)), updated_at=tx.now)
    return ProviderRow(caller.account_id, provider, None, None, None, new_token(_CHARACTERS, _LENGTH), tx.now)


def _keep(tx: Tx, caller: Caller, before: ProviderRow | None, after: ProviderRow) -> ProviderRow:
    (payment_providers.save if before else payment_providers.add)(tx, after)
    if before is not None:
        link_actions.look_again(tx, caller.account_id)
    audit.record(tx, caller, Verb.SET_PAYMENT_PROVIDER, caller.account_id, before=_noted(before), after=_noted(after))
    return after


def stop(tx: Tx, caller: Caller) -> None:
    """Stop online payment for the account.

    Invoices no longer show a link. Jobs close the open links at the provider; until then the key is kept, and
    payments through the links count. The secret that signs messages is kept longer, because payments may be refunded
    or charged back much later. Raises `Conflict` if online payment is not on.
    """
    before = _locked(tx, caller)
    if before is None or not before.takes_payments:
        raise Conflict(say("Online payments aren’t turned on."))
    if before.provider == SANDBOX:
        link_actions.forget_open(tx, caller)
        _save_or_remove(tx, before._replace(provider=_that_moves_money(tx, before), updated_at=tx.now))
    else:
        after = _without_secret(tx, _with_former(tx, before))._replace(updated_at=tx.now)
        link_actions.hide_open(tx, caller)
        _save_or_remove(tx, after)
        link_actions.look_again(tx, caller.account_id)
    audit.record(tx, caller, Verb.STOP_PAYMENT_PROVIDER, caller.account_id, before=_noted(before))


def stop_played(tx: Tx) -> int:
    """Stop the sandbox for all accounts, because this server no longer offers it.

    The sandbox's links then lead nowhere. Return the number of accounts that used it.
    """
    accounts = payment_providers.played(tx)
    for account_id in accounts:
        stop(tx, Caller(account_id, "clock"))
    return len(accounts)


def _save_or_remove(tx: Tx, row: ProviderRow) -> None:
    if row.takes_payments or row.former_key or row.former_secrets:
        payment_providers.save(tx, row)
    else:
        payment_providers.remove(tx, row.account_id)


def still_open(tx: Tx, caller: Caller) -> list[FormerLink]:
    """List open links made with the former key, at most `MOST_OPEN_LINKS_NAMED`."""
    return payment_links.former(tx, caller.account_id, MOST_OPEN_LINKS_NAMED)


def try_again(tx: Tx, caller: Caller) -> None:
    """Queue an immediate check of all invoices with open links."""
    link_actions.look_again(tx, caller.account_id)


def forget_former_key(tx: Tx, caller: Caller) -> None:
    """Delete the former key although some of its links are still open at the provider.

    Former secrets are deleted too, so the provider's messages about such links' payments, refunds and chargebacks are
    no longer accepted. Raises `Conflict` if there is neither a former key nor a former secret.
    """
    before = _locked(tx, caller)
    if before is None or (before.former_key is None and before.former_secrets is None):
        raise Conflict(say("There is no key to forget."))
    while links := payment_links.former(tx, caller.account_id, FORGOTTEN_AT_ONCE):
        link_actions.forget_former(tx, caller, links)
        if before.sealed_key is not None:  # their invoices get new links
            link_actions.look_at(tx, caller.account_id, sorted({link.invoice_id for link in links}))
    _save_or_remove(tx, _without_former(tx, before)._replace(former_secrets=None))
    audit.record(
        tx,
        caller,
        Verb.FORGET_PAYMENT_KEY,
        caller.account_id,
        before=_Noted(_that_moves_money(tx, before), before.former_key_ends),
    )


def settle_former_key(tx: Tx, account_id: str) -> None:
    """Delete the former key if every link made with it is closed."""
    row = payment_providers.find(tx, account_id)
    if row is None or row.former_key is None:
        return
    row = payment_providers.lock(tx, account_id)
    if row is not None and row.former_key is not None and not payment_links.former(tx, account_id, 1):
        _save_or_remove(tx, _without_former(tx, row))


def _without_former(tx: Tx, row: ProviderRow) -> ProviderRow:
    return row._replace(former_key=None, former_key_ends=None, updated_at=tx.now)


def _lines(row: ProviderRow) -> list[Secret]:
    """Parse the stored former secrets, each with the time of its replacement.

    A secret stored without a time was replaced no later than the row's latest change, so that time is used.
    """
    lines = row.former_secrets.split("\n") if row.former_secrets else []
    parts = [line.partition(" ") for line in lines]
    return [Secret(sealed, until or row.updated_at) for sealed, _, until in parts]


def _written(secrets: Sequence[Secret]) -> str | None:
    """Encode former secrets for storage: one on each line, with the time of its replacement."""
    return "\n".join(f"{sealed} {until}" for sealed, until in secrets) or None


def key_of(row: ProviderRow, vault: Vault) -> str | None:
    """Decrypt the provider's key; None if it can no longer be decrypted."""
    return "" if row.provider == SANDBOX else _opened(row.account_id, row.sealed_key, "key", vault)


def former_key_of(row: ProviderRow, vault: Vault) -> str | None:
    """Decrypt the provider's former key; None if there is none or it can't be decrypted."""
    return _opened(row.account_id, row.former_key, "key", vault)


def of_token(tx: Tx, token: str) -> ProviderRow | None:
    """Find the account's provider by the token in the web address for its messages."""
    is_one = len(token) == _LENGTH and set(token) <= set(_CHARACTERS)
    return payment_providers.of_token(tx, token) if is_one else None


def secrets_of(row: ProviderRow, vault: Vault) -> list[Secret]:
    """List the decrypted secrets that may sign a provider's messages, each once.

    They are the current secret, and former ones for payments through earlier links. Secrets that can't be decrypted
    are left out.
    """
    kept = [*([Secret(row.sealed_secret)] if row.sealed_secret else []), *_lines(row)]
    secrets: dict[str, Secret] = {}
    for secret in kept:
        text = _opened(row.account_id, secret.text, "secret", vault)
        if text is not None:
            secrets.setdefault(text, Secret(text, secret.until))
    return list(secrets.values())


def _opened(account_id: str, sealed: str | None, what: str, vault: Vault) -> str | None:
    opened = vault.open(sealed, _about(account_id, what)) if sealed else None
    return opened.decode() if opened is not None else None


def _about(account_id: str, what: str) -> str:
    return f"payment provider {what} of {account_id}"


def _is_key(text: str, entered: Entered) -> bool:
    return (
        text.startswith(entered.begins)
        and len(text) <= LONGEST_PROVIDER_KEY
        and text.isascii()
        and text.isprintable()
        and " " not in text
    )


def _noted(row: ProviderRow | None) -> _Noted | None:
    return _Noted(row.provider, row.key_ends) if row else None
