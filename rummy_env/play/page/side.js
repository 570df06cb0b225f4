// Beside the table: the log, an agent's mind, the coach.

import { fill, h, keepingFocus, sentence } from "./dom.js";
import { store } from "./store.js";

const TABS = [["log", "Log"], ["mind", "Mind"], ["coach", "Coach"], ["help", "Keys"]];

export class Side {
  constructor({ ask, chosen }) {
    this.ask = ask;
    this.chosen = chosen;
    this.first = 0; // the number of the first of the lines of the log
    this.lines = [];
    this.agents = [];
    this.agent = store.getItem("mind") ?? "";
    this.always = false;
    this.lessons = [];
    this.open = "log";
    this.panels = {
      log: h("ol", { class: "log", "aria-label": "Log" }),
      mind: h("div", {}),
      coach: h("div", {}),
      help: help(),
    };
    this.tabs = TABS.map(([name, title]) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.show(name), onkeydown: (event) => this.key(event) }, title));
    this.element = h("aside", { class: "side" }, h("div", { role: "tablist", "aria-label": "Beside the table" }, this.tabs),
      TABS.map(([name]) => h("div", { role: "tabpanel", tabindex: "0", id: `panel-${name}`, "aria-labelledby": `tab-${name}` }, this.panels[name])));
    this.drawMind(null);
    this.drawCoach();
    this.show("log");
  }

  show(name) {
    this.open = name;
    TABS.forEach(([each], i) => {
      this.tabs[i].setAttribute("aria-selected", String(each === name));
      this.tabs[i].tabIndex = each === name ? 0 : -1;
      this.element.querySelector(`#panel-${each}`).hidden = each !== name;
    });
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    const at = TABS.findIndex(([name]) => name === this.open);
    const next = (at + step + TABS.length) % TABS.length;
    this.show(TABS[next][0]);
    this.tabs[next].focus();
  }

  offer(agents, usual) {
    this.agents = agents;
    if (!agents.includes(this.agent)) this.agent = usual;
    this.drawMind(null);
    this.drawCoach();
  }

  log(told, names) {
    const follows = told.from >= this.first && told.from <= this.first + this.lines.length;
    if (!follows) this.first = told.from;
    this.lines = [...(follows ? this.lines.slice(0, told.from - this.first) : []), ...told.lines];
    const list = this.panels.log;
    fill(list, ...this.lines.slice(-300).map(([place, words]) => h("li", { class: place < 0 ? "event" : place === 0 ? "mine" : "" }, place < 0 ? sentence(words) : [h("b", {}, names[place]), ` ${words}`])));
    if (list.parentElement) list.parentElement.scrollTop = list.parentElement.scrollHeight;
  }

  turn(state) {
    const before = this.state;
    this.state = state;
    if (before && before.game !== state.game) {
      this.lessons = [];
      this.drawCoach();
    }
    if (before?.version === state.version) return;
    this.drawMind(null);
    if (this.always && state.mine) this.think();
  }

  think() {
    this.ask({ type: "mind", agent: this.agent });
  }

  choice(panel) {
    return h("label", { class: "field" }, "Agent ", h("select", { "data-key": `agent-${panel}`, onchange: (event) => {
      this.agent = event.target.value;
      store.setItem("mind", this.agent);
      this.drawMind(null);
      this.drawCoach();
      if (this.always && this.state?.mine) this.think();
    } }, this.agents.map((name) => h("option", { selected: name === this.agent }, name))));
  }

  drawMind(thought) {
    const mine = this.state?.mine;
    keepingFocus(() => fill(this.panels.mind, this.choice("mind"),
      h("label", { class: "check" }, h("input", { type: "checkbox", "data-key": "always", checked: this.always, onchange: (event) => { this.always = event.target.checked; if (this.always && this.state?.mine) this.think(); } }), " at every turn"),
      h("button", { type: "button", "data-key": "think", disabled: !mine, onclick: () => this.think() }, "What would it do?"),
      thought ? thoughtTable(thought) : h("p", { class: "words" }, mine ? "It sees what you see." : "Ask when it is your turn. It sees what you see."),
    ));
  }

  mind(message, version) {
    if (message.version === version) this.drawMind(message);
  }

  coach(message, game) {
    if (message.game !== game) return; // a game that has been dealt since
    if (!message.lines.length && !message.done) this.lessons = [];
    this.lessons.push(...message.lines);
    this.coachedBy = message.agent;
    this.coaching = !message.done;
    this.drawCoach();
  }

  drawCoach() {
    const same = this.lessons.filter((line) => line.same).length;
    const costs = this.lessons.map((line) => line.cost).filter((cost) => cost !== null);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    keepingFocus(() => fill(this.panels.coach, this.choice("coach"),
      h("button", { type: "button", "data-key": "coach", onclick: () => this.ask({ type: "coach", agent: this.agent }) }, "Go through my decisions"),
      this.lessons.length ? h("p", { "data-done": !this.coaching }, `${this.coaching ? "So far " : ""}${same} of ${this.lessons.length} as ${this.coachedBy} would${costs.length ? `; the others gave away ${total.toFixed(1)} ${this.lessons[0].unit}` : ""}`) : h("p", { class: "words" }, "What you chose beside what the agent would have chosen, knowing what you knew."),
      this.lessons.length ? h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Decisions" }, h("table", {},
        h("thead", {}, h("tr", {}, ["Turn", "You", "It"].map((name) => h("th", { scope: "col" }, name)), costs.length ? h("th", { scope: "col" }, sentence(this.lessons[0].unit)) : null)),
        h("tbody", {}, this.lessons.map((line) => h("tr", { class: line.same ? "same" : "differs" }, h("td", {}, `${line.hand}.${line.turn}`), h("td", {}, line.yours), h("td", {}, line.same ? "the same" : line.coach), costs.length ? h("td", {}, line.cost === null ? "" : line.cost.toFixed(2)) : null))))) : null,
    ));
  }
}

