// The operator's console: draws what the session's process says, and sends what the operator asks.

import { Link } from "{{link.js}}";
import { Scale, clock, drawRates, drawWave } from "{{chart.js}}";
import { fill, make, part, write } from "{{dom.js}}";
import { Beats } from "{{beats.js}}";
import { Participants, Settings } from "{{house.js}}";
import { Results } from "{{results.js}}";
import { Start } from "{{start.js}}";

const root = document.documentElement;
/** Older heart rates than this say nothing about now, in seconds. */
const fresh = 5;

let link;
let sessions = [];
let isConnected = false; // to the console's process, at least once
let watching; // the session that is shown, by its name
let operates = false;
let head;
let state = {};
let receivedMs = 0;
let series = new Map(); // heart rates of each sensor
let marks = [];
let said = [];
let waves = [];
let chosenWave = "";
let scale = new Scale();
let firstKeyMs;
let lastId = 0;
const asked = new Map(); // what waits for a reply, by its number
const works = new Map(); // requests under way, by their numbers
let sound;
let view = ""; // what is shown where no session is, as the address names it
let startView;
let resultsView;
let beatsView;
let participantsView;
let settingsView;

/** The session's time now. */
const now = () => state.now_s === undefined ? 0 : state.now_s + (state.over ? 0 : (performance.now() - receivedMs) / 1000);
const fixed = (value, digits) => value === undefined ? "" : value.toFixed(digits);

/** Asks the console's own process for something; resolves with its answer. */
function work(what, details = {}) {
  lastId++;
  const id = lastId;
  return new Promise(resolve => {
    works.set(id, resolve);
    link.post({ kind: "work", id, what, ...details });
  });
}

/** A request that gets no answer. */
function leave(id, reason) {
  works.get(id)?.({ status: 1, output: null, complaints: [reason] });
  works.delete(id);
}

function ask(message) {
  lastId++;
  asked.set(lastId, message);
  link.post({ kind: "ask", id: lastId, ...message });
}

// MARK: What comes

function take(line) {
  switch (line.kind) {
    case "page":
      write({ cover: "" });
      // What a lost connection was to answer is answered no more.
      if (isConnected) [...works.keys()].forEach(id => leave(id, "The connection to the console was lost: look whether it was done."));
      isConnected = true;
      if (watching) link.post({ kind: "watch", session: watching });
      return list(line.sessions);
    case "sessions": return list(line.sessions);
    case "watched":
      forget();
      watching = line.session;
      ask({ do: "hello", operates: true });
      if (chosenWave) chooseWave();
      break;
    case "left":
      if (line.session !== watching) return;
      ended(line.session);
      break;
    case "worked":
      works.get(line.id)?.(line.answer);
      works.delete(line.id);
      break;
    case "session":
      head = line;
      write({ status: "" });
      break;
    case "state":
      [state, receivedMs] = [line, performance.now()];
      break;
    case "rates": {
      const known = series.get(line.sensor) ?? { t: [], v: [] };
      known.t.push(...line.t_s);
      known.v.push(...line.rate);
      line.rate.forEach(rate => scale.take(rate));
      series.set(line.sensor, known);
      break;
    }
    case "marks": marks = [...marks, ...line.marks].slice(-2000); break;
    case "said":
      for (const one of line.said) if (one.call && one.time_s > (state.now_s ?? Infinity) - 2) ring();
      said = [...said, ...line.said].slice(-300);
      break;
    case "wave":
      waves = [...waves, line].filter(({ t_s }) => t_s > line.t_s - 12);
      break;
    case "role": operates = line.operates; break;
    case "done": {
      const { do: what, text } = asked.get(line.id) ?? {};
      asked.delete(line.id);
      write({ status: what === "annotate" ? `Noted: ${text}` : "" });
      break;
    }
    case "refused":
      asked.delete(line.id);
      write({ status: `Not done: ${line.reason}.` });
      break;
  }
  schedule();
}

/** The process of the session that is shown has ended. */
async function ended(session) {
  const isStarted = Boolean(state.trial ?? state.around ?? state.done?.length);
  state.over = true;
  schedule();
  const fate = await work("fate", { session });
  if (watching !== session) return;
  const reason = fate?.status ? fate.complaints.at(-1) : undefined;
  const say = () => write({ status: reason ? `The session's process has ended: ${reason}` : "The session's process has ended." });
  if (isStarted) return say();
  // There is nothing of it to look at.
  addEventListener("hashchange", say, { once: true });
  location.replace(fate?.status === 1 ? "#start" : "#");
}

