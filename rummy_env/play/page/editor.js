// A position as cards: pick one up and put it elsewhere. What may lie where, the server says.

import { Keys, meld, notes, plate } from "./board.js";
import { cardPicture, cardWords, sorted } from "./cards.js";
import { Dragging } from "./drag.js";
import { fill, h, keepingFocus, say, sentence } from "./dom.js";
import { moving } from "./motion.js";

export class Editor {
  /** `changed()` is told when a card was put elsewhere, `undo()` when the last change is to go. */
  constructor({ changed, undo }) {
    this.changed = changed;
    this.undo = undo;
    this.picked = null;
    this.focused = {};
    this.board = h("div", { class: "felt" });
    this.bar = h("div", { class: "bar" });
    this.element = h("div", { class: "editor", role: "group", "aria-label": "Cards", onkeydown: (event) => this.key(event) }, this.board, this.bar);
    this.dragging = new Dragging(this.board, {
      movable: ".loose", ordered: ["discards", "stock"],
      lit: () => new Set(this.places().map((place) => place.name)),
      drop: (from, to, cards, index, before) => { this.picked = { from, index }; this.put(to, before); },
    });
  }

  /** Shows a snapshot, which is then changed as cards are moved; `scene` tells of its seats. */
  show(table, scene) {
    this.table = table;
    this.scene = scene;
    if (!this.card(this.picked)) this.picked = null;
    this.draw();
  }

  /** Where cards lie; `cards` is the list of the snapshot, `shown` its order on the page. */
  places() {
    const hands = this.table.hands.map((cards, seat) => ({ name: `hand-${seat}`, title: this.scene.seats[seat].label, seat, cards, shown: sorted(cards), key: String((seat + 1) % 10) }));
    const pile = (name, title, cards, key) => ({ name, title, cards, shown: cards, key });
    return [...hands, pile("discards", "Discards, the top last", this.table.discard, "D"), pile("stock", "Stock, the next card first", this.table.stock, "S")];
  }

  place(name) {
    return this.places().find((place) => place.name === name);
  }

  /** The card of a choice; undefined where there is none. */
  card(picked) {
    return picked ? this.place(picked.from)?.shown[picked.index] : undefined;
  }

  draw() {
    const keys = new Keys();
    moving(this.board, () => keepingFocus(() => {
      const melds = this.table.melds ?? [];
      fill(this.board, this.places().map((place) => this.drawPlace(place, keys)),
        melds.length ? h("div", { class: "laid", role: "group", "aria-label": "Melds on the table" }, melds.map((each) => meld(each, keys))) : null,
        notes(this.scene.notes));
      this.drawBar();
    }));
  }

  drawPlace(place, keys) {
    const first = Math.min(this.focused[place.name] ?? 0, place.shown.length - 1);
    const count = `${place.shown.length} ${place.shown.length === 1 ? "card" : "cards"}`;
    const heading = place.seat === undefined ? h("div", { class: "plate" }, h("span", { class: "name" }, place.title)) : plate(this.scene.seats[place.seat]);
    heading.append(h("span", { class: "badge" }, count));
    const cards = place.shown.map((card, index) => {
      const picked = this.picked?.from === place.name && this.picked.index === index;
      return h("button", { class: `loose${picked ? " chosen" : ""}`, type: "button", "aria-pressed": String(picked), "aria-label": cardWords(card), "data-card": keys.of(card), "data-index": index, "data-key": `${place.name}-${index}`, tabindex: index === first ? "0" : "-1",
        onfocus: () => { this.focused[place.name] = index; }, onclick: (event) => { event.stopPropagation(); this.touch(place, index); } }, cardPicture(card));
    });
    return h("section", { class: `place seat${this.table.to_move === place.seat ? " to-move" : ""}`, "data-zone": place.name, "aria-label": `${place.title}, ${count}`, onclick: () => this.picked && !this.dragging.justDropped && this.put(place.name) },
      heading, h("div", { class: "row-of-cards" }, cards));
  }

