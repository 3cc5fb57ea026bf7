"""Errors of form fields: the API's messages, reworded for the dashboard."""

from prorata.domain.problems import FAR
from prorata.domain.texts import Text, say
from prorata.web.http.fields import A_COUNTRY, A_CURRENCY, A_DAY, A_MONTH, AN_EMAIL, NO_CONTROLS, ONE_OF

REQUIRED = "is required"
IN = Text("must be in {currency}")
A_NUMBER = Text("must be a number from {least} to {most}, such as {sample}")
A_WHOLE_NUMBER = Text("must be a whole number from {least} to {most}")
AN_AMOUNT = Text("must be an amount from {least} to {most}, such as {sample}")
TWO_WAYS = Text("reads two ways; write {one} or {other}")
TWO_WAYS_OR_FEWER = Text("reads two ways; write {one} if you mean that, or at most {places} decimals")
TWO_WAYS_OR_WHOLE = Text("reads two ways; write {one} if you mean that, or no decimals")
_DOES: dict[str, Text] = {
    REQUIRED: say("Please fill this in."),
    "must be text of {least} to {most} characters": say("Enter {least} to {most} characters."),
    "must be text of at most {most} characters": say("Enter at most {most} characters."),
    ONE_OF.form: say("Choose one from the list."),
    AN_EMAIL: say("Enter an e-mail address, such as name@example.com."),
    A_COUNTRY: say("Choose a country."),
    A_CURRENCY: say("Choose a currency from the list."),
    A_MONTH: say("Enter the month as YYYY-MM, such as 2026-03."),
    A_DAY: say("Enter the date as YYYY-MM-DD, such as 2026-03-31."),
    A_NUMBER.form: say("Enter a number from {least} to {most}, such as {sample}."),
    A_WHOLE_NUMBER.form: say("Enter a whole number from {least} to {most}."),
    AN_AMOUNT.form: say("Enter an amount from {least} to {most}, such as {sample}."),
    TWO_WAYS.form: say("This is ambiguous. Enter {one} or {other}."),
    TWO_WAYS_OR_FEWER.form: say("This is ambiguous. Enter {one} if you mean that, or use at most {places} decimals."),
    TWO_WAYS_OR_WHOLE.form: say("This is ambiguous. Enter {one} if you mean that, or use no decimals."),
    IN.form: say("Enter it in {currency}."),
    NO_CONTROLS: say("Remove any invisible characters, such as control characters."),
    FAR.form: say("Choose a date from {first} to {last}."),
    "must be ticked or not": say("Check the box, or leave it unchecked."),
}
"""The dashboard's texts for problems, by the API's text for the same problem."""


def in_a_persons_words(field: str, message: str) -> str:
    """Return the sentence that a form shows beside a field that has a problem.

    The sentence does not name the field, and tells the person what to do.

    >>> from prorata.domain.problems import unfit
    >>> in_a_persons_words(*unfit("zip", Text("must be text of {least} to {most} characters", least=1, most=20)))
    'Enter 1 to 20 characters.'
    >>> in_a_persons_words(*unfit("zip", REQUIRED))
    'Please fill this in.'
    """
    must = message.values.get("must") if isinstance(message, Text) else None
    if must is not None:
        form, values = (must.form, must.values) if isinstance(must, Text) else (must, {})
        if form in _DOES:
            return _DOES[form].format(**values)
    elif isinstance(message, Text):
        return message
    sentence = message.removeprefix(f"`{field}` ").removeprefix(f"{field} ")
    return sentence[:1].upper() + sentence[1:]
