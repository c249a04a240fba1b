// The page's script. It sorts tables, opens the run of a cell, and plays its replay. It needs no rules of any game: the
// data contains the positions as pictures, and the changes between them.
"use strict";

// ---------------------------------------------------------------------------------------------------------------
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

// ---------------------------------------------------------------------------------------------------------------
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
  const rows = [...body.rows].map((row) => [key(row.cells[column].textContent.trim()), row]);
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

// ---------------------------------------------------------------------------------------------------------------
// Folded tables: this page has them as text until they are opened, see `fold.rs`

for (const fold of $$("details.fold")) {
  fold.addEventListener("toggle", () => {
    const folded = $("noscript", fold);
    if (!fold.open || !folded) return;
    // The page's own markup, the same that a browser without scripts shows.
    const template = make("template");
    template.innerHTML = folded.textContent;
    folded.replaceWith(template.content);
  });
}

// ---------------------------------------------------------------------------------------------------------------
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

