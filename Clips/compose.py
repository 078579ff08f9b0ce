#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Composes, renders and lists the station's clips.

    compose.py [--output FOLDER]

Writes the preview clips into the folder (by default the one this script is in)
and the long ones into its subfolder `long`: one MP3 file a clip, and a
`clips.json` that lists them. Needs the Debian packages fluidsynth,
fluid-soundfont-gm and lame.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from composer import catalogue
from composer.albums import ALBUMS
from composer.render import RenderError, missing_packages, render


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the script; returns its exit status."""
    parser = argparse.ArgumentParser(description="Makes the station's clips.")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).resolve().parent,
        metavar="FOLDER",
        help="where the clips and their lists go (default: beside this script)",
    )
    output: Path = parser.parse_args(arguments).output

    if missing := missing_packages():
        print("Debian packages are missing: apt install " + " ".join(missing), file=sys.stderr)
        return 1
    try:
        for album in ALBUMS:
            folder = output / album.folder
            folder.mkdir(parents=True, exist_ok=True)
            pieces = album.pieces()
            for piece in pieces:
                render(piece, album, folder / f"{piece.name}.mp3")
                print(f"{piece.name}.mp3  {piece.duration_s:5.1f} s  {piece.title}")
            catalogue.write(pieces, folder / "clips.json")
    except (OSError, RenderError) as error:
        print(f"compose.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
