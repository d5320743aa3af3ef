"""What the sheets of `make bench` have measured, and how they say it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

FIGURES: dict[str, dict[str, Any]] = {}
"""What was said, by names that stay: `value` in `unit`, and its `ratio` to what stands `beside` it in the same run."""


def say(name: str, what: str, value: float, unit: str = "/s", beside: str = "", ratio: float | None = None) -> None:
    """One line of the sheet, and a figure of `--json`."""
    FIGURES[name] = {"value": round(value, 4), "unit": unit, "beside": beside, "ratio": ratio and round(ratio, 4)}
    shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    print(f"{what:<62} {shown} {unit}".rstrip() + (f"  ({ratio:.3g} of {beside})" if ratio else ""), flush=True)


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
