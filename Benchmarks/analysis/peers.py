"""What NeuroKit2, pyHRV and hrv-analysis print for the series in a folder, by their defaults; as JSON.

    python3 peers.py FOLDER > FOLDER/peers.json      (see compare-peers for the versions)
"""

import contextlib
import json
import os
import pathlib
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
if not hasattr(np, "trapz"):
    np.trapz = np.trapezoid  # hrv-analysis 1.0.5 calls it by its old name

import matplotlib

matplotlib.use("agg")
with contextlib.redirect_stdout(sys.stderr):
    import hrvanalysis
    import neurokit2
    import pyhrv.frequency_domain
    import pyhrv.nonlinear
    import pyhrv.time_domain


def neurokit(nn):
    peaks = np.concatenate([[0], np.cumsum(nn)]).astype(int)
    time = neurokit2.hrv_time(peaks, sampling_rate=1000)
    frequency = neurokit2.hrv_frequency(peaks, sampling_rate=1000)
    nonlinear = neurokit2.hrv_nonlinear(peaks, sampling_rate=1000)
    names = {
        "meanNN": "MeanNN", "sdnn": "SDNN", "sdsd": "SDSD", "rmssd": "RMSSD", "pnn50": "pNN50", "pnn20": "pNN20",
        "sd1": "SD1", "sd2": "SD2", "sampleEntropy": "SampEn", "dfaAlpha1": "DFA_alpha1", "dfaAlpha2": "DFA_alpha2",
        "vlf": "VLF", "lf": "LF", "hf": "HF", "lfToHF": "LFHF", "lfNormalised": "LFn", "hfNormalised": "HFn",
    }
    result = {}
    for ours, theirs in names.items():
        for frame in (time, frequency, nonlinear):
            if f"HRV_{theirs}" in frame:
                result[ours] = float(frame[f"HRV_{theirs}"].iloc[0])
    return result


def pyhrv_measures(nn):
    time, nonlinear = pyhrv.time_domain, pyhrv.nonlinear
    rates = time.hr_parameters(nn)
    spectrum = pyhrv.frequency_domain.welch_psd(nn, mode="dev")[0]
    poincare = nonlinear.poincare(nn, mode="dev")
    vlf, lf, hf = spectrum["fft_abs"]
    return {
        "meanHeartRate": rates["hr_mean"], "minimumHeartRate": rates["hr_min"], "maximumHeartRate": rates["hr_max"],
        "meanNN": time.nni_parameters(nn)["nni_mean"], "sdnn": time.sdnn(nn)["sdnn"], "sdsd": time.sdsd(nn)["sdsd"],
        "rmssd": time.rmssd(nn)["rmssd"], "nn50": time.nn50(nn)["nn50"], "pnn50": time.nn50(nn)["pnn50"],
        "pnn20": time.nn20(nn)["pnn20"], "sd1": poincare["sd1"], "sd2": poincare["sd2"],
        "sampleEntropy": nonlinear.sample_entropy(nn)["sampen"], "vlf": vlf, "lf": lf, "hf": hf,
        "lfToHF": spectrum["fft_ratio"], "lfNormalised": spectrum["fft_norm"][0],
        "hfNormalised": spectrum["fft_norm"][1],
    }


def hrv_analysis(nn):
    time = hrvanalysis.get_time_domain_features(nn)
    frequency = hrvanalysis.get_frequency_domain_features(nn)
    poincare = hrvanalysis.get_poincare_plot_features(nn)
    return {
        "meanHeartRate": time["mean_hr"], "minimumHeartRate": time["min_hr"], "maximumHeartRate": time["max_hr"],
        "meanNN": time["mean_nni"], "sdnn": time["sdnn"], "sdsd": time["sdsd"], "rmssd": time["rmssd"],
        "nn50": time["nni_50"], "pnn50": time["pnni_50"], "pnn20": time["pnni_20"], "sd1": poincare["sd1"],
        "sd2": poincare["sd2"], "sampleEntropy": hrvanalysis.get_sampen(nn)["sampen"], "vlf": frequency["vlf"],
        "lf": frequency["lf"], "hf": frequency["hf"], "lfToHF": frequency["lf_hf_ratio"],
        "lfNormalised": frequency["lfnu"], "hfNormalised": frequency["hfnu"],
    }


def correction(nn):
    """NeuroKit2's correction (method "kubios") of four faults, and what it finds in the first pass."""
    beats = np.concatenate([[0], np.cumsum(nn)])
    faulty = beats.astype(float).copy()
    faulty[50] -= 0.30 * nn[49]
    faulty[150] -= 0.35 * nn[149]
    faulty = np.insert(faulty, 201, (faulty[200] + faulty[201]) / 2)
    faulty = np.delete(faulty, 100).round().astype(int)
    found, once = neurokit2.signal_fixpeaks(faulty, sampling_rate=1000, iterative=False, method="kubios")
    _, repeated = neurokit2.signal_fixpeaks(faulty, sampling_rate=1000, iterative=True, method="kubios")
    rmssd = lambda peaks: float(np.sqrt((np.diff(np.diff(peaks)) ** 2).mean()))
    return {
        "intervals": np.diff(faulty).tolist(), "cleanRMSSD": rmssd(beats), "faultyRMSSD": rmssd(faulty),
        "onceIntervals": np.diff(once).tolist(), "repeatedRMSSD": rmssd(repeated),
        "found": {kind: [int(i) for i in found[kind]] for kind in ("ectopic", "missed", "extra", "longshort")},
    }


def main():
    result = []
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.txt")):
        nn = np.loadtxt(path)
        with contextlib.redirect_stdout(sys.stderr):
            entry = {
                "name": path.stem, "neuroKit2": neurokit(nn), "pyHRV": pyhrv_measures(nn),
                "hrvAnalysis": hrv_analysis(nn.tolist()),
            }
            # The faults are put in up to the 201st beat.
            if len(nn) > 210:
                entry["correction"] = correction(nn)
        for peer in ("neuroKit2", "pyHRV", "hrvAnalysis"):
            # As printed: four digits are what the tests ask for; a few more are kept.
            entry[peer] = {
                name: float(f"{float(value):.8g}") for name, value in entry[peer].items() if np.isfinite(value)}
        result.append(entry)
    print("[\n" + ",\n".join(json.dumps(entry) for entry in result) + "\n]")


main()
