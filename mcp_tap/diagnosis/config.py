"""What a configuration file sets for ``check``: ``[tool.mcp-tap.check]`` and the like.

In ``pyproject.toml`` the keys are in the table ``[tool.mcp-tap.check]``. A file of its own may have
them there too, or in a table ``[check]``, or at its top::

    disable = ["FRM007"]        # rules or families: "SEC" is all of its rules
    only = []                   # if not empty, only these are checked
    fail-on = "warning"         # error, warning, info or never: the lowest severity with exit status 1
    baseline = "mcp-tap.json"   # accepted findings; relative to this file

    [severity]                  # of all findings of a rule: error, warning, info or off
    RES007 = "info"

    [thresholds]
    slow-call = 5.0             # seconds
    large-result = 100_000      # bytes

Every key is optional. A key, a rule or a value that is not known is refused: silently ignored, it would
leave on what was to be switched off.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from mcp_tap.diagnosis.finding import SEVERITIES, Finding, Severity
from mcp_tap.diagnosis.settings import Settings, Thresholds
from mcp_tap.errors import TapError, one_line

Rules = Collection[str]
"""The ids of all rules there are."""

FailOn = Literal["error", "warning", "info", "never"]

FAIL_ON: tuple[FailOn, ...] = ("error", "warning", "info", "never")


def is_as_bad(finding: Finding, fail_on: FailOn) -> bool:
    """Whether ``finding`` is of the severity ``fail_on``, or a worse one."""
    return fail_on != "never" and SEVERITIES.index(finding.severity) <= SEVERITIES.index(fail_on)


TABLE = ("tool", "mcp-tap", "check")

THRESHOLDS: dict[str, str] = {
    re.sub(r"_(?:seconds|bytes)$", "", each.name).replace("_", "-"): each.name for each in fields(Thresholds)
}
"""The thresholds as they are called in a file, and as fields: seconds and bytes are told by the latter."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a file says; ``fail_on`` and ``baseline`` are None where it says nothing of them."""

    settings: Settings = field(default_factory=Settings)
    fail_on: FailOn | None = None
    baseline: str | None = None


def read_config(text: str, name: str, rules: Rules) -> Config:
    """The configuration in the file ``name``, which was named to be read; ``rules`` are the ids there are.

    Raises :class:`TapError`: the file is no TOML, has tables for other tools only, or says something
    that is not known.
    """
    content = parsed(text, name)
    table = table_at(content, TABLE)
    if table is not None:
        return config_from(table, f"{name}: [{'.'.join(TABLE)}]", rules)
    if "tool" in content or "project" in content or "build-system" in content:
        raise TapError(f"{name} has no table [{'.'.join(TABLE)}]")
    if isinstance(content.get("check"), dict):
        return config_from(content["check"], f"{name}: [check]", rules)
    return config_from(content, name, rules)


def read_pyproject(text: str, name: str, rules: Callable[[], Rules]) -> Config | None:
    """The configuration in a ``pyproject.toml`` that happens to be there; None if it has none.

    ``rules`` is asked for the rules that there are where there is one.
    Raises :class:`TapError` as :func:`read_config` does.
    """
    table = table_at(parsed(text, name), TABLE)
    return None if table is None else config_from(table, f"{name}: [{'.'.join(TABLE)}]", rules())


def parsed(text: str, name: str) -> dict[str, Any]:
    """The content of a TOML file. Raises :class:`TapError`."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TapError(f"{name} is not TOML: {error}") from None


def table_at(content: Mapping[str, Any], path: Iterable[str]) -> dict[str, Any] | None:
    """The table at ``path``."""
    at: Any = content
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return at if isinstance(at, dict) else None


def config_from(table: Mapping[str, Any], where: str, rules: Rules) -> Config:
    """The configuration in a table; ``where`` begins each complaint. Raises :class:`TapError`."""
    for key in table:
        known(key, KEYS, f"{where}: unknown key")
    config = Config()
    for key, read in KEYS.items():
        if key in table:
            config = read(config, table[key], f"{where}: {key}", rules)
    return config


def read_disable(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``disable``."""
    return set_in(config, disabled=config.settings.disabled | rule_names(strings(value, where), where, rules))


