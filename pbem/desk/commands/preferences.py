"""Preferences and the place at the table: `away`, `remind`, `zone`, `quiet`, `language`, `mail`, `address`, `resign`;
and what all ask for together: `vote hold`, and `again` for another game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, TooLate
from engine.game import Seat
from engine.kit.words import fold_text
from engine.levels import level_text
from pbem.clocks.availability import DAY, Availability, parse_quiet_hours
from pbem.clocks.dates import local_day, period, span
from pbem.clocks.time_zones import zone_of, zones_meant
from pbem.desk.commands.clarification import AskedBack, as_choices
from pbem.desk.commands.command import Command, Does, takes_nothing
from pbem.desk.core.seat_controller import COMPUTER, PERSON, SUBSTITUTE_LEVEL
from pbem.host.settings_file import is_address
from pbem.outbound.translation import languages
from pbem.store.game_table import Absence, SeatRow, Status, Table

EVERY_TURN, DAILY = "every-turn", "daily"
"""Values of `Holder.volume`; the empty one is `mail my-turn`."""
DAILY_AT = 8
"""The hour of the daily mail where the line names none."""

ABSENCE_DAYS = 21
"""Days that a person may be away in one game; the moderator grants more."""

STYLE_SET = T("Your mails of this game are so from now on.")
STYLES: dict[str, tuple[Msg, dict[str, str | int]]] = {
    "full": (STYLE_SET, {"full": True}),
    "short": (STYLE_SET, {"full": False}),
    "text": (STYLE_SET, {"plain": True, "full": True}),
    "html": (STYLE_SET, {"plain": False, "full": False}),
    "every-turn": (T("You are mailed whenever somebody has acted at this table."), {"volume": EVERY_TURN}),
    "my-turn": (
        T("You are mailed when something is asked of you, when something concerns you, and when you wrote."),
        {"volume": ""},
    ),
}  # fmt: skip
"""A word after `mail` to what its writer is told, and the settings of the holder that it changes."""

_FRENCH = {
    "full": "complet", "short": "court", "text": "texte", "every-turn": "chaque-tour", "my-turn": "mon-tour",
    "daily": "quotidien",
}  # fmt: skip
"""The words after `mail` in French mails."""

_OTHERWISE = {
    "every turn": "every-turn", "chaque tour": "every-turn", "my turn": "my-turn", "mon tour": "my-turn",
    **{french: word for word, french in _FRENCH.items()},
}  # fmt: skip
_DAILY = re.compile(r"(?:daily|quotidien)(?:\s+(?:at\s+|a\s+)?(\d{1,2})(?:\s*h(?:00)?|:00)?)?")


def style_of(said: str) -> tuple[Msg, dict[str, str | int]] | None:
    """What words after `mail` set, as a row of `STYLES`; None for other words."""
    words = fold_text(said).strip(" .!")
    if (daily := _DAILY.fullmatch(words)) and (hour := int(daily[1] or DAILY_AT)) < 24:
        says = T(
            "At {hour}:00 where you live one mail a day tells you of this table and of all others for which you have "
            "said so. A question that has less time than that comes at once, and so does what answers you.",
            hour=hour,
        )
        return says, {"volume": DAILY, "hour": hour}
    return STYLES.get(_OTHERWISE.get(words, words))


LANGUAGES = {
    "en": ("english", "anglais", "en"),
    "fr": ("francais", "french", "fr"),
}
"""Names of languages, by the code of their catalogue."""


def language_of(said: str) -> str | None:
    """The code of the language that words name; None for a language without a catalogue."""
    word = fold_text(said).strip(" .!")
    return next((one for one in languages() if word in LANGUAGES.get(one, (one,))), None)


LANGUAGE_SET = T("Your mails are in English from now on, at all your tables.")
"""The answer to `language`; each catalogue names its own language here."""


def chosen_language(said: str) -> str:
    """The code of the language that words name. Raises NotAllowed for a language without a catalogue."""
    if (found := language_of(said)) is None:
        every = tuple(T("language {code}", code=one) for one in languages())
        raise NotAllowed(T("There are no mails in the language «{word}» here.", word=said[:20]), possible=every)
    return found


PERSONAL = frozenset({"language", "mail", "quiet", "remind", "zone"})
"""Commands that concern their writer alone, and work before the game and after it too."""

GIVES_AWAY = frozenset({"address", "resign"})
"""Commands that give the seat to another address or a computer. They need the newest key: whoever was forwarded a mail
has an old one."""

COMMANDS = (
    Command(
        "away", Does.SET, T.of("a letter", "away 24 dec to 6 jan"),
        T("your time stands still meanwhile, and the others see it; «away off» takes it back"),
        ("conge",), argument=True, needs=True, values={"fr": {"off": "fini"}},
    ),
    Command(
        "remind", Does.SET, T.of("a letter", "remind 12h"),
        T("reminds you once, so long before the end of a decision; «remind usual»: at half time, 12 h and 2 h before"),
        ("rappel",), argument=True, needs=True, values={"fr": {"usual": "habituel"}},
    ),
    Command(
        "zone", Does.SET, T.of("a letter", "zone Europe/Paris"),
        T("the time zone that you live in; times are told in it, at all your tables"),
        ("fuseau",), argument=True, needs=True,
    ),
    Command(
        "quiet", Does.SET, T.of("a letter", "quiet 22-7"),
        T("the hours in which no reminder goes and nothing is due; or «quiet off»"),
        ("silence",), argument=True, needs=True, values={"fr": {"off": "non"}},
    ),
    Command(
        "vote", Does.SET, T.of("a letter", "vote hold"),
        T("asks for the game to be held, which it is when all ask; then «vote resume»"),
        argument=True, needs=True, values={"fr": {"hold": "suspendre", "resume": "reprendre"}},
    ),
    Command(
        "address", Does.SET, T.of("a letter", "address anna@example.org"),
        T("another address of yours for this table, once an answer has come from there"),
        ("adresse",), argument=True, needs=True,
    ),
    Command(
        "resign", Does.SET, T.of("a letter", "resign"),
        T("you leave the game; a computer plays for you until somebody else has your seat"),
        ("demissionner",),
    ),
    Command(
        "again", Does.SET, T.of("a letter", "again"),
        T("once the game is over: asks for another one with the same people, which is opened when all ask"),
        ("rejouer",), only=takes_nothing,
    ),
    Command(
        "language", Does.SET, T.of("a letter", "language fr"),
        T("the language of your mails, at all your tables; orders are read in every language from everybody"),
        ("langue",), argument=True, needs=True, only=str.isalpha,
    ),
    Command(
        "mail", Does.SET, T.of("a letter", "mail full"),
        T("how your mails are: «mail short», «mail full», «mail text» (words alone, all of them), «mail html»; and how "
          "many: «mail my-turn», «mail every-turn», «mail daily» or «mail daily 19», one a day for all your tables"),
        ("courriel",), argument=True, needs=True, only=lambda said: style_of(said) is not None, values={"fr": _FRENCH},
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """What a line sets: the table after it, the holder's own settings, what the writer and what all are told."""

    says: Msg
    table: Table
    personal: dict[str, str | int] = field(default_factory=dict)
    told: Msg | None = None
    status: Status | None = None
    concerned: tuple[Seat, ...] = ()
    aside: tuple[Msg, ...] = ()
    """What the moderator is told."""

    @property
    def own(self) -> bool:
        """Whether it is its writer's alone: neither the table nor anybody at it is touched."""
        return bool(self.personal) and self.status is None and not (self.told or self.concerned or self.aside)


