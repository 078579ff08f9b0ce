"""Which messages a page may send: written from their description, and not from the station's source."""

import json
import math
import re


def whole(value):
    return type(value) is float and 0 <= value <= 2 ** 53 and value == int(value)


def ms(value):
    return type(value) is float and abs(value) < 1e12


def flag(value):
    return type(value) is bool


def reply(value):
    return type(value) is dict and whole(value.get("ping")) and ms(value.get("sent_ms")) and ms(value.get("received_ms"))


def answer(value):
    return type(value) in (bool, float, str) or type(value) is list and all(type(part) is str for part in value)


def device(value):
    return type(value) is str and value in ("key", "pointer", "touch")


def part(value):
    return type(value) is dict and answer(value.get("value")) and whole(value.get("changes")) and device(value.get("device"))


def picture(value):
    return (type(value) is dict and type(value.get("sha256")) is str and len(value["sha256"].encode()) == 64
            and all(ms(value.get(key)) and value[key] >= 0 for key in ("width", "height")))


LINE = re.compile(r"(M\d{1,3} \d{1,3}(L\d{1,3} \d{1,3})*)+", re.ASCII)
DEEDS = {
    "goOn": lambda value: True, "skip": lambda value: True, "gain": ms, "side": lambda value: value in ("left", "right"),
    "back": lambda value: True, "value": answer,
    "answers": lambda value: type(value) is dict and len(value) <= 100 and all(map(part, value.values())),
    "drawing": lambda value: type(value) is str and len(value) <= 15000 and "L" in value and LINE.fullmatch(value) is not None}
KINDS = {
    "clock": {"ping": whole}, "clocked": {"last": reply}, "help": {"made_ms": ms}, "stop": {"made_ms": ms},
    "painted": {"number": whole, "at_ms": ms, "frame_ms": lambda value: ms(value) and 0 <= value <= 1000,
                "pictures": lambda value: type(value) is list and len(value) <= 101 and all(map(picture, value))},
    "draft": {"number": whole, "value": lambda value: True, "changes": whole},
    "broken": {"picture": lambda value: isinstance(value, str)},
    "rating": {"number": whole, "value": lambda value: whole(value) and value <= 100},
    "key": {"number": whole, "key": lambda value: type(value) is str and len(value.encode()) <= 16, "made_ms": ms},
    "answer": {"number": whole, "made_ms": ms, "changes": whole, "device": device,
               "do": lambda value: type(value) is str and value in DEEDS},
    "window": {"visible": flag, "focused": flag, "fullScreen": flag, "ratio": ms, "width": whole, "height": whole,
               "origin": lambda value: type(value) is float, "at_ms": ms}}


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key that is given twice")
    return dict(pairs)


def finite(text):
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def depth(value):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)


def client_of(body):
    """The client of a message that the station has to take; None for one that is invalid."""
    try:
        message = json.loads(body.decode(), object_pairs_hook=unique, parse_constant=finite, parse_int=finite, parse_float=finite)
        json.dumps(message, ensure_ascii=False).encode()  # fails for half a surrogate
    except ValueError:
        return None
    if type(message) is not dict or depth(message) > 64 or not whole(message.get("client")):
        return None
    kind = message.get("kind")
    if type(kind) is not str or kind not in KINDS:
        return None
    if not all(key in message and check(message[key]) for key, check in KINDS[kind].items()):
        return None
    return int(message["client"]) if kind != "answer" or DEEDS[message["do"]](message.get("value")) else None
