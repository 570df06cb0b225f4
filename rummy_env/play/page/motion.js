// Cards move from where they lay to where they lie now.

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Draws anew, and moves what was moved: elements with the same `data-card`.
 * A card that was not there before comes from the element that `origin` names for it.
 */
export function moving(root, draw, origin) {
  if (calm.matches || document.hidden) {
    draw();
    return;
  }
  const before = places(root);
  draw();
  for (const [key, { element, box }] of places(root)) {
    const old = before.get(key)?.box ?? origin?.(element)?.getBoundingClientRect();
    if (old && old.width) slide(element, old, box, !before.has(key));
  }
}

function places(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-card]")) {
    found.set(element.dataset.card, { element, box: element.getBoundingClientRect() });
  }
  return found;
}

function slide(element, from, to, fresh) {
  const x = from.left - to.left, y = from.top - to.top;
  if (Math.abs(x) < 2 && Math.abs(y) < 2) return;
  const scale = to.width ? from.width / to.width : 1;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0", zIndex: 20, opacity: fresh ? 0.6 : 1 },
      { transform: "none", transformOrigin: "0 0", zIndex: 20, opacity: 1 },
    ],
    { duration: fresh ? 340 : 240, easing: "cubic-bezier(.2,.8,.25,1)" },
  );
}
