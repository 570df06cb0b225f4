// Playing cards as SVG, drawn here: every face is a symbol that is made once and used by name.

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
const SPECIAL = {
  WILD: { label: ["WILD"], ink: "#7b2fb5", tint: "#f3e8fb" },
  GROUP: { label: ["GROUP"], ink: "#0b6e67", tint: "#e2f4f1" },
  SEQUENCE: { label: ["SEQUENCE"], ink: "#1d5fa8", tint: "#e6effa" },
  RUMMY: { label: ["RUMMY"], ink: "#a86400", tint: "#fdf1da" },
  NO_MELD: { label: ["NO", "MELD"], ink: "#4b5563", tint: "#eceef1" },
  CANT_GO_OUT: { label: ["CAN’T", "GO OUT"], ink: "#a3123a", tint: "#fbe6ec" },
};
const PATHS = {
  h: '<path d="M50 92C21 66 6 49 6 31 6 16 17 7 29 7c10 0 17 6 21 15C54 13 61 7 71 7c12 0 23 9 23 24 0 18-15 35-44 61Z"/>',
  d: '<path d="M50 3C60 23 73 38 88 50 73 62 60 77 50 97 40 77 27 62 12 50 27 38 40 23 50 3Z"/>',
  s: '<path d="M50 4c6 17 44 35 44 58 0 13-9 20-20 20-9 0-16-4-20-11 1 12 5 20 13 25H33c8-5 12-13 13-25-4 7-11 11-20 11C15 82 6 75 6 62 6 39 44 21 50 4Z"/>',
  c: '<path d="M50 4a21 21 0 0 1 16 35 21 21 0 1 1-11 34c1 11 5 18 12 23H33c7-5 11-12 12-23a21 21 0 1 1-11-34A21 21 0 0 1 50 4Z"/>',
};
const L = 66, M = 100, R = 134;
const PIPS = {
  A: [[M, 140]],
  2: [[M, 66], [M, 214]],
  3: [[M, 66], [M, 140], [M, 214]],
  4: [[L, 66], [R, 66], [L, 214], [R, 214]],
  5: [[L, 66], [R, 66], [M, 140], [L, 214], [R, 214]],
  6: [[L, 66], [R, 66], [L, 140], [R, 140], [L, 214], [R, 214]],
  7: [[L, 66], [R, 66], [M, 103], [L, 140], [R, 140], [L, 214], [R, 214]],
  8: [[L, 66], [R, 66], [M, 103], [L, 140], [R, 140], [M, 177], [L, 214], [R, 214]],
  9: [[L, 62], [R, 62], [L, 114], [R, 114], [M, 140], [L, 166], [R, 166], [L, 218], [R, 218]],
  T: [[L, 62], [R, 62], [M, 88], [L, 114], [R, 114], [L, 166], [R, 166], [M, 192], [L, 218], [R, 218]],
};

let sheet = null;
const made = new Set();

function isSpecial(card) {
  return card in SPECIAL || !(card[1] in SIGNS) || card.length !== 2;
}

