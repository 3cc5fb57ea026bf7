"""The description of a file's first upload, shown when somebody uploads the file again."""

from datetime import datetime
from zoneinfo import ZoneInfo

from prorata.actions.accounts import accounts
from prorata.actions.audit import activity
from prorata.actions.audit.activity import Looked
from prorata.domain.locale_forms import Forms
from prorata.domain.texts import Text, say
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx


def told(tx: Tx, caller: Caller, record_id: str, name: str, write: Forms, *, by_mail: bool = False) -> Text:
    """Describe when a file was first uploaded, and by whom.

    The time is in the account's time zone. `name` is the name under which the file is stored. If `by_mail` is
    true, the file came as an attachment of an e-mail, so no uploader is named.
    """
    first = activity.look(tx, caller, Looked(record_id, oldest_first=True), limit=1, before=None, write=write).events[0]
    at = datetime.fromisoformat(first.at).astimezone(ZoneInfo(accounts.the_account(tx, caller).timezone))
    when = {"name": name, "day": write.day(at.date()), "time": write.time(at.time())}
    if by_mail:
        return say("This file was already received by e-mail, as {name}, on {day} at {time}.", **when)
    return say("This file was already uploaded as {name} on {day} at {time}, by: {who}.", **when, who=first.actor_name)
