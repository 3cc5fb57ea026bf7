"""The inbox address, its allowed senders, and the number of days that messages are kept."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from prorata.actions.inbound_mail import inbox_addresses
from prorata.actions.inbound_mail.inbox_addresses import MailRules
from prorata.domain.inbound_mail.inbox_addresses import read_allowed
from prorata.domain.limits import LONGEST_MAIL_ADDRESS, MOST_ALLOWED_SENDERS, MOST_KEEP_DAYS
from prorata.domain.mail_addresses import NotAnAddress
from prorata.domain.problems import Problem
from prorata.errors import InvalidRequest
from prorata.web.api.examples import INBOX_SENT
from prorata.web.http.fields import line
from prorata.web.http.operations import Call, operation
from prorata.web.http.request_schemas import Body, given
from prorata.web.http.response_schemas import Answer, Timestamp

_PATH = "/inbox-settings"
_SENDERS = "Addresses and domains whose mail is accepted automatically."
_KEEPS = "How many days a message is kept in its original form once it needs no further action; 0: forever."
_NO_SENDER = "A sender must be an e-mail address, or a domain such as example.com."
_COUNTS = "Whether a bill that resembles earlier ones counts automatically."


class InboxSettings(Answer):
    """The settings for bills that arrive by e-mail."""

    address: Annotated[
        str | None, Meta(description="The address to which bills are sent; null if Prorata receives no mail.")
    ]
    allowed_senders: Annotated[list[str], Meta(description=_SENDERS)]
    keep_days: Annotated[int, Meta(description=_KEEPS)]
    counts_known: Annotated[bool, Meta(description=_COUNTS)]
    updated_at: Timestamp


class InboxSettingsChange(Body):
    """The inbox settings to change."""

    allowed_senders: (
        Annotated[
            list[Annotated[str, line(LONGEST_MAIL_ADDRESS)]],
            Meta(max_length=MOST_ALLOWED_SENDERS, description=_SENDERS),
        ]
        | UnsetType
    ) = UNSET
    keep_days: Annotated[int, Meta(ge=0, le=MOST_KEEP_DAYS, description=_KEEPS)] | UnsetType = UNSET
    counts_known: Annotated[bool, Meta(description=_COUNTS)] | UnsetType = UNSET


def _read(call: Call[None, Any]) -> InboxSettings:
    row, maker = inbox_addresses.find(call.tx, call.caller), call.tools.inbox_address if call.tools else None
    return InboxSettings(
        address=maker(row.token) if maker else None,
        allowed_senders=row.allowed.split(),
        keep_days=row.keep_days,
        counts_known=bool(row.counts_known),
        updated_at=row.updated_at,
    )


def _is_sender(text: str) -> bool:
    with suppress(NotAnAddress):
        return bool(read_allowed(text))
    return False


def _refuse_others(senders: Sequence[str]) -> None:
    """Raise `InvalidRequest` if any sender is neither an e-mail address nor a domain.

    The problems name the position of each such sender in the list.
    """
    wrong = [at for at, sender in enumerate(senders) if not _is_sender(sender)]
    if wrong:
        raise InvalidRequest.because([Problem(f"allowedSenders[{at}]", _NO_SENDER) for at in wrong])


def _save(call: Call[None, InboxSettingsChange]) -> None:
    body, row = call.body, inbox_addresses.find(call.tx, call.caller)
    if (senders := given(body.allowed_senders)) is not None:
        _refuse_others(senders)
        inbox_addresses.set_allowed(call.tx, call.caller, "\n".join(senders))
    days, counts = given(body.keep_days), given(body.counts_known)
    keeps = row.keep_days if days is None else days
    rules = MailRules(keeps, bool(row.counts_known) if counts is None else counts)
    inbox_addresses.set_rules(call.tx, call.caller, rules)


@operation("GET", _PATH, summary="Read how bills come by e-mail", answer=InboxSettings, manages=True, is_one=True)
def read_inbox_settings(call: Call[None, None]) -> InboxSettings:
    """Read the inbox address, its allowed senders, and the other settings for incoming mail."""
    return _read(call)


@operation(
    "PATCH", _PATH, summary="Change how bills come by e-mail", body=InboxSettingsChange, answer=InboxSettings,
    manages=True, example=INBOX_SENT,
)  # fmt: skip
def change_inbox_settings(call: Call[None, InboxSettingsChange]) -> InboxSettings:
    """Change the settings for incoming mail.

    They are the allowed senders, the number of days that messages are kept, and the automatic confirmation of
    bills that resemble earlier ones.
    """
    _save(call)
    return _read(call)


@operation(
    "POST", _PATH + "/renew-address", summary="Make a new address for bills", answer=InboxSettings, status=200,
    manages=True,
)  # fmt: skip
def renew_inbox_address(call: Call[None, None]) -> InboxSettings:
    """Create a new inbox address; from now on, mail to the previous address is refused."""
    inbox_addresses.renew(call.tx, call.caller)
    return _read(call)
