"""What happens without an order: rounds and phases, new box, events taking effect, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine import editing
from engine.catalog import Msg, T
from engine.troyes import automaton, box
from engine.troyes.board.words import colour_name, named
from engine.troyes.log import king, ladies, phrases
from engine.troyes.log.groups import Matter
from engine.troyes.log.phrases import Told, Voice
from engine.troyes.log.tally import tally
from engine.troyes.state import places
from engine.troyes.state.dice import tidy
from engine.troyes.state.edits import SECRET
from engine.troyes.state.places import Place


def begins(voice: Voice, group: Matter) -> Iterator[Told]:
    """The start of the game. Characters stand in the secret block of the mail, not in the news."""
    first = group.head.data["start"]
    if first == voice.reader:
        yield Told(T("The game begins. You are the start player."), True)
    else:
        yield Told(T("The game begins. {who} is the start player.", who=voice.subject(first)))
    if voice.state.solo:
        pile = tuple(named(id) for id in group.head.data["pile"])
        yield Told(T("The characters lie open, from the top: {pile}.", pile=pile))
    yield from ladies.opening(voice, group.head.data)


def neutrals(voice: Voice, group: Matter) -> Iterator[Told]:
    """Neutral citizens who fill the buildings before the first round."""
    spaces = tuple(phrases.where(Place.parse(entry.data["to"])) for entry in (group.head, *group.of("moves")))
    yield Told(T("A gray citizen enters {places}.", "Gray citizens enter {places}.", n=len(spaces), places=spaces))


def round_(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new round."""
    rounds = voice.state.box.board.rounds[voice.state.players]
    yield Told(T("Round {round} of {rounds} begins.", round=group.head.data["round"], rounds=rounds))


