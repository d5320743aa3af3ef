"""The options of a table: what a host chooses when it opens, checked, and defaults for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.values import fixed


@fixed
class Option:
    """One choice that a host makes when a table opens. Empty `values` means free text, checked by the game.

    `default` is one of `values`; a list option (`many`) takes several, separated by commas.
    """

    name: str
    values: tuple[str, ...]
    default: str
    says: Msg
    many: bool = False
    played: Mapping[str, Msg] = field(default_factory=dict)
    """What a value, or each word of it, means to the players; "" is for any other value."""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By language: the names of the option and of its values."""

    def told(self, value: str) -> Msg:
        """What is played with a value, as a sentence for players."""
        words = dict.fromkeys(re.split(r"[\s,]+", value))
        known = tuple(self.played[word] for word in words if word in self.played)
        return known[0] if len(known) == 1 else T("{parts}", parts=known) if known else self.played.get("", self.says)

    def shown(self, value: str) -> Msg:
        """Name and value in the words of the reader."""
        written = f"{self.name} {value}"
        return T.each(written, **{language: replace_words(written, words) for language, words in self.words.items()})


def replace_words(text: str, words: Mapping[str, str]) -> str:
    """Replace the words of a text; a word with a hyphen comes before its parts."""

    def instead(found: re.Match[str]) -> str:
        return words.get(found[0]) or re.sub(r"\w+", lambda part: words.get(part[0], part[0]), found[0])

    return re.sub(r"\w+(?:-\w+)*", instead, text)


def settled_options(
    title: str, seats: range, options: Iterable[Option], players: int, chosen: Mapping[str, str]
) -> dict[str, str]:
    """Return every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players.

    A game itself checks list options, free text, and which options fit together.
    """
    if players not in seats:
        raise NotAllowed(
            T(
                "{game} is for {least} to {most} players; {n} are seated.",
                game=title,
                least=seats[0],
                most=seats[-1],
                n=players,
            )
        )
    known = {option.name: option for option in options}
    found = {option.name: option.default for option in known.values()}
    for given, value in chosen.items():
        name = given if given in known else given.replace("-", "_")
        option = known.get(name)
        if option is None:
            raise NotAllowed(
                T("{game} has no option {name}; it has {names}.", game=title, name=given, names=tuple(known))
            )
        if option.values and not option.many and value not in option.values:
            raise NotAllowed(
                T("{name} is one of {values}, not {value}.", name=name, values=option.values, value=value or "''")
            )
        found[name] = value
    return found
