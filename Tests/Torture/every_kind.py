"""A session of a study that has every kind of step and question, for page-screens: in English, German and Arabic, and with the station's words in any of its languages."""

import json
import os
import pty
import re
import shutil
import signal
import threading
import time
from pathlib import Path

FIGURES = Path(__file__).resolve().parents[2] / "protocols/figures"
TEXTS = json.loads(Path(__file__).with_name("every_kind.json").read_text())


class LostWay(Exception):
    """The walk does not come to the next screen."""


def protocol(language, clips):
    """A study with every kind of step and question. What lasts can be skipped, so that there is time to look."""
    texts = TEXTS.get(language, TEXTS["en"])
    heads, ask = texts["heads"], texts["questions"]
    lasting = {"stepDuration": 3600, "optional": True, "shouldStartTimerAutomatically": True, "shouldContinueOnFinish": True}
    low, middle, high = texts["scale"]

    def step(kind, identifier, **members):
        return {"kind": kind, "identifier": identifier, "title": heads.get(identifier, texts["title"]), **members}

    def question(kind, identifier, **members):
        return {"kind": kind, "identifier": identifier, "prompt": ask.get(identifier, texts["title"]), **members}

    rating = {"identifier": "liking", "quantityType": "continuousRating", "anchors": dict(zip(("0", "100"), texts["rating"]))}
    return {
        "format": "station.protocol/1", "identifier": "EveryKind", "version": "1", "language": language,
        "clips": {"folder": str(clips)}, "sensorCheck": False,
        "display": {"steps": {"wait": "operator"}},
        "steps": [
            step("instruction", "hello", text=texts["text"], detailText=texts["detailText"]),
            step("consent", "consent", version="1", sections=[
                {"title": title, "text": texts["paragraph"]} for title in texts["sections"]]),
            step("sensorCheck", "strap", text=texts["detailText"], limit_s=3600),
            step("volume", "volume"),
            step("headphoneCheck", "check", rounds=2, maxErrors=0, attempts=2),
            step("form", "about", text=texts["detailText"], questions=[
                question("integer", "age", minimum=18, unit=texts["units"][0]),
                question("decimal", "height", unit=texts["units"][1]),
                question("date", "born"), question("time", "rose"), question("boolean", "coffee"),
                question("choice", "hand", choices=texts["choices"]), question("choices", "likes", choices=texts["likes"], maximum=3),
                question("text", "more", required=False),
                question("scale", "mood", minimum=1, maximum=9, anchors={"1": low, "5": middle, "9": high}),
                question("visualAnalogue", "tense", anchors=dict(zip(("0", "100"), texts["line"])))]),
            step("form", "figures", allowsBackNavigation=True, questions=[
                question("choice", "valence", choices=[
                    {"value": str(number), "picture": {"file": f"figures/valence-{number}.png", "alt": f"{number}"}} for number in range(1, 6)]),
                question("choice", "arousal", choices=[
                    {"value": str(number), "text": texts["choices"][3], "picture": {"file": f"figures/arousal-{number}.png", "alt": f"{number}"}}
                    for number in range(1, 4)])]),
            step("form", "whole", layout="page", questions=[
                question("integer", "age", minimum=18, unit=texts["units"][0]), question("date", "born"), question("boolean", "coffee"),
                question("choice", "hand", choices=texts["choices"]), question("text", "more", required=False),
                question("scale", "mood", minimum=1, maximum=9, anchors={"1": low, "5": middle, "9": high}),
                question("visualAnalogue", "tense", anchors=dict(zip(("0", "100"), texts["line"])))]),
            step("instruction", "picture", picture={"file": "figures/valence-5.png", "alt": texts["choices"][3], "width_mm": 60}),
            step("countdown", "count", text=texts["detailText"], **lasting),
            {"kind": "trials", "identifier": "trials", "design": {"conditions": [{"name": "all"}], "order": "fixed"}, "steps": [
                step("music", "listen", clip={"choose": "condition"}, whenShorter="loop", recorderConfigurations=[rating], **lasting),
                step("rest", "rest", shouldShowFixationCross=True, spokenInstruction=texts["detailText"],
                     recorderConfigurations=[{"identifier": "pulse", "quantityType": "heartRate"}], **lasting)]},
            step("walk", "walk", **{**lasting, "shouldStartTimerAutomatically": False}),
            step("rest", "wait", **lasting),
            step("completion", "end", text=texts["text"])],
    }


class Station:
    """The program, with a terminal for the operator's keys and a pipe for the heart."""

    def __init__(self, program, language, clips, folder):
        file = Path(folder) / "every-kind.json"
        file.write_text(json.dumps(protocol(language, clips), ensure_ascii=False))
        shutil.copytree(FIGURES, Path(folder) / "figures")
        results = Path(folder) / "results"
        results.mkdir()
        self.heart = Path(folder) / "heart"
        os.mkfifo(self.heart)
        self.pulse = os.open(self.heart, os.O_RDWR)
        self.shown = ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvp(program, [
                program, "run", file, "--participant", "p1", "--sensor", f"heartRate=lines:{self.heart}", "--sensor", "liking=keys",
                "--speaker", "silent", "--results", results, "--page"])
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.shown += data.decode(errors="replace")
        except OSError:
            pass  # The station has ended.

    def door(self):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = re.search(r"open (\S+participant\.html)", self.shown)
            if found:
                return Path(found.group(1))
            time.sleep(0.1)
        raise LostWay(f"the station names no page:\n{self.shown}")

    def press(self, key):
        os.write(self.terminal, key.encode())

    def beat(self):
        os.write(self.pulse, b"72,833\n")

    def end(self):
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
