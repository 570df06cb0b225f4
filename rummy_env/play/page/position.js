// A position as a snapshot: paste it, edit it, ask an agent about it.

import { ask } from "./net.js";
import { Keys, middle, otherSeats } from "./board.js";
import { fill, h, sentence } from "./dom.js";
import { thoughtTable } from "./side.js";

export function position(main, asked) {
  main.className = "asking";
  const text = h("textarea", { id: "snapshot", rows: "14", spellcheck: "false", placeholder: '{"variant": "gin", "options": {}, "table": {"hands": [["7h", …], …], "stock": […], "discard": […]}}' });
  const agent = h("input", { value: localStorage.getItem("mind") ?? "greedy", "aria-label": "Agent", size: "14" });
  const error = h("p", { class: "error", role: "alert" });
  const shown = h("div", {});
  fill(main, h("h1", {}, "Ask about a position"),
    h("p", { class: "words" }, "Paste a snapshot, as Engine.snapshot gives it, or edit this one. The agent sees what the seat to move may know."),
    h("form", { onsubmit: (event) => { event.preventDefault(); tell(text.value, agent.value.trim(), shown, error); } },
      h("label", { for: "snapshot" }, "Snapshot"), text,
      h("div", { class: "buttons" }, h("label", {}, "Agent ", agent), h("button", { class: "main", type: "submit" }, "Ask")), error),
    shown);
  const from = asked.get("ask");
  if (from) ask(`/api/records/${from.split("/").map(encodeURIComponent).join("/")}`).then((told) => { text.value = laidOut(told); }, (problem) => { error.textContent = sentence(problem.message); });
  return null;
}

/** A snapshot as JSON, an entry a line. */
function laidOut(told) {
  const line = ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  return `{
 "variant": ${JSON.stringify(told.variant)},
 "options": ${JSON.stringify(told.options)},
 "table": {
${Object.entries(told.table).map(line).join(",\n")}
 }
}`;
}

async function tell(text, agent, shown, error) {
  error.textContent = "";
  try {
    let given;
    try {
      given = JSON.parse(text);
    } catch (problem) {
      throw new Error(`this is no JSON: ${problem.message}`);
    }
    const told = await ask("/api/positions", { ...given, ...(agent ? { agent } : {}) });
    const keys = new Keys();
    fill(shown, told.mind ? thoughtTable(told.mind) : h("p", {}, "Nobody is to move."), h("div", { class: "felt" }, otherSeats(told.scene, keys, 1), middle(told.scene, keys), otherSeats(told.scene, keys, 0, undefined, 1)));
  } catch (problem) {
    error.textContent = sentence(problem.message);
  }
}
