# SPDX-License-Identifier: Apache-2.0
"""Chord symbols, and voicings that lead smoothly from chord to chord."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from .notation import line, pitch_class

# Semitones above the root, the tones a voicing needs first coming first: with
# few voices the fifth and then the root are left to the bass; with more voices
# than tones some are doubled, the root rather than another.
_QUALITIES: dict[str, tuple[int, ...]] = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "5": (0, 7),
    "sus4": (5, 0, 7),
    "add9": (4, 2, 0, 7),
    "madd9": (3, 2, 0, 7),
    "6": (4, 9, 0, 7),
    "m6": (3, 9, 0, 7),
    "69": (4, 9, 2, 7, 0),
    "7": (4, 10, 0, 7),
    "7sus": (5, 10, 0, 7),
    "7b9": (4, 10, 1, 7, 0),
    "9": (4, 10, 2, 7, 0),
    "13": (4, 10, 9, 2, 0, 7),
    "13sus": (5, 10, 9, 2, 0, 7),
    "maj7": (4, 11, 7, 0),
    "maj9": (4, 11, 2, 7, 0),
    "maj9#11": (4, 11, 6, 2, 7, 0),
    "m7": (3, 10, 0, 7),
    "m9": (3, 10, 2, 7, 0),
}
_SYMBOL = re.compile(r"([A-G][#b]?)([^/]*)(?:/([A-G][#b]?))?")


class Chord(NamedTuple):
    """A chord: its root and bass as pitch classes, its tones above the root."""

    root: int
    tones: tuple[int, ...]
    bass: int

    @classmethod
    def of(cls, symbol: str) -> Chord:
        """Reads a symbol such as `Bb13sus` or `C/E`."""
        match = _SYMBOL.fullmatch(symbol)
        if match is None or match[2] not in _QUALITIES:
            raise ValueError(f"not a chord: {symbol!r}")
        root = pitch_class(match[1])
        return cls(root, _QUALITIES[match[2]], pitch_class(match[3]) if match[3] else root)

    def classes(self, voices: int) -> set[int]:
        """The pitch classes of a voicing with so many voices."""
        return {(self.root + tone) % 12 for tone in self.tones[:voices]}

    def bass_pitch(self, low: int) -> int:
        """The bass note in the octave from `low` up."""
        return low + (self.bass - low) % 12

    def fifth_above(self, bass: int) -> int:
        """The chord's fifth (or, over another bass, its root) above a bass note."""
        target = self.root if self.bass != self.root else self.root + 7
        return bass + (target - bass) % 12


class Change(NamedTuple):
    """A chord of a progression, with its place in beats."""

    start: float
    length: float
    chord: Chord

    @property
    def end(self) -> float:
        """The beat on which the next chord begins."""
        return self.start + self.length


class Voiced(NamedTuple):
    """A chord of a progression, voiced: pitches from low to high."""

    start: float
    length: float
    pitches: tuple[int, ...]

    @property
    def end(self) -> float:
        """The beat on which the next chord begins."""
        return self.start + self.length


Placed = TypeVar("Placed", Change, Voiced)


def between(row: Sequence[Placed], start: float, end: float) -> list[Placed]:
    """The chords of a row that begin from one beat on and before another."""
    return [c for c in row if start <= c.start < end]


def progression(text: str, at: float, beats_per_bar: float) -> list[Change]:
    """Reads the chord changes of a section that begins at beat `at`."""
    return [Change(at + w.start, w.length, Chord.of(w.symbol)) for w in line(text, beats_per_bar)]


def _candidates(chord: Chord, voices: int, low: int, high: int) -> list[tuple[int, ...]]:
    classes = chord.classes(voices)
    pitches = [p for p in range(low, high + 1) if p % 12 in classes]
    found = [c for c in combinations(pitches, voices) if {p % 12 for p in c} == classes]
    if not found:
        raise ValueError(f"no voicing with {voices} voices between {low} and {high}")
    return found


def _roughness(chord: Chord, voicing: tuple[int, ...]) -> float:
    """How badly spaced a voicing is by itself: clusters, mud, holes and doubled thirds cost."""
    classes = [p % 12 for p in voicing if p % 12 != chord.root]
    cost = 2.5 * (len(classes) - len(set(classes)))
    for lower, upper in pairwise(voicing):
        gap = upper - lower
        cost += 3.0 * (gap == 1) + 1.5 * max(0, gap - 8)
        cost += 3.0 * max(0, 4 - gap) * (lower < 50)
    # A semitone may hide in the middle, not at an edge; a minor ninth nowhere.
    cost += 6.0 * sum(gap == 1 for gap in (voicing[1] - voicing[0], voicing[-1] - voicing[-2]))
    return cost + 8.0 * sum(high - low == 13 for low, high in combinations(voicing, 2))


def _motion(before: tuple[int, ...], after: tuple[int, ...]) -> float:
    """How much the voices move; leaps and parallel fifths or octaves cost more."""
    moves = [b - a for a, b in zip(before, after)]
    cost = sum(abs(m) + 0.5 * max(0, abs(m) - 4) ** 2 for m in moves)
    cost += 0.5 * abs(moves[-1])
    for i, j in combinations(range(len(moves)), 2):
        parallel = moves[i] == moves[j] != 0
        if parallel and (before[j] - before[i]) % 12 in (0, 7):
            cost += 5.0
    return cost


def voice_lead(changes: list[Change], voices: int, low: int, high: int) -> list[Voiced]:
    """Voices a progression so that the sum of roughness and motion is the least."""
    centre = (low + high) / 2
    best: list[tuple[float, list[tuple[int, ...]]]] = [(0.0, [])]
    for change in changes:
        reached = []
        for voicing in _candidates(change.chord, voices, low, high):
            own = _roughness(change.chord, voicing) + 0.4 * abs(sum(voicing) / voices - centre)
            cost, path = min(
                ((c + (_motion(p[-1], voicing) if p else 0.0), p) for c, p in best),
                key=lambda option: (option[0], option[1]),
            )
            reached.append((cost + own, [*path, voicing]))
        best = reached
    path = min(best, key=lambda option: (option[0], option[1]))[1]
    return [Voiced(c.start, c.length, p) for c, p in zip(changes, path)]
