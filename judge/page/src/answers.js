// ---
// Texts of a run: answers, of which a move can be chosen, and outputs next to what was expected

/** The indices of two lists that have no counterpart in the other list, by a longest common subsequence. */
function differences(a, b) {
  const only = [new Set(), new Set()];
  let begin = 0;
  while (begin < Math.min(a.length, b.length) && a[begin] === b[begin]) begin += 1;
  let [rows, columns] = [a.length - begin, b.length - begin];
  while (rows > 0 && columns > 0 && a[begin + rows - 1] === b[begin + columns - 1]) [rows, columns] = [rows - 1, columns - 1];
  // Beyond this size all that is between the equal ends is said to differ.
  const long = rows * columns > 4e6;
  const width = columns + 1;
  const lengths = new Uint16Array(long ? 0 : (rows + 1) * width);
  const equal = (row, column) => !long && row < rows && column < columns && a[begin + row] === b[begin + column];
  for (let row = rows - 1; row >= 0 && !long; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] = equal(row, column) ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  }
  for (let row = 0, column = 0; row < rows || column < columns; ) {
    if (equal(row, column)) [row, column] = [row + 1, column + 1];
    else if (column === columns || (row < rows && (long || lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]))) only[0].add(begin + row++);
    else only[1].add(begin + column++);
  }
  return only;
}

/** The answer of a replay. It marks the current move, and a click on a move goes to it. */
class AnswerText {
  constructor(replay) {
    this.replay = replay;
    this.text = replay.found.answer.head;
    this.element = make("pre", { class: "answer moves", tabindex: "0", role: "region", "aria-label": "Answer" });
    this.element.addEventListener("click", (event) => this.choose(event));
    this.cut(new Set());
  }

  get moves() {
    return this.replay.frames.map((_, index) => this.text.slice(...this.replay.span(index)));
  }

  /** Marks the moves that are not in the other answer, in both. */
  compare(other) {
    const [own, others] = differences(this.moves, other.moves);
    const first = Math.min(...own, ...others);
    const places = [own.size, others.size].map((count) => `${count} ${count === 1 ? "move" : "moves"}`);
    this.note = own.size + others.size === 0 ? "Both answers are equal." :
      `The answers are equal before move ${first}. Marked: ${places[0]} here and ${places[1]} there without a counterpart.`;
    this.cut(own);
    other.cut(others);
  }

  /** Cuts the text into pieces of moves that differ and of those that do not, and one after the last move. */
  cut(differ) {
    this.pieces = [];
    const end = this.replay.span(this.replay.frames.length - 1)[1];
    for (let index = 1, from = 0, last = null; index < this.replay.frames.length; index += 1) {
      const [, to] = this.replay.span(index);
      if (differ.has(index) !== last) this.pieces.push({ from, element: make("span", differ.has(index) ? { class: "differs" } : {}) });
      last = differ.has(index);
      this.pieces.at(-1).to = from = to;
    }
    this.pieces.push({ from: end, to: this.text.length, element: make("span") });
    for (const piece of this.pieces) piece.element.textContent = this.text.slice(piece.from, piece.to);
    this.element.replaceChildren(...this.pieces.map((piece) => piece.element));
  }

  /** Marks the move of the replay's frame, and the illegal one after the last. */
  show() {
    const { replay, text, shown } = this;
    if (shown) shown.element.textContent = text.slice(shown.from, shown.to);
    const [begin, end] = replay.span(replay.index);
    this.shown = begin < end ? this.pieces.find((piece) => end <= piece.to) : null;
    const rest = this.pieces.at(-1);
    const { token } = replay.illegalAt(replay.index) || {};
    const bad = token ? text.indexOf(token, rest.from) : -1;
    const isNext = bad >= 0 && text.slice(rest.from, bad).trim() === "";
    const after = isNext ? [text.slice(rest.from, bad), make("mark", { class: "bad" }, token), text.slice(bad + token.length)] : [text.slice(rest.from)];
    rest.element.replaceChildren(...after);
    if (!this.shown) return;
    const mark = make("mark", {}, text.slice(begin, end));
    this.shown.element.replaceChildren(text.slice(this.shown.from, begin), mark, text.slice(end, this.shown.to));
    // Scrolls the answer to the marked move, without scrolling the page.
    const { element } = this;
    if (element.scrollHeight > element.clientHeight) element.scrollTop = mark.offsetTop - element.clientHeight / 2;
  }

  /** Goes to the move at a click, unless that ends a selection of text. */
  choose({ clientX: x, clientY: y }) {
    // Safari has the second one only.
    const at = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
    const [node, offset] = [at?.offsetNode ?? at?.startContainer, at?.offset ?? at?.startOffset];
    const range = document.createRange();
    if (!node || !this.element.contains(node) || !getSelection().isCollapsed) return;
    // The caret of a click on the right half of a letter is after it.
    range.setStart(node, Math.max(offset - 1, 0));
    range.setEnd(node, offset);
    const box = range.getBoundingClientRect();
    const before = box.left <= x && x < box.right && box.width > 0;
    range.setStart(this.element, 0);
    const place = range.toString().length - (before ? 1 : 0);
    const frame = this.replay.read.findIndex((read) => read > place);
    if (frame > 0) viewer.goTo(this.replay.movesAt(frame));
  }
}

/** A titled text. */
function quoted(title, kind, children) {
  return [make("h3", {}, title), make("pre", { class: kind, tabindex: "0", role: "region", "aria-label": title }, ...children)];
}

/** Input, expected output and output of a run, as far as they are known. What differs is marked, word by word. */
function outputs({ input, expected, answer }) {
  const panel = (title, text, marked) => make("div", {}, ...quoted(title, "answer", marked ?? (text ? excerpt(text) : [])));
  if (!input && !expected) return answer ? quoted("Answer", "answer", excerpt(answer)) : [];
  const panels = input ? [panel("Input", input)] : [];
  if (!expected) return [make("div", { class: "outputs" }, ...panels, ...(answer ? [panel("Output", answer)] : []))];
  const texts = [expected, answer ?? { head: "" }];
  let marked = [];
  let note = "Too long to be compared here.";
  if (!texts.some((text) => text.left_out)) {
    const pieces = texts.map((text) => text.head.split(/(\s+)/));
    const words = pieces.map((all) => all.filter((_, index) => index % 2 === 0 && all[index] !== ""));
    const only = differences(...words);
    marked = pieces.map((all, side) => {
      let word = -1;
      return all.map((piece) => (piece.trim() === "" || !only[side].has((word += 1)) ? piece : make("span", { class: ["gone", "new"][side] }, piece)));
    });
    const [gone, added] = only.map((places) => places.size);
    note = gone + added === 0 ? "All words are as expected." : `Words that differ are marked: ${gone} of those expected are missing, ${added} were not expected.`;
  }
  panels.push(panel("Expected output", expected, marked[0]), panel("Output", answer, marked[1]));
  return [make("div", { class: "outputs" }, ...panels), make("p", { class: "about" }, note)];
}