const number = (value, digits = 2) => (value === null || value === undefined ? "" : value.toFixed(digits));

/** The moves as an agent weighs them. */
export function thoughtTable(thought) {
  const moves = [...thought.moves];
  const has = (name) => moves.some((move) => move[name] !== null && move[name] !== undefined);
  const weights = [...new Set(moves.flatMap((move) => Object.keys(move.weights)))];
  const rank = (move) => (has("value") ? move.value ?? -1e9 : has("probability") ? move.probability : move.action === thought.chosen ? 1 : 0);
  moves.sort((a, b) => rank(b) - rank(a));
  const most = Math.max(...moves.map((move) => move.probability ?? 0), 1e-9);
  const columns = [["Move"], has("probability") && ["Chance"], has("value") && [sentence(thought.unit)], has("ahead") && [`Ahead of ${thought.over}`], ...weights.map((name) => [sentence(name)])].filter(Boolean);
  const ahead = (move) => (move.ahead === null || move.words === thought.over ? "" : `${move.ahead < 0 ? "" : "+"}${number(move.ahead)} ± ${number(1.96 * move.ahead_error)}`);
  const facts = [thought.value !== null ? `position ${number(thought.value)} ${thought.unit}` : null, thought.worlds !== null ? `${thought.worlds} worlds` : null].filter(Boolean);
  return h("div", {},
    h("p", {}, h("b", {}, sentence(thought.words)), facts.length ? ` · ${facts.join(" · ")}` : ""),
    thought.note ? h("p", { class: "words" }, sentence(thought.note)) : null,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Moves as it weighs them" }, h("table", { class: "thought" },
      h("thead", {}, h("tr", {}, columns.map(([name]) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, moves.slice(0, 40).map((move) => h("tr", { class: move.action === thought.chosen ? "best" : "" },
        h("td", {}, move.words),
        has("probability") ? h("td", { class: "chance" }, h("meter", { min: 0, max: most, value: move.probability ?? 0, "aria-label": `chance of ${move.words}` }), ` ${number((move.probability ?? 0) * 100, 1)} %`) : null,
        has("value") ? h("td", {}, number(move.value), move.error !== null ? ` ± ${number(1.96 * move.error)}` : "") : null,
        has("ahead") ? h("td", { class: "ahead" }, ahead(move)) : null,
        weights.map((name) => h("td", {}, number(move.weights[name]))),
      ))))),
  );
}

function help() {
  const keys = [["← →", "along the hand"], ["space", "choose a card"], ["enter", "the first move with the chosen cards"], ["1 … 9", "the moves below the table"], ["M", "melds in the hand"], ["S", "sort by suit, by rank"], ["U", "undo"], ["esc", "choose nothing"]];
  return h("div", {}, h("dl", { class: "keys" }, keys.map(([key, does]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)))),
    h("p", { class: "words" }, "Cards can be dragged, too: onto the discards, onto the table, or to another place in the hand. Undo takes back your own last action, before anybody else acts, unless it has shown you a card."));
}
