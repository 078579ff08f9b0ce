"""Operates a session at the console, with the keyboard: console.py DOOR [FOLDER].

Writes a remark and a label, pauses and goes on, reloads the console, and ends the session. Prints a JSON object: what was seen, and
what went wrong on the page. FOLDER takes pictures.
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import walking
from walking import faults, press, text

door, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
wrong, seen = [], {}


def wait(page, what, condition, seconds=60):
    walking.wait(page, what, condition, (
        "title", "phase", "role", "rate", "left", "said", "status", "cover", "ask-text"), seconds)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    faults(page, wrong)
    page.goto(f"file://{door}")
    page.wait_for_url("http://127.0.0.1:*/**")
    wait(page, "the session", lambda: text(page, "who") and text(page, "phase") == "running")
    seen["who"], seen["title"] = text(page, "who"), text(page, "title")
    wait(page, "a heart rate", lambda: text(page, "rate").isdigit())
    wait(page, "the right to operate", lambda: page.locator("#note").is_enabled())
    seen["screen"] = text(page, "screen")

    page.keyboard.press("n")
    page.keyboard.type("opened the door")
    page.keyboard.press("Enter")
    wait(page, "the remark", lambda: "annotated: opened the door" in text(page, "said"))
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    wait(page, "the label", lambda: "annotated: coughed" in text(page, "said"))

    page.keyboard.press("p")
    wait(page, "the pause", lambda: text(page, "phase") == "paused")
    page.reload()
    wait(page, "the pause after the reload", lambda: text(page, "phase") == "paused" and page.locator("#note").is_enabled())
    seen["kept"] = "opened the door" in text(page, "said")
    page.keyboard.press("p")
    wait(page, "the end of the pause", lambda: text(page, "phase") == "running")
    if folder:
        page.wait_for_timeout(3000)
        page.screenshot(path=Path(folder) / "console.png")

    page.locator("#commands [data-name=end]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait(page, "the end", lambda: text(page, "phase") == "over" or "has ended" in text(page, "status"))
    browser.close()
print(json.dumps({"wrong": wrong, **seen}))
