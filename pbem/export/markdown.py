"""Tell a game as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.catalog import ENGLISH, Catalogue, T
from engine.event_log import Data
from pbem.export.audience import EVERYBODY
from pbem.export.score_sheet import scored_names

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")


def write_markdown(found: Data, words: Catalogue = ENGLISH) -> str:
    """The document as Markdown: players, rounds, scores, dice."""
    return "\n".join(_told(found, words)) + "\n"


def _told(found: Data, words: Catalogue) -> Iterator[str]:
    table, say = found["game"], words.render
    names = {row["seat"]: row["name"] for row in table["seats"]}
    yield f"# {escape_markdown(table['title'])}: {escape_markdown(table['name'])}"
    yield ""
    players = tuple(escape_markdown(name) for name in names.values())
    yield say(T("Players, clockwise: {players}.", players=players))
    yield say(T("From {begin} to {end} (UTC).", begin=table["opened"][:10], end=table["changed"][:10]))
    if table["options"]:
        chosen = tuple(f"{name} {value}" for name, value in table["options"].items())
        yield say(T("Options: {options}.", options=tuple(escape_markdown(option) for option in chosen)))
    reader = found["view"].removeprefix("seat:") if found["view"].startswith("seat:") else EVERYBODY
    heading = ""
    for record in found["records"]:
        if record.get("undone"):
            continue
        for step in record["steps"]:
            if step.get("heading", heading) != heading:
                heading = step["heading"]
                yield from ("", f"## {escape_markdown(heading[:1].upper() + heading[1:])}", "")
            elif not heading:
                heading = " "
                yield ""
            for line in step.get("lines", {}).get(reader, ()):
                yield f"- {escape_markdown(line)}"
        for one in record.get("talk", ()):
            name = names.get(record.get("seat", ""), "")
            text = T("{name} says: «{text}»", name=name, text=one["text"])
            if "." in one["to"]:
                text = T("{name} notes: «{text}»", name=name, text=one["text"])
            elif one["to"]:
                to = names.get(one["to"], one["to"])
                text = T("{name} says to {to}: «{text}»", name=name, to=to, text=one["text"])
            yield f"- *{escape_markdown(say(text))}*"
    yield from _scores(found, scored_names(found), words)
    yield from _dice(found, words)


def _scores(found: Data, names: dict[str, str], words: Catalogue) -> Iterator[str]:
    result = found.get("result")
    if not result:
        return
    yield from ("", f"## {words.render(T('Scores'))}", "")
    yield "| | " + " | ".join(escape_markdown(name) for name in names.values()) + " |"
    yield "|---|" + "--:|" * len(names)
    parts = dict.fromkeys(part for seat in names for part in result["scores"].get(seat, {}))
    for part in parts:
        points = " | ".join(str(result["scores"][seat].get(part, 0)) for seat in names)
        yield f"| {escape_markdown(result['names'].get(part, part))} | {points} |"
    yield f"| **{words.render(T('total'))}** | " + " | ".join(f"**{result['totals'][seat]}**" for seat in names) + " |"
    winners = tuple(escape_markdown(names[seat]) for seat in result["winners"])
    yield from ("", words.render(T("{winners} wins.", "{winners} win together.", n=len(winners), winners=winners)))


def _dice(found: Data, words: Catalogue) -> Iterator[str]:
    if "chance" not in found:
        return
    yield from ("", f"## {words.render(T('The dice'))}", "")
    yield words.render(
        T(
            "The hash over seed and host's word was published before anybody's word was known: {hash}. The seed was "
            "{seed}. `pbem verify` checks every die.",
            hash=f"`{found['game']['commitment']}`",
            seed=f"`{found['chance']['seed']}`",
        )
    )


def escape_markdown(text: str) -> str:
    """Escape Markdown."""
    return _SPECIAL.sub(r"\\\1", text)
