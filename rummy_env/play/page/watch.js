// Recorded games: a list, and a table on which they are shown step by step.

import { ask } from "./net.js";
import { Keys, middle, otherSeats } from "./board.js";
import { fill, h, icon, keepingFocus, say, sentence, toast } from "./dom.js";
import { moving } from "./motion.js";

const SPEEDS = [["0.5", "½"], ["1", "1"], ["2", "2"], ["4", "4"], ["8", "8"]];

/** Takes a file that is dropped or chosen, and shows what it holds. */
async function bring(file) {
  try {
    const told = await ask("/api/records", file);
    location.hash = told.games.length === 1 && !told.games[0].error ? `watch=${told.box}&game=1&step=0` : `games=${told.box}`;
  } catch (error) {
    toast(sentence(error.message));
  }
}

function droppable(main) {
  main.addEventListener("dragover", (event) => { event.preventDefault(); main.classList.add("dropping"); });
  main.addEventListener("dragleave", (event) => { if (event.target === main) main.classList.remove("dropping"); });
  main.addEventListener("drop", (event) => {
    event.preventDefault();
    main.classList.remove("dropping");
    if (event.dataTransfer.files.length) bring(event.dataTransfer.files[0]);
  });
}

export function games(main, box) {
  main.className = "games";
  droppable(main);
  const file = h("input", { type: "file", accept: ".jsonl,.json,.txt", class: "unseen", id: "file", onchange: (event) => event.target.files.length && bring(event.target.files[0]) });
  const list = h("div", {}, h("p", { class: "words" }, "one moment …"));
  fill(main, h("h1", {}, box === "here" ? "Games of this server" : "Games of the file"),
    h("p", { class: "drop" }, file, h("label", { for: "file", class: "button" }, "Choose a record file"), " or drop one anywhere on this page. ", box !== "here" ? h("a", { href: "#games=here" }, "Games of this server") : null),
    list);
  ask(`/api/records/${encodeURIComponent(box)}`).then((told) => listGames(list, told), (error) => fill(list, h("p", { class: "error" }, sentence(error.message))));
  return null;
}

