"""The split methods: one record for each, with everything that the program knows about it.

To add a method, add its code to `Method` and a record to `SPLIT_METHODS`; CONTRIBUTING.md has the whole recipe.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol, get_args

from prorata.domain.files.column_names import UNIT_COLUMNS, ColumnNames, looked_for
from prorata.domain.method_words import PERCENT, WEIGHT, Printed, shares
from prorata.domain.search_terms import folded
from prorata.domain.splitting.stays import UnitDays
from prorata.domain.texts import Text, say

Method = Literal["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS", "PERCENTAGE", "CUSTOM"]
Blendable = Literal["EQUAL", "SQFT", "OCCUPANTS", "BEDROOMS"]
"""The codes of methods that may be blended, for mypy and the API.

A test ensures that they equal the codes of the blendable records.
"""

EQUAL: Method = "EQUAL"
SQFT: Method = "SQFT"
OCCUPANTS: Method = "OCCUPANTS"
BEDROOMS: Method = "BEDROOMS"
PERCENTAGE: Method = "PERCENTAGE"
CUSTOM: Method = "CUSTOM"
_ONE = Fraction(1)


class Terms(Protocol):
    """The terms of a share rule that a split method may use."""

    @property
    def weights(self) -> Mapping[str, Fraction]:
        """The weights that a person entered, by unit id."""
        ...

    @property
    def vacant_occupants(self) -> Fraction:
        """The number of people assumed in a vacant unit."""
        ...


class Measured(NamedTuple):
    """A fact that a person enters for each unit: its noun, advice, and field.

    `field` is the unit's field that holds the fact. If it is empty, the fact is a weight, which is entered with the
    rule.
    """

    noun: Text
    advice: Text
    field: str = ""


class SplitMethod(NamedTuple):
    """A way to divide a bill line among units.

    `measure` is a function without side effects. It returns the unit's measure for each of its active days, or
    None if nobody has entered the measure. For a method that `counts_people`, the result is for all of a line's
    days together. `reason` states a unit's part of the whole and is stored with a charge. `reason_by_days` is used
    instead of `reason` if units were active on different numbers of days. `unknown` precedes the reason if the
    measure isn't known.
    """

    code: Method
    name: Text
    description: Text
    by: Text
    """The method as named within a sentence: "divided by floor area"."""
    measure: Callable[[UnitDays, Terms], Fraction | None]
    reason: Text
    reason_by_days: Text
    lacked: Text
    """The reason the owner bears a whole line if no unit has any weight."""
    printed: Mapping[str, Printed]
    """The words with which invoices explain the method, by language."""
    shares: Mapping[str, str]
    """A unit's part of the whole in a few words, by language."""
    unknown: Text | None = None
    measured: Measured | None = None
    may_blend: bool = False
    counts_people: bool = False
    """True if the method counts people by days.

    It then also counts the people whom a rule assumes in empty units.
    """
    of_hundred: bool = False
    """True if measures are parts of 100, of which the owner bears the rest."""

    def part_of(self, part: str, whole: str) -> str:
        """State a unit's part of the whole in English, as stored with a charge.

        >>> SPLIT_METHODS["SQFT"].part_of("850", "1,470")
        '850 of 1,470 sq ft'
        """
        return self.reason.form.format(part=part, whole=whole)

    @property
    def is_weighted(self) -> bool:
        """True if the method divides by weights that are entered with the rule."""
        return self.measured is not None and not self.measured.field


def _person_days(unit: UnitDays, terms: Terms) -> Fraction:
    return unit.person_days + terms.vacant_occupants * unit.empty


def _bedrooms(unit: UnitDays, _terms: Terms) -> Fraction | None:
    return None if unit.bedrooms is None else Fraction(unit.bedrooms)


def _given(unit: UnitDays, terms: Terms) -> Fraction | None:
    return terms.weights.get(unit.unit_id)


