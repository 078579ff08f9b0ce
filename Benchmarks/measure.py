"""Runs processes in turn and accounts for them as the operating system does; Python's standard library only."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# On a disk, beside the build: what a recording waits for is the disk.
SCRATCH = ROOT / ".build" / "benchmarks"


@dataclass
class Run:
    """One process from its start to its end."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system together, children included."""
    output: str


@dataclass
class Series:
    """The runs of one command."""

    name: str
    command: list
    runs: list = field(default_factory=list)
    peak: float = float("nan")
    """The largest resident set, in megabytes of 10^6 bytes."""

    def values(self, what):
        return [getattr(run, what) for run in self.runs]

    def median(self, what):
        return statistics.median(self.values(what))

    def ratio(self, other, what):
        """This series over another one: the median of the ratios round by round, which a busy machine moves least."""
        return statistics.median(a / b for a, b in zip(self.values(what), other.values(what)))


def build(product):
    """Builds a product as Scripts/build does, and returns its path; STATION_PROGRAM names another program “station”."""
    if product == "station" and (program := os.environ.get("STATION_PROGRAM")):
        return program
    options = ["--configuration", "release", "--static-swift-stdlib"]
    built = subprocess.run(
        ["swift", "build", *options, "--product", product], cwd=ROOT, capture_output=True, text=True
    )
    if built.returncode != 0:
        sys.exit(f"the product “{product}” could not be built:\n{built.stdout}{built.stderr}")
    folder = subprocess.run(
        ["swift", "build", *options, "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return f"{folder.stdout.strip()}/{product}"


def need(*programs):
    """Ends the script when a program is missing."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}; “Scripts/install build run bench test” installs what the benchmarks need")


def run(command):
    """Runs a command to its end; one that fails ends the script."""
    read, write = os.pipe()
    with open(os.devnull, "r+b") as null:
        actions = [
            (os.POSIX_SPAWN_DUP2, null.fileno(), 0),
            (os.POSIX_SPAWN_DUP2, write, 1),
            (os.POSIX_SPAWN_DUP2, null.fileno(), 2),
        ]
        start = time.monotonic()
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        output = pipe.read().decode(errors="replace")
    _, status, usage = os.wait4(process, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"“{' '.join(command)}” ended with {os.waitstatus_to_exitcode(status)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, output)


def peak(command):
    """The largest resident set of a process, in megabytes.

    GNU time starts it: what Python starts itself inherits Python's own peak.
    """
    note = SCRATCH / "peak"
    SCRATCH.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["/usr/bin/time", "--format", "%M", "--output", str(note), *command],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
    )
    return int(note.read_text().split()[-1]) * 1024 / 1e6


def alternate(commands, rounds):
    """Runs commands in turn (A B C A B C …), so that what else the machine does meets all of them alike.

    `commands` are lists of words by name; the first round only warms up and is not counted.
    """
    series = [Series(name, command) for name, command in commands.items()]
    for round in range(rounds + 1):
        for one in series:
            result = run(one.command)
            if round > 0:
                one.runs.append(result)
    for one in series:
        one.peak = statistics.median(peak(one.command) for _ in range(3))
    return series


def spread(values, scale=1.0, digits=1):
    """`median (smallest … largest)`."""
    median = statistics.median(values) * scale
    return f"{median:.{digits}f} ({min(values) * scale:.{digits}f} … {max(values) * scale:.{digits}f})"


def verdict(target, value, is_met):
    """One line for a target."""
    print(f"{'met   ' if is_met else 'MISSED'}  {target}: {value}")
    return is_met


def table(head, rows):
    """Prints a Markdown table."""
    print()
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if index == 0 else "---:" for index in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def machine():
    """Says what is measured on, and how busy it is with other things."""
    model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    system = next(
        (line.split("=")[1].strip().strip('"') for line in open("/etc/os-release") if line.startswith("PRETTY_NAME")),
        "?",
    )
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{model}, {os.cpu_count()} cores; {system}, Linux {os.uname().release}; load {load}")
    if os.getloadavg()[0] > 0.5 * os.cpu_count():
        print("The machine is busy with other things: CPU time says more than wall time now.")
