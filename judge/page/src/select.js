// ---
// One selection for all tables and figures. An entry lights up while it is pointed at or focused; selected, it stays lit.
// A mark of a game opens that game.

const selection = {
  /** The keys of the selected entries, such as `0-3`, in the order of selection. */
  chosen: new Set(),
  /** The key of the entry that is pointed at or focused. */
  pointed: null,
  bar: make("div", { class: "selection", role: "status", hidden: "" }),
  tip: make("div", { class: "tip", "aria-hidden": "true", hidden: "" }),

  point(key) {
    if (key === this.pointed) return;
    this.pointed = key;
    this.light();
  },

  toggle(key) {
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.light();
    this.list();
  },

  clear() {
    this.chosen.clear();
    this.light();
    this.list();
  },

  /** Lights all parts of the selected entries and of the one pointed at. */
  light() {
    const keys = new Set(this.chosen);
    if (this.pointed !== null) keys.add(this.pointed);
    for (const part of $$(".lit")) part.classList.remove("lit");
    document.documentElement.classList.toggle("lighting", keys.size > 0);
    for (const key of keys) {
      for (const part of $$(`[data-of="${key}"]`)) part.classList.add("lit");
      for (const cell of $$(`.boards a.cell[href^="#cell-${key}-"]`)) cell.closest("td").classList.add("lit");
    }
    for (const button of $$("button.pick")) button.setAttribute("aria-pressed", this.chosen.has(button.value));
  },

  /** Names the selected entries below the page. */
  list() {
    this.bar.hidden = this.chosen.size === 0;
    const names = [...this.chosen].map((key) => {
      const button = make("button", { type: "button", "aria-label": `Deselect ${entryName(key)}` }, make("bdi", {}, entryName(key)), " ×");
      button.addEventListener("click", () => this.toggle(key));
      return button;
    });
    const clear = make("button", { type: "button", class: "clear" }, "Clear selection");
    clear.addEventListener("click", () => this.clear());
    const focused = this.bar.contains(document.activeElement);
    this.bar.replaceChildren("Selected: ", ...names, clear);
    if (focused && !this.bar.hidden) clear.focus();
  },

  /** Shows a text next to the pointer, or none. */
  say(text, event) {
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    this.tip.style.left = `${Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.max(event.clientY - this.tip.offsetHeight - 10, 4)}px`;
  },
};

/** The name of an entry by its key. */
function entryName(key) {
  const [k, e] = indices(key);
  const { sources } = contest();
  return sources[k].entries[e] + (sources.length > 1 ? ` · ${sources[k].name}` : "");
}

/** The key of the entry to which an element belongs; null if there is none. */
function entryAt(element) {
  const cell = element.closest(".boards a.cell");
  if (cell) return cell.hash.slice("#cell-".length).split("-").slice(0, 2).join("-");
  return element.closest("[data-of]")?.dataset.of ?? null;
}

// Rows of the standings belong to their entries, and have a button that selects them.
for (const link of $$("table.standings tbody th a[href^='#entry-']")) {
  const key = link.hash.slice("#entry-".length);
  const row = link.closest("tr");
  row.dataset.of = key;
  const button = make("button", { type: "button", class: "pick", value: key, "aria-pressed": "false", "aria-label": `Select ${link.textContent}` });
  button.addEventListener("click", () => selection.toggle(key));
  link.after(button);
}

/** The games of a drawing: x, y, board, key of the entry. Lists leave out what follows from the game before, see `marks.rs`. */
const gamesOf = new WeakMap();
function gamesIn(svg) {
  if (!gamesOf.has(svg)) gamesOf.set(svg, $$("[data-games]", svg).flatMap(gamesOfList));
  return gamesOf.get(svg);
}

function gamesOfList(list) {
  let [height, last] = [0, -1];
  return list.dataset.games.split(" ").map((game) => {
    const [x, y, board] = game.split(",");
    height = y ? Number(y) : height;
    last = board ? Number(board) : last + 1;
    return [Number(x), height, last, list.dataset.of];
  });
}

/** The largest distance in the drawing's pixels from a pointer to the game that it means. */
const REACH = 10;

/** The game next to a pointer: its place, board and entry; undefined if none is within reach. */
function gameAt(svg, event) {
  const matrix = svg.getScreenCTM()?.inverse();
  if (!matrix) return undefined;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  let [found, nearest] = [undefined, REACH];
  for (const game of gamesIn(svg)) {
    const away = Math.hypot(game[0] - x, game[1] - y);
    // Of games at one place, that of a selected entry is meant.
    if (away < nearest || (away === nearest && selection.chosen.has(game[3]))) [found, nearest] = [game, away];
  }
  return found;
}

document.addEventListener("pointerover", (event) => {
  if (event.target.closest("figure svg")) return;
  selection.point(entryAt(event.target));
  selection.say("");
});
document.addEventListener("focusin", (event) => selection.point(entryAt(event.target)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !viewer.dialog.open) selection.clear();
});

for (const svg of $$("figure.drawing svg")) {
  svg.addEventListener("pointermove", (event) => {
    const game = gameAt(svg, event);
    const key = game?.[3] ?? entryAt(event.target);
    selection.point(key);
    svg.classList.toggle("on-game", Boolean(game));
    const board = game && contest().sources[Number(key.split("-")[0])].boards[game[2]].name;
    selection.say(game ? `${entryName(key)} on ${board}` : key ? entryName(key) : "", event);
  });
  svg.addEventListener("pointerleave", () => {
    selection.point(null);
    selection.say("");
  });
  svg.addEventListener("click", (event) => {
    const game = gameAt(svg, event);
    const key = entryAt(event.target);
    selection.say("");
    if (game) viewer.open(`${game[3]}-${game[2]}`);
    else if (key) selection.toggle(key);
  });
}

document.body.append(selection.bar, selection.tip);

// The page of a running contest is loaded again, unless its reader is busy with it.
const everySeconds = Number(document.documentElement.dataset.refresh);
if (everySeconds > 0) {
  setInterval(() => {
    const busy = viewer.dialog.open || selection.chosen.size > 0 || getSelection().type === "Range";
    if (!busy && !document.hidden) location.reload();
  }, everySeconds * 1000);
}
