// Choosing a game: variant, options, seats, seed.

import { ask } from "./net.js";
import { cardPicture } from "./cards.js";
import { fill, h, keepingFocus, sentence } from "./dom.js";
import { keep } from "./invitations.js";
import { store } from "./store.js";

const FANS = {
  basic: ["7c", "7d", "7h"], bonus: ["4s", "5s", "6s"], classic: ["Jd", "Jc", "Js"], going_out: ["5h", "WILD", "7h"],
  rummy_cards: ["RUMMY", "GROUP", "SEQUENCE"], gin: ["Qh", "Kh", "Ah"], rummy500: ["As", "Ks", "Qs"],
};
export const TITLES = { basic: "Basic rummy", bonus: "Bonus rummy", classic: "Classic rummy", going_out: "Going out", rummy_cards: "Rummy cards", gin: "Gin", rummy500: "Rummy 500" };

export function lobby(main) {
  main.className = "lobby";
  fill(main, h("p", { class: "words" }, "one moment …"));
  let alive = true;
  ask("/api/catalogue").then((told) => alive && new Lobby(main, told).draw(), (error) => fill(main, h("p", { class: "error" }, error.message)));
  return () => { alive = false; };
}

class Lobby {
  constructor(main, told) {
    this.main = main;
    this.told = told;
    this.variant = told.variants.find((each) => each.name === store.getItem("variant")) ?? told.variants[0];
    this.options = {};
    this.name = store.getItem("name") ?? "You";
    this.seats = this.usual(2);
    this.seed = "";
  }

  usual(count) {
    return Array.from({ length: count }, (_, i) => (i ? this.variant.opponent : "me"));
  }

  /** The fewest and the most seats, which some options change. */
  limits() {
    const flags = Object.keys(this.variant.seats_with).filter((name) => this.options[name]);
    const limits = flags.length ? flags.map((name) => this.variant.seats_with[name]) : [this.variant.seats];
    return [Math.max(...limits.map(([fewest]) => fewest)), Math.min(...limits.map(([, most]) => most))];
  }

  /** Adds seats, or takes the last away, as far as an option demands it. */
  reseat() {
    const [fewest, most] = this.limits();
    while (this.seats.length < fewest) this.seats.push(this.variant.opponent);
    this.seats.length = Math.min(this.seats.length, most);
    this.draw();
  }

  draw() {
    keepingFocus(() => fill(this.main, h("section", { "aria-label": "Variants", class: "variants", role: "radiogroup" }, this.told.variants.map((each) => this.tile(each))),
      h("form", { class: "order", onsubmit: (event) => { event.preventDefault(); this.start(event.submitter?.value ?? "play"); } },
        h("h1", {}, TITLES[this.variant.name] ?? this.variant.name),
        h("p", { class: "words" }, this.variant.summary),
        this.seatRows(),
        this.optionRows(),
        h("p", { class: "error", role: "alert", id: "order-error" }),
        h("div", { class: "buttons" },
          h("button", { class: "main", type: "submit", value: "play" }, "Deal"),
          h("button", { type: "submit", value: "watch" }, "Watch agents play this"),
        ),
      ),
    ));
  }

  tile(variant) {
    const chosen = variant === this.variant;
    return h("button", { class: "tile", type: "button", role: "radio", "aria-checked": String(chosen), "data-key": `variant-${variant.name}`, onclick: () => {
      this.variant = variant;
      this.options = {};
      this.seats = this.usual(2);
      store.setItem("variant", variant.name);
      this.draw();
    } },
      h("span", { class: "fan" }, (FANS[variant.name] ?? ["As", "Ks", "Qs"]).map((card) => cardPicture(card))),
      h("span", { class: "title" }, TITLES[variant.name] ?? variant.name),
    );
  }

