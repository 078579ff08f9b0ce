// The participant's page: draws the station's screens and says what was done on them, and when. The station has the whole
// state; here is nothing that a page which is loaded again would miss.

import { StationClock } from "{{clock.js}}";
import { button, make, makeEntry } from "{{entries.js}}";

const TOKEN = "station-token";
const RETRY = 500;
const DRAFT_PAUSE = 200;

const places = Object.fromEntries(
  ["question-place", "trial-place", "screen", "notice", "buttons", "calls"].map((id) => [id, document.getElementById(id)]));

const token = takeToken();
const clock = new StationClock((message) => post(message));
const isReloaded = performance.getEntriesByType("navigation").some((entry) => entry.type === "reload");

let client = 0;
let words = {};
let screen;
let entry;
let paintedAt;
let isAnswered = false;
let isInert = true;
let firstContact;
let changes = 0;
let draftTimer = 0;
let tick = 0;

// What the station is told

/** The token of the address, which stays in this tab and leaves the address at once. */
function takeToken() {
  const given = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(given)) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(TOKEN);
}

/** Sends a message; one that matters is sent until it arrives, and counts once, since it names its screen. */
async function post(message, isCertain = false) {
  const body = JSON.stringify({ ...message, client });
  for (;;) {
    try {
      const answer = await fetch("/participant/message", {
        method: "POST", headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }, body,
        keepalive: body.length < 60_000,
      });
      if (answer.status === 409) return;
      if (answer.ok || answer.status < 500) return;
    } catch { /* The connection is lost: the stream says so to the participant. */ }
    if (!isCertain) return;
    await pause(RETRY);
  }
}

function pause(time) { return new Promise((done) => { setTimeout(done, time); }); }

function device(event) {
  if (event instanceof PointerEvent && event.pointerType) return event.pointerType === "touch" ? "touch" : "pointer";
  return "key";
}

/** Whether an input counts: it was made after its screen was painted, and before it was answered. */
function counts(event) { return !isInert && !isAnswered && paintedAt !== undefined && event.timeStamp >= paintedAt; }

function act(what, value, event) {
  if (!counts(event)) return;
  clearTimeout(draftTimer);
  const message = {
    kind: "answer", number: screen.number, do: what, made_ms: event.timeStamp, changes, device: device(event),
  };
  if (value !== undefined) message.value = value;
  if (firstContact !== undefined) message.first_ms = firstContact;
  if (what !== "gain") {
    isAnswered = true;
    document.body.classList.add("sent");
  }
  post(message, true);
}

function changed(event) {
  if (!counts(event)) return;
  firstContact ??= event.timeStamp;
  changes += 1;
  showMain();
  clearTimeout(draftTimer);
  draftTimer = setTimeout(() => {
    const value = entry?.draft?.() ?? entry?.value();
    post({ kind: "draft", number: screen.number, value: value ?? null, changes });
  }, DRAFT_PAUSE);
}

/** Presses the main button. */
function confirm(event) {
  if (!counts(event)) return;
  const value = entry?.value();
  if (value !== undefined) act("value", value, event);
  else if (mainButton()) act("goOn", undefined, event);
  else if (entry && takesValue()) notice(screen.entry.hint ?? "");
}

function mainButton() { return screen?.buttons.find((one) => one.do === "goOn"); }

function takesValue() { return !["rating", "volume", "side"].includes(screen?.entry?.kind); }

function tellWindow() {
  post({
    kind: "window", at_ms: performance.now(), visible: document.visibilityState === "visible",
    focused: document.hasFocus(), fullScreen: isFullScreen(), ratio: devicePixelRatio, width: innerWidth,
    height: innerHeight, reloaded: isReloaded,
  });
}

function isFullScreen() {
  return Boolean(document.fullscreenElement) || matchMedia("(display-mode: fullscreen)").matches
    || (innerWidth >= window.screen.width && innerHeight >= window.screen.height);
}

// What the participant sees

function show(next) {
  const isOther = next.number !== screen?.number;
  const before = screen;
  screen = next;
  document.documentElement.lang = next.language;
  document.documentElement.dir = next.direction;
  document.body.classList.toggle("paused", next.paused === true);
  isInert = next.paused === true;
  if (isOther) {
    (isAnswered = false, paintedAt = undefined, firstContact = undefined, changes = next.draft?.changes ?? 0);
    draw();
    paint(next.number);
  } else {
    // The same screen with something changed: what was entered stays, and an answer that was refused is given again.
    isAnswered = false;
    if (JSON.stringify(before.entry) !== JSON.stringify(next.entry)) {
      if (before.entry?.kind === next.entry?.kind) entry?.update?.(next.entry); else draw();
    }
    drawTexts();
  }
  document.body.classList.remove("sent");
  notice(next.notice ?? "");
  showMain();
  showTime();
}

