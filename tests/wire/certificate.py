"""A self-made certificate for 127.0.0.1 and localhost, made by the openssl program."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificate:
    cert: Path
    key: Path

    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context


def make_certificate(folder: Path) -> Certificate | None:
    """A pair of files in `folder`, or None without the openssl program."""
    program = shutil.which("openssl")
    if program is None:
        return None
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", str(made.key), "-out", str(made.cert)]
    subprocess.run(command, check=True, capture_output=True)
    made.key.chmod(0o644)
    return made
