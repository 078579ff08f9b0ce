// What takes an answer: each kind of entry as an element, its value, and what its keys do. An entry knows nothing of the
// station; it says what was entered, and when something asks to be confirmed.

/**
 * @typedef {object} Entry
 * @property {HTMLElement} element
 * @property {() => any} value what was entered; undefined for nothing
 * @property {() => HTMLElement} focus what the keyboard begins with
 * @property {(event: KeyboardEvent) => boolean} [key] takes a key that was pressed anywhere on the page
 * @property {(changed: object) => void} [update] takes the changes of the same screen
 */

/** Makes an element with a class, a text and attributes. */
export function make(name, kind = "", text = undefined, attributes = {}) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text !== undefined) {
    element.textContent = text;
    element.dir = "auto";
  }
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Makes a button that is no part of a form. */
export function button(kind, text, act) {
  const element = make("button", kind, text, { type: "button" });
  element.addEventListener("click", act);
  return element;
}

/**
 * Makes the entry of a screen.
 *
 * @param {object} entry the entry, as the station says it
 * @param {any} draft what was entered before; undefined for nothing
 * @param {{words: object, label: string, changed: (event: Event) => void, confirm: (event: Event) => void,
 *   act: (what: string, value: any, event: Event) => void, moved: (value: number, event: Event) => void}} page
 * @returns {Entry}
 */
export function makeEntry(entry, draft, page) {
  switch (entry.kind) {
    case "scale": return options(scaleOptions(entry), draft, page, "scale", entry);
    case "boolean":
      return options([{ value: true, text: entry.yes }, { value: false, text: entry.no }], draft, page, "pair", entry);
    case "choice": return options(entry.choices, draft, page, "list", entry);
    case "choices": return boxes(entry, draft, page);
    case "line": return line(entry, draft, page, (event) => page.changed(event));
    case "rating": return rating(entry, page);
    case "text":
    case "signature": return text(entry, draft, page);
    case "integer":
    case "decimal": return number(entry, draft, page);
    case "date": return parts(entry, draft, page, dateFields(page), (values) => `${values.year}-${values.month}-${values.day}`);
    case "time": return parts(entry, draft, page, timeFields(page), (values) => `${values.hours}:${values.minutes}`);
    case "volume": return volume(entry, page);
    case "side": return side(entry, page);
    default: return { element: make("div"), value: () => undefined, focus: () => document.body };
  }
}

// One of several

function scaleOptions(entry) {
  const all = [];
  for (let number = entry.minimum; number <= entry.maximum; number += 1) {
    all.push({ value: number, text: `${number}`, anchor: entry.anchors[number] });
  }
  return all;
}

const WIDE = 11;

function options(all, draft, page, look, entry) {
  const element = make("div", `options ${look}`, undefined, { role: "radiogroup", "aria-label": page.label });
  element.setAttribute("aria-required", entry.required === false ? "false" : "true");
  if (look === "scale") element.classList.add(all.length > WIDE ? "long" : "short");
  let marked = all.findIndex((option) => option.value === draft);
  const buttons = all.map((option, index) => {
    const radio = make("button", "option", undefined, { type: "button", role: "radio" });
    radio.append(make("span", "value", option.text));
    if (option.anchor !== undefined) radio.append(make("span", "anchor", option.anchor));
    radio.addEventListener("click", (event) => mark(index, event));
    radio.addEventListener("focus", () => rove(index));
    return radio;
  });
  element.append(...buttons);

  function rove(index) { buttons.forEach((other, place) => { other.tabIndex = place === index ? 0 : -1; }); }
  function show() { buttons.forEach((other, place) => other.setAttribute("aria-checked", `${place === marked}`)); }
  function mark(index, event) {
    marked = index;
    rove(index);
    show();
    page.changed(event);
  }
  rove(Math.max(0, marked));
  show();
  const step = (distance) => {
    const from = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = (from < 0 ? (distance > 0 ? 0 : buttons.length - 1) : from + distance + buttons.length) % buttons.length;
    buttons[next].focus();
  };
  return {
    element,
    value: () => (marked < 0 ? undefined : all[marked].value),
    focus: () => buttons[Math.max(0, marked)],
    key(event) {
      const distance = arrow(event, element);
      if (distance) {
        step(distance);
        return true;
      }
      const typed = digit(event);
      const meant = typed === undefined ? -1
        : look === "scale" ? all.findIndex((option) => option.value === typed) : typed - 1;
      if (meant >= 0 && meant < all.length) {
        buttons[meant].focus();
        mark(meant, event);
        return true;
      }
      const focused = buttons.indexOf(/** @type {any} */ (event.target));
      if (event.key === "Enter" && focused >= 0 && focused !== marked) {
        mark(focused, event);
        return true;
      }
      return false;
    },
  };
}