/** Draws a screen from nothing. */
function draw() {
  const title = make("h1", "", screen.paused ? screen.pausedText : screen.title ?? "", { tabindex: "-1" });
  const texts = make("div", "texts");
  const time = make("div", "time");
  places.screen.replaceChildren(title, texts, time);
  if (!screen.title) title.hidden = true;
  entry = undefined;
  if (screen.entry) {
    const label = screen.entry.prompt ?? screen.title ?? screen.texts[0] ?? "";
    entry = makeEntry(screen.entry, screen.draft?.value ?? undefined, {
      words, label, language: screen.language, changed, confirm, act, moved,
    });
    if (screen.entry.prompt) places.screen.append(make("h2", "question", screen.entry.prompt, { tabindex: "-1" }));
    places.screen.append(entry.element);
  }
  drawTexts();
  drawButtons();
  window.scrollTo(0, 0);
  (entry?.focus() ?? (screen.title ? title : places.screen)).focus({ preventScroll: true });
}

function drawTexts() {
  const title = places.screen.querySelector("h1");
  if (title) title.textContent = screen.paused ? screen.pausedText : screen.title ?? "";
  const texts = places.screen.querySelector(".texts");
  const lines = screen.texts.map((text) => make("p", "", text));
  if (screen.spoken) lines.push(make("p", "spoken", screen.spoken));
  texts?.replaceChildren(...lines);
  const count = (place) => (place ? `${place.number} / ${place.count}` : "");
  places["question-place"].textContent = count(screen.question);
  places["trial-place"].textContent = count(screen.trial);
}

function drawButtons() {
  const made = [];
  if ((screen.entry && takesValue()) || mainButton()) {
    made.push(button("main", mainButton()?.text ?? words.next, confirm));
  }
  const skip = screen.buttons.find((one) => one.do === "skip");
  if (skip) made.push(button("quiet", skip.text, (event) => act("skip", undefined, event)));
  places.buttons.replaceChildren(...made);
  drawCalls();
}

function drawCalls() {
  const help = button("quiet", words.help, (event) => {
    post({ kind: "help", made_ms: event.timeStamp }, true);
    notice(words.helpCalled);
  });
  const stop = button("quiet", words.stop, () => askToStop());
  places.calls.replaceChildren(...(screen.help ? [help, stop] : []));
}

/** Asks once whether the participant wants to stop. */
function askToStop() {
  const yes = button("quiet", words.stopConfirm, (event) => {
    post({ kind: "stop", made_ms: event.timeStamp }, true);
    drawCalls();
    notice(words.stopCalled);
  });
  const no = button("quiet", words.stopCancel, () => drawCalls());
  places.calls.replaceChildren(make("span", "", words.stopAsk), yes, no);
  no.focus();
}

function showMain() {
  const main = places.buttons.querySelector(".main");
  if (!main) return;
  const isReady = Boolean(mainButton()) || entry?.value() !== undefined;
  main.setAttribute("aria-disabled", `${!isReady}`);
}

function notice(text) {
  if (places.notice.textContent === text) return;
  places.notice.textContent = text;
  places.notice.dir = "auto";
}

/** Shows the time that is left, once a second. */
function showTime() {
  clearTimeout(tick);
  const place = places.screen.querySelector(".time");
  if (!place) return;
  const left = screen.deadline_ns === undefined || screen.paused ? undefined : clock.until(screen.deadline_ns);
  if (left === undefined) {
    place.replaceChildren();
    if (screen.deadline_ns !== undefined) tick = setTimeout(showTime, 100);
    return;
  }
  const seconds = Math.max(0, Math.ceil(left / 1000));
  if (screen.whole === undefined || screen.whole < seconds) screen.whole = seconds;
  place.replaceChildren(ring(seconds, screen.whole));
  if (left > 0) tick = setTimeout(showTime, left - (seconds - 1) * 1000);
}

