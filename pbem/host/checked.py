"""Reading the tables of a settings file, and saying everything that is wrong with them at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

W = TypeVar("W", bound=str)

_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")


class ConfigError(Exception):
    """A settings file that cannot be used; `problems` are whole sentences, each with its place."""

    def __init__(self, path: Path, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{path}: {problem}" for problem in problems))
        self.path = path
        self.problems = problems


def is_address(text: str) -> bool:
    """Whether this is an address that mail can be written to: `name@domain`, ASCII, nothing quoted."""
    local, at, domain = text.rpartition("@")
    return bool(at and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain))


class SettingsTable:
    """One table of the file. Every reader gives its default when something is wrong, after noting it."""

    def __init__(self, table: Mapping[str, Any], path: Path, name: str = "", problems: list[str] | None = None) -> None:
        self.problems: list[str] = [] if problems is None else problems
        self._table = table
        self._path = path
        self._name = name
        self._known: list[str] = []

    def wrong(self, key: str, says: str) -> None:
        """Note that `key` is wrong and what would work."""
        place = f"[{self._name}] {key}" if self._name else f"[{key}]"
        stands = f" = {_shown(self._table[key])}" if key in self._table and self._name else ""
        self.problems.append(f"{place}{stands}: {says}")

    def table(self, key: str, required: bool = False) -> SettingsTable:
        """A table inside; an empty one when it is missing."""
        inside = self._take(key, {})
        if not isinstance(inside, dict):
            self.wrong(key, f"must be a table: a line [{key}] with its settings below")
            inside = {}
        elif required and key not in self._table:
            self.wrong(key, "is missing")
        return SettingsTable(inside, self._path, key, self.problems)

    def text(self, key: str, default: str, longest: int = 200, empty: bool = False) -> str:
        """Printable text on one line; an empty one stands for the default unless `empty` gives it a meaning."""
        value = self._take(key, default)
        if not isinstance(value, str):
            self.wrong(key, f'must be text in quotes, such as "{default or "…"}"')
        elif not value.isprintable() or len(value) > longest:
            self.wrong(key, f"must be one line of at most {longest} printable characters")
        else:
            return value.strip() or ("" if empty else default)
        return default

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        self.wrong(key, "must be true or false, without quotes")
        return default

    def number(self, key: str, default: int, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        value = self._take(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.wrong(key, f"must be a whole number from {least} to {most}, such as {default}")
        return default

    def one_of(self, key: str, words: tuple[W, ...], default: W) -> W:
        """One of a few words."""
        value = self._take(key, default)
        for word in words:
            if value == word:
                return word
        self.wrong(key, "must be " + _either([f'"{word}"' for word in words]))
        return default

    def address(self, key: str, required: bool = False) -> str:
        """A mail address without display name; empty when it is missing."""
        value = self._take(key, "")
        if isinstance(value, str) and (is_address(value) or (not value and not required)):
            return value
        says = 'must be an address of ASCII letters without a name, such as "games@example.org"'
        self.wrong(key, says if value else f"is missing; it {says}")
        return ""

    def addresses(self, key: str) -> tuple[str, ...]:
        """A list of mail addresses; a single one may stand without brackets."""
        value = self._take(key, [])
        given = [value] if isinstance(value, str) else value
        if isinstance(given, list) and all(isinstance(one, str) and is_address(one) for one in given):
            return tuple(given)
        self.wrong(key, 'must be a list of addresses without names, such as ["me@example.org"]')
        return ()

    def domain(self, key: str) -> str:
        """A domain name; empty when it is missing."""
        value = self._take(key, "")
        if isinstance(value, str) and (not value or _DOMAIN.fullmatch(value)):
            return value
        self.wrong(key, 'must be a domain, such as "example.org"')
        return ""

    def zone(self, key: str, default: str) -> str:
        """The name of a time zone."""
        value = self._take(key, default)
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, TypeError, OSError):
            self.wrong(key, 'is no time zone; it must be a name such as "Europe/Paris" or "UTC"')
            return default
        return str(value)

    def path(self, key: str, folder: Path, default: Path) -> Path:
        """A path, relative to `folder`."""
        return self.optional_path(key, folder) or default

    def optional_path(self, key: str, folder: Path) -> Path | None:
        """A path, relative to `folder`; None when it is missing."""
        value = self._take(key, "")
        if not isinstance(value, str) or "\0" in value:
            self.wrong(key, 'must be a path in quotes, such as "games"')
            return None
        return folder / Path(value).expanduser() if value else None

    def finish(self, password: str = "") -> None:
        """Note what no reader has asked for: misspelt names, and passwords, which have no place in the file."""
        for key in self._table:
            if key in self._known:
                continue
            if password and "pass" in key.lower():
                # Not shown: what stands there may be the password itself.
                self.problems.append(
                    f"[{self._name}] {key}: passwords never stand in this file; put it into the environment variable "
                    f"PBEM_{password}_PASSWORD, or into a file of mode 0600 named by password_file"
                )
                continue
            known = ", ".join(self._known)
            near = difflib.get_close_matches(key, self._known, 1, 0.6)
            self.wrong(key, f"is not known; did you mean {near[0]}?" if near else f"is not known; known are {known}")

    def _take(self, key: str, default: Any) -> Any:
        self._known.append(key)
        return self._table.get(key, default)


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, str) else f'"{value}"'
    return text if len(text) <= 60 else f"{text[:59]}…"


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
