"""Why a program gave up: the line of its stderr that names it, out of all that it said at its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcp_tap.diagnosis.recognise.complaints import LINE_EXAMINED, Match, brief, read_complaint
from mcp_tap.record.patterns import lazy

FRAME = lazy(
    r"^(?:\s|at |node:|Node\.js v|Deno \d|Bun v|[\]})^~]|npm (?:ERR!|error) (?:A complete log|\s*$)"
    r"|Require stack|- /|Emitted 'error' event|note: run with `RUST_BACKTRACE"
    r"|During handling of|The above exception"
    r"|Traceback |Press any key|For more information|(?:Try|Run|See) ['\"`].{0,60}(?:--help|-h\b))"
)
"""Lines that say nothing of themselves: places in the code, ends of an object, versions, where help is."""

PROPERTY = lazy(r"^\s+\[?\w+\]?: (?:['\"\d\[{-]|null|undefined|true|false|\[)")
"""A member of an error object, as Node prints it."""

NAMES_AN_ERROR = lazy(
    r"\b\w*(?:Error|Exception)\b|(?i:\b(?:error|fatal|panic|panicked|failed|cannot|could not)\b)"
)

OPEN_END = lazy(r"[\w,'\"`)]\s*$")
GOES_ON = lazy(r"^\s*(?:[│|]\s*)?(?!at |npm |node:|\w+[:=])(?:[a-z]|NODE_MODULE_VERSION)[^{};=]*$")
"""How a sentence goes on that was wrapped: in small letters, and it is no code."""

USAGE = lazy(r"\s*[Uu]sage:")
"""How a text begins that follows the complaint that it is printed for."""

BOX = lazy(r"^\s*[×╰]")

LAST_WORDS = 20
"""Lines before the end of stderr in which the reason for an end is looked for: Node prints ten
frames, and something below them, after its reason."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a program gave up, as far as its stderr tells.

    ``line`` is the line that says most, ``last`` whether it is the last that says anything, and
    ``match`` the complaint in it, if it is a known one.
    """

    line: str
    last: bool
    match: Match | None = None

    @property
    def quoted(self) -> str:
        """For the end of a sentence."""
        telling = self.match.telling if self.match is not None else ""
        line = brief(self.line.rstrip(". "), telling=telling)
        return f"{'last stderr line' if self.last else 'stderr'}: {line}"


def reason(lines: Iterable[str]) -> Reason | None:
    """Why a program gave up that wrote ``lines`` to stderr; None where it wrote nothing."""
    # Lines without a letter or digit in them are drawn, not said.
    spoken = [line for line in lines if line.strip()][-LAST_WORDS:]
    spoken = [line for line in spoken if any(map(str.isalnum, line))] or spoken
    if not spoken:
        return None
    spoken = unwrapped(spoken)
    said = [line for line in spoken if not PROPERTY.match(line)]
    last = next((line for line in reversed(said) if not FRAME.match(line)), spoken[-1])
    found = [each for each in map(read_complaint, said) if each is not None]
    if not found:
        named = [line for line in said if not FRAME.match(line) and NAMES_AN_ERROR.search(line)]
        line = named[-1] if named else last
        return Reason(line, line == spoken[-1] or line == last)
    clear = [each for each in found if not each.complaint.vague]
    clear = clear or [each for each in found if not USAGE.match(each.line)] or found
    alike = [each for each in clear if each.complaint is clear[-1].complaint and each.what]
    best = alike[-1] if alike else clear[-1]
    return Reason(best.line, best.line == last[:LINE_EXAMINED], best)


def unwrapped(lines: Iterable[str]) -> list[str]:
    """``lines`` with sentences put together that a program had wrapped."""
    found: list[str] = []
    inside = False
    for line in lines:
        before = found[-1] if found else ""
        may = inside or NAMES_AN_ERROR.search(before) or BOX.match(before)
        inside = bool(may and OPEN_END.search(before) and GOES_ON.match(line) and not PROPERTY.match(line))
        if inside:
            found[-1] = f"{before.rstrip()} {line.strip(' │|')}"
        else:
            found.append(line)
    return found
