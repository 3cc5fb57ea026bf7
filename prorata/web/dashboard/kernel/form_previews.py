"""Previews of how a form would change invoices.

A preview processes the form as if it were saved, and then rolls back the transaction.
"""

from collections.abc import Sequence
from typing import Any

from prorata.actions.accounts import accounts
from prorata.actions.invoices import previews
from prorata.domain.accounts.settings import PLACE
from prorata.domain.audit.diffs import label
from prorata.domain.invoices.previews import Preview
from prorata.domain.utility_names import CHARGE_NAMES
from prorata.errors import Refusal
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from prorata.web.dashboard.kernel.field_labels import labels_in
from prorata.web.dashboard.kernel.field_words import in_a_persons_words
from prorata.web.dashboard.kernel.form_bodies import Pairs, Sent
from prorata.web.dashboard.kernel.forms import TOKEN
from prorata.web.dashboard.kernel.pages import Answered, Ask, GoTo, Page, Shown
from prorata.web.http.limits import MOST_SHARES_SHOWN

_TEMPLATE = "preview.html"


def previewed(page: Page, ask: Ask[Any, Any], sent: Sent, to: str) -> Shown:
    """Show how a form would change invoices, with a hidden copy of the form.

    To save the form, the person sends the copy to the address `to`. Raises any error with which the form's page refuses
    the form.
    """
    assert page.moves is not None, "only what moves invoices is previewed"
    records = [
        (page.moves, next(iter(ask.path.values()), "")),
        *((previews.of_property, of) for of in page.further(ask)),
    ]
    answered: list[Answered] = []
    try:
        property_ids = previews.touched(ask.tx, ask.caller, records)
        told = previews.preview(ask.tx, ask.caller, property_ids, [lambda: answered.append(page.work(ask))])
    except previews.TakesTooLong:
        return too_long(to, sent.pairs)
    return shown(ask.tx, ask.caller, told, property_ids, answered[0], to, sent.pairs)


def shown(
    tx: Tx, caller: Caller, told: Preview, property_ids: Sequence[str], answered: Answered, to: str, pairs: Pairs
) -> Shown:
    """Show the preview of a form, with a hidden copy of the form.

    To save the form, the person sends the copy, which contains the fields `pairs`, to the address `to`. `told` is the
    preview, and `answered` is the answer of the form's page. If the page answered with a question instead of a
    redirect, it saved nothing, so no preview is shown. If a redirect contains a warning or the person's next step, the
    preview shows it.
    """
    values = {
        "preview": told if isinstance(answered, GoTo) else None,
        "houses": previews.houses(tx, caller, property_ids),
        "charge_names": CHARGE_NAMES,
        "most": MOST_SHARES_SHOWN,
        "places": accounts.the_account(tx, caller).corrections == PLACE,
        "in_parts": any(correction.waiting != (0, 0) for correction in told.moved),
        "waits": any(correction.waiting.after for correction in told.moved),
        "next_months": sorted({one.after.carrier for one in told.moved if one.after and one.after.carrier}),
        "next_step": answered.next_step if isinstance(answered, GoTo) else "",
        "warned": answered.said if isinstance(answered, GoTo) and answered.warns else "",
        "to": to,
        "pairs": _kept(pairs),
    }
    return Shown(_TEMPLATE, values)


def too_long(to: str, pairs: Pairs) -> Shown:
    """Show that the preview would take too long; the form can still be saved."""
    return Shown(_TEMPLATE, {"preview": None, "is_too_long": True, "to": to, "pairs": _kept(pairs)})


def cannot_be(refused: Refusal, form: str) -> Shown:
    """Show why a form can't be saved, in place of its preview.

    `form` is the HTML of the form's page, whose labels name the fields that have problems. A field without a label on
    that page is named as on the Activity page.
    """
    labels = labels_in(form)
    problems = [
        (field, labels.get(field) or label(_stored_as(field)), in_a_persons_words(field, why))
        for field, why in refused.problems
    ]
    return Shown(_TEMPLATE, {"preview": None, "cannot": problems or [("", "", refused.message)]})


def _stored_as(field: str) -> str:
    """Return the name under which a field is stored.

    >>> _stored_as("moveOutDate")
    'move_out_date'
    """
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)


def _kept(pairs: Pairs) -> list[tuple[str, str]]:
    """Return the fields for the copy of a previewed form, without the form's token."""
    return [(name, value) for name, value in pairs if name != TOKEN]
