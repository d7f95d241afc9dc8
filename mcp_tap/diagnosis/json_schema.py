"""Questions of JSON Schema, answered by the ``jsonschema`` library: yes, no, or "cannot say".

A schema and what is held against it come from strangers. So no reference is ever fetched, and the
steps of a question, the sizes of both, and the time of their patterns are bounded; a question that
reaches a limit has no answer, and no rule fires on that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from mcp_tap.diagnosis.ecma import CannotSay, Searches
from mcp_tap.diagnosis.misfit import Misfit

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

    Keyword = Callable[[Validator, Any, Any, Any], Iterable[ValidationError] | None]

NEWEST = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema that names none (2025-11-25, basic#json-schema-usage)."""

OLDER = "http://json-schema.org/draft-07/schema"
"""The dialect that one without a name may be in as well: the official SDKs used to write it."""

DIALECTS = {
    "http://json-schema.org/draft-03/schema": "Draft3Validator",
    "http://json-schema.org/draft-04/schema": "Draft4Validator",
    "http://json-schema.org/draft-06/schema": "Draft6Validator",
    OLDER: "Draft7Validator",
    "https://json-schema.org/draft/2019-09/schema": "Draft201909Validator",
    NEWEST: "Draft202012Validator",
}
"""What the library calls each dialect that it knows."""

STEPS = 20_000
"""Steps of one question: about ten microseconds each."""

SESSION_STEPS = 1_000_000
"""Steps of all questions that one rule asks about one session. A hundred tools, each called as often as
is looked at, take a fifth of it; a server that changes bad schemas all the time would take hours."""

SCHEMA_LIMIT = 512 * 1024
"""Bytes of a schema as JSON."""

VALUE_LIMIT = 256 * 1024
"""Members and characters of what is held against one."""

MISFITS_LOOKED_AT = 10
"""Of one question; the one nearest to the top is reported."""

PAIRS_LIMIT = 50
"""Items of an array that are compared each with each (``uniqueItems``), where they cannot be sorted."""

SCHEMAS_KEPT = 128
CACHED_LIMIT = 64 * 1024
"""Schemas, of so many bytes at most, that are remembered from one session to the next."""


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """``fits`` is None where nobody can say: ``why``. ``steps`` is what it has cost to find out."""

    fits: bool | None
    misfits: tuple[Misfit, ...] = ()
    why: str = ""
    steps: int = field(default=0, compare=False)


class Steps:
    """What one question after another may still cost."""

    def __init__(self) -> None:
        self.left = STEPS
        self.has_pattern_properties = False

    def begin(self, has_pattern_properties: bool) -> None:
        """A new question."""
        self.left, self.has_pattern_properties = STEPS, has_pattern_properties

    def take(self, number: int = 1) -> None:
        """Go so many steps further. Raises CannotSay."""
        self.left -= number
        if self.left < 0:
            raise CannotSay(f"more than {STEPS:,} steps")


_steps, _searches = Steps(), Searches()
"""Of the question that is asked just now; there is one at a time, and none asks another."""


class Schema:
    """A schema that can be asked about. ``dialect`` is None for one that is not known: ``named``."""

    def __init__(self, value: Any, text: bytes | None) -> None:
        self.value = without_name(value)
        self.named = value.get("$schema") if isinstance(value, dict) else None
        self.dialect = NEWEST if self.named is None else dialect_of(self.named)
        self.why = why_not_asked(self.value, text) or unusable()
        self._has_pattern_properties = text is not None and b'"patternProperties"' in text
        self._valid: FitVerdict | None = None

    def valid(self) -> FitVerdict:
        """Whether it is a schema at all, by the metaschema of its dialect."""
        if self._valid is None:
            self._valid = self._by_metaschema(self.dialect)
        return self._valid

    @property
    def is_older(self) -> bool:
        """Whether it names no dialect, and is a schema by the older default alone."""
        return self.named is None and self.valid().fits is False and self._by_metaschema(OLDER).fits is True

    def fits(self, value: Any) -> FitVerdict:
        """Whether ``value`` fits. Where no dialect is named, it misfits only if it does so in both."""
        if self.dialect is None or self.why or not self.valid().fits:
            return FitVerdict(None, why=self.why or self.valid().why or "the schema is not valid")
        if size_of(value, VALUE_LIMIT) > VALUE_LIMIT:
            return FitVerdict(None, why="too large")
        answer = self._ask(self.dialect, value)
        if answer.fits is False and self.named is None:
            older = self._ask(OLDER, value)
            steps = answer.steps + older.steps
            if older.fits:
                return FitVerdict(None, why="drafts differ", steps=steps)
            return replace(answer, steps=steps)
        return answer

    def _by_metaschema(self, dialect: str | None) -> FitVerdict:
        if dialect is None or self.why:
            return FitVerdict(None, why=self.why or "an unknown dialect")
        metaschema = without_name(validator_of(dialect).META_SCHEMA)
        return ask(dialect, metaschema, self.value, has_pattern_properties=False)

    def _ask(self, dialect: str, value: Any) -> FitVerdict:
        return ask(dialect, self.value, value, has_pattern_properties=self._has_pattern_properties)


