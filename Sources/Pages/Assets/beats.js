// The beats of a trial: a tachogram with the waveform under it, and people's corrections.

import { css, pace, prepare } from "{{chart.js}}";
import { fill, make, part, write } from "{{dom.js}}";

const [left, right] = [52, 12];
const seconds = (t, digits = 3) => `${t.toFixed(digits)} s`;
const artefacts = { ectopic: "ectopic beat", missed: "a beat is missing", extra: "one beat too many", longOrShort: "too long or too short", outOfRange: "out of range" };
/** How far an arrow moves a beat or the cursor between beats, in seconds; with Alt a tenth. */
const stride = 0.01;

export class Beats {
  /** The trial that is shown. */
  trial;
  beats = [];
  rates = [];
  #answer;
  #source;
  #wave;
  #trace;
  #from = 0;
  #at = 0; // the cursor, in seconds since the trial's zero
  #moved; // the time of the beat that is moved
  #marked; // where a stretch begins that is being marked
  #asked = 0;

  /** `work(what, details)` asks the console's process. */
  constructor(work) {
    this.work = work;
    const chart = part("tachogram");
    chart.addEventListener("keydown", event => this.#key(event));
    for (const id of ["tachogram", "beat-wave"]) part(id).addEventListener("pointerdown", event => this.#point(event));
    part("beats-source").addEventListener("change", () => this.#load(this.#answer.sources[part("beats-source").value]));
    part("beats-view").addEventListener("change", () => this.#load(this.#source));
    part("author").addEventListener("change", () => this.#listPeople());
    part("beats-wave").addEventListener("change", () => this.#readWave());
    part("beats-span").addEventListener("change", () => this.#look());
    const does = { delete: () => this.#change("deleteBeat", [this.#at]), insert: () => this.#change("insertBeat", [this.#at]), move: () => this.#move(), mark: () => this.#mark(), undo: () => this.#undo(), review: () => this.#change("reviewed", []), "next-artefact": () => this.#seek(1), "last-artefact": () => this.#seek(-1) };
    for (const [name, action] of Object.entries(does)) part(`beats-${name}`).addEventListener("click", action);
    part("compare").addEventListener("click", () => this.#compare());
    addEventListener("resize", () => this.trial && this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.trial && this.draw());
  }

  show(trial) {
    if (trial === this.trial) return;
    this.trial = trial;
    [this.#answer, this.#source, this.#moved, this.#marked, this.#trace] = [];
    this.beats = this.rates = [];
    part("beats-work").hidden = true;
    fill("beats-view", ["all"], value => make("option", { value, text: "of all people" }));
    if (!trial) return;
    write({ "beats-head": `Beats of trial ${trial}`, "beats-problem": "", "beat-words": "", compared: "" });
    part("beats-back").href = `#results/${trial}`;
    part("beats-view").value = "all";
    this.#load().then(() => part("tachogram").focus());
  }

  // MARK: What is there

  async #load(source) {
    const [trial, own] = [this.trial, ++this.#asked];
    part("beats").setAttribute("aria-busy", "true");
    const answer = await this.work("beats", { trial, ...(source && { source }), view: part("beats-view").value || "all" });
    if (trial !== this.trial || own !== this.#asked) return;
    part("beats").setAttribute("aria-busy", "false");
    write({ "beats-problem": (answer.complaints ?? []).join("\n") });
    part("beats-work").hidden = !answer.output;
    if (!answer.output) return;
    const isNew = JSON.stringify(answer.source) !== JSON.stringify(this.#source);
    [this.#answer, this.#source] = [answer, answer.source];
    this.beats = answer.output.beats.map(({ t_ns, ...rest }) => ({ t: t_ns / 1e9, ...rest }));
    this.rates = answer.output.rates.map(({ t_ns, rate_per_min }) => ({ t: t_ns / 1e9, rate: rate_per_min }));
    const name = ({ sensor, recorder, channel }) => recorder ? `${sensor}: found in ${channel} of ${recorder}` : `${sensor}: the sensor's own`;
    const index = one => answer.sources.findIndex(other => JSON.stringify(other) === JSON.stringify(one));
    fill("beats-source", answer.sources.map(one => [index(one), name(one)]), ([value, text]) => make("option", { value, text }));
    part("beats-source").value = index(answer.source);
    const waves = answer.sources.filter(({ recorder }) => recorder);
    fill("beats-wave", ["", ...waves.map(index)], value => make("option", { value, text: value === "" ? "none" : `${answer.sources[value].channel} of ${answer.sources[value].recorder}` }));
    part("beats-wave-of").hidden = !waves.length;
    if (isNew) {
      const like = waves.find(one => JSON.stringify(one) === JSON.stringify(answer.source)) ?? waves.find(({ sensor }) => sensor === answer.source.sensor) ?? waves[0];
      part("beats-wave").value = like ? index(like) : "";
      this.#at = this.beats[0]?.t ?? 0;
    }
    this.#listPeople();
    fill("corrections", this.entries, entry => this.#row(entry));
    part("corrections-of").hidden = !this.entries.length;
    this.#look(true);
  }

  /** Whose corrections can be seen and compared. */
  #listPeople() {
    const view = part("beats-view").value || "all";
    // A second opinion does not see the first one: names that were seen before stay in the list.
    const before = [...part("beats-view").options].map(({ value }) => value);
    const known = [...new Set(["all", "none", ...before, ...this.entries.map(({ author }) => author), this.author])].filter(Boolean);
    const others = known.filter(name => !["all", "none"].includes(name));
    fill("beats-view", known, value => make("option", { value, text: { all: "of all people", none: "none: as recorded" }[value] ?? `of ${value} alone` }));
    part("beats-view").value = view;
    for (const id of ["first-author", "second-author"]) fill(id, others, value => make("option", { value, text: value }));
    part("compare-of").hidden = others.length < 2;
    if (others.length > 1 && part("first-author").value === part("second-author").value) part("second-author").value = others.find(name => name !== part("first-author").value);
  }

  get author() { return part("author").value.trim(); }
  get entries() { return this.#answer?.output.corrections?.entries ?? []; }
  get unusable() { return (this.#answer?.output.unusable ?? []).map(({ from_ns, to_ns }) => [from_ns / 1e9, to_ns / 1e9]); }

  get extent() {
    const times = [...this.beats, ...this.rates].map(({ t }) => t);
    return times.length ? [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))] : [0, 1];
  }

  get span() {
    const [first, last] = this.extent;
    return Number(part("beats-span").value) || Math.max(1, last - first + 1);
  }

  #row({ number, edit, author, time, reason, state, misfit, repeats, ...times }) {
    const what = this.#words({ edit, ...times });
    const undo = state === "applied" && make("button", { text: "Undo", "aria-label": `Undo ${number}`, "data-name": String(number) });
    if (undo) undo.addEventListener("click", () => this.#change("undo", [number]));
    const states = { applied: "applies", undone: "undone", repeats: `says the same as ${repeats}`, misfit: "does not fit" };
    const cell = (text, kind) => make("td", { class: kind, dir: "auto", text });
    return make("tr", {}, cell(String(number), "number"), cell(what), cell(author), cell(new Date(time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "medium" })), cell(reason ?? ""), cell(states[state], state === "misfit" ? "suspect" : undefined), make("td", {}, undo));
  }

  #words({ edit, t_ns, from_ns, to_ns, of }) {
    const at = ns => seconds(ns / 1e9);
    return { deleteBeat: () => `beat at ${at(t_ns)} deleted`, insertBeat: () => `beat at ${at(t_ns)} inserted`, moveBeat: () => `beat moved from ${at(from_ns)} to ${at(to_ns)}`, unusable: () => `${at(from_ns)} to ${at(to_ns)} unusable`, undo: () => `${of} undone`, reviewed: () => "signed off" }[edit]?.() ?? edit;
  }

  // MARK: What is shown

  /** The part of the recording around the cursor, with its waveform. */
  #look(isChanged = false) {
    const span = this.span;
    const before = this.#from;
    const [first, last] = this.extent;
    if (this.#at < this.#from + span * 0.1 || this.#at > this.#from + span * 0.9 || span > last - first) this.#from = this.#at - span / 2;
    this.#from = Math.max(first - 0.5, Math.min(this.#from, last + 0.5 - span));
    this.draw();
    if (isChanged || before !== this.#from || this.#trace?.span !== span) this.#readWave();
  }

  async #readWave() {
    const source = this.#answer?.sources[part("beats-wave").value];
    part("beat-wave").hidden = !source || part("beats-wave").value === "";
    if (part("beat-wave").hidden) return;
    const [from, span, trial] = [this.#from, this.span, this.trial];
    const key = JSON.stringify([source, from, span]);
    if (this.#trace?.key === key) return this.draw();
    this.#wave = key;
    const { t_s, values, unit, complaints } = await this.work("waveform", { trial, source, from_s: from - 0.2, to_s: from + span + 0.2 });
    if (this.#wave !== key || trial !== this.trial) return;
    if (complaints) write({ "beats-problem": complaints.join("\n") });
    this.#trace = complaints ? undefined : { key, t: t_s, v: values, unit, span };
    this.draw();
  }

  #near(t = this.#at) {
    return this.beats.reduce((best, beat) => Math.abs(beat.t - t) < Math.abs((best?.t ?? Infinity) - t) ? beat : best, undefined);
  }

  /** Draws what was loaded; nothing while the view is hidden. */
  draw() {
    if (!this.#answer?.output || part("beats").hidden) return;
    const [beats, rates, span] = [this.beats, this.rates, this.span];
    const [from, to] = [this.#from, this.#from + span];
    const near = this.#near();
    const isOn = near && Math.abs(near.t - this.#at) <= 0.02;
    const index = isOn ? beats.indexOf(near) + 1 : 0;
    const what = this.#moved !== undefined ? `the beat of ${seconds(this.#moved)} moves to ${seconds(this.#at)}: Enter saves, Escape leaves it`
      : this.#marked !== undefined ? `unusable from ${seconds(this.#marked)} to ${seconds(this.#at)}: U again saves, Escape does not`
      : isOn ? [`beat ${index} of ${beats.length} at ${seconds(near.t)}`, near.interval_ms === null ? "no interval before it" : `${near.interval_ms.toFixed(1)} ms`, near.artefact && `found: ${artefacts[near.artefact] ?? near.artefact}`, near.edit !== null && `of correction ${near.edit}`].filter(Boolean).join(", ")
      : `${seconds(this.#at)}, between beats`;
    write({ "beat-words": what });
    part("tachogram").setAttribute("aria-valuenow", this.#at.toFixed(3));
    part("tachogram").setAttribute("aria-valuemin", this.extent[0].toFixed(3));
    part("tachogram").setAttribute("aria-valuemax", this.extent[1].toFixed(3));
    part("tachogram").setAttribute("aria-valuetext", what);
    const count = beats.filter(({ artefact }) => artefact).length;
    const { used = 0, authors = [], reviewers = [], misfits = 0 } = this.#answer.output.corrections ?? {};
    write({ "beats-state": [`${beats.length} beats`, `${count} artefacts found (${this.#answer.output.artefacts})`, used ? `${used} corrections by ${authors.join(", ")}` : "no corrections", misfits && `${misfits} do not fit`, reviewers.length ? `signed off by ${reviewers.join(", ")}` : "not signed off", this.#answer.output.simulated && "simulated"].filter(Boolean).join(" · ") });
    write({ "beats-axis": beats.length ? "Intervals between beats, in ms" : "The sensor's heart rates, per minute; it reported no beats" });
    this.#tachogram(beats, rates, from, to);
    const hasWave = !part("beat-wave").hidden;
    write({ "beats-wave-axis": hasWave && this.#trace ? `Waveform, in ${this.#trace.unit}` : "" });
    if (hasWave) this.#waveform(beats, from, to);
  }

  #frame(canvas, from, to, low, high) {
    const { pen, width, height } = prepare(canvas);
    const [top, bottom] = [10, height - 24];
    const x = t => left + (width - left - right) * (t - from) / (to - from);
    const y = value => bottom - (bottom - top) * (value - low) / (high - low);
    const shade = (a, b, colour) => {
      pen.fillStyle = colour;
      const [start, end] = [Math.max(left, x(Math.min(a, b))), Math.min(width - right, x(Math.max(a, b)))];
      if (end > start) pen.fillRect(start, top, end - start, bottom - top);
    };
    for (const [a, b] of this.unusable) shade(a, b, css("--thin"));
    if (this.#marked !== undefined) shade(this.#marked, this.#at, css("--tint"));
    pen.fillStyle = css("--soft");
    pen.strokeStyle = css("--thin");
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const rise = pace(high - low, 5);
    for (let value = Math.ceil(low / rise) * rise; value <= high; value += rise) {
      pen.beginPath();
      pen.moveTo(left, y(value));
      pen.lineTo(width - right, y(value));
      pen.stroke();
      pen.fillText(String(Number(value.toPrecision(6))), left - 6, y(value));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    const step = pace(to - from, Math.max(3, width / 110));
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) pen.fillText(`${Number(t.toPrecision(8))} s`, x(t), bottom + 6);
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, width - left - right, height);
    pen.clip();
    return { pen, x, y, top, bottom, line: (t, colour, dash = []) => {
      pen.strokeStyle = colour;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.moveTo(x(t), top);
      pen.lineTo(x(t), bottom);
      pen.stroke();
      pen.setLineDash([]);
    } };
  }

  #tachogram(beats, rates, from, to) {
    const inside = beats.filter(({ t }) => t >= from - 4 && t <= to + 4);
    const points = inside.filter(({ interval_ms }) => interval_ms !== null);
    // A sensor that reports no intervals has heart rates alone.
    const isRates = !beats.length;
    const values = isRates ? rates.map(({ rate }) => rate) : points.map(({ interval_ms }) => interval_ms);
    const [low, high] = values.length ? values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]) : [0, 1];
    const margin = Math.max((high - low) * 0.1, 20);
    const { pen, x, y, bottom, line } = this.#frame(part("tachogram"), from, to, low - margin, high + margin);
    const colours = { plain: css("--accent"), found: css("--bad"), edited: css("--good") };
    pen.strokeStyle = css("--line");
    pen.lineWidth = 1.2;
    pen.beginPath();
    let before;
    for (const beat of isRates ? rates.map(({ t, rate }) => ({ t, interval_ms: rate })) : inside) {
      if (beat.interval_ms !== null) before?.interval_ms != null ? pen.lineTo(x(beat.t), y(beat.interval_ms)) : pen.moveTo(x(beat.t), y(beat.interval_ms));
      before = beat;
    }
    pen.stroke();
    for (const { t, interval_ms, artefact, edit } of inside) {
      const [px, py] = [x(t), interval_ms === null ? bottom - 6 : y(interval_ms)];
      pen.fillStyle = pen.strokeStyle = artefact ? colours.found : edit !== null ? colours.edited : colours.plain;
      pen.beginPath();
      if (artefact) {
        pen.moveTo(px, py - 7);
        pen.lineTo(px + 6, py + 5);
        pen.lineTo(px - 6, py + 5);
        pen.closePath();
      } else if (edit !== null) pen.rect(px - 4.5, py - 4.5, 9, 9);
      else pen.arc(px, py, 3, 0, 7);
      interval_ms === null ? pen.stroke() : pen.fill();
    }
    line(this.#at, css("--ink"));
    if (this.#moved !== undefined) line(this.#moved, css("--ink"), [3, 3]);
    pen.restore();
  }

  #waveform(beats, from, to) {
    const trace = this.#trace;
    const values = (trace?.v ?? []).filter((value, index) => value !== null && trace.t[index] >= from && trace.t[index] <= to);
    const [low, high] = values.length ? values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]) : [0, 1];
    const margin = (high - low) * 0.08 || 1;
    const { pen, x, y, line } = this.#frame(part("beat-wave"), from, to, low - margin, high + margin);
    for (const { t, artefact, edit } of beats) if (t >= from && t <= to) line(t, css(artefact ? "--bad" : edit !== null ? "--good" : "--accent"), [2, 5]);
    pen.strokeStyle = css("--ink");
    pen.lineWidth = 1.2;
    pen.beginPath();
    let isOpen = false;
    (trace?.v ?? []).forEach((value, index) => {
      if (value === null) isOpen = false;
      else {
        isOpen ? pen.lineTo(x(trace.t[index]), y(value)) : pen.moveTo(x(trace.t[index]), y(value));
        isOpen = true;
      }
    });
    pen.stroke();
    line(this.#at, css("--ink"));
    pen.restore();
  }

  // MARK: What the operator does

  #point(event) {
    const box = event.target.getBoundingClientRect();
    const scale = this.span / (box.width - left - right);
    const t = this.#from + (event.clientX - box.left - left) * scale;
    const near = this.#near(t);
    // A click near a beat is on it; with Alt it is where it is.
    this.#go(!event.altKey && this.#moved === undefined && near && Math.abs(near.t - t) < 10 * scale ? near.t : t);
  }

  #go(t) {
    const [first, last] = this.extent;
    this.#at = Math.round(Math.max(first - 0.4, Math.min(t, last + 0.4)) * 1e4) / 1e4;
    this.#look();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey) return;
    const beats = this.beats;
    const fine = stride * (event.altKey ? 0.1 : 1);
    const isFree = event.shiftKey || event.altKey || this.#moved !== undefined;
    const step = sign => {
      if (isFree || !beats.length) return this.#go(this.#at + sign * fine);
      const next = sign > 0 ? beats.find(({ t }) => t > this.#at + 1e-3) : beats.findLast(({ t }) => t < this.#at - 1e-3);
      if (next) this.#go(next.t);
    };
    const does = {
      ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowDown: () => step(-1), ArrowUp: () => step(1),
      PageUp: () => this.#go(this.#at - this.span * 0.8), PageDown: () => this.#go(this.#at + this.span * 0.8),
      Home: () => this.#go(beats[0]?.t ?? this.extent[0]), End: () => this.#go(beats.at(-1)?.t ?? this.extent[1]),
      Delete: () => this.#change("deleteBeat", [this.#at]), i: () => this.#change("insertBeat", [this.#at]), m: () => this.#move(),
      u: () => this.#mark(), z: () => this.#undo(), a: () => this.#seek(1), A: () => this.#seek(-1),
      Enter: () => this.#moved !== undefined && this.#move(), Escape: () => this.#leave(),
      "+": () => this.#zoom(-1), "-": () => this.#zoom(1),
    };
    const action = does[event.key] ?? does[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held down goes on moving, and corrects once.
    if (event.repeat && !/^(Arrow|Page|[+-])/.test(event.key)) return;
    action();
  }

  #zoom(by) {
    const options = part("beats-span").options;
    part("beats-span").selectedIndex = Math.max(0, Math.min(options.length - 1, part("beats-span").selectedIndex + by));
    this.#look();
  }

  #seek(sign) {
    const found = this.beats.filter(({ artefact }) => artefact);
    const next = sign > 0 ? found.find(({ t }) => t > this.#at + 1e-3) : found.findLast(({ t }) => t < this.#at - 1e-3);
    next ? this.#go(next.t) : write({ "beats-problem": sign > 0 ? "No artefact was found after this." : "No artefact was found before this." });
  }

  #leave() {
    if (this.#moved !== undefined) this.#at = this.#moved;
    [this.#moved, this.#marked] = [];
    this.#look();
  }

  #move() {
    if (this.#moved === undefined) {
      const near = this.#near();
      if (!near || Math.abs(near.t - this.#at) > 0.02) return write({ "beats-problem": "Choose a beat first: there is none at this time." });
      this.#moved = this.#at = near.t;
      part("tachogram").focus();
      return this.draw();
    }
    const from = this.#moved;
    this.#moved = undefined;
    return from === this.#at ? this.draw() : this.#change("moveBeat", [from, this.#at]);
  }

  #mark() {
    if (this.#marked === undefined) {
      this.#marked = this.#at;
      part("tachogram").focus();
      return this.draw();
    }
    const stretch = [this.#marked, this.#at].sort((a, b) => a - b);
    this.#marked = undefined;
    return stretch[0] === stretch[1] ? this.draw() : this.#change("unusable", stretch);
  }

  #undo() {
    const last = this.entries.findLast(({ state, edit, author }) => state === "applied" && edit !== "reviewed" && edit !== "undo" && author === this.author);
    last ? this.#change("undo", [last.number]) : write({ "beats-problem": "You have no correction that could be undone." });
  }

  async #change(edit, at) {
    const reason = part("reason").value.trim();
    if (part("beats").getAttribute("aria-busy") === "true") return write({ "beats-problem": "The beats are being read: wait until they are shown." });
    const missing = !this.author ? "author" : !reason && !["undo", "reviewed"].includes(edit) ? "reason" : undefined;
    if (missing) {
      write({ "beats-problem": missing === "author" ? "A correction is signed: type your name or initials." : "A correction needs a reason." });
      part(missing).focus();
      return this.draw();
    }
    const view = part("beats-view").value;
    if (view === "none") return write({ "beats-problem": "The beats are shown as they were recorded: choose whose corrections you see before you correct them." });
    if (view !== "all" && view !== this.author) return write({ "beats-problem": `The corrections of ${view} alone are shown: choose those of all people, or of ${this.author}, before you correct the beats.` });
    const trial = this.trial;
    part("beats").setAttribute("aria-busy", "true");
    const { complaints } = await this.work("correct", { trial, source: this.#source, view: part("beats-view").value, edit, at, author: this.author, ...(!["undo", "reviewed"].includes(edit) && { reason }) });
    if (trial !== this.trial) return;
    await this.#load(this.#source);
    write({ "beats-problem": complaints.join("\n") });
  }

  async #compare() {
    const trial = this.trial;
    const { output, complaints } = await this.work("correct", { trial, source: this.#source, compare: [part("first-author").value, part("second-author").value] });
    if (trial !== this.trial) return;
    write({ "beats-problem": complaints.join("\n") });
    if (!output) return;
    const [first, second] = output.authors;
    const parts = ({ both, onlyFirst, onlySecond }) => [both, onlyFirst, onlySecond].map(part => Array.isArray(part) ? part.length : part);
    const counts = [["Corrections", ...parts(output.corrections)], ["Beats", ...parts(output.beats)]];
    const number = value => value === null ? "–" : value.toFixed(1);
    write({ compared: [
      ...counts.map(([name, both, one, other]) => `${name}: ${both} of both, ${one} of ${first} alone, ${other} of ${second} alone.`),
      ...output.measures.map(({ measure, unit, first: one, second: other }) => `${measure}: ${number(one)} ${unit} (${first}), ${number(other)} ${unit} (${second}).`),
    ].join("\n") });
  }
}
