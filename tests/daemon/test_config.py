from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.host.config import (
    Config,
    HostConfig,
    ImapConfig,
    ModeratorConfig,
    SmtpConfig,
    TablesConfig,
    check_settings,
    config_of_store,
    find_config,
    load_config,
)
from pbem.host.passwords import SecretError, host_secret, password
from pbem.host.settings_file import ConfigError
from pbem.host.setup import settings_text, write_settings

HOST = {"address": "games@host.test"}


def problems(path: Path, **table: Any) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as refused:
        check_settings({"host": HOST, **table}, path / "pbem.toml")
    return refused.value.problems


def full(folder: Path, **changes: Any) -> Config:
    given: dict[str, Any] = {
        "path": folder / "pbem.toml",
        "store": folder / "games",
        "mail": folder / "mail",
        "host": HostConfig("games@host.test", 'The "old" games', "host.test", "Europe/Paris", "fr", False),
        "moderator": ModeratorConfig(("mia@mods.test",), "mia"),
        "imap": ImapConfig("imap.host.test", 993, "games", password_file=folder / "imap.secret"),
        "smtp": SmtpConfig("smtp.host.test", 465, "games", sender="bounce@host.test"),
    }
    return Config(**(given | changes))


def test_an_address_is_enough(tmp_path: Path) -> None:
    found = check_settings({"host": HOST}, tmp_path / "pbem.toml")
    assert (tmp_path / "games", tmp_path / "mail") == (found.store, found.mail)
    assert (found.imap.user, found.imap.port, found.imap.folder) == ("games@host.test", 993, "INBOX")
    assert (found.smtp.sender, found.smtp.port) == ("games@host.test", 465)


def test_letters_come_to_one_mailbox(tmp_path: Path) -> None:
    found = check_settings({"host": HOST, "mailbox": {"maildir": "Maildir"}}, tmp_path / "pbem.toml")
    assert tmp_path / "Maildir" == found.mailbox.maildir
    (wrong,) = problems(tmp_path, mailbox={"maildir": "Maildir"}, imap={"host": "imap.host.test"})
    assert "[mailbox] maildir" in wrong
    assert "leave one of the two out" in wrong


def test_what_init_writes_reads_back_the_same(tmp_path: Path) -> None:
    config = full(tmp_path)
    found = write_settings(config)
    assert config == found
    assert (tmp_path / "games").is_dir()
    assert "#" in (tmp_path / "pbem.toml").read_text()


def test_every_setting_can_be_written_and_read_back(tmp_path: Path) -> None:
    config = full(
        tmp_path,
        host=HostConfig(
            "games@host.test", "N", "ids.test", "UTC", "fr", True, "list.test", "mx.host.test", ("anna@example.org",)
        ),
        imap=ImapConfig(
            "h", 1143, "u", "starttls", 99, "/ca.pem", True, tmp_path / "i.secret", "", "password", "In", "Done", "Bad",
            False, 60, 0,
        ),
        smtp=SmtpConfig("h", 25, "", "none", 77, "/ca.pem", True, tmp_path / "s.secret", sender="b@host.test"),
        secret_file=tmp_path / "token.secret",
        keep_days=7,
        tables=TablesConfig("known", 3, 4, "anyone"),
    )
    assert config == write_settings(config)
    command = {"password_file": None, "password_command": 'token "games"', "auth": "xoauth2"}
    parts = {"imap": replace(config.imap, **command), "smtp": replace(config.smtp, **command)}
    other = replace(config, path=tmp_path / "other.toml", **parts)
    assert other == write_settings(other)


def test_init_replaces_no_settings_and_no_secret(tmp_path: Path) -> None:
    write_settings(full(tmp_path))
    secret = host_secret(full(tmp_path))
    with pytest.raises(FileExistsError):
        write_settings(full(tmp_path))
    (tmp_path / "pbem.toml").unlink()
    write_settings(full(tmp_path))
    assert secret == host_secret(full(tmp_path))


