"""Single lines at the mails they answer, by kinds of saying: what each is read as, and what is near to it and is no order."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.troyes.notation import reading
from engine.troyes.notation.counting import Counting
from pbem.desk import foremost

from .mailed import Reader, table


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Somebody's turn, with a citizen who lies in the Palace."""
    return Reader(table(tmp_path_factory.mktemp("mailed"), "troyes: a turn with eight deniers"))


@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("use my Y5 on the artisan, hire the guy lying in the palace", ("activate artisan hiring from palace lying with Y5",)),
        ("artisan avec J5, j'embauche celui qui est couché au palais", ("activate artisan hiring from palace lying with Y5",)),
        ("put my lying citizen into City Hall with Y5", ("place Y5 from palace lying",)),
        ("place l'homme couché du palais à l'hôtel de ville avec J5", ("place Y5 from palace lying",)),
        ("my lying man in the palace: he goes to city hall with Y5", ("place Y5 from palace lying",)),
        ("he goes to city hall with Y5", ()),
        ("nothing for me, I pass", ("pass",)),
        ("Passez une bonne soirée", ()),
        ("Passe une bonne journée Anna", ()),
        ("Bonne nuit, passe une bonne nuit", ()),
        ("Je réfléchis encore, réponse demain.\nPasse une bonne soirée", ()),
        ("pass\nhave a great weekend all", ("pass",)),
        ("je passe, passez une bonne soirée", ("pass",)),
        ("build with W2\nPassez une bonne soirée\nFaye", ("build with W2",)),
        ("je passe le temps", ()),
        ("je passe la soirée à lire les règles", ()),
        ("je passe Noël en famille", ()),
        ("je passe à l'action", ()),
        ("je passe commande", ()),
        ("ça passe", ()),
        ("tout passe", ()),
        ("ensuite je passe", ()),
        ("et puis je passe", ()),
        ("pass on my regards", ()),
        ("pass the word", ()),
        ("I pass the turn", ("pass",)),
        ("then I pass", ("pass",)),
        ("je passe malheureusement", ("pass",)),
        ("nothing for me", ()),
        ("harvest with Y5", ("farm Y5",)),
        ("chasser le maraudage avec R6", ("fight marauding with R6",)),
        ("flip W2, after that build with W5", ("flip W2", "build with W5")),
        ("place the lying one in the bishopric with W2", ()),
        ("farm Y5 and the harvest cube", ()),
        ("who is building with W2", ()),
        ("build with W5 after", ()),
        ("turn the W2 over", ("flip W2",)),
        ("reroll W2 first", ("reroll W2",)),
        ("relance B2 en premier", ("reroll W2",)),
        ("drive the marauders off with R6", ("fight marauding with R6",)),
        ("take W2 out", ()),
        ("artisan, hire the one lying in the palace, Y5", ("activate artisan hiring from palace lying with Y5",)),
        ("build with fayes W5", ("build with faye:W5",)),
        ("Faye's W5 on the cathedral, I'll pay her 2", ("build with faye:W5",)),
        ("Faye's W5 on the cathedral, I'll pay her 3", ()),
        ("build with W2s", ()),
        ("im gonna pass", ("pass",)),
        ("whack the marauders with R6", ("fight marauding with R6",)),
        ("W2-cathedral", ("build with W2",)),
        ("R6 x marauding", ("fight marauding with R6",)),
        ("fW5 build", ("build with faye:W5",)),
        ("recruit +1", ("recruit 1",)),
        ("build with W5 from Faye's district", ("build with faye:W5",)),
        ("yeet my W2 into the cathedral", ("build with W2",)),
        ("nothing 2 do, pass", ("pass",)),
        ("farm Y5 and nothing 2 do", ("farm Y5",)),
        ("farm with Y5 like Geoffrey", ()),
        ("W2-Y5", ()),
        ("gW6 x marauding", ("fight marauding with geoffrey:W6",)),
        ("fight the marauding with both red dice", ("fight marauding with R6 R3",)),
        ("reds on marauding", ("fight marauding with R6 R3",)),
        ("two red dice on marauding", ("fight marauding with R6 R3",)),
        ("build with Geoffrey's white", ()),
        ("buy W5 off Faye for the cathedral", ("build with faye:W5",)),
        ("W5 off, build with W2", ()),
        ("place avec J5 mon habitant couché du palais", ("place Y5 from palace lying",)),
        ("I'm done for this round, so I pass", ("pass",)),
        ("I would rather not pass", ()),
        ("geoffs W6 to build", ("build with geoffrey:W6",)),
        ("bldg w W2", ("build with W2",)),
        ("W2 → cathedral", ("build with W2",)),
        ("yel5 farm", ("farm Y5",)),
        ("palace 1 guy to palace w R6", ("place R6 from palace 1",)),
        ("hire 2 for 4 inf", ("recruit 2",)),
        ("2x gray W5 build", ("build with gray:W5 gray:W5",)),
        ("R6 and 3 on marauding", ("fight marauding with R6 R3",)),
        ("farm my and gray Y6", ()),
        ("build with Faye's W5 and mine", ("build with faye:W5 W2",)),
        ("diplomat R6, hire palace 4 guy, cubes on support", ("activate diplomat hiring from palace 4 with R6: support, support",)),
        ("activate diplomat hiring from palace 4 with R6: all support", ("activate diplomat hiring from palace 4 with R6: support, support",)),
        ("W2 again", ("reroll W2",)),
        ("W2 again?", ()),
        ("flip W2 → W5", ("flip W2",)),
        ("flip W2 → W6", ()),
        ("marauding hits R3", ()),
        ("geoff builds w W2", ()),
        ("people, thanks", ()),
        ("out of ideas so pass", ("pass",)),
        ("not sure so pass", ()),
        ("geoff says so pass", ()),
        ("throw R6 at the marauding", ("fight marauding with R6",)),
        ("throw W2", ("reroll W2",)),
        ("the 6 from Geoffrey for the marauding", ("fight marauding with geoffrey:W6",)),
        ("I'd start with the cathedral: white 2", ("build with W2",)),
        ("I'd build with W2 if it were mine", ()),
        ("diplomat R6, hire palace 4 guy, all on support", ("activate diplomat hiring from palace 4 with R6: support, support",)),
        ("the cathedral gets Faye's W5", ("build with faye:W5",)),
        ("the yellow 5 puts my lying man into city hall", ("place Y5 from palace lying",)),
    ],
)  # fmt: skip
def test_what_people_write_in_a_turn(reader: Reader, written: str, orders: tuple[str, ...]) -> None:
    """Where a citizen lies is told before or behind that he does; «in» behind a noun may tell where he goes. Verbs of two
    words stand apart too; what is said to be paid must be what it costs; a plural is more than one. Fillers and rough
    verbs, a chess player's signs, a district's first letter before its die where one has it. Words cut short, dice and
    numbers that others stand for, and what only tells of somebody or something else."""
    assert reader.read(written).orders == orders


