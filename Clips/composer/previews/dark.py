# SPDX-License-Identifier: Apache-2.0
"""A dark piece: low strings, choir and a tolling bell in D phrygian."""

from __future__ import annotations

from ..gm import DRUMS
from ..harmony import progression, voice_lead
from ..notation import pitch
from ..patterns import roll, sustain
from ..score import Piece


def drowned_bell() -> Piece:
    """Bell and drone; the cello's lament over the phrygian second; a climb
    through foreign minor chords to a dominant; and back down to the empty fifth.
    Intro 2, A 4, B 4, ending 3 bars.
    """
    piece = Piece(
        name="dark_preview_4",
        title="The Drowned Bell",
        mood="dark",
        genre="Soundtrack",
        key="D phrygian",
        tempo_bpm=60,
        room=0.85,
        ring_s=2.3,
    )
    bell = piece.part("tubular bells", volume=108, pan=78, reverb=100, timing_ms=4)
    piano = piece.part("piano", volume=112, pan=54, reverb=80, timing_ms=5)
    low = piece.part("contrabass", volume=112, pan=74, reverb=50, timing_ms=4)
    strings = piece.part("slow strings", volume=93, pan=50, reverb=70, timing_ms=9)
    tremolo = piece.part("tremolo strings", volume=92, pan=40, reverb=70, timing_ms=9)
    cello = piece.part("cello", volume=110, pan=70, reverb=70, timing_ms=14, lag_ms=8)
    choir = piece.part("choir", volume=95, pan=64, reverb=95, timing_ms=12)
    horn = piece.part("french horn", volume=82, pan=88, reverb=80, timing_ms=10)
    timpani = piece.part("timpani", volume=110, pan=58, reverb=70, timing_ms=5)
    drums = piece.part("orchestral percussion", volume=100, pan=64, reverb=80, timing_ms=4)

    intro, a, b, ending, last = (piece.bar(n) for n in (1, 3, 7, 11, 13))
    changes = progression(
        "Dm:4 | Dm:4 |"
        "Dm:4 | Eb/D:4 | Cm/D:4 | Dm:4 |"
        "Bbm/Db:4 | Gm/D:4 | Ebmaj7:4 | A7b9/C#:4 |"
        "Dm:4 | Eb/D:4 | D5:4",
        intro,
        4,
    )

    # The bell tolls D, and the half step above it when the harmony darkens.
    tolls = [(1, "D4", 84), (2, "D4", 70), (3, "D4", 76), (5, "Eb4", 72), (6, "D4", 68)]
    tolls += [(7, "Db4", 80), (9, "Eb4", 86), (11, "D4", 100), (12, "Eb4", 74), (13, "D4", 82)]
    for number, name, velocity in tolls:
        bell.note(piece.bar(number), 4, pitch(name), velocity)
        root = pitch(name) - 36
        for octave in (0, 12):
            piano.note(piece.bar(number), 3.8, root + octave, velocity * 0.8)

    # The drone: D until the bridge, where the bass goes its own way.
    sustain_bass = [(intro, 16.0, "D1"), (a + 8, 8.0, "D1"), (b, 4.0, "Db1"), (b + 4, 4.0, "D1")]
    sustain_bass += [(b + 8, 4.0, "Eb1"), (b + 12, 4.0, "C#1"), (ending, 8.0, "D1"), (last, 4.0, "D1")]
    for start, length, name in sustain_bass:
        low.note(start, length - 0.05, pitch(name) + 12, 78)
        low.note(start, length - 0.05, pitch(name) + 24, 64)
    low.swell(
        (intro, 0.35), (a, 0.7), (b, 0.75), (ending, 1), (ending + 4, 0.75), (last, 0.7), (last + 4, 0.4)
    )

    body = voice_lead(changes, 4, 50, 69)
    sustain(strings, [c for c in body if a <= c.start], 74)
    strings.swell(
        (intro, 0.4), (a, 0.45), (a + 6, 0.7), (a + 10, 0.55), (a + 14, 0.65), (b, 0.6),
        (b + 14, 1), (ending, 1), (ending + 3, 0.6), (ending + 7, 0.7), (last + 4, 0.35),
    )  # fmt: skip
    voices = voice_lead([c for c in changes if c.start >= a + 8], 4, 55, 74)
    sustain(choir, voices, 76)
    choir.swell(
        (intro, 0), (a + 8, 0.2), (a + 12, 0.55), (b, 0.5), (b + 6, 0.8), (b + 9, 0.75),
        (b + 15, 1), (ending + 1, 0.9), (ending + 4, 0.5), (ending + 7, 0.6), (last + 4, 0.3),
    )  # fmt: skip
    shimmer = voice_lead([c for c in changes if b <= c.start < ending], 3, 62, 81)
    sustain(tremolo, shimmer, 78)
    tremolo.note(intro + 4, 3.9, pitch("D5"), 50)
    tremolo.note(intro + 4, 3.9, pitch("A4"), 46)
    tremolo.swell(
        (intro, 0.2), (intro + 6, 0.5), (a, 0.15), (b, 0.35), (b + 8, 0.7), (b + 15.5, 1), (ending, 0.6)
    )

    # The lament: D–F–E♭, a sigh that starts again higher each time.
    cello.line(
        a,
        "r:1 D3:1 F3:1.5 Eb3:.5 | G3:2 F3:.5 Eb3:.5 Bb2:1 | C3:1 Eb3:1 G3:1 F3:.5 Eb3:.5 | D3:3 r:1",
        84,
        legato=1.0,
    )
    cello.line(
        b,
        "r:.5 F3:.5 Db4:1 Bb3:1 C4:.5 Db4:.5 | D4:2 Bb3:.5 C4:.5 D4:1 |"
        "Eb4:1 G4:1 Bb4:1.5 A4:.5 | G4:1 E4:1 Bb3:1 C#4:1",
        92,
        arc=16,
        legato=1.0,
    )
    cello.line(ending, "D4:3 r:1 | r:1 F3:1 Eb3:2 | D3:4", 80, arc=2, legato=1.0)
    cello.swell(
        (intro, 0.6),
        (a, 0.6),
        (a + 5, 0.9),
        (a + 15, 0.6),
        (b, 0.7),
        (b + 11, 1),
        (ending, 0.95),
        (ending + 3, 0.5),
        (ending + 5, 0.7),
        (last, 0.65),
        (last + 4, 0.25),
    )
    horn.line(b, "r:4 | r:2 G3:1 Bb3:1 | Bb3:1 Eb4:2 D4:1 | C#4:2 E4:2", 84, arc=12, legato=1.0)
    horn.line(ending, "D4:1 A3:2 r:1", 74, legato=1.0)

    # Timpani: a limping pulse under the bridge, rolls into the climax.
    for start, name, velocity in (
        (a + 4, "D2", 52), (a + 12, "D2", 58), (a + 13.5, "D2", 50),
        (b, "Db2", 70), (b + 1.5, "Db2", 56), (b + 4, "D2", 76), (b + 5.5, "D2", 60),
        (b + 7, "D2", 64), (b + 8, "Eb2", 84), (b + 9.5, "Eb2", 66), (b + 11, "Eb2", 72),
    ):  # fmt: skip
        timpani.note(start, 1.4, pitch(name), velocity)
    roll(timpani, a + 14.5, b, pitch("Db2"), (28, 58))
    roll(timpani, b + 12, ending, pitch("A2"), (40, 96))
    timpani.note(ending, 3, pitch("D2"), 104)
    roll(timpani, ending + 4, ending + 7, pitch("D2"), (36, 24))
    timpani.note(last, 3, pitch("D2"), 54)
    for start, velocity in ((intro, 58), (a, 54), (b, 74), (b + 8, 80), (ending, 96), (last, 66)):
        drums.note(start, 2, DRUMS["concert drum"], velocity)
    roll(drums, b + 13, ending, DRUMS["cymbal"], (12, 48), rate=6)
    drums.note(ending, 3, DRUMS["cymbal"], 68)

    piece.slow_down(ending + 6, last + 3, 0.85)
    piece.end_beat = last + 4
    return piece
