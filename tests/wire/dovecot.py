"""A Dovecot of the tests' own on loopback ports, with a configuration of its own or with one that is given.

`Dovecot` runs as root or as anybody, and knows any user with one password. It is ready in some 50 ms.
"""

from __future__ import annotations

import contextlib
import grp
import imaplib
import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from tests.patience import PATIENCE

from .certificate import Certificate
from .ports import HOST, Ports

_TOP_23 = """
ssl = {ssl}
disable_plaintext_auth = no
mail_location = maildir:~/mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={mail_uid} gid={mail_gid} home={root}/home/%n allow_all_users=yes
}}
protocol lmtp {{
  auth_username_format = %Ln
}}
"""

_TLS_23 = """
ssl_cert = <{cert}
ssl_key = <{key}
"""

# Dovecot 2.4 wants these two settings first, and other names for much of the rest (its upgrade guide, 2.3 to 2.4).
_TOP_24 = """
dovecot_config_version = {version}
dovecot_storage_version = {version}
ssl = {ssl}
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = ~/mail
passdb static {{
  password = {password}
}}
userdb static {{
  allow_all_users = yes
  fields {{
    uid = {mail_uid}
    gid = {mail_gid}
    home = {root}/home/%{{user | username}}
  }}
}}
protocol lmtp {{
  auth_username_format = %{{user | username | lower}}
}}
"""

_TLS_24 = """
ssl_server_cert_file = {cert}
ssl_server_key_file = {key}
"""

_TOKENS_23 = """
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
"""

_OAUTH2_23 = """
introspection_mode = get
introspection_url = http://127.0.0.1:{tokens}/?token=
username_attribute = email
active_attribute = active
active_value = true
"""

_TOKENS_24 = """
passdb oauth2 {{
  mechanisms_filter = xoauth2
}}
oauth2 {{
  introspection_mode = get
  introspection_url = http://127.0.0.1:{tokens}/?token=
  username_attribute = email
  active_attribute = active
  active_value = true
}}
"""

_REST = """
base_dir = {root}/run
state_dir = {root}/run
instance_name = pbem-{imap_port}
log_path = {root}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
auth_mechanisms = plain login
recipient_delimiter = +
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {mail_uid}
mail_gid = {mail_gid}
first_valid_uid = {mail_uid}
first_valid_gid = {mail_gid}
mail_fsync = optimized
service auth {{
  unix_listener {auth_socket} {{
    mode = 0666
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  process_min_avail = 1
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
  }}
}}
service imap {{
  process_limit = 64
}}
service lmtp {{
  process_min_avail = 1
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
protocol imap {{
  mail_max_userip_connections = 50
}}
"""


def program() -> str | None:
    """Where dovecot is, or None."""
    return shutil.which("dovecot") or shutil.which("/usr/sbin/dovecot")


class Process:
    """A Dovecot that runs in `root`, a folder that everybody may enter."""

    def __init__(self, root: Path, imap_port: int) -> None:
        self.root = root
        self.imap_port = imap_port
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self, configuration: Path) -> None:
        """Until it greets. Raises RuntimeError with Dovecot's own words if it does not come up."""
        path = program()
        assert path is not None
        with (self.root / "out.log").open("wb") as out:
            command = [path, "-F", "-c", str(configuration)]
            self._process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(self.log())
            time.sleep(0.01)

    def _answers(self) -> bool:
        try:
            with imaplib.IMAP4(HOST, self.imap_port, timeout=PATIENCE) as client:
                client.noop()
            return True
        except (OSError, imaplib.IMAP4.error):
            return False

    def log(self) -> str:
        text = ""
        for name in ("out.log", "dovecot.log"):
            with contextlib.suppress(OSError):
                text += (self.root / name).read_text()
        return text

    def stop(self) -> None:
        """End it and every process of its session; the children hold the connections, and may outlive the master."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Dovecot(Process):
    """Any user, one password. Ports: `imap_port`, `lmtp_port`, `imaps_port` (0 without TLS).

    With `tokens`, a port, whoever listens there says which tokens are good, and these are taken, too. A mail server may
    ask at the socket `auth_socket` who may send.
    """

    password = "pw-of-all"

    def __init__(self, root: Path, certificate: Certificate | None, tokens: int = 0) -> None:
        self._held = Ports(("imap", "lmtp", "imaps"))
        super().__init__(root, self._held.number["imap"])
        self._certificate = certificate
        self._tokens = tokens
        self.lmtp_port = self._held.number["lmtp"]
        self.auth_socket = root / "run/who-may-send"
        self.imaps_port = self._held.number["imaps"] if certificate else 0

    def _configuration(self, version: str) -> str:
        me = pwd.getpwuid(os.getuid())
        mail = pwd.getpwnam("mail") if me.pw_uid == 0 else me
        if me.pw_uid == 0:
            os.chown(self.root / "home", mail.pw_uid, mail.pw_gid)
        values = {
            "version": version,
            "root": self.root,
            "user": "dovecot" if me.pw_uid == 0 else me.pw_name,
            "group": "dovecot" if me.pw_uid == 0 else grp.getgrgid(me.pw_gid).gr_name,
            "mail_uid": mail.pw_uid,
            "mail_gid": mail.pw_gid,
            "password": self.password,
            "auth_socket": self.auth_socket,
            "imap_port": self.imap_port,
            "imaps_port": self.imaps_port,
            "lmtp_port": self.lmtp_port,
            "ssl": "yes" if self._certificate else "no",
        }
        new = tuple(int(part) for part in version.split(".")[:2]) >= (2, 4)
        text = _TOP_24 if new else _TOP_23
        if self._certificate:
            text += _TLS_24 if new else _TLS_23
            values |= {"cert": self._certificate.cert, "key": self._certificate.key}
        if self._tokens:
            # Dovecot asks its passdbs in their order; 2.4 wants its version first.
            text = text.replace("passdb static", _TOKENS_24 + "passdb static") if new else _TOKENS_23 + text
            values |= {"tokens": self._tokens}
            (self.root / "oauth2.conf").write_text(_OAUTH2_23.format(tokens=self._tokens))
        rest = _REST.replace("auth_mechanisms = plain login", f"auth_mechanisms = plain login{' xoauth2' * bool(self._tokens)}")
        return (text + rest).format(**values)

    def start(self) -> None:
        """Raises RuntimeError with Dovecot's own words if it does not come up."""
        path = program()
        assert path is not None
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"\d+\.\d+(\.\d+)?", told)
        assert version is not None, told
        for name in ("run", "home"):
            (self.root / name).mkdir(exist_ok=True)
        configuration = self.root / "dovecot.conf"
        configuration.write_text(self._configuration(version[0]))
        self.launch(configuration)

    def stop(self) -> None:
        super().stop()
        self._held.close()
