"""The deletion of an account by one of its owners.

To confirm the deletion, the owner enters the account's name, and the password again.
"""

from typing import Annotated

from msgspec import Struct

from prorata.actions.accounts import accounts
from prorata.actions.privacy import closing
from prorata.domain.limits import LONGEST_PERSON_NAME
from prorata.domain.texts import say
from prorata.web.dashboard.accounts.own_security import sure_of_password
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.http.fields import secret, text


class ClosingForm(Struct, kw_only=True):
    """The account's name and the owner's password, entered to confirm the account's deletion."""

    name: Annotated[str, text(LONGEST_PERSON_NAME)]
    own_password: Annotated[str, secret()]


@page("GET", "/settings/delete-account", may="manage")
def ask_to_delete_account(ask: Ask[None, None]) -> Shown:
    """Show which data is deleted with the account, and which data is kept."""
    return Shown("account_delete.html", {"account": accounts.the_account(ask.tx, ask.caller)})


@page("POST", "/settings/delete-account", may="manage", form=ClosingForm, again=ask_to_delete_account)
async def delete_account(steps: Steps) -> GoTo:
    """Delete the account, and sign out all of its members."""
    form: ClosingForm = steps.form
    caller, archive = steps.caller, steps.outside.archive
    await sure_of_password(steps, form.own_password, "own_password")
    await steps.write(lambda tx: closing.close(tx, caller, archive, name=form.name))
    return GoTo("/sign-in", say("The account was deleted."), ends=True)