def test_answers_are_read_by_the_question(tmp_path: Path) -> None:
    """The event Support is no verb where an event is asked."""
    reader = Reader(table(tmp_path, "troyes: where the cube goes"))
    assert reader.read("support").orders == ("target support",)
    assert reader.read("sur support").orders == ("target support",)
    assert reader.read("support or marauding").orders == ()


def test_the_only_black_die_needs_no_number(tmp_path: Path) -> None:
    """«the black one» is the only one."""
    one = Reader(table(tmp_path, "troyes: a black die of 2"))
    assert one.read("the black one with my white 3").orders == ("counter 2 with W3",)
    assert one.read("throw in the W3").orders == one.read("W3").orders == ("counter 2 with W3",)


def test_of_several_black_dice_none_is_guessed(tmp_path: Path) -> None:
    """A red four could beat three of them."""
    three = Reader(table(tmp_path, "troyes: black dice of 5, 2 and 1"))
    assert three.read("the black one with a red 4").orders == ()
    assert three.read("5 2 1 r4").orders == ("counter 5 2 1 with R4",)
    assert three.read("R4").orders == ()


FRENCH = [
    ("jcultive anna:J6", ("farm anna:Y6",)),
    ("jpasse", ("pass",)),
    ("jpasse pas", ()),
    ("jhésite, passer", ()),
    ("jachete B4 d'anna et je construis", ("build with anna:W4",)),
    ("g plus rien a faire jpasse, bonne nuit", ("pass",)),
    ("percepteur : j'y engage un homme de ma réserve, avec mon propre 6 rouge", ("activate tax-collector hiring from supply with R6",)),
    ("je prends le percepteur depuis ma réserve avec R6", ("activate tax-collector hiring from supply with R6",)),
    ("je prends le percepteur avec R6", ()),
    ("recrute une personne", ("recruit 1",)),
    ("recrute personne", ()),
    ("passe, on verra bien", ("pass",)),
    ("passe, on verra", ()),
    ("recruter 1 puis je place R6 de la réserve, pardon Faye", ("recruit 1", "place R6 from supply")),
    ("recruter 1 puis je place R6 de la réserve, pardon Faye place", ("recruit 1", "place R6 from supply")),
    ("ce sera passer", ("pass",)),
    ("l'un", ()),
    ("normands avec ces deux six", ()),
    ("conflit théologique, je paie à Anna son 5 et son 4 blancs", ("fight theological-conflict with anna:W5 anna:W4",)),
    ("conflit théologique, je paie à Anna 5 et 4 blancs", ()),
]  # fmt: skip
"""By a stranger's kinds: «je» clipped, «y» before its verb, who hires from where, people, asides, the article of a number."""