function listGames(list, told) {
  const filter = { variant: "", player: "", end: "" };
  const rows = h("tbody", {});
  const count = h("p", { class: "words", role: "status" });
  const all = [...told.games].reverse();
  const distinct = (of) => [...new Set(all.flatMap(of))].filter(Boolean).sort();
  const draw = () => {
    const shown = all.filter((game) => (!filter.variant || game.variant === filter.variant) && (!filter.player || game.players?.includes(filter.player)) && (!filter.end || game.end === filter.end));
    count.textContent = `${shown.length} of ${all.length} games`;
    fill(rows, ...shown.slice(0, 500).map((game) => (game.error ? damaged(game) : row(told.box, game))));
  };
  const choice = (name, values) => h("label", { class: "field" }, `${sentence(name)} `, h("select", { onchange: (event) => { filter[name] = event.target.value; draw(); } }, h("option", { value: "" }, "all"), values.map((value) => h("option", { value }, value))));
  draw();
  if (!all.length) {
    fill(list, h("p", { class: "words" }, "No game has ended here yet: play one, let agents play, or drop a record file."));
    return;
  }
  fill(list, h("div", { class: "filters" }, choice("variant", distinct((game) => [game.variant])), choice("player", distinct((game) => game.players ?? [])), choice("end", distinct((game) => [game.end]))),
    count,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Games" }, h("table", { class: "list" }, h("thead", {}, h("tr", {}, ["Game", "Variant", "Players", "Scores", "Actions", "End"].map((name) => h("th", { scope: "col" }, name)))), rows)));
}

function row(box, game) {
  return h("tr", {},
    h("td", {}, h("a", { href: `#watch=${box}&game=${game.game}&step=0` }, `Game ${game.game}`)),
    h("td", {}, game.variant),
    h("td", {}, game.players.map((name, i) => h("span", { class: game.winners.includes(i) ? "won" : "" }, `${i ? ", " : ""}${name}${game.winners.includes(i) ? " ★" : ""}`))),
    h("td", {}, game.scores.join(" : ")), h("td", {}, game.actions), h("td", {}, game.end));
}

function damaged(game) {
  return h("tr", { class: "differs" }, h("td", {}, `Game ${game.game}`), h("td", { colspan: 5 }, sentence(game.error)));
}

export function watch(main, asked) {
  const shown = new Watching(main, asked);
  shown.start();
  return () => shown.leave();
}

class Watching {
  constructor(main, asked) {
    this.main = main;
    main.className = "watching";
    droppable(main);
    this.box = asked.get("watch");
    this.game = Number(asked.get("game") ?? 1);
    this.step = Number(asked.get("step") ?? 0);
    this.seat = asked.has("eyes") ? Number(asked.get("eyes")) : null;
    this.speed = 1;
    this.chunks = new Map();
    this.board = h("div", { class: "felt" });
    this.caption = h("p", { class: "caption", role: "status" });
    this.bar = h("div", { class: "controls", role: "group", "aria-label": "Controls" });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  leave() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.keys);
  }

  /** The address of some steps. */
  path(first) {
    const eyes = this.seat === null ? "" : `&seat=${this.seat}`;
    return `/api/records/${encodeURIComponent(this.box)}/${this.game}?first=${first}&count=50${eyes}`;
  }

  async table(step) {
    const first = step - (step % 50);
    const key = `${this.seat}/${first}`;
    if (!this.chunks.has(key)) this.chunks.set(key, ask(this.path(first)));
    try {
      const told = await this.chunks.get(key);
      this.steps = told.steps;
      this.seats = told.seats;
      this.about = told;
      return told.tables[step - first];
    } catch (error) {
      this.chunks.delete(key);
      throw error;
    }
  }

  async start() {
    try {
      await this.table(0);
      this.step = Math.min(Math.max(this.step, 0), this.steps);
    } catch (error) {
      fill(this.main, h("p", { class: "error" }, sentence(error.message)), h("a", { href: "#games=here" }, "Games of this server"));
      return;
    }
    fill(this.main, h("div", { class: "table" }, h("h1", { class: "unseen" }, `Watching ${this.about.variant}`), this.caption, this.board, this.bar));
    this.controls();
    await this.show(this.step);
  }

  async show(step) {
    const wanted = Math.min(Math.max(step, 0), this.steps);
    this.step = wanted;
    const told = await this.table(wanted).catch((error) => { toast(sentence(error.message)); this.pause(); return null; });
    if (!told || this.step !== wanted) return;
    history.replaceState(null, "", `#watch=${this.box}&game=${this.game}&step=${wanted}${this.seat === null ? "" : `&eyes=${this.seat}`}`);
    const who = told.mover < 0 ? "" : `${told.scene.seats[told.mover].label}: `;
    fill(this.caption, h("b", {}, who), told.words, h("span", { class: "words" }, ` · ${this.about.variant}, hand ${told.scene.hand_number}, turn ${told.scene.turn_number}`));
    moving(this.board, () => keepingFocus(() => this.draw(told)), () => (told.mover >= 0 ? this.board.querySelector(`[data-place="${told.mover}"]`) : null));
    this.slider.value = wanted;
    this.slider.setAttribute("aria-valuetext", `step ${wanted} of ${this.steps}`);
    this.position.textContent = `${wanted} / ${this.steps}`;
    if (wanted === this.steps) this.pause();
  }

  draw(told) {
    const keys = new Keys();
    const said = (place) => ({ said: place === told.mover ? told.words : null, latest: true });
    fill(this.board, otherSeats(told.scene, keys, 1, said), middle(told.scene, keys), otherSeats(told.scene, keys, 0, said, 1));
  }

  controls() {
    const button = (key, title, glyph, does) => h("button", { type: "button", "data-key": key, "aria-label": title, title, onclick: does }, glyph);
    this.playButton = button("play", "Play (space)", icon("play"), () => (this.timer ? this.pause() : this.play()));
    this.slider = h("input", { type: "range", min: "0", max: String(this.steps), value: String(this.step), "aria-label": "Step", oninput: (event) => { this.pause(); this.show(Number(event.target.value)); } });
    this.position = h("output", {});
    const eyes = h("select", { onchange: (event) => { this.seat = event.target.value === "" ? null : Number(event.target.value); this.show(this.step); } }, h("option", { value: "" }, "all hands open"), this.seats.map((name, i) => h("option", { value: String(i), selected: this.seat === i }, `as ${name} sees it`)));
    const speed = h("select", { onchange: (event) => { this.speed = Number(event.target.value); } }, SPEEDS.map(([value, words]) => h("option", { value, selected: value === "1" }, `${words} ×`)));
    fill(this.bar, button("first", "To the deal (home)", icon("first"), () => { this.pause(); this.show(0); }),
      button("back", "A step back (left)", icon("back"), () => { this.pause(); this.show(this.step - 1); }),
      this.playButton,
      button("next", "A step on (right)", icon("next"), () => { this.pause(); this.show(this.step + 1); }),
      button("last", "To the end (end)", icon("last"), () => { this.pause(); this.show(this.steps); }),
      this.slider, this.position,
      h("label", {}, h("span", { class: "unseen" }, "Speed"), speed),
      h("label", {}, h("span", { class: "unseen" }, "Hands"), eyes),
      button("link", "Copy a link to this moment", "Link", () => navigator.clipboard?.writeText(location.href).then(() => toast("Link copied."))),
      h("a", { class: "button", href: "#ask", onclick: (event) => { event.currentTarget.href = `#ask=${this.box}/${this.game}/${this.step}`; } }, "Ask an agent"),
      h("a", { class: "button", href: `#games=${this.box}` }, "All games"),
    );
  }

  play() {
    if (this.step >= this.steps) this.step = -1;
    fill(this.playButton, icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause (space)");
    say("Playing");
    const tick = async () => {
      await this.show(this.step + 1);
      if (this.timer) this.timer = setTimeout(tick, 1100 / this.speed);
    };
    this.timer = setTimeout(tick, 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.playButton) return;
    fill(this.playButton, icon("play"));
    this.playButton.setAttribute("aria-label", "Play (space)");
  }

  key(event) {
    if (event.target.closest("input, select, textarea, a") || !this.steps) return;
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.steps }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.pause();
      this.show(to);
    } else if (event.key === " " && !event.target.closest("button")) {
      event.preventDefault();
      if (this.timer) this.pause();
      else this.play();
    }
  }
}
