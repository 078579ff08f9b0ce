"""Sensitivity, precision, times and speed of `station analyse --detect`, beside NeuroKit2.

    detection.py STATION BENCHMARK FOLDER ROUNDS
"""
import json
import os
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np
import pyedflib

warnings.filterwarnings("ignore")
import neurokit2 as nk  # noqa: E402

STATION, BENCHMARK, FOLDER, ROUNDS = *sys.argv[1:4], int(sys.argv[4])
missed = False


def target(what, wanted, measured, met):
    global missed
    missed = missed or not met
    print(f"| {what} | {wanted} | {measured} | {'met' if met else 'MISSED'} |", flush=True)


def write(name, signal, rate, label):
    path = os.path.join(FOLDER, f"{name}.edf")
    writer = pyedflib.EdfWriter(path, 1, file_type=pyedflib.FILETYPE_EDFPLUS)
    limit = float(np.ceil(np.max(np.abs(signal))))
    writer.setSignalHeader(0, {
        "label": label, "dimension": "mV", "sample_frequency": rate, "physical_max": limit, "physical_min": -limit,
        "digital_max": 32767, "digital_min": -32768, "transducer": "", "prefilter": ""})
    whole = len(signal) // rate * rate
    writer.writeSamples([np.asarray(signal[:whole], dtype=float)])
    writer.close()
    return path


def ours(path):
    output = subprocess.run(
        [STATION, "analyse", "--detect", "--json", "--measure", "meanHeartRate", path], capture_output=True, check=True)
    return np.array(json.loads(output.stdout)["recordings"][0]["detection"]["peaks_s"])


def match(truth, found, tolerance=0.05):
    used, errors = set(), []
    for beat in truth:
        near = [(abs(found[i] - beat), i) for i in range(*np.searchsorted(found, [beat - tolerance, beat + tolerance]))]
        near = [pair for pair in near if pair[1] not in used]
        if near:
            index = min(near)[1]
            used.add(index)
            errors.append(found[index] - beat)
    return len(errors) / max(1, len(truth)), len(errors) / max(1, len(found)), 1000 * np.array(errors)


def inner(beats, seconds):
    """Without the first and last half second, where a complex may be cut."""
    return beats[(beats > 0.5) & (beats < seconds - 0.5)]


def heart(seed, rate, seconds, per_minute):
    """An electrocardiogram of bell curves, and its R peaks."""
    random = np.random.default_rng(seed)
    times = np.arange(seconds * rate) / rate
    signal, beats, beat = 0.02 * random.standard_normal(len(times)), [], 0.7
    while beat < seconds - 0.5:
        beats.append(beat)
        interval = max(0.3, 60 / per_minute * (1 + 0.04 * random.standard_normal()))
        root = np.sqrt(interval)
        for shift, width, height in [
            (-0.16, 0.022, 0.12), (-0.026, 0.008, -0.12), (0, 0.011, 1.1), (0.028, 0.010, -0.25),
            (0.30 * root, 0.045 * root, 0.3),
        ]:
            distance = (times - beat - shift) / width
            near = np.abs(distance) < 6
            signal[near] += height * np.exp(-0.5 * distance[near] ** 2)
        beat += interval
    return signal, np.array(beats)


print("| what | target | measured | |\n|---|---|---|---|")
for rate in (100, 250, 500, 1000):
    sensitivities, precisions, worst = [], [], []
    for per_minute in (40, 70, 120, 180):
        signal, beats = heart(per_minute, rate, 300, per_minute)
        found = ours(write(f"made-{rate}-{per_minute}", signal, rate, "ECG"))
        sensitivity, precision, errors = match(inner(beats, 300), inner(found, 300))
        sensitivities.append(sensitivity)
        precisions.append(precision)
        worst.append(np.abs(errors).max())
    target(
        f"our generator, {rate} Hz, 40 to 180 /min", "sensitivity and precision ≥ 0.99",
        f"{min(sensitivities):.4f} and {min(precisions):.4f}; off by {max(worst):.1f} ms at most",
        min(sensitivities + precisions) >= 0.99)
for rate in (250, 1000):
    results, differences = [], []
    for per_minute in (50, 70, 110):
        clean = nk.ecg_simulate(duration=300, sampling_rate=rate, heart_rate=per_minute, noise=0, random_state=1)
        noisy = nk.ecg_simulate(duration=300, sampling_rate=rate, heart_rate=per_minute, noise=0.02, random_state=1)
        truth = nk.ecg_peaks(clean, sampling_rate=rate)[1]["ECG_R_Peaks"] / rate
        found = ours(write(f"simulated-{rate}-{per_minute}", noisy, rate, "ECG"))
        results += match(inner(truth, 300), inner(found, 300))[:2]
        theirs = nk.ecg_peaks(nk.ecg_clean(noisy, sampling_rate=rate), sampling_rate=rate)[1]["ECG_R_Peaks"] / rate
        differences.append(np.abs(match(inner(theirs, 300), inner(found, 300))[2]).max())
    target(
        f"ecg_simulate, {rate} Hz", "sensitivity and precision ≥ 0.99", f"{min(results):.4f} at least", min(results) >= 0.99)
    target(f"R peaks beside NeuroKit2's, {rate} Hz", "within 10 ms", f"{max(differences):.1f} ms at most", max(differences) <= 10)
