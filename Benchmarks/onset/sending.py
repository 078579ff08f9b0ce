#!/usr/bin/env python3
"""Does sending bundles change the onsets of a running station?

Plays the station's tones through the private PulseAudio and the private PipeWire of run.py, in turns with and without a
“station send” that posts bundles of 4 MB to a receiver on this computer, one after the other, without a pause.

    Benchmarks/onset/sending.py --trials 100 [--servers pulseaudio,pipewire]       # about two minutes a server
"""
import os
import shutil
import signal
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import run

RECEIVER = f"{run.ROOT}/Tests/LaboratoryTests/Server/receiver.py"
TURNS = 4


def make_bundles(station, folder):
    """Finished trials that embed a clip of 4 MB."""
    os.makedirs(f"{folder}/clips")
    # Two channels of 16 bits, 44.1 kHz.
    subprocess.run(
        ["sox", "-n", "-r", "44100", "-b", "16", "-c", "2", f"{folder}/clips/tone.wav", "synth", "24", "sine", "440",
         "gain", "-20"], check=True)
    protocol = f"{folder}/protocol.json"
    with open(protocol, "w") as file:
        file.write('{"format":"station.protocol/1","identifier":"Sent","version":"1",'
                   '"clips":{"folder":"clips","embed":true},"steps":[{"kind":"music","identifier":"music",'
                   '"clip":{"choose":"random"},"stepDuration":20,"shouldStartTimerAutomatically":true,'
                   '"shouldContinueOnFinish":true,"recorderConfigurations":[{"identifier":"heart",'
                   '"quantityType":"heartRate"}]}]}')
    subprocess.run([station, "simulate", protocol, "--participants", "8", "--results", f"{folder}/results"],
                   stdout=subprocess.DEVNULL, check=True)


class Sending:
    """Sends all bundles to one address after the other, while the `with` lasts."""

    def __init__(self, station, folder):
        self.station, self.folder, self.sent = station, folder, 0

    def __enter__(self):
        self.kept = f"{self.folder}/kept"
        shutil.rmtree(self.kept, ignore_errors=True)
        os.makedirs(self.kept)
        self.receiver = subprocess.Popen(
            [sys.executable, RECEIVER, self.kept], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port, self.goes_on, self.sender = int(self.receiver.stdout.readline()), True, None
        self.thread = threading.Thread(target=self.send)
        self.thread.start()
        return self

    def send(self):
        number = 0
        while self.goes_on:
            # Another address each time is another destination, to which nothing was sent yet.
            self.sender = subprocess.Popen(
                [self.station, "send", "--to", f"http://127.0.0.1:{self.port}/ok/{os.getpid()}-{number}", "--results",
                 f"{self.folder}/results"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.sender.wait()
            number += 1

    def __exit__(self, *_):
        self.goes_on = False
        self.sender.send_signal(signal.SIGINT)
        self.thread.join()
        with open(f"{self.kept}/requests.jsonl") as file:
            self.sent = sum(1 for _ in file)
        self.receiver.stdin.close()
        self.receiver.wait()


def main():
    options = run.arguments()
    options.without_peers = True
    _, library = run.prepare(options)
    import numpy
    import tap
    from graph import Graph
    from server import Server
    run.np, run.tap = numpy, tap
    folder = f"{options.work}/sending"
    shutil.rmtree(folder, ignore_errors=True)
    make_bundles(options.station, folder)
    verdicts = run.Verdicts()
    made = {
        "pulseaudio": lambda: Server(library, f"{options.work}/tap-sending.bin", f"{HERE}/asound.conf"),
        "pipewire": lambda: Graph(
            f"{options.work}/graph_tap", f"{options.work}/graph-tap-sending.bin", f"{HERE}/asound.conf")}
    for name, make in made.items():
        if name not in options.servers.split(","):
            continue
        rows, sent = {False: [], True: []}, 0
        with make() as server:
            bench = run.Bench(server)
            command = [options.station, "check", "onset", "--trials", str(max(2, options.trials // (TURNS // 2))),
                       "--json-lines", "--speaker", "pulse:test" if name == "pulseaudio" else "pipewire:test"]
            for turn in range(TURNS):
                if turn % 2 == 0:
                    rows[False] += bench.onsets(command)
                    continue
                with Sending(options.station, folder) as sending:
                    rows[True] += bench.onsets(command)
                sent += sending.sent
        spreads = {}
        for is_sending, label in ((False, "nothing is sent"), (True, f"{sent} bundles are sent")):
            values = run.column(rows[is_sending], "onset")
            spreads[is_sending] = values.std(ddof=1) if len(values) > 1 else float("nan")
            disturbed = sum(row["disturbances"] > 0 for row in rows[is_sending])
            print(f"{name:12s} {label:24s} true − scheduled {run.figures(values)}, disturbed {disturbed} "
                  f"of {len(rows[is_sending])}, load {os.getloadavg()[0]:.1f}")
        change = spreads[True] - spreads[False]
        verdicts.add(f"{name}: SD of onsets while bundles are sent against without, ms", f"{change:+.4f}", "≤ 0.02",
                     sent > 0 and change <= 0.02)
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
