# SPDX-License-Identifier: Apache-2.0
"""General MIDI: the programs and percussion keys that the pieces use, by name."""

PERCUSSION_CHANNEL = 9

PROGRAMS = {
    "piano": 0,
    "electric piano": 4,
    "celesta": 8,
    "glockenspiel": 9,
    "music box": 10,
    "vibraphone": 11,
    "marimba": 12,
    "tubular bells": 14,
    "church organ": 19,
    "accordion": 21,
    "nylon guitar": 24,
    "steel guitar": 25,
    "jazz guitar": 26,
    "double bass": 32,
    "electric bass": 33,
    "fretless bass": 35,
    "violin": 40,
    "cello": 42,
    "contrabass": 43,
    "tremolo strings": 44,
    "pizzicato strings": 45,
    "harp": 46,
    "timpani": 47,
    "strings": 48,
    "slow strings": 49,
    "choir": 52,
    "trumpet": 56,
    "trombone": 57,
    "tuba": 58,
    "muted trumpet": 59,
    "french horn": 60,
    "brass section": 61,
    "oboe": 68,
    "english horn": 69,
    "bassoon": 70,
    "clarinet": 71,
    "piccolo": 72,
    "flute": 73,
    "recorder": 74,
    "pan flute": 75,
    "whistle": 78,
    "warm pad": 89,
    "banjo": 105,
    "kalimba": 108,
}

# Percussion: the kit is a program of the percussion channel, a drum is a key.
KITS = {
    "drum kit": 0,
    "brushed drums": 40,
    "orchestral percussion": 48,
}

DRUMS = {
    "kick": 36,
    "side stick": 37,
    "snare": 38,
    "clap": 39,
    "swirl": 40,  # of the brushed kit
    "closed hat": 42,
    "pedal hat": 44,
    "open hat": 46,
    "crash": 49,
    "ride": 51,
    "tambourine": 54,
    "cymbal": 57,
    "high bongo": 60,
    "open conga": 63,
    "low conga": 64,
    "maracas": 70,
    "high woodblock": 76,
    "low woodblock": 77,
    "mute triangle": 80,
    "triangle": 81,
    "shaker": 82,
    "concert drum": 35,  # of the orchestral kit
}
