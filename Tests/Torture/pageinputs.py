"""The requests that page-requests sends to the participant's page, and an oracle that knows what has to become of each."""

import json
import re
import socket
import struct
import subprocess

from pageoracle import client_of

STREAM, MESSAGE = "/participant/stream", "/participant/message"
REPLY = {"ping": 6, "sent_ms": 1.5, "received_ms": 2.5}
ANSWER = {"kind": "answer", "number": 1, "made_ms": 9.5, "first_ms": 2, "changes": 1, "device": "key", "painted_ms": 1,
          "frame_ms": 16.7}
# Messages of every kind, and how often each is sent: seldom what a journal keeps.
MESSAGES = [
    (30, {"kind": "clock", "ping": 7, "sent_ms": 3.25, "last": REPLY}), (20, {"kind": "clocked", "last": REPLY}),
    (30, {"kind": "painted", "number": 1, "at_ms": 12.5, "frame_ms": 16.7,
          "pictures": [{"sha256": "a" * 64, "width": 80, "height": 40.5}]}),
    (30, {"kind": "draft", "number": 1, "value": "x", "changes": 3}), (10, ANSWER | {"do": "value", "value": 7}),
    (10, ANSWER | {"do": "value", "value": ["a", "b"]}), (5, ANSWER | {"do": "goOn"}),
    (10, ANSWER | {"do": "side", "value": "left"}), (10, ANSWER | {"do": "gain", "value": -12.5}), (5, ANSWER | {"do": "skip"}),
    (5, ANSWER | {"do": "back"}), (10, ANSWER | {"do": "answers", "value": {
        "age": {"value": 42, "first_ms": 3, "changes": 2, "device": "touch"}, "ok": {"value": True, "changes": 1, "device": "key"}}}),
    (10, ANSWER | {"do": "drawing", "value": "M12 30L14 31"}), (2, {"kind": "rating", "number": 1, "value": 40}),
    (2, {"kind": "broken", "picture": "/p/" + "a" * 64}), (2, {"kind": "key", "number": 1, "key": "space", "made_ms": 5}), (1, {"kind": "help", "made_ms": 4}),
    (0.001, {"kind": "stop", "made_ms": 4}),  # It pauses the trial.
    (2, {"kind": "window", "at_ms": 3.5, "visible": True, "focused": False, "fullScreen": True, "ratio": 1.5, "width": 800,
         "height": 600, "origin": 1.7e12})]
NUMBERS = ("0 -0 -1 1 2 1.5 100 101 1e12 -1e12 999999999999 -999999999999.9 9007199254740992 9007199254740993 9223372036854775807 "
           "9223372036854775808 1e19 1e300 1e400 -1e999 1e-400 NaN Infinity -Infinity 01 1. .5 +1 0x10").split()
NUMBERS += ["1" * 400, "0." + "3" * 4000]
STRINGS = ["", "left", "key", "line", "touch", "value", "goOn", "end", "M1 2", "M1 2L3 4", "M1 2L3 4" * 1500, "é" * 8, "é" * 9,
           "\0", "\ud800", "a" * 16, "a" * 17, "x" * 12000, "\u202e\u2028", "__proto__"]