@cache
def unusable() -> str:
    """Why the library cannot be used; empty where it can.

    It has a part in machine code, which does not load everywhere (under Wine, to name one). All
    other rules go on without it.
    """
    try:
        from jsonschema import validators  # noqa: F401 # whether it can be imported is the question
    except ImportError as error:
        return f"jsonschema cannot be imported ({error})"
    return ""


def not_checked() -> str:
    """Why schemas were left out so far; empty where they were not, or there was none."""
    return unusable() if unusable.cache_info().currsize else ""


def read_schema(value: Any) -> Schema:
    """``value`` as a schema. Never raises, whatever it is."""
    try:
        text = orjson.dumps(value)
    except orjson.JSONEncodeError:  # nested deeper than can be written
        return Schema(value, None)
    return remembered(text) if len(text) <= CACHED_LIMIT else Schema(value, text)


@lru_cache(maxsize=SCHEMAS_KEPT)
def remembered(text: bytes) -> Schema:
    """The schema that is written so: most sessions of a server list the same."""
    return Schema(orjson.loads(text), text)


def dialect_of(name: Any) -> str | None:
    """The dialect that is meant by a ``$schema``; None for one that is not known."""
    if not isinstance(name, str):
        return None
    spelled = re.sub(r"^https?:", "https:" if "/draft/20" in name else "http:", name.removesuffix("#"))
    return spelled if spelled in DIALECTS else None


def without_name(schema: Any) -> Any:
    """``schema`` without its ``$schema``, by which the library would change to classes of its own."""
    if isinstance(schema, dict) and "$schema" in schema:
        return {key: value for key, value in schema.items() if key != "$schema"}
    return schema


def why_not_asked(schema: Any, text: bytes | None) -> str:
    """Why a schema is not even looked into; empty for most."""
    if text is None:
        return "nested too deep"
    if len(text) > SCHEMA_LIMIT:
        return "too large"
    if b'"$schema"' in text and any(isinstance(part.get("$schema"), str) for part in objects_in(schema)):
        return "several dialects in one schema"
    return ""


def is_same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; not, where they are too deep to tell."""
    try:
        return one is other or bool(one == other)
    except RecursionError:
        return False


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every object within ``value``, however deep."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            yield part
            left.extend(part.values())
        elif isinstance(part, list):
            left.extend(part)


def size_of(value: Any, limit: int) -> int:
    """Members and characters of ``value``, counted until there are more than ``limit``."""
    size, left = 0, [value]
    while left and size <= limit:
        part = left.pop()
        if isinstance(part, str):
            size += len(part)
        elif isinstance(part, dict):
            size += len(part) + sum(map(len, part))
            left.extend(part.values())
        elif isinstance(part, list):
            size += len(part)
            left.extend(part)
    return size


def ask(dialect: str, schema: Any, value: Any, *, has_pattern_properties: bool) -> FitVerdict:
    """Whether ``value`` fits ``schema``, within the bounds of one question."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    _steps.begin(has_pattern_properties)
    _searches.begin()
    try:
        # A registry of its own: the library's default one fetches what it does not know.
        validator = validator_of(dialect)(schema, registry=Registry())
        errors = list(islice(validator.iter_errors(value), MISFITS_LOOKED_AT))
    except CannotSay as reason:
        return FitVerdict(None, why=str(reason), steps=STEPS)
    except Unresolvable:
        return FitVerdict(None, why="a $ref to what is not in the schema", steps=STEPS - _steps.left)
    except RecursionError:
        return FitVerdict(None, why="nested too deep", steps=STEPS)
    except Exception as error:  # the library, on what nobody has tried
        return FitVerdict(None, why=type(error).__name__, steps=STEPS)
    misfits = {(each.path, each.keyword): each for each in map(misfit_of, errors)}
    # The library goes through unlisted members in the order of a set, which changes from run to run.
    in_order = sorted(misfits.values(), key=lambda each: (len(each.path), *map(str, each.path)))
    return FitVerdict(not in_order, tuple(in_order), steps=STEPS - _steps.left)


