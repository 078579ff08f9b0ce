# SPDX-License-Identifier: Apache-2.0
"""The collections of clips, each a folder with a list of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .long import (
    ash_procession,
    bicycle_bells,
    clock_below,
    cloud_ferry,
    low_tide_letters,
    market_morning,
    porch_light,
    swallow_post,
)
from .previews import chill, dark, happy, light
from .score import Piece


@dataclass(frozen=True)
class Album:
    """Pieces that belong together: where their clips go and how they are encoded."""

    title: str
    folder: str  # below the folder of all clips
    bitrate_kbit_s: int
    compositions: tuple[Callable[[], Piece], ...]

    def pieces(self) -> list[Piece]:
        """All its pieces, composed anew."""
        return [composition() for composition in self.compositions]


PREVIEWS = Album(
    title="station preview clips",
    folder=".",
    bitrate_kbit_s=160,
    compositions=(
        chill.late_window,
        chill.slow_harbour,
        dark.drowned_bell,
        happy.kite_weather,
        light.paper_lanterns,
        light.dew_steps,
    ),
)

LONG = Album(
    title="station long clips",
    folder="long",
    bitrate_kbit_s=96,
    compositions=(
        porch_light.compose,
        low_tide_letters.compose,
        ash_procession.compose,
        clock_below.compose,
        market_morning.compose,
        bicycle_bells.compose,
        swallow_post.compose,
        cloud_ferry.compose,
    ),
)

ALBUMS = (PREVIEWS, LONG)
