"""The words of e-mails with a tenant's question and its reply, by language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class QuestionWords(NamedTuple):
    """The words of one language for e-mails about a question.

    The texts may contain `{name}`, `{number}`, `{place}`, `{month}` and `{biller}`.
    """

    subject: str
    asks: str
    nobody: str
    """The words that stand for the name of a tenant without a name."""
    reply: str
    no_reply: str
    see: str
    """The label of the button that leads to the invoice."""
    note: str
    about: str
    """The text above the charge that the question concerns."""
    subject_reply: str
    replies: str
    you_asked: str


QUESTIONS: Mapping[str, QuestionWords] = MappingProxyType({
    "en": QuestionWords(
        subject="Question about invoice {number} ({place})",
        asks="{name} asks about invoice {number} for {month}:",
        nobody="The tenant",
        reply="Reply to this e-mail to answer {name}.",
        no_reply="There is no e-mail address of {name} to reply to: see the question for how to answer.",
        see="See the invoice, and mark the question as answered",
        note="This e-mail was sent by Prorata. The question was asked on the page of the invoice, by whoever has its "
        "link.",
        about="It is about this charge:",
        subject_reply="Reply to your question about invoice {number}",
        replies="{biller} replies to your question about invoice {number} for {month}:",
        you_asked="You asked:",
    ),
    "de": QuestionWords(
        subject="Frage zur Rechnung {number} ({place})",
        asks="{name} fragt zur Rechnung {number} für {month}:",
        nobody="Der Mieter",
        reply="Antworten Sie auf diese E-Mail, um {name} zu antworten.",
        no_reply="Von {name} ist keine E-Mail-Adresse bekannt: Wie geantwortet werden kann, sagt vielleicht die Frage.",
        see="Rechnung ansehen und die Frage als beantwortet markieren",
        note="Diese E-Mail wurde von Prorata versendet. Gefragt wurde auf der Seite der Rechnung, von jemandem, der "
        "ihren Link hat.",
        about="Es geht um diesen Posten:",
        subject_reply="Antwort auf Ihre Frage zur Rechnung {number}",
        replies="{biller} antwortet auf Ihre Frage zur Rechnung {number} für {month}:",
        you_asked="Ihre Frage war:",
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
        about="Se trata de este cargo:",
        subject_reply="Respuesta a su pregunta sobre la factura {number}",
        replies="{biller} responde a su pregunta sobre la factura {number} de {month}:",
        you_asked="Usted preguntó:",
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
        about="Il s’agit de ce montant\u00a0:",
        subject_reply="Réponse à votre question sur la facture {number}",
        replies="{biller} répond à votre question sur la facture {number} ({month})\u00a0:",
        you_asked="Votre question était\u00a0:",
    ),
})  # fmt: skip
