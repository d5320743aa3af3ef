"""Writes a host's first files: `pbem.toml` with its comments, and the secret that tokens are made from."""

from __future__ import annotations

import json
import os
from dataclasses import fields
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from pbem.host.config import Config, load_config
from pbem.host.passwords import host_secret
from pbem.host.settings_file import ConfigError


def settings_text(config: Config) -> str:
    """`pbem.toml` with comments for these settings; paths are written relative to its folder where they lie in it."""
    folder = config.path.parent if config.path else Path.cwd()

    def toml(value: object) -> str:
        if isinstance(value, Path):
            value = str(value.relative_to(folder) if value.is_relative_to(folder) else value)
        # A basic string of TOML is written as JSON writes text, but for DEL, which no setting may hold.
        return json.dumps(value, ensure_ascii=False)

    room = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    room.filters["toml"] = toml
    template = room.from_string(resources.files("templates").joinpath("pbem.toml.txt").read_text(encoding="utf-8"))
    return template.render({one.name: getattr(config, one.name) for one in fields(config)})


def write_settings(config: Config) -> Config:
    """Write `config.path`, the two folders and the host's secret; read the file back as a check.

    Raises FileExistsError rather than replace a settings file, ConfigError where it cannot be used: then none is left.
    A secret that is there already is kept.
    """
    if config.path is None:
        raise ValueError("settings without a path cannot be written")
    config.path.parent.mkdir(parents=True, exist_ok=True)
    with config.path.open("x", encoding="utf-8") as file:
        file.write(settings_text(config))
        file.flush()
        os.fsync(file.fileno())
    try:
        found = load_config(config.path)
    except ConfigError:
        config.path.unlink()
        raise
    found.store.mkdir(parents=True, exist_ok=True, mode=0o700)
    found.mail.mkdir(parents=True, exist_ok=True, mode=0o700)
    host_secret(found)
    return found