/** The direction of an arrow key in the direction of reading: 1, -1, or 0 for another key. */
function arrow(event, element) {
  const isMirrored = getComputedStyle(element).direction === "rtl";
  switch (event.key) {
    case "ArrowDown": return 1;
    case "ArrowUp": return -1;
    case "ArrowRight": return isMirrored ? -1 : 1;
    case "ArrowLeft": return isMirrored ? 1 : -1;
    default: return 0;
  }
}

/** The digit of a key, on the keyboard or its pad. */
function digit(event) {
  const match = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  return match ? Number(match[1]) : /^\d$/.test(event.key) ? Number(event.key) : undefined;
}

// Some of several

function boxes(entry, draft, page) {
  const element = make("div", "options list", undefined, { role: "group", "aria-label": page.label });
  const marked = new Set(Array.isArray(draft) ? draft : []);
  const buttons = entry.choices.map((choice) => {
    const box = make("button", "option", undefined, { type: "button", role: "checkbox" });
    box.append(make("span", "value", choice.text));
    box.setAttribute("aria-checked", `${marked.has(choice.value)}`);
    box.addEventListener("click", (event) => toggle(choice, box, event));
    return box;
  });
  element.append(...buttons);
  function toggle(choice, box, event) {
    if (!marked.delete(choice.value)) marked.add(choice.value);
    box.setAttribute("aria-checked", `${marked.has(choice.value)}`);
    page.changed(event);
  }
  return {
    element,
    value() {
      if (marked.size === 0 && entry.minimum > 0) return undefined;
      return entry.choices.map((choice) => choice.value).filter((value) => marked.has(value));
    },
    focus: () => buttons[0],
    key(event) {
      const distance = arrow(event, element);
      if (!distance) return false;
      const from = buttons.indexOf(/** @type {any} */ (document.activeElement));
      buttons[(from + distance + buttons.length) % buttons.length].focus();
      return true;
    },
  };
}

// A mark on a line

function line(entry, draft, page, changed, begin = undefined) {
  const element = make("div", "line-entry");
  const slider = make("div", "line", undefined, {
    role: "slider", tabindex: "0", "aria-label": page.label, "aria-valuemin": "0", "aria-valuemax": "100",
  });
  const mark = make("div", "mark");
  slider.append(make("div", "track"), mark);
  const anchors = make("div", "anchors");
  anchors.append(make("span", "", entry.anchors[0] ?? ""), make("span", "", entry.anchors[100] ?? ""));
  element.append(slider, anchors);
  let value = typeof draft === "number" ? draft : begin;
  function show() {
    mark.hidden = value === undefined;
    mark.style.insetInlineStart = `${value ?? 0}%`;
    slider.setAttribute("aria-valuenow", `${value ?? 50}`);
    // The place alone counts; a number would invite people to answer a number.
    slider.setAttribute("aria-valuetext", value === undefined ? "–" : `${value} %`);
  }
  function put(next, event) {
    const limited = Math.min(100, Math.max(0, Math.round(next)));
    if (limited === value && event.type !== "pointerdown") return;
    value = limited;
    show();
    changed(event);
  }
  function place(event) {
    const box = slider.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    put(100 * (getComputedStyle(slider).direction === "rtl" ? 1 - share : share), event);
  }
  slider.addEventListener("pointerdown", (event) => {
    slider.setPointerCapture(event.pointerId);
    place(event);
  });
  slider.addEventListener("pointermove", (event) => { if (slider.hasPointerCapture(event.pointerId)) place(event); });
  show();
  return {
    element,
    value: () => value,
    focus: () => slider,
    key(event) {
      if (event.target !== slider && document.activeElement !== document.body) return false;
      const from = value ?? 50;
      const isUpright = event.key === "ArrowUp" || event.key === "ArrowDown";
      const distance = isUpright ? -arrow(event, slider) : arrow(event, slider);
      if (distance) put(from + distance, event);
      else if (event.key === "PageUp") put(from + 10, event);
      else if (event.key === "PageDown") put(from - 10, event);
      else if (event.key === "Home") put(0, event);
      else if (event.key === "End") put(100, event);
      else return false;
      return true;
    },
    update(changed) { if (changed.kind === "rating" && begin === undefined) value = changed.value; },
  };
}

