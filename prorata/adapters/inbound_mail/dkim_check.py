"""A check for a DKIM signature of the sender's domain (RFC 6376, 8301, 8463).

Results of earlier checks that the message states, in Authentication-Results or elsewhere, are not read, because
anyone can write them. A signature counts only if

- there is one From with one address, and the signature covers it;
- no other field that says how the message is to be read occurs twice, because the signature might cover one of
  the two, and a mail program might use the other;
- it is aligned: the domain of the From address is the signing domain or a subdomain of it, and the signing domain
  has at least two labels;
- it covers the whole body (no `l=`), has not expired and was not made in the future;
- it covers the fields that say how the body is to be read, or the body can be read in one way only. Many signatures
  do not cover these fields, and a different Content-Type could turn a quoted text into a file
  (`domain.inbound_mail.mime_ambiguity`);
- its algorithm is rsa-sha256 with a key of 1024 to 4096 bits, or ed25519-sha256, and the domain does not merely
  test DKIM.

The check is our own code, because the usual library uses the system's clock, needs time that grows with the square
of a field's white space, accepts rsa-sha1, and computes with RSA keys and exponents of any size.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from typing import NamedTuple, Protocol

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from prorata.adapters.inbound_mail.dkim_bodies import body_hash
from prorata.adapters.limits import (
    LARGEST_DKIM_EXPONENT,
    LEAST_DKIM_KEY_BITS,
    LONGEST_DKIM_RECORD,
    MOST_DKIM_KEY_BITS,
    MOST_SIGNATURES,
    MOST_SIGNED_FIELDS,
)
from prorata.domain.groups import grouped
from prorata.domain.inbound_mail.incoming_mail import NO_SENDER
from prorata.domain.inbound_mail.message_fields import one_mailbox, read_fields
from prorata.domain.inbound_mail.message_parts import head_and_body
from prorata.domain.inbound_mail.mime_ambiguity import reads_one_way
from prorata.domain.mail_addresses import NotAnAddress, ascii_domain
from prorata.ports import Clock
from prorata.ports.mail import Authenticity

SECONDS_AHEAD = 3_600
"""The number of seconds by which a signer's clock may be ahead of ours."""

_BARE_END = re.compile(rb"(?<!\r)\n")
_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")
_SPACE = re.compile(rb"[ \t]+")
_ANY_SPACE = re.compile(rb"[ \t\r\n]+")
_TAG = re.compile(rb"[A-Za-z][A-Za-z0-9_]*")
_SELECTOR = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,99}[A-Za-z0-9_])?")
_NUMBER = re.compile(rb"[0-9]{1,12}")
_ONCE = frozenset(
    (
        *(b"sender", b"reply-to", b"to", b"cc", b"subject", b"date", b"message-id", b"in-reply-to", b"references"),
        *(b"mime-version", b"content-type", b"content-transfer-encoding", b"content-disposition"),
    )
)
"""The fields besides From that a message may contain only once.

See RFC 5322 section 3.6 and RFC 2045 section 3.
"""
_CANONICAL = (b"simple", b"relaxed")
Tags = Mapping[bytes, bytes]


class NotLookedUpError(Exception):
    """Raised if name servers did not answer now, but may answer later."""


class TxtRecords(Protocol):
    """A function that looks up the TXT records of a name."""

    def __call__(self, name: str) -> Sequence[bytes]:
        """Return the TXT records of a name, or an empty list if there are none.

        The strings of a record are joined. Raises `NotLookedUpError` if name servers do not answer.
        """
        ...


class _Refused(Exception):
    """Raised if a signature does not count, with the reason in a sentence."""


class _OfAnother(_Refused):
    """Raised if a signature was made by a domain other than the sender's."""


class _OfNobody(_Refused):
    """Raised if a message does not name exactly one sender."""


class _Field(NamedTuple):
    name: bytes
    """The name of the field in lower case."""
    raw: bytes
    """The field as received, without the end of its last line."""