def activity(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new Activity card, with all that is printed on it."""
    card = voice.state.activity(group.head.data["card"])
    yield Told(
        T(
            "New activity: {card} ({colour}, per {divisor}, hire {hire}, spaces {spaces} VP). {effect}",
            card=named(card.id),
            colour=colour_name(card.color),
            divisor=card.divisor or T("die"),
            hire=card.hire if card.currency == "deniers" else box.counted(card.currency, card.hire),
            spaces=card.spaces,
            effect=box.card_text(card, voice.solo),
        )
    )


def threat(voice: Voice, group: Matter) -> Iterator[Told]:
    """A new event, with all that is printed on it."""
    event = voice.state.event(group.head.data["event"])
    yield Told(
        T(
            "New event: {event} ({colour} dice, {divisor} for each of {banners} cubes, {first} and {second} VP). "
            "{effect}",
            event=named(event.id),
            colour=tuple(colour_name(colour) for colour in event.dice),
            divisor=event.divisor,
            banners=event.banners,
            first=event.first,
            second=event.second,
            effect=box.card_text(event, voice.solo),
        )
    )


def phase(voice: Voice, group: Matter) -> Iterator[Told]:
    """The phases in which something happens to everybody at once."""
    told = PHASES.get(group.head.data["phase"])
    if told is not None:
        yield from told(voice, group)


def _income(voice: Voice, group: Matter) -> Iterator[Told]:
    """Income and salaries: for the reader both, for the others what remains."""
    sums = tally(group.entries)
    own: list[Msg] = []
    if voice.reader in sums.deniers or voice.reader in sums.points:
        reader = voice.reader or ""
        paid = sum(entry.data["deniers"] for entry in group.of("pays") if entry.data["payer"] == reader)
        got = sum(entry.data["deniers"] for entry in group.of("pays") if entry.data["payee"] == reader)
        changed: tuple[Msg, ...] = (T("+{n} denier income", "+{n} deniers income", n=got),)
        if paid:
            changed += (T("-{n} salaries", n=paid),)
        if reader in sums.points:
            changed += (phrases.points(sums.points[reader]),)
        own.append(T("{who} {changes}", who=voice.name(reader), changes=changed))
    told = [*own, *sums.others(voice, [voice.reader or ""])]
    if told:
        yield Told(T("Income and salaries: {changes}.", changes=phrases.chain(told)), bool(own))


def _workforce(voice: Voice, group: Matter) -> Iterator[Told]:
    rolled = [
        T("{who} {dice}", who=voice.name(entry.data["owner"]), dice=phrases.dice(tidy(entry.data["dice"])))
        for entry in group.of("rolled")
    ]
    if rolled:
        mine = any(entry.data["owner"] == voice.reader for entry in group.of("rolled"))
        yield Told(T("The dice are rolled: {dice}.", dice=phrases.chain(rolled)), mine)


def _end_of_round(voice: Voice, group: Matter) -> Iterator[Told]:
    """What goes home: deniers put by for passing and expelled citizens. Dice that nobody used are no news."""
    parts = tally(group.entries).others(voice, ())
    home: dict[str, int] = {}
    for entry in group.of("moves"):
        home[entry.data["owner"]] = home.get(entry.data["owner"], 0) + 1
    if home:
        back = tuple(T("{who} {n}", who=voice.name(owner), n=n) for owner, n in home.items())
        parts.append(T("expelled citizens go home, {back}", back=back))
    touched = {*home, *(entry.data["seat"] for entry in group.of("collects"))}
    if parts:
        yield Told(T("End of the round: {parts}.", parts=phrases.chain(parts)), voice.reader in touched)


PHASES: dict[str, Callable[[Voice, Matter], Iterator[Told]]] = {
    "income": _income,
    "workforce": _workforce,
    "end of round": _end_of_round,
}
"""Phases that are told; the others only head what follows them."""


def starts(voice: Voice, group: Matter) -> Iterator[Told]:
    """The start player card goes on."""
    seat = group.head.data["seat"]
    if seat == voice.reader:
        yield Told(T("The start player card comes to you."), True)
    else:
        yield Told(T("The start player card goes to {who}.", who=voice.name(seat)))


def waits(voice: Voice, group: Matter) -> Iterator[Told]:
    """Somebody who has passed is passed over, and takes another coin."""
    seat, n = group.head.data["seat"], group.head.data["coins"]
    says = voice.act(
        seat,
        T("have passed: {n} more denier on the district.", "have passed: {n} more deniers on the district.", n=n),
        T("has passed: {n} more denier on the district.", "has passed: {n} more deniers on the district.", n=n),
    )
    yield Told(says, seat == voice.reader, seat)


def black(voice: Voice, group: Matter) -> Iterator[Told]:
    """The black dice, before anybody counters them."""
    seat, dice = group.head.data["seat"], sorted(group.head.data["dice"], reverse=True)
    shown = phrases.dice(map(str, dice))
    if seat == voice.reader:
        yield Told(T("The black dice show {dice}. You counter first.", dice=shown), True)
    else:
        yield Told(T("The black dice show {dice}. {who} counters first.", dice=shown, who=voice.subject(seat)))


def sends_only(group: Matter) -> bool:
    """Whether an event did nothing but send black dice; several in a row are told together."""
    return bool(group.head.data.get("black")) and not any(entry.kind != "agenda" for entry in group.entries)


def sent(voice: Voice, groups: Sequence[Matter]) -> Told:
    """Black dice from several events."""
    each = tuple(
        T("{event} {n}", event=named(group.head.data["event"]), n=group.head.data["black"]) for group in groups
    )
    return Told(T("Black dice are sent: {events}.", events=each))


def resolves(voice: Voice, group: Matter) -> Iterator[Told]:
    """An event of the queue takes effect."""
    event, sums = group.head.data["event"], tally(group.entries)
    parts, touched = sums.others(voice, ()), set(sums.touched())
    for entry in group.entries:
        data = entry.data
        match entry.kind:
            case "fate":
                parts.append(T("rolls {dice}", dice=phrases.dice(map(str, data["shown"]))))
                if not group.of("moves") and not group.of("reseated"):
                    parts.append(T("nobody enters"))
            case "reseated":
                says, seated = ladies.reseated(voice, data)
                parts.append(says)
                touched |= seated
            case "moves" if data["from"] == places.POSSESSION:
                parts.append(ladies.freed(voice, data))
                touched.add(data["owner"])
            case "moves":
                to = phrases.where(Place.parse(data["to"]))
                parts.append(T("{citizen} enters {place}", citizen=voice.citizen(data["owner"]), place=to))
                for push in data.get("pushed", ()):
                    parts.append(voice.moved(push["owner"], Place.parse(push["to"])))
                    touched.add(push["owner"])
            case "builds":
                parts.append(
                    T(
                        "{cube} on the cathedral, level {level} column {column}",
                        cube=voice.cube(data["owner"]),
                        level=data["level"],
                        column=data["column"],
                    )
                )
            case "falls":
                touched.add(data["owner"])
                parts.append(
                    T(
                        "{cube} falls from the cathedral, level {level} column {column}",
                        cube=voice.cube(data["owner"]),
                        level=data["level"],
                        column=data["column"],
                    )
                )
            case "banner":
                other = named(data["event"])
                parts.append(T("{cube} on {event}", cube=voice.cube(data["owner"]), event=other))
            case "banner_off":
                touched.add(data["owner"])
                other = named(data["event"])
                parts.append(T("{cube} taken off {event}", cube=voice.cube(data["owner"]), event=other))
    if group.head.data.get("black"):
        n = group.head.data["black"]
        parts.insert(0, T("sends {n} black die", "sends {n} black dice", n=n))
    if not parts:
        parts.append(T("the start player chooses") if _chosen(voice, group) else T("nothing happens"))
    # Not the bare name: a line that began with «Support» could be taken for an order when it is quoted.
    says = T("Event {event}: {parts}.", event=named(event), parts=phrases.chain(parts))
    yield Told(says, voice.reader in touched)


def _chosen(voice: Voice, group: Matter) -> bool:
    """Whether the event waits for its cubes to be given a place (Support)."""
    return "cubes" in voice.state.event(group.head.data["event"]).numbers and not group.counters


def scored(voice: Voice, group: Matter) -> Iterator[Told]:
    """A family's final score, component by component."""
    seat, score = group.head.data["seat"], group.head.data["parts"]
    parts = tuple(T("{part} {n}", part=part_name(part), n=n) for part, n in score.items())
    total = sum(score.values())
    says = voice.act(
        seat,
        T("have {total} VP: {parts}.", total=total, parts=parts),
        T("has {total} VP: {parts}.", total=total, parts=parts),
    )
    yield Told(says, seat == voice.reader)


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
    winners = tuple(voice.name(seat) for seat in group.head.data["winners"])
    mine = voice.reader in group.head.data["winners"]
    if len(winners) > 1:
        yield Told(T("The game is over: {who} share the victory.", who=winners), mine)
    elif mine:
        yield Told(T("The game is over: you have won."), True)
    else:
        yield Told(T("The game is over: {who} has won.", who=winners))
    if voice.state.solo:
        points = automaton.difference(voice.state.scores)
        yield from king.over(points, automaton.verdict(points)[1])
        return
    held = [
        T("{who} {characters}", who=voice.name(seat), characters=tuple(named(id) for id in ids))
        for seat, ids in group.head.data["characters"].items()
    ]
    yield Told(T("The characters: {held}.", held=phrases.chain(held)))


def edited(voice: Voice, group: Matter) -> Iterator[Told]:
    """A moderator's repair. Totals of VP are secret, so of these only the difference is told to others."""
    data = group.head.data
    seat, _, name = data["path"].partition(".")
    open_ = box.read_rules(voice.state.options).vp == "open"
    sides = editing.sides(data, T("nobody"))
    if name == "name" and not data.get("reason"):
        # Whoever renames a seat says so in words of the post room.
        return
    if name == "name" and seat in voice.state.names:
        says = T("{before} is called {after} from now on.", before=data["before"], after=data["after"])
    elif name not in COUNTS and seat not in SECRET and sides is not None:
        before, after = sides
        says = T(
            "The moderator has corrected {what}: {after}, was {before}.", what=data["path"], after=after, before=before
        )
    elif name not in COUNTS:
        # Whatever it is, the path alone gives nothing away.
        says = T("The moderator has corrected {what}.", what=data["path"])
    elif name == "vp" and seat != voice.reader and not open_:
        whose, by = T("VP of {who}", who=voice.name(seat)), phrases.points(data["after"] - data["before"])
        says = T("The moderator has corrected {what}: {by}.", what=whose, by=by)
    else:
        says = T(
            "The moderator has corrected {what}: {after}, was {before}.",
            what=T("{count} of {who}", count=COUNTS[name], who=voice.name(seat)),
            after=data["after"],
            before=data["before"],
        )
    reason = data.get("reason", "")
    if reason:
        says = T("{sentence} Reason: «{reason}»", sentence=says, reason=reason)
    yield Told(says, seat == voice.reader)


COUNTS = {
    "deniers": T("deniers"),
    "influence": T("influence"),
    "vp": T("VP"),
    "supply": T("citizens in hand"),
    "reserve": T("citizens in the general supply"),
    "coins": T("deniers on the district"),
}
"""The counts that a repair can change."""
