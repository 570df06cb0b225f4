// The page: which of its views the address asks for.

import { h } from "./dom.js";
import { lobby } from "./lobby.js";
import { play } from "./play.js";
import { games } from "./games.js";
import { watch } from "./watch.js";
import { position } from "./position.js";
import { store } from "./store.js";

let leave = null;

function themeButton() {
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = h("button", { class: "quiet", type: "button", "aria-label": "Change between light and dark", title: "Light or dark", onclick: () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    store.setItem("theme", document.documentElement.dataset.theme);
  } }, "◐");
  return button;
}

function heading() {
  return h("header", { class: "top" },
    h("a", { href: "#", class: "brand" }, "rummy_env"),
    h("nav", { "aria-label": "Pages" },
      h("a", { href: "#" }, "Play"),
      h("a", { href: "#games=here" }, "Watch"),
      h("a", { href: "#ask" }, "Ask"),
    ),
    themeButton(),
  );
}

function show() {
  leave?.();
  leave = null;
  const asked = new URLSearchParams(location.hash.slice(1));
  const main = h("main", {});
  document.getElementById("app").replaceChildren(heading(), main);
  if (asked.has("seat")) leave = play(main, asked.get("seat"));
  else if (asked.has("watch")) leave = watch(main, asked);
  else if (asked.has("games")) leave = games(main, asked.get("games"));
  else if (asked.has("ask")) leave = position(main, asked);
  else leave = lobby(main);
}

const theme = store.getItem("theme");
if (theme) document.documentElement.dataset.theme = theme;
addEventListener("hashchange", show);
show();
