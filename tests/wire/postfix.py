"""A Postfix of the tests' own on a loopback port, with a configuration of its own or with one that is given.

`Postfix` hands everything to an LMTP port. Needs root and Debian's postfix.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import smtplib
import subprocess
import time
from pathlib import Path

from tests.patience import PATIENCE

from .certificate import Certificate
from .ports import HOST, Ports

_MAIN = """
compatibility_level = 3.6
queue_directory = {root}/spool
data_directory = {root}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = loop.test
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
relay_domains = {domain}
relay_transport = lmtp:inet:127.0.0.1:{lmtp_port}
default_transport = error:5.7.1 no mail leaves this machine
recipient_delimiter = +
lmtp_destination_concurrency_limit = 5
lmtp_destination_recipient_limit = 1
smtpd_relay_restrictions = permit_auth_destination, reject
smtpd_peername_lookup = no
in_flow_delay = 0
maillog_file = {root}/postfix.log
maillog_file_prefixes = {root}, /var, /dev/stdout
"""

_MASTER = """
127.0.0.1:{smtp_port} inet n - n - - smtpd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
error     unix - - n - - error
retry     unix - - n - - error
lmtp      unix - - n - - lmtp
relay     unix - - n - - smtp
smtp      unix - - n - - smtp
anvil     unix - - n - 1 anvil
tlsmgr    unix - - n 1000? 1 tlsmgr
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
showq     unix n - n - - showq
"""


def available() -> bool:
    """Whether a Postfix of our own can be started here."""
    return os.getuid() == 0 and shutil.which("postfix") is not None and Path("/usr/lib/postfix/sbin").is_dir()


class Process:
    """A Postfix whose configuration lies in `root`/postfix."""

    def __init__(self, root: Path, smtp_port: int) -> None:
        self.root = root
        self.smtp_port = smtp_port

    def make_folders(self) -> None:
        """What a configuration names: queue and data, which Postfix fills itself."""
        for name in ("postfix", "spool", "data"):
            (self.root / name).mkdir(mode=0o755)
        shutil.chown(self.root / "data", "postfix")

    def launch(self) -> None:
        """Until it greets. Raises RuntimeError with Postfix's own words if it does not come up."""
        done = subprocess.run(self._command("start"), capture_output=True, text=True, check=False)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            if done.returncode or time.monotonic() > end:
                said = done.stdout + done.stderr + self.log()
                self.stop()
                raise RuntimeError(said)
            time.sleep(0.02)

    def _command(self, verb: str) -> list[str]:
        return ["postfix", "-c", str(self.root / "postfix"), verb]

    def _answers(self) -> bool:
        try:
            with smtplib.SMTP(HOST, self.smtp_port, timeout=PATIENCE):
                return True
        except (OSError, smtplib.SMTPException):
            return False

    def log(self) -> str:
        log = self.root / "postfix.log"
        return log.read_text() if log.exists() else ""

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            subprocess.run(self._command("stop"), capture_output=True, check=False)


_LOGIN = """
smtpd_tls_security_level = may
smtpd_tls_cert_file = {certificate.cert}
smtpd_tls_key_file = {certificate.key}
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {socket}
"""


class Postfix(Process):
    """Takes mail for `domain` on `smtp_port`, refuses every other domain.

    With `login`, a certificate and a Dovecot's `auth_socket`, whoever wants to may log in, after STARTTLS.
    """

    def __init__(
        self, root: Path, domain: str, lmtp_port: int, login: tuple[Certificate, Path] | None = None
    ) -> None:
        self._held = Ports(("smtp",))
        super().__init__(root, self._held.number["smtp"])
        self._domain = domain
        self._lmtp_port = lmtp_port
        self._login = login

    def start(self) -> None:
        self.make_folders()
        values = {"root": self.root, "domain": self._domain, "lmtp_port": self._lmtp_port, "smtp_port": self.smtp_port}
        login = _LOGIN.format(certificate=self._login[0], socket=self._login[1]) if self._login else ""
        (self.root / "postfix/main.cf").write_text(_MAIN.format(**values) + login)
        (self.root / "postfix/master.cf").write_text(_MASTER.format(**values))
        self.launch()

    def stop(self) -> None:
        super().stop()
        self._held.close()
