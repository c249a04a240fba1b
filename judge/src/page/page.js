// The page's own script. It sorts tables, opens the run behind a cell, and plays the game that was played there.
// It knows no rules: positions come as pictures that the judge made, and what changes from each to the next.
"use strict";

// ---------------------------------------------------------------------------------------------------------------
// Small help

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; a child that is a string becomes text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The same for a drawing. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// ---------------------------------------------------------------------------------------------------------------
// Sorting

/** What a field is compared by: [is something known, then figures, the better the smaller]. */
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
};

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
  // What is not known stays at the end, whichever way.
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
// Unfolding: the tables that this page holds as text until somebody wants to see them, see `fold.rs`

for (const fold of $$("details.fold")) {
  fold.addEventListener("toggle", () => {
    const kept = $("noscript", fold);
    if (!fold.open || !kept) return;
    // The page's own markup, word for word what a browser without scripts reads here.
    const template = make("template");
    template.innerHTML = kept.textContent;
    kept.replaceWith(template.content);
  });
}

// ---------------------------------------------------------------------------------------------------------------
// Saving a drawing

/** The drawing as a file of its own: with the colours that it has on this page at this moment. */
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

// ---------------------------------------------------------------------------------------------------------------
// Data: everything behind the cells, unpacked when it is first asked for

let data = null;
const unpacked = new Map();

function contest() {
  data ??= JSON.parse($("#data").textContent);
  return data;
}

