"""FRM011: NaN or Infinity."""

from __future__ import annotations

from mcp_tap.diagnosis.invalid_lines import Stray, StrayRule
from mcp_tap.diagnosis.text import quoted
from mcp_tap.record.patterns import lazy

CONSTANT = lazy(r'"([^"\\]{1,60})"\s*:\s*(?:\[\s*)?(-?(?:NaN|Infinity))\b')
"""A member that is no number of JSON."""

BARE_CONSTANT = lazy(r"[\[,:]\s*(-?(?:NaN|Infinity))\b")


class NotANumber(StrayRule):
    """NaN or Infinity in a message.

    What it means: a number was written that does not exist in JSON.

    Why it matters: JavaScript clients drop the whole message and wait for it until they time out;
    Python clients read it.

    Fails:
        → 4 tools/call {"name":"mean"}
        ← {"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"mean":NaN}}}

    Passes:
        → 4 tools/call {"name":"mean"}
        ← 4 result {"content":[{"type":"text","text":"NaN"}],"structuredContent":{"mean":null}}

    What to do: write null, or a string. In Python, json.dumps(…, allow_nan=False) raises where it
    happens.
    """

    id = "FRM011"
    title = "NaN or Infinity"
    severity = "error"
    culprit = "sender"
    next = "write null or a string instead; json.dumps(…, allow_nan=False) raises where it happens"
    kinds = frozenset({"constant"})

    def stray(self, stray: Stray) -> None:
        member = CONSTANT.search(stray.text)
        bare = BARE_CONSTANT.search(stray.text)
        name = member[2] if member else bare[1] if bare else "NaN or Infinity"
        place = f" in `{quoted(member[1])[1:-1]}`" if member else ""
        peers = "clients" if stray.side == "s2c" else "servers"
        self.note(
            stray,
            f"{stray.what} from the {stray.culprit} is not strict JSON ({name}{place}); "
            f"JavaScript {peers} drop it",
            key=stray.key,
        )
