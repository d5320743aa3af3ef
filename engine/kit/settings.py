"""The options of a table: what a host chose, checked, and the rest as usual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.catalog import T
from engine.errors import NotAllowed
from engine.game import Option


def settled(
    title: str, seats: range, options: Iterable[Option], players: int, chosen: Mapping[str, str]
) -> dict[str, str]:
    """Every option with its value. Raises NotAllowed for unknown names, values or a wrong number of players.

    What a list option or a free text holds, and which options fit together, a game sees for itself.
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
