"""What a password must be: long enough, and nothing that stands beside it in the form."""

from prorata.domain.problems import Problem

FEWEST_CHARACTERS = 8
MOST_CHARACTERS = 1_000


def password_problem(password: str, email: str = "", field: str = "password") -> Problem | None:
    """What is wrong with a new password.

    >>> password_problem("short").message
    'Choose a password of 8 to 1,000 characters.'
    >>> password_problem("Ann@example.com", "ann@example.com").message
    'Choose a password that is not your e-mail address.'
    >>> password_problem("correct horse", "ann@example.com")
    """
    if not FEWEST_CHARACTERS <= len(password) <= MOST_CHARACTERS:
        return Problem(field, f"Choose a password of {FEWEST_CHARACTERS} to {MOST_CHARACTERS:,} characters.")
    if password.strip().lower() == email.strip().lower():
        return Problem(field, "Choose a password that is not your e-mail address.")
    return None
