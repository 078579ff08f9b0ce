// The view that starts a session: study, participant, sensors and speaker.

import { fill, make, part, write } from "{{dom.js}}";

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
/** The next code after others, by the number at its end. */
export function codeAfter(codes) {
  const numbered = codes.map(code => code.match(/^(.*?)(\d+)$/)).filter(Boolean).sort((a, b) => Number(a[2]) - Number(b[2]));
  const last = numbered.at(-1);
  return last ? `${last[1]}${String(Number(last[2]) + 1).padStart(last[2].length, "0")}` : "p01";
}

export class Start {
  #studies = [];
  #chosen; // the study, as `validate` says it
  #participants = new Map(); // of each study
  #settings = [];
  #next; // what `plan` says of the participant's next session
  #lookup = 0;
  #looked; // is there when the lookup is over

  /** `work(what, details)` asks the console's process, `watch(session)` shows a session. */
  constructor(work, watch) {
    this.work = work;
    this.watch = watch;
    part("code").addEventListener("input", () => this.#look());
    part("again").addEventListener("input", () => this.#draw());
    part("next-code").addEventListener("click", () => {
      part("code").value = codeAfter(this.#codes);
      this.#look();
    });
    part("resume").addEventListener("change", () => this.#draw());
    part("participant-at").addEventListener("change", () => this.#draw());
    part("search").addEventListener("click", () => this.#search());
    part("prepare").addEventListener("click", () => this.#prepare());
    part("code").addEventListener("keydown", event => event.key === "Enter" && this.#prepare());
  }

  /** Reads studies, participants and settings again. */
  async show() {
    write({ "start-busy": "Checking the studies …", "start-problem": "" });
    const [studies, participants, settings] = await Promise.all([this.work("studies"), this.work("participants"), this.work("settings")]);
    write({ "start-busy": "" });
    this.#studies = studies.output ?? [];
    this.#settings = settings.output?.settings ?? [];
    this.#participants = new Map((participants.output ?? []).map(study => [study.study, study.participants]));
    const isRead = studies.output !== null;
    write({ "no-studies": !isRead ? studies.complaints.join("\n") : this.#studies.length ? "" : `No protocol lies in “${studies.folder}” or in a folder in it; “station console --studies FOLDER” names another folder.` });
    if (settings.status) write({ "start-problem": settings.complaints.join("\n") });
    const only = this.#studies.filter(({ isValid }) => isValid);
    const last = sessionStorage.getItem("study");
    this.#chosen = only.find(({ file }) => file === last) ?? (only.length === 1 ? only[0] : undefined);
    this.#listStudies();
    this.#choose(this.#chosen);
  }

  get #codes() { return (this.#participants.get(this.#chosen?.identifier) ?? []).map(({ participant }) => participant).filter(Boolean); }

  #listStudies() {
    fill("studies", this.#studies, study => {
      const radio = make("input", { type: "radio", name: "study", value: study.file, disabled: !study.isValid });
      radio.checked = study.file === this.#chosen?.file;
      radio.addEventListener("change", () => this.#choose(study));
      const minutes = Math.ceil((study.forecast?.total_s ?? study.activeSteps_s ?? 0) / 60);
      const facts = study.isValid ? [`version ${study.version}`, minutes && `about ${minutes} min`, study.clips !== null && `${study.clips} clips`, study.groups.length && `groups ${study.groups.join(", ")}`, study.sessions > 1 && `${study.sessions} sessions`].filter(Boolean).join(" · ") : `${count(study.problems.length + study.omittedProblems, "problem", "problems")}: it cannot be run`;
      const notes = study.isValid ? study.notes : study.problems.map(({ line, reason }) => line ? `line ${line}: ${reason}` : reason);
      return make("li", {},
        make("label", {}, radio, make("b", { dir: "auto", text: study.title ?? study.identifier ?? study.file }), make("span", { class: study.isValid ? "soft" : "bad", text: `${study.file} · ${facts}` })),
        notes.length > 0 && make("details", {}, make("summary", { text: study.isValid ? count(notes.length, "note", "notes") : "What is wrong" }), make("ul", {}, ...notes.map(text => make("li", { dir: "auto", text })))));
    });
  }

  #choose(study) {
    this.#chosen = study;
    for (const id of ["start-who", "start-how", "start-do"]) part(id).hidden = !study;
    if (!study) return;
    sessionStorage.setItem("study", study.file);
    fill("codes", this.#codes, value => make("option", { value }));
    write({ "next-code": `Next: ${codeAfter(this.#codes)}` });
    part("language-of").hidden = study.languages.length < 2;
    fill("language", ["", ...study.languages], value => make("option", { value, text: value || "that of the last session" }));
    const given = (name, quantity) => this.#settings.find(row => [`sensors.${name}`, `sensors.${quantity}`].includes(row.name))?.value;
    fill("recorders", study.recorders.map(({ name, quantity }) => ({ name, quantity, given: given(name, quantity) })), ({ name, quantity, given }) => {
      const input = make("input", { list: "reach", "data-recorder": name, autocomplete: "off", spellcheck: "false", size: 34, placeholder: given ? `${given} (settings)` : "no sensor named in the settings" });
      return make("label", { text: `Sensor for ${name}${name === quantity ? "" : ` (${quantity})`}` }, input);
    });
    const speaker = this.#settings.find(({ name }) => name === "speaker")?.value;
    part("speaker").placeholder = speaker ? `${speaker} (settings)` : "the sound server's default";
    this.#look();
  }

  /** What the participant would do next. */
  #look() {
    this.#looked = this.#lookUp();
  }

  async #lookUp() {
    const own = ++this.#lookup;
    this.#next = undefined;
    part("again").value = "";
    part("resume").checked = true;
    this.#draw();
    const participant = part("code").value.trim();
    if (!participant || !this.#chosen?.enrolsParticipants) return;
    await pause(250);
    if (own !== this.#lookup) return;
    const next = await this.work("next", { file: this.#chosen.file, participant });
    if (own !== this.#lookup) return;
    this.#next = next;
    this.#draw();
  }

  get #exists() { return this.#codes.includes(part("code").value.trim()); }

  #draw() {
    const participant = part("code").value.trim();
    part("again-of").hidden = !this.#exists;
    const plan = this.#next?.output;
    const standing = plan?.next?.standing;
    part("resume-of").hidden = standing !== "resumes";
    const group = plan?.group ? `, group ${plan.group}` : "";
    const done = plan?.trials?.length;
    const texts = {
      notEnrolled: `New participant: number ${plan?.index}${group}.`,
      begins: `Known participant: session ${plan?.session}${group} comes next.`,
      resumes: `Session ${plan?.session}${group} was interrupted after ${plan?.next?.trialsDone} of ${done} trials.`,
    };
    write({ standing: !participant ? "Letters, digits and +." : this.#chosen && !this.#chosen.enrolsParticipants ? "A single trial: participants are not enrolled." : this.#next?.complaints?.length && !plan ? this.#next.complaints.join(" ") : texts[standing] ?? "" });
    part("plan-of").hidden = !plan;
    fill("plan-list", plan?.trials ?? [], ({ number, condition, clip }) => make("li", { dir: "auto", text: [number, condition, clip].filter(Boolean).join(" · ") }));
    part("monitor-of").hidden = part("participant-at").value !== "browser";
  }

  async #search() {
    write({ found: "Searching for 5 s …" });
    part("search").setAttribute("aria-disabled", "true");
    const { output, complaints } = await this.work("sensors");
    part("search").removeAttribute("aria-disabled");
    const found = output?.sensors ?? [];
    fill("reach", found, ({ address, name, battery }) => make("option", { value: address, text: [name, battery && `battery ${battery} %`].filter(Boolean).join(", ") }));
    const faults = Object.entries(output?.notSearched ?? {}).map(([kind, reason]) => `${kind}: ${reason}`);
    write({ found: [output ? `${found.length} sensors in reach; click into a field to choose.` : complaints?.join(" "), ...faults].join(" ") });
  }

  async #prepare() {
    const participant = part("code").value.trim();
    const problem = !participant ? "Type the participant's code." : this.#exists && part("again").value.trim() !== participant ? "The code exists: type it again, so that it is not a typing error." : "";
    write({ "start-problem": problem });
    if (problem) return part(participant ? "again" : "code").focus();
    if (part("prepare").getAttribute("aria-disabled") === "true") return;
    part("prepare").setAttribute("aria-disabled", "true");
    write({ "start-busy": "Opening …" });
    await this.#looked;
    const resumes = this.#next?.output?.next?.standing === "resumes";
    const value = id => part(id).value.trim() || undefined;
    const answer = await this.work("start", {
      file: this.#chosen.file, study: this.#chosen.identifier, participant, participantAt: part("participant-at").value,
      language: resumes && part("resume").checked ? undefined : value("language"), speaker: value("speaker"),
      screen: part("participant-at").value === "browser" ? value("monitor") : undefined,
      resume: resumes && part("resume").checked, session: resumes && !part("resume").checked ? String(this.#next.output.session + 1) : undefined,
      sensors: Object.fromEntries([...part("recorders").querySelectorAll("input")].map(input => [input.dataset.recorder, input.value.trim()])),
    });
    part("prepare").removeAttribute("aria-disabled");
    write({ "start-busy": "", "start-problem": answer.session ? "" : (answer.complaints ?? ["no answer"]).join("\n") });
    if (!answer.session) return;
    part("code").value = "";
    part("again").value = "";
    this.watch(answer.session);
  }
}
