# SPDX-License-Identifier: Apache-2.0
"""Two chill pieces: a swung late-evening trio, and a straight bossa-like one."""

from __future__ import annotations

from ..harmony import between, progression, voice_lead
from ..patterns import bass, comp, groove, pick, sustain
from ..score import Piece


def late_window() -> Piece:
    """Electric piano, double bass and brushes in E flat; the vibraphone sings,
    the guitar takes the bridge. Intro 2, A 4, A' 4, B 4, ending 3 bars.
    """
    piece = Piece(
        name="chill_preview_3",
        title="Late Window",
        mood="chill",
        genre="Lounge",
        key="E flat major",
        tempo_bpm=76,
        swing=0.59,
        room=0.45,
        ring_s=1.2,
    )
    keys = piece.part("electric piano", volume=91, pan=56, reverb=45, chorus=35, lag_ms=6)
    upright = piece.part("double bass", volume=127, pan=62, reverb=18, lag_ms=8)
    brushes = piece.part("brushed drums", volume=120, pan=68, reverb=35, timing_ms=5, lag_ms=4)
    vibes = piece.part("vibraphone", volume=127, pan=76, reverb=60, timing_ms=11, lag_ms=14)
    guitar = piece.part("jazz guitar", volume=87, pan=44, reverb=50, timing_ms=11, lag_ms=16)
    pad = piece.part("warm pad", volume=92, pan=64, reverb=70, timing_ms=0)

    intro, a, again, b, ending = (piece.bar(n) for n in (1, 3, 7, 11, 15))
    changes = progression(
        "Abmaj9:4 | Bb13sus:4 |"
        "Abmaj9:4 | Gm7:4 | Fm9:4 | Bb13sus:2 Bb13:2 |"
        "Abmaj9:4 | Gm7:2 C7b9:2 | Fm9:4 | Bb13:4 |"
        "Cm9:4 | F13:4 | Abmaj9:4 | Abm6:4 |"
        "Gm7:2 C7b9:2 | Fm9:2 Bb13sus:2 | Ebmaj9:4",
        intro,
        4,
    )
    chords = voice_lead(changes, 4, 51, 70)

    # Chords: sparse at first, syncopated from A on, broken in the bridge.
    comp(keys, between(chords, intro, a), "x-------..o-----", 62, roll=0.05)
    comp(keys, between(chords, a, again), "x-----x---o-..x-", 64)
    comp(keys, between(chords, again, b), "x--x------x-..o-|x-----x---o-.ox-", 67, grow=(1, 1.06))
    pick(keys, between(chords, b, ending), "0-2-3-2-1-3-2-3-", 64, step=0.25, ring=1.5, grow=(1, 1.12))
    comp(keys, between(chords, ending, piece.bar(17)), "x-----..x-----..", 64, roll=0.03, grow=(1, 0.88))
    comp(keys, between(chords, piece.bar(17), piece.bar(18)), "o---------------", 74, roll=0.12)
    sustain(pad, between(chords, b, piece.bar(18)), 60)
    pad.swell((0, 0), (b, 0.35), (b + 12, 0.95), (ending, 0.7), (piece.bar(17), 0.5), (piece.bar(18), 0.3))

    bass(upright, between(changes, intro + 4, a), "r-------....5-a-", 66)
    bass(upright, between(changes, a, again), "r-----.r5---..a-", 78)
    bass(upright, between(changes, again, b), "r-----.rr---.5a-", 80)
    bass(upright, between(changes, b, ending), "r-------5-----a-", 80, grow=(1, 1.08))
    bass(upright, between(changes, ending, piece.bar(17)), "r-----..r-----a-", 74)
    upright.note(piece.bar(17), 3.8, 39, 68)

    brush = {
        "swirl": "o.......o.......",
        "snare": "....x..o.o..x...",
        "ride": "x...x.o.x...x.oo",
        "kick": "x.....o...x.....",
    }
    groove(brushes, intro + 4, 1, {"ride": "....x.o.x...x.oo", "snare": "............oxox"}, 58)
    groove(brushes, a, 4, brush, 66)
    groove(brushes, again, 3, {**brush, "pedal hat": "....o.......o..."}, 70)
    groove(brushes, again + 12, 1, {**brush, "snare": "....x..o.oxoxoxX"}, 70)
    bridge = {
        **brush,
        "ride": "x.o.x.o.x.o.x.oo",
        "side stick": "............x...",
        "snare": "....o..o.o......",
    }
    groove(brushes, b, 4, bridge, 72, grow=(0.94, 1.06))
    groove(brushes, ending, 2, brush, 62, grow=(1, 0.75))
    groove(brushes, piece.bar(17), 1, {"ride": "x...............", "kick": "o..............."}, 56)

    # The motif climbs out of a rest (G B♭ C), hangs over and falls back.
    vibes.line(
        a,
        "r:.5 G4:.25 Bb4:.25 C5:1 Bb4:.5 G4:.5 Eb5:1 | D5:1.5 Bb4:.5 r:.5 F4:.5 G4:.5 Bb4:.5 |"
        "r:.5 F4:.25 Ab4:.25 C5:1 Ab4:.5 F4:.5 G4:1 | ~:.5 F4:.5 G4:.5 Bb4:.5 C5:1 r:1",
        80,
    )
    vibes.line(
        again,
        "r:.5 G4:.25 Bb4:.25 C5:.75 D5:.25 Eb5:.5 D5:.5 Bb4:1 |"
        "D5:1 Bb4:.5 G4:.5 Db5:.75 C5:.25 Bb4:.5 G4:.5 |"
        "C5:1 r:.25 Ab4:.25 Eb5:.5 G5:1 F5:.5 Eb5:.5 | D5:.75 C5:.25 G4:1 Bb4:1 r:1",
        86,
        arc=14,
    )
    guitar.line(
        b,
        "G4:1.5 Bb4:.5 D5:1 C5:.5 Bb4:.5 | A4:2 r:.5 G4:.5 A4:.5 C5:.5 |"
        "Bb4:1.5 C5:.5 Eb5:1 G5:1 | F5:1 Eb5:.5 B4:.5 Ab4:1 r:1",
        84,
        arc=14,
    )
    vibes.line(b, "r:4 | r:2.5 D5:.5 Eb5:.5 G5:.5 | r:4 | r:3 F4:.5 Ab4:.5", 70)
    vibes.line(
        ending,
        "r:.5 G4:.25 Bb4:.25 D5:1 Db5:1 Bb4:.5 G4:.5 |C5:1 Eb5:.5 F5:.5 G5:1 F5:.5 C5:.5 | Bb4:.5 D5:.5 F5:3",
        78,
        arc=6,
    )
    for bar in range(3, 18):
        vibes.pedal(piece.bar(bar), piece.bar(bar + 1) + (2 if bar == 17 else 0))
    keys.pedal(piece.bar(17), piece.bar(18) + 2)

    piece.slow_down(ending + 4, piece.bar(17) + 2, 0.8)
    piece.end_beat = piece.bar(18)
    return piece


