# SPDX-License-Identifier: Apache-2.0
"""A happy piece: a fiddle tune with accordion, banjo and claps, in G and at last in A."""

from __future__ import annotations

from ..form import Form
from ..harmony import voice_lead
from ..notation import pitch
from ..patterns import bass, comp, groove, strum, sustain
from ..score import Piece

_REEL = "G:4 | C:4 | G:4 | D7:4 | G:4 | C:4 | Am7:2 D7:2 | G:4"
_REEL_IN_A = "A:4 | D:4 | A:4 | E7:4 | A:4 | D:4 | Bm7:2 E7:2 | A:4"
_SONG = "C:4 | G/B:4 | Am7:4 | G:4 | C:4 | G/B:4 | Am7:2 D7:2 | G:4"
_SONG_IN_A = "D:4 | A/C#:4 | Bm7:4 | A:4 | D:4 | A/C#:4 | Bm7:2 E7:2 | A:4"

_TUNE = (
    "B4:.5 D5:.5 G5:.5 D5:.5 B4:.5 D5:.5 G5:1 | A5:.5 G5:.5 E5:.5 C5:.5 E5:1 r:.5 D5:.5 |"
    "B4:.5 D5:.5 G5:.5 B5:.5 A5:.5 G5:.5 E5:.5 D5:.5 | E5:.5 F#5:.5 A5:1 F#5:.5 D5:.5 A4:.5 C5:.5 |"
    "B4:.5 D5:.5 G5:.5 D5:.5 B4:.5 D5:.5 G5:1 | A5:.5 G5:.5 E5:.5 G5:.5 C6:1 r:.5 B5:.5 |"
    "A5:.5 G5:.5 E5:.5 C5:.5 D5:.5 F#5:.5 A5:.5 F#5:.5 | G5:1 D5:.5 B4:.5 G4:1 r:1"
)
_TURNED = (
    "G5:.5 F#5:.5 G5:.5 B5:.5 D6:.5 B5:.5 G5:1 | E5:.5 G5:.5 C6:.5 G5:.5 E5:1 r:.5 D5:.5 |"
    "B4:.5 D5:.5 G5:.5 D5:.5 B5:.5 A5:.5 G5:.5 D5:.5 | F#5:.5 A5:.5 D6:1 C6:.5 A5:.5 F#5:.5 A5:.5 |"
    "G5:.5 F#5:.5 G5:.5 B5:.5 D6:.5 B5:.5 G5:1 | C6:.5 B5:.5 A5:.5 G5:.5 E5:1 r:.5 G5:.5 |"
    "A5:.5 B5:.5 C6:.5 A5:.5 F#5:.5 D5:.5 E5:.5 F#5:.5 | G5:1 B5:.5 D6:.5 G5:1 r:1"
)
_CHORUS = (
    "E5:1 G5:.5 E5:.5 C5:1 E5:1 | D5:1 G5:.5 D5:.5 B4:2 | C5:1 E5:.5 C5:.5 A4:1 C5:1 | B4:.5 C5:.5 D5:2 r:1 |"
    "E5:1 G5:.5 A5:.5 G5:1 E5:1 | D5:.5 E5:.5 G5:1 D5:1 B4:1 |"
    "C5:.5 B4:.5 A4:1 F#4:.5 A4:.5 C5:1 | B4:1 G4:1 G5!:1 r:1"
)
_DESCANT = (
    "G5:2 E5:2 | B5:2 G5:2 | A5:1 G5:1 E5:2 | D5:1 E5:1 G5:2 |"
    "G5:1 C6:1 E6:2 | D6:1 B5:1 G5:2 | E5:1 A5:1 D6:1 C6:1 | B5:1 D6:1 G5:1 r:1"
)


