# SPDX-License-Identifier: Apache-2.0
"""The pieces of music that the station's clips are made of.

From the bottom up:

``midi``       the bytes of a standard MIDI file
``gm``         General MIDI programs and percussion keys by name
``notation``   the text notation of melodies, chord changes and rhythms
``harmony``    chord symbols and voice leading
``form``       sections, as long as their chord changes
``score``      parts and pieces: notes, dynamics, tempo, humanised timing
``patterns``   accompaniment: comping, strumming, bass lines, grooves, rolls
``previews`` ``long``   the pieces themselves
``albums``     which pieces make a folder of clips
``render``     MIDI to sound to MP3
``catalogue``  the list of clips, ``clips.json``
"""
