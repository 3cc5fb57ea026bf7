"""Return addresses: the page to which an address or a submitted form leads back."""

from prorata.errors import MethodNotAllowed, NotFound
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.dashboard.kernel.request_user import Guest, Stands
from prorata.web.http.limits import LONGEST_RETURN_ADDRESS
from prorata.web.http.routing import Router


class Places:
    """A finder of the addresses that a browser can open."""

    def __init__(self, router: Router[Page]) -> None:
        self._router = router

    def nearest(self, address: str) -> str:
        """Return the address with its query if it can be opened, or its nearest parent."""
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
        """Return the addresses of the page shown to a guest; `page_path` overrides the requested path."""
        own = self.nearest(guest.asked if guest.is_get else guest.came_from or guest.path)
        if len(own) > LONGEST_RETURN_ADDRESS:
            own = own.partition("?")[0]
        return Stands(guest.path, page_path or self.nearest(guest.path), own, guest.is_get)