_RECORDS = (
    SplitMethod(
        code=EQUAL,
        name=say("Equal"),
        description=say("Every unit pays the same."),
        by=say("equally"),
        measure=lambda _unit, _terms: _ONE,
        reason=say("{part} of {whole} units"),
        reason_by_days=say("{part} of {whole} unit-days"),
        lacked=say("there is no unit"),
        printed={
            "en": Printed("Divided equally: this unit pays {part} of {whole} equal shares."),
            "de": Printed("Zu gleichen Teilen verteilt: Auf diese Einheit entfällt {part} von {whole} Anteilen."),
            "es": Printed("Reparto a partes iguales: a esta unidad le corresponde {part} de {whole} partes."),
            "fr": Printed("Réparti à parts égales\u00a0: ce logement paie {part} part sur {whole}."),
        },
        shares=shares("equal shares", "gleichen Anteilen", "partes iguales", "parts égales"),
        may_blend=True,
    ),
    SplitMethod(
        code=SQFT,
        name=say("By floor area"),
        description=say("Each unit pays by its share of the total floor area."),
        by=say("by floor area"),
        measure=lambda unit, _terms: unit.sqft,
        reason=say("{part} of {whole} sq ft"),
        reason_by_days=say("{part} of {whole} sq ft-days"),
        lacked=say("no unit has a floor area"),
        printed={
            "en": Printed(
                "Divided by floor area: this unit has {part} of the property’s {whole} {area}.",
                "The floor area of this unit is not entered, so it counts as 0.",
            ),
            "de": Printed(
                "Nach Fläche verteilt: Diese Einheit hat {part} von insgesamt {whole} {area}.",
                "Die Fläche dieser Einheit ist nicht erfasst und zählt daher als 0.",
            ),
            "es": Printed(
                "Reparto por superficie: esta unidad tiene {part} de los {whole} {area} del inmueble.",
                "La superficie de esta unidad no está registrada y cuenta como 0.",
            ),
            "fr": Printed(
                "Réparti selon la surface\u00a0: ce logement a {part} des {whole} {area} de l’immeuble.",
                "La surface de ce logement n’est pas saisie et compte pour 0.",
            ),
        },
        shares=shares("{area}", "{area}", "{area}", "{area}"),
        unknown=say("square feet not entered"),
        measured=Measured(say("floor area"), say("Enter the missing floor areas."), "sqft"),
        may_blend=True,
    ),
    SplitMethod(
        code=OCCUPANTS,
        name=say("By occupants"),
        description=say("Each unit pays by the people who lived there, and by the days that they were there."),
        by=say("by occupants"),
        measure=_person_days,
        reason=say("{part} of {whole} person-days"),
        reason_by_days=say("{part} of {whole} person-days"),
        lacked=say("nobody lived in any unit"),
        printed={
            "en": Printed(
                "Divided by people × days: this unit has {part}, all units together {whole}.",
                left_out="Vacant units don’t count: the others pay their part.",
            ),
            "de": Printed(
                "Nach Personen × Tagen verteilt: Diese Einheit hat {part}, alle zusammen {whole}.",
                left_out="Leerstehende zählen nicht; ihren Teil zahlen die anderen.",
            ),
            "es": Printed(
                "Reparto por personas × días: esta unidad tiene {part}; todas juntas, {whole}.",
                left_out="Las vacías no cuentan: su parte la pagan las demás.",
            ),
            "fr": Printed(
                "Réparti selon personnes × jours\u00a0: ce logement a {part}, tous ensemble {whole}.",
                left_out="Les vacants ne comptent pas\u00a0: les autres paient leur part.",
            ),
        },
        shares=shares("people × days", "Personen × Tagen", "personas × días", "personnes × jours"),
        may_blend=True,
        counts_people=True,
    ),
    SplitMethod(
        code=BEDROOMS,
        name=say("By bedrooms"),
        description=say("Each unit pays by its bedrooms; a studio has none."),
        by=say("by bedrooms"),
        measure=_bedrooms,
        reason=say("{part} of {whole} bedrooms"),
        reason_by_days=say("{part} of {whole} bedroom-days"),
        lacked=say("no unit has bedrooms"),
        printed={
            "en": Printed(
                "Divided by bedrooms: this unit has {part} of the property’s {whole}.",
                "The bedrooms of this unit are not entered, so they count as 0.",
            ),
            "de": Printed(
                "Nach Schlafzimmern verteilt: Diese Einheit hat {part} von insgesamt {whole}.",
                "Die Schlafzimmer dieser Einheit sind nicht erfasst und zählen daher als 0.",
            ),
            "es": Printed(
                "Reparto por dormitorios: esta unidad tiene {part} de los {whole} del inmueble.",
                "Los dormitorios de esta unidad no están registrados y cuentan como 0.",
            ),
            "fr": Printed(
                "Réparti selon les chambres\u00a0: ce logement a {part} des {whole} de l’immeuble.",
                "Les chambres de ce logement ne sont pas saisies et comptent pour 0.",
            ),
        },
        shares=shares("bedrooms", "Schlafzimmern", "dormitorios", "chambres"),
        unknown=say("bedrooms not entered"),
        measured=Measured(say("bedrooms"), say("Enter the missing bedrooms, 0 for a studio."), "bedrooms"),
        may_blend=True,
    ),
    SplitMethod(
        code=PERCENTAGE,
        name=say("By percentage"),
        description=say("Each unit pays its percentage; the owner pays what is left of 100."),
        by=say("by percentage"),
        measure=_given,
        reason=say("{part}% of this amount"),
        reason_by_days=say("{part}% of this amount"),
        lacked=say("no unit has a percentage"),
        printed={
            "en": Printed(
                "Divided by percentages: this unit pays {part}.",
                "No percentage is entered for this unit, so it pays nothing.",
            ),
            "de": Printed(
                "Nach Prozenten verteilt: Diese Einheit trägt {part}.",
                "Für diese Einheit ist kein Prozentsatz erfasst; sie trägt nichts.",
            ),
            "es": Printed(
                "Reparto por porcentajes: esta unidad paga {part}.",
                "Esta unidad no tiene porcentaje registrado y no paga nada.",
            ),
            "fr": Printed(
                "Réparti selon des pourcentages\u00a0: ce logement paie {part}.",
                "Aucun pourcentage n’est saisi pour ce logement\u00a0; il ne paie rien.",
            ),
        },
        shares=PERCENT,
        unknown=say("no percentage given"),
        measured=Measured(say("percentage"), say("Enter the missing percentages in the rule.")),
        of_hundred=True,
    ),
    SplitMethod(
        code=CUSTOM,
        name=say("By custom weights"),
        description=say("Each unit pays by its weight; only the proportions count."),
        by=say("by custom weights"),
        measure=_given,
        reason=say("weight {part} of {whole}"),
        reason_by_days=say("weight {part} of {whole} weight-days"),
        lacked=say("no unit has a weight"),
        printed={
            "en": Printed(
                "Divided by weights that the owner gave to the units: this unit’s weight is {part} of {whole} in all.",
                "No weight is entered for this unit, so it counts as 0.",
            ),
            "de": Printed(
                "Nach Gewichten verteilt, die der Eigentümer den Einheiten gegeben hat: Diese Einheit hat das "
                "Gewicht {part} von {whole}.",
                "Für diese Einheit ist kein Gewicht erfasst; sie zählt daher als 0.",
            ),
            "es": Printed(
                "Reparto por coeficientes que el propietario asignó a las unidades: esta unidad cuenta {part} de "
                "{whole}.",
                "Esta unidad no tiene coeficiente registrado y cuenta como 0.",
            ),
            "fr": Printed(
                "Réparti selon des coefficients donnés aux logements par le propriétaire\u00a0: ce logement compte "
                "pour {part} sur {whole}.",
                "Aucun coefficient n’est saisi pour ce logement\u00a0; il compte pour 0.",
            ),
        },
        shares=WEIGHT,
        unknown=say("no weight given"),
        measured=Measured(say("weight"), say("Enter the missing weights in the rule.")),
    ),
)