def test_settings_that_cannot_be_used_are_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        write_settings(full(tmp_path, host=HostConfig("no address")))
    assert not (tmp_path / "pbem.toml").exists()


def test_the_commented_file_has_no_password_and_is_toml_whatever_the_name(tmp_path: Path) -> None:
    name = 'a"b\\c é'
    text = settings_text(full(tmp_path, host=HostConfig("games@host.test", name)))
    assert name == tomllib.loads(text)["host"]["name"]
    assert not any(line.startswith("password =") for line in text.splitlines())


def test_every_mistake_is_told_at_once_with_its_place_what_stands_there_and_what_works(tmp_path: Path) -> None:
    told = problems(
        tmp_path,
        imap={"port": "993", "tls": "ssl", "hots": "x", "filed": "INBOX"},
        smtp={"sender": "Me <me@host.test>"},
        moderator={"addresses": "nobody"},
        mail={"keep_days": 0},
        stroe={},
        tables={"open": "anybody", "a_day": 0},
    )
    expected = [
        '[imap] tls = "ssl": must be "tls", "starttls" or "none"',
        '[imap] port = "993": must be a whole number from 1 to 65535, such as 993',
        '[imap] filed = "INBOX": is the folder that letters arrive in',
        '[imap] hots = "x": is not known; did you mean host?',
        '[smtp] sender = "Me <me@host.test>": must be an address of ASCII letters without a name',
        '[moderator] addresses = "nobody": must be a list of addresses',
        "[mail] keep_days = 0: must be a whole number from 1 to 3650",
        '[tables] open = "anybody": must be "nobody", "known" or "anyone"',
        "[tables] a_day = 0: must be a whole number from 1 to 100",
        "[stroe]: is not known; did you mean store?",
    ]
    for sentence in expected:
        assert any(one.startswith(sentence) for one in told), (sentence, told)
    assert len(expected) == len(told)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("moderator", "addresses", ["me@host.test\n"]),
        ("host", "dmarc_exempt", ["me@host.test", "you@host.test\n"]),
        ("host", "name", "Games\u202etset"),
        ("host", "name", "Ga\u200bmes"),
        ("moderator", "seat", "Mia\u00a0M"),
        ("store", "path", "~nobody-of-this-name/games"),
    ],
)
def test_what_nobody_sees_in_a_value_and_a_home_that_is_not_there_are_refused(
    tmp_path: Path, table: str, key: str, value: object
) -> None:
    given = {**HOST, key: value} if table == "host" else {key: value}
    (told,) = problems(tmp_path, **{"host": HOST, table: given})
    assert told.startswith(f"[{table}] {key} = ")
    assert "must be" in told


def test_a_password_in_the_file_is_refused_and_not_shown(tmp_path: Path) -> None:
    told = problems(tmp_path, imap={"password": "swordfish"})
    assert any("PBEM_IMAP_PASSWORD" in one for one in told)
    assert not any("swordfish" in one for one in told)


def test_a_time_zone_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    told = problems(tmp_path, host={**HOST, "time_zone": "Europe/Troyes"})
    says = 'is no time zone; it must be a name such as "Europe/Paris" or "UTC"'
    assert told == (f'[host] time_zone = "Europe/Troyes": {says}',)


def test_a_mail_folder_inside_the_store_is_refused(tmp_path: Path) -> None:
    assert "outside the store" in problems(tmp_path, mail={"folder": "games/mail"})[0]


def test_a_missing_file_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="pbem init"):
        find_config()


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text("host = [")
    with pytest.raises(ConfigError, match="no TOML"):
        load_config(tmp_path / "pbem.toml")


def test_a_bare_store_needs_no_file_and_keeps_its_mail_beside_it(tmp_path: Path) -> None:
    assert tmp_path / "mail" == config_of_store(tmp_path / "games").mail
    assert tmp_path / "old-mail" == find_config(store=tmp_path / "old").mail


