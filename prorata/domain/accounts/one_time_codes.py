"""The codes of the second factor: those of an authenticator app (TOTP, RFC 6238), and recovery codes.

A code of an app is six digits, made of a secret that the app and we know, and of the time: a new one each 30 seconds.
One step before and after now are taken, as clocks differ; a step that was used is used up, and all before it.
"""

import hmac
from base64 import b32encode
from hashlib import sha1, sha256

DIGITS = 6
STEP_SECONDS = 30
STEPS_ASIDE = 1
SECRET_BYTES = 20
RECOVERY_CODES = 10
RECOVERY_BYTES = 10


def step_at(seconds: float) -> int:
    """The step of a moment, in seconds since 1970.

    >>> step_at(59), step_at(60)
    (1, 2)
    """
    return int(seconds) // STEP_SECONDS


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """The code of a step (RFC 4226 section 5.3, with HMAC-SHA-1, which every authenticator app has).

    >>> code_at(b"12345678901234567890", step_at(1234567890), digits=8)
    '89005924'
    """
    digest = hmac.new(secret, step.to_bytes(8, "big"), sha1).digest()
    at = digest[-1] & 0x0F
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: bytes, code: str, seconds: float, *, last_step: int | None) -> int | None:
    """The step whose code somebody entered, if it is one of now and behind `last_step`, the last that was used.

    >>> secret = b"12345678901234567890"
    >>> step_of(secret, "287 082", 59, last_step=None), step_of(secret, "287082", 59, last_step=1)
    (1, None)
    """
    entered = "".join(code.split())
    now = step_at(seconds)
    found = None
    for step in range(now - STEPS_ASIDE, now + STEPS_ASIDE + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), entered.encode()):
            found = step
    return found if found is not None and (last_step is None or found > last_step) else None


def written(secret: bytes) -> str:
    """A secret as a person types it into an app that can't read the picture: groups of four letters and digits.

    >>> written(b"12345678901234567890")
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = b32encode(secret).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def recovery_code(random_bytes: bytes) -> str:
    """A recovery code: 80 random bits as four groups of letters and digits.

    >>> recovery_code(b"0123456789")
    'gayt-emzu-gu3d-oobz'
    """
    assert len(random_bytes) == RECOVERY_BYTES, "80 bits"
    text = b32encode(random_bytes).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def recovery_hash(code: str) -> str:
    """What is stored of a recovery code. It holds 80 random bits: nobody finds it by trying.

    >>> recovery_hash("GAYT EMZU gu3d oobz") == recovery_hash("gayt-emzu-gu3d-oobz")
    True
    """
    plain = "".join(filter(str.isalnum, code)).lower()
    return sha256(plain.encode()).hexdigest()