def test_french_as_it_is_typed(tmp_path: Path) -> None:
    """What is written must stand there: nobody is hired, recruited or bought from because a word is near."""
    french = Reader(table(tmp_path, "eighteenth: a turn for four", "fr"))
    assert {written: french.read(written).orders for written, _ in FRENCH} == dict(FRENCH)
    assert french.read("l'option un").orders == french.read("1").orders != ()


def test_numbers_before_colours_are_dice(tmp_path: Path) -> None:
    """A six before «rouge» is no option, also where several orders stand in its line; who gives a die against a black
    one counters."""
    black = Reader(table(tmp_path, "eighteenth: black dice", "fr"))
    assert black.read("6 rouge pour virer les deux noirs, puis je passe").orders == ("counter 6 3 with R6", "pass")
    assert black.read("contrer 6 3 avec R6, après soutien avec J6").orders == ("counter 6 3 with R6", "fight support with Y6")
    assert black.read("pour le dé noir 6 je donne mon six jaune").orders == ("counter 6 with Y6",)
    assert black.read("6 rouge ou 4 rouge contre les deux noirs, puis je passe").orders == ()


@pytest.mark.parametrize(
    ("mail", "written", "orders"),
    [
        ("an early turn", "clubs, hired from nowhere", ()),
        ("an early turn", "Chivalry, hired from palace 4, Anna's R5, on skirmishes", ("activate chivalry hiring from palace 4 with anna:R5: skirmishes",)),
        ("an early turn", "The chivalry I hired from palace 4 with Anna's R5, on skirmishes", ()),
        ("an early turn", "maraudding with my own Y3 I fight", ("fight marauding with Y3",)),
        ("an early turn", "marodding with my own Y3", ()),
        ("an early turn", "With my Y3 I fight the marauding, which makes one cube", ("fight marauding with Y3",)),
        ("an early turn", "pass, the kettle is boiling", ("pass",)),
        ("an early turn", "pass, the marauding is boiling", ()),
        ("an early turn", "Good evening from rainy Troyes! farm Y3", ("farm Y3",)),
        ("an early turn", "Good evening, or not! farm Y3", ()),
        ("an early turn", "recruit 1, then he goes to the palace with R1", ("recruit 1", "place R1 from supply")),
        ("black dice", "R6 on both the black ones. Then farm Y6", ("counter 6 3 with R6", "farm Y6")),
        ("black dice", "please always counter for me", ("auto: counter, every round",)),
        ("black dice", "I always counter", ()),
        ("an early turn", "farm Y3, the gray one", ("farm gray:Y3",)),
        ("black dice", "never counter for me every round", ()),
        ("black dice", "Number five, if you would", ()),
    ],
)  # fmt: skip
def test_what_the_board_or_the_line_itself_tells(tmp_path: Path, mail: str, written: str, orders: tuple[str, ...]) -> None:
    """Hiring behind a card's name, but not what somebody hired; letters doubled or not, but no other slip; what dice come
    to; what is told of something else; who was recruited before; what is to be done in every round; kind words."""
    assert Reader(table(tmp_path, f"eighteenth: {mail}")).read(written).orders == orders


def test_a_number_in_kind_words_is_that_number(tmp_path: Path) -> None:
    """Whatever stands in its place of the list."""
    reader = Reader(table(tmp_path, "eighteenth: black dice"))
    assert (found := reader.read("Number five, if you would be so kind")).outcome == "play"
    assert found.orders == reader.read("5").orders


