"""Plays a scenario (JSON on stdin, see ``playing.Scenario``) by fastmcp's client; prints what failed.

It knows the steps of ``fleet.py``. Runs in fastmcp's own environment, hence the imports by name.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import Any

fastmcp: Any = importlib.import_module("fastmcp")
transports: Any = importlib.import_module("fastmcp.client.transports")

PATIENCE = 50.0
"""Seconds for a whole scenario; the test waits a little longer."""


async def take(client: Any, step: dict[str, Any]) -> Any:
    match step:
        case {"do": "list", "what": what}:
            return await getattr(client, f"list_{what}")()
        case {"do": "call", "tool": tool, "arguments": arguments}:
            return await client.call_tool(tool, arguments)
        case {"do": "read", "uri": uri}:
            return await client.read_resource(uri)
        case {"do": "get", "prompt": prompt, "arguments": arguments}:
            return await client.get_prompt(prompt, arguments)
    raise ValueError(step)


async def play(scenario: dict[str, Any]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = []
    command, *arguments = scenario["command"]
    async with fastmcp.Client(transports.StdioTransport(command, arguments)) as client:
        for step in scenario["steps"]:
            try:
                await take(client, step)
                steps.append({})
            except Exception as error:
                steps.append({"failed": repr(error)})
    return {"connected": {}, "steps": steps}


print(json.dumps(asyncio.run(asyncio.wait_for(play(json.load(sys.stdin)), PATIENCE))))
