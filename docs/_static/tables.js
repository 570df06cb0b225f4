/* On a narrow screen, a table that is wider than its place is shown as blocks: a row in each, its cells below each
   other. On a wide one it scrolls by itself. */
"use strict";

function fit(table) {
  const place = table.closest(".table-wrapper") || table.parentElement;
  table.classList.remove("blocks");
  const narrow = matchMedia("(max-width: 46em)").matches;
  table.classList.toggle("blocks", narrow && table.scrollWidth > place.clientWidth + 1);
}

document.addEventListener("DOMContentLoaded", () => {
  const tables = [...document.querySelectorAll("table.docutils")];
  for (const table of tables) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, column) => {
        cell.dataset.label = heads[column] || "";
        cell.classList.toggle("nothing", !cell.textContent.trim());
      });
    }
  }
  const all = () => tables.forEach(fit);
  all();
  window.addEventListener("load", all);
  window.addEventListener("resize", all);
});
