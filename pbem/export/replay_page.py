"""Write a game as one HTML page that replays it. The file is complete: it fetches and sends nothing.

The player is in `templates/replay`; `templates/KIND/replay.js` and `.css` draw the positions of a game. A game without
them is shown as a plain table.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup

from engine.catalog import Catalogue, Msg, T
from engine.event_log import Data
from pbem.outbound.translation import install_translations, name_forms, translations

SCRIPTS = ("parts", "charts", "table")

LABELS: dict[str, Msg] = {
    "before": T("Before the game"),
    "best": T("«{best}» promised {cost} more", best="{best}", cost="{cost}"),
    "costly": T("Turns that cost most, in points that the best choice promised more"),
    "end": T("At the end"),
    "less": T("A red number: so many points more the best choice of that turn promised; it is named beside the chart."),
    "expected": T("What each could expect, in points at the end"),
    "full": T("all secrets shown"),
    "gray": T("gray"),
    "no": T("no"),
    "only": T("Only for"),
    "pause": T("Pause"),
    "play": T("Play"),
    "points": T("Where the points came from"),
    "public": T("as the table sees it"),
    "seen": T("as seen by"),
    "rounds": T("The same in numbers, as each part of the game began"),
    "table": T("the table"),
    "total": T("Total"),
    "undone": T("taken back"),
    "wins": T("winner"),
    "yes": T("yes"),
}
"""Labels of the player's script."""


def write_replay_page(found: Data, words: Catalogue) -> str:
    """The page of a document."""
    look = _look(words.language)
    kind = str(found["game"]["kind"])
    labels = {name: words.render(label) for name, label in LABELS.items()}
    script = [look.get_template(f"replay/{name}.js").render() for name in SCRIPTS]
    script += [_own(look, kind, "js"), look.get_template("replay/replay.js").render(labels=_json(labels))]
    style = [look.get_template("replay/replay.css").render(), _own(look, kind, "css")]
    return look.get_template("replay/page.html").render(
        language=words.language,
        game=found["game"],
        chance=found.get("chance"),
        style=Markup("\n".join(style)),
        script=Markup("\n".join(script)),
        data=_json(_shown(found)),
    )


def _shown(found: Data) -> Data:
    """The part of a document that the page needs: positions and sentences, no entries, no decks."""
    rows = [_only(row, "at", "seat", "undone", "talk") | {"steps": [_step(step) for step in row["steps"]]}
            for row in found["records"]]  # fmt: skip
    return _only(found, "view", "game", "result", "cards") | {"records": rows}


def _only(row: Data, *keys: str) -> Data:
    return {key: row[key] for key in keys if key in row}


def _step(step: Data) -> Data:
    kept = _only(step, "heading", "stage", "seat", "lines", "worth", "turn")
    change = _only(step.get("change", {}), "table", "secret")
    gone = [path for path in step.get("gone", ()) if path[0] in ("table", "secret")]
    return kept | ({"change": change} if change else {}) | ({"gone": gone} if gone else {})


@cache
def _look(language: str) -> Environment:
    """The templates in a language. Only HTML is escaped, scripts and styles are not."""
    look = Environment(
        loader=PackageLoader("templates", ""),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        autoescape=lambda name: name is not None and name.endswith(".html"),
        trim_blocks=True,
    )
    install_translations(look, translations(language), name_forms(language))
    return look


def _own(look: Environment, kind: str, ending: str) -> str:
    try:
        return look.get_template(f"{kind}/replay.{ending}").render()
    except TemplateNotFound:
        return ""


def _json(value: Any) -> Markup:
    """JSON for a script: nothing in it can end the script or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)
