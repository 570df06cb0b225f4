// A seat at a table: the page shows what it is told, and offers the actions that it is told are legal.

import { SeatSocket, secret } from "./net.js";
import { Keys, middle, otherSeats, plate } from "./board.js";
import { cardPicture, cardWords, sorted } from "./cards.js";
import { Dragging } from "./drag.js";
import { fill, h, keepingFocus, say, sentence, toast } from "./dom.js";
import { Invitations } from "./invitations.js";
import { Side } from "./side.js";
import { moving } from "./motion.js";
import { store } from "./store.js";

const MOST_MOVES = 9; // one for each digit

export function play(main, token) {
  const table = new SeatAtTable(main, token);
  return () => table.leave();
}

/** True if both lists have the same cards, in any order. */
function sameCards(some, others) {
  return some.length === others.length && [...some].sort().join() === [...others].sort().join();
}

class SeatAtTable {
  constructor(main, token) {
    this.main = main;
    main.className = "playing";
    this.state = null;
    this.order = [];
    this.chosen = new Set();
    this.melds = [];
    const known = store.getItem(`seat-${token}`) ?? token;
    const own = store.getItem(`own-${token}`) ?? secret();
    store.setItem(`own-${token}`, own);
    this.invitations = new Invitations(known);
    this.board = h("div", { class: "felt" });
    this.bar = h("div", { class: "bar" });
    this.below = h("div", { class: "below" }, this.bar);
    this.banner = h("p", { class: "banner", role: "status", hidden: true }, "Connection lost: coming back …");
    this.side = new Side({ ask: (message) => this.socket.send(message), chosen: (action) => this.act(action) });
    this.table = h("div", { class: "table" }, this.banner, this.invitations.element, this.board, this.below);
    fill(main, this.table, this.side.element);
    this.dragging = new Dragging(this.table, { drop: (...told) => this.dropped(...told), lit: (from, cards) => this.light(from, cards) });
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.socket = new SeatSocket(known, own, { heard: (message) => this.heard(message, token), changed: (open) => { this.banner.hidden = open; }, gone: (why) => this.gone(why) });
  }

  leave() {
    this.socket.close();
    document.removeEventListener("keydown", this.keys);
    document.title = "rummy_env";
    document.querySelector("dialog.which")?.close();
  }

  heard(message, token) {
    if (message.type === "table") this.told(message);
    else if (message.type === "seated") {
      store.setItem(`seat-${token}`, message.token);
      store.removeItem(`own-${token}`);
      history.replaceState(null, "", `#seat=${message.token}`);
      this.side.offer(message.agents, message.usual);
      this.invitations.seated(message.token, message.outside);
    } else if (message.type === "present") this.present(message);
    else if (message.type === "refused") toast(sentence(message.why));
    else if (message.type === "melds") this.showMelds(message.melds);
    else if (message.type === "mind") this.side.mind(message, this.state?.version);
    else if (message.type === "coach") this.side.coach(message, this.state?.game);
  }

  /** Nobody sits here by this page, and it cannot come back. */
  gone(why) {
    this.state = null;
    document.title = "rummy_env";
    this.banner.hidden = this.invitations.element.hidden = true;
    fill(this.below);
    fill(this.board, h("section", { class: "gone", role: "alert" },
      h("h1", {}, "You have no seat here"), h("p", { class: "error" }, sentence(why)), h("a", { class: "button", href: "#" }, "Set a new table")));
  }

  present({ present, taken }) {
    if (!this.state) return;
    Object.assign(this.state, { present, taken });
    this.invitations.told(taken, this.state.seat);
    this.draw();
  }

  told(state) {
    const before = this.state;
    this.state = state;
    this.side.log(state.log, state.scene.seats.map((seat) => seat.label));
    this.arrange(state.scene.seats[0].hand);
    if (!before || before.version !== state.version) {
      this.chosen.clear();
      this.melds = [];
    }
    const last = state.log.lines.filter(([place]) => place >= 0).at(-1);
    moving(this.table, () => keepingFocus(() => this.draw()), (card) => this.origin(card, last));
    this.invitations.told(state.taken, state.seat);
    this.announce(before);
    this.side.turn(state);
  }

