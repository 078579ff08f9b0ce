"""A window of the operator's console: console.py PORT TOKEN. Watches the first session, sends a command, and prints what it was told
until the session is left."""

import http.client
import json
import sys

port, token = sys.argv[1:]
fields = {"Authorization": f"Bearer {token}", "Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}


def ask(method, path, body=None, **others):
    connection = http.client.HTTPConnection("127.0.0.1", int(port))
    connection.request(method, path, body and json.dumps(body), {**fields, **others})
    return connection.getresponse()


told = {"participant": ask("GET", "/participant/stream").status, "stranger": ask("GET", "/console/stream", Authorization="Bearer 0").status,
        "foreign": ask("GET", "/console/stream", Origin="http://evil.example").status, "lines": []}
stream = ask("GET", "/console/stream")
for line in stream:
    if not line.strip():
        continue
    shown = json.loads(line)
    told["lines"].append(shown)
    if shown["kind"] == "page":
        window = {"client": shown["client"], "kind": "watch"}
        told["unknown"] = ask("POST", "/console/message", {**window, "session": "../../etc"}).status
        told["early"] = ask("POST", "/console/message", {**window, "kind": "ask", "do": "pause"}).status
        told["watch"] = ask("POST", "/console/message", {**window, "session": shown["sessions"][0]["name"]}).status
    if shown["kind"] == "state":
        told["ask"] = ask("POST", "/console/message", {**window, "kind": "ask", "id": 1, "do": "pause"}).status
        told["other"] = ask("POST", "/console/message", {**window, "client": 99}).status
    if shown["kind"] == "left" and shown["session"] != "../../etc":
        break
print(json.dumps(told))
