"""Walks through a session on the participant's page, with the keyboard alone, the mouse alone, or by touch alone.

Usage: walk.py DOOR keyboard|mouse|touch [FOLDER]

DOOR is the file that the station names; FOLDER takes a picture of every screen. Prints a JSON object: the screens that were
seen, and what went wrong on the page.
"""

import json
import re
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

STATE = """() => ({
  title: document.getElementById("title").textContent,
  prompt: document.getElementById("prompt").textContent,
  status: document.getElementById("status").textContent,
  kind: document.getElementById("main").dataset.kind ?? "",
  next: document.getElementById("next").textContent,
  isInert: document.getElementById("next").inert,
  isCovered: document.getElementById("cover").textContent !== "",
  isCut: document.documentElement.scrollWidth > innerWidth,
})"""

# What is typed into the fields of a question.
DIGITS = {"integer": "42", "decimal": "42", "date": "28021990", "time": "0730"}

# A click so soon after one at the same place is the second of a double click to a browser, and means nothing on the page.
PAUSE_MS = 550


class Person:
    """Does on the page what a person can do with one device."""

    def __init__(self, page, device):
        self.page = page
        self.device = device

    def keys(self, *names):
        for name in names:
            self.page.keyboard.press(name)

    def point(self, selector, index=0, share=0.5):
        element = self.page.locator(selector).nth(index)
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
        if self.device == "touch":
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def mark(self, kind):
        """Enters an answer without confirming it."""
        if kind == "form":
            return self.fill()
        several = self.page.locator("[role=checkbox]").count() > 0
        if self.device == "keyboard":
            if kind in DIGITS:
                self.page.keyboard.type(DIGITS[kind])
            elif kind == "signature":
                self.page.keyboard.type("A name")
            else:
                keys = {"scale": ["7"], "boolean": ["1"], "choice": ["2"], "choices": ["1", "2"], "line": ["PageUp"] * 3,
                        "rating": ["PageUp", "PageUp"], "volume": ["+"], "side": ["ArrowLeft"]}
                self.keys(*keys.get(kind, []))
        elif kind in DIGITS:
            for digit in DIGITS[kind]:
                self.point(f".sign:text-is('{digit}')")
        elif kind == "choices" and several:
            self.point("[role=checkbox]", 0), self.point("[role=checkbox]", 1)
        elif kind in ("scale", "boolean", "choice"):
            self.point("[role=radio]", {"scale": 6, "boolean": 0, "choice": 1}[kind])
        elif kind in ("line", "rating"):
            self.point(".groove", share=0.7)
        elif kind == "volume":
            self.point(".turn", 1)
        elif kind == "side":
            self.point(".sides button", 0)

    def fill(self):
        """Answers all questions of a page, but those for a text."""
        for index in range(self.page.locator(".question").count()):
            section = f".question:nth-child({index + 1})"
            fields, radios, boxes, lines = (
                self.page.locator(f"{section} {part}").count() for part in (".fields input", "[role=radio]", "[role=checkbox]", ".groove"))
            digits = DIGITS[{1: "integer", 2: "time", 3: "date"}[fields]] if fields else ""
            if self.device == "keyboard" and fields + radios + boxes + lines:
                for _ in range(40):
                    if self.page.evaluate("section => document.activeElement.matches(`${section} *`)", section):
                        break
                    self.keys("Tab")
                self.keys(*(digits or ["7" if radios > 6 else "2"] * (radios > 0) or ["1", "2"] * (boxes > 0) or ["PageUp"] * 3))
            elif fields:
                for digit in digits:
                    self.point(f"{section} .sign:text-is('{digit}')")
            elif radios:
                self.point(f"{section} [role=radio]", 6 if radios > 6 else 1)
            elif boxes:
                self.point(f"{section} [role=checkbox]", 0), self.point(f"{section} [role=checkbox]", 1)
            elif lines:
                self.point(f"{section} .groove", share=0.7)

    def press(self, selector):
        if self.device == "keyboard":
            self.page.locator(selector).focus()
            self.keys("Enter")
        else:
            self.point(selector)

    def confirm(self):
        self.keys("Enter") if self.device == "keyboard" else self.point("#next")


def main():
    door, device = Path(sys.argv[1]), sys.argv[2]
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    address = re.search(r'href="([^"]+)"', door.read_text()).group(1)
    painted, seen, wrong = set(), [], []

    def asked(request):
        if not request.url.startswith(address.split("#")[0]) and request.url != door.absolute().as_uri():
            wrong.append(f"asked for {request.url}")
        message = json.loads(request.post_data or "{}")
        if message.get("kind") == "painted":
            painted.add(message["number"])

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=device == "touch")
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", asked)
        page.goto(door.absolute().as_uri())
        page.wait_for_url(address.split("#")[0] + "**")
        person, done, until, went_back = Person(page, device), 0, time.monotonic() + 280, False
        while time.monotonic() < until:
            page.wait_for_timeout(20)
            state = page.evaluate(STATE)
            if painted and state["isInert"] and not state["isCovered"]:
                break
            if max(painted, default=0) == done or state["isInert"]:
                continue
            done = max(painted)
            page.wait_for_timeout(PAUSE_MS)
            state = page.evaluate(STATE)
            if max(painted) != done:
                continue
            if state["isCut"]:
                wrong.append(f"cut off: {state}")
            seen.append([state["title"], state["prompt"], state["kind"], state["status"]])
            if state["kind"] == "integer" and not state["status"]:
                # A number that is too small is refused, and can be corrected.
                page.keyboard.type("7")
                page.keyboard.press("Enter")
                continue
            if state["kind"] == "integer":
                if page.locator("#field0").input_value() != "7":
                    wrong.append("the refused number is lost")
                page.keyboard.press("Backspace")
            if state["prompt"] == "And how excited?" and not went_back:
                # Back shows the question before with its answer, and Next confirms it again.
                went_back = True
                person.press("#others button")
                while page.evaluate(STATE)["prompt"] == "And how excited?":
                    page.wait_for_timeout(20)
                page.wait_for_timeout(PAUSE_MS)
                if page.locator("[aria-checked=true]").count() != 1:
                    wrong.append("the answer is lost after going back")
                done = max(painted)
                person.confirm()
                continue
            person.mark(state["kind"])
            if state["kind"] == "scale":
                # The mark has to be there again, without its confirmation.
                page.wait_for_timeout(300)
                painted.clear()
                page.reload()
                while not painted:
                    page.wait_for_timeout(20)
                page.wait_for_timeout(PAUSE_MS)
                if page.locator("[aria-checked=true]").count() != 1:
                    wrong.append("the mark is lost after a reload")
            if folder:
                page.screenshot(path=str(folder / f"{len(seen):02}.png"))
            if state["next"]:
                person.confirm()
        else:
            wrong.append(f"no end within 280 s: {page.evaluate(STATE)}")
        browser.close()
    print(json.dumps({"seen": seen, "wrong": wrong}))


if __name__ == "__main__":
    main()