def compose() -> Piece:
    """Intro 6, A 16, B 16, A' 8, a bridge in E minor 16, lift 4; in A: A'' 16, B' 8, coda 4 bars."""
    piece = Piece(
        name="happy_long_1",
        title="Market Morning",
        mood="happy",
        genre="Folk",
        key="G major",
        tempo_bpm=120,
        tags=("fast", "major", "duple", "drums"),
        room=0.4,
        ring_s=1.8,
    )
    guitar = piece.part("steel guitar", volume=77, pan=42, reverb=25, timing_ms=5)
    banjo = piece.part("banjo", volume=96, pan=94, reverb=25, timing_ms=5)
    low = piece.part("double bass", volume=103, pan=64, reverb=10, timing_ms=5)
    kit = piece.part("drum kit", volume=88, pan=64, reverb=22, timing_ms=4)
    fiddle = piece.part("violin", volume=108, pan=72, reverb=45, timing_ms=8)
    accordion = piece.part("accordion", volume=104, pan=52, reverb=35, timing_ms=8)
    whistle = piece.part("whistle", volume=70, pan=80, reverb=45, timing_ms=9)
    strings = piece.part("strings", volume=86, pan=58, reverb=50, timing_ms=8)

    form = Form(piece.beats_per_bar)
    intro = form.section("G:4 | C:4 | G:4 | D7:4 | G:4 | D7:4")
    a = form.section(f"{_REEL} | {_REEL}")
    b = form.section(f"{_SONG} | {_SONG}")
    again = form.section(_REEL)
    bridge = form.section(
        "Em:4 | Em:4 | C:4 | D:4 | Em:4 | G:4 | Am7:4 | B7:4 |"
        "C:4 | D:4 | Bm7:4 | Em:4 | C:4 | G/B:4 | Am7:4 | Bm7:4"
    )
    lift = form.section("E7sus:4 | E7:4 | E7sus:4 | E7:4")
    final = form.section(f"{_REEL_IN_A} | {_REEL_IN_A}")
    song = form.section(_SONG_IN_A)
    coda = form.section("D:4 | A/C#:4 | Bm7:2 E7:2 | A:4")
    last = coda.bar(4)
    first_half, second_half = b.part(1, 8), b.part(9, 16)

    whole = form.changes
    six = voice_lead(whole, 4, 52, 69)
    strum(guitar, intro.of(six), "D.du.udu", 90)
    strum(guitar, a.to(b).of(six), "D.DU.UDU", 84)
    strum(guitar, again.of(six), "D-dUd-Du", 86)
    strum(guitar, bridge.of(six), "D...d.du", 80, grow=(0.95, 1.1))
    strum(guitar, lift.of(six), "D.D.D.D.", 84, grow=(0.9, 1.15))
    strum(guitar, final.to(song).of(six), "D.DU.UDU", 86)
    strum(guitar, coda.part(1, 3).of(six), "D.DU.UDU", 92)
    picked = voice_lead(whole, 4, 59, 76)
    for section in (a.part(9, 16), again, final, song):
        comp(banjo, section.of(voice_lead(whole, 2, 64, 76)), "..x...x...x...xo", 66)
    strum(banjo, second_half.of(picked), "dud.dudu", 70)
    pulse = voice_lead(whole, 3, 57, 74)
    comp(accordion, a.part(9, 16).of(pulse), "..x...x...x...x.", 62)
    comp(accordion, again.of(pulse), "..x...x...x..xx.", 66)
    comp(accordion, final.of(pulse), "..x...x...x...x.", 66)
    sustain(strings, bridge.to(lift).of(voice_lead(whole, 3, 60, 79)), 70)
    sustain(strings, song.to(coda).of(voice_lead(whole, 3, 60, 79)), 70)
    strings.swell(
        (0, 0), (bridge.start, 0.5), (bridge.end, 0.85), (lift.end, 1), (song.start, 0.75), (form.end, 0.9)
    )

    bass(low, intro.part(3, 6).of(whole), "r---....5---..a-", 82)
    bass(low, a.of(whole), "r---5---r---5-a-", 88)
    bass(low, b.of(whole), "r--.r-8.5---r-a-", 88)
    bass(low, again.of(whole), "r---5---r-r-5-a-", 90)
    bass(low, bridge.of(whole), "r-----5-8-----a-", 84, grow=(0.95, 1.08))
    bass(low, lift.of(whole), "r-r-r-r-r-r-r-r-", 86, grow=(0.9, 1.15))
    bass(low, final.to(song).of(whole), "r--.r-8.5-r-5-a-", 92)
    bass(low, coda.part(1, 3).of(whole), "r---5---r-r-5-a-", 92)

    claps = "....x.......x..."
    beat = {
        "kick": "X.....x.X.......",
        "side stick": claps,
        "closed hat": "x.o.x.o.x.o.x.o.",
        "tambourine": "..o...o...o...oo",
    }
    dance = {
        "kick": "X...x...X...x.x.",
        "snare": claps,
        "clap": claps,
        "closed hat": "x.o.x.o.x.o.x.o.",
        "tambourine": "o.xoo.xoo.xoo.xo",
    }
    fill = {**dance, "snare": "....x..x..xxxxXX"}
    ride = {"kick": "X.....x.x.....x.", "side stick": "....x.......x...", "ride": "x.x.x.x.x.x.x.x."}
    groove(kit, intro.bar(1), 2, {"clap": claps}, 70)
    groove(
        kit,
        intro.bar(3),
        4,
        {"clap": claps, "kick": "x.......x.......", "tambourine": "o.o.x.o.o.o.x.o."},
        76,
    )
    groove(kit, a.start, 8, beat, 80)
    groove(kit, a.bar(9), 7, {**beat, "clap": claps}, 82)
    groove(kit, a.bar(16), 1, fill, 84)
    groove(kit, b.start, 15, dance, 82, grow=(0.97, 1.04))
    groove(kit, b.bar(16), 1, fill, 86)
    groove(kit, again.start, 7, {**beat, "clap": claps}, 84)
    groove(kit, again.bar(8), 1, {**beat, "snare": "........x.x.x.xx"}, 82)
    groove(kit, bridge.start, 15, ride, 78, grow=(0.95, 1.06))
    groove(kit, bridge.bar(16), 1, {"kick": "X...X...X...X...", "snare": "........x.x.xxxx"}, 80)
    groove(kit, lift.start, 4, {"kick": "X...X...X...X...", "clap": "x...x...x...x.x."}, 78, grow=(0.9, 1.1))
    groove(kit, lift.bar(4), 1, {"snare": "x.x.x.x.xxxxXXXX"}, 76, grow=(0.7, 1.15))
    groove(kit, final.start, 15, dance, 86)
    groove(kit, final.bar(16), 1, fill, 88)
    groove(kit, song.start, 8, dance, 86)
    groove(kit, coda.start, 2, dance, 88)
    groove(kit, coda.bar(3), 1, {"kick": "X..x..X.X.x.x...", "snare": "....x...x.x.xxXX", "clap": claps}, 90)
    for start in (b.start, bridge.start, final.start, song.start):
        kit.note(start, 2, 49, 80)

    accordion.line(
        intro.bar(3), "D5:3 B4:.5 D5:.5 | C5:2 A4:2 | B4:3 D5:.5 B4:.5 | A4:2 F#4:2", 80, legato=1.0
    )
    fiddle.line(intro.bar(5), "r:2 G4:.5 B4:.5 D5:1 | r:2 A4:.5 C5:.5 F#5:1", 78)
    # The reel: the fiddle alone, then with the whistle a third above its turns.
    fiddle.line(a.start, _TUNE, 86, legato=0.9)
    fiddle.line(a.bar(9), _TURNED, 90, arc=12, legato=0.9)
    whistle.line(
        a.bar(9),
        "r:4 | r:3 r:.5 D5:.5 | r:4 | r:4 | r:4 | r:2 r:1 r:.5 E5:.5 | r:2 A5:1 C6:1 | B5:1 r:3",
        78,
    )
    accordion.line(first_half.start, _CHORUS, 86, legato=0.92)
    accordion.line(second_half.start, _CHORUS, 84, legato=0.92)
    whistle.line(second_half.start, _DESCANT, 84, arc=12)
    fiddle.line(
        first_half.start, "r:4 | r:2 r:1 G5:.5 B5:.5 | r:4 | r:3 B4:.5 D5:.5 | r:4 | r:4 | r:4 | r:4", 76
    )
    fiddle.line(
        second_half.start,
        "C5:2 G4:2 | B4:2 D5:2 | A4:2 E5:2 | D5:2 B4:2 | C5:2 G4:2 | B4:2 D5:2 | C5:2 A4:2 | G4:2 B4:1 r:1",
        72,
    )
    whistle.line(again.start, _TUNE, 84)
    fiddle.line(
        again.start,
        "G4:1 B4:1 D5:1 B4:1 | C5:1 E5:1 G4:1 r:1 | G4:1 D5:1 B4:1 G4:1 | A4:1 F#4:1 A4:1 r:1 |"
        "G4:1 B4:1 D5:1 B4:1 | C5:1 E5:1 G5:1 r:1 | C5:1 A4:1 F#4:1 A4:1 | B4:1 D5:.5 B4:.5 G4:1 r:1",
        74,
    )
    fiddle.line(
        bridge.start,
        "B4:3 A4:.5 G4:.5 | E5:3 r:1 | G5:2 E5:1 C5:1 | F#5:2 D5:1 A4:1 |"
        "G5:2 F#5:.5 E5:.5 B4:1 | D5:2 B4:1 G4:1 | C5:1 E5:1 A5:1 G5:1 | F#5:1 D#5:1 B4:2",
        84,
        arc=14,
    )
    accordion.line(
        bridge.bar(9),
        "E5:1.5 D5:.5 C5:1 G4:1 | F#5:1.5 E5:.5 D5:2 | D5:1.5 F#5:.5 B4:2 | G5:1.5 F#5:.5 E5:2 |"
        "E5:1 G5:1 C5:1 E5:1 | D5:1 G5:1 B4:1 D5:1 | C5:1 E5:1 G5:1 E5:1 | F#5:1 D5:1 B4:2",
        84,
        arc=14,
    )
    fiddle.line(
        bridge.bar(9),
        "r:2 E5:1 G5:1 | A5:2 F#5:2 | B5:2 F#5:1 D5:1 | B5:2 G5:2 |"
        "G5:2 E5:2 | B5:2 G5:2 | A5:2 C6:1 A5:1 | B5:2 A5:1 F#5:1",
        78,
        arc=14,
    )
    whistle.line(bridge.start, "r:4 | r:2 G5:1 B5:1 | r:4 | r:4 | r:4 | r:2 G5:.5 A5:.5 B5:1 | r:4 | r:4", 70)
    fiddle.line(
        lift.start,
        "E5:.5 B4:.5 E5:.5 F#5:.5 A5:1 E5:1 | G#5:.5 E5:.5 B4:.5 E5:.5 G#5:1 B5:1 |"
        "E5:.5 B4:.5 E5:.5 F#5:.5 A5:1 B5:1 | G#5:.5 A5:.5 B5:.5 G#5:.5 E5:.5 F#5:.5 G#5:.5 B5:.5",
        82,
        arc=10,
        legato=0.9,
    )
    # Everything a tone higher.
    fiddle.line(final.start, _TUNE, 88, transpose=2, legato=0.9)
    fiddle.line(final.bar(9), _TURNED, 88, transpose=2, arc=12, legato=0.9)
    whistle.line(final.bar(9), _TUNE, 82, transpose=2)
    whistle.line(
        final.start,
        "r:4 | r:2 A5:1 F#5:1 | r:4 | r:2 B5:1 G#5:1 | r:4 | r:4 | r:4 | r:2 A5:.5 C#6:.5 E6:1",
        76,
    )
    accordion.line(song.start, _CHORUS, 86, transpose=2, legato=0.92)
    whistle.line(song.start, _DESCANT, 84, transpose=2)
    fiddle.line(song.start, _CHORUS, 80, transpose=2)
    fiddle.line(
        coda.start,
        "F#5:1 A5:.5 B5:.5 A5:1 F#5:1 | E5:.5 F#5:.5 A5:1 E5:1 C#5:1 |"
        "D5:.5 F#5:.5 B5:.5 D6:.5 G#5:.5 B5:.5 E6:1 | A5:.5 r:.5 E5:.5 r:.5 A5!:1 r:1",
        92,
        arc=6,
    )
    whistle.line(
        coda.start,
        "D6:2 A5:2 | C#6:2 A5:2 | B5:1 F#5:1 G#5:1 B5:1 | C#6:.5 r:.5 A5:.5 r:.5 E6:1 r:1",
        80,
        arc=6,
    )

    ending = coda.part(4, 4)
    strum(guitar, ending.of(six), "D.D.D---", 96)
    comp(accordion, ending.of(pulse), "x-..x-..x-------", 78)
    for beat_at, velocity in ((0, 94), (1, 90), (2, 98)):
        low.note(last + beat_at, 2 if beat_at == 2 else 0.45, pitch("A1"), velocity)
    hits = {"kick": "X...x...X.......", "snare": "x...x...X.......", "crash": "........x......."}
    groove(kit, last, 1, hits, 82)

    piece.end_beat = form.end
    return piece
