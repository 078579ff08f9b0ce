# SPDX-License-Identifier: Apache-2.0
"""The text notation the pieces are written in.

A *line* is a row of `symbol:beats` words, with `|` between bars; every bar is
checked for its length, so a miscounted rhythm is an error and not a surprise.

* melody:  ``"r:.5 G4:.5 Bb4!:1 C5+E5:2 | ~:2 D5:2"`` — `r` rests, `~` goes on
  with the note before, `!` accents, `+` joins the notes of a chord
* chords:  ``"Abmaj9:4 | Gm7:2 C7b9:2"``

A *rhythm* is one character a step: `.` is silence, `-` goes on with the hit
before, anything else is a hit whose meaning belongs to the reader.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NATURAL = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_ACCIDENTAL = {"": 0, "#": 1, "b": -1}
_PITCH = re.compile(r"([A-G])([#b]?)(-?\d)")


class Word(NamedTuple):
    """A symbol of a line with its place, in beats from the line's beginning."""

    start: float
    length: float
    symbol: str


class Hit(NamedTuple):
    """A hit of a rhythm with its place, in beats from the rhythm's beginning."""

    start: float
    length: float
    symbol: str


def pitch_class(name: str) -> int:
    """`"Eb"` → 3."""
    return (_NATURAL[name[0]] + _ACCIDENTAL[name[1:]]) % 12


def pitch(name: str) -> int:
    """`"C4"` → 60."""
    match = _PITCH.fullmatch(name)
    if match is None:
        raise ValueError(f"not a pitch: {name!r}")
    letter, accidental, octave = match.groups()
    return 12 * (int(octave) + 1) + _NATURAL[letter] + _ACCIDENTAL[accidental]


def pitches(names: str) -> list[int]:
    """`"C4 E4 G4"` → 60, 64, 67."""
    return [pitch(name) for name in names.split()]


def line(text: str, beats_per_bar: float) -> list[Word]:
    """Reads a line; rests are left out, continuations are joined."""
    words: list[Word] = []
    now = 0.0
    for number, bar in enumerate(text.split("|"), start=1):
        start_of_bar = now
        for word in bar.split():
            symbol, _, beats = word.partition(":")
            length = float(beats)
            if symbol == "~":
                before = words.pop()
                words.append(before._replace(length=now + length - before.start))
            elif symbol != "r":
                words.append(Word(now, length, symbol))
            now += length
        if abs(now - start_of_bar - beats_per_bar) > 1e-6:
            raise ValueError(f"bar {number} has {now - start_of_bar} beats: {bar.strip()!r}")
    return words


def rhythm(text: str, repeats: int = 1, step: float = 0.25) -> list[Hit]:
    """Reads a rhythm, repeated; spaces and bar lines in it are for the eye only."""
    hits: list[Hit] = []
    for index, symbol in enumerate(re.sub(r"[ |]", "", text) * repeats):
        if symbol == "-":
            if hits:
                hits[-1] = hits[-1]._replace(length=hits[-1].length + step)
        elif symbol != ".":
            hits.append(Hit(index * step, step, symbol))
    return hits
