"""The session that Scripts/torture page disturbs, and how its questions are answered on the page."""

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
# A draft is sent 200 ms after an input at the latest.
DRAFT_S = 0.5
GENRES = ["jazz", "folk", "rock"]


def question(name, kind, **more):
    return {"identifier": name, "prompt": name, "kind": kind} | more


def protocol(clips):
    """A designed session with forms before, in and after its trials, and a rating in each trial."""
    return {
        "format": "station.protocol/1", "identifier": "Page", "version": "1", "clips": {"folder": str(clips)}, "steps": [
            {"kind": "form", "identifier": "before", "title": "Before", "questions": [
                question("age", "integer", minimum=0, maximum=99999), question("words", "text"), question("born", "date"),
                question("likes", "choices", choices=GENRES, maximum=2)]},
            {"kind": "trials", "identifier": "pieces", "design": {
                "conditions": [{"name": "light"}, {"name": "silence", "clips": "silence"}], "repetitions": 2, "order": "random",
                "clipReuse": "always"}, "steps": [
                {"kind": "music", "identifier": "music", "title": "Listen", "clip": {"choose": "condition"}, "stepDuration": 1,
                 "shouldStartTimerAutomatically": True, "shouldContinueOnFinish": True, "recorderConfigurations": [
                     {"identifier": "liking", "quantityType": "continuousRating", "anchors": {"0": "less", "100": "more"}}]},
                {"kind": "form", "identifier": "felt", "title": "Felt", "questions": [
                    question("mood", "scale", minimum=1, maximum=9), question("why", "text")]}]},
            {"kind": "form", "identifier": "after", "title": "After", "questions": [
                question("rose", "time"), question("tense", "visualAnalogue", anchors={"0": "not", "100": "very"})]},
            {"kind": "completion", "identifier": "end", "title": "Thank you"}]}


# What the page shows.
STATE = """() => {
  const [main, all] = [document.getElementById("main"), selector => [...document.querySelectorAll(`#entry ${selector}`)]];
  const text = id => document.getElementById(id)?.textContent ?? "";
  const marked = all("[aria-checked=true]").map(mark => mark.textContent).join();
  const [kind, cover] = [main?.dataset.kind ?? "", text("cover")];
  const entered = kind === "line" ? all(".mark:not([hidden])").length ? all(".track")[0].ariaValueNow : ""
    : ["scale", "choices"].includes(kind) ? marked : all("input, textarea").map(field => field.value).join("/");
  return { origin: performance.timeOrigin, prompt: text("prompt"), kind, next: text("next"), cover, entered,
    isLive: main?.inert === false && !cover, isReady: document.getElementById("next")?.ariaDisabled === "false" };
}"""


def draw(kind, generator):
    """A random answer: what the page is to show of it, and the value that is to be recorded."""
    number, chosen = generator.randint, sorted(generator.sample(GENRES, 2), key=GENRES.index)
    day, month, year, hours, minutes = number(10, 28), number(10, 12), number(1950, 2005), number(10, 23), number(10, 59)
    if kind in ("integer", "scale", "line"):
        value = number(*{"integer": (10000, 99999), "scale": (1, 9), "line": (1, 100)}[kind])
        return {"wanted": str(value), "value": value}
    text = f"because {number(0, 1 << 30)}"
    wanted, value = {
        "text": (text, text), "choices": (",".join(chosen), chosen), "time": (f"{hours}/{minutes}", f"{hours}:{minutes}"),
        "date": (f"{day}/{month}/{year}", f"{year}-{month}-{day}")}[kind]
    return {"wanted": wanted, "value": value}


