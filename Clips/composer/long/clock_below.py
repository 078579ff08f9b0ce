# SPDX-License-Identifier: Apache-2.0
"""A dark piece in five: a clockwork of low piano and wood, and what moves under it, in E minor."""

from __future__ import annotations

from ..form import Form
from ..gm import DRUMS
from ..harmony import voice_lead
from ..notation import pitch
from ..patterns import bass, comp, groove, pick, roll, sustain
from ..score import Piece

_VERSE = "Em:5 | Em:5 | F/E:5 | Em:5 | Am/E:5 | F/E:5 | B7b9/D#:5 | Em:5"
_TUNE = (
    "B3:2 C4:1 B3:2 | G3:1.5 A3:.5 B3:1 E3:2 | C4:2 A3:1 F3:1 A3:1 | G3:3 r:2 |"
    "E4:2 D4:1 C4:1 A3:1 | C4:1.5 D4:.5 C4:1 A3:2 | F#3:1 A3:1 C4:1 D#4:2 | E4:3 r:2"
)


def compose() -> Piece:
    """Intro 4, A 8, A' 8, B 8 through foreign keys, a music box 8, A'' 8, coda 8 bars of five."""
    piece = Piece(
        name="dark_long_2",
        title="The Clock Below",
        mood="dark",
        genre="Soundtrack",
        key="E minor",
        tempo_bpm=84,
        tags=("medium", "minor", "quintuple", "orchestra"),
        beats_per_bar=5,
        room=0.75,
        ring_s=2.4,
    )
    piano = piece.part("piano", volume=112, pan=56, reverb=60, timing_ms=5)
    plucked = piece.part("pizzicato strings", volume=104, pan=84, reverb=55, timing_ms=6)
    low = piece.part("contrabass", volume=124, pan=72, reverb=50, timing_ms=5)
    strings = piece.part("slow strings", volume=92, pan=50, reverb=75, timing_ms=9)
    tremolo = piece.part("tremolo strings", volume=92, pan=38, reverb=70, timing_ms=9)
    clarinet = piece.part("clarinet", volume=92, pan=66, reverb=70, timing_ms=12, lag_ms=6)
    cello = piece.part("cello", volume=103, pan=80, reverb=70, timing_ms=14, lag_ms=6)
    box = piece.part("music box", volume=118, pan=48, reverb=85, timing_ms=6)
    choir = piece.part("choir", volume=90, pan=64, reverb=95, timing_ms=12)
    timpani = piece.part("timpani", volume=108, pan=58, reverb=70, timing_ms=5)
    clock = piece.part("orchestral percussion", volume=104, pan=64, reverb=70, timing_ms=3)

    form = Form(piece.beats_per_bar)
    intro = form.section("Em:5 | Em:5 | Em:5 | F/E:5")
    a = form.section(_VERSE)
    again = form.section(_VERSE)
    b = form.section("Gm/D:5 | Gm/D:5 | Ebm:5 | Ebm:5 | Cm:5 | Cm:5 | Am6:5 | B7b9:5")
    lullaby = form.section("Em/B:5 | C:5 | Am:5 | B7b9:5 | Em/G:5 | F:5 | Am6:5 | B7b9:5")
    final = form.section(_VERSE)
    coda = form.section("Em:5 | F/E:5 | Em:5 | F/E:5 | Em:5 | Cm/Eb:5 | Em:5 | E5:5")
    last = coda.bar(8)
    whole = form.changes

    # The clockwork: five beats as three and two.
    depths = voice_lead(whole, 3, 40, 60)
    for section, wheels, loud in (
        (intro, "0-121-0-1-", 78), (a, "0-121-0-1-", 74), (again, "0-1210021-", 70), (b, "012101021-", 74),
        (final, "0-1210021-", 76), (coda.part(1, 7), "0-1-1-0-1-", 72),
    ):  # fmt: skip
        pick(piano, section.of(depths), wheels, loud, ring=0.4)
    comp(piano, lullaby.of(depths), "x-----....", 66, step=0.5, roll=0.04)
    comp(piano, coda.part(8, 8).of(depths), "x---------", 56, step=0.5)
    piano.pedal(last, form.end + 2)
    ticks = voice_lead(whole, 2, 64, 79)
    comp(plucked, again.of(ticks), "..o...x.o.", 62, step=0.5)
    comp(plucked, b.of(ticks), "o.o.x.o.x.", 66, step=0.5, grow=(0.9, 1.15))
    comp(plucked, final.of(ticks), "..o.o.x.oo", 70, step=0.5)

    bass(low, a.to(again).of(whole), "r----.r---", 76, low=28, step=0.5)
    bass(low, b.of(whole), "r-----r---", 82, low=28, step=0.5, grow=(0.92, 1.1))
    bass(low, lullaby.of(whole), "r---------", 80, low=28, step=0.5, legato=0.98)
    bass(low, final.of(whole), "r----.r-r-", 84, low=28, step=0.5)
    bass(low, coda.of(whole), "r---------", 72, low=28, step=0.5, legato=0.98, grow=(1, 0.8))
    low.swell(
        (0, 0.75),
        (a.start, 0.75),
        (b.start, 0.8),
        (lullaby.start, 0.75),
        (final.start, 0.85),
        (form.end, 0.45),
    )

    body = voice_lead(whole, 4, 50, 71)
    sustain(strings, intro.part(3, 4).of(body), 62)
    sustain(strings, again.to(b).of(body), 72)
    sustain(strings, final.to(coda).of(body), 74)
    strings.swell(
        (0, 0.3), (intro.bar(4), 0.55), (a.start, 0.1), (again.start, 0.35), (again.bar(7), 0.7),
        (b.start, 0.5), (b.bar(8), 0.85), (lullaby.start, 0.3), (final.start, 0.5), (final.bar(7), 0.75),
        (coda.start, 0.65), (coda.bar(4), 0.6), (last, 0.5), (form.end, 0.15),
    )  # fmt: skip
    shimmer = voice_lead(whole, 3, 64, 82)
    sustain(tremolo, a.part(5, 8).of(shimmer), 60)
    sustain(tremolo, b.of(shimmer), 74)
    sustain(tremolo, final.part(5, 8).of(shimmer), 72)
    sustain(tremolo, coda.part(5, 7).of(shimmer), 56)
    tremolo.swell(
        (0, 0.4), (a.bar(5), 0.2), (a.bar(7), 0.55), (a.end, 0.3), (b.start, 0.3), (b.bar(8), 0.85),
        (b.end, 0.8), (final.bar(5), 0.4), (final.bar(8), 0.75), (coda.bar(5), 0.3), (coda.bar(6), 0.5),
        (last, 0.1),
    )  # fmt: skip
    voices = voice_lead(whole, 3, 57, 76)
    sustain(choir, again.part(5, 8).of(voices), 66)
    sustain(choir, lullaby.part(5, 8).of(voices), 62)
    sustain(choir, final.of(voices), 72)
    choir.swell(
        (0, 0), (again.bar(5), 0.25), (again.bar(7), 0.65), (again.end, 0.4), (lullaby.bar(5), 0.2),
        (lullaby.bar(8), 0.65), (final.start, 0.6), (final.bar(7), 0.85), (coda.start, 0.4),
    )  # fmt: skip

    tick = {"high woodblock": "x...o.....", "low woodblock": "..o...x.o."}
    haste = {"high woodblock": "x.o.o..o.o", "low woodblock": "..o...x.o."}
    groove(clock, intro.start, 4, tick, 58, step=0.5)
    groove(clock, a.start, 8, tick, 58, step=0.5)
    groove(clock, again.start, 8, {**tick, "concert drum": "x.....o..."}, 62, step=0.5)
    groove(clock, b.start, 8, {**haste, "concert drum": "x.....x.o."}, 66, step=0.5, grow=(0.92, 1.15))
    groove(clock, lullaby.start, 8, {"high woodblock": "x........."}, 50, step=0.5)
    groove(clock, final.start, 8, {**haste, "concert drum": "x..o..x.o."}, 72, step=0.5)
    groove(clock, coda.start, 4, {**tick, "concert drum": "x........."}, 60, step=0.5, grow=(1, 0.85))
    groove(clock, coda.bar(5), 3, tick, 54, step=0.5, grow=(1, 0.8))
    groove(clock, last, 1, {"high woodblock": "x.........", "concert drum": "x........."}, 50, step=0.5)
    roll(clock, b.bar(8), lullaby.start, DRUMS["cymbal"], (10, 44), rate=6)
    bass(timpani, b.part(5, 8).of(whole), "r.....r.r.", 70, low=36, step=0.5, legato=1.5)
    bass(timpani, final.of(whole), "r..r..r...", 74, low=36, step=0.5, legato=1.5)
    roll(timpani, b.bar(8) + 1, lullaby.start, pitch("B2"), (30, 84))
    roll(timpani, again.bar(7), again.bar(8), pitch("D#2"), (24, 52))
    roll(timpani, coda.bar(6), coda.bar(7), pitch("Eb2"), (28, 44))

    # The clarinet circles its fifth; the cello takes it up, the choir stands behind it.
    clarinet.line(intro.bar(3), "r:3 B3:2 | C4:3 r:2", 70)
    clarinet.line(a.start, _TUNE, 82, arc=14, legato=0.99)
    cello.line(
        again.start,
        "B3:1.5 C4:.5 B3:1 E4:2 | G4:1.5 F#4:.5 E4:1 B3:2 | C4:1 F4:1 E4:1 C4:1 A3:1 | B3:3 G3:2 |"
        "E4:1.5 D4:.5 C4:1 E4:1 A4:1 | C4:1 D4:.5 C4:.5 A3:1 F4:2 | F#4:1 A4:1 C4:1 B3:2 | E4:3 r:2",
        88,
        arc=14,
        legato=1.0,
    )
    clarinet.line(
        again.start,
        "r:5 | r:3 G3:2 | A3:3 F3:2 | E3:3 r:2 | r:3 E3:2 | F3:3 A3:2 | A3:3 F#3:2 | G3:3 r:2",
        66,
        legato=0.99,
    )
    cello.line(
        b.start,
        "D4:2 C4:1 Bb3:2 | G3:2 A3:1 Bb3:2 | Gb4:2 F4:1 Eb4:2 | Bb3:2 Db4:1 Eb4:2 |"
        "G4:2 F4:1 Eb4:2 | C4:2 D4:1 Eb4:2 | E4:2 F#4:1 E4:1 C4:1 | D#4:2 C4:1 B3:2",
        90,
        arc=18,
        legato=1.0,
    )
    clarinet.line(
        b.start,
        "r:5 | r:3 D4:1 G4:1 | Bb4:3 Gb4:2 | Eb4:3 r:2 | r:3 G4:2 | G4:3 Eb4:2 | A4:3 F#4:2 | A4:3 F#4:2",
        78,
        legato=0.99,
    )
    box.line(
        lullaby.start,
        "B5:1 G5:1 E5:1 F#5:1 G5:1 | E5:2 G5:1 C6:2 | C6:1 A5:1 E5:1 A5:2 | B5:2 F#5:1 D#5:2 |"
        "G5:1 B5:1 E6:1 D6:1 B5:1 | A5:2 C6:1 F5:2 | E5:1 A5:1 C6:1 B5:1 A5:1 | F#5:2 A5:1 D#5:2",
        84,
        arc=10,
    )
    clarinet.line(
        lullaby.start,
        "r:5 | r:3 G3:2 | A3:3 r:2 | F#3:2 A3:1 B3:2 | r:5 | r:3 A3:2 | C4:3 A3:2 | B3:2 A3:1 F#3:2",
        66,
        legato=0.99,
    )
    cello.line(final.start, _TUNE, 88, arc=14, legato=1.0)
    clarinet.line(final.start, _TUNE, 80, arc=14, legato=0.99, transpose=12)
    box.line(
        final.start,
        "r:5 | r:3 B5:1 G5:1 | r:5 | E6:1 B5:1 G5:1 r:2 | r:5 | r:3 C6:1 A5:1 | r:5 | B5:1 G5:1 E5:1 r:2",
        76,
    )
    clarinet.line(
        coda.start,
        "B3:2 C4:1 B3:2 | A3:3 F3:2 | G3:3 E3:2 | F3:3 r:2 | B3:2 C4:1 B3:2 | G3:3 r:2 | E3:5",
        76,
        arc=2,
    )
    box.line(
        coda.bar(3),
        "r:1 B5:1 G5:1 E5:2 | r:5 | r:1 B5:1 G5:1 F#5:2 | G5:2 Eb5:1 C5:2 | B4:5 | r:1 B5:1 E6:3",
        68,
    )
    cello.line(coda.bar(5), "r:5 | r:2 C4:1 G3:2 | G3:5 | B3:5", 72, arc=0, legato=1.0)
    for player in (clarinet, cello):
        player.swell(
            (0, 0.8), (a.bar(6), 0.95), (again.start, 0.85), (again.bar(7), 0.95), (b.bar(8), 1),
            (lullaby.start, 0.85), (final.start, 0.88), (coda.start, 0.85), (last, 0.65), (form.end, 0.2),
        )  # fmt: skip

    piece.slow_down(b.bar(8), lullaby.start, 0.9)
    piece.in_time(lullaby.start)
    piece.slow_down(coda.bar(7), last + 3, 0.8)
    piece.end_beat = form.end
    return piece
