"""Lessons learned from issuers' bills: showing, forgetting, exporting and importing them.

A lesson records where a value is found on the bills of one issuer.
"""

from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from msgspec import Struct

from prorata.actions.intake import lesson_files
from prorata.actions.intake.lesson_files import LINES, KnownIssuer
from prorata.domain.intake.pointing.lessons import FIELDS as LEARNED
from prorata.domain.texts import joined, say, say_n
from prorata.domain.utility_names import LINE_NAMES
from prorata.errors import InvalidRequest
from prorata.web.dashboard.intake.pointing import FIELDS
from prorata.web.dashboard.kernel.async_pages import Steps
from prorata.web.dashboard.kernel.pages import Answered, Ask, Download, GoTo, Shown, page
from prorata.web.http.fields import text
from prorata.web.http.limits import LONGEST_ISSUER_KEY, MOST_LESSONS_FILE_BYTES


class IssuerQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """The issuer whose lessons to show, as a key made from the issuer's name."""

    issuer: Annotated[str, text(LONGEST_ISSUER_KEY, least=0)] = ""


class ForgetForm(Struct, kw_only=True, forbid_unknown_fields=True):
    """The issuer whose lessons to forget: all of them, or the lesson about one field.

    `field` is the field's name, "lines" for the bill lines, or empty for everything learned about the issuer.
    """

    issuer: Annotated[str, text(LONGEST_ISSUER_KEY)]
    field: Annotated[str, text(40, least=0)] = ""


class Learned(NamedTuple):
    """A lesson about one field of a bill, and the words printed beside its value."""

    field: str
    name: str
    beside: str


@page("GET", "/inbox/issuers", may="read")
def issuers(ask: Ask[None, None]) -> Shown:
    """Show the issuers from whose bills something was learned."""
    return Shown("lessons.html", {"rows": lesson_files.known(ask.tx, ask.caller)})


@page("GET", "/inbox/issuer", may="read", query=IssuerQuery)
def issuer(ask: Ask[Any, Any]) -> Shown:
    """Show the lessons learned from an issuer's bills."""
    key = ask.query.issuer if isinstance(ask.query, IssuerQuery) else ask.typed.get("issuer", "")
    if not key:
        return issuers(ask)
    known_issuer = lesson_files.find(ask.tx, ask.caller, key)
    return Shown(
        "lesson.html", {"one": known_issuer, "learned": list(_learned(known_issuer)), "bills": _bills(known_issuer)}
    )


def _bills(known_issuer: KnownIssuer) -> int:
    return sum(layout.bills for layout in known_issuer.lesson.layouts) if known_issuer.lesson else 0


def _learned(one: KnownIssuer) -> list[Learned]:
    layouts = one.lesson.layouts if one.lesson else ()
    found = []
    for field in LEARNED:
        anchors = [anchor for layout in layouts if field in layout.fields for anchor in layout.fields[field].anchors]
        if anchors:
            words = dict.fromkeys(_shown(anchor.left or anchor.above) for anchor in anchors)
            found.append(Learned(field, FIELDS[field][1], joined(list(words), "; ")))
    rules = [rule for layout in layouts for way in layout.lines[:1] for rule in way]
    if rules:
        said = [say("{words}: {utility}", words=words, utility=LINE_NAMES[kind])
                for words, kind in dict.fromkeys((_shown(rule.words), rule.kind) for rule in rules)]  # fmt: skip
        found.append(Learned(LINES, FIELDS["lines"][1], joined(said, "; ")))
    return found


def _shown(words: str) -> str:
    return words.replace("<day>", "…").replace("<", "").replace(">", "").strip() or say("its place on the page")


@page("POST", "/inbox/issuer", may="write", form=ForgetForm, again=issuer)
def forget(ask: Ask[None, ForgetForm]) -> GoTo:
    """Forget the lesson about one field, or everything learned from the issuer's bills."""
    key, field = ask.form.issuer, ask.form.field
    if field:
        lesson_files.forget_field(ask.tx, ask.caller, key, field)
        message = say(
            "Forgotten. You’ll be asked for it on this company’s next bill, and Prorata will learn from what "
            "you confirm."
        )
        return GoTo(f"/inbox/issuer?{urlencode({'issuer': key})}", message)
    name = lesson_files.forget(ask.tx, ask.caller, key)
    return GoTo("/inbox/issuers", say("What Prorata had learned about {name} was forgotten.", name=name))


@page("GET", "/inbox/issuers.json", may="read")
def lessons_file(ask: Ask[None, None]) -> Download:
    """Download all of the account's lessons, for use in another installation."""
    return Download("issuers.json", "application/json", lesson_files.exported(ask.tx, ask.caller))


@page("POST", "/inbox/issuers", may="write", again=issuers, most_bytes=MOST_LESSONS_FILE_BYTES)
async def take_lessons(steps: Steps) -> Answered:
    """Import lessons that were exported from another installation."""
    uploads = [upload for upload in steps.uploads.get("file", ()) if upload.name]
    if not uploads:
        raise InvalidRequest(say("Choose a file of companies that was exported from Prorata."))
    content, caller = uploads[0].content, steps.caller
    new, known = await steps.write(lambda tx: lesson_files.take(tx, caller, content))
    write = steps.forms
    taken = say_n(
        "{n} company was imported from the file.", "{n} companies were imported from the file.", new, n=write.count(new)
    )
    message = taken if new else say("No companies were imported from the file.")
    there = say_n(
        "One was already known and stays as it is.", "{n} were already known and stay as they are.", known,
        n=write.count(known),
    )  # fmt: skip
    return GoTo("/inbox/issuers", joined([message, there if known else ""]))
