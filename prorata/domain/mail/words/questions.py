"""The words of messages that tell an account what a tenant asks, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class QuestionWords(NamedTuple):
    """What a language has to say about a question. Texts may hold `{name}`, `{number}`, `{place}` and `{month}`."""

    subject: str
    asks: str
    nobody: str
    """What a tenant is called who has no name."""
    reply: str
    no_reply: str
    see: str
    """On the button that leads to the invoice."""
    note: str


QUESTIONS: Mapping[str, QuestionWords] = MappingProxyType({
    "en": QuestionWords(
        subject="Question about invoice {number} ({place})",
        asks="{name} asks about invoice {number} of {month}:",
        nobody="The tenant",
        reply="Reply to this e-mail to answer {name}.",
        no_reply="There is no e-mail address of {name} to reply to: see the question for how to answer.",
        see="See the invoice, and note the question as answered",
        note="This e-mail was sent by Prorata. The question was asked on the page of the invoice, by whoever has its "
        "link.",
    ),
    "de": QuestionWords(
        subject="Frage zur Rechnung {number} ({place})",
        asks="{name} fragt zur Rechnung {number} für {month}:",
        nobody="Der Mieter",
        reply="Antworten Sie auf diese E-Mail, um {name} zu antworten.",
        no_reply="Von {name} ist keine E-Mail-Adresse bekannt: Wie geantwortet werden kann, sagt vielleicht die Frage.",
        see="Rechnung ansehen und die Frage als beantwortet vermerken",
        note="Diese E-Mail wurde von Prorata versendet. Gefragt wurde auf der Seite der Rechnung, von jemandem, der "
        "ihren Link hat.",
    ),
    "es": QuestionWords(
        subject="Pregunta sobre la factura {number} ({place})",
        asks="{name} pregunta sobre la factura {number} de {month}:",
        nobody="El inquilino",
        reply="Responda a este correo para contestar a {name}.",
        no_reply="No hay ninguna dirección de correo de {name} a la que responder: vea en la pregunta cómo contestar.",
        see="Ver la factura y marcar la pregunta como respondida",
        note="Este correo lo ha enviado Prorata. La pregunta se hizo en la página de la factura, por quien tiene su "
        "enlace.",
    ),
    "fr": QuestionWords(
        subject="Question sur la facture {number} ({place})",
        asks="{name} pose une question sur la facture {number} ({month})\u00a0:",
        nobody="Le locataire",
        reply="Répondez à cet e-mail pour répondre à {name}.",
        no_reply="Il n’y a pas d’adresse e-mail de {name} à laquelle répondre\u00a0: voyez dans la question comment le "
        "faire.",
        see="Voir la facture et noter que la question a reçu une réponse",
        note="Cet e-mail a été envoyé par Prorata. La question a été posée sur la page de la facture, par quelqu’un "
        "qui en a le lien.",
    ),
})  # fmt: skip
