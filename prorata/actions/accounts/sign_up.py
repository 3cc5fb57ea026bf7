"""Opening an account as PRORATA_SIGNUP allows: only the first account, by invitation, or anybody."""

from collections.abc import Iterator, Sequence

from prorata.actions.accounts import accounts as account_actions, own_profile
from prorata.actions.accounts.one_time_links import Opening
from prorata.actions.jobs.recurring import Recurring
from prorata.domain.accounts.passwords import password_problem
from prorata.domain.accounts.settings import FIRST_MAIL_HOLD, settings_problems
from prorata.domain.callers import address_key, email_problem, name_problem
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, Forbidden, InvalidRequest
from prorata.store.accounts import accounts, members as stored_members
from prorata.store.accounts.members import MemberRow
from prorata.store.database.engine import Tx

FIRST, INVITED, OPEN = "first", "invite", "open"
TOO_OLD = say(
    "This invitation has expired, or its link is incomplete. Ask whoever runs this installation for a new one."
)
CLOSED = say("Sign-up is closed here. Ask whoever runs this installation for an invitation.")
_OTHER_ADDRESS = say(
    "This invitation is for a different e-mail address. Enter that address, or ask for a new invitation."
)


def is_open(tx: Tx, how: str, invite: Opening | None = None) -> bool:
    """True if a person may open an account now, which the sign-up page checks first."""
    return how == OPEN or invite is not None or is_first(tx, how)


def refuse_closed(tx: Tx, how: str, invite: Opening | None, *, was_invited: bool) -> None:
    """Raise `Forbidden` if the person may not open an account now.

    If the person was invited by a link that is no longer valid (`was_invited`), the message states this.
    """
    if not is_open(tx, how, invite):
        raise Forbidden(TOO_OLD if was_invited else CLOSED)


def confirms_first(how: str, *, mail_leaves: bool) -> bool:
    """True if a new account's address must be confirmed before the first sign-in.

    It must if anybody may open an account (`how` is `OPEN`) and the installation sends e-mail (`mail_leaves`). The
    sign-up page then shows the same message whether or not the address is known, and nobody gets into an account
    with somebody else's address. Otherwise, the person is signed in at once. If only the first account may be
    opened, there is no other account whose address the message could reveal. An operator's invitation was sent to
    the address and so confirms it. If the installation sends no e-mail, nobody could confirm an address; the
    sign-up page then reveals whether an address is known, but nothing can be e-mailed to other people either.
    """
    return how == OPEN and mail_leaves


def is_first(tx: Tx, how: str) -> bool:
    """True if the installation's first account may be opened, because none was ever opened.

    After the last account was deleted, the installation stays closed until its operator invites somebody.
    """
    return how in (FIRST, OPEN) and not accounts.was_any(tx)


def problems(
    *, name: str, account_name: str, email: str, password: str, timezone: str, locale: str, currency: str
) -> list[Problem]:
    """List every problem with a sign-up form, before the password is hashed."""
    own = [name_problem(name), name_problem(account_name, "account_name"), email_problem(email)]
    checks = [*own, password_problem(password, email, name, account_name)]
    return [problem for problem in checks if problem] + list(_of_settings(timezone, locale, currency))


def _of_settings(timezone: str, locale: str, currency: str) -> Iterator[Problem]:
    return settings_problems({"timezone": timezone, "locale": locale, "currency": currency})


def open(  # noqa: A001 - the verb of the page; a form has so many fields
    tx: Tx,
    *,
    recurs: Sequence[Recurring],
    how: str,
    name: str,
    account_name: str,
    email: str,
    password_hash: str,
    timezone: str,
    locale: str,
    currency: str,
    invite: Opening | None = None,
    mail_leaves: bool = True,
) -> MemberRow | None:
    """Open an account with its owner, and e-mail the owner a confirmation link.

    Return None if the address already belongs to a member, who gets a message instead. If `confirms_first` is
    true, the person sees the same page in both cases. `how` states who may open accounts: `FIRST`, `INVITED` or
    `OPEN`. An operator's invitation (`invite`) confirms the address. If the installation sends no e-mail
    (`mail_leaves` is false), the first account's address counts as confirmed, because nobody could confirm it.
    Raises `Forbidden` if the person may not open an account, and `InvalidRequest` with every problem by field.
    """
    if not (how == OPEN or invite is not None or (how == FIRST and not accounts.was_any_alone(tx))):
        raise Forbidden(CLOSED)
    address = address_key(email)
    checks = [name_problem(name), name_problem(account_name, "account_name"), email_problem(email)]
    wrong = [problem for problem in checks if problem] + list(_of_settings(timezone, locale, currency))
    if invite is not None and invite.email != address:
        wrong.append(Problem("email", _OTHER_ADDRESS))
    if wrong:
        raise InvalidRequest.because(wrong)
    known = stored_members.find_by_email(tx, address)
    if known is not None:
        own_profile.send_reset(tx, known)  # they want to sign up, but can sign in already
        return None
    verified = invite is not None or (how == FIRST and not mail_leaves)
    try:
        with tx.savepoint():
            row = account_actions.open_account(
                tx,
                recurs=recurs,
                name=account_name.strip(),
                email=email.strip(),
                password_hash=password_hash,
                timezone=timezone,
                locale=locale,
                currency=currency,
                owner_name=name.strip(),
                is_vouched_for=verified,
                mail_hold=FIRST_MAIL_HOLD,
            )
    except Conflict:  # the same address, at the same moment
        return None
    owner = stored_members.all_of(tx, row.id)[0]
    if not verified:
        own_profile.send_verification(tx, owner)
    return owner
