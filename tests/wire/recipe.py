"""The mail server of `deploy/dovecot-postfix/`: these very files, run in a scratch folder beside Debian's own.

Debian's /etc/dovecot and master.cf are copied, the recipe's steps are done to the copies, and Dovecot and Postfix are
started on them. What differs from a host's machine is all here: `places` (paths, the user, the networks), `PORTS`,
and the settings that let a second Dovecot and Postfix run on one machine (`_DOVECOT`, `_POSTFIX`). Needs root.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from . import dovecot, postfix
from .certificate import Certificate
from .dovecot import program
from .ports import HOST, Ports

FILES = Path(__file__).parents[2] / "deploy/dovecot-postfix"
HOSTS = FILES.with_name("many-hosts")
"""What is added where several hosts share the address."""

ETC = Path("/etc")
PASSWORD = "a word of the host's own"

VMAIL = 471
"""A UID as `adduser --system` gives one; no such user need be there, Dovecot takes numbers."""

COMMENTED_OUT = {
    "dovecot-2.3.conf": {"10-auth.conf": ("!include auth-system",), "10-ssl.conf": ("ssl_cert = <", "ssl_key = <")},
    "dovecot-2.4.conf": {
        "10-auth.conf": ("!include auth-system",),
        "10-ssl.conf": ("ssl_server_cert_file = ", "ssl_server_key_file = "),
    },
}
"""The lines of Debian's conf.d that the README has commented out, by the version's own file."""

PORTS = ("smtp", "submission", "submissions", "imap", "imaps")

_DOVECOT = """
base_dir = {root}/run
state_dir = {root}/run
instance_name = recipe-{imaps}
log_path = {root}/dovecot.log
listen = 127.0.0.1
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
"""

_POSTFIX = """
queue_directory = {root}/spool
data_directory = {root}/data
inet_protocols = ipv4
alias_maps =
maillog_file = {root}/postfix.log
maillog_file_prefixes = {root}
relayhost = [127.0.0.1]:{world}
smtpd_peername_lookup = no
in_flow_delay = 0
"""


def places(root: Path, certificate: Certificate, you: str) -> dict[str, Mapping[str, str]]:
    """What is put in the place of what, for each file of the recipe: nothing but paths, a user and addresses."""
    letsencrypt = "/etc/letsencrypt/live/mail.example.org"
    certificates = {
        f"{letsencrypt}/fullchain.pem": str(certificate.cert),
        f"{letsencrypt}/privkey.pem": str(certificate.key),
    }
    paths = certificates | {
        "/etc/dovecot/games-users": str(root / "games-users"),
        "/var/vmail/": f"{root}/vmail/",
        "/var/spool/postfix/": f"{root}/spool/",
    }
    return {
        "dovecot-2.3.conf": paths | {"uid=vmail gid=vmail": f"uid={VMAIL} gid={VMAIL}"},
        "dovecot-2.4.conf": paths | {"uid = vmail": f"uid = {VMAIL}", "gid = vmail": f"gid = {VMAIL}"},
        "main.cf": certificates
        | {
            "inet_interfaces = all": "inet_interfaces = 127.0.0.1",
            "you@example.net": you,
            # So that 127.0.0.2 is a stranger, as everybody outside is to the host's machine.
            "127.0.0.0/8 [::1]/128": "127.0.0.1/32",
        },
        "master.cf.add": {},
    }


def put(text: str, new: Mapping[str, str]) -> str:
    """`text` with every old thing replaced. Raises ValueError when one does not stand in it, or is there already."""
    for old, other in new.items():
        if old not in text or other in text:
            raise ValueError(f"{old!r} cannot be replaced by {other!r}")
        text = text.replace(old, other)
    return text


def missing() -> str:
    """Why the recipe cannot be run here; empty when it can."""
    if program() is None or not postfix.available():
        return "Dovecot or Postfix is not installed, or this is not root"
    return ""


def dovecot_file() -> str:
    """The file that the installed Dovecot wants."""
    path = program()
    assert path is not None
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return "dovecot-2.3.conf" if told.startswith("2.3.") else "dovecot-2.4.conf"


class Recipe:
    """A mail server made by the recipe under `root`. `ports`: one for each name in `PORTS`.

    What leaves it goes to the SMTP port `world`; mail to a person's `you` among it. `without`: a line of the Dovecot
    file that is left out, to see what a host without it meets. `hosts`: letters are sorted for several of them.
    """

    def __init__(
        self, root: Path, certificate: Certificate, *, world: int, you: str, without: str = "", hosts: bool = False
    ) -> None:
        self.root, self._world, self._without, self._hosts = root, world, without, hosts
        self._held = Ports(PORTS)
        self.ports: Mapping[str, int] = self._held.number
        self._places = places(root, certificate, you)
        self._dovecot = dovecot.Process(root, self.ports["imap"])
        self._postfix = postfix.Process(root, self.ports["smtp"])

    def start(self) -> None:
        """Do what the README says, and start both. Raises RuntimeError with the servers' words."""
        (self.root / "run").mkdir()
        (self.root / "vmail").mkdir(mode=0o700)
        os.chown(self.root / "vmail", VMAIL, VMAIL)
        self._postfix.make_folders()
        self._write_postfix(self.root / "postfix")
        # Postfix makes the folder of its queue in which Dovecot opens its sockets.
        self._postfix.launch()
        self._write_dovecot(self.root / "dovecot")
        self._dovecot.launch(self.root / "dovecot/dovecot.conf")

    def _file(self, name: str) -> str:
        return put((FILES / name).read_text(encoding="utf-8"), self._places[name])

    def _write_dovecot(self, folder: Path) -> None:
        shutil.copytree(ETC / "dovecot", folder, ignore=shutil.ignore_patterns("private"))
        for name, lines in COMMENTED_OUT[dovecot_file()].items():
            file = folder / "conf.d" / name
            file.write_text(put(file.read_text(), {f"\n{line}": f"\n#{line}" for line in lines}))
        games = self._file(dovecot_file())
        if self._without:
            games = put(games, {self._without: f"# {self._without}"})
        (folder / "conf.d/90-games.conf").write_text(games)
        (folder / "conf.d/99-scratch.conf").write_text(_DOVECOT.format(root=self.root, **self.ports))
        if self._hosts:
            script = self.root / "games.sieve"
            script.write_text((HOSTS / "games.sieve").read_text())
            place = {"/etc/dovecot/sieve/games.sieve": str(script)}
            (folder / "conf.d/91-hosts.conf").write_text(put((HOSTS / dovecot_file()).read_text(), place))
            subprocess.run(["sievec", "-c", str(folder / "dovecot.conf"), str(script)], check=True)
        hashed = subprocess.run(
            ["doveadm", "-O", "pw", "-s", "SHA512-CRYPT", "-p", PASSWORD], capture_output=True, text=True, check=True
        ).stdout
        users = self.root / "games-users"
        users.write_text(f"table:{hashed}")
        users.chmod(0o640)
        shutil.chown(users, "root", "dovecot")

    def _write_postfix(self, folder: Path) -> None:
        (folder / "main.cf").write_text(self._file("main.cf") + _POSTFIX.format(root=self.root, world=self._world))
        master = (ETC / "postfix/master.cf").read_text() + self._file("master.cf.add")
        at_our_port = re.sub(
            r"^(\w+)(?= +inet )", lambda found: f"{HOST}:{self.ports[found[1]]}", master, flags=re.MULTILINE
        )
        (folder / "master.cf").write_text(at_our_port)

    def owner_of_mail(self) -> set[int]:
        """The UIDs of all that Dovecot has written for the user."""
        return {path.stat().st_uid for path in (self.root / "vmail/table").rglob("*")}

    def log(self) -> str:
        """What both servers have written."""
        return self._dovecot.log() + self._postfix.log()

    def stop(self) -> None:
        """End both, whatever state they are in."""
        self._postfix.stop()
        self._dovecot.stop()
        self._held.close()
