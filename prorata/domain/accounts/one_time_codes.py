"""The codes of the second factor: authenticator app codes (TOTP, RFC 6238) and recovery codes.

An app code has six digits and is computed from the time and a secret shared with the app. Time is divided into
steps of 30 seconds, each with its own code. Because clocks differ, the codes of the current step, the step before
it and the step after it are accepted. Once a code is used, this code and all earlier codes are invalid.
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
    """Return the number of the 30-second step that contains a time.

    The time is given in seconds since 1970.

    >>> step_at(59), step_at(60)
    (1, 2)
    """
    return int(seconds) // STEP_SECONDS


def code_at(secret: bytes, step: int, digits: int = DIGITS) -> str:
    """Compute the app code of a time step (RFC 4226, section 5.3).

    The code is computed with HMAC-SHA-1, which every authenticator app supports.

    >>> code_at(b"12345678901234567890", step_at(1234567890), digits=8)
    '89005924'
    """
    digest = hmac.new(secret, step.to_bytes(8, "big"), sha1).digest()
    at = digest[-1] & 0x0F
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: bytes, code: str, seconds: float, *, last_step: int | None) -> int | None:
    """Find the time step of an entered app code; None if the code is invalid.

    `seconds` is the current time in seconds since 1970. `last_step` is the step of the last code that was used; the
    codes of this step and of earlier steps are invalid. Spaces in the code are ignored.

    >>> secret = b"12345678901234567890"
    >>> step_of(secret, "287 082", 59, last_step=None), step_of(secret, "287082", 59, last_step=1)
    (1, None)
    """
    entered = "".join(code.split())
    now = step_at(seconds)
    matching_step = None
    for step in range(now - STEPS_ASIDE, now + STEPS_ASIDE + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), entered.encode()):
            matching_step = step
    return matching_step if matching_step is not None and (last_step is None or matching_step > last_step) else None


def written(secret: bytes) -> str:
    """Format a secret for typing into an app, in groups of four characters.

    >>> written(b"12345678901234567890")
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = b32encode(secret).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def recovery_code(random_bytes: bytes) -> str:
    """Format 80 random bits as a recovery code: four groups of letters and digits.

    >>> recovery_code(b"0123456789")
    'gayt-emzu-gu3d-oobz'
    """
    assert len(random_bytes) == RECOVERY_BYTES, "80 bits"
    text = b32encode(random_bytes).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def recovery_hash(code: str) -> str:
    """Hash a recovery code for storage.

    Only the code's letters and digits are hashed, in lower case. A salt is not needed, because a code is 80 random
    bits.

    >>> recovery_hash("GAYT EMZU gu3d oobz") == recovery_hash("gayt-emzu-gu3d-oobz")
    True
    """
    plain = "".join(filter(str.isalnum, code)).lower()
    return sha256(plain.encode()).hexdigest()
