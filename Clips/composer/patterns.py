# SPDX-License-Identifier: Apache-2.0
"""Accompaniment: what players do with a row of chords and a rhythm."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .gm import DRUMS
from .harmony import Change, Voiced
from .notation import rhythm
from .score import Part

# The loudness of a hit by the letter it is written with.
_LOUDNESS = {"X": 1.18, "x": 1.0, "o": 0.74}


def _voiced_at(voiced: Sequence[Voiced], beat: float) -> Voiced:
    """The chord that sounds at a beat."""
    return next((v for v in voiced if v.start <= beat < v.end), voiced[-1])


def _growth(grow: tuple[float, float], start: float, beat: float, end: float) -> float:
    """The factor of a crescendo (or diminuendo) at a beat."""
    return grow[0] + (grow[1] - grow[0]) * (beat - start) / (end - start)


def _bars(voiced: Sequence[Voiced] | Sequence[Change], part: Part) -> int:
    return round((voiced[-1].end - voiced[0].start) / part.beats_per_bar)


def sustain(part: Part, voiced: Sequence[Voiced], velocity: float) -> None:
    """Holds the chords; a tone that two chords have in common is not struck again."""
    held: dict[int, float] = {}
    for now, after in pairwise([*voiced, None]):
        assert now is not None
        for pitch in now.pitches:
            held.setdefault(pitch, now.start)
        for pitch in [p for p in held if after is None or p not in after.pitches]:
            start = held.pop(pitch)
            part.note(start, now.end - start - 0.02, pitch, velocity)


def comp(
    part: Part,
    voiced: Sequence[Voiced],
    pattern: str,
    velocity: float,
    *,
    step: float = 0.25,
    roll: float = 0.0,
    grow: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Plays the chords in a rhythm of `X`, `x` and `o`.

    The pattern must fill a whole number of bars and is repeated. A hit takes
    the chord of its middle, so one tied over a change anticipates it. `roll`
    spreads the tones upwards by so many beats each.
    """
    first, last = voiced[0].start, voiced[-1].end
    length = len(rhythm(pattern.replace("-", "x").replace(".", "x"), step=step)) * step
    for hit in rhythm(pattern, round((last - first) / length), step):
        start = first + hit.start
        chord = _voiced_at(voiced, start + hit.length / 2)
        loud = velocity * _LOUDNESS[hit.symbol] * _growth(grow, first, start, last)
        for index, pitch in enumerate(chord.pitches):
            top = 4 if pitch == chord.pitches[-1] else 0
            part.note(start + index * roll, hit.length * 0.95 - index * roll, pitch, loud + top)


def strum(
    part: Part,
    voiced: Sequence[Voiced],
    pattern: str,
    velocity: float,
    *,
    step: float = 0.5,
    grow: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Strums the chords: `D` and `U` are strokes down and up, `d` and `u` soft ones.

    The pattern fills one bar.
    """
    first, last = voiced[0].start, voiced[-1].end
    for hit in rhythm(pattern, _bars(voiced, part), step):
        start = first + hit.start
        strings = _voiced_at(voiced, start + hit.length / 2).pitches
        loud = velocity * (1.0 if hit.symbol.isupper() else 0.72)
        loud *= _growth(grow, first, start, last)
        down = hit.symbol in "Dd"
        for index, pitch in enumerate(strings if down else strings[:0:-1]):
            delay = index * (0.028 if down else 0.02)
            part.note(start + delay, hit.length * 0.9 - delay, pitch, loud - 2.5 * index)


def pick(
    part: Part,
    voiced: Sequence[Voiced],
    pattern: str,
    velocity: float,
    *,
    step: float = 0.5,
    ring: float = 1.0,
    grow: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Breaks the chords: a digit is a voice, counted from the lowest, 0.

    The pattern fills one bar. A note rings `ring` beats on, but not over the
    next chord.
    """
    first, last = voiced[0].start, voiced[-1].end
    for hit in rhythm(pattern, _bars(voiced, part), step):
        start = first + hit.start
        chord = _voiced_at(voiced, start)
        octave, voice = divmod(int(hit.symbol), len(chord.pitches))
        strong = 1.08 if start % 1 == 0 else 0.94
        length = min(hit.length + ring, chord.end - start)
        loud = velocity * strong * _growth(grow, first, start, last)
        part.note(start, length, chord.pitches[voice] + 12 * octave, loud)


def bass(
    part: Part,
    changes: Sequence[Change],
    pattern: str,
    velocity: float,
    *,
    low: int = 28,
    step: float = 0.25,
    legato: float = 0.92,
    grow: tuple[float, float] = (1.0, 1.0),
) -> None:
    """A bass line: `r` is the bass note, `5` the fifth, `8` the octave, and `a`
    leads by a semitone into the next chord's bass note. The pattern fills a bar.
    """
    first, last = changes[0].start, changes[-1].end
    for hit in rhythm(pattern, _bars(changes, part), step):
        start = first + hit.start
        index = next(i for i, c in enumerate(changes) if c.start <= start < c.end)
        chord = changes[index].chord
        root = chord.bass_pitch(low)
        pitch = {"r": root, "5": chord.fifth_above(root), "8": root + 12}.get(hit.symbol)
        if pitch is None:
            target = changes[min(index + 1, len(changes) - 1)].chord.bass_pitch(low)
            pitch = target + (1 if root > target else -1)
        loud = velocity * (1.0 if hit.symbol == "r" else 0.9)
        loud *= _growth(grow, first, start, last)
        part.note(start, hit.length * legato, pitch, loud)


def groove(
    part: Part,
    at: float,
    bars: int,
    drums: dict[str, str],
    velocity: float,
    *,
    step: float = 0.25,
    grow: tuple[float, float] = (1.0, 1.0),
) -> None:
    """Percussion: for each drum a rhythm of `X`, `x` and `o`, filling one bar or `bars` bars."""
    end = at + bars * part.beats_per_bar
    steps_per_bar = round(part.beats_per_bar / step)
    for drum, pattern in drums.items():
        bare = pattern.replace(" ", "").replace("|", "")
        repeats, rest = divmod(bars * steps_per_bar, len(bare))
        if rest:
            raise ValueError(f"{drum}: {len(bare)} steps do not fill {bars} bars")
        for hit in rhythm(bare, repeats, step):
            start = at + hit.start
            loud = velocity * _LOUDNESS[hit.symbol] * _growth(grow, at, start, end)
            part.note(start, hit.length * 0.9, DRUMS[drum], loud)


def roll(
    part: Part,
    start: float,
    end: float,
    pitch: int,
    velocities: tuple[float, float],
    *,
    rate: float = 8.0,
) -> None:
    """A roll of `rate` strokes a beat that grows from one velocity to another."""
    strokes = round((end - start) * rate)
    for stroke in range(strokes):
        share = stroke / strokes
        loud = velocities[0] + (velocities[1] - velocities[0]) * share**1.5
        part.note(start + stroke / rate, 0.9 / rate, pitch, loud - 5 * (stroke % 2))


def glissando(
    part: Part,
    start: float,
    pitches: Sequence[int],
    length: float,
    velocities: tuple[float, float],
    *,
    ring: float = 2.0,
) -> None:
    """Runs through the pitches in `length` beats and lets them ring."""
    for index, pitch in enumerate(pitches):
        share = index / max(1, len(pitches) - 1)
        loud = velocities[0] + (velocities[1] - velocities[0]) * share
        part.note(start + length * index / len(pitches), ring, pitch, loud)
