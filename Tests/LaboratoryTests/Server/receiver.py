"""A server for the tests of sending, which keeps what it gets and misbehaves on request.

usage: receiver.py FOLDER [CERTIFICATE KEY [COUNT]]

It closes the first COUNT connections when TLS begins.

It prints its port, logs each request as a JSON line in FOLDER/requests.jsonl, and ends with its standard input. The path
of a request begins with how it is answered, as in /hang/v1/bundles:

  ok          as it should be                      slow        one byte of the answer each 0.2 s
  hang        never                                half        half of the answer, then closed
  close       closed without an answer             page        200 with an HTML page
  lie         a receipt with another digest        lie-trial   a receipt for another trial
  redirect    307 to another host                  http10      as it should be, in HTTP/1.0
  problem     422 with a problem document          endless     an answer without end
  status-N    status N                             after-N     503 with Retry-After: N
  once-N      status N for the first request of each key, then as it should be
  lost        keeps the bundle, then closes without an answer at the first request of each key
  drip        one byte of the answer each 0.2 s, without end; drip-length with a length, drip-chunks in chunks
  echo-WHERE-FORM  repeats the token: as detail, title, pointer, location, receipt or reason, written in FORM (see `forms`)
"""

import base64
import hashlib
import io
import json
import os
import socket
import ssl
import sys
import tarfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
lock = threading.Lock()
seen = {}


