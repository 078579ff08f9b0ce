// The participant's page: shows the station's screens, and sends back what is answered.

import { Link } from "{{link.js}}";
import { marked } from "{{entries.js}}";
import { typed } from "{{typed.js}}";
import { form } from "{{form.js}}";

const again = "Please ask the experimenter to open it again.";
const noToken = `This page has no access code. ${again}`;
const refused = `The station refused this page. ${again}`;

/** A confirmation so soon after an answer is a double press, and not meant for the new screen. */
const settleMs = 250;
const builders = { ...marked, ...typed, form };
const root = document.documentElement;

const part = id => document.getElementById(id);
const [main, ask, next] = ["main", "ask", "next"].map(part);

let words = {};
let link;
let live = false; // connected, and not over
let newClient = false;
let screen = {};
let entry;
let painted; // the message on the screen's first frame
let frames = [16.7]; // the newest distances between two frames, in milliseconds
let answered = false;
let answeredMs = -Infinity;
let changes = 0;
let firstMs; // the first contact with the entry
let seen = true; // the end of the document
let note = ""; // a sentence before the station's notice
let device = "key";
let cause; // the key behind a click that the page made itself
let pressBegan = false; // whether the press behind a click began on this screen, after it was painted
let clickedOn; // the screen of the last click that counted
let monitor; // its width in millimetres, where it was measured
let expected; // the newest screen, whose pictures may still be loaded
let pictured; // the timer of a picture that is to appear
const images = new Map(); // the pictures that were asked for, by their addresses

/** An element; `text` becomes its content. */
function make(tag, { text, ...attributes } = {}, ...children) {
  const space = ["svg", "circle", "path", "text"].includes(tag) ? "2000/svg" : "1999/xhtml";
  const node = document.createElementNS(`http://www.w3.org/${space}`, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...[text, ...children].filter(Boolean));
  return node;
}

/** Loads a picture, which then stays in memory; one that cannot be loaded is reported, and tried again when it is needed. */
function load(address) {
  if (!images.has(address)) {
    const image = make("img", { src: address });
    const found = { image };
    images.set(address, found);
    found.ready = image.decode().then(() => { found.isReady = true; }, () => {
      images.delete(address);
      link.post({ kind: "broken", picture: address });
    });
  }
  return images.get(address);
}

/** The distance of two frames that are not late. */
const frameMs = () => Math.min(...frames);

/** CSS pixels of a millimetre: of the monitor where it was measured, else as style sheets count them. */
const millimetre = () => monitor ? window.screen.width * innerWidth / (outerWidth || innerWidth) / monitor : 96 / 25.4;

/** Gives pictures their width. */
const setWidths = nodes => nodes.forEach(node => { if (node.dataset.mm) node.style.width = `${node.dataset.mm * millimetre()}px`; });

/** A picture that was loaded: painted with the frame that it is put into. */
function picture({ address, alt, sha256, width_mm }) {
  const node = make("img", { src: address, alt, decoding: "sync", draggable: false, "data-sha256": sha256, ...(width_mm && { "data-mm": width_mm }) });
  setWidths([node]);
  return node;
}

/** The pictures of the page, as they are seen. */
const seenPictures = () => [...root.querySelectorAll("img")].filter(node => node.complete && node.naturalWidth).map(node => {
  const { width, height } = node.getBoundingClientRect();
  return { sha256: node.dataset.sha256, width, height, ...(monitor && { width_mm: width / millimetre() }) };
});

/** Digits as the language has them. */
const local = text => words.digits ? `${text}`.replace(/\d/g, digit => words.digits[digit]) : `${text}`;

/** Writes only what changed, so that a screen reader does not repeat the rest. */
function write(texts) {
  for (const [id, text] of Object.entries(texts)) {
    const said = text || "";
    if (part(id).textContent !== said) part(id).textContent = said;
  }
}

/** Builds a part again only when its data changed. */
function fill(id, list, build) {
  const key = JSON.stringify(list);
  if (part(id).dataset.key === key) return;
  part(id).dataset.key = key;
  part(id).replaceChildren(...list.map(build));
}

