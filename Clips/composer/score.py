# SPDX-License-Identifier: Apache-2.0
"""Parts and pieces: notes and dynamics in beats, and their way to MIDI."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from itertools import pairwise

from . import notation
from .gm import KITS, PERCUSSION_CHANNEL, PROGRAMS
from .midi import TICKS_PER_BEAT, Track, midi_file

_VOLUME, _PAN, _EXPRESSION, _PEDAL, _REVERB, _CHORUS = 7, 10, 11, 64, 91, 93


@dataclass
class Note:
    """A note in beats; the velocity is a number until the MIDI is written."""

    start: float
    length: float
    pitch: int
    velocity: float


@dataclass
class Part:
    """One instrument: what it plays, and how its player tends to play."""

    instrument: str
    channel: int
    program: int
    beats_per_bar: int
    volume: int
    pan: int
    reverb: int
    chorus: int
    timing_ms: float  # spread of the humanised onsets
    lag_ms: float  # how far behind (or, negative, before) the beat the player sits
    notes: list[Note] = field(default_factory=list)
    controls: list[tuple[float, int, int]] = field(default_factory=list)

    def note(self, start: float, length: float, pitch: int, velocity: float) -> None:
        """Plays one note."""
        self.notes.append(Note(start, length, pitch, velocity))

    def line(
        self,
        at: float,
        text: str,
        velocity: float,
        *,
        arc: float = 10.0,
        legato: float = 0.96,
        transpose: int = 0,
    ) -> None:
        """Plays a melody as one phrase.

        The velocity rises by `arc` towards two thirds of the phrase and falls
        again; strong beats and higher notes come out a little.
        """
        words = notation.line(text, self.beats_per_bar)
        pitches = [[notation.pitch(n) for n in w.symbol.rstrip("!").split("+")] for w in words]
        end = words[-1].start + words[-1].length
        middle = sum(p[-1] for p in pitches) / len(pitches)
        for word, chord in zip(words, pitches):
            shaped = velocity + arc * math.sin(math.pi * (word.start / end) ** 1.7) - arc / 2
            shaped += 0.6 * (chord[-1] - middle) + 10 * word.symbol.endswith("!")
            in_bar = word.start % self.beats_per_bar
            shaped += 4 if in_bar == 0 else 0 if in_bar % 1 == 0 else -4
            for pitch in chord:
                self.note(at + word.start, word.length * legato, pitch + transpose, shaped)

    def swell(self, *points: tuple[float, float]) -> None:
        """Draws the expression through (beat, level 0…1) points, joined by straight lines."""
        self.controls.append((points[0][0], _EXPRESSION, round(127 * points[0][1])))
        for (start, low), (end, high) in pairwise(points):
            steps = max(1, math.ceil((end - start) * 8))
            for step in range(1, steps + 1):
                share = step / steps
                value = round(127 * (low + (high - low) * share))
                self.controls.append((start + (end - start) * share, _EXPRESSION, value))

    def pedal(self, start: float, end: float) -> None:
        """Holds the sustain pedal from just after `start` until just before `end`."""
        self.controls.append((start + 0.03, _PEDAL, 127))
        self.controls.append((end - 0.05, _PEDAL, 0))


@dataclass
class Piece:
    """A piece of music and all that is said about it in the list of clips."""

    name: str
    title: str
    mood: str
    genre: str
    key: str
    tempo_bpm: float
    tags: tuple[str, ...] = ()  # what a study may choose by
    beats_per_bar: int = 4
    swing: float = 0.5  # share of a pair of swung notes that its first one takes
    swing_unit: float = 0.25  # the swung note, in beats
    room: float = 0.5  # size of the reverb's room, 0…1
    ring_s: float = 4.0  # how long the last sound may ring after the last beat
    end_beat: float = 0.0
    parts: list[Part] = field(default_factory=list)
    _tempi: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tempi.append((0.0, self.tempo_bpm))

    # Writing

    def bar(self, number: int) -> float:
        """The beat on which a bar begins; the first bar is number 1."""
        return float((number - 1) * self.beats_per_bar)

    def part(
        self,
        instrument: str,
        *,
        volume: int = 100,
        pan: int = 64,
        reverb: int = 40,
        chorus: int = 0,
        timing_ms: float = 7.0,
        lag_ms: float = 0.0,
    ) -> Part:
        """Adds an instrument, or a percussion kit, to the ensemble."""
        drums = instrument in KITS
        melodic = [c for c in range(16) if c != PERCUSSION_CHANNEL]
        taken = {part.channel for part in self.parts}
        part = Part(
            instrument=instrument,
            channel=PERCUSSION_CHANNEL if drums else next(c for c in melodic if c not in taken),
            program=KITS[instrument] if drums else PROGRAMS[instrument],
            beats_per_bar=self.beats_per_bar,
            volume=volume,
            pan=pan,
            reverb=reverb,
            chorus=chorus,
            timing_ms=timing_ms,
            lag_ms=lag_ms,
        )
        self.parts.append(part)
        return part

    def slow_down(self, start: float, end: float, share: float) -> None:
        """A ritardando: between two beats the tempo falls to a share of itself."""
        steps = max(1, round((end - start) * 4))
        for step in range(1, steps + 1):
            along = step / steps
            bpm = self.tempo_bpm * (1 - (1 - share) * along**1.4)
            self._tempi.append((start + (end - start) * (step - 1) / steps, bpm))

    def in_time(self, beat: float) -> None:
        """The first tempo again from a beat on, after a ritardando."""
        self._tempi.append((beat, self.tempo_bpm))

    # Reading

    @property
    def instruments(self) -> list[str]:
        """The names of the instruments, each once."""
        return list(dict.fromkeys(part.instrument for part in self.parts))

    @property
    def duration_s(self) -> float:
        """From the first beat to the end of the last sound's ringing."""
        ends = [*(beat for beat, _ in self._tempi[1:]), self.end_beat]
        spans = zip(self._tempi, ends)
        return sum((end - start) * 60 / bpm for (start, bpm), end in spans) + self.ring_s

    def midi(self) -> bytes:
        """The piece as a standard MIDI file; the same bytes every time."""
        conductor = Track()
        conductor.name(self.title)
        conductor.time_signature(self.beats_per_bar)
        for beat, bpm in self._tempi:
            conductor.tempo(round(beat * TICKS_PER_BEAT), bpm)
        tracks = [conductor, *(self._track(part) for part in self.parts)]
        # A little longer than the clip: the renderer cuts and fades the sound.
        tail_beats = (self.ring_s + 1) * self._tempi[-1][1] / 60
        return midi_file(tracks, round((self.end_beat + tail_beats) * TICKS_PER_BEAT))

    def _track(self, part: Part) -> Track:
        track = Track()
        track.name(part.instrument)
        track.program(part.channel, part.program)
        setting = ((_VOLUME, part.volume), (_PAN, part.pan), (_REVERB, part.reverb))
        for controller, value in (*setting, (_CHORUS, part.chorus)):
            track.control(0, part.channel, controller, value)
        for beat, controller, value in part.controls:
            tick = round(self._swung(beat) * TICKS_PER_BEAT)
            track.control(tick, part.channel, controller, max(0, min(127, value)))
        for start, end, pitch, velocity in self._performed(part):
            track.note(start, end, part.channel, pitch, velocity)
        return track

    def _performed(self, part: Part) -> list[tuple[int, int, int, int]]:
        """The part's notes as played: swung, humanised, never overlapping themselves."""
        chance = random.Random(f"{self.name}/{part.instrument}/{part.channel}")
        ticks_per_ms = TICKS_PER_BEAT * self.tempo_bpm / 60_000
        played = []
        for note in sorted(part.notes, key=lambda n: (n.start, n.pitch, n.length)):
            off_ms = part.lag_ms + max(-2.2, min(2.2, chance.gauss(0, 1))) * part.timing_ms
            shift = off_ms * ticks_per_ms
            start = max(0, round(self._swung(note.start) * TICKS_PER_BEAT + shift))
            end = round(self._swung(note.start + note.length) * TICKS_PER_BEAT + shift)
            velocity = round(note.velocity + chance.gauss(0, 2.5))
            played.append((start, max(start + 1, end), note.pitch, max(1, min(127, velocity))))
        played.sort()
        following: dict[int, int] = {}
        trimmed = []
        for start, end, pitch, velocity in reversed(played):
            limit = following.get(pitch)
            if limit is not None and limit <= start:
                continue  # the same key twice at once: one stroke is enough
            trimmed.append((start, end if limit is None else min(end, limit), pitch, velocity))
            following[pitch] = start
        return trimmed[::-1]

    def _swung(self, beat: float) -> float:
        pair = 2 * self.swing_unit
        place = beat % pair
        share = place / pair
        warped = share * 2 * self.swing if share < 0.5 else 1 - (1 - share) * 2 * (1 - self.swing)
        return beat - place + warped * pair
