// The view of results: the trials of the folder, and the report of one or of all.

import { fill, make, part, write } from "{{dom.js}}";

const pageLength = 100;

export class Results {
  /** The trial whose report is shown, “all” for the overview; undefined for the list. */
  shown;
  #first = 0;
  #total = 0;
  #asked = 0;

  /** `work(what, details)` asks the console's process. */
  constructor(work) {
    this.work = work;
    let wait;
    part("find").addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => this.#list(0), 150);
    });
    part("verdict").addEventListener("change", () => this.#list(0));
    part("newer").addEventListener("click", () => this.#first > 0 && this.#list(this.#first - pageLength));
    part("older").addEventListener("click", () => this.#first + pageLength < this.#total && this.#list(this.#first + pageLength));
    part("simulated").addEventListener("change", () => this.#report(this.shown));
    part("listen").addEventListener("click", () => this.#listen());
  }

  show(trial) {
    part("clip").pause();
    this.shown = trial;
    part("report").removeAttribute("src");
    part("report").hidden = true;
    part("clip").removeAttribute("src");
    part("clip").hidden = true;
    write({ "trial-problem": "" });
    trial ? this.#report(trial, { isNew: true }) : this.#list(this.#first);
  }

  async #list(first) {
    const own = ++this.#asked;
    const answer = await this.work("results", { first: Math.max(0, first), text: part("find").value, verdict: part("verdict").value });
    if (own !== this.#asked) return;
    if (!answer.trials) return write({ "results-problem": answer.complaints.join("\n") });
    [this.#first, this.#total] = [answer.first, answer.total];
    const last = Math.min(answer.first + pageLength, answer.total);
    write({
      count: answer.total ? `${answer.first + 1} to ${last} of ${answer.total}${answer.total < answer.all ? `; ${answer.all} in all` : ""}` : answer.all ? `none of ${answer.all}` : "no results yet",
      "results-problem": answer.problems.join("\n"),
    });
    part("newer").setAttribute("aria-disabled", String(answer.first === 0));
    part("older").setAttribute("aria-disabled", String(last >= answer.total));
    fill("rows", answer.trials, trial => {
      const { startDate, timeZone, participant, session, number, protocol, condition, clip, samples, outcome, verdict, simulated, path } = trial;
      const cell = (text, kind) => make("td", { class: kind, dir: "auto", text });
      const start = new Date(startDate).toLocaleString(undefined, { dateStyle: "short", timeStyle: "medium", ...(timeZone && { timeZone }) });
      return make("tr", {},
        make("td", {}, make("a", { href: `#results/${path.split("/").at(-1)}`, "data-name": path, text: start })),
        cell(participant), cell(session), cell(number === null ? "around the trials" : String(number), number === null ? undefined : "number"),
        cell(protocol), cell(condition ?? "–"), cell(clip ?? "–"), cell(String(samples), "number"),
        cell(`${outcome}${simulated ? " (simulated)" : ""}`), cell(verdict, verdict));
    });
  }

  async #report(trial, { isNew = false } = {}) {
    const own = ++this.#asked;
    const isAll = trial === "all";
    for (const id of ["listen", "beats-link"]) part(id).hidden = isAll;
    part("beats-link").href = `#results/${trial}/beats`;
    part("simulated-of").hidden = !isAll;
    write({ "trial-head": isAll ? "All trials" : `Trial ${trial}` });
    const { address, complaints } = await this.work("report", isAll ? { simulated: part("simulated").checked } : { trial });
    if (own !== this.#asked) return;
    write({ "trial-problem": complaints.join("\n") });
    part("report").hidden = !address;
    if (address) part("report").src = address;
    if (isNew) part("trial-head").focus();
  }

  async #listen() {
    const trial = this.shown;
    const { address, complaints = [] } = await this.work("clip", { trial });
    if (trial !== this.shown) return;
    write({ "trial-problem": complaints.join("\n") });
    if (!address) return;
    part("clip").hidden = false;
    part("clip").src = address;
    part("clip").play().catch(() => {});
    part("clip").focus();
  }
}