/** Calls `act` at most every `ms`, and always with the last value. */
function limited(ms, act) {
  let timer;
  let waiting;
  const flush = () => {
    clearTimeout(timer);
    timer = waiting && setTimeout(flush, ms);
    if (waiting) act(waiting);
    waiting = undefined;
  };
  const put = value => {
    waiting = value;
    if (!timer) flush();
  };
  return { flush, put };
}

const drafts = limited(200, message => link.post({ kind: "draft", ...message }));
const ratings = limited(50, message => link.post({ kind: "rating", ...message }));

/** Whether the screen takes input. */
const accepts = ({ timeStamp }) => live && !answered && !screen.paused && timeStamp >= painted?.at_ms && !ask.open;

/** Listens to input that counts. */
function on(node, type, handler) {
  node.addEventListener(type, event => {
    if (type === "click" && !cause) {
      // The second click of a double click belongs to the screen of the first.
      if (event.detail > 1 && clickedOn !== screen.number || event.pointerType && !pressBegan) return;
      clickedOn = screen.number;
    }
    const made = cause ?? event;
    if (accepts(made)) handler(made);
  });
}

function button(attributes, act, ...children) {
  const node = make("button", attributes, ...children);
  on(node, "click", act);
  return node;
}

function answer(what, value, event) {
  const { timeStamp: made_ms } = event;
  if (!accepts(event) || what !== "gain" && made_ms - answeredMs < settleMs) return;
  drafts.flush();
  ratings.flush();
  link.post({ kind: "answer", number: screen.number, do: what, value, made_ms, ...(firstMs < made_ms && { first_ms: firstMs }), changes, device,
    painted_ms: painted.at_ms, frame_ms: painted.frame_ms });
  if (what === "gain") return change(event);
  answered = true;
  answeredMs = made_ms;
  refresh();
}

/** The entry changed; `more`: in the same movement. */
function change({ timeStamp }, more) {
  firstMs ??= timeStamp;
  if (!more) changes++;
  note = "";
  if (entry.value) drafts.put({ number: screen.number, value: (entry.draft ?? entry.value)(), changes, first_ms: firstMs, origin: performance.timeOrigin });
  refresh();
}

const rate = value => ratings.put({ number: screen.number, value });

const goOn = () => screen.buttons?.find(({ do: what }) => what === "goOn");

/** What the main button would do: `[do, value]` or nothing. */
function ready() {
  const value = entry?.value ? entry.value() : null;
  if (!seen || value === undefined) return;
  if (value !== null) return [entry.deed?.() ?? "value", value];
  if (goOn() && !(entry?.value && screen.entry.required)) return ["goOn", undefined];
}

function advance(event) {
  if (!accepts(event) || !next.textContent) return;
  const step = ready();
  if (step) answer(...step, event);
  else complain();
}

/** Says what is missing or wrong. */
function complain(problem) {
  const ofPart = seen && !problem && entry?.complain?.();
  note = !seen ? "" : problem ?? (ofPart || (entry?.value?.() === null ? words.missing : screen.entry?.problem));
  if (!seen) scrollBy(0, innerHeight / 2);
  else if (!ofPart) entry?.focus?.focus();
  refresh();
}

function refresh() {
  const { buttons = [], paused, notice, help, stop } = screen;
  const on = goOn();
  const step = ready();
  write({
    next: paused || !(entry?.value || on) ? "" : on && (!entry?.value || step?.[0] === "goOn") ? on.text : words.next,
    status: note || (paused ? "" : notice),
    help: help && words.help,
    stop: stop && words.stop,
  });
  part("status").classList.toggle("wrong", Boolean(note && note !== words.helpCalled || notice && !screen.asksToStop));
  next.setAttribute("aria-disabled", !step || answered);
  fill("others", paused ? [] : buttons.filter(other => other !== on), ({ do: what, text }) =>
    button({ dir: "auto", text }, event => answer(what, undefined, event)));
  for (const id of ["document", "entry", "others", "next", "calls"]) part(id).inert = !live || id === "entry" && !seen;
  main.ariaBusy = String(!live);
}

/** Shows a sentence over an inert page. */
const cover = text => write({ cover: text });

function end(text) {
  live = false;
  expected = undefined;
  link.end();
  ask.close();
  refresh();
  cover(text);
}

