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

/** Keeps the keyboard where it was while `draw` replaces elements: those with the same `data-key`. */
export function keepingFocus(draw) {
  const key = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  draw();
  if (!key) return;
  const again = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}
