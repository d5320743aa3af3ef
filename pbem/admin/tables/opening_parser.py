"""Reads the line that opens a table: `new troyes 3 players slow with Bob <bob@example.org>, the Ladies`.

Options and people may stand in any order. An option is written `NAME=VALUE`, or by a word that means one option only.
Any other word is refused with the options there are, since a wrong table would be played for weeks.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.game import AnyGame
from engine.kit.words import fold_text
from engine.table_options import replace_words
from pbem.admin.persons import parse_person
from pbem.admin.tables.opening import Invited, Opening, checked_opening
from pbem.clocks import pace
from pbem.desk.core.services import Services
from pbem.desk.pregame.gathering import chosen_options
from pbem.host.keys import mailbox_of
from pbem.host.pending_requests import Requester
from pbem.host.settings_file import is_address
from pbem.reading.courtesy import NUMBERS

MAX_PLAIN_NAME = 30
"""Characters of a name in a mail to people whom the host does not know."""

_PLACES = re.compile(r"([0-9]{1,2}) ?(?:players?|seats?|joueurs?|joueuses?|places?|people|personnes?)")
_WITH = re.compile(r"\s(?:with|avec)\s", re.IGNORECASE)
_APART = re.compile(r",(?![^<]*>)|;|\s(?:and|et)\s", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>()\[\]\"',;]+@[^\s<>()\[\]\"',;]+")
_PLAIN = re.compile(r"(?:[\w,: -]|\.(?=\d))+")
"""An option's value without anything that a mail program makes a link of."""
_SMALL = frozenset((
    *("for", "a", "the", "with", "and", "of", "in", "please", "pace", "game", "table", "all", "cards"),
    *("pour", "les", "la", "le", "avec", "et", "de", "en", "svp", "stp", "rythme", "partie", "toutes", "cartes"),
))  # fmt: skip
"""Words that may stand beside options and mean nothing."""
_ME = frozenset(("me", "myself", "moi", "moi-meme"))
_COMPUTERS = ("computer", "ordinateur", "bot", "robot", "ai", "ia")

_SUCH = (T("new troyes 3 players"), T("new troyes 4 players pace=medium with Bob <bob@example.org>"))


def plain_name(text: str) -> str:
    """A name for a mail to a stranger, without anything that reads as a link or an address."""
    kept = "".join(char if char.isalnum() or char in "'’-" else " " for char in text)
    return " ".join(kept.split())[:MAX_PLAIN_NAME].strip()


def parse_opening(services: Services, asker: Requester, line: str, word: str = "") -> Opening:
    """Read `new GAME [3 players] [NAME=VALUE] [with Bob <bob@example.org>, …]`.

    `word` is the writer's for the dice. Raises OrderRefused for seats or options that the game does not take.
    """
    head, *rest = _WITH.split(line, maxsplit=1)
    game, text = _game(services, head)
    # The writer has joined the table.
    invited = [Invited(plain_name(asker.name) or "Player", (asker.address,), word, language=asker.language)]
    others = [part.strip(" .:") for part in _APART.split(rest[0])] if rest else []
    options: dict[str, str] = {}
    count = _read(game, text, options)
    for part in filter(None, others):
        if "@" in part:
            invited.append(_named(services, part))
        elif fold_text(part) not in _ME:
            try:
                count = _read(game, part, options) or count
            except NotUnderstood:
                _computer(part)
                raise _nobody(part) from None
    if len({mailbox_of(one.addresses[0]) for one in invited}) < len(invited):
        raise NotAllowed(T("An address is named twice; each player has one of their own."))
    if not count and len(invited) == 1:
        raise NotUnderstood(T("For how many players? Nobody else is named either."), possible=_SUCH)
    places = count or len(invited)
    if places < len(invited):
        raise NotAllowed(T("{n} players are too few: with you, {all} are named.", n=places, all=len(invited)))
    opening = Opening(game.kind, tuple(invited), options, wish=asker.mark, places=places)
    checked_opening(game, opening)
    return opening


def opening_text(services: Services, opening: Opening) -> Msg:
    """The table in words, without the named people: the line may be forged."""
    game = services.find(opening.kind)
    ones = tuple(shown for shown, _ in chosen_options((*game.options, *pace.TABLE_OPTIONS), opening.options))
    found: dict[str, Any] = {
        "title": game.title, "n": max(opening.places, len(opening.invited)), "options": ones or T("the usual options")
    }  # fmt: skip
    return T("It would be: {title}, {n} player, {options}.", "It would be: {title}, {n} players, {options}.", **found)


