"""Install and try the program on other Debians: `make matrix`, as root, with the package mmdebstrap.

Each suite gets a root folder with its own Python, Dovecot and Postfix. There the two first commands of README run: the
demo, and the tests that need real servers. Roots are kept (`build/roots`), so that a second run takes minutes.
The network must reach Debian's and Python's packages. It ends with 1 if a step fails on any suite.

| suite | Python | Dovecot |
|---|---|---|
| bookworm (Debian 12) | 3.11 | 2.3 |
| trixie (Debian 13) | 3.13 | 2.4 |
| forky (testing) | 3.14 | 2.4 |
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUITES = ("bookworm", "trixie", "forky")
PACKAGES = "ca-certificates,git,make,python3,python3-venv,procps,strace,tmux,mutt,alpine,nano,dovecot-imapd,"
PACKAGES += "dovecot-lmtpd,dovecot-sieve,postfix"
STEPS = {"demo": "make demo", "servers": "make test WORKERS=2 ARGS='-rs -m \"servers and not soak\"'"}
AUTHORITIES = "etc/ssl/certs/ca-certificates.crt"


def make_root(folder: Path, suite: str) -> None:
    """A root folder of a suite. An old snapshot of a mirror is good enough."""
    valid = "--aptopt=Acquire::Check-Valid-Until false"
    subprocess.run(["mmdebstrap", "--variant=minbase", valid, f"--include={PACKAGES}", suite, folder], check=True)
    for name in (AUTHORITIES, "etc/resolv.conf"):
        shutil.copyfile(f"/{name}", folder / name)


@contextlib.contextmanager
def mounted(folder: Path) -> Iterator[None]:
    """This machine's `/dev` and `/proc` inside the root folder."""
    with contextlib.ExitStack() as stack:
        for name in ("proc", "dev", "dev/pts"):
            subprocess.run(["mount", "--bind", f"/{name}", folder / name], check=True)
            stack.callback(subprocess.run, ["umount", "--lazy", folder / name], check=True)
        yield


def run(folder: Path, command: str, log: Path) -> tuple[bool, float]:
    """Whether a command ended well in a clone within the root folder, and its seconds. Its output goes to `log`."""
    env = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "PBEM_REQUIRE_SERVERS": "1"}
    env |= {"PIP_CERT": f"/{AUTHORITIES}"} | {name: value for name, value in os.environ.items() if name == "PIP_INDEX_URL"}
    begun = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(
            ["chroot", folder, "sh", "-c", f"cd /root/troyes-by-mail && {command}"],
            env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    return done.returncode == 0, time.monotonic() - begun


def versions(folder: Path) -> str:
    """The versions of Python and Dovecot of a root folder."""
    said = subprocess.run(
        ["chroot", folder, "sh", "-c", "python3 --version; dovecot --version"], capture_output=True, text=True, check=True
    ).stdout.split()
    return f"Python {said[1]}, Dovecot {said[2]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", default=SUITES, help="of Debian; all of them if none is named")
    parser.add_argument("--roots", type=Path, default=ROOT / "build" / "roots")
    asked, well = parser.parse_args(), True
    for suite in asked.suites:
        folder: Path = asked.roots / suite
        if not folder.exists():
            asked.roots.mkdir(parents=True, exist_ok=True)
            make_root(folder, suite)
        clone = folder / "root" / "troyes-by-mail"
        shutil.rmtree(clone, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
        print(f"{suite}: {versions(folder)}", flush=True)
        with mounted(folder):
            for name, command in STEPS.items():
                log = asked.roots / f"{suite}-{name}.log"
                good, seconds = run(folder, command, log)
                well &= good
                print(f"  {'well' if good else 'FAILED':6} {name} in {seconds:.0f} s ({log})", flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
