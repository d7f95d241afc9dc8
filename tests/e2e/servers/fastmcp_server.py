"""A server on the package ``fastmcp``: every kind of thing that it can offer, one of each."""

from __future__ import annotations

import importlib
from typing import Any

fastmcp: Any = importlib.import_module("fastmcp")


def tide(port: str, hours: int = 6) -> dict[str, float]:
    """The height of the tide at a port, in metres, now and some hours from now."""
    return {"now": len(port) * 0.1, "later": len(port) * 0.1 + hours * 0.5}


async def berths(free_only: bool = False) -> list[str]:
    """The names of the berths."""
    return ["A1", "B2"] if free_only else ["A1", "A2", "B1", "B2"]


def rules() -> str:
    """The rules of the harbour."""
    return "Not more than 5 knots – Höchstgeschwindigkeit 5 Knoten."


def berth(name: str) -> str:
    """One berth."""
    return f"Berth {name} is 12 m long."


def arrival(ship: str) -> str:
    """How to announce a ship."""
    return f"Announce the arrival of {ship}."


server = fastmcp.FastMCP("harbour", version="1.2.0", instructions="Ask for tides before ships.")
server.tool(tide)
server.tool(berths)
server.resource("harbour://rules")(rules)
server.resource("harbour://berth/{name}")(berth)
server.prompt(arrival)
server.run(transport="stdio", show_banner=False)
