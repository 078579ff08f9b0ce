#!/usr/bin/env python3
"""How long does a long stimulus really last?

Runs one trial whose clip plays for so many minutes, against the private PipeWire of run.py, and compares what the result says
with what the sink played. The clip is kept in memory, as in every trial: 30 minutes take 650 MB.

    Benchmarks/onset/long.py --minutes 30
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run
import session


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default=f"{run.ROOT}/.build/onset")
    parser.add_argument("--station")
    parser.add_argument("--minutes", type=int, default=30)
    options = parser.parse_args()
    options.without_peers, options.servers = True, "pipewire"
    run.prepare(options)
    import media
    import numpy
    import tap
    from graph import Graph
    run.np, run.tap = numpy, tap
    seconds, folder = 60 * options.minutes, f"{options.work}/long"
    media.make(f"{options.work}/media", [seconds])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/clips")
    shutil.copy(f"{options.work}/media/tone{seconds}.mp3", f"{folder}/clips")
    with open(f"{folder}/protocol.json", "w") as file:
        json.dump({"format": "station.protocol/1", "identifier": "Long", "version": "1", "clips": {"folder": "clips"},
                   "steps": [{**session.STEPS[0], "stepDuration": seconds}]}, file)
    print(f"load {', '.join(f'{value:.1f}' for value in os.getloadavg())}")
    with Graph(f"{options.work}/graph_tap", f"{options.work}/graph-tap-long.bin", f"{HERE}/asound.conf") as graph:
        bench, offset = run.Bench(graph), tap.position(graph.tap_file)
        done = subprocess.run(
            [options.station, "run", f"{folder}/protocol.json", "--participant", "p1", "--results", f"{folder}/results",
             "--unattended", "--sensor", "heart=simulated", "--speaker", "pipewire:test", "--no-sensor-check"],
            env=graph.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode not in (0, 4):
            sys.exit(f"the trial failed: {done.stderr[-500:]}")
        bursts, missed = bench.bursts(offset, 400), len(tap.misses(graph.tap_file, offset))
    with open(glob.glob(f"{folder}/results/bundles/*/data/result.json")[0]) as file:
        result = json.load(file)
    playback = result["playback"]
    said = (playback["offset"]["t_ns"] - playback["onset"]["t_ns"]) / 1e6 - 1000 * seconds
    # From end to end by the driver's clock: where the tap missed cycles, it has fewer frames.
    true = (bursts[-1]["end_ns"] - bursts[0]["onset_ns"]) / 1e6 - 1000 * seconds
    print(f"true duration − asked {true:+.3f} ms, reported {said:+.3f} ms; the tap missed {missed} times; caveats: "
          f"{', '.join(caveat['caveat'] for caveat in result['caveats']) or 'none'}")
    verdicts = run.Verdicts()
    verdicts.add(f"duration of {options.minutes} min, ms", f"{true:+.3f}", "±0.05", abs(true) <= 0.05)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
