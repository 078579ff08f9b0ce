"""Sensitivity and precision of `station analyse --detect` on annotated WFDB records, beside NeuroKit2's detectors.

    records.py STATION FOLDER

Every record of FOLDER that has annotations (NAME.hea, NAME.atr) is read, its first signal is used. As ANSI/AAMI EC57
has it, a beat counts as found within 150 ms of its annotation, and what lies between the marks of ventricular flutter
([ and ]) is left out.
"""
import glob
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import wfdb

warnings.filterwarnings("ignore")
import neurokit2 as nk  # noqa: E402

STATION, FOLDER = sys.argv[1:3]
BEATS = set("NLRBAaJSVrFejnE/fQ?")
TOLERANCE = 0.15


def ours(path, channel):
    output = subprocess.run(
        [STATION, "analyse", "--detect", "--channel", channel, "--json", "--measure", "meanHeartRate", path],
        capture_output=True, check=True)
    return np.array(json.loads(output.stdout)["recordings"][0]["detection"]["peaks_s"])


def theirs(signal, rate, method):
    cleaned = nk.ecg_clean(signal, sampling_rate=rate, method=method)
    return nk.ecg_peaks(cleaned, sampling_rate=rate, method=method)[1]["ECG_R_Peaks"] / rate


def flutter(annotation, rate, end):
    parts, start = [], None
    for sample, symbol in zip(annotation.sample, annotation.symbol):
        if symbol == "[":
            start = sample / rate
        elif symbol == "]" and start is not None:
            parts.append((start, sample / rate))
            start = None
    return parts + ([(start, end)] if start is not None else [])


def matches(truth, found):
    """The beats of two sorted lists that are each other's, in order."""
    count = at = 0
    for beat in truth:
        while at < len(found) and found[at] < beat - TOLERANCE:
            at += 1
        if at < len(found) and found[at] <= beat + TOLERANCE:
            count += 1
            at += 1
    return count


print("| record | beats | detector | sensitivity | precision | missed | false |\n|---|---:|---|---:|---:|---:|---:|")
for header in sorted(glob.glob(os.path.join(FOLDER, "*.hea"))):
    path = header[:-4]
    if not os.path.exists(path + ".atr"):
        continue
    record = wfdb.rdrecord(path, channels=[0])
    signal, rate, name = record.p_signal[:, 0], record.fs, record.sig_name[0]
    annotation = wfdb.rdann(path, "atr")
    end = len(signal) / rate
    out = flutter(annotation, rate, end)
    inside = lambda times: np.array(  # noqa: E731
        [t for t in times if 0.5 < t < end - 0.5 and not any(a - TOLERANCE <= t <= b + TOLERANCE for a, b in out)])
    truth = inside(
        np.array([s for s, symbol in zip(annotation.sample, annotation.symbol) if symbol in BEATS]) / rate)
    detectors = {"station": ours(header, name)}
    for method in ("neurokit", "pantompkins1985", "hamilton2002", "elgendi2010"):
        detectors["NeuroKit2, " + method] = theirs(signal, rate, method)
    for detector, times in detectors.items():
        found = inside(np.sort(times))
        both = matches(truth, found)
        print(
            f"| {os.path.basename(path)} | {len(truth)} | {detector} | {both / len(truth):.4f} | {both / len(found):.4f} "
            f"| {len(truth) - both} | {len(found) - both} |", flush=True)