/** All runs on one board, see `data.rs`. */
function group(index) {
  if (!unpacked.has(index)) {
    const bytes = Uint8Array.from(atob(contest().groups[index]), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    unpacked.set(index, new Response(stream).json());
  }
  return unpacked.get(index);
}

/** The run of entry `e` on board `b` in run `k` of the contest; `key` is what links call it. */
async function find(k, e, b) {
  const run = contest().runs[k];
  const board = run.boards[b];
  const runs = await group(board.group);
  return { key: `${k}-${e}-${b}`, run, board, entry: run.entries[e], ...runs[board.first + e] };
}

/** All runs of a group that have a film, in the order of the page. */
async function filmed(index) {
  const runs = await group(index);
  return contest().runs.flatMap((run, k) =>
    run.boards.flatMap((board, b) =>
      board.group !== index ? [] : run.entries.flatMap((entry, e) =>
        runs[board.first + e].film ? [{ key: `${k}-${e}-${b}`, run, entry }] : [],
      ),
    ),
  );
}

// ---------------------------------------------------------------------------------------------------------------
// Films

/** Numbers from their first and their changes. */
function summed(changes) {
  let sum = 0;
  return changes.map((change) => (sum += change));
}

/** A film unrolled: for each frame its labels, its width and the cells touched. See `film.rs` for the steps. */
function unroll(film) {
  let labels = [...film.start.cells];
  let width = film.start.width;
  let last = 0;
  const frames = [{ labels: labels.slice(), width, touched: [] }];
  const exchange = (from, to) => {
    [labels[from], labels[to]] = [labels[to], labels[from]];
    last = to;
    return [from, to];
  };
  for (const step of film.steps) {
    let touched;
    if (typeof step === "number") {
      touched = exchange(last, last + step);
    } else if (typeof step[0] === "number") {
      touched = exchange(step[0], step[1]);
    } else if (typeof step[0] === "string") {
      [...step[0]].forEach((label, index) => (labels[step[1][index]] = label));
      touched = step[2] ?? step[1];
    } else {
      labels = [...step[0].cells];
      width = step[0].width;
      touched = step[1];
    }
    frames.push({ labels: labels.slice(), width, touched });
  }
  return frames;
}

/** One game on the page: its board, where it stands, and its course as a drawing. */
class Replay {
  constructor(found) {
    this.found = found;
    this.film = found.film;
    this.frames = unroll(this.film);
    this.progress = summed(this.film.progress);
    this.distance = summed(this.film.distance);
    this.read = summed(this.film.read);
    this.board = make("div", { class: "board", role: "img" });
    this.position = make("output", { class: "position", "aria-live": "off" });
    this.status = make("p", { class: "status" });
    this.verdict = make("p", { class: "fault", hidden: "" });
    this.course = this.drawCourse();
    this.element = make(
      "div",
      { class: "replay", "data-moves": this.film.moves, "data-at": 0 },
      make("h3", {}, make("bdi", {}, found.entry)),
      make("div", { class: "table" }, this.board),
      this.status,
      this.verdict,
      this.course,
      this.position,
    );
    // Labels that several cells share at the start are kinds or blocks: each gets a tint of its own.
    const labels = this.frames[0].labels;
    const shared = [...new Set(labels)].filter((label) => isPiece(label) && labels.indexOf(label) !== labels.lastIndexOf(label));
    this.tints = new Map(shared.map((label, index) => [label, (index % 10) + 1]));
    this.shown = null;
  }

  get moves() {
    return this.film.moves;
  }

  /** The frame that shows the game after so many moves. */
  frameAt(move) {
    return move >= this.film.moves ? this.frames.length - 1 : Math.floor(move / this.film.stride);
  }

  /** How many moves that frame has seen. */
  movesAt(frame) {
    return Math.min(frame * this.film.stride, this.film.moves);
  }

  show(move) {
    const index = this.frameAt(move);
    const frame = this.frames[index];
    const at = this.movesAt(index);
    this.element.dataset.at = at;
    this.paint(frame);
    const rows = [];
    for (let start = 0; start < frame.labels.length; start += frame.width) {
      rows.push(frame.labels.slice(start, start + frame.width).join("").replaceAll(" ", "#"));
    }
    this.position.textContent = rows.join(" ");
    const { progress, distance } = this.found.run;
    const played = this.token(index);
    const where = `${at} of ${this.film.moves}`;
    this.status.replaceChildren(
      make("span", { class: "count" }, at === 0 ? `Start, ${this.film.moves} to come` : `Move ${where}`),
      ...(played ? [make("code", {}, played)] : []),
      make("span", { class: "key progress" }, `${this.progress[index]} of ${this.film.of} ${progress}`),
      make("span", { class: "key distance" }, `${this.distance[index]} ${distance}`),
    );
    this.board.setAttribute("aria-label", `Position after ${where} moves: ${this.position.textContent}`);
    if (this.film.stride > 1) {
      this.status.append(make("span", { class: "about" }, `too long to show move by move: every ${this.film.stride} moves`));
    }
    const illegal = this.illegalAt(index);
    this.verdict.hidden = !illegal;
    if (illegal) this.verdict.textContent = `Illegal move ${illegal.index} \`${illegal.token}\`: ${illegal.reason}`;
    const x = this.scaleX(index);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }

  /** The illegal move, at the frame where it happened. */
  illegalAt(index) {
    return index === this.frames.length - 1 ? this.film.illegal : undefined;
  }

  /** The piece of the answer that leads to a frame; nothing where the answer is not there as a whole. */
  token(index) {
    const [begin, end] = this.span(index);
    return this.isWhole && end - begin < 60 ? this.found.answer.head.slice(begin, end) : "";
  }

  /** Whether the answer is there as a whole, byte for byte, so that places in it are known. */
  get isWhole() {
    const { answer } = this.found;
    return Boolean(answer) && !answer.left_out && !/[^\x00-\x7f]/.test(answer.head);
  }

  /** Where that piece begins and ends in the text of the answer; twice the same place for nothing. */
  span(index) {
    if (!this.isWhole || index === 0) return [0, 0];
    const [begin, end] = [this.read[index - 1], this.read[index]];
    const piece = this.found.answer.head.slice(begin, end);
    return [end - piece.trimStart().length, begin + piece.trimEnd().length];
  }

  /** Brings the board to a frame, with as few changes as possible. */
  paint(frame) {
    const same = this.shown && this.shown.width === frame.width && this.shown.labels.length === frame.labels.length;
    if (!same) {
      this.board.style.setProperty("--columns", frame.width);
      this.board.classList.toggle("crowded", frame.width > 16);
      this.tiles = frame.labels.map(() => make("span", { class: "tile" }));
      this.board.replaceChildren(...this.tiles);
    }
    const touched = new Set(frame.touched);
    // In a single row equal neighbours are pieces of a kind; on a board they are parts of one block.
    const joins = frame.labels.length > frame.width;
    frame.labels.forEach((label, cell) => {
      const tile = this.tiles[cell];
      if (tile.dataset.label !== label) {
        tile.dataset.label = label;
        tile.textContent = label;
      }
      let kind = `tile ${label === " " ? "none" : isPiece(label) ? "piece" : "spot"}`;
      if (this.tints.has(label)) kind += ` tint-${this.tints.get(label)}`;
      if (touched.has(cell)) kind += " touched";
      if (joins && isPiece(label)) {
        const column = cell % frame.width;
        if (column + 1 < frame.width && frame.labels[cell + 1] === label) kind += " join-right";
        if (column > 0 && frame.labels[cell - 1] === label) kind += " join-left";
        if (frame.labels[cell + frame.width] === label) kind += " join-below";
        if (frame.labels[cell - frame.width] === label) kind += " join-above";
      }
      if (tile.className !== kind) tile.className = kind;
    });
    this.shown = frame;
    const first = frame.touched[0];
    if (first !== undefined && this.board.scrollWidth > this.board.clientWidth) {
      const tile = this.tiles[first];
      this.board.scrollLeft = tile.offsetLeft - this.board.offsetLeft - this.board.clientWidth / 2;
    }
  }

  scaleX(frame) {
    return 6 + (388 * this.movesAt(frame)) / Math.max(this.film.moves, 1);
  }

  /** Progress and distance along the answer. */
  drawCourse() {
    const height = 90;
    const line = (values, most) =>
      values.map((value, frame) => `${this.scaleX(frame).toFixed(1)},${(height - 6 - ((height - 12) * value) / Math.max(most, 1)).toFixed(1)}`).join(" ");
    const end = this.frames.length - 1;
    const farthest = Math.max(...this.distance);
    this.cursor = draw("line", { class: "cursor", y1: 0, y2: height });
    const { progress, distance } = this.found.run;
    const label =
      `${progress} from ${this.progress[0]} to ${this.progress[end]} of ${this.film.of}, ` +
      `${distance} from ${this.distance[0]} to ${this.distance[end]}, along ${this.film.moves} moves`;
    const svg = draw(
      "svg",
      { class: "course", viewBox: `0 0 400 ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      draw("line", { class: "axis", x1: 6, x2: 394, y1: height - 6, y2: height - 6 }),
      draw("polyline", { class: "distance", points: line(this.distance, farthest) }),
      draw("polyline", { class: "progress", points: line(this.progress, this.film.of) }),
      this.cursor,
    );
    return svg;
  }
}

/** Letters and digits are pieces; other signs mark a spot where nothing stands. */
function isPiece(label) {
  return /[\p{L}\p{N}]/u.test(label);
}

// ---------------------------------------------------------------------------------------------------------------
// The viewer

const viewer = {
  dialog: $("#viewer"),
  title: $("#viewer-title"),
  stage: $("#viewer .stage"),
  games: $("#viewer .games"),
  controls: $("#viewer .controls"),
  about: $("#viewer .run"),
  slider: $("#viewer input[type=range]"),
  play: $("#viewer .play"),
  speed: $("#viewer .speed"),
  compare: $("#viewer .compare"),
  replays: [],
  at: 0,
  timer: null,
  opened: null,

  async open(key) {
    const [k, e, b] = key.split("-").map(Number);
    if (!contest().runs[k]?.boards[b] || contest().runs[k].entries[e] === undefined) return;
    this.opened = key;
    this.dialog.setAttribute("aria-busy", "true");
    if (!this.dialog.open) this.dialog.showModal();
    if (typeof DecompressionStream === "undefined") {
      this.about.replaceChildren("This browser is too old to unpack what is behind the cells; one of 2023 or later can.");
      this.dialog.removeAttribute("aria-busy");
      return;
    }
    const found = await find(k, e, b);
    // Another cell may have been opened meanwhile.
    if (this.opened !== key) return;
    this.pause();
    const several = contest().runs.length > 1 ? ` · ${found.run.name}` : "";
    this.title.replaceChildren(make("bdi", {}, found.entry), " on ", make("bdi", {}, found.board.name), make("small", {}, ` ${found.cell}${several}`));
    this.about.replaceChildren(...this.describe(found));
    await this.fillCompare(found);
    this.replays = found.film ? [new Replay(found)] : [];
    this.place(0);
    this.dialog.scrollTop = 0;
    this.dialog.removeAttribute("aria-busy");
    (found.film ? this.play : $("#viewer .close")).focus();
  },

  /** Facts, answer and standard error. */
  describe(found) {
    const facts = make("dl", { class: "facts" });
    for (const [name, value] of found.facts) {
      facts.append(make("div", {}, make("dt", {}, name), make("dd", {}, make("bdi", {}, value))));
    }
    const parts = [facts];
    if (found.without) parts.push(make("p", { class: "without" }, `No replay: ${found.without}.`));
    this.answer = null;
    if (found.answer) {
      this.answer = make("pre", { class: "answer", tabindex: "0", role: "region", "aria-label": "Answer" }, ...excerpt(found.answer));
      parts.push(make("h3", {}, "Answer"), this.answer);
    }
    if (found.stderr) {
      const stderr = make("pre", { class: "stderr", tabindex: "0", role: "region", "aria-label": "Standard error" }, ...excerpt(found.stderr));
      parts.push(make("h3", {}, "Standard error"), stderr);
    }
    return parts;
  },

  async fillCompare(found) {
    const others = (await filmed(found.board.group)).filter((other) => other.key !== found.key);
    const several = contest().runs.length > 1;
    this.compare.replaceChildren(
      make("option", { value: "" }, "nobody"),
      ...others.map(({ key, run, entry }) => make("option", { value: key }, several ? `${entry} · ${run.name}` : entry)),
    );
    this.compare.disabled = others.length === 0;
  },

  async compareWith(key) {
    const second = key && (await find(...key.split("-").map(Number)));
    this.replays = this.replays.slice(0, 1);
    if (second) this.replays.push(new Replay(second));
    this.place(this.at);
  },

  /** Puts the games on the page and shows a move. */
  place(move) {
    this.games.replaceChildren(...this.replays.map((replay) => replay.element));
    this.stage.classList.toggle("two", this.replays.length > 1);
    this.stage.classList.toggle("wide-board", this.replays.some((replay) => replay.film.start.width > 16));
    this.controls.hidden = this.replays.length === 0;
    this.games.hidden = this.controls.hidden;
    this.slider.max = this.last;
    this.slider.step = 1;
    this.show(move);
  },

  get last() {
    return Math.max(0, ...this.replays.map((replay) => replay.moves));
  },

  /** Moves from one frame to the next. */
  get stride() {
    return Math.max(1, ...this.replays.map((replay) => replay.film.stride));
  },

  show(move) {
    this.at = Math.min(Math.max(move, 0), this.last);
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.last}`);
    for (const replay of this.replays) {
      replay.status.setAttribute("aria-live", this.timer ? "off" : "polite");
      replay.show(this.at);
    }
    this.markAnswer();
    if (this.timer && this.at === this.last) this.pause();
  },

  /** The move shown, in the text of the answer. */
  markAnswer() {
    const [replay] = this.replays;
    if (!this.answer || !replay) return;
    const index = replay.frameAt(this.at);
    const [begin, end] = replay.span(index);
    const text = replay.found.answer;
    const mark = make("mark", {}, text.head.slice(begin, end));
    const rest = text.head.slice(end);
    // The move that could not be made stands behind the last that could.
    const { token } = (replay.isWhole && replay.illegalAt(index)) || {};
    const gap = rest.length - rest.trimStart().length;
    if (token && rest.startsWith(token, gap)) {
      const bad = make("mark", { class: "bad" }, token);
      this.answer.replaceChildren(text.head.slice(0, begin), mark, rest.slice(0, gap), bad, rest.slice(gap + token.length));
    } else if (begin < end) {
      this.answer.replaceChildren(text.head.slice(0, begin), mark, rest);
    } else {
      this.answer.replaceChildren(...excerpt(text));
      return;
    }
    // The marked move stays in sight without moving the page itself.
    const middle = mark.offsetTop - this.answer.offsetTop - this.answer.clientHeight / 2;
    if (this.answer.scrollHeight > this.answer.clientHeight) this.answer.scrollTop = middle;
  },

  step(frames) {
    const { stride } = this;
    this.pause();
    this.show(frames > 0 ? (Math.floor(this.at / stride) + 1) * stride : (Math.ceil(this.at / stride) - 1) * stride);
  },

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.at === this.last) this.show(0);
    this.play.textContent = "Pause";
    this.schedule();
  },

  schedule() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.show((Math.floor(this.at / this.stride) + 1) * this.stride), 1000 / Number(this.speed.value));
  },

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  },

  goTo(move) {
    this.pause();
    this.show(move);
  },
};

