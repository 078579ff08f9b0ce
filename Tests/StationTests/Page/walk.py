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
  title: document.querySelector("h1")?.textContent ?? "",
  question: document.querySelector("h2")?.textContent ?? "",
  notice: document.getElementById("notice").textContent,
  entry: ["scale", "pair", "list", "line", "text", "number", "parts", "volume", "sides"]
    .find((kind) => document.querySelector(`main .${kind}`)) ?? "",
  hasMain: document.querySelector("#buttons .main") !== null,
  isClosed: document.body.classList.contains("closed"),
  isSent: document.body.classList.contains("sent"),
  isCut: document.documentElement.scrollWidth > innerWidth,
})"""

DIGITS = {"number": "42", "day": "28", "month": "02", "year": "1990", "hours": "07", "minutes": "30"}


class Person:
    """Does on the page what a person can do with one device."""

    def __init__(self, page, device):
        self.page = page
        self.device = device

    def key(self, *names):
        for name in names:
            self.page.keyboard.press(name)
            time.sleep(0.02)

    def point(self, selector, index=0, share=0.5):
        element = self.page.locator(selector).nth(index)
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
        if self.device == "touch":
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def fields(self):
        names = self.page.evaluate(
            "() => [...document.querySelectorAll('main input')].map((one) => one.getAttribute('aria-label'))")
        return [DIGITS[name.lower()] if name.lower() in DIGITS else DIGITS["number"] for name in names]

    def digits(self, text):
        for digit in text:
            if self.device == "keyboard":
                self.key(digit)
            else:
                keys = self.page.locator(".pad .key").all_text_contents()
                self.point(".pad .key", keys.index(digit))

    def enter(self, state):
        """Enters an answer, and confirms it."""
        kind, uses_keys = state["entry"], self.device == "keyboard"
        if kind == "scale":
            self.key("7") if uses_keys else self.point(".scale .option", 6)
        elif kind == "pair":
            self.key("1") if uses_keys else self.point(".pair .option", 0)
        elif kind == "list":
            if self.page.locator("[role=checkbox]").count():
                if uses_keys:
                    self.key("Space", "ArrowDown", "Space")
                else:
                    self.point(".option", 0), self.point(".option", 1)
            else:
                self.key("2") if uses_keys else self.point(".option", 1)
        elif kind == "line":
            if uses_keys:
                self.key("PageUp", "PageUp")
            else:
                self.point(".line", share=0.7)
            if not state["hasMain"]:
                time.sleep(0.3)
                return
        elif kind in ("number", "parts"):
            for text in self.fields():
                self.digits(text)
        elif kind == "volume":
            self.key("+") if uses_keys else self.point(".volume .key", 1)
            time.sleep(0.2)
        elif kind == "sides":
            self.key("ArrowLeft") if uses_keys else self.point(".half", 0)
            return
        if state["hasMain"]:
            self.key("Enter") if uses_keys else self.point("#buttons .main")


def main():
    door, device = Path(sys.argv[1]), sys.argv[2]
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    address = re.search(r'href="([^"]+)"', door.read_text()).group(1)
    seen, wrong = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=device == "touch")
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: None if request.url.startswith(address.split("#")[0]) else
                wrong.append(f"asked for {request.url}"))
        page.goto(address)
        person, before, until = Person(page, device), None, time.monotonic() + 90
        while time.monotonic() < until:
            state = page.evaluate(STATE)
            if state["isClosed"] and state["title"]:
                break
            if state["isSent"] or state == before or not (state["entry"] or state["hasMain"]):
                time.sleep(0.05)
                continue
            # A screen counts from its paint on.
            time.sleep(0.15)
            if state["isCut"]:
                wrong.append(f"cut off: {state}")
            seen.append([state["title"], state["question"], state["entry"], state["notice"]])
            if folder:
                page.screenshot(path=str(folder / f"{len(seen):02}.png"))
            person.enter(state)
            before = None if state["entry"] in ("sides", "volume") else state
        browser.close()
    print(json.dumps({"seen": seen, "wrong": wrong}))


main()
