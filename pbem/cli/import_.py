"""`pbem import`: makes a game of a full export."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.kit.arguments import lookup_errors
from pbem.cli.kit.call import Call, json_option, print_answer
from pbem.cli.kit.host_access import open_host
from pbem.export.document_reader import read_document
from pbem.export.import_game import ImportedGame, import_document


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--as", "name", default="", metavar="NAME", help="What the game is called here.")
@json_option
@click.pass_obj
def command(call: Call, file: Path, name: str) -> None:
    """Make a game of this host from an export.

    The export is json or toml, written with --view full. The game keeps its records, its dice and, without --as, its
    name; a game of that name must not be here. Mails are not sent again. Nothing is changed when the file does not
    hold together, or when its seed, words and dice are not those that were published.
    """
    found = read_document(file)
    with open_host(call) as service, lookup_errors():
        at = service.now().replace(microsecond=0)
        revived = import_document(found, service.store, service.people, at, service.desk.services.find, name)
        # No mail was promised here; the spool has to know the game all the same.
        service.spool.catch_up(service.store.open(revived.game))
    told = {
        "game": revived.game,
        "status": str(revived.status),
        "records": revived.records,
        "without_address": list(revived.strangers),
    }
    print_answer(told, lambda _: _print(revived))


def _print(revived: ImportedGame) -> None:
    click.echo(f"{revived.game}\t{revived.status}\t{revived.records} records")
    if revived.status == "running":
        if revived.strangers:
            click.echo(f"no address is known of {', '.join(revived.strangers)}; `pbem replace` seats them again")
        click.echo(f"nothing was mailed; `pbem resend {revived.game}` sends everybody the position")
