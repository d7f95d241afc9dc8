"""Regular expressions that are compiled when they are first used.

A verb imports every rule and every recogniser, and most recordings need few of them: compiling all took
a third of the time in which ``check`` starts.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class LazyPattern:
    """Stands for a compiled pattern; the first attribute that is asked for compiles it."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        pattern, flags = self._source
        found = getattr(re.compile(pattern, flags), name)
        setattr(self, name, found)  # so that this is not asked again
        return found


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """``re.compile(pattern, flags)``, put off until the pattern is used."""
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags))
