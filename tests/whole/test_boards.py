"""Pieces of boards are written once and kept (`TemplateSet.pieces`): nobody is shown what was written for another's eyes.

A renderer that has written for everybody writes the same as one that keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader, PackageLoader, UndefinedError

from pbem.outbound.jinja_environments import TemplateSet
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.render import Renderer
from tests.render.samples import mail
from tests.render.test_render import HOST
from tests.whole.room import Hall
from tests.whole.test_french import KINDS


def written(renderer: Renderer, one: Mail, language: str) -> tuple[str, str]:
    """Both parts of a mail."""
    return renderer.text(one, language=language).body, renderer.page(one, language=language)


class Forgetful(Renderer):
    """Keeps no piece longer than a mail."""

    def room(self, language: str, part: str) -> TemplateSet:
        known = super().room(language, part)
        known._piece.cache_clear()
        return known


def readings(hall: Hall, before: Any, letters: int) -> Iterator[Mail]:
    """A mail about each of the next positions to each who reads it; the last reader is a spectator."""
    seats = hall.stored(hall.table).table.seats
    players = tuple((row.seat, row.name) for row in seats)
    for _ in range(letters):
        state = hall.position()
        for seat in (*(row.seat for row in seats), None):
            view = hall.rules.view(state, seat)
            about = mail(MailKind.TURN, game_kind=hall.kind, players=players, view=view, before=before.get(seat))
            yield replace(about, seat=seat or "", spectator=seat is None)
            before[seat] = view
        asked = next((one.seat for one in hall.rules.waiting(state) if not one.answered), None)
        if asked is None:
            return
        hall.send(asked, "1")


@pytest.mark.parametrize("kind", ["ladies", "solo", "dice"])
def test_a_kept_board_is_what_its_reader_would_be_written_alone(kind: str, tmp_path: Path) -> None:
    """Word for word, in both languages, in full and in short, and under other names of the same seats."""
    game, players, options, letters = KINDS[kind]
    hall = Hall(tmp_path, game)
    warm = Renderer(HOST, loader=PackageLoader("templates", ""))
    alone = Forgetful(HOST)
    hall.seat_all(players, options=options)
    for about in readings(hall, {}, letters // 6):
        assert hash(about.view), "what is no value is not kept"
        renamed = replace(about, players=tuple((seat, name[::-1]) for seat, name in about.players))
        for one in (about, replace(about, full=not about.full), renamed):
            for language in ("en", "fr"):
                found = written(warm, one, language)
                assert written(alone, one, language) == found
                assert found == written(warm, one, language)


def test_pieces_that_differ_in_one_thing_alone_are_kept_apart() -> None:
    """Whatever the template of a piece can read."""
    piece = "{{ it }} {{ names.anna }} {{ badges.anna[0] }} {{ mail.full }}"
    board = "{{ piece('row', view.character) }}"
    told = DictLoader({
        "tale/position.txt": board, "tale/row.txt": piece,
        "legend/position.txt": board, "legend/row.txt": f"{piece} legend",
        "twice/position.txt": "{{ piece('other', view.character) }}", "twice/other.txt": f"{piece} other",
    })  # fmt: skip
    warm = Renderer(HOST, loader=ChoiceLoader([told, PackageLoader("templates", "")]))
    one = mail(MailKind.TURN)
    others = (
        replace(one, view=replace(one.view, deniers=99)),
        replace(one, view=replace(one.view, character="Urbain")),
        replace(one, players=(("anna", "Zoe"), *one.players[1:])),
        replace(one, full=not one.full),
        replace(one, game_kind="legend"),
        replace(one, game_kind="twice"),
    )
    found = [written(warm, row, "en")[0] for row in (one, *others)]
    assert [
        "Hugues Anna A False",
        *("Hugues Anna A False", "Urbain Anna A False", "Hugues Zoe Z False", "Hugues Anna A True"),
        *("Hugues Anna A False legend", "Hugues Anna A False other"),
    ] == [next(line for line in text.splitlines() if line.startswith(("Hugues ", "Urbain "))) for text in found]


@pytest.mark.parametrize("unseen", ["view", "mail.seat", "mail.decision", "secret", "position"])
def test_a_piece_that_reads_more_than_it_is_kept_by_is_refused(unseen: str) -> None:
    told = DictLoader({"tale/position.txt": "{{ piece('row', 1) }}", "tale/row.txt": f"{{{{ {unseen} }}}}"})
    with pytest.raises(UndefinedError):
        Renderer(HOST, loader=ChoiceLoader([told, PackageLoader("templates", "")])).text(mail(MailKind.TURN))
