"""`pbem man`: manual pages, made from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from pbem.cli.outcome import USAGE, CommandEnd


@click.command("man")
@click.argument("name", metavar="[COMMAND]", default="")
@click.option("--write", "folder", type=click.Path(path_type=Path, file_okay=False), help="Write every page into DIR.")
@click.pass_context
def command(ctx: click.Context, name: str, folder: Path | None) -> None:
    """Print the manual page of a command.

    Without COMMAND that of pbem itself; in roff, to be read with: pbem man rollback | man -l -. With --write every page
    is written as a file, for a package.
    """
    root = ctx.find_root().command
    assert isinstance(root, click.Group)
    made = pages(root)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for page, text in made.items():
            (folder / f"{page}.1").write_text(text, encoding="utf-8")
        click.echo(f"{len(made)} pages are written into {folder}")
        return
    wanted = f"pbem-{name}" if name else "pbem"
    if wanted not in made:
        raise CommandEnd(f"there is no command {name}; there are: {', '.join(root.list_commands(ctx))}", USAGE)
    click.echo(made[wanted], nl=False)


def pages(top: click.Group) -> dict[str, str]:
    """Every manual page by its name, as roff."""
    from pbem.cli import COMMANDS

    root = top.make_context("pbem", [], resilient_parsing=True)
    names = top.list_commands(root)
    rows = tuple((f"pbem-{name}(1)", COMMANDS[name]) for name in names)
    found = {"pbem": _page("pbem", top, root, rows)}
    for name in names:
        one = top.get_command(root, name)
        if one is not None:
            ctx = click.Context(one, info_name=name, parent=root)
            found[f"pbem-{name}"] = _page(f"pbem-{name}", one, ctx, ())
    return found


def _page(title: str, one: click.Command, ctx: click.Context, rows: tuple[tuple[str, str], ...]) -> str:
    lines = [f'.TH "{title.upper()}" "1" "" "Troyes by Mail" "Commands of pbem"']
    first, *rest = re.split(r"\n\s*\n", (one.help or "").strip())
    lines += [".SH NAME", f"{_text(title)} \\- {_text(first.rstrip('.'))}"]
    usage = " ".join(one.collect_usage_pieces(ctx))
    lines += [".SH SYNOPSIS", f".B {_text(title.replace('-', ' ', 1))}", _text(usage)]
    lines += [".SH DESCRIPTION", _text(first)]
    for part in rest:
        lines += [".PP", _text(part)]
    # Arguments stand in the synopsis; whether click tells of them here depends on its version.
    named = [param for param in one.get_params(ctx) if isinstance(param, click.Option)]
    options = [row for param in named if (row := param.get_help_record(ctx))]
    if options:
        lines.append(".SH OPTIONS")
        lines += list(_described(options))
    if rows:
        lines.append(".SH COMMANDS")
        lines += list(_described(rows))
    lines += [".SH EXIT STATUS", "0 done, 1 refused or differs, 2 usage, 3 trouble."]
    also = "the README of Troyes by Mail"
    lines += [".SH SEE ALSO", also.capitalize() if title == "pbem" else f"pbem(1), {also}"]
    return "\n".join(lines) + "\n"


def _described(rows: object) -> Iterator[str]:
    assert isinstance(rows, list | tuple)
    for head, text in rows:
        yield ".TP"
        yield f"\\fB{_text(head)}\\fR"
        yield _text(text)


def _text(text: str) -> str:
    """Words for roff: one paragraph, nothing in them a request."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
