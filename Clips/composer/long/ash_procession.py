# SPDX-License-Identifier: Apache-2.0
"""A dark piece: a slow procession in C minor for english horn, strings, choir and organ."""

from __future__ import annotations

from ..form import Form
from ..gm import DRUMS
from ..harmony import voice_lead
from ..notation import pitch
from ..patterns import bass, groove, roll, sustain
from ..score import Piece

_LAMENT = "Cm:4 | Gm/Bb:4 | Abmaj7:4 | G:2 G7b9:2 | Fm:4 | Db/F:4 |"
_TUNE = (
    "G4:1.5 Ab4:.5 G4:1 Eb4:1 | D4:2 r:.5 G4:.5 Bb4:1 | C5:1.5 Bb4:.5 G4:1 Eb4:1 | D4:2 F4:1 Ab4:1 |"
    "C5:1.5 Db5:.5 C5:1 Ab4:1 | F4:2 Ab4:1 Db5:1 |"
)


def compose() -> Piece:
    """Intro 4, A 8, A' 8, B 8 with the horn, climax 6, A'' 6 over the organ, coda 5 bars."""
    piece = Piece(
        name="dark_long_1",
        title="Ash Procession",
        mood="dark",
        genre="Soundtrack",
        key="C minor",
        tempo_bpm=58,
        tags=("slow", "minor", "duple", "orchestra"),
        room=0.85,
        ring_s=2.6,
    )
    low = piece.part("contrabass", volume=112, pan=74, reverb=50, timing_ms=5)
    strings = piece.part("slow strings", volume=94, pan=52, reverb=70, timing_ms=9)
    violins = piece.part("strings", volume=98, pan=40, reverb=75, timing_ms=10)
    cello = piece.part("cello", volume=110, pan=78, reverb=70, timing_ms=14, lag_ms=8)
    reed = piece.part("english horn", volume=108, pan=60, reverb=80, timing_ms=14, lag_ms=8)
    horn = piece.part("french horn", volume=80, pan=90, reverb=80, timing_ms=11)
    choir = piece.part("choir", volume=92, pan=64, reverb=95, timing_ms=12)
    organ = piece.part("church organ", volume=118, pan=64, reverb=90, timing_ms=4)
    timpani = piece.part("timpani", volume=116, pan=56, reverb=70, timing_ms=5)
    drums = piece.part("orchestral percussion", volume=104, pan=64, reverb=80, timing_ms=4)

    form = Form(piece.beats_per_bar)
    intro = form.section("Cm:4 | Ab/C:4 | Cm:4 | Db/C:4")
    a = form.section(_LAMENT + "G7sus:2 G7b9:2 | Cm:4")
    again = form.section(_LAMENT + "G7sus:2 G7b9:2 | Cm:4")
    b = form.section("Fm:4 | Abm:4 | Ebm:4 | Bbm/Db:4 | Cm:4 | Ebm/Bb:4 | Abmaj7:2 Fm:2 | G7b9:4")
    climax = form.section("Cm:4 | Abm:4 | Fm:4 | Db:4 | Fm:2 Abm:2 | G7b9:4")
    ashes = form.section(_LAMENT.removesuffix("|"))
    coda = form.section("Cm:4 | Db/C:4 | Cm:4 | Db/C:4 | C5:4")
    last = coda.bar(5)

    body = voice_lead(form.changes, 4, 48, 69)
    sustain(strings, intro.to(again).of(body), 72)
    sustain(strings, b.to(climax).of(body), 80)
    sustain(strings, coda.of(body), 68)
    strings.swell(
        (0, 0.62), (intro.bar(4), 0.7), (a.start, 0.55), (a.bar(6), 0.7), (again.start, 0.55),
        (again.bar(6), 0.8), (b.start, 0.55), (b.bar(7), 0.85), (climax.start, 0.75), (climax.bar(6), 0.78),
        (coda.start, 0.6), (coda.bar(2), 0.7), (last, 0.6), (form.end, 0.2),
    )  # fmt: skip
    bass(low, form.changes, "r---------------", 78, low=36, legato=0.98)
    bass(low, climax.of(form.changes), "r---------------", 60, low=24, legato=0.98)
    low.swell(
        (0, 0.6), (a.start, 0.7), (b.start, 0.75), (climax.start, 0.85), (climax.end, 0.8),
        (ashes.start, 0.7), (coda.start, 0.75), (last, 0.6), (form.end, 0.25),
    )  # fmt: skip
    voices = voice_lead(form.changes, 4, 55, 75)
    sustain(choir, again.part(5, 8).of(voices), 70)
    sustain(choir, b.part(5, 8).to(climax).of(voices), 80)
    sustain(choir, coda.of(voices), 66)
    choir.swell(
        (0, 0), (again.bar(5), 0.2), (again.bar(7), 0.65), (again.end, 0.35), (b.bar(5), 0.4),
        (b.bar(8), 0.65), (climax.start, 0.68), (climax.bar(6), 0.72), (coda.start, 0.4), (coda.bar(2), 0.6),
        (last, 0.45), (form.end, 0.1),
    )  # fmt: skip
    sustain(organ, ashes.of(voice_lead(form.changes, 4, 48, 67)), 62)
    sustain(organ, climax.of(body), 60)
    organ.swell(
        (0, 0.6),
        (climax.start, 0.55),
        (climax.end, 0.7),
        (ashes.start, 0.6),
        (ashes.bar(5), 0.8),
        (ashes.end, 0.6),
    )

    # The march: a limping drum that never quite arrives on the second beat.
    step = {"concert drum": "x.....o.x......."}
    groove(drums, intro.bar(3), 2, step, 52)
    groove(drums, a.start, 8, step, 56)
    groove(drums, again.start, 8, {"concert drum": "x.....o.x...o..."}, 62)
    groove(drums, b.start, 8, {"concert drum": "x.....o.x.....oo"}, 66, grow=(0.9, 1.2))
    groove(drums, climax.start, 6, {"concert drum": "X.....x.X...x.xx"}, 76)
    groove(drums, coda.start, 4, step, 54, grow=(1, 0.7))
    roll(drums, b.bar(8) + 2, climax.start, DRUMS["cymbal"], (14, 50), rate=6)
    drums.note(climax.start, 3, DRUMS["cymbal"], 70)
    drums.note(climax.bar(4), 3, DRUMS["cymbal"], 60)
    for section, loud in ((again, 54), (b, 62), (climax, 84)):
        bass(timpani, section.of(form.changes), "r.....r.r.......", loud, low=36, legato=1.0)
    roll(timpani, a.bar(8) + 2, again.start, pitch("C2"), (26, 50))
    roll(timpani, b.bar(8), climax.start, pitch("G2"), (36, 96))
    roll(timpani, climax.bar(6), ashes.start, pitch("G2"), (88, 30))
    roll(timpani, coda.bar(2), coda.bar(3), pitch("C2"), (34, 22))
    timpani.note(last, 3, pitch("C2"), 50)

    # The lament turns round its fifth and sinks with the bass.
    cello.line(intro.start, "r:4 | r:2 Eb3:1 C3:1 | G3:2 Eb3:1 C3:1 | Db3:3 r:1", 76, legato=1.0)
    reed.line(a.start, _TUNE + "C5:2 B4:1 D5:1 | C5:3 r:1", 82, arc=14, legato=0.99)
    cello.line(
        a.start,
        "r:4 | r:4 | r:2 Eb3:1 Ab3:1 | G3:2 B3:2 | r:4 | r:2 F3:1 Ab3:1 | G3:2 F3:2 | Eb3:1 D3:1 C3:2",
        68,
        legato=1.0,
    )
    violins.line(
        again.start,
        "G4:1 Ab4:.5 G4:.5 Eb5:1 C5:1 | D5:2 Bb4:.5 A4:.5 Bb4:1 | C5:1 D5:.5 Eb5:.5 G5:1 Eb5:1 |"
        "D5:2 F5:1 Ab5:1 | C5:1 Db5:.5 C5:.5 Ab5:1 F5:1 |"
        "F5:2 Ab5:1 Db5:1 | C5:1.5 D5:.5 B4:1 D5:1 | C5:3 r:1",
        84,
        arc=16,
        legato=1.0,
    )
    horn.line(
        again.start,
        "r:4 | r:2 G3:1 D4:1 | Eb4:4 | D4:2 B3:2 | r:2 C4:1 F4:1 | Ab4:2 F4:2 | D4:2 F4:2 | Eb4:1 D4:1 C4:2",
        74,
        legato=1.0,
    )
    cello.line(again.start, _TUNE + "D4:2 B3:2 | C4:3 r:1", 66, transpose=-12, legato=1.0)
    # The horn climbs through foreign minor chords.
    horn.line(
        b.start,
        "C4:1 F4:1 Ab4:1.5 G4:.5 | Eb4:1 B3:1 Ab4:2 | Gb4:1.5 F4:.5 Eb4:1 Bb3:1 | Db4:2 F4:1 Bb4:1 |"
        "G4:1.5 F4:.5 Eb4:1 C4:1 | Bb4:2 Gb4:1 Eb4:1 | C5:1 G4:1 Ab4:1 F4:1 | D4:1 F4:1 Ab4:1 B4:1",
        88,
        arc=16,
        legato=1.0,
    )
    cello.line(
        b.start,
        "r:2 F3:1 C3:1 | Eb3:2 Ab3:1 B3:1 | Bb3:2 Gb3:2 | F3:2 Db3:1 Bb2:1 |"
        "C3:2 G3:1 C4:1 | Bb3:2 Eb4:1 Gb4:1 | Eb4:2 C4:2 | B3:2 D4:2",
        74,
        legato=1.0,
    )
    violins.line(
        b.bar(5), "r:2 C5:1 G5:1 | Gb5:2 Eb5:1 Bb4:1 | G5:2 F5:1 C6:1 | B5:1 Ab5:1 F5:1 D5:1", 78, legato=1.0
    )
    high = (
        "C5:1 Eb5:1 G5:1.5 F5:.5 | Eb5:2 B4:1 Eb5:1 | Ab5:1.5 G5:.5 F5:1 C5:1 | Db5:1 F5:1 Ab5:2 |"
        "C6:1 Ab5:1 B5:1 Ab5:1 | G5:1 F5:1 D5:1 B4:1"
    )
    violins.line(climax.start, high, 86, arc=10, legato=1.0)
    violins.line(climax.start, high, 70, arc=10, legato=1.0, transpose=-12)
    horn.line(
        climax.start,
        "Eb4:2 C4:1 G4:1 | Ab4:2 Eb4:2 | C4:2 F4:1 Ab4:1 | F4:2 Db4:2 | C4:2 Eb4:2 | D4:2 B3:2",
        88,
        legato=1.0,
    )
    reed.line(ashes.start, _TUNE.rstrip("|"), 78, arc=8, legato=0.99)
    cello.line(
        ashes.start,
        "r:4 | r:4 | r:2 C3:1 Eb3:1 | G3:2 F3:1 D3:1 | C3:2 F3:1 Ab3:1 | Ab3:2 F3:1 Db3:1",
        68,
        legato=1.0,
    )
    reed.line(
        coda.start,
        "C5:3 G4:1 | Ab4:2 F4:1 Db4:1 | Eb4:3 C4:1 | Db4:2 F4:1 Db4:1 | C4:4",
        74,
        arc=0,
        legato=1.0,
    )
    cello.line(coda.start, "C3:4 | r:2 Ab3:1 F3:1 | G3:3 Eb3:1 | F3:3 r:1 | G3:4", 66, arc=0, legato=1.0)
    for player in (cello, reed, horn, violins):
        player.swell(
            (0, 0.85), (a.bar(6), 0.95), (again.start, 0.8), (again.bar(6), 0.9), (b.start, 0.75),
            (climax.start, 0.86), (climax.end, 0.85), (ashes.start, 0.85), (ashes.bar(5), 0.95),
            (coda.start, 0.85), (last, 0.6), (form.end, 0.2),
        )  # fmt: skip

    piece.slow_down(climax.bar(5), ashes.start, 0.9)
    piece.in_time(ashes.start)
    piece.slow_down(coda.bar(4), last + 3, 0.82)
    piece.end_beat = form.end
    return piece
