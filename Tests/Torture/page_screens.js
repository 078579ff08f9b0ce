// What check-page measures on the participant's page. Every function returns a list of faults: [rule, selector, detail].
(() => {
  const leastFont = 20;
  const leastTarget = 68; // 18 mm at 96 pixels an inch
  const targets = "button, input, textarea, a, .track, .paper";
  const part = id => document.getElementById(id);

  /** The part of the page that can be seen: a question or a notice over the page, or the page. */
  const surface = () => part("ask").open ? part("ask") : part("cover").textContent ? part("cover") : document.body;
  const isSeen = node => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && node.getBoundingClientRect().width > 0;
  const parents = node => node ? [node, ...parents(node.parentElement)] : [];
  const landmark = node => node.closest("header, main, footer, dialog, #cover");
  const isFixed = node => parents(node).some(each => /sticky|fixed/.test(getComputedStyle(each).position));

  /** A name that is the same in every window. */
  function selector(node) {
    if (node.id) return `#${node.id}`;
    const name = node.localName + [...node.classList].map(each => `.${each}`).join("");
    const holder = node.parentElement?.closest("[id]");
    return holder ? `#${holder.id} ${name}` : name;
  }

  /** Every visible run of text: its element, its words, and the rectangles of its lines. */
  function texts(within) {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { currentNode: run } = walker;
      const owner = run.parentElement;
      const range = document.createRange();
      range.selectNodeContents(run);
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
      if (run.data.trim() && isSeen(owner) && lines.length) found.push({ owner, words: run.data.trim().slice(0, 40), lines, range });
    }
    return found;
  }

  /** Words that go on in the next line; a hyphen may be there or not. */
  function brokenWords({ startContainer: run }) {
    const range = document.createRange();
    return [...run.data.matchAll(/[^\s\-–—/]+/g)].map(({ index, 0: word }) => {
      range.setStart(run, index);
      range.setEnd(run, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
      return Math.max(...tops) - Math.min(...tops) > 4 ? word : "";
    }).filter(Boolean);
  }

  function fontSize(node) {
    const scale = node.getScreenCTM?.().a ?? 1;
    return parseFloat(getComputedStyle(node).fontSize) * scale;
  }

  /** Whether an element's lines leave a box; `slack` pixels are no fault. */
  const leaves = (lines, { left, right, top, bottom }, slack) =>
    lines.some(line => line.left < left - slack || line.right > right + slack || line.top < top - slack || line.bottom > bottom + slack);

  function layout() {
    const root = document.documentElement;
    const within = surface();
    const found = texts(within);
    const faults = [];
    const add = (rule, node, detail) => faults.push([rule, selector(node), detail]);
    const all = [...within.querySelectorAll("*")].filter(isSeen);
    const wide = all.filter(node => {
      const { left, right } = node.getBoundingClientRect();
      return right > innerWidth + 1 || left < -1;
    });
    if (root.scrollWidth > innerWidth) add("the page is wider than the window", root, `${root.scrollWidth} in ${innerWidth} px`);
    for (const node of wide) add("wider than the window", node, `from ${Math.round(node.getBoundingClientRect().left)} to ${Math.round(node.getBoundingClientRect().right)} px`);
    for (const { owner, words, lines, range } of found) {
      const size = fontSize(owner);
      if (size < leastFont - 0.01) add("text is too small", owner, `${size.toFixed(1)} px: ${words}`);
      for (const word of brokenWords(range)) add("a word is broken", owner, word);
      const box = owner.closest("button, .anchors, .fields > *");
      if (box && leaves(lines, box.getBoundingClientRect(), 1)) add("text leaves its box", owner, words);
      for (const holder of parents(owner)) {
        if (/hidden|clip/.test(getComputedStyle(holder).overflow) && leaves(lines, holder.getBoundingClientRect(), 1)) add("text is cut off", owner, words);
      }
      const scrolled = lines.map(({ left, right, top, bottom }) => ({ left: left + scrollX, right: right + scrollX, top: top + scrollY, bottom: bottom + scrollY }));
      const page = { left: 0, top: 0, right: Math.max(root.scrollWidth, innerWidth), bottom: Math.max(root.scrollHeight, innerHeight) };
      if (within === document.body && leaves(scrolled, page, 1)) add("text is outside of what can be scrolled to", owner, words);
    }
    for (const field of within.querySelectorAll("input, textarea")) {
      if (!isSeen(field)) continue;
      if (fontSize(field) < leastFont) add("text is too small", field, `${fontSize(field)} px`);
      if (field.scrollWidth > field.clientWidth + 1 || field.scrollHeight > field.clientHeight + 1) add("a field's text is cut off", field, field.value);
    }
    for (const node of within.querySelectorAll(targets)) {
      const { width, height } = node.getBoundingClientRect();
      if (isSeen(node) && Math.min(width, height) < leastTarget - 0.5) add("a target is too small", node, `${Math.round(width)} × ${Math.round(height)} px`);
    }
    faults.push(...overlaps(found));
    const foot = part("foot");
    const share = Math.round(100 * foot.offsetHeight / innerHeight);
    if (within === document.body && getComputedStyle(foot).position === "sticky" && share > 50) add("the foot takes most of the window", foot, `${share} %`);
    if (document.getAnimations().length) add("something moves", root, `${document.getAnimations().length} animations`);
    return faults;
  }

  /** Words that lie on other words, or leave the button that they share with others. */
  function overlaps(found) {
    const faults = [];
    found.forEach((one, index) => {
      for (const other of found.slice(index + 1)) {
        if (landmark(one.owner) !== landmark(other.owner) || isFixed(one.owner) !== isFixed(other.owner)) continue;
        const meet = one.lines.some(a => other.lines.some(b =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 4));
        if (meet) faults.push(["words lie on other words", selector(one.owner), `${one.words} / ${other.words}`]);
      }
    });
    return faults;
  }

  /** What covers a rectangle, at its middle and near its corners; an ancestor or a child does not. */
  function coverOf(node, { left, top, width, height }) {
    const inset = 4;
    const [xs, ys] = [[left, width], [top, height]].map(([start, length]) => [start + inset, start + length / 2, start + length - inset]);
    for (const y of ys) {
      for (const x of xs) {
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return "the edge of the window";
        const hit = document.elementFromPoint(x, y);
        if (hit && !hit.contains(node) && !node.contains(hit)) return selector(hit);
      }
    }
  }

  let visited = [];
  /** The element that has the keyboard; `null` after the last one. */
  function focused(isFirst) {
    if (isFirst) visited = [];
    const node = document.activeElement;
    if (!node || node === document.body || visited.includes(node)) return null;
    visited.push(node);
    const box = node.getBoundingClientRect();
    const foot = part("foot");
    const room = innerHeight - (foot.contains(node) || getComputedStyle(foot).position !== "sticky" ? 0 : foot.offsetHeight);
    const faults = [];
    // Of what is higher than the room for it, a part must be seen.
    const [top, bottom] = [Math.max(0, box.top), Math.min(room, box.bottom)];
    const cover = coverOf(node, box.height <= room ? box : { left: box.left, top, width: box.width, height: Math.max(40, bottom - top) });
    if (cover) faults.push(["the focus is hidden", selector(node), `${Math.round(box.top)}–${Math.round(box.bottom)} of ${innerHeight} px, under ${cover}`]);
    if (node.tabIndex >= 0 && getComputedStyle(node).outlineStyle === "none") faults.push(["the focus is not marked", selector(node), ""]);
    return faults;
  }

  /** Whether the first and the last line can be brought into view, and headings by their links. */
  async function reach() {
    const within = surface();
    const scroller = within === document.body ? document.documentElement : within;
    const faults = [];
    const look = (text, line, end) => {
      const cover = line && coverOf(text.owner, { left: line.left - 2, top: line.top - 2, width: line.width + 4, height: line.height + 4 });
      if (cover) faults.push([`the ${end} line cannot be seen`, selector(text.owner), `${text.words}, under ${cover}`]);
    };
    const content = within === document.body ? part("main") : within;
    const all = texts(content);
    for (const [end, text] of all.length ? [["first", all[0]], ["last", all.at(-1)]] : []) {
      scroller.scrollTop = 0;
      // The time that is left is written anew while this looks, so the element is asked, and not its text.
      const range = document.createRange();
      range.selectNodeContents(text.owner);
      const line = () => [...range.getClientRects()].at(end === "first" ? 0 : -1);
      scroller.scrollTop = line().top - innerHeight / 3;
      await new Promise(requestAnimationFrame); // The page judges at its next frame whether a consent was read.
      look(text, line(), end);
    }
    for (const jump of content.querySelectorAll(".jump")) {
      jump.click();
      const heading = document.activeElement;
      const cover = heading.localName === "h2" ? coverOf(heading, heading.getBoundingClientRect()) : "no heading";
      if (cover) faults.push(["a link does not show its heading", selector(jump), `${jump.textContent}, under ${cover}`]);
    }
    scroller.scrollTop = 0;
    return faults;
  }

  /** Gives the keyboard back to the question, as the page does. */
  function release() {
    const shown = ["#entry :is(input, textarea)", "#prompt", "#title"].map(each => document.querySelector(each))
      .find(node => node && isSeen(node) && !node.closest("[inert]"));
    part("ask").open ? part("ask-cancel").focus() : shown?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  const rules = () => Object.fromEntries(axe.getRules().filter(({ ruleId, tags }) => !tags.includes("deprecated") && ruleId !== "hidden-content").map(({ ruleId }) => [ruleId, { enabled: true }]));
  /** The results of axe-core with all of its rules: `[certain, to look at]`. */
  async function audit() {
    const { violations, incomplete } = await axe.run(document, { rules: rules(), resultTypes: ["violations", "incomplete"] });
    return [violations, incomplete].map(list => list.flatMap(({ id, nodes }) => nodes.map(({ target, any, all, none }) => {
      const node = document.querySelector(target.flat().join(" "));
      return [`axe: ${id}`, node ? selector(node) : target.join(" "), [...any, ...all, ...none].map(({ message }) => message).join("; ")];
    })));
  }

  window.checkPage = { layout, focused, reach, release, audit };
})();