def slow_harbour() -> Piece:
    """Nylon guitar, fretless bass and hand percussion in E dorian; a low flute
    leads. Intro 2, A 4, A' 4, B 4, ending 3 bars.
    """
    piece = Piece(
        name="chill_preview_4",
        title="Slow Harbour",
        mood="chill",
        genre="Bossa Nova",
        key="E dorian",
        tempo_bpm=84,
        room=0.6,
        ring_s=1.4,
    )
    guitar = piece.part("nylon guitar", volume=98, pan=50, reverb=45, timing_ms=8)
    fretless = piece.part("fretless bass", volume=116, pan=64, reverb=20, lag_ms=6)
    hands = piece.part("drum kit", volume=110, pan=72, reverb=40, timing_ms=6)
    flute = piece.part("flute", volume=100, pan=72, reverb=75, timing_ms=12, lag_ms=10)
    keys = piece.part("electric piano", volume=76, pan=84, reverb=60, chorus=45, timing_ms=10)
    pad = piece.part("warm pad", volume=86, pan=60, reverb=80, timing_ms=0)

    intro, a, again, b, ending, last = (piece.bar(n) for n in (1, 3, 7, 11, 15, 17))
    changes = progression(
        "Em9:4 | A13:4 |"
        "Em9:4 | A13:4 | Em9:4 | A13:4 |"
        "Em9:4 | A13:4 | Em9:4 | A13:2 B7b9:2 |"
        "Cmaj9:4 | Bm7:4 | Am9:4 | D13sus:4 |"
        "Em9:4 | A13:2 Cmaj9:2 | Em9:4",
        intro,
        4,
    )
    chords = voice_lead(changes, 4, 50, 69)

    # Guitar: broken chords, then the syncopated right hand, then broken again.
    pick(guitar, between(chords, intro, a), "0-2-1-3-2-1-3-2-", 74, step=0.25, ring=1.2, grow=(0.9, 1.05))
    comp(guitar, between(chords, a, b), "x-.o-.x-..x-.o-.|o-.x-..x-.o-..x-", 72, roll=0.02)
    pick(guitar, between(chords, b, ending), "0-213-2-10213-2-", 76, step=0.25, ring=1.2, grow=(0.95, 1.12))
    comp(guitar, between(chords, ending, last), "x-.o-.x-..x-.o-.", 68, roll=0.02, grow=(1, 0.9))
    comp(guitar, between(chords, last, last + 4), "x---------------", 68, roll=0.14)

    bass(fretless, between(changes, a, again), "r-----.r5-----a-", 78)
    bass(fretless, between(changes, again, b), "r-----.r5---8-a-", 80)
    bass(fretless, between(changes, b, ending), "r-----5-8---5-a-", 82)
    bass(fretless, between(changes, ending, last), "r-----.r5-----a-", 76)
    guitar.pedal(last, last + 6)
    fretless.note(last, 4.5, 28, 74)

    sustain(pad, between(chords, again, last + 4), 62)
    pad.swell((0, 0), (again, 0.25), (b, 0.7), (b + 12, 1.0), (ending, 0.75), (last, 0.6), (last + 4, 0.35))

    shaker = {"shaker": "xoxoXoxoxoxoXoxo"}
    pulse = {
        **shaker,
        "side stick": "x..x..x...x..x..",
        "kick": "x......ox......o",
        "open conga": "..............x.",
        "low conga": "...............x",
    }
    groove(hands, intro + 4, 1, shaker, 50, grow=(0.6, 1))
    groove(hands, a, 4, {k: pulse[k] for k in ("shaker", "side stick", "kick")}, 60)
    groove(hands, again, 4, pulse, 64)
    open_groove = {
        **pulse,
        "side stick": "......x.......x.",
        "open conga": "...x......x...x.",
        "closed hat": "....o.......o...",
    }
    groove(hands, b, 4, open_groove, 66, grow=(0.95, 1.08))
    groove(hands, ending, 2, pulse, 58, grow=(1, 0.7))

    # The motif: up through the seventh and back down (B D E — D B).
    flute.line(
        a,
        "r:.5 B4:.5 D5:.5 E5:1 D5:.5 B4:1 | C#5:1.5 B4:.5 A4:.5 F#4:1.5 |"
        "r:.5 B4:.5 D5:.5 F#5:1 E5:.5 D5:1 | C#5:.5 E5:1 B4:1.5 r:1",
        78,
    )
    flute.line(
        again,
        "r:.5 B4:.5 D5:.5 E5:.5 G5:1 F#5:.5 D5:.5 | E5:1 C#5:.5 B4:.5 A4:.5 B4:.5 C#5:1 |"
        "D5:1.5 B4:.5 G4:.5 A4:.5 B4:1 | F#4:1.5 A4:.5 C5:1 B4:1",
        84,
        arc=14,
    )
    flute.swell(
        (0, 0.85),
        (a, 0.8),
        (a + 10, 1),
        (again, 0.85),
        (again + 6, 1),
        (b, 0.8),
        (ending, 0.85),
        (last, 0.8),
        (last + 4, 0.45),
    )
    # The bridge goes down in sequence on the electric piano; the flute answers.
    keys.line(
        b,
        "E5:1.5 D5:.5 B4:1 G4:.5 B4:.5 | D5:1.5 A4:.5 F#4:1 A4:1 |"
        "C5:1.5 B4:.5 G4:1 C5:.5 E5:.5 | D5:1 E5:.5 G5:1 E5:.5 D5:1",
        86,
        arc=12,
    )
    flute.line(b, "r:4 | r:2 F#5:1 D5:1 | r:4 | r:3 A5:.5 G5:.5", 74)
    flute.line(ending, "F#5:1 ~:.5 D5:.5 E5:1 D5:.5 B4:.5 | C#5:1 E5:.5 F#5:.5 G5:1 D5:1 | B4:4", 78, arc=6)
    keys.line(ending, "r:3 B4+D5:1 | r:4 | r:.5 G4:.5 B4:.5 D5:.5 F#5:2", 66)

    piece.slow_down(ending + 5, last + 2, 0.82)
    piece.end_beat = last + 4
    return piece
