"""The five modules of The Ladies of Troyes and its variants, as the options of a game name them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.table_options import Option

MODULES = ("characters", "activities", "events", "head", "ramparts")
"""New characters, new activities, new events, the head of the family, rampart guards and outdoor activities."""
NONE, ALL = "none", "all"


def switch(name: str, says: Msg, played: Msg, french: str = "") -> Option:
    """An option that is `no` unless the host says `yes`."""
    words = {"yes": "oui", "no": "non"} | ({name: french} if french else {})
    return Option(name, ("no", "yes"), "no", says, played={"yes": played}, words={"fr": words})


OPTIONS: tuple[Option, ...] = (
    Option(
        "ladies",
        (NONE, *MODULES, ALL),
        NONE,
        T("The Ladies of Troyes: some of its modules, separated by commas, or all"),
        many=True,
        played={
            ALL: T("all of The Ladies of Troyes: characters, activities, events, head of the family, ramparts"),
            "characters": T("the Ladies' characters"),
            "activities": T("the Ladies' activities"),
            "events": T("the Ladies' events"),
            "head": T("the head of the family, with a purple die"),
            "ramparts": T("the guards on the ramparts, with outdoor activities"),
        },
        words={
            "fr": {
                "ladies": "dames",
                NONE: "aucun",
                ALL: "tout",
                "characters": "personnages",
                "activities": "activités",
                "events": "événements",
                "head": "chef",
                "ramparts": "remparts",
            }
        },
    ),
    Option(
        "activities",
        ("mixed", "alone"),
        "mixed",
        T("the Ladies' activities: shuffled together with those of the base game, or alone"),
        played={"alone": T("the Ladies' activities alone, without those of the base game")},
        words={"fr": {"activities": "activités", "mixed": "mêlées", "alone": "seules"}},
    ),
    switch(
        "open-character",
        T("one character is turned up at the start, with the Ladies' characters"),
        T("one character lies open from the start and counts for everybody"),
        "personnage-découvert",
    ),
    switch(
        "tournament",
        T("the last round is played counter-clockwise, for three or four players"),
        T("the last round is played counter-clockwise"),
        "tournoi",
    ),
)


def modules_played(options: Mapping[str, str]) -> tuple[str, ...]:
    """The modules that are played."""
    return _played(options.get("ladies", NONE))


@lru_cache
def _played(value: str) -> tuple[str, ...]:
    words = value.split(",")
    return MODULES if ALL in words else tuple(module for module in MODULES if module in words)


def is_tournament(options: Mapping[str, str]) -> bool:
    """Whether the last round is played counter-clockwise."""
    return options.get("tournament") == "yes"


def settled_modules(options: dict[str, str], players: int) -> None:
    """Write `ladies` in its canonical form and check which options go together. Raises NotAllowed."""
    words = [word.strip() for word in options["ladies"].split(",") if word.strip()]
    wrong = [word for word in words if word not in (NONE, *MODULES, ALL)]
    if wrong or (len(words) > 1 and NONE in words):
        raise NotAllowed(
            T("ladies is a list of {modules}, or all, not {value}.", modules=MODULES, value=options["ladies"] or "''")
        )
    if words not in ([], [NONE]) and players == 1:
        raise NotAllowed(
            T("The Ladies of Troyes are for 2 to 4 players; the game against le Roy is played without them.")
        )
    chosen = _played(",".join(words))
    options["ladies"] = ALL if chosen == MODULES else ",".join(chosen) or NONE
    if options["activities"] == "alone" and "activities" not in chosen:
        raise NotAllowed(T("activities=alone needs the Ladies' activities: ladies=activities."))
    if options["open-character"] == "yes" and "characters" not in chosen:
        raise NotAllowed(T("open-character is a variant of the Ladies' characters: ladies=characters."))
    if is_tournament(options) and players < 3:
        raise NotAllowed(T("The tournament variant is for 3 or 4 players; {n} are seated.", n=players))


def activity_sets(options: Mapping[str, str]) -> frozenset[str]:
    """The sets whose Activity cards are shuffled."""
    sets = {"base"} | _bonus(options)
    if "activities" in modules_played(options):
        sets |= {"ladies"}
        if options.get("activities") == "alone":
            sets -= {"base"}
    return frozenset(sets)


def event_sets(options: Mapping[str, str]) -> frozenset[str]:
    """The sets whose Event cards are shuffled: the Ladies' are never alone (D12)."""
    return frozenset({"base"} | _bonus(options) | ({"ladies"} if "events" in modules_played(options) else set()))


def _bonus(options: Mapping[str, str]) -> set[str]:
    return {"bonus"} if options.get("bonus") == "yes" else set()
