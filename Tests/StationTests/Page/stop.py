"""A participant who wants to stop, without a browser: stop.py DOOR TITLE asks for it when the title is shown. It says when the
station has heard it, and keeps the page open until its input ends."""

import http.client
import json
import re
import sys

door, title = sys.argv[1:]
with open(door) as file:
    host, token = re.search(r"http://([\d.:]+)/#([0-9a-f]+)", file.read()).groups()
fields = {"Authorization": f"Bearer {token}", "Origin": f"http://{host}", "Content-Type": "application/json"}
stream = http.client.HTTPConnection(host)
stream.request("GET", "/participant/stream", headers=fields)
lines = stream.getresponse()
client = None
for line in lines:
    shown = json.loads(line)
    if shown["kind"] == "page":
        client = shown["client"]
    if shown.get("asksToStop"):
        break
    if shown.get("title") == title:
        post = http.client.HTTPConnection(host)
        post.request("POST", "/participant/message", json.dumps({"kind": "stop", "client": client, "made_ms": 1}), fields)
        status = post.getresponse().status
        assert status == 204, status
print("asked to stop", flush=True)
sys.stdin.read()
