"""An S3 server for the tests of sending, which checks every signature (AWS Signature Version 4) with its own arithmetic.

usage: s3.py FOLDER

It prints its port, keeps objects of the bucket “study” in FOLDER, and ends with its standard input. The identifier is
AKIAIOSFODNN7EXAMPLE and the secret that of Amazon's published examples, with which it first checks itself.
"""

import base64
import hashlib
import hmac
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
IDENTIFIER = "AKIAIOSFODNN7EXAMPLE"


def signature(method, path, query, headers, signed, payload, region="us-east-1"):
    """The signature of a request by “Authenticating Requests: Using the Authorization Header”, Amazon S3 API Reference."""
    lines = "".join(name + ":" + " ".join(headers[name].split()) + "\n" for name in signed)
    request = "\n".join([method, path, query, lines, ";".join(signed), payload])
    date = headers["x-amz-date"]
    scope = "/".join([date[:8], region, "s3", "aws4_request"])
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(request.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


# The published examples “GET Object” and “PUT Object”.
EMPTY = hashlib.sha256(b"").hexdigest()
assert signature(
    "GET", "/test.txt", "",
    {"host": "examplebucket.s3.amazonaws.com", "range": "bytes=0-9", "x-amz-content-sha256": EMPTY,
     "x-amz-date": "20130524T000000Z"},
    ["host", "range", "x-amz-content-sha256", "x-amz-date"], EMPTY,
) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
TEXT = hashlib.sha256(b"Welcome to Amazon S3.").hexdigest()
assert signature(
    "PUT", "/test%24file.text", "",
    {"date": "Fri, 24 May 2013 00:00:00 GMT", "host": "examplebucket.s3.amazonaws.com",
     "x-amz-content-sha256": TEXT, "x-amz-date": "20130524T000000Z", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
    ["date", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-storage-class"], TEXT,
) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"

folder = sys.argv[1]
kept = {}
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def answer(self, status, headers=(), length=0):
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def problem(self, body):
        """Why a request is refused with 403; None if its signature is right."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        authorization = headers.get("authorization", "")
        if not authorization.startswith("AWS4-HMAC-SHA256 "):
            return "not signed"
        parts = dict(part.strip().split("=", 1) for part in authorization[17:].split(","))
        date, region = parts["Credential"].split("/")[1:3]
        signed = parts["SignedHeaders"].split(";")
        missing = [name for name in headers if name.startswith("x-amz-") or name in ("host", "content-type")]
        if any(name not in signed for name in missing) or date != headers["x-amz-date"][:8]:
            return "a header is not signed"
        payload = headers["x-amz-content-sha256"]
        if payload != hashlib.sha256(body).hexdigest():
            return "another payload"
        own = signature(self.command, self.path, "", headers, signed, payload, region)
        return None if own == parts["Signature"] and parts["Credential"].startswith(IDENTIFIER) else "another signature"

    def take(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        problem = self.problem(body)
        with open(os.path.join(folder, "log"), "a") as file:
            file.write(f"{self.command} {self.path} {problem}\n")
        return body, problem

    def do_HEAD(self):
        _, problem = self.take()
        with lock:
            item = kept.get(self.path)
        if problem:
            self.answer(403)
        elif item is None:
            self.answer(404)
        else:
            self.answer(200, [("x-amz-meta-sha256", item[1])], len(item[0]))

    def do_PUT(self):
        body, problem = self.take()
        if problem:
            return self.answer(403)
        if not self.path.startswith("/study/"):
            return self.answer(404)
        checksum = self.headers["x-amz-checksum-sha256"]
        if checksum != base64.b64encode(hashlib.sha256(body).digest()).decode():
            return self.answer(400)
        with lock:
            kept[self.path] = (body, self.headers["x-amz-meta-sha256"])
        with open(os.path.join(folder, "object-" + os.path.basename(self.path)), "wb") as file:
            file.write(body)
        self.answer(200)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
