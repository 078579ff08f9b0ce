# SPDX-License-Identifier: Apache-2.0
"""From a piece to an MP3 file: FluidSynth plays it, LAME encodes it."""

from __future__ import annotations

import array
import math
import shutil
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

from .catalogue import COMPOSER, LICENCE
from .score import Piece

SOUNDFONT = Path("/usr/share/sounds/sf2/FluidR3_GM.sf2")
SAMPLE_RATE = 44_100
BITRATE_KBIT_S = 160

# One gain for all clips: how loud a piece is, is decided by its own dynamics.
GAIN = 0.62
# A sample peak above this would bring the encoded sound near the full scale.
HIGHEST_PEAK_DBFS = -1.8
FADE_S = 2.5


class RenderError(Exception):
    """A clip could not be made; the text says why."""


def missing_packages() -> list[str]:
    """The Debian packages that are needed and not there."""
    needed = {
        "fluidsynth": shutil.which("fluidsynth") is not None,
        "fluid-soundfont-gm": SOUNDFONT.is_file(),
        "lame": shutil.which("lame") is not None,
    }
    return [package for package, there in needed.items() if not there]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RenderError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")


def _synthesise(piece: Piece, midi: Path, sound: Path) -> None:
    settings = {
        "synth.polyphony": 512,
        "synth.reverb.active": 1,
        "synth.reverb.room-size": piece.room,
        "synth.reverb.damp": 0.35,
        "synth.reverb.width": 0.8,
        "synth.reverb.level": 0.7,
        "synth.chorus.active": 1,
        "synth.chorus.level": 1.2,
        "synth.chorus.speed": 0.4,
    }
    options = [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]
    output = ["-F", str(sound), "-T", "wav", "-O", "s16", "-r", str(SAMPLE_RATE), "-g", str(GAIN)]
    _run(["fluidsynth", "-ni", *options, *output, str(SOUNDFONT), str(midi)])


def _finish(piece: Piece, sound: Path) -> None:
    """Cuts the sound to the piece's duration, fades its last ringing and checks its peak."""
    with wave.open(str(sound), "rb") as reader:
        if (reader.getnchannels(), reader.getsampwidth(), reader.getframerate()) != (2, 2, SAMPLE_RATE):
            raise RenderError("FluidSynth wrote another sample format than it was asked for")
        samples = array.array("h", reader.readframes(reader.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()

    frames = round(piece.duration_s * SAMPLE_RATE)
    if len(samples) < 2 * frames:
        samples.extend([0] * (2 * frames - len(samples)))
    del samples[2 * frames :]

    fade = round(FADE_S * SAMPLE_RATE)
    for frame in range(fade):
        gain = 0.5 + 0.5 * math.cos(math.pi * (frame + 1) / fade)
        for index in (2 * (frames - fade + frame), 2 * (frames - fade + frame) + 1):
            samples[index] = round(samples[index] * gain)

    peak = max(max(samples), -min(samples), 1) / 32_768
    if (peak_dbfs := 20 * math.log10(peak)) > HIGHEST_PEAK_DBFS:
        raise RenderError(f"{piece.name} peaks at {peak_dbfs:.2f} dBFS: lower its parts")

    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(sound), "wb") as writer:
        writer.setnchannels(2)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(samples.tobytes())


def _encode(piece: Piece, sound: Path, target: Path) -> None:
    tags = {
        "--tt": piece.title,
        "--ta": "station",
        "--tl": "station preview clips",
        "--tg": piece.genre,
        "--ty": "2026",
        "--tc": f"{LICENCE}, {COMPOSER}",
    }
    encoding = ["--cbr", "-b", str(BITRATE_KBIT_S), "-m", "j", "-q", "2", "--noreplaygain"]
    tagging = ["--id3v2-only", *(word for tag in tags.items() for word in tag)]
    _run(["lame", "--silent", *encoding, *tagging, str(sound), str(target)])


def render(piece: Piece, target: Path) -> None:
    """Makes the piece's MP3 file; nothing else stays behind."""
    with tempfile.TemporaryDirectory() as folder:
        midi, sound, encoded = (Path(folder) / f"clip.{kind}" for kind in ("mid", "wav", "mp3"))
        midi.write_bytes(piece.midi())
        _synthesise(piece, midi, sound)
        _finish(piece, sound)
        _encode(piece, sound, encoded)
        shutil.copyfile(encoded, target)