def parse_setting(
    command: Command, argument: str, table: Table, seat: Seat, hours: Availability, now: datetime
) -> Setting:
    """What a line sets for the holder of a seat. Raises OrderRefused."""
    argument = command.meant(argument)
    match command.word:
        case "away":
            return _away(argument, table, seat, hours, now)
        case "remind":
            return _remind(argument, table)
        case "zone":
            if near := zones_meant(argument, now, hours.zone):
                says = T("«{zone}» names no place. Which town has your time? Any other by name.", zone=argument.strip())
                raise AskedBack(says, as_choices(*(f"zone {town}" for town in near)))
            name = zone_of(argument.strip()).key
            says = T("Times are told to you in the zone {zone}, at all your tables.", zone=name)
            return Setting(says, table, {"zone": name})
        case "quiet":
            said = fold_text(argument).strip()
            first, last = parse_quiet_hours(said)
            says = T(
                "No reminder goes and nothing falls due from {first}:00 to {last}:00 where you live, at all your "
                "tables.", first=first, last=last,
            )  # fmt: skip
            if first == last:
                says = T("You have no quiet hours now.")
            return Setting(says, table, {"quiet": f"{first}-{last}"})
        case "address":
            return _address(argument, table)
        case "resign":
            return _resign(table, seat)
        case "again":
            return _again(table, seat)
        case "language":
            return Setting(LANGUAGE_SET, table, {"language": chosen_language(argument)})
        case "mail":
            says, style = style_of(argument) or (STYLE_SET, {})
            return Setting(says, table, style)
        case _:
            return _vote(argument, table, seat)


