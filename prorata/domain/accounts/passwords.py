"""Rules for new passwords, which must be long enough and hard to guess."""

import re

from prorata.domain.limits import LONGEST_PASSWORD, SHORTEST_PASSWORD
from prorata.domain.problems import Problem
from prorata.domain.texts import Count, say

_MOST_ADDED = 6
"""The maximum number of digits and signs that don't make a common word safe."""
_SHORTEST_UNIT, _LONGEST_UNIT = 1, 4
"""The minimum and maximum length of a text whose repetition is a weak password."""
_LETTERS = str.maketrans("0134578@$!", "oleastbasi")
"""The letters that signs and digits in passwords commonly stand for."""
_WORDS = """
abc abcabc abcd access account admin administrator alexander amanda america andrea andrew angel angels anthony apple
arsenal asdasd asdf asdfasdf asdfgh ashley august austin autumn babygirl bailey banana barcelona baseball basketball
batman beautiful benjamin berlin bonjour brandon buster butterfly changeit changeme charlie cheese chelsea chocolate
chris christian computer cookie cowboy creative dallas daniel december default diamond dolphin donald dragon
einstein elephant elizabeth everton family february ferrari flower football forever freedom friday friends gabriel
george ginger google guest guitar hallo hammer hannah happy harley heather hello helloworld hockey house hunter
iloveu iloveyou internet isabella jackson january jasmine jennifer jessica jordan joseph joshua juventus killer
landlord letmein letmeinnow lifehack liverpool login london love lovely loveme loveyou maggie mailbox manchester
march marina marlboro martin master matrix matthew melissa mercedes merlin metallica michael michelle microsoft
midnight minecraft mohamed monday money monkey monster morgan mustang mypassword nicholas nicole nintendo nothing
november october orange pass passwd password passwordpassword passwort patrick peanut pepper phoenix pokemon prince
princess prorata purple qazwsx qazwsxedc qwaszx qwer qwert qwerty qwertyqwerty qwertyui qwertz rachel rainbow ranger
rental robert rockyou root samantha samsung scooter secret secure security september service shadow silver slipknot
snoopy soccer sommer sonnenschein sophie spiderman spring starwars steven summer sunday sunflower sunshine superman
superstar swordfish system taylor tenant test testing testtest thomas thunder tigger tinkerbell trustno user vanessa
victoria webmaster welcome whatever william winter wizard yankees zaqwsx zxcvbn zxcvbnm
"""
_FIRST_WORDS = frozenset(_WORDS.split())
_ROWS = (
    "01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop[]", "qwertzuiopü", "azertyuiop", "asdfghjkl;'",
    "yxcvbnm,.", "zxcvbnm,./", "1qaz2wsx3edc4rfv5tgb6yhn", "q1w2e3r4t5y6u7i8o9p0", "1q2w3e4r5t6z7u8i9o0p",
    "1q2w3e4r5t6y7u8i9o0p", "a1b2c3d4e5f6g7h8i9", "!@#$%^&*()_+", "123qweasdzxc", "qweasdzxc123",
)  # fmt: skip
"""The sequences of neighboring keys, which are weak passwords forwards and backwards."""


def password_problem(password: str, email: str = "", *names: str, field: str = "password") -> Problem | None:
    """Return the problem with a new password; None if it is acceptable.

    The password must not be easy to guess. It must not match the `email` address, the part of it before the @, or
    any of the `names`, even if case, punctuation or a few added digits differ.

    >>> password_problem("short").message
    'Choose a password of 8 to 1,000 characters.'
    >>> password_problem("Ann@example.com", "ann@example.com").message
    'Choose a password other than your e-mail address, your name or the name of your business.'
    >>> password_problem("Elm-Homes", "ann@example.com", "Ann", "Elm Homes").message
    'Choose a password other than your e-mail address, your name or the name of your business.'
    >>> password_problem("P4ssw0rd!").message.partition(":")[0]
    'This password is easy to guess'
    >>> password_problem("correct horse", "ann@example.com")
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return Problem(
            field,
            say(
                "Choose a password of {least} to {most} characters.",
                least=SHORTEST_PASSWORD,
                most=Count(LONGEST_PASSWORD),
            ),
        )
    own = {_squeezed(text) for text in (email, email.partition("@")[0], *names)} - {""}
    if {_squeezed(password), _squeezed(_bare(password))} & own:
        return Problem(
            field, say("Choose a password other than your e-mail address, your name or the name of your business.")
        )
    if _is_tried_first(password.strip().lower()):
        return Problem(
            field,
            say(
                "This password is easy to guess: it is a common word, a row of keys or a repetition. Choose another, "
                "such as four unrelated words."
            ),
        )
    return None


def _squeezed(text: str) -> str:
    """Reduce text to its letters and digits, ignoring case."""
    return "".join(filter(str.isalnum, text.lower()))


def _bare(text: str) -> str:
    """Strip digits and punctuation from both ends of a text.

    If there are more than `_MOST_ADDED` of these characters, the text is returned unchanged.
    """
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)
    return bare if len(text) - len(bare) <= _MOST_ADDED else text


def _is_tried_first(text: str) -> bool:
    words = {text, _bare(text), _bare(text).translate(_LETTERS), _bare(text.translate(_LETTERS))}
    if words & _FIRST_WORDS or any(text in row or text in row[::-1] for row in _ROWS):
        return True
    units = (text[:length] for length in range(_SHORTEST_UNIT, _LONGEST_UNIT + 1))
    return any((unit * len(text))[: len(text)] == text for unit in units)
