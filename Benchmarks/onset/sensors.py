#!/usr/bin/env python3
"""Do many sensors at once disturb the sound, and is anything lost of what they send?

Runs a session of trials of ten seconds twice against the private PulseAudio with the tap that run.py uses: with a simulated
heart, and with two Bluetooth straps, a PulseSensor, a BITalino at 1,000 frames a second and a stream of the Lab Streaming
Layer, all of which `Scripts/pretend` runs. Prints the true onsets of both, what was recorded of what was due, and
the processor time and memory of the session.

    Benchmarks/onset/sensors.py --minutes 10     # twice ten minutes
"""
import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run
import session

TRIAL = 10.0
RECORDERS = {"strap": "heartRate", "second": "heartRate", "pulse": "photoplethysmogram", "ecg": "electrocardiogram",
             "stream": "heartRate"}
#: What is due each second of the waveforms; the others send about once a second or beat.
RATES = {"pulse": 50, "ecg": 1000}


class Devices:
    """The devices of `Scripts/pretend`, while the `with` lasts."""

    def __init__(self):
        self.processes = []
        self.environment, self.sensors = {}, {}

    def start(self, *words):
        process = subprocess.Popen(
            [f"{run.ROOT}/Scripts/pretend", *words], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.processes.append(process)
        return process.stdout

    def __enter__(self):
        lines = self.start("bluetooth", "--straps", "2")
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = lines.readline().strip().split("=", 1)[1]
        self.sensors["strap"], self.sensors["second"] = address(lines), address(lines)
        for name, kind in (("pulse", "serial pulsesensor"), ("ecg", "serial bitalino"), ("stream", "lsl")):
            self.sensors[name] = address(self.start(*kind.split()))
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.wait()


def address(lines):
    """The sensor that a line says how to check."""
    return lines.readline().strip().removeprefix("station check sensor ").strip("'")


def load_lsl():
    """Sets the variable by which the station finds liblsl, which the package pylsl brings."""
    if "LSL_LIBRARY" not in os.environ:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "pylsl==1.18.6"], check=True)
        found = subprocess.run(
            [sys.executable, "-c", "import pylsl, os; print(os.path.dirname(pylsl.__file__))"],
            check=True, capture_output=True, text=True).stdout.strip()
        os.environ["LSL_LIBRARY"] = glob.glob(f"{found}/lib/liblsl.so*")[0]


def protocol(folder, recorders):
    configurations = [
        {"identifier": name, "quantityType": kind, "scope": "trial", "settle_s": 0} for name, kind in recorders.items()]
    steps = [{**session.STEPS[0]}, {**session.STEPS[1], "stepDuration": TRIAL - 0.2}]
    steps[0].pop("recorderConfigurations")
    with open(f"{folder}/protocol.json", "w") as file:
        json.dump({"format": "station.protocol/1", "identifier": "Sensors", "version": "1", "clips": {"folder": "clips"},
                   "recorderConfigurations": configurations, "steps": steps}, file)


def watch(process, found):
    """Follows the memory of a process, in MiB, until it ends."""
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as file:
                found.extend(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))
        except OSError:
            pass
        time.sleep(1)


def record(bench, station, folder, count, sensors, environment):
    """Runs a session; returns its trials with the true onsets, its share of a processor, and its memory by the second."""
    results = f"{folder}/results"
    shutil.rmtree(results, ignore_errors=True)
    offset = run.tap.position(bench.server.tap_file)
    words = [station, "run", f"{folder}/protocol.json", "--participant", "p1", "--results", results, "--unattended",
             "--speaker", "test", "--no-sensor-check", "--repeat", str(count), "--replacement"]
    for name, sensor in sensors.items():
        words += ["--sensor", f"{name}={sensor}"]
    memory, began = [], time.monotonic()
    with open(f"{folder}/complaints", "w") as complaints:
        process = subprocess.Popen(
            words, env={**bench.server.environment, **environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=complaints)
        watcher = threading.Thread(target=watch, args=(process, memory))
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        watcher.join()
    if process.returncode not in (0, 4):
        sys.exit(f"the session failed: {open(f'{folder}/complaints').read()[-500:]}")
    rows = session.trials(results)
    heard = bench.bursts(offset, 80)
    for row in rows:
        near = [b["onset_ns"] for b in heard if abs(b["onset_ns"] - row["scheduled"]) < 100e6]
        if near:
            row["true"] = near[0]
    share = (usage.ru_utime + usage.ru_stime) / (time.monotonic() - began)
    return rows, share, memory


def lost(results):
    """What each recorder has of what was due, in trials, and the gaps that were reported."""
    for name in RECORDERS:
        samples = due = gaps = trials = 0
        for path in glob.glob(f"{results}/bundles/*/data/result.json"):
            with open(path) as file:
                recordings = [r for r in json.load(file)["recordings"] if r["identifier"] == name]
            for recording in recordings:
                trials += 1
                samples += recording["samples"]
                gaps += len(recording["gaps"])
                length = sum(part["to_ns"] - part["from_ns"] for part in recording["segments"]) / 1e9
                due += length * RATES.get(name, 1)
        yield name, trials, samples, due, gaps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default=f"{run.ROOT}/.build/onset")
    parser.add_argument("--station")
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    options.without_peers, options.servers = True, "pulseaudio"
    _, library = run.prepare(options)
    load_lsl()
    import media
    import numpy
    import tap
    from server import Server
    run.np, run.tap = numpy, tap
    media.make(f"{options.work}/media")
    folder = f"{options.work}/sensors"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/clips")
    shutil.copy(f"{options.work}/media/tone0.2.mp3", f"{folder}/clips")
    count = max(3, round(options.minutes * 60 / TRIAL))
    verdicts = run.Verdicts()
    print(f"load {', '.join(f'{value:.1f}' for value in os.getloadavg())}; {count} trials of {TRIAL:.0f} s")
    with Server(library, f"{options.work}/tap.bin", f"{HERE}/asound.conf") as server:
        bench = run.Bench(server)
        protocol(folder, {"heart": "heartRate"})
        alone, quiet_share, _ = record(bench, options.station, folder, count, {"heart": "simulated"}, {})
        protocol(folder, RECORDERS)
        with Devices() as devices:
            rows, share, memory = record(
                bench, options.station, folder, count, devices.sensors, devices.environment)
    single, together = session.show("a simulated heart", alone), session.show("all sensors", rows)
    print(f"processor: {quiet_share:.2%} with a simulated heart, {share:.2%} with all; memory {memory[0]:.1f} MiB at first, "
          f"{statistics.median(memory[-10:]):.1f} at the end")
    for name, trials, samples, due, gaps in lost(f"{folder}/results"):
        print(f"{name:8s} {samples} samples in {trials} trials of about {due:.0f} due, {gaps} gaps")
        verdicts.add(f"{name}: gaps", str(gaps), "0", gaps == 0 and trials == count)
        if name in RATES:
            # At either end of a step a delivery may belong to the next.
            verdicts.add(f"{name}: recorded of what is due", f"{samples / due:.4f}", "≥ 0.99", samples >= 0.99 * due)
    settled = statistics.median(memory[len(memory) // 5:][:10])
    growth = statistics.median(memory[-10:]) - settled
    verdicts.add("SD of onsets with all sensors, ms more", f"{together - single:+.4f}", "≤ 0.05",
                 together - single <= 0.05)
    verdicts.add("share of a processor", f"{share:.2%}", "< 5 %", share < 0.05)
    verdicts.add("memory from a fifth of the time on, MiB more", f"{growth:+.1f}", "≤ 5", growth <= 5)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
