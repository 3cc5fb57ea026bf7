import pytest

from prorata.adapters.inbound_mail.imap_url import INBOX, ImapFolder, read_imap_url
from prorata.adapters.mail.urls import MailServer
from prorata.settings import SettingsError, read_settings

SECRET = "s3cr3t"


def test_the_usual_forms_of_a_url_are_read():
    assert read_imap_url("imaps://ann:pw@mail.example.com") == ImapFolder(
        MailServer("mail.example.com", 993, implicit_tls=True, starttls=False, user="ann", password="pw"), INBOX
    )
    assert read_imap_url("imap://ann:pw@mail.example.com/") == ImapFolder(
        MailServer("mail.example.com", 143, implicit_tls=False, starttls=True, user="ann", password="pw"), INBOX
    )
    local = read_imap_url("imap://ann:pw@127.0.0.1:1143/In%2FBills%20of%20m%C3%A4rz")
    assert (local.server.host, local.server.port, local.server.starttls, local.folder) == (
        "127.0.0.1",
        1143,
        False,
        "In/Bills of märz",
    )
    assert read_imap_url("imap://ann:pw@localhost?tls=required").server.starttls
    assert read_imap_url("imaps://a%40example.com:%2F%3F%23%40@[::1]:9").server.password == "/?#@"


def test_a_file_of_authorities_must_be_there(tmp_path):
    file = tmp_path / "ca.pem"
    file.write_text("")
    assert read_imap_url(f"imaps://ann:pw@mail.example.com?ca={file}").server.ca_file == file
    with pytest.raises(SettingsError, match="does not exist"):
        read_imap_url(f"imaps://ann:pw@mail.example.com?ca={file}x")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (f"pop3://ann:{SECRET}@mail.example.com", "must start with imap:// or imaps://"),
        (f"ann:{SECRET}@mail.example.com", "must start with imap:// or imaps://"),
        ("imaps://mail.example.com", "a user and a password"),
        ("imaps://ann@mail.example.com", "a user and a password"),
        (f"imaps://:{SECRET}@mail.example.com", "a user and a password"),
        (f"imaps://ann:{SECRET}@", "must name a host"),
        (f"imaps://ann:{SECRET}@mail..example.com", "must name a host"),
        (f"imaps://ann:{SECRET}@300.1.1.1", "must name a host"),
        (f"imaps://ann:{SECRET}@[mail", "must be a URL"),
        (f"imaps://ann:{SECRET}@mail.example.com:0", "a port from 1 to 65535"),
        (f"imaps://ann:{SECRET}@mail.example.com:imap", "a port from 1 to 65535"),
        (f"imaps://ann:{SECRET}@mail.example.com?tls=no", "allows only"),
        (f"imaps://ann:{SECRET}@mail.example.com?folder=x", "allows only"),
        (f"imap://ann:{SECRET}@mail.example.com?tls=off", "without TLS"),
        (f"imaps://ann:{SECRET}@127.0.0.1?tls=off", "without TLS"),
        (f"imaps://ann:{SECRET}%0D%0Ax@mail.example.com", "control character"),
        (f"imaps://ann:pw@mail.example.com/In%00{SECRET}", "control character"),
        (f"imaps://ann:x/{SECRET}@mail.example.com", "PRORATA_IMAP_URL"),
        (f"imaps://ann:x#{SECRET}@mail.example.com", "PRORATA_IMAP_URL"),
    ],
)
def test_what_is_wrong_is_said_without_the_password(url, says):
    with pytest.raises(SettingsError, match=says) as refused:
        read_imap_url(url)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None


def test_the_password_stands_in_no_representation():
    url = f"imaps://ann:{SECRET}@mail.example.com"
    assert SECRET not in repr(read_imap_url(url))
    settings = read_settings({"PRORATA_IMAP_URL": url})
    assert settings.imap_url == url
    assert SECRET not in repr(settings)
