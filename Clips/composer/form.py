# SPDX-License-Identifier: Apache-2.0
"""The form of a piece: sections in a row, each as long as its chord changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .harmony import Change, Placed, between, progression


@dataclass(frozen=True)
class Section:
    """A section, or several in a row: where it begins and ends, in beats."""

    start: float
    end: float
    beats_per_bar: int

    @property
    def bars(self) -> int:
        """How many bars it has."""
        return round((self.end - self.start) / self.beats_per_bar)

    def bar(self, number: int) -> float:
        """The beat on which one of its bars begins; its first bar is number 1."""
        return self.start + (number - 1) * self.beats_per_bar

    def part(self, first: int, last: int) -> Section:
        """Its bars from one number to another, both included."""
        return Section(self.bar(first), self.bar(last + 1), self.beats_per_bar)

    def to(self, other: Section) -> Section:
        """All from the beginning of this one to the end of another."""
        return Section(self.start, other.end, self.beats_per_bar)

    def of(self, row: Sequence[Placed]) -> list[Placed]:
        """The chords of a row that begin in it."""
        return between(row, self.start, self.end)


@dataclass
class Form:
    """The sections of a piece as they are added, and all their chord changes."""

    beats_per_bar: int
    changes: list[Change] = field(default_factory=list)

    @property
    def end(self) -> float:
        """The beat on which the last section ends."""
        return self.changes[-1].end if self.changes else 0.0

    def section(self, chords: str) -> Section:
        """Adds a section with these chords."""
        start = self.end
        self.changes += progression(chords, start, self.beats_per_bar)
        return Section(start, self.end, self.beats_per_bar)
