"""Asks a server at a port what the lines of standard input say, each a JSON object with method, path, fields and body.

Prints an answer a line: the status, the fields in lower case, and the beginning of the content; of a stream, as many lines
as the request's "lines" says. A connection that is ended without an answer has the status 0.
"""

import http.client
import json
import sys

port = int(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.putrequest(asked.get("method", "GET"), asked["path"], skip_host=True, skip_accept_encoding=True)
        for name, value in asked["fields"]:
            connection.putheader(name, value)
        body = asked.get("body", "") * asked.get("times", 1)
        if body:
            connection.putheader("Content-Length", str(len(body.encode())))
        connection.endheaders(body.encode() if body else None)
        answer = connection.getresponse()
        count = asked.get("lines", 0)
        content = b"".join(answer.readline() for _ in range(count)) if count else answer.read()
        print(json.dumps({
            "status": answer.status, "fields": {name.lower(): value for name, value in answer.getheaders()},
            "content": content.decode(errors="replace")[:20000]}), flush=True)
    except (OSError, http.client.HTTPException):
        print(json.dumps({"status": 0, "fields": {}, "content": ""}), flush=True)
    connection.close()
