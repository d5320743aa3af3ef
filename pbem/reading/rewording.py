"""What a line says in other words, by the table `rewording.toml`: an order asked for politely, and one of several
dice that are alike as a die.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from importlib.resources import files

from engine.kit.words import folded

_TABLE = tomllib.loads((files(__package__) / "rewording.toml").read_text(encoding="utf-8"))
_ASKING, _SEVERAL = _TABLE["asking"], _TABLE["several"]
_COURTESY = re.compile(_ASKING["courtesy"], re.IGNORECASE)
_ASKED = re.compile(
    rf"(?:^|(?<=[,;:])\s*)(?:{_ASKING['you']})\b(?:[\s,]+{_ASKING['between']}\b)*[\s,]+(?P<verb>[^\W\d_]+)",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    rf"\b{_SEVERAL['of']}\s*(?:de )?(?P<whose>{_SEVERAL['whose']})\s+{_SEVERAL['count']}?(?P<what>{_SEVERAL['what']})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_FACE = re.compile(r"[a-z]?[1-6]s?")
_FACES, _COLOURS = frozenset(_SEVERAL["faces"]), frozenset(_SEVERAL["colours"])


def ordered(said: str, verbs: Collection[str]) -> str:
    """A sentence that asks politely for something to be done, as an order; `verbs` begin orders. Without a word of
    courtesy it asks whether that may be done, and stays as it stands."""
    courtesy, asked = _COURTESY.search(said), _ASKED.search(said)
    if courtesy is None or asked is None:
        return said
    verb = folded(asked["verb"])
    undoes = not {*_WORD.findall(folded(said))}.isdisjoint(_ASKING["never"])
    if undoes or (verb not in verbs and verb not in _ASKING["doing"]):
        return said
    order = f"{said[: asked.start()]} {said[asked.start('verb') :]}"
    return _COURTESY.sub("", order).rstrip(" ?!.,").strip() + "."


def one_of(line: str) -> str:
    """A line with «one of my white 2s» as «my white 2»; as it stands where no face is told."""
    return _ONE_OF.sub(_one, line)


def _one(found: re.Match[str]) -> str:
    words = found["what"].split()
    said = {folded(word) for word in words}
    # Of two colours they are not alike; of somebody who is named the game knows.
    coloured = said & _COLOURS or {f"{word}s" for word in said} & _COLOURS or found["whose"].endswith("'s")
    if "one" in said or not coloured or not any(_FACE.fullmatch(word) or word in _FACES for word in said):
        return found[0]
    return " ".join((_SEVERAL["single"].get(folded(found["whose"]), found["whose"]), *_singular(words)))


def _singular(words: Iterable[str]) -> Iterator[str]:
    """Faces and colours of several dice as of one: «yellow sixes», «jaunes 5»."""
    for word in words:
        text = folded(word)
        several = (text in _FACES and text not in ("six", "trois")) or text in _COLOURS or _FACE.fullmatch(text)
        if text == "sixes":
            yield "six"
        else:
            yield word[:-1] if several and text.endswith("s") else word
