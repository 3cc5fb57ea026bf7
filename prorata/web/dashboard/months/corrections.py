"""The corrections of a closed month: each household's difference, and the decision about it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from prorata.actions.accounts import access
from prorata.actions.invoices import previews
from prorata.actions.recalculation import correction_decisions
from prorata.actions.recalculation.correction_decisions import Place, ShownCorrection
from prorata.actions.recalculation.owner_differences import with_owner
from prorata.domain.billing_calendar import Month
from prorata.domain.groups import added_up, grouped
from prorata.domain.labels import natural_order
from prorata.domain.languages import language_of
from prorata.domain.printing.correction_words import changes_in_words
from prorata.domain.splitting import correction_sentences
from prorata.domain.splitting.planned_charges import line_type
from prorata.domain.texts import joined, say
from prorata.domain.utility_names import LINE_NAMES
from prorata.ports import Forms
from prorata.store.recalculation.corrections import ChargedRow
from prorata.web.dashboard.kernel.pages import Ask, GoTo, Shown, page
from prorata.web.dashboard.months.months import month_of_address
from prorata.web.dashboard.properties.property import above

_PLACED = say("The differences go on the invoices of {month}. Check them before you send them.")
_REVOKED = say("Undone. The differences are waiting again, and disputes that ended with them have been reopened.")


class PlaceForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The decision about a month's corrections.

    They are put on the next invoices or left to the owner, or an earlier decision is revoked.
    """

    place: Place


class Line(NamedTuple):
    """The correction of a household's share of one bill line, in words.

    `name` is the utility, `about` describes the bill, and `why` is the reason for the correction. `charged_on` are the
    charges on later invoices that contain the correction.
    """

    name: str
    about: str
    why: str
    shown: ShownCorrection
    charged_on: Sequence[ChargedRow]


class Household(NamedTuple):
    """A household's corrections in a month.

    `sent` is the sum that its invoices of the month charged, and `right` the correct sum, both in cents.
    """

    who: str
    unit_label: str
    sent: int
    right: int
    lines: Sequence[Line]


class OwnCost(NamedTuple):
    """The texts of the button that leaves pending corrections to the owner.

    The owner then bears amounts that tenants owe, and keeps amounts that tenants would get back.

    `does` is the button's label, `title` and `lost` are the question that the person must confirm, and `done` is the
    message afterwards.
    """

    does: str
    title: str
    lost: str
    done: str


def own_cost(corrections: Sequence[ShownCorrection], write: Forms, currency: str) -> OwnCost:
    """Write the texts of the button that leaves these pending corrections to the owner."""
    rows = [correction.row for correction in corrections if correction.row.tenant_id]
    cents = added_up(((row.unit_id, row.tenant_id), row.waiting_amount) for row in rows).values()
    charges, credits_ = sum(cent for cent in cents if cent > 0), -sum(cent for cent in cents if cent < 0)
    more, less = write.money(charges, currency), write.money(credits_, currency)
    lost, done = [], []
    if charges or not credits_:
        lost.append(say("Tenants owe another {more}. You bear it, and they are charged nothing more.", more=more))
        done.append(say("You bear {more}, and tenants are charged nothing more.", more=more))
    if credits_:
        lost.append(say("Tenants would get {less} back. You keep it, and they get nothing back.", less=less))
        done.append(say("You keep {less}, and tenants get nothing back.", less=less))
    lost.append(say("You can undo this on this page."))
    if charges and credits_:
        does = say("I bear {more} and keep {less}", more=more, less=less)
        title = say("Bear {more} and keep {less}?", more=more, less=less)
    elif credits_:
        does, title = say("I keep {less}", less=less), say("Keep {less} that tenants would get back?", less=less)
    else:
        does, title = say("I bear {more}", more=more), say("Bear {more} yourself?", more=more)
    return OwnCost(does, title, joined(lost), joined(done))


