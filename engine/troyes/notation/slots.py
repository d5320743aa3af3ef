"""Which parts of a `Saying` belong to which order."""

from __future__ import annotations

SPOKEN = (
    *("card", "dice", "events", "used", "tiles", "spots", "source", "seats", "gains", "numbers", "pips", "columns"),
    *("times", "cubes", "citizens", "advance", "space", "mixed", "answer", "result", "level"),
)
"""What a line may say, beside its flags."""

TAKES: dict[str, str] = {
    "settle": "spots citizen put then",
    "reroll": "dice more",
    "flip": "dice result",
    "recruit": "citizens numbers citizen more source hire",
    "activate": "card thing dice times hire source space used events spots seats gains columns numbers mixed cubes cube"
    " answer citizen put exploit",
    "build": "dice used spots columns cube cubes level put exploit",
    "fight": "events dice used cubes cube times seats free put exploit",
    "place": "dice used source spots citizen put",
    "farm": "dice used exploit put",
    "pass": "turn",
    "counter": "numbers dice both highest black answer used gate",
    "support": "events cube put numbers",
    "target": "events cube put numbers",
    "guard": "dice pips advance tiles used put cubes cube numbers steps each unpaid result exploit gate",
    "use": "tiles cube dice rolls gate",
    "react": "tiles answer cube gate",
    "auto": "tiles answer auto cube gate",
    "give": "source spots citizen put hire numbers citizens more",
    "discard": "card tiles used cube cubes source numbers gate thing",
    "release": "seats citizen free",
}
"""What the words of an order may say beside its verb."""

CHOSEN = {
    "building": "spots",
    "gain": "gains",
    "column": "columns",
    "seat": "seats",
    "event": "events",
    "events": "events",
}
"""What a card asks to choose to where a line says it."""
