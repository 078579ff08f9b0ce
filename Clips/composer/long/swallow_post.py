# SPDX-License-Identifier: Apache-2.0
"""A light piece: a hopping tune for flute over pizzicato strings, a bassoon walking below, in A."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..notation import pitches
from ..patterns import bass, comp, glissando, groove, pick, sustain
from ..score import Piece

_HOP = "A:4 | F#m7:4 | Bm7:4 | E7:4 | A/C#:4 | D:4 | Bm7:2 E7:2 |"
_GLIDE = "D:4 | A/C#:4 | Bm7:4 | A:4 | D:4 | B7/D#:4 |"

_TUNE = (
    "E5:.5 A5:.25 B5:.25 C#6:.5 A5:.5 E5:.5 C#5:.5 E5:1 |"
    "C#5:.5 F#5:.25 G#5:.25 A5:.5 F#5:.5 C#5:.5 E5:.5 C#5:1 |"
    "D5:.5 F#5:.25 A5:.25 B5:.5 A5:.5 F#5:.5 D5:.5 F#5:1 |"
    "E5:.5 G#5:.5 B5:1 A5:.25 G#5:.25 F#5:.5 E5:.5 r:.5 |"
    "E5:.5 A5:.25 B5:.25 C#6:.5 A5:.5 E5:.5 A5:.5 C#6:1 | D6:.5 A5:.5 F#5:.5 A5:.5 D6:.5 B5:.5 A5:1 |"
    "F#5:.5 D5:.5 B4:.5 D5:.5 G#5:.5 E5:.5 B5:1 |"
)
_TURNED = (
    "C#6:.5 B5:.25 A5:.25 E5:.5 A5:.5 C#6:.5 E6:.5 C#6:1 |"
    "A5:.5 G#5:.25 F#5:.25 C#5:.5 F#5:.5 A5:.5 C#6:.5 A5:1 |"
    "B5:.5 A5:.25 F#5:.25 D5:.5 F#5:.5 B5:.5 D6:.5 B5:1 |"
    "G#5:.5 B5:.5 E6:1 D6:.25 C#6:.25 B5:.5 G#5:.5 r:.5 |"
    "A5:.5 C#6:.5 E6:.5 C#6:.5 A5:.5 E5:.5 A5:1 | F#5:.5 A5:.5 D6:.5 A5:.5 F#5:.5 A5:.5 D6:1 |"
    "B5:.5 D6:.5 B5:.5 F#5:.5 G#5:.5 B5:.5 E6:1 |"
)
_SONG = (
    "F#5:1.5 E5:.5 D5:1 A4:1 | E5:1.5 C#5:.5 A4:2 | D5:1.5 C#5:.5 B4:1 F#4:1 | C#5:1 B4:1 A4:2 |"
    "F#5:1.5 G#5:.5 A5:1 F#5:1 | F#5:1 A5:1 D#5:2 |"
)


def compose() -> Piece:
    """Intro 4, A 16, B 16, A' 8, a celesta's excursion to C 12, A'' 16, coda 8 bars."""
    piece = Piece(
        name="light_long_1",
        title="Swallow Post",
        mood="light",
        genre="Chamber Music",
        key="A major",
        tempo_bpm=104,
        tags=("medium", "major", "duple", "orchestra"),
        room=0.55,
        ring_s=1.8,
    )
    plucked = piece.part("pizzicato strings", volume=108, pan=54, reverb=45, timing_ms=6)
    bassoon = piece.part("bassoon", volume=92, pan=82, reverb=45, timing_ms=9)
    flute = piece.part("flute", volume=92, pan=66, reverb=60, timing_ms=10, lag_ms=4)
    clarinet = piece.part("clarinet", volume=76, pan=50, reverb=55, timing_ms=10)
    harp = piece.part("harp", volume=106, pan=40, reverb=55, timing_ms=7)
    celesta = piece.part("celesta", volume=108, pan=90, reverb=60, timing_ms=7)
    bells = piece.part("glockenspiel", volume=92, pan=96, reverb=55, timing_ms=6)
    strings = piece.part("strings", volume=92, pan=58, reverb=60, timing_ms=8)
    small = piece.part("drum kit", volume=104, pan=76, reverb=45, timing_ms=5)

    form = Form(piece.beats_per_bar)
    intro = form.section("A:4 | D/A:4 | A:4 | E7:4")
    a = form.section(_HOP + "E7:4 |" + _HOP + "A:4")
    b = form.section(_GLIDE + "E7sus:4 | E7:4 |" + _GLIDE + "Bm7:2 E7:2 | A:4")
    again = form.section(_HOP + "A:4")
    away = form.section(
        "F:4 | C/E:4 | Dm7:4 | C:4 | F:4 | C/E:4 | Dm7:4 | G7sus:4 | Bm7:4 | Bm7:4 | E7sus:4 | E7:4"
    )
    final = form.section(_HOP + "E7:4 |" + _HOP + "A:4")
    coda = form.section("D:4 | A/C#:4 | Bm7:4 | A:4 | D:4 | Dm6:4 | Bm7:2 E7:2 | A:4")
    last = coda.bar(8)
    whole = form.changes

    upper = voice_lead(whole, 3, 59, 76)
    comp(plucked, intro.of(upper), "..x...xo", 76, step=0.5)
    comp(plucked, a.of(upper), "..x...xo", 70, step=0.5)
    comp(plucked, b.of(upper), "..x.o.x.", 64, step=0.5)
    comp(plucked, again.of(upper), "..x...xo", 72, step=0.5)
    comp(plucked, final.of(upper), "..x...xo|..x.o.xo", 74, step=0.5)
    comp(plucked, coda.part(1, 6).of(upper), "..x.o.x.", 68, step=0.5)
    bass(plucked, intro.to(a).of(whole), "r.5.", 84, low=40, step=1.0, legato=0.4)
    bass(plucked, b.of(whole), "r-..5-..", 80, low=40, step=0.5, legato=0.5)
    bass(plucked, again.of(whole), "r.5.", 86, low=40, step=1.0, legato=0.4)
    bass(plucked, away.of(whole), "r-......", 76, low=40, step=0.5, legato=0.9)
    bass(plucked, final.of(whole), "r.5.", 88, low=40, step=1.0, legato=0.4)
    bass(plucked, coda.part(1, 6).of(whole), "r-..5-..", 80, low=40, step=0.5, legato=0.5)
    broken = voice_lead(whole, 4, 53, 74)
    pick(harp, b.of(broken), "01234321", 72, ring=1.5, grow=(0.94, 1.06))
    pick(harp, away.of(broken), "0-2-3-5-4-3-2-1-", 74, step=0.25, ring=1.5)
    pick(harp, coda.part(1, 6).of(broken), "01234321", 72, ring=1.5, grow=(1, 0.92))
    sustain(strings, b.part(9, 16).of(voice_lead(whole, 3, 62, 79)), 66)
    sustain(strings, away.of(voice_lead(whole, 3, 60, 77)), 66)
    sustain(strings, final.part(9, 16).to(coda).of(voice_lead(whole, 3, 64, 81)), 66)
    strings.swell(
        (0, 0), (b.bar(9), 0.4), (b.bar(15), 0.85), (b.end, 0.5), (away.start, 0.55), (away.bar(8), 0.8),
        (away.end, 0.9), (final.bar(9), 0.45), (final.end, 0.75), (coda.bar(6), 0.8), (last, 0.6),
        (form.end, 0.2),
    )  # fmt: skip
    for start in (b.start - 1, final.start - 1):
        glissando(harp, start, pitches("E4 F#4 G#4 A4 B4 C#5 D5 E5 F#5 G#5 A5 B5"), 0.95, (48, 72))

    # The bassoon strolls through the tune, and has the song's second half.
    stroll = "A2:.5 r:.5 E3:.5 r:.5 A3:.5 r:.5 C#3:.5 r:.5 | F#2:.5 r:.5 C#3:.5 r:.5 E3:.5 r:.5 C#3:.5 r:.5 |"
    stroll += "B2:.5 r:.5 F#3:.5 r:.5 A3:.5 r:.5 F#3:.5 r:.5 | E3:.5 r:.5 D3:.5 r:.5 B2:.5 r:.5 G#2:.5 r:.5 |"
    stroll += "C#3:.5 r:.5 E3:.5 r:.5 A3:.5 r:.5 E3:.5 r:.5 | D3:.5 r:.5 F#3:.5 r:.5 A3:.5 r:.5 F#3:.5 r:.5 |"
    stroll += "B2:.5 r:.5 D3:.5 r:.5 E3:.5 r:.5 G#2:.5 r:.5 | A2:.5 r:.5 E3:.5 r:.5 A2:1 r:1"
    for start in (a.bar(9), again.start, final.bar(9)):
        bassoon.line(start, stroll, 76, arc=4)
    bells.line(intro.start, "r:2 E6:.5 C#6:.5 A5:1 | r:2 F#6:.5 D6:.5 A5:1 | r:2 E6:.5 C#6:.5 A5:1 | r:4", 76)
    clarinet.line(
        intro.bar(3), "r:1 A4:.5 C#5:.5 E5:1 r:1 | E4:.5 G#4:.5 B4:.5 D5:.5 E5:1 r:1", 78, legato=0.75
    )
    flute.line(a.start, _TUNE + "E5:1.5 D5:.5 B4:1 r:1", 84, legato=0.82)
    flute.line(a.bar(9), _TURNED + "A5:1 E5:.5 C#5:.5 A4:1 r:1", 86, arc=12, legato=0.82)
    clarinet.line(
        a.bar(9),
        "r:4 | r:3 C#5:.5 E5:.5 | r:4 | r:3 G#4:.5 B4:.5 | r:4 |"
        "r:2 F#4:.5 A4:.5 D5:1 | r:4 | r:1 E5:.5 C#5:.5 A4:1 r:1",
        74,
        legato=0.75,
    )
    celesta.line(
        a.start, "r:4 | r:3 A5:.5 C#6:.5 | r:4 | r:3 B5:.5 G#5:.5 | r:4 | r:4 | r:4 | r:3 E6:.5 B5:.5", 70
    )

    clarinet.line(b.start, _SONG + "E5:1.5 F#5:.5 A5:2 | G#5:1.5 F#5:.5 E5:1 r:1", 84, arc=14)
    flute.line(
        b.start,
        "r:4 | r:2 E5:.5 A5:.5 C#6:1 | r:4 | r:2 E5:.5 A5:.5 C#6:1 |"
        "r:4 | r:2 F#5:1 B5:1 | A5:2 B5:1 A5:1 | B5:2 G#5:1 r:1",
        74,
    )
    bassoon.line(b.bar(9), _SONG + "D5:1 B4:1 G#4:1 E4:1 | A4:2 E4:1 r:1", 88, arc=14, transpose=-12)
    flute.line(
        b.bar(9),
        "A5:3 B5:1 | C#6:2 A5:2 | F#5:3 A5:1 | A5:2 E5:1 A5:1 |"
        "D6:3 A5:1 | B5:2 F#5:1 A5:1 | F#5:2 B5:2 | C#6:2 A5:1 r:1",
        76,
        arc=14,
    )
    clarinet.line(
        b.bar(9),
        "r:2 F#4:1 A4:1 | A4:2 E4:2 | F#4:2 D5:2 | C#5:2 A4:2 |"
        "A4:2 D5:2 | D#5:2 B4:2 | B4:2 E5:1 D5:1 | C#5:2 A4:1 r:1",
        68,
    )
    clarinet.line(again.start, _TUNE + "A5:1 E5:.5 C#5:.5 A4:1 r:1", 84, legato=0.8, transpose=-12)
    celesta.line(again.start, _TUNE + "A5:1 E5:.5 C#5:.5 A4:1 r:1", 74, legato=0.82)
    bells.line(again.start, "r:4 | r:4 | r:4 | r:3 r:.5 B5:.5 | r:4 | r:4 | r:4 | r:2 A5:.5 C#6:.5 E6:1", 70)

    # Up and away: C major, long breaths.
    celesta.line(
        away.start,
        "A5:1.5 C6:.5 F6:1 E6:.5 C6:.5 | G5:1.5 C6:.5 E6:2 | F6:1 E6:.5 D6:.5 A5:1 F5:1 | G5:1 E5:1 C6:2 |"
        "A5:1.5 C6:.5 F6:1 G6:1 | E6:1.5 D6:.5 C6:1 G5:1 | A5:1 C6:1 F6:1 D6:1 | C6:2 D6:1 r:1 |"
        "F#5:.5 B5:.5 D6:1 B5:1 A5:1 | F#5:.5 A5:.5 D6:1 F#6:1 D6:1 | E6:1 B5:1 A5:2 | G#5:1 B5:1 D6:1 r:1",
        86,
        arc=14,
    )
    flute.line(
        away.start,
        "r:4 | r:2 E5:1 G5:1 | A5:2 F5:2 | E5:2 G5:1 r:1 | r:4 | r:2 G5:1 C6:1 | A5:2 F5:2 | G5:2 F5:1 D5:1 |"
        "D5:2 F#5:2 | B5:2 A5:1 F#5:1 | A5:2 B5:2 | B5:1 G#5:1 E5:1 r:1",
        74,
    )
    bassoon.line(
        away.bar(5),
        "C3:2 F3:1 A3:1 | G3:2 E3:2 | D3:2 A3:1 F3:1 | D3:2 G3:2 |"
        "B3:2 F#3:2 | D3:2 B2:2 | E3:2 B3:1 A3:1 | G#3:1 E3:1 B2:1 r:1",
        72,
    )
    flute.line(final.start, _TUNE + "E5:1.5 D5:.5 B4:1 r:1", 88, legato=0.82)
    bells.line(final.start, _TUNE + "E5:1.5 D5:.5 B4:1 r:1", 66, legato=0.82, transpose=12)
    clarinet.line(
        final.start,
        "C#5:2 A4:2 | A4:2 C#5:2 | B4:2 D5:2 | B4:2 G#4:1 r:1 |"
        "C#5:2 E5:2 | D5:2 F#5:2 | D5:2 B4:2 | G#4:1 B4:1 E5:1 r:1",
        72,
    )
    flute.line(final.bar(9), _TURNED + "A5:1 E5:.5 C#5:.5 A4:1 r:1", 88, arc=12, legato=0.82)
    celesta.line(final.bar(9), _TUNE + "A5:1 E5:.5 C#5:.5 A4:1 r:1", 72, legato=0.82)
    clarinet.line(
        final.bar(9),
        "A4:1 r:1 A4:1 r:1 | A4:1 r:1 C#5:1 r:1 | B4:1 r:1 D5:1 r:1 | B4:1 r:1 G#4:1 r:1 |"
        "C#5:1 r:1 E5:1 r:1 | D5:1 r:1 F#5:1 r:1 | D5:1 r:1 B4:1 r:1 | C#5:1 r:1 A4:1 r:1",
        68,
        legato=0.6,
    )
    clarinet.line(
        coda.start,
        "F#5:1.5 E5:.5 D5:1 A4:1 | E5:1.5 C#5:.5 A4:2 | D5:1.5 C#5:.5 B4:1 F#4:1 | C#5:1 B4:1 A4:2",
        80,
    )
    flute.line(
        coda.start,
        "r:4 | r:2 E5:.5 A5:.5 C#6:1 | r:4 | r:2 E5:.5 A5:.5 C#6:1 |"
        "D6:1.5 C#6:.5 A5:1 F#5:1 | F5:1 A5:1 B5:2 |"
        "D6:.5 B5:.5 F#5:.5 B5:.5 G#5:.5 E5:.5 B5:1 | A5:.5 r:.5 E5:.5 r:.5 A5!:.5 r:1.5",
        82,
        arc=8,
        legato=0.9,
    )
    bassoon.line(
        coda.bar(5),
        "D3:2 A3:2 | D3:2 F3:2 | B2:1 D3:1 E3:1 G#2:1 | A2:.5 r:.5 E3:.5 r:.5 A2!:.5 r:1.5",
        78,
        arc=2,
    )
    bells.line(coda.bar(6), "r:2 F6:.5 A6:.5 r:1 | r:4 | C#6:1 E6:1 A6:2", 74)
    comp(plucked, coda.part(7, 7).of(upper), "..x...x.", 70, step=0.5)
    for start, names, velocity in ((0, "A2 A3", 76), (1, "E4 A4 C#5", 68), (2, "A2 A3 C#4 E4", 74)):
        for tone in pitches(names):
            plucked.note(last + start, 0.6, tone, velocity)
    glissando(harp, last + 2, pitches("A3 E4 A4 C#5 E5 A5 B5 C#6 E6 A6"), 0.8, (74, 60), ring=4)

    step = {"mute triangle": "..o...o.", "triangle": "x......." + "." * 24}
    groove(small, a.start, 16, step, 60, step=0.5)
    groove(small, b.start, 16, {"triangle": "x......." + "." * 8}, 58, step=0.5)
    groove(small, again.start, 8, {"mute triangle": "..o...oo", "shaker": "xoxoxoxo"}, 58, step=0.5)
    groove(small, away.start, 12, {"triangle": "x......." + "." * 24}, 58, step=0.5)
    groove(small, final.start, 16, {**step, "shaker": "xoxoxoxo"}, 62, step=0.5)
    groove(small, coda.start, 6, {"mute triangle": "..o...o."}, 58, step=0.5)
    groove(small, last, 1, {"triangle": "....x..."}, 64, step=0.5)

    piece.slow_down(away.bar(11), final.start, 0.88)
    piece.in_time(final.start)
    piece.slow_down(coda.bar(7), last + 2, 0.84)
    piece.end_beat = form.end
    return piece
