"""Tests of an operator's first commands: accounts, keys and the schema.

They also check the sentences if something can't be done.
"""

import stat
from pathlib import Path

import pytest

from prorata.cli import serving
from prorata.domain.accounts.api_keys import has_form
from prorata.settings import read_settings
from tests.cli.running import PASSWORD, SECRET, Command


def test_an_account_is_opened_and_listed_and_nobody_else_gets_its_address(command: Command) -> None:
    account = command.ok("account", "create", "--name", "A", "--email", "Ann@Example.com", "--password", PASSWORD)

    assert account.startswith("acct_")
    assert f"{account}  " in command.ok("account", "list")
    assert "ann@example.com" in command.ok("account", "list")
    again = command.refused("account", "create", "--name", "B", "--email", "ann@EXAMPLE.com", "--password", PASSWORD)
    assert again == "An account with this e-mail address already exists."


@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("jobs", "list"), ("check",), ("key", "frobnicate")]
)
def test_a_command_that_is_forked_for_the_tests_says_what_one_started_anew_says(
    on_sqlite: Command, arguments: tuple[str, ...]
) -> None:
    on_sqlite.account()

    assert repr(on_sqlite.run(*arguments)) == repr(on_sqlite.run_anew(*arguments))


def test_a_password_may_come_from_stdin_where_no_list_of_processes_shows_it(on_sqlite: Command) -> None:
    done = on_sqlite.run("account", "create", "--name", "A", "--email", "a@example.com", says="correct horse\n")

    assert (done.code, done.out[:5]) == (0, "acct_"), done


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--email", "nobody", "must be an e-mail address"),
        ("--password", "short", "Choose a password of 8 to 1,000 characters"),
        ("--password", "password1", "Choose another, such as four unrelated words"),
        ("--password", "a@example.com", "other than your e-mail address"),
        ("--timezone", "Mars/Phobos", "Choose a time zone"),
        ("--locale", "english", "Choose a language and a country"),
        ("--currency", "JPY", "with two decimal places"),
        ("--name", "  ", "Enter a name"),
    ],
)
def test_a_value_that_does_not_fit_an_option_is_bad_usage_that_names_it(
    on_sqlite: Command, option: str, value: str, sentence: str
) -> None:
    values = {"--name": "A", "--email": "a@example.com", "--password": PASSWORD} | {option: value}

    said = on_sqlite.refused("account", "create", *(word for pair in values.items() for word in pair), code=2)

    assert option in said
    assert sentence in said


def test_key_create_prints_the_key_and_nothing_else(command: Command) -> None:
    command.account()

    done = command.run("key", "create", "--account", "ann@example.com", "--name", "first", "--permission", "FULL")

    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\n")
    assert has_form(done.out.removesuffix("\n"))


def test_a_key_is_made_for_some_resources_and_listed_with_them(command: Command) -> None:
    account = command.account()
    make = ("key", "create", "--account", account, "--name", "books", "--permission")

    command.ok(*make, "FULL", "--scope", "invoices:read", "--scope", "bills:write")

    assert "(bills:write invoices:read)" in command.ok("key", "list", "--account", account)
    assert "such as invoices:read" in command.refused(*make, "FULL", "--scope", "bill:write")
    assert "can’t have write scopes" in command.refused(*make, "READ", "--scope", "bills:write")


def test_keys_are_listed_without_the_key_and_revoked_by_id_or_by_themselves(command: Command) -> None:
    account = command.account()
    one, other = command.key(), command.key(permission="READ")

    listed = command.ok("key", "list", "--account", account)
    command.ok("key", "revoke", "--account", account, one)
    command.ok("key", "revoke", "--account", account, listed.splitlines()[1].split()[0])

    assert one not in listed
    assert [line.split()[1:3] for line in listed.splitlines()] == [["FULL", f"…{one[-4:]}"], ["READ", f"…{other[-4:]}"]]
    assert command.ok("key", "list", "--account", account).count("revoked 20") == 2


def test_nobody_revokes_the_key_of_another_account(command: Command) -> None:
    command.account()
    key = command.key()
    stranger = command.account("stranger@example.com")

    assert "no API key" in command.refused("key", "revoke", "--account", stranger, key)
    said = command.refused("key", "list", "--account", "nobody@example.com")
    assert "There is no account with this owner's e-mail address." in said
    assert "There is no account with this id." in command.refused("key", "list", "--account", "acct_1")


def test_the_data_directory_is_made_for_its_owner_alone(on_sqlite: Command) -> None:
    on_sqlite.ok("account", "create", "--name", "A", "--email", "a@example.com", "--password", PASSWORD)
    on_sqlite.ok("key", "create", "--account", "a@example.com", "--name", "first", "--permission", "read")

    files = [on_sqlite.data, *on_sqlite.data.iterdir()]
    assert {"secret.key", "prorata.sqlite3"} <= {file.name for file in files}
    assert [file.name for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077] == []


