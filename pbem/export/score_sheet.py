"""Write the score sheet of a game as CSV (RFC 4180): a row for each component, a column for each seat."""

from __future__ import annotations

import csv
import io

from engine.event_log import Data


class NoScores(Exception):  # noqa: N818 - a refusal, not a defect
    """The game is not over, or was ended without a result."""


def write_score_sheet(found: Data) -> str:
    """The score sheet of a document. Raises NoScores."""
    table = found["game"]
    result = found.get("result")
    if not result:
        why = "has no result" if table["status"] == "ended" else "is not over"
        raise NoScores(f"{table['name']} {why}, so it has no score sheet; --format md tells it so far")
    names = scored_names(found)
    seats = list(names)
    parts = list(dict.fromkeys(part for seat in seats for part in result["scores"].get(seat, {})))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(["component", "name", *seats])
    for part in parts:
        writer.writerow(
            [part, _safe(result["names"].get(part, part)), *(result["scores"][seat].get(part, 0) for seat in seats)]
        )
    writer.writerow(["total", "total", *(result["totals"][seat] for seat in seats)])
    writer.writerow(["winner", "winner", *("yes" if seat in result["winners"] else "no" for seat in seats)])
    writer.writerow(["player", "player", *(_safe(name) for name in names.values())])
    return text.getvalue()


def scored_names(found: Data) -> dict[str, str]:
    """The names of everybody with a score: the seats, and players of the game itself (le Roy)."""
    names = {row["seat"]: row["name"] for row in found["game"]["seats"]}
    result = found.get("result", {"totals": {}})
    return names | {other: result["names"].get(other, other) for other in result["totals"] if other not in names}


def _safe(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text
