"""What each entry of Troyes says was shown, held against the state before and after it, and the sentence against both.

`misspoken` goes through a step entry by entry; what is wrong comes out as words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.event_log import LogEntry
from engine.troyes.solo import solo_turn
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import LE_ROY, TroyesState
from tests.troyes.games import GAME

Saying = Callable[[TroyesState, TroyesState, Any], Iterator[str]]
DICE = re.compile(r"[YWRP][1-6]")


def misspoken(before: TroyesState | None, entries: Sequence[LogEntry]) -> Iterator[str]:
    """What entries say that is not so. `before` is None when they begin a game."""
    state: TroyesState | None = before
    for at, made in enumerate(entries):
        after: TroyesState = GAME.fold(state, [made])
        wrong = [] if state is None else list(SAYINGS.get(made.kind, _nothing)(state, after, made.data))
        if made.kind == "begins":
            wrong += _begins(after, made)
        elif made.kind == "over" and state is not None:
            wrong += _over(state, made.data)
        elif made.kind in ("acts", "fate") and state is not None:
            wrong += _follows(state, made, _group(entries, at))
        yield from (f"{made.kind} {made.data}: {what}" for what in wrong)
        state = after


def _nothing(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    yield from ()


def _group(entries: Sequence[LogEntry], at: int) -> list[LogEntry]:
    """What follows from the entry, up to the next order or event."""
    following = entries[at + 1 :]
    ends = (n for n, made in enumerate(following) if made.kind in ("order", "resolves", "phase", "agenda", "fate"))
    return list(following[: next(ends, len(following))])


def _begins(state: TroyesState, made: LogEntry) -> Iterator[str]:
    if "shown" in made.data and state.circle[made.data["shown"][0] - 1] != made.data["start"]:
        yield "another seat was drawn"
    shuffled = {row["draw"]: [row["of"][at] for at in row["order"]] for row in made.hidden["draws"]}
    for name, deck in made.hidden["decks"].items():
        for card in deck:
            if not any(card in of for of in shuffled.values()):
                yield f"{card} of {name} was never shuffled"
    dealt = [card for held in state.characters.values() for card in held] + state.pile
    if dealt != shuffled["0/characters/-/1"][len(state.open_characters) :][: len(dealt)]:
        yield "other characters were dealt"


def _over(state: TroyesState, data: Any) -> Iterator[str]:
    if data["characters"] != state.characters:
        yield "other characters were dealt"


# Dice.


def _lies(state: TroyesState, owner: str, words: Sequence[str]) -> bool:
    return not Counter(words) - Counter(state.dice[owner])


def _rolled(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if list(map(dice.die_value, data["dice"])) != data["shown"]:
        yield "the dice do not show that"
    if Counter(after.dice[data["owner"]]) - Counter(before.dice[data["owner"]]) != Counter(data["dice"]):
        yield "the dice do not lie there"


def _rerolled(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if list(map(dice.die_value, data["now"])) != data["shown"]:
        yield "the die does not show that"
    yield from _turned(before, after, data)


def _flipped(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if data["now"] != [dice.flipped_die(word) for word in data["dice"]]:
        yield "not the opposite faces"
    yield from _turned(before, after, data)


def _turned(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if not _lies(before, data["seat"], data["dice"]) or not _lies(after, data["seat"], data["now"]):
        yield "the dice do not lie there"


def _leaves(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if Counter(before.dice[data["owner"]]) - Counter(after.dice[data["owner"]]) != Counter(data["dice"]):
        yield "other dice left"


def _exchanged(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if not _lies(before, data["seat"], [data["gives"]]) or not _lies(before, data["owner"], [data["takes"]]):
        yield "the dice do not lie there"


def _black(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    plus = data.get("raised", 0)
    if data["dice"] != [min(6, number + plus) for number in data["shown"]]:
        yield "the black dice do not show that"
    if sorted(after.black) != sorted(data["dice"]):
        yield "other black dice lie there"


def _black_gone(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if Counter(before.black) - Counter(after.black) != Counter(data["dice"]) or max(before.black) not in data["dice"]:
        yield "other black dice went"


def _shot(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if data["hit"] is not (data["shown"][0] >= before.activity("archer").numbers["hits"]):
        yield "the die says otherwise"


# Cards.


def _activity(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if data["card"] not in before.decks["activities"] or before.activity(data["card"]).level != before.round:
        yield "it was not the card of this round"
    if after.card(data["card"]) is None:
        yield "it does not lie there"


def _threat(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if before.decks[data["deck"]][0] != data["event"]:
        yield "another card lay on top"
    if after.queue[-1].id != data["event"]:
        yield "it does not lie there"


def _judged(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    if before.pile[0] != data["character"]:
        yield "another one lay on top"


def _reseated(before: TroyesState, after: TroyesState, data: Any) -> Iterator[str]:
    spaces = [place for place in places.SPACES if place.on == data["building"]]
    seated = Counter([*filter(None, data["seats"]), *data["lying"]])
    came = Counter([*before.standing(data["building"]), *before.lying[data["building"]]])
    if seated - came != Counter([before.neutral] * data["neutrals"]) or came - seated:
        yield "others were seated"
    taken = sorted(at for at in data["order"][: seated.total()] if at < len(spaces))
    if taken != [at for at, owner in enumerate(data["seats"]) if owner]:
        yield "other spaces were drawn"


# Numbers that decide what follows.


def _follows(before: TroyesState, made: LogEntry, group: list[LogEntry]) -> Iterator[str]:
    if made.kind == "fate":
        yield from _fate(before, made.data, group)
    elif made.data["action"] == "settle":
        yield from _settled(before, made.data, group)
    else:
        if made.data["action"] != before.box.solo.actions[sum(made.data["shown"]) - 2]:
            yield "that roll is another action"
        spent = [made.data["dice"] for made in group if made.kind == "leaves" and made.data["owner"] == LE_ROY]
        for words in spent:
            if made.data["action"] != "worker" and words != dice.dice_by_rank(before.dice[LE_ROY])[: len(words)]:
                yield "those are not his best dice"


def _fate(before: TroyesState, data: Any, group: list[LogEntry]) -> Iterator[str]:
    """A neutral citizen enters where the die says; a neutral cube frees whom the die says."""
    building = {
        "wayfarers": places.CITY_HALL,
        "theological_conflict": places.BISHOPRIC,
        "conflict_of_succession": places.PALACE,
    }.get(data["event"])
    moves = [made.data for made in group if made.kind == "moves"]
    if building and moves:
        place = Place.parse(moves[0]["to"])
        rows = before.box.board.rows
        if place.on != building or moves[0]["owner"] != before.neutral:
            yield "somebody else came"
        elif data["shown"][0] not in ((place.space + 1,) if building == places.PALACE else rows[place.row]):
            yield "the die says another place"
    if data["event"] == places.POSSESSION:
        threat = before.threat(places.POSSESSION)
        if threat is None or moves[0]["owner"] != threat.held[data["shown"][0] - 1]:
            yield "the die says another citizen"


def _settled(before: TroyesState, data: Any, group: list[LogEntry]) -> Iterator[str]:
    """Le Roy's six dice, and the spaces that the best of them give (A64)."""
    if sorted(data["shown"]) != sorted(map(dice.die_value, data["dice"])):
        yield "the dice do not show that"
    rolled = [dice.die_word(colour, number) for colour, number in zip(_two_each(), data["shown"], strict=True)]
    if data["dice"] != dice.dice_by_rank(rolled):
        yield "other dice were rolled"
    state, left = before, data["dice"][:]
    for made in [made for made in group if made.kind == "moves"]:
        place = Place.parse(made.data["to"])
        word = next((word for word in left if solo_turn.best_free_spaces(state, places.BUILDING_OF[dice.die_colour(word)])), "")
        if word and place.on != places.BUILDING_OF[dice.die_colour(word)]:
            yield f"{word} places elsewhere than {place}"
        if place != solo_turn.best_free_spaces(state, place.on)[0]:
            yield f"{place} is not the best space"
        left = [other for at, other in enumerate(left) if at != (left.index(word) if word else -1)]
        state = GAME.fold(state, [made])


