# SPDX-License-Identifier: Apache-2.0
"""The pieces of music that the station's preview clips are made of.

From the bottom up:

``midi``       the bytes of a standard MIDI file
``gm``         General MIDI programs and percussion keys by name
``notation``   the text notation of melodies, chord changes and rhythms
``harmony``    chord symbols and voice leading
``score``      parts and pieces: notes, dynamics, tempo, humanised timing
``patterns``   accompaniment: comping, strumming, bass lines, grooves, rolls
``chill`` ``dark`` ``happy`` ``light``   the pieces themselves
``render``     MIDI to sound to MP3
``catalogue``  the list of clips, ``clips.json``
"""
