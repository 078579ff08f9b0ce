#!/usr/bin/env python3
"""Does a participant's page beside it make the station's onsets less punctual?

Plays tones through the private PulseAudio and the private PipeWire of run.py, in turns of 20: with a participant's page in
headless Chromium, which paints 60 frames a second, and without. The page is that of a second session, in which someone rests.
The browser is driven by the tests' Python environment, which Scripts/test makes.

    Benchmarks/onset/beside_page.py --trials 200        # about ten minutes a server
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import run

TURN = 20

PROTOCOL = """{ "format": "station.protocol/1", "identifier": "Rest", "version": "1",
  "steps": [{ "kind": "rest", "identifier": "rest", "stepDuration": 3600, "shouldStartTimerAutomatically": true }] }"""

# The ring is drawn again with each frame; a line is printed when that has begun.
BROWSER = """
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"] if os.geteuid() == 0 else [])
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(sys.argv[1])
    page.wait_for_selector(".ring")
    page.evaluate('''() => {
      window.frames_seen = 0;
      const turn = at => {
        document.querySelector(".ring").style.rotate = `${at / 20 % 360}deg`;
        window.frames_seen++;
        requestAnimationFrame(turn);
      };
      requestAnimationFrame(turn);
    }''')
    page.wait_for_timeout(500)
    print("painting", flush=True)
    before, began = page.evaluate("() => [window.frames_seen, performance.now()]")
    sys.stdin.read()
    after, ended = page.evaluate("() => [window.frames_seen, performance.now()]")
    print((after - before) / (ended - began) * 1000, flush=True)
    browser.close()
"""


class Page:
    """A session with a page, and a browser that paints it, while the `with` lasts."""

    rates = []

    def __init__(self, station, folder):
        self.station, self.folder = station, folder

    def __enter__(self):
        self.session = subprocess.Popen(
            [self.station, "run", f"{self.folder}/rest.json", "--participant", "p", "--results", f"{self.folder}/results", "--page"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.folder)
        door = next(match.group(1) for line in self.session.stdout if (match := re.search(r"open (\S+) in a browser", line)))
        address = re.search(r'href="([^"]+)"', open(door).read()).group(1)
        self.browser = subprocess.Popen(
            [f"{ROOT}/.test-env/bin/python", "-c", BROWSER, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.browser.stdout.readline().strip() == "painting"
        return self

    def __exit__(self, *_):
        self.browser.stdin.close()
        Page.rates.append(float(self.browser.stdout.readline()))
        self.browser.wait()
        self.session.terminate()
        self.session.communicate()


class Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def main():
    options = run.arguments()
    options.without_peers = True
    options.station = os.path.abspath(options.station) if options.station else None
    _, library = run.prepare(options)
    import numpy
    import tap
    from graph import Graph
    from server import Server
    run.np, run.tap = numpy, tap
    verdicts = run.Verdicts()
    made = {
        "pulseaudio": (lambda: Server(library, f"{options.work}/tap-page.bin", f"{HERE}/asound.conf"), "pulse:test"),
        "pipewire": (lambda: Graph(f"{options.work}/graph_tap", f"{options.work}/graph-tap-page.bin", f"{HERE}/asound.conf"), "pipewire:test")}
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/rest.json", "w") as file:
            file.write(PROTOCOL)
        for name, (make, speaker) in made.items():
            if name not in options.servers.split(","):
                continue
            rows, unknown = {"without": [], "with": []}, {"without": 0, "with": 0}
            with make() as server:
                bench = run.Bench(server)
                command = [options.station, "check", "onset", "--trials", str(TURN), "--json-lines", "--speaker", speaker]
                for turn in range(2 * max(1, options.trials // TURN)):
                    kind = "with" if turn % 2 else "without"
                    with Page(options.station, folder) if turn % 2 else Nothing():
                        rows[kind] += bench.onsets(command)
                    unknown[kind] += bench.unknown
            spread, disturbed = {}, {}
            for kind, found in rows.items():
                onset = run.column(found, "onset")
                spread[kind], disturbed[kind] = onset.std(ddof=1), sum(row["disturbances"] > 0 for row in found)
                print(f"{name}, {kind} a page: true − scheduled, ms {run.figures(onset)}; disturbed {disturbed[kind]} of "
                      f"{len(found)}, lost {sum('lost' in row for row in found)}, unknown to the tap {unknown[kind]}, "
                      f"outside their uncertainty {sum(row.get('outside', False) for row in found)}")
            print(f"    frames a second: {numpy.median(Page.rates):.1f}; load {os.getloadavg()[0]:.1f}")
            more = spread["with"] - spread["without"]
            verdicts.add(f"{name}: SD with a page, less that without, ms", f"{more:+.4f}", "≤ 0.005", more <= 0.005)
            verdicts.add(f"{name}: disturbed with a page, without", f"{disturbed['with']}, {disturbed['without']}", "no more",
                         disturbed["with"] <= disturbed["without"])
    return 0 if verdicts.print() else 1


if __name__ == "__main__":
    sys.exit(main())
