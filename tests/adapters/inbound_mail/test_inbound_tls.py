"""Tests of receiving mail over TLS.

A receiver with a certificate offers TLS, and takes up a renewed certificate while it listens. It believes nothing that
was said before TLS began.
"""

import gc
import smtplib
import socket
import ssl
from contextlib import suppress
from pathlib import Path

import pytest

from prorata.adapters.inbound_mail.inbound_tls import ReceiverTls, receiver_tls
from prorata.adapters.inbound_mail.smtp_quota import Limits
from prorata.settings import SettingsError, read_settings
from tests.adapters.inbound_mail.test_mail_receiver import HERE, Taking
from tests.certificates import certificate
from tests.incoming import Talk, a_message, listening


def serial_of(port: int, authority: Path) -> object:
    """The serial number of the certificate that a receiver shows."""
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.starttls(context=ssl.create_default_context(cafile=str(authority)))
        shown = client.sock.getpeercert()  # type: ignore[union-attr]
        return shown["serialNumber"]


def test_mail_is_taken_in_tls_and_without(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    taking = Taking()
    with listening(taking, tls=ReceiverTls(cert, key)) as where:
        with smtplib.SMTP("127.0.0.1", where.port, timeout=60) as client:
            client.ehlo()
            assert client.has_extn("starttls")
            client.starttls(context=ssl.create_default_context(cafile=str(cert)))
            client.ehlo()
            assert (client.has_extn("starttls"), client.has_extn("auth")) == (False, False)
            client.sendmail("ann@example.org", [HERE], a_message(("bill.pdf", b"x" * 200_000)))
        with smtplib.SMTP("127.0.0.1", where.port, timeout=60) as client:
            client.sendmail("ann@example.org", [HERE], a_message())
    assert [way for *_, way in taking.taken] == ["smtp", "smtp"]


def test_without_a_certificate_no_tls_is_offered() -> None:
    with listening(Taking()) as where, smtplib.SMTP("127.0.0.1", where.port, timeout=60) as client:
        client.ehlo()
        assert not client.has_extn("starttls")


def test_what_was_said_before_tls_begins_is_forgotten(tmp_path: Path) -> None:
    """Otherwise an attacker could insert commands that seem to come over TLS (CVE-2011-0411)."""
    cert, key = certificate(tmp_path)
    with listening(Taking(), tls=ReceiverTls(cert, key)) as where:
        talk = Talk(where.port)
        talk.say("EHLO client")
        assert talk.say("STARTTLS\r\nMAIL FROM:<evil@example.org>").startswith("220")
        context = ssl.create_default_context(cafile=str(cert))
        with context.wrap_socket(talk._socket, server_hostname="127.0.0.1") as secure:
            secure.sendall(b"EHLO again\r\n")
            with secure.makefile("rb") as heard:  # while it is open, so is the socket
                while heard.readline().startswith(b"250-"):
                    pass
                secure.sendall(b"RCPT TO:<" + HERE.encode() + b">\r\n")
                assert heard.readline().startswith(b"503"), "MAIL FROM was forgotten"
        talk.close()


def test_a_receiver_that_stops_hangs_up_on_who_stays_in_tls_and_without(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    context = ssl.create_default_context(cafile=str(cert))
    with listening(Taking(), Limits(seconds_to_end=0.1), tls=ReceiverTls(cert, key)) as where:
        plain, talk = Talk(where.port), Talk(where.port)
        talk.say_all(["EHLO client", "STARTTLS"])
        secure = context.wrap_socket(talk._socket, server_hostname="127.0.0.1")
        secure.sendall(b"NOOP\r\n")
        assert secure.recv(100).startswith(b"250")
    gc.collect()  # what was left open would say so here
    for one in (plain._socket, secure):
        with suppress(OSError):
            assert one.recv(100) == b""
        one.close()
    plain.close()
    talk.close()


def test_who_speaks_no_tls_after_all_harms_nobody(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    taking = Taking()
    with listening(taking, tls=ReceiverTls(cert, key)) as where:
        for _ in range(12):  # more than a peer may have at once
            talk = Talk(where.port)
            talk.say_all(["EHLO client", "STARTTLS"])
            talk._socket.sendall(b"MAIL FROM:<a@example.org>\r\n")
            talk._socket.settimeout(90)
            with suppress(ConnectionResetError):
                while talk._socket.recv(4096):
                    pass
            talk.close()
        with socket.create_connection(("127.0.0.1", where.port), timeout=30) as plain:
            assert plain.recv(100).startswith(b"220")


def test_a_certificate_that_is_renewed_is_taken_up_and_a_broken_one_is_not(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    old = cert.read_text()
    with listening(Taking(), tls=ReceiverTls(cert, key)) as where:
        first = serial_of(where.port, cert)
        cert.write_text("no certificate")
        (tmp_path / "old.pem").write_text(old)
        assert serial_of(where.port, tmp_path / "old.pem") == first
        certificate(tmp_path)
        assert serial_of(where.port, cert) != first


def test_files_that_are_no_certificate_stop_serve_with_a_sentence(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    both = tmp_path / "both.pem"
    both.write_text(cert.read_text() + key.read_text())

    def made(**said: object) -> ReceiverTls | None:
        named = {f"PRORATA_INBOUND_TLS_{name.upper()}": str(value) for name, value in said.items()}
        return receiver_tls(read_settings(named, tmp_path / "no.env"))

    assert made() is None
    assert made(cert=both) is not None
    for said in ({"key": key}, {"cert": cert}, {"cert": tmp_path / "none"}, {"cert": key, "key": cert}):
        with pytest.raises(SettingsError, match=r"PRORATA_INBOUND_TLS_.*\."):
            made(**said)
