"""R peaks as soon as they are over, and predicted beats, on ten minutes of generated electrocardiogram for each seed.

    heartbeats.py PROGRAM SEEDS
"""
import statistics
import subprocess
import sys

PROGRAM, SEEDS = sys.argv[1], int(sys.argv[2])
missed = False


def target(what, wanted, measured, met):
    global missed
    missed = missed or not met
    print(f"| {what} | {wanted} | {measured} | {'met' if met else 'MISSED'} |", flush=True)


def figures(line):
    return {name: float(value) for name, value in (word.split("=") for word in line.split())}


triggers, predictions = [], []
for seed in range(1, SEEDS + 1):
    output = subprocess.run([PROGRAM, "heartbeats", "10", str(seed)], capture_output=True, check=True, text=True)
    first, second = output.stdout.splitlines()
    triggers.append(figures(first))
    predictions.append(figures(second))
    methods = {name: value for name, value in predictions[-1].items() if name.split("-")[0] in ("last", "mean", "ar")}
    print(f"seed {seed}: RMSSD {predictions[-1]['rmssd_ms']:.1f} ms; errors of predictions in ms: "
          f"taken {predictions[-1]['predicted_ms']:.2f}, "
          + ", ".join(f"{name} {value:.2f}" for name, value in methods.items()))

print("| what | target | measured | |\n|---|---|---|---|")
deviations = [one["sd_ms"] for one in triggers]
target("detected R peaks: SD of the time", "≤ 5 ms", f"{statistics.median(deviations):.2f} ms, at most {max(deviations):.2f}",
       max(deviations) <= 5)
latest = max(one["latest_ms"] for one in triggers)
target("detected: found after the peak", "≤ 20 ms", f"{statistics.mean(one['found_ms'] for one in triggers):.1f} ms, "
       f"at most {latest:.1f}", latest <= 20)
wrong = sum(one["false"] + one["missed"] for one in triggers)
target("false and missed", "0", f"{wrong:.0f} of {sum(one['beats'] for one in triggers):.0f}", wrong == 0)
ratios = [one["ratio"] for one in predictions]
target("predicted: error beside the best one-step predictor", "≤ 1.1", f"{statistics.median(ratios):.3f}, at most {max(ratios):.3f}",
       max(ratios) <= 1.1)
sys.exit(missed)
