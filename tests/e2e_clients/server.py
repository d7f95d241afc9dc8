"""The smallest server that all clients connect to: it speaks whichever version it is asked for.

Started by its path and without this package: Codex hands its servers hardly any environment.
"""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    answer = {"error": {"code": -32601, "message": "Method not found"}}
    if request["method"] == "initialize":
        version = request["params"]["protocolVersion"]
        about = {"name": "plain", "version": "1"}
        answer = {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}}
    elif request["method"] == "ping":
        answer = {"result": {}}
    elif request["method"] == "tools/list":
        tool = {"name": "nothing", "description": "Does nothing", "inputSchema": {"type": "object"}}
        answer = {"result": {"tools": [tool]}}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