def forms(secret):
    """A secret as servers may repeat it."""
    def b64(text):
        return base64.b64encode(text.encode()).decode()

    def json_escaped(text):
        return "".join("\\u%04x" % ord(letter) for letter in text)

    return {
        "plain": secret, "sentence": "no rights for “" + secret + "”, sorry", "upper": secret.upper(),
        "percent": "".join("%%%02X" % ord(letter) for letter in secret),
        "twice": urllib.parse.quote("".join("%%%02x" % ord(letter) for letter in secret)),
        "base64": b64(secret), "inside": b64("x" + secret), "header": b64("Bearer " + secret),
        "url64": base64.urlsafe_b64encode(secret.encode()).decode().rstrip("="),
        "hex": secret.encode().hex(), "json": json_escaped(secret), "braces": "".join("\\u{%x}" % ord(c) for c in secret),
        "html": "".join("&#%d;" % ord(letter) for letter in secret),
        "html16": "".join("&#x%X;" % ord(letter) for letter in secret),
        "bidi": "\u202e".join(secret), "control": "\x07".join(secret), "spaces": " ".join(secret),
        "invisible": "\u200b".join(secret), "lines": "\n".join(secret), "dashes": "-".join(secret),
        "wide": "".join(chr(ord(letter) - 0x21 + 0xFF01) for letter in secret),
        "half": secret[: max(8, len(secret) // 2)], "rest": secret[-8:],
        "bidi-percent": "\u202e".join("".join("%%%02X" % ord(c) for c in secret)), "long": "x" * 290 + secret,
        "decimal": " ".join(str(ord(c)) for c in secret), "hex list": ", ".join("0x%02X" % ord(c) for c in secret),
        "octal": "".join("\\%03o" % ord(c) for c in secret), "zeros": "".join("&#%08d;" % ord(c) for c in secret),
        "base64 twice": b64(b64(secret)), "base32": base64.b32encode(secret.encode()).decode(),
        "binary": " ".join(format(ord(c), "08b") for c in secret), "reversed": secret[::-1],
        "letters": "".join(chr(0x1D400 + ord(c.upper()) - 65) if c.isalpha() else c for c in secret),
        "pieces": " and ".join(secret[n : n + 4] for n in range(0, len(secret), 4)),
        "quoted": "".join("=%02X" % ord(c) for c in secret),
    }


def log(entry):
    with lock, open(os.path.join(folder, "requests.jsonl"), "a") as file:
        file.write(json.dumps(entry, sort_keys=True) + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def keep(self, key, body):
        """Keeps a body under its key; whether it was there already."""
        path = os.path.join(folder, "kept-" + key)
        with lock:
            if os.path.exists(path):
                with open(path, "rb") as file:
                    return file.read() == body or None
            with open(path + ".part", "wb") as file:
                file.write(body)
            os.rename(path + ".part", path)
            return False

    def receipt(self, key, body, duplicate):
        receipt = {"trial": key, "bytes": len(body), "receivedAt": "2026-11-24T12:00:00.000Z", "duplicate": duplicate}
        with tarfile.open(fileobj=io.BytesIO(body)) as archive:
            manifest = archive.extractfile(key + "/manifest-sha256.txt").read()
        receipt["manifestSha256"] = hashlib.sha256(manifest).hexdigest()
        return receipt

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) < int(self.headers["Content-Length"]):
            # The sender ended in the middle of the request.
            return self.cut()
        key = (self.headers["Idempotency-Key"] or '"none"').strip('"')
        way = self.path.split("/")[1].split("?")[0]
        with lock:
            seen[key] = seen.get(key, 0) + 1
            count = seen[key]
        digest = self.headers["Content-Digest"]
        own = "sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()).decode() + ":"
        log({"time": time.time(), "way": way, "key": key, "count": count, "path": self.path, "bytes": len(body),
             "headers": dict(self.headers.items()), "digest": None if digest is None else digest == own})
        if digest not in (None, own):
            return self.answer(400)
        if way == "hang":
            time.sleep(3600)
        if way == "close":
            return self.cut()
        if way.startswith("status-"):
            return self.answer(int(way[7:]))
        if way.startswith("after-"):
            return self.answer(503, headers=[("Retry-After", way[6:])])
        if way.startswith("once-") and count == 1:
            return self.answer(int(way[5:]))
        if way == "redirect":
            return self.answer(307, headers=[("Location", "https://elsewhere.example/v1/bundles")])
        if way == "page":
            return self.answer(200, b"<html>Please log in</html>", "text/html")
        if way == "problem":
            problem = {"title": "not a bundle", "errors": [{"pointer": "/trial", "detail": "unknown site"}]}
            return self.answer(422, json.dumps(problem).encode(), "application/problem+json")
        if way.startswith("echo-"):
            return self.echo(*way.split("-", 2)[1:], key, body)
        if way.startswith("drip"):
            return self.drip(way[5:])
        if way == "endless":
            self.send_response(200)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        if not self.path.split("?")[0].endswith("/v1/bundles"):
            with lock, open(os.path.join(folder, "posted.jsonl"), "a") as file:
                file.write(json.dumps({"key": key, "body": json.loads(body)}) + "\n")
            return self.answer(200, b"{}")
        known = self.keep(key, body)
        if known is None:
            return self.answer(422)
        if way == "lost" and count == 1:
            return self.cut()
        receipt = self.receipt(key, body, known)
        if way == "lie":
            receipt["manifestSha256"] = "0" * 64
        if way == "lie-trial":
            receipt["trial"] = "another"
        text = json.dumps(receipt).encode()
        if way == "half":
            self.send_response(201)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text[: len(text) // 2])
            self.wfile.flush()
            return self.cut()
        if way == "slow":
            self.send_response(201)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            for place in range(0, len(text), 40):
                self.wfile.write(text[place : place + 40])
                self.wfile.flush()
                time.sleep(0.1)
            return
        if way == "http10":
            self.protocol_version = "HTTP/1.0"
            self.close_connection = True
        self.answer(200 if known else 201, text)

    def echo(self, where, form, key, body):
        form = form.replace("_", " ")
        kind, secret = self.headers["Authorization"].split(" ", 1)
        if kind == "Basic":
            pair = base64.b64decode(secret).decode()
            secret = pair if form.startswith("pair") else pair.split(":", 1)[1]
            form = {"pair": "plain", "pair64": "base64"}.get(form, form)
        text = forms(secret)[form]
        if where == "location":
            return self.answer(307, headers=[("Location", "https://" + text.encode().decode("latin-1") + ".example/")])
        if where == "receipt":
            receipt = dict(self.receipt(key, body, False), note=text, receivedAt=text, duplicate=text)
            receipt[text] = text
            return self.answer(201, json.dumps(receipt).encode())
        if where == "reason":
            self.wfile.write(("HTTP/1.1 " + text + "\r\n\r\n").encode())
            return self.cut()
        problem = {
            "detail": {"title": "no", "detail": text}, "title": {"title": text},
            "pointer": {"title": "no", "errors": [{"pointer": text, "detail": "wrong"}]},
        }[where]
        self.answer(400, json.dumps(problem).encode(), "application/problem+json")

    def drip(self, kind):
        self.send_response(201)
        if kind == "length":
            self.send_header("Content-Length", "100000")
        elif kind == "chunks":
            self.send_header("Transfer-Encoding", "chunked")
        if kind != "header":
            self.end_headers()
        else:
            self.flush_headers()
        while True:
            self.wfile.write({"chunks": b"1\r\nx\r\n", "header": b"x"}.get(kind, b" "))
            self.wfile.flush()
            time.sleep(0.2)

    def cut(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    dying = int(sys.argv[4]) if len(sys.argv) > 4 else 0

    def finish_request(self, request, address):
        with lock:
            Server.dying -= 1
            dies = Server.dying >= 0
        if dies:
            # After the first byte of the client's greeting.
            os.read(request.fileno(), 1)
            log({"dying": True})
            return
        super().finish_request(request, address)

    def handle_error(self, request, address):
        pass


server = Server(("127.0.0.1", int(os.environ.get("RECEIVER_PORT", "0"))), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
