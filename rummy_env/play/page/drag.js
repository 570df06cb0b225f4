// Dragging cards by mouse, pen or finger.

const FAR = 8;

export class Dragging {
  /**
   * `drop(from, to, cards, index, before)` is told where cards were let go, `lit(from, cards)` gives
   * the places that are to be lit meanwhile. What matches `movable` can be dragged, in a place that
   * is one of `ordered` also to another position there.
   */
  constructor(root, { drop, lit, movable = ".in-hand, .pile.lit, .open.lit", ordered = ["hand"] }) {
    this.root = root;
    this.movable = movable;
    this.ordered = ordered;
    this.drop = drop;
    this.lit = lit;
    this.justDropped = false;
    root.addEventListener("pointerdown", (event) => this.down(event));
  }

  down(event) {
    if (event.button !== 0) return;
    const card = event.target.closest(this.movable);
    if (!card) return;
    const start = { card, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
    const move = (moved) => this.move(start, moved);
    const end = (ended) => {
      if (ended.pointerId !== start.pointer) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (start.ghost) this.end(start, ended);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  move(start, event) {
    if (event.pointerId !== start.pointer) return;
    if (!start.ghost) {
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
      this.lift(start);
    }
    event.preventDefault();
    start.ghost.style.transform = `translate(${event.clientX - start.x}px, ${event.clientY - start.y}px) rotate(2deg)`;
  }

  lift(start) {
    const { card } = start;
    start.from = card.closest("[data-zone]").dataset.zone;
    const own = card.dataset.card ?? (card.classList.contains("open") ? card.querySelector("[data-card]").dataset.card : null);
    start.cards = own ? [own.split("#")[0]] : null;
    if (start.from === "hand" && card.getAttribute("aria-pressed") === "true") {
      start.cards = [...this.root.querySelectorAll(".in-hand.chosen")].map((each) => each.dataset.card.split("#")[0]);
    }
    const picture = card.querySelector("svg");
    const box = picture.getBoundingClientRect();
    start.ghost = picture.cloneNode(true);
    start.ghost.classList.add("ghost");
    Object.assign(start.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    document.body.append(start.ghost);
    card.classList.add("lifted");
    const reach = this.lit(start.from, start.cards);
    for (const zone of this.root.querySelectorAll("[data-zone]")) zone.classList.toggle("reach", reach.has(zone.dataset.zone) && zone.dataset.zone !== start.from);
  }

  end(start, event) {
    start.ghost.remove();
    start.card.classList.remove("lifted");
    for (const zone of this.root.querySelectorAll(".reach")) zone.classList.remove("reach");
    this.justDropped = true;
    setTimeout(() => { this.justDropped = false; }, 50);
    if (event.type === "pointercancel") return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const zone = under?.closest("[data-zone]");
    if (!zone || (zone.dataset.zone === start.from && !this.ordered.includes(start.from))) return;
    const index = Number(start.card.dataset.index);
    const target = under.closest("[data-index]");
    const box = target?.getBoundingClientRect();
    const before = target ? Number(target.dataset.index) + (event.clientX > box.left + box.width / 2 ? 1 : 0) : zone.querySelectorAll("[data-index]").length;
    this.drop(start.from, zone.dataset.zone, start.cards, index, before);
  }
}
