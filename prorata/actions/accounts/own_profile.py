"""Members' own settings: name, password, language, address confirmation, and password reset."""

from typing import Literal, NamedTuple

from prorata.actions.accounts import one_time_links, sessions as session_actions
from prorata.actions.accounts.members import shown
from prorata.actions.mail import account_mail, allowances as mail_allowances
from prorata.domain.accounts.account_mail import Notice
from prorata.domain.accounts.one_time_links import CONFIRMED, LINK_KINDS, RESET, VERIFY
from prorata.domain.accounts.settings import LOCALES
from prorata.domain.audit.verbs import Verb
from prorata.domain.callers import Person, address_key, email_problem, name_problem
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import Conflict, InvalidRequest
from prorata.store.accounts import accounts, members, one_time_links as stored_links, sessions
from prorata.store.accounts.accounts import AccountRow
from prorata.store.accounts.members import MemberRow
from prorata.store.accounts.one_time_links import LinkRow
from prorata.store.accounts.sessions import SessionRow
from prorata.store.audit import audit
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx

Sent = Literal["sent", "confirmed", "enough"]
"""The result of requesting a confirmation message: sent, nothing to confirm, or enough sent before.

In the last case, so many were sent lately that one of them must have arrived.
"""
CHANGED = say("The password has been changed in the meantime. Sign in with the new one and try again.")
NO_MEMBER = say("You are no longer a member of this account. Sign in again.")


def member_of(tx: Tx, person: Person) -> MemberRow:
    """Return the signed-in member's row.

    Raises `Conflict` if the member has been removed meanwhile.
    """
    row = members.find(tx, person.account_id, person.member_id)
    if row is None:
        raise Conflict(NO_MEMBER)
    return row


def sure_member_of(tx: Tx, person: Person, seen_hash: str) -> MemberRow:
    """Return the signed-in member's row, if the password is still the one just entered.

    `seen_hash` is the hash that the entered password matched. Raises `Conflict` if the password was changed since
    then.
    """
    row = member_of(tx, person)
    if row.password_hash != seen_hash:
        raise Conflict(CHANGED)
    return row


class OwnAccess(NamedTuple):
    """A member's sign-in settings and sessions.

    `lost` is the reason why the message with the confirmation link was not delivered; None if there is no such
    message.
    """

    name: str
    locale: str
    email: str
    is_verified: bool
    has_second_factor: bool
    recovery_codes_left: int
    sessions: list[SessionRow]
    lost: str | None


def of_person(tx: Tx, person: Person) -> OwnAccess:
    """Load the member's sign-in settings and sessions, the most recently used browser first."""
    row = member_of(tx, person)
    left = members.recovery_codes_left(tx, row.account_id, row.id) if row.has_second_factor else 0
    listed = session_actions.listed(tx, person)
    waiting = [] if row.verified_at else stored_links.waiting_for(tx, row.account_id, VERIFY, row.email)
    lost = account_mail.lost(tx, row.account_id, [link.id for link in waiting[-1:]])
    failure = next(iter(lost.values()), None)
    verified, second = row.verified_at is not None, row.has_second_factor
    return OwnAccess(row.name, row.locale, row.email, verified, second, left, listed, failure)


def rename(tx: Tx, person: Person, name: str) -> None:
    """Change the signed-in member's own name.

    Raises `InvalidRequest` for an invalid name.
    """
    if wrong := name_problem(name):
        raise InvalidRequest.because([wrong])
    row = member_of(tx, person)
    after = row._replace(name=name.strip())
    if after != row:
        members.rename(tx, row.account_id, row.id, after.name)
        audit.record(tx, person.caller, Verb.CHANGE_MEMBER, row.id, before=shown(row), after=shown(after))


def choose_locale(tx: Tx, person: Person, locale: str) -> None:
    """Set the language and formats of the pages that a member sees.

    `locale` is one of `LOCALES`; if it is empty, the account's locale applies. Raises `InvalidRequest` for any
    other value.
    """
    if locale and locale not in dict(LOCALES):
        raise InvalidRequest.because([Problem("locale", say("Choose a language from the list."))])
    members.set_locale(tx, person.account_id, person.member_id, locale)


def locale_of(tx: Tx, person: Person) -> str:
    """Return the locale in which a member sees the pages."""
    row = member_of(tx, person)
    return row.locale or _account_of(tx, row).locale


def change_password(tx: Tx, person: Person, *, seen_hash: str, password_hash: str, token_hash: str) -> None:
    """Change the member's password, sign out other browsers, and renew this session's token.

    `seen_hash` is the hash of the current password, which the calling code has verified. Raises `Conflict` if the
    password was changed meanwhile.
    """
    row = member_of(tx, person)
    if not members.replace_password(tx, row.account_id, row.id, seen_hash=seen_hash, password_hash=password_hash):
        raise Conflict(CHANGED)
    sessions.end_others(tx, row.account_id, row.id, person.session_id)
    sessions.renew(tx, row.account_id, row.id, person.session_id, token_hash)
    one_time_links.drop_for(tx, row.account_id, row.email, RESET)
    account_mail.tell(tx, row, Notice.PASSWORD)
    audit.record(tx, person.caller, Verb.CHANGE_PASSWORD, row.id)


