"""Stored workbooks and e-mails that name a tenant, opened before the tenant is erased.

Opening a file that somebody sent may take long. No transaction is open meanwhile, so other writers don't wait and no
database timeout ends the erasure.
"""

from functools import partial
from hashlib import sha256
from operator import itemgetter
from typing import Final

from prorata.actions.limits import MOST_BYTES_SEARCHED_AT_ONCE
from prorata.actions.privacy import words_of_tenants
from prorata.domain.groups import in_portions
from prorata.domain.privacy.personal_words import PersonalWords
from prorata.domain.texts import say
from prorata.errors import Conflict
from prorata.ids import is_id
from prorata.ports.files import NamedFiles
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Database, Tx
from prorata.store.inbound_mail import incoming_mail
from prorata.store.privacy import incoming, shared_texts
from prorata.store.properties import units

UNREAD: Final = say("Incoming e-mail is still to be read. Try again in a minute.")


class ReadFiles:
    """The stored workbooks and e-mails of an account, searched for a person's names and addresses.

    Each of them is opened once.
    """

    def __init__(self, words: PersonalWords, named_files: NamedFiles) -> None:
        self.words = words
        self._named_files = named_files
        self._unchanged = set[bytes]()
        self._cut = dict[bytes, bytes | None]()
        self._mail = dict[str, bool | None]()

    def cut(self, workbook: bytes) -> bytes | None:
        """Return a workbook without the person's names and addresses, as `NamedFiles.cut` does.

        If the workbook was stored after the others were read, it is opened now.
        """
        digest = sha256(workbook).digest()
        if digest in self._unchanged:
            return workbook
        if digest not in self._cut:
            after = self._named_files.cut(workbook, self.words)
            if after == workbook:
                self._unchanged.add(digest)
                return workbook
            self._cut[digest] = after
        return self._cut[digest]

    def mail(self, tx: Tx, account_id: str) -> tuple[list[str], list[str]]:
        """List the ids of stored e-mails that name the person or can't be searched.

        The result is two lists, one for each case. Raises `Conflict` if an e-mail has arrived since the others were
        read.
        """
        if not self.words.searched:
            return [], []
        kept = [mail_id for mail_id, _ in incoming.kept(tx, account_id)]
        if not self._mail.keys() >= set(kept):
            raise Conflict(UNREAD)
        return [one for one in kept if self._mail[one]], [one for one in kept if self._mail[one] is None]

    def read(self, database: Database, account_id: str) -> None:
        """Open and search every stored workbook and e-mail of an account."""
        for place, key in database.read(lambda tx: shared_texts.workbooks(tx, account_id)):
            self.cut(database.read(partial(shared_texts.content, place=place, key=key)))
        kept = database.read(lambda tx: incoming.kept(tx, account_id))
        for portion in in_portions(kept, itemgetter(1), MOST_BYTES_SEARCHED_AT_ONCE):
            mail_ids = [mail_id for mail_id, _ in portion]
            contents = [
                database.read(partial(incoming_mail.content, account_id=account_id, mail_id=mail_id)) or b""
                for mail_id in mail_ids
            ]
            self._mail |= zip(mail_ids, self._named_files.naming(contents, self.words), strict=True)


def read_files(database: Database, caller: Caller, tenant_id: str, named_files: NamedFiles) -> ReadFiles:
    """Read all files that may name a tenant, before erasing the tenant.

    If the tenant does not exist or was erased before, no file is read.
    """

    def words_of(tx: Tx) -> PersonalWords:
        row = units.find_tenant_of_past(tx, caller.account_id, tenant_id) if is_id(tenant_id, "tenant") else None
        if row is None or words_of_tenants.was_erased(row):
            return PersonalWords()
        return words_of_tenants.unshared(tx, row)

    found = ReadFiles(database.read(words_of), named_files)
    if found.words.searched:
        found.read(database, caller.account_id)
    return found
