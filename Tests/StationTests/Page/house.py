"""Changes settings and withdraws p01 at the console, with the keyboard: house.py DOOR PARTICIPANT [FOLDER].

Prints a JSON object: what was seen, and what went wrong on the page. FOLDER takes pictures.
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import walking
from walking import faults, press, text

door, participant, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else None
wrong, seen = [], {}


def wait(page, what, condition, seconds=60):
    walking.wait(page, what, condition, (
        "participants-problem", "participants-of", "withdrawn", "settings-problem", "settings-said", "settings-rows", "cover"), seconds)


def picture(page, name):
    if folder:
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def change(page, name, value):
    field = page.locator(f"#settings-rows input[data-name='{name}']")
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.type(value)
    page.keyboard.press("Enter")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    faults(page, wrong)
    page.goto(f"file://{door}")
    page.wait_for_url("http://127.0.0.1:*/**")

    press(page, "#views a[href='#settings']")
    wait(page, "the settings", lambda: page.locator("#settings-rows tr").count() > 4)
    change(page, "labels", "moved, left the room")
    wait(page, "the labels", lambda: "labels" in text(page, "settings-said"))
    change(page, "outputLatency_ms", "soon")
    wait(page, "what is wrong", lambda: "outputLatency_ms" in text(page, "settings-problem"))
    seen["refused"] = text(page, "settings-problem")
    page.locator("#new-sensor").focus()
    page.keyboard.type("chest")
    page.locator("#new-address").focus()
    page.keyboard.type("simulated:seed=3")
    press(page, "#add-sensor")
    wait(page, "the sensor", lambda: "sensors.chest" in text(page, "settings-said"))
    picture(page, "settings")
    press(page, "#settings-rows button[aria-label='Remove sensors.chest']")
    wait(page, "that it is gone", lambda: page.locator("#settings-rows input[data-name='sensors.chest']").count() == 0)

    press(page, "#views a[href='#participants']")
    rows = page.locator("#participants-of tbody tr")
    wait(page, "the participants", lambda: rows.count() > 1)
    seen["rows"] = rows.count()
    picture(page, "participants")
    press(page, f"button[aria-label='Withdraw {participant}']")
    page.keyboard.type("another")
    page.keyboard.press("Enter")
    wait(page, "that it is another code", lambda: "another code" in text(page, "withdraw-text"))
    page.keyboard.press("Escape")
    press(page, f"button[aria-label='Withdraw {participant}']")
    page.keyboard.type(participant)
    picture(page, "withdraw")
    page.keyboard.press("Enter")
    wait(page, "that all is removed", lambda: f"Everything of {participant} is removed" in text(page, "withdrawn"))
    wait(page, "the list without", lambda: participant not in text(page, "participants-of"))
    picture(page, "withdrawn")
    browser.close()
print(json.dumps({"wrong": wrong, **seen}))