def parse_absence(
    argument: str,
    table: Table,
    seat: Seat,
    hours: Availability,
    now: datetime,
    budget: int = ABSENCE_DAYS,
    name: str = "",
) -> tuple[Absence, Table]:
    """Parse an absence and put it on the table; `name`: whose it is where somebody else writes. Raises OrderRefused."""
    today = now.astimezone(hours.zone).date()
    first, last = period(argument, today)
    if first < today:
        raise NotAllowed(T("An absence cannot begin before today."))
    one = Absence(max(hours.day(first), now), hours.day(last + DAY))
    row = table.seat(seat)
    if any(one.since < other.until and other.since < one.until for other in row.away):
        says = T("{name} is away then already.", name=name) if name else T("You are away then already.")
        raise NotAllowed(says, possible=(T("away off"),))
    away = (*(other for other in row.away), one)
    days = sum((other.until - other.since for other in away), timedelta()) / DAY
    if days > budget + 0.01:
        if name:
            raise NotAllowed(
                T("With that {name} would be away for {n} days of this game; it may be {most}.",
                  name=name, n=round(days), most=budget)
            )  # fmt: skip
        raise NotAllowed(
            T("With that you would be away for {n} days of this game; it may be {most}.", n=round(days), most=budget),
            possible=(T("Ask the moderator, who can grant more."),),
        )
    return one, _with(table, seat, away)


def absence_dates(one: Absence, hours: Availability) -> dict[str, Msg]:
    """The first and the last day of an absence."""
    return {"first": local_day(one.since, hours.zone), "last": local_day(one.until - timedelta(minutes=1), hours.zone)}


def ends_absence(argument: str) -> bool:
    """Whether what stands behind `away` ends an absence."""
    return fold_text(argument).strip() in ("off", "fini", "non", "end")


def end_absence(table: Table, row: SeatRow, now: datetime, name: str = "") -> Table:
    """The table without the rest of somebody's absences; `name`: as for `parse_absence`. Raises TooLate without any."""
    # What has passed stays: nobody's time is shortened by days that were granted.
    kept = tuple(replace(one, until=min(one.until, now)) for one in row.away if one.since < now)
    if kept == row.away:
        raise TooLate(T("{name} is not away, nor will be.", name=name) if name else T("You are not away, nor will be."))
    return _with(table, Seat(row.seat), kept)


def is_away(row: SeatRow, now: datetime) -> bool:
    """Whether the holder of a seat is away now."""
    return any(one.since <= now < one.until for one in row.away)


def _away(argument: str, table: Table, seat: Seat, hours: Availability, now: datetime) -> Setting:
    row = table.seat(seat)
    if ends_absence(argument):
        says, told = T("You are here again."), T("{name} is here again.", name=row.name)
        return Setting(says, end_absence(table, row, now), told=told)
    one, after = parse_absence(argument, table, seat, hours, now)
    days = absence_dates(one, hours)
    says = T("You are away from {first} to {last}; that time does not count for you.", **days)
    return Setting(says, after, told=T("{name} is away from {first} to {last}.", name=row.name, **days))


def _remind(argument: str, table: Table) -> Setting:
    if fold_text(argument).strip() in ("usual", "usuel", "normal", "off"):
        return Setting(T("You are reminded at half time, 12 hours and 2 hours before the end."), table, {"remind": 0})
    hours = int(span(argument) / timedelta(hours=1))
    if hours > 72:
        raise NotAllowed(T("No decision takes longer than 72 hours."), possible=(T("remind 12h"),))
    says = T("You are reminded {n} hour before the end.", "You are reminded {n} hours before the end.", n=hours)
    return Setting(says, table, {"remind": hours})


