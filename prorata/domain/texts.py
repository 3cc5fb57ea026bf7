"""Sentences that keep their form and their values, so that pages can translate them.

A `Text` is a string with an English sentence, which the API, the log and the command line use like any other
string. Pages look up the sentence's form in a catalog of translations, and insert the values again
(`prorata.web.dashboard.kernel.languages`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self


class _Given(dict[str, Any]):
    """The values to insert into a sentence; a placeholder without a value stays, in braces."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class Count(int):
    """A number in a sentence, which a page formats for the person who reads it.

    >>> say("at most {most} rows", most=Count(5_000))
    'at most 5,000 rows'
    """

    __slots__ = ()

    def __format__(self, how: str) -> str:
        return format(int(self), how or ",")


class Text(str):
    """An English sentence with its form, such as "Delete {name}?", and its values.

    `many` is the form for a `number` other than one. A value may itself be a `Text`, or anything that `str`
    converts; pages also reformat a `Count` and a `NamedMonth`.
    """

    __slots__ = ("form", "many", "number", "values")
    form: str
    many: str | None
    number: int
    values: dict[str, Any]

    def __new__(cls, form: str, many: str | None = None, number: int = 1, /, **values: Any) -> Self:  # noqa: D102
        chosen = form if many is None or number == 1 else many
        made = super().__new__(cls, chosen.format_map(_Given(values)) if values else chosen)
        made.form, made.many, made.number, made.values = form, many, number, values
        return made

    def format(self, *args: object, **values: Any) -> "Text":
        """Return the sentence with these values filled in by name.

        >>> say("Delete {name}?").format(name="Elm")
        'Delete Elm?'
        """
        assert not args, "a translator sees what a value is"
        return Text(self.form, self.many, self.number, **{**self.values, **values})

    def of(self, number: int, n: str) -> "Text":
        """Build the same sentence for another number, which is written as `n`.

        >>> say_n("{n} late bill", "{n} late bills", 2).of(1, "1")
        '1 late bill'
        """
        return Text(self.form, self.many, number, **{**self.values, "n": n})

    def __getnewargs_ex__(self) -> tuple[tuple[str, str | None, int], dict[str, Any]]:
        return (self.form, self.many, self.number), self.values


def say(form: str, **values: Any) -> Text:
    """Build a sentence for a person, from a form and its values.

    `form` must be a literal, because the tool that fills the catalogs reads it from the code.

    >>> said = say("{name} was deleted.", name="Elm")
    >>> said, said.form
    ('Elm was deleted.', '{name} was deleted.')
    """
    return Text(form, **values)


def say_n(one: str, many: str, number: int, **values: Any) -> Text:
    """Build a sentence that depends on a number.

    `{n}` is the number, or `n` if given.

    >>> say_n("{n} bill was added.", "{n} bills were added.", 2), say_n("One bill", "{n} bills", 1)
    ('2 bills were added.', 'One bill')
    """
    return Text(one, many, number, **{"n": Count(number), **values})


def joined(texts: Iterable[str], between: str = " ") -> Text:
    """Join sentences, each translated separately; empty sentences are left out.

    >>> joined([say("Saved."), "", say("It counts now.")])
    'Saved. It counts now.'
    """
    values = {f"part{place}": text for place, text in enumerate(filter(None, texts))}
    return Text(between.join(f"{{{name}}}" for name in values), **values)


def listed(names: Sequence[str]) -> Text:
    """Join names with commas and a final "and", for a sentence.

    >>> listed(["Ann"]), listed(["Ann", "Bo", "Cleo"])
    ('Ann', 'Ann, Bo and Cleo')
    """
    if len(names) <= 1:
        return joined(names)
    return say("{names} and {last}", names=joined(names[:-1], ", "), last=names[-1])


def plain(value: object) -> str:
    """Convert a translatable sentence to plain text, for JSON that is stored or sent.

    Raises `TypeError` if the value is neither a sentence nor another string.
    """
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"JSON can't contain a value of {type(value)}")
