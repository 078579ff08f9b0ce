# SPDX-License-Identifier: Apache-2.0
"""A chill piece: an unhurried waltz for clarinet and cello over piano and guitar, in G."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..patterns import bass, comp, groove, pick, sustain
from ..score import Piece

_VERSE = (
    "Gmaj7:3 | Gmaj7:3 | Em9:3 | Em9:3 | Cmaj9:3 | Cmaj9:3 | Am9:3 | D13sus:3 |"
    "Bm7:3 | Em9:3 | Cmaj9:3 | Cm6:3 |"
)
_TUNE = (
    "D5:2 B4:1 | F#4:1 A4:1 B4:1 | G5:1.5 F#5:.5 D5:1 | B4:2 r:1 |"
    "E5:2 D5:1 | B4:1 G4:1 A4:1 | C5:1.5 B4:.5 G4:1 | A4:2 r:1 |"
    "D5:2 F#5:1 | G5:1.5 F#5:.5 E5:1 | D5:2 B4:1 | C5:1.5 D5:.5 Eb5:1 |"
)


def compose() -> Piece:
    """Intro 4, A 16, A' 16, B 16 in B flat, a guitar's interlude 8, A'' 16, B' 8, coda 10 bars."""
    piece = Piece(
        name="chill_long_2",
        title="Low Tide Letters",
        mood="chill",
        genre="Folk",
        key="G major",
        tempo_bpm=92,
        tags=("medium", "major", "triple", "drums"),
        beats_per_bar=3,
        room=0.6,
        ring_s=2.2,
    )
    piano = piece.part("piano", volume=122, pan=52, reverb=50, timing_ms=8, lag_ms=4)
    guitar = piece.part("nylon guitar", volume=114, pan=88, reverb=45, timing_ms=9)
    upright = piece.part("double bass", volume=120, pan=62, reverb=20, lag_ms=6)
    brushes = piece.part("brushed drums", volume=118, pan=70, reverb=40, timing_ms=6, lag_ms=4)
    clarinet = piece.part("clarinet", volume=79, pan=74, reverb=65, timing_ms=12, lag_ms=8)
    cello = piece.part("cello", volume=104, pan=46, reverb=60, timing_ms=14, lag_ms=4)
    strings = piece.part("slow strings", volume=86, pan=60, reverb=75, timing_ms=8)

    form = Form(piece.beats_per_bar)
    intro = form.section("Gmaj7:3 | Em9:3 | Cmaj9:3 | D13sus:3")
    a = form.section(_VERSE + "Bm7:3 | E7b9:3 | Am9:3 | D13sus:3")
    again = form.section(_VERSE + "G/D:3 | Em9:3 | Am9:1.5 D13:1.5 | G69:3")
    b = form.section(
        "Ebmaj9:3 | Ebmaj9:3 | Bbmaj9:3 | Bbmaj9:3 | Cm9:3 | F13sus:3 | Bbmaj9:3 | Bbmaj9:3 |"
        "Gm9:3 | Gm9:3 | Ebmaj9:3 | Ebmaj9:3 | Am9:3 | Am9:3 | D13sus:3 | D7:3"
    )
    alone = form.section("Cmaj9:3 | Bm7:3 | Am9:3 | Gmaj7:3 | Cmaj9:3 | Bm7:3 | Am9:3 | D13sus:3")
    final = form.section(_VERSE + "G/D:3 | Em9:3 | Am9:1.5 D13:1.5 | G69:3")
    both = form.section("Cmaj9:3 | Cmaj9:3 | G/B:3 | G/B:3 | Am9:3 | D13sus:3 | Bm7:3 | E7b9:3")
    coda = form.section(
        "Am9:3 | D13sus:3 | Gmaj7:3 | Em9:3 | Cmaj9:3 | Cm6:3 | Gmaj7:3 | Cm6:3 | Gmaj9:3 | Gmaj9:3"
    )
    chords = voice_lead(form.changes, 4, 52, 72)
    high = voice_lead(form.changes, 3, 60, 79)
    last = coda.bar(9)

    # Piano: single waltz chords, waves in the middle, and both at the return.
    comp(piano, intro.of(chords), "x---..", 74, step=0.5, roll=0.05)
    comp(piano, a.of(chords), "..x-o-|..x---", 68, step=0.5)
    comp(piano, again.of(chords), "..x-o-|x-..o-", 65, step=0.5)
    pick(piano, b.of(chords), "012321", 62, ring=1.5, grow=(0.95, 1.1))
    comp(piano, alone.of(chords), "x-----", 54, step=0.5, roll=0.06)
    comp(piano, final.of(chords), "..x-o-|..xoo-", 68, step=0.5)
    pick(piano, both.of(chords), "012321", 66, ring=1.5, grow=(1, 1.06))
    comp(piano, coda.part(1, 6).of(chords), "..x-o-|x-----", 62, step=0.5, grow=(1, 0.85))
    comp(piano, coda.part(7, 8).of(chords), "x-----", 58, step=0.5, roll=0.06)
    comp(piano, coda.part(9, 9).of(chords), "x-----", 58, step=0.5, roll=0.16)
    for section in (b, both):
        for bar in range(1, section.bars + 1):
            piano.pedal(section.bar(bar), section.bar(bar + 1))
    piano.pedal(last, form.end + 2)

    pick(guitar, intro.of(chords), "0.2.3.", 76, ring=1.2)
    pick(guitar, again.of(chords), "0.2132", 62, ring=1.2)
    pick(guitar, alone.of(chords), "021232", 82, ring=1.5, grow=(0.94, 1.06))
    pick(guitar, final.of(chords), "012132", 64, ring=1.2)
    pick(guitar, both.of(chords), "0.2.1.", 64, ring=1.2)
    pick(guitar, coda.part(1, 8).of(chords), "0.2132", 62, ring=1.2, grow=(1, 0.8))

    changes = form.changes
    bass(upright, a.of(changes), "r-----", 76, step=0.5)
    bass(upright, again.of(changes), "r---5-", 80, step=0.5)
    bass(upright, b.of(changes), "r----a", 80, step=0.5, grow=(0.95, 1.08))
    bass(upright, final.of(changes), "r---5a", 82, step=0.5)
    bass(upright, both.of(changes), "r-5-8-", 80, step=0.5)
    bass(upright, coda.part(1, 8).of(changes), "r-----", 76, step=0.5, grow=(1, 0.8))
    upright.note(last, 5.5, 31, 62)

    sustain(strings, again.to(b).of(high), 60)
    sustain(strings, final.to(coda).of(high), 62)
    strings.swell(
        (0, 0), (again.start, 0.25), (b.start, 0.55), (b.bar(12), 0.95), (b.end, 0.6),
        (final.start, 0.4), (final.bar(12), 0.75), (both.start, 0.7), (both.bar(7), 0.85),
        (coda.bar(3), 0.75), (coda.bar(8), 0.65), (last, 0.55), (form.end, 0.15),
    )  # fmt: skip

    soft = {"swirl": "o.....", "snare": "..o.x.", "ride": "x.o.o."}
    full = {"swirl": "o.....", "snare": "..x.xo", "ride": "x.o.xo", "kick": "x....."}
    bridge = {"ride": "x.x.x.", "snare": "....o.", "kick": "x.....", "pedal hat": "..o.o."}
    groove(brushes, intro.bar(4), 1, {"snare": "..o.xo"}, 50, step=0.5)
    groove(brushes, a.start, 16, soft, 58, step=0.5)
    groove(brushes, again.start, 16, full, 62, step=0.5)
    groove(brushes, b.start, 16, bridge, 64, step=0.5, grow=(0.92, 1.08))
    groove(brushes, alone.bar(5), 4, {"swirl": "o.....", "snare": "....o."}, 52, step=0.5)
    groove(brushes, final.start, 16, full, 66, step=0.5)
    groove(brushes, both.start, 8, bridge, 66, step=0.5)
    groove(brushes, coda.start, 8, soft, 60, step=0.5, grow=(1, 0.65))
    groove(brushes, last, 1, {"ride": "x....."}, 48, step=0.5)

    # The clarinet's letter: a falling third, answered each time from higher up.
    clarinet.line(
        a.start, _TUNE + "D5:1.5 B4:.5 F#4:1 | G#4:1 B4:1 D5:1 | C5:1.5 E5:.5 G5:1 | E5:2 r:1", 82, arc=12
    )
    clarinet.line(
        again.start,
        "D5:1 E5:.5 D5:.5 B4:1 | F#4:1 A4:1 D5:1 | G5:1 A5:.5 G5:.5 F#5:.5 D5:.5 | B4:2 D5:1 |"
        "E5:1.5 G5:.5 D5:1 | B4:1 G4:1 E5:1 | C5:1 D5:.5 C5:.5 B4:.5 G4:.5 | A4:2 r:1 |"
        "D5:1 E5:.5 F#5:.5 A5:1 | G5:1.5 F#5:.5 E5:1 | D5:1 E5:.5 D5:.5 B4:1 | C5:1 D5:1 Eb5:1 |"
        "D5:1.5 B4:.5 G4:1 | F#4:1 G4:1 B4:1 | C5:1 E5:.5 B4:1.5 | D5:2 r:1",
        84,
        arc=14,
    )
    cello.line(
        again.bar(5),
        "r:3 | r:1 B3:1 D4:1 | C4:2 B3:1 | A3:2 r:1 | r:3 | r:3 | r:1 G3:1 B3:1 | C4:1 A3:1 G3:1",
        68,
        legato=1.0,
    )
    # The cello answers in another key, without hurry.
    cello.line(
        b.start,
        "G3:2 Bb3:1 | D4:1.5 C4:.5 Bb3:1 | A3:2 F3:1 | C4:1 A3:1 F3:1 |"
        "G3:1.5 Bb3:.5 D4:1 | C4:1.5 D4:.5 Eb4:1 | D4:3 | ~:1 C4:1 A3:1 |"
        "Bb3:2 A3:1 | F3:1 G3:1 Bb3:1 | D4:2 C4:1 | Bb3:1 G3:1 F3:1 |"
        "E4:2 D4:1 | B3:1 C4:1 E4:1 | D4:2 C4:1 | A3:1 F#3:1 C4:1",
        86,
        arc=16,
        legato=1.0,
    )
    clarinet.line(
        b.start,
        "r:3 | r:3 | r:3 | r:1 F4:1 A4:1 | r:3 | r:3 | r:1 F4:1 A4:1 | C5:2 r:1 |"
        "r:3 | r:1 D5:1 F5:1 | G5:2 F5:1 | D5:2 r:1 | r:3 | r:1 G4:1 C5:1 | E5:2 B4:1 | C5:1 A4:1 F#4:1",
        68,
    )
    piano.line(
        alone.start,
        "E5:1 D5:.5 B4:.5 G4:1 | F#5:1 D5:.5 B4:.5 A4:1 | G5:1 E5:.5 C5:.5 B4:1 | D5:2 r:1 |"
        "E5:1 G5:.5 B5:.5 D6:1 | F#5:1.5 E5:.5 D5:1 | C5:1 E5:.5 G5:.5 B5:1 | A5:2 r:1",
        84,
        arc=12,
    )
    for bar in range(1, 9):
        piano.pedal(alone.bar(bar), alone.bar(bar + 1))
    clarinet.line(
        final.start,
        _TUNE + "D5:1.5 E5:.5 G5:1 | B5:1.5 A5:.5 G5:1 | E5:1 C5:.5 B4:1.5 | D5:2 r:1",
        86,
        arc=14,
    )
    cello.line(
        final.start,
        "B3:2 D4:1 | D4:1 B3:1 A3:1 | B3:3 | G3:1 F#3:1 D3:1 |"
        "G3:2 E3:1 | G3:2 D4:1 | C4:3 | A3:1 B3:1 C4:1 |"
        "B3:2 A3:1 | G3:2 B3:1 | E4:2 D4:1 | Eb4:2 C4:1 | D4:2 B3:1 | G3:2 E3:1 | E3:1.5 F#3:1.5 | G3:2 r:1",
        70,
        legato=1.0,
    )
    cello.line(
        both.start,
        "E3:2 G3:1 | B3:1.5 A3:.5 G3:1 | D4:2 B3:1 | G3:1 A3:1 B3:1 |"
        "C4:2 E4:1 | D4:1.5 C4:.5 A3:1 | F#3:2 A3:1 | G#3:1 B3:1 D4:1",
        84,
        arc=12,
        legato=1.0,
    )
    clarinet.line(
        both.start,
        "r:1 G4:1 B4:1 | E5:1.5 D5:.5 B4:1 | D5:2 G5:1 | B5:1.5 A5:.5 G5:1 |"
        "E5:2 G5:1 | B4:1.5 C5:.5 E5:1 | A5:1.5 F#5:.5 D5:1 | F5:1 E5:1 B4:1",
        80,
        arc=12,
    )
    clarinet.line(
        coda.start,
        "C5:1.5 E5:.5 G5:1 | E5:2 D5:1 | B4:2 D5:1 | F#5:1.5 E5:.5 D5:1 | E5:2 D5:1 | Eb5:2 C5:1 |"
        "D5:3 | C5:1.5 A4:.5 G4:1 | B4:3 | ~:3",
        80,
        arc=2,
    )
    cello.line(
        coda.bar(3),
        "G3:2 F#3:1 | G3:2 B3:1 | G3:2 B3:1 | A3:2 Eb3:1 | D3:3 | Eb3:3 | G3:3 | ~:3",
        66,
        legato=1.0,
    )
    for player in (clarinet, cello):
        player.swell(
            (0, 0.9), (a.bar(8), 0.95), (again.bar(10), 1), (again.end, 0.85), (b.bar(12), 1), (b.end, 0.8),
            (final.start, 0.85), (both.bar(5), 0.9), (coda.start, 0.9), (last, 0.7), (form.end, 0.25),
        )  # fmt: skip

    piece.slow_down(b.bar(15), b.end, 0.88)
    piece.in_time(alone.start)
    piece.slow_down(coda.bar(7), last + 3, 0.78)
    piece.end_beat = form.end
    return piece