class _Mail(NamedTuple):
    """A received message with its header fields.

    `digest` computes the hash of the body for a canonicalization.
    """

    raw: bytes
    fields: Sequence[_Field]
    digest: Callable[[bytes], bytes]


class DkimCheck:
    """A check of messages' signatures at the time that `now` returns.

    `records` looks up the signatures' keys.
    """

    def __init__(self, records: TxtRecords, now: Clock) -> None:
        self._records = records
        self._now = now

    def __call__(self, raw: bytes) -> Authenticity:
        """Check whether the sender's domain signed a message; return the result with a reason.

        This raises no errors.
        """
        try:
            head, start = _divided(raw)
            fields = _fields(head)
            sender = _sender_domain(fields)
            _refuse_twice(fields)
            digest = cache(partial(body_hash, raw, start))  # once, however many signatures
            return self._checked(_Mail(raw, fields, digest), sender)
        except _Refused as why:
            return Authenticity(passed=False, domain=None, why=str(why), is_of_nobody=isinstance(why, _OfNobody))

    def _checked(self, mail: _Mail, sender: str) -> Authenticity:
        signatures = [field for field in mail.fields if field.name == b"dkim-signature"]
        if not signatures:
            raise _Refused(f"The message is not signed by {sender} (DKIM).")
        refused: list[_Refused] = []
        aligned = 0
        for field in signatures:
            if aligned >= MOST_SIGNATURES:
                break
            try:
                tags = _tags(field.raw.partition(b":")[2])
                domain = _aligned_domain(tags, sender)
                aligned += 1
                self._check(field, tags, domain, mail)
            except NotLookedUpError:
                why = f"The key of {sender} could not be looked up, because its name servers did not answer."
                return Authenticity(passed=False, domain=None, why=why, may_pass_later=True)
            except _Refused as why:
                refused.append(why)
            else:
                return Authenticity(passed=True, domain=domain, why=f"The message is signed by {domain} (DKIM).")
        # The problem of the sender's last signature is more useful than that others signed too.
        own = [why for why in refused if not isinstance(why, _OfAnother)]
        raise (own or refused)[-1]

    def _check(self, field: _Field, tags: Tags, domain: str, mail: _Mail) -> None:
        """Check one signature.

        Raises `_Refused` if it does not count, and `NotLookedUpError` if that can't be decided now.
        """
        self._check_tags(tags, domain)
        head_way, _, body_way = tags.get(b"c", b"simple").lower().partition(b"/")
        body_way = body_way or b"simple"
        if head_way not in _CANONICAL or body_way not in _CANONICAL:
            raise _Refused("The message's signature uses an unknown format.")
        if _from_base64(tags[b"bh"]) != mail.digest(body_way):
            raise _Refused("The message was changed after it was signed.")
        signed = _signed(field, tags, mail.fields, relaxed=head_way == b"relaxed")
        self._verify(tags, domain, signed)
        if not reads_one_way(mail.raw, [name.decode("latin-1") for name in _listed(tags[b"h"])]):
            raise _Refused(
                "The message's signature doesn't cover the header fields that define its format, so the message "
                "could be read in more than one way."
            )

    def _check_tags(self, tags: Tags, domain: str) -> None:
        now = int(self._now().timestamp())
        made, ends = _moment(tags, b"t"), _moment(tags, b"x")
        covered = _listed(tags[b"h"])
        identity = tags.get(b"i", b"@" + domain.encode()).rpartition(b"@")[2].lower().decode("ascii", "replace")
        refusals = (
            (tags[b"v"] != b"1", "The message's signature has an unknown version."),
            (
                b"from" not in covered or len(covered) > MOST_SIGNED_FIELDS,
                "The message's signature doesn't cover the sender.",
            ),
            (b"l" in tags, "The message's signature covers only part of the message."),
            (ends is not None and ends <= now, "The message's signature has expired."),
            (made is not None and made > now + SECONDS_AHEAD, "The message's signature is dated in the future."),
            (
                made is not None and ends is not None and ends < made,
                "The message's signature expires before it was made.",
            ),
            (not _is_within(identity, domain), "The message's signature names a signer from another domain."),
            (
                b"dns/txt" not in tags.get(b"q", b"dns/txt").lower().split(b":"),
                "The message's signature uses a key that isn't stored in DNS, so Prorata can't check it.",
            ),
            (
                tags[b"a"].lower() not in (b"rsa-sha256", b"ed25519-sha256"),
                "The message's signature uses an unsupported or insecure algorithm.",
            ),
        )
        for is_so, why in refusals:
            if is_so:
                raise _Refused(why)

    def _verify(self, tags: Tags, domain: str, signed: bytes) -> None:
        selector = tags[b"s"].decode("ascii", "replace")
        if not _SELECTOR.fullmatch(selector):
            raise _Refused("The message's signature doesn't name a key.")
        records = self._records(f"{selector}._domainkey.{domain}")
        if len(records) != 1 or len(records[0]) > LONGEST_DKIM_RECORD:
            raise _Refused(
                f"{domain} doesn't publish a key under the name given in the message's signature, or no longer does."
            )
        record = _key_tags(records[0], tags, domain)
        kind = tags[b"a"].lower().partition(b"-")[0]
        if record.get(b"k", b"rsa").lower() != kind:
            raise _Refused(f"The DKIM key of {domain} is of a different type than this message's signature.")
        key, signature = _from_base64(record[b"p"]), _from_base64(tags[b"b"])
        try:
            if kind == b"rsa":
                _rsa(key).verify(signature, signed, PKCS1v15(), SHA256())
            else:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, sha256(signed).digest())
        except InvalidSignature:
            raise _Refused("The message was changed after it was signed, or was signed by someone else.") from None
        except (ValueError, UnsupportedAlgorithm):
            raise _Refused(f"The DKIM key that {domain} publishes is invalid or unsupported.") from None


