"""The check and hashing of new passwords, for all places where they are entered."""

from prorata.domain.accounts.passwords import password_problem
from prorata.errors import InvalidRequest
from prorata.ports import Passwords


def hash_of(password: str, passwords: Passwords, email: str, *names: str) -> str:
    """Hash a new password for the person with this address and these `names`.

    It is slow on purpose, so never call it with a transaction open. Raises `InvalidRequest` for a password that is
    too short or among the first that attackers try.
    """
    refuse(password, email, *names)
    return passwords.hash(password)


def refuse(password: str, email: str, *names: str) -> None:
    """Raise `InvalidRequest` for a password that isn't allowed, before it is slowly hashed."""
    if wrong := password_problem(password, email, *names):
        raise InvalidRequest.because([wrong])
