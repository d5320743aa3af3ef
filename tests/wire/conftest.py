"""The certificate of the tests that speak TLS."""

from __future__ import annotations

import pytest

from .certificate import Certificate, make_certificate
from .servers import absent


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    made = make_certificate(tmp_path_factory.mktemp("certificate"))
    if made is None:
        absent("the openssl program, which makes the certificate, is not installed")
    assert made is not None
    return made