def misfit_of(error: ValidationError) -> Misfit:
    """What the library found."""
    keyword, expected, value = str(error.validator), error.validator_value, error.instance
    return Misfit(
        tuple(error.absolute_path), keyword, expected, value, names_in(keyword, expected, value, error.schema)
    )


def names_in(keyword: str, expected: Any, value: Any, schema: Any) -> tuple[str, ...]:
    """The members that an object lacks, or has too many, where the keyword is about them."""
    if not isinstance(value, dict) or not isinstance(schema, dict):
        return ()
    if keyword == "required" and isinstance(expected, list):
        return tuple(name for name in expected if name not in value)
    if keyword == "additionalProperties" and expected is False and "patternProperties" not in schema:
        return tuple(sorted(value.keys() - schema.get("properties", {}).keys()))
    return ()


@cache
def validator_of(dialect: str) -> Any:
    """The library's class for ``dialect``, with a price on each step."""
    from jsonschema import validators

    base = getattr(validators, DIALECTS[dialect])
    own: dict[str, Any] = {
        "additionalProperties": additional_properties,
        "enum": compared,
        "const": compared,
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "unevaluatedProperties": unevaluated_properties,
        "uniqueItems": unique_items,
    }
    keywords = {
        name: priced(own[name](keyword) if name in own else keyword)
        for name, keyword in base.VALIDATORS.items()
    }
    extend: Any = validators.extend
    made = extend(base, keywords)
    evolve = made.evolve

    def evolve_priced(self: Any, **changes: Any) -> Any:
        _steps.take()
        changes["schema"] = without_name(changes.get("schema", self.schema))
        return evolve(self, **changes)

    made.evolve = evolve_priced  # each subschema passes here; extend() has no argument for it
    return made


def priced(keyword: Keyword) -> Keyword:
    """``keyword``, paid for by what it looks at, and by the messages that the library makes."""

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        _steps.take(1 + (members(expected) + members(value)) // 32)
        for error in keyword(validator, expected, value, schema) or ():
            _steps.take(len(error.message) // 256)
            yield error

    return run


def members(value: Any) -> int:
    """How many members an array or object has."""
    return len(value) if isinstance(value, (dict, list)) else 0


# What follows stands for keywords of the library's that use patterns, or compare.


def pattern(_: Keyword) -> Keyword:
    from jsonschema.exceptions import ValidationError

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not _searches.found(expected, value):
            yield ValidationError("does not match")

    return run


def pattern_properties(_: Keyword) -> Keyword:
    def run(validator: Any, expected: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        for each, subschema in expected.items() if isinstance(value, dict) else ():
            for name in value:
                _steps.take()
                if _searches.found(each, name):
                    yield from validator.descend(value[name], subschema, path=name, schema_path=each)

    return run


def additional_properties(keyword: Keyword) -> Keyword:
    """The library's own, after what the patterns cover has been taken away."""

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterable[ValidationError] | None:
        patterns = schema.get("patternProperties")
        if patterns and isinstance(value, dict):
            _steps.take(len(patterns) * len(value))
            value = {
                name: member
                for name, member in value.items()
                if not any(_searches.found(each, name) for each in patterns)
            }
            schema = {name: part for name, part in schema.items() if name != "patternProperties"}
        return keyword(validator, expected, value, schema)

    return run


def unevaluated_properties(keyword: Keyword) -> Keyword:
    """The library's own looks for properties by patterns, with no limit to their time."""

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterable[ValidationError] | None:
        if _steps.has_pattern_properties:
            raise CannotSay("unevaluatedProperties together with patternProperties")
        return keyword(validator, expected, value, schema)

    return run


def compared(keyword: Keyword) -> Keyword:
    """``enum`` and ``const``: a comparison looks at everything within."""

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterable[ValidationError] | None:
        if isinstance(value, (dict, list)):
            _steps.take(size_of(expected, SCHEMA_LIMIT) // 32)
        return keyword(validator, expected, value, schema)

    return run


def unique_items(keyword: Keyword) -> Keyword:
    """Items that cannot be sorted are compared each with each."""

    def run(validator: Validator, expected: Any, value: Any, schema: Any) -> Iterable[ValidationError] | None:
        if isinstance(value, list) and not can_be_sorted(value):
            if len(value) > PAIRS_LIMIT:
                raise CannotSay("uniqueItems of many items")
            _steps.take(len(value) ** 2)
        return keyword(validator, expected, value, schema)

    return run


def can_be_sorted(items: list[Any]) -> bool:
    """Whether all items are strings, or all numbers."""
    kinds = set(map(type, items))
    return kinds <= {str} or kinds <= {int, float}