RAW = [b"null", b"true", b"[]", b"{}", b'[1,"a"]', b'["a"]', b"[" * 60 + b"]" * 60, b"[" * 70 + b"]" * 70,
       b'{"a":' * 63 + b"1" + b"}" * 63, b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\\ud800"', b'"\\u00"', b'"\n"', b""]
FIELDS = {
    "Authorization": ["", "Bearer", "Bearer " + "0" * 32, "bearer {token}", "Basic {token}", "Bearer {token}x", "Bearer  {token}"],
    "Host": ["", "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost:{port}",
             "127.0.0.1.:{port}", "[::1]:{port}"],
    "Origin": ["null", "", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:{port}/",
               "http://localhost:{port}"],
    "Sec-Fetch-Site": ["cross-site", "same-site", "same-origin", "none", "x"], "Sec-Fetch-Dest": ["document", "iframe", "empty"],
    "Content-Type": ["text/plain", "application/json; charset=utf-8", ""], "X-Long": ["x" * 1500]}
PATHS = ["/participant", "/participant/stream/", "//participant/stream", "/participant/message?x=1", "/a/../", "/%2e%2e/etc/passwd",
         "/participant%2Fmessage", "/participant/stream%00", "/?" + "a" * 4000, "/" + "b" * 4000]
LENGTHS = ["-1", "+5", "0x10", "99999999999999999999", "18446744073709551616", "9223372036854775807", "20000", "5, 6", "",
           " ", "1e3"]
CHUNKS = [b"f" * 17 + b"\r\n", b"-1\r\n", b"5;x=y\r\nabcde\r\n0\r\nA: b\r\n\r\n", b"\r\n\r\n", b"4000\r\n" + b"x" * 16384]


class Inputs:
    def __init__(self, port, token, generator):
        self.port, self.token, self.random, self.client = port, token, generator, 0
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.fields = [("Host", self.hosts[0]), ("Authorization", f"Bearer {token}"), ("Origin", f"http://{self.hosts[0]}"),
                       ("Content-Type", "application/json")]

    def head(self, method, path, fields, version="HTTP/1.1"):
        return (f"{method} {path} {version}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n").encode()

    def post(self, body):
        return self.head("POST", MESSAGE, self.fields + [("Content-Length", len(body))]) + body

    def changed(self, data, first, parts):
        """Bytes with some of the first changed, removed or added."""
        data, draw = bytearray(data), self.random
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(min(len(data), first) + 1)
            match draw.randrange(3):
                case 0: data[place:place + 1] = bytes((draw.randrange(256),))
                case 1: del data[place:place + draw.randint(1, 9)]
                case _: data[place:place] = draw.choice(parts)
        return bytes(data)

    def body(self):
        """A message, most often with something changed."""
        draw = self.random
        message = {"client": self.client} | draw.choices(MESSAGES, [weight for weight, _ in MESSAGES])[0][1]
        for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
            key = draw.choice(list(message))
            match draw.randrange(6):
                case 0 if len(message) > 1: message.pop(key)
                case 1: message[key] = draw.choice((None, True, [], {}, [1], {"a": 1}, -1, 1.5, 0, 1 << 59, self.client))
                case 2: message[key] = draw.choice(STRINGS)
                case 3: message[draw.choice(("client", "number"))] = draw.choice((0, 1, self.client - 1, self.client + 1, 2 ** 53))
                case _: message[key] = f"@{draw.randrange(2)}@"
        body = json.dumps(message, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
        body = body.replace(b'"@0@"', draw.choice(NUMBERS).encode(), 1).replace(b'"@1@"', draw.choice(RAW), 1)
        if draw.random() < 0.15:
            body = self.changed(body, len(body), [b"{", b"}", b'"', b"[", b"]", b",", b":", b"\\", b"\0", b"\xff", body[:40]])
        return (body + b" " * (16384 - len(body) + draw.randint(-3, 0)) if draw.random() < 0.01 else body)[:16384]

    def of_message(self, body):
        client = client_of(body)
        return 400 if client is None else 204 if client == self.client else 409

    def message(self):
        """A request with a message, the statuses that it may have, and whether its connection goes on."""
        body = self.body()
        return self.post(body), {self.of_message(body)}, True

    def refusal(self, method, path, fields):
        """The status with which a head has to be refused; None where it is admitted."""
        def one(name):
            values = [value for key, value in fields if key.lower() == name]
            return values[0] if len(values) == 1 else None
        sent, site = {key.lower() for key, _ in fields}, one("sec-fetch-site")
        if one("host") not in self.hosts or ("origin" in sent or method == "POST") and one("origin") != f"http://{one('host')}":
            return 403
        if site not in (None, "same-origin", "none") and (path != "/" or one("sec-fetch-dest") != "document"):
            return 403
        if method != ("POST" if path == MESSAGE else "GET"):
            return 405
        if path in (STREAM, MESSAGE) and one("authorization") != f"Bearer {self.token}":
            return 401
        return 415 if path == MESSAGE and one("content-type") != "application/json" else None

    def guarded(self):
        """A request whose head has something wrong, as `message`; None for one that is valid and opens a stream."""
        draw, body = self.random, b""
        method, path = draw.choice((("POST", MESSAGE), ("GET", STREAM), ("GET", STREAM), ("GET", "/"), ("GET", "/nothing")))
        fields = self.fields[:4 if method == "POST" else 3]
        for name in draw.sample(list(FIELDS), draw.randint(1, 3)):
            if (kind := draw.randrange(4)) != 1:
                fields = [field for field in fields if field[0] != name]
            if kind:
                value = draw.choice(FIELDS[name]).format(port=self.port, token=self.token)
                fields.append((draw.choice((name, name.lower(), name.upper())), value))
        if draw.random() < 0.1:
            method = draw.choice(("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "get", "X" * 300))
        if draw.random() < 0.1:
            path = draw.choice(PATHS)
        known = path.split("?")[0].replace("%2F", "/").split("%00")[0]
        status = self.refusal(method, known, fields)
        if method == "POST":
            body = self.body()
            fields.append(("Content-Length", len(body)))
        if status is None and known == STREAM:
            return None
        status = status or (self.of_message(body) if known == MESSAGE else 200 if known == "/" else 404)
        # The library itself refuses a request without a host.
        hosts = sum(name.lower() == "host" for name, _ in fields)
        return self.head(method, path, fields) + body, {status} if hosts == 1 and method != "HEAD" else {status, 400}, False

    def raw(self):
        """Bytes that are hardly HTTP, or HTTP of a rare kind."""
        draw, body = self.random, self.body()
        good = self.post(body) if draw.random() < 0.6 else self.head("GET", draw.choice(("/", STREAM)), self.fields[:3])

        def post(*fields):
            return self.head("POST", MESSAGE, self.fields + list(fields))
        match draw.randrange(10):
            case 0: return good[:draw.randrange(len(good))]
            case 1: return post(("Content-Length", draw.choice(LENGTHS))) + body
            case 2: return post(("Transfer-Encoding", draw.choice(("chunked", "gzip, chunked", "x")))) + draw.choice(
                CHUNKS + [b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)] * 5)
            case 3: return post(("Content-Length", len(body)), ("Content-Length", draw.choice((len(body), 0, 5)))) + body
            case 4: return self.head("GET", "/", self.fields + [("X-Long", "y" * draw.randint(14000, 40000))])
            case 5: return self.head("GET", "/", self.fields[:1] + [(f"X-{number}", "z") for number in range(draw.randint(50, 900))])
            case 6: return self.head("GET", "/", self.fields, draw.choice(("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "", "x"))) + body
        return self.changed(good, 300, [b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b"Host: x\r\n", b"A" * 500, b"\xff\xfe"])


class Connection:
    def __init__(self, port):
        self.socket, self.rest, self.is_stream = socket.create_connection(("127.0.0.1", port), timeout=5), b"", False
        # A reset at the end leaves no port in TIME_WAIT, of which a fast client would need too many.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self.socket.close()

    def send(self, data, is_last=False):
        try:
            self.socket.sendall(data)
            if is_last:
                self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # What the server has answered before can still be read.

    def more(self):
        """Waits for more bytes; whether there were any."""
        try:
            part = self.socket.recv(65536)
        except ConnectionError:
            return False
        self.rest += part
        return bool(part)

    def line(self):
        while b"\n" not in self.rest:
            if not self.more():
                return None
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def reply(self, method):
        """The status of the next reply; 0 where the connection ends without one."""
        while b"\r\n\r\n" not in self.rest:
            if not self.more():
                return 0
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        self.is_stream = b"application/x-ndjson" in head
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        size = int(length.group(1)) if length and method != b"HEAD" else 0
        while len(self.rest) < size and self.more():
            pass
        self.rest = self.rest[size:]
        return int(head[9:12])


# A program that connects from each of several addresses, and prints how many connections had a reply.
ASK = """
import json, socket, sys
replies = 0
for source in json.loads(sys.argv[2]):
    client = socket.socket()
    client.settimeout(5)
    try:
        client.bind(tuple(source))
        client.connect(("127.0.0.1", int(sys.argv[1])))
        client.sendall(b"GET / HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n" % sys.argv[1].encode())
        replies += len(client.recv(99)) > 0
    except OSError:
        pass
    client.close()
print(replies)
"""


def replies_to_others(port, used):
    """How many connections of another user have a reply: from any port, and from one of the session's at other addresses."""
    sources = json.dumps([("127.0.0.1", 0)] * 10 + [(f"127.0.0.{number}", used) for number in range(2, 42)])
    run = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", ASK, str(port), sources],
        capture_output=True, text=True)
    return run.stdout + run.stderr
