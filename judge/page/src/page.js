// The page's script. It sorts tables, opens the run of a cell, and plays its replay. It needs no rules of any game: the
// data contains the positions as pictures, and the changes between them.
"use strict";

document.documentElement.classList.add("scripts");

// ---
// Helpers

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; a child that is a string becomes text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** An SVG element with attributes and children. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// ---
// Sorting

/** The sort keys of table cells: [0 if known, else 1; then values, smaller is better]. */
const SORT_KEYS = {
  text: (text) => [text === "" ? 1 : 0, text.toLowerCase()],
  number: (text) => {
    const number = parseFloat(text);
    return Number.isNaN(number) ? [1] : [0, number];
  },
  // `25/94`, `0/TIM`, `125/0453/062`: more progress first, then less of everything else, codes last.
  score: (text) => {
    const parts = text.replace("?", "").split("/");
    const figures = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity));
    return figures[0] === Infinity ? [1] : [0, -figures[0], ...figures.slice(1)];
  },
  // `12.50`, or `0/TIM` for a failed run: the better points first, codes last.
  up: (text) => points(text, -1),
  down: (text) => points(text, 1),
};

function points(text, sign) {
  const number = text.includes("/") ? NaN : parseFloat(text);
  return Number.isNaN(number) ? [1] : [0, sign * number];
}

function compareKeys(a, b) {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (a[index] < b[index]) return -1;
    if (a[index] > b[index]) return 1;
  }
  return a.length - b.length;
}

function sortBy(head) {
  const table = head.closest("table");
  const body = table.tBodies[0];
  const column = head.cellIndex;
  const descending = head.getAttribute("aria-sort") === "ascending";
  const key = SORT_KEYS[head.dataset.sort];
  // A cell that is shortened for people has its whole value as an attribute.
  const text = (cell) => cell.dataset.key ?? cell.textContent.trim();
  const rows = [...body.rows].map((row) => [key(text(row.cells[column])), row]);
  // Unknown values stay at the end in both directions.
  rows.sort(([a], [b]) => (a[0] !== b[0] ? a[0] - b[0] : compareKeys(a, b) * (descending ? -1 : 1)));
  body.append(...rows.map(([, row]) => row));
  for (const other of $$("thead th", table)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
}

for (const head of $$("th[data-sort]")) {
  const button = make("button", { type: "button" }, ...head.childNodes);
  button.addEventListener("click", () => sortBy(head));
  head.append(button);
}

// Tables that fit their frames need not scroll, so their heads stay on the screen.
const fitting = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    target.classList.remove("fits");
    target.classList.toggle("fits", target.scrollWidth <= target.clientWidth);
  }
});
for (const table of $$("table.standings")) fitting.observe(table.parentElement);

// ---
// Folded tables: this page has them as text until they are opened, see `fold.rs`

function unfold(fold) {
  const folded = $("noscript", fold);
  if (!folded) return;
  // The page's own markup, the same that a browser without scripts shows.
  const template = make("template");
  template.innerHTML = folded.textContent;
  folded.replaceWith(template.content);
}

for (const fold of $$("details.fold")) {
  fold.addEventListener("toggle", () => fold.open && unfold(fold));
}

// ---
// Boards as rows: filters, and the choice of the entries with a column

const BOARD_FILTERS = {
  all: ["all boards", () => true],
  unsolved: ["not solved by an entry shown", (cells) => cells.some((cell) => cell.matches(".failed, .short") || cell.textContent === "")],
  different: ["different for the entries shown", (cells) => new Set(cells.map((cell) => cell.textContent)).size > 1],
};

/** Puts the controls of a table of boards above it. */
function controlBoards(table) {
  const source = table.dataset.source;
  const columns = $$("th[data-entry]", table);
  const name = make("input", { type: "search", "aria-label": "Filter boards by name", placeholder: "Filter by name" });
  const kinds = Object.entries(BOARD_FILTERS).map(([kind, [title]]) => make("option", { value: kind }, title));
  const kind = make("select", { "aria-label": "Boards shown" }, ...kinds);
  const count = make("output", { class: "about" });
  const filter = () => {
    const wanted = name.value.trim().toLowerCase();
    const [, fits] = BOARD_FILTERS[kind.value];
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) {
      const named = row.cells[0].textContent.toLowerCase().includes(wanted);
      row.hidden = !named || !fits(columns.map((head) => row.cells[head.cellIndex]));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} boards`;
  };
  const entries = $$(`section[id^="entry-${source}-"] > h3 > bdi`).map((title) => title.textContent);
  const choices = columns.map((head, place) => {
    const options = entries.map((entry, index) => make("option", { value: index }, entry));
    const choice = make("select", { "aria-label": `Entry in column ${place + 1}` }, ...options);
    choice.classList.toggle("optional", head.classList.contains("optional"));
    choice.value = head.dataset.entry;
    choice.addEventListener("change", () => {
      showEntry(table, head, choice.value, entries[choice.value]);
      filter();
    });
    return choice;
  });
  name.addEventListener("input", filter);
  kind.addEventListener("change", filter);
  const shown = make("span", {}, "Entries shown ", ...choices);
  table.parentElement.previousElementSibling.append(name, kind, ...(choices.length > 0 ? [shown] : []), count);
}

/** Puts the cells of an entry into a column. They are those of the table in the entry's own section. */
function showEntry(table, head, entry, name) {
  const source = table.dataset.source;
  unfold($(`#entry-${source}-${entry} details.fold`));
  head.dataset.entry = entry;
  $("bdi", head).textContent = head.title = name;
  head.removeAttribute("aria-sort");
  for (const row of table.tBodies[0].rows) {
    const run = document.getElementById(`cell-${source}-${entry}-${row.dataset.board}`);
    const cell = run ? run.cells[1].cloneNode(true) : make("td", { class: "figure" });
    cell.classList.toggle("optional", head.classList.contains("optional"));
    row.cells[head.cellIndex].replaceWith(cell);
  }
}

$$("table.boards").forEach(controlBoards);

// ---
// Saving a drawing

/** Saves a drawing as a file, with its current colours. */
function saveDrawing(figure) {
  const svg = $("svg", figure);
  const copy = svg.cloneNode(true);
  const originals = [svg, ...$$("*", svg)];
  const properties = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
  [copy, ...$$("*", copy)].forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    for (const property of properties) element.setAttribute(property, style.getPropertyValue(property));
  });
  for (const games of $$("[data-games]", copy)) games.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const paper = draw("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(paper);
  const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  const link = make("a", { href: URL.createObjectURL(file), download: `${figure.id}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

for (const figure of $$("figure.drawing")) {
  const button = make("button", { type: "button", class: "save" }, "Save as SVG");
  button.addEventListener("click", () => saveDrawing(figure));
  figure.append(button);
}

