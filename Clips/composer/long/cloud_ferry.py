# SPDX-License-Identifier: Apache-2.0
"""A light piece: a rocking barcarole for recorder, guitar and harp, in B flat."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..notation import pitches
from ..patterns import bass, comp, glissando, groove, pick, sustain
from ..score import Piece

_ROW = (
    "Bb:3 | Bb:3 | Gm7:3 | Gm7:3 | Ebmaj7:3 | Cm7:3 | F7sus:3 | F7:3 |"
    "Bb/D:3 | Ebmaj7:3 | Cm7:3 | Dm7:3 | Ebmaj7:3 | F7sus:3 |"
)
_STREAM = "Gm:3 | Gm:3 | Dm7:3 | Dm7:3 | Ebmaj7:3 | Ebmaj7:3 | Bb:3 | Bb:3 |"

_TUNE = (
    "F5:1 D5:.5 Bb4:1.5 | D5:.5 Eb5:.5 F5:.5 Bb5:1.5 | A5:1 G5:.5 D5:1.5 | F5:1 D5:.5 Bb4:1.5 |"
    "G5:1 F5:.5 Eb5:1 D5:.5 | Eb5:.5 D5:.5 C5:.5 G5:1.5 | F5:1.5 Bb5:1 G5:.5 | A5:1.5 r:1.5 |"
    "F5:1 D5:.5 Bb5:1.5 | G5:.5 A5:.5 Bb5:.5 D6:1.5 | C6:1 Bb5:.5 G5:1.5 | A5:1 F5:.5 D5:1.5 |"
    "G5:.5 F5:.5 Eb5:.5 D5:1 G5:.5 | F5:1 Eb5:.5 C5:1.5 |"
)
_TURNED = (
    "F5:.5 Eb5:.5 D5:.5 Bb4:1 D5:.5 | F5:.5 G5:.5 F5:.5 Bb5:1.5 |"
    "A5:.5 Bb5:.5 A5:.5 G5:.5 F5:.5 D5:.5 | F5:1 D5:.5 Bb4:1 C5:.5 |"
    "D5:.5 Eb5:.5 G5:.5 Bb5:1 G5:.5 | G5:.5 Eb5:.5 C5:.5 G5:1.5 | F5:1 Bb5:.5 C6:1 Bb5:.5 | A5:1.5 r:1.5 |"
    "Bb5:1 F5:.5 D5:1 F5:.5 | G5:.5 A5:.5 Bb5:.5 D6:1.5 |"
    "C6:.5 Bb5:.5 A5:.5 G5:1 Eb5:.5 | F5:.5 A5:.5 C6:.5 D6:1.5 |"
    "Bb5:1 G5:.5 F5:.5 Eb5:.5 G5:.5 | F5:1 G5:.5 C5:1.5 |"
)


def compose() -> Piece:
    """Intro 4, A 16, A' 16, B 16 in G minor, A 8, C 16 over a held bass, A'' 16,
    coda 6 bars of six eighths.
    """
    piece = Piece(
        name="light_long_2",
        title="Cloud Ferry",
        mood="light",
        genre="Chamber Music",
        key="B flat major",
        tempo_bpm=96,
        tags=("medium", "major", "compound", "orchestra"),
        beats_per_bar=3,
        room=0.6,
        ring_s=2.0,
    )
    guitar = piece.part("nylon guitar", volume=104, pan=46, reverb=40, timing_ms=7)
    harp = piece.part("harp", volume=104, pan=86, reverb=60, timing_ms=7)
    plucked = piece.part("pizzicato strings", volume=108, pan=58, reverb=45, timing_ms=7)
    recorder = piece.part("recorder", volume=88, pan=70, reverb=60, timing_ms=10, lag_ms=4)
    pipes = piece.part("pan flute", volume=88, pan=52, reverb=65, timing_ms=11, lag_ms=4)
    oboe = piece.part("oboe", volume=84, pan=78, reverb=60, timing_ms=10)
    box = piece.part("music box", volume=106, pan=96, reverb=60, timing_ms=6)
    strings = piece.part("slow strings", volume=92, pan=60, reverb=70, timing_ms=8)
    small = piece.part("orchestral percussion", volume=104, pan=84, reverb=60, timing_ms=4)

    form = Form(piece.beats_per_bar)
    intro = form.section("Bb:3 | Ebmaj7:3 | Bb:3 | F7sus:3")
    a = form.section(_ROW + "Bb:3 | F7sus:3")
    again = form.section(_ROW + "Bb:3 | Bb:3")
    b = form.section(_STREAM + "Cm7:3 | Cm7:3 | Gm:3 | Gm:3 | A7:3 | A7:3 | Dm7:3 | F7:3")
    short = form.section("Bb:3 | Bb:3 | Gm7:3 | Gm7:3 | Ebmaj7:3 | Cm7:3 | F7sus:1.5 F7:1.5 | Bb:3")
    sky = form.section(
        "Ebmaj7:3 | F/Eb:3 | Ebmaj7:3 | F/Eb:3 | Ebmaj7:3 | F/Eb:3 | Dm7:3 | Gm7:3 |"
        "Gbmaj7:3 | Ab/Gb:3 | Gbmaj7:3 | Ab/Gb:3 | Cm7:3 | Cm7:3 | F7sus:3 | F7:3"
    )
    final = form.section(_ROW + "Bb:3 | Bb:3")
    coda = form.section("Ebmaj7:3 | F/Eb:3 | Ebmaj7:3 | F7sus:3 | Bbadd9:3 | Bb:3")
    last = coda.bar(6)
    whole = form.changes

    chords = voice_lead(whole, 4, 53, 72)
    pick(guitar, intro.of(chords), "023132", 78, ring=1.2)
    pick(guitar, a.of(chords), "02.13.", 72, ring=1.2)
    pick(guitar, again.of(chords), "023132", 72, ring=1.2)
    comp(guitar, b.of(chords), "x-oo-o", 58, step=0.5, roll=0.02)
    pick(guitar, short.of(chords), "02.13.", 74, ring=1.2)
    pick(guitar, final.of(chords), "023132", 76, ring=1.2)
    pick(guitar, coda.part(1, 5).of(chords), "023132", 72, ring=1.2, grow=(1, 0.85))
    wide = voice_lead(whole, 4, 56, 77)
    pick(harp, b.of(wide), "012345", 70, ring=1.5, grow=(0.92, 1.08))
    pick(harp, sky.of(wide), "0-1-2-3-4-5-", 74, step=0.25, ring=1.5, grow=(0.92, 1.1))
    pick(harp, final.part(9, 16).of(wide), "0..3..", 68, ring=1.5)
    for start in (short.start - 1, final.start - 1):
        glissando(harp, start, pitches("F4 G4 A4 Bb4 C5 D5 Eb5 F5 G5 A5 Bb5 C6"), 0.95, (46, 70))

    bass(plucked, intro.to(a).of(whole), "r-.5-.", 80, low=41, step=0.5)
    bass(plucked, again.of(whole), "r-.5-a", 82, low=41, step=0.5)
    bass(plucked, b.of(whole), "r-.r-.", 80, low=41, step=0.5, grow=(0.95, 1.08))
    bass(plucked, short.of(whole), "r-.5-.", 82, low=41, step=0.5)
    bass(plucked, sky.of(whole), "r-....", 80, low=41, step=0.5)
    bass(plucked, final.of(whole), "r-.5-a", 86, low=41, step=0.5)
    bass(plucked, coda.part(1, 5).of(whole), "r-....", 78, low=41, step=0.5, grow=(1, 0.85))
    plucked.note(last, 1, 46, 72)
    light = voice_lead(whole, 2, 65, 79)
    comp(plucked, again.of(light), "..o.xo", 60, step=0.5)
    comp(plucked, final.of(light), "..o.xo", 64, step=0.5)

    sustain(strings, b.to(sky).of(voice_lead(whole, 3, 62, 79)), 62)
    sustain(strings, final.part(9, 16).to(coda).of(voice_lead(whole, 3, 62, 79)), 64)
    strings.swell(
        (0, 0), (b.start, 0.4), (b.bar(14), 0.85), (short.start, 0.35), (sky.start, 0.55), (sky.bar(12), 0.9),
        (sky.end, 0.75), (final.bar(9), 0.45), (coda.start, 0.75), (last, 0.6), (form.end, 0.15),
    )  # fmt: skip

    # The tune rocks from bank to bank: down a triad, up a sixth.
    box.line(
        intro.start, "F6:1 D6:.5 Bb5:1.5 | G5:.5 Bb5:.5 D6:.5 G6:1.5 | F6:1 D6:.5 Bb5:1.5 | C6:1.5 r:1.5", 76
    )
    recorder.line(a.start, _TUNE + "Bb4:1.5 D5:1.5 | C5:1.5 r:1.5", 84, arc=12)
    recorder.line(again.start, _TURNED + "Bb5:1 F5:.5 D5:1.5 | Bb4:1.5 r:1.5", 86, arc=14)
    box.line(
        a.start,
        "r:3 | r:3 | r:3 | r:1.5 D6:.5 F6:.5 Bb6:.5 | r:3 | r:3 | r:3 | r:1.5 C6:.5 Eb6:.5 F6:.5 |"
        "r:3 | r:3 | r:3 | r:3 | r:3 | r:3 | r:3 | r:1.5 F5:.5 G5:.5 Bb5:.5",
        70,
    )
    pipes.line(
        again.start,
        "D5:3 | D5:1.5 F5:1.5 | D5:3 | Bb4:1.5 D5:1.5 | Bb4:3 |"
        "C5:1.5 Eb5:1.5 | Bb4:1.5 F5:1.5 | Eb5:1.5 C5:1.5 |"
        "D5:1.5 Bb4:1.5 | D5:1.5 Bb5:1.5 | Eb5:3 | D5:1.5 F5:1.5 |"
        "G5:1.5 Bb4:1.5 | Bb4:1.5 Eb5:1.5 | D5:3 | F5:1.5 r:1.5",
        70,
    )
    oboe.line(
        b.start,
        "D5:1.5 G5:1 A5:.5 | Bb5:1.5 A5:.5 G5:.5 D5:.5 | F5:1.5 A5:1 G5:.5 | F5:1 D5:.5 A4:1.5 |"
        "G5:1.5 Bb5:1 A5:.5 | G5:1 F5:.5 D5:1.5 | F5:.5 D5:.5 F5:.5 Bb5:1.5 | F5:1.5 r:1.5 |"
        "Eb5:1.5 G5:1 Bb5:.5 | C6:1 Bb5:.5 G5:1.5 | Bb5:1 A5:.5 G5:1 F5:.5 | D5:1.5 G5:1.5 |"
        "E5:1.5 A5:1 G5:.5 | E5:1 C#5:.5 A4:1.5 | D5:.5 F5:.5 A5:.5 C6:1 A5:.5 | A5:1 F5:.5 Eb5:1 C5:.5",
        84,
        arc=16,
        legato=1.0,
    )
    pipes.line(
        b.start,
        "r:3 | r:3 | r:3 | r:1.5 F5:.5 A5:1 | r:3 | r:3 | r:3 | r:1.5 Bb4:.5 D5:.5 F5:.5 |"
        "r:3 | r:1.5 Eb5:1.5 | D5:3 | r:1.5 Bb4:1.5 | C#5:3 | E5:1.5 C#5:1.5 | D5:3 | C5:1.5 r:1.5",
        72,
    )
    box.line(b.bar(8), "D6:.5 F6:.5 Bb6:.5 F6:1.5", 68)
    pipes.line(
        short.start,
        "F5:1 D5:.5 Bb4:1.5 | D5:.5 Eb5:.5 F5:.5 Bb5:1.5 | A5:1 G5:.5 D5:1.5 | F5:1 D5:.5 Bb4:1.5 |"
        "G5:1 F5:.5 Eb5:1 D5:.5 | Eb5:.5 D5:.5 C5:.5 G5:1.5 | F5:1 Bb5:.5 A5:1 Eb5:.5 | D5:1.5 Bb4:1.5",
        86,
        arc=12,
    )
    recorder.line(
        short.start,
        "r:3 | r:1.5 D6:1 Bb5:.5 | r:3 | r:1.5 D6:.5 Bb5:.5 F5:.5 | r:3 |"
        "r:1.5 Eb5:.5 G5:.5 C6:.5 | r:3 | r:1.5 D6:.5 F5:.5 Bb5:.5",
        74,
    )
    # Above the clouds the bass stands still.
    recorder.line(
        sky.start,
        "G5:1.5 D6:1 C6:.5 | A5:3 | G5:1.5 Bb5:1 D6:.5 | C6:3 |"
        "Bb5:1.5 D6:1 G5:.5 | A5:1 C6:.5 F5:1.5 | D5:1.5 F5:1 A5:.5 | Bb5:3 |"
        "Bb5:1.5 F5:1 Db5:.5 | C6:1.5 Ab5:1.5 | Bb5:1.5 Db6:1 F5:.5 |"
        "Eb5:3 | G5:1 Eb5:.5 C5:1 D5:.5 | Eb5:1.5 G5:1.5 |"
        "F5:1 G5:.5 Bb5:1.5 | A5:1.5 r:1.5",
        84,
        arc=14,
        legato=1.0,
    )
    oboe.line(
        sky.start,
        "r:3 | r:1.5 C5:1 F5:.5 | Eb5:3 | r:1.5 A4:1 C5:.5 | D5:3 | C5:3 | A4:1.5 D5:1.5 | D5:1.5 F5:1.5 |"
        "Db5:3 | Eb5:3 | Db5:3 | C5:1.5 Ab4:1.5 | Eb5:3 | C5:1.5 Eb5:1.5 | C5:3 | Eb5:1.5 r:1.5",
        72,
        legato=1.0,
    )
    box.line(
        sky.start,
        "r:3 | r:3 | r:1.5 G5:.5 Bb5:.5 D6:.5 | r:3 | r:3 | r:3 | r:3 | r:1.5 D6:.5 F6:.5 G6:.5 |"
        "r:3 | r:3 | r:1.5 F5:.5 Bb5:.5 Db6:.5 | r:1.5 C6:.5 Eb6:.5 Ab6:.5 | r:3 | r:3 | r:3 | r:3",
        72,
    )
    recorder.line(final.start, _TUNE + "Bb4:1 D5:.5 F5:1.5 | Bb5:1.5 r:1.5", 88, arc=12)
    box.line(final.start, _TUNE + "Bb4:1 D5:.5 F5:1.5 | Bb5:1.5 r:1.5", 68, arc=12, transpose=12)
    oboe.line(
        final.start,
        "r:3 | Bb4:1.5 D5:1.5 | D5:3 | D5:1.5 F5:1.5 | Eb5:1.5 Bb4:1.5 |"
        "C5:1.5 Eb5:1.5 | C5:1.5 Bb4:1.5 | C5:1.5 Eb5:1.5 |"
        "D5:1.5 F5:1.5 | Eb5:1.5 Bb5:1.5 | G5:1.5 Eb5:1.5 | F5:1.5 D5:1.5 |"
        "Eb5:1.5 Bb4:1.5 | C5:1.5 Eb5:1.5 | D5:3 | D5:1.5 r:1.5",
        70,
        legato=1.0,
    )
    pipes.line(
        final.bar(9),
        "D5:.5 F5:.5 Bb5:.5 F5:1.5 | r:3 | r:3 | D5:.5 F5:.5 A5:.5 F5:1.5 |"
        "r:3 | r:3 | D5:.5 F5:.5 Bb5:.5 D6:1.5 | F5:1.5 r:1.5",
        70,
    )
    recorder.line(
        coda.start,
        "G5:1.5 D6:1 C6:.5 | A5:3 | G5:1.5 Bb5:1 D5:.5 | C5:1.5 F5:1.5 | D5:1 F5:.5 C6:1.5 | Bb5:3",
        80,
        arc=2,
    )
    oboe.line(
        coda.start, "D5:3 | C5:3 | Bb4:1.5 G4:1.5 | Bb4:1.5 Eb5:1.5 | D5:3 | D5:3", 66, arc=0, legato=1.0
    )
    box.line(coda.bar(4), "r:3 | r:1.5 C6:.5 D6:.5 F6:.5 | Bb6:1.5 F6:.5 D6:1", 68)
    for player in (recorder, pipes, oboe):
        player.swell(
            (0, 0.9), (a.bar(10), 1), (again.start, 0.9), (again.bar(11), 1), (b.start, 0.88), (b.bar(13), 1),
            (short.start, 0.9), (sky.bar(10), 1), (final.start, 0.95), (coda.start, 0.9), (last, 0.75),
            (form.end, 0.25),
        )  # fmt: skip
    glissando(harp, last, pitches("Bb3 F4 Bb4 C5 D5 F5 Bb5 C6 D6 F6"), 1.4, (66, 58), ring=3)

    bar_in_four = "." * 18
    groove(small, a.start, 16, {"triangle": "x....." + bar_in_four}, 58, step=0.5)
    groove(
        small, again.start, 16, {"triangle": "x....." + bar_in_four, "mute triangle": "...o.o"}, 58, step=0.5
    )
    groove(small, b.start, 16, {"mute triangle": "..oo.o", "triangle": "x....." + bar_in_four}, 58, step=0.5)
    groove(small, sky.start, 16, {"triangle": "x....." + bar_in_four}, 58, step=0.5)
    groove(small, final.start, 16, {"triangle": "x.....", "mute triangle": "..oo.o"}, 60, step=0.5)
    groove(small, last, 1, {"triangle": "x....."}, 52, step=0.5)

    piece.slow_down(sky.bar(15), final.start, 0.88)
    piece.in_time(final.start)
    piece.slow_down(coda.bar(4), last + 2, 0.75)
    piece.end_beat = form.end
    return piece
