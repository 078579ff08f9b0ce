// Parts of a page, and lists that are built from data.

export const part = id => document.getElementById(id);

export function make(tag, { text, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...[text, ...children].filter(child => child !== undefined && child !== null && child !== false && child !== ""));
  return node;
}

export function write(texts) {
  for (const [id, text] of Object.entries(texts)) {
    const words = text ?? "";
    if (part(id).textContent !== words) part(id).textContent = words;
  }
}

/** Builds a list again only when its data changed. */
export function fill(id, list, build) {
  const key = JSON.stringify(list);
  if (part(id).dataset.key === key) return;
  const focused = part(id).contains(document.activeElement) && document.activeElement.dataset.name;
  part(id).dataset.key = key;
  part(id).replaceChildren(...list.map(build));
  if (focused) part(id).querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
}
