"""A record, and what its message does."""

from __future__ import annotations

from mcp_tap.model.exchange import Exchange, Paired, Role
from mcp_tap.model.message import Message
from mcp_tap.record.reader import Record

NO_MESSAGE = Message("not-json")
"""Stands where a record carries no message."""


class Step(Paired):
    """A record, and what its message does in which exchange; not to be changed.

    ``message`` is ``NO_MESSAGE`` for what carries none. So it is for a line that goes on in a later
    record (``more``): ``message`` is what all its records are together, in the step of the last one.
    A batch has ``parts``, each with what it does; their ``message`` is the whole.
    """

    __slots__ = ("parts", "record")

    def __init__(
        self,
        record: Record,
        message: Message = NO_MESSAGE,
        role: Role = "tells",
        exchange: Exchange | None = None,
        parts: tuple[Paired, ...] | None = None,
    ) -> None:
        self.record = record
        self.message = message
        self.role: Role = role
        self.exchange = exchange
        self.parts = parts

    @property
    def paired(self) -> tuple[Paired, ...]:
        """The messages in the record: none, one, or the parts of a batch."""
        if self.parts is not None:
            return self.parts
        return () if self.message is NO_MESSAGE else (self,)