function show(shown) {
  const same = screen.number === shown.number;
  const { title, texts = [], spoken, entry: asked, question, trial, paused, pausedText, look } = shown;
  const [wasLost, wasPaused] = [newClient, screen.paused];
  if (!same) ratings.flush();
  if (shown.notice !== screen.notice) note = "";
  newClient = false;
  screen = shown;
  live = true;
  root.lang = shown.language;
  root.dir = shown.direction;
  document.title = title || asked?.prompt || "Station";
  write({ question, trial, pause: paused && pausedText, title, spoken, prompt: asked?.prompt });
  part("prompt").setAttribute("aria-level", title ? 2 : 1);
  main.classList.toggle("paused", Boolean(paused));
  fill("texts", texts, text => make("p", { dir: "auto", text }));
  part("texts").classList.toggle("long", texts.join("").length > 280);
  illustrate(shown);
  fill("look", [look].filter(Boolean), draw);
  tick();
  if (!same) {
    begin(shown);
  } else {
    // What was answered and does not count, since it came in a pause, can be answered again.
    if (wasLost || wasPaused && !paused) answered &&= link.answering;
    if (wasLost && painted) link.post(painted);
  }
  refresh();
  cover("");
  if (!same || wasLost) focusQuestion();
}

/** Shows a screen once its pictures are loaded, unless a newer one has come. */
async function arrive(shown) {
  expected = shown;
  const pictures = [shown.picture, ...[shown.entry, ...(shown.entry?.questions ?? [])].flatMap(asked => asked?.choices ?? []).map(choice => choice.picture)].filter(Boolean);
  const loading = pictures.map(({ address }) => load(address)).filter(({ isReady }) => !isReady);
  if (loading.length) await Promise.all(loading.map(({ ready }) => ready));
  if (expected === shown) show(shown);
}

/** Puts the step's picture in, at the frame that is next to its moment where it has one. */
function illustrate({ number, picture: shown }) {
  clearTimeout(pictured);
  const put = () => fill("picture", [shown].filter(Boolean), picture);
  if (!shown?.from_ns || part("picture").dataset.key === JSON.stringify([shown])) return put();
  fill("picture", [], picture);
  const until = () => link.until(shown.from_ns);
  const aim = at => {
    if (number !== screen.number) return;
    const left = until();
    // Before the first round trip the moment is not known.
    if (left === null || left > frameMs() / 2) return requestAnimationFrame(aim);
    put();
    reportPaint({ kind: "painted", number, at_ms: Math.max(at, performance.now()), pictures: seenPictures() }, at);
  };
  pictured = setTimeout(() => requestAnimationFrame(aim), Math.max(0, (until() ?? 0) - 3 * frameMs()));
}

/** Reports what a frame shows, once the next one says how long it took. */
function reportPaint(message, at) {
  message.frame_ms = frameMs();
  requestAnimationFrame(next => {
    const took = next - at;
    if (took > 1) frames = [...frames.slice(-7), took];
    message.frame_ms = Math.min(1000, Math.max(took, message.frame_ms));
    link.post(message);
  });
}

/** A screen with a new number. */
function begin({ number, document: sections, entry: asked, draft, stop, language, direction }) {
  answered = pressBegan = false;
  firstMs = painted = undefined;
  note = "";
  if (!stop) ask.close();
  lay(sections);
  entry = builders[asked?.kind]?.(asked, { make, button, picture, local, words, builders, on, device: () => device, place: "", accepts, answer, complain, rate, marked: change,
    language, mirrored: direction === "rtl", named: { "aria-labelledby": asked.prompt ? "prompt" : "title" } });
  main.dataset.kind = asked?.kind ?? "";
  part("entry").replaceChildren(entry?.node ?? "");
  changes = draft?.changes ?? 0;
  if (typeof draft?.first_ms === "number") firstMs = draft.first_ms + draft.origin - performance.timeOrigin;
  if ((draft?.value ?? null) !== null) entry?.set?.(draft.value);
  scrollTo(0, 0);
  const laidMs = performance.now();
  requestAnimationFrame(at => {
    if (number !== screen.number || painted) return;
    // The time of a frame may lie before what it shows was there.
    painted = { kind: "painted", number, at_ms: Math.max(at, laidMs), pictures: seenPictures() };
    reportPaint(painted, at);
    judgeEnd();
  });
}

