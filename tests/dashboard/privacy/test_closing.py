"""An installation whose last account was deleted stays closed until its operator opens it."""

from collections.abc import Iterator

import pytest

from prorata.actions.accounts import sign_up
from prorata.actions.accounts.one_time_links import Opening
from prorata.actions.privacy import closing
from prorata.actions.privacy.erasing import NothingOutside
from prorata.errors import Forbidden
from prorata.store.accounts import accounts
from prorata.store.audit.audit import Caller
from prorata.store.database.engine import Tx
from tests.dashboard.conftest import Office, build_office


@pytest.fixture
def office(migrated_url: str) -> Iterator[Office]:
    made = build_office(migrated_url)
    with made.live():
        yield made


def _close_all(tx: Tx) -> None:
    for row in accounts.everyone(tx):
        closing.close(tx, Caller(row.id, "test"), NothingOutside(), name=row.name)


def _opened(tx: Tx, how: str, invite: Opening | None = None) -> bool:
    row = sign_up.open(
        tx, recurs=(), how=how, name="Eve", account_name="Eve", email="eve@example.com", password_hash="x",
        timezone="UTC", locale="en-US", currency="USD", invite=invite, mail_leaves=False,
    )  # fmt: skip
    return row is not None


def test_nobody_opens_the_first_account_after_the_last_was_deleted(office: Office) -> None:
    database, invite = office.database, Opening("eve@example.com", "2030-01-01")
    database.write(_close_all)
    assert database.read(lambda tx: not accounts.everyone(tx) and not sign_up.is_first(tx, sign_up.FIRST))
    with pytest.raises(Forbidden, match="Sign-up is closed here"):
        database.write(lambda tx: _opened(tx, sign_up.FIRST))
    assert database.write(lambda tx: _opened(tx, sign_up.FIRST, invite))
