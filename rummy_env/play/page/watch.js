// A game shown step by step: a record, or a game that agents are playing.

import { ask } from "./net.js";
import { Keys, middle, otherSeats } from "./board.js";
import { copied, fill, h, icon, keepingFocus, say, sentence, toast } from "./dom.js";
import { droppable } from "./games.js";
import { moving } from "./motion.js";
import { thoughtTable } from "./side.js";

const SPEEDS = [["0.5", "½"], ["1", "1"], ["2", "2"], ["4", "4"], ["8", "8"]];
const AGAIN = 400, LATER = 10_000;

export function watch(main, asked) {
  const shown = new Watching(main, asked);
  shown.start(asked.has("play"));
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
    this.playing = null;
    this.tables = new Map();
    this.asking = new Map();
    this.board = h("div", { class: "felt" });
    this.caption = h("p", { class: "caption", role: "status" });
    this.bar = h("div", { class: "controls", role: "group", "aria-label": "Controls" });
    this.mind = h("details", { class: "thinking", ontoggle: () => this.showMind() }, h("summary", {}, "What it thinks"), h("div", {}));
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  leave() {
    this.left = true;
    this.playing = null;
    clearTimeout(this.timer);
    clearTimeout(this.poller);
    document.removeEventListener("keydown", this.keys);
  }

  /** What is told of up to fifty steps; those that are asked for are asked for once. */
  fetch(first) {
    const seat = this.seat, key = `${seat}/${first}`;
    if (!this.asking.has(key)) {
      const eyes = seat === null ? "" : `&seat=${seat}`;
      this.asking.set(key, ask(`/api/records/${encodeURIComponent(this.box)}/${this.game}?first=${first}&count=50${eyes}`).then((told) => {
        told.tables.forEach((table, i) => this.tables.set(`${seat}/${first + i}`, table));
        this.about = told;
        this.steps = Math.max(this.steps ?? 0, told.steps);
      }).finally(() => this.asking.delete(key)));
    }
    return this.asking.get(key);
  }

  async table(step) {
    const has = (at) => this.tables.has(`${this.seat}/${at}`);
    if (!has(step)) await this.fetch(has(step - 1) ? step : step - (step % 50));
    return this.tables.get(`${this.seat}/${step}`);
  }

  async start(playing) {
    try {
      await this.table(0);
      this.step = Math.min(Math.max(this.step, 0), this.steps);
    } catch (error) {
      fill(this.main, h("p", { class: "error" }, sentence(error.message)), h("a", { href: "#games=here" }, "Games of this server"));
      return;
    }
    if (this.left) return;
    fill(this.main, h("div", { class: "table" }, h("h1", { class: "unseen" }, `Watching ${this.about.variant}`), this.caption, this.board, this.about.match ? this.mind : null, this.bar));
    this.controls();
    await this.show(this.step);
    if (this.about.going) this.poll();
    if (playing) this.play();
  }

  /** Asks again and again what has been played, for as long as it goes on; less often in vain. */
  poll(wait = AGAIN) {
    this.poller = setTimeout(async () => {
      const newest = this.step === this.steps;
      const failed = await this.fetch(this.steps).then(() => null, (error) => error);
      if (this.left) return;
      if (failed && (failed.refused || wait === AGAIN)) toast(sentence(failed.message));
      if (failed?.refused) this.about.going = false;
      else if (failed) return this.poll(Math.min(wait * 2, LATER));
      if (this.following && this.step < this.steps) await this.show(this.steps);
      else this.tellSteps();
      if (newest) this.showMind();
      if (this.about.going) this.poll();
    }, wait);
  }

  async show(step) {
    const wanted = Math.min(Math.max(step, 0), this.steps);
    this.step = wanted;
    const told = await this.table(wanted).catch((error) => { toast(sentence(error.message)); this.pause(); return null; });
    if (!told || this.step !== wanted || this.left) return;
    history.replaceState(null, "", `#watch=${this.box}&game=${this.game}&step=${wanted}${this.seat === null ? "" : `&eyes=${this.seat}`}`);
    const who = told.mover < 0 ? "" : `${told.scene.seats[told.mover].label}: `;
    fill(this.caption, h("b", {}, who), told.words, h("span", { class: "words" }, ` · ${this.about.variant}, hand ${told.scene.hand_number}, turn ${told.scene.turn_number}`));
    moving(this.board, () => keepingFocus(() => this.draw(told)), () => (told.mover >= 0 ? this.board.querySelector(`[data-place="${told.mover}"]`) : null));
    this.tellSteps();
    this.showMind();
  }

  draw(told) {
    const keys = new Keys();
    const said = (place) => ({ said: place === told.mover ? told.words : null, latest: true });
    fill(this.board, otherSeats(told.scene, keys, 1, said), middle(told.scene, keys), otherSeats(told.scene, keys, 0, said, 1));
  }

  /** How far the game is shown, and how far it has been played. */
  tellSteps() {
    const { going, trouble } = this.about;
    this.slider.max = this.steps;
    this.slider.value = this.step;
    this.slider.setAttribute("aria-valuetext", `step ${this.step} of ${this.steps}`);
    this.position.textContent = `${this.step} / ${this.steps}${going ? " …" : ""}`;
    this.live.hidden = !going;
    this.live.setAttribute("aria-pressed", String(Boolean(this.following)));
    if (trouble && trouble !== this.trouble) toast(sentence(trouble));
    this.trouble = trouble;
    if (this.step === this.steps && !going) this.pause();
  }

  /** What the seat to move thinks at the step that is shown. */
  async showMind() {
    if (!this.mind.open) return;
    const step = this.step;
    const told = await ask(`/api/thoughts/${encodeURIComponent(this.box)}/${step}${this.seat === null ? "" : `?seat=${this.seat}`}`).catch(() => null);
    if (step !== this.step || this.left) return;
    fill(this.mind.lastElementChild, told ? [h("p", { class: "words" }, `${told.agent}, to move`), thoughtTable(told)] : h("p", { class: "words" }, "Nothing is told of this moment."));
  }

  controls() {
    const button = (key, title, glyph, does) => h("button", { type: "button", "data-key": key, "aria-label": title, title, onclick: does }, glyph);
    const go = (step) => { this.pause(); this.show(step()); };
    this.playButton = button("play", "Play (space)", icon("play"), () => (this.playing ? this.pause() : this.play()));
    this.live = h("button", { type: "button", "data-key": "live", title: "The newest move, and on (L)", onclick: () => this.follow() }, "Live");
    this.slider = h("input", { type: "range", min: "0", max: String(this.steps), value: String(this.step), "aria-label": "Step", oninput: (event) => go(() => Number(event.target.value)) });
    this.position = h("output", {});
    const eyes = h("select", { onchange: (event) => { this.seat = event.target.value === "" ? null : Number(event.target.value); this.show(this.step); } }, h("option", { value: "" }, "all hands open"), this.about.seats.map((name, i) => h("option", { value: String(i), selected: this.seat === i }, `as ${name} sees it`)));
    const speed = h("select", { onchange: (event) => { this.speed = Number(event.target.value); } }, SPEEDS.map(([value, words]) => h("option", { value, selected: value === "1" }, `${words} ×`)));
    fill(this.bar, button("first", "To the deal (home)", icon("first"), () => go(() => 0)),
      button("back", "A step back (left)", icon("back"), () => go(() => this.step - 1)),
      this.playButton,
      button("next", "A step on (right)", icon("next"), () => go(() => this.step + 1)),
      button("last", "To the end (end)", icon("last"), () => go(() => this.steps)),
      this.live, this.slider, this.position,
      h("label", {}, h("span", { class: "unseen" }, "Speed"), speed),
      h("label", {}, h("span", { class: "unseen" }, "Hands"), eyes),
      button("link", "Copy a link to this moment", "Link", () => this.link()),
      h("a", { class: "button", href: "#ask", onclick: (event) => { event.currentTarget.href = `#ask=${this.box}/${this.game}/${this.step}`; } }, "Ask an agent"),
      h("a", { class: "button", href: `#games=${this.box}` }, "All games"),
    );
  }

  /** Copies the address of the moment that is shown. */
  async link() {
    const field = h("input", { class: "unseen", readonly: true, value: location.href });
    this.bar.append(field);
    toast((await copied(field)) ? "Link copied." : "Your browser does not let this page copy: copy the address of the page.");
    field.remove();
    this.bar.querySelector('[data-key="link"]').focus();
  }

  /** Plays on at a pace, and waits at the newest step for the next. */
  play() {
    if (this.step >= this.steps && !this.about.going) this.step = -1;
    fill(this.playButton, icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause (space)");
    say("Playing");
    const playing = {};
    this.playing = playing;
    const tick = async () => {
      if (this.step < this.steps) await this.show(this.step + 1);
      if (this.playing === playing) this.timer = setTimeout(tick, 1100 / this.speed);
    };
    this.timer = setTimeout(tick, 0);
  }

  /** Shows the newest move, and every one that comes. */
  follow() {
    this.pause();
    this.following = true;
    this.show(this.steps);
    say("Live");
  }

  pause() {
    this.following = false;
    this.playing = null;
    clearTimeout(this.timer);
    if (!this.playButton) return;
    fill(this.playButton, icon("play"));
    this.playButton.setAttribute("aria-label", "Play (space)");
    this.live.setAttribute("aria-pressed", "false");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, a") || this.steps === undefined) return;
    const to = { ArrowRight: this.step + 1, ArrowLeft: this.step - 1, Home: 0, End: this.steps }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.pause();
      this.show(to);
    } else if (event.key === " " && !event.target.closest("button, summary")) {
      event.preventDefault();
      if (this.playing) this.pause();
      else this.play();
    } else if (event.key.toLowerCase() === "l" && !this.live.hidden) this.follow();
  }
}
