"""What NumPy and SciPy make of the definitions in the article "Measures", on the series in Tests/AnalysisTests/Series and
on random ones; written as JSON, which the tests compare the module Analysis with.

    python3 reference.py FOLDER > FOLDER/reference.json      (numpy and scipy; see compare-peers)
"""

import json
import math
import pathlib
import sys

import numpy as np
from scipy.interpolate import CubicSpline, interp1d, make_interp_spline
from scipy.signal import lombscargle, welch

BANDS = {"vlf": (0.0033, 0.04), "lf": (0.04, 0.15), "hf": (0.15, 0.4)}


def bands(frequencies, densities, step):
    result = {}
    for name, (low, high) in BANDS.items():
        inside = (frequencies >= low) & (frequencies < high)
        if inside.any():
            result[name] = densities[inside].sum() * step
    if "lf" in result and "hf" in result:
        result["lfToHF"] = result["lf"] / result["hf"]
        result["lfNormalised"] = 100 * result["lf"] / (result["lf"] + result["hf"])
        result["hfNormalised"] = 100 * result["hf"] / (result["lf"] + result["hf"])
    return result


def welch_bands(nn):
    times = (np.cumsum(nn) - nn[0]) / 1000
    grid = np.arange(0, times[-1], 0.25)
    signal = CubicSpline(times, nn, bc_type="natural")(grid)
    frequencies, densities = welch(
        signal, fs=4, window="hann", nperseg=min(1024, len(signal)), detrend="constant", scaling="density")
    return bands(frequencies, densities, frequencies[1] - frequencies[0])


def lomb_bands(nn, seconds=256.0, step=1 / 256):
    times = np.cumsum(nn) / 1000
    length = min(seconds, times[-1] - times[0])
    if length < 1:
        return {}
    frequencies = np.arange(1, int(0.5 / step) + 1) * step
    # A segment says nothing of a frequency of which no whole wave fits into it.
    frequencies = frequencies[frequencies >= (1 - 1e-9) / length]
    spectra = []
    start = times[0]
    while start + length <= times[-1] + 1e-9 * length:
        inside = (times >= start) & (times <= start + length + 1e-9 * length)
        t, x = times[inside] - start, nn[inside]
        if len(t) >= 3:
            w = 0.5 - 0.5 * np.cos(2 * np.pi * t / length)
            power = lombscargle(t, (x - x.mean()) * w, 2 * np.pi * frequencies)
            spectra.append(2 * power * length / (w**2).sum())
        start += length / 2
    return bands(frequencies, np.mean(spectra, axis=0), step)


def sample_entropy(nn, m=2):
    tolerance = 0.2 * np.std(nn, ddof=1)
    count = len(nn) - m
    if count < 2:
        return None

    def pairs(length):
        templates = np.array([nn[i : i + length] for i in range(count)])
        return sum(
            int((np.abs(templates[i + 1 :] - templates[i]).max(axis=1) <= tolerance).sum()) for i in range(count - 1))

    short, long = pairs(m), pairs(m + 1)
    return -math.log(long / short) if long and short else None


def fluctuation_exponent(nn, lengths):
    if lengths[-1] >= len(nn):
        return None
    profile = np.cumsum(nn - nn.mean())
    values = []
    for n in lengths:
        windows = profile[: len(profile) // n * n].reshape(-1, n)
        x = np.arange(n)
        lines = np.polyfit(x, windows.T, 1)
        rest = windows - (np.outer(lines[0], x) + lines[1][:, None])
        values.append(np.sqrt((rest**2).mean()))
    return np.polyfit(np.log(lengths), np.log(values), 1)[0]


def measures(nn):
    differences = np.diff(nn)
    rates = 60000 / nn
    sdnn, sdsd = np.std(nn, ddof=1), np.std(differences, ddof=1)
    result = {
        "meanHeartRate": rates.mean(), "timeWeightedHeartRate": 60000 / nn.mean(), "minimumHeartRate": rates.min(),
        "maximumHeartRate": rates.max(), "lastHeartRate": rates[-1], "meanNN": nn.mean(), "sdnn": sdnn, "sdsd": sdsd,
        "rmssd": np.sqrt((differences**2).mean()), "nn50": int((np.abs(differences) > 50).sum()),
        "pnn50": 100 * (np.abs(differences) > 50).mean(), "pnn20": 100 * (np.abs(differences) > 20).mean(),
        "sd1": sdsd / np.sqrt(2), "sd2": np.sqrt(2 * sdnn**2 - sdsd**2 / 2), "sampleEntropy": sample_entropy(nn),
        "dfaAlpha1": fluctuation_exponent(nn, np.arange(4, 17)),
        "dfaAlpha2": fluctuation_exponent(nn, np.arange(16, 65)),
    }
    return {name: float(value) for name, value in result.items() if value is not None}


def splines(rng):
    x = np.cumsum(rng.uniform(0.5, 1.5, 30))
    y = rng.normal(800, 50, 30)
    places = np.sort(rng.uniform(x[0], x[-1], 50))
    values = {
        "linear": interp1d(x, y, kind="linear")(places),
        "quadratic": interp1d(x, y, kind="quadratic")(places),
        "naturalCubic": make_interp_spline(x, y, k=3, bc_type="natural")(places),
        "notAKnotCubic": interp1d(x, y, kind="cubic")(places),
    }
    return {
        "x": x.tolist(), "y": y.tolist(), "places": places.tolist(),
        "values": {name: value.tolist() for name, value in values.items()},
    }


def transforms(rng):
    result = []
    for count in (1, 2, 3, 16, 30, 97, 134, 251, 1000):
        signal = rng.normal(size=count)
        result.append({"signal": signal.tolist(), "powers": (np.abs(np.fft.rfft(signal)) ** 2).tolist()})
    return result


def random_series(rng):
    """Series of every kind: white, correlated, alternating, quantised; short and long."""
    for count in (5, 12, 70):
        yield rng.normal(800, 60, count)
    walk = np.zeros(900)
    for i in range(1, len(walk)):
        walk[i] = 0.95 * walk[i - 1] + rng.normal(0, 15)
    yield 850 + walk
    yield 700 + 40 * np.sin(np.arange(400) * 0.9) + rng.normal(0, 20, 400)
    yield np.round(rng.normal(1000, 25, 500) * 1.024) / 1.024


def main():
    folder = pathlib.Path(sys.argv[1])
    rng = np.random.default_rng(20261121)
    series = [(path.stem, np.loadtxt(path), False) for path in sorted(folder.glob("*.txt"))]
    series += [(f"random {index}", nn, True) for index, nn in enumerate(random_series(rng))]
    entries = []
    for name, nn, isWritten in series:
        entry = {"name": name, "measures": measures(nn), "welch": welch_bands(nn), "lombScargle": lomb_bands(nn)}
        if isWritten:
            entry["intervals"] = nn.tolist()
        entries.append(entry)
    parts = {"series": entries, "splines": splines(rng), "transforms": transforms(rng)}
    print("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()) + "\n}")


main()
