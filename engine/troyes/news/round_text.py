"""What happens without an order: rounds and phases, new cards, sealed answers, repairs, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from engine import data_paths
from engine.catalog import Msg, T
from engine.kit.edits import Edited
from engine.troyes.board.phrases import colour_name, reaction_text
from engine.troyes.card_data.card_types import Solo
from engine.troyes.card_data.explain import LEVELS, amount_text, card_text
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events import round_events
from engine.troyes.events.card_events import ActivityRevealed, EventRevealed
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.dice_events import BlackRolled, DiceRolled
from engine.troyes.events.money_events import CoinsCollected, Pays, SeatPasses
from engine.troyes.events.order_events import AnswerSealed, StandingOrder
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.solo import solo_result
from engine.troyes.solo.solo_result import difference
from engine.troyes.state.dice import sorted_dice
from engine.troyes.state.troyes_state import LE_ROY


def _yours(voice: Voice, seat: str, you: Msg, other: Msg) -> Sentence:
    """One of two sentences: `you` for the seat that it is about, `other` for the rest."""
    return Sentence(you, True) if seat == voice.reader else Sentence(other)


def beginning_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """The start of the game, and what lies open. Characters are told in the secret part of the mail."""
    begun: round_events.TroyesBegins = group.head
    yield _yours(
        voice,
        begun.start,
        T("The game begins. You are the start player."),
        T("The game begins. {who} is the start player.", who=voice.subject(begun.start)),
    )
    if voice.state.solo:
        yield Sentence(T("The characters lie open, from the top: {pile}.", pile=tuple(map(item_name, begun.pile))))
    for id in begun.open_characters:
        yield Sentence(T("{name} lies open: this character judges everybody at the end.", name=item_name(id)))
    if begun.tiles:
        levels = [(LEVELS[voice.state.outdoor(id).level], item_name(id)) for id in begun.tiles]
        yield Sentence(
            T("Outdoor tiles: {tiles}.", tiles=tuple(T("{level} {tile}", level=on, tile=tile) for on, tile in levels))
        )


def neutrals_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """Neutral citizens who fill the buildings before the first round."""
    spaces = tuple(say.place_text(move.to) for move in (group.head, *group.of(CitizenMoves)))
    yield Sentence(T("A gray citizen enters {places}.", "Gray citizens enter {places}.", n=len(spaces), places=spaces))


def round_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A new round."""
    begun: round_events.RoundBegins = group.head
    rounds = voice.state.box.board.rounds[voice.state.players]
    yield Sentence(T("Round {round} of {rounds} begins.", round=begun.round, rounds=rounds))


def _solo(voice: Voice) -> Solo | None:
    """The numbers that card texts show in a solo game."""
    return voice.state.box.solo if voice.state.solo else None


def new_card_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A new Activity card, with all that is printed on it."""
    shown: ActivityRevealed = group.head
    card = voice.state.activity(shown.card)
    yield Sentence(
        T(
            "New activity: {card} ({colour}, per {divisor}, hire {hire}, spaces {spaces} VP). {effect}",
            card=item_name(card.id),
            colour=colour_name(card.color),
            divisor=card.divisor or T("die"),
            hire=card.hire if card.currency == "deniers" else amount_text(card.currency, card.hire),
            spaces=card.spaces,
            effect=card_text(card, _solo(voice)),
        )
    )


def new_event_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A new event, with all that is printed on it."""
    shown: EventRevealed = group.head
    event = voice.state.event(shown.event)
    yield Sentence(
        T(
            "New event: {event} ({colour} dice, {divisor} for its only cube, {first} and {second} VP). {effect}",
            "New event: {event} ({colour} dice, {divisor} for each of {n} cubes, {first} and {second} VP). {effect}",
            event=item_name(event.id),
            colour=tuple(colour_name(colour) for colour in event.dice),
            divisor=event.divisor,
            n=event.banners,
            first=event.first,
            second=event.second,
            effect=card_text(event, _solo(voice)),
        )
    )


# Phases.


