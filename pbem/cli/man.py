"""`pbem man`: manual pages, made from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from pbem.cli.kit.call import USAGE, CommandEnd


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
    root = top.make_context("pbem", [], resilient_parsing=True)
    found, rows = {}, []
    for name in top.list_commands(root):
        if (one := top.get_command(root, name)) is not None:
            found[f"pbem-{name}"] = _page(f"pbem-{name}", one, click.Context(one, info_name=name, parent=root), [])
            rows.append((f"pbem-{name}(1)", _first(one)))
    return {"pbem": _page("pbem", top, root, rows)} | found


def _first(one: click.Command) -> str:
    return (one.help or "").strip().partition("\n")[0]


def _page(title: str, one: click.Command, ctx: click.Context, rows: Sequence[tuple[str, str]]) -> str:
    first, *rest = re.split(r"\n\s*\n", (one.help or "").strip())
    # Arguments stand in the synopsis; whether click tells of them here depends on its version.
    named = [param for param in one.get_params(ctx) if isinstance(param, click.Option)]
    options = [row for param in named if (row := param.get_help_record(ctx))]
    also = "the README of Troyes by Mail"
    lines = [
        f'.TH "{title.upper()}" "1" "" "Troyes by Mail" "Commands of pbem"',
        *(".SH NAME", f"{_text(title)} \\- {_text(first.rstrip('.'))}"),
        *(".SH SYNOPSIS", f".B {_text(title.replace('-', ' ', 1))}", _text(" ".join(one.collect_usage_pieces(ctx)))),
        *(".SH DESCRIPTION", _text(first)),
        *(line for part in rest for line in (".PP", _text(part))),
        *_described("OPTIONS", options),
        *_described("COMMANDS", rows),
        *(".SH EXIT STATUS", "0 done, 1 refused or differs, 2 usage, 3 trouble."),
        *(".SH SEE ALSO", also.capitalize() if title == "pbem" else f"pbem(1), {also}"),
    ]
    return "\n".join(lines) + "\n"


def _described(heading: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield f".SH {heading}"
    for head, text in rows:
        yield from (".TP", f"\\fB{_text(head)}\\fR", _text(text))


def _text(text: str) -> str:
    """Words for roff: one paragraph, nothing in them a request."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
