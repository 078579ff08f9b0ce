# SPDX-License-Identifier: Apache-2.0
"""A happy piece: a small street band in F, clarinet and trumpet over a strolling tuba."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..notation import pitch
from ..patterns import bass, comp, groove
from ..score import Piece

_STROLL = "F:4 | D7:4 | G7:4 | C7:4 | F:2 F7:2 | Bb:2 Bbm6:2 |"
_OPEN = _STROLL + "F/C:2 D7:2 | G7:2 C7:2"
_CLOSED = _STROLL + "F/C:2 C7:2 | F:4"
_MIDDLE = "A7:4 | A7:4 | Dm:4 | Dm:4 | G7:4 | G7:4 | C7:4 | C7:4"
_IN_G = "G:4 | E7:4 | A7:4 | D7:4 | G:2 G7:2 | C:2 Cm6:2 | G/D:2 D7:2 | G:4"

_HEAD = (
    "C5:.5 D5:.5 F5:1 A5:.5 F5:.5 D5:1 | F#5:1.5 D5:.5 A4:1 C5:1 |"
    "B4:.5 D5:.5 F5:1 D5:.5 B4:.5 G4:1 | E5:1.5 C5:.5 G4:1 r:1 |"
    "A4:.5 C5:.5 F5:1 Eb5:.5 C5:.5 A4:1 | D5:1 Bb4:1 Db5:1 Bb4:1 |"
)
_TUNE = _HEAD + "C5:.5 A4:.5 C5:1 D5:.5 F#5:.5 A5:1 | G5:.5 F5:.5 D5:1 E5:.5 D5:.5 C5:1"
_TUNE_CLOSED = _HEAD + "C5:.5 A4:.5 C5:1 E5:.5 D5:.5 C5:1 | F5:1 r:1 F5!:1 r:1"
_MARCH = (
    "C#5:1 E5:1 G5:1 E5:1 | A5:1.5 G5:.5 E5:2 | F5:1 D5:1 A4:1 D5:1 | F5:1.5 E5:.5 D5:2 |"
    "B4:1 D5:1 F5:1 D5:1 | G5:1.5 F5:.5 D5:2 |"
    "E5:.5 F5:.5 E5:.5 D5:.5 C5:1 Bb4:1 | G4:.5 A4:.5 Bb4:.5 C5:.5 D5:.5 E5:.5 G5:1"
)


def compose() -> Piece:
    """Intro 8, A 8, A 8, B 8, A 8, break 4, clarinet 16, B' 8, A' 8, lift 4 bars;
    in G: A'' 8, A'' 8, coda 8 bars.
    """
    piece = Piece(
        name="happy_long_2",
        title="Bicycle Bells",
        mood="happy",
        genre="Jazz",
        key="F major",
        tempo_bpm=132,
        tags=("fast", "major", "duple", "swung", "drums"),
        swing=0.63,
        swing_unit=0.5,
        room=0.35,
        ring_s=1.6,
    )
    piano = piece.part("piano", volume=112, pan=50, reverb=30, timing_ms=6)
    banjo = piece.part("banjo", volume=92, pan=92, reverb=25, timing_ms=5)
    tuba = piece.part("tuba", volume=112, pan=64, reverb=20, timing_ms=7)
    kit = piece.part("drum kit", volume=104, pan=66, reverb=25, timing_ms=4)
    clarinet = piece.part("clarinet", volume=76, pan=44, reverb=40, timing_ms=9)
    trumpet = piece.part("trumpet", volume=100, pan=76, reverb=40, timing_ms=9)
    trombone = piece.part("trombone", volume=84, pan=84, reverb=40, timing_ms=10, lag_ms=4)
    bells = piece.part("glockenspiel", volume=98, pan=58, reverb=45, timing_ms=6)

    form = Form(piece.beats_per_bar)
    intro = form.section("F:4 | D7:4 | G7:4 | C7:4 | F:2 F7:2 | Bb:2 Bbm6:2 | G7:2 C7:2 | F:2 C7:2")
    a = form.section(_OPEN)
    a2 = form.section(_CLOSED)
    b = form.section(_MIDDLE)
    a3 = form.section(_CLOSED)
    stop = form.section("F:4 | F:4 | C7:4 | C7:4")
    solo = form.section(f"{_OPEN} | {_CLOSED}")
    b2 = form.section(_MIDDLE)
    a4 = form.section(_CLOSED)
    lift = form.section("F:4 | A7:4 | D7:4 | D7:4")
    final = form.section(_IN_G)
    final2 = form.section(_IN_G)
    coda = form.section("C:4 | Cm6:4 | G/D:4 | E7:4 | A7:4 | D7:4 | G:2 C:2 | G:4")
    last = coda.bar(8)
    whole = form.changes

    # Stride: the tuba on one and three, the chords on two and four.
    chords = voice_lead(whole, 4, 55, 72)
    strings = voice_lead(whole, 3, 60, 75)
    comp(piano, intro.of(chords), "..x-..x.", 66, step=0.5)
    comp(piano, a.to(b).of(chords), "..x...x.", 66, step=0.5)
    comp(piano, a3.of(chords), "..x..ox.", 68, step=0.5)
    comp(piano, solo.of(chords), "..x...x.|..x..xx.", 66, step=0.5)
    comp(piano, b2.to(a4).of(chords), "..x...x.", 70, step=0.5)
    comp(piano, lift.of(chords), "x-..x-..", 68, step=0.5, grow=(0.9, 1.15))
    comp(piano, final.to(final2).of(chords), "..x..ox.", 72, step=0.5)
    comp(piano, coda.part(1, 6).of(chords), "..x...x.", 72, step=0.5)
    for section in (a2, a3, solo.part(9, 16), final, final2, coda.part(1, 6)):
        comp(banjo, section.of(strings), "o.x.o.x.", 62, step=0.5)
    comp(banjo, b2.of(strings), "xoxxxoxx", 60, step=0.5)

    bass(tuba, intro.part(5, 8).of(whole), "r-..5-..", 82, low=29, step=0.5)
    bass(tuba, a.to(a3).of(whole), "r-..5-..", 84, low=29, step=0.5)
    bass(tuba, solo.part(1, 8).of(whole), "r-..5-a.", 82, low=29, step=0.5)
    bass(tuba, solo.part(9, 16).of(whole), "r.r.5.a.", 84, low=29, step=0.5)
    bass(tuba, b2.to(a4).of(whole), "r-..5-..", 86, low=29, step=0.5)
    bass(tuba, lift.of(whole), "r-..r-..", 86, low=29, step=0.5)
    bass(tuba, final.to(final2).of(whole), "r-..5-a.", 90, low=29, step=0.5)
    bass(tuba, coda.part(1, 6).of(whole), "r-..5-a.", 90, low=29, step=0.5)

    walk = {"kick": "x...x...", "side stick": "..x...x.", "ride": "x.xox.xo"}
    street = {"kick": "x...x...", "snare": "..x...xo", "ride": "x.xox.xo", "pedal hat": "..x...x."}
    parade = {"kick": "x...x..o", "snare": "o.xoo.xo", "closed hat": "x.x.x.x."}
    fill = {"kick": "x...x...", "snare": "x.xox.xx", "open hat": "......x."}
    groove(kit, intro.bar(5), 4, {"pedal hat": "..x...x.", "side stick": "......xo"}, 68, step=0.5)
    groove(kit, a.start, 7, walk, 72, step=0.5)
    groove(kit, a2.start, 7, walk, 74, step=0.5)
    groove(kit, b.start, 7, parade, 76, step=0.5)
    groove(kit, a3.start, 8, street, 78, step=0.5)
    groove(kit, stop.start, 4, {"side stick": "x......." + "." * 8, "ride": "..o...oo"}, 84, step=0.5)
    groove(kit, solo.start, 8, walk, 72, step=0.5)
    groove(kit, solo.bar(9), 7, street, 78, step=0.5)
    groove(kit, b2.start, 7, parade, 78, step=0.5)
    groove(kit, a4.start, 8, street, 80, step=0.5)
    groove(kit, lift.start, 4, {"kick": "x...x...", "snare": "o.o.xoxx"}, 76, step=0.5, grow=(0.85, 1.15))
    groove(kit, final.start, 7, street, 80, step=0.5)
    groove(kit, final2.start, 7, {**street, "clap": "..x...x."}, 84, step=0.5)
    groove(kit, coda.start, 6, {**street, "clap": "..x...x."}, 84, step=0.5)
    for start in (a.bar(8), a2.bar(8), b.bar(8), solo.bar(16), b2.bar(8), final.bar(8), final2.bar(8)):
        groove(kit, start, 1, fill, 78, step=0.5)
    for start in (a3.start, a4.start, final.start, final2.start):
        kit.note(start, 2, 49, 76)

    # Bells ring the band out of the door.
    bells.line(
        intro.start,
        "C6:1 A5:1 C6:1 A5:1 | F#5:1 A5:1 C6:1 A5:1 |"
        "D6:1 B5:1 F5:1 G5:1 | E5:.5 G5:.5 Bb5:.5 C6:.5 E6:1 r:1 |"
        "r:4 | r:4 | r:4 | r:2 E6:.5 C6:.5 G5:1",
        80,
    )
    clarinet.line(
        intro.bar(5),
        "A4:.5 C5:.5 F5:1 Eb5:.5 C5:.5 A4:1 | D5:1 Bb4:1 Db5:1 Bb4:1 |"
        "B4:.5 D5:.5 F5:1 E5:.5 D5:.5 C5:1 | F5:1 r:1 G4:.5 A4:.5 Bb4:1",
        82,
    )
    clarinet.line(a.start, _TUNE, 84, legato=0.85)
    clarinet.line(a2.start, _TUNE_CLOSED, 86, arc=12, legato=0.85)
    trumpet.line(
        a2.start,
        "r:3 C5:1 | r:3 F#4:.5 A4:.5 | r:3 B4:1 | G4:.5 Bb4:.5 C5:1 r:2 |"
        "r:2 A4:1 F4:1 | F4:1 D4:1 F4:1 G4:1 | A4:1 F4:1 G4:1 Bb4:1 | A4:1 r:1 A4!:1 r:1",
        76,
        legato=0.8,
    )
    trumpet.line(b.start, _MARCH, 88, arc=12, legato=0.82)
    trombone.line(
        b.start,
        "A3:2 G3:2 | C#4:1 A3:1 G3:2 | F3:2 A3:2 | D4:1 A3:1 F3:2 |"
        "G3:2 B3:2 | D4:1 B3:1 F3:2 | E3:2 G3:2 | C4:1 Bb3:1 G3:2",
        74,
    )
    clarinet.line(
        b.start,
        "r:4 | r:2 C#5:.5 E5:.5 G5:1 | r:4 | r:2 A5:.5 F5:.5 D5:1 | r:4 | r:2 D5:.5 F5:.5 B5:1 | r:4 | r:4",
        74,
    )
    clarinet.line(
        a3.start,
        "r:1 A5:1 C6:1 A5:1 | A5:.5 F#5:.5 D5:1 A5:2 | B5:1 G5:.5 F5:.5 D5:2 | r:1 Bb5:.5 G5:.5 E5:1 C5:1 |"
        "F5:1 A5:1 C6:1 A5:1 | Bb5:1 F5:1 G5:1 Db5:1 | C5:1 F5:1 G5:1 E5:1 | F5:1 r:1 A5!:1 r:1",
        80,
        legato=0.85,
    )
    bells.line(a3.start, _TUNE_CLOSED, 66, transpose=12)
    trumpet.line(a3.start, _TUNE_CLOSED, 86, legato=0.82)
    trombone.line(
        a3.start,
        "F3:2 A3:2 | F#3:2 C4:2 | B3:2 F3:2 | E3:2 Bb3:2 |"
        "A3:2 Eb3:2 | D3:2 Db3:2 | C3:2 E3:2 | F3:1 r:1 F3!:1 r:1",
        76,
    )
    # The band stops; the bells do not.
    bells.line(
        stop.start,
        "r:1 A5:.5 C6:.5 F6:.5 C6:.5 A5:1 | r:1 F5:.5 A5:.5 C6:1 r:1 |"
        "r:1 Bb5:.5 C6:.5 E6:.5 C6:.5 Bb5:1 | r:4",
        96,
    )
    comp(piano, stop.of(chords), "x-......|........", 84, step=0.5)
    clarinet.line(stop.bar(4), "C5:.5 D5:.5 E5:.5 G5:.5 Bb5:.5 A5:.5 G5:.5 E5:.5", 84)
    clarinet.line(
        solo.start,
        "F5:1.5 A5:.5 C6:.5 A5:.5 F5:.5 D5:.5 | F#5:.5 A5:.5 C6:1 A5:.5 F#5:.5 D5:1 |"
        "F5:.5 D5:.5 B4:.5 D5:.5 G5:1 F5:.5 D5:.5 | E5:.5 G5:.5 Bb5:1 G5:.5 E5:.5 C5:1 |"
        "r:.5 C5:.5 F5:.5 A5:.5 C6:.5 A5:.5 Eb5:1 | D5:.5 F5:.5 Bb5:1 Db5:.5 F5:.5 G5:1 |"
        "A5:.5 C6:.5 A5:.5 F5:.5 F#5:.5 A5:.5 C6:1 | B5:.5 G5:.5 F5:.5 D5:.5 E5:.5 G5:.5 Bb5:1",
        86,
        arc=14,
        legato=0.9,
    )
    clarinet.line(
        solo.bar(9),
        "A5:.5 F5:.5 C5:.5 F5:.5 A5:1 C6:1 | C6:1.5 A5:.5 F#5:.5 D5:.5 A4:1 |"
        "B4:.5 D5:.5 G5:.5 B5:.5 D6:1 B5:1 | Bb5:1.5 G5:.5 E5:.5 C5:.5 G4:1 |"
        "A4:.5 C5:.5 F5:.5 A5:.5 C6:.5 Eb6:.5 C6:1 | D6:1 Bb5:1 Db6:1 Bb5:1 |"
        "C6:.5 A5:.5 F5:.5 A5:.5 G5:.5 E5:.5 C5:1 | F5:1 r:1 F5!:1 r:1",
        88,
        arc=14,
        legato=0.9,
    )
    trombone.line(
        solo.bar(9),
        "F3:1 r:1 C4:1 r:1 | D4:1 r:1 C4:1 A3:1 | B3:1 r:1 G3:1 r:1 | Bb3:1 G3:1 E3:1 r:1 |"
        "F3:1 r:1 Eb3:1 r:1 | D3:2 Db3:2 | C3:2 E3:2 | F3:1 r:1 F3!:1 r:1",
        76,
        legato=0.85,
    )
    bells.line(solo.bar(5), "r:4 | r:4 | r:4 | r:2 C6:.5 E6:.5 r:1", 70)
    trombone.line(b2.start, _MARCH, 90, arc=12, legato=0.85, transpose=-12)
    bells.line(
        b2.start,
        "r:4 | r:2 G5:.5 A5:.5 C#6:1 | r:4 | r:2 A5:.5 D6:.5 F6:1 | r:4 | r:2 B5:.5 D6:.5 G6:1 | r:4 | r:4",
        72,
    )
    trumpet.line(
        b2.start,
        "r:4 | r:2 E5:1 C#5:1 | r:4 | r:2 D5:1 F5:1 | r:4 | r:2 D5:1 B4:1 | G4:1 Bb4:1 C5:1 E5:1 | r:4",
        76,
        legato=0.8,
    )
    trumpet.line(
        a4.start,
        "C5:.5 F5:.5 A5:1 F5:.5 D5:.5 C5:1 | D5:.5 F#5:.5 A5:1 C5:.5 A4:.5 F#4:1 |"
        "B4:.5 D5:.5 F5:1 G5:.5 F5:.5 D5:1 | E5:1.5 C5:.5 Bb4:1 r:1 |"
        "A4:.5 C5:.5 F5:1 Eb5:.5 C5:.5 A4:1 | D5:.5 F5:.5 Bb4:1 Db5:.5 F5:.5 Bb4:1 |"
        "C5:.5 A4:.5 C5:1 E5:.5 D5:.5 C5:1 | F5:1 r:1 F5!:1 r:1",
        88,
        arc=12,
        legato=0.85,
    )
    clarinet.line(
        a4.start,
        "A5:2 C6:2 | C6:2 A5:2 | D6:2 B5:2 | Bb5:1 G5:1 E5:2 |"
        "F5:2 A5:2 | F5:2 G5:2 | A5:2 G5:2 | F5:1 r:1 A5!:1 r:1",
        78,
    )
    trombone.line(
        lift.start,
        "F3:1 A3:1 C4:1 A3:1 | G3:1 A3:1 C#4:1 E4:1 | D4:1 C4:1 A3:1 F#3:1 | A3:1 C4:1 D4:2",
        84,
        arc=12,
    )
    bells.line(
        lift.start, "r:4 | r:4 | F#5:1 A5:1 C6:1 D6:1 | F#6:.5 D6:.5 C6:.5 A5:.5 F#5:.5 A5:.5 D6:1", 78
    )
    clarinet.line(lift.bar(3), "r:4 | A4:.5 C5:.5 D5:.5 F#5:.5 A5:.5 C6:.5 D6:1", 82)

    # A tone higher, everybody at once.
    trumpet.line(final.start, _TUNE_CLOSED, 86, legato=0.82, transpose=2)
    clarinet.line(
        final.start,
        "B5:2 D6:2 | D6:2 B5:2 | C#6:2 G5:2 | C6:1 A5:1 F#5:2 |"
        "D6:2 B5:2 | G5:2 A5:2 | B5:2 A5:2 | G5:1 r:1 B5!:1 r:1",
        76,
    )
    bells.line(final.start, _TUNE_CLOSED, 66, transpose=14)
    lead = (
        "D5:.5 E5:.5 G5:1 B5:.5 G5:.5 E5:1 | G#5:.5 B5:.5 D6:1 B5:1 G#5:1 |"
        "C#5:.5 E5:.5 G5:1 A5:.5 G5:.5 E5:1 | F#5:1.5 D5:.5 A4:1 r:1 |"
        "B4:.5 D5:.5 G5:1 F5:.5 D5:.5 B4:1 | E5:1 C5:1 Eb5:1 G5:1 |"
        "D5:.5 B4:.5 D5:1 F#5:.5 E5:.5 D5:1 | G5:1 r:1 G5!:1 r:1"
    )
    trumpet.line(final2.start, lead, 88, arc=12, legato=0.82)
    clarinet.line(
        final2.start,
        "B5:1 D6:1 B5:1 G5:1 | B5:1 G#5:1 E5:1 D5:1 |"
        "E5:1 A5:1 C#6:1 A5:1 | A5:.5 F#5:.5 D5:.5 F#5:.5 A5:1 C6:1 |"
        "B5:1 D6:1 B5:1 F5:1 | G5:1 E5:1 G5:1 C6:1 | B5:1 G5:1 A5:1 F#5:1 | B5:1 r:1 D6!:1 r:1",
        82,
        legato=0.85,
    )
    for section in (final, final2):
        trombone.line(
            section.start,
            "G3:2 B3:2 | G#3:2 D4:2 | C#4:2 G3:2 | F#3:2 C4:2 |"
            "B3:2 F3:2 | E3:2 Eb3:2 | D3:2 F#3:2 | G3:1 r:1 G3!:1 r:1",
            78,
        )
    bells.line(
        final2.start,
        "r:4 | r:4 | r:4 | r:2 A5:.5 C6:.5 D6:1 | r:4 | r:4 | r:4 | r:1 D6:.5 B5:.5 G6:1 r:1",
        72,
    )
    trumpet.line(
        coda.start,
        "E5:1 G5:.5 E5:.5 C5:1 E5:1 | Eb5:1 G5:.5 Eb5:.5 C5:1 A4:1 |"
        "D5:1 G5:.5 D5:.5 B4:2 | E5:.5 G#5:.5 B5:1 G#5:1 E5:1 |"
        "C#5:.5 E5:.5 G5:1 E5:1 C#5:1 | D5:.5 F#5:.5 A5:1 C5:1 F#5:1 |"
        "G5:1 D5:1 E5:.5 G5:.5 C5:1 | B4:.5 r:.5 D5:.5 r:.5 G5!:1 r:1",
        90,
        arc=6,
        legato=0.85,
    )
    clarinet.line(
        coda.start,
        "G5:2 E5:2 | G5:2 Eb5:2 | B5:2 G5:2 | B5:2 G#5:2 | A5:2 C#6:1 A5:1 | A5:1 C6:1 D6:1 C6:1 |"
        "B5:2 C6:2 | D6:.5 r:.5 B5:.5 r:.5 D6!:1 r:1",
        80,
        arc=6,
    )
    trombone.line(
        coda.start,
        "C4:2 G3:2 | C4:2 A3:2 | B3:2 D4:2 | D4:2 B3:2 | C#4:2 A3:2 |"
        "C4:2 A3:2 | B3:2 G3:2 | D4:.5 r:.5 B3:.5 r:.5 G3!:1 r:1",
        76,
        arc=6,
    )
    bells.line(coda.bar(7), "r:2 E6:.5 C6:.5 G5:1 | D6:1 B5:1 G6:1 r:1", 78)

    bass(tuba, coda.part(7, 7).of(whole), "r-..r-..", 90, low=29, step=0.5)
    comp(piano, coda.part(7, 7).of(chords), "..x...x.", 74, step=0.5)
    comp(piano, coda.part(8, 8).of(chords), "x.x.x---", 82, step=0.5)
    comp(banjo, coda.part(8, 8).of(strings), "x.x.x---", 66, step=0.5)
    for beat_at, velocity in ((0, 92), (1, 88), (2, 96)):
        tuba.note(last + beat_at, 1.5 if beat_at == 2 else 0.45, pitch("G1"), velocity)
    groove(kit, coda.bar(7), 1, {"kick": "x...x...", "snare": "..x.x.xx"}, 84, step=0.5)
    groove(kit, last, 1, {"kick": "X.x.X...", "snare": "x.x.X...", "crash": "....x..."}, 82, step=0.5)

    piece.end_beat = form.end
    return piece
