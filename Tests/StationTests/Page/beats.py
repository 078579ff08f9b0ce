"""Corrects the beats of the only trial at the console, with the keyboard: beats.py DOOR [FOLDER].

Prints a JSON object: what was seen, and what went wrong on the page. FOLDER takes pictures.
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
        "beats-head", "beats-state", "beats-problem", "beat-words", "corrections", "compared", "status", "cover"), seconds)


def picture(page, name):
    if folder:
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def keys(page, *names):
    page.locator("#tachogram").focus()
    for name in names:
        page.keyboard.press(name)


def fill(page, selector, value):
    page.locator(selector).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(value)


def wait_for_count(page, count):
    wait(page, f"{count} corrections", lambda: page.locator("#corrections tr").count() == count)


def is_drawn(page, name):
    """Whether a canvas has more than its frame: pixels of several colours in every fifth of its width."""
    return page.evaluate("""name => {
        const canvas = document.getElementById(name);
        const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const fifths = Array.from({ length: 5 }, () => new Set());
        for (let i = 0; i < data.length; i += 4) if (data[i + 3]) fifths[Math.floor((i / 4 % width) * 5 / width)].add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        return fifths.every(colours => colours.size > 3);
    }""", name)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    faults(page, wrong)
    page.goto(f"file://{door}")
    page.wait_for_url("http://127.0.0.1:*/**")
    press(page, "#views a[href='#results']")
    wait(page, "the results", lambda: page.locator("#rows tr").count() == 1)
    press(page, "#rows a")
    wait(page, "the trial", lambda: page.locator("#beats-link").is_visible())
    press(page, "#beats-link")
    wait(page, "the beats", lambda: "beat 1 of" in text(page, "beat-words"))
    wait(page, "the waveform", lambda: is_drawn(page, "beat-wave"))
    seen["beats"] = text(page, "beats-state")
    picture(page, "beats")

    keys(page, "ArrowRight", "ArrowRight", "Delete")
    wait(page, "that it must be signed", lambda: "sign" in text(page, "beats-problem"))
    fill(page, "#author", "AB")
    keys(page, "Delete")
    wait(page, "that a reason is needed", lambda: "reason" in text(page, "beats-problem"))
    fill(page, "#reason", "T wave taken for a beat")
    keys(page, "Delete")
    wait_for_count(page, 1)
    keys(page, "i")
    wait_for_count(page, 2)
    keys(page, "Home", "ArrowRight", "m", *["ArrowRight"] * 5, "Enter")
    wait_for_count(page, 3)
    keys(page, "End", "u", *["Shift+ArrowLeft"] * 30, "u")
    wait_for_count(page, 4)
    keys(page, "z")
    wait_for_count(page, 5)
    seen["states"] = page.evaluate("() => [...document.querySelectorAll('#corrections tr td:nth-child(6)')].map(one => one.textContent)")
    picture(page, "corrected")
    press(page, "#beats-review")
    wait(page, "the signature", lambda: "signed off by AB" in text(page, "beats-state"))

    fill(page, "#author", "CD")
    keys(page, "Home", "Delete")
    wait_for_count(page, 7)
    wait(page, "a second person", lambda: page.locator("#compare").is_visible())
    press(page, "#compare")
    wait(page, "the comparison", lambda: "of AB alone" in text(page, "compared"))
    seen["compared"] = text(page, "compared")
    picture(page, "compared")

    page.locator("#beats-view").select_option("none")
    wait(page, "the recorded beats", lambda: page.get_attribute("#beats", "aria-busy") == "false" and "no corrections" in text(page, "beats-state"))
    seen["recorded"] = text(page, "beats-state")
    keys(page, "Delete")
    wait(page, "that these cannot be corrected", lambda: "as they were recorded" in text(page, "beats-problem"))
    page.locator("#beats-view").select_option("all")
    page.locator("#beats-source").select_option(index=page.locator("#beats-source option").count() - 1)
    wait(page, "the beats that were found", lambda: page.get_attribute("#beats", "aria-busy") == "false")
    keys(page, "Home")
    keys(page, "Delete")
    wait(page, "a correction of these", lambda: page.locator("#corrections tr").count() == 1)
    picture(page, "found")
    page.reload()
    wait(page, "the beats after a reload", lambda: "beat 1 of" in text(page, "beat-words"))
    page.go_back()
    wait(page, "the trial again", lambda: page.locator("#beats-link").is_visible())
    browser.close()
print(json.dumps({"wrong": wrong, **seen}))
