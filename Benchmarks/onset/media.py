"""Test clips: a tone of 1 kHz at half scale that begins and ends at its peak, so that its ends are steps."""
import os
import subprocess
import wave

import numpy as np


def make(folder, more=()):
    """Writes tone<seconds>.wav and .mp3 at 44.1 kHz, and tone<seconds>_48k.*, also of `more` lengths; makes only
    what is missing."""
    os.makedirs(folder, exist_ok=True)
    for rate, mark in ((44100, ""), (48000, "_48k")):
        for seconds in (0.2, 1, 5, 10, 30, 31, *more):
            name = f"{folder}/tone{seconds:g}{mark}"
            if os.path.exists(f"{name}.mp3"):
                continue
            tone = 0.5 * np.cos(2 * np.pi * 1000 * np.arange(round(seconds * rate)) / rate)
            with wave.open(f"{name}.wav", "wb") as file:
                file.setnchannels(2)
                file.setsampwidth(2)
                file.setframerate(rate)
                file.writeframes(np.repeat((tone * 32767).astype("<i2")[:, None], 2, 1).tobytes())
            subprocess.run(["lame", "--quiet", "-b", "160", f"{name}.wav", f"{name}.part"], check=True)
            os.rename(f"{name}.part", f"{name}.mp3")
