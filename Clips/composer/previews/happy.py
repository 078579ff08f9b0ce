# SPDX-License-Identifier: Apache-2.0
"""A happy piece: strummed guitar, claps and a whistled tune in C major."""

from __future__ import annotations

from ..harmony import between, progression, voice_lead
from ..notation import pitch
from ..patterns import bass, comp, groove, strum, sustain
from ..score import Piece

_TUNE = (
    "r:.5 E5:.5 G5:.5 E5:.5 A5!:.5 G5:1 E5:.5 | G5:1.5 B4:.5 D5:.5 E5:.5 r:1 |"
    "r:.5 A4:.5 C5:.5 A4:.5 D5!:.5 C5:1 A4:.5 | B4:1.5 D5:.5 G5:1 r:1"
)


def kite_weather() -> Piece:
    """Intro 4, A 8, B 8 (the piano leads and ends in a break of claps),
    A' 6 in thirds, ending 3 bars.
    """
    piece = Piece(
        name="happy_preview_1",
        title="Kite Weather",
        mood="happy",
        genre="Pop",
        key="C major",
        tempo_bpm=128,
        room=0.4,
        ring_s=1.5,
    )
    guitar = piece.part("nylon guitar", volume=84, pan=40, reverb=25, timing_ms=5)
    second = piece.part("steel guitar", volume=84, pan=96, reverb=25, timing_ms=6)
    piano = piece.part("piano", volume=114, pan=76, reverb=30, timing_ms=6)
    low = piece.part("electric bass", volume=100, pan=64, reverb=8, timing_ms=5)
    kit = piece.part("drum kit", volume=94, pan=64, reverb=22, timing_ms=4)
    whistle = piece.part("whistle", volume=76, pan=60, reverb=45, timing_ms=9)
    bells = piece.part("glockenspiel", volume=100, pan=84, reverb=45, timing_ms=6)
    strings = piece.part("strings", volume=92, pan=58, reverb=50, timing_ms=8)
    brass = piece.part("brass section", volume=86, pan=50, reverb=35, timing_ms=6)

    intro, a, b, again, ending, last = (piece.bar(n) for n in (1, 5, 13, 21, 27, 29))
    changes = progression(
        "C:4 | F:4 | C:4 | G7sus:2 G7:2 |"
        "C:4 | Em:4 | F:4 | G:4 | C:4 | Am7:4 | Dm7:2 G7:2 | C:4 |"
        "F:4 | C/E:4 | Dm7:4 | C:4 | F:4 | G/F:4 | Em7:2 Am7:2 | D7:2 G7:2 |"
        "C:4 | Em:4 | F:4 | G:4 | C/E:4 | F6:4 |"
        "Dm7:2 G7:2 | F:2 G:2 | C:4",
        intro,
        4,
    )

    # The high, close strings of a ukulele.
    strings_of_four = voice_lead(changes, 4, 60, 76)
    lively = "D.DU.UDU"
    strum(guitar, between(strings_of_four, intro, a), "D.du.udu", 80, grow=(0.9, 1.05))
    strum(guitar, between(strings_of_four, a, b), lively, 86)
    strum(guitar, between(strings_of_four, b, again - 4), "D-dUd-Du", 86, grow=(0.95, 1.1))
    strum(guitar, between(strings_of_four, again - 4, again), "D...D...", 92)
    strum(guitar, between(strings_of_four, again, last), lively, 92)
    strum(second, between(voice_lead(changes, 4, 52, 69), again, last), "d.dud.du", 84)

    chords = voice_lead(changes, 3, 55, 72)
    comp(piano, between(chords, a + 16, b), "..x...x...x...x.", 66)
    comp(piano, between(chords, again, last), "x..x..x.x..x..x.", 74)
    sustain(strings, between(voice_lead(changes, 3, 60, 79), b, last), 70)
    strings.swell((intro, 0), (b, 0.5), (b + 24, 0.95), (again, 0.7), (last, 1))

    bass(low, between(changes, intro + 8, a), "r---5---r---5-a-", 84)
    bass(low, between(changes, a, b), "r--.r-8.5---r-a-", 92)
    bass(low, between(changes, b, again - 4), "r-..r-r.5-..5-a-", 94)
    bass(low, between(changes, again - 4, again), "r-......r-......", 98)
    bass(low, between(changes, again, last), "r--.r-8.5-r-8-a-", 96)

    claps = "....x.......x..."
    groove(kit, intro, 4, {"clap": f"{'.' * 16}|{claps}|{claps}|....x...x.x.xxxx"}, 72)
    groove(kit, intro + 8, 2, {"kick": "x.......x.......", "tambourine": "o.o.x.o.o.o.x.o."}, 74)
    beat = {
        "kick": "X.....x.x.....x.",
        "snare": "....x.......x...",
        "clap": claps,
        "closed hat": "x.o.x.o.x.o.x.o.",
    }
    groove(kit, a, 7, beat, 82)
    groove(kit, a + 28, 1, {**beat, "snare": "....x..x..xxxxXX"}, 84)
    kit.note(b, 2, 49, 84)
    chorus = {
        **beat,
        "kick": "X...x...X...x.x.",
        "tambourine": "o.xoo.xoo.xoo.xo",
        "open hat": "..x...x...x...x.",
        "closed hat": "x...x...x...x...",
    }
    groove(kit, b, 7, chorus, 84, grow=(0.97, 1.04))
    groove(
        kit,
        again - 4,
        1,
        {"clap": "x.....x.x.x.xxX.", "kick": "X.......X.......", "snare": "............xxXX"},
        90,
    )
    kit.note(again, 2, 49, 92)
    groove(kit, again, 7, {**beat, "tambourine": "o.xoo.xoo.xoo.xo"}, 88)
    groove(kit, ending + 4, 1, {"kick": "X..x..X.X.x.x...", "snare": "....x...x.x.xxXX", "clap": claps}, 90)

    # The tune hops up in thirds and leans on the sixth; its second half is a sequence.
    bells.line(intro + 8, "r:4 | r:1 G5:.5 A5:.5 B5:.5 D6:.5 F6:1", 76)
    whistle.line(a, _TUNE, 84)
    whistle.line(
        a + 16,
        "r:.5 E5:.5 G5:.5 E5:.5 A5!:.5 G5:1 E5:.5 | C6:1 A5:.5 G5:.5 E5:1 r:.5 E5:.5 |"
        "F5:.5 E5:.5 D5:.5 F5:.5 B4:.5 D5:.5 G5:1 | E5:.5 D5:.5 C5:1.5 r:1.5",
        88,
        arc=12,
    )
    bells.line(a, "r:4 | r:3 B5:.5 G5:.5 | r:4 | r:2 r:1 D6:.5 B5:.5", 72)
    bells.line(a + 16, "r:4 | r:3 C6:.5 E6:.5 | r:4 | r:2 G5:.5 C6:.5 E6:1", 76)
    lead = (
        "A5:1.5 G5:.5 F5:1 C5:1 | G5:1.5 F5:.5 E5:1 C5:1 | F5:1 E5:.5 D5:1 E5:.5 F5:1 | G5:2 E5:1 r:1 |"
        "A5:1.5 G5:.5 F5:.5 A5:.5 C6:1 | B5:1.5 A5:.5 G5:1 D5:1 |"
        "E5:.5 G5:.5 B5:1 A5:.5 G5:.5 E5:1 | F#5:1 A5:1 G5!:1 r:1"
    )
    piano.line(b, lead, 92, arc=14)
    piano.line(b, lead, 80, arc=14, transpose=-12)
    bells.line(
        b,
        "r:2 C6:.5 F6:.5 r:1 | r:2 C6:.5 E6:.5 r:1 | r:4 | r:2 r:1 G5:.5 C6:.5 |"
        "r:4 | r:2 B5:.5 D6:.5 r:1 | r:4 | r:4",
        74,
    )
    whistle.line(again, _TUNE, 90)
    bells.line(again, _TUNE, 70, transpose=12)
    brass.line(
        again,
        "r:.5 C5:.5 E5:.5 C5:.5 F5:.5 E5:1 C5:.5 | B4:1.5 G4:.5 B4:.5 B4:.5 r:1 |"
        "r:.5 F4:.5 A4:.5 F4:.5 A4:.5 A4:1 F4:.5 | G4:1.5 B4:.5 D5:1 r:1",
        80,
        legato=0.7,
    )
    close = (
        "r:.5 E5:.5 G5:.5 C6:.5 B5:.5 A5:1 G5:.5 | A5:1 C6:.5 A5:.5 F5:1 r:.5 E5:.5 |"
        "F5:.5 E5:.5 D5:.5 F5:.5 B4:.5 D5:.5 G5:1 | A5:.5 C6:.5 A5:.5 F5:.5 G5:.5 A5:.5 B5:1"
    )
    whistle.line(again + 16, close, 94, arc=6)
    bells.line(again + 16, close, 72, arc=6)

    # The end: three chords together.
    final = [c for c in voice_lead(changes, 4, 60, 76) if c.start >= last]
    for part, pattern, velocity in (
        (guitar, "x-..x-..x-------", 92),
        (piano, "x-..x-..x-------", 82),
        (brass, "x-..x-..x-......", 74),
    ):
        comp(part, final, pattern, velocity, roll=0.02 if part is guitar else 0)
    for beat_at, velocity in ((0, 96), (1, 92), (2, 100)):
        low.note(last + beat_at, 2 if beat_at == 2 else 0.45, pitch("C2"), velocity)
    groove(
        kit,
        last,
        1,
        {"kick": "X...x...X.......", "snare": "x...x...X.......", "crash": "........x......."},
        80,
    )
    bells.line(last, "r:2 C6+E6+G6:2", 74)
    whistle.line(last, "C6:.5 r:.5 E5:.5 r:.5 C6:1 r:1", 92)

    piece.end_beat = last + 4
    return piece
