"""``mcp-tap sessions``: what has been recorded, a line each, the newest last."""

from __future__ import annotations

import sys
from typing import Any

from mcp_tap.commands.reading import Reading, places_of
from mcp_tap.errors import ExitStatus
from mcp_tap.model.session import Party
from mcp_tap.model.sessions import Sessions
from mcp_tap.model.summary import Summary, brief_summaries, summary_of
from mcp_tap.record.brief import read_ends
from mcp_tap.record.find import RecordingLocation


def sessions(
    paths: list[str],
    *,
    brief: bool = False,
    as_json: bool = False,
    log_dir: str | None = None,
    last: int | None = None,
) -> int:
    """List the sessions in ``paths`` (default: all in ``log_dir``, or where ``run`` puts them).

    ``last`` keeps to the newest ones; ``brief`` reads the two ends of each file alone. Returns 2 if a
    file could not be read, with a sentence for each on stderr; the others are listed. Raises
    :class:`TapError` where nothing is meant.
    """
    reading = Reading()
    found: list[Summary] = []
    for place in places_of(paths, log_dir, every=True):
        with reading.guard(place.path):
            found += brief_list(place, reading) if brief else full_list(place, reading)
    found.sort(key=lambda each: each.order)
    found = found[-last:] if last else found
    if as_json:
        from mcp_tap.views.payload import json_text

        sys.stdout.write("".join(json_text(to_json(each)) + "\n" for each in found))
    elif found:
        from mcp_tap.views.tables import sessions_text
        from mcp_tap.views.terminal import table_width, wants_colour

        sys.stdout.write(sessions_text(found, table_width(), colour=wants_colour()))
    sys.stdout.flush()
    reading.report()
    return ExitStatus.FAILED if reading.failed else ExitStatus.OK


def full_list(place: RecordingLocation, reading: Reading) -> list[Summary]:
    """The sessions of a file, all of which is read."""
    found = Sessions(only=place.session)
    for _ in reading.steps(place.path, found):
        pass
    return [summary_of(session, place.path) for session in found.by_id.values()]


def brief_list(place: RecordingLocation, reading: Reading) -> list[Summary]:
    """The sessions of a file as its two ends tell them; of a small one, as the whole tells them."""
    ends = read_ends(place.path)
    if ends.whole:
        everything = Sessions(only=place.session)
        everything.read(ends.head)
        reading.skipped(place.path, everything)
        return [summary_of(session, place.path) for session in everything.by_id.values()]
    found = brief_summaries(ends.head, ends.tail, place.path)
    if len(found) > 1:
        reading.say(f"{place.path} contains several sessions: --brief lists only the first and the last")
    return [each for each in found if place.session in (None, each.session)]


def to_json(summary: Summary) -> dict[str, Any]:
    """A line of ``sessions --json``. A contract: keys may be added, none is taken away.

    ``session`` its id, ``file`` where it lies, ``name`` of the server, ``start`` as RFC 3339,
    ``duration`` in seconds, ``client`` and ``server`` {``name``, ``version``}, ``era`` "legacy" or
    "modern", ``protocol`` the agreed version, ``messages`` {``c2s``, ``s2c``}, ``errors`` and
    ``tool_errors`` (answers), ``unanswered`` (requests), ``kind`` "session", "probe" or "empty",
    ``ending`` {``first``, ``code``, ``signal`` as recorded, ``sentence``}. Null is what is not known.
    """
    ending = summary.ending
    return {
        "session": summary.session,
        "file": summary.file,
        "name": summary.name,
        "start": summary.start,
        "duration": summary.duration,
        "client": party_json(summary.client),
        "server": party_json(summary.server),
        "era": summary.era,
        "protocol": summary.protocol,
        "messages": summary.messages or {"c2s": None, "s2c": None},
        "errors": summary.errors,
        "tool_errors": summary.tool_errors,
        "unanswered": summary.unanswered,
        "kind": summary.kind,
        "ending": {
            "first": ending.first if ending else None,
            "code": ending.code if ending else None,
            "signal": ending.signal if ending else None,
            "sentence": ending.sentence if ending else None,
        },
    }


def party_json(party: Party) -> dict[str, str | None]:
    """A client or a server."""
    return {"name": party.name, "version": party.version}
