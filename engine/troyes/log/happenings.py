"""What happens without an order: rounds and phases, new cards, sealed answers, repairs, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine import editing
from engine.catalog import Msg, T
from engine.kit.edits import Edited
from engine.troyes import automaton, box
from engine.troyes.board.words import colour_name, named, reacting
from engine.troyes.box import LEVELS
from engine.troyes.box.faces import Solo
from engine.troyes.entries.cards import ActivityRevealed, EventRevealed
from engine.troyes.entries.citizens import CitizenMoves
from engine.troyes.entries.course import RoundBegins, SeatScored, StartPlayerMoves, TroyesBegins, TroyesEnds
from engine.troyes.entries.dice import BlackRolled, DiceRolled
from engine.troyes.entries.edits import SECRET
from engine.troyes.entries.money import CoinsCollected, Pays, SeatPasses
from engine.troyes.entries.ordering import AnswerSealed, StandingOrder
from engine.troyes.log import voice as say
from engine.troyes.log.groups import Matter
from engine.troyes.log.voice import Told, Voice
from engine.troyes.state.dice import tidy
from engine.troyes.state.state import LE_ROY


def _yours(voice: Voice, seat: str, you: Msg, other: Msg) -> Told:
    """One of two sentences, the first for the seat that it is about."""
    return Told(you, True) if seat == voice.reader else Told(other)


def begins(voice: Voice, group: Matter) -> Iterator[Told]:
    """The start of the game, and what lies open. Characters stand in the secret block of the mail, not in the news."""
    begun: TroyesBegins = group.head
    yield _yours(
        voice,
        begun.start,
        T("The game begins. You are the start player."),
        T("The game begins. {who} is the start player.", who=voice.subject(begun.start)),
    )
    if voice.state.solo:
        yield Told(T("The characters lie open, from the top: {pile}.", pile=tuple(map(named, begun.pile))))
    for id in begun.open_characters:
        yield Told(T("{name} lies open: this character judges everybody at the end.", name=named(id)))
    if begun.tiles:
        levels = [(LEVELS[voice.state.outdoor(id).level], named(id)) for id in begun.tiles]
        yield Told(
            T("Outdoor tiles: {tiles}.", tiles=tuple(T("{level} {tile}", level=on, tile=tile) for on, tile in levels))
        )


def neutrals(voice: Voice, group: Matter) -> Iterator[Told]:
    """Neutral citizens who fill the buildings before the first round."""
    spaces = tuple(say.where(move.to) for move in (group.head, *group.of(CitizenMoves)))
    yield Told(T("A gray citizen enters {places}.", "Gray citizens enter {places}.", n=len(spaces), places=spaces))


def round_(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new round."""
    begun: RoundBegins = group.head
    rounds = voice.state.box.board.rounds[voice.state.players]
    yield Told(T("Round {round} of {rounds} begins.", round=begun.round, rounds=rounds))


def _solo(voice: Voice) -> Solo | None:
    """The numbers that card texts show in a solo game."""
    return voice.state.box.solo if voice.state.solo else None


