// The entries that are typed, on the keyboard or on the page's own pad; entries.js says what a builder returns.

const quietly = { autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: false };

/** The digits alone; those of Arabic and Persian keyboards become the answer's. */
const latin = text => text.replace(/[٠-٩۰-۹]/g, digit => digit.charCodeAt(0) & 15).replace("٫", ".");
const onlyDigits = text => text.replace(/\D/g, "");

/** Input that does not count yet is not even written. */
function guard(field, host) {
  field.addEventListener("beforeinput", event => {
    if (!host.accepts(event)) event.preventDefault();
  });
}

/** A text; Enter confirms. */
function text({ kind, maximum = 1000 }, host) {
  const field = host.make("textarea", { ...quietly, rows: kind === "text" ? 3 : 1, maxlength: maximum, dir: "auto", ...host.named });
  guard(field, host);
  field.addEventListener("input", event => host.marked(event));
  return {
    node: field,
    focus: field,
    value: () => field.value.replace(/\s+/g, " ").trim() || null,
    draft: () => field.value,
    set: value => { field.value = value; },
  };
}

/** A name that is typed, or a signature that is drawn in a box of 600 by 200 units. */
function signature(asked, host) {
  const { make } = host;
  const written = text(asked, host);
  const path = make("path", { d: "" });
  const paper = make("svg", { viewBox: "0 0 600 200", class: "paper", "aria-hidden": true }, path);
  let drawn = "";
  const show = to => {
    drawn = to;
    path.setAttribute("d", drawn);
  };
  /** Adds a point, `M` to begin a line or `L` to go on; a station takes no more than 15,000 characters. */
  const add = (letter, { clientX, clientY }) => {
    const { left, top, width, height } = paper.getBoundingClientRect();
    const at = (offset, whole, units) => Math.min(units, Math.max(0, Math.round(units * offset / whole)));
    const point = `${letter}${at(clientX - left, width, 600)} ${at(clientY - top, height, 200)}`;
    if (drawn.length + point.length < 15000 && !drawn.endsWith(point.slice(1))) show(drawn + point);
  };
  host.on(paper, "pointerdown", event => {
    if (event.button) return;
    paper.setPointerCapture(event.pointerId);
    add("M", event);
    host.marked(event);
  });
  host.on(paper, "pointermove", event => {
    if (!paper.hasPointerCapture(event.pointerId)) return;
    add("L", event);
    host.marked(event, true);
  });
  const clear = host.button({ class: "sign", text: "⌫", "aria-label": host.words.clear }, event => {
    show("");
    host.marked(event);
  });
  return {
    ...written,
    node: make("div", { class: "signature" }, written.node, make("p", { dir: "auto", text: host.words.draw }), make("div", { class: "drawn" }, paper, clear)),
    // A point alone is no signature.
    value: () => written.value() ?? (drawn.includes("L") ? drawn : null),
    deed: () => written.value() === null ? "drawing" : "value",
    draft: () => ({ written: written.draft(), drawn }),
    set: value => {
      written.set(value.written ?? value);
      show(value.drawn ?? "");
    },
  };
}

/**
 * Short fields of digits beside a pad; a full field leads to the next one, an empty one back.
 * `first`: a larger first digit fills the field.
 */
