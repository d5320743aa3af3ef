"""`deploy/many-hosts/` as it stands: two daemons behind one address, and a table that goes over in mid-game."""

from __future__ import annotations

import asyncio
import contextlib
import email
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from email.message import Message
from pathlib import Path
from textwrap import dedent

import pytest

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import Service, mailbox_settings, make_daemon, open_service
from pbem.demo.mail_computer import MailComputer
from pbem.host.config import load_config
from pbem.host.table_transfer import INBOX_REPOSITORY
from pbem.inbound.mailbox import Mailbox
from pbem.store.commit_record import read_records
from tests.cli.conftest import Host
from tests.deploy.conftest import Made, make
from tests.deploy.test_recipe import set_up, write
from tests.whole.byrealmail import person, until
from tests.wire.recipe import put

MANUAL = Path(__file__).parents[2] / "deploy/many-hosts.md"


class Daemon:
    """One of the hosts: its daemon runs when it is told to, once letters have come."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.service: Service = open_service(load_config(host.folder / "pbem.toml"))
        self.box = Mailbox(mailbox_settings(self.service.config))

    async def run(self, letters: int = 0) -> None:
        """Once so many letters lie in its folder."""

        async def there() -> bool:
            return len(await self.box.arrived()) >= letters

        await self.box.connect()
        await until("a letter", there)
        await self.box.close()
        assert await make_daemon(self.service).run(once=True) == 0

    def open(self, players: Sequence[MailComputer]) -> str:
        invited = tuple(Invited(player.mail.name, (player.mail.address,)) for player in players)
        seed = b"a seed of a table, of 32 bytes.."
        return open_table(self.service.desk, Opening("troyes-dice", invited, now=True, seed=seed)).table.game

    def letters(self, game: str) -> int:
        """How many have been played."""
        return sum(record.letter is not None for record in read_records(self.service.store.open(game)))


async def answered(players: Sequence[MailComputer]) -> int:
    """Wait until somebody is asked; how many have answered."""

    async def somebody() -> bool:
        for player in players:
            await player.look()
        return any(player.asked for player in players)

    await until("a mail to a player", somebody)
    asked = [player for player in players if player.asked]
    for player in asked:
        await player.answer()
    return len(asked)


def mails(made: Made, name: str) -> list[Message]:
    """What somebody was sent, in no order."""
    paths = (made.world.folder / name.lower()).rglob("*")
    return [email.message_from_bytes(path.read_bytes()) for path in paths if path.parent.name in ("new", "cur")]


def two(made: Made, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Host, Host]:
    """Set up by the lines of the manual."""
    manual = MANUAL.read_text(encoding="utf-8")
    settings = map(dedent, re.findall(r"^ *```toml\n(.+?)^ *```", manual, re.MULTILINE | re.DOTALL))
    hosts = []
    for label, lines in zip("ab", settings, strict=True):
        (folder / label).mkdir()
        host = set_up(made, folder / label, monkeypatch)
        file = folder / label / "pbem.toml"
        text = file.read_text(encoding="utf-8")
        for part, settled in re.findall(r"^(\[\w+\]\n)((?:\w.*\n)+)", lines, re.MULTILINE):
            for key in re.findall(r"^(\w+) =", settled, re.MULTILINE):
                text = re.sub(rf"({re.escape(part)}(?:(?!\[).*\n)*?){key} = .*\n", r"\1", text, count=1)
            text = put(text, {part: part + settled})
        file.write_text(text, encoding="utf-8")
        hosts.append(host)
    secret = (folder / "a/mail/host.secret").read_bytes()
    (folder / "b/mail/host.secret").write_bytes(secret)
    return hosts[0], hosts[1]


def test_the_unit_of_one_host_becomes_that_of_every_host() -> None:
    """By the line of the manual: nothing but the folders' names differs."""
    (script,) = re.findall(r"^ *(sed '.+?) deploy/pbem\.service", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    unit = MANUAL.with_name("pbem.service")
    made = subprocess.run([*shlex.split(script), str(unit)], capture_output=True, text=True, check=True).stdout
    lines = [line for line in made.splitlines() if not line.startswith("#")]
    assert {line for line in lines if "%i" in line} == {
        "WorkingDirectory=/var/lib/pbem/%i",
        "StateDirectory=pbem/%i",
        "ReadWritePaths=/var/lib/pbem/%i",
        "LoadCredential=imap-password:/etc/pbem/%i/imap-password",
    }
    assert made.replace("/%i", "") == unit.read_text(encoding="utf-8")


@pytest.mark.servers
async def test_a_table_moves_in_mid_game_and_nobody_notices_but_by_a_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        made = make(stack, hosts=True)
        a, b = (Daemon(host) for host in two(made, tmp_path, monkeypatch))
        for one in (a, b):
            stack.enter_context(contextlib.closing(one.service))
        port = made.server.ports["smtp"]
        anna, faye, gil, zoe = (person(name, made.world, port) for name in ("Anna", "Faye", "Gil", "Zoe"))
        here, there = a.open([anna, faye]), b.open([gil, zoe])
        assert ("a-troyes-dice-1", "b-troyes-dice-1") == (here, there)
        written = {here: 0, there: 0}
        for one in (a, b):
            await one.run()
        for one, game, players in ((a, here, (anna, faye)), (b, there, (gil, zoe))):
            written[game] += (count := await answered(players))
            await one.run(count)
        assert written == {here: a.letters(here), there: b.letters(there)}

        # These have been written when the table goes, and lie in the mailbox that they were written to.
        late = await answered((anna, faye))
        told = await asyncio.to_thread(a.host.read, "move", here, "--to", str(b.host.folder / "mail" / INBOX_REPOSITORY))
        assert told["address"] == "table+b@games.example.org"
        await a.run(late)
        await b.run(late)
        written[here] += late
        # And so does every answer to the table from now on: its id still names the host at which it was opened.
        count = await answered((anna, faye))
        await a.run(count)
        await b.run(count)
        written[here] += count
        written[there] += (count := await answered((gil, zoe)))
        await b.run(count)

        assert written == {game: b.letters(game) for game in (here, there)}
        assert not a.service.store.has(here)
        for name, game in (("Anna", here), ("Gil", there)):
            got = mails(made, name)
            assert {game} == {mail["X-PBEM-Game"] for mail in got}
            assert [1] == list(set(Counter(mail["Message-ID"] for mail in got).values()))
            assert len({(mail["From"], mail["List-Id"], mail["Reply-To"].partition("+")[0]) for mail in got}) == 1
        assert {"a", "b"} == {mail["X-PBEM-Host"] for mail in mails(made, "Anna")}

        # What names no game goes to the one that answers for all; what names one in its subject goes to its host.
        for subject, to in (("games", a), (f"Re: [{there}] round 2", b), (f"join {there}", b)):
            await asyncio.to_thread(write, made, "table@games.example.org", subject)
            await to.run(1)
        for player in (anna, faye, gil, zoe):
            await player.mail.close()