/** A card in words: "seven of hearts" as "7 of hearts". */
export function cardWords(card) {
  if (isSpecial(card)) return card.replaceAll("_", " ").toLowerCase().replace("cant", "can't");
  return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

/** A card in short: "10♥". */
export function cardShort(card) {
  return isSpecial(card) ? card.replaceAll("_", " ") : card[0].replace("T", "10") + SIGNS[card[1]];
}

/** Cards by suit, or by rank; special ones last. */
export function sorted(cards, byRank = false) {
  const rank = (card) => (isSpecial(card) ? 20 : "A23456789TJQK".indexOf(card[0]));
  const suit = (card) => (isSpecial(card) ? 9 : "cdsh".indexOf(card[1]));
  const of = byRank ? (card) => rank(card) * 10 + suit(card) : (card) => suit(card) * 100 + rank(card);
  return [...cards].sort((a, b) => of(a) - of(b) || (a < b ? -1 : 1));
}

/** An element that shows a card; without one, its back. */
export function cardPicture(card = null) {
  const name = card ?? "back";
  if (!made.has(name)) addSymbol(name);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 200 280");
  svg.setAttribute("class", "card");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#card-${name}`);
  svg.append(use);
  return svg;
}

function addSymbol(name) {
  if (!sheet) {
    sheet = document.createElementNS(SVG, "svg");
    sheet.setAttribute("class", "sheet");
    sheet.setAttribute("aria-hidden", "true");
    sheet.innerHTML = DEFS;
    document.body.prepend(sheet);
  }
  made.add(name);
  const symbol = document.createElementNS(SVG, "symbol");
  symbol.setAttribute("id", `card-${name}`);
  symbol.setAttribute("viewBox", "0 0 200 280");
  symbol.innerHTML = name === "back" ? BACK : isSpecial(name) ? special(name) : regular(name);
  sheet.append(symbol);
}

const DEFS = `<defs>
<pattern id="lattice" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="16" height="16" fill="#1b4a86"/><rect x="1.500" y="1.500" width="13" height="13" rx="2" fill="#2560a8"/>
<circle cx="8" cy="8" r="2.200" fill="#9cc3f0"/></pattern>
<linearGradient id="paper" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fffefb"/><stop offset="1" stop-color="#f6f2e8"/></linearGradient>
<linearGradient id="gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f7d774"/><stop offset="1" stop-color="#c99a2e"/></linearGradient>
</defs>`;
const PAPER = '<rect x="2" y="2" width="196" height="276" rx="16" fill="url(#paper)" stroke="#b8b0a0" stroke-width="2.500"/>';
const BACK = `<rect x="2" y="2" width="196" height="276" rx="16" fill="#fffdf8" stroke="#b8b0a0" stroke-width="2.500"/>
<rect x="13" y="13" width="174" height="254" rx="9" fill="url(#lattice)" stroke="#143a6b" stroke-width="2"/>
<g transform="translate(100 140)"><circle r="37" fill="#1b4a86" stroke="#cfe2fb" stroke-width="3"/><circle r="29" fill="none" stroke="#7fb0ea" stroke-width="1.500"/>
<path d="M0-23 6-6 23 0 6 6 0 23-6 6-23 0-6-6Z" fill="#cfe2fb"/></g>`;

function suit(sign, x, y, size, turned = false) {
  const turn = turned ? ` rotate(180)` : "";
  return `<g transform="translate(${x} ${y})${turn} scale(${size / 100}) translate(-50 -50)">${PATHS[sign]}</g>`;
}

function corner(rank, sign) {
  const wide = rank === "10" ? ' textLength="42" lengthAdjust="spacingAndGlyphs"' : "";
  return `<text x="28" y="49" text-anchor="middle" class="index"${wide}>${rank}</text>${suit(sign, 28, 76, 30)}`;
}

function regular(card) {
  const [rank, sign] = card;
  const ink = sign === "h" || sign === "d" ? "#c4122f" : "#17181c";
  const index = corner(rank.replace("T", "10"), sign);
  const both = `<g>${index}</g><g transform="rotate(180 100 140)">${index}</g>`;
  const inside = rank in PIPS ? pips(rank, sign) : court(rank, sign);
  return `${PAPER}<g fill="${ink}">${inside}${both}</g>`;
}

function pips(rank, sign) {
  if (rank === "A") return suit(sign, 100, 140, 88);
  return PIPS[rank].map(([x, y]) => suit(sign, x, y, 37, y > 140)).join("");
}

function court(rank, sign) {
  const red = sign === "h" || sign === "d";
  const robe = { h: "#b3152f", d: "#c8471b", s: "#20406f", c: "#1e5c46" }[sign];
  const half = `${HEADS[rank](robe)}${suit(sign, 63, 54, 25)}`;
  return `<rect x="47" y="27" width="106" height="226" rx="7" fill="#fbf6e6" stroke="${red ? "#c4122f" : "#2b3340"}" stroke-width="1.600"/>
<svg x="47" y="27" width="106" height="113" viewBox="47 27 106 113">${half}</svg>
<g transform="rotate(180 100 140)"><svg x="47" y="27" width="106" height="113" viewBox="47 27 106 113">${half}</svg></g>
<path d="M47 140H153" stroke="#8a6a1c" stroke-width="1.200"/>`;
}

const body = (robe, trim) => `<path d="M48 140V131C55 112 74 103 88 100H112C126 103 145 112 152 131V140Z" fill="${robe}"/>
<path d="M84 101 100 140H116L112 100Z" fill="${trim}"/><path d="M116 101 100 140H84L88 100Z" fill="url(#gold)"/>
<path d="M60 140 70 109M140 140 130 109" stroke="#f2d98c" stroke-width="2.500" fill="none"/>
<g fill="#f2d98c"><circle cx="57" cy="131" r="2"/><circle cx="143" cy="131" r="2"/></g>`;
const face = `<path d="M84 68H116V84C116 97 108 104 100 104 92 104 84 97 84 84Z" fill="#f4d7b8" stroke="#7a5a3a" stroke-width="1"/>
<g fill="#3a2a1c"><circle cx="93.500" cy="80" r="1.700"/><circle cx="106.500" cy="80" r="1.700"/></g>
<path d="M90 75.500 96.500 75M110 75.500 103.500 75M100 80 98.500 88H101.500" fill="none" stroke="#7a5a3a" stroke-width="1.200"/>`;
const HEADS = {
  K: (robe) => `${body(robe, "#f1e3bd")}<path d="M80 66C77 82 80 92 84 98L89 84V68ZM120 66C123 82 120 92 116 98L111 84V68Z" fill="#8a8f98"/>${face}
<path d="M84 88C88 93 94 92 100 91 106 92 112 93 116 88 117 103 108 115 100 118 92 115 83 103 84 88Z" fill="#8a8f98"/><path d="M95 97H105" stroke="#b0524a" stroke-width="2"/>
<path d="M78 69 73 42 87 54 100 36 113 54 127 42 122 69Z" fill="url(#gold)" stroke="#8a6a1c" stroke-width="1.400"/>
<g fill="${robe}"><circle cx="100" cy="60" r="3.400"/><circle cx="86" cy="62" r="2.400"/><circle cx="114" cy="62" r="2.400"/></g><g fill="#fff3c9"><circle cx="73" cy="41" r="2.600"/><circle cx="100" cy="35" r="2.600"/><circle cx="127" cy="41" r="2.600"/></g>`,
  Q: (robe) => `${body(robe, "#f6e9cd")}<path d="M82 62C70 74 71 98 76 110 84 112 88 104 88 96V66ZM118 62C130 74 129 98 124 110 116 112 112 104 112 96V66Z" fill="#7a4a21"/>${face}
<path d="M84 74C86 64 94 62 100 62 106 62 114 64 116 74 117 60 110 54 100 54 90 54 83 60 84 74Z" fill="#7a4a21"/><path d="M96 95C98 97 102 97 104 95" stroke="#b8323e" stroke-width="2.200" fill="none"/>
<path d="M81 62 79 48 90 55 100 43 110 55 121 48 119 62C108 56 92 56 81 62Z" fill="url(#gold)" stroke="#8a6a1c" stroke-width="1.300"/><g fill="#fff6dc" stroke="#8a6a1c" stroke-width=".7"><circle cx="100" cy="42" r="3.200"/><circle cx="79" cy="47" r="2.200"/><circle cx="121" cy="47" r="2.200"/></g><path d="M88 109Q100 118 112 109" fill="none" stroke="#fff6dc" stroke-width="3" stroke-dasharray="1 4" stroke-linecap="round"/>`,
  J: (robe) => `${body(robe, "#dfe7f2")}<path d="M82 66C78 80 79 92 83 99L89 92V68ZM118 66C122 80 121 92 117 99L111 92V68Z" fill="#b07a2a"/>${face}<path d="M95.500 95H104.500" stroke="#a8554a" stroke-width="2"/>
<path d="M77 70C74 52 88 44 101 45 117 46 127 55 123 70 110 63 92 63 77 70Z" fill="${robe}"/><path d="M76 71C90 62 110 62 124 71L123 65C110 57 90 57 77 65Z" fill="url(#gold)"/>
<path d="M116 55C126 42 136 40 146 42 142 52 132 60 119 61Z" fill="#f3efe2" stroke="#8a6a1c" stroke-width="1"/><path d="M118 59C127 51 135 46 143 43" stroke="#8a6a1c" stroke-width="1" fill="none"/>`,
};

const EMBLEMS = {
  WILD: '<path d="M0-46 13-15 46-13 20 8 29 41 0 22-29 41-20 8-46-13-13-15Z"/><circle r="9" fill="#fff"/>',
  GROUP: '<rect x="-44" y="-26" width="38" height="54" rx="6" transform="rotate(-14)"/><rect x="-19" y="-32" width="38" height="54" rx="6" stroke="#fff" stroke-width="4"/><rect x="6" y="-26" width="38" height="54" rx="6" transform="rotate(14)" stroke="#fff" stroke-width="4"/>',
  SEQUENCE: '<rect x="-46" y="8" width="28" height="38" rx="5"/><rect x="-14" y="-14" width="28" height="60" rx="5"/><rect x="18" y="-36" width="28" height="82" rx="5"/>',
  RUMMY: '<path d="M-46 30-40-26-18-2 0-40 18-2 40-26 46 30Z"/><rect x="-46" y="34" width="92" height="11" rx="4"/>',
  NO_MELD: '<circle r="40" fill="none" stroke="currentColor" stroke-width="11"/><path d="M-27-27 27 27" stroke="currentColor" stroke-width="11"/>',
  CANT_GO_OUT: '<rect x="-32" y="-6" width="64" height="50" rx="8"/><path d="M-20-6V-22A20 20 0 0 1 20-22V-6" fill="none" stroke="currentColor" stroke-width="11"/><circle cy="17" r="8" fill="#fff"/>',
};

function special(name) {
  const { label, ink, tint } = SPECIAL[name] ?? { label: [name.slice(0, 9)], ink: "#333", tint: "#eee" };
  const size = Math.max(...label.map((word) => word.length)) > 6 ? 27 : 32;
  const lines = label.map((word, i) => `<text x="100" y="${226 + (i - (label.length - 1) / 2) * 30}" text-anchor="middle" class="label" font-size="${size}">${word}</text>`);
  const index = `<text x="28" y="47" text-anchor="middle" class="index">${label[0][0]}</text><g transform="translate(28 72) scale(.26)">${EMBLEMS[name] ?? EMBLEMS.WILD}</g>`;
  return `${PAPER}<g fill="${ink}" color="${ink}"><rect x="52" y="22" width="134" height="236" rx="10" fill="${tint}" stroke="${ink}" stroke-width="2"/>
<g transform="translate(119 116)">${EMBLEMS[name] ?? EMBLEMS.WILD}</g><g transform="translate(19 0)">${lines.join("")}</g>${index}</g>`;
}
