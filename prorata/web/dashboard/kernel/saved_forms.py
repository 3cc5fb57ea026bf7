"""Forms that were sent after their session had ended, and that the sign-in page keeps.

Nothing is stored on the server. The form is sealed into a hidden field of the sign-in page, and the browser sends
it back together with the password. It is opened only for the member who filled it in, whom the form's own token
identifies. Passwords, codes and files are left out. The opened form is only shown; it takes effect when the member
sends it again.
"""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from prorata.actions.accounts.api_keys import KeyHasher
from prorata.domain.texts import joined, say
from prorata.ports import Clock, Vault
from prorata.web.dashboard.kernel import sessions
from prorata.web.dashboard.kernel.form_bodies import Sent
from prorata.web.dashboard.kernel.forms import TOKEN, without_secrets
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.dashboard.kernel.request_user import Guest
from prorata.web.http.limits import LARGEST_KEPT_FORM

KEPT = "kept"
"""The name of the hidden field with the sealed form."""
SECONDS_KEPT = 86_400
_ABOUT = "kept form"
_WAITS = say("You were signed out, so nothing was saved. Sign in, and what you typed will still be there.")
_THERE = say("You’re signed in again, and what you typed is here. Nothing has been saved yet: check it, then save.")
_NO_FILES = say("Please choose your files again.")
_NO_SECRETS = say("Please enter passwords and codes again.")
NOT_THEIRS = say("Someone else filled in the unfinished form here, so it isn’t shown. Nothing was saved.")
NOT_THERE = say("The unfinished form can no longer be shown. Nothing was saved.")


class Kept(Struct):
    """A form that was sent without a session: its address, its fields and its token.

    The token identifies the member who filled it in. `until` is the time until which the form can be opened, in
    seconds since 1970, and `lacks` states what could not be kept, such as files.
    """

    path: str
    query: str
    pairs: list[tuple[str, str]]
    token: str
    until: int
    lacks: str

    @property
    def sent(self) -> Sent:
        """The form as if it had just been submitted."""
        return Sent(list(self.pairs), {})

    @property
    def said(self) -> str:
        """The message above the form when it is shown again."""
        return f"{_THERE} {self.lacks}".rstrip()


class Sealed(NamedTuple):
    """A sealed form as the text of a hidden field, and the message beside it."""

    text: str
    said: str


class KeptForms(NamedTuple):
    """A tool that seals forms into hidden fields and opens them again."""

    vault: Vault
    hasher: KeyHasher
    clock: Clock

    def seal(self, page: Page, guest: Guest, sent: Sent) -> Sealed | None:
        """Seal a form that can't be processed because nobody is signed in.

        Return None if the form's token doesn't identify a member, if no page can show the form again, or if the
        form is too large.
        """
        token = sent.typed.get(TOKEN, "")
        if page.again is None or not sessions.says_by_whom(token):
            return None
        pairs = without_secrets(sent.pairs, page.form)
        typed = [name for name, text in sent.pairs if text and name != TOKEN]
        has_secrets = len(typed) > len([name for name, text in pairs if text])
        lacks = [reason for reason, is_so in ((_NO_FILES, sent.files), (_NO_SECRETS, has_secrets)) if is_so]
        until = int(self.clock().timestamp()) + SECONDS_KEPT
        kept = Kept(guest.path, guest.query.decode("latin-1"), pairs, token, until, " ".join(lacks))
        text = self.vault.seal(msgspec.json.encode(kept), _ABOUT)
        return Sealed(text, joined([_WAITS, *lacks])) if len(text) <= LARGEST_KEPT_FORM else None

    def open(self, text: str) -> Kept | None:
        """Open a sealed form; return None if it is invalid or too old."""
        content = self.vault.open(text, _ABOUT) if text else None
        kept = msgspec.json.decode(content, type=Kept) if content else None
        return kept if kept and kept.until > self.clock().timestamp() else None

    def is_of(self, kept: Kept, member_id: str) -> bool:
        """True if this member filled in the form."""
        return sessions.is_filled_in_by(kept.token, member_id, self.hasher)
