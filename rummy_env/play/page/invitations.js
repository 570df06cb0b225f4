// Links for the others at a table: each is shown until somebody has used it.

import { copied, fill, h, toast } from "./dom.js";
import { store } from "./store.js";

const named = (token) => `links-${token}`;

/** Keeps the links of a table in this browser, for the page of the seat that has a token. */
export function keep(token, links) {
  if (links.length) store.setItem(named(token), JSON.stringify(links));
  else store.removeItem(named(token));
}

export class Invitations {
  constructor(token) {
    this.token = token;
    this.links = JSON.parse(store.getItem(named(token)) ?? "[]");
    this.element = h("div", { class: "links", hidden: true });
  }

  /** The seat has another token now; links are good at an address, by default that of this page. */
  seated(token, outside) {
    keep(this.token, []);
    this.token = token;
    this.at = outside ?? `${location.origin}/`;
    keep(token, this.links);
    this.draw();
  }

  /** Leaves out the links that were used: whether each seat is taken is told from `seat` on. */
  told(taken, seat) {
    const open = this.links.filter((link) => !taken[(link.seat - seat + taken.length) % taken.length]);
    if (open.length === this.links.length) return;
    this.links = open;
    keep(this.token, open);
    this.draw();
  }

  draw() {
    this.element.hidden = !this.links.length;
    fill(this.element, h("p", { class: "words" }, "Links for the others; each is good for one person:"),
      h("div", { class: "each" }, this.links.map((link) => this.row(link))),
      h("button", { type: "button", class: "quiet", onclick: () => { this.element.hidden = true; } }, "Hide"));
  }

  row(link) {
    const field = h("input", { readonly: true, value: `${this.at}#seat=${link.token}`, "aria-label": `Link for ${link.name}`, onfocus: (event) => event.target.select() });
    const copy = async () => toast((await copied(field)) ? "Copied." : "Your browser does not let this page copy: copy it from the field.");
    return h("div", {}, h("span", {}, link.name), field, h("button", { type: "button", "aria-label": `Copy the link for ${link.name}`, onclick: copy }, "Copy"));
  }
}
