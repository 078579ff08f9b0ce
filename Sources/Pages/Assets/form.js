// Several questions at once; entries.js says what a builder returns.

/** Questions one below the other, each with an entry, first contact, changes and device of its own. */
export function form({ questions }, host) {
  const { make, builders, words } = host;
  const parts = questions.map((asked, index) => {
    const own = { changes: 0 };
    const [prompt, note] = ["prompt", "note"].map(name => `${name}${index}`);
    const said = make("p", { class: "note", id: note, dir: "auto", text: asked.notice });
    const say = text => { said.textContent = text ?? ""; };
    const entry = builders[asked.kind](asked, { ...host, place: index,
      named: { "aria-labelledby": asked.prompt ? prompt : "title", "aria-describedby": note },
      marked(event, more) {
        own.first_ms ??= event.timeStamp;
        own.device = host.device();
        if (!more) own.changes++;
        say();
        host.marked(event, more);
      },
      complain: say });
    const node = make("section", { class: "question" }, asked.prompt && make("h2", { id: prompt, dir: "auto", text: asked.prompt }), entry.node, said);
    return { asked, entry, node, own, say };
  });
  /** What is wrong with an answer; nothing for one that can be sent, and for one that may be left out. */
  const wrong = ({ asked, entry }) => {
    const value = entry.value();
    return value === undefined ? asked.problem : value === null && asked.required ? words.missing : undefined;
  };
  const focusOf = ({ entry, node }) => entry.focus ?? node.querySelector("[tabindex='0'], button");
  const given = parts.map(part => [part.asked.name, part]);
  return {
    node: make("div", { class: "form" }, ...parts.map(({ node }) => node)),
    focus: focusOf(parts[0]),
    deed: () => "answers",
    value() {
      if (parts.some(wrong)) return null;
      return Object.fromEntries(given.map(([name, { entry, own }]) => [name, { value: entry.value(), device: host.device(), ...own }])
        .filter(([, { value }]) => value !== null));
    },
    draft: () => Object.fromEntries(given.map(([name, { entry, own }]) => [name, { value: (entry.draft ?? entry.value)(), origin: performance.timeOrigin, ...own }])
      .filter(([, { value }]) => (value ?? null) !== null)),
    set: drafts => given.forEach(([name, { entry, own }]) => {
      const { value, first_ms, origin, changes, device } = drafts[name] ?? {};
      if ((value ?? null) === null) return;
      entry.set(value);
      Object.assign(own, { changes, device }, typeof first_ms === "number" && { first_ms: first_ms + origin - performance.timeOrigin });
    }),
    /** Says at each question what is wrong, and leads to the first; returns what is wrong there. */
    complain() {
      const faulty = parts.filter(wrong);
      for (const part of faulty) part.say(wrong(part));
      if (!faulty.length) return;
      focusOf(faulty[0]).focus();
      faulty[0].node.scrollIntoView({ block: "nearest" });
      return wrong(faulty[0]);
    },
    key: event => Boolean(parts.find(({ node }) => node.contains(event.target))?.entry.key?.(event)),
  };
}