def read_only(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``only``."""
    return set_in(config, only=rule_names(strings(value, where), where, rules))


def read_fail_on(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``fail-on``."""
    return replace(config, fail_on=one_of(FAIL_ON, value, where))


def read_baseline_name(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``baseline``."""
    if not isinstance(value, str) or not value:
        raise TapError(f"{where} is not a file name")
    return replace(config, baseline=value)


def read_severities(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``[severity]``."""
    severities: dict[str, Severity] = {}
    off: frozenset[str] = frozenset()
    for word, wanted in items(value, where):
        named = rule_names([word], where, rules)
        severity = one_of((*SEVERITIES, "off"), wanted, f"{where}: {word}")
        if severity == "off":
            off |= named
        else:
            severities.update(dict.fromkeys(sorted(named), severity))
    return set_in(config, disabled=config.settings.disabled | off, severities=severities)


def read_thresholds(config: Config, value: Any, where: str, rules: Rules) -> Config:
    """``[thresholds]``."""
    changes: dict[str, float] = {}
    for key, number in items(value, where):
        known(key, THRESHOLDS, f"{where}: unknown threshold")
        changes[THRESHOLDS[key]] = threshold(number, THRESHOLDS[key], f"{where}: {key}")
    return set_in(config, thresholds=replace(config.settings.thresholds, **changes))  # type: ignore[arg-type] # checked


KEYS: dict[str, Callable[[Config, Any, str, Rules], Config]] = {
    "disable": read_disable,
    "only": read_only,
    "fail-on": read_fail_on,
    "baseline": read_baseline_name,
    "severity": read_severities,
    "thresholds": read_thresholds,
}


def set_in(config: Config, **changes: Any) -> Config:
    """``config`` with other settings."""
    return replace(config, settings=replace(config.settings, **changes))


def threshold(value: Any, name: str, where: str) -> float:
    """A number for the threshold ``name``. Raises :class:`TapError`."""
    if name.endswith("_seconds"):
        if type(value) in (int, float) and math.isfinite(value) and value > 0:
            return float(value)
        raise TapError(f"{where} is not a number of seconds above 0")
    if type(value) is int and value > 0:
        return value
    raise TapError(
        f"{where} is not a {'number of bytes' if name.endswith('_bytes') else 'whole number'} above 0"
    )


def rule_names(words: Iterable[str], option: str, rules: Rules) -> frozenset[str]:
    """Those of ``rules`` that ``words`` name: ``FRM001``, or ``FRM`` for a family; commas separate, too.

    Raises :class:`TapError` for what is neither; ``option`` begins the sentence.
    """
    found: set[str] = set()
    for word in (part.strip() for each in words for part in each.split(",")):
        name = word.upper()
        family = {rule for rule in rules if rule[:3] == name}
        if not word:
            continue
        if name not in rules and not family:
            meant = near(name, [*rules, *families(rules)])
            raise TapError(f"{option}: unknown rule {one_line(word)}{meant}")
        found |= family or {name}
    return frozenset(found)


def families(rules: Rules) -> list[str]:
    """What rules of one family begin with."""
    return sorted({rule[:3] for rule in rules})


def near(word: str, names: Iterable[str]) -> str:
    """What was meant, as the end of a sentence; empty where nothing is like it."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(names), n=1, cutoff=0.6)
    return f", did you mean {close[0]}?" if close else ""


def known(key: str, names: Mapping[str, Any], complaint: str) -> None:
    """Raise :class:`TapError` unless ``key`` is one of ``names``."""
    if key not in names:
        hint = near(key, names) or f" (valid: {', '.join(names)})"
        raise TapError(f"{complaint} {one_line(key)}{hint}")


def one_of(values: tuple[Any, ...], value: Any, where: str) -> Any:
    """``value`` if it is one of ``values``. Raises :class:`TapError`."""
    if isinstance(value, str) and value in values:
        return value
    hint = near(value, values) if isinstance(value, str) else ""
    raise TapError(f"{where} is not one of {', '.join(values)}{hint}")


def strings(value: Any, where: str) -> list[str]:
    """A list of strings. Raises :class:`TapError`."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TapError(f"{where} is not a list of rules")
    return value


def items(value: Any, where: str) -> list[tuple[str, Any]]:
    """The members of a table. Raises :class:`TapError`."""
    if not isinstance(value, dict):
        raise TapError(f"{where} is not a table")
    return list(value.items())
