// A scene on the table, as it is told: seats, piles, melds. It knows no rules.

import { cardPicture, cardShort, cardWords } from "./cards.js";
import { h } from "./dom.js";

/** So many other seats, and more, are drawn smaller. */
const MANY = 4;

/** Gives equal cards different keys, each the same from one drawing to the next. */
export class Keys {
  constructor() {
    this.met = {};
  }

  of(card) {
    this.met[card] = (this.met[card] ?? 0) + 1;
    return `${card}#${this.met[card]}`;
  }
}

/** A card that only lies there. */
function lying(card, keys) {
  const key = card && keys ? keys.of(card) : null;
  return h("span", { class: "lying", role: "img", "aria-label": card ? cardWords(card) : "a card face down", "data-card": key }, cardPicture(card));
}

/** Cards that lie together. */
export function meld(cards, keys) {
  return h("span", { class: "meld", role: "group", "aria-label": cards.map(cardWords).join(", ") }, cards.map((card) => lying(card, keys)));
}

/** The cards of a seat as they lie open or face down. */
function openHand(hand, keys) {
  const shown = 14;
  const backs = Math.min(hand.hidden, shown);
  return h("div", { class: "cards" },
    hand.melds.map((each) => meld(each, keys)),
    hand.cards.length ? h("span", { class: "row" }, hand.cards.map((card) => lying(card, keys))) : null,
    backs ? h("span", { class: "row backs", role: "img", "aria-label": `${hand.hidden} cards face down` }, Array.from({ length: backs }, () => cardPicture(null))) : null,
    hand.laid_off.length ? h("span", { class: "words" }, `laid off ${hand.laid_off.map(cardShort).join(" ")}`) : null,
    hand.deadwood === null ? null : h("span", { class: "words" }, `${hand.deadwood} deadwood`),
  );
}

/** A plate with name, role and points of a seat. */
export function plate(seat, more) {
  const badges = seat.role.split(", ").filter((role) => role && role !== "you");
  return h("div", { class: "plate" },
    h("span", { class: "name" }, seat.label),
    badges.map((role) => h("span", { class: "badge" }, role)),
    seat.won ? h("span", { class: "badge won" }, "winner") : null,
    more?.away ? h("span", { class: "badge away" }, "away") : null,
    h("span", { class: "points" }, seat.points),
  );
}

/** Another player's seat. */
function otherSeat(seat, place, keys, more) {
  return h("section", { class: `seat${seat.to_move ? " to-move" : ""}`, "data-place": place, "aria-label": `${seat.label}${seat.to_move ? ", to move" : ""}` },
    plate(seat, more),
    seat.hand === null ? h("p", { class: "words" }, "sits this hand out") : openHand(seat.hand, keys),
    more?.said ? h("p", { class: `said${more.latest ? " latest" : ""}` }, more.said) : null,
  );
}

/** The seats of a scene from `first` on, up to `end`. */
export function otherSeats(scene, keys, first, more = () => ({}), end = undefined) {
  const seats = scene.seats.slice(first, end);
  return h("div", { class: `others${seats.length >= MANY ? " many" : ""}` }, seats.map((seat, i) => otherSeat(seat, i + first, keys, more(i + first))));
}

/**
 * The middle of the table.
 * `tap(place, cards)` is called for piles and open discards that may be touched,
 * `lit(place, cards)` tells which are alight.
 */
export function middle(scene, keys, { lit = () => false, tap = null } = {}) {
  return h("div", { class: "middle", "data-zone": "table" },
    h("div", { class: "piles" }, stockPile(scene.stock, keys, lit, tap), discardPile(scene.discards, keys, lit, tap)),
    notes(scene.notes),
    tableMelds(scene, keys, lit, tap),
  );
}

function pileButton(place, label, alight, tap, ...content) {
  const inside = { class: `pile${alight ? " lit" : ""}`, "data-zone": place, "data-key": `pile-${place}`, "aria-label": label };
  if (!tap) return h("div", { ...inside, role: "img" }, ...content);
  return h("button", { ...inside, type: "button", "aria-disabled": alight ? null : "true", onclick: () => tap(place, null) }, ...content);
}

function stockPile(stock, keys, lit, tap) {
  const empty = !stock.below && !stock.cards.length;
  const next = stock.cards.length ? lying(stock.cards[0], keys) : empty ? h("span", { class: "hole" }) : cardPicture(null);
  return h("figure", {},
    pileButton("stock", `Stock: ${stock.words}`, lit("stock"), tap, h("span", { class: `stack${stock.below > 1 ? " deep" : ""}` }, next)),
    h("figcaption", {}, h("b", {}, "Stock"), " ", stock.about),
  );
}

function discardPile(discards, keys, lit, tap) {
  const cards = discards.cards;
  if (discards.spread && cards.length > 1) return spreadPile(cards, keys, lit, tap);
  const top = cards.length ? lying(cards.at(-1), keys) : h("span", { class: "hole" });
  return h("figure", {},
    pileButton("discards", `Discards: ${discards.words}`, lit("discards"), tap, h("span", { class: `stack${discards.below ? " deep" : ""}` }, top)),
    h("figcaption", {}, h("b", {}, "Discards"), " ", cards.length ? discards.about : "none"),
  );
}

function spreadPile(cards, keys, lit, tap) {
  const row = cards.map((card, i) => {
    const taken = i === cards.lastIndexOf(card); // of equal cards, the topmost
    const alight = (taken && lit("discards", [card])) || (i === cards.length - 1 && lit("discards", []));
    const inside = { class: `open${alight ? " lit" : ""}`, "aria-label": `${cardWords(card)}, in the discards` };
    if (!tap || !alight) return h("span", { ...inside, role: "img" }, lying(card, keys));
    return h("button", { ...inside, type: "button", "data-key": `open-${i}`, onclick: (event) => { event.stopPropagation(); tap("discards", [card]); } }, lying(card, keys));
  });
  return h("figure", { class: "spread" },
    h("div", { class: `pile${lit("discards") ? " lit" : ""}`, "data-zone": "discards", role: "group", "aria-label": "Discards, the top last", onclick: tap && lit("put") ? () => tap("put", null) : null }, row),
    h("figcaption", {}, h("b", {}, "Discards"), ` ${cards.length}, top at the right`),
  );
}

/** What else lies open, in words. */
export function notes(pairs) {
  return pairs.length ? h("dl", { class: "notes" }, pairs.map(([name, words]) => h("div", {}, h("dt", {}, name), h("dd", {}, words)))) : null;
}

function tableMelds(scene, keys, lit, tap) {
  const melds = [...scene.groups, ...scene.sequences];
  const alight = lit("table");
  if (!melds.length && !alight) return null;
  const touched = tap && alight ? { role: "button", tabindex: "0", "aria-label": "Lay down the chosen cards", "data-key": "zone-table", onclick: () => tap("table", null), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tap("table", null); } } } : { role: "group", "aria-label": "Melds on the table" };
  return h("div", { class: `laid${alight ? " lit" : ""}`, ...touched },
    melds.length ? melds.map((each) => meld(each, keys)) : h("span", { class: "words" }, "lay down here"),
  );
}
