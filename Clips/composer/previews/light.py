# SPDX-License-Identifier: Apache-2.0
"""Two light pieces: a lydian waltz, and a walk on tiptoe with pizzicato strings."""

from __future__ import annotations

from ..harmony import between, progression, voice_lead
from ..notation import pitches
from ..patterns import bass, comp, glissando, groove, pick, sustain
from ..score import Piece


def paper_lanterns() -> Piece:
    """A waltz for flute, celesta and harp in F lydian.
    Intro 4, A 8, B 8, A' 8, coda 4 bars.
    """
    piece = Piece(
        name="light_preview_2",
        title="Paper Lanterns",
        mood="light",
        genre="Chamber Music",
        key="F lydian",
        tempo_bpm=112,
        beats_per_bar=3,
        room=0.65,
        ring_s=1.6,
    )
    harp = piece.part("harp", volume=112, pan=46, reverb=60, timing_ms=7)
    celesta = piece.part("celesta", volume=104, pan=82, reverb=65, timing_ms=8)
    flute = piece.part("flute", volume=92, pan=70, reverb=70, timing_ms=11, lag_ms=6)
    plucked = piece.part("pizzicato strings", volume=108, pan=58, reverb=50, timing_ms=7)
    strings = piece.part("slow strings", volume=94, pan=54, reverb=70, timing_ms=8)
    triangle = piece.part("orchestral percussion", volume=104, pan=90, reverb=60, timing_ms=4)

    intro, a, b, again, coda, last = (piece.bar(n) for n in (1, 5, 13, 21, 29, 32))
    changes = progression(
        "Fmaj7:3 | G/F:3 | Fmaj7:3 | G/F:3 |"
        "Fmaj7:3 | G/F:3 | Fmaj7:3 | G/F:3 | Am7:3 | Em7/G:3 | Fmaj9:3 | G:3 |"
        "Dm9:3 | Em7:3 | Fmaj7:3 | G:3 | Am7:3 | D9/F#:3 | Fmaj7:3 | G7sus:3 |"
        "Fmaj7:3 | G/F:3 | Fmaj7:3 | G/F:3 | Am7:3 | Em7/G:3 | Fmaj9:3 | C/E:3 |"
        "Fmaj7:3 | G/F:3 | Em7:3 | Fmaj9#11:3",
        intro,
        3,
    )
    chords = voice_lead(changes, 4, 57, 77)

    pick(harp, between(chords, intro, a), "012321", 76, ring=1.5, grow=(0.85, 1.05))
    pick(harp, between(chords, a, b), "0.2.3.", 74, ring=1.2)
    pick(harp, between(chords, b, again), "012345", 74, ring=1.5, grow=(0.95, 1.1))
    pick(harp, between(chords, again, coda), "012321", 76, ring=1.2)
    pick(harp, between(chords, coda, last), "012345", 70, ring=1.5, grow=(1, 0.85))
    for start in (b - 1.5, again - 1.5):
        run = pitches("G4 A4 B4 C5 D5 E5 F5 G5 A5 B5 C6 D6")
        glissando(harp, start, run, 1.4, (48, 74))

    bass(plucked, between(changes, a, b), "r-....", 82, low=41, step=0.5)
    comp(plucked, between(voice_lead(changes, 2, 65, 77), a, b), "..x-o-", 66, step=0.5)
    bass(plucked, between(changes, b, again), "r-..5-", 84, low=41, step=0.5)
    bass(plucked, between(changes, again, coda), "r-....", 84, low=41, step=0.5)
    comp(plucked, between(voice_lead(changes, 2, 65, 77), again, coda), "..x-o-", 70, step=0.5)
    bass(plucked, between(changes, coda, last), "r-....", 72, low=41, step=0.5, grow=(1, 0.85))
    plucked.note(last, 1, 41, 70)

    sustain(strings, between(voice_lead(changes, 3, 65, 81), b, last + 3), 64)
    strings.swell(
        (intro, 0),
        (b, 0.35),
        (b + 18, 0.95),
        (again, 0.55),
        (again + 15, 0.85),
        (coda, 0.6),
        (last + 3, 0.15),
    )

    # The tune opens the chord upwards and rests on the raised fourth, B.
    flute.line(
        a,
        "C5:1 E5:.5 A5:1.5 | B5:2 A5:.5 G5:.5 | A5:1.5 E5:.5 C5:1 | D5:2 r:1 |"
        "C5:1 E5:.5 A5:1.5 | B5:1 C6:.5 B5:.5 G5:1 | A5:1 G5:.5 E5:.5 G5:1 | D5:2 r:1",
        82,
    )
    celesta.line(a, "r:3 | r:3 | r:3 | r:1 B5:.5 D6:.5 G6:1 | r:3 | r:3 | r:3 | r:1 G5:.5 B5:.5 D6:1", 74)
    celesta.line(
        b,
        "F5:.5 D5:.5 F5:.5 A5:.5 C6:1 | G5:.5 E5:.5 G5:.5 B5:.5 D6:1 |"
        "A5:.5 F5:.5 A5:.5 C6:.5 E6:1 | D6:2 B5:1 |"
        "C6:1 B5:.5 A5:.5 E5:1 | F#5:1 A5:.5 C6:.5 E6:1 | E6:1 C6:1 A5:1 | B5:1.5 A5:.5 G5:1",
        86,
        arc=14,
    )
    flute.line(
        b, "r:3 | r:3 | r:3 | r:1 G5:1 F5:1 | E5:2 A5:1 | A5:2 F#5:1 | A5:1.5 G5:.5 F5:1 | D5:2 r:1", 74
    )
    flute.line(
        again,
        "C5:.5 D5:.5 E5:.5 A5:1.5 | B5:1.5 C6:.5 A5:.5 G5:.5 |"
        "A5:.5 B5:.5 A5:.5 E5:.5 C5:1 | D5:1 E5:.5 D5:1.5 |"
        "C5:.5 D5:.5 E5:.5 A5:1.5 | B5:1 D6:.5 B5:.5 G5:1 | A5:1 C6:.5 A5:.5 G5:1 | E5:2 r:1",
        86,
        arc=14,
    )
    celesta.line(
        again,
        "r:1.5 E6:.5 C6:1 | r:3 | r:1.5 C6:.5 E6:1 | r:2 G6:1 |"
        "r:1.5 E6:.5 C6:1 | r:3 | r:3 | r:1 G5:.5 C6:.5 E6:1",
        72,
    )
    flute.line(coda, "C5:1 E5:.5 A5:1.5 | B5:3 | G5:2 D5:1 | E5:3", 76, arc=4)
    celesta.line(coda, "r:3 | r:1 D6:1 B5:1 | r:3 | r:1 B5:.5 C6:.5 E6:1", 70)
    flute.swell(
        (intro, 0.85),
        (a, 0.85),
        (a + 16, 1),
        (b, 0.8),
        (again, 0.85),
        (again + 15, 1),
        (coda, 0.85),
        (last, 0.75),
        (last + 3, 0.3),
    )
    glissando(harp, last, pitches("F3 C4 E4 G4 A4 B4 E5 G5 B5"), 1.4, (66, 60), ring=3)

    groove(triangle, a, 8, {"triangle": "x....." + "." * 18}, 62, step=0.5)
    groove(triangle, b, 8, {"triangle": "x.....", "mute triangle": "..o.o."}, 60, step=0.5)
    groove(triangle, again, 8, {"triangle": "x.....", "mute triangle": "....o."}, 62, step=0.5)
    groove(triangle, last, 1, {"triangle": "x....."}, 54, step=0.5)

    piece.slow_down(coda + 3, last + 2, 0.72)
    piece.end_beat = last + 3
    return piece