function forget() {
  [head, state, series, marks, said, waves, scale, operates] = [undefined, {}, new Map(), [], [], [], new Scale(), false];
  write({ status: "" });
}

function list(running) {
  sessions = running;
  if (watching && !head && !running.some(({ name }) => name === watching)) location.replace("#");
  if (!watching && !view && running.length === 1) watch(running[0].name, { isNew: false });
  schedule();
}

/** Shows a session; the address names it, so that Back and a reload work. */
function watch(name, { isNew = true } = {}) {
  isNew ? location.hash = `session/${name}` : location.replace(`#session/${name}`);
}

/** Shows what the address names. */
function route() {
  const [kind, name, detail] = location.hash.slice(1).split("/");
  const session = kind === "session" ? name : undefined;
  view = kind;
  if (session !== watching) {
    if (watching) link.post({ kind: "leave" });
    watching = session;
    forget();
    if (session && isConnected) link.post({ kind: "watch", session });
  }
  if (view === "start") startView.show();
  const isBeats = view === "results" && detail === "beats";
  if (view === "results" && !isBeats) resultsView.show(name);
  beatsView.show(isBeats ? name : undefined);
  if (view === "participants") participantsView.show();
  if (view === "settings") settingsView.show();
  schedule();
}

/** Two short tones: the participant calls. */
function ring() {
  try {
    sound ??= new AudioContext();
    [0, 0.25].forEach(after => {
      const tone = new OscillatorNode(sound, { frequency: 880 });
      const gain = new GainNode(sound, { gain: 0.2 });
      tone.connect(gain).connect(sound.destination);
      tone.start(sound.currentTime + after);
      tone.stop(sound.currentTime + after + 0.15);
    });
  } catch {}
}

// MARK: What is shown

let scheduled = false;
function schedule() {
  if (scheduled) return;
  scheduled = true;
  // A window that is hidden, also after this, gets no frames.
  const wait = setTimeout(() => {
    cancelAnimationFrame(frame);
    draw();
  }, 500);
  const frame = requestAnimationFrame(() => {
    clearTimeout(wait);
    draw();
  });
}

