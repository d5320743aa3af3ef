"""Detect automatic notes by their words: out of office, on holiday, in eight languages.

Such a note plays nothing and gets one answer a day; a note in other words is answered too, since a program repeats
itself. An order in it makes it a person's letter. Languages: English, French, German, Dutch, Spanish, Italian, Swedish,
Portuguese.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from enum import StrEnum

from engine.catalog import T
from engine.game import AnyGame
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.desk.commands.command import Does
from pbem.desk.core.request import Request
from pbem.desk.pregame import invitation_answer
from pbem.desk.pregame.invitation_answer import Means
from pbem.inbound.incoming_letter import Kind, Letter
from pbem.outbound.mail import MailKind, Message
from pbem.reading.courtesy import is_greeting
from pbem.reading.line_parser import parse_line

FIRST = 3
"""Lines after the greeting that are looked at."""


class AutoReply(StrEnum):
    """How surely a letter is an automatic note."""

    NO = ""
    LIKELY = "likely"
    """Somebody is away; a person may write so as well, above an order."""
    SURE = "sure"
    """It says of itself that a program wrote it."""


_MACHINES = (
    *(r"(?:this is an )?auto(?:matic|mated)?[- ]?(?:reply|response|message|answer)\b", r"vacation (?:reply|message)\b"),
    *(r"reponse auto(?:matique|matisee)?\b", r"(?:ceci est un )?message (?:automatique|d'absence)\b"),
    *(r"(?:notification|avis) d'absence\b", r"automatische (?:antwort|nachricht|abwesenheits\w+|email|e-mail)\b"),
    *(r"abwesenheits(?:notiz|nachricht|meldung|assistent)\b", r"autoantwort\b", r"automatisch (?:antwoord|bericht)\b"),
    *(r"afwezigheids(?:bericht|melding|assistent)\b", r"respuesta automatica\b", r"mensaje automatico\b"),
    *(r"risposta automatica\b", r"messaggio automatico\b", r"auto(?:mat)?svar\b", r"automatiskt svar\b"),
    *(r"franvaro(?:besked|meddelande)\b", r"resposta automatica\b", r"mensagem automatica\b", r"aviso de ausencia\b"),
)
"""How a program begins a note, folded."""

_WORDS = (
    *("absent", "absente", "absence", "away", "out of office", "out of the office", "vacation", "on vacation"),
    *("holiday", "en conge", "en conges", "en vacances", "absence du bureau"),
    *("abwesend", "abwesenheit", "urlaub", "im urlaub", "nicht im buro", "ausser haus"),
    *("afwezig", "afwezigheid", "vakantie", "op vakantie"),
    *("ausente", "ausencia", "fuera de la oficina", "de vacaciones"),
    *("assente", "assenza", "in ferie", "fuori ufficio"),
    *("franvarande", "franvaro", "semester", "pa semester"),
    *("de ferias", "fora do escritorio"),
)
"""Words alone in a line of a note, or before the colon in its subject, folded."""

_SENTENCES = (
    r"i(?:'m| am| will be)\b.{0,60}?\b(?:out of (?:the )?office|not in the office|away|absent|unavailable|travell?ing"
    r"|on (?:\w+ )?(?:leave|vacation|holidays?))\b",
    r"je (?:suis|serai)\b.{0,60}?\b(?:absente?|en conges?|en vacances|en deplacement|hors du bureau)\b",
    r"(?:ich bin|bin ich)\b.{0,80}?\b(?:nicht (?:im buro|im haus|erreichbar)|im urlaub|abwesend|ausser haus)\b",
    r"ik ben\b.{0,60}?\b(?:afwezig|op vakantie|met verlof|niet (?:aanwezig|op kantoor))\b",
    r"(?:estoy|estare)\b.{0,60}?\b(?:fuera de la oficina|de vacaciones|ausente)\b",
    r"(?:sono|saro)\b.{0,60}?\b(?:in ferie|in vacanza|fuori ufficio|assente)\b",
    r"jag ar\b.{0,60}?\b(?:pa semester|franvarande|bortrest|inte pa kontoret)\b",
    r"(?:estou|estarei)\b.{0,60}?\b(?:de ferias|ausente|fora do escritorio)\b",
)
"""Sentences of notes, folded."""

_MACHINE = re.compile("|".join(_MACHINES))
_SENTENCE = re.compile("|".join(rf"\b{one}" for one in _SENTENCES))
_MARKS = " \t*_-–—\"'«»()[].,;:!"


def find_auto_reply(subject: str, lines: Sequence[str], names: Collection[str] = ()) -> AutoReply:
    """Classify a letter by its subject and first lines. `names` are people it may greet."""
    told = fold_text(subject).strip()
    if _MACHINE.match(told):
        return AutoReply.SURE
    likely = ":" in told and told.partition(":")[0].strip(_MARKS) in _WORDS
    filled = [line for line in lines if line.strip() and not is_greeting(line, names)]
    for line in filled[:FIRST]:
        text = fold_text(line).strip(_MARKS)
        if _MACHINE.match(text):
            return AutoReply.SURE
        # A question is a person's.
        likely = likely or text in _WORDS or (bool(_SENTENCE.search(text)) and "?" not in text)
    return AutoReply.LIKELY if likely else AutoReply.NO


def is_auto_reply(request: Request) -> bool:
    """True if a program wrote a letter. An order, number or command makes it a person's, unless it calls itself
    automatic."""
    names = tuple(request.names.values())
    note = find_auto_reply(request.subject, request.lines, names)
    return note is AutoReply.SURE or (note is AutoReply.LIKELY and not _holds_order(request, names))


def passes_over(letter: Letter, request: Request) -> bool:
    """True if a letter with the headers of a list holds no order, number or command."""
    if letter.kind is not Kind.BULK:
        return False
    names = tuple(request.names.values())
    sure = find_auto_reply(request.subject, request.lines, names) is AutoReply.SURE
    return sure or request.trouble is not None or not _holds_order(request, names)


def _holds_order(request: Request, names: Sequence[str]) -> bool:
    begun = request.state is not None
    return any(_is_order(request.game, line, begun, names) for line in request.lines if line.strip())


def _is_order(game: AnyGame, line: str, begun: bool, names: Sequence[str]) -> bool:
    one = parse_line(line, names)
    if found := commands.parse_command(commands.command_line(one)):
        # «Away until January» is a vacation note; a person's setting holds a number.
        return found[0].does is not Does.SET or any(map(str.isdigit, line))
    if one.is_number:
        return True
    if not begun and invitation_answer.parse_invitation_answer(line, names).means in (Means.JOINS, Means.DECLINES):
        return True
    return fold_text((one.text or line).split()[0]).rstrip(":,.!") in game.reference.verbs()


def auto_reply_digest(request: Request) -> str:
    """The day and a hash of the words: a program repeats itself, a person who was not understood does not."""
    words = "\n".join(line.strip() for line in request.lines if line.strip())
    return f"{request.day} {hashlib.blake2b(words.encode(), digest_size=4).hexdigest()}"


def auto_reply_answer(request: Request) -> Message | None:
    """The answer to a note; None if the same was answered on that day."""
    if request.table.seat(request.seat).noted == auto_reply_digest(request):
        return None
    says = T("I took this for an automatic note; nothing of it was done. If you wrote it yourself, write it otherwise.")
    how = T("«away 24 dec to 6 jan», say, tells the table when you are away, and your time stands still.")
    notes = (says, how) if request.state is not None else (says,)
    return Message(kind=MailKind.REFUSAL, seat=request.seat, notes=notes, quiet=True)
