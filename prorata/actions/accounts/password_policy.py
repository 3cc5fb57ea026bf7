"""A new password, looked at and hashed: the one way to what is stored of it, for every door that it comes in by."""

from prorata.domain.accounts.passwords import password_problem
from prorata.errors import InvalidRequest
from prorata.ports import Passwords


def hash_of(password: str, passwords: Passwords, email: str, *names: str) -> str:
    """What is stored of a new password of whoever has this address and is known, or their business is, by `names`.
    Takes long on purpose: never with a transaction open. Raises `InvalidRequest` for one that is too short, or among
    the first that are tried.
    """
    refuse(password, email, *names)
    return passwords.hash(password)


def refuse(password: str, email: str, *names: str) -> None:
    """Refuse a new password that may not be, before anything that takes long. Raises `InvalidRequest`."""
    if wrong := password_problem(password, email, *names):
        raise InvalidRequest.because([wrong])
