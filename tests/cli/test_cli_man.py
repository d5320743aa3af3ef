"""Manual pages, made from the commands, and how fast a command starts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from pbem.cli import main
from pbem.cli.man import pages

MAN = Path(__file__).parents[2] / "deploy" / "man"


def test_the_manual_pages_are_those_of_the_commands() -> None:
    """`pbem man --write deploy/man` writes them anew."""
    made = pages(main)
    found = {file.stem: file.read_text(encoding="utf-8") for file in MAN.glob("*.1")}
    assert made == found


def test_the_manual_pages_are_sound_roff() -> None:
    for file in MAN.glob("*.1"):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(".TH ")
        assert {".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH EXIT STATUS"} <= set(lines), file.name
        assert all(re.match(r"\.(TH|SH|PP|TP|B)( |$)", line) for line in lines if line.startswith(".")), file.name


def test_a_command_starts_without_git_and_rules() -> None:
    """The list of commands must not wait for what a command needs."""
    code = "import sys, pbem.cli; print([m for m in ('pygit2', 'jinja2', 'engine.troyes') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