def _households(ask: Ask[None, None], corrections: Sequence[ShownCorrection], currency: str) -> Iterator[Household]:
    charged = correction_decisions.charged_on(ask.tx, ask.caller, [correction.row for correction in corrections])
    its = grouped(
        ((shown.row.unit_id, shown.row.tenant_id), (shown, charges))
        for shown, charges in zip(corrections, charged, strict=True)
    )
    for (unit_id, _), rows in sorted(
        its.items(), key=lambda household: (not household[0][0], natural_order(household[1][0][0].unit_label))
    ):
        first = rows[0][0]
        yield Household(
            first.tenant_name or (say("Vacant unit") if unit_id else say("You, the owner")),
            first.unit_label,
            sum(shown.row.own_amount for shown, _ in rows),
            sum(shown.row.right_amount for shown, _ in rows),
            [_line(shown, charges, currency, ask.write) for shown, charges in rows],
        )


def _line(shown: ShownCorrection, charges: Sequence[ChargedRow], currency: str, write: Forms) -> Line:
    name = LINE_NAMES[line_type(shown.row.utility_type)]
    correction = correction_sentences.read(shown.row.description)
    if correction is None:
        return Line(name, shown.row.description, "", shown, charges)
    about = say("{issuer}, bill of {day}", issuer=correction.issuer, day=write.day(correction.bill_date))
    return Line(name, about, correction_sentences.reason_in_words(correction.reason, currency, write), shown, charges)


@page("GET", "/properties/{id}/months/{month}/corrections", may="read")
def corrections_page(ask: Ask[None, None]) -> Shown:
    """Show each household's charges, the correct amounts, and where the differences go."""
    row, month = access.property_(ask.tx, ask.caller, ask.path["id"]), month_of_address(ask.path["month"])
    found = correction_decisions.of_property(ask.tx, ask.caller, row.id, [month])
    closed = correction_decisions.closed_month(ask.tx, row, month) if found else None
    values = {
        "month": month,
        "households": list(_households(ask, with_owner(closed, found) if closed else found, row.currency)),
        "waits": any(one.row.waiting_amount for one in found),
        "revocable": any(one.is_revocable for one in found),
        "goes_to": next((Month(one.goes_to) for one in found if one.goes_to), None),
        "changed": changes_in_words(
            correction_decisions.changed_days_of(closed), language_of(ask.person.locale), ask.write.day
        ),
        "own": own_cost(found, ask.write, row.currency),
    }
    return Shown("corrections.html", values | above(row, "months"))


@page("GET", "/properties/{id}/months/{month}/corrections/owner", may="write")
def ask_to_leave_corrections(ask: Ask[None, None]) -> Shown:
    """Ask to confirm leaving a month's corrections to the owner, for browsers without dialogs."""
    row, month = access.property_(ask.tx, ask.caller, ask.path["id"]), month_of_address(ask.path["month"])
    own = own_cost(correction_decisions.of_property(ask.tx, ask.caller, row.id, [month]), ask.write, row.currency)
    to = f"/properties/{row.id}/months/{month}/corrections"
    values = {"to": to, "back": to, "fields": {"place": "owner"}, "moves": True}
    return Shown("confirm.html", own._asdict() | values)


@page(
    "POST", "/properties/{id}/months/{month}/corrections", may="write", form=PlaceForm, again=corrections_page,
    moves=previews.of_property,
)  # fmt: skip
def decide_corrections(ask: Ask[None, PlaceForm]) -> GoTo:
    """Decide where a month's corrections go: on invoices, or to the owner.

    The person can also revoke an earlier decision.
    """
    row, month = access.property_(ask.tx, ask.caller, ask.path["id"]), month_of_address(ask.path["month"])
    place = ask.form.place
    message: str = _REVOKED
    if place == "owner":
        before = correction_decisions.of_property(ask.tx, ask.caller, row.id, [month])
        message = own_cost(before, ask.write, row.currency).done
    decided = correction_decisions.decide(ask.tx, ask.caller, row.id, [month], place)
    if place == "next":
        goes_to = next((Month(correction.goes_to) for correction in decided if correction.goes_to), month)
        message = _PLACED.format(month=ask.write.month(goes_to))
    return GoTo(f"/properties/{row.id}/months/{month}/corrections", message)