  seatRows() {
    const agents = this.variant.agents;
    const [fewest, most] = this.limits();
    const rows = this.seats.map((seat, i) => h("li", {},
      h("label", {}, h("span", { class: "unseen" }, `Seat ${i + 1}`),
        h("select", { "data-key": `seat-${i}`, onchange: (event) => { this.seats[i] = event.target.value; this.draw(); } },
          ["me", "friend", ...agents].map((value) => h("option", { value, selected: value === seat }, value === "me" ? "Me" : value === "friend" ? "A friend, by link" : value)),
          this.told.allow_code ? h("option", { value: seat.includes(":") || seat.includes("/") ? seat : "other", selected: !["me", "friend", ...agents].includes(seat) }, "another …") : null,
        )),
      this.told.allow_code && !["me", "friend", ...agents].includes(seat)
        ? h("input", { value: seat === "other" ? "" : seat, placeholder: "module:Agent or model.npz", "aria-label": "Import string or model", onchange: (event) => { this.seats[i] = event.target.value || "other"; } }) : null,
      this.seats.length > fewest ? h("button", { class: "quiet", type: "button", "data-key": `remove-${i}`, "aria-label": `Remove seat ${i + 1}`, onclick: () => { this.seats.splice(i, 1); this.draw(); } }, "×") : null,
    ));
    return h("fieldset", {}, h("legend", {}, "Who plays"),
      h("label", { class: "field" }, "Your name ", h("input", { value: this.name, maxlength: "24", onchange: (event) => { this.name = event.target.value.trim() || "You"; store.setItem("name", this.name); } })),
      h("ol", { class: "seats" }, rows),
      this.seats.length < most ? h("button", { class: "quiet", type: "button", "data-key": "add", onclick: () => { this.seats.push(this.variant.opponent); this.draw(); } }, "+ a seat") : null,
      h("small", { class: "words" }, fewest === most ? `for ${most} players` : `for ${fewest} to ${most} players`),
    );
  }

  optionRows() {
    const listed = this.variant.options.filter((option) => option.name !== "num_players");
    return h("details", { class: "options", open: this.opened, ontoggle: (event) => { this.opened = event.target.open; } },
      h("summary", {}, "Options and seed"),
      h("label", { class: "field" }, h("span", {}, "seed"), h("input", { inputmode: "numeric", value: this.seed, placeholder: "chance", onchange: (event) => { this.seed = event.target.value.trim(); } }), h("small", {}, "The same number deals the same cards. Whoever knows it can work them out.")),
      listed.map((option) => h("label", { class: "field" }, h("span", {}, option.name.replaceAll("_", " ")), this.input(option), h("small", {}, option.meaning))),
    );
  }

  input(option) {
    const value = option.name in this.options ? this.options[option.name] : option.default;
    const set = (given) => {
      if (given === option.default) delete this.options[option.name];
      else this.options[option.name] = given;
      if (option.name in this.variant.seats_with) this.reseat();
    };
    if (option.choices) {
      const choices = option.default === null ? [null, ...option.choices] : option.choices;
      return h("select", { "data-key": `option-${option.name}`, onchange: (event) => set(choices[event.target.selectedIndex]) },
        choices.map((choice) => h("option", { selected: choice === value }, choice === null ? "as usual" : choice === true ? "yes" : choice === false ? "no" : String(choice).replaceAll("_", " "))));
    }
    const shown = value === null && option.default !== null ? "none" : value ?? "";
    return h("input", { value: shown, placeholder: option.default ?? "as usual", title: option.values, inputmode: "numeric", "data-key": `option-${option.name}`, onchange: (event) => {
      const text = event.target.value.trim();
      set(text === "" ? option.default : text.toLowerCase() === "none" ? null : /^-?\d+$/.test(text) ? Number(text) : text);
    } });
  }

  order(watching) {
    const several = this.seats.filter((seat) => seat === "friend").length > 1;
    let friends = 0;
    const seats = this.seats.map((seat) => {
      if (seat !== "me" && seat !== "friend") return { agent: seat };
      if (watching) return { agent: this.variant.opponent };
      if (seat === "me") return { person: this.name };
      friends += 1;
      return { person: several ? `Friend ${friends}` : "Friend" };
    });
    if (this.seed && !/^\d{1,16}$/.test(this.seed)) throw new Error(`seed ${this.seed}: give a whole number, or nothing for chance`);
    return { variant: this.variant.name, options: this.options, seats, seed: this.seed ? Number(this.seed) : null };
  }

  async start(what) {
    const error = document.getElementById("order-error");
    error.textContent = "";
    try {
      if (what === "watch") {
        const { box, game } = await ask("/api/matches", this.order(true));
        location.hash = `watch=${box}&game=${game}&step=0&play=1`;
        return;
      }
      const { links } = await ask("/api/tables", this.order(false));
      const mine = this.seats.findIndex((seat) => seat === "me");
      const own = links.find((link) => link.seat === mine) ?? links[0];
      const others = links.filter((link) => link !== own);
      keep(own.token, others);
      location.hash = `seat=${own.token}`;
    } catch (problem) {
      error.textContent = sentence(plainly(problem.message));
    }
  }
}

/** Writes options, such as hand_size=60, as the form names them. */
function plainly(message) {
  return message.replace(/\b([a-z]+(?:_[a-z]+)*)=/g, (_, name) => `${name.replaceAll("_", " ")} `);
}