def test_a_new_secret_beside_the_old_one_keeps_keys_working(on_sqlite: Command) -> None:
    on_sqlite.settings["PRORATA_SECRET_KEY"] = SECRET
    on_sqlite.account()
    key = on_sqlite.key()

    on_sqlite.settings |= {"PRORATA_SECRET_KEY": SECRET.upper()}
    assert "no API key" in on_sqlite.refused("key", "revoke", "--account", "ann@example.com", key)
    on_sqlite.settings |= {"PRORATA_SECRET_KEY_PREVIOUS": SECRET}
    assert "no longer works" in on_sqlite.ok("key", "revoke", "--account", "ann@example.com", key)


def test_postgresql_that_is_not_current_is_refused_until_db_upgrade_has_run(tmp_path, postgresql_url: str) -> None:
    command = Command(tmp_path / "here", PRORATA_DATABASE_URL=postgresql_url, PRORATA_SECRET_KEY=SECRET)

    for arguments in (("serve",), ("worker",), ("account", "list"), ("check",)):
        assert command.refused(*arguments).endswith("run: prorata db upgrade")
    assert command.ok("db", "upgrade") == "The database is up to date."
    assert command.ok("db", "upgrade") == "The database was already up to date."
    assert command.ok("account", "list") == ""


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PRORATA_DATABASE_URL": "mysql://x"}, "PRORATA_DATABASE_URL"),
        ({"PRORATA_DATABASE_URL": "postgresql://127.0.0.1/x?frob=1"}, "PRORATA_DATABASE_URL"),
        ({"PRORATA_DATABASE_URL": "postgresql://127.0.0.1:1/x"}, "database can’t be reached"),
        ({"PRORATA_RATE_LIMIT_PER_MINUTE": "many"}, "PRORATA_RATE_LIMIT_PER_MINUTE"),
        ({"PRORATA_REDIS_URL": "nowhere"}, "PRORATA_REDIS_URL"),
        ({"PRORATA_SECRET_KEY": "short"}, "PRORATA_SECRET_KEY"),
        ({"PRORATA_SECRET_KEY_PREVIOUS": "short"}, "PRORATA_SECRET_KEY_PREVIOUS"),
        ({"PRORATA_DATA_DIR": "/proc/nowhere"}, "/proc/nowhere"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_in_one_sentence(
    on_sqlite: Command, settings: dict[str, str], said: str
) -> None:
    on_sqlite.settings |= settings

    assert said in on_sqlite.refused("serve")


def test_postgresql_without_a_secret_is_refused_and_told_how_to_make_one(on_postgresql: Command) -> None:
    del on_postgresql.settings["PRORATA_SECRET_KEY"]

    assert on_postgresql.refused("serve").startswith("PRORATA_SECRET_KEY must be set when the database is PostgreSQL.")


def test_a_file_that_is_no_database_of_prorata_is_refused(on_sqlite: Command) -> None:
    on_sqlite.data.mkdir()
    (on_sqlite.data / "prorata.sqlite3").write_text("this is not a database, but it is long enough to look like a file")

    assert "something other than a Prorata database. Specify" in on_sqlite.refused("account", "list")


@pytest.mark.parametrize(
    "arguments", [("frobnicate",), ("serve", "--port", "x"), ("key", "create"), ("db", "restore", "no")]
)
def test_bad_usage_ends_with_2_and_says_where_help_is(on_sqlite: Command, arguments: tuple[str, ...]) -> None:
    assert on_sqlite.refused(*arguments, code=2).endswith("--help")


def test_what_nobody_expected_is_still_one_sentence(on_sqlite: Command) -> None:
    on_sqlite.data.mkdir()
    (on_sqlite.data / "prorata.sqlite3").mkdir()

    assert on_sqlite.refused("account", "list")


def test_a_log_level_that_there_is_not_is_refused_with_those_that_there_are(on_sqlite: Command) -> None:
    on_sqlite.settings["PRORATA_LOG_LEVEL"] = "loud"

    assert on_sqlite.refused("serve") == "PRORATA_LOG_LEVEL must be one of info, warning."


@pytest.mark.parametrize(("signup", "in_a_browser"), [("first", True), ("open", True), ("invite", False)])
def test_serve_leads_to_a_browser_only_where_one_can_open_an_account(
    migrated_sqlite_url: str, signup: str, in_a_browser: bool
) -> None:
    settings = read_settings({"PRORATA_DATABASE_URL": migrated_sqlite_url, "PRORATA_SIGNUP": signup}, Path("no.env"))
    said = serving._welcome(settings)
    assert "There is no account yet." in said
    assert ("in a browser" in said) == in_a_browser
    assert ("prorata account invite" in said) != in_a_browser