def enter(page, state, wanted):
    """Enters an answer by the keyboard, in place of what is entered."""
    keyboard, kind = page.keyboard, state["kind"]
    if kind in ("integer", "date", "time", "text"):
        for index, part in enumerate(wanted.split("/")):
            page.locator("#entry input, #entry textarea").nth(index).focus(timeout=500)
            keyboard.press("Control+a")
            keyboard.type(part)
    elif kind == "choices":
        for genre in set(wanted.split(",")) ^ set(state["entered"].split(",")) - {""}:
            keyboard.press(str(GENRES.index(genre) + 1))
    elif kind == "scale":
        keyboard.press(wanted)
    else:
        for key in ["Home"] + ["PageUp"] * (int(wanted) // 10) + ["ArrowRight"] * (int(wanted) % 10):
            keyboard.press(key)


class Station:
    """A process that performs or resumes the session, and its page."""

    def __init__(self, program, folder, number):
        protocol, results, self.log = folder / "protocol.json", folder / "results", folder / f"station-{number}.log"
        self.process = subprocess.Popen(
            [program, "run", protocol, "--participant", "p1", "--results", results, "--speaker", "silent", "--sensor",
             "liking=keys", "--page"] + (["--resume"] if list(results.glob("sessions/*.json")) else []),
            stdin=subprocess.DEVNULL, stdout=self.log.open("w"), stderr=subprocess.STDOUT, start_new_session=True)
        until = time.monotonic() + 30
        while not (found := re.search(r"open (\S+participant\.html)", self.log.read_text())):
            if time.monotonic() > until or self.process.poll() is not None:
                raise SystemExit(f"no page: {self.log.read_text()[-500:]}")
            time.sleep(0.005)
        self.door, self.opened = Path(found.group(1)), time.time()
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.door.read_text()).group(1))
        self.is_killed, self.documents = False, set()  # the documents that told it their window


def browser(playwright, folder):
    """Starts a browser that can be killed; its process, and the browser as Playwright sees it."""
    profile = Path(tempfile.mkdtemp(dir=folder))
    process = subprocess.Popen(
        ["nice", "-n", "19", CHROMIUM, "--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run",
         f"--user-data-dir={profile}", "about:blank"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    port, until = profile / "DevToolsActivePort", time.monotonic() + 30
    while not (port.exists() and "\n" in port.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    return process, playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port.read_text().splitlines()[0]}")


def taken_over(page):
    """What is wrong with a page after another one was opened: it has to say so."""
    state, until = page.evaluate(STATE), time.monotonic() + 5
    while "another window" not in state["cover"] and time.monotonic() < until:
        page.wait_for_timeout(20)
        state = page.evaluate(STATE)
    return [] if "another window" in state["cover"] and not state["isLive"] else [f"the first tab shows {state}"]


def differences(before, state, killed):
    """What is wrong with the screen of a new document: it has to be that of the one before, with what was entered."""
    if not before or before["isConfirmed"]:
        return []
    if state["prompt"] != before["place"][1]:
        return [f"“{before['place'][1]}” became “{state['prompt']}”"]
    # What was entered just before a kill may be lost.
    is_kept = before["since"] and (not killed or killed - before["since"] > DRAFT_S)
    if is_kept and state["entered"] != before["wanted"]:
        return [f"the entry “{before['wanted']}” became “{state['entered']}”"]
    return []


def recorded(bundle, station):
    """The answers of a bundle with their times, how often its page was loaded again, and what is wrong with it."""
    def ask(*words):
        return subprocess.run([station, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    problems = [] if ask("verify", bundle).returncode == 0 else ["does not verify"]
    result = json.loads(ask("show", bundle, "--json").stdout)
    events = [json.loads(line) for line in (bundle / "data/journal.jsonl").read_text().splitlines()]
    answers = [event for event in events if event["kind"] == "answer" and "value" in event]
    if [(answer["question"], answer["value"]) for answer in result["answers"]] != [
            (event["question"], event["value"]) for event in answers]:
        problems.append("its answers are not those of the journal")
    reloads = sum(event["kind"] == "page" and event["what"] == "reloaded" for event in events)
    if [caveat["times"] for caveat in result["caveats"] if caveat["caveat"] == "pageReloaded"] != [reloads] * (reloads > 0):
        problems.append(f"{reloads} reloads, and {result['caveats']}")
    zero = events[0]["place"]["zero_ns"]
    return [(zero + event["t_ns"], event["question"], event["value"]) for event in answers], reloads, problems


def compare(answers, showings):
    """Finds each recorded answer, in the order of time, among the questions that were confirmed.

    Returns the confirmations without an answer, which a kill may cut off, and what is wrong.
    """
    waiting, lost, problems = list(showings), [], []
    for _, name, value in sorted(answers):
        while waiting and (waiting[0]["place"][1], waiting[0]["value"]) != (name, value):
            lost.append(waiting.pop(0))
        if not waiting:
            problems.append(f"recorded twice, or without a confirmation: {name} = {value}")
            break
        waiting.pop(0)
    lost += waiting
    return lost, problems + [f"lost: {showing}" for showing in lost if showing["isFollowed"]]