function rating(entry, page) {
  let waiting;
  let sent = -Infinity;
  const made = line(entry, undefined, page, (event) => {
    const left = sent + 100 - performance.now();
    clearTimeout(waiting);
    const tell = () => {
      sent = performance.now();
      page.moved(made.value(), event);
    };
    if (left <= 0) tell(); else waiting = setTimeout(tell, left);
  }, entry.value);
  // The station shows what it has taken, which would move the mark under the finger.
  return { ...made, value: () => undefined, update: () => {} };
}

// What is typed

function field(kind, label, attributes = {}) {
  return /** @type {HTMLInputElement} */ (make("input", kind, undefined, {
    type: "text", "aria-label": label, autocomplete: "off", autocorrect: "off", autocapitalize: "off", spellcheck: "false",
    ...attributes,
  }));
}

function text(entry, draft, page) {
  const isLong = entry.kind === "text" && entry.maximum > 200;
  const input = isLong
    ? /** @type {HTMLTextAreaElement} */ (make("textarea", "text", undefined, {
      "aria-label": page.label, rows: "5", autocomplete: "off", spellcheck: "false" }))
    : field("text", page.label);
  input.dir = "auto";
  input.value = typeof draft === "string" ? draft : "";
  input.addEventListener("input", (event) => page.changed(event));
  return { element: input, value: () => (input.value.trim() === "" ? undefined : input.value), focus: () => input };
}

/** Keys for fingers; `put` takes what they stand for. */
function pad(keys, page, put) {
  const element = make("div", "pad", undefined, { role: "group", dir: "ltr" });
  for (const key of keys) {
    const label = key === "Delete" ? page.words.clear : key;
    const made = button(key === "Delete" ? "key wide" : "key", label, (event) => put(key, event));
    // The field keeps the focus, so that typing goes on.
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    made.tabIndex = -1;
    element.append(made);
  }
  return element;
}

function number(entry, draft, page) {
  const element = make("div", "typed");
  const input = field("number", page.label, { inputmode: "none", dir: "ltr" });
  input.value = draft === undefined ? "" : `${draft}`;
  const row = make("div", "field");
  row.append(input);
  if (entry.unit) row.append(make("span", "unit", entry.unit));
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  if (!(entry.minimum >= 0)) keys.push("−");
  keys.push("0");
  if (entry.kind === "decimal") keys.push(",");
  element.append(row, pad([...keys, "Delete"], page, (key, event) => {
    if (key === "Delete") input.value = input.value.slice(0, -1);
    else if (key === "−") input.value = input.value.startsWith("-") ? input.value.slice(1) : `-${input.value}`;
    else input.value += key;
    page.changed(event);
  }));
  input.addEventListener("input", (event) => page.changed(event));
  return {
    element,
    value() {
      const typed = input.value.trim().replace(",", ".").replace("−", "-");
      if (typed === "") return undefined;
      // What is no number is the station's to refuse, in the participant's language.
      return /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
    },
    focus: () => input,
  };
}

