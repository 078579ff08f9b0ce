#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Composes, renders and lists the station's preview clips.

    compose.py [--output FOLDER]

Writes one MP3 file a clip and `clips.json` into the folder (by default the
one this script is in). Needs the Debian packages fluidsynth,
fluid-soundfont-gm and lame.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from composer import catalogue, chill, dark, happy, light
from composer.render import RenderError, missing_packages, render
from composer.score import Piece

COMPOSITIONS = (
    chill.late_window,
    chill.slow_harbour,
    dark.drowned_bell,
    happy.kite_weather,
    light.paper_lanterns,
    light.dew_steps,
)


def pieces() -> list[Piece]:
    """All pieces, composed anew."""
    return [composition() for composition in COMPOSITIONS]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the script; returns its exit status."""
    parser = argparse.ArgumentParser(description="Makes the station's preview clips.")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).resolve().parent,
        metavar="FOLDER",
        help="where the clips and clips.json go (default: beside this script)",
    )
    output: Path = parser.parse_args(arguments).output

    if missing := missing_packages():
        print("Debian packages are missing: apt install " + " ".join(missing), file=sys.stderr)
        return 1
    try:
        output.mkdir(parents=True, exist_ok=True)
        composed = pieces()
        for piece in composed:
            render(piece, output / f"{piece.name}.mp3")
            print(f"{piece.name}.mp3  {piece.duration_s:5.1f} s  {piece.title}")
        catalogue.write(composed, output / "clips.json")
    except (OSError, RenderError) as error:
        print(f"compose.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
