"""Measures by month as one picture (SVG), panel beside panel; nothing is fetched, and no program draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDE, HIGH = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 30, 24
COLOURS = ("#35618f", "#b8632b", "#3d7f58", "#8a4f7d")


@dataclass(frozen=True)
class Panel:
    """Lines over the months: their values by name, all in one unit."""

    title: str
    unit: str
    lines: Mapping[str, Sequence[float]]


def chart(title: str, panels: Sequence[Panel]) -> str:
    """The picture, two panels in a row."""
    rows = -(-len(panels) // 2)
    parts = [
        f'<g transform="translate({WIDE * (n % 2)} {26 + HIGH * (n // 2)})">{_panel(panel)}</g>'
        for n, panel in enumerate(panels)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE} {26 + HIGH * rows}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="10" fill="#222">\n'
        f'<rect width="100%" height="100%" fill="#fff"/><text x="{LEFT}" y="17" font-size="13">{escape(title)}</text>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _panel(panel: Panel) -> str:
    most = _round(max(max(values) for values in panel.lines.values()))
    months = len(next(iter(panel.lines.values())))
    width, height = WIDE - LEFT - RIGHT, HIGH - TOP - BOTTOM

    def x(month: int) -> float:
        return LEFT + width * month / months

    def y(value: float) -> float:
        return TOP + height * (1 - value / most)

    parts = [f'<text x="{LEFT}" y="12" font-weight="bold">{escape(panel.title)}, {escape(panel.unit)}</text>']
    for part in (0.0, 0.5, 1.0):
        value = most * part
        parts.append(
            f'<path d="M{LEFT} {y(value):.1f}h{width}" stroke="#ccc" fill="none"/>'
            f'<text x="{LEFT - 4}" y="{y(value) + 3:.1f}" text-anchor="end">{value:g}</text>'
        )
    parts += [
        f'<text x="{x(month):.1f}" y="{HIGH - 10}" text-anchor="middle">{month}</text>' for month in range(1, months + 1)
    ]
    for n, (name, values) in enumerate(panel.lines.items()):
        colour = COLOURS[n % len(COLOURS)]
        points = " ".join(f"{x(month):.1f},{y(value):.1f}" for month, value in enumerate(values, 1))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{x(month):.1f}" cy="{y(value):.1f}" r="2" fill="{colour}"/>' for month, value in enumerate(values, 1)
        ]
        key = LEFT + n * width / len(panel.lines)
        parts.append(f'<text x="{key:.1f}" y="24" fill="{colour}">{escape(name)}</text>')
    return "".join(parts)


def _round(most: float) -> float:
    """The least of 1, 2, 3, 4, 5, 6, 8 of a power of ten that is no less."""
    power = 1.0
    while power < most:
        power *= 10
    while power / 10 >= most > 0:
        power /= 10
    return next(step * power / 10 for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * power / 10 >= most)
