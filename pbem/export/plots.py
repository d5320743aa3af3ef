"""Plot statistics with matplotlib, an extra: `pip install 'troyes-by-mail[plots]'`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.export.game_statistics import GameStatistics

MOST_CARDS = 20
INSTALL_PLOTS = "plots need matplotlib, which is not installed; `pip install 'troyes-by-mail[plots]'` installs it"


class NoPlots(Exception):  # noqa: N818 - a refusal, not a defect
    """matplotlib is missing, or there is nothing to draw."""


def plot(figures: GameStatistics, path: Path) -> None:
    """Plot one kind of game to a PNG or SVG file. Raises NoPlots, OSError."""
    if not figures.days:
        raise NoPlots(f"no game of {figures.kind} is over, so there is nothing to draw")
    try:
        # Without pyplot: no window, no global state.
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots(INSTALL_PLOTS) from None
    sheet: Any = Figure(figsize=(11, 9), layout="constrained")
    top, bottom = sheet.subplots(2, 2)
    sheet.suptitle(f"{figures.kind}: {len(figures.days)} {'game' if len(figures.days) == 1 else 'games'}")
    places = sorted(figures.seats)
    _bars(top[0], "Win rate by place from the start player", places, [figures.seats[place].rate for place in places])
    held = sorted(figures.held, key=lambda id: -figures.held[id].rate)
    names = [figures.names.get(id, id) for id in held]
    _bars(top[1], "Win rate by character", names, [figures.held[id].rate for id in held])
    bottom[0].hist(figures.days, bins=min(12, max(3, len(figures.days))), color="#35618f")
    bottom[0].set(title="Length of a game", xlabel="days", ylabel="games")
    cards = figures.cards.most_common(MOST_CARDS)[::-1]
    bottom[1].barh([name for name, _ in cards], [times for _, times in cards], color="#3d7f58")
    bottom[1].set(title="Orders that name a card")
    sheet.savefig(path, format=path.suffix.removeprefix(".").lower())


def _bars(axes: Any, title: str, names: list[str], rates: list[float]) -> None:
    axes.bar(names, [100 * rate for rate in rates], color="#b8632b")
    axes.set(title=title, ylabel="% of games", ylim=(0, 100))
    axes.tick_params(axis="x", labelrotation=30)
