"""Writes the series of the tests, one interval in milliseconds a line: pyHRV's two, the beginning of the shorter one, a part
of a record of PhysioNet's nsr2db, and one that is made here.

    python3 series.py FOLDER [NSR003]

NSR003 holds the intervals of that record in seconds, one a line, as PhysioNet's ann2rr prints them with -i s; without it
its series is left as it is.
"""

import math
import pathlib
import sys

import numpy as np
import pyhrv

folder = pathlib.Path(sys.argv[1])
files = pathlib.Path(pyhrv.__file__).parent / "files"
for name, file in (("nsrdb-short", "SampleNNISeriesShort.npy"), ("nsrdb-long", "SampleNNISeriesLong.npy")):
    (folder / f"{name}.txt").write_text("".join(f"{n}\n" for n in np.load(files / file)))
short = (folder / "nsrdb-short.txt").read_text().splitlines(keepends=True)
# Well below five minutes, where definitions and programs take other ways.
(folder / "nsrdb-brief.txt").write_text("".join(short[:150]))

# Seventeen minutes without a break. Its beats lie on a grid of 1/128 s: whole milliseconds are taken of the beats' times,
# so that the series does not drift away from them.
if len(sys.argv) > 2:
    beats = np.round(1000 * np.cumsum(np.loadtxt(sys.argv[2])[28500:29701])).astype(int)
    (folder / "nsr2db-003.txt").write_text("".join(f"{interval}\n" for interval in np.diff(beats)))

# Ten minutes: breathing at 0.25 Hz, a slower wave at 0.1 Hz, a drift and noise, rounded to whole milliseconds.
state = 42
time = 0.0
lines = []
while time < 600:
    noise = 0.0
    for _ in range(12):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        noise += (state >> 11) / 2**53
    interval = round(
        880 + 35 * math.sin(2 * math.pi * 0.25 * time) + 25 * math.sin(2 * math.pi * 0.1 * time)
        + 40 * math.sin(2 * math.pi * 0.004 * time) + 12 * (noise - 6))
    lines.append(f"{interval}\n")
    time += interval / 1000
(folder / "generated.txt").write_text("".join(lines))