/** Head, what is left out, tail. */
function excerpt({ head, left_out, tail }) {
  if (!left_out) return [head];
  return [head, make("span", { class: "cut" }, `… ${left_out} bytes left out …`), tail];
}

const KEYS = {
  " ": () => viewer.toggle(),
  ArrowLeft: () => viewer.step(-1),
  ArrowRight: () => viewer.step(1),
  Home: () => viewer.goTo(0),
  End: () => viewer.goTo(viewer.last),
};

viewer.dialog.addEventListener("keydown", (event) => {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey || viewer.replays.length === 0) return;
  // A choice has its own use for the keys, and the space bar presses the button that has the focus.
  if (event.target.matches("select") || (event.key === " " && event.target.matches("button"))) return;
  event.preventDefault();
  action();
});
viewer.dialog.addEventListener("close", () => {
  viewer.pause();
  viewer.opened = null;
  if (location.hash.startsWith("#cell-")) history.replaceState(null, "", location.pathname + location.search);
});
// A click beside the dialog closes it.
viewer.dialog.addEventListener("click", (event) => {
  if (event.target === viewer.dialog) viewer.dialog.close();
});
$("#viewer .close").addEventListener("click", () => viewer.dialog.close());
$("#viewer .first").addEventListener("click", () => viewer.goTo(0));
$("#viewer .back").addEventListener("click", () => viewer.step(-1));
viewer.play.addEventListener("click", () => viewer.toggle());
$("#viewer .forward").addEventListener("click", () => viewer.step(1));
$("#viewer .last").addEventListener("click", () => viewer.goTo(viewer.last));
viewer.slider.addEventListener("input", () => viewer.goTo(Number(viewer.slider.value)));
viewer.speed.addEventListener("change", () => viewer.timer && viewer.schedule());
viewer.compare.addEventListener("change", () => viewer.compareWith(viewer.compare.value));

document.addEventListener("click", (event) => {
  const cell = event.target.closest("a.cell");
  if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  // The address names the run, so that it can be passed on, and the page behind the dialog stays where it is.
  history.replaceState(null, "", cell.hash);
  viewer.open(cell.hash.slice("#cell-".length));
});

function openAddressed() {
  const cell = /^#cell-(\d+-\d+-\d+)$/.exec(location.hash);
  if (cell) viewer.open(cell[1]);
}
addEventListener("hashchange", openAddressed);
openAddressed();