SPLIT_METHODS: Mapping[str, SplitMethod] = {method.code: method for method in _RECORDS}
"""Every split method by its code, in the order in which methods are offered."""
METHODS: tuple[str, ...] = tuple(SPLIT_METHODS)
BLENDABLE: tuple[str, ...] = tuple(method.code for method in _RECORDS if method.may_blend)
"""The methods that a blend may combine."""
WEIGHTED: tuple[str, ...] = tuple(method.code for method in _RECORDS if method.is_weighted)
"""The methods that need weights from a person.

The others divide by the units' known facts.
"""
UNWEIGHTED: tuple[str, ...] = tuple(method.code for method in _RECORDS if not method.is_weighted)
_OF_UNITS = ColumnNames(UNIT_COLUMNS)
_BY_FIELD: Mapping[str, Method] = {"sqft": SQFT, "occupants": OCCUPANTS, "bedrooms": BEDROOMS}
_WORDS: Mapping[Method, str] = {
    EQUAL: "equal equally even evenly unit units gleich gleichmassig gleichenteilen einheit einheiten wohneinheit "
    "wohneinheiten wohnung wohnungen igual iguales partesiguales unidad unidades vivienda partsegales logement",
    OCCUPANTS: "person head heads personentagen bewohnern kopf kopfen ocupante occupant",
    BEDROOMS: "schlafzimmern",
    PERCENTAGE: "percentage percentages percent prozent prozente prozenten prozentsatz porcentaje porcentajes "
    "pourcentage pourcentages",
    CUSTOM: "weight weights customweights gewicht gewichte gewichten eigenengewichten coeficiente coeficientes "
    "coeficientespropios coefficient coefficients",
}
_METHOD_OF: Mapping[str, Method] = {word: method for method, words in _WORDS.items() for word in words.split()}
_BEFORE_METHODS = frozenset(["by", "per", "pro", "je", "nach", "zu", "por", "par", "selon", "a", "divided", "split"])
"""Words before the name of a split method that don't change its meaning.

Examples are the first words of "by floor area", "nach Fläche" and "à parts égales".
"""
_AROUND_PARTS = _BEFORE_METHODS.union(
    ["and", "und", "y", "e", "et", "of", "the", "von", "der", "de", "la", "las", "los", "du", "des", "les"]
)
_PERCENT = re.compile(r"([0-9]{1,3}(?:[.,][0-9]{1,9})?)\s?%")
_WORD = re.compile(r"\w+")


