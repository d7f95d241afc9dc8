"""The reference server that exercises everything: progress, cancellation, requests of its own."""

from __future__ import annotations

import json
import os

import pytest

from tests.e2e.conftest import PlayTwice
from tests.e2e.environment import Environment
from tests.e2e.playing import Scenario, arrival, call, cancel, listing, ping, together

# The function alone: the first test of all waits for the installation.
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120, func_only=True)]

LONG_RUN = "trigger-long-running-operation"

ANSWERS = {
    "roots/list": {"roots": [{"uri": "file:///home/me/notes", "name": "notes"}]},
    "sampling/createMessage": {
        "role": "assistant",
        "content": {"type": "text", "text": "A model's answer."},
        "model": "none",
        "stopReason": "endTurn",
    },
    "elicitation/create": {"action": "accept", "content": {"name": "Me", "check": True}},
}


def loses_last_progress(client: str) -> bool:
    """Whether a call's last progress, sent together with its answer, cannot be relied on."""
    return client == "typescript-sdk-1"


def test_lists_calls_and_errors_are_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    steps = [
        listing("tools"),
        listing("resources"),
        listing("prompts"),
        call("echo", message="Grüße, 世界 \U0001f600"),
        call("get-sum", a=2, b=40),
        call("get-sum", a="no number"),
        call("get-tiny-image"),
        ping(),
    ]

    played = play_twice_by(client, Scenario(installed.everything_server, steps))

    assert {"echo", "get-sum", "get-tiny-image", LONG_RUN} <= played.names(0)
    assert "args-prompt" in played.names(2, "prompts")
    assert played.text(3) == "Echo: Grüße, 世界 \U0001f600"
    assert "42" in played.text(4)
    assert played.result(5)["isError"] is True
    image = next(item for item in played.result(6)["content"] if item["type"] == "image")
    assert image["data"]["length"] > 2000
    assert played.saw["steps"][7] == {}
    assert played.saw["end"] == 0
    recording = played.recording
    assert recording.messages("c2s")[0]["method"] == "initialize"
    assert len(recording.messages("c2s", "ping")) == 1
    assert recording.exit["first"] == "client-eof"


def test_the_server_has_the_environment_that_it_has_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    played = play_twice_by(client, Scenario(installed.everything_server, [call("get-env")]))

    environment = json.loads(played.text(0))
    assert environment["PATH"] == os.environ["PATH"]
    # The order of the variables is the same as well: the texts were equal.


def test_a_client_that_asks_for_the_era_falls_back_as_without_the_tap(
    installed: Environment, play_twice_by: PlayTwice
) -> None:
    scenario = Scenario(installed.everything_server, [call("echo", message="hello")], mode="auto")

    played = play_twice_by("python-sdk-2", scenario)

    assert played.saw["connected"]["protocolVersion"] == "2025-11-25"
    assert played.text(0) == "Echo: hello"
    methods = [message["method"] for message in played.recording.messages("c2s")[:2]]
    assert methods == ["server/discover", "initialize"]


def test_requests_of_the_server_are_answered_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    steps = [
        listing("tools"),
        # The server asks for the roots in its own time, and says when it has them.
        arrival("roots/list"),
        arrival("notifications/message"),
        call("get-roots-list"),
        call("trigger-sampling-request", prompt="Say something.", maxTokens=7),
        call("trigger-elicitation-request"),
    ]

    played = play_twice_by(client, Scenario(installed.everything_server, steps, ANSWERS))

    assert {"get-roots-list", "trigger-sampling-request", "trigger-elicitation-request"} <= played.names(0)
    assert "file:///home/me/notes" in played.text(3)
    assert "A model's answer." in played.text(4)
    assert "provided the requested information" in played.text(5)
    asked = {request["method"]: request["params"] for request in played.saw["asked"]}
    assert set(asked) == set(ANSWERS)
    assert asked["sampling/createMessage"]["maxTokens"] == 7
    assert {"notifications/message", "notifications/tools/list_changed"} <= {
        notification["method"] for notification in played.saw["told"]
    }
    recording = played.recording
    for method in ANSWERS:
        (request,) = recording.messages("s2c", method)
        assert any(
            answer.get("id") == request["id"] and "result" in answer for answer in recording.messages("c2s")
        )


def test_progress_arrives_in_order_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    steps = [call(LONG_RUN, progress=True, duration=1, steps=20)]

    played = play_twice_by(client, Scenario(installed.everything_server, steps))

    events = [event[:2] for event in played.saw["steps"][0]["progress"]]
    assert events == [[number, 20] for number in range(1, 21 - loses_last_progress(client))]
    assert len(played.recording.messages("s2c", "notifications/progress")) == 20


def test_an_abandoned_call_is_cancelled_and_the_session_goes_on_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    # Longer than the test may take: the call cannot have ended by itself.
    steps = [cancel(LONG_RUN, duration=300, steps=3000), call("echo", message="still here"), ping()]

    played = play_twice_by(client, Scenario(installed.everything_server, steps))

    assert played.saw["steps"][0].get("finished") is not True
    assert played.text(1) == "Echo: still here"
    recording = played.recording
    abandoned = recording.messages("c2s", "tools/call")[0]
    (notification,) = recording.messages("c2s", "notifications/cancelled")
    assert notification["params"]["requestId"] == abandoned["id"]
    answered = {message.get("id") for message in recording.messages("s2c") if "method" not in message}
    assert abandoned["id"] not in answered
    # This server goes on with what was cancelled, so the client has to end it. Version 1 of the
    # Python SDK does so at once and by SIGKILL if it has been sent anything since it began to close.
    if client == "python-sdk-1":
        assert played.saw["end"] == -9
    else:
        assert played.saw["end"] in (-15, "SIGTERM")
        assert recording.exit["signal"] == "SIGTERM"
        assert recording.exit["first"] == "client-eof"


def test_fifty_calls_at_once_each_get_their_own_answer_as_without_the_tap(
    client: str, installed: Environment, play_twice_by: PlayTwice
) -> None:
    # Two seconds: long enough that the last call is on its way before the first has ended.
    waiting = [call(LONG_RUN, progress=True, duration=2, steps=1 + number % 4) for number in range(50)]
    talking = [call("echo", message=f"{number}:" + "ä" * 1000) for number in range(50)]

    played = play_twice_by(client, Scenario(installed.everything_server, [together(*waiting, *talking)]))

    outcomes = played.saw["steps"][0]
    for number, (waited, talked) in enumerate(zip(outcomes[:50], outcomes[50:], strict=True)):
        steps = 1 + number % 4
        assert len(waited["progress"]) == steps - loses_last_progress(client)
        assert f"Steps: {steps}." in waited["result"]["content"][0]["text"]
        assert talked["result"]["content"][0]["text"] == f"Echo: {number}:" + "ä" * 1000
    assert played.recording.most_in_flight("tools/call") >= 50