def _divided(raw: bytes) -> tuple[bytes, int]:
    """Return a message's header, with CRLF line ends, and the offset of its body.

    Raises `_Refused` if the header is too long.
    """
    head = head_and_body(raw, 0, len(raw))
    if head is None:
        raise _Refused("The message's header is too long.")
    return _BARE_END.sub(b"\r\n", head.head), head.body


def _fields(head: bytes) -> list[_Field]:
    fields: list[list[bytes]] = []
    for line in head.split(b"\r\n"):
        if line.startswith((b" ", b"\t")) and fields:
            fields[-1].append(line)
        elif line:
            fields.append([line])
    named = [(_FIELD.match(lines[0]), lines) for lines in fields]
    return [_Field(match[1].lower(), b"\r\n".join(lines)) for match, lines in named if match]


def _sender_domain(fields: Sequence[_Field]) -> str:
    senders = [field.raw for field in fields if field.name == b"from"]
    read = [one_mailbox(field.value) for field in read_fields(senders[0]) if field.name == "from"] if senders else []
    if len(senders) != 1 or len(read) != 1 or read[0] is None:
        raise _OfNobody(NO_SENDER)
    return read[0].domain


def _refuse_twice(fields: Sequence[_Field]) -> None:
    names = [field.name for field in fields if field.name in _ONCE]
    if len(set(names)) < len(names):
        raise _Refused("One of the message's header fields appears twice, so the message is ambiguous.")


def _tags(value: bytes) -> Tags:
    """Parse the tags of a signature or key (RFC 6376 section 3.2), without white space.

    Raises `_Refused` if the text is not a valid list of tags.
    """
    tags: dict[bytes, bytes] = {}
    for piece in value.split(b";"):
        name, equals, text = piece.partition(b"=")
        name = name.strip(b" \t\r\n")
        if not piece.strip(b" \t\r\n"):
            continue
        if not equals or not _TAG.fullmatch(name) or name in tags:
            raise _Refused("The message's signature, or the signature's key, isn't in the correct format.")
        tags[name] = _ANY_SPACE.sub(b"", text)
    return tags


