"""Starts sessions at the console, with the keyboard: start.py DOOR [FOLDER].

Opens sensors and speaker for p01 and goes back; opens them again, opens the participant's page, starts, and lets a participant
perform the session there. Then types the code that exists. Prints a JSON object: what was seen, and what went wrong on the page.
FOLDER takes pictures.
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import walking
from walking import faults, press, text

door, folder = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
wrong, seen = [], {}


def wait(page, what, condition, seconds=60):
    walking.wait(page, what, condition, (
        "title", "phase", "start-busy", "start-problem", "standing", "status", "cover", "check-list", "go-why", "said"), seconds)


def picture(page, name):
    if folder:
        page.screenshot(path=folder / f"{name}.png")


def open_session(page, code):
    wait(page, "the form", lambda: page.locator("#code").is_visible() and not text(page, "start-busy"))
    page.locator("#code").focus()
    page.keyboard.type(code)
    wait(page, "what the participant would do", lambda: "number 1" in text(page, "standing"))
    page.locator("[data-recorder=hr]").focus()
    page.keyboard.type("simulated")
    page.locator("#speaker").focus()
    page.keyboard.type("silent")
    picture(page, "start")
    press(page, "#prepare")
    wait(page, "the check list", lambda: "Disk" in text(page, "check-list"))


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    faults(page, wrong)
    page.goto(f"file://{door}")
    page.wait_for_url("http://127.0.0.1:*/**")
    press(page, "#views a[href='#start']")
    wait(page, "the studies", lambda: "Two pieces" in text(page, "studies"))
    seen["studies"] = text(page, "studies")
    page.locator("#studies input[value$='pieces.json']").focus()
    page.keyboard.press("Space")

    open_session(page, "p01")
    picture(page, "checks")
    seen["started"] = page.get_attribute("#go", "aria-disabled") == "false"
    press(page, "#back")
    wait(page, "the form again", lambda: page.locator("#start").is_visible())
    page.reload()
    wait(page, "the form after a reload", lambda: page.locator("#code").is_visible() and not text(page, "start-busy"))
    seen["afterBack"] = page.locator("#codes option").count()
    open_session(page, "p01")
    with context.expect_page() as opened:
        page.locator("#check-list a").first.focus()
        page.keyboard.press("Enter")
    participant = opened.value
    participant.on("pageerror", lambda error: wrong.append(str(error)))
    page.bring_to_front()
    wait(page, "everything to be ready", lambda: page.get_attribute("#go", "aria-disabled") == "false"
         and "!" not in text(page, "check-list"))
    picture(page, "ready")
    press(page, "#go")
    for title in ("Welcome", "First", "Second"):
        wait(page, f"“{title}”", lambda: title in text(page, "trials") + text(page, "screen"))
        participant.bring_to_front()
        participant.get_by_role("button", name="Next").click(timeout=60000)
        page.bring_to_front()
    wait(page, "the end", lambda: text(page, "phase") == "over" and text(page, "status"))
    picture(page, "over")
    seen["verdicts"] = page.evaluate("() => [...document.querySelectorAll('#trials li span:last-child')].map(one => one.textContent)")
    seen["status"] = text(page, "status")

    press(page, "#views a[href='#start']")
    wait(page, "the next code", lambda: "p02" in text(page, "next-code") and page.locator("#code").is_visible())
    page.locator("#code").focus()
    page.keyboard.type("p01")
    press(page, "#prepare")
    seen["again"] = page.locator("#again").is_visible() and bool(text(page, "start-problem"))
    page.go_back()
    wait(page, "what was before", lambda: page.locator("#sessions").is_visible() or page.locator("#main").is_visible())

    press(page, "#views a[href='#results']")
    wait(page, "the results", lambda: page.locator("#rows tr").count() == 3)
    page.locator("#find").focus()
    page.keyboard.type("p01 first")
    wait(page, "the filter", lambda: page.locator("#rows tr").count() == 1)
    picture(page, "results")
    press(page, "#rows a")
    wait(page, "the report", lambda: any("/d/" in frame.url and frame.locator("#summary, h1").count() for frame in page.frames))
    picture(page, "trial")
    press(page, "#listen")
    wait(page, "the clip", lambda: page.evaluate("() => document.getElementById('clip').duration > 1"))
    page.locator("#trial a[href='#results']").focus()
    page.keyboard.press("Enter")
    press(page, "#results a[href='#results/all']")
    wait(page, "that all trials are simulated", lambda: text(page, "trial-problem"))
    page.locator("#simulated").focus()
    page.keyboard.press("Space")
    wait(page, "the overview", lambda: any("/d/" in frame.url and frame.locator("h1").count() for frame in page.frames))
    picture(page, "overview")
    browser.close()
print(json.dumps({"wrong": wrong, **seen}))
