"""Votes: values found where earlier bills showed a value, and the evidence for each."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from prorata.domain.groups import added_up
from prorata.domain.intake.bill_reading.draft import Reading, asked, found
from prorata.domain.intake.bill_reading.spots import Form, Spot, shape_of
from prorata.domain.intake.bill_reading.words import Place
from prorata.domain.intake.pointing.lessons import Anchor, Taught
from prorata.domain.texts import say

Value = TypeVar("Value", bound=Hashable)
_LEFT, _ABOVE, _PLACE, COLUMN = 4, 3, 2, 1
PLAIN = 6
"""The strength at which a single vote is enough to accept a value."""
_NEAR = 30
SEVERAL = say("There are several values where earlier bills had only one.")
ONE_GROUND = say("Compare it with the page: it is in its usual place or beside its usual words, but not both.")


class Vote(NamedTuple, Generic[Value]):
    """A possible value of a field, and the strength of the evidence for it.

    The value is at `place`, beside the same words as on earlier bills.
    """

    value: Value
    place: Place
    strength: int


def votes_of(
    taught: Taught, form: Form, spots: Sequence[Spot], value_of: Callable[[Spot], Value | None]
) -> list[Vote[Value]]:
    """Collect the values at the places where a field's value was on earlier bills.

    A value counts if the same words as before are beside it. If several values have these words, only those
    nearest to the former position get a vote.
    """
    fitting = [
        (spot, value)
        for spot in spots
        if (not taught.shape or shape_of(spot.text) == taught.shape) and (value := value_of(spot)) is not None
    ]
    return [vote for anchor in taught.anchors for vote in _votes_by(anchor, form, fitting)]


def _votes_by(anchor: Anchor, form: Form, fitting: Sequence[tuple[Spot, Value]]) -> Iterator[Vote[Value]]:
    best = max((_words(anchor, spot) for spot, _ in fitting), default=0)
    same = [(spot, value) for spot, value in fitting if _words(anchor, spot) == best]
    if not best:
        return
    if len({value for _, value in same}) == 1:
        there = max(_place(anchor, form, spot) for spot, _ in same)
        yield from (Vote(value, spot.place, best + there) for spot, value in same)
        return
    there = max(_place(anchor, form, spot) for spot, _ in same)
    for spot, value in same:
        if _place(anchor, form, spot) == there:
            yield Vote(value, spot.place, min(best + there, PLAIN - 1))


def _words(anchor: Anchor, spot: Spot) -> int:
    left = bool(anchor.left) and spot.left == anchor.left
    above = bool(anchor.above) and spot.above == anchor.above
    return _LEFT * left + _ABOVE * above


def _place(anchor: Anchor, form: Form, spot: Spot) -> int:
    x = spot.edge if form == "money" else spot.place.left
    in_column = spot.place.page == anchor.page and abs(x - anchor.x) <= _NEAR
    return COLUMN * in_column + _PLACE * (in_column and abs(spot.place.top - anchor.y) <= _NEAR)


def _plainest(votes: Sequence[Vote[Value]]) -> list[Vote[Value]]:
    """Return the votes that count: the certain votes, or all if no vote is certain."""
    return [vote for vote in votes if vote.strength >= PLAIN] or list(votes)


def _values(votes: Sequence[Vote[Value]]) -> list[Value]:
    """Return the distinct values of votes, starting with the best supported one."""
    strengths = added_up((vote.value, vote.strength) for vote in votes)
    return sorted(strengths, key=lambda value: -strengths[value])


def reading_of(votes: Sequence[Vote[Value]]) -> Reading[Value] | None:
    """Decide the reading of a field from the votes for its values.

    If some votes are certain, only these count; otherwise all do. If the votes that count are for several values,
    a person is asked. The result is None if there are no votes.
    """
    counting = _plainest(votes)
    if not counting:
        return None
    values, places = _values(counting), tuple(dict.fromkeys(vote.place for vote in counting))
    if len(values) > 1:
        return asked(SEVERAL, *values, places=places)
    is_plain = counting[0].strength >= PLAIN or len(places) > 1
    return found(values[0], *places) if is_plain else asked(ONE_GROUND, values[0], places=places)