def correct_email(tx: Tx, person: Person, email: str, *, seen_hash: str) -> Sent:
    """Correct a member's unconfirmed e-mail address, and send a confirmation link to the new address.

    If the member also has a confirmed address, that one stays in use until the new one is confirmed (`verify`). If
    the corrected address was the one shown to tenants for questions, the new address replaces it there. Raises
    `InvalidRequest` if the new address is invalid or already used for signing in, and `Conflict` if the password
    was changed meanwhile.
    """
    if wrong := email_problem(email, "new_email"):
        raise InvalidRequest.because([wrong])
    accounts.lock(tx, person.account_id)
    row, address = sure_member_of(tx, person, seen_hash), address_key(email)
    if members.find_by_email(tx, address) is not None:
        raise InvalidRequest.because(
            [Problem("new_email", say("This address is already used to sign in. Enter a different one."))]
        )
    if row.verified_at is not None or not members.set_email(tx, row.account_id, row.id, address):
        return _ask_at(tx, row, address)  # confirmed, perhaps at this moment
    return send_verification(tx, _signs_in_with(tx, row, email.strip(), person.caller))


def _ask_at(tx: Tx, row: MemberRow, address: str) -> Sent:
    """Send a confirmation link to a member's present or future address.

    No link is sent if several were sent to the address recently.
    """
    if one_time_links.are_enough(tx, row.account_id, VERIFY, address):
        return "enough"
    one_time_links.send(
        tx, one_time_links.make(tx, row.account_id, VERIFY, email=address, member_id=row.id, created_by=row.id)
    )
    return "sent"


def set_email(tx: Tx, caller: Caller, row: MemberRow, email: str) -> MemberRow:
    """Change the address of a member without access to their mailbox, for the operator.

    No confirmation link is sent to the new address; a notice is sent to the old one. Raises `InvalidRequest` for
    an invalid address, and `Conflict` if the new address is already used for signing in.
    """
    if wrong := email_problem(email, "email"):
        raise InvalidRequest.because([wrong])
    if address_key(email) == row.email:
        return row
    return _moved(
        tx, row, email.strip(), caller,
        taken=say("Someone already signs in with this address, in this account or another. Use a different address."),
        changed=say("The address has been changed in the meantime. Check `prorata member list`, then try again."),
    )  # fmt: skip


def _moved(tx: Tx, row: MemberRow, email: str, caller: Caller, *, taken: str, changed: str) -> MemberRow:
    """Change the address with which a member signs in, and notify the old address.

    Raises `Conflict` with the message `taken` if the new address is already used for signing in, or with the
    message `changed` if the old address has changed meanwhile.
    """
    address = address_key(email)
    accounts.lock(tx, row.account_id)
    if members.find_by_email(tx, address) is not None:
        raise Conflict(taken)
    if not members.change_email(tx, row.account_id, row.id, seen_email=row.email, email=address):
        raise Conflict(changed)
    account_mail.tell(tx, row, Notice.ADDRESS)
    return _signs_in_with(tx, row, email, caller)


def _signs_in_with(tx: Tx, row: MemberRow, email: str, caller: Caller) -> MemberRow:
    """Return a member's row with a new address, and void links to the old address.

    If the old address was the account's contact, the new one becomes the contact. The calling function stores the
    row. `caller` is the person who makes the change.
    """
    one_time_links.drop_for(tx, row.account_id, row.email, *LINK_KINDS)
    account = accounts.find(tx, row.account_id)
    if account is not None and address_key(account.contact) == row.email:
        told = account._replace(contact=email, updated_at=tx.now)
        accounts.save_settings(tx, told)
        audit.record(tx, caller, Verb.CHANGE_SETTINGS, account.id, before=account, after=told)
    after = row._replace(email=address_key(email))
    audit.record(tx, caller, Verb.CHANGE_MEMBER, row.id, before=shown(row), after=shown(after))
    return after


def request_reset(tx: Tx, email: str) -> None:
    """Send a password reset link if this address belongs to a member.

    The response is the same in both cases, so that it never reveals whether the address belongs to a member.
    """
    row = members.find_by_email(tx, address_key(email))
    if row is not None:
        send_reset(tx, row)


def send_reset(tx: Tx, row: MemberRow) -> None:
    """Send a member a password reset link, unless several were sent recently."""
    if not one_time_links.are_enough(tx, row.account_id, RESET, row.email):
        made = reset_link(tx, row, created_by=row.id)
        one_time_links.send(tx, made, to_name=row.name if row.verified_at and row.name else None)


