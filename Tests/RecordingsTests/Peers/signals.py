"""Writes files of signals with pyedflib and wfdb into a folder, and what these packages read of them as signals.json.

    signals.py FOLDER

Of each signal it keeps the number of samples, those that are missing, the sum of the others, and every fiftieth sample.
"""
import datetime
import json
import math
import pathlib
import sys

import numpy as np

RATE = 250


def wave(seconds, seed):
    time = np.arange(seconds * RATE) / RATE
    noise = np.random.default_rng(seed).standard_normal(len(time))
    return 0.8 * np.sin(2 * np.pi * 1.2 * time + seed) + 0.05 * noise


def write_edf(folder, kind, name):
    import pyedflib

    types = {
        "EDF": pyedflib.FILETYPE_EDF, "EDF+": pyedflib.FILETYPE_EDFPLUS,
        "BDF": pyedflib.FILETYPE_BDF, "BDF+": pyedflib.FILETYPE_BDFPLUS,
    }
    wide = kind.startswith("BDF")
    path = f"{folder}/{name}"
    writer = pyedflib.EdfWriter(path, 2, file_type=types[kind])
    writer.setStartdatetime(datetime.datetime(2026, 11, 20, 10))
    limit = 8388607 if wide else 32767
    for index, (label, unit) in enumerate([("ECG II", "mV"), ("Resp belt", "uV")]):
        writer.setSignalHeader(index, {
            "label": label, "dimension": unit, "sample_frequency": RATE if index == 0 else 50,
            "physical_max": 2.0, "physical_min": -2.0, "digital_max": limit, "digital_min": -limit - 1,
            "transducer": "", "prefilter": ""})
    first = wave(20, 1)
    second = np.ascontiguousarray(wave(20, 2)[:: RATE // 50])
    writer.writeSamples([first, second])
    if kind.endswith("+"):
        for beat in (0.5, 1.25, 2.125):
            writer.writeAnnotation(beat, -1, "N")
        writer.writeAnnotation(3.0, 1.0, "a cough")
    writer.close()
    return path


def write_wfdb(folder, form):
    import wfdb

    name = f"record{form}"
    signals = np.stack([wave(21, 1), wave(21, 2)], axis=1)
    signals[100, 0] = np.nan
    wfdb.wrsamp(
        name, fs=RATE, units=["mV", "mV"], sig_name=["MLII", "Resp"], p_signal=signals, fmt=[form, form],
        write_dir=folder)
    beats = np.arange(100, 5000, 211)
    symbols = ["N" if index % 7 else "V" for index in range(len(beats))]
    symbols[3] = "+"
    aux = ["" for _ in beats]
    aux[3] = "(N"
    wfdb.wrann(name, "atr", beats, symbol=symbols, aux_note=aux, write_dir=folder, fs=RATE)
    return f"{folder}/{name}.hea"


def kept(signal):
    values = [None if np.isnan(value) else float(value) for value in signal]
    there = [value for value in values if value is not None]
    return {"count": len(values), "missing": len(values) - len(there), "sum": math.fsum(there), "some": values[::50]}


def read(path):
    if path.endswith(".hea"):
        import wfdb

        record = wfdb.rdrecord(path[:-4])
        marks = wfdb.rdann(path[:-4], "atr")
        return {
            "rates": [record.fs] * record.n_sig, "labels": record.sig_name, "units": record.units,
            "signals": [kept(record.p_signal[:, index]) for index in range(record.n_sig)],
            "beats": [float(sample / record.fs) for sample, symbol in zip(marks.sample, marks.symbol)
                      if symbol in "NLRaVFJASEj/QBenfr?"],
        }
    import pyedflib

    reader = pyedflib.EdfReader(path)
    times, _, texts = reader.readAnnotations()
    return {
        "rates": [float(rate) for rate in reader.getSampleFrequencies()], "labels": reader.getSignalLabels(),
        "units": [reader.getPhysicalDimension(index) for index in range(reader.signals_in_file)],
        "signals": [kept(reader.readSignal(index)) for index in range(reader.signals_in_file)],
        "beats": [float(time) for time, text in zip(times, texts) if text == "N"],
    }


folder = sys.argv[1]
paths = [write_edf(folder, kind, name)
         for kind, name in [("EDF", "plain.edf"), ("EDF+", "plus.edf"), ("BDF", "plain.bdf"), ("BDF+", "plus.bdf")]]
paths += [write_wfdb(folder, form) for form in ("16", "24", "32", "80", "212")]
readings = {pathlib.Path(path).name: read(path) for path in paths}
pathlib.Path(folder, "signals.json").write_text(json.dumps(readings) + "\n")
