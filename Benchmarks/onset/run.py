#!/usr/bin/env python3
"""How punctual, exact and quick is the station's sound, against others on the same machine in the same run?

Builds everything in a work folder, starts a private PulseAudio with a tap that knows the truth, and prints a table.
See README.md beside this file.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGES = ["numpy", "pygame", "sounddevice", "soundfile", "psychtoolbox"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", default=f"{ROOT}/.build/onset", help="everything that is made lies here")
    parser.add_argument("--station", help="a built station; it is built in release when this is left out")
    parser.add_argument("--trials", type=int, default=100, help="onsets of the station (default 100); peers play a quarter")
    parser.add_argument("--starts", type=int, default=30, help="starts of each player (default 30)")
    parser.add_argument("--without-peers", action="store_true", help="only the station and mpg123")
    parser.add_argument("--servers", default="pulseaudio,pipewire,card",
                        help="what to measure (default pulseaudio,pipewire,card)")
    return parser.parse_args()


def prepare(options):
    """Builds the tap, the Python environment and the station; returns when this Python is the environment's."""
    os.makedirs(options.work, exist_ok=True)
    python = f"{options.work}/venv/bin/python"
    if not os.path.exists(f"{options.work}/venv/ready"):
        subprocess.run([sys.executable, "-m", "venv", f"{options.work}/venv"], check=True)
        packages = PACKAGES[:1] if options.without_peers else PACKAGES
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        if not options.without_peers:
            open(f"{options.work}/venv/ready", "w").close()
    if not sys.prefix.startswith(os.path.abspath(options.work)):
        os.execv(python, [python, *sys.argv])
    tap = f"{options.work}/sink_tap.so"
    subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", tap, f"{HERE}/sink_tap.c", "-ldl"], check=True)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libpipewire-0.3"], check=True, capture_output=True, text=True)
    subprocess.run(
        ["cc", "-O2", "-o", f"{options.work}/graph_tap", f"{HERE}/graph_tap.c", *flags.stdout.split()], check=True)
    if "card" in options.servers:
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-DPIC", "-o", f"{options.work}/libasound_module_pcm_benchcard.so",
             f"{HERE}/card.c", "-lasound"], check=True)
    if not options.station:
        subprocess.run(
            ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", "station"], cwd=ROOT, check=True)
        options.station = f"{ROOT}/.build/release/station"
    return python, tap


class Bench:
    """Runs programs against the server and asks the tap what was really heard."""

    def __init__(self, server):
        self.server = server

    def bursts(self, offset, gap_ms):
        time.sleep(0.2)
        return tap.bursts(self.server.tap_file, offset, gap_ms=gap_ms)

    def onsets(self, command, length_ms=200):
        """Runs a driver that prints a line a trial; returns what each promised against what was heard."""
        offset, self.unknown = tap.position(self.server.tap_file), 0
        done = subprocess.run(
            command, env=self.server.environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=2400)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        heard, rows, missed = self.bursts(offset, 80), [], tap.misses(self.server.tap_file, offset)
        for line in lines:
            expected = line.get("t_sched") or line["t_call"]
            near = [b for b in heard if -100e6 < b["onset_ns"] - expected < 800e6]
            row = {} if line.get("claim") else dict(unclaimed=True)
            # Where the tap itself was late, nothing is known.
            if any(-50e6 < when - expected < (length_ms + 100) * 1e6 for when in missed):
                self.unknown += 1
                continue
            rows.append(row)
            row["disturbances"] = line.get("disturbances", 0)
            if not near:
                row["lost"] = True
                continue
            onset = near[0]["onset_ns"]
            row.update(call_to_sound=(onset - line["t_call"]) / 1e6, length=near[0]["length_ms"] - length_ms)
            if line.get("t_sched"):
                row["onset"] = (onset - line["t_sched"]) / 1e6
            if line.get("claim"):
                row["claim"] = (line["claim"] - onset) / 1e6
            if line.get("uncertainty"):
                row["outside"] = abs(line["claim"] - onset) > line["uncertainty"]
                row["uncertainty"] = line["uncertainty"] / 1e6
            if line.get("end"):
                row["end"] = (line["end"] - near[0]["end_ns"]) / 1e6
        if not lines:
            print("  " + " ".join(command[:3]) + " … said: " + done.stderr.strip()[-200:])
        return rows

    def plays(self, command):
        """Runs a player to its end; returns start to sound, length, CPU time and peak memory."""
        offset = tap.position(self.server.tap_file)
        started = time.monotonic_ns()
        process = subprocess.Popen(
            command, env=self.server.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        peak = 0
        while True:
            # What wait4 tells of memory includes our own size before exec, so the peak is polled.
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            age = time.monotonic_ns() - started
            if age > 15e6:
                try:
                    with open(f"/proc/{process.pid}/status") as file:
                        peaks = [int(line.split()[1]) for line in file if line.startswith("VmHWM")]
                    peak = max([peak, *peaks])
                except OSError:
                    pass
            time.sleep(0.02)
        ended = time.monotonic_ns()
        process.returncode = os.waitstatus_to_exitcode(status)
        row = dict(cpu=(usage.ru_utime + usage.ru_stime) * 1e3, memory=peak / 1024, status=process.returncode)
        heard = [b for b in self.bursts(offset, 400) if b["onset_ns"] > started]
        if heard:
            row.update(
                start=(heard[0]["onset_ns"] - started) / 1e6, length=heard[0]["length_ms"],
                linger=(ended - heard[0]["end_ns"]) / 1e6, drops=heard[0]["drops"])
        return row


def column(rows, key):
    return np.array([row[key] for row in rows if key in row], float)


def figures(values):
    if not len(values):
        return "–"
    spread = values.std(ddof=1) if len(values) > 1 else 0.0
    return f"{np.median(values):9.3f} SD {spread:7.3f} ({values.min():.3f} … {values.max():.3f}) n {len(values)}"


class Verdicts:
    def __init__(self):
        self.rows = []

    def add(self, what, value, target, is_met):
        self.rows.append((what, value, target, bool(is_met)))

    def print(self):
        print("\n== Targets ==")
        for what, value, target, is_met in self.rows:
            print(f"{'met   ' if is_met else 'MISSED'}  {what:52s} {value:>22s}   target {target}")
        return all(row[3] for row in self.rows)


def onsets(bench, station, media, python, options, verdicts, results):
    print("\n== Onsets, in ms: true − scheduled, reported − true, call → sound ==")
    peers = f"{HERE}/peers"
    wav, mp3 = f"{media}/tone0.2.wav", f"{media}/tone0.2.mp3"
    few = str(max(10, options.trials // 4))
    check = [station, "check", "onset", "--trials", str(options.trials), "--json-lines"]
    if not bench.server.rewinds:
        ours = {"station, no rewinds": check}
    else:
        ours = {"station": check, "station, 44.1 kHz mp3": [*check, "--clip", mp3]}
    others = {} if options.without_peers or not bench.server.rewinds else {
        "PsychPortAudio class 3, 50 ms": [python, f"{peers}/psychportaudio.py", wav, few, "3", "0.05"],
        "PsychPortAudio class 3": [python, f"{peers}/psychportaudio.py", wav, few, "3", "0"],
        "PsychPortAudio class 1": [python, f"{peers}/psychportaudio.py", wav, few, "1", "0"],
        "sounddevice stream, low": [python, f"{peers}/sounddevice_stream.py", wav, few, "low"],
        "sounddevice stream, high": [python, f"{peers}/sounddevice_stream.py", wav, few, "high"],
        "pygame, buffer 512": [python, f"{peers}/pygame_sound.py", mp3, few, "512"],
        "pygame, buffer 128": [python, f"{peers}/pygame_sound.py", mp3, few, "128"],
        "mpv, unpaused": [python, f"{peers}/mpv_ipc.py", mp3, few],
        "mpg123 -R, unpaused": [python, f"{peers}/mpg123_remote.py", mp3, few],
    }
    for name, command in (ours | others).items():
        rows = bench.onsets(command)
        results.setdefault("onsets", {})[name] = rows
        print(f"{name:30s} load {os.getloadavg()[0]:.1f}, lost {sum('lost' in row for row in rows)} of {len(rows)}, "
              f"disturbed {sum(row['disturbances'] > 0 for row in rows)}")
        for label, key in (("true − scheduled", "onset"), ("reported − true", "claim"),
                           ("uncertainty", "uncertainty"), ("call → sound", "call_to_sound"), ("length − 200", "length")):
            values = column(rows, key)
            if len(values) and not (key == "call_to_sound" and len(column(rows, "onset"))):
                print(f"    {label:18s} {figures(values)}")
        if name not in ours:
            continue
        onset, claim = column(rows, "onset"), column(rows, "claim")
        outside = int(column(rows, "outside").sum())
        # A trial that was not heard, or of which the station claims nothing, is missed, not left out.
        missed = options.trials - sum("claim" in row and "onset" in row for row in rows)
        whole = missed == 0
        verdicts.add(f"{name}: trials without sound or claim", f"{missed} of {options.trials}", "0", whole)
        value = lambda x: f"{np.median(x):+.4f} SD {x.std(ddof=1):.4f}" if len(x) > 1 else "nothing"
        verdicts.add(f"{name}: true − scheduled onset, ms", value(onset), "±0.05, SD ≤ 0.03",
                     whole and abs(np.median(onset)) <= 0.05 and onset.std(ddof=1) <= 0.03)
        verdicts.add(f"{name}: reported − true onset, ms", value(claim), "±0.03, SD ≤ 0.03",
                     whole and abs(np.median(claim)) <= 0.03 and claim.std(ddof=1) <= 0.03)
        verdicts.add(f"{name}: onsets outside their uncertainty", f"{outside} of {len(rows)}", "0", whole and outside == 0)


def graph_onsets(bench, station, media, python, options, verdicts, results):
    """The station's native speaker in graphs of several quanta, and what plays through pipewire-pulse."""
    print("\n== Onsets on PipeWire, in ms: true − scheduled, reported − true ==")
    check = [station, "check", "onset", "--trials", str(options.trials), "--json-lines", "--speaker"]
    mp3, wav, peers = f"{media}/tone0.2.mp3", f"{media}/tone0.2.wav", f"{HERE}/peers"
    few = str(max(10, options.trials // 4))
    rows = []
    for quantum in (256, 1024, 2048):
        rows += [(f"station, quantum {quantum}", quantum, [*check, "pipewire:test"], True),
                 (f"station, quantum {quantum}, 44.1 kHz mp3", quantum, [*check, "pipewire:test", "--clip", mp3], True)]
    rows.append(("station through pipewire-pulse", 1024, [*check, "pulse:test"], False))
    if not options.without_peers:
        rows += [("PsychPortAudio class 3", 1024, [python, f"{peers}/psychportaudio.py", wav, few, "3", "0"], None),
                 ("sounddevice stream, low", 1024, [python, f"{peers}/sounddevice_stream.py", wav, few, "low"], None)]
    for name, quantum, command, is_native in rows:
        bench.server.set_quantum(quantum)
        found = bench.onsets(command)
        results.setdefault("onsets on PipeWire", {})[name] = found
        onset, claim, bound = (column(found, key) for key in ("onset", "claim", "uncertainty"))
        heard = sum("onset" in row and "claim" in row for row in found)
        print(f"{name:40s} load {os.getloadavg()[0]:.1f}, lost {sum('lost' in row for row in found)} of {len(found)}, "
              f"disturbed {sum(row['disturbances'] > 0 for row in found)}, unknown to the tap {bench.unknown}")
        for label, values in (("true − scheduled", onset), ("reported − true", claim), ("uncertainty", bound)):
            if len(values):
                print(f"    {label:18s} {figures(values)}")
        if is_native is None:
            continue
        whole = heard == options.trials - bench.unknown
        outside = sum(row.get("outside", True) for row in found)
        verdicts.add(f"{name}: trials without sound or claim", f"{len(found) - heard} of {len(found)}", "0", whole)
        verdicts.add(f"{name}: outside their uncertainty", f"{outside} of {len(found)}", "0", whole and outside == 0)
        if not heard:
            continue
        if is_native:
            verdicts.add(f"{name}: true − scheduled, ms", f"{np.median(onset):+.4f} SD {onset.std(ddof=1):.4f}",
                         "±0.02, SD ≤ 0.012", whole and abs(np.median(onset)) <= 0.02 and onset.std(ddof=1) <= 0.012)
            verdicts.add(f"{name}: reported − true, largest, ms", f"{np.abs(claim).max():.4f}", "≤ 0.02",
                         whole and np.abs(claim).max() <= 0.02)
            verdicts.add(f"{name}: uncertainty, ms", f"{bound.max():.4f}", "≤ 0.1", whole and bound.max() <= 0.1)
        else:
            verdicts.add(f"{name}: reported − true, ms", f"{np.median(claim):+.4f} SD {claim.std(ddof=1):.4f}",
                         "±0.5, SD ≤ 0.5", whole and abs(np.median(claim)) <= 0.5 and claim.std(ddof=1) <= 0.5)


def card_onsets(options, verdicts, results):
    """The servers' own ALSA drivers on a simulated card, whose truth uses none of the servers' clocks."""
    print("\n== Onsets on a simulated card, in ms: true − scheduled, reported − true ==")
    library = os.path.abspath(f"{options.work}/libasound_module_pcm_benchcard.so")
    shapes = (("exact", 1, 0, 48000, 0.2), ("steps of 48, +200 ppm", 48, 200, 48000, 0.5),
              ("steps of 256", 256, 0, 48000, 1.5), ("44.1 kHz", 1, 0, 44100, 0.2))
    kinds = ((CardGraph, "PipeWire", shapes), (VirtualGraph, "PipeWire, behind a virtual sink", shapes[::2]),
             (CardServer, "PulseAudio", shapes))
    for kind, server_name, of_kind in kinds:
        for shape, step, ppm, rate, target in of_kind:
            tap.set_rate(rate)
            with kind(library, os.path.abspath(f"{options.work}/card.bin"), step, ppm, rate) as server:
                rows = Bench(server).onsets(
                    [options.station, "check", "onset", "--trials", str(options.trials), "--json-lines", "--speaker",
                     server.speaker])
            name = f"{server_name}, card, {shape}"
            results.setdefault("onsets on a card", {})[name] = rows
            claim, outside = column(rows, "claim"), sum(row.get("outside", True) for row in rows)
            print(f"{name:40s} load {os.getloadavg()[0]:.1f}, lost {sum('lost' in row for row in rows)} of {len(rows)}, "
                  f"disturbed {sum(row['disturbances'] > 0 for row in rows)}")
            for label, key in (
                    ("true − scheduled", "onset"), ("reported − true", "claim"), ("uncertainty", "uncertainty")):
                print(f"    {label:18s} {figures(column(rows, key))}")
            whole = len(claim) == options.trials
            verdicts.add(f"{name}: outside their uncertainty", f"{outside} of {len(rows)}", "0", whole and not outside)
            verdicts.add(f"{name}: reported − true, median, ms", f"{np.median(claim):+.3f}" if len(claim) else "nothing",
                         f"±{target}", whole and abs(np.median(claim)) <= target)
            spread = claim.std(ddof=1) if len(claim) > 1 else np.inf
            if kind is not VirtualGraph:
                verdicts.add(f"{name}: reported − true, SD, ms", f"{spread:.4f}", "≤ 0.02", whole and spread <= 0.02)
    tap.set_rate(48000)


def graph_durations(bench, station, media, options, verdicts, results):
    print("\n== Durations on PipeWire: true − requested, reported − true end, in ms ==")
    bench.server.set_quantum(1024)
    rows = bench.onsets(
        [station, "check", "onset", "--trials", "1", "--json-lines", "--speaker", "pipewire:test",
         "--clip", f"{media}/tone30.mp3"], 30_000)
    results["durations on PipeWire"] = rows
    errors, ends = column(rows, "length"), column(rows, "end")
    print(f"30 s, 44.1 kHz mp3   duration {figures(errors)}   end {figures(ends)}")
    verdicts.add("PipeWire: duration of 30 s, ms", f"{errors[0]:+.4f}" if len(errors) else "nothing", "±0.05",
                 len(errors) == 1 and abs(errors[0]) <= 0.05)


def graph_players(bench, station, media, options, verdicts, results):
    print("\n== Players on PipeWire: start → first sound in ms; CPU time of ten seconds in ms; peak memory in MiB ==")
    bench.server.set_quantum(1024)
    names = {"station play": [station, "play"], "pw-play": ["pw-play"]}
    if not options.without_peers:
        names["mpv"] = ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pipewire"]
    starts, tens = {name: [] for name in names}, {name: [] for name in names}
    for turn in range(options.starts):
        for name, command in names.items():
            time.sleep(0.05 + random.random() * 0.05)
            starts[name].append(bench.plays([*command, f"{media}/tone0.2_48k.wav"]))
    for _ in range(max(3, options.starts // 2)):
        for name, command in names.items():
            tens[name].append(bench.plays([*command, f"{media}/tone10_48k.wav"]))
    results["players on PipeWire"] = dict(starts=starts, tens=tens)
    for name in names:
        print(f"{name:20s} start {figures(column(starts[name], 'start'))}; CPU {np.median(column(tens[name], 'cpu')):.1f}; "
              f"memory {column(tens[name], 'memory').max():.1f}")
    start = np.median(column(starts["station play"], "start"))
    cpu = np.median(column(tens["station play"], "cpu")) / np.median(column(tens["pw-play"], "cpu"))
    memory = column(tens["station play"], "memory").max()
    verdicts.add("PipeWire: start → sound, ms", f"{start:.1f}", "≤ 100", start <= 100)
    verdicts.add("PipeWire: CPU time of 10 s against pw-play", f"{cpu:.2f}", "≤ 1.2", cpu <= 1.2)
    verdicts.add("PipeWire: peak memory, MiB", f"{memory:.1f}", "≤ 25", memory <= 25)


def held_lengths(bench, station, media, options, verdicts, results):
    """The stream that a trial uses, unlike `station play`: held open, the clip placed on it."""
    kind = "" if bench.server.rewinds else ", no rewinds"
    print(f"\n== The held stream{kind}: true − requested duration, reported − true end, in ms ==")
    for seconds in (1, 5, 30):
        count = 1 if seconds == 30 else 3
        rows = bench.onsets(
            [station, "check", "onset", "--trials", str(count), "--json-lines",
             "--clip", f"{media}/tone{seconds}_48k.mp3"],
            seconds * 1000)
        results.setdefault("held lengths", {})[f"{seconds} s{kind}"] = rows
        errors, ends = column(rows, "length"), column(rows, "end")
        print(f"{seconds:2d} s   duration {figures(errors)}   end {figures(ends)}")
        is_met = len(errors) == len(ends) == count and np.abs(errors).max() <= 0.1
        verdicts.add(f"held stream{kind}: duration of {seconds} s, ms",
                     f"{errors[np.abs(errors).argmax()]:+.4f}" if len(errors) else "nothing", "±0.1", is_met)


def lengths(bench, station, media, options, verdicts, results):
    print("\n== True − requested duration, in ms of the sink's frames ==")
    clip = f"{media}/tone31.mp3"
    for seconds in (1, 5, 30):
        rows = [bench.plays([station, "play", clip, "--duration", str(seconds)]) for _ in range(1 if seconds == 30 else 3)]
        errors = column(rows, "length") - seconds * 1000
        results.setdefault("lengths", {})[f"station {seconds} s"] = rows
        print(f"station play, {seconds:2d} s            {figures(errors)}")
        verdicts.add(f"duration of {seconds} s, ms", f"{errors[np.abs(errors).argmax()]:+.4f}" if len(errors) else "nothing",
                     "±0.1", len(errors) == len(rows) and np.abs(errors).max() <= 0.1)
    if options.without_peers:
        return
    ten = f"{media}/tone10.mp3"
    for name, command in {
        "mpg123 -n 191": ["mpg123", "-q", "-o", "pulse", "-n", "191", ten],
        "sox play … trim 0 5": ["play", "-q", ten, "trim", "0", "5"],
        "mpv --length=5": ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse", "--length=5", ten],
    }.items():
        rows = [bench.plays(command) for _ in range(2)]
        results["lengths"][name] = rows
        print(f"{name:30s}{figures(column(rows, 'length') - 5000)}")


def starts(bench, station, media, python, options, verdicts, results):
    print("\n== Start of process → first sound, in ms (players take turns) ==")
    wav, mp3 = f"{media}/tone0.2.wav", f"{media}/tone0.2.mp3"
    players = {"station play": [station, "play", mp3], "mpg123 -o pulse": ["mpg123", "-q", "-o", "pulse", mp3]}
    slow = {} if options.without_peers else {
        "paplay (wav)": ["paplay", wav],
        "sox play": ["play", "-q", mp3],
        "mpv": ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse", mp3],
        "pygame": [python, f"{HERE}/peers/pygame_sound.py", mp3, "0", "512"],
        "sounddevice (wav)": [python, f"{HERE}/peers/sounddevice_stream.py", wav, "0", "low"],
    }
    rows = {name: [] for name in players | slow}
    for turn in range(options.starts):
        for name, command in (players | (slow if turn % 3 == 0 else {})).items():
            time.sleep(0.05 + random.random() * 0.05)
            rows[name].append(bench.plays(command))
    results["starts"] = rows
    for name in rows:
        print(f"{name:24s} {figures(column(rows[name], 'start'))}; CPU {np.median(column(rows[name], 'cpu')):.1f} ms")
    start = np.median(column(rows["station play"], "start"))
    verdicts.add("start → sound, ms", f"{start:.1f}", "≤ 100", start <= 100)


def ten_seconds(bench, station, media, options, verdicts, results):
    print("\n== Ten seconds: CPU time in ms, peak memory in MiB ==")
    mp3 = f"{media}/tone10.mp3"
    players = {"station play": [station, "play", mp3], "mpg123 -o pulse": ["mpg123", "-q", "-o", "pulse", mp3]}
    slow = {} if options.without_peers else {
        "sox play": ["play", "-q", mp3],
        "mpv": ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pulse", mp3],
    }
    rows = {name: [] for name in players | slow}
    for turn in range(3):
        for name, command in (players | (slow if turn == 0 else {})).items():
            rows[name].append(bench.plays(command))
    results["ten seconds"] = rows
    for name in rows:
        print(f"{name:24s} CPU {np.median(column(rows[name], 'cpu')):7.1f}   memory {column(rows[name], 'memory').max():6.1f}"
              f"   lingers {np.median(column(rows[name], 'linger')):6.1f} ms after the last frame")
    ratio = np.median(column(rows["station play"], "cpu")) / np.median(column(rows["mpg123 -o pulse"], "cpu"))
    memory = column(rows["station play"], "memory").max()
    verdicts.add("CPU time of 10 s against mpg123", f"{ratio:.2f}", "≤ 1.2", ratio <= 1.2)
    verdicts.add("peak memory, MiB", f"{memory:.1f}", "≤ 30", memory <= 30)


def main():
    options = arguments()
    python, library = prepare(options)
    global np, tap, CardGraph, CardServer, VirtualGraph
    import numpy as np
    import media
    import tap
    from cards import CardGraph, CardServer, VirtualGraph
    from graph import Graph
    from server import Server
    clips = f"{options.work}/media"
    media.make(clips)
    random.seed(1)
    verdicts, results = Verdicts(), {}
    servers = options.servers.split(",")
    if "pulseaudio" in servers:
        with Server(library, f"{options.work}/tap.bin", f"{HERE}/asound.conf") as server:
            bench = Bench(server)
            onsets(bench, options.station, clips, python, options, verdicts, results)
            held_lengths(bench, options.station, clips, options, verdicts, results)
            lengths(bench, options.station, clips, options, verdicts, results)
            starts(bench, options.station, clips, python, options, verdicts, results)
            ten_seconds(bench, options.station, clips, options, verdicts, results)
        # The sink that `--speaker silent` plays to.
        with Server(library, f"{options.work}/tap-norewinds.bin", f"{HERE}/asound.conf", rewinds=False) as server:
            bench = Bench(server)
            onsets(bench, options.station, clips, python, options, verdicts, results)
            held_lengths(bench, options.station, clips, options, verdicts, results)
    if "pipewire" in servers:
        with Graph(f"{options.work}/graph_tap", f"{options.work}/graph-tap.bin", f"{HERE}/asound.conf") as graph:
            bench = Bench(graph)
            graph_onsets(bench, options.station, clips, python, options, verdicts, results)
            graph_durations(bench, options.station, clips, options, verdicts, results)
            graph_players(bench, options.station, clips, options, verdicts, results)
    if "card" in servers:
        card_onsets(options, verdicts, results)
    with open(f"{options.work}/results.json", "w") as file:
        json.dump(results, file, indent=1, default=float)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
