#!/usr/bin/env python3
"""How exactly do sounds follow heartbeats, from the R peak to what the sink plays?

Runs sessions whose clips are locked to the R peaks of an electrocardiogram that is sent live in lines of 20 ms, with known
beats (heart.py), against the private servers of run.py. Prints, for detected and for predicted beats, the delay from the
true R peak to the true onset minus the delay that was asked for, and what the results say of it.

    Benchmarks/onset/locked.py --trials 40 [--servers pulseaudio,pipewire]        # about 25 minutes a server
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
import session

#: So many beats are left to the predictors to learn from.
LEARNT = 60


def protocol(folder, beat, delay):
    # The detector learns for 8 s, and the trigger needs four beats more.
    steps = [{**session.STEPS[1], "identifier": "before", "stepDuration": 14},
             {**session.STEPS[0], "onset": {"lockTo": "rPeak", "beat": beat, "delay_ms": delay}}, session.STEPS[1]]
    steps[1].pop("recorderConfigurations")
    with open(f"{folder}/{beat}.json", "w") as file:
        json.dump({"format": "station.protocol/1", "identifier": "Locked", "version": "1", "clips": {"folder": "clips"},
                   "recorderConfigurations": [
                       {"identifier": name, "quantityType": kind, "scope": "trial", "settle_s": 0}
                       for name, kind in (("ecg", "electrocardiogram"), ("rr", "rrInterval"))],
                   "steps": steps}, file)


def locks(results):
    """What each result says of its sound: the intended and the true delay, the triggers and those that were wrong; and the
    time of the heartbeat on CLOCK_MONOTONIC."""
    for path in sorted(glob.glob(f"{results}/bundles/*/data/result.json")):
        with open(path) as file:
            result = json.load(file)
        lock = result["playback"]["lock"]
        yield {**lock, "beat": result["place"]["zero_ns"] + lock["heartbeat"]["expected_ns"]}


def predictions(intervals):
    """What each one-step predictor says of every interval from those before it; None where it cannot say anything."""
    for count in (1, 2, 4, 8):
        yield [sum(intervals[i - count:i]) / count if i >= count else None for i in range(len(intervals))]
    for order in (1, 2, 4, 6, 8):
        weights, inverse = run.np.eye(order + 1)[0], 100 * run.np.eye(order + 1)
        said = [None] * len(intervals)
        for i in range(order, len(intervals)):
            point = run.np.array([*reversed(intervals[i - order:i]), 1])
            said[i] = float(weights @ point)
            spread = inverse @ point
            gain = spread / (0.995 + point @ spread)
            weights = weights + gain * (intervals[i] - said[i])
            inverse = (inverse - run.np.outer(gain, spread)) / 0.995
        yield said


def best(known, places):
    """The size of the errors, in ms, that the best one-step predictor of the whole replay makes at these beats."""
    intervals = [(after - before) / 1e6 for before, after in zip(known, known[1:])]
    errors = [[None if one is None else one - true for one, true in zip(said, intervals)] for said in predictions(intervals)]
    whole = [size([error for error in one[LEARNT:]]) for one in errors]
    chosen = errors[whole.index(min(whole))]
    return size([chosen[place - 1] for place in places])


def size(errors):
    return statistics.fmean(error ** 2 for error in errors) ** 0.5


def measure(bench, station, folder, beat, delay, trials, seed):
    """Plays so many sounds; returns the errors of the delay in ms, and what the results say."""
    results, beats = f"{folder}/results", f"{folder}/beats-{beat}"
    shutil.rmtree(results, ignore_errors=True)
    protocol(folder, beat, delay)
    offset = run.tap.position(bench.server.tap_file)
    sensor = f"lines:exec:{sys.executable} {HERE}/heart.py {beats} {seed}"
    words = [station, "run", f"{folder}/{beat}.json", "--participant", "p1", "--results", results, "--unattended",
             "--speaker", "test", "--no-sensor-check", "--repeat", str(trials), "--replacement",
             "--sensor", f"electrocardiogram={sensor}", "--sensor", f"rrInterval={sensor}"]
    done = subprocess.run(words, env=bench.server.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"the session failed: {done.stderr[-500:]}")
    with open(beats) as file:
        known = sorted(float(line) * 1e9 for line in file)
    said, errors, places = list(locks(results)), [], []
    for burst, lock in zip(bench.bursts(offset, 80), said):
        places.append(min(range(len(known)), key=lambda place: abs(known[place] - lock["beat"])))
        errors.append((burst["onset_ns"] - known[places[-1]]) / 1e6 - delay)
    intervals = [(after - before) / 1e6 for before, after in zip(known, known[1:])]
    rmssd = size([b - a for a, b in zip(intervals, intervals[1:])])
    later = [(error, place) for error, place in zip(errors, places) if place > LEARNT]
    ratio = size([error for error, _ in later]) / best(known, [place for _, place in later]) if later else float("inf")
    return errors, said, rmssd, ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default=f"{run.ROOT}/.build/onset")
    parser.add_argument("--station")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--servers", default="pulseaudio,pipewire")
    parser.add_argument("--beats", default="detected,predicted")
    parser.add_argument("--delay", type=int, default=250, help="the delay after the R peak in ms (default 250)")
    options = parser.parse_args()
    options.without_peers = True
    _, library = run.prepare(options)
    import media
    import numpy
    import tap
    from graph import Graph
    from server import Server
    run.np, run.tap = numpy, tap
    media.make(f"{options.work}/media")
    folder = f"{options.work}/locked"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/clips")
    shutil.copy(f"{options.work}/media/tone0.2.mp3", f"{folder}/clips")
    verdicts = run.Verdicts()
    print(f"load {', '.join(f'{value:.1f}' for value in os.getloadavg())}")
    made = {"pulseaudio": lambda: Server(library, f"{options.work}/tap-locked.bin", f"{HERE}/asound.conf"),
            "pipewire": lambda: Graph(
                f"{options.work}/graph_tap", f"{options.work}/graph-tap-locked.bin", f"{HERE}/asound.conf")}
    for name in options.servers.split(","):
        with made[name]() as server:
            bench = run.Bench(server)
            for seed, beat in enumerate(options.beats.split(","), 1):
                errors, said, rmssd, ratio = measure(bench, options.station, folder, beat, options.delay, options.trials, seed)
                told = [(lock["trueDelay_ns"] - lock["heartbeat"]["delay_ns"]) / 1e6 for lock in said
                        if lock["trueDelay_ns"] is not None]
                wrong = sum(len(lock["falseTriggers"]) + len(lock["missedPeaks"]) for lock in said)
                print(f"{name}, {beat}: true delay − {options.delay} ms: {run.figures(numpy.array(errors))}\n"
                      f"    as the results say it: {run.figures(numpy.array(told))}; false and missed triggers {wrong} of "
                      f"{sum(lock['triggers'] for lock in said)}; RMSSD {rmssd:.1f} ms")
                spread = statistics.stdev(errors) if len(errors) > 1 else float("inf")
                is_whole = len(errors) == options.trials
                if beat == "detected":
                    verdicts.add(f"{name}, detected: SD of the delay, ms", f"{spread:.2f}", "≤ 5", is_whole and spread <= 5)
                else:
                    verdicts.add(f"{name}, predicted: error beside the best one-step predictor, after {LEARNT} beats",
                                 f"{ratio:.3f}", "≤ 1.1", is_whole and ratio <= 1.1)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
