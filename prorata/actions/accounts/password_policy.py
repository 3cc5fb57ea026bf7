"""The check and hashing of new passwords, used wherever a password can be set."""

from prorata.domain.accounts.passwords import password_problem
from prorata.errors import InvalidRequest
from prorata.ports import Passwords


def hash_of(password: str, passwords: Passwords, email: str, *names: str) -> str:
    """Hash a new password for the person with this e-mail address and these `names`.

    Hashing is slow on purpose, so never call this function while a transaction is open. Raises `InvalidRequest` for a
    password that is too short, that attackers try early, or that can be guessed from the address or the names.
    """
    refuse(password, email, *names)
    return passwords.hash(password)


def refuse(password: str, email: str, *names: str) -> None:
    """Raise `InvalidRequest` for a password that isn't allowed, before it is slowly hashed."""
    if wrong := password_problem(password, email, *names):
        raise InvalidRequest.because([wrong])
