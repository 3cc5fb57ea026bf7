"""An account's logo and color: choosing and removing them, with audit log entries."""

from hashlib import sha256
from typing import NamedTuple

from prorata.actions.accounts import accounts as account_actions
from prorata.domain.accounts.letterheads import Letterhead, color_of, color_problem
from prorata.domain.audit.verbs import Verb
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.store.accounts import accounts, letterheads
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx


class _Noted(NamedTuple):
    """A letterhead as stored in the audit log, with only a fingerprint of the logo."""

    name: str
    logo: str | None
    color: str | None


def the_letterhead(tx: Tx, caller: Caller) -> Letterhead:
    """Return the letterhead of the caller's account: its logo and color."""
    return letterheads.of_account(tx, caller.account_id)


def choose_color(tx: Tx, caller: Caller, text: str) -> Letterhead:
    """Set the color of the account's mail and invoices; an empty color restores the default.

    Raises `InvalidRequest` for a color that can't be used.
    """
    color = color_of(text)
    if color is not None and (wrong := color_problem(color)):
        raise InvalidRequest.because([Problem("color", wrong)])
    return _change(tx, caller, color=color)


def choose_logo(tx: Tx, caller: Caller, logo: bytes | None) -> Letterhead:
    """Set the logo of the account's mail and invoices; None removes the logo.

    The calling code has checked and converted the logo with `ports.files.LogoReader`.
    """
    return _change(tx, caller, logo=logo)


def _change(tx: Tx, caller: Caller, **wanted: str | bytes | None) -> Letterhead:
    accounts.lock(tx, caller.account_id)
    name, before = account_actions.the_account(tx, caller).name, the_letterhead(tx, caller)
    after = Letterhead(**(before._asdict() | wanted))
    if after != before:
        letterheads.put(tx, caller.account_id, after)
        was, now = _noted(name, before), _noted(name, after)
        audit.record(tx, caller, Verb.CHANGE_SETTINGS, caller.account_id, before=was, after=now)
    return after


def _noted(name: str, chosen: Letterhead) -> _Noted:
    return _Noted(name, sha256(chosen.logo).hexdigest()[:16] if chosen.logo else None, chosen.color)
