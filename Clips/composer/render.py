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
from collections.abc import Sequence
from pathlib import Path

from .albums import Album
from .catalogue import COMPOSER, LICENCE
from .score import Piece

SOUNDFONT = Path("/usr/share/sounds/sf2/FluidR3_GM.sf2")
SAMPLE_RATE = 44_100

# One gain for all clips: how loud a piece is, is decided by its own dynamics.
GAIN = 0.7
# A sample peak above this would bring the encoded sound near the full scale.
HIGHEST_PEAK_DBFS = -1.8
FADE_S = 1.8
# A first-order high-pass at 8 Hz.
_OFFSET_DECAY = math.exp(-2 * math.pi * 8 / SAMPLE_RATE)


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


def _without_offset(samples: Sequence[int]) -> list[float]:
    """One channel without what lies below hearing: some sampled instruments are not centred."""
    filtered = []
    before = now = 0.0
    for sample in samples:
        now = sample - before + _OFFSET_DECAY * now
        before = sample
        filtered.append(now)
    return filtered


def _finish(piece: Piece, sound: Path) -> None:
    """Centres the sound, cuts it to the piece's duration, fades its last ringing and checks its peak."""
    with wave.open(str(sound), "rb") as reader:
        if (reader.getnchannels(), reader.getsampwidth(), reader.getframerate()) != (2, 2, SAMPLE_RATE):
            raise RenderError("FluidSynth wrote another sample format than it was asked for")
        samples = array.array("h", reader.readframes(reader.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()

    frames = round(piece.duration_s * SAMPLE_RATE)
    fade = round(FADE_S * SAMPLE_RATE)
    fading = [0.5 + 0.5 * math.cos(math.pi * (frame + 1) / fade) for frame in range(fade)]
    highest = 1
    finished = array.array("h", bytes(4 * frames))
    for side in (0, 1):
        channel = _without_offset(samples[side : 2 * frames : 2])
        channel += [0.0] * (frames - len(channel))
        for index, gain in enumerate(fading, start=frames - fade):
            channel[index] *= gain
        whole = [round(sample) for sample in channel]
        highest = max(highest, max(whole), -min(whole))
        if highest < 32_768:
            finished[side::2] = array.array("h", whole)

    if (peak_dbfs := 20 * math.log10(highest / 32_768)) > HIGHEST_PEAK_DBFS:
        raise RenderError(f"{piece.name} peaks at {peak_dbfs:.2f} dBFS: lower its parts")

    if sys.byteorder == "big":
        finished.byteswap()
    with wave.open(str(sound), "wb") as writer:
        writer.setnchannels(2)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(finished.tobytes())


def _encode(piece: Piece, album: Album, sound: Path, target: Path) -> None:
    tags = {
        "--tt": piece.title,
        "--ta": "station",
        "--tl": album.title,
        "--tg": piece.genre,
        "--ty": "2026",
        "--tc": f"{LICENCE}, {COMPOSER}",
    }
    # Without being told the sample rate, LAME lowers it at low bit rates.
    encoding = ["--resample", str(SAMPLE_RATE / 1000), "--cbr", "-b", str(album.bitrate_kbit_s)]
    encoding += ["-m", "j", "-q", "2", "--noreplaygain"]
    tagging = ["--id3v2-only", "--id3v2-latin1", *(word for tag in tags.items() for word in tag)]
    _run(["lame", "--silent", *encoding, *tagging, str(sound), str(target)])


def render(piece: Piece, album: Album, target: Path) -> None:
    """Makes the piece's MP3 file; nothing else stays behind."""
    with tempfile.TemporaryDirectory() as folder:
        midi, sound, encoded = (Path(folder) / f"clip.{kind}" for kind in ("mid", "wav", "mp3"))
        midi.write_bytes(piece.midi())
        _synthesise(piece, midi, sound)
        _finish(piece, sound)
        _encode(piece, album, sound, encoded)
        shutil.copyfile(encoded, target)