function digits(specs, signs, clean, unit, host) {
  const { make } = host;
  const fields = specs.map(({ length, label }, index) => {
    const field = make("input", { ...quietly, id: `field${host.place}${index}`, inputmode: "none", maxlength: length, dir: "ltr",
      ...(label ? {} : host.named) });
    field.style.width = `${length + 2}ch`;
    guard(field, host);
    field.addEventListener("focus", () => { current = index; });
    field.addEventListener("input", event => edited(event, event.inputType?.startsWith("insert")));
    return field;
  });
  let current = 0;
  const go = to => {
    fields[to]?.focus();
    fields[to]?.select();
    return to in fields;
  };
  const edited = (event, grew) => {
    const field = fields[current];
    const { length, first = 9 } = specs[current];
    const kept = host.local(clean(latin(field.value)));
    if (kept !== field.value) field.value = kept;
    host.marked(event);
    if (grew && (kept.length >= length || kept.length === 1 && Number(latin(kept)) > first)) go(current + 1);
  };
  const press = (sign, event) => {
    const field = fields[current];
    field.focus();
    const [from, to] = [field.selectionStart, field.selectionEnd];
    if (sign === "⌫") {
      if (to > 0) field.setRangeText("", from === to ? from - 1 : from, to, "end");
      else go(current - 1);
    } else if (sign === "−") {
      field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
    } else if (field.value.length - (to - from) < specs[current].length) {
      field.setRangeText(host.local(sign), from, to, "end");
    }
    edited(event, sign !== "⌫");
  };
  const pad = [..."123456789", ...signs.slice(0, 1), "0", "⌫", ...signs.slice(1)].map(sign => {
    const label = sign === "⌫" ? host.words.clear : host.local(sign);
    const button = host.button({ tabindex: -1, class: "sign", text: host.local(sign), "aria-label": label }, event => press(sign, event));
    button.addEventListener("mousedown", event => event.preventDefault()); // The field keeps the focus.
    return button;
  });
  return {
    fields,
    node: make("div", { class: "typed" },
      make("div", { class: "fields", role: "group", ...host.named },
        ...specs.map(({ label }, index) => make("div", {}, label && make("label", { for: `field${host.place}${index}`, dir: "auto", text: label }), fields[index])),
        unit && make("span", { dir: "auto", text: unit })),
      make("div", { class: "pad", dir: "ltr" }, ...pad)),
    focus: fields[0],
    /** Enter leads on through the fields; in the last one it confirms. */
    key({ key, target, repeat }) {
      const { value } = fields[current];
      if (target !== fields[current]) return false;
      if (key === "Backspace" && !value) return repeat || go(current - 1);
      if (specs[1] && /^[-./: ]$/.test(key)) return !value || go(current + 1) || true;
      return key === "Enter" && !repeat && value !== "" && go(current + 1);
    },
  };
}

/** The value of several fields, with a sign between them. */
function joined(fields, sign, valid, host) {
  const draft = () => fields.map(({ value }) => latin(value)).join(sign);
  return {
    draft,
    value() {
      const value = fields.map(({ value }) => value && latin(value).padStart(2, "0")).join(sign);
      return value.length < fields.length ? null : valid(value) ? value : undefined;
    },
    set: value => value.split(sign).forEach((part, index) => { fields[index].value = host.local(part); }),
  };
}

function number({ kind, minimum, maximum, unit }, host) {
  const decimal = kind === "decimal";
  const signed = !(minimum >= 0);
  const separator = (1.5).toLocaleString(host.language).includes(",") ? "," : ".";
  const length = Math.max(...[minimum, maximum].map(limit => String(limit ?? 1e9).length)) + (decimal ? 4 : 0);
  const clean = text => {
    const [whole, ...parts] = text.replace(/[^\d.,]/g, "").split(/[.,]/);
    return (signed && /^\s*[-−]/.test(text) ? "-" : "") + whole + (decimal && parts.length ? separator + parts.join("") : "");
  };
  const input = digits([{ length }], [...(decimal ? [separator] : []), ...(signed ? ["−"] : [])], clean, unit, host);
  const [field] = input.fields;
  return {
    ...input,
    // The station knows the limits, and has the words for them.
    value() {
      const written = latin(field.value).replace(",", ".");
      return written ? /\d/.test(written) ? Number(written) : undefined : null;
    },
    draft: () => latin(field.value),
    set: value => { field.value = host.local(String(value).replace(".", separator)); },
  };
}

function date(entry, host) {
  const specs = { day: { length: 2, first: 3 }, month: { length: 2, first: 1 }, year: { length: 4 } };
  // In the order of the language; English without a country is taken for international.
  const order = new Intl.DateTimeFormat(host.language === "en" ? "en-GB" : host.language).formatToParts()
    .map(({ type }) => type).filter(type => type in specs);
  const input = digits(order.map(type => ({ ...specs[type], label: host.words[type] })), [], onlyDigits, "", host);
  const fields = ["year", "month", "day"].map(type => input.fields[order.indexOf(type)]);
  return {
    ...input,
    ...joined(fields, "-", value => /^\d{4}(-\d\d){2}$/.test(value) && new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(8)), host),
  };
}

function time(entry, host) {
  const { hours, minutes } = host.words;
  const input = digits([{ label: hours, length: 2, first: 2 }, { label: minutes, length: 2, first: 5 }], [], onlyDigits, "", host);
  return { ...input, ...joined(input.fields, ":", value => /^([01]\d|2[0-3]):[0-5]\d$/.test(value), host) };
}

export const typed = { text, signature, integer: number, decimal: number, date, time };
