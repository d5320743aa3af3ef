"""A letter in plain words: what is no order and no command is read for what its sentences want (`pbem/reading/wants`).

A question is answered. What changes something is done only where the whole sentence says nothing else, and is otherwise
asked back with one number; whatever is denied, over, only perhaps, or of somebody else, is no wish.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.catalog import T
from engine.errors import OrderRefused
from engine.game import Seat
from engine.kit.words import folded, kebab
from pbem.desk import commands
from pbem.desk.commands.talk import EVERYBODY, FOR_ME, alone_off, excepts, is_coming, names_more, sent_to
from pbem.desk.commands.word import Does
from pbem.desk.orders import letter
from pbem.desk.request import Request
from pbem.desk.result import Result, quoted, replied
from pbem.desk.session import Session
from pbem.desk.wanted import finder
from pbem.desk.weighing import HARMLESS, addressed, can_be, does, foretold
from pbem.inbound.speech import relayed
from pbem.outbound.mail import Choice, MailKind, Message
from pbem.reading import courtesy
from pbem.reading.line import read, spoken
from pbem.reading.normalize import may_go_on
from pbem.reading.wants import WANTS, Sentence, Want

EVERY = tuple(map(Seat, ("all", "everybody", "everyone", "tous", "toutes", "tout le monde", "la table", "the table")))
"""How the whole table is called behind what is said to it."""
MOST, MOST_BESIDE = 3, 2
"""Commands that a sentence is asked back as, and beside orders; orders are as many at most."""
_TELLS = frozenset({"history", "help", "ruling", "rulings"})
"""What is not asked by a sentence whose words are an order's."""
ANYTHING = ("status", "options", "help")
"""What may answer a question of which nothing is known."""
_LINES, _LONG = 6, 300
"""A letter of more lines, or longer ones, is no question."""
_LESS = {"word": 1, "term": 2}
"""What counts less, by what a want takes: nearly everything can be asked with such words."""
_TOLD = frozenset({"away", "again"})
"""What all are told: a question about it may be one to them."""
_SETTING = tuple(
    want
    for want in WANTS
    if (word := want.line.split()[0]) in commands.words() and commands.named(word).does is Does.SET
)
"""Wants that may set something."""

_TO = r"(?:a|to|for|pour)\s+"
_TALK = re.compile(
    r"(?:(?:peux[ -]tu|pouvez[ -]vous|can you|could you|please)\s+)?"
    r"(?:(?:dis|dites|dire|ecris|ecrivez|ecrire|annonce|annoncez|reponds|repondez|transmets|transmettez|chuchote|chuchotez|glisse|glissez|glisser|souffle|soufflez|souffler|murmure|murmurez|murmurer|confie|confiez|confier"
    rf"|whisper|say|write|en prive)\s+{_TO}"
    r"|(?:envoie|envoyez|envoyer|send|write|leave|passe|passez)\s+(?:(?:ce|this|the|le|un|une|a|petit|short|prive|private)"
    rf"\s+)*(?:mot|message|note|word)\s+(?:(?:prive|private)\s+)?{_TO}"
    rf"|(?:petit |un |a )?(?:mot|message|mp|pm|note)\s+(?:prive |private |perso )?{_TO}"
    r"|(?:a|to)\s+(?=(?:all|everybody|everyone|the table|tous|toutes|tout le monde|la table)\s*:)"
    r"|(?:previens|prevenez|avertis|avertissez|informe|informez|warn|inform|tell)\s+|let\s+(?=\w+ know))"
)
"""How words begin that are for somebody at the table; in the folded text, which has as many letters as was written."""
_ALL = re.compile(
    r"(?:everyone|everybody|all(?: players| of them)?|the (?:others|table|other players)|them all|tout le monde|tous"
    r"(?: les (?:joueurs|autres))?|toutes|la table|aux autres|les autres|chacun)(?!\w)"
    r"(?!\s+(?:my|your|our|his|her|their|the|these|those|of|mes|tes|ses|les|nos|vos|leurs|ces)\b)"
)
_FOR_ALL = re.compile(r"\s*(?:a|to)\s+(?:all|everybody|everyone|the table|tous|toutes|tout le monde|la table)\s*:\s*\w")
_BARE = re.compile(r"\W*(\w[\w' -]*?)\W*\?\W*")
_NOTE = re.compile(
    r"(?:(?:a noter|memo|pense-bete|note (?:perso|personnelle|privee|to self|to myself|a moi-meme))\s*:"
    r"|(?:(?:prends|prenez|garde|gardez|keep|make|take)\s+(?:en |bonne |a )?)?note(?:r|z)?\s+(?:that |que |qu')"
    r"|note(?:r|z)?\s*:?\s*(?=\d))\s*"
)
"""How words begin that their writer wants to keep."""
_WISHED = re.compile(r"(?:dis|dites|dire|souhaite|souhaitez|souhaiter|say|wish)\s+(?:(?:un|une|a)\s+)?")
_HEADED = re.compile(r"\s*,[^:,]{2,60}:\s*\S")
_KNOWS = re.compile(r"\s*(?:know)?\s*[,:]?\s*(?:that |que |qu')?\s*")


