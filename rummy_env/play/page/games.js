// Recorded games: a list, and files that are dropped.

import { ask } from "./net.js";
import { fill, h, sentence, toast } from "./dom.js";

const MOST = 500;

/** Takes a file that is dropped or chosen, and shows what it holds. */
async function bring(file) {
  try {
    const told = await ask("/api/records", file);
    location.hash = told.games.length === 1 && !told.games[0].error ? `watch=${told.box}&game=1&step=0` : `games=${told.box}`;
  } catch (error) {
    toast(sentence(error.message));
  }
}

/** Records may be dropped anywhere on a view. */
export function droppable(main) {
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
    count.textContent = `${shown.length} of ${all.length} games${shown.length > MOST ? `; the latest ${MOST} are listed` : ""}`;
    fill(rows, ...shown.slice(0, MOST).map((game) => (game.error ? damaged(game) : row(told.box, game))));
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
