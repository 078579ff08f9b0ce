// The views of participants and settings.

import { fill, make, part, write } from "{{dom.js}}";

/** The participants of each study, and their withdrawal. */
export class Participants {
  #asked;

  /** `work(what, details)` asks the console's process. */
  constructor(work) {
    this.work = work;
    part("withdraw-no").addEventListener("click", () => part("withdraw").close());
    part("withdraw-yes").addEventListener("click", () => this.#withdraw());
    part("withdraw-code").addEventListener("keydown", event => event.key === "Enter" && this.#withdraw());
  }

  async show() {
    write({ withdrawn: "", "participants-problem": "" });
    await this.#list();
  }

  async #list() {
    const { output, complaints } = await this.work("participants");
    const isNew = complaints.some(text => text.includes("there is no participants' list"));
    if (complaints.length) write({ "participants-problem": isNew ? "" : complaints.join("\n") });
    fill("participants-of", output ?? [], ({ study, participants }) => this.#study(study, participants));
    if (!output?.length) part("participants-of").replaceChildren(make("p", { text: "No participant is enrolled yet: the first one is with the first session." }));
  }

  #study(study, participants) {
    const heads = ["Code", "Number", "Group", "State", "Enrolled", "Sessions", "Trials"].map(text => make("th", { scope: "col", text }));
    const rows = participants.map(({ participant, index, group, state, enrolled, sessionsDone, trialsDone }) => {
      const cell = (text, kind) => make("td", { class: kind, dir: "auto", text });
      const button = state !== "withdrawn" && make("button", { text: "Withdraw…", "aria-label": `Withdraw ${participant}`, "data-name": `${study} ${participant}` });
      if (button) button.addEventListener("click", () => this.#ask(participant, study));
      return make("tr", {}, cell(participant), cell(String(index), "number"), cell(group ?? "–"), cell(state), cell(enrolled ? new Date(enrolled).toLocaleDateString() : "–"), cell(String(sessionsDone), "number"), cell(String(trialsDone), "number"), make("td", {}, button));
    });
    return make("section", {}, make("h3", { dir: "auto", text: study }),
      make("div", { class: "wide" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads, make("th", { scope: "col" }, make("span", { class: "unseen", text: "Withdraw" })))), make("tbody", {}, ...rows))));
  }

  #ask(participant, study) {
    this.#asked = { participant, study };
    write({ "withdraw-text": `This removes participant “${participant}” from “${study}”: bundles, sessions, consent, samples and the code. A tombstone without data remains. It cannot be undone, and copies that were sent or exported stay where they are.` });
    part("withdraw-code").value = "";
    part("withdraw").showModal();
    part("withdraw-code").focus();
  }

  async #withdraw() {
    const again = part("withdraw-code").value.trim();
    if (again !== this.#asked.participant) {
      write({ "withdraw-text": "That is another code. Nothing was removed: type the code of this participant again, or leave everything." });
      return part("withdraw-code").focus();
    }
    part("withdraw").close();
    write({ withdrawn: `Removing ${again} …` });
    const { status, output, complaints } = await this.work("withdraw", { ...this.#asked, again });
    const notes = (output?.elsewhere ?? []).map(({ text }) => text).filter(Boolean);
    write({ withdrawn: status === 0 ? [`Everything of ${again} is removed.`, ...notes].join("\n") : "", "participants-problem": complaints.join("\n") });
    await this.#list();
  }
}

/** Settings that are lists of words. */
const lists = ["labels", "markers", "recipients"];
/** Settings that can be put in although no file has them. */
const others = ["labels", "markers", "sending.to", "recipients"];
/** Settings that checks write, with what they were measured by. */
const measured = /^(monitor|outputLatencies|calibrations)(\.|$)/;

/** What applies to all sessions, with the file that each is from. */
export class Settings {
  /** `work(what, details)` asks the console's process. */
  constructor(work) {
    this.work = work;
    part("add-sensor").addEventListener("click", () => {
      const [name, address] = [part("new-sensor").value.trim(), part("new-address").value.trim()];
      if (!name || !address) return write({ "settings-problem": "A sensor has a name and an address." });
      if (name.includes("=")) return write({ "settings-problem": "A sensor's name cannot have an “=”." });
      this.#change({ [`sensors.${name}`]: address });
    });
  }

  async show() {
    write({ "settings-problem": "", "settings-said": "" });
    this.#list(await this.work("settings"));
  }

  #list({ output, complaints }) {
    write({ "settings-problem": complaints.join("\n") });
    if (!output) return;
    const known = output.settings.map(({ name }) => name);
    const rows = [...output.settings, ...others.filter(name => !known.includes(name)).map(name => ({ name, value: null, from: "default" }))];
    fill("settings-rows", rows, row => this.#row(row));
  }

  #row({ name, value, from }) {
    const text = Array.isArray(value) ? value.join(", ") : value === null ? "" : String(value);
    const field = make("input", { value: text, "aria-label": name, autocomplete: "off", spellcheck: "false", size: "40", placeholder: lists.includes(name) ? "separated by commas" : name === "speaker" ? "the server's default sink" : undefined, "data-name": name });
    const save = () => this.#change({ [name]: field.value.trim() === "" ? null : this.#value(name, field.value) });
    field.addEventListener("keydown", event => event.key === "Enter" && save());
    const button = make("button", { text: "Save", "aria-label": `Save ${name}` });
    button.addEventListener("click", save);
    const remove = from === "results" && make("button", { text: "Remove", "aria-label": `Remove ${name}` });
    if (remove) remove.addEventListener("click", () => this.#change({ [name]: null }));
    const isFixed = measured.test(name);
    const cell = (text, ...more) => make("td", { dir: "auto", text }, ...more);
    return make("tr", {}, make("th", { scope: "row", text: name }), isFixed ? cell(text) : cell("", field), cell({ results: "results folder", user: "user's file", default: "default" }[from]), make("td", {}, !isFixed && button, " ", !isFixed && remove));
  }

  #value(name, text) {
    if (lists.includes(name)) return text.split(",").map(word => word.trim()).filter(Boolean);
    return name === "outputLatency_ms" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text.trim();
  }

  async #change(set) {
    const answer = await this.work("settings", { set });
    this.#list(answer);
    if (answer.complaints.length) return;
    part("new-sensor").value = part("new-address").value = "";
    write({ "settings-said": `Saved: ${Object.keys(set).join(", ")}.` });
  }
}