  drawBar() {
    const card = this.card(this.picked);
    const put = (key, title, to, before) => h("button", { class: "put", type: "button", "data-put": key, "data-key": `put-${key}`, onclick: () => this.put(to, before) }, h("kbd", {}, key), title);
    const seats = this.places().filter((place) => place.seat !== undefined);
    const targets = () => [...seats.map((place) => put(place.key, place.title, place.name)), put("D", "Discards", "discards"), put("S", "Next in the stock", "stock", 0), put("L", "Last in the stock", "stock"),
      h("button", { class: "quiet", type: "button", onclick: () => this.drop() }, h("kbd", {}, "esc"), "Leave it")];
    fill(this.bar, h("div", { class: "moves", role: "group", "aria-label": "Where the card goes" },
      h("span", {}, card ? `${sentence(cardWords(card))} goes to` : "Pick up a card, by a click, space or enter, or drag it."), card ? targets() : null,
      h("button", { class: "quiet", type: "button", "data-key": "undo", onclick: () => this.undo() }, h("kbd", {}, "U"), "Undo")));
  }

  /** A card is picked up; or it is where the one in the hand goes: in a pile before it. */
  touch(place, index) {
    if (this.dragging.justDropped) return;
    const same = this.picked?.from === place.name;
    if (same && this.picked.index === index) this.drop();
    else if (this.picked && !(same && place.seat !== undefined)) this.put(place.name, index);
    else {
      this.picked = { from: place.name, index };
      this.draw();
      say(`${cardWords(this.card(this.picked))} picked up`);
    }
  }

  /** Leaves the card where it was. */
  drop() {
    this.picked = null;
    this.draw();
  }

  /** Puts the card that was picked up into a place; in a pile before another card, or last. */
  put(name, before) {
    const card = this.card(this.picked), from = this.place(this.picked.from), to = this.place(name);
    const at = from.cards === from.shown ? this.picked.index : from.cards.indexOf(card);
    const gap = before === undefined ? to.cards.length : before;
    from.cards.splice(at, 1);
    to.cards.splice(from.name === to.name && gap > at ? gap - 1 : gap, 0, card);
    if (from.seat !== undefined) this.forget(from.seat, card);
    if (to.seat !== undefined) to.cards.sort();
    this.picked = null;
    this.focused[name] = this.place(name).shown.indexOf(card);
    this.draw();
    this.board.querySelector(`[data-key="${name}-${this.focused[name]}"]`)?.focus({ preventScroll: true });
    say(`${cardWords(card)} put to ${to.title}`);
    this.changed();
  }

  /** What is known of a hand are cards that it holds. */
  forget(seat, card) {
    const count = (cards) => cards.filter((other) => other === card).length;
    const known = this.table.known?.[seat];
    if (known && count(known) > count(this.table.hands[seat])) known.splice(known.indexOf(card), 1);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = event.target.closest(".loose");
    const put = this.picked && this.bar.querySelector(`[data-put="${event.key.toUpperCase()}"]`);
    if (put) put.click();
    else if (event.key === "Escape") this.drop();
    else if (event.key.toLowerCase() === "u") this.undo();
    else if (!card || !this.walk(card, event.key)) return;
    event.preventDefault();
  }

  /** Moves the keyboard from a card: left and right in its place, up and down to the next place. */
  walk(card, key) {
    const names = this.places().filter((place) => place.shown.length).map((place) => place.name);
    const name = card.closest("[data-zone]").dataset.zone, index = Number(card.dataset.index);
    const along = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: this.place(name).shown.length - 1 }[key];
    const across = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (along === undefined && across === undefined) return false;
    const next = across ? names[names.indexOf(name) + across] : name;
    const to = across ? Math.min(this.focused[next] ?? 0, (this.place(next)?.shown.length ?? 1) - 1) : along;
    this.board.querySelector(`[data-key="${next}-${to}"]`)?.focus();
    return true;
  }
}
