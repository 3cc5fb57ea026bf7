"""One received message with everything that the Inbox shows about it."""

from typing import NamedTuple

from prorata.actions.inbound_mail.parsed_mail import Brings, LeftOut, brings_in
from prorata.domain.files.grouped_problems import NotTaken, together
from prorata.domain.inbound_mail.inbox_addresses import DEALT_WITH, NOT_TAKEN, NOTHING
from prorata.store.inbound_mail.incoming_mail import BroughtDocument, IncomingMailRow


class ListedMail(NamedTuple):
    """A message in the Inbox, with its files and those parts that were not accepted.

    `is_kept` is set while the message is stored as received; later it is deleted (`retention`). A message that
    `is_too_large` was never completely fetched.
    """

    row: IncomingMailRow
    documents: list[BroughtDocument]
    left_out: list[LeftOut]
    is_kept: bool
    is_too_large: bool = False

    @property
    def may_be_read_again(self) -> bool:
        """True if reading the message again may yield files that were not accepted before."""
        return self.is_kept and self.row.about is None and self.row.state in (NOT_TAKEN, DEALT_WITH, NOTHING)

    @property
    def not_taken(self) -> tuple[NotTaken, ...]:
        """The parts of the message that were not accepted, grouped by reason."""
        return together((left_out.name, left_out.why) for left_out in self.left_out)

    @property
    def brings(self) -> list[Brings]:
        """The message's files; once the message neither waits nor is refused, only accepted ones."""
        return brings_in(self.row.brings)

    @property
    def deleted(self) -> list[str]:
        """The names of accepted files whose documents somebody has deleted since."""
        there = {document.id for document in self.documents}
        return [bring.name for bring in self.brings if bring.document and bring.document not in there]