@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("le dé blanc, j'en fais un 5 et je bâtis l'évêché 5", ("white 4 as white 5: bishopric 5",)),
        ("le blanc tel quel : évêché 4", ("white 4: bishopric 4",)),
        ("jaune 3 contre mon point de savoir, et je prends des deniers", ("yellow 3: deniers; pay knowledge",)),
        ("lhotel de ville numéro 2, jaune 2", ("yellow 2: city-hall 2",)),
        ("hôtel de ville 4, jaune 3 comptant comme jaune 4, je paie la place en savoir", ("yellow 3 as yellow 4: city-hall 4; pay knowledge",)),
        ("je compte prendre le blanc", ()),
        ("blanc 4 sans évêché", ()),
    ],
)  # fmt: skip
def test_french_of_half_days(tmp_path: Path, written: str, orders: tuple[str, ...]) -> None:
    """What a die becomes or stays, and what pays its plaza."""
    assert Reader(table(tmp_path, "dice, eighteenth: an afternoon", "fr")).read(written).orders == orders


@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("red 4 just as it is, influence", ("red 4: influence",)),
        ("raise the red 1 to a two (1 influence), fortress 2", ("red 1 as red 2: fortress 2",)),
        ("red 1 w both influence up to 3, counts palace", ("red 1 as red 3: counts-palace 3",)),
        ("red 1 lowerd by 1, fortress", ()),
        ("fortress with one of the red dice", ()),
        ("fortress 1 w the free one", ("red 1: fortress 1",)),
        ("red 4 counts as yellow: deniers, knowledge pays for it", ("red 4 as yellow 4: deniers",)),
        ("both red dice for influence", ()),
    ],
)
def test_what_is_told_of_a_half_day(tmp_path: Path, written: str, orders: tuple[str, ...]) -> None:
    """Amounts as reasons, and «both» of what is spent, not of dice; one of several dice is asked back."""
    assert Reader(table(tmp_path, "dice, eighteenth: with banquets")).read(written).orders == orders


@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("I use the red six on the four and one of the twos please", ("counter 4 2 with R6",)),
        ("I use the red six on the four and one of the two twos", ("counter 4 2 with R6",)),
        ("le jaune 4 et un jaune 2 pour contrer le 4 et un 2 noirs", ("counter 4 2 with Y4 Y2",)),
        ("le 6 rouge contre le 4 et un des deux 2", ("counter 4 2 with R6",)),
        ("contre le 4 et un des 2 noirs avec le 6 rouge", ("counter 4 2 with R6",)),
        ("Beat the four and one 2 with my yellow four and a yellow two", ("counter 4 2 with Y4 Y2",)),
        ("my 4 and 2 against the 4", ("counter 4 with Y4 Y2",)),
        ("red six on the four, a 2 and a 2", ("counter 4 2 2 with R6",)),
    ],
)
def test_a_number_said_of_a_black_die_is_no_own_one(tmp_path: Path, written: str, orders: tuple[str, ...]) -> None:
    """Where both lie: black dice of 4, 2 and 2, and yellow ones of 4, 2 and 2."""
    assert Reader(table(tmp_path, "twenty-fourth: black dice")).read(written).orders == orders


