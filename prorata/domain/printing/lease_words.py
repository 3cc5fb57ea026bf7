"""The words of the lease page, in addition to those of invoices, in each language.

Money, days, months and numbers are already formatted.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class LeaseWords(NamedTuple):
    """The words of the lease page in one language.

    `asked` is a section, and `rest` are several sections. A section is a pair of a heading and sentences.
    """

    title: str
    as_of: str
    intro: str
    how: str
    off: str
    since: str
    always: str
    before: str
    later: str
    common: str
    common_percent: str
    common_none: str
    common_rest: str
    """The sentence for percentages below 100 in total: the owner bears the rest."""
    empty: str
    empty_owners: str
    empty_people: str
    empty_nobody: str
    bills: str
    bills_average: str
    bills_one: str
    bills_none: str
    example_unit: str
    example_people: str
    rest: tuple[tuple[str, tuple[str, ...]], ...]
    asked: tuple[str, tuple[str, ...]]


LEASE_WORDS: Mapping[str, LeaseWords] = MappingProxyType(
    {
        "en": LeaseWords(
            title="How utilities are divided",
            as_of="As of {day}",
            intro="By these rules {biller} divides the utility bills of {property}. Each bill is divided by the rule "
            "of its billing month.",
            how="How",
            off="Not divided: the owner pays it",
            since="Since",
            always="The first bill",
            before="Before",
            later="From {month}",
            common="Common areas",
            common_percent="The owner pays {percent} of each bill first",
            common_none="Nothing comes off first",
            common_rest="The owner pays whatever the units’ percentages leave of 100%",
            empty="Empty units",
            empty_owners="The owner pays their part",
            empty_people="They count as {people} each, and the owner pays that part",
            empty_nobody="They don’t count: all is divided among the people who are there",
            bills="Bills of the last 12 months",
            bills_average="{number}, {amount} on average",
            bills_one="One, of {amount}",
            bills_none="None, and so there is no example",
            example_unit="Example: an average bill, unit {unit}",
            example_people="Example: an average bill, a household of {people}",
            rest=(
                (
                    "Moving in or out",
                    (
                        "Whoever moves in or out pays for the days of living there; the first and the last count.",
                        "The days of each bill’s service period count; without one, those of its billing month.",
                        "On a day on which one household moves out and another in, it counts for both.",
                    ),
                ),
                (
                    "What is not divided",
                    (
                        "Late fees, balances of earlier bills and deposits on a bill are the owner’s.",
                        "The shares of all units and the owner’s part add up exactly to the bill.",
                    ),
                ),
            ),
            asked=(
                "Questions, or something wrong?",
                (
                    "Every invoice names the bill, and shows how your part was worked out.",
                    "Ask {contact}.",
                    "Give the invoice number, and say which charge you question and why.",
                    "You can dispute a charge on the invoice’s page online: how much of it and why, with photos.",
                    "An answer is due within {days} days. Until the dispute ends you are not reminded of that amount.",
                ),
            ),
        ),
        "de": LeaseWords(
            title="So werden die Nebenkosten verteilt",
            as_of="Stand: {day}",
            intro="Nach diesen Regeln verteilt {biller} die Nebenkosten von {property}. Jede Rechnung wird nach der "
            "Regel ihres Abrechnungsmonats verteilt.",
            how="Verteilung",
            off="Wird nicht verteilt: Der Eigentümer trägt sie",
            since="Gilt ab",
            always="erster Rechnung",
            before="Davor",
            later="Ab {month}",
            common="Gemeinschaftsflächen",
            common_percent="Der Eigentümer trägt zuerst {percent} jeder Rechnung",
            common_none="Der Eigentümer trägt vorab nichts",
            common_rest="Ergeben die Prozente der Einheiten keine 100 %, zahlt der Eigentümer den Rest",
            empty="Leerstehende Einheiten",
            empty_owners="Ihren Teil trägt der Eigentümer",
            empty_people="Sie zählen je wie {people}; diesen Teil trägt der Eigentümer",
            empty_nobody="Sie zählen nicht: Verteilt wird auf die Personen, die da sind",
            bills="Rechnungen der letzten 12 Monate",
            bills_average="{number}, im Mittel {amount}",
            bills_one="Eine über {amount}",
            bills_none="Keine, daher gibt es kein Beispiel",
            example_unit="Beispiel: eine durchschnittliche Rechnung, Einheit {unit}",
            example_people="Beispiel: eine durchschnittliche Rechnung, ein Haushalt mit {people}",
            rest=(
                (
                    "Einzug und Auszug",
                    (
                        "Wer ein- oder auszieht, zahlt für die Tage dort; der erste und der letzte zählen mit.",
                        "Es zählen die Tage im Leistungszeitraum der Rechnung; fehlt er, die ihres Abrechnungsmonats.",
                        "Zieht am selben Tag ein Haushalt aus und ein anderer ein, zählt dieser Tag für beide.",
                    ),
                ),
                (
                    "Was nicht verteilt wird",
                    (
                        "Mahngebühren, frühere Beträge und Kautionen einer Rechnung trägt der Eigentümer.",
                        "Die Anteile aller Einheiten und der des Eigentümers ergeben genau die Rechnung.",
                    ),
                ),
            ),
            asked=(
                "Fragen, oder stimmt etwas nicht?",
                (
                    "Jede Ihrer Abrechnungen nennt die Rechnung des Versorgers und zeigt, wie sich Ihr Anteil ergibt.",
                    "Wenden Sie sich an {contact}.",
                    "Nennen Sie die Rechnungsnummer und sagen Sie, welche Kosten Sie bezweifeln und warum.",
                    "Beanstanden können Sie einen Posten auf der Seite der Rechnung, mit Betrag, Grund und Fotos.",
                    "Eine Antwort ist binnen {days} Tagen fällig; bis zum Abschluss wird der Betrag nicht angemahnt.",
                ),
            ),
        ),
        "es": LeaseWords(
            title="Cómo se reparten los suministros",
            as_of="A fecha de {day}",
            intro="Según estas reglas, {biller} reparte los recibos de suministros de {property}. Cada recibo se "
            "reparte según la regla de su mes facturado.",
            how="Reparto",
            off="No se reparte: lo paga el propietario",
            since="Desde",
            always="El primer recibo",
            before="Antes",
            later="A partir de {month}",
            common="Zonas comunes",
            common_percent="El propietario paga primero el {percent} de cada recibo",
            common_none="No se descuenta nada antes",
            common_rest="Si los porcentajes de las unidades no suman el 100 %, el propietario paga el resto",
            empty="Unidades vacías",
            empty_owners="Su parte la paga el propietario",
            empty_people="Cada una cuenta como {people}, y esa parte la paga el propietario",
            empty_nobody="No cuentan: se reparte entre las personas que están",
            bills="Recibos de los últimos 12 meses",
            bills_average="{number}, de {amount} por término medio",
            bills_one="Uno, de {amount}",
            bills_none="Ninguno; por eso no hay ejemplo",
            example_unit="Ejemplo: un recibo medio, unidad {unit}",
            example_people="Ejemplo: un recibo medio, un hogar de {people}",
            rest=(
                (
                    "Entrada y salida",
                    (
                        "Quien entra o sale paga por los días en que vive allí; cuentan el primero y el último.",
                        "Cuentan los días del período de servicio de cada recibo; sin él, los de su mes facturado.",
                        "El día en que un hogar sale y otro entra cuenta para ambos.",
                    ),
                ),
                (
                    "Lo que no se reparte",
                    (
                        "Los recargos, los saldos anteriores y los depósitos de un recibo los paga el propietario.",
                        "Las partes de todas las unidades y la del propietario suman el recibo, al céntimo.",
                    ),
                ),
            ),
            asked=(
                "¿Preguntas, o hay algún error?",
                (
                    "Cada factura indica el recibo y muestra cómo se calculó su parte.",
                    "Diríjase a {contact}.",
                    "Indique el número de factura, qué cargo cuestiona y por qué.",
                    "Puede reclamar un cargo en la página en línea de la factura: cuánto y por qué, con fotos o PDF.",
                    "La respuesta debe darse en {days} días; hasta el cierre no se le recordará ese importe.",
                ),
            ),
        ),
        "fr": LeaseWords(
            title="Comment les charges sont réparties",
            as_of="Au {day}",
            intro="Selon ces règles, {biller} répartit les factures d’énergie et de services de {property}. Chaque "
            "facture est répartie selon la règle de son mois facturé.",
            how="Répartition",
            off="Non répartie\u00a0: à la charge du propriétaire",
            since="Depuis",
            always="La première facture",
            before="Avant",
            later="À partir de {month}",
            common="Parties communes",
            common_percent="Le propriétaire paie d’abord {percent} de chaque facture",
            common_none="Rien n’est déduit d’abord",
            common_rest="Si les pourcentages des logements ne font pas 100\u00a0%, le propriétaire paie le reste",
            empty="Logements vides",
            empty_owners="Leur part est à la charge du propriétaire",
            empty_people="Chacun compte pour {people}\u00a0; cette part est à la charge du propriétaire",
            empty_nobody="Ils ne comptent pas\u00a0: la répartition se fait entre les personnes présentes",
            bills="Factures des 12 derniers mois",
            bills_average="{number}, de {amount} en moyenne",
            bills_one="Une, de {amount}",
            bills_none="Aucune, il n’y a donc pas d’exemple",
            example_unit="Exemple\u00a0: une facture moyenne, logement {unit}",
            example_people="Exemple\u00a0: une facture moyenne, un foyer de {people}",
            rest=(
                (
                    "Emménagement et départ",
                    (
                        "Qui emménage ou part paie pour ses jours ici\u00a0; le premier et le dernier comptent.",
                        "Ce sont les jours de la période de service de la facture ou, à défaut, de son mois facturé.",
                        "Un jour où un foyer part et un autre arrive compte pour les deux.",
                    ),
                ),
                (
                    "Ce qui n’est pas réparti",
                    (
                        "Frais de retard, soldes précédents et dépôts d’une facture sont à la charge du propriétaire.",
                        "Les parts de tous les logements et celle du propriétaire font la facture, au centime près.",
                    ),
                ),
            ),
            asked=(
                "Une question, une erreur\u00a0?",
                (
                    "Chaque facture nomme celle du fournisseur et montre comment votre part est calculée.",
                    "Adressez-vous à {contact}.",
                    "Indiquez le numéro de facture, la charge que vous contestez et pourquoi.",
                    "Un montant se conteste en ligne, sur la page de la facture\u00a0: combien, pourquoi, avec photos.",
                    "Une réponse est due sous {days} jours\u00a0; jusque-là, cette somme ne vous est pas rappelée.",
                ),
            ),
        ),
    }
)
