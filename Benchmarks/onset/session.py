#!/usr/bin/env python3
"""Are the onsets of a session's trials as punctual as those of single trials, and how soon is the next one ready?

Runs N trials of one session with --repeat, N trials of the session of a design, and a part of that as single trials, against
the private PulseAudio with the tap that run.py uses, with a simulated heart and the sample store. Prints, for each, true −
scheduled and reported − true onset, and for the sessions the time from the end of a trial to its successor's sound being
handed to the speaker.
"""
import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run

STEPS = [
    {"kind": "music", "identifier": "music", "clip": {"choose": "random"}, "stepDuration": 0.2, "whenShorter": "end",
     "shouldStartTimerAutomatically": True, "shouldContinueOnFinish": True,
     "recorderConfigurations": [{"identifier": "heart", "quantityType": "heartRate", "settle_s": 0}]},
    # Between two bursts the tap needs silence.
    {"kind": "rest", "identifier": "rest", "stepDuration": 0.2, "shouldStartTimerAutomatically": True,
     "shouldContinueOnFinish": True},
]


def trials(results):
    """Each trial's times on CLOCK_MONOTONIC, in order: scheduled and reported onset, when it was handed over, its end."""
    rows = []
    for bundle in sorted(glob.glob(f"{results}/bundles/*")):
        result = json.load(open(f"{bundle}/data/result.json"))
        # What lies around the trials of a design plays nothing.
        if result["place"]["trial"] is None:
            continue
        zero, row = result["place"]["zero_ns"], {"verdict": result["verdict"]}
        for line in open(f"{bundle}/data/journal.jsonl"):
            record = json.loads(line)
            now = zero + record["t_ns"]
            if record["kind"] == "stimulus.scheduled":
                row.update(handed=now, scheduled=zero + record["at_ns"])
            elif record["kind"] == "stimulus.onset":
                row.update(reported=zero + record["onset"]["t_ns"] if "onset" in record else now)
            elif record["kind"] == "trial.close":
                row.update(closed=now)
        rows.append(row)
    return rows


def protocol(folder, count):
    """Writes the protocol of a single trial, and that of a session of so many in random order."""
    base = {"format": "station.protocol/1", "identifier": "Onsets", "version": "1", "clips": {"folder": "clips"}}
    design = {"conditions": [{"name": "one"}, {"name": "other"}], "repetitions": count // 2, "order": "random",
              "clipReuse": "always"}
    steps = [{**STEPS[0], "clip": {"choose": "condition"}}, STEPS[1]]
    for name, content in [("protocol", STEPS),
                          ("design", [{"kind": "trials", "identifier": "trials", "design": design, "steps": steps}])]:
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump({**base, "steps": content}, file)


def session(bench, station, folder, count, name="protocol"):
    """Runs a session; returns its trials with the true onsets."""
    results = f"{folder}/results"
    shutil.rmtree(results, ignore_errors=True)
    offset = run.tap.position(bench.server.tap_file)
    words = [station, "run", f"{folder}/{name}.json", "--participant", "p1", "--results", results, "--unattended",
             "--sensor", "heart=simulated", "--speaker", "test", "--no-sensor-check"]
    if count > 1 and name == "protocol":
        words += ["--repeat", str(count), "--replacement"]
    done = subprocess.run(words, env=bench.server.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"the session failed: {done.stderr[-500:]}")
    heard, rows = bench.bursts(offset, 80), trials(results)
    for row in rows:
        near = [b["onset_ns"] for b in heard if abs(b["onset_ns"] - row["scheduled"]) < 100e6]
        if near:
            row["true"] = near[0]
    return rows


def show(name, rows):
    found = [row for row in rows if "true" in row]
    late = [(row["true"] - row["scheduled"]) / 1e6 for row in found]
    claim = [(row["reported"] - row["true"]) / 1e6 for row in found]
    print(f"{name:22s} {len(found)} of {len(rows)} heard; true − scheduled {statistics.median(late):+.4f} "
          f"SD {statistics.stdev(late):.4f} ms; reported − true {statistics.median(claim):+.4f} "
          f"SD {statistics.stdev(claim):.4f} ms")
    return statistics.stdev(late)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default=f"{run.ROOT}/.build/onset")
    parser.add_argument("--station")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--singles", type=int, default=30)
    options = parser.parse_args()
    options.without_peers = True
    _, library = run.prepare(options)
    import media
    import numpy
    import tap
    from server import Server
    run.np, run.tap = numpy, tap
    media.make(f"{options.work}/media")
    folder = f"{options.work}/session"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/clips")
    shutil.copy(f"{options.work}/media/tone0.2.mp3", f"{folder}/clips")
    shutil.copy(f"{options.work}/media/tone0.2.wav", f"{folder}/clips/tone.wav")
    protocol(folder, options.trials)
    print(f"load {', '.join(f'{value:.1f}' for value in os.getloadavg())}")
    with Server(library, f"{options.work}/tap.bin", f"{HERE}/asound.conf") as server:
        bench = run.Bench(server)
        together = session(bench, options.station, folder, options.trials)
        designed = session(bench, options.station, folder, options.trials, "design")
        alone = [row for _ in range(options.singles) for row in session(bench, options.station, folder, 1)]
    single = show("single trials", alone)
    targets = []
    for name, rows in [("repeated trials", together), ("trials of a design", designed)]:
        difference = show(name, rows) - single
        gaps = [(after["handed"] - before["closed"]) / 1e6 for before, after in zip(rows, rows[1:])]
        print(f"{name:22s} end of a trial → next sound handed to the speaker: median {statistics.median(gaps):.1f} ms, "
              f"largest {max(gaps):.1f} ms")
        targets += [
            (f"{name}: SD of onsets against single trials, ms", f"{difference:+.4f}", "≤ 0.005", difference <= 0.005),
            (f"{name}: readiness after a trial, largest, ms", f"{max(gaps):.1f}", "≤ 150", max(gaps) <= 150)]
    for what, value, target, is_met in targets:
        print(f"{'met   ' if is_met else 'MISSED'}  {what:52s} {value:>10s}   target {target}")
    return 0 if all(row[3] for row in targets) else 1


if __name__ == "__main__":
    sys.exit(main())
