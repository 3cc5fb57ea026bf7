"""The settings page for the logo and color of invoices, e-mails and tenants' pages."""

import base64
from typing import Annotated, Any

from msgspec import Struct

from prorata.actions.accounts import letterheads
from prorata.domain.problems import Problem
from prorata.domain.texts import say
from prorata.errors import InvalidRequest
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.form_bodies import chosen_file
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import MOST_LOGO_BYTES

_HERE = "/settings/letterhead"


class ColorForm(Struct, kw_only=True):
    """The color of invoices, e-mails and tenants' pages.

    If it is empty, Prorata's own color is used.
    """

    color: Annotated[str, text(20, least=0)] = ""


@page("GET", _HERE, may="manage")
def letterhead_page(ask: Ask[Any, None]) -> Shown:
    """Show the account's logo and color, and the forms that change them."""
    chosen = letterheads.the_letterhead(ask.tx, ask.caller)
    values = {"chosen": chosen, "logo": shown(chosen.logo), "logo_megabytes": MOST_LOGO_BYTES >> 20}
    return Shown("letterhead.html", values, {"color": chosen.color or ""})


def shown(logo: bytes | None) -> str | None:
    """Return a logo as a data URL, or None if there is no logo."""
    return f"data:image/png;base64,{base64.b64encode(logo).decode('ascii')}" if logo else None


@page("POST", _HERE, may="manage", form=ColorForm, again=letterhead_page)
def choose_color(ask: Ask[None, ColorForm]) -> GoTo:
    """Save the color of invoices, e-mails and tenants' pages."""
    letterheads.choose_color(ask.tx, ask.caller, ask.form.color)
    return GoTo(_HERE, say("Saved."))


@page("POST", f"{_HERE}/logo", may="manage", again=letterhead_page, most_bytes=MOST_LOGO_BYTES)
async def choose_logo(steps: Steps) -> GoTo:
    """Check the uploaded picture, and save it as the account's logo."""
    file = chosen_file(steps.files, say("Choose a picture first."))
    try:
        logo = await steps.pools.read_file(lambda: steps.outside.read_logo(file.content))
    except InvalidRequest as refused:
        raise InvalidRequest.because([Problem("file", refused.message)]) from None
    await steps.write(lambda tx: letterheads.choose_logo(tx, steps.caller, logo))
    return GoTo(_HERE, say("Saved."))


@page("POST", f"{_HERE}/logo/remove", may="manage")
def take_logo_off(ask: Ask[None, None]) -> GoTo:
    """Remove the account's logo."""
    letterheads.choose_logo(ask.tx, ask.caller, None)
    return GoTo(_HERE, say("The logo was removed."))