function dateFields(page) {
  const order = new Intl.DateTimeFormat(page.language, { year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(new Date(2000, 0, 2)).map((part) => part.type).filter((type) => ["day", "month", "year"].includes(type));
  return order.map((name) => ({ name, label: page.words[name], length: name === "year" ? 4 : 2 }));
}

function timeFields(page) {
  return ["hours", "minutes"].map((name) => ({ name, label: page.words[name], length: 2 }));
}

function parts(entry, draft, page, fields, join) {
  const element = make("div", "typed");
  const row = make("div", "field parts", undefined, { role: "group", "aria-label": page.label });
  const given = typeof draft === "object" && draft ? draft : {};
  const inputs = fields.map((one, index) => {
    const label = make("label", "part");
    const input = field(`part length-${one.length}`, one.label, { inputmode: "none", maxlength: `${one.length}`, dir: "ltr" });
    input.value = given[one.name] ?? "";
    input.addEventListener("input", (event) => {
      input.value = input.value.replace(/\D/g, "");
      if (input.value.length === one.length) inputs[index + 1]?.focus();
      page.changed(event);
    });
    label.append(make("span", "", one.label), input);
    row.append(label);
    return input;
  });
  let current = inputs[0];
  for (const input of inputs) input.addEventListener("focus", () => { current = input; });
  element.append(row, pad(["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "Delete"], page, (key, event) => {
    const index = inputs.indexOf(current);
    if (key === "Delete") {
      const place = current.value === "" && index > 0 ? inputs[index - 1] : current;
      place.value = place.value.slice(0, -1);
      place.focus();
    } else if (current.value.length < fields[index].length) {
      current.value += key;
      if (current.value.length === fields[index].length) inputs[index + 1]?.focus();
    }
    page.changed(event);
  }));
  return {
    element,
    value() {
      if (inputs.every((input) => input.value === "")) return undefined;
      return join(Object.fromEntries(fields.map((one, index) => [one.name, inputs[index].value.padStart(one.length, "0")])));
    },
    draft: () => Object.fromEntries(fields.map((one, index) => [one.name, inputs[index].value])),
    focus: () => inputs.find((input) => input.value === "") ?? inputs[0],
  };
}

// The level and the sides of headphones

function volume(entry, page) {
  const element = make("div", "volume", undefined, { role: "group", "aria-label": page.label });
  const bar = make("div", "bar", undefined, { role: "meter", "aria-label": page.label });
  const level = make("div", "level");
  bar.append(level);
  let value = entry.value;
  function show() {
    const share = (value - entry.minimum) / (entry.maximum - entry.minimum || 1);
    level.style.inlineSize = `${100 * Math.min(1, Math.max(0, share))}%`;
    for (const [name, now] of [["min", entry.minimum], ["max", entry.maximum], ["now", value]]) {
      bar.setAttribute(`aria-value${name}`, `${now}`);
    }
  }
  function change(sign, event) {
    const next = Math.min(entry.maximum, Math.max(entry.minimum, value + sign * entry.step));
    if (next === value) return;
    value = next;
    show();
    page.act("gain", value, event);
  }
  const less = button("key", "−", (event) => change(-1, event));
  const more = button("key", "+", (event) => change(1, event));
  element.append(less, bar, more);
  show();
  return {
    element,
    value: () => undefined,
    focus: () => more,
    key(event) {
      if (["+", "=", "ArrowUp", "ArrowRight"].includes(event.key)) change(1, event);
      else if (["-", "−", "_", "ArrowDown", "ArrowLeft"].includes(event.key)) change(-1, event);
      else return false;
      return true;
    },
    update(changed) {
      ({ value } = changed);
      show();
    },
  };
}

function side(entry, page) {
  // The sides are those of the ears, whatever the direction of reading is.
  const element = make("div", "sides", undefined, { role: "group", "aria-label": page.label, dir: "ltr" });
  const left = button("option half", `← ${entry.left}`, (event) => page.act("side", "left", event));
  const right = button("option half", `${entry.right} →`, (event) => page.act("side", "right", event));
  element.append(left, right);
  return {
    element,
    value: () => undefined,
    focus: () => left,
    key(event) {
      if (event.key === "ArrowLeft") page.act("side", "left", event);
      else if (event.key === "ArrowRight") page.act("side", "right", event);
      else return false;
      return true;
    },
  };
}
