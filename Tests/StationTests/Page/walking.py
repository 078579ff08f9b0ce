"""What walks through pages of the station have in common."""

import json
import time


def text(page, name):
    """The text of the part with an identifier."""
    return page.evaluate("name => document.getElementById(name)?.textContent ?? ''", name)


def wait(page, what, condition, shown, seconds=60):
    """Waits for a condition; ends with the texts of the parts of `shown` where it does not come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        page.wait_for_timeout(50)
    raise SystemExit(f"{what} did not come: " + json.dumps({name: text(page, name) for name in shown}))


def press(page, selector):
    page.locator(selector).focus()
    page.keyboard.press("Enter")


def faults(page, wrong):
    """Collects what goes wrong on a page."""
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
