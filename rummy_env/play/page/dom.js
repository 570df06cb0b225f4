// Elements, made in one call, and words for screen readers.

/** Makes an element: properties that begin with "on" are listeners, `class` and `data-…` attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && value) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts children into an element in place of what it has; null is left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
}

const ICONS = {
  first: "M5 5v14M19 5 8 12l11 7Z", back: "M17 5 6 12l11 7Z", play: "M7 4l13 8-13 8Z", pause: "M8 5v14M16 5v14", next: "M7 5l11 7-11 7Z", last: "M19 5v14M5 5l11 7-11 7Z",
};

/** A small picture on a button. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Says something to whoever listens instead of looking. */
export function say(words) {
  const live = document.getElementById("live");
  if (live.textContent !== words) live.textContent = words;
}

/** Capitalises the first letter. */
export function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Shows a short message that goes away by itself. */
export function toast(words) {
  document.querySelector(".toast")?.remove();
  const shown = h("div", { class: "toast", role: "alert" }, words);
  document.body.append(shown);
  setTimeout(() => shown.remove(), 5000);
}

/** Copies the text of a field; false where the browser lets pages do that in no way. */
export async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

/** Keeps the keyboard where it was while `draw` replaces elements: those with the same `data-key`. */
export function keepingFocus(draw) {
  const key = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  draw();
  if (!key) return;
  const again = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}
