"""``mcp-tap unwrap``: the tap taken out of clients' configurations, as if it had never been there."""

from __future__ import annotations

from mcp_tap.clients import edit
from mcp_tap.clients.entry import Refusal
from mcp_tap.clients.search import Found, OpenFile
from mcp_tap.commands.rewriting import (
    Outcome,
    by_file,
    edited_as_far_as_possible,
    report,
    report_unresolved,
    rewrite,
    say_troubles,
)
from mcp_tap.commands.selecting import Selection, change, choose


def unwrap(selection: Selection, *, dry_run: bool = False, as_json: bool = False) -> int:
    """Take the tap out of the entries that ``selection`` names, and say what is to be done next.

    Of several places of a name, those with the tap in them are meant; all servers are those of other
    projects, too, as far as a user's file names them. Returns 1 if an entry was refused, 2 where it is
    not certain what is meant: then nothing was done. Raises :class:`mcp_tap.errors.TapError` for a
    selection that selects nothing.
    """
    choice = choose(selection, prefer=lambda each: each.entry.is_wrapped, elsewhere=True)
    if choice.unresolved:
        return report_unresolved(choice, as_json=as_json)
    outcome = Outcome(dry_run)
    if not selection.names:
        say_troubles(choice)
    for opened, found in by_file(choice.found):
        unwrap_file(outcome, opened, found, named=bool(selection.names))
    return report(outcome, as_json=as_json, advise=False)


def unwrap_file(outcome: Outcome, opened: OpenFile, found: list[Found], *, named: bool) -> None:
    """Take the tap out of entries of one file, together."""
    chosen: list[Found] = []
    for each in found:
        if each.entry.is_wrapped:
            chosen.append(each)
        elif named:
            reason = str(each.entry.seat) if isinstance(each.entry.seat, Refusal) else None
            outcome.changes.append(change(each, "not-wrapped", reason and f"it {reason}"))
    if not chosen:
        return

    def make(entries: list[edit.Entry]) -> edit.Edited:
        return edit.unwrap(opened.text, opened.form, entries, opened.root)

    chosen, edited = edited_as_far_as_possible(outcome, chosen, make)
    if edited is not None:
        rewrite(outcome, opened, chosen, edited, "unwrapped")
