"""Cards and board as values that the rules look up. The numbers come from the tables."""

from __future__ import annotations

from dataclasses import field

from engine.values import fixed


@fixed
class Activity:
    """An Activity card.

    `kind` is `immediate`, `delayed`, `mixed` (cubes are put there or used) or `endgame` (they count at the end).
    `hire` is in deniers, or in influence where `currency` says so; `spaces` are VP, dearest first; a group's total is
    divided by `divisor`, or where that is 0 every die counts once. `numbers` are the numbers of its own effect:
    `deniers` gained, `cost` in deniers, `points` in VP, `influence` (gained by Hunting and Innkeeper, spent on the
    others), `plus` and `value` for dice, `hits` the least roll that hits, `cubes` and `men` that count together, `as`
    how many dice one die counts as, `adds` the value of a die that a cube stands for, `above` more deniers than which
    one must hold, `worth` and `least` of a cube at the end. `becomes` is the colour its die turns into, or empty.
    `forbids` are the places a group changed by its cube may not be used for (rulings A10, A36). `opens_level` says that
    a level of the cathedral comes with it, which counts at the end (A35).
    """

    id: str
    set: str
    name: str
    color: str
    level: int
    kind: str
    hire: int
    currency: str
    spaces: tuple[int, ...]
    divisor: int
    dice: tuple[str, ...]
    numbers: dict[str, int] = field(hash=False)
    becomes: str
    forbids: tuple[str, ...]
    opens_level: bool
    text_en: str

    @property
    def delayed(self) -> bool:
        """Whether its cubes change the dice of later actions."""
        return self.kind == "delayed"

    @property
    def keeps(self) -> bool:
        """Whether cubes lie on it."""
        return self.kind != "immediate"

    @property
    def virtual(self) -> bool:
        """Whether its cube makes more dice than there are, which then cannot place a citizen (ruling A65)."""
        return self.numbers.get("as", 1) > 1 or "adds" in self.numbers


@fixed
class EventCard:
    """An Event card, or Marauding, which is `permanent`.

    `word` is what players type, shared by copies. `calls` is the colour of the next card it brings, or empty.
    `banners` is how many cubes counter it; `first` and `second` are its VP; `dice` the colours that may fight it.
    """

    id: str
    set: str
    name: str
    word: str
    color: str
    calls: str
    divisor: int
    dice: tuple[str, ...]
    banners: int
    first: int
    second: int
    black_dice: int
    permanent: bool
    numbers: dict[str, int] = field(hash=False)
    text_en: str


@fixed
class Character:
    """A Character: reaching `thresholds[i]` of what it counts earns `points[i]` VP; only the best is paid."""

    id: str
    set: str
    name: str
    thresholds: tuple[int, ...]
    two_player_thresholds: tuple[int, ...]
    points: tuple[int, ...]
    text_en: str

    def worth(self, count: int, players: int) -> int:
        """The VP that `count` earns at a table of `players`."""
        steps = self.two_player_thresholds if players == 2 else self.thresholds
        return max((vp for step, vp in zip(steps, self.points, strict=True) if count >= step), default=0)


@fixed
class Outdoor:
    """A face of an outdoor tile of the Ladies, of `level` 1 to 4.

    `when` says how its cubes are used: `react` in another player's action, `own` in one's own, `before` it, `events`
    in phase 3, `end` at the end of the game, `none` for a tile that takes none. `prizes` are VP by rank or arrival.
    """

    id: str
    set: str
    name: str
    level: int
    when: str
    prizes: tuple[int, ...]
    numbers: dict[str, int] = field(hash=False)
    text_en: str

    @property
    def rolls(self) -> str:
        """The colour of the die that a cube brings back, or `""`."""
        return self.id.removeprefix("reroll_") if self.when == "before" else ""


@fixed
class Board:
    """Numbers of the board and the set-up. Mappings by players have the keys 2, 3, 4; losses are positive VP.

    `rows` are the dice of the three rows of City Hall and Bishopric. With two players gray citizens start on
    `neutral_palace` (spaces 1..6) and on (row 1..3, space 1..2) of the others, counted as players type them.
    """

    start_deniers: int
    start_influence: int
    influence_max: int
    income: int
    salary: dict[str, int] = field(hash=False)
    unpaid_loss: int
    unresolved_loss: int
    unbeaten_loss: int
    black_die_influence: int
    cube_influence: int
    black_dice: int
    red_factor: int
    pass_first: int
    pass_later: int
    citizens: int
    neutral_citizens: int
    start_citizens: dict[int, int] = field(hash=False)
    rounds: dict[int, int] = field(hash=False)
    red_events: dict[int, int] = field(hash=False)
    characters: dict[int, int] = field(hash=False)
    prices: tuple[int, ...]
    group_max: int
    reroll: int
    recruit: int
    flip: int
    flip_dice: int
    agriculture_divisor: int
    presence_points: int
    missing_level_loss: int
    levels: int
    columns: int
    cathedral_points: int
    cathedral_influence: tuple[int, ...]
    palace_spaces: int
    row_spaces: int
    rows: tuple[tuple[int, int], ...]
    neutral_palace: tuple[int, ...]
    neutral_city_hall: tuple[tuple[int, int], ...]
    neutral_bishopric: tuple[tuple[int, int], ...]
    ramparts: int
    gates: tuple[int, ...]
    boost_price: int
    boost_max: int
    more_neutral_citizens: int
    more_black_dice: int

    def row(self, die: int) -> int:
        """The row, 1 to 3, that a die of this value enters. Raises ValueError for a value no row has."""
        for number, dice in enumerate(self.rows, 1):
            if die in dice:
                return number
        raise ValueError(f"no row has the die {die}; the rows have {self.rows}")


@fixed
class Solo:
    """Numbers of the solo game: what le Roy's actions cost and bring, and his best spaces first.

    `actions` are the words of his actions for rolls from 2 to 12. Points are his, prices are paid to the player by the
    bank; `tax_deniers`, `tithe_dice` and `builders_points` are what three cards change (rulebook, Card Modifications).
    """

    citizens: int
    placement_dice: int
    placed_by_le_roy: int
    placed_by_player: int
    actions: tuple[str, ...]
    pair_points: int
    pair_dice: int
    pair_price: int
    deal_points: int
    deal_dice: int
    deal_price: int
    worker_dice: int
    event_dice: int
    tradesman_dice: int
    cathedral_dice: int
    cathedral_cubes: int
    cathedral_instead: int
    character_dice: int
    character_instead: int
    tax_deniers: int
    tithe_dice: int
    builders_points: int
    palace_order: tuple[int, ...]
    city_hall_order: tuple[tuple[int, int], ...]
    bishopric_order: tuple[tuple[int, int], ...]
