# SPDX-License-Identifier: Apache-2.0
"""A chill piece: a slow, swung evening song for muted trumpet, in F."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..patterns import bass, comp, groove, pick, sustain
from ..score import Piece

_VERSE = "Fmaj9:4 | Em7:2 A7b9:2 | Dm9:4 | Cm9:2 F13:2 | Bbmaj9:4 | Am7:2 Dm9:2 |"
_BRIDGE = "Bbmaj9:4 | Bbm6:4 | Am7:4 | D7b9:4 | Gm9:4 | C13sus:2 C13:2 |"

_TUNE = (
    "r:1 C5:.5 A4:.5 E5:1.5 D5:.5 | E5:1 G5:.5 E5:.5 C#5:1.5 Bb4:.5 |"
    "A4:2.5 r:.5 F4:.5 A4:.5 | Bb4:1 G4:.5 Bb4:.5 D5:1.5 C5:.5 |"
    "r:1 F5:.5 D5:.5 A5:1.5 G5:.5 | G5:1 E5:.5 C5:.5 F5:1.5 E5:.5 |"
)
_SONG = (
    "D5:1.5 C5:.5 A4:2 | Db5:1.5 C5:.5 G4:2 | C5:1.5 A4:.5 G4:1 E4:1 | F#4:1 A4:1 C5:1 Eb5:1 |"
    "D5:1.5 Bb4:.5 F5:2 | F5:1 D5:1 E5:1.5 D5:.5 |"
)


def compose() -> Piece:
    """Intro 4, A 8, A' 8, B 8, a guitar's excursion to D flat 8, B' 8, A'' 8, coda 6 bars."""
    piece = Piece(
        name="chill_long_1",
        title="Porch Light",
        mood="chill",
        genre="Lounge",
        key="F major",
        tempo_bpm=74,
        tags=("slow", "major", "duple", "swung", "drums"),
        swing=0.57,
        room=0.45,
        ring_s=1.8,
    )
    keys = piece.part("electric piano", volume=82, pan=54, reverb=45, chorus=35, lag_ms=6)
    fretless = piece.part("fretless bass", volume=112, pan=63, reverb=15, lag_ms=8)
    kit = piece.part("drum kit", volume=120, pan=66, reverb=30, timing_ms=5, lag_ms=5)
    trumpet = piece.part("muted trumpet", volume=96, pan=72, reverb=65, timing_ms=12, lag_ms=14)
    guitar = piece.part("nylon guitar", volume=112, pan=42, reverb=50, timing_ms=11, lag_ms=12)
    vibes = piece.part("vibraphone", volume=127, pan=84, reverb=60, timing_ms=11, lag_ms=10)
    pad = piece.part("warm pad", volume=92, pan=64, reverb=70, timing_ms=0)

    form = Form(piece.beats_per_bar)
    intro = form.section("Fmaj9:4 | Dm9:4 | Gm9:4 | C13sus:4")
    a = form.section(_VERSE + "Gm9:4 | C13sus:4")
    again = form.section(_VERSE + "Gm9:2 C13:2 | F69:4")
    b = form.section(_BRIDGE + "Fmaj9:4 | Cm9:2 F13:2")
    away = form.section(
        "Dbmaj9:4 | Abmaj9:4 | Dbmaj9:4 | Abmaj9:4 | Bbm9:4 | Eb13sus:4 | Gm7:4 | C13sus:2 F13:2"
    )
    back = form.section(_BRIDGE + "Fmaj9:2 Dm9:2 | Gm9:2 C13:2")
    final = form.section(_VERSE + "Gm9:2 C13:2 | F69:2 F13:2")
    coda = form.section("Bbmaj9:4 | Bbm6:4 | Am7:2 D7b9:2 | Gm9:2 C13sus:2 | Dbmaj9:4 | Fmaj9:4")
    chords = voice_lead(form.changes, 4, 51, 70)
    last = coda.bar(6)

    # Keys: sparse at first, syncopated in the verses, broken in the bridges.
    comp(keys, intro.of(chords), "x-------..o-----", 66, roll=0.05)
    comp(keys, a.of(chords), "x-----x---..o---", 66)
    comp(keys, again.of(chords), "x--x------x-..o-|x-----x---o-..x-", 68)
    pick(keys, b.of(chords), "0-2-3-2-1-3-2-3-", 66, step=0.25, ring=1.5, grow=(1, 1.1))
    comp(keys, away.of(chords), "..x-----..o-----|..x---o-----x---", 64, roll=0.03)
    comp(keys, back.of(chords), "x---..x-x---..o-", 68, grow=(1, 1.08))
    comp(keys, final.of(chords), "x--x------x-..o-|x-----x---o-.ox-", 70)
    comp(keys, coda.part(1, 4).of(chords), "x-----..x-----..", 66, roll=0.03, grow=(1, 0.9))
    comp(keys, coda.part(5, 5).of(chords), "x---------------", 64, roll=0.08)
    comp(keys, coda.part(6, 6).of(chords), "x---------------", 66, roll=0.14)
    keys.pedal(coda.bar(5), last)
    keys.pedal(last, form.end + 2)
    pick(guitar, intro.of(chords), "..3-2-1-..3-2-1-", 62, step=0.25, ring=1.2)
    pick(guitar, again.of(chords), "......3-2-....1-", 56, step=0.25, ring=1)
    pick(guitar, back.part(5, 8).of(chords), "0-213-2-10213-2-", 60, step=0.25, ring=1.2, grow=(0.9, 1.1))

    sustain(pad, b.to(coda).of(chords), 60)
    pad.swell(
        (0, 0), (b.start, 0.3), (b.bar(7), 0.85), (away.start, 0.7), (back.start, 0.6), (back.bar(8), 1),
        (final.start, 0.7), (coda.start, 0.8), (coda.bar(5), 0.9), (last, 0.7), (form.end, 0.3),
    )  # fmt: skip

    changes = form.changes
    bass(fretless, intro.part(3, 4).of(changes), "r-------....5-a-", 70)
    bass(fretless, a.of(changes), "r-----.r5---..a-", 78)
    bass(fretless, again.of(changes), "r-----.rr---.5a-", 80)
    bass(fretless, b.of(changes), "r-------5---8-a-", 80, grow=(1, 1.08))
    bass(fretless, away.of(changes), "r---------5---r-", 76)
    bass(fretless, back.of(changes), "r-----5-8---5-a-", 82)
    bass(fretless, final.of(changes), "r--r--.rr---.5a-", 82)
    bass(fretless, coda.part(1, 5).of(changes), "r-----..5-----a-", 76, grow=(1, 0.88))
    fretless.note(last, 4, 29, 70)

    beat = {
        "kick": "x......ox.o.....",
        "side stick": "....x.......x...",
        "closed hat": "x.o.x.oox.o.x.o.",
    }
    brushed = {**beat, "shaker": "o.x.o.x.o.x.o.xo"}
    fill = {**beat, "side stick": "....x..x..x.x.xo", "open hat": "..............x."}
    groove(kit, intro.bar(3), 1, {"closed hat": "x.o.x.o.x.o.x.o."}, 52)
    groove(kit, intro.bar(4), 1, {"closed hat": "x.o.x.o.x.o.x.oo", "side stick": "..........x.x.xo"}, 54)
    for verse, loud in ((a, 62), (again, 66), (final, 68)):
        groove(kit, verse.start, 7, beat if verse is a else brushed, loud)
        groove(kit, verse.bar(8), 1, fill, loud)
    ride = {"kick": "x.....x...x.....", "side stick": "....x.......x..o", "ride": "x.o.x.o.x.o.x.oo"}
    for bridge, loud in ((b, 68), (back, 70)):
        groove(kit, bridge.start, 7, ride, loud, grow=(0.94, 1.05))
        groove(kit, bridge.bar(8), 1, {**fill, "ride": "x.o.x.o.x.o....."}, loud)
    groove(kit, away.start, 8, {"shaker": "o.x.o.x.o.x.o.xo", "kick": "x.........o....."}, 58)
    groove(kit, coda.start, 4, brushed, 64, grow=(1, 0.75))
    groove(kit, last, 1, {"ride": "x...............", "kick": "o..............."}, 54)

    # The trumpet falls into every phrase from a rest; its second verse wanders more.
    trumpet.line(a.start, _TUNE + "D5:1 Bb4:.5 D5:.5 F5:1 A4:1 | G4:2 r:2", 82, arc=12)
    trumpet.line(
        again.start,
        "r:.5 A4:.25 C5:.25 E5:.5 G5:.5 E5:1.5 D5:.5 | E5:.5 D5:.5 B4:.5 G4:.5 C#5:1 E5:.5 Bb4:.5 |"
        "A4:1.5 F4:.5 A4:.5 C5:.5 E5:1 | D5:.5 Eb5:.5 D5:.5 Bb4:.5 A4:1 D5:.5 C5:.5 |"
        "r:.5 D5:.25 F5:.25 A5:.5 F5:.5 G5:1.5 F5:.5 | E5:1 C5:.5 E5:.5 F5:1 A4:1 |"
        "Bb4:.5 D5:.5 F5:.5 D5:.5 E5:1 A4:1 | C5:1 D5:.5 A4:.5 G4:1 r:1",
        85,
        arc=14,
    )
    vibes.line(
        again.start, "r:4 | r:4 | r:2 D5:.5 F5:.5 A5:1 | r:4 | r:4 | r:4 | r:4 | r:2 A4:.5 C5:.5 D5:1", 66
    )

    # The bridge belongs to the vibraphone, and when it comes back to guitar and trumpet.
    vibes.line(b.start, _SONG + "C5:1 A4:.5 G4:.5 E5:2 | D5:1 Bb4:1 A4:2", 82, arc=14)
    trumpet.line(b.start, "r:4 | r:4 | r:4 | r:4 | r:3 D5:1 | A4:2 G4:1 r:1 | r:2 r:.5 A4:.5 C5:1 | r:4", 68)
    guitar.line(
        away.start,
        "r:.5 Ab4:.5 C5:.5 Eb5:.5 F5:1 Eb5:.5 C5:.5 | Bb4:1.5 C5:.5 G4:1 r:1 |"
        "r:.5 Ab4:.25 C5:.25 Eb5:.5 F5:.5 Ab5:1 F5:.5 Eb5:.5 | G5:1 Eb5:.5 C5:.5 Bb4:2 |"
        "r:.5 F4:.5 Ab4:.5 C5:.5 Db5:1 C5:.5 Ab4:.5 | Bb4:1 Ab4:.5 C5:.5 F5:1.5 Eb5:.5 |"
        "D5:1 F5:.5 D5:.5 Bb4:1 G4:1 | A4:.5 Bb4:.5 D5:.5 F5:.5 Eb5:1 D5:1",
        86,
        arc=14,
    )
    vibes.line(away.start, "r:4 | r:2 Eb5:1 G5:1 | r:4 | r:4 | r:4 | r:4 | r:2 D5:1 Bb4:1 | r:4", 64)
    guitar.line(back.start, _SONG + "C5:1 A4:.5 G4:.5 F5:1 E5:1 | D5:1 Bb4:1 A4:1 C5:1", 84, arc=14)
    trumpet.line(
        back.start,
        "r:4 | r:2 r:.5 F4:.5 G4:.5 Bb4:.5 | E5:2 r:2 | r:2 A4:1 C5:1 |"
        "Bb4:2 A4:1 D5:1 | C5:2 Bb4:2 | r:.5 A4:.5 C5:.5 E5:.5 A5:2 | F5:1.5 D5:.5 E5:1 r:1",
        74,
    )
    trumpet.line(final.start, _TUNE + "D5:.5 F5:.5 A5:1 G5:.5 E5:.5 A4:1 | C5:2 A4:1 D5:1", 85, arc=12)
    vibes.line(
        final.start,
        "r:3 A4:.5 C5:.5 | r:2 E5:.5 G5:.5 r:1 | r:1 E5:.5 F5:.5 A5:1 r:1 | r:4 |"
        "r:3 D5:.5 F5:.5 | r:4 | r:4 | r:1 G4:.5 A4:.5 D5:1 r:1",
        68,
    )
    trumpet.line(
        coda.start,
        "D5:1.5 C5:.5 A4:2 | Db5:1.5 C5:.5 G4:2 | C5:1 G4:1 A4:.5 F#4:.5 Eb5:1 | D5:1 Bb4:1 D5:1 G4:1 |"
        "F4:1 Ab4:1 C5:1 Eb5:1 | E5:1 C5:1 A4:2",
        80,
        arc=4,
    )
    vibes.line(coda.start, "r:4 | r:4 | r:4 | r:4 | r:2 Ab5:1 Eb5:1 | r:1 G5:1 E5:2", 66)
    for span in (again.to(away), final.to(coda)):
        for bar in range(1, span.bars + 1):
            vibes.pedal(span.bar(bar), span.bar(bar + 1))

    piece.slow_down(coda.bar(4), last + 2, 0.8)
    piece.end_beat = form.end
    return piece
