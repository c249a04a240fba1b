// ---
// Data of the cells, unpacked on first use

let data = null;
const unpacked = new Map();

function contest() {
  data ??= JSON.parse($("#data").textContent);
  return data;
}

/** Input, expected output and all runs of one board, see `data.rs`. */
function group(index) {
  if (!unpacked.has(index)) {
    const bytes = Uint8Array.from(atob(contest().groups[index]), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    unpacked.set(index, new Response(stream).json());
  }
  return unpacked.get(index);
}

/** The indices in a key: source, entry, board. */
const indices = (key) => key.split("-").map(Number);

/** The run of a key, which is that of links: the indices of source, entry and board. */
async function find(key) {
  const [k, e, b] = indices(key);
  const source = contest().sources[k];
  const board = source.boards[b];
  const { runs, ...texts } = await group(board.group);
  return { key, source, board, entry: source.entries[e], ...texts, ...runs[board.first + e] };
}

/** All runs of a group that have a film, in the order of the page. */
async function filmed(index) {
  const { runs } = await group(index);
  return contest().sources.flatMap((source, k) =>
    source.boards.flatMap((board, b) =>
      board.group !== index ? [] : source.entries.flatMap((entry, e) =>
        runs[board.first + e].film ? [{ key: `${k}-${e}-${b}`, source, entry }] : [],
      ),
    ),
  );
}

// ---
// Films

/** Restores numbers from the first one and the changes after it. */
function summed(changes) {
  let sum = 0;
  return changes.map((change) => (sum += change));
}

/** The frames of a film, each with its labels, its width and its touched cells. See `compact_replay.rs` for the steps. */
function unroll(film) {
  let labels = [...film.start.cells];
  let width = film.start.width;
  let last = 0;
  const frames = [{ labels: labels.slice(), width, touched: [] }];
  const swap = (from, to) => {
    [labels[from], labels[to]] = [labels[to], labels[from]];
    last = to;
    return [from, to];
  };
  for (const step of film.steps) {
    let touched;
    if (typeof step === "number") {
      touched = swap(last, last + step);
    } else if (typeof step[0] === "number") {
      touched = swap(step[0], step[1]);
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

/** One replay on the page: its board, the current frame, and a chart of its progress. */
class Replay {
  constructor(found) {
    this.found = found;
    this.film = found.film;
    this.frames = unroll(this.film);
    this.progress = summed(this.film.progress);
    this.distance = summed(this.film.distance);
    this.read = summed(this.film.read);
    this.board = make("div", { class: "board", role: "img" });
    // An image is shown as an image only: nothing in it is a part of this page.
    this.image = make("img", { class: "frame", alt: "", hidden: "" });
    this.position = make("output", { class: "position", "aria-live": "off" });
    this.status = make("p", { class: "status" });
    this.verdict = make("p", { class: "fault", hidden: "" });
    this.course = this.drawCourse();
    this.element = make(
      "div",
      { class: "replay", "data-moves": this.film.moves, "data-at": 0 },
      make("h3", {}, make("bdi", {}, found.entry)),
      make("div", { class: "table" }, this.board, this.image),
      this.status,
      this.verdict,
      this.course,
      this.position,
    );
    // Labels that several cells share at the start are blocks or kinds of pieces: each gets its own tint.
    const labels = this.frames[0].labels;
    this.man = found.source.man;
    // The goal is marked where it is a small part of the board, such as a centre; if it is all of the board, pieces at home
    // are enough.
    this.goal = [...(this.film.goal ?? "")];
    this.marksGoal = 2 * this.goal.filter((label) => label !== " ").length <= this.goal.length;
    const shared = [...new Set(labels)].filter((label) => isPiece(label) && label !== this.man && labels.indexOf(label) !== labels.lastIndexOf(label));
    this.tints = new Map(shared.map((label, index) => [label, (index % 10) + 1]));
    this.shown = null;
  }

  get moves() {
    return this.film.moves;
  }

  /** The frame after this number of moves. */
  frameAt(move) {
    return move >= this.film.moves ? this.frames.length - 1 : Math.floor(move / this.film.stride);
  }

  /** The number of moves before a frame. */
  movesAt(frame) {
    return Math.min(frame * this.film.stride, this.film.moves);
  }

  /** Shows the frame after this number of moves. From its neighbour, pieces slide there in `slide` milliseconds. */
  show(move, slide = 0) {
    const index = this.frameAt(move);
    const frame = this.frames[index];
    const at = this.movesAt(index);
    const before = this.index;
    this.index = index;
    this.element.dataset.at = at;
    this.paint(frame);
    if (slide > 0 && this.film.stride === 1 && Math.abs(index - before) === 1) {
      this.slide(this.frames[before], frame, this.frames[Math.max(index, before)].touched, slide);
    }
    const image = this.film.images?.[index];
    this.image.hidden = !image;
    this.board.hidden = Boolean(image);
    if (image) this.image.src = `data:image/svg+xml;base64,${image}`;
    const rows = [];
    for (let start = 0; start < frame.labels.length; start += frame.width) {
      rows.push(frame.labels.slice(start, start + frame.width).join("").replaceAll(" ", "#"));
    }
    // The letters of an image say nothing to its reader.
    this.position.textContent = image ? "" : rows.join(" ");
    const { progress, distance } = this.found.source;
    const played = this.token(index);
    const where = `${at} of ${this.film.moves}`;
    this.status.replaceChildren(
      make("span", { class: "count" }, at === 0 ? `Start, ${this.film.moves} to come` : `Move ${where}`),
      ...(played ? [make("code", {}, played)] : []),
      ...(this.progress.length > 0
        ? [make("span", { class: "key progress" }, `${this.progress[index]}${this.ofGoal()} ${progress}`)]
        : []),
      ...(this.distance.length > 0 ? [make("span", { class: "key distance" }, `${this.distance[index]} ${distance}`)] : []),
    );
    const label = `Position after ${where} moves`;
    this.board.setAttribute("aria-label", `${label}: ${this.position.textContent}`);
    this.image.alt = label;
    if (this.film.stride > 1) {
      this.status.append(make("span", { class: "about" }, `long answer: every ${this.film.stride} moves`));
    }
    const illegal = this.illegalAt(index);
    this.verdict.hidden = !illegal;
    if (illegal) this.verdict.textContent = `Illegal move ${illegal.index} \`${illegal.token}\`: ${illegal.reason}`;
    const x = this.scaleX(index);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }

  /** The illegal move, if the frame is the last one. */
  illegalAt(index) {
    return index === this.frames.length - 1 ? this.film.illegal : undefined;
  }

  /** The part of the answer that leads to a frame; empty if the page does not have the whole answer. */
  token(index) {
    const [begin, end] = this.span(index);
    return this.isWhole && end - begin < 60 ? this.found.answer.head.slice(begin, end) : "";
  }

  /** True if the page has the whole answer as ASCII, so that byte offsets are offsets in the text. */
  get isWhole() {
    const { answer } = this.found;
    return Boolean(answer) && !answer.left_out && !/[^\x00-\x7f]/.test(answer.head);
  }

  /** The begin and the end of that part in the text of the answer; equal if there is none. */
  span(index) {
    if (!this.isWhole || index === 0) return [0, 0];
    const [begin, end] = [this.read[index - 1], this.read[index]];
    const piece = this.found.answer.head.slice(begin, end);
    return [end - piece.trimStart().length, begin + piece.trimEnd().length];
  }

  /** Updates the board to a frame, with as few changes as possible. */
  paint(frame) {
    const same = this.shown && this.shown.width === frame.width && this.shown.labels.length === frame.labels.length;
    if (!same) {
      this.board.style.setProperty("--columns", frame.width);
      this.board.style.setProperty("--rows", Math.ceil(frame.labels.length / frame.width));
      this.board.classList.toggle("crowded", frame.width > 16);
      this.tiles = frame.labels.map(() => make("span", { class: "tile" }));
      this.board.replaceChildren(...this.tiles);
    }
    const touched = new Set(frame.touched);
    // In a single row, equal neighbours are separate pieces; on a board they are parts of one block.
    const joins = frame.labels.length > frame.width;
    frame.labels.forEach((label, cell) => {
      const tile = this.tiles[cell];
      if (tile.dataset.label !== label) {
        tile.dataset.label = label;
        tile.textContent = label === this.man ? "" : label;
      }
      let kind = `tile ${label === " " ? "none" : isPiece(label) ? "piece" : "spot"}`;
      if (this.tints.has(label)) kind += ` tint-${this.tints.get(label)}`;
      if (touched.has(cell)) kind += " touched";
      if (label === this.man) kind += " man";
      const goal = this.goal[cell] ?? " ";
      if (goal !== " " && this.marksGoal) kind += " goal";
      if (goal === label && isPiece(label)) kind += " home";
      if (joins && isPiece(label) && label !== this.man) {
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

  /** Lets the pieces that differ between two neighbouring frames slide to their cells. */
  slide(before, after, touched, duration) {
    // A board that loses rows at its bottom, or gets some, stays where it is; one that changes its width does not.
    if (before.width !== after.width) return;
    const options = { duration, easing: "ease-in-out" };
    const size = this.tiles[0].offsetWidth + parseFloat(getComputedStyle(this.board).columnGap);
    for (const [from, to] of movements(before, after)) {
      const [down, right] = way(from, to, after.width);
      const tile = this.tiles[to];
      const shift = `translate(${-right * size}px, ${-down * size}px)`;
      tile.animate([{ transform: shift, zIndex: 1 }, { transform: "none", zIndex: 1 }], options);
    }
    // A piece that leaves the board slides to the other end of its move, and vanishes there.
    const left = touched.filter((cell) => isPiece(before.labels[cell]) && !after.labels.includes(before.labels[cell]));
    const [out] = touched.filter((cell) => !isPiece(before.labels[cell]) && !isPiece(after.labels[cell]));
    if (left.length === 1 && out !== undefined && this.tiles[left[0]]) {
      const [start, end] = [this.tiles[left[0]], this.tiles[out]];
      const ghost = make("span", { class: "tile piece ghost", "aria-hidden": "true" }, before.labels[left[0]]);
      this.board.append(ghost);
      const area = { width: `${start.offsetWidth}px`, height: `${start.offsetHeight}px` };
      const at = (tile) => `translate(${tile.offsetLeft}px, ${tile.offsetTop}px)`;
      const frames = [{ ...area, transform: at(start), opacity: 1 }, { ...area, transform: at(end), opacity: 1, offset: 0.7 }, { ...area, transform: at(end), opacity: 0 }];
      ghost.animate(frames, { ...options, duration: duration * 1.5 }).finished.then(() => ghost.remove(), () => ghost.remove());
    }
  }

  scaleX(frame) {
    return 6 + (388 * this.movesAt(frame)) / Math.max(this.film.moves, 1);
  }

  /** Returns the progress that solves the board, as text after a figure; nothing if none does. */
  ofGoal() {
    return this.film.open ? "" : ` of ${this.film.of}`;
  }

  /** Draws progress and distance along the answer. */
  drawCourse() {
    const height = 90;
    const line = (values, most) =>
      values.map((value, frame) => `${this.scaleX(frame).toFixed(1)},${(height - 6 - ((height - 12) * value) / Math.max(most, 1)).toFixed(1)}`).join(" ");
    const end = this.frames.length - 1;
    const farthest = Math.max(...this.distance);
    const known = (values) => values.length > 0;
    this.cursor = draw("line", { class: "cursor", y1: 0, y2: height });
    const { progress, distance } = this.found.source;
    const label =
      (known(this.progress) ? `${progress} from ${this.progress[0]} to ${this.progress[end]}${this.ofGoal()}, ` : "") +
      (known(this.distance) ? `${distance} from ${this.distance[0]} to ${this.distance[end]}, ` : "") +
      `along ${this.film.moves} ${this.film.moves === 1 ? "move" : "moves"}`;
    const svg = draw(
      "svg",
      { class: "course", viewBox: `0 0 400 ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      draw("line", { class: "axis", x1: 6, x2: 394, y1: height - 6, y2: height - 6 }),
      ...(known(this.distance) ? [draw("polyline", { class: "distance", points: line(this.distance, farthest) })] : []),
      ...(known(this.progress) ? [draw("polyline", { class: "progress", points: line(this.progress, this.film.of) })] : []),
      this.cursor,
    );
    const go = ({ clientX, buttons }) => {
      const { left, width } = svg.getBoundingClientRect();
      if (buttons) viewer.goTo(Math.round((((clientX - left) / width) * 400 - 6) * this.moves / 388));
    };
    svg.addEventListener("pointerdown", go);
    svg.addEventListener("pointermove", go);
    return svg;
  }
}

/** Rows down and columns right from one cell to another. */
function way(from, to, width) {
  return [Math.floor(to / width) - Math.floor(from / width), (to % width) - (from % width)];
}

/** The cells between which pieces moved: from, to. Frames have the same width. */
function movements(before, after) {
  const { width } = after;
  const cells = (labels, label) => labels.flatMap((other, cell) => (other === label ? [cell] : []));
  const length = (from, to) => Math.hypot(...way(from, to, width));
  const changed = new Set(after.labels.filter((label, cell) => isPiece(label) && before.labels[cell] !== label));
  return [...changed].flatMap((label) => {
    const [starts, ends] = [cells(before.labels, label), cells(after.labels, label)];
    // All cells of a block move the same way.
    const ways = new Set(ends.map((end, index) => String(way(starts[index] ?? 0, end, width))));
    if (starts.length === ends.length && ways.size === 1) return ends.map((end, index) => [starts[index], end]);
    // One of several equal pieces: it came from the farthest cell that lost one, over those that it took.
    const lost = starts.filter((cell) => !ends.includes(cell));
    const gained = ends.filter((cell) => !starts.includes(cell));
    if (gained.length !== 1 || lost.length === 0) return [];
    const [to] = gained;
    return [[lost.reduce((far, cell) => (length(cell, to) > length(far, to) ? cell : far)), to]];
  });
}

/** True for letters and digits, which are pieces; other symbols mark empty cells. */
function isPiece(label) {
  return /[\p{L}\p{N}]/u.test(label);
}

