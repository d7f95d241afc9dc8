"""``mcp-tap unwrap``: the tap taken out of clients' configurations, as if it had never been there."""

from __future__ import annotations

from mcp_tap.clients import edit
from mcp_tap.clients.entry import EntryRefusal
from mcp_tap.clients.open_file import OpenFile
from mcp_tap.clients.request import WrapRequest
from mcp_tap.clients.search import FoundServer
from mcp_tap.commands.rewriting import (
    RewriteSummary,
    by_file,
    print_problems,
    report,
    report_unresolved,
    rewrite,
)
from mcp_tap.commands.selecting import change, nothing_wrapped, resolve
from mcp_tap.process.own_streams import warn_stderr


def unwrap(request: WrapRequest) -> int:
    """Take the tap out of the entries that ``request`` names, and say what is to be done next.

    Of several entries of a name, those with the tap in them are meant; all servers are those of other
    projects, too, as far as a user's file names them. Returns 1 if an entry was refused, 2 where it is
    not certain what is meant: then nothing was done. Raises :class:`mcp_tap.errors.TapError` for a
    request that names nothing.
    """
    resolution = resolve(request, prefer=lambda each: each.entry.is_wrapped, elsewhere=True)
    if resolution.unresolved:
        return report_unresolved(request, resolution)
    summary = RewriteSummary(request.dry_run)
    print_problems(request, summary, resolution)
    for opened, found in by_file(resolution.found):
        if request.names:
            note_not_wrapped(summary, found)
        unwrap_file(summary, opened, [each for each in found if each.entry.is_wrapped])
    if not summary.changes and not request.as_json:
        warn_stderr(nothing_wrapped(resolution.searched))
    return report(request, summary, notes=False)


def note_not_wrapped(summary: RewriteSummary, found: list[FoundServer]) -> None:
    """Note which of the entries that the user has named do not have the tap in them."""
    for each in found:
        if not each.entry.is_wrapped:
            reason = f"it {each.entry.slot}" if isinstance(each.entry.slot, EntryRefusal) else None
            summary.changes.append(change(each, "not-wrapped", reason))


def unwrap_file(summary: RewriteSummary, opened: OpenFile, chosen: list[FoundServer]) -> None:
    """Take the tap out of entries of one file, together."""

    def take_out(entries: list[edit.ServerEntry]) -> edit.EditedText:
        return edit.unwrap(opened.text, opened.form, entries, opened.root)

    rewrite(summary, opened, chosen, take_out, "unwrapped")