  /** Where a card comes from that was not seen before: the seat that moved last, or the stock. */
  origin(card, last) {
    if (card.closest(".own")) return this.board.querySelector('[data-zone="stock"]');
    return last ? this.table.querySelector(`[data-place="${last[0]}"]`) : null;
  }

  /** Keeps the order of a hand, new cards at the end; one that was dealt anew is sorted. */
  arrange(hand) {
    const cards = hand === null ? [] : [...hand.melds.flat(), ...hand.cards];
    const left = [...cards];
    const kept = this.order.filter((card) => {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
    const deal = `${this.state.game}/${this.state.scene.hand_number}`;
    this.order = deal === this.deal ? [...kept, ...left] : sorted(cards);
    this.deal = deal;
  }

  announce(before) {
    const { state } = this;
    if (before?.version === state.version) return;
    const last = state.log.lines.at(-1);
    const said = last ? `${last[0] > 0 ? `${state.scene.seats[last[0]].label}: ` : ""}${last[1]}. ` : "";
    say(`${said}${state.mine ? `Your turn: ${state.scene.phase}.` : ""}`);
    document.title = state.mine ? "● Your turn · rummy_env" : "rummy_env";
  }

  chosenCards() {
    return [...this.chosen].map((index) => this.order[index]).filter(Boolean);
  }

  /** The legal actions that move such cards from a place to a place; null for any. */
  moves(from, to, cards = null) {
    return (this.state?.legal ?? []).filter((each) => (from === null || each.from === from) && (to === null || each.to === to) && (cards === null || sameCards(each.cards, cards)));
  }

  lit(place, cards) {
    if (place === "stock") return this.moves("stock", "hand").length > 0;
    if (place === "put") return this.chosen.size > 0 && this.moves("hand", "discards", this.chosenCards()).length > 0;
    if (place === "discards") {
      if (cards) return this.moves("discards", "hand", cards).length > 0;
      return this.moves("discards", "hand").length > 0 || this.lit("put");
    }
    return this.chosen.size > 0 && this.moves("hand", "table", this.chosenCards()).length > 0;
  }

  /** What a drag could reach, lit while it lasts. */
  light(from, cards) {
    const reach = new Set(["hand"]);
    for (const each of this.state?.legal ?? []) {
      const fits = from === "hand" ? cards.every((card) => each.cards.includes(card)) : cards === null || !each.cards.length || sameCards(each.cards, cards);
      if (each.from === from && fits) reach.add(each.to);
    }
    return reach;
  }

  draw() {
    const { state } = this;
    const keys = new Keys();
    const own = this.own(state.scene.seats[0], keys);
    const said = (place) => {
      const lines = this.side.lines.filter(([who]) => who >= 0);
      const line = lines.findLast(([who]) => who === place);
      return { said: line?.[1], latest: line !== undefined && line === lines.at(-1), away: state.present && !state.present[place] };
    };
    fill(this.board, otherSeats(state.scene, keys, 1, said),
      middle(state.scene, keys, { lit: (...told) => this.lit(...told), tap: (...told) => this.tap(...told) }));
    fill(this.below, own, this.bar);
    this.board.dataset.version = state.version;
    this.drawBar();
  }

  own(seat, keys) {
    return h("section", { class: "own seat", "data-place": 0, "aria-label": "Your seat" },
      this.state.over ? h("p", { class: "result" }, this.result()) : null,
      h("div", { class: "above" }, plate(seat), this.status(), this.tools()), this.hand(seat, keys));
  }

  status() {
    const { state } = this;
    if (state.trouble) return h("p", { class: "status error" }, state.trouble);
    if (state.over) return null;
    if (state.mine) return h("p", { class: "status mine" }, `Your turn: ${state.scene.phase}`);
    const mover = state.scene.seats.find((seat) => seat.to_move);
    return h("p", { class: "status" }, mover ? `${mover.label} is to move` : "");
  }

  result() {
    const { game, over, scene, wins } = this.state;
    const names = over.winners.map((place) => (place === 0 ? "you" : scene.seats[place].label));
    const won = names.length ? `${names.join(" and ")} won` : "nobody won";
    const games = game > 1 ? `. Games won: ${wins.map((count, place) => `${scene.seats[place].label} ${count}`).join(", ")}` : "";
    return sentence(`${won}: ${over.how}${games}`);
  }

  tools() {
    return h("div", { class: "tools" },
      h("button", { type: "button", class: "quiet", "data-key": "sort", title: "Sort the hand (S)", onclick: () => this.sort() }, "Sort"),
      h("button", { type: "button", class: "quiet", "data-key": "melds", title: "Show melds in the hand (M)", onclick: () => this.socket.send({ type: "melds" }) }, "Melds"),
      h("button", { type: "button", class: "quiet", "data-key": "undo", title: "Take the last action back (U)", disabled: !this.state.undo, onclick: () => this.undo() }, "Undo"),
    );
  }

  hand(own, keys) {
    if (own.hand === null) return h("p", { class: "words" }, "You sit this hand out.");
    const colours = this.coloursOfMelds();
    const cards = this.order.map((card, index) => this.handCard(card, index, keys, colours[index]));
    const rows = this.order.length > 12 ? 2 : 1;
    return h("div", { class: "hand", role: "group", "aria-label": `Your hand, ${this.order.length} cards`, "data-zone": "hand", "data-many": this.order.length > 11, "data-rows": rows }, cards);
  }

  handCard(card, index, keys, colour) {
    const chosen = this.chosen.has(index);
    const useful = (this.state.legal ?? []).some((each) => each.from === "hand" && each.cards.includes(card));
    const first = [...this.chosen].at(-1) ?? this.focused ?? 0;
    return h("button", {
      class: `in-hand${chosen ? " chosen" : ""}${useful ? "" : " idle"}`, type: "button", "aria-pressed": String(chosen), "aria-label": `${cardWords(card)}${colour ? `, meld ${colour}` : ""}`,
      "data-index": index, "data-key": `hand-${index}`, "data-card": keys.of(card), "data-meld": colour || null, tabindex: index === Math.min(first, this.order.length - 1) ? "0" : "-1",
      onclick: () => this.choose(index), onfocus: () => { this.focused = index; },
    }, cardPicture(card));
  }

  coloursOfMelds() {
    const found = {};
    this.melds.forEach((meld, number) => {
      for (const card of meld) {
        const index = this.order.findIndex((other, i) => other === card && !(i in found));
        if (index >= 0) found[index] = (number % 4) + 1;
      }
    });
    return found;
  }

  showMelds(melds) {
    this.melds = melds;
    if (!melds.length) toast("No meld in your hand yet.");
    else {
      const flat = melds.flat();
      const rest = [...this.order];
      const front = flat.filter((card) => rest.includes(card) && rest.splice(rest.indexOf(card), 1).length);
      this.order = [...front, ...sorted(rest)];
      this.byRank = undefined;
      this.chosen.clear();
      say(`Melds: ${melds.map((meld) => meld.map(cardWords).join(", ")).join("; ")}`);
    }
    moving(this.table, () => keepingFocus(() => this.draw()));
  }

  sort() {
    this.byRank = this.byRank === false; // by suit, unless that is how they lie
    this.order = sorted(this.order, this.byRank);
    this.chosen.clear();
    moving(this.table, () => keepingFocus(() => this.draw()));
  }

  choose(index) {
    if (this.dragging.justDropped) return;
    if (this.chosen.has(index)) this.chosen.delete(index);
    else this.chosen.add(index);
    keepingFocus(() => this.draw());
  }

  drawBar() {
    const { state } = this;
    const cards = this.chosenCards();
    const offered = state.legal.filter((each) => (cards.length ? sameCards(each.cards, cards) : !each.cards.length || each.to === "table"));
    const buttons = offered.slice(0, MOST_MOVES).map((each, i) => h("button", { type: "button", class: "move", "data-action": each.action, "data-key": `move-${each.action}`, onclick: () => this.act(each.action) }, h("kbd", {}, i + 1), sentence(each.words)));
    const hint = state.mine ? this.hint(offered.length, cards) : null;
    const more = state.over ? [h("button", { type: "button", class: "main", "data-key": "again", onclick: () => this.socket.send({ type: "again", version: state.version }) }, "Deal again"), h("a", { class: "button", href: state.recorded ? `#watch=here&game=${state.recorded}&step=0` : "#games=here" }, "Watch it again")] : [];
    fill(this.bar, h("div", { class: "moves", role: "group", "aria-label": "Your moves" }, buttons, hint, more));
  }

  /** What to do where no move is offered, or more than there are buttons for. */
  hint(offered, cards) {
    const words = offered > MOST_MOVES ? `${offered - MOST_MOVES} more: choose cards.` : cards.length ? this.hintFor(cards) : "Choose a card.";
    return offered && offered <= MOST_MOVES ? null : h("p", { class: "words" }, words);
  }

  hintFor(cards) {
    const possible = movesWith(this.state.legal, cards);
    if (possible.length) return `${possible.length} ${possible.length === 1 ? "move has" : "moves have"} these cards and more: ${possible.slice(0, 3).map((each) => each.words).join("; ")}`;
    return "Nothing can be done with these cards now.";
  }

  act(action) {
    this.socket.send({ type: "play", version: this.state.version, action });
  }

  undo() {
    this.socket.send({ type: "undo", version: this.state.version });
  }

  tap(place, cards) {
    if (place === "stock") return this.oneOf(this.moves("stock", "hand"));
    if (place === "table") return this.oneOf(this.moves("hand", "table", this.chosenCards()));
    const put = this.chosen.size ? this.moves("hand", "discards", this.chosenCards()) : [];
    if (put.length || place === "put") return this.oneOf(put);
    const taken = this.moves("discards", "hand", cards);
    return this.oneOf(taken.length || cards === null ? taken : this.moves("discards", "hand", []));
  }

  dropped(from, to, cards, index, before) {
    if (from === "hand" && to === "hand") return this.reorder(index, before);
    let found = this.moves(from, to, from === "hand" ? cards : null);
    if (from === "discards" && cards) found = found.filter((each) => !each.cards.length || sameCards(each.cards, cards));
    if (from === "hand" && !found.length) found = this.moves(from, to).filter((each) => cards.every((card) => each.cards.includes(card)));
    return this.oneOf(found);
  }

  reorder(index, before) {
    const [card] = this.order.splice(index, 1);
    this.order.splice(before > index ? before - 1 : before, 0, card);
    this.byRank = undefined;
    this.chosen.clear();
    moving(this.table, () => this.draw());
  }

  /** Plays the only action there is, or lets the player choose among several. */
  oneOf(actions) {
    if (actions.length === 1) this.act(actions[0].action);
    else if (actions.length) this.ask(actions);
    else toast(this.state.mine ? "That cannot be done now." : "It is not your turn.");
  }

  ask(actions) {
    const dialog = h("dialog", { class: "which", "aria-label": "Which move?", onclose: () => dialog.remove() },
      h("h2", {}, "Which move?"),
      actions.map((each) => h("button", { type: "button", class: "move", "data-action": each.action, onclick: () => { dialog.close(); this.act(each.action); } }, sentence(each.words))),
      h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"));
    document.body.append(dialog);
    dialog.showModal();
  }

  key(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    const inHand = event.target.closest(".in-hand");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.repeat && !step) return; // a key that is held down plays once
    if (step && (inHand || event.target === document.body)) {
      event.preventDefault();
      const next = ((this.focused ?? (step > 0 ? -1 : 0)) + step + this.order.length) % this.order.length;
      this.below.querySelector(`[data-index="${next}"]`)?.focus();
    } else if (/^[1-9]$/.test(event.key)) {
      this.bar.querySelectorAll(".move")[Number(event.key) - 1]?.click();
    } else if (event.key === "Escape") {
      this.chosen.clear();
      keepingFocus(() => this.draw());
    } else if (event.key === "Enter" && inHand && this.chosen.size) {
      event.preventDefault();
      this.bar.querySelector(".move")?.click();
    } else ({ u: () => this.state.undo && this.undo(), s: () => this.sort(), m: () => this.socket.send({ type: "melds" }) })[event.key.toLowerCase()]?.();
  }
}

/** The actions that are made with these cards and others. */
function movesWith(legal, cards) {
  return legal.filter((each) => cards.every((card) => each.cards.includes(card)));
}