function focusQuestion() {
  const field = seen && entry?.focus;
  (field || part(screen.entry?.prompt && seen ? "prompt" : "title")).focus({ preventScroll: !field });
}

/** A consent: sections and a list of contents. The entry opens when the end was on the screen. */
function lay(sections = []) {
  seen = !sections.length;
  main.classList.toggle("reading", !seen);
  const jumps = [];
  const chapters = sections.map(({ title, text }) => {
    const content = make("p", { dir: "auto", text });
    if (!title) return make("section", {}, content);
    const heading = make("h2", { dir: "auto", tabindex: -1, text: title });
    const jump = make("button", { class: "jump", dir: "auto", text: title });
    jump.addEventListener("click", () => {
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    });
    jumps.push(make("li", {}, jump));
    return make("section", {}, heading, content);
  });
  const contents = jumps.length > 1 && make("nav", { "aria-labelledby": "title" }, make("ol", {}, ...jumps));
  part("document").replaceChildren(...seen ? [] : [contents || "", make("div", { class: "chapters" }, ...chapters)]);
}

/** Opens the entry once the end of the document was above the foot. */
function judgeEnd() {
  const bottom = Math.min(innerHeight, part("foot").getBoundingClientRect().top) + 1;
  if (seen || !painted || part("document").getBoundingClientRect().bottom > bottom) return;
  seen = true;
  refresh();
}

/** Whether something lies under the foot, or below the window: then a line is drawn above it. */
function judgeRest() {
  const { top, bottom } = part("foot").getBoundingClientRect();
  root.classList.toggle("continues", main.getBoundingClientRect().bottom > top + 8 || bottom > innerHeight + 8);
}

/** A step with a deadline: the time left, a cross, or nothing. */
function draw(look) {
  if (look === "cross") return make("svg", { viewBox: "0 0 9 9", class: "cross", "aria-hidden": true }, make("path", { d: "M4.5 2v5M2 4.5h5" }));
  if (["white", "black"].includes(look)) return make("div", { class: `field ${look}`, role: "presentation" });
  if (look !== "ring") return "";
  const circle = name => make("circle", { class: name, cx: 60, cy: 60, r: 52, pathLength: 1, transform: "rotate(-90 60 60)" });
  return make("svg", { viewBox: "0 0 120 120", class: "ring", role: "timer" }, circle("whole"), circle("left"), make("text", { x: 60, y: 70 }));
}