function draw() {
  scheduled = false;
  const shown = Boolean(watching && head);
  part("sessions").hidden = shown || view !== "";
  for (const name of ["start", "participants", "settings"]) part(name).hidden = shown || view !== name;
  const isResults = !shown && view === "results";
  const wasHidden = part("beats").hidden;
  part("beats").hidden = !isResults || !beatsView.trial;
  // What came before the view was shown is not drawn yet.
  if (wasHidden && !part("beats").hidden) beatsView.draw();
  part("results").hidden = !isResults || Boolean(beatsView.trial ?? resultsView.shown);
  part("trial").hidden = !isResults || Boolean(beatsView.trial) || !resultsView.shown;
  for (const link of part("views").children) {
    const isCurrent = !shown && link.hash === `#${view}`;
    isCurrent ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  for (const id of ["plan", "main", "side", "leave"]) part(id).hidden = !shown;
  fill("running", sessions, ({ name, participant, study, since }) => {
    const open = make("button", { text: `${study}, participant ${participant}`, "data-name": name });
    open.addEventListener("click", () => watch(name));
    return make("li", {}, open, make("span", { class: "soft", text: ` since ${new Date(since).toLocaleTimeString()}` }));
  });
  part("none").hidden = sessions.length > 0;
  if (!shown) {
    if (watching) write({ status: `The session opens: ${state.waits ?? "sensors, clips and speaker"} …` });
    document.title = "Station console";
    return write({ title: "Station", who: "", phase: "", role: "", forecast: "" });
  }
  const { trial, around, left_s, over, waits, questions = [], done = [], sensors = [] } = state;
  const current = trial ?? around;
  const isPreparing = questions.some(({ isStart }) => isStart);
  const phase = over ? "over" : isPreparing ? "waits for Start" : questions.length ? "waits for you" : waits ?? (current?.paused ? "paused" : current?.closed ? "writing the bundle" : current ? "running" : "starting");
  const minutes = Math.ceil((left_s ?? 0) / 60);
  write({
    title: `${head.protocol} ${head.version}`,
    who: [`participant ${head.participant}`, `session ${head.number}`, head.group && `group ${head.group}`, head.language !== "en" && head.language].filter(Boolean).join(" · "),
    phase, role: operates ? "" : "reads only: another console operates",
    forecast: left_s === undefined || over ? "" : minutes > 1 ? `about ${minutes} min left` : "less than a minute left",
  });
  document.title = `${questions.length ? "? " : ""}${head.participant} ${trial ? `trial ${trial.number ?? 1} of ${head.trials.length}` : phase} — console`;
  fill("trials", rows(trial, around, done), ({ text, mark, kind, isCurrent, isStep }) => {
    const row = make("li", { class: isStep ? "step" : undefined }, make("span", { dir: "auto", text }), make("span", { class: kind, text: mark }));
    if (isCurrent) row.setAttribute("aria-current", "step");
    return row;
  });
  cards(current, sensors);
  fill("sensors", sensors, sensorRow);
  checksOf(questions.find(({ isStart }) => isStart));
  questionOf(questions.find(({ isStart }) => !isStart));
  screenOf(state.screen, current);
  commands(current);
  fill("caveats", (current?.caveats ?? []), text => make("li", { dir: "auto", text }));
  const recent = said.slice(-60).reverse();
  fill("said", recent, ({ text, time_s, problem, call }) => make("p", { class: call ? "call" : problem ? "problem" : undefined, dir: "auto", text: `${clock(time_s)} ${text}` }));
  chart();
}

function rows(trial, around, done) {
  const verdicts = new Map(done.map(({ number, verdict, complaint }) => [number, { verdict, complaint }]));
  const step = (part, isStep) => part?.step && { text: part.step.title ?? part.step.identifier, mark: "", isCurrent: true, isStep };
  const list = head.trials.map(({ number, condition, clip, practice }) => {
    const over = verdicts.get(number);
    const isCurrent = trial?.number === number || head.trials.length === 1 && Boolean(trial);
    return { text: [number, condition, clip, practice && "practice"].filter(Boolean).join(" · "), mark: over?.verdict ?? (isCurrent ? `so far ${trial.verdict}` : ""), kind: over?.verdict ?? (isCurrent ? trial.verdict : undefined), isCurrent };
  });
  const at = list.findIndex(({ isCurrent }) => isCurrent);
  const inside = step(trial, true);
  if (inside && at >= 0) list.splice(at + 1, 0, inside);
  const outside = !trial && step(around, false);
  return outside ? [outside, ...list] : list;
}

function cards(current, sensors) {
  const heart = sensors.find(({ rate }) => rate !== undefined);
  const age = heart && now() - heart.rate_s;
  const isFresh = heart && age < fresh && heart.connected;
  const notes = heart && [heart.name, heart.contact === false ? "no skin contact" : heart.contact && "contact", heart.problem, !heart.connected && "not connected", !isFresh && `${Math.round(age)} s old`];
  const { step, late_ms, uncertainty_ms } = current ?? {};
  const passed = (performance.now() - receivedMs) / 1000;
  const left = step?.left_s === undefined ? undefined : Math.max(0, step.left_s - (current.paused ? 0 : passed));
  write({
    rate: heart ? isFresh ? fixed(heart.rate, 0) : "––" : "––", "rate-unit": heart ? ["/min", ...notes].filter(Boolean).join(" · ") : "no heart rate yet",
    left: left === undefined ? "–" : clock(Math.ceil(left)), "left-of": step ? `${step.title ?? step.identifier}${step.count ? `, step ${step.number} of ${step.count}` : ""}` : "between steps",
    late: late_ms === undefined ? "–" : fixed(late_ms, 3), "late-unit": late_ms === undefined ? "" : `ms ± ${fixed(uncertainty_ms, 3)}`,
  });
}

function sensorRow({ name, connected, rate, contact, problem, note, samples }) {
  const words = [connected ? rate !== undefined && `${fixed(rate, 0)} /min` : "not connected", contact === false && "no skin contact", problem, note, ...samples.map(({ name, text }) => `${name} ${text}`)];
  const isWrong = !connected || contact === false || problem;
  return make("li", { class: isWrong ? "suspect" : undefined, dir: "auto", text: [name, ...words].filter(Boolean).join(" · ") });
}

const signs = { ready: "✓", waits: "…", doubtful: "!", fails: "✗" };
const kinds = { ready: "good", waits: "soft", doubtful: "suspect", fails: "bad" };

/** What is ready, and the buttons that start the session or go back. */
function checksOf(question) {
  const checks = state.checks ?? [];
  part("checks").hidden = !question || state.over;
  fill("check-list", checks, ({ name, state, text, address }) => make("li", {},
    make("span", { class: `sign ${kinds[state]}`, text: signs[state], "aria-label": state }), make("b", { text: name }), ` ${text} `,
    address && make("a", { href: address, target: "_blank", rel: "noopener", text: "open it here" })));
  const missing = checks.filter(({ state }) => ["waits", "fails"].includes(state));
  const isReady = operates && Boolean(question) && checks.length > 0 && !missing.length;
  part("go").setAttribute("aria-disabled", String(!isReady));
  write({ "go-why": !operates ? "Another console operates this session." : missing.length ? `Not ready yet: ${missing.map(({ name }) => name).join(", ")}.` : "" });
}

function startSession() {
  const question = state.questions?.find(({ isStart }) => isStart);
  if (part("go").getAttribute("aria-disabled") === "true" || !question) return;
  const doubts = (state.checks ?? []).filter(({ state }) => state === "doubtful").map(({ name, text }) => `${name}: ${text}`);
  const go = () => ask({ do: "answer", question: question.number, answer: "goOn" });
  doubts.length ? sure(`Start all the same? ${doubts.join("; ")}`, go) : go();
}

function questionOf(question) {
  part("ask").hidden = !question;
  write({ "ask-text": question?.text });
  fill("ask-answers", (question?.answers ?? []).map(answer => ({ ...answer, number: question.number })), ({ do: answer, text, number }) => {
    const button = make("button", { text, "data-name": answer });
    button.addEventListener("click", () => ask({ do: "answer", question: number, answer }));
    return button;
  });
}

function screenOf(screen, current) {
  const lines = !screen ? ["nothing yet"] : screen.paused ? ["Paused"] : [screen.question, ...screen.texts, screen.prompt, ...(screen.choices ?? []), screen.entry && `(${screen.entry})`].filter(Boolean);
  fill("screen", [screen?.paused ? "" : screen?.title ?? "", ...lines], text => make("p", { dir: "auto", class: text && text === screen?.title ? "title" : undefined, text }));
  part("press").hidden = !operates || !screen?.waitsFor || screen.paused || Boolean(screen.entry) || !current;
}

function commands(current) {
  const can = operates && current && !current.closed && !state.over && state.offers.length > 0;
  const has = name => can && state.offers.includes(name);
  const offers = [
    ["pause", current?.paused ? "Go on" : "Pause now", has("pause")],
    ["skipStep", "Skip step", has("skipStep") && state.screen?.skippable],
    ["pauseAfterTrial", "Pause after trial", has("pauseAfterTrial")],
    ["skipTrial", "Skip trial…", has("skipTrial")],
    ["repeatTrial", "Repeat trial…", has("repeatTrial")],
    ["end", "End session…", operates && !state.over],
  ];
  fill("commands", offers.map(([name, text, isOffered]) => [name, text, Boolean(isOffered)]), ([name, text, isOffered]) => {
    const button = make("button", { text, "data-name": name, class: name === "end" ? "grave" : undefined, "aria-disabled": !isOffered });
    button.addEventListener("click", () => isOffered && command(name));
    return button;
  });
  part("note").disabled = !can;
  fill("labels", can ? head.labels : [], (text, index) => {
    const button = make("button", { text: `${text} ${index + 1}`, "data-name": text });
    button.addEventListener("click", event => remark(text, event.timeStamp));
    return button;
  });
}

function chart() {
  const to = Math.max(now(), 10);
  const span = Number(part("span").value);
  const from = span ? Math.max(0, to - span) : 0;
  drawRates(part("chart"), [...series].map(([name, { t, v }]) => ({ name, t, v })), marks, { from, to: from + Math.max(span || 0, to - from), now: to }, scale);
  const offered = state.sensors?.flatMap(({ name, waveforms }) => waveforms.map(({ quantity }) => `${name} ${quantity}`)) ?? [];
  fill("wave", ["", ...offered], value => make("option", { value, text: value || "none", selected: value === chosenWave }));
  part("waveform").hidden = !chosenWave;
  if (chosenWave) drawWave(part("waveform"), waves, to);
  const first = [...series.values()][0];
  const minute = first ? first.v.filter((_, index) => first.t[index] > to - 60) : [];
  write({ "chart-words": minute.length ? `In the last minute ${Math.round(Math.min(...minute))} to ${Math.round(Math.max(...minute))} a minute.` : "" });
}

// MARK: What the operator does

const questions = { skipTrial: "End this trial and go on with the next one? What was recorded is kept.", repeatTrial: "End this trial and perform it again? What was recorded is kept, and superseded.", end: "End the session? What was recorded is kept." };
let sureOf;

function sure(text, action) {
  sureOf = action;
  write({ "sure-text": text });
  part("sure").showModal();
  part("sure-no").focus();
}

function command(name) {
  if (name in questions) {
    return sure(questions[name], () => ask({ do: name }));
  }
  ask({ do: name === "pause" && (state.trial ?? state.around)?.paused ? "resume" : name });
}

function remark(text, madeMs) {
  if (!text.trim()) return;
  ask({ do: "annotate", text: text.trim(), age_ms: Math.max(0, performance.now() - madeMs) });
}

function chooseWave() {
  const [sensor, quantity] = [chosenWave.slice(0, chosenWave.lastIndexOf(" ")), chosenWave.slice(chosenWave.lastIndexOf(" ") + 1)];
  ask({ do: "wave", sensor, quantity });
}

function wire() {
  part("leave").addEventListener("click", () => { location.hash = ""; });
  addEventListener("hashchange", route);
  part("press").addEventListener("click", () => state.screen && ask({ do: "press", screen: state.screen.number }));
  part("note").addEventListener("input", event => {
    if (!part("note").value) firstKeyMs = undefined;
    else firstKeyMs ??= event.timeStamp;
  });
  part("note").addEventListener("keydown", event => {
    if (event.key === "Escape") {
      part("note").value = "";
      firstKeyMs = undefined;
      part("note").blur();
    }
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    remark(part("note").value, firstKeyMs ?? event.timeStamp);
    part("note").value = "";
    firstKeyMs = undefined;
  });
  part("span").addEventListener("change", schedule);
  part("wave").addEventListener("change", () => {
    chosenWave = part("wave").value;
    waves = [];
    chooseWave();
    schedule();
  });
  part("go").addEventListener("click", startSession);
  part("back").addEventListener("click", () => {
    const question = state.questions?.find(({ isStart }) => isStart);
    question ? ask({ do: "answer", question: question.number, answer: "end" }) : ask({ do: "end" });
  });
  part("sure-no").addEventListener("click", () => part("sure").close());
  part("sure-yes").addEventListener("click", () => {
    part("sure").close();
    sureOf();
  });
  addEventListener("keydown", event => {
    const isTyping = event.target.closest("textarea, select, input, dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !operates) return;
    if (event.key === "n") {
      event.preventDefault();
      part("note").focus();
    }
    if (event.key === "p" && !part("note").disabled) command("pause");
    const label = head?.labels[Number(event.key) - 1];
    if (label && !part("note").disabled) remark(label, event.timeStamp);
  });
  setInterval(() => { if (watching && !state.over) schedule(); }, 200);
}

function start() {
  if (/^#[0-9a-f]{32}$/i.test(location.hash)) sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", `${location.pathname}${/^#[0-9a-f]{32}$/i.test(location.hash) ? "" : location.hash}`);
  const token = sessionStorage.getItem("token");
  if (!token) return write({ cover: "This page has no access code: open the file again that “station console” names." });
  wire();
  root.lang = "en";
  link = new Link(token, {
    line: take, lost: () => write({ cover: "The console's process does not answer. The session goes on without it." }), taken() {},
    unanswered: ({ id }) => leave(id, "The console's process is busy: try again."),
    refused: () => write({ cover: "The station refused this page: open the file again that “station console” names." }),
  }, { page: "console", hasClock: false });
  startView = new Start(work, watch);
  resultsView = new Results(work);
  beatsView = new Beats(work);
  participantsView = new Participants(work);
  settingsView = new Settings(work);
  route();
}

start();