class _Found(NamedTuple):
    """A command that a sentence may mean."""

    score: int
    """How many words speak for it."""
    line: str
    sure: bool
    whole: bool
    """Whether the sentence says nothing else."""


@dataclass(frozen=True, slots=True)
class Wished:
    """The commands that a sentence may mean, the likest first; `sure`: the first can be carried out."""

    lines: tuple[str, ...]
    sure: bool
    faint: bool = False
    """Whether nothing speaks for them but that it is a question."""


def interpret(request: Request) -> Result:
    """Read a letter, as orders and commands first. Raises only for defects."""
    result = letter.interpret(request)
    answer = result.answer
    if result.lasts or result.clear or answer is None or answer.kind is not MailKind.REFUSAL or request.state is None:
        return result
    rows = _rows(request) or []
    known = any(commands.command_of(spoken(raw)) for raw in rows)
    word = len(rows) == 1 and len(rows[0].split()) == 1 and not _names(request, rows[0])
    if (known and (answer.choices or len(rows) > 1)) or (word and answer.repairs):
        return result  # it was read, and has its answer; a single word is mended as a word
    if any(one.rule for one in answer.said) and not any("?" in raw for raw in rows):
        return result  # an order was understood, and a rule forbids it
    found = [(raw, wished) for raw in rows if (wished := _again(request, raw, _Reader(request).wished(raw)))]
    told = any(one.reason is not None for one in answer.said)
    if not found or (told and all(wished.faint for _, wished in found)):
        return result
    lines = tuple(wished.lines[0] for _, wished in found)
    harmless = all(does(line) in HARMLESS for line in lines)
    if all(wished.sure for _, wished in found) and (harmless or len(rows) == 1):
        # What begins with the word of a command would be read as that again.
        pairs = zip(lines, found, strict=True)
        written = tuple(
            raw if commands.command_of(raw) is None and does(line) is not Does.SAY else line for line, (raw, _) in pairs
        )
        result = letter.interpret(replace(request, lines=lines, written=written))
        return quoted(result, {line: raw for line, (raw, _) in zip(written, found, strict=True)})
    return _asked(request, found, answer)


def _again(request: Request, raw: str, wished: Wished | None) -> Wished | None:
    """What a sentence may mean that can be, besides the command that it is: that was done, or refused, already."""
    known = commands.command_of(spoken(raw))
    if wished is None or (known is None and wished.sure):
        return wished
    lines = tuple(line for line in wished.lines if can_be(request, line) and known != (commands.command_of(line) or ()))
    return replace(wished, lines=lines, sure=wished.sure and lines[:1] == wished.lines[:1]) if lines else None


def proposed(request: Request, told: Message) -> Message:
    """The answer to what may be an automatic note, with what it may have meant to set."""
    rows = _rows(request) or []
    found = (wished.lines[0] for raw in rows if (wished := _Reader(request).wished(raw)) is not None)
    lines = tuple(line for line in found if does(line) in (Does.SET, Does.SAY))
    return replace(told, choices=_choices(request, lines[:1]), quiet=False, brief=True) if lines else told


def _asked(request: Request, found: Sequence[tuple[str, Wished]], answer: Message) -> Result:
    """Ask which command is meant; orders that a line may have meant stand before, and neither crowds the other out."""
    several = [wished.lines for _, wished in found]
    lines = dict.fromkeys((*(lines[0] for lines in several), *(line for lines in several for line in lines)))
    if answer.repairs:
        lines = {line: None for line in lines if line.split()[0] not in _TELLS} or lines
    # What the line was asked back as already stays whole, and what a standing order may wait for is said above orders.
    standing = _choices(request, [line for line in lines if does(line) is None])
    orders = _distinct((*standing, *answer.choices, *answer.repairs))[: max(MOST, len(answer.choices))]
    wishes = _choices(request, [line for line in lines if does(line) is not None])
    choices = _distinct((*orders, *wishes))[: len(orders) + MOST_BESIDE if orders else MOST]
    says = T("This may be meant as one of the choices below, or as talk. One number says which.")
    # Why it is no order, or what is wrong with a setting, was said already.
    return replied(
        request.context, replace(answer, notes=(says, *answer.notes[-1:]), choices=choices, repairs=(), brief=True)
    )


