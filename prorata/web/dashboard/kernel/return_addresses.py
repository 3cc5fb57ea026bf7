"""Return addresses: the pages to which browsers return from an address or a submitted form."""

from prorata.errors import MethodNotAllowed, NotFound
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.dashboard.kernel.request_user import Guest, Stands
from prorata.web.http.limits import LONGEST_RETURN_ADDRESS
from prorata.web.http.routing import Router


class Places:
    """A finder of the pages to which a browser can return."""

    def __init__(self, router: Router[Page]) -> None:
        self._router = router

    def nearest(self, address: str) -> str:
        """Return an address if a browser can open it, or else its nearest parent.

        A parent is returned without the query.
        """
        path, _, query = address.partition("?")
        place = path
        while place not in ("", "/"):
            try:
                self._router.find("GET", place)
            except (NotFound, MethodNotAllowed):
                place = place.rpartition("/")[0]
            else:
                return address if place == path else place
        return f"/?{query}" if path == "/" and query else "/"

    def of(self, guest: Guest, page_path: str = "") -> Stands:
        """Return the addresses of the page that a browser is shown.

        `page_path`, if given, is used in place of the address derived from the requested path.
        """
        own = self.nearest(guest.asked if guest.is_get else guest.came_from or guest.path)
        if len(own) > LONGEST_RETURN_ADDRESS:
            own = own.partition("?")[0]
        return Stands(guest.path, page_path or self.nearest(guest.path), own, guest.is_get)