def phase_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """The phases that change something for everybody at once."""
    told = PHASES.get(group.head.phase)
    return told(voice, group) if told is not None else iter(())


def _income(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """Income and salaries: both for the reader, the balance for the others."""
    sums, own, reader = group.sums, [], voice.reader or ""
    if reader in sums.deniers or reader in sums.points:
        paid = sum(fact.deniers for fact in group.of(Pays) if fact.payer == reader)
        got = sum(fact.deniers for fact in group.of(Pays) if fact.payee == reader)
        changed: tuple[Msg, ...] = (T("+{n} denier income", "+{n} deniers income", n=got),)
        changed += (T("-{n} salaries", n=paid),) if paid else ()
        changed += (say.points_text(sums.points[reader]),) if reader in sums.points else ()
        own.append(T("{who} {changes}", who=voice.name(reader), changes=changed))
    told = [*own, *sums.others(voice, [reader])]
    if told:
        yield Sentence(T("Income and salaries: {changes}.", changes=say.joined(told)), bool(own))


def _workforce(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    rolls = group.of(DiceRolled)
    told = [T("{who} {dice}", who=voice.name(roll.owner), dice=say.dice_list(sorted_dice(roll.dice))) for roll in rolls]
    if told:
        mine = any(roll.owner == voice.reader for roll in rolls)
        yield Sentence(T("The dice are rolled: {dice}.", dice=say.joined(told)), mine)


def _end_of_round(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """Deniers collected for passing, and expelled citizens who go home. Unused dice are not told."""
    parts = group.sums.others(voice)
    home = Counter(move.owner for move in group.of(CitizenMoves))
    if home:
        back = tuple(T("{who} {n}", who=voice.name(owner), n=n) for owner, n in home.items())
        parts.append(T("expelled citizens go home, {back}", back=back))
    touched = {*home, *(fact.seat for fact in group.of(CoinsCollected))}
    if parts:
        yield Sentence(T("End of the round: {parts}.", parts=say.joined(parts)), voice.reader in touched)


PHASES: dict[str, Callable[[Voice, EventGroup], Iterator[Sentence]]] = {
    "income": _income,
    "workforce": _workforce,
    "end of round": _end_of_round,
}
"""Phases that have a sentence. The others only head what follows them."""


def start_player_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """The start player card goes on."""
    fact: round_events.StartPlayerMoves = group.head
    other = T("The start player card goes to {who}.", who=voice.name(fact.seat))
    yield _yours(voice, fact.seat, T("The start player card comes to you."), other)


def passed_again_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A seat that has passed is passed over, and takes another coin."""
    fact: SeatPasses = group.head
    n = fact.coins
    says = voice.act(
        fact.seat,
        T("have passed: {n} more denier on the district.", "have passed: {n} more deniers on the district.", n=n),
        T("has passed: {n} more denier on the district.", "has passed: {n} more deniers on the district.", n=n),
    )
    yield Sentence(says, fact.seat == voice.reader, fact.seat)


def black_dice_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """The black dice, before anybody counters them."""
    fact: BlackRolled = group.head
    shown = say.dice_list(sorted(fact.dice, reverse=True))
    yield _yours(
        voice,
        fact.seat,
        T("The black dice show {dice}. You counter first.", dice=shown),
        T("The black dice show {dice}. {who} counters first.", dice=shown, who=voice.subject(fact.seat)),
    )


# Answers that were not open.


def sealed_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A sealed answer, told to its seat alone."""
    fact: AnswerSealed = group.head
    if voice.reader in fact.answer:
        yield Sentence(T("You have answered; all answers are shown when the last one is in."), True, voice.reader)
    elif voice.reader in fact.withdrawn:
        yield Sentence(T("Your sealed answer is taken back; you have not answered."), True, voice.reader)


def unsealed_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """All answers are in. Seats that could not give anything lose points."""
    lost = group.sums.others(voice)
    if lost:
        says = T("Nothing to give to {event}: {lost}.", event=item_name(group.head.event), lost=say.joined(lost))
        yield Sentence(says, voice.reader in group.sums.points)


def standing_reaction_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A seat's standing answer about reactions, told to that seat alone."""
    fact: StandingOrder = group.head
    seat = voice.reader or ""
    react = fact.react.get(seat)
    if react == "":
        says = T("What you said about reacting no longer holds: you are asked each time.")
        yield Sentence(says, True, seat)
    elif react is not None:
        yield from (Sentence(reaction_text(tile, react), True, seat) for tile in fact.tiles[seat])


# The end, and repairs.


def score_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A family's final score, component by component."""
    fact: round_events.SeatScored = group.head
    parts = tuple(T("{part} {n}", part=part_name(part), n=n) for part, n in fact.parts.items())
    total = sum(fact.parts.values())
    you = T("have {total} VP: {parts}.", total=total, parts=parts)
    other = T("has {total} VP: {parts}.", total=total, parts=parts)
    yield Sentence(voice.act(fact.seat, you, other), fact.seat == voice.reader)


def part_name(part: str) -> Msg:
    """What a component of the final score is called."""
    fixed = {
        "tokens": T("tokens"),
        "presence": T("presence on events"),
        "tradesmen": T("tradesmen"),
        "cathedral": T("missing cathedral levels"),
    }
    return fixed.get(part) or item_name(part)


def ending_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """Who won, and who was whom."""
    fact: round_events.TroyesEnds = group.head
    winners, mine = tuple(voice.name(seat) for seat in fact.winners), voice.reader in fact.winners
    if len(winners) > 1:
        yield Sentence(T("The game is over: {who} share the victory.", who=winners), mine)
    elif mine:
        yield Sentence(T("The game is over: you have won."), True)
    else:
        yield Sentence(T("The game is over: {who} has won.", who=winners))
    if voice.state.solo:
        points = difference(voice.state.scores)
        verdict = solo_result.verdict(points)[1]
        yield Sentence(T("The difference is {points}. {verdict}", points=points, verdict=verdict), True)
        return
    held = [
        T("{who} {characters}", who=voice.name(seat), characters=tuple(map(item_name, ids)))
        for seat, ids in fact.characters.items()
    ]
    yield Sentence(T("The characters: {held}.", held=say.joined(held)))


def edit_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """A moderator's repair. Totals of VP are secret, so others are told only the difference."""
    fact: Edited = group.head
    seat, _, name = fact.path.partition(".")
    if seat not in (*voice.state.names, LE_ROY):
        name = ""  # A seat may have the name of a count: `dice.coins` is a district.
    if name == "name" and not fact.reason:
        # The post room itself tells a new name.
        return
    if name == "name":
        says = T("{before} is called {after} from now on.", before=fact.before, after=fact.after)
    elif name not in COUNTS:
        there = {"before": fact.before, "after": fact.after}
        data = {side: value for side, value in there.items() if value is not data_paths.NOTHING}
        sides = data_paths.edit_sides(data, T("nobody")) if seat not in round_events.SECRET else None
        says = data_paths.correction_text(fact.path, sides)
    elif name == "vp" and seat != voice.reader and read_rules(voice.state.options).vp != "open":
        whose, by = T("VP of {who}", who=voice.name(seat)), say.points_text(fact.after - fact.before)
        says = T("The moderator has corrected {what}: {by}.", what=whose, by=by)
    else:
        count = COUNTS[name]
        yours = seat == voice.reader
        what = T("your {count}", count=count) if yours else T("{count} of {who}", count=count, who=voice.name(seat))
        says = data_paths.correction_text(what, (fact.before, fact.after))
    if fact.reason:
        says = T("{sentence} Reason: «{reason}»", sentence=says, reason=fact.reason)
    yield Sentence(says, seat == voice.reader or fact.path.startswith(f"dice.{voice.reader}."))


COUNTS = {
    "deniers": T("deniers"),
    "influence": T("influence"),
    "vp": T("VP"),
    "supply": T("citizens in hand"),
    "reserve": T("citizens in the general supply"),
    "coins": T("deniers on the district"),
}
"""The counts that a repair can change."""
