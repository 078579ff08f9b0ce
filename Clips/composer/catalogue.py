# SPDX-License-Identifier: Apache-2.0
"""The list of clips, `clips.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from .score import Piece

FORMAT = "station.clips/1"
LICENCE = "CC0-1.0"
COMPOSER = "composed by compose.py for this project"


def entry(piece: Piece) -> dict[str, object]:
    """What the list says about one clip."""
    said: dict[str, object] = {
        "name": piece.name,
        "file": f"{piece.name}.mp3",
        "title": piece.title,
        "mood": piece.mood,
        "tempo_bpm": piece.tempo_bpm,
        "key": piece.key,
        "duration_s": round(piece.duration_s, 2),
        "instruments": piece.instruments,
        "licence": LICENCE,
        "composer": COMPOSER,
    }
    return {**said, "tags": list(piece.tags)} if piece.tags else said


def write(pieces: Iterable[Piece], target: Path) -> None:
    """Writes the list, sorted by name, in the same bytes every time."""
    clips = [entry(piece) for piece in sorted(pieces, key=lambda p: p.name)]
    text = json.dumps({"format": FORMAT, "clips": clips}, indent=2, sort_keys=True, ensure_ascii=False)
    target.write_text(text + "\n", encoding="utf-8")
