"""SEC001: credential in tool arguments."""

from __future__ import annotations

import re

from mcp_tap.diagnosis.context import Request
from mcp_tap.diagnosis.interest import sees
from mcp_tap.diagnosis.recognise.credentials import Credential, credentials_in, looks_secret
from mcp_tap.diagnosis.rule import Rule
from mcp_tap.rules.security._base import article, named

INDEX = re.compile(r"\[\d+\]")


class SecretInArguments(Rule):
    """A credential in the arguments of a tool.

    What it means: the client passed something to a tool that has the shape of a well-known token (a
    GitHub or Slack token, a private key, a password in a URL…), or a value whose name says that it is
    a credential (`password`, `api_key`, `Authorization`). A placeholder or a masked value is neither.

    Why it matters: what a model passes to a tool has been in its context, goes to logs, and stays in the
    conversation. With a shape it is an error; by its name alone a value only looks like a credential,
    and that is a warning.

    Fails (and SEC003):
        → 5 tools/call {"name":"fetch","arguments":{"url":"https://ann:s3cr3t-w0rd@build.test/feed"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Fails (and SEC003):
        → 5 tools/call {"name":"login","arguments":{"user":"ann","password":"tr0ub4dor&3"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    Passes:
        → 5 tools/call {"name":"fetch","arguments":{"headers":{"Authorization":"Bearer ${API_TOKEN}"},
            "pageToken":"CAUQAA-2938475","password":"[masked]"}}
        ← 5 result {"content":[{"type":"text","text":"ok"}]}

    What to do: give the credential to the server by its environment or configuration, so that the model
    need not know it. If it was real, revoke it.
    """

    id = "SEC001"
    title = "credential in tool arguments"
    severity = "error"
    culprit = "client"
    methods = frozenset({"tools/call"})
    next = "give the credential to the server by its environment or configuration; if it is real, revoke it"
    spec = "2025-11-25/basic/security_best_practices"

    @sees(sides="c2s", cue=looks_secret)
    def request(self, request: Request) -> None:
        tool = request.params.get("name")
        tool = tool if isinstance(tool, str) else "?"
        for each in credentials_in(request.params.get("arguments"), "arguments"):
            self._report(request, tool, each)

    def _report(self, request: Request, tool: str, each: Credential) -> None:
        what = article(each.kind) if each.proven else "what looks like a credential"
        self.hit(
            request,
            f"client passed {what} to tool {named(tool)} in {each.path}: {each.masked}",
            key=f"{tool} {INDEX.sub('[]', each.path)}",
            evidence=f"{each.path} {each.masked}",
            severity="error" if each.proven else "warning",
            culprit="client" if each.proven else "undecided",
            certainty="proven" if each.proven else "heuristic",
        )