def activity(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new Activity card, with all that is printed on it."""
    shown: ActivityRevealed = group.head
    card = voice.state.activity(shown.card)
    yield Told(
        T(
            "New activity: {card} ({colour}, per {divisor}, hire {hire}, spaces {spaces} VP). {effect}",
            card=named(card.id),
            colour=colour_name(card.color),
            divisor=card.divisor or T("die"),
            hire=card.hire if card.currency == "deniers" else box.counted(card.currency, card.hire),
            spaces=card.spaces,
            effect=box.card_text(card, _solo(voice)),
        )
    )


def threat(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new event, with all that is printed on it."""
    shown: EventRevealed = group.head
    event = voice.state.event(shown.event)
    yield Told(
        T(
            "New event: {event} ({colour} dice, {divisor} for its only cube, {first} and {second} VP). {effect}",
            "New event: {event} ({colour} dice, {divisor} for each of {n} cubes, {first} and {second} VP). {effect}",
            event=named(event.id),
            colour=tuple(colour_name(colour) for colour in event.dice),
            divisor=event.divisor,
            n=event.banners,
            first=event.first,
            second=event.second,
            effect=box.card_text(event, _solo(voice)),
        )
    )


# Phases.


def phase(voice: Voice, group: Matter) -> Iterator[Told]:
    """The phases in which something happens to everybody at once."""
    told = PHASES.get(group.head.phase)
    return told(voice, group) if told is not None else iter(())


def _income(voice: Voice, group: Matter) -> Iterator[Told]:
    """Income and salaries: for the reader both, for the others what remains."""
    sums, own, reader = group.sums, [], voice.reader or ""
    if reader in sums.deniers or reader in sums.points:
        paid = sum(fact.deniers for fact in group.of(Pays) if fact.payer == reader)
        got = sum(fact.deniers for fact in group.of(Pays) if fact.payee == reader)
        changed: tuple[Msg, ...] = (T("+{n} denier income", "+{n} deniers income", n=got),)
        changed += (T("-{n} salaries", n=paid),) if paid else ()
        changed += (say.points(sums.points[reader]),) if reader in sums.points else ()
        own.append(T("{who} {changes}", who=voice.name(reader), changes=changed))
    told = [*own, *sums.others(voice, [reader])]
    if told:
        yield Told(T("Income and salaries: {changes}.", changes=say.chain(told)), bool(own))


def _workforce(voice: Voice, group: Matter) -> Iterator[Told]:
    rolls = group.of(DiceRolled)
    told = [T("{who} {dice}", who=voice.name(roll.owner), dice=say.dice(tidy(roll.dice))) for roll in rolls]
    if told:
        mine = any(roll.owner == voice.reader for roll in rolls)
        yield Told(T("The dice are rolled: {dice}.", dice=say.chain(told)), mine)


def _end_of_round(voice: Voice, group: Matter) -> Iterator[Told]:
    """What goes home: deniers put by for passing and expelled citizens. Dice that nobody used are no news."""
    parts = group.sums.others(voice)
    home = Counter(move.owner for move in group.of(CitizenMoves))
    if home:
        back = tuple(T("{who} {n}", who=voice.name(owner), n=n) for owner, n in home.items())
        parts.append(T("expelled citizens go home, {back}", back=back))
    touched = {*home, *(fact.seat for fact in group.of(CoinsCollected))}
    if parts:
        yield Told(T("End of the round: {parts}.", parts=say.chain(parts)), voice.reader in touched)


PHASES: dict[str, Callable[[Voice, Matter], Iterator[Told]]] = {
    "income": _income,
    "workforce": _workforce,
    "end of round": _end_of_round,
}
"""Phases that are told; the others only head what follows them."""


def starts(voice: Voice, group: Matter) -> Iterator[Told]:
    """The start player card goes on."""
    fact: StartPlayerMoves = group.head
    other = T("The start player card goes to {who}.", who=voice.name(fact.seat))
    yield _yours(voice, fact.seat, T("The start player card comes to you."), other)


def waits(voice: Voice, group: Matter) -> Iterator[Told]:
    """Somebody who has passed is passed over, and takes another coin."""
    fact: SeatPasses = group.head
    n = fact.coins
    says = voice.act(
        fact.seat,
        T("have passed: {n} more denier on the district.", "have passed: {n} more deniers on the district.", n=n),
        T("has passed: {n} more denier on the district.", "has passed: {n} more deniers on the district.", n=n),
    )
    yield Told(says, fact.seat == voice.reader, fact.seat)


def black(voice: Voice, group: Matter) -> Iterator[Told]:
    """The black dice, before anybody counters them."""
    fact: BlackRolled = group.head
    shown = say.dice(sorted(fact.dice, reverse=True))
    yield _yours(
        voice,
        fact.seat,
        T("The black dice show {dice}. You counter first.", dice=shown),
        T("The black dice show {dice}. {who} counters first.", dice=shown, who=voice.subject(fact.seat)),
    )


# Answers that were not open.


def sealed(voice: Voice, group: Matter) -> Iterator[Told]:
    """An answer that is kept: nobody but its seat hears of it."""
    fact: AnswerSealed = group.head
    if voice.reader in fact.answer:
        yield Told(T("You have answered; all answers are shown when the last one is in."), True, voice.reader)
    elif voice.reader in fact.withdrawn:
        yield Told(T("Your sealed answer is taken back; you have not answered."), True, voice.reader)


def unsealed(voice: Voice, group: Matter) -> Iterator[Told]:
    """All answers are in. Who could not give anything loses points."""
    lost = group.sums.others(voice)
    if lost:
        says = T("Nothing to give to {event}: {lost}.", event=named(group.head.event), lost=say.chain(lost))
        yield Told(says, voice.reader in group.sums.points)


def standing(voice: Voice, group: Matter) -> Iterator[Told]:
    """What a seat has said once for all about reacting, told to that seat alone."""
    fact: StandingOrder = group.head
    seat = voice.reader or ""
    react = fact.react.get(seat)
    if react == "":
        says = T("What you said about reacting no longer holds: you are asked each time.")
        yield Told(says, True, seat)
    elif react is not None:
        yield from (Told(reacting(tile, react), True, seat) for tile in fact.tiles[seat])


# The end, and repairs.


def scored(voice: Voice, group: Matter) -> Iterator[Told]:
    """A family's final score, component by component."""
    fact: SeatScored = group.head
    parts = tuple(T("{part} {n}", part=part_name(part), n=n) for part, n in fact.parts.items())
    total = sum(fact.parts.values())
    you = T("have {total} VP: {parts}.", total=total, parts=parts)
    other = T("has {total} VP: {parts}.", total=total, parts=parts)
    yield Told(voice.act(fact.seat, you, other), fact.seat == voice.reader)


def part_name(part: str) -> Msg:
    """What a component of the final score is called."""
    fixed = {
        "tokens": T("tokens"),
        "presence": T("presence on events"),
        "tradesmen": T("tradesmen"),
        "cathedral": T("missing cathedral levels"),
    }
    return fixed.get(part) or named(part)


def over(voice: Voice, group: Matter) -> Iterator[Told]:
    """Who won, and who was whom."""
    fact: TroyesEnds = group.head
    winners, mine = tuple(voice.name(seat) for seat in fact.winners), voice.reader in fact.winners
    if len(winners) > 1:
        yield Told(T("The game is over: {who} share the victory.", who=winners), mine)
    elif mine:
        yield Told(T("The game is over: you have won."), True)
    else:
        yield Told(T("The game is over: {who} has won.", who=winners))
    if voice.state.solo:
        points = automaton.difference(voice.state.scores)
        verdict = automaton.verdict(points)[1]
        yield Told(T("The difference is {points}. {verdict}", points=points, verdict=verdict), True)
        return
    held = [
        T("{who} {characters}", who=voice.name(seat), characters=tuple(map(named, ids)))
        for seat, ids in fact.characters.items()
    ]
    yield Told(T("The characters: {held}.", held=say.chain(held)))


def edited(voice: Voice, group: Matter) -> Iterator[Told]:
    """A moderator's repair. Totals of VP are secret, so of these only the difference is told to others."""
    fact: Edited = group.head
    seat, _, name = fact.path.partition(".")
    if seat not in (*voice.state.names, LE_ROY):
        name = ""  # A seat may be called like a count: `dice.coins` are no coins.
    if name == "name" and not fact.reason:
        # Whoever renames a seat says so in words of the post room.
        return
    if name == "name":
        says = T("{before} is called {after} from now on.", before=fact.before, after=fact.after)
    elif name not in COUNTS:
        there = {"before": fact.before, "after": fact.after}
        data = {side: value for side, value in there.items() if value is not editing.NOTHING}
        sides = editing.sides(data, T("nobody")) if seat not in SECRET else None
        says = editing.corrected(fact.path, sides)
    elif name == "vp" and seat != voice.reader and box.read_rules(voice.state.options).vp != "open":
        whose, by = T("VP of {who}", who=voice.name(seat)), say.points(fact.after - fact.before)
        says = T("The moderator has corrected {what}: {by}.", what=whose, by=by)
    else:
        count = COUNTS[name]
        yours = seat == voice.reader
        what = T("your {count}", count=count) if yours else T("{count} of {who}", count=count, who=voice.name(seat))
        says = editing.corrected(what, (fact.before, fact.after))
    if fact.reason:
        says = T("{sentence} Reason: «{reason}»", sentence=says, reason=fact.reason)
    yield Told(says, seat == voice.reader or fact.path.startswith(f"dice.{voice.reader}."))


COUNTS = {
    "deniers": T("deniers"),
    "influence": T("influence"),
    "vp": T("VP"),
    "supply": T("citizens in hand"),
    "reserve": T("citizens in the general supply"),
    "coins": T("deniers on the district"),
}
"""The counts that a repair can change."""
