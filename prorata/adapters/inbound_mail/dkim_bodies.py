"""The hash of a message body for DKIM (RFC 6376 sections 3.4.3, 3.4.4, 3.7).

Anybody can send a body of megabytes of blanks or empty lines, so only one piece of it is in memory at a time, and each
byte is examined only a few times, whatever the content.
"""

from hashlib import sha256

PIECE = 1 << 16
"""The number of bytes that are processed at once."""
_END = b"\r\n"


def body_hash(raw: bytes, start: int, way: bytes, piece: int = PIECE) -> bytes:
    r"""Return the DKIM hash (SHA-256) of the message body that begins at `start`.

    `way` is the canonicalization, `simple` or `relaxed`. Bare line feeds count as line ends. The body is processed
    in pieces of `piece` bytes.

    >>> body_hash(b" a \t b \n\n\n", 0, b"relaxed") == sha256(b" a b\r\n").digest()
    True
    >>> body_hash(b"", 0, b"simple") == sha256(b"\r\n").digest(), body_hash(b"\n", 0, b"relaxed") == sha256().digest()
    (True, True)
    """
    body = _Body(is_relaxed=way == b"relaxed")
    for at in range(start, len(raw), piece):
        body.add(raw[at : at + piece])
    return body.digest()


class _Body:
    """A message body that arrives in pieces, and its hash.

    Some bytes are hashed only when more of the body arrives. A carriage return is one of them, because it may be
    half of a line end. If the canonicalization is `relaxed`, so are blanks, because they are left out at the end of
    a line. Line ends are hashed only if something other than line ends follows.
    """

    def __init__(self, *, is_relaxed: bool) -> None:
        self._hash = sha256()
        self._is_relaxed = is_relaxed
        self._begun = b""
        self._ends = 0
        self._is_empty = True

    def add(self, piece: bytes) -> None:
        """Add the next piece of the body to the hash."""
        piece = self._begun + piece
        whole = piece.removesuffix(b"\r")
        if self._is_relaxed:
            whole = whole.rstrip(b" \t")
        self._begun = piece[len(whole) :]
        if self._is_relaxed:
            self._begun = _one_blank(self._begun)
        lines = whole.replace(_END, b"\n").replace(b"\n", _END)
        if self._is_relaxed:
            lines = _one_blank(lines).replace(b" \r\n", _END)
        self._put(lines)

    def digest(self) -> bytes:
        """Return the hash of the whole body, once all pieces are added."""
        self._put(self._begun if self._begun != b" " else b"")
        if not self._is_relaxed or not self._is_empty:
            self._hash.update(_END)
        return self._hash.digest()

    def _put(self, lines: bytes) -> None:
        ends = lines[len(lines.rstrip(_END)) :]
        count = _ends_of_lines(ends)
        text = lines[: len(lines) - len(_END) * count]
        if text:
            while self._ends:
                some = min(self._ends, PIECE)
                self._hash.update(_END * some)
                self._ends -= some
            self._hash.update(text)
            self._is_empty = False
        self._ends += count


def _one_blank(text: bytes) -> bytes:
    """Replace each sequence of blanks and tabs with one blank."""
    text = text.replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text


def _ends_of_lines(ends: bytes) -> int:
    r"""Count the complete line ends, CR LF, with which `ends` ends.

    `ends` contains nothing but carriage returns and line feeds.

    >>> [_ends_of_lines(ends) for ends in (b"", b"\r\n\r\n", b"\r\r\n\r\n", b"\r\n\r", b"\r\n\r\r\n")]
    [0, 2, 2, 0, 1]
    """
    if not ends.endswith(b"\n"):
        return 0
    return (len(ends) - (ends.rfind(b"\r\r") + 1)) // len(_END)