def _distinct(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Choices, each text once."""
    found: dict[str, Choice] = {}
    for choice in choices:
        found.setdefault(choice.text, choice)
    return tuple(found.values())


def _choices(request: Request, lines: Sequence[str]) -> tuple[Choice, ...]:
    found = ((line, commands.command_of(line)) for line in lines)
    return tuple(Choice(_worded(request, line), command[0].says if command else None) for line, command in found)


def _rows(request: Request) -> list[str] | None:
    """The sentences of a letter without greetings and closings; None where it is too long, or holds an order."""
    names, session = (*request.names.values(), *request.signed), Session(request, request.state, request.entries)
    rows: list[str] = []
    for line, raw in zip(request.lines, request.written, strict=False):
        if _FOR_ALL.match(folded(line)):
            rows.append(raw.strip())  # «to all: have a nice game» is more than that wish
            continue
        if not line.strip() or courtesy.is_greeting(line, names) or courtesy.is_courtesy(line):
            continue
        if courtesy.is_closing(line, names):
            if rows and courtesy.is_signature(line, names):
                break
            continue
        one = read(line, names)
        if one.is_number or one.sure or _plays(session, one.readings):
            return None
        if rows and may_go_on(rows[-1], line):
            rows[-1] = f"{rows[-1]} {raw.strip()}"
        else:
            rows.append(raw.strip())
        if len(rows) > _LINES or len(rows[-1]) > _LONG:
            return None
    return rows


def _plays(session: Session, readings: Sequence[str]) -> bool:
    """Whether a line is an order."""
    for line in readings:
        with suppress(OrderRefused):
            session.understand(line)
            return True
    return False


class _Reader:
    """What sentences mean in a position."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.session = Session(request, request.state, request.entries)
        self.people = {part for name in request.names.values() for part in folded(name).split() if len(part) > 2}

    def wished(self, raw: str) -> Wished | None:
        """The commands that a sentence may mean; None for talk."""
        if talk := self._talk(raw):
            return Wished((talk,), sure="?" not in raw or ":" in raw)
        if noted := self._noted(raw) or self._sent(raw):
            return Wished((noted,), sure=False)
        if bare := _names(self.request, raw):
            return Wished((f"help {bare}",), sure=True)
        if later := foretold(self.session, raw):
            return Wished(later, sure=False)
        sentence = Sentence.of(raw)
        if passed := tuple(addressed(self.request, raw)):
            return Wished(passed, sure=False)
        found = sorted(self._found(sentence), key=lambda one: -one.score)
        best = {one.line for one in found if one.score == found[0].score}
        sure = len(best) == 1 and found[0].sure
        sets = bool(found) and does(found[0].line) is Does.SET
        if not (sure and sets) and (parts := self._parts(sentence)):
            found, sure = [*found, *parts] if sets else [*parts, *found], False
        return self._decided(sentence, found, sure=sure)

    def _decided(self, sentence: Sentence, found: Sequence[_Found], *, sure: bool) -> Wished | None:
        """The commands by what speaks for them: only what is whole stands alone."""
        if not found:
            return self._anything(sentence) if sentence.begins_asking else None
        told = not self.people.isdisjoint(sentence.words) and "?" not in sentence.raw
        asks = sentence.begins_asking and does(found[0].line) is Does.ASK and " " in found[0].line and not told
        if sure and (found[0].whole or (asks and found[0].score > 1)):
            return Wished((found[0].line,), sure=True)
        lines = [*dict.fromkeys(one.line for one in found)]
        if sentence.begins_asking:
            lines = [*lines[:MOST], *(line for line in ANYTHING if line not in lines[:MOST])]
        return Wished(tuple(lines), sure=False)

    def _parts(self, sentence: Sentence) -> list[_Found]:
        """What a part of a sentence wishes to set with all of its words, whatever the others tell; asked back."""
        parts = () if "?" in sentence.raw else sentence.apart()
        found = (one for part in parts for one in self._found(part, _SETTING))
        return [one for one in found if one.whole and does(one.line) is Does.SET]

    def _anything(self, sentence: Sentence) -> Wished:
        """What may answer a question: about the words of the game in it, and what answers any."""
        terms = finder("term", self.request, self.session)(sentence, frozenset())
        about = [f"help {word}" for word, _ in terms][:2]
        return Wished((*about, *ANYTHING)[:MOST], sure=False, faint=not about)

    def _found(self, sentence: Sentence, among: Collection[Want] = WANTS) -> list[_Found]:
        """The commands that words speak for, of some wants."""
        rows = []
        for want, spent in sentence.wants(among):
            for text, places in finder(want.takes, self.request, self.session)(sentence, spent):
                line = want.line.replace("{}", text).strip()
                asks = does(line) in HARMLESS
                left = sentence.left(spent | places, want)
                if asks and self._is_asked(sentence, spent, left):
                    score = len(spent | places) - _LESS.get(want.takes, 0)
                    rows.append(_Found(score, line, not want.asks, not left))
                elif not asks and self._is_wish(sentence, want, spent, left):
                    # «À lundi : je pars»
                    farewell = bool(places) and not sentence.are_beside(places, spent)
                    told = line.split()[0] in _TOLD and ("?" in sentence.raw or farewell)
                    thanks = sentence.muses or bool(sentence.holds("thanked") - spent)
                    unsure = told or (does(line) is Does.SET and (thanks or sentence.is_doubtful))
                    rows.append(_Found(len(spent | places), line, not (left or unsure or want.asks), not left))
        return rows

    def _is_asked(self, sentence: Sentence, spent: frozenset[int], left: Sequence[str]) -> bool:
        """Whether a sentence may ask: it is a question or nothing but its words, and no tale of what is over."""
        if not sentence.asks:
            return not (left or sentence.holds("over") & spent)
        return not sentence.muses

    def _is_wish(self, sentence: Sentence, want: Want, spent: frozenset[int], left: Sequence[str]) -> bool:
        """Whether a sentence may wish what changes something: it is the writer's own, and neither denied nor over."""
        if sentence.is_loose(spent) or not self.people.isdisjoint(left):
            return False
        return (want.denies or not sentence.denies(spent)) and (want.over or not sentence.holds("over") - spent)

    def _noted(self, raw: str) -> str:
        """Words that are to be kept, as a command; empty for none. They may be for somebody to read: asked back."""
        begun = _NOTE.match(folded(raw))
        said = relayed(raw[begun.end() :], 0) if begun else ""
        line = f"note {said}" if said else ""
        return line if not line or commands.command_of(line) else f"note {FOR_ME} {said}"

    def _sent(self, raw: str) -> str:
        """A word or three for somebody named behind them, as a command: «dis bonjour à Faye de ma part»."""
        if not (begun := _WISHED.match(folded(raw))):
            return ""
        said = raw[begun.end() :]
        if sent := sent_to(said, {**self.request.names, **dict(zip(EVERY, EVERY, strict=True))}):
            seat, text = sent
            if seat in EVERY:
                return f"say {EVERYBODY}: {text}"
            return f"tell {seat}: {text}" if seat != self.request.seat else ""
        return ""

    def _talk(self, raw: str) -> str:
        """Words for somebody at the table, as a command; empty for none."""
        raw, whole = spoken(raw, tuple(self.request.names.values())), raw
        text = folded(raw)
        if is_coming(whole, raw) or len(text) != len(raw) or not (begun := _TALK.match(text)):
            return ""
        to, end = EVERYBODY, 0
        if every := _ALL.match(text, begun.end()):
            if excepts(raw[begun.end() :]):
                return f"say {raw[begun.end() :]}"  # which is asked back
            end = every.end()
        else:
            for seat, name in self.request.names.items():
                for form in (folded(name), folded(seat), folded(name).split()[0]):
                    if re.compile(rf"{re.escape(form)}(?!\w)").match(text, begun.end()) and seat != self.request.seat:
                        to, end = Seat(seat), begun.end() + len(form)
        if to != EVERYBODY:
            end = len(raw) - len(alone_off(raw[end:]))
            if _HEADED.match(raw, end):
                return ""  # «to Faye, for her eyes: …» is told by what stands before the colon
        said = raw[_KNOWS.match(text, end).end() :] if end else ""  # type: ignore[union-attr]
        if not said.strip() or names_more(said, self.request.names):
            return ""
        return f"say {EVERYBODY}: {relayed(said, 0)}" if to == EVERYBODY else f"tell {to}: {relayed(said, 0)}"


def _names(request: Request, raw: str) -> str:
    """The word that a sentence only names, and asks about by its mark: «dime ?»; empty for any other."""
    word = kebab(found[1]) if (found := _BARE.fullmatch(raw)) else ""
    return word if word and request.game.reference.explain(word, request.state) else ""


def _worded(request: Request, line: str) -> str:
    """A command, or an order, as its writer's language has it."""
    return commands.worded(line, request.language) if commands.command_of(line) else request.worded(request.state, line)