def test_a_bare_store_beside_its_settings_uses_them(tmp_path: Path) -> None:
    write_settings(full(tmp_path, mail=tmp_path / "post"))
    assert tmp_path / "post" == find_config(store=tmp_path / "games").mail
    assert tmp_path / "other-mail" == find_config(store=tmp_path / "other").mail


def test_passwords_come_from_environment_credential_and_private_file_in_this_order(tmp_path: Path) -> None:
    config = full(tmp_path)
    secret = tmp_path / "imap.secret"
    secret.write_text("from-file\n")
    secret.chmod(0o600)
    (tmp_path / "imap-password").write_text("from-systemd\n")
    credentials = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert password("imap", config, {}).reveal() == "from-file"
    assert password("imap", config, credentials).reveal() == "from-systemd"
    assert password("imap", config, {"PBEM_IMAP_PASSWORD": "from-env", **credentials}).reveal() == "from-env"


def test_smtp_uses_the_password_of_imap_only_for_the_same_user(tmp_path: Path) -> None:
    environ = {"PBEM_IMAP_PASSWORD": "swordfish"}
    assert password("smtp", full(tmp_path), environ).reveal() == "swordfish"
    other = full(tmp_path, smtp=SmtpConfig("smtp.host.test", 465, "other"))
    with pytest.raises(SecretError, match="PBEM_SMTP_PASSWORD"):
        password("smtp", other, environ)


def test_no_login_needs_no_password(tmp_path: Path) -> None:
    assert password("smtp", full(tmp_path, smtp=SmtpConfig("localhost", 25, "", "none")), {}).reveal() == ""


def test_a_password_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "imap.secret").write_text("swordfish")
    (tmp_path / "imap.secret").chmod(0o640)
    with pytest.raises(SecretError, match="chmod 600") as refused:
        password("imap", full(tmp_path), {})
    assert "swordfish" not in str(refused.value)


def test_a_secret_is_shown_by_no_repr(tmp_path: Path) -> None:
    found = password("imap", full(tmp_path), {"PBEM_IMAP_PASSWORD": "swordfish"})
    assert "swordfish" not in f"{found} {found!r} {[found]}"
    assert "$PBEM_IMAP_PASSWORD" in repr(found)


def test_the_hosts_secret_is_private_and_stays_the_same(tmp_path: Path) -> None:
    config = full(tmp_path)
    secret = host_secret(config)
    assert len(secret) == 32
    assert config.host_secret.stat().st_mode & 0o777 == 0o600
    assert secret == host_secret(config)
    assert [config.host_secret] == list(config.host_secret.parent.iterdir())


def test_a_lost_host_secret_is_not_replaced_while_there_are_games(tmp_path: Path) -> None:
    config = full(tmp_path)
    (config.store / "tale-3").mkdir(parents=True)
    (config.store / "tale-3" / "state.toml").touch()
    with pytest.raises(SecretError, match="missing"):
        host_secret(config)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('[imap]\nauth = "xoauth2"\n', r'\[imap\] auth = "xoauth2": needs a password_command'),
        ('[smtp]\nauth = "xoauth2"\nuser = "other"\n[imap]\npassword_command = "x"\n', r"\[smtp\] auth = .* needs"),
        ('[smtp]\npassword_command = "x"\npassword_file = "y"\n', r"\[smtp\] password_file = .*leave one"),
        ('[imap]\nauth = "oauth"\n', r"\[imap\] auth"),
    ],
)
def test_a_token_needs_a_command_that_prints_it(tmp_path: Path, lines: str, says: str) -> None:
    path = tmp_path / "pbem.toml"
    path.write_text(f'[host]\naddress = "games@host.test"\n{lines}')
    with pytest.raises(ConfigError, match=says):
        load_config(path)
    path.write_text(
        '[host]\naddress = "games@host.test"\n[imap]\nauth = "xoauth2"\npassword_command = "x"\n[smtp]\nauth = "xoauth2"\n'
    )
    assert load_config(path).smtp.auth == "xoauth2"
