#!/usr/bin/env python3
"""How punctual are the station's onsets on a busy computer?

Plays the station's tones through the private PulseAudio and the private PipeWire of run.py, while every processor is kept
busy and eight other programs play silence through the same sink. A trial without a disturbance must be punctual; one with
an underrun must say so.

    Benchmarks/onset/load.py --trials 500        # about ten minutes a server
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run

STREAMS = 8


class Load:
    """A busy loop on every processor and silent streams, while the `with` lasts."""

    def __init__(self, environment):
        self.environment = environment
        self.processes = []

    def __enter__(self):
        for _ in range(os.cpu_count()):
            self.processes.append(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
        for _ in range(STREAMS):
            self.processes.append(subprocess.Popen(
                ["pacat", "-p", "--raw", "--rate=44100", "--format=s16le", "--channels=2", "/dev/zero"],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def judge(name, rows, unknown, options, verdicts):
    """Says how far the trials were off, apart from those that a disturbance was reported of."""
    # Other programs on the sink are not disturbances.
    calm = [row for row in rows if row["disturbances"] == 0]
    onset, claim = run.column(calm, "onset"), run.column(calm, "claim")
    silent = sum("claim" in row and abs(row["claim"]) > 1 for row in calm) + sum("lost" in row for row in calm)
    outside = sum(row.get("outside", False) for row in calm)
    print(f"{name:12s} load {os.getloadavg()[0]:.1f}, disturbed {len(rows) - len(calm)} of {len(rows)}, "
          f"unknown to the tap {unknown}")
    for label, values in (("true − scheduled", onset), ("reported − true", claim),
                          ("uncertainty", run.column(calm, "uncertainty"))):
        print(f"    {label:18s} {run.figures(values)}")
    whole = len(rows) == options.trials - unknown and len(onset) > 1
    verdicts.add(f"{name}: true − scheduled where nothing happened, ms", f"SD {onset.std(ddof=1):.4f}" if whole else "–",
                 "SD ≤ 0.05", whole and onset.std(ddof=1) <= 0.05)
    verdicts.add(f"{name}: disturbances that were not reported", f"{silent} of {len(rows)}", "0", whole and silent == 0)
    verdicts.add(f"{name}: outside their uncertainty", f"{outside} of {len(calm)}", "0", whole and outside == 0)


def main():
    options = run.arguments()
    options.without_peers = True
    _, library = run.prepare(options)
    import numpy
    import tap
    from graph import Graph
    from server import Server
    run.np, run.tap = numpy, tap
    verdicts = run.Verdicts()
    made = {
        "pulseaudio": lambda: Server(library, f"{options.work}/tap-load.bin", f"{HERE}/asound.conf"),
        "pipewire": lambda: Graph(
            f"{options.work}/graph_tap", f"{options.work}/graph-tap-load.bin", f"{HERE}/asound.conf")}
    for name, make in made.items():
        if name not in options.servers.split(","):
            continue
        with make() as server, Load(server.environment):
            bench = run.Bench(server)
            speaker = "pulse:test" if name == "pulseaudio" else "pipewire:test"
            rows = bench.onsets([options.station, "check", "onset", "--trials", str(options.trials), "--json-lines",
                                 "--speaker", speaker])
            judge(name, rows, bench.unknown, options, verdicts)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