def test_black_dice_that_are_not_held_to_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were one of the two twos read as both, the order would beat more than the line names: that is asked back."""
    reader, said = Reader(table(tmp_path, "twenty-fourth: black dice")), "red six on the four and one of the two twos"
    monkeypatch.setattr(foremost, "supposed", lambda *_, **__: None)  # which reads «one of» as one
    monkeypatch.setattr(Counting, "_one", lambda self: False)
    assert reader.read(said).orders == ()
    monkeypatch.setattr(reading, "opposes", lambda *_: True)
    assert reader.read(said).orders == ("counter 4 2 2 with R6",)


SAID = {
    "twenty-fourth: an early turn": [
        ("flip all three of my 2s please", ("flip Y2 W2 R2",)),
        ("Oh dear, what a night! Cathedral, column 2, with my white die", ("build with W2",)),
        ("Oh dear, what a night! Cathedral, column 3, with my white die", ()),
        ("Sorry Geoffrey, I'm buying your red 5! One cube on the Brigands.", ("fight brigands with geoffrey:R5",)),
        ("Sorry Faye, I'm buying your red 5! One cube on the Brigands.", ()),
        ("archer ! jengage mon couché de leveche avec le 5 rouge de geoffrey et le 4 gris", ("activate archer hiring from bishopric lying with geoffrey:R5 gray:R4",)),
        ("je retourne mon 2 blanc, il devient 5", ("flip W2",)),
        ("je retourne mon 2 blanc, il devient 4", ()),
        ("mon 2 blanc, il grandit 2 jaune", ()),
        ("jhésite, construire avec le 2 blanc", ()),
    ],
    "twenty-fourth: a turn for four": [
        ("Mercenary please. I hire him with my citizen in the City Hall, space 2.2, and pay Geoffrey for his red 5", ("activate mercenary hiring from city-hall 2.2 with geoffrey:R5",)),
        ("Mercenary please. I hire him with my citizen in the City Hall, space 3.2, and pay Geoffrey for his red 5", ()),
        ("Mon habitant du palais devient mercenaire, j'achète le dé rouge de Geoffrey", ("activate mercenary hiring from palace 6 with geoffrey:R5",)),
        ("Mon habitant du palais rit du mercenaire, avec le dé rouge de Geoffrey", ()),
    ],
    "twenty-fourth: a late turn for two": [
        ("Right, I'm done for this round. I pass. Great game so far!", ("pass",)),
        ("Dear all, one cube on the Theological Conflict with my white four. Regards, Anna", ("fight theological-conflict with W4",)),
        ("Je passe. Belle partie pour le moment !", ("pass",)),
        ("Passer, c'est pour les lâches", ()),
        ("I'm broke so I'll farm: the yellow six and the yellow five.", ("farm Y6 Y5",)),
        ("Je m'attaque à la sécheresse : le 6 et le 3 jaunes", ("fight drought with Y6 Y3",)),
        ("Je retourne mon 3 blanc, il devient 4, et ensuite je construis avec mes deux 4 blancs", ("flip W3", "build with W4 W4")),
        ("apprenticeship with the white 3, for another cube", ("activate apprenticeship with W3",)),
    ],
    "twenty-fourth, ladies: a turn": [
        ("Je mets mon couché de l'évêché au palais, case 3, avec le dé gris", ("place gray:R3 from bishopric lying",)),
        ("Je mets mon couché de l'évêché au palais, case 4, avec le dé gris", ()),
        ("mon bonhomme du palais 2 passe en 3 avec le dé gris", ("place gray:R3 from palace 2",)),
        ("I pass, nothing I can afford that helps. Good luck ladies and gents", ("pass",)),
        ("Maraudage avec le dé blanc de Geoffrey", ("fight marauding with geoffrey:W3",)),
        ("farm with Faye's yellow 2. Yes I know it costs me a denier!", ("farm faye:Y2",)),
        ("farm with Faye's yellow 2. Yes I know it costs me 5 deniers!", ()),
    ],
}  # fmt: skip
"""By mail, what an order is read of, and what is near to it and is none."""


@pytest.mark.parametrize("mail", SAID)
def test_what_only_one_order_names(tmp_path: Path, mail: str) -> None:
    """Courtesy of several sentences and who is spoken to; what is named before any verb; several dice by one number;
    what a die becomes; what an order costs, or is for; people who walk; elided words. What is not so is asked back."""
    reader = Reader(table(tmp_path, mail))
    assert {written: reader.read(written).orders for written, _ in SAID[mail]} == dict(SAID[mail])


def test_what_shows_something_may_go_on(tmp_path: Path) -> None:
    """What stands behind it on its line is a choice, as two lines would be."""
    reader = Reader(table(tmp_path, "twenty-fourth: black dice"))
    found = reader.read("Reroll a yellow 2, then counter the black 4 with the yellow 4")
    assert found.orders == ()
    assert found.choices == ("reroll Y2\ncounter 4 with Y4", "reroll Y2")


def test_no_refusal_of_a_pass_is_without_a_number(tmp_path: Path) -> None:
    """However much talk stands beside what is said in full."""
    reader = Reader(table(tmp_path, "twenty-fourth: a late turn for two"))
    found = reader.read("I pass, since somebody clever already took everything that was worth having here")
    assert found.orders == () and "pass" in found.choices
