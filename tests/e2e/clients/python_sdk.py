"""Plays a scenario (JSON on stdin, see ``playing.Scenario``) by the Python SDK; prints what it saw.

For both major versions: where they differ, ``MODERN_SDK`` tells. Runs in the SDK's own
environment, which is neither the tests' nor the type checker's, hence the imports by name.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

anyio: Any = importlib.import_module("anyio")
mcp: Any = importlib.import_module("mcp")
types: Any = importlib.import_module("mcp.types")
stdio: Any = importlib.import_module("mcp.client.stdio")

MODERN_SDK = not importlib.metadata.version("mcp").startswith("1.")

PATIENCE = 50.0
"""Seconds for a whole scenario; the test waits a little longer."""

LONG = 2000
"""Characters of a string above which its length and hash stand for it."""


class Player:
    """One client: answers what the server asks, and keeps what it has seen."""

    def __init__(self, scenario: dict[str, Any]) -> None:
        self.scenario = scenario
        self.asked: list[Any] = []
        self.told: list[Any] = []
        self.seen: dict[str, Any] = defaultdict(anyio.Event)
        self.session: Any = None
        self.process: Any = None

    async def play(self) -> dict[str, Any]:
        """Everything that could be observed, without what differs from run to run anyway."""
        steps: list[Any] = []
        connected: Any = None
        with tempfile.TemporaryFile("w+", encoding="utf-8") as stderr:
            try:
                async with self.connect(stderr) as connected:
                    for step in self.scenario["steps"]:
                        steps.append(await outcome(self.step, step))  # noqa: PERF401 # kept on failure
            except Exception as error:
                connected = connected or {"failed": described(error)}
            stderr.seek(0)
            return {
                "connected": connected,
                "steps": steps,
                "asked": sorted(self.asked, key=json.dumps),
                "told": sorted(self.told, key=json.dumps),
                "stderr": stderr.read(),
                "end": self.process and self.process.returncode,
            }

    @asynccontextmanager
    async def connect(self, stderr: Any) -> AsyncIterator[Any]:
        """A session with the server; gives what the server said of itself."""
        command, *arguments = self.scenario["command"]
        parameters = mcp.StdioServerParameters(command=command, args=arguments)
        transport = stdio.stdio_client(parameters, errlog=stderr)
        if self.scenario["mode"] == "auto":
            async with importlib.import_module("mcp.client").Client(transport, mode="auto") as client:
                self.session = client.session
                yield {"protocolVersion": client.protocol_version, "serverInfo": dump(client.server_info)}
            return
        async with transport as streams, mcp.ClientSession(*streams, **self.callbacks()) as self.session:
            yield dump(await self.session.initialize())

    def callbacks(self) -> dict[str, Any]:
        """What the session is to call; an answer that is not there is a capability not offered."""
        kinds = {
            "roots/list": ("list_roots_callback", types.ListRootsResult),
            "sampling/createMessage": ("sampling_callback", types.CreateMessageResult),
            "elicitation/create": ("elicitation_callback", types.ElicitResult),
        }
        answers = {
            kinds[method][0]: partial(self.answer, method, kinds[method][1].model_validate(answer))
            for method, answer in self.scenario["answers"].items()
        }
        return {"message_handler": self.listen, **answers}

    async def answer(self, method: str, result: Any, _context: Any, params: Any = None) -> Any:
        self.asked.append({"method": method, "params": params and dump(params)})
        self.seen[method].set()
        return result

    async def listen(self, message: Any) -> None:
        if isinstance(message, Exception):
            self.told.append(described(message))
            return
        notification = dump(message)
        # Progress is kept with the call that it belongs to, where its order can be kept too.
        if notification["method"] != "notifications/progress":
            self.told.append(notification)
        self.seen[notification["method"]].set()

    async def step(self, step: dict[str, Any]) -> Any:
        match step:
            case {"do": "list", "what": what}:
                return dump(await getattr(self.session, f"list_{what}")())
            case {"do": "call"}:
                return await self.call(step)
            case {"do": "cancel"}:
                return await self.cancel(step)
            case {"do": "read", "uri": uri}:
                return dump(await self.session.read_resource(uri))
            case {"do": "get", "prompt": prompt, "arguments": arguments}:
                return dump(await self.session.get_prompt(prompt, arguments))
            case {"do": "together", "steps": steps}:
                return await self.together(steps)
            case {"do": "ping"}:
                return dump(await self.session.send_ping())
            case {"do": "await", "method": method}:
                return await self.seen[method].wait()
        raise ValueError(step)

    async def call(self, step: dict[str, Any]) -> Any:
        progress: list[Any] = []

        async def on_progress(*event: Any) -> None:
            progress.append(event)

        follow = on_progress if step.get("progress") else None
        result = await self.session.call_tool(step["tool"], step["arguments"], progress_callback=follow)
        return {"result": dump(result), "progress": progress}

    async def cancel(self, step: dict[str, Any]) -> Any:
        """Abandon a call as soon as it is known to be running: at its first progress."""
        running = anyio.Event()

        async def on_progress(*_event: Any) -> None:
            running.set()

        request_id = None if MODERN_SDK else self.session._request_id
        finished = False

        async def call() -> None:
            nonlocal finished
            await self.session.call_tool(step["tool"], step["arguments"], progress_callback=on_progress)
            finished = True

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await running.wait()
            if not MODERN_SDK:  # 1.x says nothing of its own accord when a call is abandoned
                params = {"requestId": request_id, "reason": "abandoned"}
                notification = {"method": "notifications/cancelled", "params": params}
                await self.session.send_notification(types.ClientNotification.model_validate(notification))
            tasks.cancel_scope.cancel()
        return {"finished": finished}

    async def together(self, steps: list[dict[str, Any]]) -> list[Any]:
        outcomes: list[Any] = [None] * len(steps)

        async def play(number: int) -> None:
            outcomes[number] = await outcome(self.step, steps[number])

        async with anyio.create_task_group() as tasks:
            for number in range(len(steps)):
                tasks.start_soon(play, number)
        return outcomes


async def outcome(play: Any, step: dict[str, Any]) -> Any:
    """What ``step`` came to, or how it failed."""
    try:
        return await play(step)
    except Exception as error:
        return {"failed": described(error)}


def described(error: BaseException) -> Any:
    """An error as its type, code and text; of a group, every member."""
    if isinstance(error, BaseExceptionGroup):
        return [described(member) for member in error.exceptions]
    code = getattr(getattr(error, "error", None), "code", None)
    return {"type": type(error).__name__, "code": code, "text": str(error)}


def dump(model: Any) -> Any:
    """A model as it is on the wire."""
    return None if model is None else model.model_dump(mode="json", by_alias=True, exclude_none=True)


def shortened(value: Any) -> Any:
    """``value`` with long strings replaced by what identifies them."""
    match value:
        case str() if len(value) > LONG:
            return {"length": len(value), "sha256": hashlib.sha256(value.encode()).hexdigest()}
        case dict():
            return {key: shortened(item) for key, item in value.items()}
        case list() | tuple():
            return [shortened(item) for item in value]
    return value


async def main() -> None:
    player = Player(json.load(sys.stdin))
    open_process = anyio.open_process

    async def observed(*arguments: Any, **options: Any) -> Any:
        player.process = await open_process(*arguments, **options)
        return player.process

    # The SDK keeps the server's process, and so how it ended, to itself.
    anyio.open_process = observed
    with anyio.fail_after(PATIENCE):
        print(json.dumps(shortened(await player.play())))


anyio.run(main)
