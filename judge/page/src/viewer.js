// ---
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
  texts: [],
  talks: [],
  at: 0,
  timer: null,
  opened: null,
  /** The key of the run next to it, or an empty text. */
  second: "",
  /** If a game of two entries is open, how to turn to another one of them, and its address at a move. */
  pair: null,
  /** The address of the open run, and the timer that puts it into the address bar. */
  address: null,
  addressing: null,
  addressedAt: -Infinity,

  /** Opens the run of a cell at a move, and next to it a second run on the same board. */
  async open(key, move = 0, second = "") {
    const [k, e, b] = indices(key);
    if (!contest().sources[k]?.boards[b] || contest().sources[k].entries[e] === undefined) return;
    const wanted = [key, second].filter(Boolean);
    if (!this.begin(wanted)) return;
    this.opened = key;
    const [found, other] = await Promise.all(wanted.map(find));
    const films = await filmed(found.board.group);
    // Another cell may have been opened meanwhile.
    if (this.wanted !== wanted) return;
    this.pause();
    this.pair = null;
    this.compare.parentElement.hidden = false;
    const isOther = Boolean(found.film && other?.film) && other.board.group === found.board.group;
    this.second = isOther ? second : "";
    const runs = isOther ? [found, other] : [found];
    this.replays = runs.filter((run) => run.film).map((run) => new Replay(run));
    this.texts = this.replays.filter((replay) => replay.isWhole).map((replay) => new AnswerText(replay));
    if (this.texts.length > 1) this.texts[0].compare(this.texts[1]);
    const replayOf = (run) => this.replays.find((replay) => replay.found === run);
    this.talks = runs.filter((run) => run.talk).map((run) => new Dialogue(run, replayOf(run)));
    this.entitle(runs);
    this.about.replaceChildren(...runs.map((run) => make("div", {}, ...this.describe(run))));
    this.listOthers(films.filter((film) => film.key !== key));
    this.place(move);
    this.ready(found.film);
  },

  /** Opens the dialog for what is wanted; false if the browser cannot unpack runs. */
  begin(wanted) {
    this.wanted = wanted;
    this.dialog.setAttribute("aria-busy", "true");
    this.wasShut = !this.dialog.open;
    if (this.wasShut) this.dialog.showModal();
    if (typeof DecompressionStream !== "undefined") return true;
    this.about.replaceChildren("This browser is too old to show runs; it needs to be from 2023 or later.");
    this.dialog.removeAttribute("aria-busy");
    return false;
  },

  /** The dialog is filled. If it was shut before, the focus moves to its controls. */
  ready(film) {
    this.dialog.removeAttribute("aria-busy");
    if (!this.wasShut) return;
    this.dialog.scrollTop = 0;
    (film ? this.play : $("#viewer .close")).focus();
  },

  /** A list of names and values. */
  list(facts) {
    const items = facts.map(([name, value]) => make("div", {}, make("dt", {}, make("bdi", {}, name)), make("dd", {}, make("bdi", {}, value))));
    return make("dl", { class: "facts" }, ...items);
  },

  /** Names the runs in the title. */
  entitle([found, other]) {
    const title = ({ entry, source, cell }, ...board) => {
      const several = contest().sources.length > 1 ? ` · ${source.name}` : "";
      return [make("bdi", {}, entry), ...board, make("small", {}, ` ${cell}${several}`)];
    };
    const first = title(found, " on ", make("bdi", {}, found.board.name));
    this.title.replaceChildren(...first, ...(other ? [" against ", ...title(other)] : []));
  },

  /** The answer with input and expected output, standard error, and facts, of which the technical ones are folded. */
  describe(found) {
    const parts = [];
    if (this.second) parts.push(make("h3", { class: "whose" }, make("bdi", {}, found.entry)));
    parts.push(this.list(found.facts));
    const text = this.texts.find(({ replay }) => replay.found === found);
    const talk = this.talks.find((talk) => talk.found === found);
    if (talk) {
      parts.push(...talk.elements);
      if (found.input) parts.push(...quoted("Board", "answer", excerpt(found.input)));
    } else if (text) {
      parts.push(make("h3", {}, "Moves"), text.element);
      if (text.note) parts.push(make("p", { class: "about" }, text.note));
    } else {
      if (found.without) parts.push(make("p", { class: "without" }, `No replay: ${found.without}.`));
      parts.push(...outputs(found));
    }
    if (found.stderr) parts.push(...quoted("Standard error", "stderr", excerpt(found.stderr)));
    if (found.details.length > 0) parts.push(make("details", {}, make("summary", {}, "Technical details"), this.list(found.details)));
    return parts;
  },

  listOthers(others) {
    const several = contest().sources.length > 1;
    this.compare.replaceChildren(
      make("option", { value: "" }, "none"),
      ...others.map(({ key, source, entry }) => make("option", { value: key }, several ? `${entry} · ${source.name}` : entry)),
    );
    this.compare.value = this.second;
    this.compare.disabled = others.length === 0;
  },

  /** Opens the run of an entry further down in the table, or further up. */
  turn(by) {
    if (this.pair) return this.pair.turn(by);
    const [k, e, b] = indices(this.opened);
    const key = `${k}-${e + by}-${b}`;
    this.open(key, this.at, key === this.second ? "" : this.second);
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
    for (const text of [...this.texts, ...this.talks]) text.show();
    this.markUnlike();
    this.addressMove();
    if (this.timer && this.at === this.last) this.pause();
  },

  /** Marks the cells in which two boards differ. */
  markUnlike() {
    const [one, other] = this.replays;
    if (!other || one.shown.width !== other.shown.width || one.tiles.length !== other.tiles.length) return;
    one.tiles.forEach((tile, cell) => {
      const unlike = one.shown.labels[cell] !== other.shown.labels[cell];
      for (const side of [tile, other.tiles[cell]]) side.classList.toggle("unlike", unlike);
    });
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
    const move = this.replays.length > 0 ? this.at : null;
    this.address = this.pair ? this.pair.address(move) : addressOf(this.opened, move, this.second);
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

/** The address of a run and a move, such as `#foxy/house/45`, of two runs `#foxy/house/45/vs/slider`; of results after the
 * first with their name. */
function addressOf(key, move, second) {
  const [k, e, b] = indices(key);
  const { sources } = contest();
  const lower = (name, names) => {
    const small = name.toLowerCase();
    return encodeURIComponent(names.filter((other) => other.toLowerCase() === small).length === 1 ? small : name);
  };
  const named = (source) => (source > 0 ? [encodeURIComponent(sources[source].name)] : []);
  const boards = sources[k].boards.map(plainName);
  const parts = [lower(boards[b], boards), lower(sources[k].entries[e], sources[k].entries)];
  if (move !== null || k > 0) parts.push(move ?? 0);
  parts.push(...named(k));
  if (second) {
    const [other, entry] = indices(second);
    parts.push("vs", lower(sources[other].entries[entry], sources[other].entries), ...named(other));
  }
  return `#${parts.join("/")}`;
}

/** The run, the move and perhaps the second run of an address; undefined if there is no such run. */
function addressed(hash) {
  const cell = /^#cell-(\d+-\d+-\d+)$/.exec(hash);
  if (cell) return [cell[1]];
  if (!hash.includes("/")) return undefined;
  let parts;
  try {
    parts = hash.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  // The last one may be the name of results.
  const versus = parts.indexOf("vs", 3);
  const [, second, where] = versus < 0 ? [] : parts.splice(versus);
  const [board, entry, move = "0", name = second === undefined && versus > 0 ? "vs" : undefined] = parts;
  const key = keyOf(board, entry, name);
  return key && [key, parseInt(move, 10) || 0, second && keyOf(board, second, where)];
}

/** The key of a run by its names, with those of the results if they are given; undefined if there is none. */
function keyOf(board, entry, name) {
  const index = (names, wanted) => {
    const exact = names.indexOf(wanted);
    return exact >= 0 ? exact : names.findIndex((other) => other.toLowerCase() === wanted.toLowerCase());
  };
  for (const [k, source] of contest().sources.entries()) {
    const [e, b] = [index(source.entries, entry), index(source.boards.map(plainName), board)];
    if ((name === undefined || name === source.name) && e >= 0 && b >= 0) return `${k}-${e}-${b}`;
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
  ArrowUp: () => viewer.turn(-1),
  ArrowDown: () => viewer.turn(1),
  Home: () => viewer.goTo(0),
  End: () => viewer.goTo(viewer.last),
};

viewer.dialog.addEventListener("keydown", (event) => {
  const [action, turns] = [KEYS[event.key], /Up|Down/.test(event.key)];
  if (!action || event.ctrlKey || event.altKey || event.metaKey || (viewer.replays.length === 0 && !turns)) return;
  // A select element and a text field use these keys themselves, the space bar presses what has the focus, and a text scrolls.
  if (event.target.matches("input[type=search]")) return;
  if (event.target.matches(event.key === " " ? "select, button, summary" : turns ? "select, pre" : "select")) return;
  event.preventDefault();
  action();
});
viewer.dialog.addEventListener("close", () => {
  viewer.pause();
  viewer.opened = viewer.wanted = viewer.pair = null;
  clearTimeout(viewer.addressing);
  if (addressed(location.hash) || inGames(location.hash)) history.replaceState(null, "", location.pathname + location.search);
});
// A click outside the dialog closes it.
viewer.dialog.addEventListener("click", (event) => {
  if (event.target === viewer.dialog) viewer.dialog.close();
});
$("#viewer .close").addEventListener("click", () => viewer.dialog.close());
$("#viewer .to-first").addEventListener("click", () => viewer.goTo(0));
$("#viewer .back").addEventListener("click", () => viewer.step(-1));
viewer.play.addEventListener("click", () => viewer.toggle());
$("#viewer .forward").addEventListener("click", () => viewer.step(1));
$("#viewer .last").addEventListener("click", () => viewer.goTo(viewer.last));
viewer.slider.addEventListener("input", () => viewer.goTo(Number(viewer.slider.value)));
viewer.speed.addEventListener("change", () => viewer.timer && viewer.schedule());
viewer.compare.addEventListener("change", () => viewer.open(viewer.opened, viewer.at, viewer.compare.value));

document.addEventListener("click", (event) => {
  const cell = event.target.closest("a.cell");
  if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const game = inGames(cell.hash);
  if (game) openGame(...game);
  else viewer.open(cell.hash.slice("#cell-".length));
});

/** What `addressedGame` returns; undefined on a page without games, which has no script for them. */
function inGames(hash) {
  return typeof addressedGame === "undefined" ? undefined : addressedGame(hash);
}

function openAddressed() {
  const game = inGames(location.hash);
  if (game) return openGame(...game);
  const found = addressed(location.hash);
  if (found) viewer.open(...found);
}
addEventListener("hashchange", openAddressed);
openAddressed();