for rate in (100, 250):
    results, differences = [], []
    for per_minute in (55, 75, 110):
        wave = nk.ppg_simulate(
            duration=300, sampling_rate=rate, heart_rate=per_minute, random_state=3, ibi_randomness=0.1, burst_number=0)
        found = ours(write(f"pulse-{rate}-{per_minute}", wave, rate, "PPG"))
        cleaned = nk.ppg_clean(wave, sampling_rate=rate)
        theirs = nk.ppg_findpeaks(cleaned, sampling_rate=rate)["PPG_Peaks"] / rate
        theirs = theirs[(theirs > 2) & (theirs < 298)]
        sensitivity, precision, errors = match(theirs, found[(found > 1.9) & (found < 298.1)], 0.1)
        results += [sensitivity, precision]
        differences.append(np.abs(errors).max())
    target(f"ppg_simulate, {rate} Hz, beside NeuroKit2", "both ≥ 0.99", f"{min(results):.4f} at least", min(results) >= 0.99)
    target(f"pulse peaks beside NeuroKit2's, {rate} Hz", "within 10 ms", f"{max(differences):.1f} ms at most", max(differences) <= 10)

# Speed: five minutes at 1 kHz.
signal, _ = heart(1, 1000, 300, 70)
path = write("speed", signal, 1000, "ECG")
program = (
    "import warnings; warnings.filterwarnings('ignore')\n"
    "import neurokit2 as nk, pyedflib, sys\n"
    "signal = pyedflib.EdfReader(sys.argv[1]).readSignal(0)\n"
    "nk.ecg_process(signal, sampling_rate=1000)\n")
cold, theirs, inside = [], [], []
for _ in range(ROUNDS):
    start = time.perf_counter()
    subprocess.run([STATION, "analyse", "--detect", "--measure", "meanHeartRate", path], capture_output=True, check=True)
    cold.append(time.perf_counter() - start)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program, path], check=True)
    theirs.append(time.perf_counter() - start)
    start = time.perf_counter()
    nk.ecg_peaks(nk.ecg_clean(signal, sampling_rate=1000), sampling_rate=1000)
    inside.append(time.perf_counter() - start)
ratio = statistics.median(b / a for a, b in zip(cold, theirs))
target(
    "5 min at 1 kHz, cold, beside ecg_process", "≥ 50 × faster",
    f"{1000 * statistics.median(cold):.0f} ms, {statistics.median(theirs):.2f} s: {ratio:.0f} ×", ratio >= 50)
signal.astype(float).tofile(f"{FOLDER}/speed.f64")
lines = subprocess.run(
    [BENCHMARK, "detect", f"{FOLDER}/speed.f64", "1000", str(ROUNDS)], capture_output=True, text=True, check=True).stdout
in_process = statistics.median(float(line.split()[0]) for line in lines.splitlines())
target(
    "the same in process, beside ecg_clean + ecg_peaks", "at least as fast",
    f"{in_process:.0f} ms, {1000 * statistics.median(inside):.0f} ms", in_process <= 1000 * statistics.median(inside))

# An hour at 250 Hz: the processor's time beside the time of the recording, and memory.
signal, _ = heart(2, 250, 600, 70)
memory = []
for hours in (1, 6):
    path = write(f"hours-{hours}", np.tile(signal, 6 * hours), 250, "ECG")
    # Started by a small process: the memory of a child includes its parent's at its start.
    told = subprocess.run(
        ["/usr/bin/time", "-f", "%U %S %M", STATION, "analyse", "--detect", "--measure", "meanHeartRate", path],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr.splitlines()[-1].split()
    processor = float(told[0]) + float(told[1])
    memory.append(int(told[2]) / 1024)
    if hours == 1:
        share = 100 * processor / 3600
        target("one hour at 250 Hz, detection and analysis", "≤ 1 % of a core", f"{processor:.2f} s: {share:.3f} %", share <= 1)
target("memory for six hours beside one", "flat but for the beats", f"{memory[0]:.0f} and {memory[1]:.0f} MiB", memory[1] - memory[0] < 32)
print(f"load {os.getloadavg()[0]:.1f}")
sys.exit(1 if missed else 0)
