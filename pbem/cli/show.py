"""`pbem show`: where a game stands, from public facts unless it is told to look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import paper
from pbem.cli.outcome import USAGE, Call, CommandEnd, json_option, print_json

if TYPE_CHECKING:
    from engine.game import Game
    from pbem.outbound.mail import Mail
    from pbem.store.repo import GameRepo
    from pbem.store.stored import Stored


@click.command("show")
@click.argument("game")
@click.option("--seat", help="The position as this seat has it before it, with what is open to it.")
@click.option("--reveal", is_flag=True, help="Show secrets, too; the table is told that you have looked.")
@json_option
@click.pass_obj
def command(call: Call, game: str, seat: str | None, reveal: bool, as_json: bool) -> None:
    """Show where a game stands.

    What everybody at the table can see. Secrets are not even read without --reveal, and that you have looked is
    written into the game's history.
    """
    repo = call.game(game)
    if reveal:
        stored = look(call, repo, seat or "")
    else:
        from pbem.store.stored import Stored

        stored = Stored.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        names = ", ".join(row.seat for row in stored.table.seats)
        raise CommandEnd(f"{game} has no seat {seat}; its seats are: {names}", USAGE, as_json)
    rules = call.rules(stored.table.kind)
    state = rules.load(stored.game, stored.hidden) if stored.game else None
    if as_json:
        print_json(_data(rules, stored, state, seat, reveal))
        return
    _print(call, rules, stored, state, seat, reveal)


def look(call: Call, repo: GameRepo, seat: str = "") -> Stored:
    """The whole position, after a record that somebody has looked at it."""
    from pbem.moderation.deeds import revealed
    from pbem.store.stored import Stored

    stored = Stored.read_public(repo)
    if seat and seat not in [row.seat for row in stored.table.seats]:
        return stored
    with call.service() as service:
        return service.desk.change(repo.name, "show --reveal", lambda context: revealed(context, seat)).stored


def _data(rules: Game, stored: Stored, state: Any, seat: str | None, reveal: bool) -> dict[str, Any]:
    from engine.game import Seat

    table = stored.table
    found: dict[str, Any] = {
        "game": table.game,
        "kind": table.kind,
        "status": str(table.status),
        "options": table.options,
        "seats": {row.seat: row.name for row in table.seats},
        "commitment": table.commitment,
        "opened": table.opened.isoformat(),
        "changed": table.changed.isoformat(),
        "records": table.records,
        "entries": table.entries,
        "commit": stored.commit,
    }
    if state is None:
        found["waiting_for"] = _gathering(stored)
    else:
        asked = rules.waiting(state)
        found |= {
            "heading": str(rules.heading(state)),
            "waiting_for": [one.seat for one in asked],
            "asked": [{"seat": one.seat, "kind": one.kind, "number": one.number} for one in asked],
            "position": stored.game,
        }
        if seat and any(one.seat == seat for one in asked):
            found["options_open"] = [offer.text for offer in rules.offers(state, Seat(seat))]
    if reveal and seat and state is not None:
        found["secrets"] = {"text": str(_secret_lines(rules, stored, state, seat))}
    elif reveal:
        hidden = stored.secrets
        found["secrets"] = {"seed": hidden.seed, "epoch": hidden.epoch, "words": hidden.words, "game": stored.hidden}
    return found


def _gathering(stored: Stored) -> list[str]:
    answered = (*stored.table.joined, *stored.table.declined)
    return [row.seat for row in stored.table.seats if row.seat not in answered]


def _print(call: Call, rules: Game, stored: Stored, state: Any, seat: str | None, reveal: bool) -> None:
    from pbem.cli.orders import without_delimiter
    from pbem.daemon.service import host_of
    from pbem.outbound.render import Renderer

    table = stored.table
    paper.title(f"{table.game}: {rules.title}, {table.status}")
    options = ", ".join(f"{name} {value}" for name, value in table.options.items() if value)
    click.echo(f"options: {options or 'none'}")
    click.echo(f"hash over seed and host's word: {table.commitment}")
    if state is None:
        waiting = ", ".join(table.seat(one).name for one in _gathering(stored))
        click.echo(f"before the game; an answer is awaited from {waiting or 'nobody'}")
        if table.declined:
            click.echo(f"declined: {', '.join(table.seat(one).name for one in table.declined)}")
    else:
        text = Renderer(host_of(call.config())).text(_mail(rules, stored, state, seat, reveal))
        click.echo(f"\n{without_delimiter(text.body)}")
        _print_scores(rules, state)
    if reveal and not seat:
        import tomli_w

        hidden = stored.secrets
        shown = {"seed": hidden.seed, "epoch": hidden.epoch, "words": hidden.words, "game": stored.hidden}
        click.echo(f"\nSECRETS\n{tomli_w.dumps(shown)}".rstrip())


def _print_scores(rules: Game, state: Any) -> None:
    result = rules.result(state)
    if result is None:
        return
    for seat, total in result.totals.items():
        parts = ", ".join(f"{result.names.get(part, part)} {n}" for part, n in result.scores[seat].items())
        click.echo(f"{result.names.get(seat, seat)}: {total} VP ({parts})")
    for note in result.notes:
        click.echo(str(note))


def _mail(rules: Game, stored: Stored, state: Any, seat: str | None, reveal: bool) -> Mail:
    from dataclasses import replace

    from engine.game import Seat
    from pbem.outbound.mail import Mail, MailKind

    table = stored.table
    names = {row.seat: row.name for row in table.seats}
    asked = rules.waiting(state)
    mail = Mail(
        kind=MailKind.ANSWER,
        game=table.game,
        game_kind=table.kind,
        seat=Seat(seat or ""),
        name=names.get(seat or "", ""),
        heading=rules.heading(state),
        waiting_for=tuple(names[one.seat] for one in asked),
        players=tuple(names.items()),
        view=rules.view(state, Seat(seat) if seat else None),
        result=rules.result(state),
        spectator=True,
    )
    if not seat:
        return mail
    decision = next((one for one in asked if one.seat == seat), None)
    offers = rules.offers(state, Seat(seat)) if decision else ()
    return replace(mail, decision=decision, offers=offers, spectator=not reveal)


def _secret_lines(rules: Game, stored: Stored, state: Any, seat: str) -> str:
    from pbem.outbound.render import Host, Renderer

    body = Renderer(Host("pbem@localhost.localdomain")).text(_mail(rules, stored, state, seat, True)).body
    heading = "ONLY FOR YOU"
    return body[body.find(heading) :].partition("\n")[2] if heading in body else ""
