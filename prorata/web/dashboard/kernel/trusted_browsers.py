"""Trusted browsers: those in which a member has signed in before, as a cookie proves.

Attempts to sign in as a member are counted separately for the member's trusted browsers and for all others, so
that somebody who tries passwords in another browser can't lock the member out (the device cookies of OWASP). An
entry of the cookie is `nonce.day.signature`. The entry names nobody: the member is found only by checking the
signature for a given member. It does not grant access.
"""

import hmac
import re
from datetime import date, timedelta
from secrets import token_urlsafe
from typing import NamedTuple

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.web.http.limits import LONGEST_TRUSTED_COOKIE, MOST_TRUSTED_PEOPLE

LASTS = timedelta(days=365)
SECONDS = int(LASTS.total_seconds())
_BYTES_OF_A_NONCE = 12
_ENTRY = re.compile(r"([0-9A-Za-z_-]{1,40})\.([0-9]{1,7})\.([0-9a-f]{64})")


class Known(NamedTuple):
    """The cookie that proves which members have signed in with a browser.

    It is valid for one `host`; `today` decides which of its entries have expired.
    """

    cookie: str
    host: str
    today: date
    hasher: KeyHasher

    def nonce_of(self, member_id: str) -> str | None:
        """Return this browser's nonce for a member who has signed in with it before.

        Return None if the member has not.
        """
        return next((nonce for nonce, day, sent in self._entries() if self._is_of(member_id, nonce, day, sent)), None)

    def with_entry_of(self, member_id: str) -> str:
        """Return the cookie's new value after a member signs in.

        The member's new entry comes first.
        """
        nonce, day = token_urlsafe(_BYTES_OF_A_NONCE), str((self.today + LASTS).toordinal())
        others = [entry for entry in self._entries() if not self._is_of(member_id, *entry)]
        entries = [(nonce, day, self._signed(member_id, nonce, day)[0]), *others][:MOST_TRUSTED_PEOPLE]
        return "~".join(".".join(entry) for entry in entries)

    def _entries(self) -> list[tuple[str, str, str]]:
        texts = self.cookie.split("~") if len(self.cookie) <= LONGEST_TRUSTED_COOKIE else []
        return [(match[1], match[2], match[3]) for text in texts if (match := _ENTRY.fullmatch(text))]

    def _is_of(self, member_id: str, nonce: str, day: str, sent: str) -> bool:
        made = self._signed(member_id, nonce, day)
        is_signed = any(hmac.compare_digest(sent.encode(), signature.encode()) for signature in made)
        return is_signed and int(day) > self.today.toordinal()

    def _signed(self, member_id: str, nonce: str, day: str) -> tuple[str, ...]:
        return self.hasher(f"known browser {self.host} {member_id} {nonce} {day}")
