// The entries that are marked or pressed; typed.js has the others.
// A builder takes the screen's entry and the page (`host`), and returns `node` and, where they apply:
//   value()  what to send; null: empty, undefined: not valid; absent: nothing to confirm
//   set(v)   shows a draft
//   draft()  what to keep for a reload, where it is not the value
//   key(e)   takes a key wherever the focus is; true: used
//   focus    gets the focus in place of the question

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Where an arrow key leads in the direction of reading: 1, -1 or 0. */
function arrow({ key }, { mirrored }, up) {
  const along = mirrored ? -1 : 1;
  return { ArrowRight: along, ArrowLeft: -along, ArrowUp: up, ArrowDown: -up }[key] ?? 0;
}

/** A digit, by its place on the keyboard where a layout has other signs there. */
function digit({ key, code, shiftKey }) {
  const found = /^\d$/.exec(key) ?? (shiftKey ? null : /(?<=^(Digit|Numpad))\d$/.exec(code));
  return found && Number(found[0]);
}

/** Words under a row or a line, each as near to its place (0 to 1) as there is room. */
function anchorRow(anchors, place, { make, place: part }) {
  const list = Object.entries(anchors).map(([value, text]) => ({ at: place(Number(value)), text })).sort((a, b) => a.at - b.at);
  return make("div", { class: "anchors", id: `anchors${part}`, "aria-hidden": true }, ...list.map(({ at, text }, index) => {
    const [before, after] = [list[index - 1], list[index + 1]];
    let left = before ? (before.at + at) / 2 : 0;
    let right = after ? (after.at + at) / 2 : 1;
    const textAlign = !before && at < 0.3 ? "start" : !after && at > 0.7 ? "end" : "center";
    if (textAlign === "center") {
      const half = Math.min(at - left, right - at);
      [left, right] = [at - half, at + half];
    }
    const word = make("span", { dir: "auto", text });
    Object.assign(word.style, { marginInlineStart: `${100 * left}%`, width: `${100 * (right - left)}%`, textAlign });
    return word;
  }));
}

/** Buttons to mark: one of them (a radio group with a roving tab stop), or `several` (check boxes). */
function marks(items, look, host, several) {
  const { make } = host;
  const { minimum = 1, maximum, required } = several ?? {};
  /** Whether an empty list is an answer. */
  let meant = required && minimum === 0;
  let marked = [];
  const set = to => {
    marked = items.map(({ value }) => value).filter(value => [to].flat().includes(value));
    const stop = Math.max(0, items.findIndex(({ value }) => value === marked[0]));
    buttons.forEach((node, index) => {
      node.setAttribute("aria-checked", marked.includes(items[index].value));
      node.tabIndex = several || index === stop ? 0 : -1;
    });
  };
  const choose = (index, event) => {
    const { value } = items[index];
    const had = marked.includes(value);
    if (several && !had && marked.length >= maximum) return host.complain(several.tooMany);
    set(!several ? value : had ? marked.filter(other => other !== value) : [...marked, value]);
    meant ||= minimum === 0;
    buttons[index].focus();
    host.marked(event, had && !several);
  };
  const buttons = items.map(({ text = "", anchor, picture }, index) => host.button(
    { role: several ? "checkbox" : "radio", "aria-label": [text || picture?.alt, anchor].filter(Boolean).join(", ") }, event => choose(index, event),
    several && make("span", { class: "box" }), picture && host.picture(picture), text && make("span", { dir: "auto", text }), anchor && " ", anchor && make("span", { class: "anchor", dir: "auto", text: anchor })));
  set([]);
  const draft = () => several && marked.length ? marked : marked[0] ?? null;
  return {
    node: make("div", { class: look, role: several ? "group" : "radiogroup", ...host.named }, ...buttons),
    set,
    draft,
    value() {
      if (!several || !marked.length && !meant) return draft();
      return marked.length < minimum ? undefined : marked;
    },
    key(event) {
      const step = arrow(event, host, -1);
      if (step) {
        const at = buttons.indexOf(document.activeElement);
        const to = at < 0 ? 0 : clamp(at + step, 0, items.length - 1);
        several ? buttons[to].focus() : choose(to, event);
        return true;
      }
      // A digit is a number of the scale or a place in the list; 0 is 10 where there is no 0.
      const found = digit(event);
      const pressed = found === 0 && items[0].value !== 0 ? 10 : found;
      const index = items.findIndex(({ value }, place) => (look === "scale" ? value : place + 1) === pressed);
      if (index >= 0 && !event.repeat) choose(index, event);
      return index >= 0;
    },
  };
}