def reset_link(tx: Tx, row: MemberRow, *, created_by: str) -> LinkRow:
    """Create a password reset link for a member, to be e-mailed or handed over."""
    return one_time_links.make(tx, row.account_id, RESET, email=row.email, member_id=row.id, created_by=created_by)


def reset(tx: Tx, link_id: str | None, *, password_hash: str) -> MemberRow:
    """Set a new password by reset link, sign out all browsers and confirm the address.

    Raises `Conflict` if the link can't be used.
    """
    link, row = linked(tx, RESET, link_id)
    one_time_links.use(tx, link)
    members.set_password(tx, row.account_id, row.id, password_hash)
    _is_theirs(tx, row)
    sessions.end_others(tx, row.account_id, row.id)
    one_time_links.drop_for(tx, row.account_id, row.email, RESET, VERIFY)
    audit.record(tx, Caller(row.account_id, row.id), Verb.RESET_PASSWORD, row.id)
    after = row._replace(password_hash=password_hash, verified_at=row.verified_at or tx.now)
    account_mail.tell(tx, after, Notice.PASSWORD)
    return after


def send_verification(tx: Tx, row: MemberRow) -> Sent:
    """Send a member a link that confirms the e-mail address.

    No link is sent if the address is already confirmed, or if several links were sent to it recently.
    """
    if row.verified_at is not None:
        return "confirmed"
    return _ask_at(tx, row, row.email)


def to_verify(tx: Tx, link_id: str | None) -> tuple[MemberRow, str]:
    """Return a confirmation link's member, with the address to confirm, and the account's name.

    The page shows both before the person confirms the address. Raises `Conflict` if the link can't be used.
    """
    link, row = linked(tx, VERIFY, link_id)
    return row._replace(email=link.email), account_name(tx, row)


def account_name(tx: Tx, row: MemberRow) -> str:
    """Return the name of a member's account."""
    return _account_of(tx, row).name


def _account_of(tx: Tx, row: MemberRow) -> AccountRow:
    account = accounts.find(tx, row.account_id)
    assert account is not None, "a member goes with their account"
    return account


def verify(tx: Tx, link_id: str | None, *, seen_hash: str) -> MemberRow:
    """Confirm an e-mail address with the link sent to it and the member's password.

    The calling code has checked the password against the hash `seen_hash`, now or when the member signed in. The
    password is needed because somebody may open an account with another person's address: a click by that person
    must not be enough to confirm the address. If the address is not yet the sign-in address, it becomes the
    sign-in address, and the old one is notified. Raises `Conflict` if the link can't be used.
    """
    link, row = linked(tx, VERIFY, link_id)
    if row.password_hash != seen_hash:
        raise Conflict(CHANGED)
    one_time_links.use(tx, link)
    if link.email != row.email:
        return _moved(
            tx, row, link.email, Caller(row.account_id, row.id),
            taken=say("Someone now signs in with this address. Request a link for a different one."),
            changed=say("Your address has been changed in the meantime. Request a new link under Settings, Your "
                        "sign-in."),
        )  # fmt: skip
    _is_theirs(tx, row)
    audit.record(tx, Caller(row.account_id, row.id), Verb.CONFIRM_ADDRESS, row.id)
    return row._replace(verified_at=row.verified_at or tx.now)


def disown(tx: Tx, link_id: str | None) -> None:
    """Void an address's confirmation links, because its true owner did not open the account.

    The owner of the address says so on the page of one of these links. No link that was sent to the address can
    confirm the address afterwards. Raises `Conflict` if the link can't be used.
    """
    link, row = linked(tx, VERIFY, link_id)
    one_time_links.use(tx, link)
    for other in stored_links.waiting_for(tx, row.account_id, VERIFY, link.email):
        one_time_links.use(tx, other)


def _is_theirs(tx: Tx, row: MemberRow) -> None:
    """Store that a member has confirmed their address, and start a new account's mail quota."""
    if members.verify(tx, row.account_id, row.id):
        mail_allowances.begin(tx, row.account_id)


def linked(tx: Tx, kind: str, link_id: str | None) -> tuple[LinkRow, MemberRow]:
    """Find a valid one-time link by id, and the member to whom it was sent.

    Raises `Conflict` if the link is not valid, or if it would confirm an address that is already confirmed. The
    error states which of the two is the case.
    """
    if kind == VERIFY and link_id:
        _refuse_confirmed(tx, link_id)
    link = one_time_links.find(tx, kind, link_id)
    row = members.find(tx, link.account_id, link.member_id) if link.member_id else None
    if row is None:
        raise Conflict(say("This link belongs to someone who is no longer a member."))
    return link, row


def _refuse_confirmed(tx: Tx, link_id: str) -> None:
    """Raise `Conflict` if a link would confirm an address that is already confirmed."""
    made = stored_links.find_made(tx, VERIFY, link_id)
    row = members.find(tx, made.account_id, made.member_id) if made and made.member_id else None
    if made and row and row.verified_at and row.email == made.email:
        raise Conflict(CONFIRMED.format(email=row.email))
