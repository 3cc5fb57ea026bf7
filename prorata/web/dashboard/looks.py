"""What a browser gets: a page with the frame around it, the way to another page, a file."""

from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from prorata.domain.months import month_of, to_choose_from
from prorata.domain.people import Person
from prorata.domain.permissions import may
from prorata.ports import Clock
from prorata.web.dashboard import sessions
from prorata.web.dashboard.forms import TOKEN, Filled
from prorata.web.dashboard.pages import Download, GoTo, Outside, Shown
from prorata.web.dashboard.rendering import render
from prorata.web.serving import Reply

_SEE_OTHER = 303
_NAVIGATION = (
    ("Overview", "/", "home"),
    ("Properties", "/properties", "building"),
    ("Tenants", "/tenants", "people"),
    ("Bills", "/bills", "receipt"),
    ("Invoices", "/invoices", "file"),
    ("Jobs", "/jobs", "clock"),
    ("Activity", "/activity", "pulse"),
    ("Settings", "/settings", "gear"),
)


_OWN_SETTINGS = ("Settings", "/settings/security", "gear")


def _navigation(person: Person | None) -> tuple[tuple[str, str, str], ...]:
    """The pages a person may open. Who may not change how the account works has settings of their own."""
    if person is None or may(person.role, "manage"):
        return _NAVIGATION
    return (*_NAVIGATION[:-1], _OWN_SETTINGS)


class Looks:
    """Makes answers."""

    def __init__(self, cookies: sessions.Cookies, outside: Outside, clock: Clock) -> None:
        self._cookies = cookies
        self._outside = outside
        self._clock = clock

    def page(self, shown: Shown, filled: Filled, person: Person | None, path: str, cookie: str, token: str) -> bytes:
        """A page as HTML. What every template may use is listed here."""
        theme = self._cookies.read(cookie, sessions.THEME)
        said, kind = self._cookies.said(cookie)
        zone = person.timezone if person else "UTC"
        now = self._clock().astimezone(ZoneInfo(zone))
        frame: dict[str, Any] = {
            "me": person,
            "may": lambda deed: person is not None and may(person.role, deed),
            "path": path,
            "navigation": _navigation(person),
            "theme": theme if theme in sessions.THEMES else "",
            "said": said,
            "said_kind": kind,
            "token_name": TOKEN,
            "token": sessions.form_token(token, self._outside.sessions),
            "form": filled,
            "write": self._outside.forms(person.locale if person else "en"),
            "zone": zone,
            "months_around": lambda chosen="": to_choose_from(month_of(now.date()), chosen),
        }
        return render(shown.template, frame | dict(shown.values))

    def go(self, goto: GoTo, *, has_script: bool) -> Reply:
        """The way to another page. htmx is told in a header of its own: it would put what comes into this page."""
        headers: list[tuple[bytes, bytes]] = [(b"cache-control", b"no-store"), (b"content-length", b"0")]
        if goto.session:
            headers.append(self._cookies.begin(goto.session))
        if goto.ends:
            headers.append(self._cookies.write(sessions.SESSION, "", seconds=0))
        if goto.theme in sessions.THEMES:
            headers.append(self._cookies.write(sessions.THEME, goto.theme, seconds=sessions.SECONDS_OF_A_THEME))
        if goto.said:
            headers.append(self._cookies.say(goto.said, warns=goto.warns))
        to = quote(goto.path, safe="/?&=%+,:;@!$'()*~#").encode("ascii")
        if has_script:
            return Reply(200, [*headers, (b"hx-redirect", to)], b"")
        return Reply(_SEE_OTHER, [*headers, (b"location", to)], b"")

    def download(self, file: Download) -> Reply:
        """A file to keep."""
        about = self.keep(file.name, file.media, len(file.content), to_look_at=file.to_look_at)
        return Reply(200, about, file.content)

    def keep(self, name: str, media: str, size: int, *, to_look_at: bool = False) -> list[tuple[bytes, bytes]]:
        """What a browser is told of a file to keep."""
        named = f"{'inline' if to_look_at else 'attachment'}; filename*=UTF-8''{quote(name, safe='')}"
        return [
            (b"content-type", media.encode()),
            (b"content-length", b"%d" % size),
            (b"content-disposition", named.encode("ascii")),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
