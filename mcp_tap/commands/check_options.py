"""What ``mcp-tap check`` was asked for: the command line, a configuration file, a baseline."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from mcp_tap.diagnosis.baseline import Baseline
from mcp_tap.diagnosis.config import Config, FailOn, read_config, read_pyproject, rule_names
from mcp_tap.diagnosis.settings import Settings
from mcp_tap.errors import TapError, one_line

Form = Literal["text", "json", "sarif", "junit", "github"]

PROJECT_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Options:
    """How to check. ``baseline`` is what is known already, ``write_to`` where to write a new one."""

    form: Form = "text"
    fail_on: FailOn = "error"
    settings: Settings = field(default_factory=Settings)
    baseline: Baseline | None = None
    write_to: str | None = None


def read_options(
    *,
    form: Form = "text",
    fail_on: FailOn | None = None,
    disable: Iterable[str] = (),
    only: Iterable[str] = (),
    config: str | None = None,
    baseline: str | None = None,
    write_baseline: str | None = None,
) -> Options:
    """The options as they hold: the command line's word before the file's.

    ``--only`` replaces the file's, ``--disable`` adds to it. Raises :class:`TapError` for a file that
    cannot be read or says what nobody knows, and for a rule that there is none of.
    """
    configured, where = find_config(config)
    settings = configured.settings
    wanted = named(only, "--only")
    settings = replace(
        settings,
        disabled=(settings.disabled - wanted) | named(disable, "--disable"),
        only=wanted or settings.only,
    )
    name = baseline
    if name is None and configured.baseline is not None:
        name = os.path.join(where, configured.baseline)
    return Options(
        form=form,
        fail_on=fail_on or configured.fail_on or "error",
        settings=settings,
        baseline=None if name is None else Baseline.parse(read_text(name), one_line(name)),
        write_to=write_baseline,
    )


def find_config(name: str | None) -> tuple[Config, str]:
    """The configuration, and the directory that names in it are relative to."""
    if name is not None:
        return read_config(read_text(name), one_line(name), known_rules()), os.path.dirname(name)
    if not os.path.isfile(PROJECT_FILE):
        return Config(), ""
    try:
        text = read_text(PROJECT_FILE)
    except TapError:
        return Config(), ""  # it was not named, and may be anything
    return read_pyproject(text, PROJECT_FILE, known_rules) or Config(), ""


def named(names: Iterable[str], option: str) -> frozenset[str]:
    """The rules that an option names. Raises :class:`TapError` for one that there is none of."""
    words = list(names)
    return rule_names(words, option, known_rules()) if words else frozenset()


def known_rules() -> Collection[str]:
    """The ids of all rules; to ask for them takes as long as everything else that starts ``check``."""
    from mcp_tap.rules.registry import BY_ID

    return BY_ID


def read_text(name: str) -> str:
    """The text of a file. Raises :class:`TapError`."""
    try:
        with open(name, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise TapError(f"cannot read {one_line(name)}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise TapError(f"cannot read {one_line(name)}: it is not UTF-8") from None


def write_text(name: str, text: str) -> None:
    """Replace the file ``name``, at once or not at all. Raises :class:`TapError`."""
    beside = f"{name}.{os.getpid()}.new"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, name)
    except OSError as error:
        if os.path.exists(beside):
            os.unlink(beside)
        raise TapError(f"cannot write {one_line(name)}: {error.strerror or error}") from None
