"""Answers to a browser: a page with its navigation, a redirect, or a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from markupsafe import escape

from prorata.domain.accounts.permissions import may
from prorata.domain.billing_calendar import month_of, to_choose_from
from prorata.domain.callers import Person
from prorata.domain.texts import say
from prorata.ports import Clock
from prorata.web.dashboard.kernel import sessions, trusted_browsers
from prorata.web.dashboard.kernel.forms import TOKEN, Filled
from prorata.web.dashboard.kernel.pages import Download, GoTo, Outside, Shown
from prorata.web.dashboard.kernel.rendering import render
from prorata.web.dashboard.kernel.request_user import Guest, Stands
from prorata.web.dashboard.kernel.translations import Speech, said
from prorata.web.http.operation_runner import Reply
from prorata.web.http.sent_files import disposition

_SEE_OTHER = 303


class Way(NamedTuple):
    """An entry of the navigation: its text, address and icon.

    `also` are further addresses whose pages belong to the entry.
    """

    text: str
    to: str
    icon: str
    also: tuple[str, ...] = ()

    def leads_to(self, path: str) -> bool:
        """True if the page with this path belongs to the navigation entry."""
        return any(
            path == path_of_entry or path.startswith(f"{path_of_entry}/") for path_of_entry in (self.to, *self.also)
        )


_NAVIGATION = (
    Way(say("Overview"), "/", "home"),
    Way(say("Months"), "/months", "calendar", ("/import/charges",)),
    Way(say("Bills"), "/bills", "receipt", ("/inbox", "/import/bills")),
    Way(say("Invoices"), "/invoices", "file", ("/questions", "/charges")),
    Way(say("Payments"), "/payments", "coins"),
    Way(say("Tenants"), "/tenants", "people"),
    Way(say("Properties"), "/properties", "building", ("/units", "/split-methods", "/import/units", "/import/rules")),
    Way(say("Settings"), "/settings", "gear", ("/jobs", "/activity")),
)
_OWN_SETTINGS = _NAVIGATION[-1]._replace(to="/settings/security")
_NO_FRAMES = [(b"content-security-policy", b"frame-ancestors 'none'"), (b"x-frame-options", b"DENY")]


def _navigation(person: Person | None) -> tuple[Way, ...]:
    """Return the navigation for a person.

    People who may not change the account's settings see only their own settings.
    """
    if person is None or may(person.role, "manage"):
        return _NAVIGATION
    return (*_NAVIGATION[:-1], _OWN_SETTINGS)


@dataclass(frozen=True, slots=True)
class Looks:
    """A builder of answers to a browser: pages, redirects and downloads."""

    cookies: sessions.Cookies
    outside: Outside
    clock: Clock

    def page(self, shown: Shown, filled: Filled, guest: Guest, stands: Stands, token: str) -> bytes:
        """Render a page as HTML; problems that appear beside no field appear at the top."""
        speech = guest.speech(self.outside.forms, shown.locale)
        frame = self._frame(guest, stands, token, speech) | dict(shown.values)
        body = render(shown.template, frame | {"form": filled}, speech)
        problems = [said(problem, speech) for problem in filled.problems.values()]
        unsaid = [problem for problem in problems if escape(problem).encode() not in body]
        if unsaid and not filled.wrong:
            body = render(shown.template, frame | {"form": filled._replace(wrong=" ".join(unsaid))}, speech)
        return body

    def _frame(self, guest: Guest, stands: Stands, token: str, speech: Speech) -> dict[str, Any]:
        """Collect the values that every template can use, except the form."""
        person, cookie = guest.person, guest.header(b"cookie")
        theme = self.cookies.read(cookie, sessions.THEME)
        told, kind = self.cookies.said(cookie)
        zone = person.timezone if person else "UTC"
        now = self.clock().astimezone(ZoneInfo(zone))
        return {
            "me": person,
            "may": lambda deed: person is not None and may(person.role, deed),
            "path": stands.path,
            "page_path": stands.page_path,
            "own_address": stands.own_address,
            "is_kept": stands.is_kept,
            "is_part": guest.wants_part,
            "navigation": _navigation(person),
            "nav_counts": {"/bills": person.waiting_documents, "/invoices": person.waiting_questions} if person else {},
            "theme": theme if theme in sessions.THEMES else "",
            "said": told,
            "said_kind": kind,
            "token_name": TOKEN,
            "token": sessions.form_token(token, self.outside.sessions, person.member_id if person else None),
            "write": speech.forms,
            "language": speech.tag,
            "zone": zone,
            "mail_leaves": self.outside.settings.smtp_url is not None,
            # folder paths help only if Prorata runs on the user's own machine
            "outbox": self.outside.settings.outbox.resolve() if self.outside.settings.is_local else None,
            "dotenv": Path(".env").resolve() if self.outside.settings.is_local else None,
            "links_stay": self.outside.settings.base_url if self.outside.settings.is_local else None,
            "months_around": lambda chosen="": to_choose_from(month_of(now.date()), chosen),
        }

    def go(self, goto: GoTo, guest: Guest, *, has_script: bool) -> Reply:
        """Redirect to another page.

        `has_script` means that htmx, the script of our pages, made the request. In this case, the address is in a
        separate header, because htmx would follow a normal redirect and put the new page into the current one.
        """
        headers: list[tuple[bytes, bytes]] = [(b"content-length", b"0")]
        if goto.session:
            headers.append(self.cookies.begin(goto.session))
        if goto.known:
            headers.append(self.cookies.write(sessions.KNOWN, goto.known, seconds=trusted_browsers.SECONDS))
        if goto.ends:
            headers.append(self.cookies.write(sessions.SESSION, "", seconds=0))
        if goto.theme in sessions.THEMES:
            headers.append(self.cookies.write(sessions.THEME, goto.theme, seconds=sessions.SECONDS_OF_A_THEME))
        if goto.theme == sessions.OF_THE_SYSTEM:
            headers.append(self.cookies.write(sessions.THEME, "", seconds=0))
        if goto.said:
            told = said(goto.said, guest.speech(self.outside.forms, goto.locale))
            headers.append(self.cookies.say(told, warns=goto.warns))
        to = quote(goto.path, safe="/?&=%+,:;@!$'()*~#").encode("ascii")
        if has_script:
            return Reply(200, [*headers, (b"hx-redirect", to)], b"")
        return Reply(_SEE_OTHER, [*headers, (b"location", to)], b"")

    def download(self, file: Download) -> Reply:
        """Answer with a file to download."""
        about = self.keep(file.name, file.media, len(file.content), to_look_at=file.to_look_at)
        return Reply(200, about, file.content)

    def keep(self, name: str, media: str, size: int | None, *, to_look_at: bool = False) -> list[tuple[bytes, bytes]]:
        """Build the headers for a file to download.

        `size` is None if the size is not known yet.
        """
        return [
            (b"content-type", media.encode()),
            *([] if size is None else [(b"content-length", b"%d" % size)]),
            (b"content-disposition", disposition(name, to_look_at=to_look_at)),
            *_NO_FRAMES,
        ]