def printed(language: str) -> Mapping[str, Printed]:
    """Return the words of invoices in one language, by method."""
    return {
        method.code: method.printed[language]._replace(share=method.shares[language])
        for method in _RECORDS
        if language in method.printed
    }


def method_named(text: str) -> Method | None:
    """Find the built-in split method that a text names, in any language of the pages.

    >>> [method_named(text) for text in ("By floor area", "nach Personen", "À parts égales", "SQFT", "by meter")]
    ['SQFT', 'OCCUPANTS', 'EQUAL', 'SQFT', None]
    """
    words = folded(text).split()
    while len(words) > 1 and words[0] in _BEFORE_METHODS:
        del words[0]
    name = " ".join(words)
    by_code: dict[str, Method] = {code: code for code in get_args(Method)}
    return by_code.get(name.upper()) or _METHOD_OF.get(looked_for(name)) or _BY_FIELD.get(_OF_UNITS.field(name) or "")


def parts_named(text: str) -> frozenset[tuple[Method, Fraction]]:
    """Find the parts of a blend that a text names; empty if it names none.

    The percentages stand before the parts, or behind them.

    >>> sorted(parts_named("50 % nach Fläche / 50 % Personen"))
    [('OCCUPANTS', Fraction(50, 1)), ('SQFT', Fraction(50, 1))]
    >>> parts_named("Area 50%, people 50%") == parts_named("50% area – 50% people") == parts_named("50% m² 50% Kopf")
    True
    >>> parts_named("50% of area + 50% of people") == parts_named("50% von der Fläche, 50% der Personen")
    True
    >>> parts_named("50% número de personas y 50% de la superficie") == parts_named("50% area, 50% people")
    True
    >>> parts_named("50% area"), parts_named("50% area and 50% luck")
    (frozenset(), frozenset())
    """
    pieces = _PERCENT.split(text)
    percents, between = pieces[1::2], pieces[::2]
    names = [_without_words_around(_WORD.findall(folded(one))) for one in between]
    rest = names.pop() if names[0] else names.pop(0)
    found = [(method_named(name), percent.replace(",", ".")) for name, percent in zip(names, percents, strict=True)]
    parts = frozenset((method, Fraction(percent)) for method, percent in found if method and method in BLENDABLE)
    return parts if 1 < len(parts) == len(found) and not rest else frozenset()


def _without_words_around(words: list[str]) -> str:
    ends = [place for place, word in enumerate(words) if word not in _AROUND_PARTS]
    return " ".join(words[ends[0] : ends[-1] + 1]) if ends else ""
