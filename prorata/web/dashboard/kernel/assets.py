"""Static files, which are read and compressed once, when they are first needed.

The address of a file contains a hash of its content, so that browsers can cache it forever.
"""

import gzip
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from prorata.web.http.compression import takes_gzip
from prorata.web.http.errors import Headers, about

ROOT = "/static/"
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "woff2": "font/woff2",
          "svg": "image/svg+xml"}  # fmt: skip
FOR_EVER = (b"cache-control", b"public, max-age=31536000, immutable")


class Asset(NamedTuple):
    """A static file; `packed` is its compressed content, or None for a compressed format."""

    path: str
    media: str
    tag: str
    content: bytes
    packed: bytes | None

    def answer(self, accepts: bytes, if_none_match: str | None) -> tuple[int, Headers, bytes]:
        """Return the status, headers and body for a request for this file."""
        headers = [(b"etag", self.tag.encode()), (b"vary", b"accept-encoding")]
        if if_none_match is not None and self.tag in if_none_match:
            return 304, headers, b""
        body = self.content
        if self.packed is not None and takes_gzip(accepts):
            body = self.packed
            headers.append((b"content-encoding", b"gzip"))
        return 200, headers + about(body, self.media), body


@cache
def all_assets() -> dict[str, Asset]:
    """Return all static files by their names in the folder `static/`.

    A font's name within a stylesheet is replaced by the font's address.
    """
    assets: dict[str, Asset] = {}
    folder = [
        file
        for file in files("prorata.web.dashboard").joinpath("static").iterdir()
        if file.name.rpartition(".")[2] in _KINDS
    ]
    for file in sorted(folder, key=lambda file: (file.name.endswith(".css"), file.name)):
        content = file.read_bytes()
        stem, _, kind = file.name.rpartition(".")
        if kind == "css":
            for other in assets.values():
                content = content.replace(
                    b'url("' + _name(other).encode() + b'")', b'url("' + other.path.encode() + b'")'
                )
        digest = sha256(content).hexdigest()[:12]
        packed = None if kind == "woff2" else gzip.compress(content, 9, mtime=0)
        assets[file.name] = Asset(f"{ROOT}{stem}.{digest}.{kind}", _KINDS[kind], f'"{digest}"', content, packed)
    return assets


def _name(asset: Asset) -> str:
    stem, _, rest = asset.path.removeprefix(ROOT).partition(".")
    return f"{stem}.{rest.rpartition('.')[2]}"


@cache
def by_path() -> dict[str, Asset]:
    """Return all static files by the path under which they are served."""
    return {asset.path: asset for asset in all_assets().values()}