function tick() {
  const ring = root.querySelector(".ring");
  const until = ring && !screen.paused && screen.deadline_ns && link.until(screen.deadline_ns);
  if (typeof until !== "number") return;
  const seconds = Math.ceil(Math.max(0, until) / 1000);
  const clock = local(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  const [, arc, text] = ring.children;
  arc.setAttribute("stroke-dasharray", `${Math.max(0, until / screen.length_ms)} 2`);
  text.textContent = clock;
  ring.setAttribute("aria-label", clock);
}

const keyNames = { " ": "space", Enter: "enter", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** Whether a key would leave the page or call the browser. Reloading and zooming are harmless. */
function leaves(event, writing) {
  const { key } = event;
  if (event.getModifierState("AltGraph")) return false;
  if (event.altKey || event.metaKey) return true;
  if (!event.ctrlKey) return /^(F([1-46-9]|1\d|2\d)|Escape|ContextMenu|Browser.*)$/.test(key) || key === "Backspace" && !writing;
  return !/^([r+=0-]|Control|Shift|Home|End)$/i.test(key) && !(writing && /^([acvxyz]|Backspace|Delete|Arrow.*)$/i.test(key));
}

function keyed(event) {
  const { key, target, repeat } = event;
  const writing = target.matches?.("input, textarea");
  const pressed = /^(Enter| )$/.test(key) && target.closest?.("button");
  const name = keyNames[key] ?? key.toLowerCase();
  if (event.isComposing) return;
  if (key === "Escape" && ask.open) closeAsk();
  if (leaves(event, writing)) return event.preventDefault();
  if (event.ctrlKey || key === "Tab") return;
  device = "key";
  if (pressed) {
    // Enter on a mark that is set, and on any check box, confirms.
    const confirms = key === "Enter" && (pressed.role === "checkbox" || pressed.ariaChecked === "true");
    cause = event;
    if (!repeat) confirms ? advance(event) : pressed.click();
    cause = undefined;
  } else if (!accepts(event)) {
    // Reading on is possible at any time; everything else waits for the screen.
    if (/^(Page|Home|End|Arrow)/.test(key) || key === " " && screen.document) return;
  } else if (screen.keys?.includes(name) && !writing) {
    if (!repeat) link.post({ kind: "key", number: screen.number, key: name, made_ms: event.timeStamp });
  } else if (!seen || writing && /^(Arrow|Home|End)/.test(key) || !entry?.key?.(event)) {
    if (key !== "Enter") return;
    if (!repeat) advance(event);
  }
  event.preventDefault();
}

/** A button of the page, which works whatever the screen does; a double click counts once. */
function call(id, act) {
  part(id).addEventListener("click", event => {
    if (live && event.detail < 2) act((cause ?? event).timeStamp);
  });
}

function closeAsk() {
  ask.close();
  focusQuestion();
}

function wire() {
  on(next, "click", advance);
  call("help", made_ms => {
    link.post({ kind: "help", made_ms });
    note = words.helpCalled;
    refresh();
    if (device !== "key") focusQuestion();
  });
  call("stop", () => {
    write({ "ask-text": words.stopAsk, "ask-cancel": words.stopCancel, "ask-confirm": words.stopConfirm });
    ask.showModal();
    part("ask-cancel").focus();
  });
  call("ask-cancel", closeAsk);
  call("ask-confirm", made_ms => {
    link.post({ kind: "stop", made_ms });
    closeAsk();
  });
  // How much the foot hides, so that what gets the focus is not behind it.
  new ResizeObserver(() => root.style.setProperty("--foot", `${part("foot").offsetHeight}px`)).observe(part("foot"));
  new ResizeObserver(judgeRest).observe(main);
  listen("scroll resize", judgeRest);
  listen("resize focus blur visibilitychange fullscreenchange", reportWindow);
  listen("scroll resize", judgeEnd);
  listen("resize", () => setWidths(root.querySelectorAll("img")));
  listen("contextmenu dragstart drop cancel", event => event.preventDefault());
  listen("keydown", keyed);
  listen("keyup", event => {
    if (event.key === " " && event.target.closest?.("button")) event.preventDefault();
  });
  listen("pointerdown", event => {
    device = event.pointerType === "touch" ? "touch" : "pointer";
    pressBegan = accepts(event);
  });
  listen("pagehide", () => {
    drafts.flush();
    ratings.flush();
    link.flush();
  });
  history.pushState(null, "");
  listen("popstate", () => history.pushState(null, ""));
}

let lastWindow;
function reportWindow() {
  const state = { visible: !document.hidden, focused: document.hasFocus(), fullScreen: matchMedia("(display-mode: fullscreen)").matches,
    ratio: devicePixelRatio, width: innerWidth, height: innerHeight, origin: performance.timeOrigin };
  const key = JSON.stringify(state);
  if (key !== lastWindow) link.post({ kind: "window", at_ms: performance.now(), ...state });
  lastWindow = key;
}

function listen(types, handler) {
  for (const type of types.split(" ")) addEventListener(type, handler, true);
}

function take(line) {
  if (line.kind === "screen") arrive(line);
  if (line.kind === "taken") end(words.taken);
  if (line.kind === "over") {
    note = screen.title === words.over ? "" : words.over;
    end("");
  }
  if (line.kind !== "page") return;
  ({ words } = line);
  monitor = line.monitor_mm;
  line.pictures.forEach(load);
  newClient = true;
  lastWindow = undefined;
  reportWindow();
}

function lost() {
  live = false;
  expected = undefined;
  refresh();
  cover(words.lost);
}

/** An answer was not understood: it can be given again. */
function unanswered({ number }) {
  if (number !== screen.number) return;
  answered = false;
  complain(screen.entry?.problem ?? words.missing);
}

function start() {
  if (/^#[0-9a-f]{32}$/i.test(location.hash)) sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  const token = sessionStorage.getItem("token");
  if (!token) return cover(noToken);
  wire();
  setInterval(tick, 250);
  link = new Link(token, { line: take, lost, unanswered, taken: () => end(words.taken), refused: () => end(refused) });
}

start();
