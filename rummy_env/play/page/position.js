// A position, as cards and as a snapshot, kept in step: lay it, ask an agent about it.

import { ask } from "./net.js";
import { fill, h, sentence } from "./dom.js";
import { Editor } from "./editor.js";
import { TITLES } from "./lobby.js";
import { thoughtTable } from "./side.js";
import { store } from "./store.js";

const PAUSE = 300;

export function position(main, asked) {
  const page = new Position(main);
  page.begin(asked.get("ask"));
  return () => clearTimeout(page.timer);
}

class Position {
  constructor(main) {
    main.className = "asking";
    this.past = [];
    this.asked = 0;
    this.editor = new Editor({ changed: () => this.changed(), undo: () => this.undo() });
    this.editor.element.hidden = true;
    this.variant = h("select", { "data-key": "variant", onchange: () => this.deal({ variant: this.variant.value, options: {} }) });
    this.seats = h("select", { "data-key": "seats", onchange: () => this.deal(this.rulesFor(Number(this.seats.value))) },
      [2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => h("option", { value: count }, count)));
    this.turn = h("select", { "data-key": "turn", onchange: () => this.set({ to_move: Number(this.turn.value) }) });
    this.phase = h("select", { "data-key": "phase", onchange: () => this.set({ phase: this.phase.value }) });
    this.text = h("textarea", { id: "snapshot", rows: "14", spellcheck: "false", oninput: () => this.typed() });
    this.offered = h("datalist", { id: "agents" });
    this.agent = h("input", { value: store.getItem("mind") ?? "strong", list: "agents", "aria-label": "Agent", size: "14" });
    this.error = h("p", { class: "error", role: "alert" });
    this.thought = h("div", { "aria-live": "polite" });
    const field = (name, control) => h("label", { class: "field" }, `${name} `, control);
    fill(main, h("h1", {}, "Ask about a position"),
      h("p", { class: "words" }, "Lay any position by its cards, or paste a snapshot as Engine.snapshot gives it. The agent sees what the seat to move may know."),
      h("div", { class: "filters" }, field("Variant", this.variant), field("Seats", this.seats),
        h("button", { type: "button", "data-key": "deal", onclick: () => this.deal(this.rules()) }, "Deal anew"),
        field("To move", this.turn), field("Phase", this.phase)),
      this.error,
      h("form", { class: "buttons", onsubmit: (event) => { event.preventDefault(); this.ask(); } }, h("label", {}, "Agent ", this.agent), this.offered, h("button", { class: "main", type: "submit" }, "Ask")),
      this.thought, this.editor.element,
      h("label", { for: "snapshot" }, "Snapshot"), this.text);
  }

  /** Begins with a moment of a record, or with a deal. */
  async begin(moment) {
    ask("/api/catalogue").then((told) => this.offerVariants(told.variants.map((each) => each.name)), (problem) => this.refused(problem));
    if (!moment) return this.deal({ variant: store.getItem("variant") ?? "basic", options: {} });
    return this.fetched(ask(`/api/records/${moment.split("/").map(encodeURIComponent).join("/")}`));
  }

  offerVariants(names) {
    fill(this.variant, names.map((name) => h("option", { value: name }, TITLES[name] ?? name)));
    if (this.told) this.variant.value = this.told.variant;
  }

  /** The rules for other players, with as many cards as is usual for them. */
  rulesFor(players) {
    const { hand_size, ...options } = this.rules().options;
    return { ...this.rules(), options: { ...options, num_players: players } };
  }

  /** The rules of the position that is laid; of the chosen variant where none is. */
  rules() {
    return { variant: this.told?.variant ?? this.variant.value, options: this.told?.options ?? {} };
  }

  deal(rules) {
    return this.fetched(ask("/api/deals", rules));
  }

  async fetched(promise) {
    try {
      const told = await promise;
      this.keep();
      this.wait(true);
      this.lay(told);
    } catch (problem) {
      this.refused(problem);
      this.choose();
    }
  }

  /** Cards and choices wait until the server has seen what the text tells. */
  wait(waiting) {
    this.editor.element.inert = this.turn.disabled = this.phase.disabled = waiting;
  }

  /** The position as it stands can be gone back to. */
  keep() {
    if (this.told && !this.editor.element.inert) this.past.push(this.standing);
  }

  undo() {
    if (!this.past.length) return;
    const told = JSON.parse(this.past.pop());
    if (told.table.hands.length === this.about.scene.seats.length) {
      this.told = told;
      this.editor.show(told.table, this.about.scene);
    }
    this.lay(told);
  }

  /** Cards were moved: the text follows. */
  changed() {
    this.keep();
    this.lay(this.told);
  }

  set(values) {
    Object.assign(this.told.table, values);
    this.changed();
  }

  /** Lays a position; the next change can be taken back to it, whether the server has seen it or not. */
  lay(told) {
    this.standing = laidOut(told);
    this.text.value = this.standing;
    return this.check(told);
  }

  /** The text is edited: the cards follow as soon as it tells a position, and wait until then. */
  typed() {
    this.wait(true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      try {
        this.check(parsed(this.text.value), {}, true);
      } catch (problem) {
        this.refused(problem);
      }
    }, PAUSE);
  }

  /** Has the server look at a position, `typed` or laid; `more` may name an agent to think of it. */
  async check(told, more = {}, typed = false) {
    const asked = ++this.asked;
    fill(this.thought, more.agent ? h("p", { class: "words" }, `${more.agent} is thinking …`) : null);
    this.error.textContent = "";
    try {
      const about = await ask("/api/positions", { ...told, ...more });
      if (asked !== this.asked) return;
      this.about = about;
      if (typed && this.told) this.past.push(this.standing);
      this.show(told);
      if (more.agent) fill(this.thought, about.mind ? thoughtTable(about.mind) : h("p", {}, "Nobody is to move."));
    } catch (problem) {
      if (asked === this.asked) this.refused(problem);
    }
  }

  refused(problem) {
    fill(this.thought);
    this.error.textContent = sentence(problem.message);
  }

  show(told) {
    this.told = told;
    this.standing = laidOut(told);
    this.editor.element.hidden = false;
    this.wait(false);
    this.editor.show(told.table, this.about.scene);
    fill(this.turn, this.about.scene.seats.map((seat, i) => h("option", { value: i }, seat.label)));
    fill(this.phase, this.about.phases.map((name) => h("option", { value: name }, name.replaceAll("_", " "))));
    fill(this.offered, this.about.agents.map((name) => h("option", { value: name })));
    this.choose();
  }

  /** Sets the choices to what the position says. */
  choose() {
    if (!this.told) return;
    this.variant.value = this.told.variant;
    this.seats.value = this.told.table.hands.length;
    this.turn.value = this.told.table.to_move;
    this.phase.value = this.told.table.phase;
  }

  ask() {
    store.setItem("mind", this.agent.value.trim());
    try {
      this.check(parsed(this.text.value), { agent: this.agent.value.trim() || null });
    } catch (problem) {
      this.refused(problem);
    }
  }
}

function parsed(text) {
  try {
    return { options: {}, ...JSON.parse(text) };
  } catch (problem) {
    throw new Error(`this is no JSON: ${problem.message}`);
  }
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