def dew_steps() -> Piece:
    """A walk on tiptoe in D: pizzicato and clarinet; the oboe's bridge is in F.
    Intro 2, A 8, B 6, A' 4, ending 2 bars.
    """
    piece = Piece(
        name="light_preview_3",
        title="Dew Steps",
        mood="light",
        genre="Chamber Music",
        key="D major",
        tempo_bpm=104,
        room=0.5,
        ring_s=1.6,
    )
    plucked = piece.part("pizzicato strings", volume=106, pan=52, reverb=45, timing_ms=6)
    marimba = piece.part("marimba", volume=96, pan=84, reverb=45, timing_ms=6)
    clarinet = piece.part("clarinet", volume=86, pan=60, reverb=50, timing_ms=9)
    oboe = piece.part("oboe", volume=98, pan=74, reverb=55, timing_ms=9)
    bells = piece.part("glockenspiel", volume=100, pan=92, reverb=55, timing_ms=6)
    harp = piece.part("harp", volume=102, pan=40, reverb=50, timing_ms=7)
    strings = piece.part("strings", volume=106, pan=58, reverb=55, timing_ms=8)
    small = piece.part("drum kit", volume=104, pan=76, reverb=45, timing_ms=5)

    intro, a, b, again, ending, last = (piece.bar(n) for n in (1, 3, 11, 17, 21, 22))
    changes = progression(
        "D:4 | E/D:2 A7:2 |"
        "D:4 | A/C#:4 | Bm7:4 | G:4 | D/F#:4 | Em7:4 | A7sus:2 A7:2 | D:4 |"
        "F:4 | C/E:4 | Dm7:4 | Bbmaj7:4 | Gm7:4 | A7sus:2 A7:2 |"
        "D:4 | A/C#:4 | Bm7:4 | E9:4 |"
        "Em7:2 A7:2 | Dadd9:4",
        intro,
        4,
    )

    upper = voice_lead(changes, 3, 59, 76)
    bass(plucked, between(changes, intro, b), "r.5.", 84, low=38, step=1.0, legato=0.4)
    comp(plucked, between(upper, intro, b), "..x...xo", 68, step=0.5)
    bass(plucked, between(changes, b, again), "r-..5-..", 76, low=38, step=0.5, legato=0.5)
    bass(plucked, between(changes, again, last), "r.5.", 88, low=38, step=1.0, legato=0.4)
    comp(plucked, between(upper, again, last), "..x...xo", 72, step=0.5)
    pick(marimba, between(upper, a + 16, b), "0.1.2.10.12.1.2.", 68, step=0.25, ring=0)
    pick(marimba, between(upper, again, last), "0.121.210.121.21", 72, step=0.25, ring=0)
    pick(harp, between(voice_lead(changes, 4, 53, 74), b, again), "01234321", 76, ring=1.5, grow=(0.92, 1.08))
    sustain(strings, between(voice_lead(changes, 3, 62, 78), b, last + 4), 66)
    strings.swell(
        (intro, 0), (b, 0.5), (b + 16, 0.95), (again, 0.5), (ending, 0.8), (last, 0.7), (last + 4, 0.2)
    )

    # The tune steps, stops, and steps on.
    bells.line(intro, "r:2 A5:.5 F#5:.5 D6:1 | r:1 G#5:.5 B5:.5 A5:.5 G5:.5 E5:1", 74)
    clarinet.line(
        a,
        "F#5:.5 r:.5 A5:.5 F#5:.5 D5:.5 E5:.5 F#5:1 | E5:.5 r:.5 A4:.5 C#5:.5 E5:1 r:1 |"
        "D5:.5 r:.5 F#5:.5 D5:.5 B4:.5 C#5:.5 D5:1 | B4:.5 D5:.5 G5:1 F#5:.5 E5:.5 r:1",
        82,
        legato=0.72,
    )
    clarinet.line(
        a + 16,
        "F#5:.5 r:.5 A5:.5 F#5:.5 B5:.5 A5:.5 F#5:1 | G5:1 F#5:.5 E5:.5 B4:1 r:1 |"
        "D5:.5 E5:.5 G5:.5 E5:.5 C#5:.5 D5:.5 E5:1 | D5:1.5 r:2.5",
        86,
        arc=12,
        legato=0.75,
    )
    bells.line(a, "r:4 | r:3 E6:.5 C#6:.5 | r:4 | r:3 D6:.5 B5:.5", 70)
    bells.line(a + 16, "r:4 | r:3 G5:.5 B5:.5 | r:4 | r:1.5 A5:.5 D6:.5 F#6:.5 A6:1", 74)
    oboe.line(
        b,
        "A4:1.5 C5:.5 F5:1 E5:.5 F5:.5 | G5:2 E5:1 C5:1 | F5:1.5 E5:.5 D5:1 A4:1 |"
        "D5:1.5 F5:.5 A5:2 | Bb5:1 A5:.5 G5:.5 F5:1 D5:1 | E5:2 C#5:1 r:1",
        84,
        arc=16,
        legato=1.0,
    )
    clarinet.line(
        b, "r:4 | r:2 G4:.5 C5:.5 E5:1 | r:4 | r:2 F4:.5 A4:.5 D5:1 | r:4 | r:2 A4:.5 C#5:.5 E5:.5 G5:.5", 74
    )
    oboe.swell((intro, 0.8), (b, 0.8), (b + 15, 1), (b + 24, 0.75))
    reprise = (
        "F#5:.5 r:.5 A5:.5 F#5:.5 D5:.5 E5:.5 F#5:1 | E5:.5 r:.5 A5:.5 E5:.5 C#5:1 r:1 |"
        "D5:.5 r:.5 F#5:.5 D5:.5 B4:.5 C#5:.5 D5:1 | G#5:.5 F#5:.5 E5:1 B5:1 r:1"
    )
    clarinet.line(again, reprise, 88, arc=12, legato=0.72)
    bells.line(again, reprise, 70, arc=10, transpose=12)
    clarinet.line(
        ending,
        "G5:.5 F#5:.5 E5:.5 G5:.5 C#5:.5 E5:.5 A5:1 | F#5:.5 r:.5 D5:.5 r:.5 D6:.5 r:1.5",
        86,
        legato=0.75,
    )
    oboe.line(ending, "B4:1 D5:1 C#5:2 | A4:1 r:3", 70)
    bells.line(ending, "r:2 r:1 E6:.5 C#6:.5 | D6:1 A6:1 D6+F#6:2", 72)
    for start, names, velocity in ((0, "D2 D3", 84), (1, "A3 D4 F#4", 70), (2, "D3 D4 F#4 A4", 90)):
        for tone in pitches(names):
            plucked.note(last + start, 0.6, tone, velocity)
    glissando(harp, last + 2, pitches("D3 A3 D4 F#4 A4 D5 E5 F#5 A5 D6"), 0.8, (74, 62), ring=4)

    groove(small, a, 8, {"mute triangle": "..o...o.", "triangle": "x......." + "." * 8}, 60, step=0.5)
    groove(
        small,
        again,
        5,
        {"mute triangle": "..o...oo", "shaker": "xoxoxoxo", "triangle": "x......." + "." * 32},
        60,
        step=0.5,
    )
    groove(small, last, 1, {"triangle": "....x..."}, 66, step=0.5)

    piece.slow_down(ending + 2, last + 2, 0.86)
    piece.end_beat = last + 4
    return piece
