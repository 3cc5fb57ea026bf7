"""Self-signed certificates."""

import subprocess
from pathlib import Path


def certificate(folder: Path, names: str = "IP:127.0.0.1") -> tuple[Path, Path]:
    """A self-signed certificate that is valid for two days, and its key.

    It is for this machine, unless other names are given.
    """
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key