def _game(services: Services, head: str) -> tuple[AnyGame, str]:
    """The game, named in one word or two, and the text behind it. Raises NotUnderstood."""
    kind, *words = head.split()[1:] or [""]
    for name, left in (("-".join((kind, *words[:1])), words[1:]), (kind, words)):
        with suppress(LookupError):
            return services.find(fold_text(name).strip(",:")), " ".join(left)
    such = (_SUCH[0], T("new troyes-dice 3 players"))
    raise NotUnderstood(T("No game is called «{word}» here.", word=plain_name(kind)), possible=such)


def _read(game: AnyGame, text: str, options: dict[str, str]) -> int:
    """Put the options of a text into `options`; the number of players, or 0. Raises NotUnderstood for other words."""
    plain = fold_text(text)
    count = _PLACES.search(plain)
    bare, places = _bare(game), 0
    for word in (_PLACES.sub(" ", plain) if count else text).replace(", ", " ").split():
        name, equals, value = word.strip(",;.").partition("=")
        if equals and _PLAIN.fullmatch(value) and (option := _option(game, name, value)):
            options.update(option)
        elif not (count or places) and NUMBERS.get(fold_text(name), 0) > 1:
            places = NUMBERS[fold_text(name)]
        elif fold_text(name) in bare and not equals:
            options.update(bare[fold_text(name)])
        elif "pace" in options and (longer := _longer(options["pace"], fold_text(name))):
            options["pace"] = longer
        elif fold_text(name) not in _SMALL or equals:
            raise NotUnderstood(
                T("«{word}» is no option; one is written NAME=VALUE. There are: {names}.",
                  word=plain_name(word), names=_names(game)),
                possible=_SUCH,
            )  # fmt: skip
    return int(count[1]) if count else places


def _option(game: AnyGame, name: str, value: str) -> dict[str, str]:
    """The option of that name in any language, with its value; empty where there is none."""
    for option in (*game.options, *pace.TABLE_OPTIONS):
        if (found := pace.option_value(option, name, value)) is not None:
            return {option.name: found}
    return {}


def _bare(game: AnyGame) -> dict[str, dict[str, str]]:
    """Words of any language that mean an option with its value: a pace, or an option that is on or off."""
    found: dict[str, dict[str, str]] = {}
    for option in (*game.options, *pace.TABLE_OPTIONS):
        value = "yes" if option.values == ("no", "yes") else "all" if option.many and "all" in option.values else ""
        names = {option.name: value} if value else {}
        if option.name == "pace":
            names = {word: word for word, hours in pace.PACE_HOURS.items() if hours}
        for name, value in names.items():
            for word in (name, *(words.get(name, name) for words in option.words.values())):
                found[fold_text(word)] = {option.name: value}
    return found


def _longer(said: str, word: str) -> str:
    """The pace with the days or clock time behind it; empty for any other word."""
    with suppress(OrderRefused):
        french = {word: one for one, word in pace.TABLE_OPTIONS[0].words["fr"].items()}
        longer = f"{said} {replace_words(word, french)}"
        return longer if pace.parse_pace(longer) else ""
    return ""


def _names(game: AnyGame) -> tuple[Msg, ...]:
    """The options that a mail may choose, in the reader's language; house rules are the host's to set."""
    every = (one for one in (*game.options, *pace.TABLE_OPTIONS) if one.name != "solo" and "." not in one.name)
    return tuple(
        T.each(one.name, **{lang: said.get(one.name, one.name) for lang, said in one.words.items()}) for one in every
    )


def _named(services: Services, text: str) -> Invited:
    """A person: `Bob <bob@example.org>`, or name and address without brackets."""
    name, addresses = parse_person(text)
    if "<" not in text and (found := _ADDRESS.search(text)):
        name, addresses = text.replace(found[0], " "), (found[0].strip(".:"),)
    address = addresses[0].lower() if len(addresses) == 1 else ""
    local, _, domain = services.renderer.host.address.lower().partition("@")
    # A domain without a dot is a slip, unless the host's own has none.
    whole = is_address(address) and ("." in address.partition("@")[2] or "." not in domain)
    if not whole or (address.startswith((f"{local}@", f"{local}+")) and address.endswith(f"@{domain}")):
        raise _nobody(text)
    return Invited(plain_name(name) or plain_name(address.partition("@")[0]) or "Player", (address,))


def _nobody(text: str) -> NotUnderstood:
    return NotUnderstood(
        T("«{word}» names nobody that mail can be sent to.", word=plain_name(text)),
        possible=(T("new troyes 3 players with Bob <bob@example.org>"),),
    )


def _computer(text: str) -> None:
    """Raises NotAllowed where a computer is named."""
    if any(word in _COMPUTERS for word in re.findall(r"[a-z]+", fold_text(text))):
        raise NotAllowed(
            T("The moderator seats computers; by mail people are invited, each with an address."),
            possible=(T("new troyes 3 players with Bob <bob@example.org>"),),
        )