function ring(seconds, whole) {
  const name = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(name, "svg");
  picture.setAttribute("viewBox", "0 0 120 120");
  picture.setAttribute("aria-hidden", "true");
  for (const kind of ["track", "rest"]) {
    const circle = document.createElementNS(name, "circle");
    for (const [key, value] of [["cx", 60], ["cy", 60], ["r", 54], ["class", kind]]) circle.setAttribute(key, `${value}`);
    if (kind === "rest") {
      const length = 2 * Math.PI * 54;
      circle.setAttribute("stroke-dasharray", `${length}`);
      circle.setAttribute("stroke-dashoffset", `${length * (1 - seconds / Math.max(1, whole))}`);
    }
    picture.append(circle);
  }
  const text = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
  const both = make("div", "ring", undefined, { role: "timer", "aria-label": text });
  both.append(picture, make("span", "", text, { "aria-hidden": "true" }));
  return both;
}

/** Tells when a screen was painted: the frame that first had it, which the next one confirms. */
function paint(number) {
  requestAnimationFrame((first) => requestAnimationFrame((second) => {
    if (screen.number !== number) return;
    paintedAt = first;
    post({ kind: "painted", number, at_ms: first, frame_ms: Math.min(1000, second - first) }, true);
  }));
}

function moved(value, event) {
  if (isInert || paintedAt === undefined) return;
  post({ kind: "rating", number: screen.number, value, made_ms: event.timeStamp, device: device(event) });
}

/** Shows a sentence, and nothing that can be used. */
function close(text) {
  isInert = true;
  clearTimeout(tick);
  clock.stop();
  document.body.classList.add("closed");
  notice(text);
}

// Keys

const NAMES = {
  " ": "space", Enter: "enter", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
};

/** The name of a key whose presses are recorded. */
function nameOf(event) { return NAMES[event.key] ?? event.key; }

/** Keys that would leave the page, or change how it is shown. */
function leaves(event) {
  if (event.key === "F5" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "r")) return false;
  if (/^F\d+$/.test(event.key) || event.key === "Escape" || event.key === "BrowserBack") return true;
  if (event.altKey) return true;
  if ((event.ctrlKey || event.metaKey) && !["c", "v", "x", "a", "z", "+", "-", "0", "="].includes(event.key)) return true;
  return event.key === "Backspace" && !isTyped(event.target);
}

function isTyped(target) { return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement; }

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (leaves(event)) {
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
  const isAct = event.key === "Enter" || event.key === " ";
  if (event.repeat && isAct && !isTyped(event.target)) {
    event.preventDefault();
    return;
  }
  if (screen?.keys?.includes(nameOf(event)) && counts(event)) {
    if (!event.repeat) post({ kind: "key", number: screen.number, key: nameOf(event), made_ms: event.timeStamp }, true);
    event.preventDefault();
    return;
  }
  const isElsewhere = event.target instanceof HTMLButtonElement && !places.screen.contains(event.target);
  if (!isElsewhere && !isTyped(event.target) && counts(event) && entry?.key?.(event)) {
    event.preventDefault();
    return;
  }
  if (event.key !== "Enter" || isElsewhere || event.target instanceof HTMLTextAreaElement) return;
  // A box is marked with the space bar, and a level is changed with its keys: Return confirms both.
  event.preventDefault();
  confirm(event);
});

window.addEventListener("popstate", () => history.pushState(null, "", location.pathname));
history.pushState(null, "", location.pathname);
document.addEventListener("contextmenu", (event) => event.preventDefault());
document.addEventListener("dragstart", (event) => event.preventDefault());
for (const name of ["focus", "blur", "resize"]) window.addEventListener(name, tellWindow);
document.addEventListener("visibilitychange", tellWindow);
document.addEventListener("fullscreenchange", tellWindow);

// What the station says

function take(message, received) {
  switch (message.kind) {
    case "page":
      ({ client, words } = message);
      document.body.classList.remove("closed");
      clock.start();
      tellWindow();
      break;
    case "clock": clock.take(message, received); break;
    case "screen": show(message); break;
    case "taken":
      close(words.taken);
      return false;
    case "over":
      close("");
      return false;
    default: break;
  }
  return true;
}

/** Listens until the station ends the stream; whether it is worth trying again. */
async function listen() {
  const answer = await fetch("/participant/stream", { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
  if (answer.status === 401 || answer.status === 403) {
    close("This page is not the one that the station has opened.");
    return false;
  }
  if (!answer.ok || !answer.body) return true;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const received = performance.now();
    if (done) return true;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "" && !take(JSON.parse(line), received)) return false;
  }
}

async function run() {
  if (!token) {
    close("Please open this page as the station says.");
    return;
  }
  for (;;) {
    try {
      if (!(await listen())) return;
    } catch { /* The connection is lost. */ }
    close(words.lost ?? "…");
    await pause(RETRY);
  }
}

run();