function scale({ minimum, maximum, anchors = {} }, host) {
  const count = maximum - minimum + 1;
  const values = Array.from({ length: count }, (_, index) => minimum + index);
  const items = values.map(value => ({ value, text: host.local(value), anchor: anchors[value] }));
  const group = marks(items, "scale", host);
  const node = host.make("div", {}, group.node, anchorRow(anchors, value => (value - minimum + 0.5) / count, host));
  // A row only where each target is wide enough for a finger, and for its word.
  const least = Object.keys(anchors).length > 3 ? 136 : 80;
  new ResizeObserver(([{ contentRect }]) => node.classList.toggle("column", contentRect.width < Math.max(440, count * least))).observe(node);
  return { ...group, node };
}

const boolean = ({ yes, no }, host) => marks([{ value: true, text: yes }, { value: false, text: no }], "pair", host);

const lookOf = choices => choices.some(({ picture }) => picture) ? "pictures" : "list";

const choice = ({ choices }, host) => marks(choices, lookOf(choices), host);

const choices = (entry, host) => marks(entry.choices, lookOf(entry.choices), host, entry);

const slider = (look, minimum, maximum, host, child) => host.make("div", { class: look, role: "slider", tabindex: 0,
  ...host.named, "aria-describedby": `${host.named["aria-describedby"] ?? ""} anchors${host.place}`.trim(), "aria-valuemin": minimum, "aria-valuemax": maximum }, child);

/** A line from 0 to 100: `line` is empty until it is touched, `rating` sends every movement. */
function line({ kind, value: start = null, anchors = {} }, host) {
  const { make } = host;
  const live = kind === "rating";
  let value = live ? start : null;
  const mark = make("div", { class: "mark" });
  const groove = make("div", { class: "groove" }, mark);
  const track = slider("track", 0, 100, host, groove);
  const set = to => {
    value = to;
    mark.hidden = value === null;
    mark.style.insetInlineStart = `${value ?? 0}%`;
    track.setAttribute("aria-valuenow", value ?? 50);
    track.setAttribute("aria-valuetext", value ?? host.words.missing);
  };
  /** `more`: within the same movement. */
  const move = (to, event, more) => {
    const next = clamp(Math.round(to), 0, 100);
    if (next === value && (more || live)) return;
    set(next);
    if (live) host.rate(value);
    host.marked(event, more);
  };
  const place = ({ clientX }) => {
    const { left, width } = groove.getBoundingClientRect();
    const part = 100 * (clientX - left) / width;
    return host.mirrored ? 100 - part : part;
  };
  host.on(track, "pointerdown", event => {
    if (event.button) return;
    track.setPointerCapture(event.pointerId);
    move(place(event), event, false);
  });
  host.on(track, "pointermove", event => {
    if (track.hasPointerCapture(event.pointerId)) move(place(event), event, true);
  });
  set(value);
  return {
    node: make("div", {}, track, make("div", { class: "margins" }, anchorRow(anchors, at => at / 100, host))),
    ...(!live && { value: () => value }),
    set,
    key(event) {
      const step = arrow(event, host, 1) || { PageUp: 10, PageDown: -10, Home: -100, End: 100 }[event.key];
      if (!step) return false;
      move(value === null && Math.abs(step) < 100 ? 50 : (value ?? 50) + step, event, event.repeat);
      track.focus();
      return true;
    },
  };
}

function volume({ value, minimum, maximum, step }, host) {
  const fill = host.make("div", { class: "fill" });
  const bar = slider("bar", minimum, maximum, host, fill);
  const show = () => {
    const percent = `${Math.round(100 * (value - minimum) / (maximum - minimum))}%`;
    fill.style.width = percent;
    bar.setAttribute("aria-valuenow", value);
    bar.setAttribute("aria-valuetext", percent);
  };
  const turn = (sign, event) => {
    const next = clamp(Math.round(1000 * (value + sign * step)) / 1000, minimum, maximum);
    if (next === value) return;
    value = next;
    show();
    host.answer("gain", value, event);
  };
  const button = (text, sign) => host.button({ class: "turn", text }, event => turn(sign, event));
  show();
  return {
    node: host.make("div", { class: "volume" }, button("−", -1), bar, button("+", 1)),
    key(event) {
      const sign = { "+": 1, "-": -1 }[event.key] ?? arrow(event, host, 1);
      if (sign && !event.repeat) turn(sign, event);
      return sign !== 0;
    },
  };
}

/** Two halves of the screen. Left is left in every script. */
function side(entry, host) {
  const buttons = ["left", "right"].map(value =>
    host.button({ dir: "auto", text: entry[value] }, event => host.answer("side", value, event)));
  return {
    node: host.make("div", { class: "sides", dir: "ltr", role: "group", ...host.named }, ...buttons),
    key(event) {
      const value = { ArrowLeft: "left", ArrowRight: "right" }[event.key];
      if (value && !event.repeat) host.answer("side", value, event);
      return Boolean(value);
    },
  };
}

export const marked = { scale, boolean, choice, choices, line, rating: line, volume, side };
