// ---------------------------------------------------------------------------------------------------------------
// The viewer

const viewer = {
  dialog: $("#viewer"),
  title: $("#viewer-title"),
  stage: $("#viewer .stage"),
  games: $("#viewer .games"),
  controls: $("#viewer .controls"),
  about: $("#viewer .run"),
  link: $("#viewer .here"),
  slider: $("#viewer input[type=range]"),
  play: $("#viewer .play"),
  speed: $("#viewer .speed"),
  compare: $("#viewer .compare"),
  replays: [],
  at: 0,
  timer: null,
  opened: null,
  /** The address of the open run, and the timer that puts it into the address bar. */
  address: null,
  addressing: null,
  addressedAt: -Infinity,

  /** Opens the run of a cell at a move. */
  async open(key, move = 0) {
    const [k, e, b] = key.split("-").map(Number);
    if (!contest().sources[k]?.boards[b] || contest().sources[k].entries[e] === undefined) return;
    this.opened = key;
    this.dialog.setAttribute("aria-busy", "true");
    if (!this.dialog.open) this.dialog.showModal();
    if (typeof DecompressionStream === "undefined") {
      this.about.replaceChildren("This browser is too old to show runs; it needs to be from 2023 or later.");
      this.dialog.removeAttribute("aria-busy");
      return;
    }
    const found = await find(k, e, b);
    // Another cell may have been opened meanwhile.
    if (this.opened !== key) return;
    this.pause();
    const several = contest().sources.length > 1 ? ` · ${found.source.name}` : "";
    this.title.replaceChildren(make("bdi", {}, found.entry), " on ", make("bdi", {}, found.board.name), make("small", {}, ` ${found.cell}${several}`));
    this.about.replaceChildren(...this.describe(found));
    await this.fillCompare(found);
    this.replays = found.film ? [new Replay(found)] : [];
    this.place(move);
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
    const several = contest().sources.length > 1;
    this.compare.replaceChildren(
      make("option", { value: "" }, "none"),
      ...others.map(({ key, source, entry }) => make("option", { value: key }, several ? `${entry} · ${source.name}` : entry)),
    );
    this.compare.disabled = others.length === 0;
  },

  async compareWith(key) {
    const second = key && (await find(...key.split("-").map(Number)));
    this.replays = this.replays.slice(0, 1);
    if (second) this.replays.push(new Replay(second));
    this.place(this.at);
  },

  /** Puts the replays on the page and shows a move. */
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

  /** Shows a move; pieces slide there from the move before or after it if `slide` is true. */
  show(move, slide = false) {
    this.at = Math.min(Math.max(move, 0), this.last);
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", `move ${this.at} of ${this.last}`);
    for (const replay of this.replays) {
      replay.status.setAttribute("aria-live", this.timer ? "off" : "polite");
      replay.show(this.at, slide && !stillness.matches ? Math.min(SLIDE, 0.8 * this.interval) : 0);
    }
    this.markAnswer();
    this.addressMove();
    if (this.timer && this.at === this.last) this.pause();
  },

  /** Marks the current move in the text of the answer. */
  markAnswer() {
    const [replay] = this.replays;
    if (!this.answer || !replay) return;
    const index = replay.frameAt(this.at);
    const [begin, end] = replay.span(index);
    const text = replay.found.answer;
    const mark = make("mark", {}, text.head.slice(begin, end));
    const rest = text.head.slice(end);
    // The illegal move follows the last legal one.
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
    // Scrolls the answer to the marked move, without scrolling the page.
    const middle = mark.offsetTop - this.answer.offsetTop - this.answer.clientHeight / 2;
    if (this.answer.scrollHeight > this.answer.clientHeight) this.answer.scrollTop = middle;
  },

  step(frames) {
    const { stride } = this;
    this.pause();
    this.show(frames > 0 ? (Math.floor(this.at / stride) + 1) * stride : (Math.ceil(this.at / stride) - 1) * stride, true);
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
    this.timer = setInterval(() => this.show((Math.floor(this.at / this.stride) + 1) * this.stride, true), this.interval);
  },

  /** Milliseconds from one frame to the next. */
  get interval() {
    return 1000 / Number(this.speed.value);
  },

  /** Makes the address that of the move shown, so that it can be sent to others. */
  addressMove() {
    this.address = addressOf(this.opened, this.replays.length > 0 ? this.at : null);
    this.link.setAttribute("href", this.address);
    clearTimeout(this.addressing);
    // Browsers refuse to change it many times in a second.
    const wait = this.addressedAt + 400 - performance.now();
    const change = () => {
      this.addressedAt = performance.now();
      history.replaceState(null, "", this.address);
    };
    if (wait <= 0) change();
    else this.addressing = setTimeout(change, wait);
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

/** Milliseconds in which pieces slide, at most. */
const SLIDE = 180;
/** Matches if the reader wants no movement. */
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** The name of a board without marks. */
function plainName(board) {
  return board.plain ?? board.name;
}

/** The address of a run and a move, such as `#foxy/house/45`; of results after the first with their name. */
function addressOf(key, move) {
  const [k, e, b] = key.split("-").map(Number);
  const source = contest().sources[k];
  const lower = (name, names) => {
    const small = name.toLowerCase();
    return encodeURIComponent(names.filter((other) => other.toLowerCase() === small).length === 1 ? small : name);
  };
  const boards = source.boards.map(plainName);
  const parts = [lower(boards[b], boards), lower(source.entries[e], source.entries)];
  if (move !== null || k > 0) parts.push(move ?? 0);
  if (k > 0) parts.push(encodeURIComponent(source.name));
  return `#${parts.join("/")}`;
}

/** The run and the move of an address; undefined if there is no such run. */
function addressed(hash) {
  const cell = /^#cell-(\d+-\d+-\d+)$/.exec(hash);
  if (cell) return { key: cell[1], move: 0 };
  if (!hash.includes("/")) return undefined;
  let parts;
  try {
    parts = hash.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [board, entry, move = "0", name] = parts;
  const index = (names, wanted) => {
    const exact = names.indexOf(wanted);
    return exact >= 0 ? exact : names.findIndex((other) => other.toLowerCase() === wanted.toLowerCase());
  };
  for (const [k, source] of contest().sources.entries()) {
    const [e, b] = [index(source.entries, entry), index(source.boards.map(plainName), board)];
    if ((name === undefined || name === source.name) && e >= 0 && b >= 0) return { key: `${k}-${e}-${b}`, move: parseInt(move, 10) || 0 };
  }
  return undefined;
}

/** The head, a note on the bytes left out, the tail. */
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
  // A select element uses these keys itself, and the space bar presses a focused button.
  if (event.target.matches("select") || (event.key === " " && event.target.matches("button"))) return;
  event.preventDefault();
  action();
});
viewer.dialog.addEventListener("close", () => {
  viewer.pause();
  viewer.opened = null;
  clearTimeout(viewer.addressing);
  if (addressed(location.hash)) history.replaceState(null, "", location.pathname + location.search);
});
// A click outside the dialog closes it.
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
  viewer.open(cell.hash.slice("#cell-".length));
});

function openAddressed() {
  const found = addressed(location.hash);
  if (found) viewer.open(found.key, found.move);
}
addEventListener("hashchange", openAddressed);
openAddressed();
