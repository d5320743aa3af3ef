"""`deploy/Containerfile`: read to the last line, and its steps done in a scratch folder, without an image."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest

from pbem.cli import COMMANDS
from tests.deploy import containerfile
from tests.deploy.containerfile import Image, Step, Unreadable
from tests.wire.servers import local_office, required

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")
STEPS = containerfile.read(TEXT)


def only(verb: str) -> list[Step]:
    return [step for step in STEPS if step.verb == verb]


@pytest.mark.parametrize(
    "line", ["ONBUILD RUN x", "RUN", "CMD pbem daemon", "HEALTHCHECK NONE", "COPY a b \\", "ENTRYPOINT ['pbem']"]
)
def test_what_is_not_understood_is_not_passed_over(line: str) -> None:
    with pytest.raises(Unreadable):
        containerfile.read(line)


def test_both_stages_begin_with_one_base_that_a_digest_can_replace() -> None:
    (base,) = only("ARG")
    name, _, value = base.words[0].partition("=")
    assert re.fullmatch(r"docker\.io/library/python:3\.1[123]-slim-[a-z]+", value)
    assert [step.words[0] for step in only("FROM")] == [f"${{{name}}}"] * 2


def test_everything_is_installed_from_the_locks() -> None:
    installs = [part for step in only("RUN") for part in step.words[0].split("&&") if "pip install" in part]
    assert len(installs) == 3
    assert all("--require-hashes" in part or ("--no-deps" in part and "dist/" in part) for part in installs)


def test_what_is_copied_is_under_version_control() -> None:
    """So that a fresh clone builds, and nothing private of a host gets into an image."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    sources = [word for step in only("COPY") if "from" not in step.options for word in step.words[:-1]]
    assert sources
    if not listed:
        pytest.skip("this is no clone")
    assert [] == [word for word in sources if not any(f"{one}/".startswith(f"{word}/") for one in listed)]


def test_the_daemon_is_no_root_and_the_secret_is_its_own() -> None:
    (uid,) = re.findall(r"useradd .*--uid (\d+)", " ".join(step.words[0] for step in only("RUN")))
    assert f"mode=0400,uid={uid}" in TEXT
    assert [step.words for step in STEPS if step.verb == "USER"] == [("pbem",)]


def test_the_commands_beside_the_daemon_are_commands() -> None:
    named = re.findall(r"podman exec (?:-it )?pbem pbem ([a-z]+)", TEXT)
    assert len(named) >= 3
    assert set(named) <= set(COMMANDS)


@pytest.mark.soak
@pytest.mark.skipif(not required(), reason="downloads what the image holds; continuous integration (.ci/run) does it")
def test_its_steps_give_a_daemon_that_runs_and_is_found_healthy(tmp_path: Path) -> None:
    """Every COPY and RUN, then `init` and the daemon by ENTRYPOINT and CMD, the health check, and SIGTERM."""
    image = containerfile.build(STEPS, ROOT, tmp_path / "scratch")
    assert (image.user, image.workdir, image.command) == ("pbem", "/data", ("daemon",))
    assert not (image.root / "src").exists()
    with local_office(tmp_path / "office", ["games"]) as office:
        imap = ["--imap-host", office.host, "--imap-port", str(office.imap_port), "--imap-tls", "none"]
        smtp = ["--smtp-port", str(office.smtp_port), "--smtp-tls", "none", "--imap-user", "games"]
        run(image, *image.entrypoint, "init", "--batch", "--address", f"games@{office.domain}", *imap, *smtp)
        assert run(image, *image.healthcheck, good=False) != 0
        image.environ["PBEM_IMAP_PASSWORD"] = office.password
        words = [*image.entrypoint, *image.command]
        with subprocess.Popen(words, **where(image), stderr=subprocess.PIPE, text=True) as daemon:
            try:
                beats(image.folder("mail/heartbeat.toml"), daemon)
                run(image, *image.healthcheck)
            finally:
                daemon.send_signal(signal.SIGTERM)
                told = daemon.communicate()[1]
        assert daemon.returncode == 0, told


def where(image: Image) -> dict[str, object]:
    return {"cwd": image.folder(""), "env": image.surroundings()}


def run(image: Image, *words: str, good: bool = True) -> int:
    """One process in the image; its exit code."""
    command = [image.inside(word) for word in words]
    done = subprocess.run(command, **where(image), capture_output=True, text=True, check=False)  # type: ignore[call-overload]
    assert not good or done.returncode == 0, done.stdout + done.stderr
    return int(done.returncode)


def beats(file: Path, daemon: subprocess.Popen[str]) -> None:
    """Until the daemon has written its heartbeat; it may take its time, but it must not end."""
    while not file.exists():
        try:
            daemon.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(daemon.stderr.read() if daemon.stderr else "")
