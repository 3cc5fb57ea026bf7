"""Opening an account for oneself, as PRORATA_SIGNUP allows: the first alone, with an invitation, or anybody."""

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
TOO_OLD = say("This invitation is too old, or its link is incomplete. Ask whoever runs this installation for another.")
CLOSED = say("Sign-up is closed here. Ask whoever runs this installation for an invitation.")
_OTHER_ADDRESS = say(
    "The invitation was made for another e-mail address. Enter that one, or ask for another invitation."
)


def is_open(tx: Tx, how: str, invite: Opening | None = None) -> bool:
    """Whether somebody may open an account now: what the page to do so asks before it is shown."""
    return how == OPEN or invite is not None or is_first(tx, how)


def refuse_closed(tx: Tx, how: str, invite: Opening | None, *, was_invited: bool) -> None:
    """Refuse whoever may not open an account now; `was_invited` by a link that is good for nothing by now, they are
    told so. Raises `Forbidden`.
    """
    if not is_open(tx, how, invite):
        raise Forbidden(TOO_OLD if was_invited else CLOSED)


def confirms_first(how: str, *, mail_leaves: bool) -> bool:
    """Whether the address of who opens an account must be confirmed before they get in.

    Where anybody may open an account, yes: so whoever signs up is told the same whether the address is known or not,
    and nobody gets into an account with the address of somebody else. Whoever opens the first account is in at once:
    there is nobody yet of whom anything could be found out, and they want to begin. So is who was invited by the
    operator, which confirms the address. Where no mail leaves the house nobody could confirm anything: there sign-up
    does tell whether an address is known, and nothing can be mailed to others either.
    """
    return how == OPEN and mail_leaves


def is_first(tx: Tx, how: str) -> bool:
    """Whether nobody has an account yet, and whoever comes first may open one."""
    return how in (FIRST, OPEN) and not accounts.is_any(tx)


def problems(
    *, name: str, account_name: str, email: str, password: str, timezone: str, locale: str, currency: str
) -> list[Problem]:
    """Everything that is wrong with what somebody entered, before the password is hashed."""
    own = [name_problem(name), name_problem(account_name, "account_name"), email_problem(email)]
    found = [*own, password_problem(password, email, name, account_name)]
    return [problem for problem in found if problem] + list(_of_settings(timezone, locale, currency))


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
    """Open an account with its owner, and have a message sent that confirms the address.

    None for an address that is a member's already: that gets a message instead. Whoever filled the form in is told the
    same in either case where `confirms_first`, which says why it is not so elsewhere. An invitation of the operator
    confirms the address; and where no mail leaves the house (`mail_leaves`), the first account's counts as confirmed:
    nobody could do it. Raises `Forbidden`, `InvalidRequest`.
    """
    if not (how == OPEN or invite is not None or (how == FIRST and not accounts.is_any_alone(tx))):
        raise Forbidden(CLOSED)
    address = address_key(email)
    found = [name_problem(name), name_problem(account_name, "account_name"), email_problem(email)]
    wrong = [problem for problem in found if problem] + list(_of_settings(timezone, locale, currency))
    if invite is not None and invite.email != address:
        wrong.append(Problem("email", _OTHER_ADDRESS))
    if wrong:
        raise InvalidRequest.because(wrong)
    known = stored_members.find_by_email(tx, address)
    if known is not None:
        own_profile.send_reset(tx, known)  # somebody wants to sign up who can sign in already
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
