# SPDX-License-Identifier: Apache-2.0
"""Writes standard MIDI files (format 1), byte by byte."""

from __future__ import annotations

from dataclasses import dataclass, field

TICKS_PER_BEAT = 480

# Events on the same tick are written in this order, so that a repeated key is
# released before it is struck again and a controller is set before its note.
_RELEASE, _CONTROL, _STRIKE, _END = range(4)


def variable_length(value: int) -> bytes:
    """A number in MIDI's seven-bits-a-byte form, most significant byte first."""
    if value < 0:
        raise ValueError("a time difference cannot be negative")
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(0x80 | (value & 0x7F))
    return bytes(reversed(groups))


@dataclass
class Track:
    """One track: events at absolute ticks, sorted when the bytes are asked for."""

    _events: list[tuple[int, int, bytes]] = field(default_factory=list)

    def _add(self, tick: int, order: int, message: bytes) -> None:
        self._events.append((max(0, tick), order, message))

    def _meta(self, tick: int, kind: int, data: bytes, order: int = _CONTROL) -> None:
        self._add(tick, order, bytes((0xFF, kind)) + variable_length(len(data)) + data)

    def name(self, text: str) -> None:
        """The track's name."""
        self._meta(0, 0x03, text.encode("utf-8"))

    def tempo(self, tick: int, bpm: float) -> None:
        """Beats a minute from a tick on."""
        self._meta(tick, 0x51, round(60_000_000 / bpm).to_bytes(3, "big"))

    def time_signature(self, beats: int) -> None:
        """So many quarter notes a bar."""
        self._meta(0, 0x58, bytes((beats, 2, 24, 8)))

    def program(self, channel: int, program: int) -> None:
        """The instrument of a channel."""
        self._add(0, _CONTROL, bytes((0xC0 | channel, program)))

    def control(self, tick: int, channel: int, controller: int, value: int) -> None:
        """Sets a controller."""
        self._add(tick, _CONTROL, bytes((0xB0 | channel, controller, value)))

    def note(self, start: int, end: int, channel: int, pitch: int, velocity: int) -> None:
        """Strikes a key and releases it."""
        start = max(0, start)
        self._add(start, _STRIKE, bytes((0x90 | channel, pitch, velocity)))
        self._add(max(start + 1, end), _RELEASE, bytes((0x80 | channel, pitch, 64)))

    def data(self, end: int) -> bytes:
        """The track's chunk; `end` is the tick of its end-of-track mark."""
        self._meta(max([end, *(tick for tick, _, _ in self._events)]), 0x2F, b"", _END)
        body = bytearray()
        now = 0
        for tick, _, message in sorted(self._events):
            body += variable_length(tick - now) + message
            now = tick
        return b"MTrk" + len(body).to_bytes(4, "big") + bytes(body)


def midi_file(tracks: list[Track], end: int) -> bytes:
    """A whole file; all tracks end at tick `end`."""
    header = b"".join(number.to_bytes(2, "big") for number in (1, len(tracks), TICKS_PER_BEAT))
    return b"MThd" + len(header).to_bytes(4, "big") + header + b"".join(t.data(end) for t in tracks)
