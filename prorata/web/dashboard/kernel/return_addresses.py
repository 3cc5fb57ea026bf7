"""Where a person is: the pages that an address, or a form that was sent, leads back to."""

from prorata.errors import MethodNotAllowed, NotFound
from prorata.web.dashboard.kernel.pages import Page
from prorata.web.dashboard.kernel.request_user import Guest, Stands
from prorata.web.http.limits import LONGEST_RETURN_ADDRESS
from prorata.web.http.routing import Router


class Places:
    """The pages that can be opened."""

    def __init__(self, router: Router[Page]) -> None:
        self._router = router

    def nearest(self, address: str) -> str:
        """An address that can be opened: this one with its query, or else the nearest above it."""
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
        """Where what a guest is shown stands; `page_path` where that is known to be elsewhere than was asked for."""
        own = self.nearest(guest.asked if guest.is_get else guest.came_from or guest.path)
        if len(own) > LONGEST_RETURN_ADDRESS:
            own = own.partition("?")[0]
        return Stands(guest.path, page_path or self.nearest(guest.path), own, guest.is_get)