def _two_each() -> Iterator[str]:
    for colour in (dice.RED, dice.YELLOW, dice.WHITE):
        yield from (colour, colour)


SAYINGS: dict[str, Saying] = {
    "rolled": _rolled,
    "rerolled": _rerolled,
    "flipped": _flipped,
    "leaves": _leaves,
    "exchanged": _exchanged,
    "black": _black,
    "black_gone": _black_gone,
    "shot": _shot,
    "activity": _activity,
    "threat": _threat,
    "judged": _judged,
    "reseated": _reseated,
}
"""Kinds of entry that claim dice or cards. `begins`, `over`, `acts` and `fate` have more than a before and an after."""


def misquoted(state: TroyesState, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Sentences on le Roy that name other dice than the record: his roll, what he spends, what he buys."""
    rolls = [made.data for made in entries if made.kind == "acts"]
    heads = [at for at, made in enumerate(entries) if made.kind == "order" and made.data["seat"] == LE_ROY]
    told = [str(line.says) for line in GAME.tell(state, entries, None) if str(line.says).startswith("Le Roy rolls")]
    if len(told) != len(rolls):
        yield f"{len(rolls)} rolls, {len(told)} sentences"
    groups = [group for at in heads if (group := _group(entries, at)) and group[0].kind == "acts"]
    for says, data, group in zip(told, rolls, groups, strict=False):
        named = Counter(DICE.findall(says))
        gone = [word for made in group if made.kind == "leaves" for word in made.data["dice"]]
        numbers = "{} and {}".format(*data["shown"][:2])
        if data["action"] == "settle":
            if sorted(dice.die_value(word) for word in named.elements()) != sorted(data["shown"]):
                yield f"{says} {data}"
        elif not says.startswith(f"Le Roy rolls {numbers}:") or named != Counter(gone):
            yield f"{says} {data} {gone}"
