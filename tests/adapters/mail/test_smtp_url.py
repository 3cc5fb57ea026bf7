"""Tests of the settings for outgoing mail.

Sentences about wrong settings never contain the password.
"""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from prorata.adapters.mail.blocked_mailer import HeldMailer
from prorata.adapters.mail.mail_folder import FolderOutbox
from prorata.adapters.mail.smtp import SmtpMailer
from prorata.adapters.mail.smtp_url import ehlo_name, read_smtp_url, sender_address
from prorata.adapters.mail.urls import MailServer
from prorata.domain.limits import LONGEST_LOCAL_PART
from prorata.domain.mail_addresses import return_address
from prorata.settings import Settings, SettingsError, read_settings
from prorata.wiring import mailer

SECRET = "s3cret-Pass"


def settings(folder: Path, **values: str) -> Settings:
    return read_settings({"PRORATA_DATA_DIR": str(folder)} | values, folder / ".env")


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.com", MailServer("mail.example.com", 587, implicit_tls=False, starttls=True)),
        ("smtp://Mail.Example.com:25/", MailServer("mail.example.com", 25, implicit_tls=False, starttls=True)),
        ("smtps://bücher.example", MailServer("xn--bcher-kva.example", 465, implicit_tls=True, starttls=False)),
        ("smtp://relay:25?tls=off", MailServer("relay", 25, implicit_tls=False, starttls=False)),
        ("smtp://10.0.0.5:25?tls=off", MailServer("10.0.0.5", 25, implicit_tls=False, starttls=False)),
        ("smtp://127.0.0.1:1025", MailServer("127.0.0.1", 1025, implicit_tls=False, starttls=False)),
        ("smtp://[::1]:1025", MailServer("::1", 1025, implicit_tls=False, starttls=False)),
        ("smtp://localhost?tls=required", MailServer("localhost", 587, implicit_tls=False, starttls=True)),
        ("smtps://localhost", MailServer("localhost", 465, implicit_tls=True, starttls=False)),
        (
            "smtp://me%40example.com:p%3A%2F%3F%23%40%25%C3%BC@mail.example.com",
            MailServer(
                "mail.example.com", 587, implicit_tls=False, starttls=True, user="me@example.com", password="p:/?#@%ü"
            ),
        ),
        (
            "smtp://u:p@localhost:25",
            MailServer("localhost", 25, implicit_tls=False, starttls=False, user="u", password="p"),
        ),
    ],
)
def test_a_url_says_which_server_and_how(url: str, server: MailServer) -> None:
    assert read_smtp_url(url) == server


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"mail.example.com:{SECRET}", "start with smtp://"),
        (f"http://u:{SECRET}@mail.example.com", "start with smtp://"),
        (f"smtp://u:{SECRET}@", "name a host"),
        (f"smtp://u:{SECRET}@exa_mple.com", "name a host"),
        (f"smtp://u:{SECRET}@1..2", "name a host"),
        (f"smtp://u:{SECRET}@256.1.1.1", "name a host"),
        (f"smtp://u:{SECRET}@mail.example.com:0", "port"),
        (f"smtp://u:{SECRET}@mail.example.com:99999", "port"),
        (f"smtp://u:{SECRET}/x@mail.example.com", "%2F"),
        (f"smtp://u:{SECRET}#x@mail.example.com", "%23"),
        (f"smtp://u:{SECRET}@mail.example.com/path", "after the host"),
        (f"smtp://:{SECRET}@mail.example.com", "both a user and a password"),
        ("smtp://user@mail.example.com", "both a user and a password"),
        (f"smtp://u:{SECRET}%0d%0a@mail.example.com", "control character"),
        (f"smtp://u:{SECRET}@mail.example.com?tls=off", "must not be sent without TLS"),
        (f"smtp://u:{SECRET}@mail.example.com?tls=maybe", "tls=required"),
        (f"smtps://u:{SECRET}@mail.example.com?tls=off", "tls=required"),
        (f"smtp://u:{SECRET}@mail.example.com?verify=no", "allows only"),
        (f"smtp://u:{SECRET}@mail.example.com?ca=/nowhere/{SECRET}.pem", "does not exist"),
        (f"smtp://u:{SECRET}@[::1", "must be a URL"),
    ],
)
def test_what_is_wrong_with_a_url_is_said_and_the_password_is_not(url: str, says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_smtp_url(url)

    said = str(refused.value)
    assert said.startswith("PRORATA_SMTP_URL ")
    assert says in said
    assert SECRET not in said
    assert refused.value.__cause__ is None


def refusal_of(url: str) -> str | None:
    try:
        read_smtp_url(url)
    except SettingsError as refused:
        return str(refused)
    return None


@given(st.text(max_size=60))
def test_any_text_is_a_server_or_a_sentence(text: str) -> None:
    for url in (text, f"smtp://{text}", f"smtps://{text}@mail.example.com", f"smtp://mail.example.com?{text}"):
        said = refusal_of(url)
        assert said is None or said.startswith("PRORATA_SMTP_URL ")


def test_a_password_is_shown_nowhere(tmp_path: Path) -> None:
    made = settings(tmp_path, PRORATA_SMTP_URL=f"smtp://u:{SECRET}@mail.example.com")

    assert made.smtp_url is not None
    assert SECRET not in repr(made)
    assert SECRET not in repr(read_smtp_url(made.smtp_url))


def test_a_file_of_authorities_is_named_in_the_url(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()

    assert read_smtp_url(f"smtp://mail.example.com?ca={tmp_path}/ca.pem").ca_file == tmp_path / "ca.pem"


@pytest.mark.parametrize(
    ("values", "sender"),
    [
        ({"PRORATA_MAIL_FROM": "Bills@Example.com"}, "Bills@example.com"),
        ({"PRORATA_SMTP_URL": "smtp://me%40example.com:p@mail.example.com"}, "me@example.com"),
        (
            {"PRORATA_SMTP_URL": "smtp://me:p@mail.example.com", "PRORATA_BASE_URL": "https://b.example.com/x"},
            "no-reply@b.example.com",
        ),
        (
            {
                "PRORATA_SMTP_URL": f"smtp://{'u' * 33}%40example.com:p@mail.example.com",
                "PRORATA_BASE_URL": "https://b.example.com/x",
            },
            "no-reply@b.example.com",
        ),
        ({"PRORATA_BASE_URL": "https://10.0.0.1:8000"}, "no-reply@localhost"),
        (
            {"PRORATA_BASE_URL": "https://10.0.0.1:8000", "PRORATA_SMTP_URL": "smtp://localhost:1025"},
            "no-reply@localhost",
        ),
        ({"PRORATA_SMTP_URL": "smtp://mail.example.com"}, "no-reply@localhost"),  # and the mail is held
        ({}, "no-reply@localhost"),
    ],
)
def test_mail_comes_from_the_address_that_is_set_or_the_login_or_the_host(
    tmp_path: Path, values: dict[str, str], sender: str
) -> None:
    assert str(sender_address(settings(tmp_path, **values))) == sender


@pytest.mark.parametrize(
    "address", ["bills", "Bills <bills@example.com>", "bürö@example.com", "a@example.com, b@example.com"]
)
def test_a_sender_that_is_no_address_for_everyone_is_a_setting_to_mend(tmp_path: Path, address: str) -> None:
    with pytest.raises(SettingsError, match="PRORATA_MAIL_FROM must be"):
        mailer(settings(tmp_path, PRORATA_MAIL_FROM=address))


def test_a_sender_has_room_for_a_return_address_or_is_a_setting_to_mend(tmp_path: Path) -> None:
    token = f"mail_{'0' * 26}"
    longest = sender_address(settings(tmp_path, PRORATA_MAIL_FROM=f"{'a' * 32}@example.com"))

    assert len(return_address(str(longest), token).local_part) == LONGEST_LOCAL_PART
    for address in (f"{'a' * 33}@example.com", f"a@{'.'.join(['b' * 55] * 4)}"):
        with pytest.raises(SettingsError, match="PRORATA_MAIL_FROM must have at most 32 characters"):
            mailer(settings(tmp_path, PRORATA_MAIL_FROM=address))


@pytest.mark.parametrize("user", ["", "me:p@", "me%40localhost:p@"])
def test_mail_for_the_outside_does_not_come_from_localhost(tmp_path: Path, user: str) -> None:
    unnamed = {"PRORATA_SMTP_URL": f"smtp://{user}mail.example.com", "PRORATA_BASE_URL": "https://10.0.0.1:8000"}

    with pytest.raises(SettingsError, match="set PRORATA_MAIL_FROM"):
        mailer(settings(tmp_path, **unnamed))
    assert isinstance(mailer(settings(tmp_path, **unnamed, PRORATA_MAIL_FROM="bills@example.com")), SmtpMailer)


def test_without_a_server_messages_go_to_the_folder(tmp_path: Path) -> None:
    assert isinstance(mailer(settings(tmp_path)), FolderOutbox)


def test_while_the_base_url_is_a_loopback_address_nothing_goes_to_the_outside(tmp_path: Path) -> None:
    outside, inside = "smtp://mail.example.com", "smtp://127.0.0.1:1025"

    held = mailer(settings(tmp_path, PRORATA_SMTP_URL=outside))
    assert isinstance(held, HeldMailer)
    assert "PRORATA_BASE_URL" in (held.why_held or "")
    assert isinstance(mailer(settings(tmp_path, PRORATA_SMTP_URL=inside)), SmtpMailer)
    public = settings(tmp_path, PRORATA_SMTP_URL=outside, PRORATA_BASE_URL="https://bills.example.com")
    assert isinstance(mailer(public), SmtpMailer)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("bills.example.com", "bills.example.com"),
        ("127.0.0.1", "[127.0.0.1]"),
        ("::1", "[127.0.0.1]"),
        ("box", "[127.0.0.1]"),
    ],
)
def test_we_greet_with_our_public_name_or_an_address(host: str, name: str) -> None:
    assert ehlo_name(host) == name