def _aligned_domain(tags: Tags, sender: str) -> str:
    if not tags.keys() >= {b"v", b"a", b"b", b"bh", b"d", b"h", b"s"}:
        raise _Refused("The message's signature is incomplete.")
    try:
        domain = ascii_domain(tags[b"d"].decode("utf-8", "replace"))
    except NotAnAddress:
        domain = ""
    if "." not in domain or not _is_within(sender, domain):
        raise _OfAnother(f"The message is signed by a domain other than the sender's ({sender}).")
    return domain


def _is_within(domain: str, above: str) -> bool:
    return domain == above or domain.endswith(f".{above}")


def _listed(value: bytes) -> list[bytes]:
    return value.lower().split(b":")


def _moment(tags: Tags, name: bytes) -> int | None:
    if name not in tags:
        return None
    if not _NUMBER.fullmatch(tags[name]):
        raise _Refused("The message's signature contains an invalid time.")
    return int(tags[name])


def _canonical_field(field: _Field, *, relaxed: bool) -> bytes:
    """Canonicalize a header field (RFC 6376 sections 3.4.1 and 3.4.2)."""
    if not relaxed:
        return field.raw + b"\r\n"
    value = field.raw.partition(b":")[2].replace(b"\r\n", b"")
    return field.name + b":" + _SPACE.sub(b" ", value).strip(b" ") + b"\r\n"


def _signed(own: _Field, tags: Tags, fields: Sequence[_Field], *, relaxed: bool) -> bytes:
    """Build the bytes that were signed: the named fields, then the signature's own field.

    If several fields have the same name, the last one is used first. The signature value is left out of the
    signature's own field.
    """
    left = grouped((field.name, field) for field in fields)
    named = (left[name].pop() for name in _listed(tags[b"h"]) if left.get(name))
    covered = b"".join(_canonical_field(field, relaxed=relaxed) for field in named)
    name, _, value = own.raw.partition(b":")
    pieces = (
        piece.partition(b"=")[0] + b"=" if piece.partition(b"=")[0].strip(b" \t\r\n") == b"b" else piece
        for piece in value.split(b";")
    )
    bare = own._replace(raw=name + b":" + b";".join(pieces))
    return covered + _canonical_field(bare, relaxed=relaxed).removesuffix(b"\r\n")


def _key_tags(record: bytes, signature: Tags, domain: str) -> Tags:
    """Parse the tags of a key record.

    Raises `_Refused` if the key was withdrawn, or may not be used for this signature.
    """
    tags = _tags(record)
    flags = tags.get(b"t", b"").lower().split(b":")
    exact = signature.get(b"i", b"").lower().rpartition(b"@")[2] in (b"", domain.encode())
    if tags.get(b"v", b"DKIM1") != b"DKIM1" or not tags.get(b"p"):
        raise _Refused(f"{domain} has withdrawn the key of the message's signature.")
    if b"y" in flags:
        raise _Refused(f"The DKIM key of {domain} is marked as being only for testing.")
    if (b"s" in flags and not exact) or not {b"*", b"email"} & set(tags.get(b"s", b"*").lower().split(b":")):
        raise _Refused(f"The DKIM key of {domain} doesn't permit this signature.")
    if b"sha256" not in tags.get(b"h", b"sha256").lower().split(b":"):
        raise _Refused(f"The DKIM key of {domain} doesn't permit this signature.")
    return tags


def _rsa(der: bytes) -> RSAPublicKey:
    key = load_der_public_key(der)
    if not isinstance(key, RSAPublicKey):
        raise ValueError  # noqa: TRY004 - as for any other key that is none
    if not LEAST_DKIM_KEY_BITS <= key.key_size <= MOST_DKIM_KEY_BITS or key.public_numbers().e > LARGEST_DKIM_EXPONENT:
        raise _Refused(
            f"The key of the message's signature doesn't have {LEAST_DKIM_KEY_BITS} to {MOST_DKIM_KEY_BITS} bits."
        )
    return key


def _from_base64(text: bytes) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise _Refused("The message's signature, or the signature's key, isn't in the correct format.") from None