def _vote(argument: str, table: Table, seat: Seat) -> Setting:
    """Count a vote to hold the game or to let it go on; the last one does it."""
    said, name, held = fold_text(argument).strip(), table.seat(seat).name, table.status is Status.HELD
    if said not in ("hold", "resume"):
        raise NotUnderstood(
            T("All together only hold the game, or let it go on. Whoever must go writes «resign»; a game that "
              "everybody has left is given up."),
            possible=(T("vote resume") if held else T("vote hold"),),
        )  # fmt: skip
    if table.status not in (Status.RUNNING, Status.HELD) or (held and not table.votes):
        raise NotAllowed(T("Only the moderator lets this game go on, or holds it."))
    if said == "resume" and not held and seat not in table.votes:
        raise NotAllowed(T("The game is not held: it goes on."))
    asked = voters(table)
    votes = tuple(one for one in asked if (one in table.votes if one != seat else said == "hold"))
    if votes == table.votes:
        raise NotAllowed(T("You have said so already."))
    after, everybody = replace(table, votes=votes), tuple(Seat(row.seat) for row in table.seats)
    if said == "hold":
        count = {"n": len(votes), "all": len(asked)}
        told = T("{name} asks for the game to be held ({n} of {all}); «vote hold» agrees.", name=name, **count)
        if len(votes) == len(asked):
            told = T("The game is held, since everybody has asked for it; «vote resume» by everybody lets it go on.")
            return Setting(told, after, told=told, status=Status.HELD, concerned=everybody)
        return Setting(T("Your vote counts: {n} of {all}.", **count), after, told=told, concerned=everybody)
    count = {"n": len(asked) - len(votes), "all": len(asked)}
    told = T("{name} asks for the game to go on ({n} of {all}); «vote resume» agrees.", name=name, **count)
    if held and not votes:
        told = T("The game goes on, since everybody has asked for it.")
        rows = tuple(replace(row, asked=0) for row in after.seats)
        return Setting(told, replace(after, seats=rows), told=told, status=Status.RUNNING, concerned=everybody)
    return Setting(T("Your vote counts: {n} of {all}.", **count), after, told=told, concerned=everybody)


def _address(argument: str, table: Table) -> Setting:
    """Ask for a proof of another address: it counts once somebody has answered from there."""
    address = argument.strip().strip("<>").lower()
    if not is_address(address):
        raise NotUnderstood(T("«{word}» is no address.", word=address[:80]), possible=(T("address anna@example.org"),))
    says = T("A mail goes to {address}. Answer it from there; until then everything comes here.", address=address)
    return Setting(says, table, {"coming": address})


def voters(table: Table) -> tuple[str, ...]:
    """The seats whose votes count: those of people."""
    return tuple(row.seat for row in table.seats if row.by == PERSON)


def _again(table: Table, seat: Seat) -> Setting:
    """Count a wish for another game. The daemon opens the table when `wants_again`."""
    asked, everybody = voters(table), tuple(Seat(row.seat) for row in table.seats)
    again = tuple(one for one in asked if one == seat or one in table.again)
    if again == table.again:
        raise NotAllowed(T("You have said so already."))
    says = T(
        "{n} of {all} would play another game; a table is opened when all do.",
        "{n} of {all} would play another game; a table is opened when all do.",
        n=len(again), all=len(asked),
    )  # fmt: skip
    told = T(
        "{name} would play another game with the same people ({n} of {all}); «again» says so too.",
        name=table.seat(seat).name, n=len(again), all=len(asked),
    )  # fmt: skip
    if again == asked:
        says = told = T("All would play another game: a table is opened, and the invitations follow.")
    return Setting(says, replace(table, again=again), told=told, concerned=everybody)


def wants_again(table: Table) -> bool:
    """Whether everybody at a table that is over has asked for another one."""
    return table.status is Status.ENDED and bool(table.again) and table.again == voters(table)


def _resign(table: Table, seat: Seat) -> Setting:
    """Seat a computer for somebody who leaves, or give the game up where nobody else is left."""
    row, everybody = table.seat(seat), tuple(Seat(one.seat) for one in table.seats)
    says = T("You have left the game. «back» takes it back, until somebody else has your seat.")
    if not any(one.by == PERSON and one.seat != seat for one in table.seats):
        told = T("{name} has left the game. Nobody else is left who plays, so it is given up.", name=row.name)
        says = T("You have left the game. Nobody else is left who plays, so it is given up.")
        aside = (told, T("«gm resume» takes it up again."))
        return Setting(says, table, told=told, status=Status.ABANDONED, concerned=everybody, aside=aside)
    lent = replace(row, by=COMPUTER, level=row.level or SUBSTITUTE_LEVEL)
    told = T("{name} has left the game; a computer (level {level}) plays until somebody else has the seat.",
             name=row.name, level=level_text(lent.level))  # fmt: skip
    aside = (told, T("«gm replace {seat} Zoe <zoe@example.org> because …» gives it to another person.", seat=row.seat))
    rows = tuple(lent if one.seat == seat else one for one in table.seats)
    return Setting(says, replace(table, seats=rows), told=told, concerned=everybody, aside=aside)


def _with(table: Table, seat: Seat, away: tuple[Absence, ...]) -> Table:
    rows = tuple(replace(row, away=away) if row.seat == seat else row for row in table.seats)
    return replace(table, seats=rows)
