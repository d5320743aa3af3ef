"""Reads a settings file through msgspec, and says everything that is wrong with it at once.

The types of the settings say what may stand there; `description` says what would work, in words that follow «must be».
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_type_hints

from msgspec import Meta

from pbem.store.data_codec import InvalidValue, convert_data

C = TypeVar("C")

_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_ADDRESS = re.compile(rf"{_LOCAL}@{_DOMAIN}")
_UNSEEN = r"\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
"""Characters that end a line, or that nobody sees in it."""


def _line(longest: int) -> Any:
    return _shape(f"[^{_UNSEEN}]{{0,{longest}}}", f"text in quotes, one line of at most {longest} printable characters")


def _shape(pattern: str, says: str) -> Any:
    return Meta(pattern=rf"\A{pattern}\Z", description=says)


def integer_range(least: int, most: int, such: int) -> Any:
    """The type of a whole number in a range; `such` is an example."""
    return Meta(ge=least, le=most, description=f"a whole number from {least} to {most}, such as {such}")


Auth: TypeAlias = Literal["password", "xoauth2"]
Line: TypeAlias = Annotated[str, _line(200)]
ShortLine: TypeAlias = Annotated[str, _line(80)]
CommandLine: TypeAlias = Annotated[str, _line(5000)]
Flag: TypeAlias = Annotated[bool, Meta(description="true or false, without quotes")]
Address: TypeAlias = Annotated[
    str, _shape(_ADDRESS.pattern, 'an address of ASCII letters without a name, such as "games@example.org"')
]
Addresses: TypeAlias = Annotated[
    tuple[Address, ...], Meta(description='a list of addresses without names, such as ["me@example.org"]')
]
Label: TypeAlias = Annotated[
    str, _shape("[a-z][a-z0-9]{0,7}", 'a letter, or up to eight letters and digits, such as "b"')
]
Domain: TypeAlias = Annotated[str, _shape(_DOMAIN, 'a domain, such as "example.org"')]
Place: TypeAlias = Annotated[Path | None, Meta(description='a path in quotes, such as "games"')]


class ConfigError(Exception):
    """A settings file that cannot be used; `problems` are sentences, each with its place."""

    def __init__(self, path: Path, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{path}: {problem}" for problem in problems))
        self.path = path
        self.problems = problems


def is_address(text: str) -> bool:
    """Whether mail can be written to this address: `name@domain`, ASCII, nothing quoted."""
    return bool(_ADDRESS.fullmatch(text))


class SettingsReader:
    """The tables of a file that lies in `folder`, and what is wrong with them."""

    def __init__(self, tables: Mapping[str, Any], folder: Path) -> None:
        self.problems: list[str] = []
        self._given = tables
        self._folder = folder

    def read(self, kind: type[C], passwords: Mapping[str, str], empty: tuple[str, str]) -> C:
        """Read the settings; what is wrong is noted and replaced by its default. An empty text is the default, too.

        `passwords` names the environment variables for passwords, by table; `empty` is the table and key whose empty
        text has a meaning of its own.
        """
        data = {name: _filled(name, part, empty) for name, part in deepcopy(dict(self._given)).items()}
        while True:
            found = convert_data(kind, data, self._hook)
            if not isinstance(found, InvalidValue):
                return found
            name, *rest = map(str, found.path)
            if not rest:
                known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
                says = f"must be a table: a line [{name}] with its settings below"
                self.problems.append(f"[{name}]: {says if found.needed else _unknown(name, known)}")
                del data[name]
                continue
            table: Any = get_type_hints(kind)[name]
            if found.needed:
                self.wrong(name, rest[0], f"must be {found.needed}")
            elif "pass" in rest[0].lower() and name in passwords:
                # The value is not shown: it may be the password itself.
                self.problems.append(
                    f"[{name}] {rest[0]}: passwords never stand in this file; put it into the environment variable "
                    f"{passwords[name]}, or into a file of mode 0600 named by password_file"
                )
            else:
                self.wrong(name, rest[0], _unknown(rest[0], [field.name for field in fields(table)]))
            del data[name][rest[0]]

    def given(self, name: str, key: str = "") -> bool:
        """Whether there is this table, and in it this key."""
        table = self._given.get(name)
        return isinstance(table, dict) and (not key or key in table)

    def wrong(self, name: str, key: str, says: str) -> None:
        """Note that a key of a table is wrong, and what would work."""
        stands = f" = {_shown(self._given[name][key])}" if self.given(name, key) else ""
        self.problems.append(f"[{name}] {key}{stands}: {says}")

    def _hook(self, kind: type, value: Any) -> Any:
        if kind is Path and isinstance(value, str) and "\0" not in value:
            # «~nobody/games»: there is no such user.
            with suppress(RuntimeError):
                return self._folder / Path(value).expanduser()
        raise TypeError


def _filled(name: str, part: Any, empty: tuple[str, str]) -> Any:
    """A table without its empty texts; a single address may stand without brackets."""
    if not isinstance(part, dict):
        return part
    stripped = {key: value.strip() if isinstance(value, str) else value for key, value in part.items()}
    for key in {"addresses", "dmarc_exempt"} & stripped.keys():
        if isinstance(stripped[key], str):
            stripped[key] = [stripped[key]]
    return {key: value for key, value in stripped.items() if value != "" or (name, key) == empty}


def _unknown(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, 1, 0.6)
    return f"is not known; did you mean {near[0]}?" if near else f"is not known; known are {', '.join(known)}"


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 60 else f"{text[:59]}…"
